"""Alarms as the store keeps them: each as it stands, and every change of one in the log."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, Final, Literal

import orjson

from evenhand.errors import InputError
from evenhand.monitoring.history.log import add_entry, canonical_json
from evenhand.monitoring.history.store import Store, Writing, utc_text

__all__ = ["LAST_CHECK", "Alarm", "State", "acknowledge", "alarms", "last_check", "noted_check", "save_alarm"]

#: The setting that holds the day of the last check, and the SHA-256 of its rules.
LAST_CHECK: Final = "check"
#: Ids are below; databases fail at larger numbers.
_IDS: Final = 2**63

State = Literal["pending", "firing", "acknowledged", "resolved"]

_COLUMNS = (
    "id, rule, measure, model, slice, day, since, state, value, threshold, severity, acknowledged_by, note, changed"
)


@dataclass(frozen=True, kw_only=True)
class Alarm:
    """An alarm: its rule, what it is about, the first day it rang, the estimated start of the change, its state.

    `id` is 0 until it is saved; rule, measure, model, slice and day tell it from others. `changed` is when it was
    last saved.
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
    id: int = 0
    changed: str = ""

    @property
    def json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        days = {"day": self.day.isoformat(), "since": None if self.since is None else self.since.isoformat()}
        return asdict(self) | {"slice": dict(self.slice)} | days


def alarms(store: Store | Writing, *, states: tuple[State, ...] = ()) -> list[Alarm]:
    """Return alarms in these states (empty: all), the newest day first."""
    chosen = f" WHERE state IN ({', '.join('?' * len(states))})" if states else ""
    rows = store.rows(f"SELECT {_COLUMNS} FROM alarms{chosen} ORDER BY day DESC, id", states)  # noqa: S608 - columns of ours
    return [_alarm(row) for row in rows]


def last_check(store: Store | Writing) -> date | None:
    """Return the last day that a check looked at; None where there was no check."""
    found = noted_check(store)
    return None if found is None else date.fromisoformat(found["as_of"])


def noted_check(store: Store | Writing) -> dict[str, str] | None:
    """Return what is kept of the last check: its day, and the SHA-256 of its rules."""
    found = store.rows("SELECT value FROM settings WHERE name = ?", (LAST_CHECK,))
    noted: dict[str, str] | None = orjson.loads(found[0][0]) if found else None
    return noted


def save_alarm(writing: Writing, alarm: Alarm) -> Alarm:
    """Write an alarm and, where anything of it is new, a log entry; return it as it is kept."""
    key = (alarm.rule, alarm.measure, alarm.model, canonical_json(alarm.slice), alarm.day.isoformat())
    known = writing.rows(
        f"SELECT {_COLUMNS} FROM alarms "  # noqa: S608 - columns of ours
        "WHERE rule = ? AND measure = ? AND model = ? AND slice = ? AND day = ?",
        key,
    )
    if known and replace(alarm, id=known[0][0], changed=known[0][-1]) == _alarm(known[0]):
        return _alarm(known[0])
    kept = replace(alarm, id=known[0][0] if known else writing.next_id("alarms"), changed=utc_text(writing.now))
    since = None if kept.since is None else kept.since.isoformat()
    told = (since, kept.state, kept.value, kept.threshold, kept.severity, kept.acknowledged_by, kept.note, kept.changed)
    writing.execute(
        f"INSERT INTO alarms ({_COLUMNS}) VALUES ({', '.join('?' * 14)}) ON CONFLICT (id) DO UPDATE SET "  # noqa: S608
        "since = excluded.since, state = excluded.state, value = excluded.value, threshold = excluded.threshold, "
        "severity = excluded.severity, acknowledged_by = excluded.acknowledged_by, note = excluded.note, "
        "changed = excluded.changed",
        (kept.id, *key, *told),
    )
    add_entry(writing, "alarm", kept.json)
    return kept


def acknowledge(writing: Writing, number: int, *, by: str, note: str) -> Alarm:
    """Return the alarm of this id, acknowledged by somebody with a note.

    Raises
    ------
    InputError
        There is no such alarm, or it does not ring.

    """
    known = 0 < number < _IDS
    found = writing.rows(f"SELECT {_COLUMNS} FROM alarms WHERE id = ?", (number,)) if known else []  # noqa: S608 - columns of ours
    if not found:
        raise InputError(f"There is no alarm {number}; evenhand monitor status lists them.")
    alarm = _alarm(found[0])
    if alarm.state not in {"pending", "firing"}:
        raise InputError(f"Alarm {number} is {alarm.state}; only one that is pending or firing is acknowledged.")
    return save_alarm(writing, replace(alarm, state="acknowledged", acknowledged_by=by, note=note))


def _alarm(row: tuple[Any, ...]) -> Alarm:
    number, rule, measure, model, slice_, day, since, state, value, threshold, severity, by, note, changed = row
    return Alarm(
        id=number,
        rule=rule,
        measure=measure,
        model=model,
        slice=orjson.loads(slice_),
        day=date.fromisoformat(day),
        since=None if since is None else date.fromisoformat(since),
        state=state,
        value=value,
        threshold=threshold,
        severity=severity,
        acknowledged_by=by,
        note=note,
        changed=changed,
    )
