"""The commands of `evenhand monitor` and `evenhand monitor golden` as functions."""

import warnings
from pathlib import Path
from typing import Any

from evenhand.analyses.golden import GoldenRun, run_golden
from evenhand.analyses.golden_set import add, agreement, close, export, forget, import_cases, label
from evenhand.analyses.monitor import acknowledge_alarm, store_state
from evenhand.analyses.monitor import check as check_rules
from evenhand.analyses.monitor import record as record_source
from evenhand.analyses.monitor import verify as verify_store
from evenhand.analyses.options import monitoring
from evenhand.monitoring.state import metrics_text
from evenhand.monitoring.store import opened_store
from evenhand.options import declared, from_python, python_names
from evenhand.results.messages import in_python


@from_python()
def record(frame: Any, options: monitoring.RecordOptions) -> dict[str, Any]:
    """Record a table of judgements, or a finished run; options as in `evenhand monitor record`.

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
def status(options: monitoring.StoreOptions) -> dict[str, Any]:
    """Return days, open alarms and the head of the log of a store, as `evenhand monitor status --json` prints them."""
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


def _warn(line: str) -> None:
    warnings.warn(in_python(line, python_names(declared(monitoring.RecordOptions))), stacklevel=4)


@from_python()
def golden_add(cases: str | Path, options: monitoring.GoldenAddOptions) -> dict[str, Any]:
    """Return how many cases of a file were added, and the reasons; options as in `evenhand monitor golden add`.

    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.
    """
    return dict(add(Path(cases), options, notice=_warn_golden).content)


@from_python()
def golden_label(options: monitoring.GoldenLabelOptions, *, sheet: str | Path | None = None) -> dict[str, Any]:
    """Return the number of cases in a new sheet (with `out`), or of labels read from a `sheet`."""
    return dict(label(_path(sheet), options, adjudicating=False, notice=_warn_golden).content)


@from_python()
def golden_adjudicate(options: monitoring.GoldenLabelOptions, *, sheet: str | Path | None = None) -> dict[str, Any]:
    """Return as `golden_label`, for a third person who decides on cases with two different labels."""
    return dict(label(_path(sheet), options, adjudicating=True, notice=_warn_golden).content)


@from_python()
def golden_close(options: monitoring.GoldenCloseOptions) -> dict[str, Any]:
    """Return number, size and SHA-256 of the closed version."""
    return dict(close(options, notice=_warn_golden).content)


@from_python()
def golden_run(options: monitoring.GoldenRunOptions) -> GoldenRun:
    """Return the finished run of a scorer on a version's cases; options as in `evenhand monitor golden run`."""
    return run_golden(options, notice=_warn_golden)


@from_python()
def golden_agreement(options: monitoring.StoreOptions) -> dict[str, Any]:
    """Return kappa of all cases and of each group, and each person's labels of counterfactual pairs."""
    return dict(agreement(options, notice=_warn_golden).content)


@from_python()
def golden_export(options: monitoring.GoldenExportOptions) -> dict[str, Any]:
    """Return how many cases were written to the file `out`, with their labels."""
    return dict(export(options, notice=_warn_golden).content)


@from_python()
def golden_import(source: str | Path, options: monitoring.StoreOptions) -> dict[str, Any]:
    """Return how many cases and labels of an exported file are new."""
    return dict(import_cases(Path(source), options, notice=_warn_golden).content)


@from_python()
def golden_forget(case: str, options: monitoring.StoreOptions) -> dict[str, Any]:
    """Return the cases whose text was removed with this one's."""
    return dict(forget(case, options.store, notice=_warn_golden).content)


def _path(sheet: str | Path | None) -> Path | None:
    return None if sheet is None else Path(sheet)


def _warn_golden(line: str) -> None:
    warnings.warn(in_python(line, python_names(declared(monitoring.GoldenRunOptions))), stacklevel=4)
