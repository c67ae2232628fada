"""Quantiles of values that are counted, each with how often it occurs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import normal_quantile

__all__ = ["CountedQuantile", "counted_quantile"]


@dataclass(frozen=True, kw_only=True)
class CountedQuantile:
    """A quantile of counted values, its standard error, and how many values there are."""

    estimate: float | None
    standard_error: float | None
    n: int
    reason: str | None


def counted_quantile(values: ArrayLike, counts: ArrayLike, *, share: float = 0.5) -> CountedQuantile:
    """Return a quantile of values of shape (k,), in ascending order, that occur `counts` times each, in their unit.

    Formula: the value of rank ceil(n * share); of a median of an even number the mean of the two in the middle.
    Its standard error is half the width of the interval between the ranks n share ± z sqrt(n share (1 - share)),
    with z = 1.96, over z (Woodruff).
    Assumes independent values. Fails: null without values; no standard error where a rank lies outside them, or
    where all values between the ranks are alike, which is a tie and no certainty.

    Reference: Woodruff (1952), JASA 47, 635-646.

    Of 100 values 1 to 100 the ranks are 50 ± 9.8, so 40 and 60: half of 20 over 1.96.

    >>> found = counted_quantile(range(1, 101), [1] * 100)
    >>> found.estimate, round(found.standard_error, 3)
    (50.5, 5.102)
    """
    at, cumulated = np.asarray(values, dtype=np.float64), np.cumsum(np.asarray(counts, dtype=np.int64))
    n = int(cumulated[-1]) if cumulated.size else 0
    if not n:
        return CountedQuantile(estimate=None, standard_error=None, n=0, reason="There are no values.")

    def of_rank(rank: int) -> float:
        return float(at[np.searchsorted(cumulated, rank)])

    estimate = of_rank(max(int(np.ceil(n * share)), 1))
    if share == 0.5 and n % 2 == 0:
        estimate = (of_rank(n // 2) + of_rank(n // 2 + 1)) / 2
    z = normal_quantile(0.95)
    reach = z * np.sqrt(n * share * (1 - share))
    low, high = int(np.floor(n * share - reach)), int(np.ceil(n * share + reach))
    error = None
    if low >= 1 and high <= n and (width := of_rank(high) - of_rank(low)) > 0:
        error = width / 2 / z
    return CountedQuantile(estimate=estimate, standard_error=error, n=n, reason=None)
