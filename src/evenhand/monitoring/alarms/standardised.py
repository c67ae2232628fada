"""Daily values on the scale on which they are watched: about normal, with the variance of their sampling."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.monitoring.history.daily import DailySeries
from evenhand.monitoring.history.log import canonical_json

__all__ = ["RATES", "TIMES", "OnScale", "Scales"]

Floats = NDArray[np.float64]

#: Measures that are shares, and those that are seconds.
RATES: Final = frozenset(
    {
        "selection_rate",
        "agreement",
        "error_rate",
        "undetected_rate",
        "masking_recall",
        "masking_precision",
        "golden_accuracy",
        "labeller_agreement",
    }
)
TIMES: Final = frozenset({"latency_p50", "latency_p95"})
IMPACT, SELECTION = "log_impact_ratio", "selection_rate"


@dataclass(frozen=True, kw_only=True)
class OnScale:
    """The values of a series on its scale and the variances of their sampling; NaN where a day does not count.

    `measured(place, value)` gives a value of the scale in the units of the measure, for the day in that place.
    """

    values: Floats
    variances: Floats
    measured: Callable[[int, float], float]


class Scales:
    """The scale of each series of a store; `references` are the reference groups of each model by attribute."""

    def __init__(self, series: Sequence[DailySeries], references: Mapping[str, Mapping[str, str]]) -> None:
        self._rates = {_key(each.model, each.slice): each for each in series if each.measure == SELECTION}
        self._references = references

    def of(self, series: DailySeries, *, minimum_n: int, baseline_days: int) -> OnScale:
        """Return a series as it is watched; days with fewer than `minimum_n` don't count.

        A share of x in n is watched as arcsin √((x + 3/8) / (n + 3/4)), with the variance 1 / (4n + 2) (Anscombe
        1948, Biometrika 35, 246-254); seconds as logarithms; a log impact ratio by how those selected are
        divided, see `_divided`; all else as it is. A standard error from one day goes along with the day's value, so
        the variance of what is no share is c / n, c being the median of n × standard error² over the first baseline.

        >>> days = np.arange("2026-01-01", "2026-01-04", dtype="datetime64[D]")
        >>> rates = DailySeries(model="m", measure="selection_rate", slice={}, days=days, n=np.array([100, 100, 4]),
        ...     value=np.array([0.5, 0.2, 0.1]), standard_error=np.full(3, np.nan))
        >>> found = Scales([rates], {}).of(rates, minimum_n=20, baseline_days=28)
        >>> found.values.round(3), found.variances.round(5), round(found.measured(1, 0.466), 2)
        (array([0.785, 0.466,   nan]), array([0.00249, 0.00249,     nan]), 0.2)
        """
        n = series.n.astype(np.float64)
        if series.measure == IMPACT:
            both = self._both(series)
            if both is not None:
                return _divided(*both, minimum_n=minimum_n, baseline_days=baseline_days)
        counts = np.isfinite(series.value) & (n >= minimum_n)
        if series.measure in RATES:
            values, variances = _share(series.value * n, n)
            return _counting(counts, values, variances, lambda place, value: _unshare(value, n[place]))
        value, error = series.value, series.standard_error
        times = series.measure in TIMES
        if times:
            counts &= value > 0
            with np.errstate(invalid="ignore", divide="ignore"):
                value, error = np.log(value), error / value
        early = np.flatnonzero(counts & np.isfinite(error))[:baseline_days]
        spread = n[early] * error[early] ** 2
        variances = np.full(n.size, float(np.median(spread)) if spread.size else 0.0) / np.maximum(n, 1)
        return _counting(counts, value, variances, lambda _, found: float(np.exp(found)) if times else found)

    def _both(self, series: DailySeries) -> tuple[Floats, Floats, Floats, Floats] | None:
        """Return who was selected of how many, of a group and its reference on each day; None where it isn't known."""
        references = self._references.get(series.model, {})
        attribute = next((name for name in series.slice if name in references), None)
        if attribute is None:
            return None
        found: list[Floats] = []
        for group in (series.slice[attribute], references[attribute]):
            rates = self._rates.get(_key(series.model, {**series.slice, attribute: group}))
            if rates is None:
                return None
            n = np.zeros(series.days.size)
            selected = np.zeros(series.days.size)
            at = np.minimum(np.searchsorted(rates.days, series.days), rates.days.size - 1)
            same = (rates.days[at] == series.days) & (series.n > 0)
            n[same] = rates.n[at[same]]
            selected[same] = np.round(np.nan_to_num(rates.value[at[same]]) * n[same])
            found += [selected, n]
        return found[0], found[1], found[2], found[3]


def _divided(
    selected: Floats, n: Floats, selected_beside: Floats, n_beside: Floats, *, minimum_n: int, baseline_days: int
) -> OnScale:
    """Return how those selected are divided between a group and its reference, against the first baseline's ratio.

    Of m selected the group's x are about binomial with share π = n r / (n r + n'), r being the impact ratio; watched is
    arcsin √((x + 3/8) / (m + 3/4)) − arcsin √π with the baseline's r, of variance (1 − m / (n + n')) / (4m + 2).
    A day on which nobody of the group was selected counts, though its log impact ratio can't be computed; a change
    of both rates alike is none.
    """
    m, people = selected + selected_beside, n + n_beside
    counts = (np.minimum(n, n_beside) >= minimum_n) & (m > 0)
    early = np.flatnonzero(counts)[:baseline_days]
    of, beside = selected[early].sum() + 0.5, selected_beside[early].sum() + 0.5
    ratio = of / (n[early].sum() + 0.5) / (beside / (n_beside[early].sum() + 0.5))
    share = np.where(counts, n * ratio, 0.5) / np.where(counts, n * ratio + n_beside, 1.0)
    foretold = np.arcsin(np.sqrt(share))
    values, variances = _share(selected, m)
    variances *= 1 - np.minimum(m / np.maximum(people, 1), 0.99)

    def measured(place: int, value: float) -> float:
        part = np.clip(_unshare(value + foretold[place], m[place]), 0.25 / m[place], 1 - 0.25 / m[place])
        return float(np.log(part / (1 - part) * n_beside[place] / n[place]))

    return _counting(counts, values - foretold, variances, measured)


def _share(x: Floats, n: Floats) -> tuple[Floats, Floats]:
    return np.arcsin(np.sqrt(np.clip((x + 0.375) / (n + 0.75), 0, 1))), 1 / (4 * n + 2)


def _unshare(value: float, n: float) -> float:
    share = (np.sin(np.clip(value, 0, np.pi / 2)) ** 2 * (n + 0.75) - 0.375) / n
    return float(np.clip(share, 0, 1))


def _counting(
    counts: NDArray[np.bool_], values: Floats, variances: Floats, measured: Callable[[int, float], float]
) -> OnScale:
    return OnScale(
        values=np.where(counts, values, np.nan), variances=np.where(counts, variances, np.nan), measured=measured
    )


def _key(model: str, slice_: Mapping[str, str]) -> tuple[str, str]:
    return model, canonical_json(slice_)
