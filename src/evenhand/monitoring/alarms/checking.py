"""A check: the rules held against a store's daily values, and what becomes of its alarms."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

import numpy as np

from evenhand.monitoring.alarms.episodes import Evaluated, Watched, evaluated
from evenhand.monitoring.alarms.reconciling import OPEN, reconciled
from evenhand.monitoring.alarms.rules import ANY, Rules
from evenhand.monitoring.history.alarms import LAST_CHECK, Alarm, alarms, last_check, noted_check, save_alarm
from evenhand.monitoring.history.daily import DailySeries, daily_series
from evenhand.monitoring.history.log import LogHead, add_entry, canonical_json, log_head
from evenhand.monitoring.history.measured import series_of
from evenhand.monitoring.history.store import Store, Writing

__all__ = ["Checked", "check_store"]


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a check found: alarms that are not over, those that are over since the last check, and what is watched.

    `kept` is false where the store was checked as of a later day before; then it was left as it is. `changed` are the
    alarms that are new or in another state than before.
    """

    as_of: date
    open: Sequence[Alarm]
    over: Sequence[Alarm]
    changed: Sequence[Alarm]
    watched: Sequence[Watched]
    log: LogHead
    last: date | None
    kept: bool


def check_store(store: Store, rules: Rules, *, as_of: date) -> Checked:
    """Hold the rules against the days up to and including `as_of`, and keep what changed of the alarms.

    The values are read before others have to wait; where the store was written meanwhile, they are read once more. An
    earlier day than that of the last check changes nothing: the alarms are those that the store would have had.

    Raises
    ------
    ServiceError
        The store can't be written; its alarms are as they were.

    """
    head = log_head(store)
    found = _evaluated(store, rules, as_of)
    last = last_check(store)
    if last is not None and as_of < last:
        return _checked(reconciled([], found.episodes), found, head, as_of=as_of, last=last, kept=False)
    with store.writing() as writing:
        if log_head(writing) != head:
            found = _evaluated(writing, rules, as_of)
        changed = [save_alarm(writing, each) for each in reconciled(alarms(writing), found.episodes)]
        _note(writing, rules, as_of)
        now_open = alarms(writing, states=OPEN)
        head = log_head(writing)
    over = [each for each in changed if each.state == "resolved"]
    return _checked([*now_open, *over], found, head, as_of=as_of, last=last, kept=True, changed=changed)


def _checked(
    found: Sequence[Alarm],
    evaluation: Evaluated,
    log: LogHead,
    *,
    as_of: date,
    last: date | None,
    kept: bool,
    changed: Sequence[Alarm] = (),
) -> Checked:
    return Checked(
        as_of=as_of,
        open=[each for each in found if each.state in OPEN],
        over=[each for each in found if each.state not in OPEN],
        changed=changed,
        watched=evaluation.watched,
        log=log,
        last=last,
        kept=kept,
    )


def _evaluated(store: Store | Writing, rules: Rules, as_of: date) -> Evaluated:
    references: dict[str, dict[str, str]] = {}
    for model, attribute, reference in store.rows("SELECT model, attribute, reference FROM reference_groups"):
        references.setdefault(model, {})[attribute] = reference
    return evaluated(_series(store, rules, as_of), rules, until=as_of, references=references)


def _series(store: Store | Writing, rules: Rules, as_of: date) -> list[DailySeries]:
    """Return the series that the rules watch, those of selection rates for impact ratios, and slices not kept."""
    measures = {each.measure for each in rules.rules}
    beside = {"selection_rate"} if "log_impact_ratio" in measures else set()
    found = daily_series(store, measures=sorted(measures | beside), until=as_of)
    models = [name for (name,) in store.rows("SELECT name FROM models ORDER BY name")]
    for rule in rules.rules:
        if isinstance(rule.slice, str) or ANY in rule.slice.values():
            continue
        for model in models:
            if rule.models and model not in rule.models:
                continue
            if not any(rule.watches(model, each.measure, each.slice) for each in found if each.model == model):
                counted = series_of(store, model=model, measure=rule.measure, slice=rule.slice)
                found += [] if counted is None else [_until(counted, as_of)]
    return [each for each in found if each.days.size]


def _until(series: DailySeries, day: date) -> DailySeries:
    upto = series.days <= np.datetime64(day, "D")
    parts = {name: getattr(series, name)[upto] for name in ("days", "value", "standard_error", "n")}
    return replace(series, **parts)


def _note(writing: Writing, rules: Rules, as_of: date) -> None:
    """Log that a check was made, and the SHA-256 of its rules: once for each day and rules."""
    digest = hashlib.sha256(canonical_json(asdict(rules)).encode()).hexdigest()
    noted = {"as_of": as_of.isoformat(), "rules": digest}
    if noted_check(writing) == noted:
        return
    writing.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (LAST_CHECK, canonical_json(noted)),
    )
    add_entry(writing, "check", noted)
