"""Options of `evenhand impact` and `plan impact`: table, groups, selection, comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

from evenhand.analyses.options.output import Map, Reported, Unknown, UnpackLimit, Where
from evenhand.options import Group, Option, declared
from evenhand.results.files import UNPACK_LIMIT


def _column(help_text: str) -> Option:
    return Option(help_text, expected="the name of a column")


def _share(value: float) -> bool:
    return 0 <= value < 1


def _between(value: float) -> bool:
    return 0 < value < 1


def references(typed: str | Sequence[str] | Mapping[str, str]) -> tuple[str, ...]:
    """Return the references: commas separate ATTRIBUTE=GROUP pairs, but not within a group's name.

    >>> references(["gender=male,race=White", "race=Two, or more"]), references({"gender": "male"})
    (('gender=male', 'race=White', 'race=Two, or more'), ('gender=male',))
    """
    if isinstance(typed, Mapping):
        return tuple(f"{attribute}={group}" for attribute, group in typed.items())
    parts: list[str] = []
    for value in [typed] if isinstance(typed, str) else typed:
        for place, part in enumerate(value.split(",")):
            begins = "=" in part or part.strip() in {"highest", "largest"} or place == 0
            if begins:
                parts.append(part.strip())
            else:
                parts[-1] += f",{part}"
    return tuple(parts)


def shares(typed: str | Sequence[str] | Mapping[str, float]) -> tuple[str, ...]:
    """Return stated shares as they are typed.

    >>> shares({"women": 0.42}), shares("women=.42")
    (('women=0.42',), ('women=.42',))
    """
    return reasons({group: str(share) for group, share in typed.items()} if isinstance(typed, Mapping) else typed)


def reasons(typed: str | Sequence[str] | Mapping[str, str]) -> tuple[str, ...]:
    """Return categories with the reason to leave each out, as they are typed.

    >>> reasons({"Islander": "too few people"}), reasons("Islander=too few people")
    (('Islander=too few people',), ('Islander=too few people',))
    """
    if isinstance(typed, Mapping):
        return tuple(f"{category}={reason}" for category, reason in typed.items())
    return (typed,) if isinstance(typed, str) else tuple(typed)


TOTALS: Final = Option(
    "Rows of counts that are totals: drop them, or keep them as groups.",
    choices=("drop", "keep"),
    check=lambda value: value in {"drop", "keep"},
    expected="drop or keep",
)


@dataclass(frozen=True, kw_only=True)
class Selection(Group):
    """The groups to compare, and who was selected."""

    protected: Annotated[
        tuple[str, ...],
        Option("Columns with the groups; or probabilities of belonging: race=prob:white=P_WHITE,black=P_BLACK."),
    ] = ()
    selected: Annotated[str | None, _column("Column that says who was selected, or COLUMN=VALUE,….")] = None
    undecided: Annotated[tuple[str, ...], Option("COLUMN=VALUE,…: values that are no decision, such as pending.")] = ()
    count: Annotated[
        str | None, _column("Column of whole numbers: a row is that many people; none: a row is one person.")
    ] = None
    weight: Annotated[
        str | None, _column("Column of sampling weights: how many people of the population a row stands for.")
    ] = None
    applicants: Annotated[str | None, _column("A row is a group: column with how many applied.")] = None
    selected_count: Annotated[str | None, _column("… and the column with how many were selected.")] = None
    selection_rate: Annotated[
        str | None, _column("… or with the share selected, where their number is not published.")
    ] = None
    counts: Annotated[
        tuple[str, ...],
        Option("No table but numbers, selected of all: 'women=557/1835,men=1198/2691'; with a TABLE, columns of it."),
    ] = ()
    totals: Annotated[str | None, TOTALS] = None
    suppressed: Annotated[
        str | None, Option("What counts that are not shown (<5, *) may be: LOWEST-HIGHEST.", metavar="LOW-HIGH")
    ] = None
    score: Annotated[str | None, _column("Column with scores.")] = None
    cutoff: Annotated[
        tuple[float, ...],
        Option(
            "Selected are scores above it; repeat for several.",
            commas=True,
            expected="a number, such as 3.5",
            kept="cutoffs",
        ),
    ] = ()
    median: Annotated[bool, Option("Selected are scores above the median of all scores.")] = False
    means: Annotated[bool, Option("Compare mean scores.")] = False
    share: Annotated[
        tuple[str, ...],
        Option(
            "Nobody is selected: compare the people with the share stated for a group, or a table of group and share.",
            read=shares,
            metavar="GROUP=SHARE|FILE",
            expected="'GROUP=SHARE', {'GROUP': SHARE} or a file",
        ),
    ] = ()
    availability: Annotated[
        tuple[str, ...],
        Option(
            "Besides the selection: compare the applicants with the share stated for a group, as --share does.",
            read=shares,
            metavar="GROUP=SHARE|FILE",
            expected="'GROUP=SHARE', {'GROUP': SHARE} or a file",
        ),
    ] = ()
    at_least: Annotated[bool, Option("A score equal to the cut-off is selected.")] = False
    at_most: Annotated[bool, Option("Low scores are good: selected are those of the cut-off or less.")] = False
    below: Annotated[bool, Option("Low scores are good: selected are those below the cut-off, or the median.")] = False


@dataclass(frozen=True, kw_only=True)
class Against(Group):
    """The reference groups, and which groups are compared."""

    reference: Annotated[
        tuple[str, ...],
        Option(
            "highest (default), largest, or ATTRIBUTE=GROUP; repeatable.",
            read=references,
            expected="'highest', 'largest', 'ATTRIBUTE=GROUP' or {'ATTRIBUTE': 'GROUP'}",
            kept="references",
        ),
    ] = ()
    intersectional: Annotated[bool, Option("Cross the attributes, too.")] = False
    min_share: Annotated[
        float,
        Option(
            "Groups of a smaller share of the applicants are counted, not judged.",
            check=_share,
            expected="a share from 0 up to 1, such as 0.02",
        ),
    ] = 0.0
    reference_floor: Annotated[
        float | None,
        Option(
            "Groups of a smaller share of the applicants, or under 30 people, are no reference (.02; 0: any may be).",
            check=_share,
            expected="a share from 0 (no floor) up to 1, such as 0.02",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Comparison(Against):
    """How groups are compared."""

    position: Annotated[str | None, _column("Column with the position.")] = None
    four_fifths: Annotated[
        str,
        Option(
            "against-highest: below .8; two-sided: above 1.25, too.",
            choices=("against-highest", "two-sided"),
            check=lambda rule: rule in {"against-highest", "two-sided"},
            expected="against-highest or two-sided",
        ),
    ] = "against-highest"
    margin: Annotated[
        float,
        Option(
            "Rates are shown to be equivalent where their ratio lies above it, and below 1 over it (.8: to 1.25).",
            check=_between,
            expected="a ratio between 0 and 1, such as 0.8",
        ),
    ] = 0.8


@dataclass(frozen=True, kw_only=True)
class Rows(Group):
    """Which rows count; qualifications, blocks and clusters."""

    stage: Annotated[str | None, _column("Column with the stage, or COLUMN=FIRST,SECOND,… in order.")] = None
    funnel: Annotated[
        tuple[str, ...],
        Option("Columns of the stages in order, the first who applied: days, yes and no, or numbers of people."),
    ] = ()
    furthest: Annotated[
        str | None,
        Option(
            "Column with the furthest stage of each person, and the stages in order.",
            metavar="COLUMN=FIRST,SECOND,…",
            check=lambda typed: "=" in typed,
            expected="COLUMN=FIRST,SECOND,…, such as status=Applied,Screened,Hired",
        ),
    ] = None
    unit: Annotated[str | None, _column("Column with the applicant: repeated rows count once.")] = None
    where: Where = ()
    given: Annotated[
        tuple[str, ...],
        Option("Columns with qualifications to hold fixed; repeat for a line of the adjustment ladder each."),
    ] = ()
    block: Annotated[
        tuple[str, ...],
        Option("Columns that are held fixed: groups are compared among rows of one value, such as an advertisement."),
    ] = ()
    period: Annotated[
        str | None,
        Option(
            "Column with the date or period of each decision: ratios over time; dates are cut by year, or as named.",
            metavar="COLUMN[=year|quarter|month]",
        ),
    ] = None
    cluster: Annotated[
        tuple[str, ...],
        Option(
            "Column whose rows of one value are not independent, such as an advertisement; or two such columns.",
            check=lambda name: bool(name.strip()),
            expected="the name of a column",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class LocalLaw144(Group):
    """The tables of New York's Local Law 144."""

    ll144: Annotated[bool, Option("Tables and page of New York Local Law 144.")] = False
    ll144_tables: Annotated[
        tuple[str, ...],
        Option(
            "In place of TABLE: published tables by sex, by race or ethnicity, and by both; sums may disagree.",
            commas=True,
            metavar="FILE,FILE,FILE",
        ),
    ] = ()
    exclude: Annotated[
        tuple[str, ...],
        Option(
            "A category below 2 % that the auditor leaves out of the ratios, and the reason; repeatable.",
            read=reasons,
            metavar="CATEGORY=REASON",
            expected="'CATEGORY=REASON' or {'CATEGORY': 'REASON'}",
        ),
    ] = ()
    exclusion_reason: Annotated[str | None, Option("The auditor's reason to leave out all categories below 2 %.")] = (
        None
    )
    exclusion_base: Annotated[
        str,
        Option(
            "The 2 % are of all people used, or of those whose category is known.",
            choices=("all", "known"),
            check=lambda base: base in {"all", "known"},
            expected="all or known",
        ),
    ] = "all"


def typed_day(typed: str | date) -> str:
    """Return a day, or the name of a column, as it is typed.

    >>> typed_day(date(2024, 12, 31)), typed_day("decided_on")
    ('2024-12-31', 'decided_on')
    """
    return typed if isinstance(typed, str) else typed.isoformat()


@dataclass(frozen=True, kw_only=True)
class Groups(Group):
    """How columns become groups, and which labels mean unknown."""

    missing: Annotated[
        str | None,
        Option(
            "bounds: what the ratio could be with unknown groups.",
            choices=("bounds",),
            check=lambda value: value == "bounds",
            expected="bounds",
        ),
    ] = None
    eeo1: Annotated[str | None, Option("Map a race column to EEO-1 categories: RACE, or RACE,HISPANIC.")] = None
    age: Annotated[
        str | None, Option("Column with ages or dates of birth: adds the groups under 40, and 40 or older.")
    ] = None
    age_at: Annotated[
        str | None,
        Option(
            "For dates of birth: the day of the age, or the column with the day of the decision.",
            read=typed_day,
            metavar="DAY|COLUMN",
            expected="a day such as 2024-12-31, or the name of a column",
        ),
    ] = None
    age_bands: Annotated[
        tuple[float, ...],
        Option(
            "Ages at which groups begin (40: under 40, and 40 or older); the youngest group is the reference.",
            commas=True,
            check=lambda age: 15 <= age <= 100 and age == int(age),
            expected="an age from 15 to 100, such as 40,50,60",
        ),
    ] = ()
    unknown: Unknown = ()
    map: Map = ()


def typed_row(typed: int | str) -> str:
    """Return a row as it is typed.

    >>> typed_row(3), typed_row("none")
    ('3', 'none')
    """
    return str(typed)


@dataclass(frozen=True, kw_only=True)
class Source(Group):
    """How the table is opened."""

    sheet: Annotated[str | None, Option("Sheet of an .xlsx.")] = None
    table: Annotated[str | None, Option("Table behind a connection URL.")] = None
    header_row: Annotated[
        str | None,
        Option(
            "Row of the header in a CSV or sheet, from 1; none: there is no header.",
            read=typed_row,
            check=lambda row: row == "none" or (row.isdecimal() and int(row) > 0),
            metavar="N|none",
            expected="a row from 1, or none",
        ),
    ] = None
    footer: Annotated[
        int | None,
        Option(
            "How many rows below the table, such as notes, are left out.",
            check=lambda rows: rows >= 0,
            expected="a number of rows from 0",
        ),
    ] = None
    unpack_limit: UnpackLimit = UNPACK_LIMIT

    @property
    def opening(self) -> dict[str, Any]:
        """Return the options with which `open_table` opens the table."""
        return {option.name: option.of(self) for option in declared(Source)}


@dataclass(frozen=True, kw_only=True)
class Published(Group):
    """What must be published under Local Law 144 and no table holds (6 RCNY 5-303(a))."""

    tool: Annotated[str | None, Option("Name of the tool, for the page.", kept=False)] = None
    audit_date: Annotated[str | None, Option("Date of the audit, for the page.", kept=False)] = None
    auditor: Annotated[str | None, Option("Independent auditor, for the page.", kept=False)] = None
    distribution_date: Annotated[str | None, Option("Since when the tool is used, for the page.", kept=False)] = None
    data_source: Annotated[str | None, Option("Source and explanation of the data, for the page.", kept=False)] = None


@dataclass(frozen=True, kw_only=True)
class ImpactOptions(Published, Reported, Source, Groups, LocalLaw144, Rows, Comparison, Selection):
    """The options of `evenhand impact`."""

    sheets: Annotated[tuple[str, ...], Option("Sheets of an .xlsx in order, one a stage.")] = ()


@dataclass(frozen=True, kw_only=True)
class ImpactPlanOptions(Group):
    """The options of `evenhand plan impact`."""

    rate: Annotated[
        float,
        Option(
            "Selection rate of the group that is selected most.",
            check=_between,
            expected="a share between 0 and 1, such as 0.3",
        ),
    ]
    ratio: Annotated[
        float,
        Option("Impact ratio to detect.", check=_between, expected="a ratio between 0 and 1, such as 0.8"),
    ]
    groups: Annotated[
        int | None,
        Option("Groups that are compared (2).", check=lambda n: 2 <= n <= 100, expected="a whole number from 2 to 100"),
    ] = None
    sizes: Annotated[
        tuple[float, ...],
        Option(
            "Decisions in each group, the one selected most last: 120,480; or the shares of the groups: .2,.8.",
            commas=True,
            check=lambda size: 0 < size < 1 or (size >= 1 and size == int(size)),
            expected="whole numbers such as 120,480, or shares that add up to 1",
        ),
    ] = ()
    reference: Annotated[
        str,
        Option(
            "highest: the data show which group is selected most, so all pairs count; named: --reference will name it.",
            choices=("highest", "named"),
            check=lambda rule: rule in {"highest", "named"},
            expected="highest or named",
        ),
    ] = "highest"
    positions: Annotated[
        int | None,
        Option(
            "Positions over which each group is spread evenly.",
            check=lambda n: 2 <= n <= 1000,
            expected="a whole number from 2 to 1000",
        ),
    ] = None
    cluster_size: Annotated[
        int | None,
        Option(
            "Decisions in each cluster (--cluster).",
            check=lambda n: n >= 2,
            expected="a whole number from 2, such as 4",
        ),
    ] = None
    intraclass: Annotated[
        float | None,
        Option(
            "How alike decisions of one cluster are.",
            check=_share,
            expected="a correlation from 0 up to 1, such as .05",
        ),
    ] = None
    crossed: Annotated[bool, Option("Each cluster has people of all groups; else of one.")] = False
    power: Annotated[
        float,
        Option(
            "Statistical power.", check=lambda power: 0.5 <= power < 1, expected="a share from 0.5 up to 1, such as 0.8"
        ),
    ] = 0.8
    out: Annotated[Path | None, Option("Page to write, with the curve.", metavar="FILE.html")] = None
    force: Annotated[bool, Option("Replace the page.")] = False
