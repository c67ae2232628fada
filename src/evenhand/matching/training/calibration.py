"""From margins to shares: isotonic where there are many pairs, Platt's sigmoid where there are fewer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.matching.training.loss import logistic

__all__ = ["Calibration", "calibrations_of", "half_steps"]

_Floats = NDArray[np.float64]
#: From so many pairs on a step function is fitted (Niculescu-Mizil and Caruana 2005), from so many a sigmoid, each with
#: so many pairs of either label; families with fewer share that of all pairs.
FEWEST_ISOTONIC: Final = 1_000
FEWEST_PLATT: Final = 200
FEWEST_OF_EACH: Final = 40


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Scores at margins, between which lines are drawn; of a sigmoid its slope and intercept."""

    method: Literal["isotonic", "platt"]
    pairs: int
    margins: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    slope: float = 1.0
    intercept: float = 0.0

    def at(self, margin: _Floats) -> _Floats:
        """Return the calibrated scores of margins, in their shape."""
        if self.method == "isotonic":
            found: _Floats = np.interp(margin, self.margins, self.scores)
            return found
        return logistic(self.slope * margin + self.intercept)


def calibrations_of(
    margin: _Floats, label: _Floats, families: Sequence[str | None]
) -> tuple[Calibration, Mapping[str, Calibration]]:
    """Return the calibration of all pairs, and those of the families that have enough of them."""
    pooled = _fitted(margin, label) or Calibration(method="platt", pairs=0)
    by_family = np.asarray(["" if each is None else each for each in families])
    found = {}
    for family in np.unique(by_family):
        own = by_family == family
        fitted = _fitted(margin[own], label[own]) if family else None
        if fitted is not None:
            found[str(family)] = fitted
    return pooled, found


def _fitted(margin: _Floats, label: _Floats) -> Calibration | None:
    """Return the calibration of pairs, None where there are too few, or where it would turn the order around."""
    n, ones = len(margin), int(label.sum())
    if n < FEWEST_PLATT or min(ones, n - ones) < FEWEST_OF_EACH:
        return None
    try:
        from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415 - an extra
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    except ImportError as error:
        raise InputError("Training needs scikit-learn: pip install 'evenhand[match]'.") from error
    if n >= FEWEST_ISOTONIC:
        fitted = IsotonicRegression(y_min=1 / (n + 2), y_max=1 - 1 / (n + 2)).fit(margin, label)
        margins, scores = map(tuple, (fitted.X_thresholds_.tolist(), fitted.y_thresholds_.tolist()))
        return Calibration(method="isotonic", pairs=n, margins=margins, scores=scores)
    # Platt's targets instead of 0 and 1: (n+ + 1) / (n+ + 2) and 1 / (n- + 2), as weights of both labels.
    high, low = (ones + 1) / (ones + 2), 1 / (n - ones + 2)
    target = np.where(label > 0, high, low)
    both = LogisticRegression(C=1e6).fit(
        np.tile(margin, 2)[:, None], np.repeat([1, 0], n), sample_weight=np.concatenate([target, 1 - target])
    )
    slope, intercept = float(both.coef_[0, 0]), float(both.intercept_[0])
    return Calibration(method="platt", pairs=n, slope=slope, intercept=intercept) if slope > 0 else None


def half_steps(score: _Floats) -> _Floats:
    """Return scores from 0 to 1 on the scale from 0 to 5, in half steps; a half of a step goes up.

    >>> half_steps(np.array([0.0, 0.449, 0.45, 1.0])).tolist()
    [0.0, 2.0, 2.5, 5.0]
    """
    found: _Floats = np.floor(score * 10 + 0.5 + 1e-9) / 2
    return found
