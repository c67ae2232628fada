"""Two groups compared within blocks, such as the advertisement that all of a block applied to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import check_confidence, positive_p
from evenhand.stats.clusters.cluster_robust import multiway_variance, t_interval
from evenhand.stats.special import stdtr

__all__ = ["WithinBlocks", "within_blocks"]

NO_BLOCK = "In no block are there people of both groups."
#: A standard error below this share of the largest values is what rounding leaves of none.
ROUNDING = 1e-10


@dataclass(frozen=True, kw_only=True)
class WithinBlocks:
    """Focal minus reference, rates or means, within blocks; `blocks` and `n` count those with both groups."""

    estimate: float | None
    low: float | None
    high: float | None
    t: float | None
    df: int
    p: float | None
    blocks: int
    clusters: tuple[int, ...]
    n: int
    confidence: float
    method: str
    reason: str | None


def within_blocks(  # noqa: PLR0917 - two groups in the order of all two-group statistics
    sum_focal: ArrayLike,
    n_focal: ArrayLike,
    sum_reference: ArrayLike,
    n_reference: ArrayLike,
    blocks: ArrayLike,
    clusters: Sequence[ArrayLike] = (),
    *,
    confidence: float = 0.95,
) -> WithinBlocks:
    """Return the difference of two groups' rates or means with their block held fixed.

    Arrays have shape (m,): an entry is a part of a block with n people of each group and the sum of their values.
    `clusters` are one or two integer codes per entry; without them the blocks are the clusters.
    Formula: with d_b the difference in block b and w_b = n1 n2/(n1 + n2), the estimate is Σ w_b d_b/Σ w_b, which is
    that of least squares with a constant for each block (fixed effects), and of rates Mantel and Haenszel's. An
    entry's influence is x̃ (s - n(ȳ_b + x̃ d))/Σ w_b, x̃ being n2/(n1 + n2) of the focal and -n1/(n1 + n2) of the
    reference group; its variance is `multiway_variance`, its limits those of t on G - 1.
    Assumes independent clusters, many of them. A difference that changes with the block is averaged.
    Fails: null where no block has both groups; limits and test with fewer than two clusters, or where nothing varies.

    References: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22, 719-748; Greenland and Robins
    (1985), Biometrics 41, 55-68 (the difference); Arellano (1987), Oxford Bulletin of Economics and Statistics 49,
    431-434 (its variance).

    In one block 1 of 2 against 2 of 2, in another 0 of 2 against 2 of 2: w = 1 and 1, d = -.5 and -1; ψ = ±.125,
    V = 2/1 · 2/64 = 1/16:

    >>> found = within_blocks([1, 0], [2, 2], [2, 2], [2, 2], [0, 1])
    >>> found.estimate, found.t, found.blocks
    (-0.75, -3.0, 2)
    """
    check_confidence(confidence)
    s1, n1, s2, n2 = (
        np.asarray(values, dtype=np.float64) for values in (sum_focal, n_focal, sum_reference, n_reference)
    )
    codes = np.unique(np.asarray(blocks), return_inverse=True)[1]
    S1, N1, S2, N2 = (np.bincount(codes, weights=values) for values in (s1, n1, s2, n2))
    both = (N1 > 0) & (N2 > 0)
    n = int((N1 + N2)[both].sum())
    method = "fixed effects of blocks, cluster-robust"
    if not n:
        return WithinBlocks(
            estimate=None, low=None, high=None, t=None, df=0, p=None, blocks=0, clusters=(), n=0,
            confidence=confidence, method=method, reason=NO_BLOCK,
        )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(both, N1 * N2 / (N1 + N2), 0.0)
        estimate = float(np.where(both, weight * (S1 / N1 - S2 / N2), 0.0).sum() / weight.sum())
        mean, share = (S1 + S2) / (N1 + N2), N1 / (N1 + N2)
    inside = both[codes]
    of_focal, of_reference = (1 - share)[codes][inside], -share[codes][inside]
    centre = mean[codes][inside]
    residuals = [
        x * (s[inside] - k[inside] * (centre + x * estimate))
        for x, s, k in ((of_focal, s1, n1), (of_reference, s2, n2))
    ]
    psi = (residuals[0] + residuals[1]) / weight.sum()
    ways = [np.asarray(each)[inside] for each in clusters] or [codes[inside]]
    variance = multiway_variance(psi, ways)
    scale = float(np.abs(np.concatenate([centre, [estimate]])).max())
    v = 0.0 if (variance.variance or 0.0) <= (ROUNDING * scale) ** 2 else variance.variance
    interval = t_interval(estimate, v, variance.df, confidence=confidence)
    t = None if interval.standard_error is None else estimate / interval.standard_error
    return WithinBlocks(
        estimate=estimate,
        low=interval.low,
        high=interval.high,
        t=t,
        df=variance.df,
        p=None if t is None else float(positive_p(np.asarray(2 * stdtr(variance.df, -abs(t))))),
        blocks=int(both.sum()),
        clusters=variance.clusters,
        n=n,
        confidence=confidence,
        method=method,
        reason=variance.reason or interval.reason,
    )
