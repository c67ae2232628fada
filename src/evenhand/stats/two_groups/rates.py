"""The share of a group that was selected."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Estimate,
    Floats,
    check_selected,
    normal_quantile,
    read_counts,
    reasons,
)

__all__ = ["SelectionRate", "selection_rate", "wilson_limits"]


@dataclass(frozen=True, kw_only=True)
class SelectionRate(Estimate):
    """The selected share of a group and its Wilson interval."""


def selection_rate(selected: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> SelectionRate:
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
    call, (x, size) = read_counts(selected=selected, n=n)
    check_selected(x, size, "selected", "n")
    z = normal_quantile(confidence)
    reason = reasons((size == 0, "The group has nobody in it."))
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = x / size
        low, high = wilson_limits(x.astype(np.float64), size.astype(np.float64), z)
    return SelectionRate(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        confidence=confidence,
        n=call.count(size),
        method="Wilson score",
        reason=call.words(reason),
    )


def wilson_limits(selected: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    """Return both Wilson limits; NaN where n is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p, k = selected / n, z * z / n
        spread = z * np.sqrt(p * (1 - p) / n + k / (4 * n))
        high = np.where(selected == n, np.where(n > 0, 1.0, np.nan), (p + k / 2 + spread) / (1 + k))
        # The limits are the roots of a quadratic whose product is p²/(1 + k): nothing cancels at small p.
        low = np.where(selected == 0, np.where(n > 0, 0.0, np.nan), p * p / ((1 + k) * high))
    return low, np.minimum(high, 1.0)
