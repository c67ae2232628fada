"""Mean scores of two groups."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.meta_analysis import effectsize_smd

from evenhand.stats import mean_ratio

scores = st.lists(st.floats(0, 5), min_size=3, max_size=40)


def summed(values):
    values = np.asarray(values, dtype=float)
    return values.size, float(values.mean()), float(((values - values.mean()) ** 2).sum())


def test_agrees_with_scipy_and_statsmodels():
    rng = np.random.default_rng(2)
    x, y = rng.gamma(4, 0.7, 35), rng.gamma(4, 0.8, 60)
    ours = mean_ratio(*summed(x), *summed(y))
    welch = stats.ttest_ind(x, y, equal_var=False)
    limits = welch.confidence_interval(0.95)
    assert (ours.t, ours.df, ours.p) == pytest.approx((welch.statistic, welch.df, welch.pvalue), rel=1e-10)
    assert (ours.difference_low, ours.difference_high) == pytest.approx((limits.low, limits.high), rel=1e-10)
    # Its correction is the approximation 1 - 3/(4 df - 1), which differs by 1/(32 df²) at 93 degrees of freedom.
    g, _ = effectsize_smd(x.mean(), x.std(ddof=1), 35, y.mean(), y.std(ddof=1), 60)
    assert ours.hedges_g == pytest.approx(g, rel=1e-5)
    assert ours.estimate == x.mean() / y.mean()


@given(x=scores, y=scores)
def test_fieller_s_limits_are_the_ratios_that_are_just_not_rejected(x, y):
    (n1, m1, q1), (n2, m2, q2) = summed(x), summed(y)
    assume(q1 > 1e-3)
    assume(q2 > 1e-3)
    found = mean_ratio(n1, m1, q1, n2, m2, q2)
    assume(found.low is not None)
    v1, v2 = q1 / n1 / (n1 - 1), q2 / n2 / (n2 - 1)
    at = (m1 / m2) ** 2 * v2
    df = (v1 + at) ** 2 / (v1**2 / (n1 - 1) + at**2 / (n2 - 1))
    for limit in (found.low, found.high):
        t = abs(m1 - limit * m2) / np.sqrt(v1 + limit**2 * v2)
        assert t == pytest.approx(stats.t.isf(0.025, df), rel=1e-5)
    assert found.low < found.estimate < found.high


def test_fieller_s_interval_holds_its_level():
    rng = np.random.default_rng(3)
    x, y = rng.gamma(3, 1.0, (4000, 30)), rng.gamma(6, 0.6, (4000, 50))
    sums = [(v.shape[1], v.mean(axis=1), ((v - v.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)) for v in (x, y)]
    found = mean_ratio(*sums[0], *sums[1])
    covered = np.mean((found.low <= 3.0 / 3.6) & (found.high >= 3.0 / 3.6))
    # Three standard errors of the simulation and .01 for scores that are not normal.
    assert covered == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / 4000) + 0.01)


def test_the_interval_of_hedges_g_holds_its_level():
    rng = np.random.default_rng(4)
    x, y = rng.normal(10.5, 1, (4000, 15)), rng.normal(10, 1, (4000, 25))
    sums = [(v.shape[1], v.mean(axis=1), ((v - v.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)) for v in (x, y)]
    found = mean_ratio(*sums[0], *sums[1])
    assert np.mean((found.g_low <= 0.5) & (found.g_high >= 0.5)) == pytest.approx(0.95, abs=0.015)
    assert found.hedges_g.mean() == pytest.approx(0.5, abs=0.02)  # unbiased: SE of the mean .005


@given(x=scores, y=scores, factor=st.floats(0.01, 100))
def test_the_unit_of_scores_is_irrelevant_for_all_but_the_difference(x, y, factor):
    (n1, m1, q1), (n2, m2, q2) = summed(x), summed(y)
    assume(min(q1, q2) > 1e-3)
    one = mean_ratio(n1, m1, q1, n2, m2, q2)
    other = mean_ratio(n1, m1 * factor, q1 * factor**2, n2, m2 * factor, q2 * factor**2)
    names = ["estimate", "t", "df", "p", "hedges_g", "g_low", *(["low", "high"] if one.low is not None else [])]
    for name in names:
        assert getattr(other, name) == pytest.approx(getattr(one, name), rel=1e-6, abs=1e-9), name
    assert other.interval_reason == one.interval_reason
    assert other.difference == pytest.approx(one.difference * factor, rel=1e-6, abs=1e-9)


def test_swapped_groups_invert_the_ratio_and_turn_the_signs():
    one, other = mean_ratio(30, 2.0, 25.0, 40, 3.0, 30.0), mean_ratio(40, 3.0, 30.0, 30, 2.0, 25.0)
    assert (one.estimate, one.low, one.high) == pytest.approx((1 / other.estimate, 1 / other.high, 1 / other.low))
    assert (one.t, one.hedges_g, one.difference_low) == pytest.approx(
        (-other.t, -other.hedges_g, -other.difference_high)
    )


@pytest.mark.parametrize(
    ("groups", "field", "reason_field", "reason"),
    [
        ((0, None, None, 5, 3.0, 2.0), "estimate", "reason", "The focal group has no people."),
        ((5, 3.0, 2.0, 0, None, None), "difference", "reason", "The reference group has no people."),
        ((5, 3.0, 2.0, 5, -1.0, 2.0), "estimate", "reason",
         "The mean score of the reference group is not positive, so a ratio to it says nothing."),
        ((5, -3.0, 2.0, 5, 1.0, 2.0), "estimate", "reason",
         "The mean score of the focal group is negative, so a ratio says nothing."),
        ((5, 3.0, 2.0, 5, 0.1, 20.0), "low", "interval_reason",
         "The mean score of the reference group is not clearly above 0, so the ratio has no limits."),
        ((1, 3.0, 0.0, 5, 1.0, 2.0), "t", "test_reason", "A group has one person only, so its spread is not known."),
        ((5, 3.0, 0.0, 5, 1.0, 0.0), "p", "test_reason", "The scores do not vary within the groups."),
        ((5, 0.0, 0.0, 5, 1.0, 0.5), "high", "interval_reason",
         "All scores of the focal group are 0, so the ratio is 0 and has no limits."),
        ((1, 3.0, 0.0, 2, 1.0, 2.0), "hedges_g", "g_reason", "With fewer than four people Hedges' g is not defined."),
    ],
)  # fmt: skip
def test_what_is_null_has_its_reason(groups, field, reason_field, reason):
    found = mean_ratio(*groups)
    assert (getattr(found, field), getattr(found, reason_field)) == (None, reason)


def test_negative_means_still_have_a_difference_and_its_test():
    found = mean_ratio(5, -3.0, 2.0, 5, -1.0, 2.0)
    assert (found.difference, found.reason is None, found.test_reason) == (-2.0, False, None)
    assert found.t == pytest.approx(-2 / np.sqrt(2 * 2 / 20))


def test_rounding_of_equal_scores_is_no_spread():
    # Ten scores of 3.3: their mean is 3.3000000000000003 or so, and the squares 1e-31.
    found = mean_ratio(10, 3.3000000000000003, 2e-31, 10, 3.3, 0.0)
    assert (found.t, found.hedges_g, found.low) == (None, None, None)


def test_many_groups_are_the_single_ones():
    groups = [(30, 2.0, 25.0, 40, 3.0, 30.0), (0, np.nan, np.nan, 40, 3.0, 30.0), (5, 3.0, 2.0, 5, 0.1, 20.0)]
    many = mean_ratio(*(np.array(column) for column in zip(*groups, strict=True)))
    for row, group in enumerate(groups):
        single = mean_ratio(*group)
        for name in ("estimate", "low", "high", "difference", "t", "p", "hedges_g", "g_high"):
            value = getattr(many, name)[row]
            assert (None if np.isnan(value) else value) == getattr(single, name), name
        assert (many.reason[row] or None) == single.reason
    assert many.n.tolist() == [70, 40, 10]


def test_huge_groups_keep_the_correction_continuous():
    # On both sides of the switch at 10,000 degrees of freedom: 1 - J falls as 3/(4 df).
    g = mean_ratio([5000, 5001], 1.0, [5000.0 - 1, 5001.0 - 1], [5001, 5001], 0.0, [5000.0, 5000.0]).hedges_g
    assert g[0] / g[1] == pytest.approx(1.0, abs=2e-8)


@pytest.mark.parametrize("groups", [(5, np.inf, 1.0), (5, 1.0, -1.0), (5, np.nan, 1.0)])
def test_what_is_no_mean_or_no_sum_of_squares_is_refused(groups):
    with pytest.raises(ValueError, match="mean_focal must be finite and squares_focal at least 0"):
        mean_ratio(*groups, 5, 1.0, 1.0)
