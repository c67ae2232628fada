"""Findings as one HTML file that needs no network and runs no script, and as a small table for notebooks."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from html import escape as html_escape
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from evenhand.errors import InputError
from evenhand.report.charts.svg import Drawing, draw
from evenhand.report.page import parts
from evenhand.report.page.contents import page_of
from evenhand.report.words.numbers import (
    ABSENT,
    confidence_text,
    count_text,
    null_values,
    scale_of,
    traced,
    unbroken,
    unmarked,
    with_elements,
)
from evenhand.report.words.results import capital, group_label, in_words, listing, unit_text
from evenhand.results.audit import Header
from evenhand.results.finding import FINDINGS_SCHEMA, Finding
from evenhand.results.messages import one_line, quoted, shortened
from evenhand.results.result import Result

#: Sentences at most before the first table, in large letters; lines of the first screen for both, letters of a line,
#: and the lines of a row.
ANSWERS, FIRST_LINES, LINE, ROW_LINES = 3, 18, 66, 1.25
#: Sections that are open, parts of one, and rows of an open table; what is more is opened by a click.
OPEN_SECTIONS, OPEN_PARTS, OPEN_ROWS = 1, 2, 12
SHEETS = (("evenhand.report.page", "report.css"), ("evenhand.report.charts", "charts.css"))
LIVE = ("evenhand.report.page", "live.css")


def page_style(*, live: bool = False) -> str:
    """Return the style sheet that all pages share, that of charts included; with that of forms if it is `live`."""
    sheets = (*SHEETS, LIVE) if live else SHEETS
    return "".join((resources.files(room) / name).read_text(encoding="utf-8") for room, name in sheets)


def page_policy(style: str, *, forms: str = "'none'") -> str:
    """Return the content security policy of a page with this style: no script, no network, `forms` go there."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        f"base-uri 'none'; form-action {forms}"
    )


def _answers(opening: parts.PageSummary) -> int:
    """Return how many sentences stand before the first table: it ends on the first screen, where one leaves room."""
    tables = [*opening.tables, *(table for figure in opening.figures for table in figure.tables)]
    room = FIRST_LINES - ROW_LINES * len(tables[0].rows[:OPEN_ROWS]) if tables else FIRST_LINES
    lines = accumulate(len(unmarked(sentence)) // LINE + 1.5 for sentence in opening.sentences[:ANSWERS])
    return max(1, sum(used <= room for used in lines)) if tables else ANSWERS


@cache
def page_template(name: str) -> Template:
    """Return a template of `report/`, by its name; a suite has many pages of one template.

    Numbers and units are joined by no-break spaces in every text except those that the template calls `verbatim`:
    quotations, and commands to be copied.
    """
    environment = Environment(
        loader=PackageLoader("evenhand.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_together,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"verbatim": escape, "cells": _table_cells, "command": _command, "unmarked": unmarked}
    environment.globals["meaning_of"] = parts.meaning_of
    return environment.get_template(name)


def _together(value: object) -> object:
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return with_elements(value, unbroken(unmarked(value)))


@cache
def _label(heading: str) -> object:
    """Return the heading of a column as each of its cells has it."""
    return _together(heading)


#: Classes of cells that begin with an arrow.
_ARROWS = {"▲": " above", "▼": " below"}


def _table_cells(columns: Sequence[parts.Column], row: Sequence[str], link: str = "") -> Markup:
    """Return the cells of a table's row, of which the first one names it; pages have many, so no template is asked."""
    first, *others = map(_together, row)
    first = Markup('<a href="{}">{}</a>').format(link, first) if link else first
    cells = [
        f'<td role="cell" class="{"number" if column.numeric else "words"}{_ARROWS.get(text[:1], "")}" '
        f'data-label="{_label(column.label)}">{cell}</td>'
        for column, text, cell in zip(columns[1:], row[1:], others, strict=True)
    ]
    return Markup(f'<th scope="row" role="rowheader">{first}</th>{"".join(cells)}')  # noqa: S704 - texts are escaped


def _command(text: str) -> Markup:
    """Return a command whose lines break at spaces only."""
    return Markup(" ").join(Markup("<span>{}</span>").format(word) for word in text.split(" "))


#: Characters of a prompt or answer that are open, and that are quoted at all; the journal has the whole text.
OPEN_QUOTE, LONGEST_QUOTE = 1_500, 6_000


def report_page(result: Result[Any, Any]) -> str:
    """Return the report of a run as one HTML page."""
    content = result.legible()
    content = replace(content, findings=traced(content.findings))
    audit = content.audit
    title, model = audit.title, audit.model
    page = page_of(content)
    opening, sections = page.opening(content), _arranged(page.chapters(content))
    given = page.asked(content)
    asked = [row for row in given if len(row[1]) <= LONGEST_VALUE]
    other = [*(row for row in given if row not in asked), *page.other(content)]
    everything = _everything(page.everything(content))
    tables = [*opening.tables, *parts.tables_of(sections), *([everything] if everything is not None else [])]
    style = page_style()
    figures = (figure for section in sections for part in section.parts for figure in part.figures)
    drawn = parts.numbered_drawings([*opening.figures, *figures])
    return page_template("report.html.jinja").render(
        drawing_of=lambda figure: drawn[id(figure)],
        count_text=count_text,
        quoted_parts=_quoted,
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=audit.simulated,
        simulated_note=audit.simulated_note or "",
        heading=f"{title}: {model}" if model else title,
        state=parts.state_of(content.findings, incomplete=audit.incomplete is not None, standing=audit.standing),
        answers=_answers(opening),
        question=audit.question or "",
        opening=opening,
        warnings=audit.warnings,
        page=page.text,
        asked=asked,
        other=other,
        example=page.example(content),
        twins=page.twins(content),
        sections=sections,
        limits=page.limits(content),
        card=page.card(content),
        reproduce=audit.reproduce,
        versions=listing([f"{package} {version}" for package, version in audit.versions.items()]),
        definitions=page.definitions(content),
        columns=parts.meanings_of(tables),
        everything=everything,
        findings=len(content.findings),
        schema=FINDINGS_SCHEMA,
    )


def _arranged(sections: Sequence[parts.Section]) -> list[parts.Section]:
    """Return sections as a page opens them: the first one, its first parts, and no long tables."""

    def short(tables: Sequence[parts.Table]) -> list[parts.Table]:
        return [replace(table, folded=table.folded or len(table.rows) > OPEN_ROWS) for table in tables]

    def opened(part: parts.Part, place: int) -> parts.Part:
        figures = [replace(figure, tables=short(figure.tables)) for figure in part.figures]
        folded = part.folded or (place >= OPEN_PARTS and bool(part.heading))
        return replace(part, figures=figures, tables=short(part.tables), folded=folded)

    whole = [section.name for section in sections if not section.folded][:OPEN_SECTIONS]
    return [
        replace(
            section,
            folded=section.name not in whole,
            parts=[opened(part, number) for number, part in enumerate(section.parts)],
        )
        for section in sections
    ]


def _everything(findings: Sequence[Finding]) -> parts.Table | None:
    if not findings:
        return None
    return parts.estimate_table(
        findings,
        caption="Every finding under its name in findings.json",
        first="Name",
        label=lambda finding: f"{finding.probe}: {finding.name}" if finding.probe else finding.name,
    )


@dataclass(frozen=True, kw_only=True)
class _Quote:
    beginning: str
    rest: str


def _quoted(text: object) -> _Quote:
    """Return the open beginning of a prompt or answer, up to the end of a line, and the rest."""
    full = str(text)
    left = len(full) - LONGEST_QUOTE
    if left > 0:
        full = f"{full[:LONGEST_QUOTE]} … ({count_text(left)} more characters)"
    if len(full) <= OPEN_QUOTE:
        return _Quote(beginning=full, rest="")
    end = full.rfind("\n", 0, OPEN_QUOTE) + 1 or OPEN_QUOTE
    return _Quote(beginning=full[:end].rstrip("\n"), rest=full[end:])


#: Characters of a value of the set-up that is open.
LONGEST_VALUE = 160


class Plot(str):
    """An SVG image, as a text that a notebook shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)


#: Pixels of a chart in a notebook.
PLOT_WIDTH = 760


def findings_plot(findings: Sequence[Finding], measure: str | None) -> Plot:
    """Return the findings of a measure with their intervals as one SVG image with its style.

    Planned ones come before others; without `measure` it is that of the first.

    Raises
    ------
    InputError
        No finding of it has an interval.

    """
    drawable = [finding for finding in findings if finding.low is not None and finding.high is not None]
    drawable.sort(key=lambda finding: finding.role != "planned")
    named = listing(list(dict.fromkeys(finding.measure for finding in drawable))[:MOST]) or "none"
    chosen = measure or next((finding.measure for finding in drawable), "")
    rows = [finding for finding in drawable if finding.measure == chosen]
    if not rows:
        raise InputError(f"No finding of the measure {quoted(chosen)} has an interval; measures that have: {named}.")
    units = (rows[0].measured_in, rows[0].role)
    rows = [finding for finding in rows if (finding.measured_in, finding.role) == units][:OPEN_ROWS]

    def label(finding: Finding) -> str:
        groups = " against ".join(group_label(group) for group in (finding.focal, finding.reference) if group)
        return capital(", ".join(filter(None, (groups, *finding.slice.values()))) or "all")

    axis = f"{in_words(chosen)} ({unit_text(rows[0])})"
    figure = parts.interval_figure(rows, title=in_words(chosen), label=label, axis=axis)
    (svg,) = draw([Drawing(label=figure.title, chart=figure.chart, wide=PLOT_WIDTH)])
    colours = page_style().partition("}")[0] + "}"
    charts = (resources.files("evenhand.report.charts") / "charts.css").read_text(encoding="utf-8")
    style = f"<style>{colours}{charts}svg {{ background: #fff; font-family: var(--sans); }}</style>"
    return Plot(svg["wide"].replace("<title", f"{style}<title", 1))


#: Rows that fit on a screen; all are in the report.
MOST = 12


def summary_html(audit: Header, findings: Sequence[Finding], *, folder: Path) -> str:
    """Return a table of the planned findings as HTML, without a script; what others wrote is escaped."""
    planned = [row for row in findings if row.role == "planned"]
    shown = planned[:MOST]
    title = " · ".join(filter(None, (audit.title, audit.model)))
    lines = [f"<strong>{_text(title)}</strong>"]
    if audit.simulated:
        lines.append(_text(audit.simulated_note or "Simulated.", most=200))
    lines += [f"Warning: {_text(line, most=300)}" for line in audit.warnings]
    state = parts.state_of(findings)
    lines += [] if state is None else [f"{state.sign} {_text(state.text, most=200)}"]
    more = "" if len(planned) == len(shown) else f" {len(planned) - len(shown)} more of these are there."
    summary = f"{count_text(len(findings))} findings, and report.html, are in {_text(str(folder), most=300)}.{more}"
    return f"<div>{''.join(f'<div>{line}</div>' for line in lines)}{_table(shown)}<div>{summary}</div></div>"


def _table(findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    level = confidence_text(findings[0].confidence)
    heads = ("measure", "groups", "estimate", f"{level} CI", "n", "mark", "verdict")
    columns = list(zip(*map(_cells, findings), strict=True))
    filled = [place for place, cells in enumerate(columns) if set(cells) - {"", ABSENT}]
    rows = "".join(_row("td", [line[place] for place in filled]) for line in map(_cells, findings))
    return f"<table><thead>{_row('th', [heads[place] for place in filled])}</thead><tbody>{rows}</tbody></table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _cells(finding: Finding) -> tuple[str, ...]:
    scale = scale_of(finding)
    null = null_values(finding)
    groups = " against ".join(group_label(group) for group in (finding.focal, finding.reference) if group)
    slice_text = ", ".join(f"{in_words(key)} {value}" for key, value in finding.slice.items())
    return (
        in_words(finding.measure),
        f"{groups} ({slice_text})" if groups and slice_text else groups or slice_text,
        scale.text(finding.estimate, apart=null),
        scale.interval(finding.low, finding.high, apart=null),
        count_text(finding.n),
        parts.mark_text(finding),
        parts.verdict_text(finding) if finding.estimate is not None else finding.reason or "",
    )


def _text(text: str, *, most: int = 100) -> str:
    return html_escape(one_line(shortened(text, most=most)))
