"""Options of commands on scores: `perturb`, `evaluate`, `features` and `match`."""

from dataclasses import dataclass, field
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, SupportsFloat

from evenhand.analyses.options.impact import TOTALS, Against, Source
from evenhand.analyses.options.output import Map, Output, Reported, Unknown, Where, whole_number
from evenhand.analyses.options.probes import Cost, Parts, Repetitions, Service, Stopping, wrongly_resumed
from evenhand.comparisons.perturbation import margin_of
from evenhand.data.inputs import ScoreColumns, name_source
from evenhand.errors import InputError
from evenhand.matching.features import NAMES
from evenhand.models.model import Generation
from evenhand.options import Group, Option, build_group, declared, refuse


@dataclass(frozen=True, kw_only=True)
class Scoring(Group):
    """The scorer, its requests, and the range of its scores."""

    scorer: Annotated[
        str,
        Option(
            'https://… (POST {"resume","position"} → {"score"}), python:module:function, replay:SCORES.csv, '
            "matcher:FILE (match train), embedding:NAME or rerank:NAME (a server at --base-url), st:FOLDER "
            "(sentence-transformers), sim:shift?GROUP=x, or any model (openai:NAME, sim:KIND, …) with the prompt of "
            "resume-score.",
            kept=False,
        ),
    ] = ""
    request: Annotated[Path | None, Option("JSON template of the requests to an https: scorer.", kept=False)] = None
    score_at: Annotated[
        str | None,
        Option("JSON pointer to the score in the scorer's answer; default /score.", metavar="POINTER", kept=False),
    ] = None
    range: Annotated[
        str | None,
        Option(
            "Lowest and highest score, such as 0-1; other scores count as unreadable. Default: 0-100 for "
            "language models, else no limits.",
            metavar="LOW-HIGH",
            kept=False,
        ),
    ] = None
    wording: Annotated[
        str | None, Option("How a language model is prompted: number (default), rubric or json.", kept=False)
    ] = None


def _column(help_text: str) -> Option:
    return Option(help_text, check=lambda name: bool(name.strip()), expected="the name of a column")


@dataclass(frozen=True, kw_only=True)
class Judgements(Group):
    """The columns of scores and outcomes, and who is selected."""

    label: Annotated[
        str | None, _column("Column with the outcome: yes or no, or COLUMN=VALUE with the value that means yes.")
    ] = None
    score: Annotated[str | None, _column("Column with the score.")] = None
    cutoff: Annotated[
        float | None, Option("Scores above the cut-off are selected.", expected="a number, such as 0.5")
    ] = None
    at_least: Annotated[bool, Option("A score equal to the cut-off is selected, too.")] = False
    top: Annotated[
        int | None,
        whole_number("The scores are ranks and 1 is the best: ranks up to this number are selected."),
    ] = None
    against: Annotated[str | None, _column("Column with the previous version's score.")] = None
    against_cutoff: Annotated[
        float | None, Option("Cut-off of --against, if it differs from --cutoff.", expected="a number, such as 0.5")
    ] = None


@dataclass(frozen=True, kw_only=True)
class People(Group):
    """The groups to compare, and which rows are one person."""

    protected: Annotated[tuple[str, ...], Option("Columns with the groups.")] = ()
    by: Annotated[tuple[str, ...], Option("Columns to analyse by subgroup, such as the language.")] = ()
    cluster: Annotated[
        str | None, _column("Column with the cluster, such as the candidate: rows of one cluster are not independent.")
    ] = None
    unit: Annotated[str | None, _column("Column with the id of the person: several rows of one person count once.")] = (
        None
    )
    count: Annotated[
        str | None, _column("Column with the number of people that a row stands for; none: a row is one person.")
    ] = None
    totals: Annotated[str | None, TOTALS] = None
    where: Where = ()
    unknown: Unknown = ()
    map: Map = ()
    similar_by: Annotated[
        tuple[str, ...],
        Option(
            "Columns that define similar people (COL:2 counts double), features of the matcher, embedding:COL, "
            "or embedding:MODEL of --base-url."
        ),
    ] = ()
    base_url: Annotated[
        tuple[str, ...], Option("Server of embedding:MODEL, with /v1.", metavar="URL", machine=True)
    ] = ()
    text: Annotated[
        str | None, _column("Column with the texts to embed with embedding:MODEL; default: text or resume.")
    ] = None
    match_run: Annotated[
        Path | None,
        Option("Run of match explain; its features are joined to the rows by person and position.", metavar="RUN"),
    ] = None
    similar_within: Annotated[
        float | None,
        Option(
            "Largest distance between similar people, from 0 to 1; default: the nearest neighbour of each person.",
            check=lambda share: 0 <= share <= 1,
            expected="a number from 0 to 1, such as 0.05",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(Reported, Source, Against, People, Judgements):
    """The options of `evenhand evaluate`."""


#: Rows for the joint model of all features.
SAMPLE = 20_000
#: Cells of a text column that are scanned.
SCAN = 200


@dataclass(frozen=True, kw_only=True)
class Vetting(Group):
    """What is checked of the features."""

    expect: Annotated[Path | None, Option("TOML file with expected ranges of features and shares of groups.")] = None
    protected: Annotated[
        tuple[str, ...], Option("Columns with the groups; numeric columns are split in two.", commas=True)
    ] = ()
    label: Annotated[
        str | None, Option("Column with the outcome that a model is to learn.", expected="the name of a column")
    ] = None
    without: Annotated[tuple[str, ...], Option("Columns that are not features, such as ids.", commas=True)] = ()
    compare_with: Annotated[
        str | None, Option("Earlier table to measure drift against: a file, or a connection URL with --table.")
    ] = None
    age: Annotated[
        str | None, Option("Column with ages or dates of birth: compares people under 40 with those of 40 and older.")
    ] = None
    age_at: Annotated[date | None, Option("With dates of birth: the day for which ages are computed.")] = None
    unknown: Unknown = ()
    map: Map = ()
    sample: Annotated[
        int,
        whole_number("Number of rows for the analysis of all features jointly; 0 leaves it out.", least=0),
    ] = SAMPLE
    scan: Annotated[
        int,
        whole_number(
            "Number of cells of each text column to scan for personal data, as mask does; 0 scans none.", least=0
        ),
    ] = SCAN


@dataclass(frozen=True, kw_only=True)
class FeatureOptions(Reported, Source, Vetting):
    """The options of `evenhand features`."""


@dataclass(frozen=True, kw_only=True)
class MatchPeople(Group):
    """Whose résumés are matched with which positions."""

    people: Annotated[
        Path, Option("Résumés: a folder of documents, or JSONL with id, text and known_names.", metavar="FILE|DIR")
    ]
    positions: Annotated[
        Path,
        Option("Positions: JSONL or CSV with id, title, text, skills, must, nice, years.", metavar="FILE"),
    ]
    cache: Annotated[
        Path,
        Option("Cache of masked texts, by a hash of their source.", kept=False, again=False),
    ] = Path("runs/masked.sqlite")


@dataclass(frozen=True, kw_only=True)
class TrainOptions(Reported, MatchPeople):
    """The options of `evenhand match train`."""

    label: Annotated[
        str,
        Option(
            "Column of PAIRS to learn: yes or no, or COL=VALUE with the value that means yes.", metavar="COL[=VALUE]"
        ),
    ]
    protected: Annotated[
        tuple[str, ...],
        Option("Columns of PAIRS or of people with the groups; they never enter a score.", commas=True),
    ]
    fairness: Annotated[
        float,
        Option(
            "Strength of the penalty on differences of mean scores between groups.",
            check=lambda strength: isfinite(strength) and 0 <= strength <= 100,
            expected="a number from 0 to 100",
        ),
    ] = 0.0
    stop_on: Annotated[
        str,
        Option(
            "Early stopping: by the validation loss of the worst group, of all pairs, or none.",
            choices=("worst-group", "all", "none"),
        ),
    ] = "worst-group"
    test_share: Annotated[
        float,
        Option(
            "Share of people, and of positions, held out for the test.",
            check=lambda share: 0 < share < 1,
            expected="a number between 0 and 1",
        ),
    ] = 0.2
    without: Annotated[
        tuple[str, ...],
        Option(
            f"Features to leave out: {', '.join(NAMES)}.",
            commas=True,
            check=lambda name: name in NAMES,
            expected=f"one of {', '.join(NAMES)}",
        ),
    ] = ()

    def __post_init__(self) -> None:
        """Refuse options that leave nothing to learn."""
        super().__post_init__()
        if not self.protected:
            raise InputError(
                "--protected is missing: give the columns with the groups, such as --protected gender,race."
            )
        column = self.label.partition("=")[0]
        if column in self.protected:
            raise InputError(
                f"--label and --protected both name {column}: a protected attribute can't be the outcome to learn."
            )
        if set(self.without) == set(NAMES):
            raise InputError("--without leaves out every feature; keep one of them.")


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(Reported, MatchPeople):
    """The options of `evenhand match score` and `match explain`."""

    matcher: Annotated[Path, Option("The matcher.json of `evenhand match train`.", metavar="FILE")]
    pairs: Annotated[
        Path | None,
        Option("CSV or Parquet with the columns person and position; default: everybody with every position."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class RecommendOptions(ScoreOptions):
    """The options of `evenhand match recommend`."""

    ranked: Annotated[
        str,
        Option(
            "people: rank positions for each person; positions: rank candidates for each position.",
            flag="--for",
            choices=("people", "positions"),
        ),
    ] = "people"
    top: Annotated[
        int,
        whole_number("Ranks up to this number count as selected in outcomes.parquet."),
    ] = 1
    listed: Annotated[
        int,
        whole_number("Number of ranks to list for each person or position."),
    ] = 10

    @property
    def for_people(self) -> bool:
        """Return whether people get positions."""
        return self.ranked == "people"


def margin_text(typed: str | SupportsFloat) -> str:
    """Return a margin as typed.

    >>> margin_text(2), margin_text("0.2sd")
    ('2', '0.2sd')
    """
    text = typed.strip() if isinstance(typed, str) else f"{float(typed):.15g}"
    margin_of(text)
    return text


@dataclass(frozen=True, kw_only=True)
class PeopleOptions(Group):
    """Whose résumés are sent for which positions."""

    resumes: Annotated[
        Path | None,
        Option(
            "Résumés: a folder of documents, or JSONL with id, text and known_names. "
            "Default: synthetic ones, for synthetic positions.",
            flag="RESUMES",
            placed=True,
        ),
    ] = None
    positions: Annotated[
        Path | None, Option("Positions: JSONL or CSV with id, title, text.", metavar="FILE", placed=True)
    ] = None
    sample: Annotated[
        int | None,
        whole_number("Number of résumés to draw; default: all of yours, 48 of the synthetic ones."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ArmOptions(Group):
    """What the arms change, and which names they use."""

    by: Annotated[
        tuple[str, ...],
        Option(
            "Attributes to vary: gender, race, an identity of --arms such as age, several crossed, or group with "
            "--names.",
            commas=True,
        ),
    ] = ("gender",)
    arms: Annotated[
        tuple[str, ...],
        Option(
            "How the résumé signals the group: name, name+pronouns, affinity (membership in a network), "
            "combined, explicit; or an identity: age, age-experience, gap, religion, disability, orientation, "
            "nationality, parenthood, pronouns.",
            commas=True,
        ),
    ] = ("name",)
    placebo: Annotated[
        bool, Option("Leave out the placebo arms, in which only the name within a group, or a neutral text, changes.")
    ] = True
    names: Annotated[
        Path | str | None,
        Option(
            "CSV of full or given names with the columns name,gender,race or group,name; or an2024, the 300 "
            "given names of that study. Default: 800 full names.",
            metavar="CSV|an2024",
            read=name_source,
            expected="a file, or an2024",
        ),
    ] = None
    names_per_group: Annotated[
        int,
        whole_number("Number of names of each group; with two or three, intervals are wide."),
    ] = 10


@dataclass(frozen=True, kw_only=True)
class JudgingOptions(Group):
    """How scores are judged, fixed before any is seen."""

    margin: Annotated[
        str | None,
        Option(
            "Largest difference that counts as equivalent: points, or standard deviations as in 0.2sd.",
            metavar="POINTS|SD",
            read=margin_text,
            expected="a number above 0 such as 2, or 0.2sd",
        ),
    ] = None
    cutoff: Annotated[
        float | None,
        Option(
            "Scores above the cut-off, or ranks up to it, are selected; default: the median.",
            check=isfinite,
            expected="a number",
        ),
    ] = None
    top: Annotated[
        int,
        whole_number("Number of ranks in a position that count as the top."),
    ] = 5
    reference: Annotated[str | None, Option("Reference group, such as male, or male,white.", metavar="GROUP")] = None


@dataclass(frozen=True, kw_only=True)
class StudyColumns(Group):
    """The columns of scores that exist, and what is compared."""

    arm: Annotated[
        str | None, _column("With --scores: column with the attribute that was changed, such as the name.")
    ] = None
    level: Annotated[str | None, _column("With --scores: column with the level that the attribute was changed to.")] = (
        None
    )
    baseline: Annotated[
        str | None, Option("Value of --arm whose rows are unchanged: the reference of arms without a --reference.")
    ] = None
    placebo_arm: Annotated[
        tuple[str, ...],
        Option("Values of --arm that are placebos; default: those called placebo.", metavar="VALUE", commas=True),
    ] = ()
    item: Annotated[
        tuple[str, ...],
        Option("Columns that stay the same across levels, such as model, job and résumé.", metavar="COLUMNS"),
    ] = ()
    name: Annotated[
        str | None, _column("Column with the names of a level; intervals include the variation between names.")
    ] = None
    run: Annotated[str | None, _column("Column with the number of the repetition.")] = None
    score: Annotated[str | None, _column("Column with the score.")] = None
    selected: Annotated[
        str | None,
        Option(
            "Column with the decision and the value that means selected; or all values, from the worst to the best.",
            metavar="COLUMN=VALUE,…",
        ),
    ] = None
    compare_by: Annotated[str | None, _column("Column of --item whose values are compared, such as the model.")] = None
    wide: Annotated[
        tuple[str, ...], Option("Columns with the scores of one level each, in place of --level and --score.")
    ] = ()
    summary: Annotated[
        str | None,
        Option(
            "For a table with many scores in a row: columns with their mean, SD and number, or with the "
            "numbers of all and of selected.",
            metavar="mean=COL,sd=COL,n=COL|selected=COL,n=COL",
        ),
    ] = None
    where: Where = ()
    unknown: Unknown = ()
    map: Map = ()


@dataclass(frozen=True, kw_only=True)
class StudyOptions(Output, Source, JudgingOptions, StudyColumns):
    """The options of `evenhand perturb --scores`."""


#: Endings of tables of scores.
_TABLES = frozenset({".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".parquet", ".xlsx"})


def _as_given(source: Any) -> Any:
    """Return a table as it is given."""
    return source


@dataclass(frozen=True, kw_only=True)
class PerturbOptions(
    Output, Parts, Stopping, Cost, Service, Source, JudgingOptions, StudyColumns, ArmOptions, PeopleOptions, Scoring
):
    """The options of `evenhand perturb`."""

    scores: Annotated[
        Any,
        Option(
            "Analyse existing scores: a table with a row per score (a file, or a connection URL with --table).",
            metavar="TABLE",
            read=_as_given,
            kept=False,
            again=False,
        ),
    ] = None
    write_arms: Annotated[
        Path | None,
        Option(
            "Send nothing: write the documents of all arms to this new folder, to be scored by another system.",
            metavar="DIR",
            kept=False,
            again=False,
        ),
    ] = None
    join: Annotated[
        tuple[Path, ...],
        Option(
            "Scores of the documents of --write-arms: a table with id or file, position and score (--item and "
            "--score name other columns). Or folders of parts that were run with --shard.",
            metavar="TABLE|DIR",
            commas=True,
            kept=False,
            again=False,
        ),
    ] = ()
    show_pairs: Annotated[
        int | None,
        whole_number(
            "Number of pairs whose texts the page shows; default: 3 synthetic pairs, and none of your own résumés.",
            least=0,
        ),
    ] = None
    repetitions: Repetitions = 1
    generation: Generation = field(default_factory=Generation)

    def __post_init__(self) -> None:
        """Refuse missing options, and options that contradict each other."""
        super().__post_init__()
        if self.scores is not None:
            self._check_study()
            return
        saved = self.joined is not None or self.scorer.startswith("replay:")
        without = frozenset({"score", "item"}) if saved else frozenset()
        typed, *_ = *self._given(StudyColumns, without=without), *self._given(Source), ""
        lacking = "Résumés need --positions" if self.positions is None else "--positions needs résumés"
        to = self.write_arms is not None
        other = "no --scorer is needed" if self.scorer else "no other table is needed"
        refuse(
            {
                f"{typed} needs --scores TABLE, the table of scores that exist.": typed,
                f"{lacking}: a scorer gets both. Give both, or neither.": (self.resumes is None)
                != (self.positions is None),
                **wrongly_resumed(self, self),
                "--write-arms and --scorer can't be given together: --write-arms sends nothing to a scorer. Leave "
                "out one of them.": to and self.scorer,
                f"--join {self.joined} has the scores, so {other}; leave out one of them.": self.joined is not None
                and (self.scorer or len(self.join) > 1),
                "--write-arms with --join takes the table of scores, and not the folders of parts.": (
                    to and self.join and self.joined is None
                ),
                "--scorer is missing: give one, or --write-arms DIR to have the arms scored by another system.": (
                    not self.scorer and self.joined is None and not to
                ),
                "--margin is missing: give the largest difference of scores that counts as equivalent, such as "
                "2 or 0.2sd.": self.margin is None and not (to and not self.join),
            }
        )

    @property
    def joined(self) -> Path | None:
        """Return the table of scores among what is joined."""
        return next((path for path in self.join if path.suffix.lower() in _TABLES and not path.is_dir()), None)

    @property
    def score_columns(self) -> ScoreColumns:
        """Return the columns of a table of scores, where they are named."""
        document, position, *_ = *(name for typed in self.item for name in typed.split(",")), None, None
        return ScoreColumns(document=document, position=position, score=self.score)

    @property
    def study(self) -> StudyOptions:
        """Return the options of an analysis of scores that exist."""
        return build_group(StudyOptions, {entry.name: entry.of(self) for entry in declared(StudyOptions)})

    def _given(self, group: type[Group], *, without: frozenset[str] = frozenset()) -> list[str]:
        """Return the flags of a group's options that differ from their defaults."""
        options = (entry for entry in declared(group) if entry.name not in without)
        return [entry.flag for entry in options if entry.of(self) != entry.default]

    def _check_study(self) -> None:
        asks = [*self._given(Scoring), *self._given(PeopleOptions), *self._given(ArmOptions)]
        asks += self._given(JudgingOptions, without=frozenset({"margin", "reference"}))
        asks += ["--write-arms"] if self.write_arms is not None else []
        if asks:
            raise InputError(
                f"{asks[0]} and --scores can't be given together: --scores analyses existing scores. Leave out "
                "one of them."
            )
