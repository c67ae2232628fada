"""The state of a store: the last day of each model, alarms that are open, the head of the log."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from evenhand.monitoring.golden.agreement import TwinLabels, twin_labels
from evenhand.monitoring.history.alarms import Alarm, alarms, last_check
from evenhand.monitoring.history.log import LogHead, log_head
from evenhand.monitoring.history.store import Store

__all__ = ["ModelDay", "State", "last_day", "model_names", "state_of"]


@dataclass(frozen=True, kw_only=True)
class ModelDay:
    """A day (UTC) of a model: how many judgements it made, and its measures over all of them.

    `known` has of how many judgements each measure is.
    """

    model: str
    day: str
    n: int
    measures: Mapping[str, float | None]
    known: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class State:
    """What a store holds: days by day and model, alarms that are not resolved, and where its log ends.

    `dropped` has, by model, how many judgements recorders of services dropped; `checked` is the last day that a check
    looked at, None where there was no check; `twins` is how each person labelled golden cases that differ in the group
    alone.
    """

    models: Sequence[str]
    days: Sequence[ModelDay]
    dropped: Mapping[str, int]
    alarms: Sequence[Alarm]
    checked: date | None
    log: LogHead
    twins: Sequence[TwinLabels]

    @property
    def last_days(self) -> list[ModelDay]:
        """Return the last day of each model that has one."""
        return list({each.model: each for each in self.days}.values())

    @property
    def json(self) -> dict[str, Any]:
        """Return it as `monitor status --json` has it."""
        return {
            "days": [{"day": each.day, "model": each.model, "n": each.n, **each.measures} for each in self.days],
            "dropped": dict(self.dropped),
            "alarms": [each.json for each in self.alarms],
            "checked": None if self.checked is None else self.checked.isoformat(),
            "twins": [asdict(each) for each in self.twins],
            "log": {"entries": self.log.entries, "head": self.log.digest},
        }


def state_of(store: Store, *, last: bool = False) -> State:
    """Return the state of a store, with all days or, which is fast, with the `last` one of each model."""
    return State(
        models=model_names(store),
        days=_last_days(store) if last else _all_days(store),
        dropped={
            model: int(n)
            for model, n in store.rows("SELECT model, sum(dropped) FROM batches GROUP BY model ORDER BY model")
            if n
        },
        alarms=alarms(store, states=("pending", "firing", "acknowledged")),
        checked=last_check(store),
        log=log_head(store),
        twins=twin_labels(store),
    )


def _last_days(store: Store) -> list[ModelDay]:
    last: dict[str, str] = dict(store.rows("SELECT model, max(last_day) FROM batches GROUP BY model"))
    found = store.rows(
        "SELECT model, measure, day, value, n FROM series JOIN daily_values ON series = id AND day = "
        "(SELECT max(day) FROM daily_values WHERE series = id) WHERE slice = '{}' ORDER BY model, measure"
    )
    for model, _, day, *_ in found:
        last[model] = max(last.get(model, ""), day)
    judged: dict[tuple[str, str], int] = {}
    for day in set(last.values()):
        for model, n in store.rows(
            "SELECT model, sum(n) FROM counts JOIN cells ON id = cell WHERE day = ? GROUP BY model", (day,)
        ):
            judged[day, model] = int(n)
    values: dict[str, dict[str, float | None]] = {}
    known: dict[str, dict[str, int]] = {}
    for model, measure, day, value, n in found:
        if day == last[model]:
            values.setdefault(model, {})[measure] = value
            known.setdefault(model, {})[measure] = int(n)
    return [
        ModelDay(
            model=model,
            day=day,
            n=judged.get((day, model), 0),
            measures=values.get(model, {}),
            known=known.get(model, {}),
        )
        for model, day in sorted(last.items())
    ]


def _all_days(store: Store) -> list[ModelDay]:
    judged = {
        (day, model): int(n)
        for model, day, n in store.rows(
            "SELECT model, day, sum(n) FROM counts JOIN cells ON id = cell GROUP BY model, day"
        )
    }
    values: dict[tuple[str, str], dict[str, float | None]] = {}
    known: dict[tuple[str, str], dict[str, int]] = {}
    for model, measure, day, value, n in store.rows(
        "SELECT model, measure, day, value, n FROM daily_values JOIN series ON id = series WHERE slice = '{}' "
        "ORDER BY day, model, measure"
    ):
        values.setdefault((day, model), {})[measure] = value
        known.setdefault((day, model), {})[measure] = int(n)
        judged.setdefault((day, model), 0)
    return [
        ModelDay(
            model=model,
            day=day,
            n=judged[day, model],
            measures=values.get((day, model), {}),
            known=known.get((day, model), {}),
        )
        for day, model in sorted(judged)
    ]


def model_names(store: Store) -> list[str]:
    """Return the names of the models of a store, in order."""
    return [name for (name,) in store.rows("SELECT name FROM models ORDER BY name")]


def last_day(store: Store, model: str) -> date | None:
    """Return the last day of which anything is known of a model."""
    ((recorded,),) = store.rows("SELECT max(last_day) FROM batches WHERE model = ?", (model,))
    ((measured,),) = store.rows(
        "SELECT max(day) FROM (SELECT (SELECT max(day) FROM daily_values WHERE series = id) AS day FROM series "
        "WHERE model = ?) AS last",
        (model,),
    )
    found = max(recorded or "", measured or "")
    return date.fromisoformat(found) if found else None
