"""Impact ratios of the counts that a page shows: compared, told in a sentence, drawn and listed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import comb, inf
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand.comparisons.claims import HOLM, has_few_clusters, in_families
from evenhand.comparisons.impact import cell_rate_limits, cell_ratios
from evenhand.comparisons.impact_cells import GroupCells, References, cells_of
from evenhand.dashboard.disclosure import FEWEST, MOST, NOT_KNOWN, Cell, Counts
from evenhand.dashboard.views.view import CROSS
from evenhand.data.applicant_query import ClusterCounts
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow, ratio_chart
from evenhand.report.impact.summary import SIGNIFICANT, significant_cell
from evenhand.report.impact.views import is_sizeable, reference_name, short_ratio, size_text
from evenhand.report.page.parts import Figure, Part, Section, Table, headings
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted
from evenhand.report.words.results import corrected_p, listing, why_not
from evenhand.results.finding import Finding, by_key, copied
from evenhand.results.schemas import PROTECTED, SELECTED

SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)
FOUR_FIFTHS: Final = MarkedLine(value=0.8, text="four fifths")
SAME_RATE: Final = MarkedLine(value=1.0, text="same rate")
#: The breakdown whose differences can cancel out when all are taken together.
_POSITION: Final = "position"
#: Whose decisions are not independent of each other.
PERSON: Final = "person"
#: Ratios that are drawn, those farthest from 1.
_MOST_DRAWN: Final = 24
#: How the ratios of a page are made; {} is the correction of their p.
_RATIOS: Final = (
    "The impact ratio is a group's selection rate divided by that of the reference: the group chosen, or the one with "
    "the highest rate among those with at least 30 decisions and 2 % of all. {} p: {}; other choices on this page are "
    "not corrected for."
)
#: Why p is corrected over more comparisons than are shown.
_PAIRS: Final = ", all pairs of groups, as the data choose the reference"
#: How the decisions on one person are taken.
INDEPENDENT: Final = "Intervals and tests treat decisions as independent, even several on one person{}."
_OF_SOME: Final = ", in processes that were not always recorded with --unit"
_SEVERAL: Final = (
    "People have several decisions, so variances are multiplied by the design effect over all months, rounded up: {}."
)
BY_PERSON: Final = "Intervals and tests are cluster-robust by person."
_FEW: Final = " {} {} on so few people that only large differences can be detected."
_FISHER, _CLUSTERED = "Fisher's exact test", "t test with CR2 variance, or a permutation of people"
#: In place of a number of people that is not published.
FEW_PEOPLE: Final = "few people"
_EXACT: Final = "All counts are exact: do not share this page."
_DEVIATING: Final = (
    "To protect individuals, each count differs from the true count by at most {most}, always by the same number for "
    "the same people. Groups of fewer than {fewest} people{spans} have no numbers; values with no larger group have "
    "no row."
)
_ADDED_UP: Final = " Counts of these months are sums over {spans}, each with its own deviation."
_DEVIATING_TESTS: Final = (
    " Intervals and tests allow for the deviations: p is the larger of Fisher's and a score test's."
)


#: The address one level below a stage and a value of a breakdown, "" where there is none.
Deeper = Callable[[str, str], str]


def nowhere(_stage: str, _value: str) -> str:
    """Return no address."""
    return ""


def compared_cells(
    cells: Sequence[Cell],
    crossed: Sequence[str],
    noise: float,
    reference: str = "",
    *,
    effects: Mapping[str, float] = MappingProxyType({}),
    people: pl.DataFrame | None = None,
) -> list[Finding]:
    """Return the ratio of each group at each stage and value, of the groups that may be compared.

    `effects` are the design effects of stages; `people` are the decisions of each person, as `Counts.by_person`.
    """
    known = [cell for cell in cells if cell.comparable]
    present = {CROSS.join(cell.groups): cell.groups for cell in known}
    named = dict(zip(crossed, present.get(reference, ()), strict=False))
    group_cells = _group_cells(known, crossed, people)
    if group_cells is None or (reference and not named):
        return []
    order = {(cell.stage, cell.value): place for place, cell in enumerate(known)}
    found = cell_ratios(group_cells, References(named=named), noise=noise, effects=effects)
    return sorted(found, key=lambda finding: order[place_of(finding)])


def in_one_family(findings: Sequence[Finding], family: str, *, unseen: int = 0) -> list[Finding]:
    """Return findings corrected together by Holm; `unseen` pairs, which the data could have chosen, count as well."""
    reopened = [
        finding
        if finding.claim is None
        else replace(finding, claim=replace(finding.claim, family=family, p_adjusted=None, correction=HOLM))
        for finding in findings
    ]
    return list(in_families(reopened, unseen={family: [1.0] * unseen}))


def rate_limits(
    cells: Sequence[Cell],
    crossed: Sequence[str],
    noise: float,
    *,
    effects: Mapping[str, float] = MappingProxyType({}),
    people: pl.DataFrame | None = None,
) -> dict[tuple[str, str, tuple[str, ...]], tuple[float, float]]:
    """Return the 95 % limits of the selection rates of cells by stage, value and groups; see `compared_cells`."""
    group_cells = _group_cells([cell for cell in cells if cell.comparable], crossed, people)
    if group_cells is None:
        return {}
    limits = cell_rate_limits(group_cells, noise=noise, effects=effects)
    places = group_cells.keys.select("stage", "position").rows()
    return {
        (*places[cell], group_cells.groups[group]): (low, high)
        for cell, group in np.argwhere(np.isfinite(limits).all(axis=0)).tolist()
        for low, high in [limits[:, cell, group].tolist()]
    }


def _group_cells(known: Sequence[Cell], crossed: Sequence[str], people: pl.DataFrame | None) -> GroupCells | None:
    """Return cells as they are compared; None without any, or without groups."""
    if not known or not crossed:
        return None
    rows = [
        {"stage": cell.stage, "position": cell.value, "n": cell.decided, "successes": cell.selected}
        | {PROTECTED + name: group for name, group in zip(crossed, cell.groups, strict=True)}
        for cell in known
    ]
    counts = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        approach=pl.lit(SELECTED), cutoff=pl.lit(None, pl.Float64)
    )
    by_position = any(cell.value for cell in known)
    clustered = None if people is None else people_clusters(people).counts
    clusters = () if people is None else (PERSON,)
    return cells_of(counts, crossed, by_position=by_position, clustered=clustered, clusters=clusters)


def people_clusters(people: pl.DataFrame) -> ClusterCounts:
    """Return the decisions of each person, whose code is `unit`, as `impact --cluster` counts them."""
    decisions = {"approach": pl.lit(SELECTED), "cutoff": pl.lit(None, pl.Float64), "position": pl.lit("")}
    lacking = [column.alias(name) for name, column in decisions.items() if name not in people.columns]
    counts = people.with_columns(*lacking, cluster_0=pl.col("unit"))
    return ClusterCounts(names=(PERSON,), blocks=(), sizes=(people["unit"].n_unique(),), counts=counts, scores=None)


def place_of(finding: Finding) -> tuple[str, str]:
    """Return the stage and the value of a breakdown that a ratio is of."""
    return finding.slice["stage"], finding.slice["position"]


def answer(compared: Sequence[Finding], model: str, attribute: str, reference: str = "") -> str:
    """Return how many of the comparisons differ, and the largest difference."""
    judged = [finding for finding in compared if finding.p is not None]
    if not judged:
        reason = f" {compared[0].reason}" if compared else " There are fewer than two groups of enough people."
        if reference and not compared:
            reason = f" The reference {reference} has too few people."
        return f"No selection rates by {plain(attribute)} of {model} can be compared.{reason}"
    judged = _large(judged) or judged
    differing = [finding for finding in judged if finding.is_difference]
    worst = max(differing or judged, key=size_of)
    number = count_text(len(differing)) if differing else "None"
    shown = "All" if len(differing) == len(judged) else f"{number} of the"
    shown, verb = f"{shown} {count_text(len(judged))} comparisons", "are" if len(differing) > 1 else "is"
    if len(judged) == 1:
        shown, verb = "The one comparison", "is" if differing else "is not"
    return f"{shown} {verb} statistically significant{_example(worst, of_many=len(judged) > 1)}."


def _large(judged: Sequence[Finding]) -> list[Finding]:
    at_place = by_key(place_of, judged)
    return [finding for finding in judged if is_sizeable(finding, at_place[place_of(finding)])]


def left_out(compared: Sequence[Finding], cells: Sequence[Cell]) -> str:
    """Return how many comparisons and groups are too small for the first sentence, "" where none is."""
    judged = [finding for finding in compared if finding.p is not None]
    large = _large(judged)
    return small_sentence(len(judged) - len(large) if large else 0) + few_sentence(cells)


def fixed_reference(cells: Sequence[Cell]) -> str:
    """Return the group with the highest rate over all values, of those that have one at most of these.

    So a line over time has one reference.
    """
    known = by_key(group_of, [cell for cell in cells if cell.comparable])
    rate = {
        group: (len(of), sum(cell.selected for cell in of) / sum(cell.decided for cell in of))
        for group, of in known.items()
    }
    return max(rate, key=lambda group: rate[group], default="")


def unseen_pairs(cells: Sequence[Cell]) -> int:
    """Return how many pairs of groups are not compared where each value has the same reference."""
    sizes = [
        len(of) for of in by_key(lambda cell: (cell.stage, cell.value), [c for c in cells if c.comparable]).values()
    ]
    return sum(comb(n, 2) - (n - 1) for n in sizes)


def small_sentence(small: int) -> str:
    """Return how many comparisons are too small for the first sentence, "" where none is."""
    is_are = "is" if small == 1 else "are"
    return f" {counted(small, 'comparison')} under 30 decisions or 2 % {is_are} in the table only." if small else ""


def few_sentence(cells: Sequence[Cell]) -> str:
    """Return how many groups of people are too small for a ratio, "" where none is."""
    people = [cell for cell in with_rows(cells) if NOT_KNOWN not in cell.groups and (cell.decided or cell.withheld)]
    few = sum(not cell.comparable for cell in people)
    verb = "has" if few == 1 else "have"
    repeated = len({cell.groups for cell in people}) < len(people)
    of = counted(len(people), "cell of a group", "cells of groups") if repeated else counted(len(people), "group")
    return f" {count_text(few)} of {of} {verb} too few people for a ratio." if few else ""


def _example(finding: Finding, *, of_many: bool) -> str:
    """Return a comparison and where it is; the largest difference `of_many`."""
    place = "".join(f"{at} {name}, " for at, name in zip(("at", "in"), place_of(finding), strict=True) if name)
    return f"{'; the largest difference' if of_many else ''}: {place}{both_rates(finding)}"


def both_rates(finding: Finding) -> str:
    """Return the rates of two groups, their ratio and p."""
    p = "".join(f", {text}" for text in (corrected_p(finding.claim) if finding.claim else "", why_not(finding)) if text)
    return f"{rates_text(finding, ' and ')} were selected, {ratio_text(finding)}{p}"


def rates_text(finding: Finding, between: str, *, sized: bool = True) -> str:
    """Return the rates of two groups, each with its n where they are `sized`."""
    details: Any = finding.details
    return between.join(
        f"{SHARE.text(getattr(details, f'rate_{side}'))} of {reference_name(group)}"
        + (f" (n = {count_text(getattr(details, f'n_{side}'))})" if sized else "")
        for side, group in (("focal", finding.focal), ("reference", finding.reference))
    )


def ratio_text(finding: Finding) -> str:
    """Return the impact ratio with its interval, or the difference where there is none."""
    return size_text(finding) if finding.estimate is None else f"impact ratio {short_ratio(finding, level=True)}"


def position_sentence(counts: Counts, crossed: Sequence[str]) -> str:
    """Return in how many comparisons within positions, by stage, there is a difference, "" where there is none."""
    if _POSITION not in counts.values:
        return ""
    compared = compared_cells(
        counts.cells(crossed, _POSITION),
        crossed,
        counts.noise,
        effects=counts.effects(crossed, _POSITION),
        people=counts.by_person(crossed, _POSITION),
    )
    by_stage = by_key(lambda finding: str(finding.slice["stage"]), [each for each in compared if each.p is not None])
    differing = {
        stage: f"{count_text(held)} of {counted(len(judged), 'comparison')}{f' at {stage}' if stage else ''}"
        for stage, judged in by_stage.items()
        if (held := sum(finding.is_difference for finding in judged))
    }
    if not differing:
        return ""
    return (
        f" Statistically significant differences within positions (Diversity, broken down by position): "
        f"{listing(list(differing.values()))}."
    )


def ratio_notes(
    compared: Sequence[Finding],
    every: Sequence[Counts],
    *,
    effects: Collection[float] = (),
    spans: int | None = None,
) -> list[str]:
    """Return how the ratios of the counts of processes are made, how p is corrected, and how counts deviate.

    `effects` are the design effects of its numbers; each is of so many `spans`, by default of those of the counts.
    """
    over = {finding.claim.corrected_over for finding in compared if finding.claim and finding.p is not None}
    size = max((finding.claim.family_size for finding in compared if finding.claim), default=0)
    pairs = _PAIRS if size > len(compared) else ""
    corrected = "".join(f", {text}{pairs}" for text in over if text) if len(over) < 2 else ", corrected in each section"
    clustered = any("cluster-robust" in finding.method for finding in compared)
    few = sum(finding.claim is not None and has_few_clusters(finding.claim.df) for finding in compared)
    people = BY_PERSON if clustered else ""
    people += _FEW.format(counted(few, "comparison"), "rests" if few == 1 else "rest") if few else ""
    if max(effects, default=1.0) > 1:
        ends = dict.fromkeys(f"{effect:.1f}" for effect in (min(effects), max(effects)))
        people = _SEVERAL.format(" to ".join(ends))
    unknown = sum(counts.people is None for counts in every)
    people += f" {INDEPENDENT.format('' if unknown == len(every) else _OF_SOME)}" if unknown else ""
    tests = [*([_FISHER] if unknown or not clustered else []), *([_CLUSTERED] if clustered else [])]
    made = " ".join(_RATIOS.format(people, f"{' or '.join(tests)}{corrected}").split())
    counts = every[0]
    if not counts.published:
        return [_EXACT, made]
    spans = len(counts.spans) if spans is None else spans
    deviating = _DEVIATING.format(most=MOST * spans, fewest=FEWEST, spans=" in one of these spans" if spans > 1 else "")
    return [deviating + (_ADDED_UP.format(spans=counted(spans, "span")) if spans > 1 else ""), made + _DEVIATING_TESTS]


def size_of(finding: Finding) -> float:
    """Return how far a ratio is from 1, in either direction."""
    ratio = finding.estimate or 0.0
    return max(ratio, 1 / ratio) if ratio > 0 else inf


def selection_section(
    name: str, heading: str, cells: Sequence[Cell], compared: Sequence[Finding], *, link: Deeper = nowhere
) -> Section:
    """Return the rates of groups and their ratios, in a table and drawn; rows and points lead to `link` of a place."""
    ratio_of = {(*place_of(finding), focal_of(finding)): finding for finding in compared}
    staged = len({cell.stage for cell in cells}) > 1
    rows = [
        [
            f"{stage_name(cell.stage)}: {group_of(cell)}" if staged else group_of(cell),
            people_text(cell),
            ABSENT if cell.withheld else count_text(cell.selected),
            SHARE.text(cell.rate),
            *_ratio_cells(ratio_of.get((cell.stage, cell.value, group_of(cell)))),
        ]
        for cell in cells
    ]
    heads = ("Decided", "Selected", "Rate", "Impact ratio (95 % CI)", "Compared with", SIGNIFICANT)
    columns = headings("Stage and group" if staged else "Group", *heads, words=heads[-2:])
    links = [link(cell.stage, cell.value) for cell in cells]
    table = Table(caption="Selection rates and impact ratios", columns=columns, rows=rows, links=links)
    return ratio_section(name, heading, compared, [table], link=link)


def with_rows(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of each stage and value of which any group has people: where none has, there is no row."""
    places = {(cell.stage, cell.value) for cell in cells if cell.decided}
    return [cell for cell in cells if (cell.stage, cell.value) in places]


def people_text(cell: Cell) -> str:
    """Return how many people a cell has."""
    return FEW_PEOPLE if cell.withheld else count_text(cell.decided)


def _ratio_cells(finding: Finding | None) -> list[str]:
    if finding is None:
        return [ABSENT, ABSENT, ABSENT]
    return [short_ratio(finding), CROSS.join(finding.reference.values()), significant_cell(finding)]


def ratio_section(
    name: str, heading: str, compared: Sequence[Finding], tables: Sequence[Table], *, link: Deeper = nowhere
) -> Section:
    """Return the tables with a chart of the ratios that could be computed, whose points lead to `link` of a place."""
    known = [finding for finding in compared if finding.estimate is not None]
    shown = sorted(known, key=size_of, reverse=True)[:_MOST_DRAWN]
    staged = len({place_of(finding) for finding in known}) > 1
    rows = [
        IntervalRow(
            label=f"{finding.slice['position'] or stage_name(finding.slice['stage'])}: {focal_of(finding)}"
            if staged
            else focal_of(finding),
            **copied(finding, "estimate low high"),
            text=short_ratio(finding),
            link=link(*place_of(finding)),
        )
        for finding in known
        if finding in shown
    ]
    if not rows:
        return Section(name=name, heading=heading, parts=[Part(tables=tables)] if tables else [])
    lines = [FOUR_FIFTHS, SAME_RATE]
    drawn = f"; the {_MOST_DRAWN} of {len(known)} that are farthest from 1" if len(known) > len(rows) else ""
    figure = Figure(
        title=f"Impact ratios with 95 % confidence intervals{drawn}",
        note="",
        chart=lambda width: ratio_chart(rows, title="Impact ratio", width=width, lines=lines),
        tables=tables,
    )
    return Section(name=name, heading=heading, parts=[Part(figures=[figure])])


def group_of(cell: Cell) -> str:
    """Return the name of a cell's group."""
    return CROSS.join(cell.groups) or "all"


def focal_of(finding: Finding) -> str:
    """Return the name of the group that is compared."""
    return CROSS.join(finding.focal.values())


def stage_name(stage: str) -> str:
    """Return a stage as it is called on pages."""
    return stage or "the only stage"


def plain(name: str) -> str:
    """Return the name of a column in words."""
    return name.replace("_", " ")


def ratio_frame(
    cells: Sequence[Cell], compared: Sequence[Finding], crossed: Sequence[str], by: str = ""
) -> pl.DataFrame:
    """Return the table that a page exports."""
    ratio_of = {(*place_of(finding), focal_of(finding)): finding for finding in compared}
    rows = []
    for cell in with_rows(cells):
        ratio = ratio_of.get((cell.stage, cell.value, group_of(cell)))
        counts = (None, None) if cell.withheld else (cell.decided, cell.selected)
        numbers = {name: getattr(ratio, name, None) for name in ("low", "high", "p", "p_adjusted", "verdict")}
        rows.append(
            {"stage": cell.stage}
            | dict(zip(crossed, cell.groups, strict=True))
            | ({by: cell.value} if by else {})
            | dict(zip(("decided", "selected"), counts, strict=True))
            | {"impact_ratio": None if ratio is None else ratio.estimate, **numbers}
            | {"reference": None if ratio is None else CROSS.join(ratio.reference.values())}
        )
    names = ["stage", *crossed, *([by] if by else []), "decided", "selected", "impact_ratio"]
    names += ["low", "high", "p", "p_adjusted", "verdict", "reference"]
    return pl.DataFrame(rows, schema=None if rows else dict.fromkeys(names, pl.String), infer_schema_length=None)
