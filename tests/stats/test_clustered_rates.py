"""Shares of clustered answers, and their differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.stats import clustered_difference, clustered_rate, rate_difference, selection_rate

shares = st.integers(0, 1000).map(lambda part: part / 1000)
# Zero is a case of its own; anything that answers can give is far above rounding.
variances = st.just(0.0) | st.floats(1e-9, 0.25)
sizes = st.integers(2, 1000)


def simulated(p, *, items, attempts, correlation, samples, seed=0):
    """Return shares and cluster variances of items whose attempts share a beta-distributed rate."""
    rng = np.random.default_rng(seed)
    rates = np.full((samples, items), p)
    if correlation:
        scale = (1 - correlation) / correlation
        rates = rng.beta(p * scale, (1 - p) * scale, size=(samples, items))
    scores = rng.binomial(attempts, rates) / attempts
    return scores.mean(axis=1), scores.var(axis=1, ddof=1) / items


def covered(found, truth):
    return float(((found.low <= truth) & (truth <= found.high)).mean())


def test_effective_n_follows_the_formula():
    # p = .1 of 20 clusters, V = .1 · .9 / 40: (.09 + .05) / (.00225 + .0025)
    assert clustered_rate(0.1, 0.00225, 20).effective_n == pytest.approx(0.14 / 0.00475)


def test_without_variance_the_limits_are_wilsons_on_clusters():
    found, wilson = clustered_rate(0.3, 0.0, 40), selection_rate(12, 40)
    assert (found.low, found.high) == (pytest.approx(wilson.low), pytest.approx(wilson.high))


@given(p=shares, v=variances, size=sizes)
def test_the_interval_holds_its_share_and_stays_inside_0_and_1(p, v, size):
    found = clustered_rate(p, v, size)
    assert -1e-15 <= found.low <= p + 1e-12
    assert p - 1e-12 <= found.high <= 1


@given(p=shares, v=variances, size=sizes)
def test_failures_have_the_mirrored_interval(p, v, size):
    found, rest = clustered_rate(p, v, size), clustered_rate(1 - p, v, size)
    assert (found.low, found.high) == pytest.approx((1 - rest.high, 1 - rest.low), abs=1e-9)


@given(p=shares, v=variances, size=sizes, k=st.integers(1, 8))
def test_the_highest_share_scales_everything(p, v, size, k):
    found, whole = clustered_rate(p / k, v / k**2, size, highest=1 / k), clustered_rate(p, v, size)
    assert found.estimate == p / k
    assert (found.low, found.high) == pytest.approx((whole.low / k, whole.high / k), abs=1e-9)
    assert found.high <= 1 / k


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ((None, 0.1, 9), "There is no share."),
        ((1.1, 0.1, 9), "There is no share."),
        ((0.5, None, 9), "There is no variance."),
        ((0.5, 0.1, 1), "An interval of clustered answers needs two clusters."),
    ],
)
def test_what_cannot_be_computed_is_null_with_the_reason(given_, reason):
    found = clustered_rate(*given_)
    assert (found.estimate, found.low, found.high, found.reason) == (None, None, None, reason)


def test_a_share_above_the_highest_is_null():
    assert clustered_rate(0.3, 0.01, 9, highest=0.25).reason == "There is no share."
    assert clustered_rate(0.25, 0.0, 9, highest=0.25).estimate == 0.25


@pytest.mark.parametrize("p", [0.01, 0.05, 0.5, 0.99])
@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.9])
@pytest.mark.parametrize(("items", "attempts"), [(40, 2), (200, 4)])
def test_it_holds_the_truth_as_often_as_it_says(p, correlation, items, attempts):
    rate, variance = simulated(p, items=items, attempts=attempts, correlation=correlation, samples=4000)
    # Binomial error of 4,000 samples is .35 points; the t interval holds .01 in 35 to 91 of 100.
    assert covered(clustered_rate(rate, variance, items), p) > 0.94


def test_independent_attempts_make_it_narrower_than_wilson_on_items():
    rate, variance = simulated(0.5, items=200, attempts=4, correlation=0.0, samples=500)
    found = clustered_rate(rate, variance, 200)
    on_items = clustered_rate(rate, 0.0, 200)
    assert np.mean(on_items.high - on_items.low) / np.mean(found.high - found.low) == pytest.approx(1.92, abs=0.02)


def test_a_group_that_wins_nearly_always_needs_the_highest_share():
    # A group of 4 candidates wins 9 of 10 prompts, two prompts in each of 40 items.
    share, variance = simulated(0.9, items=40, attempts=2, correlation=0.0, samples=4000)
    bounded = clustered_rate(share / 4, variance / 16, 40, highest=0.25)
    assert covered(bounded, 0.9 / 4) > 0.94
    assert bounded.high.max() <= 0.25


@given(p=shares, q=shares, v=variances, w=variances, size=sizes)
def test_swapping_the_groups_turns_the_difference_around(p, q, v, w, size):
    one = clustered_difference(p, q, variances=(v, w), clusters=(size, size))
    other = clustered_difference(q, p, variances=(w, v), clusters=(size, size))
    assert (one.estimate, one.low, one.high) == pytest.approx((-other.estimate, -other.high, -other.low), abs=1e-12)
    assert -1 <= one.low <= one.estimate <= one.high <= 1


def test_a_difference_without_variance_is_newcombes_on_clusters():
    found = clustered_difference(0.56, 7 / 15, variances=(0.0, 0.0), clusters=(25, 15))
    newcombe = rate_difference(14, 25, 7, 15)
    assert (found.low, found.high) == (pytest.approx(newcombe.low), pytest.approx(newcombe.high))


def test_what_moves_together_narrows_the_difference():
    apart, together = (
        clustered_difference(0.5, 0.4, variances=(0.01, 0.01), clusters=(40, 40), covariance=c) for c in (0.0, 0.005)
    )
    assert together.high - together.low < apart.high - apart.low


def test_a_difference_is_null_with_the_reason_of_its_share():
    found = clustered_difference(None, 0.5, variances=(0.1, 0.1), clusters=(9, 9))
    assert (found.estimate, found.low, found.high, found.reason) == (None, None, None, "There is no share.")


@pytest.mark.parametrize(("p", "q"), [(0.01, 0.05), (0.5, 0.5)])
def test_the_difference_holds_the_truth_as_often_as_it_says(p, q):
    first = simulated(p, items=40, attempts=2, correlation=0.3, samples=4000)
    second = simulated(q, items=40, attempts=2, correlation=0.3, samples=4000, seed=1)
    found = clustered_difference(first[0], second[0], variances=(first[1], second[1]), clusters=(40, 40))
    assert covered(found, p - q) > 0.94
