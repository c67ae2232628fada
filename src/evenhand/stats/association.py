"""Two groups, one decision: Fisher's exact test, Z, odds ratio, Cohen's h, shortfall, and which test to read.

Fisher's test is for tables of any size, by two-sided tails of the hypergeometric distribution. A table is
(k, N1, N2, K): k of the K selected are among the N1 focal people. Its probability is
C(N1, k) C(N2, K - k) / C(N1 + N2, K). A table whose count is not far from the most likely one is walked through: the
probabilities relative to its own rise to the mode and fall until they reach it again, and that sum is what the p leaves
out. Other tables are searched by bisection. Both decide ties exactly.

`log_odds` compares how often two groups of texts use a word.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.rates import FourFifthsRule, no_reference_rate, outside_limits, ratio_of_rates
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


def two_sided_by_bisection(
    k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints
) -> tuple[_arrays.Floats, _arrays.Floats]:
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


def log_pmf(k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints) -> _arrays.Floats:
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


def _remainder(n: _arrays.Ints) -> _arrays.Floats:
    """Return log n! - (n log n - n): ½ log 2πn and Stirling's series; 0 for n = 0."""
    large = np.maximum(n, 16).astype(np.float64)
    s = 1 / (large * large)
    series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))) / large
    correction = np.where(n < STIRLING.size, STIRLING[np.minimum(n, STIRLING.size - 1)], series)
    return np.where(n > 0, 0.5 * np.log(2 * np.pi * np.maximum(n, 1)) + correction, 0.0)


def _deviance(x: _arrays.Floats, delta: _arrays.Floats) -> _arrays.Floats:
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


def mode_of(N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints) -> tuple[_arrays.Ints, _arrays.Flags]:
    """Return the most likely k, the upper one where two are, and whether two are."""
    exact = int((N1 + N2).max(initial=0)) < 2**31
    k1, n1, m = (
        ((K + 1), (N1 + 1), (N1 + N2 + 2)) if exact else (v.astype(object) for v in (K + 1, N1 + 1, N1 + N2 + 2))
    )
    product = k1 * n1
    return np.asarray(product // m, dtype=np.int64), np.asarray(product % m == 0, dtype=np.bool_)


def _far_side(
    k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints, log_p: _arrays.Floats
) -> tuple[_arrays.Ints, _arrays.Flags]:
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


def decided(
    far: _arrays.Ints, doubtful: _arrays.Flags, *, k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints
) -> tuple[_arrays.Ints, _arrays.Flags]:
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


def tail_ratio(k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints) -> _arrays.Floats:
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


def two_sided(
    a: _arrays.Ints, N1: _arrays.Ints, c: _arrays.Ints, N2: _arrays.Ints
) -> tuple[_arrays.Floats, _arrays.Floats]:
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


def _walk(
    k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints, length: int
) -> tuple[_arrays.Floats, _arrays.Floats, _arrays.Flags]:
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

    p: _arrays.Value
    mid_p: _arrays.Value
    n: _arrays.Count
    method: str
    reason: _arrays.Words


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
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    reason = _arrays.reasons(*groups.empty)
    known = reason == ""
    p = np.full(known.shape, np.nan)
    mid_p = p.copy()
    p[known], mid_p[known] = two_sided(groups.a[known], groups.N1[known], groups.c[known], groups.N2[known])
    return FisherExact(
        p=call.value(_arrays.positive_p(p)),
        mid_p=call.value(_arrays.positive_p(mid_p)),
        n=call.count(groups.N1 + groups.N2),
        method="Fisher exact, two-sided",
        reason=call.words(reason),
    )


#: 'Two or three standard deviations', Hazelwood v. United States, 433 U.S. 299, 308 n.14 (1977), as the 5 % level.
TWO_STANDARD_DEVIATIONS = 1.96


@dataclass(frozen=True, kw_only=True)
class ZTest:
    """The pooled Z of two rates; negative when the focal group is worse off."""

    statistic: _arrays.Value
    p: _arrays.Value
    significant: _arrays.Flag
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class PeopleSelected:
    """How many more of the focal group the common rate would have selected."""

    estimate: _arrays.Value
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class FlipFlop:
    """What one selection moved to the disadvantaged group does to the impact ratio.

    `applies` is False, with the reason, where the rule is silent; all else is null then, but for `flipped_focal` and
    `flipped_reference`, which are the counts as given. Elsewhere they are those after the move. `ratio` may be null,
    where nobody of the reference group is selected then, although `reverses` is decided.
    """

    applies: bool | _arrays.Flags
    flipped_focal: _arrays.Count
    flipped_reference: _arrays.Count
    ratio: _arrays.Value
    reverses: _arrays.Flag
    n: _arrays.Count
    reason: _arrays.Words


def z_test(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    noise: float = 0.0,
    inflation: ArrayLike = 1.0,
) -> ZTest:
    """Return the pooled two-sample Z of the rates, its two-sided p and the 1.96 verdict.

    Formula: Z = (a/N1 - c/N2) / sqrt(P(1 - P)(1/N1 + 1/N2)), P = (a + c) / (N1 + N2).
    Z² is Pearson's chi-square without continuity correction. `noise` is the variance of deviations that
    every count was given before it was published; the variance then has noise (1 + P²)(1/N1² + 1/N2²) more.
    `inflation` multiplies the variance of the rates where people have several decisions (see `design_effect`).
    Assumes two independent groups of independent people, and expected cells of 5 or
    more; read Fisher's exact test below that.
    Fails: null when a group is empty, or when all or none were selected.
    A p below 2.2e-308 is given as 2.2e-308.

    Reference: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and
    Proportions, 3rd edition, section 3.1; Hazelwood, 433 U.S. at 308 n.14.

    1/2 against 0/2: P = 1/4, so Z = .5 / sqrt(3/16 · 1) = 1.1547.

    >>> test = z_test(1, 2, 0, 2)
    >>> round(test.statistic, 4), round(test.p, 4), test.significant
    (1.1547, 0.2482, False)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    selected, n = groups.a + groups.c, groups.N1 + groups.N2
    reason = _arrays.reasons(
        *groups.empty,
        (selected == 0, "Nobody was selected in either group, so the rates do not vary."),
        (selected == n, "Everybody was selected in both groups, so the rates do not vary."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, rest = selected / n, (n - selected) / n
        variance = rate * rest * (1 / groups.N1 + 1 / groups.N2)
        error = np.sqrt(inflation * variance + noise * (1 + rate**2) * (1 / groups.N1**2 + 1 / groups.N2**2))
        z: _arrays.Floats = np.where(reason == "", _arrays.rate_gap(groups) / error, np.nan)
    return ZTest(
        statistic=call.value(z),
        p=call.value(_arrays.normal_p(z)),
        significant=call.flag(np.abs(z) > TWO_STANDARD_DEVIATIONS, reason),
        n=call.count(n),
        method="pooled Z, two-sided",
        reason=call.words(reason),
    )


def odds_ratio(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> _arrays.Estimate:
    """Return the ratio of the odds of selection, with Cornfield's score interval.

    Formula: OR = a (N2 - c) / (c (N1 - a)). The limits are the odds ratios of the tables
    with the same margins and focal count E for which
    (a - E)² (1/E + 1/(N1 - E) + 1/(K - E) + 1/(N2 - K + E)) = z², K = a + c.
    No continuity correction, nothing is added to empty cells.
    Assumes two independent groups of independent people.
    Fails: null when a group is empty, nobody in the reference group or everybody in the
    focal group was selected (the ratio has no finite value). Where nobody in the focal
    or everybody in the reference group was selected, the estimate and low limit are 0.

    Reference: Cornfield (1956), Proceedings of the Third Berkeley Symposium 4, 135-148;
    Miettinen and Nurminen (1985), Statistics in Medicine 4, 213-226.

    >>> odds_ratio(7, 15, 14, 25).estimate  # 7·11 / (14·8)
    0.6875
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = _arrays.normal_quantile(confidence)
    a, f1, c, f2 = (
        counts.astype(np.float64) for counts in (groups.a, groups.N1 - groups.a, groups.c, groups.N2 - groups.c)
    )
    reason = _arrays.reasons(
        *groups.empty,
        (c == 0, "Nobody in the reference group was selected, so the odds ratio is not finite."),
        (f1 == 0, "Everybody in the focal group was selected, so the odds ratio is not finite."),
    )
    known = reason == ""
    a, f1, c, f2 = a[known], f1[known], c[known], f2[known]
    estimate = np.full(known.shape, np.nan)
    low, high = estimate.copy(), estimate.copy()
    estimate[known] = (a / c) * (f2 / f1)
    low[known], high[known] = _cornfield(a, f1, c, f2, z)
    return call.estimate(
        estimate, low, high, n=groups.N1 + groups.N2, reason=reason, confidence=confidence, method="Cornfield score"
    )


def _cornfield(
    a: _arrays.Floats, f1: _arrays.Floats, c: _arrays.Floats, f2: _arrays.Floats, z: float
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return both limits. Only the move from the observed table is solved for, so that small cells stay exact."""

    def gap(move: _arrays.Floats) -> _arrays.Floats:
        # Infinite at the end of the range, where a cell is empty; a cell that is empty at first adds nothing there.
        cells = (a + move, f1 - move, c - move, f2 + move)
        square = move * move
        distances = (np.where(square > 0, square / cell, 0.0) for cell in cells)
        return np.sqrt(sum(distances, start=np.zeros_like(move))) - z

    down, up = -np.minimum(a, f2), np.minimum(f1, c)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = _arrays.bracketed_root(gap, down, np.zeros_like(a))
        upper = _arrays.bracketed_root(gap, np.zeros_like(a), up)
        low = (a + lower) / (c - lower) * ((f2 + lower) / (f1 - lower))
        high = (a + upper) / (c - upper) * ((f2 + upper) / (f1 - upper))
    return np.where(down == 0, 0.0, low), high


def cohens_h(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> _arrays.Estimate:
    """Return Cohen's h of the two rates, with a normal interval.

    Formula: h = 2 arcsin sqrt(a/N1) - 2 arcsin sqrt(c/N2), ± z sqrt(1/N1 + 1/N2), cut at ±π.
    Cohen calls |h| of .2 small, .5 medium, .8 large. The sign is kept.
    Assumes two independent groups of independent people.
    Fails: null when a group is empty. The interval is too short in small groups whose
    rate is near 0 or 1.

    Reference: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences,
    2nd edition, pp. 179-185.

    >>> h = cohens_h(1, 4, 3, 4)  # arcsin sqrt(1/4) = π/6, arcsin sqrt(3/4) = π/3
    >>> round(h.estimate, 4)
    -1.0472
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    z = _arrays.normal_quantile(confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = 2 * (np.arcsin(np.sqrt(groups.a / groups.N1)) - np.arcsin(np.sqrt(groups.c / groups.N2)))
        width = z * np.sqrt(1 / groups.N1 + 1 / groups.N2)
        # An empty group makes the width infinite; the estimate's NaN says so in both limits.
        low, high = np.maximum(estimate - width, -np.pi), np.minimum(estimate + width, np.pi)
    return groups.estimate(estimate, low, high, confidence=confidence, method="arcsine, normal interval")


def shortfall(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> PeopleSelected:
    """Return how many selections the focal group lacks at the common rate.

    Formula: N1·P - a, P = (a + c) / (N1 + N2). Positive when the focal group is short,
    negative when it has more than its share. In people, not rounded.
    Fails: null when a group is empty.

    Reference: Hazelwood, 433 U.S. at 308 n.14, expected minus observed.

    >>> shortfall(2, 10, 6, 10).estimate  # expected 10 · 8/20 = 4
    2.0
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty)
    # N1·P - a = (c N1 - a N2) / (N1 + N2): whole numbers until the division, so equal rates give 0 exactly.
    lacking = _arrays.exact_products(groups.c, groups.N1) - _arrays.exact_products(groups.a, groups.N2)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.asarray(lacking, dtype=np.float64) / (groups.N1 + groups.N2)
    return PeopleSelected(
        estimate=groups.call.value(np.where(reason == "", estimate, np.nan)),
        n=groups.call.count(groups.N1 + groups.N2),
        method="expected at the common rate minus observed",
        reason=groups.call.words(reason),
    )


def expected(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> PeopleSelected:
    """Return how many selections the focal group would have at the common rate.

    Formula: N1·P, P = (a + c) / (N1 + N2). In people, not rounded.
    Fails: null when a group is empty.

    Reference: Hazelwood, 433 U.S. at 308 n.14.

    >>> expected(2, 10, 6, 10).estimate  # 10 · 8/20
    4.0
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.asarray(groups.N1 / (groups.N1 + groups.N2) * (groups.a + groups.c), dtype=np.float64)
    return PeopleSelected(
        estimate=groups.call.value(np.where(reason == "", estimate, np.nan)),
        n=groups.call.count(groups.N1 + groups.N2),
        method="at the common rate",
        reason=groups.call.words(reason),
    )


def flip_flop(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    rule: FourFifthsRule = "against_highest",
) -> FlipFlop:
    """Return what one changed selection does to an impact ratio outside its limits.

    One selection moves to the disadvantaged group: the focal group below four-fifths,
    with `two_sided` also the reference group above 1.25. It reverses the direction iff
    that group's rate is higher than the other's afterwards. Whole numbers decide.
    A caution against reading much into few selections; it never overrides a pattern
    that recurs or shows when pooled.
    Silent where the ratio is within its limits or can't be computed. (Outside the
    limits the disadvantaged group always has room, and the other a selection to give.)

    Reference: Uniform Guidelines Questions and Answers, Q. 21, 44 FR 11996 (1979).

    >>> flip = flip_flop(2, 5, 3, 5)  # 2/5 against 3/5 becomes 3/5 against 2/5
    >>> flip.flipped_focal, flip.flipped_reference, flip.ratio, flip.reverses
    (3, 2, 1.5, True)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    below, above = outside_limits(groups, rule)
    reason = _arrays.reasons(
        *groups.empty,
        no_reference_rate(groups),
        (~(below | above), "The impact ratio is within its limits."),
    )
    applies = reason == ""
    move = np.where(applies, np.where(below, 1, -1), 0)
    flipped = _arrays.TwoGroups(call, groups.a + move, groups.N1, groups.c - move, groups.N2)
    focal, reference = _arrays.exact_products(flipped.a, flipped.N2), _arrays.exact_products(flipped.c, flipped.N1)
    reverses = np.asarray(np.where(below, focal > reference, reference > focal), dtype=np.bool_)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = ratio_of_rates(flipped.a, flipped.N1, flipped.c, flipped.N2)
    return FlipFlop(
        applies=bool(applies[0]) if call.scalar else applies,
        flipped_focal=call.count(flipped.a),
        flipped_reference=call.count(flipped.c),
        ratio=call.value(np.where(applies & (flipped.c > 0), ratio, np.nan)),
        reverses=call.flag(reverses, reason),
        n=call.count(groups.N1 + groups.N2),
        reason=call.words(reason),
    )


#: Weight of the prior in words; the prior's own mix is the use of both groups together.
PRIOR_WORDS = 500.0


@dataclass(frozen=True, kw_only=True)
class LogOdds:
    """Log odds ratio per word, focal against reference, and its z."""

    estimate: _arrays.Floats
    z: _arrays.Floats
    method: str


def log_odds(focal: ArrayLike, reference: ArrayLike, *, prior_words: float = PRIOR_WORDS) -> LogOdds:
    """Return the log odds ratio of each word with an informative Dirichlet prior.

    Formula: with counts y and total n per group, and a_w = `prior_words` times the word's
    share in both groups together (a_0 their sum),
    δ_w = log((y + a_w)/(n + a_0 - y - a_w)) in the focal group minus the same in the
    reference group; z = δ_w / sqrt(1/(y_focal + a_w) + 1/(y_reference + a_w)).
    `focal` and `reference` have shape (..., words); leading axes are resamples, and the
    prior is made anew in each.
    Assumes counts of one word list; z takes words as independent draws, which they are
    not within a document: resample documents for an interval.
    Fails: NaN for a word that neither group uses.

    Reference: Monroe, Colaresi and Quinn (2008), Political Analysis 16, 372-403, section 3.5.

    Equal use gives 0; a word that only one group uses stays finite:

    >>> result = log_odds([10, 30], [10, 30])
    >>> result.estimate.round(12).tolist()
    [0.0, 0.0]
    >>> bool(0 < log_odds([1, 99], [0, 100]).estimate[0] < 1)
    True
    """
    y = np.asarray(focal, dtype=np.float64)
    x = np.asarray(reference, dtype=np.float64)
    together = y + x
    with np.errstate(divide="ignore", invalid="ignore"):
        prior = prior_words * together / together.sum(axis=-1, keepdims=True)
        weights = prior.sum(axis=-1, keepdims=True)

        def log_odd(counts: _arrays.Floats) -> _arrays.Floats:
            smoothed = counts + prior
            return np.asarray(np.log(smoothed) - np.log(counts.sum(axis=-1, keepdims=True) + weights - smoothed))

        estimate = log_odd(y) - log_odd(x)
        z = estimate / np.sqrt(1.0 / (y + prior) + 1.0 / (x + prior))
    unused = together == 0
    return LogOdds(
        estimate=np.where(unused, np.nan, estimate),
        z=np.where(unused, np.nan, z),
        method="log odds ratio, informative Dirichlet prior",
    )


#: An expected cell below this makes the normal approximation rough (Cochran 1954, Biometrics 10, 417-451).
FEWEST_EXPECTED = 5
#: UGESP Q&A 21 warns of small numbers without a figure; this one is a convention of ours.
FEWEST_PEOPLE = 30
#: Above this many people a difference of one percentage point comes near significance at rates of 30 %
#: (by the formula of Eightfold AI 2023, Responsible AI, figure 14, |Z| passes 1.96 at 16,135 people per group).
LARGE_SAMPLE = 10_000
#: Below this selection rate of both groups together a few selections move the impact ratio far.
LOW_RATE = Fraction(1, 20)

FEW_PEOPLE = "There are fewer than 30 people, too few for the Z test."
FEW_EXPECTED = "An expected cell is below 5, too few for the Z test."
MODERATE = "No expected cell is below 5, so the Z test and Fisher's exact test should agree."
LARGE = (
    "There are more than 10,000 people, so tests detect differences too small to matter; the impact ratio and Cohen's "
    "h show how large the difference is."
)
LOW = " Fewer than 5 % were selected, so a few selections move the impact ratio far."

# By kind: nothing to read, few people, a small expected cell, moderate, large. Arrays of objects, since arrays
# of long texts would be larger than the tables.
SIZES = np.array(["", "small", "small", "moderate", "large"], dtype=object)
READ_WITH = np.array(["", *["Fisher, flip-flop"] * 2, "Z, Fisher", "impact ratio, Cohen's h"], dtype=object)
#: Everything `reason` can say where no group is empty; the second row for low rates.
SENTENCES = np.array(
    [[text + rate for text in ("", FEW_PEOPLE, FEW_EXPECTED, MODERATE, LARGE)] for rate in ("", LOW)], dtype=object
)


@dataclass(frozen=True, kw_only=True)
class RecommendedTest:
    """Which figures to read for a table of this size, and why.

    `size` is small, moderate or large; null where a group is empty. `reason` always says
    why, also where all was computed. In an array call `size`, `read_with` and `reason` hold
    Python strings.
    """

    size: _arrays.Words
    low_rate: _arrays.Flag
    read_with: _arrays.Words
    smallest_expected: _arrays.Value
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class ZCurve:
    """Z of one difference at different sizes; `crossing` is the size where it becomes significant."""

    statistic: _arrays.Value
    crossing: _arrays.Value
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def recommended_test(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> RecommendedTest:
    """Return which tests to read for a table of this size.

    Formula: with M people and K selected in both groups, small iff the smallest expected cell
    min(N1, N2)·min(K, M - K)/M is below 5 or M < 30; else large iff M > 10,000; else
    moderate. `low_rate` iff K/M < .05. Whole numbers decide.
    Small: Fisher's exact test, and what one changed selection does. Moderate: Z and Fisher.
    Large: impact ratio and Cohen's h, as nearly every difference is significant. A low rate
    is reported with any of them. These are conventions, none of them law.
    Fails: null when a group is empty.

    Reference: Cochran (1954), Biometrics 10, 417-451; Uniform Guidelines Questions and
    Answers, Q. 21, 44 FR 11996 (1979).

    7/15 against 14/25: the smallest expected cell is 15 · 19/40 = 7.125.

    >>> choice = recommended_test(7, 15, 14, 25)
    >>> choice.size, choice.read_with, choice.smallest_expected, choice.low_rate
    ('moderate', 'Z, Fisher', 7.125, False)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    selected, n = groups.a + groups.c, groups.N1 + groups.N2
    empty = _arrays.reasons(*groups.empty)
    # The smallest expected cell times M.
    cell = _arrays.exact_products(np.minimum(groups.N1, groups.N2), np.minimum(selected, n - selected))
    few_expected = np.asarray(cell < FEWEST_EXPECTED * n, dtype=np.bool_)
    low_rate = selected * LOW_RATE.denominator < n * LOW_RATE.numerator
    kind = np.select([empty != "", n < FEWEST_PEOPLE, few_expected, n > LARGE_SAMPLE], [0, 1, 2, 4], default=3)
    with np.errstate(divide="ignore", invalid="ignore"):
        smallest = np.where(empty == "", np.asarray(cell, dtype=np.float64) / n, np.nan)
    return RecommendedTest(
        size=call.words(SIZES[kind]),
        low_rate=call.flag(low_rate, empty),
        read_with=call.words(READ_WITH[kind]),
        smallest_expected=call.value(smallest),
        n=call.count(n),
        method="smallest expected cell and number of people",
        reason=call.words(np.where(empty == "", SENTENCES[low_rate.astype(np.int64), kind], empty.astype(object))),
    )


def z_curve(rate: ArrayLike, difference: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> ZCurve:
    """Return the Z that one difference of rates has at different group sizes.

    Formula: Z = d / sqrt(P(1 - P)·2/n) with the common rate P, the difference d and n people in
    each of two groups; |Z| reaches the normal quantile z at n = 2 P(1 - P)(z/d)², the `crossing`.
    The difference stays the same, Z grows with √n: significance tells of size as well.
    Assumes groups of equal size.
    Fails: null at a rate of 0 or 1; `crossing` is also null where the difference is 0.

    Reference: Eightfold AI (2023), Responsible AI, figure 14 (P = .3, d = .01).

    >>> curve = z_curve(0.3, 0.01, [1000, 50_000])
    >>> curve.statistic.round(4).tolist(), curve.crossing.round(1).tolist()
    ([0.488, 3.4503], [16134.1, 16134.1])
    """
    counts_call, (size,) = _arrays.read_counts(n=n)
    rates, gaps = np.asarray(rate, dtype=np.float64), np.asarray(difference, dtype=np.float64)
    if not ((rates >= 0) & (rates <= 1)).all() or not (np.abs(gaps) <= 1).all():
        message = f"rate must lie between 0 and 1 and difference between -1 and 1, got {rate!r} and {difference!r}."
        raise ValueError(message)
    call = _arrays.Call(scalar=counts_call.scalar and rates.ndim == 0 and gaps.ndim == 0)
    P, d, size = np.broadcast_arrays(np.atleast_1d(rates), np.atleast_1d(gaps), size)
    reason = _arrays.reasons(
        (size == 0, "The groups have nobody in them."),
        ((P == 0) | (P == 1), "Nobody or everybody is selected, so the rates do not vary."),
    )
    known = reason == ""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = d / np.sqrt(P * (1 - P) * 2 / size)
        crossing = 2 * P * (1 - P) * (_arrays.normal_quantile(confidence) / d) ** 2
    return ZCurve(
        statistic=call.value(np.where(known, z, np.nan)),
        crossing=call.value(np.where(known & (d != 0), crossing, np.nan)),
        confidence=confidence,
        n=call.count(size),
        method="pooled Z of two groups of n each",
        reason=call.words(reason),
    )
