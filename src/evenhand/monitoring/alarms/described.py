"""How the scores of each model moved, described: no alarm follows from it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.monitoring.alarms.rules import BaselineDays
from evenhand.monitoring.history.daily import DailySeries, daily_series
from evenhand.monitoring.history.store import Store
from evenhand.monitoring.history.value_counts import ValueCounts
from evenhand.stats import (
    KolmogorovSmirnov,
    StabilityIndex,
    TheilSen,
    kolmogorov_smirnov,
    stability_index,
    theil_sen,
)

__all__ = ["Described", "described"]

#: Values, ascending, and how often each occurs.
Counted = tuple[NDArray[np.int64], NDArray[np.int64]]
#: Days, up to the last that is looked at, whose scores are held against the baseline, and whose slope is taken.
LATELY: Final = 28
SLOPE_DAYS: Final = 90
#: A slope is told for so many days.
PER_DAYS: Final = 30
#: Bins of the stability index, of equally many scores of the baseline, and how often its limit is kept by chance.
BINS: Final = 10
LIMIT: Final = 0.95


@dataclass(frozen=True, kw_only=True)
class Described:
    """A model's scores: the slope of their daily median, and how far those of late are from those of the baseline.

    `slope` is per 30 days, over the last 90, weekdays taken out; `psi` and `ks` hold the last 28 days against the
    baseline; None where these overlap.
    """

    model: str
    slope: TheilSen
    psi: StabilityIndex | None
    ks: KolmogorovSmirnov | None

    @property
    def json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def described(store: Store, baseline: BaselineDays, *, as_of: date, models: Sequence[str] = ()) -> list[Described]:
    """Return what is said of each model (empty: all) that has scores."""
    series = daily_series(store, models=models, measures=["median_score"], until=as_of)
    found = [each for each in series if not each.slice]
    return [_described(store, each, baseline, as_of=as_of) for each in found]


def _described(store: Store, series: DailySeries, baseline: BaselineDays, *, as_of: date) -> Described:
    since = baseline.since_of(series.model)
    days = series.days if since is None else series.days[series.days >= np.datetime64(since, "D")]
    psi = ks = None
    first = days[: baseline.days]
    lately = np.datetime64(as_of - timedelta(days=LATELY - 1), "D")
    if first.size == baseline.days and first[-1] < lately:
        before = _scores(store, series.model, str(first[0]), str(first[-1]))
        after = _scores(store, series.model, str(lately), as_of.isoformat())
        psi, ks = _distances(before, after)
    return Described(model=series.model, slope=_slope(series, as_of), psi=psi, ks=ks)


def _slope(series: DailySeries, as_of: date) -> TheilSen:
    """Return the slope of the last days, each less the median of its weekday."""
    chosen = series.days > np.datetime64(as_of - timedelta(days=SLOPE_DAYS), "D")
    days, values = series.days[chosen].astype(np.int64), series.value[chosen].copy()
    for weekday in range(7):
        own = (days % 7 == weekday) & np.isfinite(values)
        if own.any():
            values[own] -= np.median(values[own])
    return theil_sen(values, times=days / PER_DAYS)


def _distances(before: Counted, after: Counted) -> tuple[StabilityIndex, KolmogorovSmirnov]:
    """Return how far counted scores are from those of the baseline: in its tenths, and at every score."""
    places = np.union1d(before[0], after[0])
    held, now = (np.zeros(places.size), np.zeros(places.size))
    for counts, (values, of) in ((held, before), (now, after)):
        counts[np.searchsorted(places, values)] = of
    ranks = np.cumsum(held)
    ends = np.unique(np.searchsorted(ranks, np.arange(1, BINS) * ranks[-1:].sum() / BINS))
    starts = np.concatenate([[0], ends + 1])
    starts = starts[starts < places.size]
    binned, reference = (np.add.reduceat(each, starts) if places.size else each for each in (now, held))
    return (
        stability_index(binned, reference, confidence=LIMIT),
        kolmogorov_smirnov(now, held, confidence=LIMIT),
    )


def _scores(store: Store, model: str, first: str, last: str) -> Counted:
    rows = store.rows(
        "SELECT scores FROM counts JOIN cells ON id = cell WHERE model = ? AND day >= ? AND day <= ?",
        (model, first, last),
    )
    found = ValueCounts.together(ValueCounts.unpacked(bytes(packed)) for (packed,) in rows)
    return found.values, found.counts
