"""Wilcoxon's signed-rank test of paired differences."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import normal_p, positive_p

__all__ = ["SignedRank", "Zeros", "signed_rank"]

Floats = NDArray[np.float64]
Zeros = Literal["pratt", "wilcoxon"]

#: Up to so many pairs without ties and zeros p is exact.
MOST_EXACT: Final = 50


@dataclass(frozen=True, kw_only=True)
class SignedRank:
    """The sum of the ranks of positive differences, and its two-sided p; `n` counts pairs, `zeros` those alike.

    `method` says whether p is exact or normal, and what was done with zeros.
    """

    statistic: float | None
    p: float | None
    n: int
    zeros: int
    method: str
    reason: str | None


def signed_rank(differences: ArrayLike, *, zeros: Zeros = "pratt") -> SignedRank:
    """Return Wilcoxon's test that differences of shape (n,) lie as far above zero as below.

    Formula: W = Σ of the ranks of |d| over d > 0, ties sharing their mean rank. `pratt` ranks zeros with the others
    and then drops their ranks; `wilcoxon` drops them first. Without ties and zeros and up to 50 pairs p counts the
    2ⁿ signs; else z = (W - E) / sqrt(V) without correction for continuity, E = (n(n + 1) - z(z + 1)) / 4,
    V = (n(n + 1)(2n + 1) - z(z + 1)(2z + 1)) / 24 - Σ (t³ - t) / 48 over ties of t, z being the zeros (0 with
    `wilcoxon`, whose n leaves them out).
    Assumes independent differences that are distributed symmetrically. The normal p is rough with fewer than about
    10 that are not zero.
    Fails: null where every difference is zero, with no pairs, or with values that are not finite.

    Reference: Wilcoxon (1945), Biometrics Bulletin 1, 80-83; Pratt (1959), Journal of the American Statistical
    Association 54, 655-667.

    All of four are positive: two of 16 ways are as extreme.

    >>> found = signed_rank([1.0, 2.0, 3.0, 4.0])
    >>> found.statistic, found.p, found.method
    (10.0, 0.125, 'exact')
    """
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 1 or zeros not in {"pratt", "wilcoxon"}:
        message = f"signed_rank takes one dimension and zeros pratt or wilcoxon, got shape {d.shape}, {zeros!r}."
        raise ValueError(message)
    alike = int(np.count_nonzero(d == 0))
    nothing = SignedRank(statistic=None, p=None, n=d.size, zeros=alike, method="none", reason=None)
    if not np.isfinite(d).all():
        return _lacking(nothing, "A difference is missing or not finite.")
    if alike == d.size:
        return _lacking(nothing, "No difference differs from zero." if d.size else "There are no pairs.")
    if zeros == "wilcoxon":
        d = d[d != 0]
    ranks, ties = _mean_ranks(np.abs(d))
    statistic = float(ranks[d > 0].sum())
    left = int(np.count_nonzero(d == 0))
    if not left and (ties == 1).all() and d.size <= MOST_EXACT:
        p, method = _exact(statistic, d.size), "exact"
    else:
        n, own = float(d.size), float(left)
        # The zeros' tie, the first of all, has no ranks that count.
        t = ties[1 if left else 0 :].astype(np.float64)
        mean = (n * (n + 1) - own * (own + 1)) / 4
        variance = (n * (n + 1) * (2 * n + 1) - own * (own + 1) * (2 * own + 1)) / 24 - float((t**3 - t).sum()) / 48
        p, method = float(normal_p(np.array((statistic - mean) / variance**0.5))), "normal"
    if alike:
        method += ", Pratt zeros" if zeros == "pratt" else ", Wilcoxon zeros"
    return SignedRank(statistic=statistic, p=p, n=nothing.n, zeros=alike, method=method, reason=None)


def _lacking(found: SignedRank, reason: str) -> SignedRank:
    return SignedRank(**{**vars(found), "reason": reason})


def _mean_ranks(sizes: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return ranks from 1, equal values sharing their mean, and how many share each."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[place], counts


def _exact(statistic: float, n: int) -> float:
    below = _cumulated(n)
    w = round(min(statistic, n * (n + 1) / 2 - statistic))
    return float(positive_p(np.array(2 * below[w])))


@cache
def _cumulated(n: int) -> Floats:
    """Return the chance of each sum of signed ranks, or less, when signs are drawn."""
    chance = np.ones(1)
    for rank in range(1, n + 1):
        moved = np.zeros(chance.size + rank)
        moved[: chance.size] += chance / 2
        moved[rank:] += chance / 2
        chance = moved
    return np.cumsum(chance)
