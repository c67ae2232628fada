"""Fisher's exact test for tables of any size, by two-sided tails of the hypergeometric distribution.

A table is (k, N1, N2, K): k of the K selected are among the N1 focal people. Its
probability is C(N1, k) C(N2, K - k) / C(N1 + N2, K).

A table whose count is not far from the most likely one is walked through: the probabilities
relative to its own rise to the mode and fall until they reach it again, and that sum is
what the p leaves out. Other tables are searched by bisection. Both decide ties exactly.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Count, Flags, Floats, Ints, Value, Words, positive_p, read_two_groups, reasons
from evenhand.stats.special import gammaln

#: log n! - (n + ½) log n + n - ½ log 2π for n = 1 … 15, whose rounding is below 1e-14.
SMALL = np.arange(1.0, 16.0)
STIRLING = np.append(0.0, gammaln(SMALL + 1) - (SMALL + 0.5) * np.log(SMALL) + SMALL - 0.5 * np.log(2 * np.pi))
#: Relative error of a difference of two log_pmf, per unit of deviance and at least; generous by a factor of 100.
ROUNDING = 1e-12
#: Terms of a tail are summed in blocks of this size: small for many small tables, then growing.
FIRST_BLOCK = 32
LARGEST_BLOCK = 1 << 16
#: Below this log probability a tie changes nothing that a float can hold.
NEGLIGIBLE = -740.0


def two_sided_by_bisection(k: Ints, N1: Ints, N2: Ints, K: Ints) -> tuple[Floats, Floats]:
    """Return Σ pmf(j) over pmf(j) ≤ pmf(k) for k left of the mode, and the part of it that ties with k.

    For tables of any size; k itself is among the ties.
    """
    top = np.minimum(K, N1)
    log_p = log_pmf(k, N1, N2, K)
    far, tied = _far_side(k, N1, N2, K, log_p)
    here = np.exp(log_p)
    p = here * tail_ratio(k, N1, N2, K)
    beyond = far <= top
    f, n1, n2, kk = far[beyond], N1[beyond], N2[beyond], K[beyond]
    # The right tail is the left tail of the mirrored table.
    p[beyond] += np.exp(log_pmf(f, n1, n2, kk)) * tail_ratio(kk - f, n2, n1, kk)
    # Where the two tails meet they are everything; at the mode every other table is in them.
    p[far == k + 1] = 1.0
    return p, here * np.where(tied, 2.0, 1.0)


def log_pmf(k: Ints, N1: Ints, N2: Ints, K: Ints) -> Floats:
    """Return the log probability of a table, to about 1e-15 relative to its deviance.

    Each factorial is split into n log n - n, which sums up to the deviance from
    independence, and a small remainder: nothing large cancels (Loader 2000).
    """
    M = N1 + N2
    if int(M.max(initial=0)) < 2**31:
        delta = (k * N2 - (K - k) * N1) / M
    else:
        delta = (k * N2.astype(np.float64) - (K - k) * N1.astype(np.float64)) / M
    rows_columns = _remainder(N1) + _remainder(N2) + _remainder(K) + _remainder(M - K) - _remainder(M)
    cells = (k, N1 - k, K - k, N2 - K + k)
    result = rows_columns - sum(_remainder(cell) for cell in cells)
    for cell, sign in zip(cells, (1, -1, -1, 1), strict=True):
        result = result - _deviance(cell.astype(np.float64), sign * delta)
    return np.asarray(result)


def _remainder(n: Ints) -> Floats:
    """Return log n! - (n log n - n): ½ log 2πn and Stirling's series; 0 for n = 0."""
    large = np.maximum(n, 16).astype(np.float64)
    s = 1 / (large * large)
    series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))) / large
    correction = np.where(n < STIRLING.size, STIRLING[np.minimum(n, STIRLING.size - 1)], series)
    return np.where(n > 0, 0.5 * np.log(2 * np.pi * np.maximum(n, 1)) + correction, 0.0)


def _deviance(x: Floats, delta: Floats) -> Floats:
    """Return x log(x/e) + e - x for e = x - delta, without cancellation at small delta."""
    e = x - delta
    with np.errstate(divide="ignore", invalid="ignore"):
        v = delta / (x + e)
        square = v * v
        term, series = 2 * x * v * square, np.zeros_like(x)
        for odd in range(3, 23, 2):  # |v| < .1: the next term is below 1e-23 of the first
            series = series + term / odd
            term = term * square
        near = delta * v + series
        far = np.where(x > 0, x * np.log(x / e), 0.0) - delta
    return np.where(np.abs(delta) < 0.1 * (x + e), near, np.where(e > 0, far, 0.0))


def mode_of(N1: Ints, N2: Ints, K: Ints) -> tuple[Ints, Flags]:
    """Return the most likely k, the upper one where two are, and whether two are."""
    exact = int((N1 + N2).max(initial=0)) < 2**31
    k1, n1, m = (
        ((K + 1), (N1 + 1), (N1 + N2 + 2)) if exact else (v.astype(object) for v in (K + 1, N1 + 1, N1 + N2 + 2))
    )
    product = k1 * n1
    return np.asarray(product // m, dtype=np.int64), np.asarray(product % m == 0, dtype=np.bool_)


def _far_side(k: Ints, N1: Ints, N2: Ints, K: Ints, log_p: Floats) -> tuple[Ints, Flags]:
    """Return the first k right of the mode that is at most as likely as k, and whether it ties.

    One beyond the largest possible k where there is none. Right of the mode the
    probabilities fall strictly, so bisection finds the place and at most one k ties.
    """
    top = np.minimum(K, N1)
    low, high = np.maximum(k + 1, mode_of(N1, N2, K)[0]), top + 1
    slack = ROUNDING * (1 + np.abs(log_p))
    while True:
        open_ = low < high
        if not open_.any():
            break
        middle = np.minimum((low + high) // 2, top)
        enough = log_pmf(middle, N1, N2, K) <= log_p + slack
        high = np.where(open_ & enough, middle, high)
        low = np.where(open_ & ~enough, middle + 1, low)
    far = low
    inside = far <= top
    difference = np.where(inside, log_pmf(np.minimum(far, top), N1, N2, K) - log_p, -np.inf)
    doubtful = inside & (np.abs(difference) <= slack) & (log_p > NEGLIGIBLE)
    return decided(far, doubtful, k=k, N1=N1, N2=N2, K=K)


def decided(far: Ints, doubtful: Flags, *, k: Ints, N1: Ints, N2: Ints, K: Ints) -> tuple[Ints, Flags]:
    """Return `far` moved, where in doubt, to the first place that is exactly at most as likely, and whether it ties."""
    far = far.copy()
    # pmf is symmetric in k and K - k for equal groups, in k and N1 - k when half of all are selected.
    tied = doubtful & (((N1 == N2) & (far == K - k)) | ((2 * K == N1 + N2) & (far == N1 - k)))
    for place in np.flatnonzero(doubtful & ~tied):
        far[place], tied[place] = _decide(int(k[place]), int(far[place]), int(N1[place]), int(N2[place]), int(K[place]))
    return far, tied


def _decide(k: int, far: int, N1: int, N2: int, K: int) -> tuple[int, bool]:
    """Return the first k right of the mode that is exactly at most as likely, and whether it ties.

    pmf(far) / pmf(k) is a quotient of two products of whole numbers.
    """
    top = min(K, N1)
    above = _product([(N1 - j + 1, K - j + 1) for j in range(k + 1, far + 1)])
    below = _product([(j, N2 - K + j) for j in range(k + 1, far + 1)])
    # At most a few steps: only neighbours that differ by less than the rounding come here.
    while above > below and far < top:
        far += 1
        above *= (N1 - far + 1) * (K - far + 1)
        below *= far * (N2 - K + far)
    if above > below:
        return far + 1, False
    return far, above == below


def _product(pairs: list[tuple[int, int]]) -> int:
    """Return the product of all numbers, multiplied in a tree so that both factors stay alike in size."""
    level = [x * y for x, y in pairs]
    while len(level) > 1:
        level = [level[i] * level[i + 1] if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    return level[0]


def tail_ratio(k: Ints, N1: Ints, N2: Ints, K: Ints) -> Floats:
    """Return Σ pmf(j) / pmf(k) over j ≤ k, for k at most the mode."""
    total = np.ones(k.shape)
    place = np.arange(k.size)
    j, n1, n2, kk = (values.astype(np.float64) for values in (k, N1, N2, K))
    term = np.ones(k.shape)
    block = FIRST_BLOCK
    while place.size:
        steps = j[:, None] - np.arange(min(block, max(FIRST_BLOCK, LARGEST_BLOCK // place.size)))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = ((n2 - kk)[:, None] + steps) * steps
            ratio /= ((n1 + 1)[:, None] - steps) * ((kk + 1)[:, None] - steps)
        # Below the smallest possible j the first factor is 0 and the rest must stay 0.
        np.clip(ratio, 0.0, 1.0, out=ratio)
        terms = term[:, None] * np.cumprod(ratio, axis=1)
        total[place] += terms.sum(axis=1)
        term, last = terms[:, -1], ratio[:, -1]
        j = j - steps.shape[1]
        # Ratios fall with j, so the rest is at most a geometric series.
        go = term * last > 1e-17 * total[place] * (1 - last)
        place, term, j, n1, n2, kk = place[go], term[go], j[go], n1[go], n2[go], kk[go]
        block *= 2
    return total


#: Longer walks cost more than a search, and their products more digits.
LONGEST_WALK = 512
#: Products of four counts below this are exact as floats.
EXACT_PEOPLE = 2**25
#: Relative error of a walk's products, generous by a factor of 10.
TAIL_ROUNDING = 1e-11
#: Where the walk leaves less than this the tails are summed instead: 1 - sum would lose more than two digits.
SUMMED = 0.02
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
    here = np.exp(log_pmf(k, N1, N2, K))
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
    more = share > 1 + TAIL_ROUNDING
    first = more.sum(axis=1)
    at = np.minimum(first, length - 1)
    there = share[np.arange(k.size), at]
    first_far = k + 1 + at
    far, tied = decided(first_far, (first < length) & (there >= 1 - TAIL_ROUNDING), k=k, N1=N1, N2=N2, K=K)
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


@dataclass(frozen=True, kw_only=True)
class FisherExact:
    """Two-sided exact p, and its mid-p."""

    p: Value
    mid_p: Value
    n: Count
    method: str
    reason: Words


def fisher_exact(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> FisherExact:
    """Return Fisher's two-sided exact p, and Lancaster's mid-p beside it.

    Formula: under equal chances and fixed margins the focal count is hypergeometric.
    p = Σ pmf(k) over all k with pmf(k) ≤ pmf(a). mid-p counts the tables that are
    exactly as likely as the observed one half: Σ over pmf(k) < pmf(a) + ½ Σ over
    pmf(k) = pmf(a).
    Ties are decided exactly, on whole numbers where rounding could err. pmf is a
    saddle-point expansion, so p keeps about 12 digits at billions of people.
    Assumes that the margins are fixed; with random margins p is too large on average
    and mid-p nearly right. mid-p can fall below its level.
    Fails: null when a group is empty. Where all or none were selected only one table is
    possible: p is 1 and mid-p ½, and neither says anything.
    A p below 2.2e-308 is given as 2.2e-308.

    References: Fisher (1935), Journal of the Royal Statistical Society 98, 39-82;
    Lancaster (1961), Journal of the American Statistical Association 56, 223-234;
    Loader (2000), Fast and Accurate Computation of Binomial Probabilities.

    3/3 against 0/3: two of the C(6, 3) = 20 tables are this unlikely, and both tie.

    >>> test = fisher_exact(3, 3, 0, 3)
    >>> round(test.p, 12), round(test.mid_p, 12)
    (0.1, 0.05)
    """
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    reason = reasons(*groups.empty)
    known = reason == ""
    p = np.full(known.shape, np.nan)
    mid_p = p.copy()
    p[known], mid_p[known] = two_sided(groups.a[known], groups.N1[known], groups.c[known], groups.N2[known])
    return FisherExact(
        p=call.value(positive_p(p)),
        mid_p=call.value(positive_p(mid_p)),
        n=call.count(groups.N1 + groups.N2),
        method="Fisher exact, two-sided",
        reason=call.words(reason),
    )
