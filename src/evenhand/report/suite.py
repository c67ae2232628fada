"""The summary of a suite: a sentence and a chapter per probe, and the way to its own report."""

from typing import Final
from urllib.parse import quote

from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_of_suite
from evenhand.report.page.document import REPORT, Document
from evenhand.report.page.parts import Part, Section
from evenhand.report.probe.headline import headline_part, headline_rows
from evenhand.report.probe.opening import opening_sentences
from evenhand.tables.audit.suite import SuiteAudit

__all__ = ["PAGE"]


def _opening(content: Document[SuiteAudit]) -> list[str]:
    """Return the opening sentences of every probe, each behind the probe's title."""
    return [
        f"{entry.title or entry.probe}: {sentence}"
        for entry in content.audit.probes
        for sentence in opening_sentences(headline_rows(content.of_probe(entry.probe), entry), entry)
    ]


def _chapters(content: Document[SuiteAudit]) -> list[Section]:
    """Return one chapter per probe: its headline findings, and the way to its report."""
    sections = []
    for number, entry in enumerate(content.audit.probes):
        rows = content.of_probe(entry.probe)
        headline = headline_rows(rows, entry) or list(rows)
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=entry.title or entry.probe or entry.folder,
                text=[entry.question] if entry.question else [],
                parts=[
                    Part(link=quote(f"{entry.folder}/{REPORT}") if entry.folder else None),
                    *(headline_part(row, rows, entry) for row in headline),
                ],
            )
        )
    return sections


PAGE: Final[Page[SuiteAudit]] = Page(
    opening=_opening,
    chapters=_chapters,
    asked=lambda content: asked_of_suite(content.audit),
)
