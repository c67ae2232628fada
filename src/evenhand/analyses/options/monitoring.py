"""Options of `evenhand monitor` and `evenhand monitor golden`."""

from dataclasses import dataclass, field
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.impact import Source
from evenhand.analyses.options.output import Output
from evenhand.analyses.options.probes import Cost, Parts, Service, Stopping
from evenhand.analyses.options.scores import Scoring
from evenhand.models.model import Generation
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
    selected: Annotated[str | None, _column("Column that says who was selected, or COLUMN=VALUE,….")] = None
    undecided: Annotated[tuple[str, ...], Option("COLUMN=VALUE,…: values that are no decision, such as pending.")] = ()
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
class AcknowledgeOptions(StoreOptions):
    """The options of `evenhand monitor acknowledge`."""

    by: Annotated[str, Option("Who acknowledges it.", metavar="NAME")]
    note: Annotated[str, Option("What was found, or is done about it.", metavar="TEXT")] = ""


@dataclass(frozen=True, kw_only=True)
class Choosing(Group):
    """Which cases are chosen, and the reason."""

    reason: Annotated[str | None, Option("Why these cases, where the file does not say it.", metavar="TEXT")] = None
    choose: Annotated[
        int | None,
        Option(
            "Choose so many of the file: where models disagree, where a model and people do, and of groups that the "
            "set has few of.",
            check=lambda number: number >= 1,
            expected="a whole number from 1",
        ),
    ] = None
    scores: Annotated[tuple[str, ...], Option("Keys of the file with models' scores, to choose by.", commas=True)] = ()
    decision: Annotated[str | None, Option("Key of the file with people's yes or no, to choose by.")] = None


@dataclass(frozen=True, kw_only=True)
class GoldenAddOptions(Choosing, StoreOptions):
    """The options of `evenhand monitor golden add`."""

    positions: Annotated[Path, Option("Positions: JSONL or CSV with id, title, text.", metavar="FILE")]
    labels: Annotated[
        tuple[str, ...], Option("Labels from the lowest, fixed with the first cases; default: no,yes.", commas=True)
    ] = ()
    positive: Annotated[
        str | None, Option("The first label that counts as yes; default: the highest.", metavar="LABEL")
    ] = None


@dataclass(frozen=True, kw_only=True)
class GoldenLabelOptions(StoreOptions):
    """The options of `evenhand monitor golden label` and `adjudicate`."""

    by: Annotated[str, Option("Who labels, under a name of your choice.", metavar="NAME")]
    out: Annotated[Path | None, Option("Write the cases that are open to this CSV, to be labelled there.")] = None
    unmasked: Annotated[bool, Option("Show résumés as they are, not masked.")] = False
    force: Annotated[bool, Option("Replace the file that --out names.")] = False


@dataclass(frozen=True, kw_only=True)
class GoldenCloseOptions(StoreOptions):
    """The options of `evenhand monitor golden close`."""

    by: Annotated[str, Option("Who closes the version.", metavar="NAME")]


@dataclass(frozen=True, kw_only=True)
class GoldenExportOptions(StoreOptions):
    """The options of `evenhand monitor golden export`."""

    out: Annotated[Path, Option("File to write: .jsonl or .csv.", metavar="FILE")]
    force: Annotated[bool, Option("Replace the file that is there.")] = False


@dataclass(frozen=True, kw_only=True)
class GoldenRunOptions(Output, Parts, Stopping, Cost, Service, Scoring, StoreOptions):
    """The options of `evenhand monitor golden run`."""

    model: Annotated[str, Option("Model whose measures these are: a new version keeps the name.", kept=False)]
    cutoff: Annotated[
        float, Option("Yes are scores above it.", check=isfinite, expected="a number, such as 0.5", kept=False)
    ]
    version: Annotated[int | None, Option("Version of the golden set; default: the newest.", kept=False)] = None
    against: Annotated[
        str | None, Option("Model to hold it against; default: its own last run.", metavar="MODEL", kept=False)
    ] = None
    generation: Generation = field(default_factory=Generation)
