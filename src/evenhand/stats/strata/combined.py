"""The interval of a weighted sum of independent estimates, from their own intervals."""

from collections.abc import Sequence
from math import sqrt

__all__ = ["combined_interval"]


def combined_interval(
    weights: Sequence[float], estimates: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> tuple[float, float]:
    """Return low and high of Σ weight · estimate.

    Formula (method of variance estimates recovery): each estimate is taken as far as its
    own limit that pulls the sum the same way; low = Σ w e - sqrt(Σ (w e - l)²) with
    l the smaller of w·low and w·high, and high accordingly.
    Assumes independent estimates; keeps the asymmetry of their intervals, and so does not
    shrink to nothing where all observations agree. For two rates with weights 1 and -1 and
    Wilson's limits it is Newcombe's interval.

    Reference: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.

    >>> low, high = combined_interval([0.5, 0.5], [1.0, 0.0], [0.8, 0.0], [1.0, 0.2])
    >>> round(low, 3), round(high, 3)  # .5 ± .1, since only one of the two can go each way
    (0.4, 0.6)
    """
    total = sum(weight * estimate for weight, estimate in zip(weights, estimates, strict=True))
    below = above = 0.0
    for weight, estimate, low, high in zip(weights, estimates, lows, highs, strict=True):
        ends = (weight * low, weight * high)
        below += (weight * estimate - min(ends)) ** 2
        above += (max(ends) - weight * estimate) ** 2
    return total - sqrt(below), total + sqrt(above)
