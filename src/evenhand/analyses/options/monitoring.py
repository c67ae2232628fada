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

    model: Annotated[str | None, Option("Model, scorer or process that the judgements are of.")] = None
    time: Annotated[str | None, _column("Column with the times of the judgements.")] = None
    time_zone: Annotated[str | None, Option("Zone of times that tell none: UTC, Europe/Berlin.")] = None
    future: Annotated[bool, Option("Times in the future are taken, too.")] = False
    score: Annotated[str | None, _column("Column with scores.")] = None
    selected: Annotated[
        str | None,
        _column("Column with the decision (yes or no), or COLUMN=VALUE,… with the values that mean selected."),
    ] = None
    undecided: Annotated[
        tuple[str, ...], Option("COLUMN=VALUE,…: values that mean no decision yet, such as pending.")
    ] = ()
    label: Annotated[
        str | None, _column("Column that says what turned out, or what people decided; or COLUMN=VALUE,….")
    ] = None
    status: Annotated[
        str | None,
        _column("Column with the status: observed, refused, undetected, ambiguous, truncated, error, missing."),
    ] = None
    latency: Annotated[str | None, _column("Column with the seconds that an answer took.")] = None


@dataclass(frozen=True, kw_only=True)
class RecordOptions(Source, _JudgementColumns, StoreOptions):
    """The options of `evenhand monitor record`."""

    position: Annotated[str | None, _column("Column with the position, or the family of positions.")] = None
    stage: Annotated[str | None, _column("Column with the stage.")] = None
    decided_by: Annotated[str | None, _column("Column that says who decided: AI or people.")] = None
    by: Annotated[tuple[str, ...], Option("Columns to break down by, such as department,location,recruiter.")] = ()
    protected: Annotated[tuple[str, ...], Option("Columns with the groups.")] = ()
    map: Map = ()
    unit: Annotated[
        str | None, _column("Column with the person or case, kept as keyed hashes: labels that come later find it.")
    ] = None
    where: Annotated[tuple[str, ...], Option("Condition on the rows, in SQL; repeatable.")] = ()
    batch_id: Annotated[str | None, Option("Name of the batch, recorded once; default: its content.")] = None


@dataclass(frozen=True, kw_only=True)
class StatusOptions(StoreOptions):
    """The options of `evenhand monitor status`."""

    prometheus: Annotated[bool, Option("Print metrics in the text format of Prometheus.")] = False


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(StoreOptions):
    """The options of `evenhand monitor verify`."""

    head: Annotated[
        str | None, Option("A head of the log that was kept elsewhere: it must stand in the log.", metavar="SHA256")
    ] = None


@dataclass(frozen=True, kw_only=True)
class BackupOptions(StoreOptions):
    """The options of `evenhand monitor backup`."""

    out: Annotated[Path, Option("File to write; other users of the machine can't read it.", metavar="FILE")]
    force: Annotated[bool, Option("Replace the file of --out.", kept=False, again=False)] = False


@dataclass(frozen=True, kw_only=True)
class RestoreOptions(StoreOptions):
    """The options of `evenhand monitor restore`."""

    force: Annotated[bool, Option("Replace all that --store holds.", kept=False, again=False)] = False


@dataclass(frozen=True, kw_only=True)
class CheckOptions(StoreOptions):
    """The options of `evenhand monitor check`."""

    rules: Annotated[Path | None, Option("Rules in TOML; default: the rules of the package.", metavar="FILE")] = None
    as_of: Annotated[
        date | None, Option("Last day to look at (UTC); default: yesterday, the last whole day.", metavar="DATE")
    ] = None
    webhook: Annotated[
        str | None, Option("URL to post alarms to, signed with EVENHAND_WEBHOOK_SECRET.", metavar="URL")
    ] = None
    fail_on: Annotated[
        tuple[str, ...],
        Option(
            "Exit 1 if an alarm is firing: alarm.",
            commas=True,
            check=lambda condition: condition == "alarm",
            expected="alarm",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Reported, Against, StoreOptions):
    """The options of `evenhand monitor report`."""

    period: Annotated[
        str, Option("Months that are over: 2026-Q3, 2026, 2026-07 or 2026-07..2026-09.", metavar="PERIOD")
    ]
    model: Annotated[str | None, Option("Process whose decisions are reported; default: all of the store.")] = None
    rules: Annotated[
        Path | None, Option("Rules of the checks in TOML; default: the rules of the package.", metavar="FILE")
    ] = None
    by: Annotated[
        str | None, Option("Groups are compared within its values: department, decided_by; default: position.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class AcknowledgeOptions(StoreOptions):
    """The options of `evenhand monitor acknowledge`."""

    by: Annotated[str, Option("Who acknowledges it.", metavar="NAME")]
    note: Annotated[str, Option("What was found, or is done about it.", metavar="TEXT")] = ""


@dataclass(frozen=True, kw_only=True)
class AlarmsOptions(StoreOptions):
    """The options of `evenhand monitor alarms`."""

    resolved: Annotated[bool, Option("List those that are over, too.")] = False


@dataclass(frozen=True, kw_only=True)
class AssignOptions(StoreOptions):
    """The options of `evenhand monitor assign`."""

    to: Annotated[str, Option("Person or role that looks after it.", metavar="NAME")]
    by: Annotated[str, Option("Who assigns it.", metavar="NAME")]
    note: Annotated[str, Option("What is to be done.", metavar="TEXT")] = ""


@dataclass(frozen=True, kw_only=True)
class MuteOptions(StoreOptions):
    """The options of `evenhand monitor mute`."""

    days: Annotated[int, Option("Days for which it is muted, at most a year.")]
    by: Annotated[str, Option("Who mutes it.", metavar="NAME")]
    note: Annotated[str, Option("The reason.", metavar="TEXT")]
