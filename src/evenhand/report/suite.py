"""The summary of a suite: a sentence and a chapter per probe, and the way to its own report."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_of_suite
from evenhand.report.page.document import REPORT
from evenhand.report.page.parts import Opening, Part, Section
from evenhand.report.probe.headline import headline_part
from evenhand.report.probe.opening import opening_sentences
from evenhand.tables.audit.suite import SuiteAudit
from evenhand.tables.grouped.suite import SuiteGroups

__all__ = ["PAGE"]


def _opening(probes: Sequence[SuiteGroups]) -> list[str]:
    """Return the opening sentences of every probe, each behind the probe's title."""
    return [
        f"{each.probe.title or each.probe.probe}: {sentence}"
        for each in probes
        for sentence in opening_sentences([finding.finding for finding in each.headline], each.probe)
    ]


def _chapters(probes: Sequence[SuiteGroups]) -> list[Section]:
    """Return one chapter per probe: its headline findings, and the way to its report."""
    sections = []
    for number, each in enumerate(probes):
        entry = each.probe
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=entry.title or entry.probe or entry.folder,
                text=[entry.question] if entry.question else [],
                parts=[
                    Part(link=quote(f"{entry.folder}/{REPORT}") if entry.folder else None),
                    *(headline_part(finding, entry) for finding in each.headline or each.others),
                ],
            )
        )
    return sections


PAGE: Final[Page[SuiteAudit, tuple[SuiteGroups, ...]]] = Page(
    opening=lambda content: Opening(sentences=_opening(content.groups)),
    chapters=lambda content: _chapters(content.groups),
    asked=lambda content: asked_of_suite(content.audit),
)
