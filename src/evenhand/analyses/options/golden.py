"""Options of `evenhand monitor golden`."""

from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.monitoring import StoreOptions
from evenhand.analyses.options.output import Output
from evenhand.analyses.options.probes import Cost, Parts, Service, Stopping
from evenhand.analyses.options.scores import Scoring
from evenhand.models.model import Generation
from evenhand.options import Group, Option


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
    protected: Annotated[
        tuple[str, ...],
        Option("Keys with the groups; default: all keys of words, and numbers are asked about.", commas=True),
    ] = ()
    labels: Annotated[
        tuple[str, ...], Option("Labels from the lowest, fixed with the first cases; default: no,yes.", commas=True)
    ] = ()
    positive: Annotated[
        str | None, Option("The first label that counts as yes; default: the highest.", metavar="LABEL")
    ] = None


@dataclass(frozen=True, kw_only=True)
class GoldenProposeOptions(StoreOptions):
    """The options of `evenhand monitor golden propose`."""

    model: Annotated[str | None, Option("Model whose recorded decisions these are.")] = None
    positions: Annotated[Path | None, Option("Positions: JSONL or CSV with id, title, text.", metavar="FILE")] = None
    unit: Annotated[str | None, Option("Key of the texts with the unit as recorded; default: id.", metavar="KEY")] = (
        None
    )
    draw: Annotated[
        int,
        Option("Draw so many at random: estimates rest on these.", check=lambda n: n >= 0, expected="a whole number"),
    ] = 100
    choose: Annotated[
        int,
        Option(
            "Choose so many more to look at: decisions and labels that differ, overturned ones, days of alarms, low "
            "margins, thinly covered groups and positions.",
            check=lambda n: n >= 0,
            expected="a whole number",
        ),
    ] = 0
    cutoff: Annotated[
        float | None,
        Option("The model's cut-off, for low margins.", check=isfinite, expected="a number, such as 0.5"),
    ] = None
    keep_days: Annotated[
        int | None,
        Option(
            "Days that a text is kept; default: 180, then what was allowed.", check=lambda n: n >= 1, expected="days"
        ),
    ] = None
    switch_on: Annotated[bool, Option("Allow texts to be copied from now on; needs --by.")] = False
    switch_off: Annotated[bool, Option("Allow it no longer; needs --by.")] = False
    by: Annotated[str | None, Option("Who allows it, or no longer.", metavar="NAME")] = None


@dataclass(frozen=True, kw_only=True)
class GoldenForgetOptions(StoreOptions):
    """The options of `evenhand monitor golden forget`."""

    unit: Annotated[str | None, Option("All cases of this unit of the recorded stream.", metavar="UNIT")] = None
    expired: Annotated[bool, Option("All texts whose days are over.")] = False


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
