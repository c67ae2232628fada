"""What masking finds: stretches of a text with a category, and how overlaps are settled."""

from bisect import bisect_left
from collections.abc import Iterable
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["CATEGORIES", "OPTIONAL", "Span", "settled", "token_of"]

#: Masked always.
CATEGORIES = ("NAME", "GENDER", "ETHNICITY", "RELIGION", "DISABILITY", "MARITAL", "ORIENTATION", "EMAIL", "URL")
#: Masked when asked for: the option and its category.
OPTIONAL = MappingProxyType(
    {"phone": "PHONE", "address": "ADDRESS", "dob": "DOB", "graduation_year": "GRADYEAR", "school": "SCHOOL"}
)
# What claims a character first. Whole things (addresses, schools) come before the words in them, names before words.
_FIRST = ("EMAIL", "URL", "PHONE", "DOB", "ADDRESS", "SCHOOL", "GRADYEAR", "NAME")
_ORDER = {category: place for place, category in enumerate(_FIRST)}
_LAST = len(_FIRST)


class Span(NamedTuple):
    """A stretch of the input, in code points, what it tells, the rule that found it, and how sure the rule is."""

    start: int
    end: int
    category: str
    rule: str
    confidence: float


def token_of(category: str) -> str:
    """Return what stands in the text instead of a span.

    >>> token_of("NAME")
    '[NAME]'
    """
    return f"[{category}]"


def settled(text: str, found: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans that don't overlap, in order; those of one category that touch across a blank are one.

    A span of a category that comes first keeps all of its characters; what another has
    outside of it stays its own.

    >>> spans = [
    ...     Span(start=0, end=9, category="RELIGION", rule="term", confidence=0.9),
    ...     Span(start=0, end=16, category="NAME", rule="known", confidence=1.0),
    ... ]
    >>> [(span.start, span.end, span.category) for span in settled("Christian Okafor led", spans)]
    [(0, 16, 'NAME')]
    """
    kept: list[Span] = []  # in order
    starts: list[int] = []
    for span in sorted(found, key=_precedence):
        after = before = bisect_left(starts, span.end)
        while before and kept[before - 1].end > span.start:
            before -= 1
        if before == after:
            starts.insert(after, span.start)
            kept.insert(after, span)
            continue
        if kept[before].start <= span.start and span.end <= kept[before].end:
            continue
        for piece in _outside(text, span, kept[before:after]):
            place = bisect_left(starts, piece.start)
            starts.insert(place, piece.start)
            kept.insert(place, piece)
    joined: list[Span] = []
    for span in kept:
        last = joined[-1] if joined else None
        if last is not None and last.category == span.category and _touch(text, last, span):
            joined[-1] = Span(
                start=last.start,
                end=span.end,
                category=last.category,
                rule=last.rule,
                confidence=max(last.confidence, span.confidence),
            )
        else:
            joined.append(span)
    return tuple(joined)


def _precedence(span: Span) -> tuple[int, int, int]:
    return _ORDER.get(span.category, _LAST), span.start - span.end, span.start


def _touch(text: str, left: Span, right: Span) -> bool:
    """Say whether only blanks stand between; categories that come as wholes don't join across lines."""
    gap = text[left.end : right.start]
    if not gap:
        return left.category == "NAME"
    return gap.isspace() and "\n\n" not in gap and left.category in {"NAME", "ETHNICITY", "DISABILITY", "ADDRESS"}


def _outside(text: str, span: Span, others: list[Span]) -> list[Span]:
    """Return the pieces of a span that others, which overlap it, leave; blanks and marks at the edges left out."""
    free = [(span.start, span.end)]
    for other in others:
        free = [
            piece
            for start, end in free
            for piece in ((start, min(end, other.start)), (max(start, other.end), end))
            if piece[0] < piece[1]
        ]
    pieces = []
    for start, end in free:
        first, last = start, end
        while first < last and not text[first].isalnum():
            first += 1
        while last > first and not text[last - 1].isalnum():
            last -= 1
        if first < last:
            pieces.append(
                Span(start=first, end=last, category=span.category, rule=span.rule, confidence=span.confidence)
            )
    return pieces
