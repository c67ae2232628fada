"""Standardised rates, conditional logistic regression, multiple pools, and the exact test of all groups.

Expected values are computed here by slower ways: dense Firth regressions, all arrangements, scipy's distributions.
"""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import hypergeom, multivariate_hypergeom

from evenhand.stats import (
    conditional_logistic,
    exact_homogeneity,
    fisher_exact,
    mantel_haenszel,
    multiple_pools,
    standardised_rates,
    within_blocks,
)


def firth(design, y, n):
    """Return Firth's coefficients by plain scoring on the whole design."""
    beta = np.zeros(design.shape[1])
    for _ in range(3_000):
        p = expit(design @ beta)
        weights = n * p * (1 - p)
        inverse = np.linalg.inv((design * weights[:, None]).T @ design)
        leverage = weights * np.einsum("ij,jk,ik->i", design, inverse, design)
        step = inverse @ (design.T @ (y - n * p + leverage * (0.5 - p)))
        beta = beta + step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-12:
            break
    return beta


@pytest.mark.parametrize("seed", [2, 3])
def test_sparse_cells_get_the_corrected_intercept_of_firths_regression(seed):
    rng = np.random.default_rng(seed)
    group, stratum, z = rng.integers(0, 3, 50), rng.integers(0, 5, 50), rng.normal(size=50)
    n = rng.integers(1, 3, 50)
    y = rng.binomial(n, 0.15 + 0.15 * (group == 1))
    design = np.column_stack([stratum[:, None] == np.arange(5), z, group == 1, group == 2]).astype(float)
    beta = firth(design, y, n)
    moved = brentq(lambda move: (y - n * expit(design @ beta + move)).sum(), -9, 9)
    rates = []
    for code in range(3):
        design[:, -2:] = [code == 1, code == 2]
        rates.append(n @ expit(design @ beta + moved) / n.sum())
    fit = standardised_rates(group, z[:, None], stratum, y, n, names=["z"])
    assert "FLIC" in fit.method
    assert fit.rates == pytest.approx(rates, rel=1e-6)
    # Patterns of several people are as many rows of one.
    rows = np.repeat(np.arange(50), n)
    one = np.concatenate([np.arange(people) < won for people, won in zip(n, y, strict=True)]).astype(int)
    apart = standardised_rates(group[rows], z[rows, None], stratum[rows], one, np.ones_like(one), names=["z"])
    assert (apart.rates, apart.standard_error) == (
        pytest.approx(fit.rates, rel=1e-6),
        pytest.approx(fit.standard_error, rel=1e-6),
    )


def test_a_stratum_where_all_were_selected_pulls_the_difference_to_none_by_its_people():
    rest = ([0, 1] * 2, np.zeros((4, 0)), [0, 0, 1, 1], [30, 24, 50, 35], [100, 100, 100, 100])
    fit = standardised_rates(*rest)
    more = [[*values, *extra] for values, extra in zip(rest[2:], ([2, 2], [40, 60], [40, 60]), strict=True)]
    both = standardised_rates([*rest[0], 0, 1], np.zeros((6, 0)), *more)
    assert (both.same_outcome, both.strata, both.sparse) == (1, 3, None)
    assert both.difference == pytest.approx(fit.difference * 400 / 500)


@pytest.mark.parametrize("clustered", [False, True])
def test_a_group_that_is_told_apart_by_its_stratum_has_no_estimate(clustered):
    fit = standardised_rates(
        [0, 1], np.zeros((2, 0)), [0, 1], [3, 4], [9, 9], clusters=[np.array([0, 1])] if clustered else []
    )
    assert np.isnan(fit.difference[0])
    assert "the effect of the group can't be estimated" in fit.reasons[0]


def test_many_strata_and_clusters_are_fast_and_alike_by_both_variances(monkeypatch):
    rng = np.random.default_rng(5)
    group, stratum, cluster = rng.integers(0, 2, 4_000), rng.integers(0, 8, 4_000), rng.integers(0, 300, 4_000)
    y = rng.binomial(1, 0.3 + 0.1 * group)
    args = group, rng.normal(size=(4_000, 1)), stratum, y, np.ones_like(y)
    reduced = standardised_rates(*args, names=["z"], clusters=[cluster])
    monkeypatch.setattr("evenhand.stats.standardised.MOST_OPERATIONS", 0)
    summed = standardised_rates(*args, names=["z"], clusters=[cluster])
    assert summed.standard_error == pytest.approx(reduced.standard_error, rel=0.02)


def test_conditional_odds_of_one_stratum_are_those_of_the_noncentral_hypergeometric():
    fit = conditional_logistic([[1.0], [0.0]], [0, 0], [7, 14], [15, 25])
    odds = float(np.exp(fit.estimate[0]))
    k = np.arange(0, 16)
    weights = hypergeom.pmf(k, 40, 15, 21) * odds**k
    assert weights @ k / weights.sum() == pytest.approx(7)


def test_a_group_of_whom_nobody_was_selected_has_the_score_test_of_mantel_and_haenszel():
    focal, reference = ([0, 0, 0], [4, 3, 5]), ([2, 1, 3], [4, 5, 5])
    fit = conditional_logistic(
        [[1.0]] * 3 + [[0.0]] * 3, [0, 1, 2] * 2, [*focal[0], *reference[0]], [*focal[1], *reference[1]]
    )
    assert np.isnan(fit.estimate[0])
    assert fit.statistic[0] ** 2 == pytest.approx(mantel_haenszel(*focal, *reference).chi2)


def test_strata_in_several_clusters_are_refused():
    args = [[1.0], [0.0]] * 2, [0, 0, 1, 1], [1, 1, 0, 2], [2, 2, 2, 3]
    assert "several clusters" in conditional_logistic(*args, clusters=np.array([0, 1, 2, 2])).reasons[0]


def test_pools_are_the_sum_of_all_arrangements():
    a, n, c, m = [1, 0, 4, 2, 0], [4, 3, 6, 2, 0], [3, 2, 1, 3, 1], [5, 4, 5, 3, 4]
    chances = {}
    for ks in product(*(range(size + 1) for size in n)):
        p = np.prod([hypergeom.pmf(k, *margins) for k, *margins in zip(ks, np.add(n, m), n, np.add(a, c), strict=True)])
        chances[sum(ks)] = chances.get(sum(ks), 0.0) + p
    test = multiple_pools(a, n, c, m)
    here = chances[sum(a)]
    assert test.p == pytest.approx(sum(p for p in chances.values() if p <= here * (1 + 1e-9)))
    assert test.p_lower == pytest.approx(sum(p for k, p in chances.items() if k <= sum(a)))
    assert (test.observed, test.pools) == (7, 3)  # where all were selected, or one group applied, nothing is told
    assert test.z**2 == pytest.approx(mantel_haenszel(a, n, c, m).chi2)
    assert test.shortfall == pytest.approx(test.expected - 7)


def test_one_pool_is_fishers_test_and_very_many_people_are_left_to_z():
    assert multiple_pools([7], [15], [14], [25]).p == pytest.approx(fisher_exact(7, 15, 14, 25).p)
    large = multiple_pools([40_000] * 3, [100_000] * 3, [41_000] * 3, [100_000] * 3)
    assert (large.p, large.z is None) == (None, False)
    assert "too many people" in large.reason
    assert multiple_pools([2], [2], [0], [0]).reason


@pytest.mark.parametrize(("selected", "n"), [([1, 4, 2], [5, 6, 9]), ([0, 3, 3, 1], [4, 4, 3, 5])])
def test_all_groups_together_are_enumerated(selected, n):
    spread = multivariate_hypergeom(n, sum(selected))
    tables = [ks for ks in product(*(range(size + 1) for size in n)) if sum(ks) == sum(selected)]
    chances = np.array([spread.pmf(ks) for ks in tables])
    assert exact_homogeneity(selected, n).p == pytest.approx(
        chances[chances <= spread.pmf(selected) * (1 + 1e-9)].sum()
    )


def test_too_many_tables_are_drawn():
    drawn = exact_homogeneity([30, 40, 50, 60], [100, 110, 120, 130], seed=1)
    assert drawn.method.endswith("99,999 draws")
    assert exact_homogeneity([30, 40], [100, 110]).p == pytest.approx(fisher_exact(30, 100, 40, 110).p)
    assert exact_homogeneity([0, 0], [4, 4]).p is None


def test_many_small_strata_do_not_draw_the_difference_to_none():
    # Two of each group in each of 200 strata, few selected: the strata can't explain any of the difference.
    rng = np.random.default_rng(6)
    group, stratum = np.tile([0, 0, 1, 1], 200), np.repeat(np.arange(200), 4)
    y = rng.binomial(1, np.where(group == 1, 0.08, 0.16))
    fit = standardised_rates(group, np.zeros((800, 0)), stratum, y, np.ones_like(y))
    assert "least squares" in fit.method
    assert fit.rates == pytest.approx([y[group == 0].mean(), y[group == 1].mean()])
    blocks = within_blocks(stratum, stratum, group == 1, y, np.ones_like(y), binary=True)
    assert (fit.difference[0], fit.low[0], fit.high[0]) == pytest.approx((blocks.estimate, blocks.low, blocks.high))
    assert fit.df[0] == pytest.approx(blocks.df)
    # The ratio's error has that of the level of both rates, too.
    alone = fit.difference[0] / fit.standard_error[0]
    assert np.log(fit.ratio_high[0] / fit.ratio_low[0]) > 2 * 1.96 * np.log(fit.ratio[0]) / alone


def test_strata_in_clusters_have_the_degrees_of_freedom_of_the_clusters_that_hold_the_group():
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(20), 18)
    stratum, group = cluster * 3 + np.arange(360) % 3, np.where(cluster < 3, rng.integers(0, 2, 360), 0)
    y = rng.binomial(1, 0.35, 360)
    fit = standardised_rates(
        group, rng.normal(size=(360, 1)), stratum, y, np.ones_like(y), names=["z"], clusters=[cluster]
    )
    # Three clusters of one size tell the difference: about two degrees of freedom and not 19.
    assert 1 < fit.df[0] < 2.5
