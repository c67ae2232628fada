"""Variance of an estimate whose clusters were sampled within strata, such as names within groups."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["StratifiedVariance", "stratified_variance"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class StratifiedVariance:
    """Variances and degrees of freedom, one of each per estimate; NaN where they can't be had."""

    variance: Floats
    df: Floats
    clusters: tuple[int, ...]
    method: str


def stratified_variance(influence: ArrayLike, strata: ArrayLike) -> StratifiedVariance:
    """Return the variance of estimates from the influence of each cluster, sampled within strata.

    Formula: V = Σ_h V_h with V_h = G_h/(G_h - 1) Σ_c (ψ_c - ψ̄_h)² over the G_h clusters c of
    stratum h; degrees of freedom V² / Σ_h V_h²/(G_h - 1).
    `influence` has shape (clusters, m) for m estimates, `strata` the codes of the clusters.
    Assumes that clusters are independent, and the strata fixed: how much they differ among
    themselves is part of the estimate and not of its error. A stratum of one cluster has no
    spread of its own; ψ² stands for it, which errs to the wide side.
    Fails: NaN with fewer than two clusters in every stratum.

    References: Cochran (1977), Sampling Techniques, 3rd ed., section 5.4 (variance) and
    5.16 in his notation (degrees of freedom); Satterthwaite (1946), Biometrics Bulletin 2, 110-114.

    Two strata of two: 2 · (.5² + .5²) + 2 · (.1² + .1²) = 1.04; 1.04²/(1 + .0016) = 1.08.

    >>> found = stratified_variance([[0.5], [-0.5], [0.1], [-0.1]], [0, 0, 1, 1])
    >>> round(float(found.variance[0]), 4), round(float(found.df[0]), 2)
    (1.04, 1.08)
    """
    psi = np.asarray(influence, dtype=np.float64)
    codes = np.asarray(strata, dtype=np.int64)
    if psi.ndim != 2 or codes.shape != psi.shape[:1]:
        message = f"influence must be (clusters, m) with a stratum per cluster, got {psi.shape} and {codes.shape}."
        raise ValueError(message)
    variance, below = np.zeros(psi.shape[1]), np.zeros(psi.shape[1])
    sizes = np.bincount(codes) if codes.size else np.zeros(0, dtype=np.int64)
    for stratum in np.flatnonzero(sizes):
        own, size = psi[codes == stratum], int(sizes[stratum])
        centre = own.mean(axis=0) if size > 1 else 0.0
        part = size / max(size - 1, 1) * ((own - centre) ** 2).sum(axis=0)
        variance += part
        below += part**2 / max(size - 1, 1)
    known = (sizes > 1).any()
    with np.errstate(invalid="ignore", divide="ignore"):
        df = variance**2 / below
    return StratifiedVariance(
        variance=np.where(known, variance, np.nan),
        df=np.where(known & (below > 0), df, np.nan),
        clusters=tuple(sizes.tolist()),
        method="cluster-robust within strata",
    )
