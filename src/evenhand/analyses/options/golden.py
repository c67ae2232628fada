"""Options of `evenhand monitor golden`."""

from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.monitoring import StoreOptions
from evenhand.analyses.options.output import Output, whole_number
from evenhand.analyses.options.probes import Cost, Parts, Service, Stopping
from evenhand.analyses.options.scores import Scoring
from evenhand.models.model import Generation
from evenhand.options import Group, Option


@dataclass(frozen=True, kw_only=True)
class Choosing(Group):
    """Which cases are chosen, and the reason."""

    reason: Annotated[
        str | None, Option("Reason for choosing these cases, if the file has no reasons.", metavar="TEXT")
    ] = None
    choose: Annotated[
        int | None,
        whole_number(
            "Number of cases to choose from the file: cases on which models disagree, or a model and people, "
            "and cases of groups that the set has few of."
        ),
    ] = None
    scores: Annotated[
        tuple[str, ...], Option("Keys of the file with the scores of models, for --choose.", commas=True)
    ] = ()
    decision: Annotated[
        str | None, Option("Key of the file with the decision of people (yes or no), for --choose.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class GoldenAddOptions(Choosing, StoreOptions):
    """The options of `evenhand monitor golden add`."""

    positions: Annotated[Path, Option("Positions: JSONL or CSV with id, title, text.", metavar="FILE")]
    protected: Annotated[
        tuple[str, ...],
        Option("Keys with the groups; default: all keys with words. Keys with numbers must be named.", commas=True),
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

    model: Annotated[str | None, Option("Model whose recorded decisions are proposed.")] = None
    positions: Annotated[Path | None, Option("Positions: JSONL or CSV with id, title, text.", metavar="FILE")] = None
    unit: Annotated[str | None, Option("Key of the texts with the recorded unit; default: id.", metavar="KEY")] = None
    draw: Annotated[
        int,
        Option(
            "Number of cases to draw at random; estimates are based on these.",
            check=lambda n: n >= 0,
            expected="a whole number",
        ),
    ] = 100
    choose: Annotated[
        int,
        Option(
            "Number of additional cases to choose: disagreements, overturned decisions, days of alarms, scores "
            "near the cut-off, rare groups and positions.",
            check=lambda n: n >= 0,
            expected="a whole number",
        ),
    ] = 0
    cutoff: Annotated[
        float | None,
        Option("Cut-off of the model, to find scores near it.", check=isfinite, expected="a number, such as 0.5"),
    ] = None
    keep_days: Annotated[
        int | None,
        Option(
            "Days to keep a text; default: 180, later the number given with --switch-on.",
            check=lambda n: n >= 1,
            expected="days",
        ),
    ] = None
    switch_on: Annotated[bool, Option("Allow texts to be copied into the store; needs --by.")] = False
    switch_off: Annotated[bool, Option("Stop copying texts into the store; needs --by.")] = False
    by: Annotated[str | None, Option("Person who decides on --switch-on or --switch-off.", metavar="NAME")] = None


@dataclass(frozen=True, kw_only=True)
class GoldenForgetOptions(StoreOptions):
    """The options of `evenhand monitor golden forget`."""

    unit: Annotated[str | None, Option("Unit, as recorded, whose cases are forgotten.", metavar="UNIT")] = None
    expired: Annotated[bool, Option("Forget all texts older than --keep-days.")] = False


@dataclass(frozen=True, kw_only=True)
class GoldenLabelOptions(StoreOptions):
    """The options of `evenhand monitor golden label` and `adjudicate`."""

    by: Annotated[str, Option("Name of the annotator, of your choice.", metavar="NAME")]
    out: Annotated[Path | None, Option("CSV to write the open cases to, for labelling.")] = None
    unmasked: Annotated[bool, Option("Show unmasked résumés.")] = False
    force: Annotated[bool, Option("Replace the file of --out.")] = False


@dataclass(frozen=True, kw_only=True)
class GoldenCloseOptions(StoreOptions):
    """The options of `evenhand monitor golden close`."""

    by: Annotated[str, Option("Person who closes the version.", metavar="NAME")]


@dataclass(frozen=True, kw_only=True)
class GoldenExportOptions(StoreOptions):
    """The options of `evenhand monitor golden export`."""

    out: Annotated[Path, Option("File to write: .jsonl or .csv.", metavar="FILE")]
    force: Annotated[bool, Option("Replace the file of --out.")] = False


@dataclass(frozen=True, kw_only=True)
class GoldenRunOptions(Output, Parts, Stopping, Cost, Service, Scoring, StoreOptions):
    """The options of `evenhand monitor golden run`."""

    model: Annotated[
        str, Option("Name of the model to record the measures under; a new version keeps the name.", kept=False)
    ]
    cutoff: Annotated[
        float,
        Option("Scores above the cut-off mean yes.", check=isfinite, expected="a number, such as 0.5", kept=False),
    ]
    version: Annotated[int | None, Option("Version of the golden set; default: the newest.", kept=False)] = None
    against: Annotated[
        str | None, Option("Model to compare it with; default: its own last run.", metavar="MODEL", kept=False)
    ] = None
    generation: Generation = field(default_factory=Generation)
