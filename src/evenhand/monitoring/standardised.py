"""Daily values on the scale on which they are watched: about normal, with the variance of their sampling."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.monitoring.history.daily import DailySeries

__all__ = ["OnScale", "measured_value", "on_scale"]

Floats = NDArray[np.float64]

#: Shares are watched as the arcsine of their root, whose variance does not depend on the share; times as logarithms.
RATES: Final = frozenset(
    {
        "selection_rate",
        "agreement",
        "error_rate",
        "undetected_rate",
        "masking_recall",
        "masking_precision",
        "golden_accuracy",
    }
)
TIMES: Final = frozenset({"latency_p50", "latency_p95"})


@dataclass(frozen=True, kw_only=True)
class OnScale:
    """The values of a series on its scale and the variances of their sampling; NaN where a day does not count."""

    values: Floats
    variances: Floats


def on_scale(series: DailySeries, *, minimum_n: int, baseline_days: int) -> OnScale:
    """Return the daily values as they are watched.

    A share x / n becomes arcsin √((x + 3/8) / (n + 3/4)), with the variance 1 / (4n + 2) (Anscombe 1948, Biometrika 35,
    246-254); seconds become logarithms. A standard error from one day's data goes along with the day's value, so c in
    the variance c / n is the median of n × standard error² over the first baseline.

    >>> from datetime import date
    >>> days = np.arange("2026-01-01", "2026-01-04", dtype="datetime64[D]")
    >>> series = DailySeries(model="m", measure="selection_rate", slice={}, days=days, value=np.array([0.5, 0.2, 0.1]),
    ...     standard_error=np.full(3, np.nan), n=np.array([100, 100, 4]))
    >>> found = on_scale(series, minimum_n=20, baseline_days=28)
    >>> found.values.round(3), found.variances.round(5)
    (array([0.785, 0.466,   nan]), array([0.00249, 0.00249,     nan]))
    """
    n = series.n.astype(np.float64)
    value, error = series.value, series.standard_error
    counts = np.isfinite(value) & (n >= minimum_n)
    if series.measure in RATES:
        values = np.arcsin(np.sqrt(np.clip((value * n + 0.375) / (n + 0.75), 0, 1)))
        variances = 1 / (4 * n + 2)
    else:
        if series.measure in TIMES:
            counts &= value > 0
            with np.errstate(invalid="ignore", divide="ignore"):
                error = error / value
                value = np.log(value)
        values = value
        spread = (n * error**2)[counts & np.isfinite(error)][:baseline_days]
        variances = np.full(n.size, float(np.median(spread)) if spread.size else 0.0) / np.maximum(n, 1)
    return OnScale(values=np.where(counts, values, np.nan), variances=np.where(counts, variances, np.nan))


def measured_value(measure: str, value: float, n: int) -> float:
    """Return a value of the scale in the units of the measure.

    >>> round(measured_value("selection_rate", 0.466, 100), 2)
    0.2
    """
    if measure in RATES:
        share = (np.sin(np.clip(value, 0, np.pi / 2)) ** 2 * (n + 0.75) - 0.375) / n
        return float(np.clip(share, 0, 1))
    return float(np.exp(value)) if measure in TIMES else value
