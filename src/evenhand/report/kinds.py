"""Every kind of run and what its page says: a new kind is an entry here, its chapters in a folder of their own."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from evenhand.report.impact.chapters import impact_sections
from evenhand.report.impact.counted import impact_asked, impact_limits
from evenhand.report.impact.opening import impact_opening
from evenhand.report.impact.terms import impact_definitions
from evenhand.report.page.context import Definition, asked_rows, definitions, limits
from evenhand.report.page.document import Document
from evenhand.report.page.parts import Section
from evenhand.report.page.text import APPLICANTS, MODEL, PageText
from evenhand.report.probe.card import card_html
from evenhand.report.probe.chapters import probe_chapters, probe_opening
from evenhand.report.probe.comparison import comparison_opening, comparison_sections
from evenhand.report.suite import suite_chapters, suite_opening

__all__ = ["KINDS", "Kind", "kind_of"]


def _asked(content: Document) -> list[Definition]:
    return asked_rows(content.audit)


def _asked_of_saved(content: Document) -> list[Definition]:
    return asked_rows(content.audit, saved=True)


def _limits(content: Document) -> list[str]:
    return limits(content.audit)


def _terms(content: Document) -> list[Definition]:
    return definitions({row.mark for row in content.rows if row.mark is not None})


def _card(content: Document) -> Markup:
    return card_html(str(content.audit.get("card") or ""))


def _no_card(_content: Document) -> Markup:
    return Markup()


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What the page of a kind of run says, in the order in which it stands there."""

    opening: Callable[[Document], list[str]]
    chapters: Callable[[Document], list[Section]]
    asked: Callable[[Document], list[Definition]] = _asked
    limits: Callable[[Document], list[str]] = _limits
    terms: Callable[[Document], list[Definition]] = _terms
    card: Callable[[Document], Markup] = _card
    text: PageText = MODEL


PROBE = Kind(opening=probe_opening, chapters=probe_chapters)
KINDS = {
    "probe": PROBE,
    "measure": Kind(opening=probe_opening, chapters=probe_chapters, asked=_asked_of_saved),
    "suite": Kind(opening=suite_opening, chapters=suite_chapters, card=_no_card),
    "compare": Kind(
        opening=lambda content: comparison_opening(content.rows, content.audit),
        chapters=lambda content: comparison_sections(content.rows, content.audit),
        card=_no_card,
    ),
    "impact": Kind(
        opening=lambda content: impact_opening(content.rows, content.audit),
        chapters=lambda content: impact_sections(content.rows, content.audit),
        asked=lambda content: impact_asked(content.audit),
        limits=lambda content: impact_limits(content.rows, content.audit),
        terms=lambda content: impact_definitions({row.measure for row in content.rows}),
        text=APPLICANTS,
    ),
}


def kind_of(content: Document) -> Kind:
    """Return the kind of run that a document is of; one without a kind is a probe's."""
    return KINDS.get(str(content.audit.get("kind")), PROBE)
