"""The commands of `evenhand monitor` as functions."""

import warnings
from typing import Any

from evenhand.commands.monitor.check import acknowledge_alarm
from evenhand.commands.monitor.check import check as check_rules
from evenhand.commands.monitor.record import record as record_source
from evenhand.commands.monitor.status import found_state
from evenhand.commands.monitor.verify import verify as verify_store
from evenhand.monitoring.exposition import metrics_text
from evenhand.monitoring.history.store import opened_store
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.monitoring.monitor import (
    AcknowledgeOptions,
    CheckOptions,
    RecordOptions,
    StoreOptions,
    VerifyOptions,
)
from evenhand.tables.messages.in_python import in_python

__all__ = ["acknowledge", "check", "metrics", "record", "status", "verify"]


@from_python()
def record(frame: Any, options: RecordOptions) -> dict[str, Any]:
    """Return what became of a table of judgements, or of a finished run; options as in `evenhand monitor record`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path, a connection URL, or the folder of a run.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile
    >>> frame = pl.DataFrame({"at": ["2026-03-01T10:00:00Z"] * 3, "match": [0.25, 0.5, 0.75]})
    >>> store = tempfile.mkdtemp() + "/history.db"
    >>> record(frame, store=store, model="screener", time="at", score="match")["n"]
    3
    >>> status(store=store)["days"][0]["median_score"], verify(store=store)["entries"]
    (0.5, 1)
    """
    return dict(record_source(frame, options, notice=_warn).content)


@from_python(without={"fail_on"})
def check(options: CheckOptions) -> dict[str, Any]:
    """Return alarms, what is watched, and how scores moved, as `evenhand monitor check --json` prints them.

    Raises
    ------
    ServiceError
        The webhook can't be reached; the alarms are kept, and the next check sends them.

    """
    found = check_rules(options, notice=_warn)
    if found.unsent is not None:
        raise found.unsent
    return dict(found.content)


@from_python()
def acknowledge(alarm: int, options: AcknowledgeOptions) -> dict[str, Any]:
    """Return the alarm of this number, acknowledged by somebody; options as in `evenhand monitor acknowledge`."""
    return dict(acknowledge_alarm(alarm, options, notice=_warn).content)


@from_python()
def status(options: StoreOptions) -> dict[str, Any]:
    """Return days, open alarms and the head of the log of a store, as `evenhand monitor status --json` prints them."""
    return found_state(options, notice=_warn).json


@from_python()
def metrics(options: StoreOptions) -> str:
    """Return the text that a service answers to /metrics: as `evenhand monitor status --prometheus` prints it."""
    with opened_store(options.store, notice=_warn) as store:
        return metrics_text(store)


@from_python()
def verify(options: VerifyOptions) -> dict[str, Any]:
    """Return entries and head of a store's log.

    Raises
    ------
    CheckFailed
        The log is not as it was written.

    """
    return dict(verify_store(options, notice=_warn).content)


def _warn(line: str) -> None:
    warnings.warn(in_python(line, python_names(declared(RecordOptions))), stacklevel=4)
