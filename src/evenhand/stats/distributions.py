"""How far a distribution has moved from a reference, and quantiles of counted values."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Floats, check_confidence, normal_quantile, positive_p
from evenhand.stats.special import chdtrc, chdtri, kolmogorov


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

    >>> result = counted_quantile(range(1, 101), [1] * 100)
    >>> result.estimate, round(result.standard_error, 3)
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


NOBODY = "One of the two tables has no value."


@dataclass(frozen=True, kw_only=True)
class StabilityIndex:
    """The index without its bias; `raw` holds it, `limit` is what it stays below by chance with the confidence."""

    estimate: float | None = None
    raw: float | None = None
    bias: float | None = None
    limit: float | None = None
    p: float | None = None
    bins: int
    n: int
    n_reference: int
    confidence: float
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class KolmogorovSmirnov:
    """The largest distance of two cumulative shares; `limit` as in `StabilityIndex`."""

    estimate: float | None = None
    limit: float | None = None
    p: float | None = None
    n: int
    n_reference: int
    confidence: float
    reason: str | None = None


def _counts(counts: ArrayLike, reference: ArrayLike) -> tuple[Floats, Floats]:
    arrays = np.asarray(counts, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    if arrays[0].shape != arrays[1].shape or arrays[0].ndim != 1:
        raise ValueError("counts and reference must be two lists of the same length")
    if min((array.min() for array in arrays if array.size), default=0.0) < 0:
        raise ValueError("counts must not be negative")
    return arrays


def stability_index(counts: ArrayLike, reference: ArrayLike, *, confidence: float = 0.99) -> StabilityIndex:
    """Return the population stability index of two lists of counts over the same bins.

    Formula: PSI = Σ (p - q) ln(p / q) - (B - 1)(1/n + 1/m), with p and q the shares of the B bins that anybody is in,
    n and m the sums. Two samples of one distribution have (1/n + 1/m) χ² with B - 1 degrees of freedom in place of the
    sum; hence the bias that is subtracted, the limit and p. Where a bin is empty in one table, half a person is added
    to every bin of both.
    Assumes bins fixed beforehand, independent people; the χ² wants some five people a bin.
    Fails: null where a table is empty, or nobody is outside a single bin.

    Reference: Yurdakul and Naranjo (2020), Journal of Risk Model Validation 14(4), 89-100.

    (.6 - .5) ln(.6 / .5) + (.4 - .5) ln(.4 / .5) = .0405, less 1/100 + 1/100:

    >>> result = stability_index([60, 40], [50, 50])
    >>> round(result.raw, 4), round(result.estimate, 4), round(result.p, 3)
    (0.0405, 0.0205, 0.154)
    """
    check_confidence(confidence)
    a, b = _counts(counts, reference)
    occupied = (a + b) > 0
    a, b = a[occupied], b[occupied]
    n, m, bins = int(a.sum()), int(b.sum()), len(a)
    reason = NOBODY if not n or not m else "All values are in one bin." if bins < 2 else None
    if reason is not None:
        return StabilityIndex(bins=bins, n=n, n_reference=m, confidence=confidence, reason=reason)
    if (a == 0).any() or (b == 0).any():
        a, b = a + 0.5, b + 0.5
    p, q = a / a.sum(), b / b.sum()
    raw, scale = float(((p - q) * np.log(p / q)).sum()), 1 / n + 1 / m
    bias = (bins - 1) * scale
    return StabilityIndex(
        estimate=raw - bias,
        raw=raw,
        bias=bias,
        limit=float(chdtri(bins - 1, 1 - confidence)) * scale - bias,
        p=float(positive_p(np.asarray([chdtrc(bins - 1, raw / scale)]))[0]),
        bins=bins,
        n=n,
        n_reference=m,
        confidence=confidence,
    )


def kolmogorov_smirnov(counts: ArrayLike, reference: ArrayLike, *, confidence: float = 0.99) -> KolmogorovSmirnov:
    """Return the largest distance between two cumulative shares; counts are of values in rising order.

    Formula: D = max |F - G|; p is the asymptotic one, of sqrt(nm / (n + m)) D.
    Assumes independent people; with ties, as in bins, p is too large rather than too small.
    Fails: null where a table is empty.

    Reference: Smirnov (1948), Annals of Mathematical Statistics 19, 279-281.

    >>> result = kolmogorov_smirnov([10, 30, 10], [25, 15, 10])
    >>> round(result.estimate, 10), round(result.p, 3)
    (0.3, 0.022)
    """
    check_confidence(confidence)
    a, b = _counts(counts, reference)
    n, m = int(a.sum()), int(b.sum())
    if not n or not m:
        return KolmogorovSmirnov(n=n, n_reference=m, confidence=confidence, reason=NOBODY)
    distance = float(np.abs(np.cumsum(a) / n - np.cumsum(b) / m).max())
    scale = np.sqrt(n * m / (n + m))
    return KolmogorovSmirnov(
        estimate=distance,
        # The series' first term: 2 exp(-2 t²).
        limit=float(np.sqrt(-np.log((1 - confidence) / 2) / 2) / scale),
        p=float(positive_p(np.asarray([kolmogorov(scale * distance)]))[0]),
        n=n,
        n_reference=m,
        confidence=confidence,
    )
