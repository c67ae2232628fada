"""Two groups whose people come in clusters: the ratio of their rates or means, its interval and test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import check_confidence, positive_p
from evenhand.stats.clusters.cluster_robust import multiway_variance
from evenhand.stats.special import stdtr, stdtrit

__all__ = ["ClusteredRatio", "clustered_ratio"]

#: A standard error below this share of the means is what rounding leaves of none.
ROUNDING = 1e-10
EMPTY = "A group has nobody in it."
ALIKE = "A group is in one cluster only, or alike in all of its clusters, so that they don't show how much it varies."

TOGETHER = "The groups differ by as much in every cluster, so that clusters don't show how much the difference varies."


@dataclass(frozen=True, kw_only=True)
class ClusteredRatio:
    """Focal over reference rate or mean with its interval and test, and their difference with its test.

    `clusters` counts, for each way, those that hold anybody of either group. `ratio_reason` says why the ratio, its
    limits or its test are null, `reason` why the test of the difference is.
    """

    estimate: float | None
    low: float | None
    high: float | None
    t: float | None
    p: float | None
    ratio_reason: str | None
    difference: float | None
    standard_error: float | None
    difference_t: float | None
    difference_p: float | None
    df: int
    clusters: tuple[int, ...]
    confidence: float
    method: str
    reason: str | None


def clustered_ratio(
    sum_focal: ArrayLike,
    n_focal: ArrayLike,
    sum_reference: ArrayLike,
    n_reference: ArrayLike,
    clusters: Sequence[ArrayLike],
    *,
    confidence: float = 0.95,
) -> ClusteredRatio:
    """Return the ratio of two groups' rates or means, and their difference, from sums within clusters.

    Every array has shape (m,): an entry is a part of a cluster (or a whole one) with n people of each group and the
    sum of their values; of decisions the sum is how many were selected. `clusters` has one or two integer codes per
    entry: the cluster each is of, one way or two.
    Formula: with means m = Σs/Σn and influences ψ = (s - n m)/Σn of each entry, V(d) is `multiway_variance` of
    ψ1 - ψ2 and V(l) that of ψ1/m1 - ψ2/m2. The ratio has t = log(m1/m2)/√V(l) and the limits
    exp(log(m1/m2) ± t √V(l)), so that p is below .05 where its 95 % limits leave 1 out; the difference has
    (m1 - m2)/√V(d). All on G - 1 degrees of freedom, G the clusters that hold anybody of either group (of two ways the
    fewer). It is a Poisson regression with robust variance, or least squares, on the group alone.
    Assumes independent clusters, and many of them with people of each group: below about 30 the interval is too short.
    Fails: null where a group is empty, is in one cluster only, or has the same mean in all of its clusters; the ratio
    also where a mean is not positive.

    References: Liang and Zeger (1986), Biometrika 73, 13-22; Zou and Donner (2013), Statistical Methods in Medical
    Research 22, 661-670 (Poisson regression); Cameron, Gelbach and Miller (2011), Journal of Business and Economic
    Statistics 29, 238-249 (two ways).

    Of 2 in each cluster 2 and 0 are selected in one group, 1 and 0 in the other: m = 1/2 and 1/4,
    ψ1 - ψ2 = (2 - 1)/4 - (1 - 1/2)/4 = 1/8 and -1/8, V = 2/1 · 2/64 = 1/16, t = (1/4)/(1/4) = 1 on one degree:

    >>> found = clustered_ratio([2, 0], [2, 2], [1, 0], [2, 2], [[0, 1]])
    >>> found.estimate, found.difference_t, found.df, round(found.difference_p, 3)
    (2.0, 1.0, 1, 0.5)
    """
    check_confidence(confidence)
    s1, n1, s2, n2 = (
        np.asarray(values, dtype=np.float64) for values in (sum_focal, n_focal, sum_reference, n_reference)
    )
    there = (n1 > 0) | (n2 > 0)
    s1, n1, s2, n2 = s1[there], n1[there], s2[there], n2[there]
    ways = [np.asarray(codes)[there] for codes in clusters]
    if not n1.sum() or not n2.sum():
        return _found(confidence, reason=EMPTY, ratio_reason=EMPTY)
    m1, m2 = float(s1.sum() / n1.sum()), float(s2.sum() / n2.sum())
    psi1, psi2 = (s1 - m1 * n1) / n1.sum(), (s2 - m2 * n2) / n2.sum()
    scale = max(abs(m1), abs(m2), float(np.abs(psi1).max()), float(np.abs(psi2).max()))
    positive = m1 > 0 and m2 > 0
    columns = [psi1, psi2, psi1 - psi2, psi1 / m1 - psi2 / m2 if positive else np.zeros_like(psi1)]
    found = multiway_variance(np.stack(columns, axis=1), ways)
    own1, own2, of_difference, of_log = (float(value) for value in found.variance)
    ratio = m1 / m2 if positive else None
    ratio_reason = None if positive else "A mean is not positive, so there is no ratio."
    known: dict[str, Any] = {"estimate": ratio, "difference": m1 - m2, "df": found.df, "clusters": found.clusters}
    if found.df < 1:
        reason = "There is one cluster only."
        return _found(confidence, **known, reason=reason, ratio_reason=ratio_reason or reason)
    least = (ROUNDING * scale) ** 2
    if min(own1, own2, of_difference) <= least:
        reason = ALIKE if min(own1, own2) <= least else TOGETHER
        return _found(confidence, **known, reason=reason, ratio_reason=reason)
    error, log_error = of_difference**0.5, of_log**0.5
    known |= {"standard_error": error, "difference_t": (m1 - m2) / error}
    known["difference_p"] = _p(known["difference_t"], found.df)
    if ratio is None or log_error <= ROUNDING:
        return _found(confidence, **known, ratio_reason=ratio_reason or ALIKE)
    width = float(stdtrit(found.df, (1 + confidence) / 2)) * log_error
    t = float(np.log(ratio)) / log_error
    limits = {"low": float(ratio * np.exp(-width)), "high": float(ratio * np.exp(width))}
    return _found(confidence, **known, **limits, t=t, p=_p(t, found.df))


def _p(t: float, df: int) -> float:
    return float(positive_p(np.asarray(2 * stdtr(df, -abs(t)))))


def _found(confidence: float, **known: object) -> ClusteredRatio:
    nothing: dict[str, object] = dict.fromkeys(
        (
            *("estimate", "low", "high", "t", "p", "ratio_reason"),
            *("difference", "standard_error", "difference_t", "difference_p", "reason"),
        )
    )
    method = "cluster-robust, log ratio, t"
    return ClusteredRatio(**(nothing | {"df": 0, "clusters": ()} | known), confidence=confidence, method=method)  # type: ignore[arg-type]
