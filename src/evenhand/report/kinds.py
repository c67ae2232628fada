"""Every kind of run and what its page says: a new kind is an entry here, its chapters in a folder of their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from markupsafe import Markup

from evenhand.report.impact.chapters import impact_sections
from evenhand.report.impact.counted import impact_asked, impact_limits
from evenhand.report.impact.definitions import impact_definitions
from evenhand.report.impact.opening import impact_opening
from evenhand.report.page.context import (
    Definition,
    asked_of_comparison,
    asked_of_suite,
    asked_rows,
    definitions,
    limits,
)
from evenhand.report.page.document import Document
from evenhand.report.page.parts import Section
from evenhand.report.page.text import APPLICANTS, MODEL, PageText
from evenhand.report.population.chapters import TwinShown, twins_shown
from evenhand.report.probe.card import card_html
from evenhand.report.probe.chapters import probe_chapters, probe_opening
from evenhand.report.probe.comparison import comparison_opening, comparison_sections
from evenhand.report.suite import suite_chapters, suite_opening
from evenhand.tables.audit.compare import CompareAudit
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.audit.probe import Example, ProbeAudit
from evenhand.tables.audit.suite import SuiteAudit
from evenhand.tables.grouped.compare import CompareGroups
from evenhand.tables.grouped.impact import ImpactGroups
from evenhand.tables.grouped.probe import ProbeGroups
from evenhand.tables.grouped.suite import SuiteGroups

__all__ = ["KINDS", "Kind", "kind_of"]

A = TypeVar("A", bound=Audit)
G = TypeVar("G")


def _limits(content: Document[Audit, Any]) -> list[str]:
    return limits(content.audit)


def _terms(content: Document[Audit, Any]) -> list[Definition]:
    return definitions({finding.mark for finding in content.findings if finding.mark is not None})


def _nothing(_content: Document[Audit, Any]) -> None:
    return None


def _none(_content: Document[Audit, Any]) -> Sequence[Any]:
    return ()


def _no_card(_content: Document[Audit, Any]) -> Markup:
    return Markup()


def _card(content: Document[ProbeAudit, ProbeGroups]) -> Markup:
    return card_html(content.audit.card)


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[A, G]):
    """What the page of a kind of run says, in the order in which it stands there."""

    opening: Callable[[Document[A, G]], list[str]]
    chapters: Callable[[Document[A, G]], list[Section]]
    asked: Callable[[Document[A, G]], list[Definition]]
    example: Callable[[Document[A, G]], Example | None] = _nothing
    twins: Callable[[Document[A, G]], Sequence[TwinShown]] = _none
    card: Callable[[Document[A, G]], Markup] = _no_card
    limits: Callable[[Document[A, G]], list[str]] = _limits
    definitions: Callable[[Document[A, G]], list[Definition]] = _terms
    text: PageText = MODEL


def _probe(*, saved: bool) -> Kind[ProbeAudit, ProbeGroups]:
    return Kind(
        opening=lambda content: probe_opening(content.groups, content.audit),
        chapters=lambda content: probe_chapters(content.groups, content.audit),
        asked=lambda content: asked_rows(content.audit, saved=saved),
        example=lambda content: content.audit.example,
        twins=lambda content: twins_shown(content.audit),
        card=_card,
    )


SUITE: Final[Kind[SuiteAudit, tuple[SuiteGroups, ...]]] = Kind(
    opening=lambda content: suite_opening(content.groups),
    chapters=lambda content: suite_chapters(content.groups),
    asked=lambda content: asked_of_suite(content.audit),
)
COMPARISON: Final[Kind[CompareAudit, tuple[CompareGroups, ...]]] = Kind(
    opening=lambda content: comparison_opening(content.groups),
    chapters=lambda content: comparison_sections(content.groups),
    asked=lambda content: asked_of_comparison(content.audit),
)
IMPACT: Final[Kind[ImpactAudit, ImpactGroups]] = Kind(
    opening=lambda content: impact_opening(content.groups, content.audit),
    chapters=lambda content: impact_sections(content.groups, content.audit),
    asked=lambda content: impact_asked(content.audit),
    limits=lambda content: impact_limits(content.groups, content.audit),
    definitions=lambda content: impact_definitions({row.measure for row in content.findings}),
    text=APPLICANTS,
)
KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    "probe": _probe(saved=False),
    "measure": _probe(saved=True),
    "suite": SUITE,
    "compare": COMPARISON,
    "impact": IMPACT,
}


def kind_of(content: Document[Audit, Any]) -> Kind[Any, Any]:
    """Return the kind of run that a document is of."""
    return KINDS[content.audit.kind]
