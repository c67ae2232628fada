"""The mean of paired differences: t on pairs, one value for each person or document."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import check_confidence, positive_p
from evenhand.stats.special import stdtr, stdtrit

__all__ = ["PairedT", "paired_t"]


@dataclass(frozen=True, kw_only=True)
class PairedT:
    """The mean difference of pairs with its interval and test; `n` counts pairs."""

    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    t: float | None
    df: int
    p: float | None
    confidence: float
    n: int
    method: str
    reason: str | None


def paired_t(differences: ArrayLike, *, confidence: float = 0.95) -> PairedT:
    """Return the mean of differences of shape (n,), one for each pair, in their own unit.

    Formula: t = d̄ / (s / sqrt(n)) with s² = Σ (d - d̄)² / (n - 1), on n - 1 degrees of freedom.
    Assumes that the differences are independent and their mean is nearly normal. Where one résumé was scored many
    times, give its mean difference: single scores of it are not independent.
    Fails: no estimate without values, or of values that are not finite; no interval with one, or where all are alike.

    Reference: Student (1908), Biometrika 6, 1-25; the sleep data, table on p. 20, mean 1.58.

    >>> sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    >>> found = paired_t(sleep)
    >>> round(found.estimate, 2), round(found.t, 3), found.df, round(found.p, 4)
    (1.58, 4.062, 9, 0.0028)
    """
    check_confidence(confidence)
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 1:
        message = f"paired_t takes differences of one dimension, got shape {d.shape}."
        raise ValueError(message)
    reason, estimate = None, None
    if not d.size:
        reason = "There are no pairs."
    elif not np.isfinite(d).all():
        reason = "A difference is missing or not finite."
    else:
        estimate = float(d.mean())
        if d.size < 2:
            reason = "One pair tells nothing of how differences spread."
        elif np.ptp(d) == 0.0:
            reason = "The differences are all alike."
    error = t = p = width = None
    if reason is None:
        assert estimate is not None
        error = float(d.std(ddof=1)) / d.size**0.5
        t = estimate / error
        p = float(positive_p(np.array(2 * stdtr(d.size - 1, -abs(t)))))
        width = float(stdtrit(d.size - 1, (1 + confidence) / 2)) * error
    return PairedT(
        estimate=estimate,
        low=None if width is None or estimate is None else estimate - width,
        high=None if width is None or estimate is None else estimate + width,
        standard_error=error,
        t=t,
        df=max(d.size - 1, 0),
        p=p,
        confidence=confidence,
        n=d.size,
        method="paired t",
        reason=reason,
    )
