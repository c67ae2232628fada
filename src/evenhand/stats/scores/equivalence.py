"""Whether a difference is smaller than a margin: two one-sided tests."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Call, Flag, Value, Words, check_confidence, positive_p, reasons
from evenhand.stats.clusters.cluster_robust import t_interval
from evenhand.stats.special import stdtr

__all__ = ["Equivalence", "equivalence"]


@dataclass(frozen=True, kw_only=True)
class Equivalence:
    """Two one-sided tests at 1 - `confidence` each; `low` to `high` is the interval that says the same.

    `p_low` tests that the difference is -margin or less, `p_high` that it is margin or more; `p` is the larger.
    """

    estimate: Value
    low: Value
    high: Value
    margin: Value
    p_low: Value
    p_high: Value
    p: Value
    equivalent: Flag
    confidence: float
    method: str
    reason: Words


def equivalence(
    estimate: ArrayLike, variance: ArrayLike, df: ArrayLike, *, margin: ArrayLike, confidence: float = 0.95
) -> Equivalence:
    """Return whether a difference lies within ± `margin`, in the unit of the estimate, from its variance.

    Formula: with s = sqrt(variance), p_low = 1 - cdf((estimate + margin) / s) and p_high = cdf((estimate - margin) / s)
    of t with `df` degrees of freedom. Equivalent if both are below 1 - confidence, that is if the interval of level
    2 · confidence - 1 (90 % for .95) lies within the margin.
    Assumes a nearly normal estimate, and a margin that was chosen before the data were seen.
    Fails: null where the estimate or its variance is null, the variance is 0, or df < 1.

    Reference: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    With estimate 0 and s = 1 on 1 degree of freedom, and a margin of 1: 1 - cdf(1) = 1/4 both ways.

    >>> found = equivalence(0.0, 1.0, 1, margin=1.0)
    >>> round(found.p_low, 6), round(found.p_high, 6), found.equivalent
    (0.25, 0.25, False)
    """
    check_confidence(confidence)
    edge = np.asarray(margin, dtype=np.float64)
    if not (edge > 0).all():
        message = f"margin must be above 0, got {float(edge[~(edge > 0)].flat[0])!r}."
        raise ValueError(message)
    given = [np.asarray(values, dtype=np.float64) for values in (estimate, variance, df)]
    call = Call(scalar=all(array.ndim == 0 for array in (*given, edge)))
    centre, v, freedom, edge = (np.atleast_1d(array) for array in np.broadcast_arrays(*given, edge))
    interval = t_interval(centre, v, freedom, confidence=2 * confidence - 1)
    reason = reasons((interval.reason != "", "There is no interval."))
    reason = np.where(interval.reason == "", reason, interval.reason)
    known = reason == ""
    error, freedom = np.where(known, interval.standard_error, np.nan), np.where(known, freedom, 1.0)
    p_low = positive_p(stdtr(freedom, -(centre + edge) / error))
    p_high = positive_p(stdtr(freedom, (centre - edge) / error))
    with np.errstate(invalid="ignore"):
        equivalent = (interval.low > -edge) & (interval.high < edge)
    return Equivalence(
        estimate=call.value(np.where(np.isfinite(centre), centre, np.nan)),
        low=call.value(interval.low),
        high=call.value(interval.high),
        margin=call.value(edge),
        p_low=call.value(p_low),
        p_high=call.value(p_high),
        p=call.value(np.maximum(p_low, p_high)),
        equivalent=call.flag(equivalent, reason),
        confidence=confidence,
        method="two one-sided tests",
        reason=call.words(reason),
    )
