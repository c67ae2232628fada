"""Two-sided tails of the hypergeometric distribution, at any size and with exact ties.

A table is (k, N1, N2, K): k of the K selected are among the N1 focal people. Its
probability is C(N1, k) C(N2, K - k) / C(N1 + N2, K).
"""

import numpy as np

from evenhand.stats._arrays import Flags, Floats, Ints

__all__ = ["decided", "log_pmf", "mode_of", "tail_ratio", "two_sided_by_bisection"]

#: log n! - (n + ½) log n + n - ½ log 2π for n = 1 … 15, to double precision (mpmath, 40 digits).
STIRLING = np.array(
    [
        0.0,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    ]
)
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
