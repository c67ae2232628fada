"""Commands about golden sets: cases that people label, and models held against them."""

from pathlib import Path
from typing import Annotated, Any

import typer

from evenhand.cli._command import command, family
from evenhand.cli._options import Shown, ShownResult
from evenhand.cli._show import notice, print_json, print_out, show, silent
from evenhand.runs.options.monitoring.golden import (
    GoldenAddOptions,
    GoldenCloseOptions,
    GoldenExportOptions,
    GoldenLabelOptions,
    GoldenRunOptions,
)
from evenhand.runs.options.monitoring.monitor import StoreOptions

__all__ = ["golden"]

golden = family()
_Sheet = Annotated[Path | None, typer.Argument(metavar="[SHEET]", help="CSV with case and label, filled in.")]


def _print(found: Any, shown: ShownResult) -> None:
    if shown.json:
        print_json(found.json)
    elif not shown.quiet:
        print_out(found.text)


def _notice(shown: ShownResult) -> Any:
    return silent if shown.quiet else notice


@golden.command("add")
@command()
def golden_add(
    options: GoldenAddOptions,
    shown: ShownResult,
    source: Annotated[Path, typer.Argument(metavar="CASES", help="JSONL or CSV with id, text, groups; or résumés.")],
) -> None:
    """Add cases, each with the reason it was chosen for."""
    from evenhand.commands.monitor.golden.add import add

    _print(add(source, options, notice=_notice(shown)), shown)


@golden.command("label")
@command()
def golden_label(options: GoldenLabelOptions, shown: ShownResult, sheet: _Sheet = None) -> None:
    """Write a masked sheet for one person, or take its labels."""
    from evenhand.commands.monitor.golden.label import label

    _print(label(sheet, options, adjudicating=False, notice=_notice(shown)), shown)


@golden.command("adjudicate")
@command()
def golden_adjudicate(options: GoldenLabelOptions, shown: ShownResult, sheet: _Sheet = None) -> None:
    """Let a third person decide, by a sheet, where labels differ."""
    from evenhand.commands.monitor.golden.label import label

    _print(label(sheet, options, adjudicating=True, notice=_notice(shown)), shown)


@golden.command("close")
@command()
def golden_close(options: GoldenCloseOptions, shown: ShownResult) -> None:
    """Close a version of what is settled; it never changes."""
    from evenhand.commands.monitor.golden.label import close

    _print(close(options, notice=_notice(shown)), shown)


@golden.command("run")
@command(without=("until_width", "shard", "batch"))
def golden_run(options: GoldenRunOptions, shown: Shown) -> None:
    """Hold a scorer against people and against its last run."""
    from evenhand.commands.monitor.golden.run import run_golden

    show(lambda progress: run_golden(options, notice=notice, progress=progress), shown)


@golden.command("agreement")
@command()
def golden_agreement(options: StoreOptions, shown: ShownResult) -> None:
    """Show how labellers agree, and how each treats twins."""
    from evenhand.commands.monitor.golden.agreement import agreement

    _print(agreement(options, notice=_notice(shown)), shown)


@golden.command("export")
@command()
def golden_export(options: GoldenExportOptions, shown: ShownResult) -> None:
    """Write cases and labels to JSONL or CSV."""
    from evenhand.commands.monitor.golden.exported import export

    _print(export(options, notice=_notice(shown)), shown)


@golden.command("import")
@command()
def golden_import(
    options: StoreOptions,
    shown: ShownResult,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What golden export wrote.")],
) -> None:
    """Add cases and labels that were exported."""
    from evenhand.commands.monitor.golden.exported import import_cases

    _print(import_cases(source, options, notice=_notice(shown)), shown)


@golden.command("forget")
@command()
def golden_forget(
    options: StoreOptions,
    shown: ShownResult,
    case: Annotated[str, typer.Argument(metavar="ID", help="The case whose text is removed.")],
) -> None:
    """Remove a case's text and names; labels and scores stay."""
    from evenhand.commands.monitor.golden.add import forget

    _print(forget(case, options.store, notice=_notice(shown)), shown)
