"""p-values adjusted for how many questions were asked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Call, Floats, Value, Words, reasons

__all__ = ["AdjustedP", "benjamini_hochberg", "holm"]


@dataclass(frozen=True, kw_only=True)
class AdjustedP:
    """Adjusted p-values in the order given, and the size of the family they belong to.

    A null p stays null and is not counted in `family`.
    """

    p: Value
    family: int
    method: str
    reason: Words


def holm(p: ArrayLike | Sequence[float | None]) -> AdjustedP:
    """Return p-values adjusted by Holm's step-down method.

    Formula: with the p sorted, adjusted(i) = max over j ≤ i of min(1, (m - j + 1) p(j)).
    Holds the chance of any false finding in the family, whatever the dependence.
    Assumes that the family was fixed before the data were seen; comparisons against the
    observed best group are not such a family.

    Reference: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    >>> holm([0.01, 0.04, None, 0.03]).p.round(4).tolist()  # .01·3, then .03·2, then max(.04, .06)
    [0.03, 0.06, nan, 0.06]
    """
    return _adjusted(p, method="Holm")


def benjamini_hochberg(p: ArrayLike | Sequence[float | None]) -> AdjustedP:
    """Return p-values adjusted by Benjamini and Hochberg's step-up method.

    Formula: with the p sorted, adjusted(i) = min over j ≥ i of min(1, m p(j) / j).
    Holds the expected share of false findings among the findings.
    Assumes independent tests, or positively dependent ones.

    Reference: Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B
    57, 289-300.

    >>> benjamini_hochberg([0.01, 0.04, None, 0.03]).p.round(4).tolist()  # .01·3/1, .04·3/3, .04 ≤ .03·3/2
    [0.03, 0.04, nan, 0.04]
    """
    return _adjusted(p, method="Benjamini-Hochberg")


def _adjusted(p_values: ArrayLike | Sequence[float | None], *, method: str) -> AdjustedP:
    values = np.asarray(p_values, dtype=np.float64)  # None becomes NaN
    if values.ndim > 1:
        message = f"p must be one number or one list of them, got shape {values.shape}."
        raise ValueError(message)
    call, p = Call(scalar=values.ndim == 0), np.atleast_1d(values)
    if ((p < 0) | (p > 1)).any():
        message = f"p must lie between 0 and 1, got {float(p[(p < 0) | (p > 1)][0])!r}."
        raise ValueError(message)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    adjusted = np.full(p.shape, np.nan)
    adjusted[order] = _step_down(p[order]) if method == "Holm" else _step_up(p[order])
    return AdjustedP(
        p=call.value(adjusted),
        family=known.size,
        method=method,
        reason=call.words(reasons((np.isnan(p), "There is no p-value to adjust."))),
    )


def _step_down(p: Floats) -> Floats:
    return np.minimum(np.maximum.accumulate(p * np.arange(p.size, 0, -1)), 1.0)


def _step_up(p: Floats) -> Floats:
    scaled = p * p.size / np.arange(1, p.size + 1)
    return np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
