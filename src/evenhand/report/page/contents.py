"""What a kind of run puts on its page: the callables that a `Page` declares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from markupsafe import Markup

from evenhand.report.page.context import Definition, definitions, limits
from evenhand.report.page.parts import PageSummary, Section
from evenhand.report.page.text import MODEL, PageText
from evenhand.report.population import CounterfactualText
from evenhand.results.audit import Example, Header
from evenhand.results.finding import Finding
from evenhand.results.kinds import RUN_KINDS
from evenhand.results.result import Result

A = TypeVar("A", bound=Header)
G = TypeVar("G")


def _limits(content: Result[Header, Any]) -> list[str]:
    return limits(content.audit)


def _terms(content: Result[Header, Any]) -> list[Definition]:
    return definitions({finding.mark for finding in content.findings if finding.mark is not None})


def _nothing(_content: Result[Header, Any]) -> None:
    return None


def _none(_content: Result[Header, Any]) -> Sequence[Any]:
    return ()


def _no_card(_content: Result[Header, Any]) -> Markup:
    return Markup()


@dataclass(frozen=True, kw_only=True)
class Page(Generic[A, G]):
    """What the page of a kind of run shows, in the order of the page.

    `asked` is its set-up, `other` less important parameters. `everything` are the rows of the table of all findings;
    findings.csv has the others, too.
    """

    opening: Callable[[Result[A, G]], PageSummary]
    chapters: Callable[[Result[A, G]], list[Section]]
    asked: Callable[[Result[A, G]], list[Definition]]
    other: Callable[[Result[A, G]], Sequence[Definition]] = _none
    example: Callable[[Result[A, G]], Example | None] = _nothing
    twins: Callable[[Result[A, G]], Sequence[CounterfactualText]] = _none
    card: Callable[[Result[A, G]], Markup] = _no_card
    limits: Callable[[Result[A, G]], list[str]] = _limits
    definitions: Callable[[Result[A, G]], list[Definition]] = _terms
    everything: Callable[[Result[A, G]], Sequence[Finding]] = lambda content: content.findings
    text: PageText = MODEL


def page_of(content: Result[Header, Any]) -> Page[Any, Any]:
    """Return the page of the kind of run that a document is of."""
    page: Page[Any, Any] = resolve_name(RUN_KINDS[content.audit.kind].page_at)
    return page
