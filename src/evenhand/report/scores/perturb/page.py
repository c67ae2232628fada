"""The page of a perturbation test."""

from collections.abc import Sequence
from typing import Final

from evenhand.report.page.contents import Page
from evenhand.report.page.text import PERTURBED
from evenhand.report.scores.perturb.asked import perturb_asked, perturb_definitions
from evenhand.report.scores.perturb.chapters import perturb_chapters
from evenhand.report.scores.perturb.opening import perturb_opening
from evenhand.tables.audit.perturb import PerturbAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.perturb import PerturbGroups

__all__ = ["PAGE"]

#: Rows of the table of all findings, from which on those of single positions stand in findings.csv only.
_MOST_ROWS: Final = 200


def _shown(findings: Sequence[Finding]) -> list[Finding]:
    short = len(findings) <= _MOST_ROWS
    return [each for each in findings if short or "position" not in each.slice]


PAGE: Final[Page[PerturbAudit, PerturbGroups]] = Page(
    opening=lambda content: perturb_opening(content.groups, content.audit),
    chapters=lambda content: perturb_chapters(content.groups, content.audit),
    asked=lambda content: perturb_asked(content.audit),
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: perturb_definitions(),
    everything=lambda content: _shown(content.findings),
    text=PERTURBED,
)
