"""Whether another column rises with a feature."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from evenhand.stats import normal_quantile

__all__ = ["Relation", "Trend", "trend"]

#: Parts of about as many rows in which means are compared.
PARTS = 10
LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class Relation:
    """Another column by the levels of a feature, in rising order: rows, sum and sum of squares."""

    n: NDArray[np.int64]
    total: NDArray[np.float64]
    squares: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Trend:
    """Whether it rises (or falls) throughout; None where the data don't tell."""

    holds: bool | None
    told: str
    correlation: float | None


def trend(relation: Relation, *, rising: bool) -> Trend:
    """Return whether the means of up to ten parts of the rows rise, as far as sampling error lets tell.

    A step the wrong way that is statistically significant (of all steps together) breaks it; without such a step the
    last part must be above the first one by more than chance.

    >>> steps = Relation(n=np.array([100, 100]), total=np.array([10.0, 60.0]), squares=np.array([10.0, 60.0]))
    >>> trend(steps, rising=True).holds, trend(steps, rising=False).holds
    (True, False)
    """
    parts = _parts(relation)
    n, total, squares = parts
    if len(n) < 2:
        return Trend(holds=None, told="fewer than two values to compare", correlation=None)
    mean = total / n
    variance = np.maximum(squares / n - mean * mean, 0.0) / np.maximum(n - 1, 1)
    sign = 1.0 if rising else -1.0
    steps = sign * np.diff(mean)
    errors = np.sqrt(variance[1:] + variance[:-1])
    z = normal_quantile(1 - 2 * LEVEL / len(steps))
    wrong = np.flatnonzero(steps < -z * errors)
    place = np.arange(len(n), dtype=np.float64)
    weights = n / n.sum()
    centred = place - (weights * place).sum()
    slope = float((weights * centred * (mean - (weights * mean).sum())).sum())
    spread = float((weights * centred**2).sum())
    error = sqrt(float((weights**2 * centred**2 * variance).sum()))
    correlation = slope / sqrt(spread * float((weights * (mean - (weights * mean).sum()) ** 2).sum()) or np.inf)
    ends = f"mean {mean[0]:.4g} in the lowest of {len(n)} parts, {mean[-1]:.4g} in the highest"
    if len(wrong):
        step = int(wrong[0])
        way = "falls" if rising else "rises"
        return Trend(
            holds=False,
            told=f"it {way} from {mean[step]:.4g} to {mean[step + 1]:.4g} between parts {step + 1} and {step + 2} of "
            f"{len(n)}",
            correlation=correlation,
        )
    if sign * slope > normal_quantile(1 - LEVEL) * error:
        return Trend(holds=True, told=ends, correlation=correlation)
    if sign * slope < -normal_quantile(1 - LEVEL) * error:
        return Trend(holds=False, told=ends, correlation=correlation)
    return Trend(holds=None, told=f"no relation was detected ({ends})", correlation=correlation)


def _parts(relation: Relation) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return up to ten parts of neighbouring levels, of about as many rows each."""
    held = relation.n > 0
    n, total, squares = (
        np.asarray(each, dtype=np.float64)[held] for each in (relation.n, relation.total, relation.squares)
    )
    if not len(n):
        return n, total, squares
    middle = (np.cumsum(n) - n / 2) / n.sum()
    part = np.minimum((middle * PARTS).astype(np.int64), PARTS - 1)
    starts = np.flatnonzero(np.concatenate(([True], part[1:] != part[:-1])))
    return tuple(np.add.reduceat(each, starts) for each in (n, total, squares))  # type: ignore[return-value]
