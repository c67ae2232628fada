"""Rates and impact ratios over time: those of all by month, those of a value of a breakdown by quarter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

import polars as pl

from evenhand.dashboard.disclosure import MONTH, NOT_KNOWN, VARIANCE, Cell, Counts
from evenhand.dashboard.request import link_to
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.view import CROSS
from evenhand.monitoring.state import month_name, month_number
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, MarkedSpan, line_chart
from evenhand.report.impact.summary import significant_cell
from evenhand.report.impact.views import short_ratio
from evenhand.report.page.parts import Figure, Part, Section, Table, headings, table
from evenhand.report.words.numbers import count_text
from evenhand.results.finding import Finding

_BANDS: Final = "Bands are 95 % confidence intervals, cut where they would hide the lines."
ONE_REFERENCE: Final = (
    "Over time, every group is compared with the same reference: the group with the highest rate over all months "
    "shown. p is corrected for all pairs of groups."
)
_FAMILY: Final = "groups over time"
#: Lines of one chart, the first ones.
_MOST_LINES: Final = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class OverTime:
    """Cells whose values are months or quarters, at any stage; their noise, and the decisions of each person."""

    cells: Sequence[Cell]
    noise: float
    people: pl.DataFrame | None

    def at(self, stage: str) -> "OverTime":
        """Return those of a stage."""
        return replace(self, cells=[cell for cell in self.cells if cell.stage == stage])


def over_time(counts: Counts, crossed: Sequence[str], *, by: str = "", value: str = "") -> OverTime:
    """Return the cells of all decisions by month, or of a value of a breakdown by quarter.

    Each month and quarter has a number of its own, as on every page.
    """
    if by in {"", MONTH}:
        cells = counts.cells(crossed, MONTH) if counts.months else []
        noise = min(counts.noise, VARIANCE)
        return OverTime(cells=cells, noise=noise, people=counts.by_person(crossed, MONTH) if counts.months else None)
    cells, people, noise = [], [], 0.0
    for name, within in _quarters(counts):
        cells += [replace(cell, value=name) for cell in within.cells(crossed, by) if cell.value == value]
        noise = max(noise, within.noise)
        persons = within.by_person(crossed, by)
        if persons is not None:
            people.append(persons.filter(pl.col("position") == value).with_columns(position=pl.lit(name)))
    return OverTime(cells=cells, noise=noise, people=pl.concat(people) if people else None)


def _quarters(counts: Counts) -> list[tuple[str, Counts]]:
    """Return the quarters of the chosen months, by name."""
    if not counts.months:
        return []
    begin, end = counts.first or counts.months[0], counts.last or counts.months[-1]
    numbers = range(month_number(begin) // 3 * 3, month_number(end) + 1, 3)
    spans = [(f"{at // 12}-Q{at % 12 // 3 + 1}", month_name(at), month_name(at + 2)) for at in numbers]
    return [(name, replace(counts, first=max(first, begin), last=min(last, end))) for name, first, last in spans]


def ends_of(name: str) -> tuple[str, str]:
    """Return the first and the last month of a month or a quarter.

    >>> ends_of("2026-Q2"), ends_of("2026-03")
    (('2026-04', '2026-06'), ('2026-03', '2026-03'))
    """
    year, _, quarter = name.partition("-Q")
    return (f"{year}-{3 * int(quarter) - 2:02}", f"{year}-{3 * int(quarter):02}") if quarter else (name, name)


def _seconds(name: str) -> float:
    """Return the middle of a month or quarter, so that a day within it stands there, and its last day behind it.

    >>> datetime.fromtimestamp(_seconds("2026-Q2"), UTC).date()
    datetime.date(2026, 5, 16)
    """
    first, last = ends_of(name)
    ends = (first, month_name(month_number(last) + 1))
    return sum(datetime.fromisoformat(f"{month}-01").replace(tzinfo=UTC).timestamp() for month in ends) / 2


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Lines over time of one stage, as sections, and what they compare."""

    sections: Sequence[Section]
    compared: Sequence[Finding]


def lines_over_time(
    series: OverTime,
    counts: Counts,
    crossed: Sequence[str],
    *,
    by: str = MONTH,
    link: Mapping[str, str] | None = None,
    reference: str = "",
    spans: Sequence[MarkedSpan] = (),
) -> Lines:
    """Return the selection rates and impact ratios at one stage as lines with bands, and tables.

    The `reference` is one group throughout, by default that with the highest rate; the pairs without it count in the
    correction.
    `link` is the query of the page that rows and points lead to, where each adds its months.
    """
    effects, people, cells = counts.effects(crossed, by), series.people, series.cells
    reference = reference or ratios.fixed_reference(cells)
    compared = ratios.compared_cells(cells, crossed, series.noise, reference, effects=effects, people=people)
    compared = ratios.in_one_family(compared, _FAMILY, unseen=ratios.unseen_pairs(cells))
    limits = ratios.rate_limits(cells, crossed, series.noise, effects=effects, people=people)

    def deeper(name: str) -> str:
        months = dict(zip(("from", "to"), ends_of(name), strict=True))
        return "" if link is None else link_to("/diversity", link, months)

    sections = [_rates(series.cells, limits, deeper, spans), _ratios(compared, deeper, spans)]
    return Lines(sections=[section for section in sections if section.parts], compared=compared)


def _head(names: Sequence[str]) -> str:
    return "Quarter" if any("-Q" in name for name in names) else "Month"


def _rates(
    cells: Sequence[Cell],
    limits: Mapping[tuple[str, str, tuple[str, ...]], tuple[float, float]],
    deeper: Callable[[str], str],
    spans: Sequence[MarkedSpan],
) -> Section:
    known = [cell for cell in cells if NOT_KNOWN not in cell.groups]
    names = list(dict.fromkeys(cell.value for cell in ratios.with_rows(known)))
    groups = list(dict.fromkeys(map(ratios.group_of, known)))
    at = {(cell.value, ratios.group_of(cell)): cell for cell in known}
    points = []
    for group in groups[:_MOST_LINES]:
        for name in names:
            cell = at[name, group]
            low, high = limits.get((cell.stage, name, cell.groups), (None, None))
            value = cell.rate if cell.comparable else None
            points.append(
                LinePoint(
                    at=_seconds(name),
                    value=ratios.SHARE.shown(value),
                    low=ratios.SHARE.shown(low),
                    high=ratios.SHARE.shown(high),
                    series=group,
                    text=f"{name}, {group}: {ratios.SHARE.text(value)} of {ratios.people_text(cell)}",
                    link=deeper(name),
                )
            )
    rows = [[name, *(_rate_text(at[name, group]) for group in groups)] for name in names]
    rates = Table(
        caption=f"Selection rates by {_head(names).lower()}",
        columns=headings(_head(names), *groups),
        rows=rows,
        links=[deeper(name) for name in names],
    )
    return _section(
        "rates", "Selection rate over time", points, rates, title="Percent selected", zero=True, spans=spans
    )


def _rate_text(cell: Cell) -> str:
    return ratios.FEW_PEOPLE if cell.withheld else f"{ratios.SHARE.text(cell.rate)} of {count_text(cell.decided)}"


def _ratios(compared: Sequence[Finding], deeper: Callable[[str], str], spans: Sequence[MarkedSpan]) -> Section:
    groups = list(dict.fromkeys(map(ratios.focal_of, compared)))[:_MOST_LINES]
    points = [
        LinePoint(
            at=_seconds(finding.slice["position"]),
            value=finding.estimate,
            low=finding.low,
            high=finding.high,
            series=ratios.focal_of(finding),
            text=f"{finding.slice['position']}: {ratios.both_rates(finding)}",
            link=deeper(finding.slice["position"]),
        )
        for finding in compared
        if ratios.focal_of(finding) in groups
    ]
    names = [finding.slice["position"] for finding in compared]
    heads = [_head(names), "Group", "Impact ratio (95 % CI)", "Compared with", "Significant?"]
    rows = [
        [
            finding.slice["position"],
            ratios.focal_of(finding),
            short_ratio(finding),
            CROSS.join(finding.reference.values()),
            significant_cell(finding),
        ]
        for finding in compared
    ]
    shown = replace(
        table(f"Impact ratios by {_head(names).lower()}", heads, rows), links=[deeper(name) for name in names]
    )
    lines = [ratios.FOUR_FIFTHS, ratios.SAME_RATE]
    return _section("passed", "Impact ratio over time", points, shown, title="Impact ratio", lines=lines, spans=spans)


def _section(
    name: str,
    heading: str,
    points: Sequence[LinePoint],
    shown: Table,
    *,
    title: str,
    zero: bool = False,
    lines: Sequence[MarkedLine] = (),
    spans: Sequence[MarkedSpan] = (),
) -> Section:
    """Return the lines beside their table; without two known points the table alone."""
    if sum(point.value is not None for point in points) < 2:
        return Section(name=name, heading=heading, parts=[Part(tables=[shown])] if shown.rows else [])
    along = shown.columns[0].label
    chart = partial(line_chart, points, title=title, along=along, lines=lines, zero=zero, band=True, spans=spans)
    figure = Figure(
        title=heading,
        note=_BANDS if any(point.low is not None for point in points) else "",
        chart=lambda width: chart(width=width, axis="time"),
        tables=[shown],
    )
    return Section(name=name, heading=heading, parts=[Part(figures=[figure])])
