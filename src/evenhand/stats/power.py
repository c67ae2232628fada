"""The smallest effect that a sample can be expected to detect."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from evenhand.stats._arrays import Call, Value, Words, check_confidence, normal_quantile, reasons
from evenhand.stats._roots import bracketed_root

__all__ = ["DetectableDifference", "detectable_difference"]


@dataclass(frozen=True, kw_only=True)
class DetectableDifference:
    """The difference that a two-sided test finds with the power given."""

    estimate: Value
    standard_error: Value
    power: float
    confidence: float
    method: str
    reason: Words


def detectable_difference(
    standard_error: ArrayLike, *, power: float = 0.8, confidence: float = 0.95
) -> DetectableDifference:
    """Return the smallest true difference that is detected with this power.

    Formula: the δ > 0 with Φ(δ/SE - z) + Φ(-δ/SE - z) = power, z the normal quantile of the
    two-sided level 1 - confidence. At 95 % and 80 % that is (1.960 + 0.842) SE = 2.802 SE.
    Units: those of the standard error. For two groups of n1 and n2 independent decisions with
    the rate p, SE = sqrt(p(1 - p)(1/n1 + 1/n2)), largest at p = .5.
    Assumes a normal estimate and a standard error that is known beforehand and stays the same
    under the effect. With few clusters (t instead of z), or where names differ among
    themselves, the effect must be larger.
    Fails: null where the standard error is 0 or not finite.

    Reference: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd ed.,
    chapter 6; Julious (2004), Statistics in Medicine 23, 1921-1986, section 2.

    5,000 decisions per group at p = .5 have SE = sqrt(.25 · 2/5000) = .01:

    >>> round(detectable_difference(0.01).estimate, 6)
    0.028016
    """
    check_confidence(confidence)
    if not 1 - confidence < power < 1:
        message = f"power must lie between 1 - confidence and 1, got {power!r}. Write 80 % as 0.8."
        raise ValueError(message)
    given = np.asarray(standard_error, dtype=np.float64)
    call = Call(scalar=given.ndim == 0)
    error = np.atleast_1d(given)
    z = normal_quantile(confidence)
    # The power grows with δ/SE, from 1 - confidence at 0 to 1; 40 standard errors are beyond any power below 1.
    units = bracketed_root(lambda shift: ndtr(shift - z) + ndtr(-shift - z) - power, np.zeros(1), np.full(1, z + 40.0))[
        0
    ]
    known = np.isfinite(error) & (error > 0)
    reason = reasons((~known, "The standard error is not known, or nothing varies."))
    return DetectableDifference(
        estimate=call.value(np.where(known, units * error, np.nan)),
        standard_error=call.value(np.where(known, error, np.nan)),
        power=power,
        confidence=confidence,
        method="two-sided normal test, standard error known beforehand",
        reason=call.words(reason),
    )
