"""The minimum detectable difference against statsmodels and against simulated tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower

from evenhand.stats import decisions_needed, detectable_difference, detectable_ratio, z_test


@pytest.mark.parametrize("power", [0.06, 0.2, 0.5, 0.8, 0.9, 0.999])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_agrees_with_statsmodels(power, confidence):
    if power <= 1 - confidence:
        pytest.skip("no effect is needed for less power than the level")
    n = 400
    # SE = sqrt(2/n) for two groups of n values with the standard deviation 1, which is what statsmodels counts in.
    # Its own solve_power stops at four digits, so its power at our answer is the oracle.
    found = detectable_difference(np.sqrt(2 / n), power=power, confidence=confidence)
    oracle = NormalIndPower().power(found.estimate, n, 1 - confidence, ratio=1.0, alternative="two-sided")
    assert oracle == pytest.approx(power, rel=1e-9)


def test_eighty_percent_of_simulated_tests_find_it():
    rng = np.random.default_rng(3)
    n, runs = 500, 20_000
    error = np.sqrt(0.25 * 2 / n)
    effect = detectable_difference(error).estimate
    gap = rng.binomial(n, 0.5 + effect / 2, runs) / n - rng.binomial(n, 0.5 - effect / 2, runs) / n
    found = np.mean(np.abs(gap) > 1.959964 * error)
    # 20,000 runs: the share of detections has a standard error of .003.
    assert found == pytest.approx(0.8, abs=0.01)


def test_arrays_keep_their_shape_and_what_does_not_vary_is_null():
    found = detectable_difference([0.01, 0.0, np.nan])
    assert found.estimate[0] == pytest.approx(0.028016, abs=1e-6)
    assert np.isnan(found.estimate[1:]).all()
    assert found.reason.tolist()[0] == ""
    assert all(found.reason.tolist()[1:])
    assert detectable_difference(0.0).estimate is None


@pytest.mark.parametrize(("power", "confidence"), [(80, 0.95), (1.0, 0.95), (0.05, 0.95), (0.8, 95)])
def test_what_is_no_power_or_level_is_refused(power, confidence):
    with pytest.raises(ValueError, match=r"power|confidence"):
        detectable_difference(0.01, power=power, confidence=confidence)


def z_tests(rng, n1, p1, n2, p2, *, runs=20_000):
    return z_test(rng.binomial(n1, p1, runs), n1, rng.binomial(n2, p2, runs), n2)


@pytest.mark.parametrize(
    ("n1", "n2", "rate", "power"),
    [(400, 400, 0.3, 0.8), (150, 900, 0.5, 0.8), (900, 150, 0.5, 0.9), (300, 300, 0.9, 0.8)],
)
def test_the_z_test_finds_the_detectable_ratio_as_often_as_said(n1, n2, rate, power):
    found = detectable_ratio(n1, n2, rate, power=power)
    runs = 20_000
    tests = z_tests(np.random.default_rng(5), n1, found.estimate * rate, n2, rate, runs=runs)
    share = np.mean(tests.significant & (tests.statistic < 0))
    # three standard errors of the simulation and .015 for counts being whole
    assert share == pytest.approx(power, abs=3 * np.sqrt(power * (1 - power) / runs) + 0.015)


def test_a_ratio_further_from_one_is_found_more_often():
    found = detectable_ratio(200, 300, 0.4).estimate
    rng = np.random.default_rng(6)
    further, nearer = (z_tests(rng, 200, 0.4 * found * by, 300, 0.4).significant.mean() for by in (0.9, 1.1))
    assert further > 0.85
    assert nearer < 0.75


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((0, 9, 0.5), "The focal group has nobody in it."),
        ((9, 0, 0.5), "The reference group has nobody in it."),
        ((9, 9, None), "The rate of the reference group is not known."),
        ((9, 9, 0.0), "Nobody in the reference group was selected, so no rate can be lower."),
    ],
)
def test_no_ratio_is_detectable_and_why(counts, reason):
    found = detectable_ratio(*counts)
    assert (found.estimate, found.reason) == (None, reason)


def test_null_where_not_even_a_ratio_of_zero_is_found():
    # At a ratio of 0 all selected are of the reference group; with equal groups of n and rate p the null variance is
    # (p/2)(1 - p/2)·2/n, the true one p(1 - p)/n. At p = .2, 1.96 S0 + .8416 S1 = .2 for
    # n = (1.96·√.18 + .8416·√.16)²/.04 = 34.1.
    assert detectable_ratio(34, 34, 0.2).estimate is None
    assert "too rarely" in detectable_ratio(34, 34, 0.2).reason
    assert 0 < detectable_ratio(35, 35, 0.2).estimate < 0.05


def test_many_detectable_ratios_are_the_single_ones():
    many = detectable_ratio([50, 0, 10**8], 80, [0.5, 0.5, 0.2])
    single = [detectable_ratio(n, 80, rate) for n, rate in ((50, 0.5), (0, 0.5), (10**8, 0.2))]
    assert [value if np.isfinite(value) else None for value in many.estimate] == [one.estimate for one in single]
    assert many.n.tolist() == [130, 80, 10**8 + 80]


def test_the_detectable_ratio_comes_near_one_with_size():
    ratios = detectable_ratio([10**2, 10**4, 10**6, 10**8], [10**2, 10**4, 10**6, 10**8], 0.3).estimate
    # Far out (1 - r) p = 2.802 √(2 p(1 - p)/n), as the two standard errors agree
    assert 1 - ratios[-1] == pytest.approx(2.801585 * np.sqrt(2 * 0.7 / 0.3 / 10**8), rel=1e-3)
    assert (np.diff(ratios) > 0).all()


@pytest.mark.parametrize(
    ("rate", "power", "named"), [(1.2, 0.8, "rate_reference"), (0.3, 80, "power"), (0.3, 0.4, "power")]
)
def test_a_rate_or_power_that_is_none_is_refused(rate, power, named):
    with pytest.raises(ValueError, match=named):
        detectable_ratio(10, 10, rate, power=power)


@pytest.mark.parametrize(
    ("low", "high", "power", "level", "n"),
    [
        # The examples on the help page of R's power.prop.test, each solved there for another of its arguments.
        (0.5, 0.75, 0.9, 0.05, 76.7),
        (0.5, 0.75, 0.740, 0.05, 50),
        (0.5, 0.8026, 0.9, 0.05, 50),
    ],
)
def test_decisions_needed_are_those_of_r(low, high, power, level, n):
    found = decisions_needed(high, low / high, power=power, confidence=1 - level)
    assert found.estimate == pytest.approx(n, abs=1.1)


@given(st.floats(0.02, 0.98), st.floats(0.1, 0.97), st.sampled_from([0.5, 0.8, 0.95]))
def test_as_many_decisions_detect_the_ratio_and_one_less_does_not(rate, ratio, power):
    n = decisions_needed(rate, ratio, power=power).estimate
    assert detectable_ratio(n, n, rate, power=power).estimate >= ratio - 1e-9
    fewer = detectable_ratio(max(n - 1, 1), max(n - 1, 1), rate, power=power).estimate
    assert n == 1 or fewer is None or fewer < ratio + 1e-9
