"""Selection rates, their difference, the impact ratio, and the four-fifths rule, decided on whole numbers.

`ratio_above` tests whether a ratio lies above a margin: non-inferiority, one-sided.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.special import bdtr, bdtrc, gammaln, ndtr, xlogy

NO_REFERENCE_RATE = "Nobody in the reference group was selected, so there is no ratio to its rate."


def selection_rate(selected: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> _arrays.Estimate:
    """Return the share selected of n, with its Wilson score interval.

    Formula: the limits are the rates π with |p - π| = z sqrt(π(1 - π) / n), p = selected / n:
    (p + z²/2n ± z sqrt(p(1 - p)/n + z²/4n²)) / (1 + z²/n).
    Assumes independent people with one rate. Answers of a model to the same item are
    not independent; use clusters there.
    Fails: null when n is 0. Where nobody or everybody was selected the limit there is
    0 or 1 exactly, the other one is informative.

    Reference: Wilson (1927), Journal of the American Statistical Association 22, 209-212.

    With 5 of 10 and z = 1.96 the half-width is 1.96 sqrt(.025 + .096) / 1.384 ≈ .263:

    >>> rate = selection_rate(5, 10)
    >>> rate.estimate, round(rate.low, 3), round(rate.high, 3)
    (0.5, 0.237, 0.763)
    """
    call, (x, size) = _arrays.read_counts(selected=selected, n=n)
    _arrays.check_selected(x, size, "selected", "n")
    z = _arrays.normal_quantile(confidence)
    reason = _arrays.reasons((size == 0, "The group has no people."))
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = x / size
        low, high = wilson_limits(x.astype(np.float64), size.astype(np.float64), z)
    return call.estimate(estimate, low, high, n=size, reason=reason, confidence=confidence, method="Wilson score")


def wilson_limits(selected: _arrays.Floats, n: _arrays.Floats, z: float) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return both Wilson limits; NaN where n is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p, k = selected / n, z * z / n
        spread = z * np.sqrt(p * (1 - p) / n + k / (4 * n))
        high = np.where(selected == n, np.where(n > 0, 1.0, np.nan), (p + k / 2 + spread) / (1 + k))
        # The limits are the roots of a quadratic whose product is p²/(1 + k): nothing cancels at small p.
        low = np.where(selected == 0, np.where(n > 0, 0.0, np.nan), p * p / ((1 + k) * high))
    return low, np.minimum(high, 1.0)


def rate_difference(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> _arrays.Estimate:
    """Return focal rate minus reference rate, with Newcombe's interval.

    Formula: with rates p1, p2 and their Wilson limits (l1, u1), (l2, u2), d = p1 - p2:
    low = d - sqrt((p1 - l1)² + (u2 - p2)²), high = d + sqrt((u1 - p1)² + (p2 - l2)²).
    Assumes two independent groups of independent people. `n` counts both groups.
    Fails: null when a group is empty. Its coverage dips a little below nominal when one
    rate is near 0 or 1 and the groups are small.

    Reference: Newcombe (1998), Statistics in Medicine 17, 873-890, method 10 (p. 876).

    >>> difference = rate_difference(56, 70, 48, 80)
    >>> round(difference.estimate, 4), round(difference.low, 4), round(difference.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    z = _arrays.normal_quantile(confidence)
    a, N1, c, N2 = (counts.astype(np.float64) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    with np.errstate(divide="ignore", invalid="ignore"):
        p1, p2 = a / N1, c / N2
        l1, u1 = wilson_limits(a, N1, z)
        l2, u2 = wilson_limits(c, N2, z)
        estimate = _arrays.rate_gap(groups)
        low = estimate - np.hypot(p1 - l1, u2 - p2)
        high = estimate + np.hypot(u1 - p1, p2 - l2)
    return groups.estimate(estimate, low, high, confidence=confidence, method="Newcombe hybrid score")


#: |log ratio| of any limit: counts end at 2^53 and z at 9, so e^100 is far outside.
WIDEST_LOG = 100.0
#: Tables at a time, so that they stay in the processor's cache.
ROWS = 1 << 13


@dataclass(frozen=True, kw_only=True)
class ImpactRatio(_arrays.Estimate):
    """Focal rate over reference rate; below 1 when the focal group is worse off.

    `low` and `high` are Koopman's score limits. `katz_low` and `katz_high` are the limits
    of the log interval that most audits print, with their own reason where they fail.
    """

    katz_low: _arrays.Value
    katz_high: _arrays.Value
    katz_reason: _arrays.Words


def impact_ratio(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
    noise: float = 0.0,
    inflation: ArrayLike = 1.0,
) -> ImpactRatio:
    """Return the ratio of two selection rates, with Koopman's score interval.

    `noise` is the variance of deviations that every count was given before it was published; Koopman's variance then
    has noise (1 + π1²)/N1² + θ² noise (1 + π2²)/N2² more, and a limit that no ratio reaches is 0 or infinite.
    `inflation` multiplies Koopman's variance where people have several decisions (see `design_effect`); Katz's limits
    have neither.

    Formula: IR = (a/N1) / (c/N2). Koopman's limits are the ratios θ with
    (p1 - θ p2)² / (π1(1 - π1)/N1 + θ² π2(1 - π2)/N2) = z², where π1 = θ π2 are the
    likeliest rates whose ratio is θ. Katz: log IR ± z sqrt(1/a - 1/N1 + 1/c - 1/N2).
    Assumes two independent groups of independent people. `n` counts both groups.
    Fails: null when a group is empty or nobody in the reference group was selected.
    With a = 0 the estimate and the low limit are 0 and the high limit is informative;
    Katz's limits are null then, and also when everybody in both groups was selected.

    References: Koopman (1984), Biometrics 40, 513-517; Katz, Baptista, Azen and Pike
    (1978), Biometrics 34, 469-474.

    Everybody selected in both groups of 10: the limits are 1/(1 + z²/10) and 1 + z²/10.

    >>> full = impact_ratio(10, 10, 10, 10)
    >>> full.estimate, round(full.low, 4), round(full.high, 4), full.katz_low
    (1.0, 0.7225, 1.3841, None)
    >>> impact_ratio(3, 10, 0, 10).reason
    'Nobody in the reference group was selected, so there is no ratio to its rate.'
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = _arrays.normal_quantile(confidence)
    reason = _arrays.reasons(*groups.empty, no_reference_rate(groups))
    known = reason == ""
    estimate = np.full(groups.a.shape, np.nan)
    low, high, katz_low, katz_high = (estimate.copy() for _ in range(4))
    a, N1, c, N2 = (counts[known].astype(np.float64) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    estimate[known] = ratio_of_rates(a, N1, c, N2)
    inflated = np.broadcast_to(np.asarray(inflation, dtype=np.float64), known.shape)[known]
    low[known], high[known] = _koopman(a, N1, c, N2, inflated, z, noise)
    katz_low[known], katz_high[known] = _katz(a, N1, c, N2, z)
    return ImpactRatio(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        katz_low=call.value(katz_low),
        katz_high=call.value(katz_high),
        katz_reason=call.words(_katz_reason(groups, reason)),
        confidence=confidence,
        n=call.count(groups.N1 + groups.N2),
        method="Koopman score",
        reason=call.words(reason),
    )


def no_reference_rate(groups: _arrays.TwoGroups) -> tuple[_arrays.Flags, str]:
    """Return where a ratio to the reference rate does not exist, and the words for it."""
    return groups.c == 0, NO_REFERENCE_RATE


def ratio_of_rates(
    a: _arrays.Floats | _arrays.Ints,
    N1: _arrays.Floats | _arrays.Ints,
    c: _arrays.Floats | _arrays.Ints,
    N2: _arrays.Floats | _arrays.Ints,
) -> _arrays.Floats:
    """Return (a/N1) / (c/N2) rounded once, so that 4/100 over 5/100 is 0.8 and not 0.7999…."""
    return np.asarray((a * np.asarray(N2, dtype=np.float64)) / (c * np.asarray(N1, dtype=np.float64)))


def _katz_reason(groups: _arrays.TwoGroups, reason: _arrays.Strings) -> _arrays.Strings:
    all_selected = (groups.a == groups.N1) & (groups.c == groups.N2)
    own_reason = _arrays.reasons(
        (groups.a == 0, "Nobody in the focal group was selected, so the ratio has no logarithm."),
        (all_selected, "Everybody in both groups was selected, so the standard error is 0."),
    )
    return np.where(reason == "", own_reason, reason)


def _katz(
    a: _arrays.Floats, N1: _arrays.Floats, c: _arrays.Floats, N2: _arrays.Floats, z: float
) -> tuple[_arrays.Floats, _arrays.Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        # (N1 - a) / (a N1) is 1/a - 1/N1 without its cancellation near a = N1.
        error = np.sqrt((N1 - a) / a / N1 + (N2 - c) / c / N2)
        error = np.where((a > 0) & (error > 0), error, np.nan)
        centre = np.log(a / N1) - np.log(c / N2)
        return np.exp(centre - z * error), np.exp(centre + z * error)


def _koopman(  # noqa: PLR0917 - four counts of a table
    a: _arrays.Floats,
    N1: _arrays.Floats,
    c: _arrays.Floats,
    N2: _arrays.Floats,
    inflation: _arrays.Floats,
    z: float,
    noise: float,
) -> tuple[_arrays.Floats, _arrays.Floats]:
    low, high = np.zeros(a.shape), np.zeros(a.shape)
    some = np.flatnonzero(a > 0)
    for begin in range(0, some.size, ROWS):
        rows = some[begin : begin + ROWS]
        low[rows], high[rows] = _around(a[rows], N1[rows], c[rows], N2[rows], inflation[rows], z, noise)
    a, N1, c, N2, inflation = (values[a == 0] for values in (a, N1, c, N2, inflation))
    # With a = 0 the score is negative everywhere, so the bracket is the whole line.
    edge = np.full(a.shape, WIDEST_LOG)
    roots = _arrays.bracketed_root(lambda log: _score(log, a, N1, c, N2, inflation, noise) + z, -edge, edge)
    high[low == 0] = np.exp(roots)
    if noise:
        return np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=np.inf, posinf=np.inf)
    return low, high


def _around(  # noqa: PLR0917 - likewise
    a: _arrays.Floats,
    N1: _arrays.Floats,
    c: _arrays.Floats,
    N2: _arrays.Floats,
    inflation: _arrays.Floats,
    z: float,
    noise: float,
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return both limits where the ratio is positive; the score is 0 at the ratio and nearly linear in its log."""
    centre = np.log(a / N1) - np.log(c / N2)
    # Katz's standard error with half a person more in each cell, so that it is never 0.
    error = np.sqrt((N1 - a + 0.5) / ((a + 0.5) * N1) + (N2 - c + 0.5) / ((c + 0.5) * N2))
    edge = np.full(a.shape, WIDEST_LOG)

    def score(log: _arrays.Floats, rows: _arrays.Ints) -> _arrays.Floats:
        return _score(log, a[rows], N1[rows], c[rows], N2[rows], inflation[rows], noise)

    below = _arrays.guessed_root(
        lambda log, rows: score(log, rows) - z,
        origin=centre, at_origin=-z, guess=centre - z * error, low=-edge, high=centre,
    )  # fmt: skip
    above = _arrays.guessed_root(
        lambda log, rows: score(log, rows) + z,
        origin=centre, at_origin=z, guess=centre + z * error, low=centre, high=edge,
    )  # fmt: skip
    return np.exp(below), np.exp(above)


def score_at(
    ratio: float, a: _arrays.Floats, N1: _arrays.Floats, c: _arrays.Floats, N2: _arrays.Floats
) -> _arrays.Floats:
    """Return Koopman's score at a ratio: positive where that of the rates is larger."""
    ones = np.ones(np.shape(a))
    return _score(np.log(ratio) * ones, a, N1, c, N2, ones, 0.0)


def _score(  # noqa: PLR0917 - likewise
    log_ratio: _arrays.Floats,
    a: _arrays.Floats,
    N1: _arrays.Floats,
    c: _arrays.Floats,
    N2: _arrays.Floats,
    inflation: _arrays.Floats,
    noise: float,
) -> _arrays.Floats:
    """Return (p1 - θ p2) over its standard error at the likeliest rates with ratio θ."""
    ratio, excess = np.exp(log_ratio), np.expm1(log_ratio)
    rate2, variance = _under_ratio(ratio, excess, a, N1, c, N2)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance *= inflation
        if noise:
            variance += noise * ((1 + (ratio * rate2) ** 2) / N1**2 + ratio**2 * (1 + rate2**2) / N2**2)
        gap = (a / N1 - c / N2) - excess * (c / N2)
        return np.where(gap == 0, 0.0, gap / np.sqrt(variance))


def _under_ratio(  # noqa: PLR0917 - likewise
    ratio: _arrays.Floats,
    excess: _arrays.Floats,
    a: _arrays.Floats,
    N1: _arrays.Floats,
    c: _arrays.Floats,
    N2: _arrays.Floats,
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return the likeliest reference rate of a ratio, and the variance of p1 - θ p2 there; `excess` is θ - 1."""
    rate2, miss1, miss2 = likeliest_rates(ratio, excess, a, N1, c, N2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return rate2, np.asarray(ratio * rate2 * (miss1 / N1 + ratio * miss2 / N2))


def informative_strata(a: ArrayLike, N1: ArrayLike, c: ArrayLike, N2: ArrayLike) -> _arrays.Flags:
    """Return which strata say something of a ratio: they have both groups, some people selected and some not."""
    a, N1, c, N2 = (np.asarray(counts) for counts in (a, N1, c, N2))
    return np.asarray((N1 > 0) & (N2 > 0) & (a + c > 0) & (a + c < N1 + N2))


def likeliest_rates(  # noqa: PLR0917 - likewise
    ratio: _arrays.Floats,
    excess: _arrays.Floats,
    a: _arrays.Floats,
    N1: _arrays.Floats,
    c: _arrays.Floats,
    N2: _arrays.Floats,
) -> tuple[_arrays.Floats, _arrays.Floats, _arrays.Floats]:
    """Return π2, 1 - π1 and 1 - π2, the likeliest rates with ratio θ = π1/π2; `excess` is θ - 1.

    π2 is the smaller root of θMπ² - (N2 + a + θ(N1 + c))π + (a + c) = 0. The
    discriminant is written as D² + 4θ f1 f2 with f = those not selected, and 1 - π1,
    1 - π2 as roots of the mirrored quadratics: each is then exact to a few last digits, also
    for billions of people of whom nearly all were selected.
    """
    f1, f2, M = N1 - a, N2 - c, N1 + N2
    D = (f2 - f1) - excess * (N1 + c)
    root = np.sqrt(D * D + 4 * ratio * f1 * f2)
    rate2 = 2 * (a + c) / (N2 + a + ratio * (N1 + c) + root)
    linear2 = f1 + f2 + excess * (M + f2)
    linear1 = ratio * (f1 + f2) - excess * (M + f1)
    with np.errstate(divide="ignore", invalid="ignore"):
        miss2 = np.where(linear2 >= 0, (linear2 + root) / (2 * ratio * M), -2 * excess * f2 / (root - linear2))
        miss1 = np.where(linear1 >= 0, (linear1 + root) / (2 * M), 2 * excess * f1 / (root - linear1))
    return rate2, miss1, miss2


def common_score(ratio: float, a: _arrays.Floats, N1: _arrays.Floats, c: _arrays.Floats, N2: _arrays.Floats) -> float:
    """Return Σ w(p1 - θ p2) over its standard error, w = N1 N2/M of each stratum: 0 at Mantel and Haenszel's ratio.

    The variance of a stratum is that at its likeliest rates of the ratio, times M/(M - 1) (Miettinen and Nurminen).
    """
    M = N1 + N2
    _, variance = _under_ratio(np.full(M.shape, ratio), np.full(M.shape, ratio - 1), a, N1, c, N2)
    error = np.sqrt(((N1 * N2 / M) ** 2 * variance * M / (M - 1)).sum())
    return float((a * N2 / M - ratio * (c * N1 / M)).sum() / error)


#: 29 CFR 1607.4(D): a rate below four-fifths of the highest group's rate is generally evidence of adverse impact.
FOUR_FIFTHS = Fraction(4, 5)

FourFifthsRule = Literal["against_highest", "two_sided"]


@dataclass(frozen=True, kw_only=True)
class FourFifths:
    """One of below, not_below, above, not_computable; `reason` only for the last."""

    verdict: _arrays.Words
    rule: FourFifthsRule
    n: _arrays.Count
    reason: _arrays.Words


def four_fifths(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    rule: FourFifthsRule = "against_highest",
) -> FourFifths:
    """Return on which side of four-fifths the impact ratio lies.

    Formula: below iff 5·a·N2 < 4·c·N1. With `two_sided` also above iff 4·a·N2 > 5·c·N1,
    that is, the reference group's rate is below four-fifths of the focal group's.
    The products are whole numbers of any size: 4/100 against 5/100 is not below, while
    the quotient of the floats is 0.7999….
    Assumes, for `against_highest`, that the reference is the group with the highest rate.
    Fails: not_computable when a group is empty or nobody in the reference was selected.
    The rule ignores chance: read it with an interval or a test.

    Reference: 29 CFR 1607.4(D).

    >>> four_fifths([4, 39], 100, [5, 50], 100).verdict.tolist()
    ['not_below', 'below']
    >>> four_fifths(9, 10, 7, 10, rule="two_sided").verdict
    'above'
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty, no_reference_rate(groups))
    below, above = outside_limits(groups, rule)
    verdict: _arrays.Strings = np.where(below, "below", np.where(above, "above", "not_below"))
    return FourFifths(
        verdict=groups.call.words(np.where(reason == "", verdict, "not_computable")),
        rule=rule,
        n=groups.call.count(groups.N1 + groups.N2),
        reason=groups.call.words(reason),
    )


def outside_limits(groups: _arrays.TwoGroups, rule: FourFifthsRule) -> tuple[_arrays.Flags, _arrays.Flags]:
    """Return where the impact ratio is below, and where it is above, the rule's limits."""
    if rule not in get_args(FourFifthsRule):
        message = f"rule must be one of {', '.join(get_args(FourFifthsRule))}, got {rule!r}."
        raise ValueError(message)
    top, bottom = FOUR_FIFTHS.numerator, FOUR_FIFTHS.denominator
    focal, reference = _arrays.exact_products(groups.a, groups.N2), _arrays.exact_products(groups.c, groups.N1)
    below = np.asarray(bottom * focal < top * reference, dtype=np.bool_)
    above = np.asarray(top * focal > bottom * reference, dtype=np.bool_)
    return below, above if rule == "two_sided" else np.zeros_like(below)


@dataclass(frozen=True, kw_only=True)
class ImpactRatioBounds:
    """The lowest and highest impact ratio that any assignment of the unknown gives; no confidence limits."""

    low: _arrays.Value
    high: _arrays.Value
    high_reason: _arrays.Words
    n: _arrays.Count
    n_unknown: _arrays.Count
    method: str
    reason: _arrays.Words


def impact_ratio_bounds(  # noqa: PLR0917 - three groups in the order of all two-group statistics
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    selected_unknown: ArrayLike,
    n_unknown: ArrayLike,
) -> ImpactRatioBounds:
    """Return the impact ratio's bounds over all assignments of people of unknown group.

    Each of them may belong to the focal group, to the reference group or to neither.
    Formula: with s selected and f not selected of unknown group, lowest
    (a/(N1 + f)) / ((c + s)/(N2 + s)), highest ((a + s)/(N1 + s)) / (c/(N2 + f)).
    Assumes nothing about why a group is unknown. Chance is left out: these are bounds of the
    ratio in the data, and a confidence interval around them would be wider.
    Fails: null when nobody is known to be in a group, or nobody in the reference group was
    selected or could have been. `high` alone is null where nobody known to be in the
    reference group was selected: the ratio then has no upper bound.

    Reference: Manski (2003), Partial Identification of Probability Distributions, chapter 1.

    4/10 against 5/10 with one of each unknown: 4/11 over 6/11, and 5/11 over 5/11.

    >>> bounds = impact_ratio_bounds(4, 10, 5, 10, 1, 2)
    >>> round(bounds.low, 12) == round(4 / 6, 12), bounds.high
    (True, 1.0)
    """
    call, (a, N1, c, N2, s, unknown) = _arrays.read_counts(
        selected_focal=selected_focal,
        n_focal=n_focal,
        selected_reference=selected_reference,
        n_reference=n_reference,
        selected_unknown=selected_unknown,
        n_unknown=n_unknown,
    )
    for selected, n, group in ((a, N1, "focal"), (c, N2, "reference"), (s, unknown, "unknown")):
        _arrays.check_selected(selected, n, f"selected_{group}", f"n_{group}")
    f = unknown - s
    reason = _arrays.reasons(
        (N1 == 0, "Nobody is known to be in the focal group."),
        (N2 == 0, "Nobody is known to be in the reference group."),
        (c + s == 0, "Nobody who may be in the reference group was selected, so there is no ratio to its rate."),
    )
    unbounded = _arrays.reasons(
        (c == 0, "Nobody known to be in the reference group was selected, so the ratio has no upper bound.")
    )
    high_reason = np.where(reason == "", unbounded, reason)
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(reason == "", ratio_of_rates(a, N1 + f, c + s, N2 + s), np.nan)
        high = np.where(high_reason == "", ratio_of_rates(a + s, N1 + s, c, N2 + f), np.nan)
    return ImpactRatioBounds(
        low=call.value(low),
        high=call.value(high),
        high_reason=call.words(high_reason),
        n=call.count(N1 + N2),
        n_unknown=call.count(unknown),
        method="all assignments of the unknown",
        reason=call.words(reason),
    )


#: The share of the nuisance rate's confidence that is given up, and added to p.
GIVEN_UP = 1e-6
#: Rates of the reference at which the exact p is computed, and up to how many numbers of selected people.
RATES, MOST_NUMBERS = 80, 6_000
#: What lies beyond so many standard deviations has less probability than p is told to.
REACH = 9.0
EXACT, SCORE = "exact unconditional, Farrington-Manning", "score, Farrington-Manning"


@dataclass(frozen=True, kw_only=True)
class RatioAbove:
    """The one-sided p that a ratio is at most the margin, and the score; `test` says whether it is exact."""

    statistic: _arrays.Value
    p: _arrays.Value
    margin: float
    test: _arrays.Words
    reason: _arrays.Words


def ratio_above(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    margin: float,
    exact: ArrayLike = True,
) -> RatioAbove:
    """Return the one-sided p of focal rate/reference rate ≤ margin: a small one shows that the ratio lies above it.

    Formula: the score z = (p1 - θ p2)/sqrt(π1(1 - π1)/N1 + θ² π2(1 - π2)/N2) at the margin θ, with π1 = θ π2 the
    likeliest rates of that ratio; P(Z ≥ z). Where `exact` says so it is compared with the probability, at a ratio of θ,
    of all tables with as large a z: the largest one at 80 rates of the reference within a Clopper-Pearson
    interval of 99.9999 %, plus .000001. The larger p counts, so that it is never below that of Koopman's interval.
    Assumes independent people. The exact p holds its level, but for some 1e-5 of p between these rates; the
    score alone is used where more than 6,000 numbers of selected people would have to be gone through, and errs little
    there. That a ratio is below 1/θ is the same question with the groups exchanged.
    Fails: null when a group is empty or nobody in the reference group was selected.

    References: Farrington and Manning (1990), Statistics in Medicine 9, 1447-1454; Chan (1998), same journal 17,
    1403-1413; Berger and Boos (1994), Journal of the American Statistical Association 89, 1012-1016.

    Everybody selected of 10 and of 10: at rates of .8 and 1 that has the probability .8¹⁰ = .107.

    >>> round(ratio_above(10, 10, 10, 10, margin=0.8).p, 3)
    0.107
    >>> round(ratio_above(400, 1000, 500, 1000, margin=0.8).p, 3)  # the ratio is .8
    0.502
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty, no_reference_rate(groups))
    known = np.flatnonzero(reason == "")
    z, p = (np.full(groups.a.shape, np.nan) for _ in range(2))
    test = np.full(groups.a.shape, SCORE, dtype=object)
    counts = [values[known].astype(np.float64) for values in (groups.a, groups.N1, groups.c, groups.N2)]
    z[known] = score_at(margin, *counts)
    p[known] = ndtr(-z[known])
    wanted = np.broadcast_to(np.asarray(exact, dtype=np.bool_), groups.a.shape)[known]
    for place, *table in zip(known[wanted].tolist(), *(values[wanted] for values in counts), strict=True):
        enumerated = _exact_p(*table, margin=margin)
        if enumerated is not None:
            p[place], test[place] = max(p[place], enumerated), EXACT
    return RatioAbove(
        statistic=groups.call.value(z),
        p=groups.call.value(_arrays.positive_p(p)),
        margin=margin,
        test=groups.call.words(np.where(reason == "", test, "").astype(np.str_)),
        reason=groups.call.words(reason),
    )


STRATIFIED = "stratified score, Miettinen-Nurminen"


@dataclass(frozen=True, kw_only=True)
class CommonRatioAbove:
    """Mantel and Haenszel's ratio of rates with its interval, and the one-sided p that it is at most the margin."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    p: float | None = None
    test: str = STRATIFIED
    reason: str | None = None


#: Limits of a common ratio are looked for up to here.
WIDEST = 1e6


def common_ratio_above(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    margin: float,
    confidence: float = 0.95,
) -> CommonRatioAbove:
    """Return the ratio of rates that two groups have in common over strata, and whether it lies above a margin.

    Every array has shape (strata,). Formula: Σ a N2/M over Σ c N1/M (Mantel and Haenszel). At a ratio θ,
    z = Σ w (p1 - θ p2) / sqrt(Σ w² M/(M - 1) (π1(1 - π1)/N1 + θ² π2(1 - π2)/N2)) with w = N1 N2/M and the likeliest
    rates with π1 = θ π2 in each stratum. P(Z ≥ z) at the margin is the one-sided p; the limits are the ratios with
    |z| at the quantile of `confidence`.
    Assumes independent people and one ratio in all strata; many small strata do no harm, few small ones are as rough
    as the score of one table.
    Fails: null where no stratum has people of both groups, or nobody of the reference group was selected in those.

    References: Greenland and Robins (1985), Biometrics 41, 55-68; Miettinen and Nurminen (1985), Statistics in
    Medicine 4, 213-226; Gart and Nam (1988), Biometrics 44, 323-338.

    Two strata with rates of .4 and .5, and of .1 and .2 of 100 each: (40 + 10)/(50 + 20).

    >>> common = common_ratio_above([40, 10], [100, 100], [50, 20], [100, 100], margin=0.8)
    >>> round(common.estimate, 4), round(common.p, 2)
    (0.7143, 0.78)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    both = (groups.N1 > 0) & (groups.N2 > 0)
    table = [values[both].astype(np.float64) for values in (groups.a, groups.N1, groups.c, groups.N2)]
    reason = None if both.any() else "In no stratum are there people of both groups."
    if reason is None and not table[2].any():
        reason = NO_REFERENCE_RATE
    if reason is not None:
        return CommonRatioAbove(reason=reason)
    estimate = _common_ratio(*table) or 0.0
    z, reach = common_score(margin, *table), _arrays.normal_quantile(confidence)
    low = _ratio_of_score(reach, table, 1 / WIDEST, estimate) if estimate else 0.0
    return CommonRatioAbove(
        estimate=estimate,
        low=low,
        high=_ratio_of_score(-reach, table, max(estimate, 1 / WIDEST), WIDEST),
        statistic=z,
        p=float(_arrays.positive_p(ndtr(-np.float64(z)))),
    )


def _common_ratio(a: _arrays.Floats, N1: _arrays.Floats, c: _arrays.Floats, N2: _arrays.Floats) -> float | None:
    against = float((c * N1 / (N1 + N2)).sum())
    return float((a * N2 / (N1 + N2)).sum() / against) if against else None


def common_ratio(stratum: ArrayLike, focal: ArrayLike, selected: ArrayLike, n: ArrayLike) -> float | None:
    """Return Mantel and Haenszel's ratio of rates of people in parts: each array has shape (entries,).

    None where no stratum has people of both groups, or nobody of the reference group was selected in those.

    >>> round(common_ratio([0, 0, 1, 1], [1, 0, 1, 0], [40, 50, 10, 20], [100] * 4), 4)
    0.7143
    """
    codes = np.unique(np.asarray(stratum), return_inverse=True)[1]
    of_focal = np.asarray(focal, dtype=np.bool_)
    table = [
        np.bincount(codes, weights=np.where(side, np.asarray(values, dtype=np.float64), 0.0))
        for side in (of_focal, ~of_focal)
        for values in (selected, n)
    ]
    both = (table[1] > 0) & (table[3] > 0)
    return _common_ratio(*(values[both].astype(np.float64) for values in table))


def _ratio_of_score(z: float, table: list[_arrays.Floats], low: float, high: float) -> float:
    """Return the ratio between two others at which the score is z; it falls with the ratio."""
    for _ in range(45):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if common_score(middle, *table) > z else (low, middle)
    return high


def _exact_p(a: float, N1: float, c: float, N2: float, *, margin: float) -> float | None:
    """Return the largest probability of as large a score; None where there are too many numbers of selected people."""
    ends = np.arcsin(np.sqrt(_rate_limits(c, N2)))
    rates = np.sin(np.linspace(ends[0], ends[1], RATES, dtype=np.float64)) ** 2
    rates = np.minimum(rates, 1 / margin)
    of_focal = np.minimum(margin * rates, 1.0)
    x, y = _numbers(of_focal, N1), _numbers(rates, N2)
    if x.size + y.size > MOST_NUMBERS:
        return None
    z = score_at(margin, *(np.array([value]) for value in (a, N1, c, N2)))[0]
    # The score rises with the selected of the focal group: of each number of the reference's the least is looked for.
    low, high = np.zeros(y.size), np.full(y.size, float(x.size))
    while (low < high).any():
        middle = np.floor((low + high) / 2)
        enough = (
            score_at(margin, np.minimum(x[0] + middle, N1), np.full(y.size, N1), y, np.full(y.size, N2)) >= z - 1e-9
        )
        enough |= middle >= x.size
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    tails = np.column_stack([_probabilities(x, N1, of_focal)[:, ::-1].cumsum(axis=1)[:, ::-1], np.zeros(RATES)])
    total = (_probabilities(y, N2, rates) * tails[:, low.astype(np.int64)]).sum(axis=1)
    return float(min(total.max() + GIVEN_UP, 1.0))


def _rate_limits(c: float, n: float) -> tuple[float, float]:
    """Return Clopper and Pearson's limits, a little too wide."""
    low, high = np.zeros(2), np.ones(2)
    for _ in range(60):
        middle = (low + high) / 2
        # The least rate whose P(X ≥ c), and the largest whose P(X ≤ c), are half of what is given up.
        right = np.array([bdtrc(c - 1, int(n), middle[0]) > GIVEN_UP / 2, bdtr(c, int(n), middle[1]) < GIVEN_UP / 2])
        low, high = np.where(right, low, middle), np.where(right, middle, high)
    return (0.0 if c == 0 else float(low[0])), (1.0 if c == n else float(high[1]))


def _numbers(rates: _arrays.Floats, n: float) -> _arrays.Floats:
    """Return the numbers of selected people that can be at any of the rates."""
    reach = REACH * np.sqrt(n * rates * (1 - rates)) + REACH**2 / 3
    return np.arange(max((n * rates - reach).min() // 1, 0), min((n * rates + reach).max() // 1 + 1, n) + 1)


def _probabilities(numbers: _arrays.Floats, n: float, rates: _arrays.Floats) -> _arrays.Floats:
    """Return the binomial probability of each number (columns) at each rate (rows)."""
    ways = gammaln(n + 1) - gammaln(numbers + 1) - gammaln(n - numbers + 1)
    column = rates[:, None]
    return np.asarray(np.exp(ways + xlogy(numbers, column) + xlogy(n - numbers, 1 - column)))
