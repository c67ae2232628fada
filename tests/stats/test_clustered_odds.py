"""Odds ratios adjusted for strata or years, in clusters: against whole matrices, weights and leaving out."""

import json
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm

from evenhand.stats import (
    clustered_logistic_counts,
    clustered_mantel_haenszel,
    gail_simon,
    logistic_counts,
    mantel_haenszel,
)

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "strata_in_clusters.json").read_text("utf-8"))


def people(name):
    """Return recruiter, whether a woman, job, years and whether selected of each person."""
    rows = [
        (recruiter, row[0], place // 2, int(years), 1 - place % 2)
        for recruiter, row in enumerate(ORACLES[name]["rows"])
        for place, text in enumerate(row[1:])
        for years in text
    ]
    return np.array(rows).T


def by_year(name, keep=None):
    recruiter, focal, _, years, selected = people(name)
    rows = np.ones(focal.size, bool) if keep is None else recruiter != keep
    design = np.column_stack([np.ones(focal.size), years, focal])[rows]
    return (design, selected[rows], np.ones(rows.sum(), int), recruiter[rows]), {"names": ["1", "years", "focal"]}


@pytest.mark.parametrize("name", ["null", "real"])
def test_the_common_odds_ratio_varies_as_it_does_without_each_recruiter(name):
    recruiter, focal, job, _, selected = people(name)
    result, expected = clustered_mantel_haenszel(job, recruiter, focal, selected, 1), ORACLES[name]["expected"]
    assert result.estimate == pytest.approx(expected["common"])
    assert result.log_standard_error == pytest.approx(expected["common_error"], rel=0.03)
    assert result.t == pytest.approx(np.log(expected["common"]) / result.log_standard_error)
    assert (result.p < 0.05, result.strata, result.n) == (name == "real", 2, focal.size)
    assert result.df == pytest.approx(np.unique(recruiter).size - 2, abs=0.01)  # as good as balanced


@pytest.mark.parametrize("name", ["null", "real"])
def test_the_adjusted_odds_ratio_varies_as_it_does_without_each_recruiter(name):
    arguments, options = by_year(name)
    result, expected = clustered_logistic_counts(*arguments, **options), ORACLES[name]["expected"]
    assert np.exp(result.estimate[2]) == pytest.approx(expected["adjusted"])
    assert result.standard_error[2] == pytest.approx(expected["adjusted_error"], rel=0.03)
    assert (result.p[2] < 0.05) == (name == "real")
    assert result.clusters == result.clusters_focal[2] + result.clusters_reference[2]


def strata(seed, n_strata=4, n_clusters=9):
    rng = np.random.default_rng(seed)
    entries = [rng.integers(0, size, 90) for size in (n_strata, n_clusters)]
    n = rng.integers(1, 5, 90)
    return (*entries, rng.random(90) < 0.5, rng.binomial(n, 0.4), n)


def log_odds(stratum, focal, selected, n, weight):
    a, b, c, d = (
        np.bincount(stratum, weights=weight * np.where(side, count, 0))
        for side in (focal, ~focal)
        for count in (selected, n - selected)
    )
    M = a + b + c + d  # noqa: N806
    return np.log((a * d / M).sum() / (b * c / M).sum())


@pytest.mark.parametrize("seed", range(4))
def test_the_variance_is_that_of_what_moves_with_the_weight_of_a_cluster(seed):
    stratum, cluster, focal, selected, n = strata(seed)
    sizes = [np.bincount(stratum, weights=np.where(side, n, 0)) for side in (focal, ~focal)]
    share = (sizes[1] / (sizes[0] + sizes[1]))[stratum]
    squares = n * np.where(focal, share, share - 1) ** 2
    variance, step = 0.0, 1e-6
    for each in range(9):
        moved = 0.0
        for side in (focal, ~focal):
            gone = (cluster == each) & side
            ends = [log_odds(stratum, focal, selected, n, 1 + way * gone) for way in (step, -step)]
            moved += (ends[0] - ends[1]) / (2 * step) / np.sqrt(1 - squares[gone].sum() / squares[side].sum())
        variance += moved**2
    result = clustered_mantel_haenszel(stratum, cluster, focal, selected, n)
    sums = [np.bincount(stratum, weights=np.where(side, of, 0)) for side in (focal, ~focal) for of in (selected, n)]
    assert result.estimate == pytest.approx(mantel_haenszel(*sums).estimate)
    assert result.log_standard_error**2 == pytest.approx(variance, rel=1e-6)


def by_matrices(design, score, weights, clusters, column):
    """CR2 with working weights, and Bell and McCaffrey's degrees of freedom, a row per person."""
    bread = np.linalg.inv((weights[:, None] * design).T @ design)
    root = np.sqrt(weights)[:, None] * design
    hat = root @ bread @ root.T
    total, vectors = 0.0, []
    for cluster in np.unique(clusters):
        inside = clusters == cluster
        values, directions = np.linalg.eigh(np.eye(inside.sum()) - hat[np.ix_(inside, inside)])
        adjusted = directions @ np.diag(values**-0.5) @ directions.T @ root[inside] @ bread[:, column]
        total += (adjusted @ (score / np.sqrt(weights))[inside]) ** 2
        vectors.append((np.eye(len(hat)) - hat)[:, inside] @ adjusted)
    inner = np.stack(vectors) @ np.stack(vectors).T
    return total, np.trace(inner) ** 2 / (inner**2).sum()


@pytest.mark.parametrize("seed", range(4))
def test_the_logistic_regression_agrees_with_whole_matrices(seed):
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(60), rng.normal(50, 9, 60), rng.random(60) < 0.4]).astype(float)
    selected, clusters = (rng.random(60) < 0.4).astype(int), rng.integers(0, 8, 60)
    fitted = sm.Logit(selected, design).fit(disp=0, tol=1e-12).predict()
    variance, df = by_matrices(design, selected - fitted, fitted * (1 - fitted), clusters, 2)
    result = clustered_logistic_counts(design, selected, np.ones(60), clusters, names=["1", "years", "focal"])
    assert (result.standard_error[2] ** 2, result.df[2]) == pytest.approx((variance, df), rel=1e-5)


def test_one_stratum_has_the_degrees_of_freedom_of_two_means():
    focal, selected = np.array([1] * 3 + [0] * 9), np.array([3, 5, 4, 2, 6, 7, 5, 3, 6, 8, 1, 5])
    common = clustered_mantel_haenszel(np.zeros(12), np.arange(12), focal, selected, 10)
    # Variances of a mean of G clusters, 1/G, with G - 1 degrees of freedom each.
    assert common.df == pytest.approx((1 / 3 + 1 / 9) ** 2 / ((1 / 3) ** 2 / 2 + (1 / 9) ** 2 / 8))
    assert (common.clusters_focal, common.clusters_reference) == (3, 9)
    adjusted = clustered_logistic_counts(
        np.column_stack([np.ones(12), focal]), selected, np.full(12, 10), np.arange(12), names=["1", "focal"]
    )
    assert adjusted.df[1] == pytest.approx(common.df, rel=0.05)
    assert (adjusted.clusters_focal[1], adjusted.clusters_reference[1]) == (3, 9)


EIGHT_MEN = [(2, 5), (3, 6), (4, 7), (2, 4), (3, 5), (1, 6), (5, 7), (3, 8)]


FOUR_MEN = [(2, 5), (3, 6), (4, 7), (2, 4)]


def two_jobs(women, men):
    """Return both regressions of clusters of 10 women, or 10 men, in each of two jobs: selected by job."""
    rows = [
        (job, cluster, focal, row[job])
        for focal, side in ((1, women), (0, men))
        for cluster, row in enumerate(side, start=len(women) * (1 - focal))
        for job in (0, 1)
    ]
    job, cluster, focal, selected = np.array(rows).T
    design = np.column_stack([np.ones(job.size), job, focal])
    names = ["1", "job", "focal"]
    return (
        clustered_mantel_haenszel(job, cluster, focal, selected, 10),
        clustered_logistic_counts(design, selected, np.full(job.size, 10), cluster, names=names),
    )


@pytest.mark.parametrize(
    ("women", "men", "one_more"),
    [
        ([(0, 0)] * 8, EIGHT_MEN, [(1, 0), *[(0, 0)] * 7]),
        ([(10, 10)] * 4, FOUR_MEN, [(10, 9), *[(10, 10)] * 3]),
        ([(10, 10)] * 4, [(0, 0)] * 4, None),
    ],
    ids=["nobody", "everybody", "everybody and nobody"],
)
def test_a_group_at_0_or_100_percent_is_tested_as_if_one_decision_were_another(women, men, one_more):
    common, adjusted = two_jobs(women, men)
    assert common.test == "CR2 t of the common log odds ratio, one decision reversed"
    assert "no logarithm" in common.interval_reason
    assert (common.low, common.log_standard_error) == (None, None)
    assert max(common.p, 0.1) == 0.1
    if men[0] != (0, 0):  # both groups without a limit: a regression has no coefficient of either
        assert adjusted.test[2] == "CR2 t of the log odds, one decision reversed"
        assert "is not finite" in adjusted.interval_reasons[2]
        assert np.isnan([adjusted.low[2], adjusted.standard_error[2]]).all()
    if one_more is not None:
        one, its = two_jobs(one_more, men)
        assert (one.interval_reason, its.interval_reasons[2]) == (None, "")
        assert common.p <= one.p < 0.05
        assert adjusted.p[2] <= its.p[2] < 0.05


def test_what_clusters_cannot_show_of_odds_is_null_with_a_reason():
    focal = np.array([1, 0, 0, 0])
    alone = clustered_mantel_haenszel([0] * 4, [0, 1, 2, 3], focal, [3, 5, 4, 6], 10)
    assert "in one cluster only" in alone.reason == alone.interval_reason
    assert (alone.p, alone.low, alone.estimate) == (None, None, None)
    assert "no stratum" in clustered_mantel_haenszel([0, 1], [0, 1], [1, 0], [3, 5], 10).reason
    alike = clustered_mantel_haenszel([0] * 4, [0, 1, 2, 3], [1, 1, 0, 0], [3, 3, 5, 5], 10)
    assert (alike.p, alike.t) == (None, None)
    design = np.column_stack([np.ones(4), focal])
    fit = clustered_logistic_counts(design, [3, 5, 4, 6], [10] * 4, range(4), names=["1", "focal"])
    assert "Without one of the clusters" in fit.reasons[1] == fit.interval_reasons[1]
    assert np.isnan([fit.p[1], fit.low[1]]).all()
    nobody = clustered_logistic_counts(design, [0] * 4, [10] * 4, range(4), names=["1", "focal"])
    assert "Nobody was selected" in nobody.reasons[1]
    assert clustered_logistic_counts(design, [0] * 4, [0] * 4, range(4), names=["1", "focal"]).n == 0
    with pytest.raises(ValueError, match="clusters"):
        clustered_logistic_counts(design, [0] * 4, [1] * 4, range(3), names=["1", "focal"])


def test_strata_of_one_group_or_one_outcome_change_nothing():
    stratum, cluster, focal, selected, n = strata(7)
    alone = clustered_mantel_haenszel(stratum, cluster, focal, selected, n)
    more = clustered_mantel_haenszel(
        [*stratum, 7, 7, 8, 8],
        [*cluster, 20, 21, 22, 23],
        [*focal, 1, 1, 1, 0],
        [*selected, 2, 1, 0, 0],
        [*n, 3, 3, 3, 3],
    )
    assert more == alone


def test_groups_that_share_clusters_are_compared_within_them():
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(12), 2)
    focal = np.tile([1, 0], 12)
    rate = 1 / (1 + np.exp(-rng.normal(0, 2, 12)))[cluster]
    selected = rng.binomial(20, rate)
    stratum = cluster // 3
    within = clustered_mantel_haenszel(stratum, cluster, focal, selected, 20)
    apart = clustered_mantel_haenszel(stratum, cluster + 12 * focal, focal, selected, 20)
    assert within.log_standard_error < apart.log_standard_error


def test_a_covariate_of_one_cluster_leaves_the_group_its_test():
    focal = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    odd = np.array([0, 0, 0, 0, 0, 0, 0, 1])
    design = np.column_stack([np.ones(8), odd, focal])
    fit = clustered_logistic_counts(design, [2, 3, 4, 3, 5, 6, 7, 9], [10] * 8, range(8), names=["1", "odd", "focal"])
    assert (fit.test[1], fit.test[2]) == ("", "CR2 t of the log odds")
    without = logistic_counts(design[:7, ::2], [2, 3, 4, 3, 5, 6, 7], [10] * 7, names=["1", "focal"])
    assert fit.estimate[2] == pytest.approx(without.estimate[1])


def test_several_groups_have_the_clusters_of_their_reference():
    group = np.repeat([0, 1, 2], 4)
    design = np.column_stack([np.ones(12), group == 1, group == 2])
    selected, reference = [2, 3, 4, 3, 5, 6, 7, 5, 4, 4, 3, 5], group == 0
    fit = clustered_logistic_counts(design, selected, [10] * 12, range(12), names=["1", "b", "c"], reference=reference)
    assert fit.clusters_reference[1:].tolist() == [4, 4]


# Critical values of Gail and Simon's table 1 for a level of .05, and their example of breast cancer in four subsets
# (differences of disease-free survival by age and progesterone receptor).
@pytest.mark.parametrize(
    ("strata", "critical"), [(2, 2.71), (3, 4.23), (4, 5.43), (5, 6.50), (6, 7.48), (8, 9.29), (10, 10.99)]
)
def test_critical_values_of_a_crossing_interaction_are_those_of_gail_and_simon(strata, critical):
    # All but one stratum are clearly on the other side.
    p = [gail_simon([x**0.5, *[-9.0] * (strata - 1)], [1.0] * strata).p for x in (critical - 0.01, critical + 0.01)]
    assert p[1] < 0.05 < p[0] + 1e-3
    assert p == pytest.approx([0.05, 0.05], abs=5e-4)


def test_the_example_of_gail_and_simon_does_not_cross():
    test = gail_simon([0.163, -0.114, -0.047, -0.151], [0.0788, 0.0689, 0.0614, 0.0547])
    assert (test.above, test.below) == pytest.approx((4.28, 10.94), abs=0.01)
    assert (test.statistic, test.p) == pytest.approx((4.28, 0.0877), abs=2e-3)
    assert test.strata == 4


@pytest.mark.parametrize(
    ("differences", "errors", "p"),
    [([0.1, 0.3], [0.1, 0.1], 1.0), ([0.1, np.nan], [0.1, 0.1], None), ([0.1, -0.1], [0.1, 0.0], None), ([], [], None)],
)
def test_a_crossing_needs_two_strata_and_two_directions(differences, errors, p):
    test = gail_simon(differences, errors)
    assert test.p == p
    assert (test.reason is None) == (p is not None)
