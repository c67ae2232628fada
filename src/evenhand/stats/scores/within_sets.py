"""The difference between two groups within sets: what the same résumé was given under names of either group."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.clusters.cluster_robust import ClusterVariance

__all__ = ["WithinSets", "crossed_df", "jackknife_variance", "within_sets"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class WithinSets:
    """A difference within sets; `sets` counts those that hold both groups.

    `left_out` has an array per clustering: the difference without each cluster, by its code; NaN where none is
    left. Without a set of both groups `estimate` is None.
    """

    estimate: float | None
    left_out: tuple[Floats, ...]
    sets: int


def within_sets(
    values: ArrayLike, focal: ArrayLike, sets: ArrayLike, *, clusters: Sequence[ArrayLike] = ()
) -> WithinSets:
    """Return focal minus reference within sets, in the unit of the values, from arrays of shape (n,).

    Formula: Σ w d / Σ w, d being the difference of the two means in a set and w = n1 n2 / (n1 + n2): the
    least-squares coefficient of the group where each set has its own intercept. A set of one group weighs
    nothing. With one set for all it is the difference of the two means.
    `clusters` are integer codes from 0; the difference is computed anew without each cluster.
    Assumes that the difference is about the same in all sets, or that the sets are a sample of those meant.
    Fails: null where no set holds both groups.

    Reference: Wooldridge (2010), Econometric Analysis of Cross Section and Panel Data, section 10.5.

    >>> found = within_sets([3.0, 1.0, 9.0, 8.0], [True, False, True, False], [0, 0, 1, 1], clusters=[[0, 0, 1, 1]])
    >>> found.estimate, found.left_out[0].tolist(), found.sets
    (1.5, [1.0, 2.0], 2)
    """
    y, side = np.asarray(values, dtype=np.float64), np.asarray(focal, dtype=np.float64)
    codes = np.unique(np.asarray(sets), return_inverse=True)[1].astype(np.int64)
    if not y.shape == side.shape == codes.shape or y.ndim != 1:
        message = f"values, focal and sets must be (n,), got {y.shape}, {side.shape}, {codes.shape}."
        raise ValueError(message)
    # Less the mean of its set, which takes nothing from the difference and keeps the sums small.
    n = np.maximum(np.bincount(codes), 1)
    y = y - (np.bincount(codes, weights=y) / n)[codes]
    rows = np.stack([side, side * y, 1.0 - side, (1.0 - side) * y])
    size = n.size if y.size else 0
    whole: Floats = np.stack([np.bincount(codes, weights=row, minlength=size) for row in rows])
    moved, weight = _parts(*whole)
    total = (float(moved.sum()), float(weight.sum()))
    left_out = tuple(_without(rows, whole, codes, np.asarray(each), total) for each in clusters)
    return WithinSets(
        estimate=total[0] / total[1] if total[1] > 0 else None,
        left_out=left_out,
        sets=int(np.count_nonzero(weight)),
    )


def _parts(n1: Floats, y1: Floats, n0: Floats, y0: Floats) -> tuple[Floats, Floats]:
    """Return w d and w of each set, w = n1 n0 / (n1 + n0), without dividing by an empty side."""
    with np.errstate(invalid="ignore", divide="ignore"):
        n = n1 + n0
        return np.where(n > 0, (y1 * n0 - y0 * n1) / n, 0.0), np.where(n > 0, n1 * n0 / n, 0.0)


def _without(rows: Floats, whole: Floats, sets: Ints, cluster: Ints, total: tuple[float, float]) -> Floats:
    """Return the difference without each cluster: its cells are taken from their sets, all others stay."""
    n_sets, n_clusters = whole.shape[1], int(cluster.max(initial=-1)) + 1
    cells, place = np.unique(cluster * n_sets + sets, return_inverse=True)
    own = np.stack([np.bincount(place, weights=row) for row in rows])
    before = whole[:, cells % n_sets]
    changes = [after - had for after, had in zip(_parts(*(before - own)), _parts(*before), strict=True)]
    moved, weight = (
        sums + np.bincount(cells // n_sets, weights=change, minlength=n_clusters)
        for sums, change in zip(total, changes, strict=True)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(weight > 1e-9 * max(total[1], 1e-300), moved / weight, np.nan))


def jackknife_variance(left_out: Sequence[ArrayLike]) -> ClusterVariance:
    """Return the variance of an estimate from its values without each cluster.

    `left_out` has one array of shape (G,), or three: of both ways and of their intersection. Formula: one way,
    V = (G - 1)/G Σ (θ₍₋g₎ - mean)²; two ways V_a + V_b - V_ab, at least max(V_a, V_b). A cluster that is taken
    out whole takes with it what its values did to others by centring, so V is not too small where sets are.
    Assumes that values that share no cluster are independent.
    Fails: null with fewer than 2 clusters each way, and where the estimate does not exist without one of them.

    Reference: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11; MacKinnon, Nielsen and
    Webb (2023), Journal of Econometrics 232, 272-299 (clusters; CV3).

    >>> jackknife_variance([[1.0, 2.0]]).variance  # 1/2 · (.25 + .25)
    0.25
    """
    values = [np.asarray(each, dtype=np.float64) for each in left_out]
    if len(values) not in {1, 3}:
        message = f"left_out must be of one way, or of two ways and their intersection, got {len(values)} arrays."
        raise ValueError(message)
    ways = values[: 1 if len(values) == 1 else 2]
    counts = tuple(each.size for each in ways)
    reason = None
    if min(counts) < 2:
        reason = "A variance needs two clusters each way."
    elif not all(np.isfinite(each).all() for each in values):
        reason = "Without one of the clusters there is no difference."
    own = [
        float(((each - each.mean()) ** 2).sum() * (each.size - 1) / each.size) if reason is None else None
        for each in values
    ]
    known = [each for each in own if each is not None]
    summed = None if reason is not None else known[0] if len(known) == 1 else known[0] + known[1] - known[2]
    largest = None if reason is not None else max(known[: len(ways)])
    return ClusterVariance(
        variance=None if summed is None or largest is None else max(summed, largest),
        one_way=tuple(own[: len(ways)]),
        floored=None if summed is None or largest is None else summed < largest,
        clusters=counts,
        df=max(min(counts) - 1, 0),
        n=sum(counts),
        method="jackknife over clusters, one way" if len(ways) == 1 else "jackknife over clusters, two ways",
        reason=reason,
    )


def crossed_df(found: ClusterVariance) -> float:
    """Return the degrees of freedom of a variance of one way, or of two ways that are crossed.

    Formula: one way, G - 1. Two ways, 1/df = (V_a/(A - 1) + V_b/(B - 1)) / (V_a + V_b): the quantiles of t for either
    way, weighted by its variance, as these are nearly linear in 1/df. So where one way hardly varies, its few clusters
    don't make the interval wide.
    Assumes that every cluster of one way meets (nearly) every one of the other.
    Fails: 0 where there is no variance.

    Reference: Cochran (1964), Biometrics 20, 191-195 (the weights, for two samples of unequal variance); Clark (1973),
    Journal of Verbal Learning and Verbal Behavior 12, 335-359 (items and people as random factors).

    Variances of 1 on 1 and of 1 on 3 degrees of freedom: 1/df = (1 + 1/3) / 2.

    >>> round(crossed_df(jackknife_variance([[0.0, 2.0], [0.0, 0.0, 0.0, (16 / 9) ** 0.5], [0.0, 0.0]])), 6)
    1.5
    """
    if found.variance is None or not found.variance > 0:
        return 0.0
    own = [count - 1.0 for count in found.clusters]
    parts = sum(variance / df for variance, df in zip(found.one_way, own, strict=True))
    return float(sum(found.one_way) / parts)
