"""Whether the ratio of two rates changes over periods: statsmodels, zero cells, and people in clusters."""

import numpy as np
import pytest
import statsmodels.api as sm

from evenhand import stats

#: Selected and people of the focal group, then of the reference, in four years.
YEARS = np.array([(9, 52, 30, 90), (17, 66, 21, 71), (11, 48, 18, 66), (26, 70, 24, 80)]).T


def log_binomial(counts, times):
    """Return the regression with a rate of the reference per period and a ratio, with and without its trend."""
    periods = len(times)
    design = np.zeros((2 * periods, periods + 2))
    for place, time in enumerate(times):
        design[2 * place : 2 * place + 2, place] = 1
        design[2 * place, periods:] = 1, time
    selected, missed = counts[[0, 2]].T.ravel(), (counts[[1, 3]] - counts[[0, 2]]).T.ravel()
    outcome = np.column_stack([selected, missed])
    family = sm.families.Binomial(sm.families.links.Log())
    starts = [-1.3] * periods + [-0.1, 0.0]
    return [sm.GLM(outcome, design[:, :k], family=family).fit(start_params=starts[:k]) for k in (-1, None)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("times", [(0, 1, 2, 3), (2019, 2021, 2022, 2025)])
def test_one_ratio_and_its_trend_are_those_of_a_log_binomial_regression(times):
    change = stats.ratio_change(*YEARS, times=times)
    same, trend = log_binomial(YEARS, np.array(times) - times[0])
    assert change.common == pytest.approx(np.exp(same.params[-1]), abs=1e-6)
    assert (change.statistic, change.df) == (pytest.approx(same.pearson_chi2, abs=1e-5), 3)
    ends = np.exp([trend.params[-1], *trend.conf_int()[-1]])
    assert (change.factor, change.low, change.high) == pytest.approx(ends, abs=1e-5)
    assert change.trend_p == pytest.approx(trend.pvalues[-1], abs=1e-5)


def test_periods_that_say_nothing_do_not_enter_and_zero_cells_do():
    empty = np.array([(0, 20, 0, 30), (8, 8, 9, 9), (0, 0, 5, 9)]).T
    with_empty = np.concatenate([YEARS, empty], axis=1)
    change, alone = stats.ratio_change(*with_empty), stats.ratio_change(*YEARS)
    assert change.informative.tolist() == [True] * 4 + [False] * 3
    assert (change.p, change.trend_p) == (alone.p, alone.trend_p)
    nobody = stats.ratio_change([0, 12], [40, 40], [14, 13], [40, 40])
    assert nobody.p < 0.001
    assert nobody.trend_p is None
    assert nobody.trend_reason
    assert stats.ratio_change([3], [9], [4], [9]).reason
    never = stats.ratio_change([0, 0], [8, 8], [3, 3], [8, 8])
    assert (never.p, never.trend_p) == (None, None)
    assert "Nobody of a group" in never.reason


def test_equal_ratios_are_found_different_in_five_percent():
    rng = np.random.default_rng(4)
    n, m, p = (rng.integers(25, 60, (300, 3)) for _ in range(2)), None, rng.uniform(0.15, 0.5, (300, 3))
    n, m = n
    results = [
        stats.ratio_change(a, n_, c, m_)
        for a, n_, c, m_ in zip(rng.binomial(n, 0.8 * p), n, rng.binomial(m, p), m, strict=True)
    ]
    assert 0.015 < np.mean([change.p < 0.05 for change in results]) < 0.09
    assert 0.015 < np.mean([(change.trend_p or 1) < 0.05 for change in results]) < 0.09


def entries(rng, clusters, *, spans, effect=0.8):
    """Return period, side, selected and people of clusters that stand in all periods (`spans`), or in one."""
    groups = np.repeat([True, False], clusters)
    rates = 1 / (1 + np.exp(-rng.normal(-0.8, effect, groups.size if spans else 3 * groups.size)))
    period = np.tile(np.arange(3), groups.size) if spans else np.repeat(np.arange(3), groups.size)
    focal = np.repeat(groups, 3) if spans else np.tile(groups, 3)
    codes = np.repeat(np.arange(groups.size), 3) if spans else np.arange(3 * groups.size)
    n = np.full(period.size, 12)
    return period, focal, rng.binomial(n, rates[codes]), n, [codes]


@pytest.mark.parametrize("spans", [True, False])
def test_clusters_without_a_change_are_found_different_in_at_most_five_percent(spans):
    rng = np.random.default_rng(6)
    found = [stats.clustered_ratio_change(*entries(rng, 15, spans=spans), times=[0, 1, 2]) for _ in range(300)]
    assert 0.01 < np.mean([change.p < 0.05 for change in found]) < 0.08
    assert 0.01 < np.mean([change.trend_p < 0.05 for change in found]) < 0.08


def test_clusters_of_one_person_have_cochrans_q_of_their_log_ratios_as_f():
    rows = [(k, focal, i < a, 1) for k, year in enumerate(YEARS.T) for focal, (a, n) in
            ((True, year[:2]), (False, year[2:])) for i in range(n)]  # fmt: skip
    period, focal, selected, n = np.array(rows).T
    change = stats.clustered_ratio_change(period, focal, selected, n, [np.arange(len(rows))], times=range(4))
    rate, people = YEARS[[0, 2]] / YEARS[[1, 3]], YEARS[[1, 3]]
    ratio, times, eta = np.log(rate[0] / rate[1]), np.arange(4), people.min() - 1
    variance, weight = (((1 - rate) / (size * rate)).sum(axis=0) for size in (people - 1, people))
    centre = np.average(ratio, weights=1 / variance)
    q = ((ratio - centre) ** 2 / variance).sum()
    assert (change.statistic, change.df, change.df_denominator) == (
        pytest.approx(q * (eta - 2) / (3 * eta)),
        3,
        eta - 2,
    )
    slope = np.polyfit(times, ratio, 1, w=weight**-0.5)[0]
    pull = (times - np.average(times, weights=1 / weight)) / weight
    error = np.sqrt((pull**2 * variance).sum()) / (pull * times).sum()
    assert (change.factor, change.trend_statistic) == pytest.approx((np.exp(slope), slope / error))
    few = stats.clustered_ratio_change([0, 0, 1, 1], [1, 0, 1, 0], [3, 4, 2, 4], [9] * 4, [[0, 1, 2, 3]], times=[0, 1])
    assert few.p is None
    assert "clusters" in few.reason
