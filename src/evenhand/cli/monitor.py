"""Commands of `evenhand monitor`; those of `evenhand monitor golden` are imported when one is called."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options import monitoring
from evenhand.cli._command import (
    CiOptions,
    ResultOutputOptions,
    RunOutputOptions,
    begun_files,
    notice,
    notices,
    print_json,
    print_out,
    print_result,
    show,
)
from evenhand.cli._help import family

monitor = family()
monitor.add_typer(
    family(), name="golden", help="Golden cases: people label them, and models are compared with the labels."
)

TABLE_HELP = (
    ".csv, .parquet or .xlsx; a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://); or the "
    "folder of a finished run."
)
_Alarm = Annotated[int, typer.Argument(metavar="ALARM", help="Number of the alarm; status, check and alarms show it.")]


@monitor.subcommand("record")
def monitor_record(
    options: monitoring.RecordOptions,
    output: ResultOutputOptions,
    source: Annotated[str, typer.Argument(metavar="TABLE", help=TABLE_HELP)],
) -> None:
    """Record the judgements of a model by day (scores, decisions, labels, latency), or the findings of a run."""
    from evenhand.analyses.monitor_record import record

    print_result(record(source, options, notice=notices(output)), output)


@monitor.subcommand("status")
def monitor_status(options: monitoring.StatusOptions, output: ResultOutputOptions) -> None:
    """Show the state of each model: last day, open alarms, head of the log."""
    from evenhand.analyses.monitor import status

    (print_json if output.json else print_out)(status(options, json=output.json, notice=notices(output)))


@monitor.subcommand("verify")
def monitor_verify(options: monitoring.VerifyOptions, output: ResultOutputOptions) -> None:
    """Verify the log, and name the first entry that was changed."""
    from evenhand.analyses.monitor import verify

    print_result(verify(options, notice=notices(output)), output)


@monitor.subcommand("backup")
def monitor_backup(options: monitoring.BackupOptions, output: ResultOutputOptions) -> None:
    """Copy the store, also while it is being written to, and verify the copy."""
    from evenhand.analyses.monitor import backup

    print_result(backup(options), output)


@monitor.subcommand("restore")
def monitor_restore(
    options: monitoring.RestoreOptions,
    output: ResultOutputOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File written by evenhand monitor backup.")],
) -> None:
    """Restore a store from a backup, after verifying its log."""
    from evenhand.analyses.monitor import restore

    print_result(restore(file, options), output)


@monitor.subcommand("check")
def monitor_check(options: monitoring.CheckOptions, output: ResultOutputOptions, ci: CiOptions) -> None:
    """Apply the rules to the recorded days: report what changed and since when, and raise or resolve alarms."""
    from evenhand.analyses.monitor import check, check_summary, gate_line

    files = begun_files(ci, "monitor check")
    checked = check(options, notice=notices(output))
    print_result(checked, output)
    if files is not None:
        files.write(check_summary(checked, gated=bool(options.fail_on)))
    if checked.unsent is not None:
        raise checked.unsent
    if options.fail_on:
        notice(gate_line(checked))
        if checked.firing or not checked.watches:
            raise typer.Exit(1 if checked.firing else 6)


@monitor.subcommand("report")
def monitor_report(options: monitoring.ReportOptions, output: RunOutputOptions) -> None:
    """Report a period: selection rates by group, persistent disparities, alarms, and actions taken."""
    from evenhand.analyses.monitor_report import report

    show(lambda _: report(options, notice=notice), output, "impact")


@monitor.subcommand("alarms")
def monitor_alarms(options: monitoring.AlarmsOptions, output: ResultOutputOptions) -> None:
    """List the open alarms, with the actions taken on each: by whom and when."""
    from evenhand.analyses.monitor import listed_alarms

    print_result(listed_alarms(options, notice=notices(output)), output)


@monitor.subcommand("assign")
def monitor_assign(options: monitoring.AssignOptions, output: ResultOutputOptions, alarm: _Alarm) -> None:
    """Assign an alarm to a person or a role."""
    from evenhand.analyses.monitor import assign_alarm

    print_result(assign_alarm(alarm, options, notice=notices(output)), output)


@monitor.subcommand("mute")
def monitor_mute(options: monitoring.MuteOptions, output: ResultOutputOptions, alarm: _Alarm) -> None:
    """Hide an alarm from the counts of the dashboards for some days; --fail-on alarm still counts it."""
    from evenhand.analyses.monitor import mute_alarm

    print_result(mute_alarm(alarm, options, notice=notices(output)), output)


@monitor.subcommand("acknowledge")
def monitor_acknowledge(options: monitoring.AcknowledgeOptions, output: ResultOutputOptions, alarm: _Alarm) -> None:
    """Acknowledge an alarm, until it is resolved."""
    from evenhand.analyses.monitor import acknowledge_alarm

    print_result(acknowledge_alarm(alarm, options, notice=notices(output)), output)
