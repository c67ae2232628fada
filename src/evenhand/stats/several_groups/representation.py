"""Groups of a table beside the shares that they should have."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import positive_p
from evenhand.stats.special import bdtr, chdtrc

__all__ = ["GoodnessOfFit", "effective_sample_size", "goodness_of_fit"]

#: The χ² is read where at least so many people are expected in each group.
ENOUGH = 5.0
DRAWS = 9_999


@dataclass(frozen=True, kw_only=True)
class GoodnessOfFit:
    """A test of all groups together, and an exact one of each (`p_each`)."""

    statistic: float | None
    df: int
    p: float | None
    p_each: tuple[float, ...]
    n: int
    method: str
    reason: str | None


def goodness_of_fit(counts: ArrayLike, shares: ArrayLike, *, seed: int = 0) -> GoodnessOfFit:
    """Return the test that people come from groups of these shares, and the exact binomial test of each group.

    Formula: Σ (observed - expected)² / expected, χ² with k - 1 degrees of freedom. Where fewer than 5 people are
    expected in a group, p is that of 9,999 multinomial draws, (1 + as extreme) / 10,000. A group's own p is twice the
    smaller tail of the binomial distribution, at most 1.
    Assumes independent people.
    Fails: null without people, or where a share is 0 or the shares don't add up to 1.

    Reference: Agresti (2013), Categorical Data Analysis, 3rd edition, sections 1.5 and 16.6.

    60 and 40 of 100 at equal shares: 10²/50 + 10²/50 = 4.

    >>> found = goodness_of_fit([60, 40], [0.5, 0.5])
    >>> found.statistic, round(found.p, 4), round(found.p_each[0], 4)
    (4.0, 0.0455, 0.0569)
    """
    k, q = np.asarray(counts, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    n, df = float(k.sum()), len(k) - 1
    reason = None
    if not n or df < 1:
        reason = "There are no people in two groups."
    elif (q <= 0).any() or abs(q.sum() - 1) > 1e-6:
        reason = "The shares must be above 0 and add up to 1."
    if reason is not None:
        return GoodnessOfFit(statistic=None, df=df, p=None, p_each=(), n=int(n), method="", reason=reason)
    expected = n * q
    statistic = float(((k - expected) ** 2 / expected).sum())
    if expected.min() >= ENOUGH:
        p, method = chdtrc(df, statistic), "Pearson chi-square"
    else:
        drawn = np.random.default_rng(seed).multinomial(int(n), q, size=DRAWS)
        extreme = ((drawn - expected) ** 2 / expected).sum(axis=1) >= statistic * (1 - 1e-12)
        p, method = (1 + extreme.sum()) / (DRAWS + 1), f"exact multinomial, {DRAWS:,} draws"
    # As the lower tail of the others, since one minus a tail near 1 is noise.
    upper = bdtr(n - k, int(n), 1 - q)
    each = positive_p(np.minimum(1.0, 2 * np.minimum(bdtr(k, int(n), q), upper)))
    return GoodnessOfFit(
        statistic=statistic,
        df=df,
        p=float(positive_p(np.asarray([p]))[0]),
        p_each=tuple(each.tolist()),
        n=int(n),
        method=method,
        reason=None,
    )


def effective_sample_size(counts: ArrayLike, shares: ArrayLike) -> float | None:
    """Return how many people the table is worth once its groups are weighted to shares.

    Formula: (Σ w)² / Σ w² over people, w = share / observed share of the person's group; groups without people are
    left out of both.
    Fails: None without people.

    Reference: Kish (1965), Survey Sampling, section 11.7.

    90 and 10 people weighted to halves: 1 / (.25 / 90 + .25 / 10).

    >>> effective_sample_size([90, 10], [0.5, 0.5])
    36.0
    """
    k, q = np.asarray(counts, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    held = k > 0
    if not held.any() or not q[held].sum():
        return None
    q = q[held] / q[held].sum()
    return float(1 / (q**2 / k[held]).sum())
