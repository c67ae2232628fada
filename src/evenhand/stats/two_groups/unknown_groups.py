"""What the impact ratio could be, were everybody's group known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Count, Value, Words, check_selected, read_counts, reasons
from evenhand.stats.two_groups.ratios import ratio_of_rates

__all__ = ["ImpactRatioBounds", "impact_ratio_bounds"]


@dataclass(frozen=True, kw_only=True)
class ImpactRatioBounds:
    """The lowest and highest impact ratio that any assignment of the unknown gives; no confidence limits."""

    low: Value
    high: Value
    high_reason: Words
    n: Count
    n_unknown: Count
    method: str
    reason: Words


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
    call, (a, N1, c, N2, s, unknown) = read_counts(
        selected_focal=selected_focal,
        n_focal=n_focal,
        selected_reference=selected_reference,
        n_reference=n_reference,
        selected_unknown=selected_unknown,
        n_unknown=n_unknown,
    )
    for selected, n, group in ((a, N1, "focal"), (c, N2, "reference"), (s, unknown, "unknown")):
        check_selected(selected, n, f"selected_{group}", f"n_{group}")
    f = unknown - s
    reason = reasons(
        (N1 == 0, "Nobody is known to be in the focal group."),
        (N2 == 0, "Nobody is known to be in the reference group."),
        (c + s == 0, "Nobody who may be in the reference group was selected, so there is no ratio to its rate."),
    )
    unbounded = reasons(
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
