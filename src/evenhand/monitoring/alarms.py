"""Alarms: the rules checked against the daily values of a store, episodes, and the alarms that follow from them.

A check computes the episodes anew from what was recorded and reconciles them with the stored alarms. Every change of an
alarm is logged.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, Literal

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.monitoring.daily import DAILY_COLUMNS, CountedSeries, DailySeries, daily_series, series_of
from evenhand.monitoring.rules import ANY, IMPACT, RATES, SELECTION, LevelRule, Rule, Rules, Scales
from evenhand.monitoring.store import LogHead, Store, Writing, add_entry, canonical_json, log_head, utc_text
from evenhand.monitoring.units import (
    DAY,
    JUDGEMENT,
    Chosen,
    Lack,
    Sizes,
    Unit,
    chosen_unit,
    counting,
    lack,
    pooled_counts,
)
from evenhand.stats.change_detection import (
    EVERY,
    RATE_DAYS,
    Calendar,
    SelfStarting,
    SeriesAlarm,
    limits_of,
    replayed_rate,
    self_starting,
)
from evenhand.stats.rate_changes import RateAlarm, rate_changes

#: The setting with the day of the last check, and the SHA-256 of its rules.
LAST_CHECK: Final = "check"
#: The upper limit of ids; databases fail at larger numbers.
_IDS: Final = 2**63

State = Literal["pending", "firing", "acknowledged", "resolved"]

#: What an alarm is known by, and the other columns of its table.
_KEY = ("rule", "measure", "model", "slice", "day")
_VALUES = (
    *("since", "state", "value", "threshold", "severity", "acknowledged_by", "note", "finding", "actions", "ended"),
    *("unit", "changed"),
)
_COLUMNS = ", ".join(("id", *_KEY, *_VALUES))
_SAVE = (
    f"INSERT INTO alarms ({_COLUMNS}) VALUES (?{', ?' * len(_KEY + _VALUES)}) ON CONFLICT (id) DO UPDATE SET "  # noqa: S608
    + ", ".join(f"{name} = excluded.{name}" for name in _VALUES)
)
#: The most days that an alarm is muted for.
LONGEST_MUTE: Final = 366


@dataclass(frozen=True, kw_only=True)
class Action:
    """What somebody did about an alarm, and when (UTC): whom it was assigned `to`, `until` which day it is muted."""

    kind: Literal["acknowledged", "assigned", "muted"]
    by: str
    at: str
    note: str = ""
    to: str = ""
    until: str = ""


@dataclass(frozen=True, kw_only=True)
class Alarm:
    """An alarm: its rule and series, the first day it fired, the estimated start of the change (`since`), its state.

    `id` is 0 until it is saved; rule, measure, model, slice and day identify it. `unit` is the day, week, month or
    quarter of the value, of which `day` is the last; that of single judgements is since the change (None: not known).
    `finding` is that of a standing disparity, as JSON values; its alarm changes with every look that finds it. `ended`
    is the day on which a resolved alarm was over by the data (None: it was resolved as data or rules changed),
    `changed` when it was last saved. `actions` are what people did, in order.
    """

    rule: str
    measure: str
    model: str
    slice: Mapping[str, str]
    day: date
    since: date | None
    state: State
    value: float | None
    threshold: float | None
    severity: str
    acknowledged_by: str | None = None
    note: str | None = None
    finding: Mapping[str, Any] | None = None
    actions: tuple[Action, ...] = ()
    ended: date | None = None
    unit: str | None = None
    id: int = 0
    changed: str = ""

    @property
    def assigned_to(self) -> str | None:
        """Return to whom it was assigned last."""
        return next((action.to for action in reversed(self.actions) if action.to), None)

    @property
    def muted_until(self) -> date | None:
        """Return the last day, included, for which it was muted last."""
        return next((date.fromisoformat(action.until) for action in reversed(self.actions) if action.until), None)

    def muted(self, today: date) -> bool:
        """Return whether it is muted on a day."""
        return self.muted_until is not None and today <= self.muted_until

    @property
    def json(self) -> dict[str, Any]:
        """Return the alarm as JSON values."""
        days = {"day": self.day, "since": self.since, "ended": self.ended, "muted_until": self.muted_until}
        known = {name: _text(day) for name, day in days.items()}
        actions = [asdict(action) for action in self.actions]
        return asdict(self) | {"slice": dict(self.slice), "actions": actions, "assigned_to": self.assigned_to} | known


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def alarms(store: Store | Writing, *, states: tuple[State, ...] = ()) -> list[Alarm]:
    """Return alarms in these states (empty: all), the newest day first."""
    chosen = f" WHERE state IN ({', '.join('?' * len(states))})" if states else ""
    rows = store.rows(f"SELECT {_COLUMNS} FROM alarms{chosen} ORDER BY day DESC, id", states)  # noqa: S608 - columns of ours
    return [_alarm_of_row(row) for row in rows]


def last_check(store: Store | Writing) -> date | None:
    """Return the last day of the last check; None where there was no check."""
    noted = noted_check(store)
    return None if noted is None else date.fromisoformat(noted["as_of"])


def watched_models(store: Store | Writing) -> list[str] | None:
    """Return the models of which the last check watched a series; None where no check noted them."""
    noted = noted_check(store)
    return None if noted is None else noted.get("watched")


def lacks(store: Store | Writing, model: str) -> list[dict[str, Any]]:
    """Return the series of a model that the last check did not watch, as `Watched.json`."""
    noted: list[dict[str, Any]] = ((noted_check(store) or {}).get("lacks") or {}).get(model, [])
    return noted


def noted_check(store: Store | Writing) -> dict[str, Any] | None:
    """Return the stored record of the last check: its day, the SHA-256 of its rules, and what it watched."""
    rows = store.rows("SELECT value FROM settings WHERE name = ?", (LAST_CHECK,))
    noted: dict[str, Any] | None = orjson.loads(rows[0][0]) if rows else None
    return noted


def save_alarm(writing: Writing, alarm: Alarm) -> Alarm:
    """Save an alarm and, where it changed, add a log entry; return it as saved."""
    where = " AND ".join(f"{name} = ?" for name in _KEY)
    known = writing.rows(f"SELECT {_COLUMNS} FROM alarms WHERE {where}", (*_key(alarm), alarm.day.isoformat()))  # noqa: S608
    if known and replace(alarm, id=known[0][0], changed=known[0][-1]) == _alarm_of_row(known[0]):
        return _alarm_of_row(known[0])
    saved = replace(alarm, id=known[0][0] if known else writing.next_id("alarms"), changed=utc_text(writing.now))
    written = vars(saved) | {name: _text(getattr(saved, name)) for name in ("day", "since", "ended")}
    written["slice"] = canonical_json(saved.slice)
    written["finding"] = None if saved.finding is None else canonical_json(saved.finding)
    written["actions"] = canonical_json([asdict(action) for action in saved.actions]) if saved.actions else None
    writing.execute(_SAVE, [written[name] for name in ("id", *_KEY, *_VALUES)])
    add_entry(writing, "alarm", saved.json)
    return saved


def acknowledge(writing: Writing, number: int, *, by: str, note: str) -> Alarm:
    """Return the alarm of this id, acknowledged by somebody with a note.

    Raises
    ------
    InputError
        There is no such alarm, or it does not ring.

    """
    alarm = alarm_of(writing, number)
    if alarm.state not in {"pending", "firing"}:
        raise InputError(f"Alarm {number} is {alarm.state}; only pending or firing alarms can be acknowledged.")
    seen = replace(alarm, state="acknowledged", acknowledged_by=by, note=note)
    return _with_action(writing, seen, kind="acknowledged", by=by, note=note)


def assign(writing: Writing, number: int, *, by: str, to: str, note: str = "") -> Alarm:
    """Return the alarm of this id, assigned by somebody to a person or a role.

    Raises
    ------
    InputError
        There is no such alarm, or it is over.

    """
    return _with_action(writing, _not_over(writing, number, "assigned"), kind="assigned", by=by, note=note, to=to)


def mute(writing: Writing, number: int, *, by: str, reason: str, until: date) -> Alarm:
    """Return the alarm of this id, muted by somebody for a reason until a day; it keeps its state.

    Raises
    ------
    InputError
        There is no such alarm, it is over, or the day has passed or is more than a year away.

    """
    alarm = _not_over(writing, number, "muted")
    today = writing.now.date()
    last = today + timedelta(days=LONGEST_MUTE)
    if not today <= until <= last:
        raise InputError(f"An alarm can't be muted until {until}; expected a day from {today} to {last}.")
    return _with_action(writing, alarm, kind="muted", by=by, note=reason, until=until.isoformat())


def alarm_of(store: Store | Writing, number: int) -> Alarm:
    """Return the alarm of this id.

    Raises
    ------
    InputError
        There is none.

    """
    known = 0 < number < _IDS
    rows = store.rows(f"SELECT {_COLUMNS} FROM alarms WHERE id = ?", (number,)) if known else []  # noqa: S608 - columns of ours
    if not rows:
        raise InputError(f"No alarm {number}; evenhand monitor alarms lists them.")
    return _alarm_of_row(rows[0])


def _not_over(writing: Writing, number: int, done: str) -> Alarm:
    alarm = alarm_of(writing, number)
    if alarm.state == "resolved":
        raise InputError(f"Alarm {number} is resolved; only open alarms can be {done}.")
    return alarm


def _with_action(writing: Writing, alarm: Alarm, **action: Any) -> Alarm:
    acted = Action(at=utc_text(writing.now), **action)
    return save_alarm(writing, replace(alarm, actions=(*alarm.actions, acted)))


def _alarm_of_row(row: tuple[Any, ...]) -> Alarm:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    days = {
        name: None if values[name] is None else date.fromisoformat(values[name]) for name in ("day", "since", "ended")
    }
    finding = None if values["finding"] is None else orjson.loads(values["finding"])
    actions = tuple(Action(**action) for action in orjson.loads(values["actions"] or "[]"))
    return Alarm(**{**values, **days, "slice": orjson.loads(values["slice"]), "finding": finding, "actions": actions})


@dataclass(frozen=True, kw_only=True)
class Place:
    """A group where it is compared: its slice has the stage, the value of a breakdown, and the group."""

    model: str
    slice: Mapping[str, str]
    measure: str = "impact_ratio"


@dataclass(frozen=True, kw_only=True)
class Episode:
    """A period in which a rule's condition held for a series: its first day, the start of the change, firing and end.

    `fired` and `ended` are None where that has not happened. `value` is the measure on the first day, `threshold` the
    limit that it passed; `expected` is predicted from the baseline, None where the threshold is fixed. A standing
    disparity has a `finding`, and its value.
    """

    rule: Rule | LevelRule
    series: DailySeries | Place
    day: date
    since: date
    fired: date | None
    ended: date | None
    value: float
    threshold: float
    expected: float | None = None
    finding: Mapping[str, Any] | None = None
    unit: Unit = DAY


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A series under a rule: the number of units (days) that count, the first day checked (None: no baseline yet).

    `lack` is what it lacks where it isn't watched.
    """

    rule: Rule
    series: DailySeries
    days: int
    since: date | None
    unit: Unit = DAY
    lack: Lack | None = None

    @property
    def json(self) -> dict[str, Any]:
        """Return the series as JSON values."""
        return {
            "rule": self.rule.name,
            "measure": self.series.measure,
            "model": self.series.model,
            "slice": dict(self.series.slice),
            "unit": self.unit.name,
            "days": self.days,
            "since": None if self.since is None else self.since.isoformat(),
            "lack": None if self.lack is None else self.lack.json,
        }


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What rules of levels found: the last look (None: no month has ended), and the pairs compared at it, by model.

    `used` are the names of the rules that compared any pair.
    """

    episodes: tuple[Episode, ...] = ()
    look: date | None = None
    compared: Mapping[str, int] = field(default_factory=dict)
    used: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """All episodes, all series under rules, and what was looked at for standing disparities.

    `rates` are how often a year each model rings by chance (None: not known yet).
    """

    episodes: tuple[Episode, ...]
    watched: tuple[Watched, ...]
    rates: Mapping[str, float | None] = field(default_factory=dict)
    standing: Standing = Standing()


#: All series of a model that are watched by week or longer ring by chance once in at least so many units.
FEWEST_BETWEEN: Final = 200
#: Returns a series by week, month or quarter from the counts of a store.
Pool = Callable[[DailySeries, Unit], DailySeries | None]


def evaluated(
    series: Sequence[DailySeries],
    rules: Rules,
    *,
    until: date,
    references: Mapping[str, Mapping[str, str]],
    pool: Pool | None = None,
) -> Evaluated:
    """Return the episodes of all series under all rules, up to and including a day.

    `references` are the reference groups of each model by attribute, for its impact ratios. A series is watched in its
    unit of time; `pool` returns those by week and longer that aren't sums of the daily counts.
    """
    scales = Scales(series, references)
    by_unit: dict[Unit, list[_Followed]] = {}
    for one_series in series:
        for rule in rules.rules:
            if rule.watches(one_series.model, one_series.measure, one_series.slice):
                followed = _followed(rule, one_series, rules, scales, until=until)
                by_unit.setdefault(followed.chosen.unit, []).append(followed)
    episodes: list[Episode] = []
    watched: list[Watched] = []
    rates: dict[str, float | None] = {}
    for unit, all_followed in by_unit.items():
        unit_scales, followed_by_unit = scales, all_followed
        if unit not in {DAY, JUDGEMENT}:
            selection_rates = [one_series for one_series in series if one_series.measure == SELECTION]
            unit_scales = Scales([pooled_counts(one, unit, until=until) for one in selection_rates], references)
            followed_by_unit = [
                _pooled(followed, pool, until=until, baseline_days=rules.baseline.days) for followed in all_followed
            ]
        of_changes = [followed for followed in followed_by_unit if followed.rule.comparison == "changes"]
        if unit is JUDGEMENT:
            changes = _single_changes(of_changes, scales, until=until)
        else:
            changes = _changes(of_changes, rules, unit_scales, unit=unit, until=until)
        episodes += changes.episodes
        watched += changes.watched
        for model, rate in changes.rates.items():
            others = rates.get(model, 0.0)
            rates[model] = None if rate is None or others is None else rate + others
        for followed in followed_by_unit:
            if followed.rule.comparison == "changes":
                continue
            episodes += _fixed(followed)
            counts = followed.series.days[followed.counting]
            lacking = None if counts.size else followed.lack(until, None, 0)
            watched.append(followed.watched(counts.size, _date(counts[0]) if counts.size else None, lacking))
    return Evaluated(
        episodes=tuple(sorted(episodes, key=lambda episode: episode.day)), watched=tuple(watched), rates=rates
    )


@dataclass(frozen=True, kw_only=True)
class _Followed:
    """A series under a rule, its unit of time, and the sizes by which that was chosen."""

    rule: Rule
    series: DailySeries
    since: np.datetime64
    sizes: Sizes
    chosen: Chosen
    #: Whether it can be watched judgement by judgement.
    single: bool

    @property
    def counting(self) -> NDArray[np.bool_]:
        """Return which of its days count."""
        return np.isfinite(self.series.value) & (self.series.n >= self.rule.minimum_n)

    def watched(self, days: int, since: date | None, lack: Lack | None = None) -> Watched:
        """Return how it is watched."""
        return Watched(rule=self.rule, series=self.series, days=days, since=since, unit=self.chosen.unit, lack=lack)

    def episode(self, *, unit: Unit | None = None, **found: Any) -> Episode:
        """Return an episode of it."""
        return Episode(rule=self.rule, series=self.series, unit=unit or self.chosen.unit, **found)

    def lack(self, until: date, baseline_days: int | None, has: int) -> Lack:
        """Return what a baseline of so many days lacks (None: one unit), of which the series has some units."""
        known = lack(
            self.sizes,
            self.chosen,
            minimum_n=self.rule.minimum_n,
            until=until,
            baseline_days=baseline_days,
            single=self.single,
        )
        return known if self.chosen.day is None else replace(known, has=min(known.has, has))


def _followed(rule: Rule, series: DailySeries, rules: Rules, scales: Scales, *, until: date) -> _Followed:
    """Return a series with its unit; changes are watched from the first day of the model's baseline on."""
    day = rules.baseline.since_of(series.model) if rule.comparison == "changes" else None
    since = np.datetime64(day or date.min, "D")
    compared = scales.compared(series) or [series]
    sizes = [
        (one_series.days[one_series.days >= since], one_series.n[one_series.days >= since]) for one_series in compared
    ]
    single = rule.comparison == "changes" and compared[0].measure in RATES
    if day is not None:
        series = replace(series, n=np.where(series.days >= since, series.n, 0))
    chosen = chosen_unit(sizes, minimum_n=rule.minimum_n, until=until, single=single)
    if rule.comparison != "changes" and chosen.day is not None:
        judged = (series.days <= np.datetime64(chosen.day, "D")) & (series.n > 0)
        if 2 * np.count_nonzero(series.n[judged] >= rule.minimum_n) >= np.count_nonzero(judged):
            chosen = Chosen(unit=DAY, day=chosen.day)  # a threshold needs no days in a row
    return _Followed(rule=rule, series=series, since=since, sizes=sizes, chosen=chosen, single=single)


def _pooled(followed: _Followed, pool: Pool | None, *, until: date, baseline_days: int) -> _Followed:
    """Return a series by its unit. One with a fixed threshold stays daily up to the day on which that was chosen."""
    daily, unit = followed.series, followed.chosen.unit
    changes = followed.rule.comparison == "changes"
    needed = unit.baseline(baseline_days) if changes else 1
    units = counting(followed.sizes, unit, minimum_n=followed.rule.minimum_n, until=until).size
    counts = daily.measure in RATES or (daily.measure == IMPACT and changes)
    pooled = None if counts or pool is None or units < needed else pool(daily, unit)
    series = pooled_counts(daily, unit, until=until) if pooled is None else pooled
    series = replace(series, n=np.where(unit.begins(unit.numbers(series.days)) >= followed.since, series.n, 0))
    series = series.where(series.days <= np.datetime64(until, "D"))
    if followed.rule.comparison != "changes":
        chosen = np.datetime64(followed.chosen.day or until, "D")
        before = daily.where(daily.days <= chosen)
        later = series.where(unit.begins(unit.numbers(series.days)) > chosen)
        both: dict[str, Any] = {
            name: np.concatenate([getattr(before, name), getattr(later, name)]) for name in DAILY_COLUMNS
        }
        series = replace(series, **both)
    return replace(followed, series=series)


def _fixed(followed: _Followed) -> list[Episode]:
    """Return the episodes of a value above or below a fixed threshold; days that do not count change nothing."""
    rule, chosen = followed.rule, followed.chosen
    assert rule.threshold is not None
    days, values = followed.series.days[followed.counting], followed.series.value[followed.counting]
    holds = values > rule.threshold if rule.comparison == "above" else values < rule.threshold
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(np.int8), [0]])))
    return [
        followed.episode(
            day=_date(days[first]),
            since=_date(days[first]),
            fired=_date(days[first + rule.days - 1]) if end - first >= rule.days else None,
            ended=_date(days[end]) if end < days.size else None,
            value=float(values[first]),
            threshold=rule.threshold,
            unit=chosen.unit if chosen.day is not None and _date(days[first]) > chosen.day else DAY,
        )
        for first, end in zip(edges[::2], edges[1::2], strict=True)
    ]


def _changes(all_followed: Sequence[_Followed], rules: Rules, scales: Scales, *, unit: Unit, until: date) -> Evaluated:
    """Return the episodes of changed levels of series in a unit, by self-starting CUSUM."""
    if not all_followed:
        return Evaluated(episodes=(), watched=())
    baseline = unit.baseline(rules.baseline.days)
    numbers = [unit.numbers(followed.series.days) for followed in all_followed]
    first = min((int(row[0]) for row in numbers if row.size), default=0)
    end = int(unit.numbers(np.array([until], dtype="datetime64[D]"))[0])
    length = max(end - first + (unit.ends(np.array([end]))[0] <= np.datetime64(until, "D")), 1)
    values, variances = np.full((len(all_followed), length), np.nan), np.zeros((len(all_followed), length))
    scaled = [
        scales.of(followed.series, minimum_n=followed.rule.minimum_n, baseline_days=baseline)
        for followed in all_followed
    ]
    for row, on in enumerate(scaled):
        values[row, numbers[row] - first], variances[row, numbers[row] - first] = on.values, np.nan_to_num(on.variances)
    counts = np.isfinite(values).cumsum(axis=1)
    watched = counts >= baseline
    names, owners = np.unique([followed.series.model for followed in all_followed], return_inverse=True)
    sums = np.zeros(values.shape, dtype=np.int64)
    for owner in range(names.size):
        sums[owners == owner] = watched[owners == owner].sum(axis=0)
    limits = limits_of(sums, np.maximum(counts, baseline), every=max(EVERY / unit.days, FEWEST_BETWEEN))
    begins, ends = unit.begins(first + np.arange(length)), unit.ends(first + np.arange(length))
    calendar = (
        Calendar.of_days(begins[0], length, holidays=np.array(rules.holidays, dtype="datetime64[D]"))
        if unit is DAY
        else Calendar.none(length)
    )
    detected = self_starting(values, variances, calendar=calendar, limits=limits, baseline=baseline)
    watched_series = [
        followed.watched(days, _date(ends[watched[row]][0]) + timedelta(days=1))
        if watched[row].any()
        else followed.watched(days, None, followed.lack(until, rules.baseline.days, days))
        for row, (followed, days) in enumerate(zip(all_followed, counts[:, -1].tolist(), strict=True))
    ]
    episodes = []
    for rang in detected.alarms:
        row = rang.series
        sums_of_it = (detected.above if rang.direction > 0 else detected.below)[row]
        holds = np.isfinite(values[row]) & (sums_of_it >= limits[row] * (1 - 1e-9))
        fired = _fired(rang, holds, np.isfinite(values[row]), all_followed[row].rule.days)
        followed = all_followed[row]
        place = int(np.searchsorted(numbers[row], first + rang.day))
        episodes.append(
            followed.episode(
                day=_date(ends[rang.day]),
                since=_date(begins[rang.since]),
                fired=None if fired is None else _date(ends[fired]),
                ended=None if rang.ended is None else _date(ends[rang.ended]),
                value=scaled[row].measured(place, float(scaled[row].values[place])),
                threshold=scaled[row].measured(place, rang.limit),
                expected=scaled[row].measured(place, rang.expected),
            )
        )
    return Evaluated(
        episodes=tuple(episodes),
        watched=tuple(watched_series),
        rates=_rates(
            detected,
            counts=counts[:, -1],
            limits=limits[:, -1],
            names=names,
            owners=owners,
            watched=watched[:, -1],
            unit=unit,
        ),
    )


def _single_changes(all_followed: Sequence[_Followed], scales: Scales, *, until: date) -> Evaluated:
    """Return the episodes of changed shares, judgement by judgement, each from the day after that was chosen on."""
    episodes: list[Episode] = []
    watched: list[Watched] = []
    rates: dict[str, float | None] = {}
    begun: dict[str, list[np.datetime64]] = {}
    for followed in all_followed:
        begun.setdefault(followed.series.model, []).append(np.datetime64(followed.chosen.day, "D"))
    for followed in all_followed:
        compared = scales.compared(followed.series) or [followed.series]
        judged, *reference = (_Judged.of(one_series, followed.since) for one_series in compared)
        chosen, starts = np.datetime64(followed.chosen.day, "D"), np.array(begun[followed.series.model])
        start = int(np.searchsorted(judged.days, chosen, side="right"))
        a_day = judged.trials[:start].sum() / int((chosen - judged.days[0]).astype(np.int64) + 1)
        at_once = np.maximum((starts < judged.days[:, None]).sum(axis=1), 1)
        against = _Against(judged, reference[0]) if reference else None
        changes = rate_changes(
            judged.events,
            judged.trials,
            chances=1 / (EVERY * a_day * at_once),
            start=start,
            counts=(lambda *_: True) if against is None else against.changed,
        )
        for rang in changes.alarms:
            fired = _fired(rang, changes.at_limit, judged.trials > 0, followed.rule.days)
            episodes.append(
                followed.episode(
                    day=_date(judged.days[rang.day]),
                    since=_date(judged.days[rang.since]),
                    fired=None if fired is None else _date(judged.days[fired]),
                    ended=None if rang.ended is None else _date(judged.days[rang.ended]),
                    **(_of_rate(rang) if against is None else against.of_ratio(rang)),
                )
            )
        watched.append(followed.watched(int(judged.trials.sum()), _date(chosen) + timedelta(days=1)))
        days = int((np.datetime64(until, "D") - judged.days[0]).astype(np.int64) + 1)
        rate = 365 / EVERY / starts.size * float(judged.trials.sum() / days / a_day)  # a_day is that of the baseline
        rates[followed.series.model] = (rates.get(followed.series.model) or 0.0) + rate
    return Evaluated(episodes=tuple(episodes), watched=tuple(watched), rates=rates)


@dataclass(frozen=True, kw_only=True)
class _Judged:
    """The days on which something was judged, of how many and how many of them were events."""

    days: NDArray[np.datetime64]
    events: NDArray[np.int64]
    trials: NDArray[np.int64]

    @classmethod
    def of(cls, series: DailySeries, since: np.datetime64) -> "_Judged":
        known = np.isfinite(series.value) & (series.n > 0) & (series.days >= since)
        trials = series.n[known]
        return cls(
            days=series.days[known], events=np.rint(series.value[known] * trials).astype(np.int64), trials=trials
        )

    def log_rate(self, first: np.datetime64, last: np.datetime64) -> float:
        """Return the log of the rate of these days; of all, where none of them has a judgement."""
        chosen = (self.days >= first) & (self.days <= last)
        chosen |= not chosen.any()
        return float(np.log((self.events[chosen].sum() + 0.5) / (self.trials[chosen].sum() + 0.5)))


@dataclass(frozen=True)
class _Against:
    """A group and its reference: a change of the group's rate is one of the ratio that moves at least half as far."""

    group: _Judged
    reference: _Judged

    def changed(self, since: int, day: int, direction: int) -> bool:
        """Say whether a change of the group's rate is not one of the reference's, too."""
        moved, moved_too = (
            one.log_rate(self.group.days[since], self.group.days[day])
            - one.log_rate(self.group.days[0], self.group.days[since] - 1)
            for one in (self.group, self.reference)
        )
        return direction * moved_too <= direction * moved / 2

    def of_ratio(self, rang: RateAlarm) -> dict[str, Any]:
        """Return value, threshold and expected value of an alarm as logs of ratios to the reference's rates then."""
        days, least = self.group.days, 0.5 / self.group.trials[rang.since : rang.day + 1].sum()
        before = self.reference.log_rate(days[0], days[rang.since] - 1)
        since = self.reference.log_rate(days[rang.since], days[rang.day])
        return {
            name: float(np.log(max(rate, least))) - (before if name == "expected" else since)
            for name, rate in _of_rate(rang).items()
        }


def _of_rate(rang: RateAlarm) -> dict[str, Any]:
    return {"value": rang.value, "threshold": rang.limit, "expected": rang.expected}


def _rates(
    detected: SelfStarting,
    *,
    counts: NDArray[np.int64],
    limits: NDArray[np.float64],
    names: NDArray[np.str_],
    owners: NDArray[np.int64],
    watched: NDArray[np.bool_],
    unit: Unit,
) -> dict[str, float | None]:
    """Return how often a year the series of each model ring by chance, replayed on its history without lasting changes.

    None where a series that is watched has fewer than 180 days.
    """
    short = watched & (counts * unit.days < RATE_DAYS)
    known = watched & ~np.isin(owners, owners[short])
    rates: dict[str, float | None] = dict.fromkeys(names[np.unique(owners[watched & ~known])].tolist())
    if known.any():
        models, places = np.unique(owners[known], return_inverse=True)
        year, block = round(365 / unit.days), max(round(28 / unit.days), 1)
        found = replayed_rate(detected, np.flatnonzero(known), limits[known], places, year=year, block=block)
        rates |= dict(zip(names[models].tolist(), found.tolist(), strict=True))
    return rates


def _fired(
    rang: SeriesAlarm | RateAlarm, holds: NDArray[np.bool_], counting: NDArray[np.bool_], days: int
) -> int | None:
    """Return the first place at which the sum was at its limit for `days` counted days in a row."""
    run = 0
    for place in range(rang.day, holds.size if rang.ended is None else rang.ended):
        if counting[place]:
            run = run + 1 if holds[place] else 0
            if run == days:
                return place
    return None


def _date(day: np.datetime64) -> date:
    result: date = day.astype(object)
    return result


#: The states of an alarm that is not over.
OPEN: tuple[State, ...] = ("pending", "firing", "acknowledged")


def reconciled(known_alarms: Sequence[Alarm], episodes: Sequence[Episode]) -> list[Alarm]:
    """Return the alarms that are new or have changed, by day.

    An episode belongs to the alarm of its rule and series whose day lies within it, else to a new one. An alarm is
    pending until its condition has held for the rule's number of days, then firing; an acknowledged one stays so until
    it is over, then resolved. An alarm without an episode (late data, another rule) is resolved, too. An episode that
    ended without firing becomes no alarm unless the store has it.
    """
    known: dict[tuple[str, ...], list[Alarm]] = {}
    for alarm in sorted(known_alarms, key=lambda alarm: alarm.day):
        known.setdefault(_key(alarm), []).append(alarm)
    changed, met = [], set()
    for episode in episodes:
        new = _new_alarm(episode)
        matching = [alarm for alarm in known.get(_key(new), []) if _within(alarm.day, episode)]
        if matching:
            before = matching[-1]
            met.add(before.id)
            state = _next(before.state, episode)
            if before.state == "pending" and state == "resolved" and episode.fired is not None:
                changed.append(replace(before, state="firing"))  # it fired and ended since the last check
            now = before if state == before.state else replace(before, state=state, ended=episode.ended)
            if episode.finding is not None:
                now = replace(now, value=episode.value, finding=episode.finding)
            if now != before:
                changed.append(now)
        elif episode.fired is not None or episode.ended is None:
            changed.append(new)
    changed += [
        replace(alarm, state="resolved") for alarm in known_alarms if alarm.state in OPEN and alarm.id not in met
    ]
    return sorted(changed, key=lambda alarm: (alarm.day, alarm.id))


def _next(state: State, episode: Episode) -> State:
    """Return the state of an alarm, given its episode."""
    if episode.ended is not None:
        return "resolved"
    if state in {"pending", "resolved"}:
        return "pending" if episode.fired is None else "firing"
    return state


def _new_alarm(episode: Episode) -> Alarm:
    same = ("day", "since", "value", "threshold", "finding", "ended")
    return Alarm(
        **{name: getattr(episode.series, name) for name in ("measure", "model", "slice")},
        **{name: getattr(episode, name) for name in same},
        rule=episode.rule.name,
        severity=episode.rule.severity,
        state=_next("pending", episode),
        unit=None if episode.finding is not None else episode.unit.name,
    )


def _within(day: date, episode: Episode) -> bool:
    return episode.since <= day and (episode.ended is None or day < episode.ended)


def _key(alarm: Alarm) -> tuple[str, ...]:
    return alarm.rule, alarm.measure, alarm.model, canonical_json(alarm.slice)


@dataclass(frozen=True, kw_only=True)
class Checked(Evaluated):
    """The result of a check: open alarms, those resolved since the last check, what is under rules, false alarms.

    `kept` is false where the store had been checked as of a later day; then it was left unchanged. `changed` are the
    alarms that are new or in another state than before.
    """

    as_of: date
    open: Sequence[Alarm]
    over: Sequence[Alarm]
    changed: Sequence[Alarm]
    log: LogHead
    last: date | None
    kept: bool


def check_store(store: Store, rules: Rules, *, as_of: date) -> Checked:
    """Check the rules on the days up to and including `as_of`, and save the alarms that changed.

    The values are read before the store is locked, and again where it was written meanwhile. An earlier day than that
    of the last check changes nothing: the alarms are those that the store would have had.

    Raises
    ------
    ServiceError
        The store can't be written; its alarms are as they were.

    """
    head = log_head(store)
    evaluation = _evaluated(store, rules, as_of)
    last = last_check(store)
    changed: list[Alarm] = []
    kept = last is None or as_of >= last
    if kept:
        with store.writing() as writing:
            if log_head(writing) != head:
                evaluation = _evaluated(writing, rules, as_of)
            changed = [save_alarm(writing, alarm) for alarm in reconciled(alarms(writing), evaluation.episodes)]
            _note(writing, rules, as_of, evaluation)
            now_open = alarms(writing, states=OPEN)
            head = log_head(writing)
        found = [*now_open, *changed]
    else:
        found = reconciled([], evaluation.episodes)
        now_open = [alarm for alarm in found if alarm.state in OPEN]
    over = [alarm for alarm in found if alarm.state not in OPEN]
    return Checked(
        **vars(evaluation), as_of=as_of, open=now_open, over=over, changed=changed, log=head, last=last, kept=kept
    )


def _evaluated(store: Store | Writing, rules: Rules, as_of: date) -> Evaluated:
    references: dict[str, dict[str, str]] = {}
    for model, attribute, reference in store.rows("SELECT model, attribute, reference FROM reference_groups"):
        references.setdefault(model, {})[attribute] = reference
    from evenhand.monitoring.standing import standing_disparities  # noqa: PLC0415 - it finds episodes

    counted = CountedSeries(store)

    def pool(series: DailySeries, unit: Unit) -> DailySeries | None:
        ends = partial(_ends, unit)
        return counted.of(model=series.model, measure=series.measure, slice=series.slice, by=unit.name, ends=ends)

    changes = evaluated(_series(store, rules, as_of), rules, until=as_of, references=references, pool=pool)
    standing = standing_disparities(store, rules.levels, as_of=as_of)
    return replace(changes, episodes=(*changes.episodes, *standing.episodes), standing=standing)


def _ends(unit: Unit, days: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    return unit.ends(unit.numbers(days))


def _series(store: Store | Writing, rules: Rules, as_of: date) -> list[DailySeries]:
    """Return the series under rules, selection rates for impact ratios, and slices computed from counts."""
    measures = {rule.measure for rule in rules.rules}
    additional = {"selection_rate"} if "log_impact_ratio" in measures else set()
    series = daily_series(store, measures=sorted(measures | additional), until=as_of)
    models = [name for (name,) in store.rows("SELECT name FROM models ORDER BY name")]
    for rule in rules.rules:
        if isinstance(rule.slice, str) or ANY in rule.slice.values():
            continue
        for model in models:
            if rule.models and model not in rule.models:
                continue
            if not any(
                rule.watches(model, one_series.measure, one_series.slice)
                for one_series in series
                if one_series.model == model
            ):
                counted = series_of(store, model=model, measure=rule.measure, slice=rule.slice)
                series += [] if counted is None else [counted.where(counted.days <= np.datetime64(as_of, "D"))]
    return [one_series for one_series in series if one_series.days.size]


def _note(writing: Writing, rules: Rules, as_of: date, evaluation: Evaluated) -> None:
    """Note what is watched and what not, and log a check and the SHA-256 of its rules, once for each day and rules."""
    digest = hashlib.sha256(canonical_json(asdict(rules)).encode()).hexdigest()
    noted = {"as_of": as_of.isoformat(), "rules": digest}
    known = noted_check(writing) or {}
    lacking: dict[str, list[dict[str, Any]]] = {}
    for series in evaluation.watched:
        if series.lack is not None:
            lacking.setdefault(series.series.model, []).append(series.json)
    watched = {series.series.model for series in evaluation.watched if series.since is not None}
    models = sorted(watched | evaluation.standing.compared.keys())
    record = noted | {"watched": models, "lacks": lacking}
    if known == record:
        return
    writing.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (LAST_CHECK, canonical_json(record)),
    )
    if any(known.get(name) != value for name, value in noted.items()):
        add_entry(writing, "check", noted)
