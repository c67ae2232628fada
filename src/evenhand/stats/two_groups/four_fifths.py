"""The four-fifths rule, decided on whole numbers."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Count, Flags, Strings, TwoGroups, Words, exact_products, read_two_groups, reasons
from evenhand.stats.two_groups.ratios import no_reference_rate

__all__ = ["FOUR_FIFTHS", "FourFifths", "FourFifthsRule", "four_fifths", "outside_limits"]

#: 29 CFR 1607.4(D): a rate below four-fifths of the highest group's rate is generally evidence of adverse impact.
FOUR_FIFTHS = Fraction(4, 5)

FourFifthsRule = Literal["against_highest", "two_sided"]


@dataclass(frozen=True, kw_only=True)
class FourFifths:
    """One of below, not_below, above, not_computable; `reason` only for the last."""

    verdict: Words
    rule: FourFifthsRule
    n: Count
    reason: Words


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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = reasons(*groups.empty, no_reference_rate(groups))
    below, above = outside_limits(groups, rule)
    verdict: Strings = np.where(below, "below", np.where(above, "above", "not_below"))
    return FourFifths(
        verdict=groups.call.words(np.where(reason == "", verdict, "not_computable")),
        rule=rule,
        n=groups.call.count(groups.N1 + groups.N2),
        reason=groups.call.words(reason),
    )


def outside_limits(groups: TwoGroups, rule: FourFifthsRule) -> tuple[Flags, Flags]:
    """Return where the impact ratio is below, and where it is above, the rule's limits."""
    if rule not in get_args(FourFifthsRule):
        message = f"rule must be one of {', '.join(get_args(FourFifthsRule))}, got {rule!r}."
        raise ValueError(message)
    top, bottom = FOUR_FIFTHS.numerator, FOUR_FIFTHS.denominator
    focal, reference = exact_products(groups.a, groups.N2), exact_products(groups.c, groups.N1)
    below = np.asarray(bottom * focal < top * reference, dtype=np.bool_)
    above = np.asarray(top * focal > bottom * reference, dtype=np.bool_)
    return below, above if rule == "two_sided" else np.zeros_like(below)
