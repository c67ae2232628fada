"""Selection rates and their differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr, comb

from evenhand.stats import rate_difference, selection_rate

sizes = st.integers(1, 2000)


def test_rate_is_null_for_an_empty_group():
    rate = selection_rate(0, 0)
    assert (rate.estimate, rate.low, rate.high, rate.n) == (None, None, None, 0)
    assert rate.reason == "The group has no people."


@pytest.mark.parametrize(("selected", "low", "high"), [(0, 0.0, 0.2775), (10, 0.7225, 1.0)])
def test_interval_ends_at_the_edge_and_informs_on_the_other_side(selected, low, high):
    # z²/(n + z²) = 3.8415/13.8415 = .2775
    rate = selection_rate(selected, 10)
    assert (rate.low, round(rate.high, 4)) == (low, high) or (round(rate.low, 4), rate.high) == (low, high)


@given(n=sizes, share=st.floats(0, 1))
def test_failures_have_the_mirrored_interval(n, share):
    selected = round(n * share)
    rate, rest = selection_rate(selected, n), selection_rate(n - selected, n)
    assert (rate.low, rate.high) == pytest.approx((1 - rest.high, 1 - rest.low), abs=1e-12)
    assert 0 <= rate.low <= rate.estimate <= rate.high <= 1


def test_small_shares_of_huge_groups_keep_their_digits():
    # Poisson limit of Wilson: x + z²/2 ± z sqrt(x + z²/4), x = 1 (the product of both is x² = 1)
    rate = selection_rate(1, 10**12)
    assert rate.low * 1e12 == pytest.approx(0.1765246, rel=1e-6)
    assert rate.low * rate.high * 1e24 == pytest.approx(1.0, rel=1e-9)


def test_array_call_is_the_scalar_calls():
    many = selection_rate([0, 3, 0], [5, 10, 0])
    one = selection_rate(3, 10)
    assert many.low[1] == one.low
    assert many.n.tolist() == [5, 10, 0]
    assert np.isnan(many.estimate).tolist() == [False, False, True]
    assert many.reason.tolist() == ["", "", "The group has no people."]


def test_an_empty_array_gives_empty_arrays():
    rate = selection_rate([], [])
    assert (rate.estimate.size, rate.reason.size) == (0, 0)


@pytest.mark.parametrize(
    ("selected", "n", "message"),
    [
        (-1, 5, "selected must hold whole counts from 0 to 2**53, got -1."),
        (1.5, 5, "selected must hold whole counts from 0 to 2**53, got 1.5."),
        (float("nan"), 5, "selected must hold whole counts from 0 to 2**53, got nan."),
        (1, None, "n must hold whole counts from 0 to 2**53, got None."),
        ("3", 5, "selected must hold whole counts from 0 to 2**53, got '3'."),
        (2**53 + 1, 2**54, "selected must hold whole counts from 0 to 2**53, got 9007199254740993."),
        (6, 5, "selected must not exceed n, got 6 of 5."),
    ],
)
def test_what_is_no_count_is_refused(selected, n, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the message is compared whole
        selection_rate(selected, n)
    assert str(caught.value) == message


@pytest.mark.parametrize("confidence", [0, 1, 95, float("nan")])
def test_a_confidence_that_is_none_is_refused(confidence):
    with pytest.raises(ValueError, match=r"Write 95 % as 0\.95"):
        selection_rate(1, 2, confidence=confidence)


@pytest.mark.parametrize(("n", "least"), [(10, 0.83), (30, 0.83)])
def test_wilson_covers_near_nominal_by_exact_enumeration(n, least):
    # Brown, Cai and DasGupta (2001), Statistical Science 16, 101: near .95 on average, with dips near 0 and 1
    rates = np.linspace(0.01, 0.99, 197)
    x = np.arange(n + 1)
    interval = selection_rate(x, n)
    pmf = comb(n, x) * rates[:, None] ** x * (1 - rates[:, None]) ** (n - x)
    inside = (interval.low <= rates[:, None]) & (rates[:, None] <= interval.high)
    coverage = (pmf * inside).sum(axis=1)
    assert coverage.min() > least
    assert 0.945 < coverage.mean() < 0.965
    # The enumeration itself: probabilities up to x are the binomial distribution
    assert pmf[98].cumsum() == pytest.approx(bdtr(x, n, rates[98]))


def test_difference_is_null_for_an_empty_group():
    assert rate_difference(0, 0, 1, 2).reason == "The focal group has no people."
    difference = rate_difference([1, 1], 2, [0, 1], [0, 2])
    assert difference.reason.tolist() == ["The reference group has no people.", ""]
    assert np.isnan([difference.estimate[0], difference.low[0], difference.high[0]]).all()


def test_equal_rates_differ_by_exactly_nothing():
    assert rate_difference(1, 10, 3, 30).estimate == 0.0


@given(n1=sizes, n2=sizes, share1=st.floats(0, 1), share2=st.floats(0, 1))
def test_swapping_groups_changes_the_sign_of_a_difference(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    one, other = rate_difference(a, n1, c, n2), rate_difference(c, n2, a, n1)
    assert (one.estimate, one.low, one.high) == pytest.approx((-other.estimate, -other.high, -other.low), abs=1e-12)
    assert -1 <= one.low <= one.estimate <= one.high <= 1
