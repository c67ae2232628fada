"""Two groups, one decision: Z, odds ratio, Cohen's h, shortfall, flip-flop rule."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Count,
    Estimate,
    Flag,
    Flags,
    Floats,
    TwoGroups,
    Value,
    Words,
    exact_products,
    normal_p,
    normal_quantile,
    rate_gap,
    read_two_groups,
    reasons,
)
from evenhand.stats.regression._roots import bracketed_root
from evenhand.stats.two_groups.four_fifths import FourFifthsRule, outside_limits
from evenhand.stats.two_groups.ratios import no_reference_rate, ratio_of_rates

__all__ = [
    "TWO_STANDARD_DEVIATIONS",
    "CohensH",
    "FlipFlop",
    "OddsRatio",
    "Shortfall",
    "ZTest",
    "cohens_h",
    "flip_flop",
    "odds_ratio",
    "shortfall",
    "z_test",
]

#: 'Two or three standard deviations', Hazelwood v. United States, 433 U.S. 299, 308 n.14 (1977), as the 5 % level.
TWO_STANDARD_DEVIATIONS = 1.96


@dataclass(frozen=True, kw_only=True)
class ZTest:
    """The pooled Z of two rates; negative when the focal group is worse off."""

    statistic: Value
    p: Value
    significant: Flag
    n: Count
    method: str
    reason: Words


@dataclass(frozen=True, kw_only=True)
class OddsRatio(Estimate):
    """Focal odds over reference odds, with a score interval."""


@dataclass(frozen=True, kw_only=True)
class CohensH(Estimate):
    """The difference of the arcsine-transformed rates, focal minus reference."""


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """How many more of the focal group the common rate would have selected."""

    estimate: Value
    n: Count
    method: str
    reason: Words


@dataclass(frozen=True, kw_only=True)
class FlipFlop:
    """What one selection moved to the disadvantaged group does to the impact ratio.

    `applies` is False, with the reason, where the rule is silent; all else is null then.
    `selected_focal` and `selected_reference` are the counts as given;
    `flipped_focal` and `flipped_reference` those after the move, equal to them where the
    rule is silent. `ratio` may be null with `ratio_reason` although `reverses` is decided.
    """

    applies: bool | Flags
    disadvantaged: Words
    selected_focal: Count
    n_focal: Count
    selected_reference: Count
    n_reference: Count
    flipped_focal: Count
    flipped_reference: Count
    ratio: Value
    ratio_reason: Words
    reverses: Flag
    rule: FourFifthsRule
    reason: Words


def z_test(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> ZTest:
    """Return the pooled two-sample Z of the rates, its two-sided p and the 1.96 verdict.

    Formula: Z = (a/N1 - c/N2) / sqrt(P(1 - P)(1/N1 + 1/N2)), P = (a + c) / (N1 + N2).
    Z² is Pearson's chi-square without continuity correction.
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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    selected, n = groups.a + groups.c, groups.N1 + groups.N2
    reason = reasons(
        *groups.empty,
        (selected == 0, "Nobody was selected in either group, so the rates do not vary."),
        (selected == n, "Everybody was selected in both groups, so the rates do not vary."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, rest = selected / n, (n - selected) / n
        error = np.sqrt(rate * rest * (1 / groups.N1 + 1 / groups.N2))
        z: Floats = np.where(reason == "", rate_gap(groups) / error, np.nan)
    return ZTest(
        statistic=call.value(z),
        p=call.value(normal_p(z)),
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
) -> OddsRatio:
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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = normal_quantile(confidence)
    a, f1, c, f2 = (
        counts.astype(np.float64) for counts in (groups.a, groups.N1 - groups.a, groups.c, groups.N2 - groups.c)
    )
    reason = reasons(
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
    return OddsRatio(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        confidence=confidence,
        n=call.count(groups.N1 + groups.N2),
        method="Cornfield score",
        reason=call.words(reason),
    )


def _cornfield(a: Floats, f1: Floats, c: Floats, f2: Floats, z: float) -> tuple[Floats, Floats]:
    """Return both limits. Only the move from the observed table is solved for, so that small cells stay exact."""

    def gap(move: Floats) -> Floats:
        # Infinite at the end of the range, where a cell is empty; a cell that is empty at first adds nothing there.
        cells = (a + move, f1 - move, c - move, f2 + move)
        square = move * move
        distances = (np.where(square > 0, square / cell, 0.0) for cell in cells)
        return np.sqrt(sum(distances, start=np.zeros_like(move))) - z

    down, up = -np.minimum(a, f2), np.minimum(f1, c)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = bracketed_root(gap, down, np.zeros_like(a))
        upper = bracketed_root(gap, np.zeros_like(a), up)
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
) -> CohensH:
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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = normal_quantile(confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = 2 * (np.arcsin(np.sqrt(groups.a / groups.N1)) - np.arcsin(np.sqrt(groups.c / groups.N2)))
        width = z * np.sqrt(1 / groups.N1 + 1 / groups.N2)
        # An empty group makes the width infinite; the estimate's NaN says so in both limits.
        low, high = np.maximum(estimate - width, -np.pi), np.minimum(estimate + width, np.pi)
    return CohensH(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        confidence=confidence,
        n=call.count(groups.N1 + groups.N2),
        method="arcsine, normal interval",
        reason=call.words(reasons(*groups.empty)),
    )


def shortfall(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> Shortfall:
    """Return how many selections the focal group lacks at the common rate.

    Formula: N1·P - a, P = (a + c) / (N1 + N2). Positive when the focal group is short,
    negative when it has more than its share. In people, not rounded.
    Fails: null when a group is empty.

    Reference: Hazelwood, 433 U.S. at 308 n.14, expected minus observed.

    >>> shortfall(2, 10, 6, 10).estimate  # expected 10 · 8/20 = 4
    2.0
    """
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = reasons(*groups.empty)
    # N1·P - a = (c N1 - a N2) / (N1 + N2): whole numbers until the division, so equal rates give 0 exactly.
    lacking = exact_products(groups.c, groups.N1) - exact_products(groups.a, groups.N2)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.asarray(lacking, dtype=np.float64) / (groups.N1 + groups.N2)
    return Shortfall(
        estimate=groups.call.value(np.where(reason == "", estimate, np.nan)),
        n=groups.call.count(groups.N1 + groups.N2),
        method="expected at the common rate minus observed",
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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    below, above = outside_limits(groups, rule)
    reason = reasons(
        *groups.empty,
        no_reference_rate(groups),
        (~(below | above), "The impact ratio is within its limits."),
    )
    applies = reason == ""
    move = np.where(applies, np.where(below, 1, -1), 0)
    flipped = TwoGroups(call, groups.a + move, groups.N1, groups.c - move, groups.N2)
    focal, reference = exact_products(flipped.a, flipped.N2), exact_products(flipped.c, flipped.N1)
    reverses = np.asarray(np.where(below, focal > reference, reference > focal), dtype=np.bool_)
    nobody = reasons((flipped.c == 0, "After the move nobody in the reference group is selected."))
    ratio_reason = np.where(applies, nobody, reason)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(ratio_reason == "", ratio_of_rates(flipped.a, flipped.N1, flipped.c, flipped.N2), np.nan)
    side = np.where(applies, np.where(below, "focal", "reference"), "")
    return FlipFlop(
        applies=bool(applies[0]) if call.scalar else applies,
        disadvantaged=call.words(side),
        selected_focal=call.count(groups.a),
        n_focal=call.count(groups.N1),
        selected_reference=call.count(groups.c),
        n_reference=call.count(groups.N2),
        flipped_focal=call.count(flipped.a),
        flipped_reference=call.count(flipped.c),
        ratio=call.value(ratio),
        ratio_reason=call.words(ratio_reason),
        reverses=call.flag(reverses, reason),
        rule=rule,
        reason=call.words(reason),
    )
