"""Commands of `evenhand monitor` and `evenhand monitor golden`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from evenhand.analyses.options import monitoring
from evenhand.cli._command import ResultOutputOptions, RunOutputOptions, command, family
from evenhand.cli._show import notice, print_json, print_out, print_result, show, silent

golden = family()
_Sheet = Annotated[Path | None, typer.Argument(metavar="[SHEET]", help="CSV with case and label, filled in.")]


def _notice(output: ResultOutputOptions) -> Any:
    return silent if output.quiet else notice


@golden.command("add")
@command()
def golden_add(
    options: monitoring.GoldenAddOptions,
    output: ResultOutputOptions,
    source: Annotated[Path, typer.Argument(metavar="CASES", help="JSONL or CSV with id, text, groups; or résumés.")],
) -> None:
    """Add cases, each with the reason it was chosen for."""
    from evenhand.analyses.golden_set import add

    print_result(add(source, options, notice=_notice(output)), output)


@golden.command("label")
@command()
def golden_label(options: monitoring.GoldenLabelOptions, output: ResultOutputOptions, sheet: _Sheet = None) -> None:
    """Write a masked sheet for one person, or take its labels."""
    from evenhand.analyses.golden_set import label

    print_result(label(sheet, options, adjudicating=False, notice=_notice(output)), output)


@golden.command("adjudicate")
@command()
def golden_adjudicate(
    options: monitoring.GoldenLabelOptions, output: ResultOutputOptions, sheet: _Sheet = None
) -> None:
    """Let a third person decide, by a sheet, where labels differ."""
    from evenhand.analyses.golden_set import label

    print_result(label(sheet, options, adjudicating=True, notice=_notice(output)), output)


@golden.command("close")
@command()
def golden_close(options: monitoring.GoldenCloseOptions, output: ResultOutputOptions) -> None:
    """Close a version of what is settled; it never changes."""
    from evenhand.analyses.golden_set import close

    print_result(close(options, notice=_notice(output)), output)


@golden.command("run")
@command(without=("until_width", "shard", "batch"))
def golden_run(options: monitoring.GoldenRunOptions, output: RunOutputOptions) -> None:
    """Hold a scorer against people and against its last run."""
    from evenhand.analyses.golden import run_golden

    show(lambda progress: run_golden(options, notice=notice, progress=progress), output, "golden")


@golden.command("agreement")
@command()
def golden_agreement(options: monitoring.StoreOptions, output: ResultOutputOptions) -> None:
    """Show how labellers agree, and how each treats twins."""
    from evenhand.analyses.golden_set import agreement

    print_result(agreement(options, notice=_notice(output)), output)


@golden.command("export")
@command()
def golden_export(options: monitoring.GoldenExportOptions, output: ResultOutputOptions) -> None:
    """Write cases and labels to JSONL or CSV."""
    from evenhand.analyses.golden_set import export

    print_result(export(options, notice=_notice(output)), output)


@golden.command("import")
@command()
def golden_import(
    options: monitoring.StoreOptions,
    output: ResultOutputOptions,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What golden export wrote.")],
) -> None:
    """Add cases and labels that were exported."""
    from evenhand.analyses.golden_set import import_cases

    print_result(import_cases(source, options, notice=_notice(output)), output)


@golden.command("forget")
@command()
def golden_forget(
    options: monitoring.StoreOptions,
    output: ResultOutputOptions,
    case: Annotated[str, typer.Argument(metavar="ID", help="The case whose text is removed.")],
) -> None:
    """Remove a case's text and names; labels and scores stay."""
    from evenhand.analyses.golden_set import forget

    print_result(forget(case, options.store, notice=_notice(output)), output)


monitor = family()
monitor.add_typer(golden, name="golden", help="Cases that people label, and models held against them.")

TABLE_HELP = (
    ".csv, .parquet or .xlsx; a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://); or the "
    "folder of a finished run."
)


@monitor.command("record")
@command()
def monitor_record(
    options: monitoring.RecordOptions,
    output: ResultOutputOptions,
    source: Annotated[str, typer.Argument(metavar="TABLE", help=TABLE_HELP)],
) -> None:
    """Record judgements of a model by day: scores, decisions, labels, latency; or a finished run's findings."""
    from evenhand.analyses.monitor import record

    print_result(record(source, options, notice=_notice(output)), output)


@monitor.command("status")
@command()
def monitor_status(options: monitoring.StatusOptions, output: ResultOutputOptions) -> None:
    """Show the state of each model: its last day, open alarms, and the head of the log."""
    from evenhand.analyses.monitor import status

    (print_json if output.json else print_out)(status(options, json=output.json, notice=_notice(output)))


@monitor.command("verify")
@command()
def monitor_verify(options: monitoring.VerifyOptions, output: ResultOutputOptions) -> None:
    """Walk the log, and name the first entry that is not as it was written."""
    from evenhand.analyses.monitor import verify

    print_result(verify(options, notice=_notice(output)), output)


@monitor.command("check")
@command()
def monitor_check(options: monitoring.CheckOptions, output: ResultOutputOptions) -> None:
    """Tell what changed. Rules are held against what was recorded: since when, and which alarms are over."""
    from evenhand.analyses.monitor import check

    checked = check(options, notice=_notice(output))
    print_result(checked, output)
    if checked.unsent is not None:
        raise checked.unsent
    if options.fail_on and checked.firing:
        notice(f"--fail-on holds: alarm ({len(checked.firing)} firing)")
        raise typer.Exit(1)
    if options.fail_on and not checked.watches:
        notice("--fail-on can't be judged: alarm (no series is watched)")
        raise typer.Exit(6)


@monitor.command("acknowledge")
@command()
def monitor_acknowledge(
    options: monitoring.AcknowledgeOptions,
    output: ResultOutputOptions,
    alarm: Annotated[int, typer.Argument(metavar="ALARM", help="Number of the alarm, as status and check list it.")],
) -> None:
    """Say who has seen an alarm. It stays acknowledged until it is over."""
    from evenhand.analyses.monitor import acknowledge_alarm

    print_result(acknowledge_alarm(alarm, options, notice=_notice(output)), output)
