"""Cards of recommendations: positions for a person, or masked candidates for a position."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from markupsafe import Markup

from evenhand.report.page.style import page_policy, page_style
from evenhand.report.page.template import page_template
from evenhand.report.words.numbers import counted

__all__ = ["Card", "CardList", "cards_page"]


@dataclass(frozen=True, kw_only=True)
class Card:
    """A recommendation: what it is called and where, its match of 5, what was found, skills, the masked text."""

    rank: int
    heading: str
    place: str
    match: float
    strong: bool
    found: Sequence[str]
    skills: Sequence[str]
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class CardList:
    """The cards of a person or a position, the best first."""

    heading: str
    cards: Sequence[Card]


def cards_page(shown: Sequence[CardList], *, lists: int, for_people: bool) -> str:
    """Return the page of the lists that are shown, of so many."""
    style = page_style() + (resources.files(__package__) / "cards.css").read_text("utf-8")
    ranked = "Positions, the best match first" if for_people else "Candidates, the best match first, masked"
    whom = ("person", "people") if for_people else ("position", "positions")
    if lists > len(shown):
        told = f"The first {len(shown):,} of {counted(lists, *whom)}; recommendations.jsonl has all."
    else:
        told = f"{counted(lists, *whom)}."
    return page_template("scores/match/cards.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        heading="Recommended positions" if for_people else "Recommended candidates",
        introduction=f"{ranked}. {told}",
        lists=shown,
        match=_match,
    )


def _match(card: Card) -> str:
    return "Strong match" if card.strong else f"Match {card.match:g} of 5"
