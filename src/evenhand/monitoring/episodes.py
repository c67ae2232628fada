"""Episodes: when the series of a store rang under its rules, computed anew from the daily values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from evenhand.monitoring.history.daily import DailySeries
from evenhand.monitoring.rules import Rule, Rules
from evenhand.monitoring.standardised import OnScale, measured_value, on_scale
from evenhand.stats.changes.self_starting import Rang, SelfStarting, limits_of, self_starting

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


def evaluated(series: Sequence[DailySeries], rules: Rules, *, until: date) -> Evaluated:
    """Return the episodes of all series under all rules, up to and including a day."""
    pairs = [(rule, each) for each in series for rule in rules.rules if rule.watches(each.model, each.measure, each.slice)]
    fixed = [(rule, each) for rule, each in pairs if rule.comparison != "changes"]
    levels = [(rule, each) for rule, each in pairs if rule.comparison == "changes"]
    changes = _changes(levels, rules, until=until)
    found = [*changes.episodes, *(episode for rule, each in fixed for episode in _fixed(rule, each))]
    watched = [*changes.watched]
    for rule, each in fixed:
        counts = each.days[_counting(rule, each)]
        watched.append(Watched(rule=rule, series=each, days=counts.size, since=_date(counts[0]) if counts.size else None))
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


def _changes(pairs: Sequence[tuple[Rule, DailySeries]], rules: Rules, *, until: date) -> Evaluated:
    """Return when the level of a series changed."""
    if not pairs:
        return Evaluated(episodes=(), watched=())
    first = min(each.days[0] for _, each in pairs)
    length = int((np.datetime64(until, "D") - first).astype(int)) + 1
    values = np.full((len(pairs), length), np.nan)
    variances = np.zeros_like(values)
    n = np.zeros(values.shape, dtype=np.int64)
    for row, (rule, each) in enumerate(pairs):
        scaled = _since(on_scale(each, minimum_n=rule.minimum_n, baseline_days=rules.baseline.days), each, rules)
        places = (each.days - first).astype(np.int64)
        values[row, places], variances[row, places], n[row, places] = scaled.values, scaled.variances, each.n
    variances = np.nan_to_num(variances)
    days = np.isfinite(values).cumsum(axis=1)
    watched = days >= rules.baseline.days
    models = np.array([each.model for _, each in pairs])
    sums = np.zeros(values.shape, dtype=np.int64)
    for model in np.unique(models):
        sums[models == model] = watched[models == model].sum(axis=0)
    limits = limits_of(sums, np.maximum(days, rules.baseline.days))
    weekday = int((first.astype(int) + 3) % 7)  # 1970-01-01 was a Thursday
    found = self_starting(
        values, variances, first_weekday=weekday, limits=limits, baseline_days=rules.baseline.days
    )
    told = [
        Watched(rule=rule, series=each, days=int(days[row, -1]), since=_first(watched[row], first))
        for row, (rule, each) in enumerate(pairs)
    ]
    episodes = [_episode(each, pairs[each.series], found, limits, values, n, first) for each in found.alarms]
    return Evaluated(episodes=tuple(episodes), watched=tuple(told))


def _since(scaled: OnScale, series: DailySeries, rules: Rules) -> OnScale:
    """Return the values from the day on that the rules name for the model's baseline."""
    since = rules.baseline.since_of(series.model)
    if since is None:
        return scaled
    late = series.days >= np.datetime64(since, "D")
    return OnScale(values=np.where(late, scaled.values, np.nan), variances=scaled.variances)


def _first(watched: NDArray[np.bool_], first: np.datetime64) -> date | None:
    """Return the day after the baseline was complete."""
    places = np.flatnonzero(watched)
    return _date(first + int(places[0])) + timedelta(days=1) if places.size else None


def _episode(
    rang: Rang,
    pair: tuple[Rule, DailySeries],
    found: SelfStarting,
    limits: NDArray[np.float64],
    values: NDArray[np.float64],
    n: NDArray[np.int64],
    first: np.datetime64,
) -> Episode:
    rule, series = pair
    row, day = rang.series, rang.day
    sums = (found.above if rang.direction > 0 else found.below)[row]
    end = sums.size if rang.ended is None else rang.ended
    held = 0
    fired = None
    for place in range(day, end):
        if np.isfinite(values[row, place]):
            held = held + 1 if sums[place] >= limits[row, place] * (1 - 1e-9) else 0
            if held == rule.days:
                fired = _date(first + place)
                break
    size = int(n[row, day])
    return Episode(
        rule=rule,
        series=series,
        day=_date(first + day),
        since=_date(first + rang.since),
        fired=fired,
        ended=None if rang.ended is None else _date(first + rang.ended),
        value=measured_value(series.measure, float(values[row, day]), size),
        threshold=measured_value(series.measure, rang.limit, size),
        expected=measured_value(series.measure, rang.expected, size),
    )


def _date(day: np.datetime64) -> date:
    found: date = day.astype(object)
    return found
