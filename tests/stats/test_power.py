"""Minimum detectable effects against statsmodels, and against Fisher's test of every table."""

from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, nct, norm, t
from statsmodels.stats.power import NormalIndPower

from evenhand.stats import (
    clustered_power,
    decisions_needed,
    detectable_difference,
    detectable_ratio,
    fisher_exact,
    fisher_power,
    ratio_with_power,
    spread_evenly,
    stratified_power,
)


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


@pytest.mark.parametrize(("df", "true"), [(4, 0.791), (6, 0.797), (20, 0.800)])
def test_with_few_clusters_the_t_test_finds_the_difference(df, true):
    found = detectable_difference(0.5, df=df)
    assert found.estimate == pytest.approx((t.ppf(0.975, df) + t.ppf(0.8, df)) * 0.5)
    # The test statistic is noncentral t, shifted by the difference in standard errors.
    assert nct.sf(t.ppf(0.975, df), df, found.estimate / 0.5) == pytest.approx(true, abs=0.001)


def test_degrees_of_freedom_are_one_per_difference_and_at_least_some():
    found = detectable_difference(0.01, df=[10, np.inf, 0, np.nan])
    assert found.estimate[:2] == pytest.approx([0.031072, 0.028016], abs=1e-6)
    assert np.isnan(found.estimate[2:]).all()
    assert set(found.reason.tolist()[2:]) == {"There are no degrees of freedom."}
    assert found.method == "two-sided t test, df of the contrast"


def enumerated(n1, n2, *, level=0.05):
    """Return for each table of a focal and c of the reference whether Fisher's test calls the focal rate lower."""
    a, c = np.meshgrid(np.arange(n1 + 1), np.arange(n2 + 1), indexing="ij")
    p = fisher_exact(a.ravel(), n1, c.ravel(), n2).p.reshape(a.shape)
    return (p < level) & (a * n2 < c * n1)


def exact_power(found, n1, rate1, n2, rate2):
    rate1 = rate1 if rate1 > 1e-300 else 0.0  # scipy's binomial overflows between
    return binom.pmf(np.arange(n1 + 1), n1, rate1) @ found @ binom.pmf(np.arange(n2 + 1), n2, rate2)


@pytest.mark.parametrize(
    ("n1", "n2", "rate", "ratio"),
    [(11, 11, 9 / 11, 0.224599375), (70, 68, 20 / 68, 0.351062768), (22, 210, 110 / 210, 0.418328120)],
)
def test_known_ratios_that_fishers_test_detects(n1, n2, rate, ratio):
    # Bisection over the sum of all tables, computed apart from this package.
    assert detectable_ratio(n1, n2, rate).estimate == pytest.approx(ratio, abs=1e-6)


@given(
    st.integers(2, 90),
    st.integers(2, 90),
    st.floats(0.05, 1),
    st.sampled_from([0.5, 0.8, 0.95]),
    st.sampled_from([0.05, 0.05 / 6, 0.05 / 500]),
)
@settings(max_examples=40)
def test_the_power_at_the_ratio_is_that_of_all_tables(n1, n2, rate, power, level):
    ratio = detectable_ratio(n1, n2, rate, power=power, confidence=1 - level).estimate
    tables = enumerated(n1, n2, level=level)
    if ratio is None:
        assert exact_power(tables, n1, 0.0, n2, rate) < power + 1e-4
    else:
        assert exact_power(tables, n1, ratio * rate, n2, rate) == pytest.approx(power, abs=1e-4)
        assert exact_power(tables, n1, 0.9 * ratio * rate, n2, rate) >= power - 1e-4


@pytest.mark.parametrize(
    ("people", "rate", "level", "low", "high"),
    [
        # Both sides of the switch from sums to the formula at N1 N2/(N1 + N2) p(1 - p) = 250.
        ((1980, 1980), 0.5, 0.05, 0.795, 0.805),
        ((2020, 2020), 0.5, 0.05, 0.795, 0.815),
        ((1060, 20_000), 0.5, 0.05, 0.795, 0.815),
        ((2800, 2900), 0.9, 0.05, 0.78, 0.84),
        ((20_000, 3300), 0.1, 0.05 / 20, 0.78, 0.84),
    ],
)
def test_at_large_numbers_simulated_fisher_tests_find_the_ratio_as_often(people, rate, level, low, high):
    n1, n2 = people
    ratio = detectable_ratio(n1, n2, rate, confidence=1 - level).estimate
    rng, runs = np.random.default_rng(5), 40_000
    a, c = rng.binomial(n1, ratio * rate, runs), rng.binomial(n2, rate, runs)
    share = np.mean((fisher_exact(a, n1, c, n2).p < level) & (a * n2 < c * n1))
    error = 3 * np.sqrt(0.16 / runs)
    assert low - error < share < high + error


def test_a_level_per_comparison_needs_a_ratio_further_from_one():
    ratios = [detectable_ratio(200, 300, 0.4, confidence=1 - 0.05 / m).estimate for m in (1, 3, 50, 5000)]
    assert ratios == sorted(ratios, reverse=True)
    assert len(set(ratios)) == 4


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((0, 9, 0.5), "The focal group has no people."),
        ((9, 0, 0.5), "The reference group has no people."),
        ((9, 9, None), "The rate of the reference group is not known."),
        ((9, 9, 0.0), "Nobody in the reference group was selected, so no rate can be lower."),
    ],
)
def test_no_ratio_is_detectable_and_why(counts, reason):
    found = detectable_ratio(*counts)
    assert (found.estimate, found.reason) == (None, reason)


def test_null_where_not_even_a_ratio_of_zero_is_found():
    # 0 of n against c of n with c = 6 is the first table with p < .05 at n = 38 and 39 (5 of 39: p = .0545, 6: .0254).
    # Power at a ratio of 0 is P(c >= 6), c binomial with n and .2: .7996 at n = 38, .8200 at 39.
    assert binom.sf(5, 38, 0.2) < 0.8 < binom.sf(5, 39, 0.2)
    assert detectable_ratio(38, 38, 0.2).estimate is None
    assert "too rarely" in detectable_ratio(38, 38, 0.2).reason
    assert 0 < detectable_ratio(39, 39, 0.2).estimate < 0.05


def test_many_detectable_ratios_are_the_single_ones():
    many = detectable_ratio([50, 0, 10**8], 80, [0.5, 0.5, 0.2])
    single = [detectable_ratio(n, 80, rate) for n, rate in ((50, 0.5), (0, 0.5), (10**8, 0.2))]
    # Summed together in another order
    assert many.estimate == pytest.approx([one.estimate or np.nan for one in single], rel=1e-12, nan_ok=True)
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


@pytest.mark.parametrize(("rate", "ratio", "n"), [(0.9, 0.8, 82), (1.0, 0.8, 39), (0.5, 0.0, 12)])
def test_fishers_test_needs_so_many_decisions(rate, ratio, n):
    assert decisions_needed(rate, ratio).estimate == n
    powers = [exact_power(enumerated(size, size), size, ratio * rate, size, rate) for size in (n - 1, n)]
    assert powers[0] < 0.8 <= powers[1] < 0.845


def test_large_plans_follow_the_corrected_formula():
    # By hand: (1.95996 √(2 · .285 · .715) + .84162 √(.27 · .73 + .3 · .7))²/.03² = 3553.6, times
    # ¼ (1 + √(1 + 4/(3553.6 · .03)))² = 1.01868.
    assert decisions_needed(0.3, 0.9).estimate == pytest.approx(3553.6 * 1.01868, abs=1)


@given(st.floats(0.02, 0.98), st.floats(0.1, 0.97), st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=40)
def test_as_many_decisions_detect_the_ratio_and_one_less_does_not(rate, ratio, power):
    n = decisions_needed(rate, ratio, power=power).estimate
    # Sums leave out what is 4.5 standard deviations away.
    assert detectable_ratio(n, n, rate, power=power).estimate >= ratio - 1e-4
    fewer = detectable_ratio(max(n - 1, 1), max(n - 1, 1), rate, power=power).estimate
    assert n == 1 or fewer is None or fewer < ratio + 1e-4


@given(st.floats(0.05, 1.0), st.floats(0.0, 0.9), st.floats(0.01, 0.09))
@settings(max_examples=20)
def test_a_ratio_nearer_to_one_needs_as_many_or_more(rate, ratio, nearer):
    further, closer = decisions_needed(rate, [ratio, ratio + nearer]).estimate
    assert further <= closer


@pytest.mark.parametrize(("n1", "n2", "rate", "ratio"), [(40, 25, 0.6, 0.5), (90, 60, 0.3, 0.0), (12, 80, 1.0, 0.7)])
def test_power_at_given_numbers_is_the_sum_over_all_tables(n1, n2, rate, ratio):
    tables = enumerated(n1, n2)
    assert fisher_power(n1, n2, rate, ratio).estimate == pytest.approx(
        exact_power(tables, n1, ratio * rate, n2, rate), abs=1e-4
    )


def test_beyond_enumeration_power_is_that_of_the_formula():
    # At a size that can be summed both are the same to three digits.
    n = decisions_needed(0.4, 0.97).estimate
    summed = fisher_power(n, n, 0.4, 0.97)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evenhand.stats.power.MOST_ENUMERATED", 10)
        formula = fisher_power(n, n, 0.4, 0.97)
    assert (summed.method, formula.method) == ("exact enumeration", "normal formula with continuity correction")
    assert summed.estimate == pytest.approx(0.8, abs=1e-3)
    assert formula.estimate == pytest.approx(0.8, abs=2e-3)


@pytest.mark.parametrize(("rate", "ratio", "per_focal"), [(0.5, 0.6, 3.0), (0.5, 0.6, 0.4), (0.25, 0.7, 8.0)])
def test_groups_of_unequal_size_need_what_their_test_needs(rate, ratio, per_focal):
    n = decisions_needed(rate, ratio, reference_per_focal=per_focal).estimate
    powers = [fisher_power(size, ceil(per_focal * size), rate, ratio).estimate for size in (n - 1, n)]
    assert powers[0] < 0.8 <= powers[1] < 0.82
    # An array has the formula where a single number is searched for: within 3 %.
    assert decisions_needed([rate] * 2, ratio, reference_per_focal=per_focal).estimate[0] == pytest.approx(n, rel=0.03)


def test_clusters_multiply_the_variance_by_the_design_effect():
    # Z of a known variance: (p2 - p1)/SE with 1 + 9 · .1 = 1.9 times the variance of independent people.
    n, p1, p2 = 1_000, 0.3, 0.4
    error = np.sqrt(1.9 * (p1 * (1 - p1) + p2 * (1 - p2)) / n)
    found = clustered_power(spread_evenly(n, n // 10), spread_evenly(n, n // 10), p2, p1 / p2, intraclass=0.1)
    assert found.estimate == pytest.approx(norm.sf(1.96 - (p2 - p1) / error), abs=0.02)
    assert found.method == f"simulation of {found.runs:,} tables"
    crossed = clustered_power([5] * 200, [5] * 200, p2, p1 / p2, intraclass=0.1, crossed=True)
    assert crossed.estimate == pytest.approx(norm.sf(1.96 - (p2 - p1) / (error * np.sqrt(0.9 / 1.9))), abs=0.02)


@pytest.mark.parametrize("crossed", [False, True])
def test_clusters_of_equal_rates_are_called_lower_in_one_of_forty(crossed):
    found = clustered_power([8] * 25, [8] * 25, 0.3, 1.0, intraclass=0.2, crossed=crossed).estimate
    assert 0.015 < found < 0.033


def test_the_common_odds_ratio_of_positions_has_about_the_power_of_all_people():
    n, m = spread_evenly(600, 5), spread_evenly(900, 5)
    assert (n.tolist(), m.tolist()) == ([120] * 5, [180] * 5)
    error = np.sqrt(0.24 * 0.76 / 600 + 0.3 * 0.7 / 900)
    assert stratified_power(n, m, 0.3, 0.8).estimate == pytest.approx(norm.sf(1.96 - 0.06 / error), abs=0.02)


def test_the_ratio_that_a_simulated_test_finds_has_its_power():
    def power_at(ratio):
        return stratified_power([200], [300], 0.4, ratio).estimate

    ratio = ratio_with_power(power_at, 0.8)
    assert power_at(ratio) == pytest.approx(0.8, abs=0.015)
    assert ratio_with_power(lambda ratio: stratified_power([6], [6], 0.4, ratio).estimate, 0.8) is None
