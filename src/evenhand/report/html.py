"""Findings → one HTML file that needs no network and runs no script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from evenhand.report.page.contents import page_of
from evenhand.report.page.document import REPORT, Document, document, read_document
from evenhand.report.page.drawn import numbered_drawings
from evenhand.report.page.parts import Figure, Section, Table, estimate_table
from evenhand.report.page.style import page_policy, page_style
from evenhand.report.page.template import page_template
from evenhand.report.words.numbers import count_text
from evenhand.report.words.wording import listing
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.files import write_file
from evenhand.tables.finding import Finding

__all__ = ["render_report", "write_report"]

#: Characters of a prompt or answer that stand open, and of all that is quoted; the journal keeps them whole.
OPEN_QUOTE, LONGEST_QUOTE = 1_500, 6_000


def write_report(run_folder: Path, out: Path | None = None) -> Path:
    """Write the report of a finished run, <run_folder>/report.html or `out`; return its path.

    Raises
    ------
    InputError
        Findings.json is missing, broken or of another schema, or `out` can't be written.
    """
    path = out or run_folder / REPORT
    page = _page(read_document(run_folder))
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


def _page(content: Document[Audit, Any]) -> str:
    audit = content.audit
    title, model = audit.title, audit.model
    page = page_of(content)
    opening, sections = page.opening(content), page.chapters(content)
    style = page_style()
    drawn = numbered_drawings([*opening.figures, *_figures_of(sections)])
    return page_template("report.html.jinja").render(
        drawing_of=lambda figure: drawn[id(figure)],
        count_text=count_text,
        quoted_parts=_quoted,
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=audit.simulated,
        simulated_note=audit.simulated_note or "",
        heading=f"{title}: {model}" if model else title,
        question=audit.question or "",
        opening=opening,
        warnings=audit.warnings,
        page=page.text,
        asked=page.asked(content),
        other=page.other(content),
        example=page.example(content),
        twins=page.twins(content),
        sections=sections,
        limits=page.limits(content),
        card=page.card(content),
        reproduce=audit.reproduce,
        versions=listing([f"{package} {version}" for package, version in audit.versions.items()]),
        definitions=page.definitions(content),
        everything=_everything(page.everything(content)),
        findings=len(content.findings),
        schema="evenhand.findings/1",
    )


def _everything(findings: Sequence[Finding]) -> Table | None:
    if not findings:
        return None
    labels = [f"{each.probe}: {each.name}" if each.probe else each.name for each in findings]
    return estimate_table(
        findings, caption="Every finding under its name in findings.json", first="Name", labels=labels
    )


@dataclass(frozen=True, kw_only=True)
class _Quote:
    beginning: str
    rest: str


def _quoted(text: object) -> _Quote:
    """Return what stands open of a prompt or answer, up to the end of a line, and the rest."""
    whole = str(text)
    left = len(whole) - LONGEST_QUOTE
    if left > 0:
        whole = f"{whole[:LONGEST_QUOTE]} … ({count_text(left)} more characters)"
    if len(whole) <= OPEN_QUOTE:
        return _Quote(beginning=whole, rest="")
    end = whole.rfind("\n", 0, OPEN_QUOTE) + 1 or OPEN_QUOTE
    return _Quote(beginning=whole[:end].rstrip("\n"), rest=whole[end:])


def _figures_of(sections: Sequence[Section]) -> list[Figure]:
    return [figure for section in sections for part in section.parts for figure in part.figures]
