"""Variance of an estimate whose observations share names, roles or other clusters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import Call, Flag, Floats, Ints, Value, Words, check_confidence, reasons
from evenhand.stats.special import stdtrit

__all__ = ["ClusterVariance", "TInterval", "multiway_variance", "t_interval"]

#: Codes up to this many times the number of observations are counted in place; others are renumbered first.
DENSE = 4


@dataclass(frozen=True, kw_only=True)
class ClusterVariance:
    """Cluster-robust variance of one or several estimates.

    `clusters` counts the clusters of each way as given; `df` is the smallest of them
    minus 1. `one_way` holds each way's own variance. `floored` says that the two-way sum
    fell below the larger one-way variance, which is reported instead.
    """

    variance: Value
    one_way: tuple[Value, ...]
    floored: Flag
    clusters: tuple[int, ...]
    df: int
    n: int
    method: str
    reason: Words


@dataclass(frozen=True, kw_only=True)
class TInterval:
    """Estimate ± t standard errors."""

    estimate: Value
    low: Value
    high: Value
    standard_error: Value
    df: Value
    confidence: float
    method: str
    reason: Words


def multiway_variance(influence: ArrayLike, clusters: Sequence[ArrayLike]) -> ClusterVariance:
    """Return the variance of an estimate from influences summed within clusters.

    Formula: ψ_i is the influence of observation i; the estimate's error is Σ ψ_i to first
    order (for a mean (y_i - ȳ)/n). One way of G clusters: V = G/(G - 1) Σ_g (Σ_{i in g} ψ_i)².
    Two ways a and b: V_a + V_b - V_ab, where ab are the clusters of the intersection,
    each term with the factor of its own G; at least max(V_a, V_b).
    `influence` has shape (n,), or (n, m) for m estimates at once; `clusters` is a list of
    one or two integer code arrays of length n.
    Assumes that observations that share no cluster are independent, and many clusters
    each way: below about 30 the interval is too short even with t on min(G) - 1.
    Fails: null where an influence is not finite, and when a way has fewer than 2 clusters.
    A variance of 0 is returned as such; `t_interval` refuses it.

    Reference: Cameron, Gelbach and Miller (2011), Journal of Business and Economic
    Statistics 29, 238-249, equations 2.8 and 2.13; the floor is ours.

    Two clusters with sums .5 and -.5: 2/1 · (.25 + .25) = 1.

    >>> result = multiway_variance([0.25, 0.25, -0.25, -0.25], [[0, 0, 1, 1]])
    >>> result.variance, result.clusters, result.df
    (1.0, (2,), 1)
    """
    influences = np.asarray(influence, dtype=np.float64)
    call = Call(scalar=influences.ndim == 1)
    psi = influences[:, None] if influences.ndim == 1 else influences
    if psi.ndim != 2 or len(clusters) not in {1, 2}:
        message = (
            f"influence must be (n,) or (n, m) with one or two clusterings, got {influences.shape}, {len(clusters)}."
        )
        raise ValueError(message)
    ways = [_codes(codes, psi.shape[0]) for codes in clusters]
    counts = tuple(_count(codes) for codes in ways)
    df = max(min(counts) - 1, 0)
    reason = reasons(
        (np.full(psi.shape[1], df < 1), "A variance needs two clusters each way."),
        (np.asarray(~np.isfinite(psi).all(axis=0)), "An influence is missing or not finite."),
    )
    own = [np.full(psi.shape[1], np.nan) for _ in ways]
    total = own[0]
    if df >= 1:
        with np.errstate(invalid="ignore"):  # infinite influences get their reason below
            own, total = _variances(psi, ways, counts)
    largest = np.maximum.reduce(own)
    floored = total < largest
    return ClusterVariance(
        variance=call.value(np.where(reason == "", np.maximum(total, largest), np.nan)),
        one_way=tuple(call.value(np.where(reason == "", variance, np.nan)) for variance in own),
        floored=call.flag(floored, reason),
        clusters=counts,
        df=df,
        n=psi.shape[0],
        method="cluster-robust, one way" if len(ways) == 1 else "cluster-robust, two ways",
        reason=call.words(reason),
    )


def _codes(labels: ArrayLike, n: int) -> Ints:
    """Return codes from 0 that are not much larger than n, so that counting them needs little memory."""
    codes = np.asarray(labels)
    if codes.shape != (n,) or (codes.size and codes.dtype.kind not in "iu"):
        message = f"clusters must be {n} integer codes, got shape {codes.shape} of {codes.dtype}."
        raise ValueError(message)
    codes = codes.astype(np.int64)
    if codes.size and (codes.min() < 0 or codes.max() > DENSE * n):
        codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    return codes


def _count(codes: Ints) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


def _variances(psi: Floats, ways: list[Ints], counts: tuple[int, ...]) -> tuple[list[Floats], Floats]:
    """Return the variance of each way, and the combined one."""
    if len(ways) == 1:
        only = _one_way(_sums(psi, ways[0]), counts[0])
        return [only], only
    if psi.shape[0] in counts:
        # Where each observation is its own cluster of one way, the intersection is that way.
        own = [
            _one_way(psi if count == psi.shape[0] else _sums(psi, codes), count)
            for codes, count in zip(ways, counts, strict=True)
        ]
        return own, own[1 - counts.index(psi.shape[0])]
    first, second = ways
    width = int(second.max()) + 1
    # The cells of the intersection are summed once; both ways are sums of cells.
    pairs = first * width + second
    if (int(first.max()) + 1) * width > DENSE * pairs.size:
        cells, pairs = np.unique(pairs, return_inverse=True)
    else:
        cells = np.arange(int(pairs.max()) + 1)
    sums = _sums(psi, pairs)
    both = _one_way(sums, _count(pairs))
    parts = (cells // width, cells % width)
    own = [_one_way(_sums(sums, codes), count) for codes, count in zip(parts, counts, strict=True)]
    return own, own[0] + own[1] - both


def _sums(values: Floats, codes: Ints) -> Floats:
    return np.stack([np.bincount(codes, weights=column) for column in values.T], axis=1)


def _one_way(sums: Floats, clusters: int) -> Floats:
    variance: NDArray[np.float64] = clusters / (clusters - 1) * np.einsum("gm,gm->m", sums, sums)
    return variance


def t_interval(estimate: ArrayLike, variance: ArrayLike, df: ArrayLike, *, confidence: float = 0.95) -> TInterval:
    """Return the estimate plus and minus t standard errors.

    Formula: estimate ± t(df, (1 + confidence)/2) sqrt(variance).
    Assumes a nearly normal estimate and a variance with about `df` degrees of freedom.
    Fails: null when the estimate or variance is null, df < 1, or the variance is 0: equal
    observations say that this method can't see the uncertainty, not that there is none.
    A null is given as None or NaN.

    Reference: Cameron and Miller (2015), Journal of Human Resources 50, 317-372, section VI.D.

    >>> interval = t_interval(1.0, 4.0, 1)  # t(1, .975) = tan(.475 π) = 12.706
    >>> round(interval.low, 2), round(interval.high, 2)
    (-24.41, 26.41)
    """
    check_confidence(confidence)
    arrays = [np.asarray(values, dtype=np.float64) for values in (estimate, variance, df)]
    call = Call(scalar=all(array.ndim == 0 for array in arrays))
    centre, v, freedom = (np.atleast_1d(array) for array in np.broadcast_arrays(*arrays))
    reason = reasons(
        (~np.isfinite(centre), "There is no estimate."),
        (~np.isfinite(v) | (v < 0), "There is no variance."),
        (~(freedom >= 1), "There are no degrees of freedom."),
        (v == 0, "The variance is 0: the observations do not vary, so this method has no interval."),
    )
    known = reason == ""
    error = np.sqrt(np.where(known, v, np.nan))
    width = stdtrit(np.where(known, freedom, 1.0), (1 + confidence) / 2) * error
    return TInterval(
        estimate=call.value(np.where(np.isfinite(centre), centre, np.nan)),
        low=call.value(centre - width),
        high=call.value(centre + width),
        standard_error=call.value(error),
        df=call.value(freedom),
        confidence=confidence,
        method="t interval",
        reason=call.words(reason),
    )
