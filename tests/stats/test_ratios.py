"""The impact ratio, its intervals, and the four-fifths rule."""

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import comb

from evenhand.stats import FOUR_FIFTHS, four_fifths, impact_ratio, normal_quantile

sizes = st.integers(1, 10**6)
shares = st.floats(0, 1)
Z2 = 3.841458820694124  # (1.959964)²


def score_squared(ratio, a, n1, c, n2):
    """The score statistic in 60 digits, its rates from the textbook root of the likelihood equation."""
    with mpmath.workdps(60):
        t = mpmath.mpf(ratio)
        linear = t * (n1 + c) + a + n2
        p1 = (linear - mpmath.sqrt(linear**2 - 4 * t * (n1 + n2) * (a + c))) / (2 * (n1 + n2))
        p2 = p1 / t
        gap = mpmath.mpf(a) / n1 - t * c / n2
        return float(gap**2 / (p1 * (1 - p1) / n1 + t**2 * p2 * (1 - p2) / n2))


@pytest.mark.parametrize(
    "table",
    [
        (7, 15, 14, 25),
        (1, 3, 1, 2),
        (5, 20, 30, 30),
        (20, 20, 9, 30),
        (1, 10**9, 1, 10**9),
        (3 * 10**8, 10**9, 3 * 10**8 + 7, 10**9),
        (10**9, 10**9, 10**9 - 1, 10**9),
        (10**9 - 2, 10**9, 10**9 - 1, 10**9),
        (10**6, 10**9, 2, 5),
    ],
)
def test_the_score_at_both_limits_is_the_quantile(table):
    ratio = impact_ratio(*table)
    # Rounding of the limit itself: its last digit, times the slope of the score there.
    assert score_squared(ratio.low, *table) == pytest.approx(Z2, rel=1e-6)
    assert score_squared(ratio.high, *table) == pytest.approx(Z2, rel=1e-6)


def test_published_example_of_koopman():
    # Koopman (1984), example: 36/40 and 16/80 give 2.94 to 7.15 (recalled; statsmodels agrees, see two_groups.json)
    ratio = impact_ratio(36, 40, 16, 80)
    assert (round(ratio.low, 2), round(ratio.high, 2)) == (2.94, 7.15)


def test_nobody_selected_has_a_limit_on_one_side():
    ratio = impact_ratio(0, 20, 9, 30)
    assert (ratio.estimate, ratio.low) == (0.0, 0.0)
    assert score_squared(ratio.high, 0, 20, 9, 30) == pytest.approx(Z2, rel=1e-9)
    assert (ratio.katz_low, ratio.katz_high) == (None, None)
    assert ratio.katz_reason == "Nobody in the focal group was selected, so the ratio has no logarithm."
    assert ratio.reason is None


@pytest.mark.parametrize("n", [1, 7, 10**9])
def test_everybody_selected_has_limits_but_no_log_interval(n):
    ratio = impact_ratio(n, n, n, n)
    assert (ratio.low, ratio.high) == pytest.approx((1 / (1 + Z2 / n), 1 + Z2 / n), rel=1e-12)
    assert ratio.katz_low is None
    assert ratio.katz_reason == "Everybody in both groups was selected, so the standard error is 0."


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ((1, 2, 0, 2), "Nobody in the reference group was selected, so there is no ratio to its rate."),
        ((0, 2, 0, 2), "Nobody in the reference group was selected, so there is no ratio to its rate."),
        ((0, 0, 1, 2), "The focal group has no people."),
        ((1, 2, 0, 0), "The reference group has no people."),
    ],
)
def test_ratio_is_null_with_its_reason(table, reason):
    ratio = impact_ratio(*table)
    assert (ratio.estimate, ratio.low, ratio.high, ratio.katz_low, ratio.katz_high) == (None,) * 5
    assert (ratio.reason, ratio.katz_reason) == (reason, reason)


def test_one_null_leaves_the_other_rows_alone():
    ratio = impact_ratio([7, 1], [15, 2], [14, 0], [25, 2])
    single = impact_ratio(7, 15, 14, 25)
    assert (ratio.estimate[0], ratio.low[0], ratio.high[0]) == (single.estimate, single.low, single.high)
    assert np.isnan(ratio.high[1])
    assert ratio.n.tolist() == [40, 4]


def test_arrays_broadcast_in_any_shape():
    ratio = impact_ratio(np.array([[1], [2]]), 10, np.array([3, 4, 5]), 10)
    assert ratio.low.shape == ratio.reason.shape == (2, 3)


@given(n1=sizes, n2=sizes, share1=shares, share2=shares)
def test_swapping_groups_inverts_the_ratio_and_its_intervals(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    assume(a and c)
    one, other = impact_ratio(a, n1, c, n2), impact_ratio(c, n2, a, n1)
    assert (one.estimate * other.estimate, one.low * other.high, one.high * other.low) == pytest.approx((1, 1, 1))
    assert one.low < one.estimate < one.high
    if one.katz_low is not None:
        assert one.katz_low * other.katz_high == pytest.approx(1)


@given(n1=st.integers(1, 500), n2=st.integers(1, 500), share1=shares, share2=shares, times=st.integers(2, 50))
def test_more_of_the_same_narrows_the_interval(n1, n2, share1, share2, times):
    a, c = round(n1 * share1), round(n2 * share2)
    assume(c)
    few = impact_ratio(a, n1, c, n2)
    many = impact_ratio(times * a, times * n1, times * c, times * n2)
    assert many.estimate == pytest.approx(few.estimate)
    assert many.high - many.low < few.high - few.low


@given(share=st.floats(0.5, 0.999))
def test_a_higher_confidence_widens_the_interval(share):
    narrow, wide = impact_ratio(3, 9, 5, 9, confidence=share), impact_ratio(3, 9, 5, 9, confidence=(1 + share) / 2)
    assert wide.low < narrow.low
    assert narrow.high < wide.high


@pytest.mark.parametrize(("n1", "n2"), [(15, 15), (10, 30)])
def test_koopman_covers_near_nominal_by_exact_enumeration(n1, n2):
    # Every pair of counts with its binomial probability, given that the ratio exists.
    a, c = np.arange(n1 + 1)[:, None], np.arange(1, n2 + 1)[None, :]
    interval = impact_ratio(a, n1, c, n2)
    coverage = []
    for p2 in np.linspace(0.2, 0.95, 16):
        for ratio in (0.4, 0.8, 1.0):
            p1 = ratio * p2
            weight = comb(n1, a) * p1**a * (1 - p1) ** (n1 - a) * comb(n2, c) * p2**c * (1 - p2) ** (n2 - c)
            inside = (interval.low <= ratio) & (ratio <= interval.high)
            coverage.append((weight * inside).sum() / weight.sum())
    assert min(coverage) > 0.92
    assert 0.945 < np.mean(coverage) < 0.965


@pytest.mark.parametrize(
    ("table", "against_highest", "two_sided"),
    [
        ((4, 100, 5, 100), "not_below", "not_below"),  # exactly .8: the guide's 'just passes'
        ((39, 1000, 50, 1000), "below", "below"),
        ((1, 100, 2, 100), "below", "below"),
        ((48, 100, 60, 100), "not_below", "not_below"),  # UGESP Q. 11: 80 %
        ((45, 100, 60, 100), "below", "below"),  # UGESP Q. 11: 75 %
        ((5, 100, 4, 100), "not_below", "not_below"),  # exactly 1.25
        ((51, 1000, 40, 1000), "not_below", "above"),
        ((0, 10, 1, 10), "below", "below"),
        ((3, 10, 0, 10), "not_computable", "not_computable"),
        ((0, 0, 1, 10), "not_computable", "not_computable"),
    ],
)
def test_four_fifths_on_both_sides_of_its_limits(table, against_highest, two_sided):
    assert four_fifths(*table).verdict == against_highest
    assert four_fifths(*table, rule="two_sided").verdict == two_sided


@pytest.mark.parametrize("scale", [10**9, 2 * 10**15])
def test_four_fifths_is_exact_beyond_64_bits(scale):
    n = 4 * scale
    exactly = (4 * scale // 5, n, scale, n)
    assert four_fifths(*exactly).verdict == "not_below"
    assert four_fifths(exactly[0] - 1, *exactly[1:]).verdict == "below"
    assert four_fifths(scale, n, 4 * scale // 5, n, rule="two_sided").verdict == "not_below"
    assert four_fifths(scale, n, 4 * scale // 5 - 1, n, rule="two_sided").verdict == "above"


@given(n1=sizes, n2=sizes, share1=shares, share2=shares)
def test_four_fifths_is_the_comparison_of_fractions(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    assume(c)
    below = a * n2 < FOUR_FIFTHS * c * n1
    above = FOUR_FIFTHS * a * n2 > c * n1
    assert four_fifths(a, n1, c, n2, rule="two_sided").verdict == (
        "below" if below else "above" if above else "not_below"
    )


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="rule must be one of against_highest, two_sided, got 'two-sided'"):
        four_fifths(1, 2, 1, 2, rule="two-sided")


@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.999_999_999])
@pytest.mark.parametrize("table", [(1, 5, 1, 7), (70, 150, 140, 250), (3, 10**6, 9, 10**6), (10**6, 10**6, 5, 10**6)])
def test_limits_at_any_level_are_the_ratios_just_not_rejected(table, confidence):
    found, z = impact_ratio(*table, confidence=confidence), normal_quantile(confidence)
    for limit in (found.low, found.high):
        assert float(score_squared(limit, *table)) == pytest.approx(z * z, rel=1e-7)


def test_limits_of_many_tables_are_those_of_single_ones():
    rng = np.random.default_rng(4)
    n1, n2 = (np.round(10 ** rng.uniform(0, 9, 400)).astype(int) for _ in range(2))
    a, c = rng.binomial(n1, rng.uniform(0, 1, 400) ** 3), np.maximum(rng.binomial(n2, rng.uniform(0, 1, 400) ** 3), 1)
    many = impact_ratio(a, n1, c, n2)
    single = [impact_ratio(*table) for table in zip(a, n1, c, n2, strict=True)]
    assert many.low.tolist() == [one.low for one in single]
    assert many.high.tolist() == [one.high for one in single]
