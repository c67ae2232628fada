"""Whether a ratio of rates was shown to lie above a margin: one-sided tests of non-inferiority."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.rates import NO_REFERENCE_RATE, common_score, no_reference_rate, score_at
from evenhand.stats.special import bdtr, bdtrc, gammaln, ndtr, xlogy

#: The share of the nuisance rate's confidence that is given up, and added to p.
GIVEN_UP = 1e-6
#: Rates of the reference at which the exact p is computed, and up to how many numbers of selected people.
RATES, MOST_NUMBERS = 80, 6_000
#: What lies beyond so many standard deviations has less probability than p is told to.
REACH = 9.0
EXACT, SCORE = "exact unconditional, Farrington-Manning", "score, Farrington-Manning"


@dataclass(frozen=True, kw_only=True)
class RatioAbove:
    """The one-sided p that a ratio is at most the margin, and the score; `test` says whether it is exact."""

    statistic: _arrays.Value
    p: _arrays.Value
    margin: float
    test: _arrays.Words
    reason: _arrays.Words


def ratio_above(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    margin: float,
    exact: ArrayLike = True,
) -> RatioAbove:
    """Return the one-sided p of focal rate/reference rate ≤ margin: a small one shows that the ratio lies above it.

    Formula: the score z = (p1 - θ p2)/sqrt(π1(1 - π1)/N1 + θ² π2(1 - π2)/N2) at the margin θ, with π1 = θ π2 the
    likeliest rates of that ratio; P(Z ≥ z). Where `exact` says so it is compared with the probability, at a ratio of θ,
    of all tables with as large a z: the largest one at 80 rates of the reference within a Clopper-Pearson
    interval of 99.9999 %, plus .000001. The larger p counts, so that it is never below that of Koopman's interval.
    Assumes independent people. The exact p holds its level, but for some 1e-5 of p between these rates; the
    score alone is used where more than 6,000 numbers of selected people would have to be gone through, and errs little
    there. That a ratio is below 1/θ is the same question with the groups exchanged.
    Fails: null when a group is empty or nobody in the reference group was selected.

    References: Farrington and Manning (1990), Statistics in Medicine 9, 1447-1454; Chan (1998), same journal 17,
    1403-1413; Berger and Boos (1994), Journal of the American Statistical Association 89, 1012-1016.

    Everybody selected of 10 and of 10: at rates of .8 and 1 that has the probability .8¹⁰ = .107.

    >>> round(ratio_above(10, 10, 10, 10, margin=0.8).p, 3)
    0.107
    >>> round(ratio_above(400, 1000, 500, 1000, margin=0.8).p, 3)  # the ratio is .8
    0.502
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty, no_reference_rate(groups))
    known = np.flatnonzero(reason == "")
    z, p = (np.full(groups.a.shape, np.nan) for _ in range(2))
    test = np.full(groups.a.shape, SCORE, dtype=object)
    counts = [values[known].astype(np.float64) for values in (groups.a, groups.N1, groups.c, groups.N2)]
    z[known] = score_at(margin, *counts)
    p[known] = ndtr(-z[known])
    wanted = np.broadcast_to(np.asarray(exact, dtype=np.bool_), groups.a.shape)[known]
    for place, *table in zip(known[wanted].tolist(), *(values[wanted] for values in counts), strict=True):
        enumerated = _exact_p(*table, margin=margin)
        if enumerated is not None:
            p[place], test[place] = max(p[place], enumerated), EXACT
    return RatioAbove(
        statistic=groups.call.value(z),
        p=groups.call.value(_arrays.positive_p(p)),
        margin=margin,
        test=groups.call.words(np.where(reason == "", test, "").astype(np.str_)),
        reason=groups.call.words(reason),
    )


STRATIFIED = "stratified score, Miettinen-Nurminen"


@dataclass(frozen=True, kw_only=True)
class CommonRatioAbove:
    """Mantel and Haenszel's ratio of rates with its interval, and the one-sided p that it is at most the margin."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    p: float | None = None
    test: str = STRATIFIED
    reason: str | None = None


#: Limits of a common ratio are looked for up to here.
WIDEST = 1e6


def common_ratio_above(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    margin: float,
    confidence: float = 0.95,
) -> CommonRatioAbove:
    """Return the ratio of rates that two groups have in common over strata, and whether it lies above a margin.

    Every array has shape (strata,). Formula: Σ a N2/M over Σ c N1/M (Mantel and Haenszel). At a ratio θ,
    z = Σ w (p1 - θ p2) / sqrt(Σ w² M/(M - 1) (π1(1 - π1)/N1 + θ² π2(1 - π2)/N2)) with w = N1 N2/M and the likeliest
    rates with π1 = θ π2 in each stratum. P(Z ≥ z) at the margin is the one-sided p; the limits are the ratios with
    |z| at the quantile of `confidence`.
    Assumes independent people and one ratio in all strata; many small strata do no harm, few small ones are as rough
    as the score of one table.
    Fails: null where no stratum has people of both groups, or nobody of the reference group was selected in those.

    References: Greenland and Robins (1985), Biometrics 41, 55-68; Miettinen and Nurminen (1985), Statistics in
    Medicine 4, 213-226; Gart and Nam (1988), Biometrics 44, 323-338.

    Two strata with rates of .4 and .5, and of .1 and .2 of 100 each: (40 + 10)/(50 + 20).

    >>> common = common_ratio_above([40, 10], [100, 100], [50, 20], [100, 100], margin=0.8)
    >>> round(common.estimate, 4), round(common.p, 2)
    (0.7143, 0.78)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    both = (groups.N1 > 0) & (groups.N2 > 0)
    table = [values[both].astype(np.float64) for values in (groups.a, groups.N1, groups.c, groups.N2)]
    reason = None if both.any() else "In no stratum are there people of both groups."
    if reason is None and not table[2].any():
        reason = NO_REFERENCE_RATE
    if reason is not None:
        return CommonRatioAbove(reason=reason)
    estimate = _common_ratio(*table) or 0.0
    z, reach = common_score(margin, *table), _arrays.normal_quantile(confidence)
    low = _ratio_of_score(reach, table, 1 / WIDEST, estimate) if estimate else 0.0
    return CommonRatioAbove(
        estimate=estimate,
        low=low,
        high=_ratio_of_score(-reach, table, max(estimate, 1 / WIDEST), WIDEST),
        statistic=z,
        p=float(_arrays.positive_p(ndtr(-np.float64(z)))),
    )


def _common_ratio(a: _arrays.Floats, N1: _arrays.Floats, c: _arrays.Floats, N2: _arrays.Floats) -> float | None:
    against = float((c * N1 / (N1 + N2)).sum())
    return float((a * N2 / (N1 + N2)).sum() / against) if against else None


def common_ratio(stratum: ArrayLike, focal: ArrayLike, selected: ArrayLike, n: ArrayLike) -> float | None:
    """Return Mantel and Haenszel's ratio of rates of people in parts: each array has shape (entries,).

    None where no stratum has people of both groups, or nobody of the reference group was selected in those.

    >>> round(common_ratio([0, 0, 1, 1], [1, 0, 1, 0], [40, 50, 10, 20], [100] * 4), 4)
    0.7143
    """
    codes = np.unique(np.asarray(stratum), return_inverse=True)[1]
    of_focal = np.asarray(focal, dtype=np.bool_)
    table = [
        np.bincount(codes, weights=np.where(side, np.asarray(values, dtype=np.float64), 0.0))
        for side in (of_focal, ~of_focal)
        for values in (selected, n)
    ]
    both = (table[1] > 0) & (table[3] > 0)
    return _common_ratio(*(values[both].astype(np.float64) for values in table))


def _ratio_of_score(z: float, table: list[_arrays.Floats], low: float, high: float) -> float:
    """Return the ratio between two others at which the score is z; it falls with the ratio."""
    for _ in range(45):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if common_score(middle, *table) > z else (low, middle)
    return high


def _exact_p(a: float, N1: float, c: float, N2: float, *, margin: float) -> float | None:
    """Return the largest probability of as large a score; None where there are too many numbers of selected people."""
    ends = np.arcsin(np.sqrt(_rate_limits(c, N2)))
    rates = np.sin(np.linspace(ends[0], ends[1], RATES, dtype=np.float64)) ** 2
    rates = np.minimum(rates, 1 / margin)
    of_focal = np.minimum(margin * rates, 1.0)
    x, y = _numbers(of_focal, N1), _numbers(rates, N2)
    if x.size + y.size > MOST_NUMBERS:
        return None
    z = score_at(margin, *(np.array([value]) for value in (a, N1, c, N2)))[0]
    # The score rises with the selected of the focal group: of each number of the reference's the least is looked for.
    low, high = np.zeros(y.size), np.full(y.size, float(x.size))
    while (low < high).any():
        middle = np.floor((low + high) / 2)
        enough = (
            score_at(margin, np.minimum(x[0] + middle, N1), np.full(y.size, N1), y, np.full(y.size, N2)) >= z - 1e-9
        )
        enough |= middle >= x.size
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    tails = np.column_stack([_probabilities(x, N1, of_focal)[:, ::-1].cumsum(axis=1)[:, ::-1], np.zeros(RATES)])
    total = (_probabilities(y, N2, rates) * tails[:, low.astype(np.int64)]).sum(axis=1)
    return float(min(total.max() + GIVEN_UP, 1.0))


def _rate_limits(c: float, n: float) -> tuple[float, float]:
    """Return Clopper and Pearson's limits, a little too wide."""
    low, high = np.zeros(2), np.ones(2)
    for _ in range(60):
        middle = (low + high) / 2
        # The least rate whose P(X ≥ c), and the largest whose P(X ≤ c), are half of what is given up.
        right = np.array([bdtrc(c - 1, int(n), middle[0]) > GIVEN_UP / 2, bdtr(c, int(n), middle[1]) < GIVEN_UP / 2])
        low, high = np.where(right, low, middle), np.where(right, middle, high)
    return (0.0 if c == 0 else float(low[0])), (1.0 if c == n else float(high[1]))


def _numbers(rates: _arrays.Floats, n: float) -> _arrays.Floats:
    """Return the numbers of selected people that can be at any of the rates."""
    reach = REACH * np.sqrt(n * rates * (1 - rates)) + REACH**2 / 3
    return np.arange(max((n * rates - reach).min() // 1, 0), min((n * rates + reach).max() // 1 + 1, n) + 1)


def _probabilities(numbers: _arrays.Floats, n: float, rates: _arrays.Floats) -> _arrays.Floats:
    """Return the binomial probability of each number (columns) at each rate (rows)."""
    ways = gammaln(n + 1) - gammaln(numbers + 1) - gammaln(n - numbers + 1)
    column = rates[:, None]
    return np.asarray(np.exp(ways + xlogy(numbers, column) + xlogy(n - numbers, 1 - column)))
