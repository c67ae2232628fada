"""Commands of `evenhand monitor golden`."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options import golden
from evenhand.analyses.options.monitoring import StoreOptions
from evenhand.cli._command import (
    ResultOutputOptions,
    RunOutputOptions,
    notice,
    notices,
    print_result,
    show,
)
from evenhand.cli._help import family

monitor_golden = family()
_Sheet = Annotated[Path | None, typer.Argument(metavar="[SHEET]", help="Completed sheet: CSV with case and label.")]


@monitor_golden.subcommand("add")
def golden_add(
    options: golden.GoldenAddOptions,
    output: ResultOutputOptions,
    source: Annotated[Path, typer.Argument(metavar="CASES", help="JSONL or CSV with id, text and groups; or résumés.")],
) -> None:
    """Add cases, each with the reason for choosing it."""
    from evenhand.analyses.golden_set import add

    print_result(add(source, options, notice=notices(output)), output)


@monitor_golden.subcommand("label")
def golden_label(options: golden.GoldenLabelOptions, output: ResultOutputOptions, sheet: _Sheet = None) -> None:
    """Write a masked sheet for an annotator, or read its labels."""
    from evenhand.analyses.golden_set import label

    print_result(label(sheet, options, adjudicating=False, notice=notices(output)), output)


@monitor_golden.subcommand("adjudicate")
def golden_adjudicate(options: golden.GoldenLabelOptions, output: ResultOutputOptions, sheet: _Sheet = None) -> None:
    """Write or read the sheet of a third person, who decides where labels differ."""
    from evenhand.analyses.golden_set import label

    print_result(label(sheet, options, adjudicating=True, notice=notices(output)), output)


@monitor_golden.subcommand("close")
def golden_close(options: golden.GoldenCloseOptions, output: ResultOutputOptions) -> None:
    """Close a version of the settled cases; it never changes afterwards."""
    from evenhand.analyses.golden_set import close

    print_result(close(options, notice=notices(output)), output)


@monitor_golden.subcommand("run", without=("until_width", "shard", "batch"))
def golden_run(options: golden.GoldenRunOptions, output: RunOutputOptions) -> None:
    """Compare a scorer with the labels of people and with its last run."""
    from evenhand.analyses.golden import run_golden

    show(lambda progress: run_golden(options, notice=notice, progress=progress), output, "golden")


@monitor_golden.subcommand("agreement")
def golden_agreement(options: StoreOptions, output: ResultOutputOptions) -> None:
    """Show the agreement of annotators, and how each labels counterfactual pairs."""
    from evenhand.analyses.golden_set import agreement

    print_result(agreement(options, notice=notices(output)), output)


@monitor_golden.subcommand("export")
def golden_export(options: golden.GoldenExportOptions, output: ResultOutputOptions) -> None:
    """Write cases and labels to JSONL or CSV."""
    from evenhand.analyses.golden_set import export

    print_result(export(options, notice=notices(output)), output)


@monitor_golden.subcommand("import")
def golden_import(
    options: StoreOptions,
    output: ResultOutputOptions,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="File written by golden export.")],
) -> None:
    """Import cases and labels from an export."""
    from evenhand.analyses.golden_set import import_cases

    print_result(import_cases(source, options, notice=notices(output)), output)


@monitor_golden.subcommand("forget")
def golden_forget(
    options: golden.GoldenForgetOptions,
    output: ResultOutputOptions,
    case: Annotated[str | None, typer.Argument(metavar="[ID]", help="Id of the case whose text is removed.")] = None,
) -> None:
    """Remove texts and names from all versions; labels and scores stay."""
    from evenhand.analyses.golden_set import forget

    print_result(forget(case, options, notice=notices(output)), output)


@monitor_golden.subcommand("propose")
def golden_propose(
    options: golden.GoldenProposeOptions,
    output: ResultOutputOptions,
    texts: Annotated[
        Path | None,
        typer.Argument(metavar="[TEXTS]", help="JSONL or CSV with id, text, known_names and position; or résumés."),
    ] = None,
) -> None:
    """Propose recorded decisions as cases to label, masked: a random sample, and chosen ones."""
    from evenhand.analyses.golden_propose import propose

    print_result(propose(texts, options, notice=notices(output)), output)
