"""The state of a store: the last day of each model, alarms that are open, the head of the log."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from evenhand.monitoring.golden.agreement import TwinLabels, twin_labels
from evenhand.monitoring.history.alarms import Alarm, alarms, last_check
from evenhand.monitoring.history.log import LogHead, log_head
from evenhand.monitoring.history.store import Store

__all__ = ["ModelDay", "State", "state_of"]


@dataclass(frozen=True, kw_only=True)
class ModelDay:
    """A day (UTC) of a model: how many judgements it made, and its measures over all of them."""

    model: str
    day: str
    n: int
    measures: Mapping[str, float | None]


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


def state_of(store: Store) -> State:
    """Return the state of a store."""
    judged = {
        (day, model): int(n)
        for model, day, n in store.rows(
            "SELECT model, day, sum(n) FROM counts JOIN cells ON id = cell GROUP BY model, day"
        )
    }
    values: dict[tuple[str, str], dict[str, float | None]] = {}
    for model, measure, day, value in store.rows(
        "SELECT model, measure, day, value FROM daily_values JOIN series ON id = series WHERE slice = '{}' "
        "ORDER BY day, model, measure"
    ):
        values.setdefault((day, model), {})[measure] = value
        judged.setdefault((day, model), 0)
    days = [
        ModelDay(model=model, day=day, n=judged[day, model], measures=values.get((day, model), {}))
        for day, model in sorted(judged)
    ]
    return State(
        models=[name for (name,) in store.rows("SELECT name FROM models ORDER BY name")],
        days=days,
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
