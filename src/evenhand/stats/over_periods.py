"""Whether the ratio of two selection rates is the same in all periods, and its trend."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.rates import informative_strata, likeliest_rates
from evenhand.stats.special import chdtrc, fdtrc, stdtrit

ONE_RATIO, TREND = "Gart-Nam, one ratio", "log-binomial trend"
ONE_RATIO_CLUSTERED, TREND_CLUSTERED = "Cluster-robust F, one ratio", "Cluster-robust t, trend"
FEW_PERIODS = "Fewer than two periods have people of both groups, some selected and some not."
NO_GROUP = "Nobody of a group was selected in any period, so no ratio can change."
NO_TREND = "Nobody of a group is selected, or everybody, in so many periods that a trend can't be estimated."
FEW_CLUSTERS = "{} periods need more than {} clusters of each group in each; the fewest are {}."
#: Beyond it a log ratio is no estimate.
FARTHEST = 20.0
ITERATIONS, TOLERANCE = 100, 1e-10


@dataclass(frozen=True, kw_only=True)
class RatioChange:
    """The test that all periods have one ratio, and the factor by which the ratio changes from period to period.

    `df` are the degrees of freedom of `statistic` (a χ², or with `df_denominator` an F). `factor` with its interval is
    that of one unit of time, `trend_statistic` a z, or with `trend_df` a t. `informative` are the periods that enter.
    """

    common: float | None = None
    statistic: float | None = None
    df: int = 0
    df_denominator: float | None = None
    p: float | None = None
    factor: float | None = None
    low: float | None = None
    high: float | None = None
    trend_statistic: float | None = None
    trend_df: float | None = None
    trend_p: float | None = None
    informative: _arrays.Flags
    confidence: float
    test: str = ONE_RATIO
    trend_test: str = TREND
    reason: str | None = None
    trend_reason: str | None = None


def ratio_change(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    times: ArrayLike | None = None,
    confidence: float = 0.95,
) -> RatioChange:
    """Return whether the ratio of two rates changes over periods, of independent people.

    Arrays have one element per period, `times` their places on the line of the trend (0, 1, 2 … if not given).
    Formula: with θ = exp(g + β t) and the likeliest rates of a period, S = (a - N1 π1)/(1 - π1) is the score of log θ
    and V = 1/((1 - π1)/(N1 π1) + (1 - π2)/(N2 π2)) its information; S/√V is Koopman's statistic. One ratio for all
    periods solves Σ S = 0, and χ² = Σ S²/V there has K - 1 degrees of freedom. The trend solves Σ S = Σ t S = 0 (a
    log-binomial regression with the reference's rate of each period left free); its z is β over the error of the
    information. Periods in which nobody or everybody of both was selected say nothing and do not enter; other zero
    cells need no correction.
    Assumes independent people. Fails: null with a reason where fewer than two periods say anything, or nobody of a
    group was selected in any.

    Reference: Gart and Nam (1988), Biometrics 44, 323-338, on scores of a ratio of binomials and their homogeneity.

    Ratios of .5 and 1 double from the first period to the second.

    >>> change = ratio_change([10, 20], [40, 40], [20, 20], [40, 40])
    >>> round(change.common, 3), round(change.statistic, 2), change.df, round(change.factor, 3)
    (0.774, 3.34, 1, 2.0)
    """
    _arrays.check_confidence(confidence)
    given = (selected_focal, n_focal, selected_reference, n_reference)
    every = [np.atleast_1d(np.asarray(values, dtype=np.float64)) for values in given]
    informative = informative_strata(*every)
    place = np.asarray(np.arange(informative.size) if times is None else times, dtype=np.float64)
    result = RatioChange(informative=informative, confidence=confidence)
    if informative.sum() < 2:
        return replace(result, reason=FEW_PERIODS, trend_reason=FEW_PERIODS)
    counts, t = [values[informative] for values in every], place[informative]
    if not (counts[0].any() and counts[2].any()):
        return replace(result, reason=NO_GROUP, trend_reason=NO_GROUP)

    def total(log_ratio: _arrays.Floats) -> _arrays.Floats:
        return np.array([_scores(np.full(t.size, value), counts)[0].sum() for value in log_ratio])

    edge = np.array([FARTHEST])
    common = float(_arrays.bracketed_root(total, -edge, edge)[0])
    score, information = _scores(np.full(t.size, common), counts)
    chi2, df = float((score**2 / information).sum()), t.size - 1
    result = replace(result, common=float(np.exp(common)), statistic=chi2, df=df, p=float(chdtrc(df, chi2)))
    beta, error = _trend(counts, t, common)
    if beta is None:
        return replace(result, trend_reason=NO_TREND)
    z = beta / error
    reach = _arrays.normal_quantile(confidence) * error
    return replace(
        result, **_factor(beta, reach), trend_statistic=z, trend_p=float(_arrays.normal_p(z)), trend_reason=None
    )


def _factor(beta: float, reach: float) -> dict[str, Any]:
    return dict(zip(("factor", "low", "high"), np.exp([beta, beta - reach, beta + reach]).tolist(), strict=True))


def _scores(log_ratio: _arrays.Floats, counts: Sequence[_arrays.Floats]) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return score and information of the log ratio in each period."""
    a, n, c, m = counts
    ratio, excess = np.exp(log_ratio), np.expm1(log_ratio)
    rate2, miss1, miss2 = likeliest_rates(ratio, excess, a, n, c, m)
    variance = miss1 / (n * ratio * rate2) + miss2 / (m * rate2)
    gap = (a / n - c / m) - excess * (c / m)
    return gap / (ratio * rate2 * variance), 1 / variance


def _trend(counts: Sequence[_arrays.Floats], t: _arrays.Floats, start: float) -> tuple[float | None, float]:
    """Return β and its standard error by Fisher's scoring, None where it goes beyond all bounds."""
    alpha, beta, middle = start, 0.0, float(t.mean())
    place = t - middle
    for _ in range(ITERATIONS):
        score, information = _scores(alpha + beta * place, counts)
        moments = [float((information * place**power).sum()) for power in (0, 1, 2)]
        determinant = moments[0] * moments[2] - moments[1] ** 2
        if not np.isfinite(determinant) or determinant <= 0:
            return None, np.nan
        first, second = float(score.sum()), float((score * place).sum())
        steps = np.array([moments[2] * first - moments[1] * second, moments[0] * second - moments[1] * first])
        steps = np.clip(steps / determinant, -1, 1)
        alpha, beta = alpha + float(steps[0]), beta + float(steps[1])
        if np.abs(alpha + beta * place).max() > FARTHEST / 2:
            return None, np.nan
        if np.abs(steps).max() < TOLERANCE:
            return beta, float(np.sqrt(moments[0] / determinant))
    return None, np.nan


def clustered_ratio_change(
    period: ArrayLike,
    focal: ArrayLike,
    total: ArrayLike,
    n: ArrayLike,
    clusters: Sequence[ArrayLike],
    *,
    times: ArrayLike,
    confidence: float = 0.95,
) -> RatioChange:
    """Return whether the ratio of two rates changes over periods, of people in clusters, which may span periods.

    An entry is n people of one group of one period (0 to K - 1) in one cluster, `total` of them selected; `clusters`
    has one or two integer codes per entry, `times` K places in time.
    Formula: L is the log ratio of each period and ψ_g the sum over a cluster's cells of ± e/(N p √(1 - h)) with the
    residuals e and the share h of the cell's N people: V = Σ ψ_g ψ_g' is CR2 with independent people as working model,
    with covariances of periods that share clusters. The contrasts of L have Hotelling's T² on η, the fewest clusters
    of a cell less one: F = T² (η - q + 1)/(η q) on q and η - q + 1. The trend is the slope of L weighted by the
    information of independent people, its t on η. Of two clusterings the larger p counts.
    Assumes independent clusters. Fails: periods in which a group is absent, or nobody of it is selected, have no log
    ratio and do not enter; null with a reason where clusters are too few.

    Reference: Pustejovsky and Tipton (2018), Journal of Business and Economic Statistics 36, 672-683.
    """
    _arrays.check_confidence(confidence)
    ways = [
        _clustered(period, focal, total, n, codes, np.asarray(times, dtype=np.float64), confidence)
        for codes in clusters
    ]
    first = max(ways, key=lambda way: 2.0 if way.p is None else way.p)
    second = max(ways, key=lambda way: 2.0 if way.trend_p is None else way.trend_p)
    names = ("factor", "low", "high", "trend_statistic", "trend_df", "trend_p", "trend_reason")
    return replace(first, **{name: getattr(second, name) for name in names})


def _clustered(  # noqa: PLR0917 - as above
    period: ArrayLike,
    focal: ArrayLike,
    total: ArrayLike,
    n: ArrayLike,
    codes: ArrayLike,
    times: _arrays.Floats,
    confidence: float,
) -> RatioChange:
    k, people, s = np.asarray(period, dtype=np.int64), np.asarray(n, dtype=np.float64), np.asarray(total, np.float64)
    side = (~np.asarray(focal, dtype=np.bool_)).astype(np.int64)
    cell, cluster = 2 * k + side, np.unique(np.asarray(codes), return_inverse=True)[1].ravel()
    number = int(cluster.max(initial=-1)) + 1
    sums, sizes = (np.zeros((number, 2 * times.size)) for _ in range(2))
    np.add.at(sums, (cluster, cell), s)
    np.add.at(sizes, (cluster, cell), people)
    N, selected = sizes.sum(axis=0), sums.sum(axis=0)
    rate = np.divide(selected, N, out=np.zeros(N.shape), where=N > 0)
    usable = (rate > 0).reshape(-1, 2).all(axis=1)
    result = RatioChange(
        informative=usable, confidence=confidence, test=ONE_RATIO_CLUSTERED, trend_test=TREND_CLUSTERED
    )
    if usable.sum() < 2:
        return replace(result, reason=FEW_PERIODS, trend_reason=FEW_PERIODS)
    columns = np.flatnonzero(np.repeat(usable, 2))
    N, rate, sums, sizes = N[columns], rate[columns], sums[:, columns], sizes[:, columns]
    fewest, periods, t = int((sizes > 0).sum(axis=0).min()), int(usable.sum()), times[usable]
    eta, q = fewest - 1, periods - 1
    if eta < 1:
        reason = FEW_CLUSTERS.format(periods, 1, fewest)
        return replace(result, reason=reason, trend_reason=reason)
    scaled = (sums - sizes * rate) / (N * rate * np.sqrt(1 - sizes / N))
    psi = scaled[:, ::2] - scaled[:, 1::2]
    V = psi.T @ psi
    L = np.log(rate[::2]) - np.log(rate[1::2])
    weight = 1 / np.maximum(((1 - rate) / (N * rate)).reshape(-1, 2).sum(axis=1), 1e-12)
    result = replace(result, common=float(np.exp((weight * L).sum() / weight.sum())))
    centred = t - (weight * t).sum() / weight.sum()
    slope = weight * centred / (weight * centred**2).sum()
    beta, error = float(slope @ L), float(np.sqrt(slope @ V @ slope))
    if error > 0:
        reach = float(stdtrit(eta, (1 + confidence) / 2)) * error
        result = replace(
            result,
            **_factor(beta, reach),
            trend_statistic=beta / error,
            trend_df=float(eta),
            trend_p=float(_arrays.t_p(beta / error, eta)),
        )
    else:
        result = replace(result, trend_reason=NO_TREND)
    if eta - q + 1 < 1:
        return replace(result, reason=FEW_CLUSTERS.format(periods, q, fewest))
    contrast = np.eye(periods)[1:] - np.eye(periods)[0]
    covariance, d = contrast @ V @ contrast.T, contrast @ L
    if np.linalg.matrix_rank(covariance) < q:
        return replace(result, reason="A ratio does not vary between the clusters of its period.")
    statistic = float(d @ np.linalg.solve(covariance, d)) * (eta - q + 1) / (eta * q)
    p = float(fdtrc(q, eta - q + 1, statistic))
    return replace(result, statistic=statistic, df=q, df_denominator=float(eta - q + 1), p=p)
