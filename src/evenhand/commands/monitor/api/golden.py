"""The commands of `evenhand monitor golden` as functions."""

import warnings
from pathlib import Path
from typing import Any

from evenhand.commands.monitor.golden.add import add, forget
from evenhand.commands.monitor.golden.agreement import agreement
from evenhand.commands.monitor.golden.exported import export, import_cases
from evenhand.commands.monitor.golden.label import close, label
from evenhand.commands.monitor.golden.run import run_golden
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.monitoring.golden import (
    GoldenAddOptions,
    GoldenCloseOptions,
    GoldenExportOptions,
    GoldenLabelOptions,
    GoldenRunOptions,
)
from evenhand.runs.options.monitoring.monitor import StoreOptions
from evenhand.runs.records.scores.golden import GoldenRun
from evenhand.tables.messages.in_python import in_python

# The names that the room above lists, too.
# arid: disable
__all__ = [
    "golden_add",
    "golden_adjudicate",
    "golden_agreement",
    "golden_close",
    "golden_export",
    "golden_forget",
    "golden_import",
    "golden_label",
    "golden_run",
]
# arid: enable


@from_python()
def golden_add(cases: str | Path, options: GoldenAddOptions) -> dict[str, Any]:
    """Return how many cases of a file were added, and why each was chosen; options as in `evenhand monitor golden add`.

    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.
    """
    return dict(add(Path(cases), options, notice=_warn).content)


@from_python()
def golden_label(options: GoldenLabelOptions, *, sheet: str | Path | None = None) -> dict[str, Any]:
    """Return how many cases a new sheet has (with `out`), or how many labels were taken from a `sheet`."""
    return dict(label(_path(sheet), options, adjudicating=False, notice=_warn).content)


@from_python()
def golden_adjudicate(options: GoldenLabelOptions, *, sheet: str | Path | None = None) -> dict[str, Any]:
    """Return as `golden_label`, of cases whose two labels differ and a third person who decides."""
    return dict(label(_path(sheet), options, adjudicating=True, notice=_warn).content)


@from_python()
def golden_close(options: GoldenCloseOptions) -> dict[str, Any]:
    """Return number, size and SHA-256 of the version that was closed."""
    return dict(close(options, notice=_warn).content)


@from_python()
def golden_run(options: GoldenRunOptions) -> GoldenRun:
    """Return the finished run of a scorer on a version's cases; options as in `evenhand monitor golden run`."""
    return run_golden(options, notice=_warn)


@from_python()
def golden_agreement(options: StoreOptions) -> dict[str, Any]:
    """Return kappa of all cases and of each group, and how each person labelled twins."""
    return dict(agreement(options, notice=_warn).content)


@from_python()
def golden_export(options: GoldenExportOptions) -> dict[str, Any]:
    """Return how many cases were written to the file `out`, with their labels."""
    return dict(export(options, notice=_warn).content)


@from_python()
def golden_import(source: str | Path, options: StoreOptions) -> dict[str, Any]:
    """Return how many cases and labels of an exported file are new."""
    return dict(import_cases(Path(source), options, notice=_warn).content)


@from_python()
def golden_forget(case: str, options: StoreOptions) -> dict[str, Any]:
    """Return the cases that lost their text with this one."""
    return dict(forget(case, options.store, notice=_warn).content)


def _path(sheet: str | Path | None) -> Path | None:
    return None if sheet is None else Path(sheet)


def _warn(line: str) -> None:
    warnings.warn(in_python(line, python_names(declared(GoldenRunOptions))), stacklevel=4)
