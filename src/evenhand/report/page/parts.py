"""What a page is made of: sections, parts, figures and tables; tables and figures of findings."""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any, TypeVar

from markupsafe import Markup

from evenhand.patterns import WordTable, lazy_re
from evenhand.report.charts.axes import MarkedLine, scale_for
from evenhand.report.charts.intervals import IntervalRow, interval_chart
from evenhand.report.charts.svg import WIDE, Chart, Drawing, draw, number
from evenhand.report.words import results
from evenhand.report.words.numbers import (
    ABSENT,
    MINUS,
    confidence_text,
    count_text,
    counted,
    null_values,
    p_text,
    scale_of,
    unmarked,
)
from evenhand.results.finding import Finding

Row = TypeVar("Row")
Cell = Callable[[Finding], str]

MARK = "Mark (within the interval)"
CI = "CI"
N, CLUSTERS = "n", "Clusters"
PLURALS = {"person": "people"}
VERDICT_WORDS = {
    "difference": "difference",
    "no_difference_detected": "no difference detected",
    "not_judged": "not judged",
}


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column's heading; numbers are set flush right."""

    label: str
    numeric: bool = True


def headings(first: str, *labels: str, words: Collection[str] = ()) -> list[Column]:
    """Return the columns of a table: numbers, but for the first one and those in `words`.

    >>> [column.numeric for column in headings("Group", "n", "Note", words=["Note"])]
    [False, True, False]
    """
    return [Column(label=first, numeric=False), *(Column(label=name, numeric=name not in words) for name in labels)]


COLUMN_WORDS = WordTable("evenhand.report.words", "columns.toml")
_LEVEL = lazy_re(r"[0-9.]+ %")


def meaning_of(heading: str) -> str:
    """Return in plain words what the column of that heading says, "" where that is not known.

    >>> meaning_of("90 % CI")[:28]
    'The 90 % confidence interval'
    """
    levels = _LEVEL.findall(heading)
    text: str = COLUMN_WORDS.meanings.get(_LEVEL.sub("95 %", heading), "")
    return text.replace("95 %", levels[0]) if levels else text


def meanings_of(tables: Iterable["Table"]) -> dict[str, str]:
    """Return what the columns of tables say, by their headings."""
    headings = sorted({column.label for table in tables for column in table.columns}, key=str.casefold)
    return {heading: meaning for heading in headings if (meaning := meaning_of(heading))}


#: Pixels of an interval in the row of a table.
INTERVAL_WIDTH, INTERVAL_HEIGHT, INTERVAL_EDGE = 150, 16, 8
#: Pixels between the names of two lines.
NAMES_APART = 15
#: Ratios beyond these are drawn at the edge.
DRAWN_RATIOS = (0.1, 10.0)


#: The lower limit, the estimate and the upper limit of a row, as they are printed; None what is not known.
Ends = tuple[float | None, float | None, float | None]


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """The confidence intervals of a table's rows, drawn on one axis, with lines such as that of no difference."""

    rows: Sequence[Ends]
    lines: Sequence[float]
    ratio: bool = False

    @property
    def drawings(self) -> list[Markup]:
        """Return a drawing for the head of the table, and one for each row."""
        least, most = DRAWN_RATIOS if self.ratio else (-inf, inf)
        drawn = [[min(max(end, least), most) for end in _drawable(ends, ratio=self.ratio)] for ends in self.rows]
        ends = [*self.lines, *(end for row in drawn for end in row)]
        low, high = min(ends), max(ends)
        if low == high:
            low, high = (low / 2, high * 2) if self.ratio else (low - 1, high + 1)
        start, end = INTERVAL_EDGE, INTERVAL_WIDTH - INTERVAL_EDGE
        scale = scale_for("log" if self.ratio else "linear", low, high, start=start, end=end)
        lines = "".join(_line("limit", scale.at(at), scale.at(at), 0, INTERVAL_HEIGHT) for at in self.lines)
        middle = INTERVAL_HEIGHT / 2
        names, taken = "", inf
        for at in sorted(self.lines, reverse=True):
            if taken - scale.at(at) >= NAMES_APART:
                taken = scale.at(at)
                names += f'<text x="{number(taken)}" y="12" text-anchor="middle">{at:g}</text>'
        drawings = [_interval_drawing(names)]
        for (_, estimate, _), row in zip(self.rows, drawn, strict=True):
            places = [scale.at(end) for end in row]
            body = "" if len(places) < 2 else _line("span", min(places), max(places), middle, middle)
            if estimate is not None:
                at = scale.at(min(max(estimate, least), most))
                body += f'<circle cx="{number(at)}" cy="{number(middle)}" r="3.5"/>'
            drawings.append(_interval_drawing(lines + body))
        return drawings


def _interval_drawing(body: str) -> Markup:
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="interval" aria-hidden="true" viewBox="0 0 {INTERVAL_WIDTH} {INTERVAL_HEIGHT}" '
        f'width="{INTERVAL_WIDTH}" height="{INTERVAL_HEIGHT}">{body}</svg>'
    )


def _drawable(ends: Ends, *, ratio: bool) -> list[float]:
    """Return the limits and the estimate that are known and can be drawn."""
    known = [float(end) for end in ends if end is not None and isfinite(end)]
    positive = [end for end in known if end > 0 or not ratio]
    return positive or ([DRAWN_RATIOS[0]] if known else [])


def _line(kind: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{number(x1)}" x2="{number(x2)}" y1="{number(y1)}" y2="{number(y2)}"/>'


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table whose first column names the row. A folded one is opened by a click, and printed if it is open.

    `intervals` are drawn in a column of their own behind the others. The names of rows lead to `links`, "" is none.
    """

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    folded: bool = False
    intervals: Intervals | None = None
    links: Sequence[str] = ()


#: What stands between the numbers of a cell, and cells that say that there is none.
_BETWEEN = lazy_re(r"\b(?:to|of|or above|points?|places|SD)\b")
_WITHOUT = ("", ABSENT, "not computed", "not judged", "no interval")


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, folded: bool = False) -> Table:
    """Return a table of cells; numbers are set flush right, words and the first column flush left.

    >>> [column.numeric for column in table("", ["Group", "Rate", "p"], [["a", "20.0 % of 40", "–"]]).columns]
    [False, True, True]
    """
    lines = list(rows)
    columns = [
        Column(label=head, numeric=place > 0 and all(_is_number(line[place]) for line in lines))
        for place, head in enumerate(heads)
    ]
    return Table(caption=caption, columns=columns, rows=lines, folded=folded)


def _is_number(cell: str) -> bool:
    cell = unmarked(cell)
    bare = _BETWEEN.sub("", cell)
    return cell in _WITHOUT or (not any(map(str.isalpha, bare)) and any(map(str.isdigit, bare)) and ", " not in cell)


def table_of(
    rows: Iterable[Row], columns: Mapping[str, Callable[[Row], str]], *, caption: str, folded: bool = False
) -> Table:
    """Return a table with a line per row: a cell of each column, of which the first names the row.

    Columns that would be empty everywhere are left out.
    """
    cells = {head: list(map(cell, rows)) for head, cell in columns.items()}
    first = next(iter(cells))
    filled = {head: column for head, column in cells.items() if head == first or {*column} - {ABSENT, ""}}
    return table(caption, list(filled), zip(*filled.values(), strict=True), folded=folded)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A chart with its tables. `chart` is called with each width that is drawn."""

    title: str
    note: str
    chart: Callable[[int], Chart]
    tables: Sequence[Table]


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of a text; a marked one differs from the other text."""

    text: str
    marked: bool = False


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """Two texts side by side, each with its label."""

    labels: tuple[str, str]
    texts: tuple[Sequence[Piece], Sequence[Piece]]


@dataclass(frozen=True, kw_only=True)
class Part:
    """A titled part of a section. A folded one is opened by a click on its heading."""

    heading: str = ""
    text: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    beside: Sequence[SideBySide] = ()
    verbatim: str = ""
    link: str | None = None
    link_text: str = "The full report of this probe"
    folded: bool = False


@dataclass(frozen=True, kw_only=True)
class Section:
    """A section of the report; `name` is its anchor. A folded one shows its heading until it is opened."""

    name: str
    heading: str
    text: Sequence[str] = ()
    parts: Sequence[Part] = ()
    folded: bool = False


def tables_of(sections: Sequence[Section]) -> list[Table]:
    """Return all tables of sections, also those of their figures."""
    parts = [part for section in sections for part in section.parts]
    return [table for part in parts for tables in (part.tables, *(f.tables for f in part.figures)) for table in tables]


@dataclass(frozen=True, kw_only=True)
class NextStep:
    """A question that this very result suggests; `command` answers it and runs as it is printed.

    One that reads a `folder` runs in that of the report.
    """

    question: str
    command: str = ""
    folder: str = ""

    def command_in(self, run_folder: Path) -> str:
        """Return the command as it runs elsewhere, for the run in that folder.

        >>> step = NextStep(question="", command="evenhand impact . --protected race", folder=".")
        >>> step.command_in(Path("runs/first"))
        'evenhand impact runs/first --protected race'
        """
        if not self.folder:
            return self.command
        return self.command.replace(f" {quote(self.folder)} ", f" {quote(str(run_folder / self.folder))} ", 1)


@dataclass(frozen=True, kw_only=True)
class PageSummary:
    """The first screen: figures in a table and a chart, two or three sentences, what to look at next."""

    sentences: Sequence[str]
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    steps: Sequence[NextStep] = ()


@dataclass(frozen=True, kw_only=True)
class State:
    """What came out of a run, in a few words; `kind` and `sign` are how it looks."""

    kind: str
    sign: str
    text: str


def state_of(findings: Sequence[Finding], *, incomplete: bool = False, standing: int = 0) -> State | None:
    """Return what the planned comparisons of a run say, and that it is incomplete; None where it has none.

    `standing` disparities of a longer period than the run's are said first.
    """
    verdicts = [finding.verdict for finding in findings if finding.claim is not None and finding.claim.planned]
    judged = [verdict for verdict in verdicts if verdict != "not_judged"]
    if not verdicts:
        return None
    start = "Incomplete · " if incomplete else ""
    start += f"{counted(standing, 'standing disparity', 'standing disparities')} · " if standing else ""
    if not judged:
        return State(kind="unjudged", sign="○", text=f"{start}Not judged")
    probes = {finding.probe for finding in findings if finding.claim is not None and finding.claim.planned}
    sizes = {finding.claim.family_size for finding in findings if finding.claim is not None and finding.claim.planned}
    family = max((size for size in sizes if size is not None), default=0)
    corrected = f", p corrected over {count_text(family)}" if family > len(verdicts) else ""
    corrected = ", p corrected within each probe" if len(probes) > 1 else corrected
    differ, of = judged.count("difference"), f"{counted(len(judged), 'planned comparison')}{corrected}"
    unjudged = f"; {count_text(len(verdicts) - len(judged))} not judged" if len(verdicts) > len(judged) else ""
    if differ:
        found = f"{start}Difference found in {count_text(differ)} of {of}{unjudged}"
        return State(kind="difference", sign="◆", text=found)
    kind, sign = ("difference", "◆") if standing else ("undetected", "◇")
    return State(kind=kind, sign=sign, text=f"{start}No difference detected in {of}{unjudged}")


def interval_heading(findings: Sequence[Finding]) -> str:
    """Return the heading of the column of confidence intervals, with the level that all rows share."""
    levels = {finding.confidence for finding in findings}
    return f"{confidence_text(levels.pop())} CI" if len(levels) == 1 else CI


def mark_text(finding: Finding) -> str:
    """Return the mark, and the marks that the confidence interval reaches where there are several."""
    if not finding.mark:
        return ABSENT
    others = (
        f" (the interval reaches {finding.marks_touched[0]} to {finding.marks_touched[-1]})"
        if len(finding.marks_touched) > 1
        else ""
    )
    return finding.mark + others


def _short_mark(finding: Finding) -> str:
    within = finding.marks_touched
    return (finding.mark or ABSENT) + (
        f" ({within[0]}{ABSENT}{within[-1]})" if finding.mark and len(within) > 1 else ""
    )


def verdict_text(finding: Finding) -> str:
    """Return the verdict in words, a dash without one."""
    if finding.claim is not None and finding.claim.equivalent:
        equal = "equivalent within the margin"
        return f"difference, {equal}" if finding.is_difference else equal
    return VERDICT_WORDS.get(finding.verdict or "", ABSENT)


def clusters_text(finding: Finding) -> str:
    """Return the clusters of a cluster-robust interval: names, roles or items; a dash where they equal n."""
    if list(finding.clusters.values()) == [finding.n]:
        return ABSENT
    counts = [counted(count, results.in_words(kind), PLURALS.get(kind, "")) for kind, count in finding.clusters.items()]
    return " × ".join(counts) or ABSENT


def _p(finding: Finding) -> float | None:
    """Return the p of the claim, or of the first test of what claims nothing."""
    if finding.claim is not None:
        return finding.claim.p
    return finding.tests[0].p if finding.tests else None


def _note(finding: Finding) -> str:
    """Return why something isn't known, and why interval and verdict disagree where the p in the line don't say it."""
    why = results.capital(results.why_not(finding))
    return " ".join(filter(None, (finding.reason, f"{why}." if why else "")))


#: Cells of tables of findings by their headings.
_CELLS: Mapping[str, Cell] = {
    CI: results.interval_text,
    N: lambda finding: count_text(finding.n),
    CLUSTERS: clusters_text,
    "p": lambda finding: p_text(_p(finding)),
    "p, adjusted": lambda finding: p_text(finding.p_adjusted),
    MARK: _short_mark,
    "Verdict": verdict_text,
    "Note": _note,
}


def columns_of(findings: Sequence[Finding], *heads: str) -> dict[str, Cell]:
    """Return columns that tables of findings share; the interval's is headed by the level of confidence."""
    return {interval_heading(findings) if head == CI else head: _CELLS[head] for head in heads}


def row_label(finding: Finding) -> str:
    """Return a finding as a table names its row: the group, or both of a difference."""
    label = results.capital(results.group_label(finding.focal)) or "All"
    return f"{label} {MINUS} {results.group_label(finding.reference)}" if finding.reference else label


def estimate_table(
    findings: Sequence[Finding],
    *,
    caption: str,
    first: str = "Group",
    label: Cell = row_label,
    estimate: str = "Estimate",
    extra: Mapping[str, Cell] = MappingProxyType({}),
    without: Container[str] = (),
    folded: bool = False,
) -> Table:
    """Return one line per finding; columns that would be empty everywhere are left out."""
    columns = {
        first: label,
        estimate: results.estimate_text,
        **columns_of(findings, CI, N, CLUSTERS),
        **extra,
        **columns_of(findings, "p", "p, adjusted", MARK, "Note"),
    }
    shown = {head: cell for head, cell in columns.items() if head not in without}
    return replace(table_of(findings, shown, caption=caption, folded=folded), intervals=intervals_of(findings))


def intervals_of(findings: Sequence[Finding], lines: Sequence[float] | None = None) -> Intervals | None:
    """Return the intervals of findings as a table draws them; None without any, or of several units."""
    nulls = {null for finding in findings for null in null_values(finding)}
    if len({(finding.measured_in, bool(finding.reference)) for finding in findings}) != 1 or len(nulls) > 1:
        return None
    if not any(finding.low is not None or finding.high is not None for finding in findings):
        return None
    shown, ratio = scale_of(findings[0]).shown, findings[0].measured_in == "ratio"
    rows = [(shown(finding.low), shown(finding.estimate), shown(finding.high)) for finding in findings]
    return Intervals(rows=rows, lines=[shown(at) for at in (sorted(nulls) if lines is None else lines)], ratio=ratio)


def numbered_drawings(figures: Sequence[Figure], *, wide: int = WIDE) -> dict[int, dict[str, Any]]:
    """Draw all figures in one pass, so `wide` on a desk; return number and drawings by the figure's identity."""
    drawn = draw([Drawing(label=figure.title, chart=figure.chart, wide=wide) for figure in figures])
    return {
        # Our own elements, with escaped text.
        id(figure): {"number": number, "drawings": {name: Markup(svg) for name, svg in pair.items()}}  # noqa: S704
        for number, (figure, pair) in enumerate(zip(figures, drawn, strict=True), start=1)
    }


def interval_figure(
    findings: Sequence[Finding],
    *,
    title: str,
    note: str = "",
    label: Cell = row_label,
    series: Cell = lambda _finding: "",
    lines: Sequence[MarkedLine] | None = None,
    axis: str | None = None,
    tables: Sequence[Table] | None = None,
    **table_options: Any,
) -> Figure:
    """Return a figure with one interval per finding, all of one unit, and by default a line at no difference.

    Without `tables` it has that of its findings, folded, with these options.
    """
    scale = scale_of(findings[0])
    plotted = [
        IntervalRow(
            label=label(finding),
            **scale.drawn(finding),
            text=f"{' '.join(filter(None, (label(finding), series(finding))))}: {results.value_text(finding)}",
            series=series(finding),
        )
        for finding in findings
    ]
    drawn_lines = null_lines(findings) if lines is None else lines
    of_findings: dict[str, Any] = {"caption": title, "label": label, "folded": True} | table_options
    return Figure(
        title=title,
        note=note,
        chart=lambda width: interval_chart(
            plotted, title=axis or results.unit_text(findings[0]), width=width, lines=drawn_lines
        ),
        tables=[estimate_table(findings, **of_findings)] if tables is None else tables,
    )


def null_lines(findings: Sequence[Finding]) -> list[MarkedLine]:
    """Return a line at the value of no difference, if it is one for all findings that have an estimate."""
    nulls = {finding.null_value for finding in findings if finding.estimate is not None}
    scale = scale_of(findings[0])
    return [MarkedLine(value=scale.shown(null)) for null in nulls if null is not None and len(nulls) == 1]
