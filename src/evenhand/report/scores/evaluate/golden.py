"""The page of a run on golden cases: that of an evaluation, with the scorer and the version of the set."""

from dataclasses import replace
from typing import Final

from evenhand.report.page.contents import Page
from evenhand.report.scores.evaluate.opening import evaluate_opening
from evenhand.report.scores.evaluate.page import PAGE as EVALUATE
from evenhand.tables.audit.applicants.evaluate import GoldenAudit
from evenhand.tables.grouped.evaluate import EvaluateGroups

__all__ = ["PAGE"]

PAGE: Final[Page[GoldenAudit, EvaluateGroups]] = Page(
    opening=lambda content: replace(evaluate_opening(content.groups, content.audit), steps=[]),
    chapters=EVALUATE.chapters,
    asked=lambda content: [
        ("Scorer", content.audit.scorer),
        ("Golden set", f"version {content.audit.version}"),
        *([] if content.audit.previous is None else [("Held against", content.audit.previous)]),
        *EVALUATE.asked(content),
    ],
    limits=EVALUATE.limits,
    definitions=EVALUATE.definitions,
    text=EVALUATE.text,
)
