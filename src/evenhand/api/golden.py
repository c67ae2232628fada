"""The commands of `evenhand monitor golden` as functions."""

from pathlib import Path
from typing import Any

from evenhand.analyses.golden import GoldenRun, run_golden
from evenhand.analyses.golden_propose import propose
from evenhand.analyses.golden_set import add, agreement, close, export, forget, import_cases, label
from evenhand.analyses.options import golden
from evenhand.analyses.options.monitoring import StoreOptions
from evenhand.api import warner
from evenhand.options import from_python

_warn = warner(golden.GoldenRunOptions, stacklevel=4)


@from_python()
def golden_add(cases: str | Path, options: golden.GoldenAddOptions) -> dict[str, Any]:
    """Return how many cases of a file were added, and the reasons; options as in `evenhand monitor golden add`.

    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.
    """
    return dict(add(Path(cases), options, notice=_warn).content)


@from_python()
def golden_label(options: golden.GoldenLabelOptions, *, sheet: str | Path | None = None) -> dict[str, Any]:
    """Return the number of cases in a new sheet (with `out`), or of labels read from a `sheet`."""
    return dict(label(_path(sheet), options, adjudicating=False, notice=_warn).content)


@from_python()
def golden_adjudicate(options: golden.GoldenLabelOptions, *, sheet: str | Path | None = None) -> dict[str, Any]:
    """Return as `golden_label`, for a third person who decides on cases with two different labels."""
    return dict(label(_path(sheet), options, adjudicating=True, notice=_warn).content)


@from_python()
def golden_close(options: golden.GoldenCloseOptions) -> dict[str, Any]:
    """Return number, size and SHA-256 of the closed version."""
    return dict(close(options, notice=_warn).content)


@from_python()
def golden_run(options: golden.GoldenRunOptions) -> GoldenRun:
    """Return the finished run of a scorer on a version's cases; options as in `evenhand monitor golden run`."""
    return run_golden(options, notice=_warn)


@from_python()
def golden_agreement(options: StoreOptions) -> dict[str, Any]:
    """Return kappa of all cases and of each group, and each person's labels of counterfactual pairs."""
    return dict(agreement(options, notice=_warn).content)


@from_python()
def golden_export(options: golden.GoldenExportOptions) -> dict[str, Any]:
    """Return how many cases were written to the file `out`, with their labels."""
    return dict(export(options, notice=_warn).content)


@from_python()
def golden_import(source: str | Path, options: StoreOptions) -> dict[str, Any]:
    """Return how many cases and labels of an exported file are new."""
    return dict(import_cases(Path(source), options, notice=_warn).content)


@from_python()
def golden_forget(case: str | None, options: golden.GoldenForgetOptions) -> dict[str, Any]:
    """Return the cases whose texts were removed: a case's, a recorded unit's, or those whose days are over."""
    return dict(forget(case, options, notice=_warn).content)


@from_python()
def golden_propose(texts: str | Path | None, options: golden.GoldenProposeOptions) -> dict[str, Any]:
    """Return how many cases of recorded decisions were proposed, drawn and chosen, or that it is switched on or off."""
    return dict(propose(_path(texts), options, notice=_warn).content)


def _path(sheet: str | Path | None) -> Path | None:
    return None if sheet is None else Path(sheet)
