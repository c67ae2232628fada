"""One test for several estimates at once, with clustered observations."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.special import fdtrc

__all__ = ["WaldTest", "wald_test"]

#: Directions whose variance is below this share of the largest carry no information (shares sum to 1).
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, kw_only=True)
class WaldTest:
    """Whether several estimates differ from their null values together."""

    statistic: float | None
    p: float | None
    df: int
    clusters: int
    method: str
    reason: str | None


def wald_test(difference: ArrayLike, influence: ArrayLike, cluster: ArrayLike) -> WaldTest:
    """Return the test that all entries of `difference` are zero.

    Formula: with ψ_g the influences summed within cluster g of G, V = G/(G - 1) Σ ψ_g ψ_g',
    W = d' V⁺ d, and F = W (G - q)/((G - 1) q) on q and G - q degrees of freedom, q the rank
    of V. For one observation per cluster this is Hotelling's T².
    `difference` has shape (m,), `influence` (n, m), `cluster` n integer codes.
    Assumes independent clusters and sums that are nearly normal: some 10 clusters per
    estimate. Shares that add up to 1 may all be given; V then has rank m - 1.
    Fails: null when nothing varies, or G ≤ q.

    Reference: Hotelling (1931), Annals of Mathematical Statistics 2, 360-378; for clusters
    Liang and Zeger (1986), Biometrika 73, 13-22.

    Two clusters, one estimate: V = 2/1 · (.25 + .25) = 1, so W = d² = 4, F = 4 on 1 and 1.

    >>> result = wald_test([2.0], [[0.5], [-0.5]], [0, 1])
    >>> result.statistic, round(result.p, 4)  # p = 1 - 2 arctan(2)/π
    (4.0, 0.2952)
    """
    d = np.asarray(difference, dtype=np.float64)
    psi = np.asarray(influence, dtype=np.float64)
    _, codes = np.unique(np.asarray(cluster), return_inverse=True)
    if psi.ndim != 2 or psi.shape != (codes.size, d.size):
        message = f"influence must be ({codes.size}, {d.size}), got {psi.shape}."
        raise ValueError(message)
    clusters = int(codes.max()) + 1 if codes.size else 0
    sums = np.zeros((clusters, d.size))
    for place, column in enumerate(psi.T):
        sums[:, place] = np.bincount(codes, weights=column, minlength=clusters)
    values, vectors = np.linalg.eigh(_variance(sums, clusters))
    kept = values > NEGLIGIBLE * max(float(values.max(initial=0.0)), 1e-300)
    rank = int(kept.sum())
    common = {"df": rank, "clusters": clusters, "method": "Wald, clustered (Hotelling's T²)"}
    if rank == 0 or not np.isfinite(d).all():
        return WaldTest(statistic=None, p=None, reason="The observations do not vary.", **common)  # type: ignore[arg-type]
    if clusters <= rank:
        reason = f"{rank} estimates need more than {rank} clusters; there are {clusters}."
        return WaldTest(statistic=None, p=None, reason=reason, **common)  # type: ignore[arg-type]
    along = vectors[:, kept].T @ d
    wald = float((along**2 / values[kept]).sum())
    f = wald * (clusters - rank) / ((clusters - 1) * rank)
    return WaldTest(statistic=f, p=float(fdtrc(rank, clusters - rank, f)), reason=None, **common)  # type: ignore[arg-type]


def _variance(sums: NDArray[np.float64], clusters: int) -> NDArray[np.float64]:
    if clusters < 2:
        return np.zeros((sums.shape[1], sums.shape[1]))
    variance: NDArray[np.float64] = clusters / (clusters - 1) * sums.T @ sums
    return variance
