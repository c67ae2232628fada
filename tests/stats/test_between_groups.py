"""Heterogeneity of estimates and homogeneity of rates."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from statsmodels.stats.meta_analysis import combine_effects

from evenhand.stats import between_group_variance, chi_square_homogeneity, z_test

TRIALS = json.loads((Path(__file__).parents[1] / "oracles" / "preeclampsia.json").read_text(encoding="utf-8"))


def log_odds_ratios():
    xt, nt, xc, nc = (np.array(TRIALS[name], dtype=float) for name in ("cases_t", "n_t", "cases_c", "n_c"))
    estimates = np.log(xt * (nc - xc) / (xc * (nt - xt)))
    return estimates, 1 / xt + 1 / (nt - xt) + 1 / xc + 1 / (nc - xc)


def test_q_profile_interval_of_viechtbauers_example():
    result = between_group_variance(*log_odds_ratios())
    assert (round(result.low, 4), round(result.high, 4)) == tuple(TRIALS["q_profile"])


def test_paule_mandel_agrees_with_statsmodels():
    y, v = log_odds_ratios()
    other = combine_effects(y, v, method_re="iterated", atol=1e-12)
    result = between_group_variance(y, v)
    assert result.estimate == pytest.approx(other.tau2, rel=1e-6)
    assert (result.q, result.df, result.p) == pytest.approx((other.q, 8, other.test_homogeneity().pvalue))


def test_two_groups_have_a_closed_form():
    # (y1 - y2)² / (v1 + v2 + 2τ²) = target; χ²(1) quantiles 5.023886 and .000982069
    result = between_group_variance([0.0, 4.0], [1.0, 2.0])
    expected = [(16 / target - 3) / 2 for target in (1.0, 5.0238861873, 0.00098206911)]
    assert (result.estimate, result.low, result.high) == pytest.approx(tuple(expected), rel=1e-6)


def test_less_spread_than_expected_is_a_variance_of_zero():
    # Q = .5²/2 = .125 lies between the quantiles; then exactly equal estimates
    some = between_group_variance([0.0, 0.5], [1.0, 1.0])
    assert (some.estimate, some.low, some.high_reason) == (0.0, 0.0, None)
    assert some.high > 100
    none = between_group_variance([0.3, 0.3, 0.3], [1.0, 2.0, 1.0])
    assert (none.estimate, none.low, none.high, none.q, none.p) == (0.0, 0.0, None, pytest.approx(0), 1.0)
    assert none.high_reason == "The estimates differ less than their variances let expect, so there is no high limit."


@pytest.mark.parametrize(("estimates", "variances"), [([], []), ([1.0], [1.0]), ([1.0, None, 2.0], [0.0, 1.0, 1.0])])
def test_fewer_than_two_usable_groups_give_null(estimates, variances):
    result = between_group_variance(estimates, variances)
    assert (result.estimate, result.low, result.high, result.q, result.p) == (None,) * 5
    assert result.reason == "Fewer than two groups have an estimate with a positive variance."
    assert result.left_out == len(estimates) - result.groups


@given(seed=st.integers(0, 500), scale=st.floats(1e-3, 1e3))
def test_order_is_irrelevant_and_units_square(seed, scale):
    rng = np.random.default_rng(seed)
    y, v = rng.normal(size=6) * 2, rng.random(6) + 0.1
    order = rng.permutation(6)
    one, other = between_group_variance(y, v), between_group_variance(y[order] * scale, v[order] * scale**2)
    assert other.estimate == pytest.approx(one.estimate * scale**2, rel=1e-6)
    assert (one.p, one.q) == pytest.approx((other.p, other.q))


def test_lists_of_different_length_are_refused():
    with pytest.raises(ValueError, match="two lists of one length"):
        between_group_variance([1.0, 2.0], [1.0])


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300)), min_size=2, max_size=8))
def test_homogeneity_agrees_with_scipy(counts):
    other = chi2_contingency(counts, correction=False)
    test = chi_square_homogeneity(counts)
    assert (test.statistic, test.p) == pytest.approx((other.statistic, other.pvalue), abs=1e-9)
    assert (test.df, test.smallest_expected) == (other.dof, pytest.approx(other.expected_freq.min()))


def test_two_groups_give_the_square_of_z():
    assert chi_square_homogeneity([[7, 8], [14, 11]]).statistic == pytest.approx(z_test(7, 15, 14, 25).statistic ** 2)


def test_empty_groups_are_left_out():
    test, without = chi_square_homogeneity([[3, 4], [0, 0], [5, 1]]), chi_square_homogeneity([[3, 4], [5, 1]])
    assert test == without
    assert (test.groups, test.df) == (2, 1)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([[3, 4]], "Fewer than two groups have anybody in them."),
        ([[3, 4], [0, 0]], "Fewer than two groups have anybody in them."),
        ([[0, 4], [0, 2]], "No group had the outcome, so the rates do not vary."),
        ([[4, 0], [2, 0]], "Everybody had the outcome, so the rates do not vary."),
    ],
)
def test_homogeneity_is_null_with_its_reason(counts, reason):
    test = chi_square_homogeneity(counts)
    assert (test.statistic, test.p, test.smallest_expected, test.reason) == (None, None, None, reason)


def test_many_tables_at_once():
    tables = np.array([[[7, 8], [14, 11]], [[0, 4], [0, 2]]])
    tests = chi_square_homogeneity(tables)
    assert tests.statistic[0] == chi_square_homogeneity(tables[0]).statistic
    assert np.isnan(tests.p).tolist() == [False, True]
    assert tests.df.tolist() == [1, 1]


@pytest.mark.parametrize("counts", [[3, 4], [[1, 2, 3]], 5])
def test_a_table_without_two_columns_is_refused(counts):
    with pytest.raises(ValueError, match="counts must have two columns"):
        chi_square_homogeneity(counts)
