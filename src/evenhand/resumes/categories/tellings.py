"""Phrases of a few words that tell a category, each looked for only where one of its words stands.

Rules of a lexicon (see rules.py) claim one listed phrase with what stands beside it; a telling
is free within (`lost the sight of one eye`, `30% service-connected disability rating`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evenhand.resumes.categories.community import sentence_around
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found, pattern

__all__ = ["START", "Telling", "Tellings", "telling"]

#: The beginning of a line, a sentence or an item of a list.
START = (
    r"(?:^|\n[ \t]*|[.;:|\u2022\u00b7*>\u25a0\u25aa\u27a2\u2713"
    r"\u2192\u25cb\u25cf\u25c6\u25ba~+\u2013-][ \t]+|\n[ \t]*o[ \t]+)"
)

#: So many characters before and after its word a telling may reach.
_BEFORE = 90
_AFTER = 130


@dataclass(frozen=True, kw_only=True)
class Telling:
    """A pattern around one of some words; its last group that matched is masked, else all of it.

    `capitals`: the pattern is read with its capitals. `not_in` must not stand in the sentence, `only_in` has to.
    """

    category: str
    words: frozenset[str]
    expression: re.Pattern[str]
    capitals: bool
    not_in: re.Pattern[str] | None
    only_in: re.Pattern[str] | None
    confidence: float

    def found(self, plain: Plain, start: int, end: int) -> tuple[int, int] | None:
        """Return what the telling masks around the word at this place, None where it doesn't hold."""
        text = plain.text if self.capitals else plain.low
        for match in self.expression.finditer(text, max(0, start - _BEFORE), end + _AFTER):
            if match.start() > start:
                break
            span = match.span(match.lastindex or 0)
            if match.end() < end:
                continue
            if self.not_in is not None or self.only_in is not None:
                sentence = sentence_around(plain, *span)
                if self.not_in is not None and self.not_in.search(sentence) is not None:
                    return None
                if self.only_in is not None and self.only_in.search(sentence) is None:
                    return None
            return span
        return None


def telling(
    category: str,
    words: str,
    *patterns: str,
    capitals: bool = False,
    not_in: re.Pattern[str] | None = None,
    only_in: re.Pattern[str] | None = None,
    confidence: float = 0.88,
) -> Telling:
    """Return the telling of these patterns, looked for at any of `words`; a blank stands for a line break as well.

    `is+from` among the words is `from` behind `is`.
    """
    return Telling(
        category=category,
        words=frozenset(words.split()),
        expression=pattern(*patterns),
        capitals=capitals,
        not_in=not_in,
        only_in=only_in,
        confidence=confidence,
    )


class Tellings:
    """Tellings by the words that they are looked for at."""

    def __init__(self, tellings: Iterable[Telling]) -> None:
        self._by_word: dict[str, list[tuple[str, Telling]]] = {}
        for each in tellings:
            for words in each.words:
                before, _, word = words.rpartition("+")
                self._by_word.setdefault(word, []).append((before, each))

    def found(self, plain: Plain) -> list[Found]:
        """Return what the tellings of a text mask.

        >>> from evenhand.resumes.plain import plain_text
        >>> tellings = Tellings([telling("DISABILITY", "lost", "lost an? (?:leg|arm)")])
        >>> seen = plain_text("She lost an arm at work and lost a bet.")
        >>> [seen.text[found.start : found.end] for found in tellings.found(seen)]
        ['lost an arm']
        """
        found: list[Found] = []
        where, words = plain.where, plain.words
        for word in where.keys() & self._by_word.keys():
            for place in where[word]:
                _, start, end = words[place]
                previous = words[place - 1][0] if place else ""
                for before, each in self._by_word[word]:
                    if before and before != previous:
                        continue
                    span = each.found(plain, start, end)
                    if span is not None:
                        found.append(Found(*span, each.category, "told_phrase", each.confidence))
        return found
