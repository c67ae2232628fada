"""Episodes: when the series of a store rang under its rules, computed anew from the daily values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from evenhand.monitoring.alarms.rules import Rule, Rules
from evenhand.monitoring.alarms.standardised import OnScale, Scales
from evenhand.monitoring.history.daily import DailySeries
from evenhand.stats.over_time.self_starting import Rang, limits_of, self_starting

__all__ = ["Episode", "Evaluated", "Watched", "evaluated"]


@dataclass(frozen=True, kw_only=True)
class Episode:
    """A rule that rang for a series: from when, since when the change, when it fired and ended (None: not, or not yet).

    `value` is the measure's on the first day, `threshold` the value beyond which that day rang; `expected` is what the
    baseline foretold, None where the threshold is fixed.
    """

    rule: Rule
    series: DailySeries
    day: date
    since: date
    fired: date | None
    ended: date | None
    value: float
    threshold: float
    expected: float | None = None


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A series under a rule: how many days count, and since when it is watched (None: it has no baseline yet)."""

    rule: Rule
    series: DailySeries
    days: int
    since: date | None


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """All that rang, and all that was watched."""

    episodes: tuple[Episode, ...]
    watched: tuple[Watched, ...]


def evaluated(
    series: Sequence[DailySeries], rules: Rules, *, until: date, references: Mapping[str, Mapping[str, str]]
) -> Evaluated:
    """Return the episodes of all series under all rules, up to and including a day.

    `references` are the reference groups of each model by attribute, for its impact ratios.
    """
    pairs = [
        (rule, each) for each in series for rule in rules.rules if rule.watches(each.model, each.measure, each.slice)
    ]
    fixed = [(rule, each) for rule, each in pairs if rule.comparison != "changes"]
    levels = [(rule, each) for rule, each in pairs if rule.comparison == "changes"]
    changes = _changes(levels, rules, Scales(series, references), until=until)
    found = [*changes.episodes, *(episode for rule, each in fixed for episode in _fixed(rule, each))]
    watched = [*changes.watched]
    for rule, each in fixed:
        counts = each.days[_counting(rule, each)]
        watched.append(
            Watched(rule=rule, series=each, days=counts.size, since=_date(counts[0]) if counts.size else None)
        )
    return Evaluated(episodes=tuple(sorted(found, key=lambda each: each.day)), watched=tuple(watched))


def _counting(rule: Rule, series: DailySeries) -> NDArray[np.bool_]:
    return np.isfinite(series.value) & (series.n >= rule.minimum_n)


def _fixed(rule: Rule, series: DailySeries) -> list[Episode]:
    """Return when a value was above or below a fixed threshold; days that do not count change nothing."""
    assert rule.threshold is not None
    counting = _counting(rule, series)
    days, values = series.days[counting], series.value[counting]
    holds = values > rule.threshold if rule.comparison == "above" else values < rule.threshold
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(np.int8), [0]])))
    return [
        Episode(
            rule=rule,
            series=series,
            day=_date(days[first]),
            since=_date(days[first]),
            fired=_date(days[first + rule.days - 1]) if end - first >= rule.days else None,
            ended=_date(days[end]) if end < days.size else None,
            value=float(values[first]),
            threshold=rule.threshold,
        )
        for first, end in zip(edges[::2], edges[1::2], strict=True)
    ]


def _changes(pairs: Sequence[tuple[Rule, DailySeries]], rules: Rules, scales: Scales, *, until: date) -> Evaluated:
    """Return when the level of a series changed."""
    if not pairs:
        return Evaluated(episodes=(), watched=())
    first = min(each.days[0] for _, each in pairs)
    length = int((np.datetime64(until, "D") - first).astype(int)) + 1
    values, variances = np.full((len(pairs), length), np.nan), np.zeros((len(pairs), length))
    scaled = [_scaled(rule, each, rules, scales) for rule, each in pairs]
    for row, ((_, each), on) in enumerate(zip(pairs, scaled, strict=True)):
        places = (each.days - first).astype(np.int64)
        values[row, places], variances[row, places] = on.values, np.nan_to_num(on.variances)
    days = np.isfinite(values).cumsum(axis=1)
    watched = days >= rules.baseline.days
    models = np.array([each.model for _, each in pairs])
    sums = np.zeros(values.shape, dtype=np.int64)
    for model in np.unique(models):
        sums[models == model] = watched[models == model].sum(axis=0)
    limits = limits_of(sums, np.maximum(days, rules.baseline.days))
    weekday = int((first.astype(int) + 3) % 7)  # 1970-01-01 was a Thursday
    found = self_starting(values, variances, first_weekday=weekday, limits=limits, baseline_days=rules.baseline.days)
    told = [
        Watched(rule=rule, series=each, days=int(days[row, -1]), since=_first(watched[row], first))
        for row, (rule, each) in enumerate(pairs)
    ]
    episodes = []
    for rang in found.alarms:
        row = rang.series
        sums_of_it = (found.above if rang.direction > 0 else found.below)[row]
        held = np.isfinite(values[row]) & (sums_of_it >= limits[row] * (1 - 1e-9))
        counting = np.isfinite(values[row])
        fired = _fired(rang, held, counting, pairs[row][0].days)
        episodes.append(_episode(rang, *pairs[row], scaled[row], first=first, fired=fired))
    return Evaluated(episodes=tuple(episodes), watched=tuple(told))


def _scaled(rule: Rule, series: DailySeries, rules: Rules, scales: Scales) -> OnScale:
    """Return the values of a series from the day on that the rules name for the model's baseline."""
    since = rules.baseline.since_of(series.model)
    if since is not None:
        late = series.days >= np.datetime64(since, "D")
        series = replace(series, n=np.where(late, series.n, 0))
    return scales.of(series, minimum_n=rule.minimum_n, baseline_days=rules.baseline.days)


def _first(watched: NDArray[np.bool_], first: np.datetime64) -> date | None:
    """Return the day after the baseline was complete."""
    places = np.flatnonzero(watched)
    return _date(first + int(places[0])) + timedelta(days=1) if places.size else None


def _fired(rang: Rang, held: NDArray[np.bool_], counting: NDArray[np.bool_], days: int) -> int | None:
    """Return the first place at which the sum was at its limit for so many days that count, in a row."""
    run = 0
    for place in range(rang.day, held.size if rang.ended is None else rang.ended):
        if counting[place]:
            run = run + 1 if held[place] else 0
            if run == days:
                return place
    return None


def _episode(
    rang: Rang, rule: Rule, series: DailySeries, scaled: OnScale, *, first: np.datetime64, fired: int | None
) -> Episode:
    place = int(np.searchsorted(series.days, first + rang.day))
    return Episode(
        rule=rule,
        series=series,
        day=_date(first + rang.day),
        since=_date(first + rang.since),
        fired=None if fired is None else _date(first + fired),
        ended=None if rang.ended is None else _date(first + rang.ended),
        value=scaled.measured(place, float(scaled.values[place])),
        threshold=scaled.measured(place, rang.limit),
        expected=scaled.measured(place, rang.expected),
    )


def _date(day: np.datetime64) -> date:
    found: date = day.astype(object)
    return found
