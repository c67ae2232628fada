"""Two-sided tails of the hypergeometric distribution for many tables: the nearest way for each.

A table whose count is not far from the most likely one is walked through: the probabilities
relative to its own rise to the mode and fall until they reach it again, and that sum is
what the p leaves out. Other tables are searched by bisection. Both decide ties exactly.
"""

import math
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evenhand.stats._arrays import Flags, Floats, Ints
from evenhand.stats.two_groups._hypergeometric import decided, log_pmf, mode_of, tail_ratio, two_sided_by_bisection

__all__ = ["two_sided"]

Ints32: TypeAlias = NDArray[np.int32]

#: Longer walks cost more than a search, and their products more digits.
LONGEST_WALK = 512
#: Products of four counts below this are exact as floats.
EXACT_PEOPLE = 2**25
#: Relative error of a walk's products, generous by a factor of 10.
ROUNDING = 1e-11
#: Where the walk leaves less than this the tails are summed instead: 1 - sum would lose more than two digits.
SUMMED = 0.02
#: Factorials are tabled below this size.
TABLED = 8192
#: Binary digits of a factorial that are carried along.
DIGITS = 128
#: Numbers of a block, so that it stays in the processor's cache; and rows of one.
BLOCK, ROWS = 1 << 15, 1 << 12


def two_sided(a: Ints, N1: Ints, c: Ints, N2: Ints) -> tuple[Floats, Floats]:
    """Return Σ pmf(k) over pmf(k) ≤ pmf(a), and the same with ties counted half; one-dimensional counts."""
    # Work left of the mode: elsewhere the groups change places, which mirrors the distribution.
    # Of two equal modes the left one, so that the tie lies to the right as everywhere.
    K = a + c
    mode, twin = mode_of(N1, N2, K)
    mirrored = (a > mode) | ((a == mode) & twin)
    k, n1, n2 = np.where(mirrored, c, a), np.where(mirrored, N2, N1), np.where(mirrored, N1, N2)
    # By symmetry the walk ends as far behind the mode as it began before it; skewness takes it a little further.
    ahead = np.where(mirrored, K - mode, mode) - k
    steps = 2 * ahead + ahead // 4 + 4
    walked = (steps <= LONGEST_WALK) & (N1 + N2 < EXACT_PEOPLE)
    p, ties = np.empty(a.shape), np.empty(a.shape)
    order = np.flatnonzero(walked)
    order = order[np.argsort(steps[order], kind="stable")]
    begin = 0
    while begin < order.size:
        length = int(steps[order[min(begin + ROWS, order.size) - 1]])
        rows = order[begin : begin + max(min(ROWS, BLOCK // length), 1)]
        p[rows], ties[rows], arrived = _walk(k[rows], n1[rows], n2[rows], K[rows], int(steps[rows[-1]]))
        walked[rows] = arrived
        begin += rows.size
    rest = np.flatnonzero(~walked)
    for begin in range(0, rest.size, ROWS):
        rows = rest[begin : begin + ROWS]
        p[rows], ties[rows] = two_sided_by_bisection(k[rows], n1[rows], n2[rows], K[rows])
    p = np.minimum(p, 1.0)
    return p, p - 0.5 * ties


def _walk(k: Ints, N1: Ints, N2: Ints, K: Ints, length: int) -> tuple[Floats, Floats, Flags]:
    """Return p, the part of it that ties, and whether the walk arrived on the other side."""
    here = _pmf(k, N1, N2, K)
    step = np.arange(1.0, length + 1)
    # pmf(k + i) / pmf(k + i - 1), exactly 0 beyond the largest k.
    share = np.subtract.outer((N1 - k + 1).astype(np.float64), step)
    share *= np.subtract.outer((K - k + 1).astype(np.float64), step)
    below = np.add.outer(k.astype(np.float64), step)
    below *= np.add.outer((N2 - K + k).astype(np.float64), step)
    share /= below
    # Beyond 1e308 a product is infinite, and NaN after the end; such rows are left to the search.
    with np.errstate(over="ignore", invalid="ignore"):
        np.multiply.accumulate(share, axis=1, out=share)
    more = share > 1 + ROUNDING
    first = more.sum(axis=1)
    at = np.minimum(first, length - 1)
    there = share[np.arange(k.size), at]
    first_far = k + 1 + at
    far, tied = decided(first_far, (first < length) & (there >= 1 - ROUNDING), k=k, N1=N1, N2=N2, K=K)
    # Strictly between k and there; a far end that had to be moved is left to the search.
    with np.errstate(over="ignore", invalid="ignore"):
        share *= more
        p = 1 - here * share.sum(axis=1)
    arrived = (first < length) & (far == first_far) & np.isfinite(p)
    tails = np.flatnonzero(arrived & (p < SUMMED))
    p[tails] = here[tails] * tail_ratio(k[tails], N1[tails], N2[tails], K[tails])
    # The right tail is the left tail of the mirrored table; its first share is 0 where there is none.
    tails = tails[there[tails] > 0]
    p[tails] += here[tails] * there[tails] * tail_ratio(K[tails] - far[tails], N2[tails], N1[tails], K[tails])
    return p, here * np.where(tied, 2.0, 1.0), arrived


def _pmf(k: Ints, N1: Ints, N2: Ints, K: Ints) -> Floats:
    """Return the probability of each table: from tabled factorials where all are small."""
    M = N1 + N2
    if int(M.max(initial=0)) >= TABLED:
        return np.exp(log_pmf(k, N1, N2, K))
    mantissa, exponent = _factorials()
    value, power = 1 / mantissa[M], -exponent[M]
    for margin in (N1, N2, K, M - K):
        value *= mantissa[margin]
        power += exponent[margin]
    for cell in (k, N1 - k, K - k, N2 - K + k):
        value /= mantissa[cell]
        power -= exponent[cell]
    return np.asarray(np.ldexp(value, power))


@cache
def _factorials() -> tuple[Floats, Ints32]:
    """Return 0!, 1!, … as mantissas in [1, 2) and powers of 2, each right to the last digit."""
    mantissa, exponent = np.ones(TABLED), np.zeros(TABLED, dtype=np.int32)
    digits, power = 1 << DIGITS, 0
    for n in range(1, TABLED):
        digits *= n
        over = digits.bit_length() - DIGITS - 1
        # What is cut off is far below a float's last digit, also after all the steps.
        digits >>= over
        power += over
        mantissa[n], exponent[n] = math.ldexp(digits, -DIGITS), power
    return mantissa, exponent
