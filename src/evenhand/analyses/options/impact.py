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
    "Rows with totals: drop them, or keep them as groups.",
    choices=("drop", "keep"),
    check=lambda value: value in {"drop", "keep"},
    expected="drop or keep",
)


@dataclass(frozen=True, kw_only=True)
class Selection(Group):
    """The groups to compare, and who was selected."""

    protected: Annotated[
        tuple[str, ...],
        Option(
            "Columns with the groups, or with the probability of each group: race=prob:white=P_WHITE,black=P_BLACK."
        ),
    ] = ()
    selected: Annotated[
        str | None,
        _column("Column with the decision (yes or no), or COLUMN=VALUE,… with the values that mean selected."),
    ] = None
    undecided: Annotated[tuple[str, ...], Option("Values that mean no decision yet, such as pending.")] = ()
    count: Annotated[
        str | None, _column("Column with the number of people that a row stands for; none: a row is one person.")
    ] = None
    weight: Annotated[str | None, _column("Column with sampling weights.")] = None
    applicants: Annotated[
        str | None, _column("For a table with a row per group: column with the number of applicants.")
    ] = None
    selected_count: Annotated[str | None, _column("With --applicants: column with the number selected.")] = None
    selection_rate: Annotated[
        str | None, _column("With --applicants: column with the selection rate, in place of --selected-count.")
    ] = None
    counts: Annotated[
        tuple[str, ...],
        Option(
            "Numbers in place of a table, selected/applicants: 'women=557/1835,men=1198/2691'; with a TABLE, its "
            "columns in place of the numbers."
        ),
    ] = ()
    totals: Annotated[str | None, TOTALS] = None
    suppressed: Annotated[
        str | None, Option("Range of counts that the publisher suppressed (<5, *), such as 1-4.", metavar="LOW-HIGH")
    ] = None
    score: Annotated[str | None, _column("Column with scores.")] = None
    cutoff: Annotated[
        tuple[float, ...],
        Option(
            "Scores above the cut-off are selected; repeatable.",
            commas=True,
            expected="a number, such as 3.5",
            kept="cutoffs",
        ),
    ] = ()
    median: Annotated[bool, Option("Scores above the median of all scores are selected.")] = False
    means: Annotated[bool, Option("Compare mean scores.")] = False
    share: Annotated[
        tuple[str, ...],
        Option(
            "Compare the groups' shares among all people with the stated shares; a file has the columns group "
            "and share.",
            read=shares,
            metavar="GROUP=SHARE|FILE",
            expected="'GROUP=SHARE', {'GROUP': SHARE} or a file",
        ),
    ] = ()
    availability: Annotated[
        tuple[str, ...],
        Option(
            "As --share, for the applicants, in addition to the analysis of the selection.",
            read=shares,
            metavar="GROUP=SHARE|FILE",
            expected="'GROUP=SHARE', {'GROUP': SHARE} or a file",
        ),
    ] = ()
    at_least: Annotated[bool, Option("A score equal to the cut-off is selected, too.")] = False
    at_most: Annotated[bool, Option("Low scores are good: scores at or below the cut-off are selected.")] = False
    below: Annotated[bool, Option("Low scores are good: scores below the cut-off or the median are selected.")] = False


@dataclass(frozen=True, kw_only=True)
class Against(Group):
    """The reference groups, and which groups are compared."""

    reference: Annotated[
        tuple[str, ...],
        Option(
            "Reference group: the one with the highest rate (highest, the default), the largest one (largest), "
            "or ATTRIBUTE=GROUP; repeatable.",
            read=references,
            expected="'highest', 'largest', 'ATTRIBUTE=GROUP' or {'ATTRIBUTE': 'GROUP'}",
            kept="references",
        ),
    ] = ()
    intersectional: Annotated[bool, Option("Also compare the combinations of the attributes.")] = False
    min_share: Annotated[
        float,
        Option(
            "Report groups with a smaller share of the applicants, but don't compare them.",
            check=_share,
            expected="a share from 0 up to 1, such as 0.02",
        ),
    ] = 0.0
    reference_floor: Annotated[
        float | None,
        Option(
            "Groups with a smaller share of the applicants, or with fewer than 30 people, can't be the "
            "reference; default .02, and 0 admits any group.",
            check=_share,
            expected="a share from 0 (no floor) up to 1, such as 0.02",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Comparison(Against):
    """How groups are compared."""

    position: Annotated[
        str | None, _column("Column with the position: groups are also compared within each position.")
    ] = None
    four_fifths: Annotated[
        str,
        Option(
            "against-highest flags ratios below .8; two-sided also flags ratios above 1.25.",
            choices=("against-highest", "two-sided"),
            check=lambda rule: rule in {"against-highest", "two-sided"},
            expected="against-highest or two-sided",
        ),
    ] = "against-highest"
    margin: Annotated[
        float,
        Option(
            "Rates are equivalent if their ratio is shown to lie between the margin and its inverse (.8: .8 to 1.25).",
            check=_between,
            expected="a ratio between 0 and 1, such as 0.8",
        ),
    ] = 0.8


@dataclass(frozen=True, kw_only=True)
class Rows(Group):
    """Which rows count; qualifications, blocks and clusters."""

    stage: Annotated[
        str | None, _column("Column with the stage, or COLUMN=FIRST,SECOND,… with the stages in order.")
    ] = None
    funnel: Annotated[
        tuple[str, ...],
        Option("Columns of the stages in order, from the application on: dates, yes and no, or numbers of people."),
    ] = ()
    furthest: Annotated[
        str | None,
        Option(
            "Column with the last stage that each person reached, and the stages in order.",
            metavar="COLUMN=FIRST,SECOND,…",
            check=lambda typed: "=" in typed,
            expected="COLUMN=FIRST,SECOND,…, such as status=Applied,Screened,Hired",
        ),
    ] = None
    unit: Annotated[
        str | None, _column("Column with the id of the applicant: several rows of one applicant count once.")
    ] = None
    where: Where = ()
    given: Annotated[
        tuple[str, ...],
        Option("Columns with qualifications to adjust for; repeatable, each one adds a step to the adjustment."),
    ] = ()
    block: Annotated[
        tuple[str, ...],
        Option("Columns to stratify by: groups are compared within each value, such as an advertisement."),
    ] = ()
    period: Annotated[
        str | None,
        Option(
            "Column with the date or period of the decision: ratios over time. Dates are grouped by year, or as given.",
            metavar="COLUMN[=year|quarter|month]",
        ),
    ] = None
    cluster: Annotated[
        tuple[str, ...],
        Option(
            "Column with the cluster, such as the advertisement: rows of one cluster are not independent. One "
            "or two columns.",
            check=lambda name: bool(name.strip()),
            expected="the name of a column",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class LocalLaw144(Group):
    """The tables of New York's Local Law 144."""

    ll144: Annotated[bool, Option("Write the tables and the page of New York City Local Law 144.")] = False
    ll144_tables: Annotated[
        tuple[str, ...],
        Option(
            "Published tables by sex, by race or ethnicity, and by both, in place of TABLE; their sums may differ.",
            commas=True,
            metavar="FILE,FILE,FILE",
        ),
    ] = ()
    exclude: Annotated[
        tuple[str, ...],
        Option(
            "Leave a category with less than 2 % out of the ratios, with the auditor's reason; repeatable.",
            read=reasons,
            metavar="CATEGORY=REASON",
            expected="'CATEGORY=REASON' or {'CATEGORY': 'REASON'}",
        ),
    ] = ()
    exclusion_reason: Annotated[
        str | None, Option("Leave out all categories with less than 2 %, with the auditor's reason.")
    ] = None
    exclusion_base: Annotated[
        str,
        Option(
            "The 2 % refer to all people in the analysis, or to those with a known category.",
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
            "bounds: report the lowest and the highest ratio that people of unknown group allow.",
            choices=("bounds",),
            check=lambda value: value == "bounds",
            expected="bounds",
        ),
    ] = None
    eeo1: Annotated[
        str | None,
        Option("Column with the race (and column with Hispanic origin: RACE,HISPANIC) to map to EEO-1 categories."),
    ] = None
    age: Annotated[
        str | None, Option("Column with ages or dates of birth: compares people under 40 with those of 40 and older.")
    ] = None
    age_at: Annotated[
        str | None,
        Option(
            "With dates of birth: the day for which ages are computed, or the column with the day of the decision.",
            read=typed_day,
            metavar="DAY|COLUMN",
            expected="a day such as 2024-12-31, or the name of a column",
        ),
    ] = None
    age_bands: Annotated[
        tuple[float, ...],
        Option(
            "Ages at which age groups begin (40: under 40, and 40 and older); the youngest group is the reference.",
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

    sheet: Annotated[str | None, Option("Sheet of the workbook.")] = None
    table: Annotated[str | None, Option("Table of the database.")] = None
    header_row: Annotated[
        str | None,
        Option(
            "Row of the header in a CSV or sheet, counted from 1; none: the file has no header.",
            read=typed_row,
            check=lambda row: row == "none" or (row.isdecimal() and int(row) > 0),
            metavar="N|none",
            expected="a row from 1, or none",
        ),
    ] = None
    footer: Annotated[
        int | None,
        Option(
            "Number of rows below the table to leave out, such as notes.",
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

    tool: Annotated[str | None, Option("Name of the tool, for the published page.", kept=False)] = None
    audit_date: Annotated[str | None, Option("Date of the audit, for the published page.", kept=False)] = None
    auditor: Annotated[str | None, Option("Independent auditor, for the published page.", kept=False)] = None
    distribution_date: Annotated[
        str | None, Option("Date since which the tool has been used, for the published page.", kept=False)
    ] = None
    data_source: Annotated[
        str | None, Option("Source and explanation of the data, for the published page.", kept=False)
    ] = None


@dataclass(frozen=True, kw_only=True)
class ImpactOptions(Published, Reported, Source, Groups, LocalLaw144, Rows, Comparison, Selection):
    """The options of `evenhand impact`."""

    sheets: Annotated[tuple[str, ...], Option("Sheets of the workbook, one for each stage, in order.")] = ()


@dataclass(frozen=True, kw_only=True)
class ImpactPlanOptions(Group):
    """The options of `evenhand plan impact`."""

    rate: Annotated[
        float,
        Option(
            "Selection rate of the group with the highest rate.",
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
        Option("Number of groups; default 2.", check=lambda n: 2 <= n <= 100, expected="a whole number from 2 to 100"),
    ] = None
    sizes: Annotated[
        tuple[float, ...],
        Option(
            "Decisions in each group (120,480) or shares of the groups (.2,.8); the group with the highest "
            "rate comes last.",
            commas=True,
            check=lambda size: 0 < size < 1 or (size >= 1 and size == int(size)),
            expected="whole numbers such as 120,480, or shares that add up to 1",
        ),
    ] = ()
    reference: Annotated[
        str,
        Option(
            "highest: the data decide on the reference, so all pairs are corrected for; named: --reference "
            "will name it.",
            choices=("highest", "named"),
            check=lambda rule: rule in {"highest", "named"},
            expected="highest or named",
        ),
    ] = "highest"
    positions: Annotated[
        int | None,
        Option(
            "Number of positions; each group is spread evenly over them.",
            check=lambda n: 2 <= n <= 1000,
            expected="a whole number from 2 to 1000",
        ),
    ] = None
    cluster_size: Annotated[
        int | None,
        Option(
            "Number of decisions in each cluster.",
            check=lambda n: n >= 2,
            expected="a whole number from 2, such as 4",
        ),
    ] = None
    intraclass: Annotated[
        float | None,
        Option(
            "Intraclass correlation of the decisions of one cluster.",
            check=_share,
            expected="a correlation from 0 up to 1, such as .05",
        ),
    ] = None
    crossed: Annotated[bool, Option("Each cluster has people of all groups; by default of one group.")] = False
    power: Annotated[
        float,
        Option(
            "Statistical power.", check=lambda power: 0.5 <= power < 1, expected="a share from 0.5 up to 1, such as 0.8"
        ),
    ] = 0.8
    out: Annotated[Path | None, Option("Page to write, with the power curve.", metavar="FILE.html")] = None
    force: Annotated[bool, Option("Replace the page.")] = False
