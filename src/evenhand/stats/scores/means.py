"""The difference between two groups' means: Welch's t, and standardised."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import check_confidence, positive_p
from evenhand.stats.special import stdtr, stdtrit

__all__ = ["MeanDifference", "mean_difference"]


@dataclass(frozen=True, kw_only=True)
class MeanDifference:
    """Focal mean minus reference mean, with Welch's interval and test.

    `standardized` is the difference over the pooled standard deviation (Cohen's d). `n` counts both groups.
    """

    estimate: float | None
    low: float | None
    high: float | None
    t: float | None
    df: float | None
    p: float | None
    standardized: float | None
    confidence: float
    n: int
    method: str
    reason: str | None


def mean_difference(focal: ArrayLike, reference: ArrayLike, *, confidence: float = 0.95) -> MeanDifference:
    """Return focal mean minus reference mean of two samples of shapes (n1,) and (n2,), in their own unit.

    Formula: t = d / sqrt(v1/n1 + v2/n2) with the degrees of freedom of Welch and Satterthwaite; d over
    sqrt(((n1 - 1) v1 + (n2 - 1) v2) / (n1 + n2 - 2)) is standardised.
    Assumes independent values and nearly normal means. For names as the unit, give one mean per name.
    Fails: no interval with fewer than two values in a group, and none where no value varies; no estimate
    of an empty group, or of values that are not finite.

    Reference: Welch (1947), Biometrika 34, 28-35; Cohen (1988), Statistical Power Analysis, p. 20 and 67.

    With means 3 and 5, variances 1 and 1 of three values each: t = -2 / sqrt(2/3), on 4 degrees of freedom.

    >>> found = mean_difference([2, 3, 4], [4, 5, 6])
    >>> found.estimate, round(found.t, 4), round(found.df, 4), round(found.p, 4), found.standardized
    (-2.0, -2.4495, 4.0, 0.0705, -2.0)
    """
    check_confidence(confidence)
    sides = [np.asarray(values, dtype=np.float64) for values in (focal, reference)]
    if any(side.ndim != 1 for side in sides):
        message = f"mean_difference takes two samples of one dimension, got shapes {sides[0].shape}, {sides[1].shape}."
        raise ValueError(message)
    n1, n2 = (side.size for side in sides)
    nothing = MeanDifference(
        estimate=None,
        low=None,
        high=None,
        t=None,
        df=None,
        p=None,
        standardized=None,
        confidence=confidence,
        n=n1 + n2,
        method="Welch",
        reason="A group has no values.",
    )
    if not n1 or not n2:
        return nothing
    if not all(np.isfinite(side).all() for side in sides):
        return _with(nothing, reason="A value is missing or not finite.")
    estimate = float(sides[0].mean() - sides[1].mean())
    if min(n1, n2) < 2:
        return _with(nothing, estimate=estimate, reason="A group has one value, which tells nothing of its spread.")
    v1, v2 = (float(side.var(ddof=1)) for side in sides)
    squared = v1 / n1 + v2 / n2
    if not squared > 0:
        return _with(nothing, estimate=estimate, reason="The values of each group are all alike.")
    df = squared**2 / ((v1 / n1) ** 2 / (n1 - 1) + (v2 / n2) ** 2 / (n2 - 1))
    error = squared**0.5
    width = float(stdtrit(df, (1 + confidence) / 2)) * error
    pooled = (((n1 - 1) * v1 + (n2 - 1) * v2) / (n1 + n2 - 2)) ** 0.5
    return _with(
        nothing,
        estimate=estimate,
        low=estimate - width,
        high=estimate + width,
        t=estimate / error,
        df=df,
        p=float(positive_p(np.array(2 * stdtr(df, -abs(estimate) / error)))),
        standardized=estimate / pooled,
        reason=None,
    )


def _with(result: MeanDifference, **changed: float | str | None) -> MeanDifference:
    return MeanDifference(**{**vars(result), **changed})
