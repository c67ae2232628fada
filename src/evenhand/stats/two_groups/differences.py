"""The difference between the rates of two groups."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Estimate, normal_quantile, rate_gap, read_two_groups, reasons
from evenhand.stats.two_groups.rates import wilson_limits

__all__ = ["RateDifference", "rate_difference"]


@dataclass(frozen=True, kw_only=True)
class RateDifference(Estimate):
    """Focal rate minus reference rate; negative when the focal group is worse off."""


def rate_difference(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> RateDifference:
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
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = normal_quantile(confidence)
    a, N1, c, N2 = (counts.astype(np.float64) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    with np.errstate(divide="ignore", invalid="ignore"):
        p1, p2 = a / N1, c / N2
        l1, u1 = wilson_limits(a, N1, z)
        l2, u2 = wilson_limits(c, N2, z)
        estimate = rate_gap(groups)
        low = estimate - np.hypot(p1 - l1, u2 - p2)
        high = estimate + np.hypot(u1 - p1, p2 - l2)
    return RateDifference(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        confidence=confidence,
        n=call.count(groups.N1 + groups.N2),
        method="Newcombe hybrid score",
        reason=call.words(reasons(*groups.empty)),
    )
