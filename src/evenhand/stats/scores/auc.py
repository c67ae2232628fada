"""How well a score tells two groups apart: the area under the ROC curve, with DeLong's interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import check_confidence, normal_quantile

__all__ = ["AUC", "auc_of_counts"]


@dataclass(frozen=True, kw_only=True)
class AUC:
    """The area with its interval; where there is no interval, `interval_reason` says why."""

    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    confidence: float
    n_positive: int
    n_negative: int
    method: str
    reason: str | None
    interval_reason: str | None


def auc_of_counts(positive: ArrayLike, negative: ArrayLike, *, confidence: float = 0.95) -> AUC:
    """Return the chance that somebody of the positive group has the higher score, ties counted half.

    The two lists hold how many people of each group have each value; values stand in rising order.

    Formula: A = Σ a(v) F(v) / m, F(v) the share of the negative group below v plus half of that at v. With G(v) the
    share of the positive group above v plus half of that at v, var A = s²(F over the positive) / m + s²(G over the
    negative) / n, and the interval is A ± z sqrt(var A), cut at 0 and 1.
    Assumes independent people.
    Fails: null where a group is empty; without an interval where it has one person, or at an area of 0 or 1.

    Reference: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Of the four pairs of (1, 3) and (0, 2), the positive one is higher in three:

    >>> found = auc_of_counts([0, 1, 0, 1], [1, 0, 1, 0])
    >>> found.estimate, round(found.standard_error, 4)
    (0.75, 0.3536)
    """
    check_confidence(confidence)
    a, b = np.asarray(positive, dtype=np.float64), np.asarray(negative, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError("positive and negative must be two lists of the same length")
    m, n = a.sum(), b.sum()
    estimate = error = low = high = None
    reason = None if m and n else "One of the two groups has nobody in it."
    interval_reason = reason
    if reason is None:
        below = (np.cumsum(b) - b / 2) / n
        above = (m - np.cumsum(a) + a / 2) / m
        estimate = float((a * below).sum() / m)
        if min(m, n) < 2:
            interval_reason = "A group has one person only."
        elif not 0 < estimate < 1:
            interval_reason = "The two groups do not overlap."
        else:
            spread = (a * (below - estimate) ** 2).sum() / (m - 1) / m
            spread += (b * (above - estimate) ** 2).sum() / (n - 1) / n
            error = float(np.sqrt(spread))
            z = normal_quantile(confidence)
            low, high = max(estimate - z * error, 0.0), min(estimate + z * error, 1.0)
    return AUC(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=error,
        confidence=confidence,
        n_positive=int(m),
        n_negative=int(n),
        method="DeLong",
        reason=reason,
        interval_reason=interval_reason,
    )
