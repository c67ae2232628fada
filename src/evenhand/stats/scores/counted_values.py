"""Values that are counted, each with how often it occurs: quantiles, and the area under the ROC curve."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import normal_quantile

__all__ = ["CountedAUC", "CountedQuantile", "counted_auc", "counted_quantile"]

_FEWEST = 2


@dataclass(frozen=True, kw_only=True)
class CountedQuantile:
    """A quantile of counted values, its standard error, and how many values there are."""

    estimate: float | None
    standard_error: float | None
    n: int
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class CountedAUC:
    """The area under the ROC curve of counted scores, and its standard error (DeLong)."""

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
    at, cumulated = _cumulated(values, counts)
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


def counted_auc(positive: tuple[ArrayLike, ArrayLike], negative: tuple[ArrayLike, ArrayLike]) -> CountedAUC:
    """Return the probability that a positive's score is above a negative's, ties counted half.

    `positive` and `negative` are values in ascending order, and how often each occurs.

    Formula: the Mann-Whitney statistic over n1 n2; its variance s10 / n1 + s01 / n2 of DeLong's placements.
    Assumes independent scores. Fails: null where either has no scores; no standard error with fewer than two of
    either, or where the scores of the two do not overlap.

    Reference: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Of positives 2, 3 and negatives 1, 2, one of four pairs ties: (3 + 1/2) / 4.

    >>> counted_auc(([2, 3], [1, 1]), ([1, 2], [1, 1])).estimate
    0.875
    """
    at, above = _cumulated(*positive)
    of_negative, below = _cumulated(*negative)
    n1, n2 = (int(each[-1]) if each.size else 0 for each in (above, below))
    if not n1 or not n2:
        return CountedAUC(estimate=None, standard_error=None, n=n1 + n2, reason="All labels that are known are alike.")
    over = _placements(at, of_negative, below)
    under = 1 - _placements(of_negative, at, above)
    many, few = np.diff(above, prepend=0), np.diff(below, prepend=0)
    estimate = float((over * many).sum() / n1)
    error = None
    if min(n1, n2) >= _FEWEST:
        s10 = float((many * (over - estimate) ** 2).sum() / (n1 - 1))
        s01 = float((few * (under - estimate) ** 2).sum() / (n2 - 1))
        error = float(np.sqrt(s10 / n1 + s01 / n2)) or None
    return CountedAUC(estimate=estimate, standard_error=error, n=n1 + n2, reason=None)


def _cumulated(values: ArrayLike, counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return values, and how many are as low as each or lower."""
    return np.asarray(values, dtype=np.float64), np.cumsum(np.asarray(counts, dtype=np.int64))


def _placements(
    at: NDArray[np.float64], others: NDArray[np.float64], cumulated: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return for each value the share of the others that lie below it, those alike counted half."""
    padded = np.concatenate([[0], cumulated])
    left, right = (padded[np.searchsorted(others, at, side=side)] for side in ("left", "right"))
    found: NDArray[np.float64] = (left + right) / 2 / cumulated[-1]
    return found
