"""Two groups in clusters: CR2 against whole matrices, groups that don't vary, and what has to hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.stats import compare_clusters
from properties import AS_A_RULE

#: Selected of 20 people in each cluster, one digit or letter (a is 10) per cluster.
THREE_WOMEN, THIRTY_SIX_MEN = ([int(k, 36) for k in text] for text in ("766", "27b892a6559a4d894b9ac8b4c48c2c9a729a"))
TWO_WOMEN, FIFTY_MEN = (
    [int(k, 36) for k in text] for text in ("ad", "44c689a77aab7317d565aa75fb836846cb9gbf2b9592729f44")
)


def apart(focal, reference, n, **options):
    """Each cluster holds n people of one group."""
    sides = [1] * len(focal) + [0] * len(reference)
    clusters = [range(len(sides))]
    return compare_clusters([0] * len(sides), sides, [*focal, *reference], [n] * len(sides), clusters, **options)


def shared(focal, reference, n, **options):
    """Each cluster holds n people of both groups."""
    sides, clusters = [1] * len(focal) + [0] * len(reference), [*range(len(focal)), *range(len(reference))]
    return compare_clusters([0] * len(sides), sides, [*focal, *reference], [n] * len(sides), [clusters], **options)


# Welch's t of the cluster means, computed by hand elsewhere.
@pytest.mark.parametrize(
    ("result", "t", "df", "p"),
    [
        (apart(THREE_WOMEN, THIRTY_SIX_MEN, 20, binary=True), -2.436559846538504, 2.346291154303848, 0.116536),
        (apart(TWO_WOMEN, FIFTY_MEN, 20, binary=True), 2.3144588695756827, 1.0815646836021682, 0.244332),
    ],
    ids=["3 and 36", "2 and 50"],
)
def test_known_answers(result, t, df, p):
    assert result.test[0] == "CR2 t"
    assert (result.t[0], result.df[0], result.p[0]) == pytest.approx((t, df, p), rel=1e-5)


# Each is as if one decision were another: of nobody one is selected, of everybody one is not.
@pytest.mark.parametrize(
    ("compared", "groups", "changed"),
    [
        (apart, ([0] * 8, [0, 2, 3, 3, 4, 5, 5, 6], 10), ([1] + [0] * 7, [0, 2, 3, 3, 4, 5, 5, 6], 10)),
        (apart, ([6] * 7, [2, 3, 3, 4, 2, 5, 1], 6), ([5] + [6] * 6, [2, 3, 3, 4, 2, 5, 1], 6)),
        (apart, ([0] * 3, [20] * 4, 20), ([1, 0, 0], [19, 20, 20, 20], 20)),
        (shared, ([0] * 12, [1, 2] * 6, 3), ([0, 1] + [0] * 10, [1, 2] * 6, 3)),
        (shared, ([1, 2, 3], [3, 4, 5], 6), ([2, 2, 3], [3, 4, 5], 6)),  # as much in every cluster
    ],
    ids=["nobody", "everybody", "0 and 100 %", "shared", "as much"],
)
def test_what_does_not_vary_is_tested_as_if_one_decision_were_another(compared, groups, changed):
    result, other = compared(*groups, binary=True, level=1e-9), compared(*changed, binary=True)
    assert result.test[0] == "CR2 t, one decision reversed"
    assert (result.t[0], result.df[0], result.p[0]) == pytest.approx((other.t[0], other.df[0], other.p[0]))
    assert np.isnan([result.low, result.standard_error, result.ratio_low]).all()
    assert result.interval_reason[0]
    assert compared(*groups, binary=False).test[0] == ""


# The share of arrangements of whole clusters that are as far apart, where the t finds a difference as well.
@pytest.mark.parametrize(
    ("groups", "level", "p", "test"),
    [
        (([0] * 8, [0, 2, 3, 3, 4, 5, 5, 6], 10), 0.05, 2 * 9 / 12870, "permutation of clusters, exact"),
        (([0] * 8, [0, 2, 3, 3, 4, 5, 5, 6], 10), 0.001, None, "CR2 t, one decision reversed"),
        (([6] * 7, [2, 3, 3, 4, 2, 5, 1], 6), 0.05, 2 / 3432, "permutation of clusters, exact"),
        (([0] * 3, [9, 8, 10], 20), 0.05, 0.1, "permutation of clusters, exact"),
        (([0] * 3, [9, 8, 10], 20), 0.01, 0.1, "permutation of clusters, exact"),
        (([0] * 4, [9, 8, 10, 9], 20), 0.01, None, "CR2 t, one decision reversed"),
        (([0] * 12, [3, 4, 2, 5] * 3, 10), 0.05, 1e-5, "permutation of clusters, 99,999 draws"),
    ],
)
def test_whole_clusters_are_permuted_where_a_group_does_not_vary(groups, level, p, test):
    result = apart(*groups, binary=True, level=level)
    assert result.test[0] == test
    assert result.p[0] == pytest.approx(p) if p else result.p[0] < level
    assert np.isnan(result.t[0]) == (p is not None)


# 10 clusters of 3 and 10 of 60: nobody of so few people is no evidence, however few arrangements say so.
def test_small_clusters_of_which_nobody_is_selected_are_no_evidence_against_large_ones():
    sides, n = [1] * 10 + [0] * 10, [3] * 10 + [60] * 10
    selected = [0] * 10 + [5, 3, 2, 4, 1, 6, 3, 2, 4, 3]
    assert compare_clusters([0] * 20, sides, selected, n, [range(20)], binary=True).p[0] > 0.2


def test_the_log_of_the_ratio_has_its_own_degrees_of_freedom():
    from scipy.stats import t

    result = apart(THREE_WOMEN, THIRTY_SIX_MEN, 20, binary=True)
    log_t = np.log(result.ratio[0]) / result.log_standard_error[0]
    assert 2 * t.sf(abs(log_t), result.log_df[0]) == pytest.approx(0.11477474357242023)
    assert result.ratio_high[0] / result.ratio[0] == pytest.approx(
        np.exp(t.ppf(0.975, result.log_df[0]) * result.log_standard_error[0])
    )


def by_matrices(focal, sums, n, clusters):
    """CR2 of the difference, and Bell and McCaffrey's degrees of freedom, with a row per person."""
    rows = np.repeat(np.arange(len(n)), n)
    first = np.concatenate([np.r_[np.ones(s), np.zeros(k - s)] for s, k in zip(sums, n, strict=True)])
    design = np.column_stack([np.asarray(focal)[rows], 1 - np.asarray(focal)[rows]]).astype(float)
    bread, code = np.linalg.inv(design.T @ design), np.asarray(clusters)[rows]
    hat = design @ bread @ design.T
    residuals, contrast = first - hat @ first, bread @ np.array([1.0, -1.0])
    total, vectors = 0.0, []
    for cluster in np.unique(code):
        inside = code == cluster
        values, directions = np.linalg.eigh(np.eye(inside.sum()) - hat[np.ix_(inside, inside)])
        adjusted = directions @ np.diag(values**-0.5) @ directions.T @ design[inside] @ contrast
        total += (adjusted @ residuals[inside]) ** 2
        vectors.append((np.eye(len(design)) - hat)[:, inside] @ adjusted)
    inner = np.stack(vectors) @ np.stack(vectors).T
    return total, np.trace(inner) ** 2 / (inner**2).sum()


@pytest.mark.parametrize("seed", range(6))
def test_cr2_is_that_of_whole_matrices(seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 9, 14)
    sums, focal, clusters = rng.binomial(n, 0.4), rng.random(14) < 0.5, rng.integers(0, 9, 14)
    result = compare_clusters(np.zeros(14, int), focal, sums, n, [clusters], binary=True)
    variance, df = by_matrices(focal, sums, n, clusters)
    assert (result.standard_error[0] ** 2, result.df[0]) == pytest.approx((variance, df))


def test_two_ways_add_up_to_no_less_than_the_larger_with_the_fewer_degrees_of_freedom():
    rng = np.random.default_rng(0)
    names, items = np.divmod(np.arange(60), 6)
    focal, scores = names < 4, rng.normal(0, 1, 60) + rng.normal(0, 1, 10)[names] + rng.normal(0, 1, 6)[items]

    def result(clusters):
        return compare_clusters(np.zeros(60, int), focal, scores, np.ones(60), clusters, binary=False)

    both, by_name, by_item, alone = (result(each) for each in ([names, items], [names], [items], [np.arange(60)]))
    v, name, item, cell = (float(each.standard_error[0] ** 2) for each in (both, by_name, by_item, alone))
    assert v == pytest.approx(max(name + item - cell, name, item))
    assert both.df[0] == min(by_name.df[0], by_item.df[0])
    assert (both.clusters_focal[:, 0].tolist(), both.clusters_reference[:, 0].tolist()) == ([4, 6], [6, 6])
    assert both.clusters[:, 0].tolist() == [10, 6]


def test_many_comparisons_at_once_are_each_alone():
    rng = np.random.default_rng(1)
    size = 400
    comparison, focal = rng.integers(0, 7, size), rng.random(size) < 0.4
    n, clusters = rng.integers(0, 4, size), rng.integers(0, 9, size)
    selected = rng.binomial(n, np.where(focal, comparison * 0.1, 0.4))
    together = compare_clusters(comparison, focal, selected, n, [clusters], binary=True, comparisons=8)
    for code in range(7):
        own = comparison == code
        entries = (np.zeros(own.sum(), int), focal[own], selected[own], n[own], [clusters[own]])
        alone = compare_clusters(*entries, binary=True)
        for field in ("difference", "p", "low", "ratio_high", "test", "clusters_focal", "interval_reason"):
            np.testing.assert_array_equal(getattr(together, field)[..., code], getattr(alone, field)[..., 0])
    assert together.reason[7] == "A group has no people."


@st.composite
def nobody_selected(draw):
    """Clusters of which those of the focal group, apart from or with the others, have nobody selected."""
    together = draw(st.booleans())
    size = draw(st.integers(2, 8))
    other = size if together else draw(st.integers(2, 8))
    n = draw(st.lists(st.integers(1, 12), min_size=size + other, max_size=size + other))
    reference = [draw(st.integers(0, people)) for people in n[size:]]
    clusters = [*range(size), *(range(other) if together else range(size, size + other))]
    return [1] * size + [0] * other, [0] * size + reference, n, clusters


@settings(max_examples=AS_A_RULE, deadline=None)
@given(nobody_selected(), st.sampled_from([0.05, 0.01]), st.data())
def test_nobody_selected_is_no_weaker_evidence_than_one(table, level, data):
    focal, selected, n, clusters = table
    place = data.draw(st.integers(0, sum(focal) - 1))
    one = [count + (at == place) for at, count in enumerate(selected)]
    p, more = (
        compare_clusters([0] * len(n), focal, each, n, [clusters], binary=True, level=level) for each in (selected, one)
    )
    # 3 clusters each have no arrangement with a p below .1.
    coarse = set(clusters[: sum(focal)]).isdisjoint(clusters[sum(focal) :]) and len(n) == 6
    if more.test[0] == "CR2 t" and more.p[0] <= level and more.difference[0] < 0 and not coarse:
        assert p.p[0] <= level


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (([1, 1], [0, 1], [3, 3], [0, 1]), "no people"),
        (([1, 0, 0], [0, 1, 2], [3, 3, 3], [0, 1, 2]), "in one cluster only"),
        (([1, 1, 0, 0], [0, 0, 0, 0], [3, 3, 3, 3], [0, 1, 2, 3]), "both have the same value"),
        (([1, 1, 0, 0], [3, 3, 3, 3], [3, 3, 3, 3], [0, 1, 2, 3]), "both have the same value"),
    ],
)
def test_what_cannot_be_tested_is_null_with_a_reason(entries, told):
    focal, sums, n, clusters = entries
    result = compare_clusters([0] * len(focal), focal, sums, n, [clusters], binary=True)
    assert told in result.reason[0] == result.interval_reason[0] == result.ratio_reason[0]
    assert np.isnan([result.p, result.t, result.low, result.ratio_low, result.standard_error]).all()
    assert result.test[0] == ""


def test_negative_means_have_a_test_and_no_ratio():
    result = apart([-3.0, -1.0, 2.0, 0.0], [1.0, 2.0, 3.0, 5.0], 1, binary=False)
    assert result.p[0] < 0.1
    assert "not positive" in result.ratio_reason[0]
    assert np.isnan(result.ratio[0])
    assert result.interval_reason[0] == ""


@pytest.mark.parametrize(
    "change", [{"total": [1.0, np.nan]}, {"n": [-1, 2]}, {"clusters": [[0, 1]] * 3}, {"focal": [1]}]
)
def test_entries_that_are_none_are_refused(change):
    entries = {"comparison": [0, 0], "focal": [1, 0], "total": [1, 1], "n": [2, 2], "clusters": [[0, 1]]}
    with pytest.raises(ValueError, match=r"Entries|Sums"):
        compare_clusters(**(entries | change), binary=True)
