"""The page of an evaluation."""

from typing import Final

from evenhand.report.page.contents import Page
from evenhand.report.page.text import EVALUATED
from evenhand.report.scores.evaluate.asked import evaluate_asked, evaluate_definitions, evaluate_limits
from evenhand.report.scores.evaluate.chapters import evaluate_chapters
from evenhand.report.scores.evaluate.opening import evaluate_opening
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.grouped.evaluate import EvaluateGroups

__all__ = ["PAGE"]

PAGE: Final[Page[EvaluateAudit, EvaluateGroups]] = Page(
    opening=lambda content: evaluate_opening(content.groups, content.audit),
    chapters=lambda content: evaluate_chapters(content.groups, content.audit),
    asked=lambda content: evaluate_asked(content.audit),
    limits=lambda content: evaluate_limits(content.audit),
    definitions=lambda content: evaluate_definitions({finding.measure for finding in content.findings}),
    text=EVALUATED,
)
