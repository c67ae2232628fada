"""The page of match scores."""

from dataclasses import replace
from typing import Any, Final

from evenhand.report.page.contents import Page
from evenhand.report.page.context import Definition, time_text
from evenhand.report.page.document import Document
from evenhand.report.page.parts import Opening, Section
from evenhand.report.page.text import MATCHED
from evenhand.report.scores.features.opening import jointly, strongest
from evenhand.report.scores.match.chapters import training_chapters
from evenhand.report.scores.match.scored import explained_section, scored_opening
from evenhand.report.scores.match.trained import trained_opening
from evenhand.report.words.numbers import count_text, general_text
from evenhand.report.words.wording import capital, in_words
from evenhand.tables.audit.applicants.match import MatchAudit
from evenhand.tables.grouped.features import feature_groups

__all__ = ["PAGE"]

_DEFINITIONS: Final = (
    (
        "AUC",
        "Of two pairs, one with the label and one without, how often the first has the higher score; ties count half. "
        "0.5 is chance, 1 perfect order.",
    ),
    (
        "Margin, contribution",
        "A score before calibration is logistic(margin). The margin is the base plus what each feature adds; the base "
        "is the mean margin of the pairs that the model was fitted on.",
    ),
    (
        "Penalty (λ)",
        "What training adds to the log loss: λ times the squared difference of mean scores between two groups, "
        "averaged over pairs of groups, summed over attributes.",
    ),
    ("Match", "The calibrated score on a scale from 0 to 5, in half steps."),
    (
        "Calibrated",
        "Of pairs with a score of 0.7, about 70 % should have the label. It is fitted on validation pairs, by family "
        "of O*NET occupations where there are enough; never by group.",
    ),
)


def _opening(content: Document[MatchAudit, Any]) -> Opening:
    if content.audit.trained is not None:
        opening = trained_opening(content.audit, content.audit.trained)
        vetting = content.audit.trained.vetting
        if vetting is None:
            return opening
        groups = feature_groups(content.findings, vetting)
        told = ["One pair of each person was drawn to vet the features.", *strongest(groups), *jointly(groups, vetting)]
        return replace(opening, sentences=[*opening.sentences, " ".join(told)])
    return scored_opening(content.audit)


def _chapters(content: Document[MatchAudit, Any]) -> list[Section]:
    audit = content.audit
    if audit.trained is not None:
        return training_chapters(audit.trained, content.findings)
    return [explained_section(audit.explained)] if audit.explained else []


def _asked(content: Document[MatchAudit, Any]) -> list[Definition]:
    audit = content.audit
    rows = [
        ("Matcher", audit.model),
        ("People", count_text(audit.people)),
        ("Positions", count_text(audit.positions)),
        ("Pairs", count_text(audit.pairs)),
        *((capital(in_words(name)), _told(value)) for name, value in audit.parameters.items() if name not in _SIZES),
        ("Started", time_text(audit.started)),
        ("Finished", time_text(audit.finished)),
    ]
    return [(term, value) for term, value in rows if value]


_SIZES: Final = frozenset({"people", "positions", "pairs", "matcher"})


def _told(value: Any) -> str:
    return str(value["file"]) if isinstance(value, dict) else general_text(value)


PAGE: Final[Page[MatchAudit, Any]] = Page(
    opening=_opening,
    chapters=_chapters,
    asked=_asked,
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: list(_DEFINITIONS),
    text=MATCHED,
)
