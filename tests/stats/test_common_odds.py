"""The common odds ratio over strata, its test, and whether strata differ."""

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

from evenhand.stats import breslow_day, mantel_haenszel, z_test

cells = st.integers(1, 60)
stratum = st.tuples(cells, cells, cells, cells)  # a, b, c, d: all cells filled, as statsmodels needs them
several = st.lists(stratum, min_size=2, max_size=8)


def as_counts(strata):
    a, b, c, d = np.array(strata).T
    return a, a + b, c, c + d


@given(strata=several)
def test_agrees_with_statsmodels(strata):
    ours, equal = mantel_haenszel(*as_counts(strata)), breslow_day(*as_counts(strata))
    oracle = StratifiedTable([np.array([[a, b], [c, d]]) for a, b, c, d in strata])
    assume(abs(oracle.oddsratio_pooled - 1) > 1e-3)  # it divides by 1 - OR
    assert ours.estimate == pytest.approx(oracle.oddsratio_pooled, rel=1e-9)
    assert (ours.low, ours.high) == pytest.approx(tuple(oracle.oddsratio_pooled_confint()), rel=1e-9)
    # a difference of sums of rounded terms: where the groups agree the oracle's χ² is not 0 but 1e-28
    assert ours.chi2 == pytest.approx(oracle.test_null_odds().statistic, rel=1e-7, abs=1e-12)
    assert ours.p == pytest.approx(oracle.test_null_odds().pvalue, rel=1e-7, abs=1e-6)
    assert equal.chi2 == pytest.approx(oracle.test_equal_odds().statistic, rel=1e-7, abs=1e-9)
    assert equal.chi2_tarone == pytest.approx(oracle.test_equal_odds(adjust=True).statistic, rel=1e-7, abs=1e-9)


@given(strata=several)
def test_the_correction_takes_half_a_person_and_never_more_than_there_is(strata):
    a, n1, c, n2 = as_counts(strata)
    ours = mantel_haenszel(a, n1, c, n2)
    people = n1 + n2
    gap = abs(float((a - n1 * (a + c) / people).sum()))
    assume(abs(gap - 0.5) > 1e-6)
    if gap < 0.5:
        assert (ours.chi2_corrected, ours.p_corrected) == (0.0, 1.0)
    else:
        oracle = StratifiedTable([np.array([[a, b], [c, d]]) for a, b, c, d in strata])
        assert ours.chi2_corrected == pytest.approx(oracle.test_null_odds(correction=True).statistic, rel=1e-6)


@given(strata=several)
def test_swapped_groups_invert_the_odds_ratio_and_keep_the_tests(strata):
    a, n1, c, n2 = as_counts(strata)
    one, other = mantel_haenszel(a, n1, c, n2), mantel_haenszel(c, n2, a, n1)
    assert (one.estimate, one.low, one.high) == pytest.approx(
        (1 / other.estimate, 1 / other.high, 1 / other.low), rel=1e-9
    )
    assert one.chi2 == pytest.approx(other.chi2, rel=1e-12)
    assert breslow_day(a, n1, c, n2).chi2 == pytest.approx(breslow_day(c, n2, a, n1).chi2, rel=1e-7, abs=1e-9)


def test_one_stratum_is_its_own_odds_ratio_and_nearly_its_z():
    # V has M - 1 where Z has M: χ² = Z² (M - 1)/M
    pooled, z = mantel_haenszel([7], [15], [14], [25]), z_test(7, 15, 14, 25)
    assert pooled.estimate == pytest.approx(7 * 11 / (8 * 14))
    assert pooled.chi2 == pytest.approx(z.statistic**2 * 39 / 40)


def test_strata_that_say_nothing_are_not_counted():
    told = mantel_haenszel([3, 8], [9, 20], [5, 9], [12, 15])
    # nobody in one group, nobody at all, nobody selected, everybody selected
    more = mantel_haenszel([3, 0, 0, 0, 4, 8], [9, 0, 0, 6, 4, 20], [5, 2, 0, 0, 7, 9], [12, 5, 0, 9, 7, 15])
    assert more == told
    assert (told.strata, told.n) == (2, 56)
    test, longer = (
        breslow_day([3, 8], [9, 20], [5, 9], [12, 15]),
        breslow_day([3, 0, 8], [9, 0, 20], [5, 2, 9], [12, 5, 15]),
    )
    assert longer == test
    assert (test.strata, test.df) == (2, 1)


@pytest.mark.parametrize("counts", [([], [], [], []), ([0], [0], [3], [9]), ([0, 4], [5, 4], [0, 9], [9, 9])])
def test_without_an_informative_stratum_all_is_null_with_a_reason(counts):
    pooled, test = mantel_haenszel(*counts), breslow_day(*counts)
    reason = "In no stratum are there people of both groups, some selected and some not."
    assert (pooled.estimate, pooled.low, pooled.chi2, pooled.p_corrected, pooled.strata) == (None, None, None, None, 0)
    assert pooled.reason == pooled.estimate_reason == pooled.interval_reason == reason
    assert (test.chi2, test.p_tarone, test.reason) == (None, None, reason)


def test_an_odds_ratio_of_zero_has_no_interval_but_a_test():
    # a = 0 in both strata; 0/5 against 3/5: (1.5)²/(5·5·3·7/(100·9)) = 27/7 in one
    pooled = mantel_haenszel([0, 0], [5, 5], [3, 3], [5, 5])
    assert (pooled.estimate, pooled.low, pooled.high) == (0.0, None, None)
    assert pooled.chi2 == pytest.approx(2 * 27 / 7)
    assert "is 0" in pooled.interval_reason
    assert (pooled.reason, pooled.estimate_reason) == (None, None)
    assert breslow_day([0, 0], [5, 5], [3, 3], [5, 5]).reason == "The common odds ratio is 0."


def test_an_odds_ratio_that_is_not_finite_is_null_and_keeps_its_test():
    pooled = mantel_haenszel([3, 3], [5, 5], [0, 0], [5, 5])
    assert (pooled.estimate, pooled.low, pooled.reason) == (None, None, None)
    assert "not finite" in pooled.estimate_reason
    assert pooled.chi2 == pytest.approx(2 * 27 / 7)
    assert breslow_day([3, 3], [5, 5], [0, 0], [5, 5]).reason == "The common odds ratio is not finite."


def test_many_results_are_the_single_ones():
    a, n1 = np.array([[3, 8, 0], [0, 1, 2], [0, 0, 0]]), np.array([[9, 20, 0], [4, 6, 9], [0, 0, 5]])
    c, n2 = np.array([[5, 9, 2], [2, 3, 1], [1, 1, 0]]), np.array([[12, 15, 4], [5, 5, 5], [3, 3, 3]])
    many, tests = mantel_haenszel(a, n1, c, n2), breslow_day(a, n1, c, n2)
    for row in range(3):
        one, test = (f(a[row], n1[row], c[row], n2[row]) for f in (mantel_haenszel, breslow_day))
        for result, single in ((many, one), (tests, test)):
            for name in ("estimate", "low", "chi2", "p_corrected", "chi2_tarone", "strata", "n", "df"):
                if hasattr(result, name):
                    value = getattr(result, name)[row]
                    assert (None if np.isnan(value) else value) == getattr(single, name), name
            assert (result.reason[row] or None) == single.reason


def test_counts_of_a_hundred_million_keep_their_digits():
    counts = [
        (10**8 // 3, 10**8, 10**8 // 3 + 9000, 10**8 + 7),
        (50, 10**8, 80, 2 * 10**8),
        (10**8 - 40, 10**8, 10**8 - 9, 10**8),
    ]
    pooled, test = mantel_haenszel(*np.array(counts).T), breslow_day(*np.array(counts).T)
    with mpmath.workdps(50):
        strata = [[mpmath.mpf(v) for v in (a, n1 - a, c, n2 - c)] for a, n1, c, n2 in counts]
        common = sum(a * d / (a + b + c + d) for a, b, c, d in strata) / sum(
            b * c / (a + b + c + d) for a, b, c, d in strata
        )
        gap = variance = chi2 = over = spread = mpmath.mpf(0)
        for a, b, c, d in strata:
            people, selected = a + b + c + d, a + c
            gap += a - (a + b) * selected / people
            variance += (a + b) * (c + d) * selected * (b + d) / (people**2 * (people - 1))
            # the expected count: root of (1 - OR)A² + (N2 - K + OR(N1 + K))A - OR N1 K
            linear, constant = c + d - selected + common * (a + b + selected), common * (a + b) * selected
            expected = 2 * constant / (linear + mpmath.sqrt(linear**2 + 4 * (1 - common) * constant))
            own = 1 / sum(1 / v for v in (expected, a + b - expected, selected - expected, d - a + expected))
            chi2 += (a - expected) ** 2 / own
            over, spread = over + a - expected, spread + own
        expected_figures = [float(v) for v in (common, gap**2 / variance, chi2, chi2 - over**2 / spread)]
    assert [pooled.estimate, pooled.chi2, test.chi2, test.chi2_tarone] == pytest.approx(expected_figures, rel=1e-11)


def test_breslow_day_holds_its_level():
    # 400 simulated sets of five strata with the odds ratio .5; 5 % ± three standard errors of the simulation
    rng = np.random.default_rng(11)
    n1, n2 = rng.integers(80, 200, (400, 5)), rng.integers(80, 200, (400, 5))
    odds = rng.uniform(0.3, 2.0, (400, 5))
    a, c = rng.binomial(n1, odds * 0.5 / (1 + odds * 0.5)), rng.binomial(n2, odds / (1 + odds))
    p = breslow_day(a, n1, c, n2).p_tarone
    assert np.mean(p < 0.05) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 400))


def test_three_axes_are_refused():
    with pytest.raises(ValueError, match=r"shape \(strata,\) or \(m, strata\)"):
        mantel_haenszel(np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), np.zeros((1, 1, 1)))
