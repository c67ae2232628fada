"""Commands about what models do over time."""

from typing import Annotated

import typer

from evenhand.cli._command import command, family
from evenhand.cli._options import ShownResult
from evenhand.cli._show import notice, print_json, print_out, silent
from evenhand.cli.golden import golden
from evenhand.runs.options.monitoring.monitor import (
    AcknowledgeOptions,
    CheckOptions,
    RecordOptions,
    StatusOptions,
    VerifyOptions,
)

__all__ = ["monitor"]

monitor = family()
monitor.add_typer(golden, name="golden", help="Cases that people label, and models held against them.")

TABLE_HELP = (
    ".csv, .parquet or .xlsx; a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://); or the "
    "folder of a finished run."
)


@monitor.command("record")
@command()
def monitor_record(
    options: RecordOptions,
    shown: ShownResult,
    source: Annotated[str, typer.Argument(metavar="TABLE", help=TABLE_HELP)],
) -> None:
    """Record judgements of a model by day: scores, decisions, labels, latency; or a finished run's findings."""
    from evenhand.commands.monitor.record import record

    recorded = record(source, options, notice=silent if shown.quiet else notice)
    if shown.json:
        print_json(recorded.json)
    elif not shown.quiet:
        print_out(recorded.text)


@monitor.command("status")
@command()
def monitor_status(options: StatusOptions, shown: ShownResult) -> None:
    """Show the state of each model: its last day, open alarms, and the head of the log."""
    from evenhand.commands.monitor.status import status

    (print_json if shown.json else print_out)(
        status(options, json=shown.json, notice=silent if shown.quiet else notice)
    )


@monitor.command("verify")
@command()
def monitor_verify(options: VerifyOptions, shown: ShownResult) -> None:
    """Walk the log, and name the first entry that is not as it was written."""
    from evenhand.commands.monitor.verify import verify

    found = verify(options, notice=silent if shown.quiet else notice)
    if shown.json:
        print_json(found.json)
    elif not shown.quiet:
        print_out(found.text)


@monitor.command("check")
@command()
def monitor_check(options: CheckOptions, shown: ShownResult) -> None:
    """Tell what changed. Rules are held against what was recorded: since when, and which alarms are over."""
    from evenhand.commands.monitor.check import check

    found = check(options, notice=silent if shown.quiet else notice)
    if shown.json:
        print_json(found.json)
    elif not shown.quiet:
        print_out(found.text)
    if found.unsent is not None:
        raise found.unsent
    if options.fail_on and found.firing:
        notice(f"--fail-on holds: alarm ({len(found.firing)} firing)")
        raise typer.Exit(1)


@monitor.command("acknowledge")
@command()
def monitor_acknowledge(
    options: AcknowledgeOptions,
    shown: ShownResult,
    alarm: Annotated[int, typer.Argument(metavar="ALARM", help="Number of the alarm, as status and check list it.")],
) -> None:
    """Say who has seen an alarm. It stays acknowledged until it is over."""
    from evenhand.commands.monitor.check import acknowledge_alarm

    found = acknowledge_alarm(alarm, options, notice=silent if shown.quiet else notice)
    if shown.json:
        print_json(found.json)
    elif not shown.quiet:
        print_out(found.text)
