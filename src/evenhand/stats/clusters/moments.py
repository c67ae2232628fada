"""Rates and least-squares lines from sums, so that a resample never loops over rows.

Moments are an array (..., 5) of n, Σy, Σx, Σxy, Σx², or (..., 2) of n, Σy where there
is no covariate. Sums over any set of rows add up, so the moments of a slice are the
sum of the moments of its cells. Where a row is y successes of several trials, n is the
sum of trials and the rate is the pooled one.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLUMNS", "Statistic", "influence", "row_moments", "statistic"]

Floats = NDArray[np.float64]
Statistic = Literal["rate", "slope", "intercept"]

COLUMNS = ("n", "y", "x", "xy", "xx")


def row_moments(y: Floats, x: Floats | None, *, trials: Floats | None = None) -> Floats:
    """Return the moments of single rows, shape (n, 2) or (n, 5).

    >>> row_moments(np.array([1.0]), np.array([0.5])).tolist()
    [[1.0, 1.0, 0.5, 0.5, 0.25]]
    """
    ones = np.ones_like(y) if trials is None else trials
    columns = [ones, y] if x is None else [ones, y, x, x * y, x * x]
    return np.stack(columns, axis=1)


def statistic(moments: Floats, name: Statistic, *, smoothing: float = 0.0) -> Floats:
    """Return a rate (Σy/n), or slope or intercept of the line of y on x.

    NaN where there are no rows or, for a line, where x does not vary (the sum of
    squares is below 1e-12 of Σx², that is, rounding). `smoothing` s draws a rate to one
    half: (Σy + s)/(n + 2s).

    >>> line = row_moments(np.array([0.0, 1.0]), np.array([0.25, 0.75])).sum(axis=0)
    >>> float(statistic(line, "slope")), float(statistic(line, "intercept")), float(statistic(line, "rate"))
    (2.0, -0.5, 0.5)
    """
    n, y = moments[..., 0], moments[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(n > 0, (y + smoothing) / (n + 2 * smoothing), np.nan)
        if name == "rate":
            return rate
        x, xy, xx = moments[..., 2], moments[..., 3], moments[..., 4]
        spread = xx - x * x / n
        slope = np.where(spread > 1e-12 * np.maximum(xx, 1e-300), (xy - x * y / n) / spread, np.nan)
        return slope if name == "slope" else rate - slope * x / n


def influence(
    y: Floats, x: Floats | None, name: Statistic, *, trials: Floats | None = None, smoothing: float = 0.0
) -> Floats:
    """Return each row's influence on the statistic of these rows, to first order.

    The statistic's error is about the sum of independent clusters' influences, so the
    variance is the sum of squared cluster sums (Liang and Zeger 1986, Biometrika 73, 13).

    >>> influence(np.array([0.0, 1.0]), None, "rate").tolist()
    [-0.25, 0.25]
    """
    n = y.shape[0]
    if name == "rate":
        if trials is None:
            return np.asarray((y - y.mean()) / n)
        total = float(trials.sum()) + 2 * smoothing
        # With smoothing the influences sum to the pull of the prior, not to 0; n is large against it.
        return np.asarray((y - (float(y.sum()) + smoothing) / total * trials) / total)
    if x is None:
        message = f"A {name} needs a covariate."
        raise ValueError(message)
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread
    residual = y - y.mean() - slope * centred
    slopes = centred * residual / spread
    return slopes if name == "slope" else np.asarray(residual / n - x.mean() * slopes)
