"""The commands of `evenhand monitor` as functions."""

from pathlib import Path
from typing import Any

from evenhand.analyses.impact import ImpactRun
from evenhand.analyses.monitor import acknowledge_alarm, assign_alarm, listed_alarms, mute_alarm, store_state
from evenhand.analyses.monitor import backup as backup_store
from evenhand.analyses.monitor import check as check_rules
from evenhand.analyses.monitor import restore as restore_store
from evenhand.analyses.monitor import verify as verify_store
from evenhand.analyses.monitor_report import report as report_period
from evenhand.analyses.options import monitoring
from evenhand.api import warner
from evenhand.monitoring.state import metrics_text
from evenhand.monitoring.store import opened_store
from evenhand.options import from_python

_warn = warner(monitoring.RecordOptions, stacklevel=4)


@from_python(without={"fail_on"})
def check(options: monitoring.CheckOptions) -> dict[str, Any]:
    """Return alarms, watched series, and changes of scores, as `evenhand monitor check --json` prints them.

    Raises
    ------
    ServiceError
        The webhook can't be reached; the alarms are stored, and the next check sends them.

    """
    checked = check_rules(options, notice=_warn)
    if checked.unsent is not None:
        raise checked.unsent
    return dict(checked.content)


@from_python()
def acknowledge(alarm: int, options: monitoring.AcknowledgeOptions) -> dict[str, Any]:
    """Return the alarm of this number, acknowledged by somebody; options as in `evenhand monitor acknowledge`."""
    return dict(acknowledge_alarm(alarm, options, notice=_warn).content)


@from_python()
def alarms(options: monitoring.AlarmsOptions) -> list[dict[str, Any]]:
    """Return the alarms of a store and what was done about them, as `evenhand monitor alarms --json` prints them."""
    return list(listed_alarms(options, notice=_warn).content["alarms"])


@from_python()
def assign(alarm: int, options: monitoring.AssignOptions) -> dict[str, Any]:
    """Return the alarm of this number, assigned to somebody; options as in `evenhand monitor assign`."""
    return dict(assign_alarm(alarm, options, notice=_warn).content)


@from_python()
def mute(alarm: int, options: monitoring.MuteOptions) -> dict[str, Any]:
    """Return the alarm of this number, muted until a day; options as in `evenhand monitor mute`."""
    return dict(mute_alarm(alarm, options, notice=_warn).content)


@from_python()
def report(options: monitoring.ReportOptions) -> ImpactRun:
    """Return the finished report of a period's decisions; options as in `evenhand monitor report`."""
    return report_period(options, notice=_warn)


@from_python()
def status(options: monitoring.StoreOptions) -> dict[str, Any]:
    """Return days, open alarms and the head of the log of a store, as `evenhand monitor status --json` prints them.

    >>> import polars as pl, tempfile
    >>> from evenhand.api.recording import record
    >>> frame = pl.DataFrame({"at": ["2026-03-01T10:00:00Z"] * 3, "match": [0.25, 0.5, 0.75]})
    >>> store = tempfile.mkdtemp() + "/history.db"
    >>> recorded = record(frame, store=store, model="screener", time="at", score="match")
    >>> status(store=store)["days"][0]["median_score"], verify(store=store)["entries"]
    (0.5, 1)
    """
    return store_state(options, notice=_warn).json


@from_python()
def metrics(options: monitoring.StoreOptions) -> str:
    """Return the text for /metrics, as `evenhand monitor status --prometheus` prints it."""
    with opened_store(options.store, notice=_warn) as store:
        return metrics_text(store)


@from_python()
def verify(options: monitoring.VerifyOptions) -> dict[str, Any]:
    """Return entries and head of a store's log.

    Raises
    ------
    CheckFailed
        The log is not as it was written.

    """
    return dict(verify_store(options, notice=_warn).content)


@from_python()
def backup(options: monitoring.BackupOptions) -> dict[str, Any]:
    """Copy a store that is a file; return entries and head of the copy's log, which was verified."""
    return dict(backup_store(options).content)


@from_python()
def restore(file: str | Path, options: monitoring.RestoreOptions) -> dict[str, Any]:
    """Make a backup a store again; return entries and head of its log, which was verified."""
    return dict(restore_store(Path(file), options).content)
