"""A group's number among people against the share of it that is stated to be available."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Call,
    Count,
    Floats,
    Ints,
    Value,
    Words,
    check_confidence,
    check_selected,
    normal_p,
    normal_quantile,
    positive_p,
    read_counts,
    reasons,
)
from evenhand.stats.special import bdtr, bdtrc, gammaln, xlogy
from evenhand.stats.two_groups.rates import wilson_limits

__all__ = ["Availability", "availability"]

#: Probabilities nearer to each other than this, relatively, are equal (as in R's binom.test).
TIE = 1e-7


@dataclass(frozen=True, kw_only=True)
class Availability:
    """The share of a group, and how far its number is from what the stated share gives.

    `statistic` is Z; `p` that of the exact binomial test, `p_z` that of Z. `shortfall` is positive where fewer are
    there than expected.
    """

    estimate: Value
    low: Value
    high: Value
    expected: Value
    shortfall: Value
    statistic: Value
    p_z: Value
    p: Value
    confidence: float
    n: Count
    method: str
    reason: Words


def availability(x: ArrayLike, n: ArrayLike, share: ArrayLike, *, confidence: float = 0.95) -> Availability:
    """Return how x of n people compare with a share that is stated, such as that of the labour market.

    Formula: expected n·share, Z = (x - n·share)/√(n·share·(1 - share)); p is the probability of all numbers of the
    group that are not likelier than x under the binomial distribution; the share x/n has Wilson's limits.
    Assumes people who are drawn independently, and a stated share without an error of its own.
    Fails: null when n is 0.

    References: Castaneda v. Partida, 430 U.S. 482, 496 n.17 (1977); Hazelwood School District v. United States, 433
    U.S. 299, 308 n.14 and 311 n.17 (1977).

    Of 405 teachers 15 were black, of those in the area 5.7 % or 15.4 %: Hazelwood, notes 14 and 17.

    >>> found = availability(15, 405, [0.057, 0.154])
    >>> found.expected.round(1).tolist(), found.statistic.round(2).tolist(), found.p.round(3).tolist()
    ([23.1, 62.4], [-1.73, -6.52], [0.086, 0.0])
    """
    check_confidence(confidence)
    counted, (found, size) = read_counts(x=x, n=n)
    check_selected(found, size, "x", "n")
    shares = np.asarray(share, dtype=np.float64)
    if not ((shares > 0) & (shares < 1)).all():
        message = f"share must lie between 0 and 1, got {share!r}. Write 42 % as 0.42."
        raise ValueError(message)
    call = Call(scalar=counted.scalar and shares.ndim == 0)
    k, m, p = (np.atleast_1d(each) for each in np.broadcast_arrays(found, size, shares))
    reason = reasons((m == 0, "There is nobody to compare."))
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate, expected = k / m, np.where(m > 0, m * p, np.nan)
        z = (k - expected) / np.sqrt(expected * (1 - p))
        low, high = wilson_limits(k.astype(np.float64), m.astype(np.float64), normal_quantile(confidence))
    return Availability(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        expected=call.value(expected),
        shortfall=call.value(expected - k),
        statistic=call.value(z),
        p_z=call.value(normal_p(z)),
        p=call.value(np.where(m > 0, _two_sided(k, m, p), np.nan)),
        confidence=confidence,
        n=call.count(m),
        method="exact binomial test, by point probability; share with Wilson's interval",
        reason=call.words(reason),
    )


def _two_sided(x: Ints, n: Ints, p: Floats) -> Floats:
    """Return the probability of all counts that are not likelier than x."""
    own, mode = _log_pmf(x, n, p), np.floor((n + 1) * p).astype(np.int64)
    below = x < mode
    # On the other side of the mode the probabilities fall: the first count that is not likelier than x.
    low, high = np.where(below, mode, -1), np.where(below, n + 1, mode)
    while (high - low > 1).any():
        middle = (low + high) // 2
        rare = _log_pmf(np.clip(middle, 0, n), n, p) <= own + TIE
        apart = high - low > 1
        # Below the mode counts are rare up to a place, above it from a place on.
        high = np.where(apart & (rare == below), middle, high)
        low = np.where(apart & (rare != below), middle, low)
    lower, upper = np.where(below, x, low), np.where(below, high, x)
    tails = _at_most(lower, n, p) + _at_least(upper, n, p)
    return np.where(own >= _log_pmf(mode, n, p) - TIE, 1.0, positive_p(tails))


def _at_most(k: Ints, n: Ints, p: Floats) -> Floats:
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, bdtr(np.clip(k, 0, n).astype(np.float64), n, p)))


def _at_least(k: Ints, n: Ints, p: Floats) -> Floats:
    inside = np.clip(k - 1, 0, n).astype(np.float64)
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, bdtrc(inside, n, p)))


def _log_pmf(k: Ints, n: Ints, p: Floats) -> Floats:
    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    return np.asarray(ways + xlogy(k, p) + (n - k) * np.log1p(-p))
