"""Metrics in the text format of Prometheus: the last day of each model, alarms and the log, with bounded labels."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

import orjson

from evenhand.errors import InputError
from evenhand.monitoring.history.store import Store
from evenhand.monitoring.state import state_of

__all__ = ["MOST_MODELS", "MOST_SERIES", "metrics_text"]

#: More models and series than these are left out, and counted: each label value is a series that Prometheus keeps.
MOST_MODELS: Final = 200
MOST_SERIES: Final = 5_000


def metrics_text(store: Store) -> str:
    """Return the metrics of a store.

    Raises
    ------
    InputError
        prometheus-client is not installed.

    """
    try:
        from prometheus_client import CollectorRegistry, Gauge, generate_latest
    except ImportError as error:
        raise InputError(
            "--prometheus needs prometheus-client; install it with: pip install 'evenhand[monitor]'."
        ) from error
    registry = CollectorRegistry()

    def gauge(name: str, told: str, *labels: str) -> Gauge:
        return Gauge(f"evenhand_{name}", told, labels, registry=registry)

    state = state_of(store, last=True)
    last = state.last_days[:MOST_MODELS]
    judgements = gauge("judgements", "Judgements on the model's last day (UTC).", "model")
    day = gauge("last_day_timestamp_seconds", "Start of the model's last day (UTC).", "model")
    for each in last:
        judgements.labels(each.model).set(each.n)
        day.labels(each.model).set(_seconds(each.day))
    value = gauge(
        "daily_value",
        "A measure on the model's last day; attribute and group are empty over all judgements.",
        *("model", "measure", "attribute", "group"),
    )
    shown, left_out = 0, len(state.last_days) - len(last)
    for model, measure, attribute, group, number in _values(store, {each.model: each.day for each in last}):
        if shown == MOST_SERIES:
            left_out += 1
            continue
        value.labels(model, measure, attribute, group).set(number)
        shown += 1
    open_alarms = gauge("alarms", "Alarms that are not resolved.", "model", "severity", "state")
    models = {each.model for each in last}
    found = Counter((each.model, each.severity, each.state) for each in state.alarms if each.model in models)
    for (model, severity, status), n in found.items():
        open_alarms.labels(model, severity, status).set(n)
    dropped = gauge("dropped", "Judgements that recorders of services dropped.", "model")
    for model, n in state.dropped.items():
        if model in models:
            dropped.labels(model).set(n)
    gauge("log_entries", "Entries of the store's log.").set(state.log.entries)
    gauge("left_out", "Models and series beyond what is shown.").set(left_out)
    return generate_latest(registry).decode()


def _values(store: Store, last: Mapping[str, str]) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield model, measure, attribute, group and value of each model's last day, overall and of one attribute."""
    for model, day in last.items():
        for measure, slice_, value in store.rows(
            "SELECT measure, slice, value FROM daily_values JOIN series ON id = series "
            "WHERE model = ? AND day = ? AND value IS NOT NULL ORDER BY measure, slice",
            (model, day),
        ):
            cut = orjson.loads(slice_)
            if len(cut) < 2:
                attribute, group = next(iter(cut.items()), ("", ""))
                yield model, measure, *((group, "") if attribute == "attribute" else (attribute, group)), value


def _seconds(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
