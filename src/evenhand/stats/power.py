"""The smallest effect that a sample can be expected to detect, by the test that decides about it.

Of Fisher's exact test: a of N1 focal and c of N2 people of the reference are selected. For each K = a + c the test
rejects a tail of the hypergeometric distribution, all a up to some number. So the probability that a focal count is
called a lower rate, g(a), depends on the rate of the reference alone, and the power at a focal rate p1 is the mean of
g over the binomial distribution of a: one sum per pair of groups, however many p1 are tried.
Only tables within a few standard deviations of the expected one are summed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.special import ndtr, ndtri, stdtrit

#: A sum over counts covers so many standard deviations to each side, and so many counts more.
DEVIATIONS, COUNTS = 4.5, 8
#: Up to this N1·N2/(N1 + N2) · p2(1 - p2) tables are summed. Above it the corrected normal formula has, for a power of
#: .8 and groups up to 100 times larger than the other, a true power of .80 to .81 at a level of .05 and .77 to .84 at
#: .05/2000.
EXACT_VARIANCE = 250.0
#: Of groups up to this size tables are summed where one power, or one size, is asked for.
MOST_ENUMERATED = 100_000
ENUMERATED, NORMAL = "exact enumeration", "normal formula with continuity correction"
#: A group that is more times larger than the other counts as this many times larger: its rate is known well enough.
LARGEST_RATIO = 1000
#: Pairs of groups that are solved together.
ROWS = 512
#: The window of a sum moves to where the solution lies, at most so often; two or three times suffice.
MOVES = 60
#: By so many sizes at most the power of a discrete test goes up and down on its way up.
NEIGHBOURS = 12


@dataclass(frozen=True, kw_only=True)
class DetectableDifference:
    """The difference that a two-sided test finds with the power given."""

    estimate: _arrays.Value
    standard_error: _arrays.Value
    power: float
    confidence: float
    method: str
    reason: _arrays.Words


def detectable_difference(
    standard_error: ArrayLike, *, power: float = 0.8, confidence: float = 0.95, df: ArrayLike | None = None
) -> DetectableDifference:
    """Return the smallest true difference that is detected with this power.

    Formula: the δ > 0 with Φ(δ/SE - z) + Φ(-δ/SE - z) = power, z the normal quantile of the
    two-sided level 1 - confidence. At 95 % and 80 % that is (1.960 + 0.842) SE = 2.802 SE.
    Units: those of the standard error. For two groups of n1 and n2 independent decisions with
    the rate p, SE = sqrt(p(1 - p)(1/n1 + 1/n2)), largest at p = .5.
    With `df`, of a t test whose standard error has so many degrees of freedom, as with clusters:
    δ = (t_((1 + confidence)/2, df) + t_(power, df)) SE. Give the df of the contrast, and for m comparisons
    confidence = 1 - .05/m.
    Assumes a normal estimate and a standard error that is that of the design and stays the same under the effect.
    Without `df` the standard error is known; with it a nominal power of .8 is truly .80 from 6
    degrees of freedom on, .79 at 4 and .77 at 2.
    Fails: null where the standard error is 0 or not finite, and where there are no degrees of freedom.

    Reference: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd ed.,
    chapter 6; Julious (2004), Statistics in Medicine 23, 1921-1986, section 2.

    5,000 decisions per group at p = .5 have SE = sqrt(.25 · 2/5000) = .01:

    >>> round(detectable_difference(0.01).estimate, 6)
    0.028016

    With 10 degrees of freedom t is 2.228 and .879:

    >>> round(detectable_difference(0.01, df=10).estimate, 5)
    0.03107
    """
    _arrays.check_confidence(confidence)
    if not 1 - confidence < power < 1:
        message = f"power must lie between 1 - confidence and 1, got {power!r}. Write 80 % as 0.8."
        raise ValueError(message)
    errors, freedom = np.asarray(standard_error, dtype=np.float64), np.asarray(np.inf if df is None else df, np.float64)
    call = _arrays.Call(scalar=errors.ndim == 0 and freedom.ndim == 0)
    error, freedom = np.broadcast_arrays(np.atleast_1d(errors), freedom)
    if df is None:
        z = _arrays.normal_quantile(confidence)
        # The power grows with δ/SE, from 1 - confidence at 0 to 1; 40 SE are beyond any power below 1.
        units = _arrays.bracketed_root(
            lambda shift: ndtr(shift - z) + ndtr(-shift - z) - power, np.zeros(1), np.full(1, z + 40.0)
        )
    else:
        positive = np.where(freedom > 0, freedom, np.nan)
        units = stdtrit(positive, (1 + confidence) / 2) + stdtrit(positive, power)
    known = np.isfinite(error) & (error > 0)
    reason = _arrays.reasons(
        (~known, "The standard error is not known, or nothing varies."),
        (~(freedom > 0), "There are no degrees of freedom."),
    )
    return DetectableDifference(
        estimate=call.value(np.where(reason == "", units * error, np.nan)),
        standard_error=call.value(np.where(known, error, np.nan)),
        power=power,
        confidence=confidence,
        method="two-sided normal test, standard error known" if df is None else "two-sided t test, df of the contrast",
        reason=call.words(reason),
    )


@dataclass(frozen=True, kw_only=True)
class DetectableRatio:
    """The impact ratio nearest to 1, from below, that Fisher's exact test finds with the power given."""

    estimate: _arrays.Value
    power: float
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


METHOD = "power of Fisher's exact test, two-sided"


def detectable_ratio(
    n_focal: ArrayLike,
    n_reference: ArrayLike,
    rate_reference: ArrayLike,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
    exact: bool = True,
) -> DetectableRatio:
    """Return the largest impact ratio below 1 that Fisher's exact test detects with this power.

    Formula: the r < 1 with Σ P(a) P(c) over the tables (a, c) with a/N1 < c/N2 and a two-sided p below
    1 - confidence, equal to the power; a is binomial with N1 and r p2, c with N2 and p2, which is `rate_reference`.
    The numbers of people being fixed, this power is continuous in r and falls with r, so a smaller ratio is found more
    often: the discreteness of the test makes it go up and down with N1 and N2, not with r. A significant result on the
    wrong side is no detection. For m comparisons of which each is tested at .05/m give confidence = 1 - .05/m: a bound
    for Holm's procedure, whose smallest p is tested at that level.
    Where N1·N2/(N1 + N2) p2(1 - p2) exceeds 250, and without `exact` everywhere, r solves
    p2 - r p2 - ½(1/N1 + 1/N2) = z S0 + z_power S1: p1 = r p2, S0² = P(1 - P)(1/N1 + 1/N2) with
    P = (N1 p1 + N2 p2)/(N1 + N2), S1² = p1(1 - p1)/N1 + p2(1 - p2)/N2.
    Assumes two independent groups of independent people. `rate_reference` is taken as known; where it was observed,
    so is the answer. With clusters use `detectable_difference`.
    Fails: null where a group is empty, where the rate is not known or 0, and where not even a
    ratio of 0 is found with this power.

    Reference: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions,
    3rd edition, chapter 4; Casagrande, Pike and Smith (1978), Biometrics 34, 483-486.

    3 of 3 against 0 of 3 has p = .1, 4 of 4 against 0 of 4 p = 2/70 = .029. Where all 4 of the reference are selected
    the test finds only 0 of the other 4, with probability (1 - p1)⁴ = .8 at p1 = 1 - .8^¼ = .0543.

    >>> round(detectable_ratio(4, 4, 1.0).estimate, 4)
    0.0543
    >>> detectable_ratio(5, 5, 0.1).reason
    'Even if nobody of the focal group were selected, this test would find it too rarely at these numbers.'
    """
    _check_power(power, confidence)
    counts_call, (N1, N2) = _arrays.read_counts(n_focal=n_focal, n_reference=n_reference)
    rates = np.asarray(rate_reference, dtype=np.float64)  # None becomes NaN
    if ((rates < 0) | (rates > 1)).any():
        message = f"rate_reference must lie between 0 and 1, got {float(rates[(rates < 0) | (rates > 1)][0])!r}."
        raise ValueError(message)
    call = _arrays.Call(scalar=counts_call.scalar and rates.ndim == 0)
    N1, N2, rate = np.broadcast_arrays(N1, N2, np.atleast_1d(rates))
    reason = _arrays.reasons(
        (N1 == 0, "The focal group has no people."),
        (N2 == 0, "The reference group has no people."),
        (np.isnan(rate), "The rate of the reference group is not known."),
        (rate == 0, "Nobody in the reference group was selected, so no rate can be lower."),
    )
    solvable = reason == ""
    estimate = np.full(rate.shape, np.nan)
    if solvable.any():
        pairs = np.column_stack((N1[solvable], N2[solvable], rate[solvable].view(np.int64)))
        distinct, place = np.unique(pairs, axis=0, return_inverse=True)
        n1, n2, p2 = distinct[:, 0], distinct[:, 1], np.ascontiguousarray(distinct[:, 2]).view(np.float64)
        estimate[solvable] = _ratios(n1, n2, p2, power=power, level=1 - confidence, exact=exact)[place.ravel()]
    return DetectableRatio(
        estimate=call.value(estimate),
        power=power,
        confidence=confidence,
        n=call.count(N1 + N2),
        method=METHOD,
        reason=call.words(
            np.where(
                solvable & np.isnan(estimate),
                "Even if nobody of the focal group were selected, this test would find it too rarely at these numbers.",
                reason,
            )
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Power:
    """How probably a test finds that the focal rate is lower; `runs` of a simulation, None where it was computed."""

    estimate: _arrays.Value
    confidence: float
    runs: int | None
    method: str


def fisher_power(
    n_focal: int, n_reference: int, rate_reference: float, ratio: float, *, confidence: float = 0.95
) -> Power:
    """Return the power of Fisher's exact test at these numbers of people and this impact ratio.

    Formula: Σ P(a) P(c) over the tables as in `detectable_ratio`; from `MOST_ENUMERATED` people on that of the Z test
    with a continuity correction. For m comparisons of which each is tested at .05/m give confidence = 1 - .05/m.
    Assumes two independent groups of independent people.

    Where all 4 of the reference are selected the test finds only 0 of the other 4: .5⁴.

    >>> round(fisher_power(4, 4, 1.0, 0.5).estimate, 6), fisher_power(4, 4, 1.0, 0.5).method
    (0.0625, 'exact enumeration')
    """
    _arrays.check_confidence(confidence)
    level, p1 = 1 - confidence, max(ratio * rate_reference, np.finfo(float).tiny)
    if max(n_focal, n_reference) <= MOST_ENUMERATED:
        estimate = _detection(n_focal, n_reference, p1, rate_reference, level=level).power(p1)
        return Power(estimate=estimate, confidence=confidence, runs=None, method=ENUMERATED)
    each = 1 / n_focal + 1 / n_reference
    middle = (n_focal * p1 + n_reference * rate_reference) / (n_focal + n_reference)
    null = np.sqrt(middle * (1 - middle) * each)
    true = np.sqrt(p1 * (1 - p1) / n_focal + rate_reference * (1 - rate_reference) / n_reference)
    reached = (rate_reference - p1 - each / 2 + ndtri(level / 2) * null) / true
    return Power(estimate=float(ndtr(reached)), confidence=confidence, runs=None, method=NORMAL)


def _check_power(power: float, confidence: float) -> None:
    _arrays.check_confidence(confidence)
    if not 0.5 <= power < 1:
        message = f"power must be at least 0.5 and below 1, got {power!r}. Write 80 % as 0.8."
        raise ValueError(message)


def _ratios(
    N1: _arrays.Ints, N2: _arrays.Ints, p2: _arrays.Floats, *, power: float, level: float, exact: bool
) -> _arrays.Floats:
    """Return the detectable ratio of each pair of groups, NaN where there is none."""
    n1, n2 = np.minimum(N1, LARGEST_RATIO * N2), np.minimum(N2, LARGEST_RATIO * N1)
    ratio = _corrected_ratios(n1, n2, p2, power=power, level=level)
    small = np.flatnonzero(exact & (n1 / (n1 + n2) * n2 * p2 * (1 - p2) <= EXACT_VARIANCE))
    for begin in range(0, small.size, ROWS):
        rows = small[begin : begin + ROWS]
        guess = np.nan_to_num(ratio[rows]) * p2[rows]
        ratio[rows] = _exact_rates(n1[rows], n2[rows], p2[rows], guess, power=power, level=level) / p2[rows]
    return ratio


def _corrected_ratios(
    N1: _arrays.Ints, N2: _arrays.Ints, p2: _arrays.Floats, *, power: float, level: float
) -> _arrays.Floats:
    """Return the detectable ratios of the Z test with a continuity correction, NaN where there is none."""
    n1, n2 = N1.astype(np.float64), N2.astype(np.float64)
    z, z_power, each = float(-ndtri(level / 2)), float(ndtri(power)), 1 / n1 + 1 / n2

    def lacking(r: _arrays.Floats) -> _arrays.Floats:
        p1 = r * p2
        pooled, rest = (n1 * p1 + n2 * p2) / (n1 + n2), (n1 * (1 - p1) + n2 * (1 - p2)) / (n1 + n2)
        true = np.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
        return np.asarray((1 - r) * p2 - each / 2 - z * np.sqrt(pooled * rest * each) - z_power * true)

    # Both standard errors are concave in r, so `lacking` is convex; at 1 it is negative. It has one root or none.
    return _arrays.bracketed_root(lacking, np.zeros_like(p2), np.ones_like(p2))


def _exact_rates(
    N1: _arrays.Ints, N2: _arrays.Ints, p2: _arrays.Floats, guess: _arrays.Floats, *, power: float, level: float
) -> _arrays.Floats:
    """Return the focal rates at which Fisher's test has this power, NaN where not even 0 is enough."""
    p1, result = guess.copy(), np.full(p2.shape, np.nan)
    rows = np.arange(p2.size)
    for _ in range(MOVES):
        sums = [
            _detection(*pair, level=level)
            for pair in zip(N1[rows].tolist(), N2[rows].tolist(), p1[rows].tolist(), p2[rows].tolist(), strict=True)
        ]
        first, size = np.array([one.first for one in sums]), np.array([one.found.size for one in sums])
        inside = np.arange(size.max()) < size[:, None]
        chances, found = np.full(inside.shape, -np.inf), np.zeros(inside.shape)
        chances[inside] = np.concatenate([one.coefficients for one in sums])
        found[inside] = np.concatenate([one.found for one in sums])

        def excess(
            rate: _arrays.Floats, chances: _arrays.Floats = chances, found: _arrays.Floats = found
        ) -> _arrays.Floats:
            return _mean(chances, found, rate) - power

        low, high = np.full(rows.size, np.finfo(float).tiny), p2[rows] * (1 - 1e-12)
        n1, start = N1[rows], p1[rows]
        root = _arrays.bracketed_root(excess, low, high)
        lower = np.isnan(root) & (excess(low) < 0)
        root = np.where(lower, first / n1, np.where(np.isnan(root), (first + size - 1) / n1, root))
        deviation = np.sqrt(start * (1 - start) / n1)
        done = np.abs(root - start) <= COUNTS / 2 / n1 + deviation / 2
        result[rows[done]] = np.where(lower & (first == 0), np.nan, root)[done]
        # Sums far from the middle of a window are rough: go there step by step.
        p1[rows] = np.clip(root, start - COUNTS / n1 - deviation, start + COUNTS / n1 + deviation)
        rows = rows[~done]
        if not rows.size:
            break
    return result


@dataclass(frozen=True)
class _Detection:
    """Focal counts from `first` on: how probably each is called a lower rate, and log C(N1, a) but for a constant."""

    first: int
    found: _arrays.Floats
    coefficients: _arrays.Floats

    def power(self, p1: float) -> float:
        return float(_mean(self.coefficients[None, :], self.found[None, :], np.array([p1]))[0])


def _mean(coefficients: _arrays.Floats, values: _arrays.Floats, rate: _arrays.Floats) -> _arrays.Floats:
    """Return the mean of the values over binomial counts with a rate each, a row per rate."""
    logit = np.log(rate) - np.log1p(-rate)
    weight = coefficients + np.arange(coefficients.shape[1]) * logit[:, None]
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return np.asarray((weight * values).sum(axis=1) / weight.sum(axis=1))


def _detection(N1: int, N2: int, p1: float, p2: float, *, level: float) -> _Detection:
    """Return how probably Fisher's test finds a lower rate, for focal counts near N1·p1."""
    first, last = _window(N1 * p1, N1 * p1 * (1 - p1), most=N1)
    low, high = _window(N2 * p2, N2 * p2 * (1 - p2), most=N2)
    least, most = _window(N1 * p1 + N2 * p2, N1 * p1 * (1 - p1) + N2 * p2 * (1 - p2), most=N1 + N2)
    least, most = max(least, first + low), min(most, last + high)
    summed = np.arange(first + low, last + high + 1)
    # Beyond the likely sums critical counts go on as they began.
    near = np.clip(summed, least, most)
    critical = _critical(N1, N2, np.arange(least, most + 1), level=level)[near - least]
    critical = critical + np.floor((summed - near) * (N1 / (N1 + N2)))
    reference = _coefficients(N2, low, high)
    if p2 < 1:
        reference = reference + np.arange(high - low + 1) * (np.log(p2) - np.log1p(-p2))
        reference = np.exp(reference - reference.max())
    else:
        reference = (np.arange(low, high + 1) == N2).astype(np.float64)
    # A row per focal count, a column per count of the reference.
    focal = np.arange(last - first + 1)
    rejected = critical[np.add.outer(focal, np.arange(high - low + 1))] >= first + focal[:, None]
    return _Detection(first, rejected @ reference / reference.sum(), _coefficients(N1, first, last))


def _window(mean: float, variance: float, *, most: int) -> tuple[int, int]:
    reach = DEVIATIONS * variance**0.5 + COUNTS
    return max(int(mean - reach), 0), min(int(mean + reach) + 1, most)


def _coefficients(n: int, first: int, last: int) -> _arrays.Floats:
    """Return log C(n, k) - log C(n, first) for k = first … last."""
    k = np.arange(first + 1, last + 1, dtype=np.float64)
    return np.concatenate(([0.0], np.cumsum(np.log((n - k + 1) / k))))


def _critical(N1: int, N2: int, K: _arrays.Ints, *, level: float) -> _arrays.Ints:
    """Return, for consecutive K, the largest focal count that Fisher's test calls a lower rate; below any where none.

    The test rejects the least probable tables as long as their sum is below the level, tables that tie together.
    """
    share, rate = N1 / (N1 + N2), K / (N1 + N2)
    deviation = float(np.sqrt(N2 * share * rate * (1 - rate)).max())
    half = int((2.5 - float(ndtri(level / 2))) * deviation) + COUNTS
    middle = np.rint(K * share).astype(np.int64)
    a = middle[:, None] + np.arange(-half, half + 1)
    c = K[:, None] - a
    first, last = max(int(a[0, 0]), 0), min(int(a[-1, -1]), N1)
    low, high = max(int(c.min()), 0), min(int(c.max()), N2)
    p = _coefficients(N1, first, last).take(a - first, mode="clip")
    p += _coefficients(N2, low, high).take(c - low, mode="clip")
    p[(a < 0) | (a > N1) | (c < 0) | (c > N2)] = -np.inf
    p -= p.max(axis=1, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=1, keepdims=True)
    ordered = np.sort(p, axis=1)
    # The first table that would exceed the level, and those that tie with it but for rounding, are not rejected.
    kept = (np.cumsum(ordered, axis=1) < level * (1 - 1e-9)).sum(axis=1)
    smallest = ordered[np.arange(K.size), kept]
    # To the left of the middle probabilities rise, so those below the smallest one are a tail.
    return np.asarray(middle - half - 1 + (p[:, :half] < smallest[:, None] * (1 - 1e-9)).sum(axis=1))


@dataclass(frozen=True, kw_only=True)
class DecisionsNeeded:
    """How many decisions of the focal group Fisher's exact test needs to find an impact ratio with the power given."""

    estimate: _arrays.Value
    power: float
    confidence: float
    method: str
    reason: _arrays.Words


def decisions_needed(
    rate_reference: ArrayLike,
    ratio: ArrayLike,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
    reference_per_focal: float = 1.0,
) -> DecisionsNeeded:
    """Return the smallest whole number of decisions in the focal group that detects this impact ratio.

    The reference has `reference_per_focal` times as many, rounded up: without it the groups are of one size.
    Formula: the smallest n at which Fisher's exact test has this power, as `detectable_ratio` defines it. The test is
    discrete, so some slightly larger n have a slightly smaller power. Where N1·N2/(N1 + N2) p2(1 - p2) exceeds 250 (of
    a single rate and ratio, where groups exceed `MOST_ENUMERATED`), p2 being the rate of the reference, n is that of
    Casagrande, Pike and Smith: with k times as many in the reference, e = 1 + 1/k, p1 = ratio · p2, Δ = p2 - p1,
    P = (p1 + k p2)/(1 + k) and B = z √(P(1 - P) e) + z_power √(p1(1 - p1) + p2(1 - p2)/k), 1/√n is the x with
    Δ - B x - ½ e x² = 0 (R's power.prop.test, corrected). For m comparisons of which each is tested at .05/m give
    confidence = 1 - .05/m.
    Assumes what `detectable_ratio` does.
    Fails: ValueError for a rate that is not above 0 and at most 1, and for a ratio that is not in [0, 1).

    References: Casagrande, Pike and Smith (1978), Biometrics 34, 483-486; Fleiss, Levin and Paik (2003), Statistical
    Methods for Rates and Proportions, 3rd edition, chapter 4.

    The Z test needs 74, but Fisher's exact test decides:

    >>> decisions_needed(0.9, 0.8).estimate
    82
    """
    _check_power(power, confidence)
    rates, ratios = (np.asarray(values, dtype=np.float64) for values in (rate_reference, ratio))
    if not ((rates > 0) & (rates <= 1)).all() or not ((ratios >= 0) & (ratios < 1)).all():
        message = (
            f"rate_reference must be above 0 and at most 1, ratio in [0, 1), got {rate_reference!r} and {ratio!r}."
        )
        raise ValueError(message)
    call = _arrays.Call(scalar=rates.ndim == 0 and ratios.ndim == 0)
    p2, r = (np.atleast_1d(values) for values in np.broadcast_arrays(rates, ratios))
    k, p1, each = reference_per_focal, r * p2, 1 + 1 / reference_per_focal
    middle, gap = (p1 + k * p2) / (1 + k), p2 - p1
    spread = _arrays.normal_quantile(confidence) * np.sqrt(middle * (1 - middle) * each)
    spread = spread + float(ndtri(power)) * np.sqrt(p1 * (1 - p1) + p2 * (1 - p2) / k)
    n = np.ceil((each / (np.sqrt(spread**2 + 2 * each * gap) - spread)) ** 2).astype(np.int64)
    summed = n / each * p2 * (1 - p2) <= EXACT_VARIANCE
    for place in np.flatnonzero(summed | (call.scalar & (n * max(k, 1.0) < MOST_ENUMERATED))):

        def enough(size: int, at: int = int(place)) -> bool:
            both = size, ceil(size * k), float(p2.flat[at]), float(r.flat[at])
            return float(fisher_power(*both, confidence=confidence).estimate or 0.0) >= power

        n.flat[place] = _smallest_size(enough, int(n.flat[place]))
    return DecisionsNeeded(
        estimate=call.count(n),
        power=power,
        confidence=confidence,
        method=METHOD,
        reason=call.words(np.zeros(n.shape, dtype=np.str_)),
    )


def _smallest_size(enough: Callable[[int], bool], guess: int) -> int:
    """Return the smallest size that is enough; the power goes up but for small steps back."""
    step = 1 + guess // 50
    high = max(guess, 1)
    while not enough(high):
        high, step = high + step, 2 * step
    low = high - step
    while low > 0 and enough(low):
        step *= 2
        low, high = low - step, low
    low = max(low, 0)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    n = high
    while n > 1 and n > high - NEIGHBOURS:
        n -= 1
        if enough(n):
            high = n
    return high
