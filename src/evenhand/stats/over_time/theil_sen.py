"""Slope of a value over time, whatever single values do: Theil and Sen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import normal_quantile

__all__ = ["TheilSen", "theil_sen"]


@dataclass(frozen=True, kw_only=True)
class TheilSen:
    """The slope per unit of time with its interval; null with a reason."""

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    n: int
    reason: str | None = None
    method: str = "Theil–Sen, Sen's interval"


def theil_sen(values: ArrayLike, *, times: ArrayLike | None = None, confidence: float = 0.95) -> TheilSen:
    """Return the median of the slopes of all pairs of values.

    Of N = n(n − 1)/2 slopes in order, the interval reaches from place (N − C)/2 to place (N + C)/2 + 1, counted from
    1, with C = z √Var and Kendall's variance n(n − 1)(2n + 5)/18, less t(t − 1)(2t + 5)/18 for each t equal values.
    Missing values (NaN) are left out.

    Units: those of the values per unit of `times` (places, where none are given). Assumes independent errors of one
    distribution; autocorrelated values have too narrow an interval. Fails: null with fewer than 4 values, whose
    interval would need more slopes than there are.

    Reference: Sen (1968), Journal of the American Statistical Association 63, 1379-1389; Hollander and Wolfe (1973),
    section 9.3.

    The example of Sen (1968), at his 93 %:

    >>> found = theil_sen([9, 15, 19, 20, 45, 55, 78], times=[1, 2, 3, 4, 10, 12, 18], confidence=0.93)
    >>> found.estimate, round(found.low, 2), round(found.high, 2)
    (4.0, 3.71, 4.38)
    """
    y = np.asarray(values, dtype=np.float64)
    x = np.arange(y.size, dtype=np.float64) if times is None else np.asarray(times, dtype=np.float64)
    there = np.isfinite(y) & np.isfinite(x)
    y, x = y[there], x[there]
    n = int(y.size)
    if n < 4:
        return _none(confidence, n, f"A slope with its interval needs 4 values; there are {n}.")
    first, second = np.triu_indices(n, 1)
    apart = x[second] - x[first]
    slopes = np.sort((y[second] - y[first])[apart != 0] / apart[apart != 0])
    if not slopes.size:
        return _none(confidence, n, "All values are of one time.")
    equal = np.unique(y, return_counts=True)[1].astype(np.float64)
    variance = (n * (n - 1) * (2 * n + 5) - float(np.sum(equal * (equal - 1) * (2 * equal + 5)))) / 18
    reach = normal_quantile(confidence) * np.sqrt(max(variance, 0.0))
    low = int(np.clip(np.round((slopes.size - reach) / 2) - 1, 0, slopes.size - 1))
    high = int(np.clip(np.round((slopes.size + reach) / 2), 0, slopes.size - 1))
    return TheilSen(
        estimate=float(np.median(slopes)),
        low=float(slopes[low]),
        high=float(slopes[high]),
        confidence=confidence,
        n=n,
    )


def _none(confidence: float, n: int, reason: str) -> TheilSen:
    return TheilSen(estimate=None, low=None, high=None, confidence=confidence, n=n, reason=reason)
