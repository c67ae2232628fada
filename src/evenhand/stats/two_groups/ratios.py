"""The impact ratio of two groups: estimate, score interval, log interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Estimate,
    Flags,
    Floats,
    Ints,
    Strings,
    TwoGroups,
    Value,
    Words,
    normal_quantile,
    read_two_groups,
    reasons,
)
from evenhand.stats.regression._roots import bracketed_root, guessed_root

__all__ = ["ImpactRatio", "impact_ratio"]

#: |log ratio| of any limit: counts end at 2^53 and z at 9, so e^100 is far outside.
WIDEST_LOG = 100.0
#: Tables at a time, so that they stay in the processor's cache.
ROWS = 1 << 13


@dataclass(frozen=True, kw_only=True)
class ImpactRatio(Estimate):
    """Focal rate over reference rate; below 1 when the focal group is worse off.

    `low` and `high` are Koopman's score limits. `katz_low` and `katz_high` are the limits
    of the log interval that most audits print, with their own reason where they fail.
    """

    katz_low: Value
    katz_high: Value
    katz_reason: Words


def impact_ratio(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> ImpactRatio:
    """Return the ratio of two selection rates, with Koopman's score interval.

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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = normal_quantile(confidence)
    reason = reasons(*groups.empty, no_reference_rate(groups))
    known = reason == ""
    estimate = np.full(groups.a.shape, np.nan)
    low, high, katz_low, katz_high = (estimate.copy() for _ in range(4))
    a, N1, c, N2 = (counts[known].astype(np.float64) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    estimate[known] = ratio_of_rates(a, N1, c, N2)
    low[known], high[known] = _koopman(a, N1, c, N2, z)
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


def no_reference_rate(groups: TwoGroups) -> tuple[Flags, str]:
    """Return where a ratio to the reference rate does not exist, and the words for it."""
    return groups.c == 0, "Nobody in the reference group was selected, so there is no ratio to its rate."


def ratio_of_rates(a: Floats | Ints, N1: Floats | Ints, c: Floats | Ints, N2: Floats | Ints) -> Floats:
    """Return (a/N1) / (c/N2) rounded once, so that 4/100 over 5/100 is 0.8 and not 0.7999…."""
    return np.asarray((a * np.asarray(N2, dtype=np.float64)) / (c * np.asarray(N1, dtype=np.float64)))


def _katz_reason(groups: TwoGroups, reason: Strings) -> Strings:
    all_selected = (groups.a == groups.N1) & (groups.c == groups.N2)
    own = reasons(
        (groups.a == 0, "Nobody in the focal group was selected, so the ratio has no logarithm."),
        (all_selected, "Everybody in both groups was selected, so the standard error is 0."),
    )
    return np.where(reason == "", own, reason)


def _katz(a: Floats, N1: Floats, c: Floats, N2: Floats, z: float) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        # (N1 - a) / (a N1) is 1/a - 1/N1 without its cancellation near a = N1.
        error = np.sqrt((N1 - a) / a / N1 + (N2 - c) / c / N2)
        error = np.where((a > 0) & (error > 0), error, np.nan)
        centre = np.log(a / N1) - np.log(c / N2)
        return np.exp(centre - z * error), np.exp(centre + z * error)


def _koopman(a: Floats, N1: Floats, c: Floats, N2: Floats, z: float) -> tuple[Floats, Floats]:
    low, high = np.zeros(a.shape), np.zeros(a.shape)
    some = np.flatnonzero(a > 0)
    for begin in range(0, some.size, ROWS):
        rows = some[begin : begin + ROWS]
        low[rows], high[rows] = _around(a[rows], N1[rows], c[rows], N2[rows], z)
    a, N1, c, N2 = (counts[a == 0] for counts in (a, N1, c, N2))
    # With a = 0 the score is negative everywhere, so the bracket is the whole line.
    edge = np.full(a.shape, WIDEST_LOG)
    high[low == 0] = np.exp(bracketed_root(lambda log: _score(log, a, N1, c, N2) + z, -edge, edge))
    return low, high


def _around(a: Floats, N1: Floats, c: Floats, N2: Floats, z: float) -> tuple[Floats, Floats]:
    """Return both limits where the ratio is positive; the score is 0 at the ratio and nearly linear in its log."""
    centre = np.log(a / N1) - np.log(c / N2)
    # Katz's standard error with half a person more in each cell, so that it is never 0.
    error = np.sqrt((N1 - a + 0.5) / ((a + 0.5) * N1) + (N2 - c + 0.5) / ((c + 0.5) * N2))
    edge = np.full(a.shape, WIDEST_LOG)

    def score(log: Floats, rows: Ints) -> Floats:
        return _score(log, a[rows], N1[rows], c[rows], N2[rows])

    below = guessed_root(
        lambda log, rows: score(log, rows) - z,
        origin=centre, at_origin=-z, guess=centre - z * error, low=-edge, high=centre,
    )  # fmt: skip
    above = guessed_root(
        lambda log, rows: score(log, rows) + z,
        origin=centre, at_origin=z, guess=centre + z * error, low=centre, high=edge,
    )  # fmt: skip
    return np.exp(below), np.exp(above)


def _score(log_ratio: Floats, a: Floats, N1: Floats, c: Floats, N2: Floats) -> Floats:
    """Return (p1 - θ p2) over its standard error at the likeliest rates with ratio θ.

    π2 is the smaller root of θMπ² - (N2 + a + θ(N1 + c))π + (a + c) = 0. The
    discriminant is written as D² + 4θ f1 f2 with f = those not selected, and 1 - π1,
    1 - π2 as roots of the mirrored quadratics: each is then exact to a few last digits, also
    for billions of people of whom nearly all were selected.
    """
    ratio, excess = np.exp(log_ratio), np.expm1(log_ratio)
    f1, f2, M = N1 - a, N2 - c, N1 + N2
    D = (f2 - f1) - excess * (N1 + c)
    root = np.sqrt(D * D + 4 * ratio * f1 * f2)
    rate2 = 2 * (a + c) / (N2 + a + ratio * (N1 + c) + root)
    linear2 = f1 + f2 + excess * (M + f2)
    linear1 = ratio * (f1 + f2) - excess * (M + f1)
    with np.errstate(divide="ignore", invalid="ignore"):
        miss2 = np.where(linear2 >= 0, (linear2 + root) / (2 * ratio * M), -2 * excess * f2 / (root - linear2))
        miss1 = np.where(linear1 >= 0, (linear1 + root) / (2 * M), 2 * excess * f1 / (root - linear1))
        variance = ratio * rate2 * (miss1 / N1 + ratio * miss2 / N2)
        gap = (a / N1 - c / N2) - excess * (c / N2)
        return np.where(gap == 0, 0.0, gap / np.sqrt(variance))
