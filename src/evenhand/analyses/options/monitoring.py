"""Options of `evenhand monitor`; those of `evenhand monitor golden` are in `golden`."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.impact import Against, Source
from evenhand.analyses.options.output import Map, Reported
from evenhand.options import Group, Option


def _column(help_text: str) -> Option:
    return Option(help_text, expected="the name of a column")


@dataclass(frozen=True, kw_only=True)
class StoreOptions(Group):
    """The store of recorded judgements."""

    store: Annotated[str, Option("File of the store, or postgres://USER@HOST/DATABASE.", metavar="FILE|URL")]


@dataclass(frozen=True, kw_only=True)
class _JudgementColumns(Group):
    """The model, and the columns of its judgements."""

    model: Annotated[str | None, Option("Model, scorer or process that made the judgements.")] = None
    time: Annotated[str | None, _column("Column with the times of the judgements.")] = None
    time_zone: Annotated[str | None, Option("Time zone of times without one, such as UTC or Europe/Berlin.")] = None
    future: Annotated[bool, Option("Accept times in the future.")] = False
    score: Annotated[str | None, _column("Column with scores.")] = None
    selected: Annotated[
        str | None,
        _column("Column with the decision (yes or no), or COLUMN=VALUE,… with the values that mean selected."),
    ] = None
    undecided: Annotated[tuple[str, ...], Option("Values that mean no decision yet, such as pending.")] = ()
    label: Annotated[
        str | None,
        _column(
            "Column with the outcome, or with the decision of people; or COLUMN=VALUE,… with the values that mean yes."
        ),
    ] = None
    status: Annotated[
        str | None,
        _column("Column with the status: observed, refused, undetected, ambiguous, truncated, error, missing."),
    ] = None
    latency: Annotated[str | None, _column("Column with the response time in seconds.")] = None


@dataclass(frozen=True, kw_only=True)
class RecordOptions(Source, _JudgementColumns, StoreOptions):
    """The options of `evenhand monitor record`."""

    position: Annotated[str | None, _column("Column with the position, or with the job family.")] = None
    stage: Annotated[str | None, _column("Column with the stage.")] = None
    decided_by: Annotated[str | None, _column("Column with the decision maker: AI or people.")] = None
    by: Annotated[tuple[str, ...], Option("Columns to break down by, such as department,location,recruiter.")] = ()
    protected: Annotated[tuple[str, ...], Option("Columns with the groups.")] = ()
    map: Map = ()
    unit: Annotated[
        str | None,
        _column("Column with the id of the person or case, stored as a keyed hash: later labels are joined by it."),
    ] = None
    where: Annotated[tuple[str, ...], Option("Condition that rows must meet, in SQL; repeatable.")] = ()
    batch_id: Annotated[
        str | None, Option("Name of the batch, which is recorded only once; default: a hash of its content.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class StatusOptions(StoreOptions):
    """The options of `evenhand monitor status`."""

    prometheus: Annotated[bool, Option("Print metrics in the text format of Prometheus.")] = False


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(StoreOptions):
    """The options of `evenhand monitor verify`."""

    head: Annotated[
        str | None,
        Option(
            "Head of the log that you kept elsewhere; verification fails if the log doesn't contain it.",
            metavar="SHA256",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class BackupOptions(StoreOptions):
    """The options of `evenhand monitor backup`."""

    out: Annotated[Path, Option("File to write; only you can read it.", metavar="FILE")]
    force: Annotated[bool, Option("Replace the file of --out.", kept=False, again=False)] = False


@dataclass(frozen=True, kw_only=True)
class RestoreOptions(StoreOptions):
    """The options of `evenhand monitor restore`."""

    force: Annotated[bool, Option("Replace everything in --store.", kept=False, again=False)] = False


@dataclass(frozen=True, kw_only=True)
class CheckOptions(StoreOptions):
    """The options of `evenhand monitor check`."""

    rules: Annotated[
        Path | None, Option("TOML file with the rules; default: the rules of the package.", metavar="FILE")
    ] = None
    as_of: Annotated[date | None, Option("Last day to check (UTC); default: yesterday.", metavar="DATE")] = None
    webhook: Annotated[
        str | None, Option("URL to post alarms to, signed with EVENHAND_WEBHOOK_SECRET.", metavar="URL")
    ] = None
    fail_on: Annotated[
        tuple[str, ...],
        Option(
            "alarm: exit with 1 if an alarm is firing, and with 6 if nothing is monitored.",
            commas=True,
            check=lambda condition: condition == "alarm",
            expected="alarm",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Reported, Against, StoreOptions):
    """The options of `evenhand monitor report`."""

    period: Annotated[str, Option("Completed months: 2026-Q3, 2026, 2026-07 or 2026-07..2026-09.", metavar="PERIOD")]
    model: Annotated[str | None, Option("Model or process to report on; default: all in the store.")] = None
    rules: Annotated[
        Path | None,
        Option("TOML file with the rules of the checks; default: the rules of the package.", metavar="FILE"),
    ] = None
    by: Annotated[
        str | None,
        Option("Breakdown within which groups are compared, such as department or decided_by; default: position."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class AcknowledgeOptions(StoreOptions):
    """The options of `evenhand monitor acknowledge`."""

    by: Annotated[str, Option("Person who acknowledges the alarm.", metavar="NAME")]
    note: Annotated[str, Option("Findings, or action taken.", metavar="TEXT")] = ""


@dataclass(frozen=True, kw_only=True)
class AlarmsOptions(StoreOptions):
    """The options of `evenhand monitor alarms`."""

    resolved: Annotated[bool, Option("Also list resolved alarms.")] = False


@dataclass(frozen=True, kw_only=True)
class AssignOptions(StoreOptions):
    """The options of `evenhand monitor assign`."""

    to: Annotated[str, Option("Person or role to assign the alarm to.", metavar="NAME")]
    by: Annotated[str, Option("Person who assigns the alarm.", metavar="NAME")]
    note: Annotated[str, Option("Action to take.", metavar="TEXT")] = ""


@dataclass(frozen=True, kw_only=True)
class MuteOptions(StoreOptions):
    """The options of `evenhand monitor mute`."""

    days: Annotated[int, Option("Number of days to mute the alarm, at most a year.")]
    by: Annotated[str, Option("Person who mutes the alarm.", metavar="NAME")]
    note: Annotated[str, Option("The reason.", metavar="TEXT")]
