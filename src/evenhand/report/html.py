"""Findings → one HTML file that needs no network and runs no script."""

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from evenhand.report.charts import Drawing, draw
from evenhand.report.impact.chapters import impact_sections
from evenhand.report.impact.counted import impact_asked, impact_limits
from evenhand.report.impact.opening import impact_answers
from evenhand.report.impact.terms import impact_definitions
from evenhand.report.page.context import asked_rows, definitions, limits, undetected_section, version_rows
from evenhand.report.page.document import Document, Row, document, read_findings
from evenhand.report.page.parts import Part, Section, Table, estimate_table
from evenhand.report.page.style import page_policy, page_style
from evenhand.report.page.text import page_text
from evenhand.report.population.chapters import population_sections, twins_shown
from evenhand.report.population.mixed import mixed_section
from evenhand.report.population.opening import population_answers
from evenhand.report.probe.card import card_blocks
from evenhand.report.probe.comparison import comparison_answers, comparison_sections
from evenhand.report.probe.documents import word_section
from evenhand.report.probe.groups import group_section
from evenhand.report.probe.headline import headline_part, headline_rows, headline_section
from evenhand.report.probe.opening import answer_sentences
from evenhand.report.probe.rankings import ranking_section
from evenhand.report.probe.slices import instruction_section, slice_section
from evenhand.report.probe.trend import trend_section
from evenhand.report.words.numbers import count_text
from evenhand.tables.files import write_file

__all__ = ["render_report", "write_report"]

REPORT = "report.html"
IMPACT = "impact"
LONGEST_QUOTE = 6_000  # characters of a prompt or answer; the journal keeps them whole


def write_report(run_folder: Path, out: Path | None = None) -> Path:
    """Write the report of a finished run, <run_folder>/report.html or `out`; return its path.

    Raises
    ------
    InputError
        Findings.json is missing, broken or of another schema, or `out` can't be written.
    """
    path = out or run_folder / REPORT
    page = _page(document(read_findings(run_folder), source=str(run_folder / "findings.json")))
    write_file(path, page.encode())
    return path


def render_report(findings: Mapping[str, Any]) -> str:
    """Return the report of the content of findings.json as one HTML page.

    Raises
    ------
    InputError
        Another schema, or a row that is no finding.
    """
    return _page(document(findings))


def _page(content: Document) -> str:
    audit, rows = content.audit, content.rows
    kind = audit.get("kind")
    sections = _sections(content)
    style = page_style()
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    drawn = _figures(sections)
    environment.globals |= {"drawing_of": lambda figure: drawn[id(figure)], "count_text": count_text, "quoted": _quoted}
    template = environment.from_string((resources.files(__package__) / "report.html.jinja").read_text(encoding="utf-8"))
    headline = headline_rows(rows, audit)
    title = str(audit.get("title") or audit.get("probe") or "Audit")
    model = str(audit.get("model") or "")
    return template.render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=bool(audit.get("simulated")),
        simulated_note=str(audit.get("simulated_note") or ""),
        heading=f"{title}: {model}" if model else title,
        question=str(audit.get("question") or ""),
        answers=_answers(content, headline),
        warnings=[str(warning) for warning in audit.get("warnings") or ()],
        page=page_text(kind),
        asked=impact_asked(audit) if kind == IMPACT else asked_rows(audit),
        example=audit.get("example") or {},
        twins=twins_shown(audit),
        sections=sections,
        limits=impact_limits(rows, audit) if kind == IMPACT else limits(audit),
        card=[] if kind in {"suite", "compare"} else card_blocks(str(audit.get("card") or "")),
        reproduce=str(audit.get("reproduce") or ""),
        versions=version_rows(audit),
        definitions=impact_definitions({row.measure for row in rows})
        if kind == IMPACT
        else definitions({row.mark for row in rows if row.mark is not None}),
        everything=_everything(rows),
        schema="evenhand.findings/1",
    )


def _sections(content: Document) -> list[Section]:
    kind = content.audit.get("kind")
    if kind == "suite":
        return _suite_sections(content)
    if kind == "compare":
        return comparison_sections(content.rows, content.audit)
    if kind == IMPACT:
        return impact_sections(content.rows, content.audit)
    return _probe_sections(content.rows, content.audit)


def _answers(content: Document, headline: Sequence[Row]) -> list[str]:
    kind = content.audit.get("kind")
    if kind == "suite":
        return _suite_answers(content)
    if kind == "compare":
        return comparison_answers(content.rows, content.audit)
    if kind == IMPACT:
        return impact_answers(content.rows, content.audit)
    return [*population_answers(content.rows, content.audit), *answer_sentences(headline, content.audit)]


def _probe_sections(rows: Sequence[Row], audit: Mapping[str, Any]) -> list[Section]:
    population = population_sections(rows, audit)
    if population:
        more = [mixed_section(rows), undetected_section(rows, audit)]
        return [*population, *(section for section in more if section is not None)]
    found = [
        headline_section(rows, audit),
        trend_section(rows, audit),
        group_section(rows),
        ranking_section(rows),
        slice_section(rows, audit),
        instruction_section(rows, audit),
        word_section(rows),
        undetected_section(rows, audit),
    ]
    return [section for section in found if section is not None]


def _suite_answers(content: Document) -> list[str]:
    return [
        f"{entry.get('title') or entry.get('probe')}: {sentence}"
        for entry in content.audit.get("probes") or ()
        for audit in [{**content.audit, "statuses": None, **entry}]
        for sentence in answer_sentences(headline_rows(content.of_probe(str(entry.get("probe"))), audit), audit)
    ]


def _suite_sections(content: Document) -> list[Section]:
    """Return one chapter per probe of a suite: its headline findings, and the way to its report."""
    sections = []
    for number, entry in enumerate(content.audit.get("probes") or ()):
        audit = {**content.audit, **entry}
        rows = content.of_probe(str(entry.get("probe")))
        headline = headline_rows(rows, audit) or list(rows)
        folder = str(entry.get("folder") or "")
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=str(entry.get("title") or entry.get("probe") or folder),
                text=[str(entry["question"])] if entry.get("question") else [],
                parts=[
                    Part(link=quote(f"{folder}/{REPORT}") if folder else None),
                    *(headline_part(row, rows, audit) for row in headline),
                ],
            )
        )
    return sections


def _everything(rows: Sequence[Row]) -> Table | None:
    if not rows:
        return None
    labels = [f"{row.probe}: {row.name}" if row.probe else row.name for row in rows]
    return estimate_table(rows, caption="Every finding under its name in findings.json", first="Name", labels=labels)


def _quoted(text: object) -> str:
    whole = str(text)
    left = len(whole) - LONGEST_QUOTE
    return whole if left <= 0 else f"{whole[:LONGEST_QUOTE]} … ({count_text(left)} more characters)"


def _figures(sections: Sequence[Section]) -> dict[int, dict[str, Any]]:
    """Draw all figures in one pass; return number and drawings by the figure's identity."""
    figures = [figure for section in sections for part in section.parts for figure in part.figures]
    drawn = draw([Drawing(label=figure.title, chart=figure.chart) for figure in figures])
    return {
        # Parsed and serialised XML of our own renderer, with escaped text.
        id(figure): {"number": number, "drawings": {name: Markup(svg) for name, svg in pair.items()}}  # noqa: S704
        for number, (figure, pair) in enumerate(zip(figures, drawn, strict=True), start=1)
    }
