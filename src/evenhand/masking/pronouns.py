"""Spans and their replacements: categories, overlaps, and neutral pronouns with their verbs.

English only. `her` is `their` before a noun and `them` elsewhere; the verb after they loses
its -s, over an adverb too, and a second verb after `and` with it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import chain
from types import MappingProxyType
from typing import Annotated, NamedTuple

from evenhand.options import Group, Option
from evenhand.patterns import WordTable, lazy_re

#: The order in which personal categories claim a phrase that several have; others come last.
_CLAIMING = ("gender", "ethnicity", "religion", "disability", "marital", "orientation")
_FILES = (file.name.partition(".toml") for file in (resources.files("evenhand.masking") / "personal").iterdir())
#: The personal categories, one TOML file each in `personal`; a further file is a further category.
PERSONAL = tuple(dict.fromkeys((*_CLAIMING, *sorted(name for name, ending, _ in _FILES if ending))))
#: Masked always.
CATEGORIES = ("NAME", *map(str.upper, PERSONAL), "EMAIL", "URL")
#: Optional categories: the option and its category.
OPTIONAL = MappingProxyType(
    {"phone": "PHONE", "address": "ADDRESS", "dob": "DOB", "graduation_year": "GRADYEAR", "school": "SCHOOL"}
)
# What claims a character first. Whole things (addresses, schools) come before the words in them, names before words.
_FIRST = ("EMAIL", "URL", "PHONE", "DOB", "ADDRESS", "SCHOOL", "GRADYEAR", "NAME")
_ORDER = {category: place for place, category in enumerate(_FIRST)}
_LAST = len(_FIRST)


@dataclass(frozen=True, kw_only=True)
class MaskOptions(Group):
    """What is masked in addition to the default, and how."""

    optional: Annotated[
        tuple[str, ...],
        Option(
            f"Additional categories to mask: {', '.join(OPTIONAL)}.",
            commas=True,
            check=lambda category: category in OPTIONAL,
            expected=f"some of {', '.join(OPTIONAL)}",
        ),
    ] = ()
    strict: Annotated[
        bool,
        Option(
            "Also mask proxies (languages, women's colleges) and every word of the name; fail if a known name is "
            "not found."
        ),
    ] = False
    pronouns: Annotated[
        str,
        Option(
            "Replacement of pronouns: token, or neutral (they, with the verb adapted).",
            check=lambda instead: instead in {"token", "neutral"},
            expected="token or neutral",
        ),
    ] = "token"


@dataclass(frozen=True, kw_only=True)
class _Known(Group):
    known_names: Annotated[
        tuple[str, ...], Option("Name of the person in the document; repeatable.", flag="--known-name")
    ] = ()


@dataclass(frozen=True, kw_only=True)
class MaskSettings(MaskOptions, _Known):
    """Options of masking, and names of the person."""


class Span(NamedTuple):
    """A stretch of a text, in code points, its category, the rule that matched, and the rule's confidence."""

    start: int
    end: int
    category: str
    rule: str
    confidence: float


def token_of(category: str) -> str:
    """Return the token that replaces a span.

    >>> token_of("NAME")
    '[NAME]'
    """
    return f"[{category}]"


def resolve_overlaps(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans that don't overlap, in order; those of one category that touch across a blank are one.

    A span of a category that comes first keeps all of its characters; what another has
    outside of it stays separate.

    >>> spans = [
    ...     Span(start=0, end=9, category="RELIGION", rule="term", confidence=0.9),
    ...     Span(start=0, end=16, category="NAME", rule="known", confidence=1.0),
    ... ]
    >>> [(span.start, span.end, span.category) for span in resolve_overlaps("Christian Okafor led", spans)]
    [(0, 16, 'NAME')]
    """
    result: list[Span] = []  # in order
    starts: list[int] = []
    for span in sorted(spans, key=_precedence):
        after = before = bisect_left(starts, span.end)
        while before and result[before - 1].end > span.start:
            before -= 1
        for piece in _outside(text, span, result[before:after]) if before < after else (span,):
            place = bisect_left(starts, piece.start)
            starts.insert(place, piece.start)
            result.insert(place, piece)
    joined: list[Span] = []
    for span in result:
        last = joined[-1] if joined else None
        if last is not None and last.category == span.category and _touch(text, last, span):
            joined[-1] = last._replace(end=span.end, confidence=max(last.confidence, span.confidence))
        else:
            joined.append(span)
    return tuple(joined)


def _precedence(span: Span) -> tuple[int, int, int]:
    return _ORDER.get(span.category, _LAST), span.start - span.end, span.start


def _touch(text: str, left: Span, right: Span) -> bool:
    """Say whether only blanks are between; categories that come as wholes don't join across lines."""
    gap = text[left.end : right.start]
    if not gap:
        return left.category == "NAME"
    return gap.isspace() and "\n\n" not in gap and left.category in {"NAME", "ETHNICITY", "DISABILITY", "ADDRESS"}


def _outside(text: str, span: Span, others: Iterable[Span]) -> Iterator[Span]:
    """Yield the pieces of a span that others, which overlap it, leave, each from its first letter to its last."""
    edges = [span.start, *chain.from_iterable(other[:2] for other in others), span.end]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        piece = _LETTERS.search(text, start, end)
        if piece is not None:
            yield span._replace(start=piece.start(), end=piece.end())


_LETTERS = lazy_re(r"[^\W_](?:.*[^\W_])?", re.DOTALL)

PRONOUN_WORDS = WordTable("evenhand.masking", "pronouns.toml")

_SUBJECT = frozenset({"he", "she", "(s)he"})
_PRONOUN = lazy_re(r"\(s\)he|\w+")
_CONTRACTED = lazy_re(r"['\u2019](?P<end>s|d|ll)\b", re.IGNORECASE)
_NEXT = lazy_re(r"(\s+)([\w'\u2019-]+)")
#: Between two pronouns that are used as one: `his or her`, `he/she`.
_OR = lazy_re(r"\s*/\s*|\s+(?:or|and/or)\s+", re.IGNORECASE)
_LONGEST_BEFORE = 20


@dataclass(frozen=True)
class Rewritten:
    """The replacement of a pronoun, and its start and end in the input: with the verb, where that changed."""

    text: str
    start: int
    end: int


def neutral(text: str, spans: Iterable[Span]) -> dict[int, Rewritten]:
    """Return neutral replacements by the place of the pronoun; other words of gender get their token.

    Of two for one person (`his or her`) the replacement of the first covers both.

    >>> text = "She has led her team and manages budgets."
    >>> spans = [Span(start=0, end=3, category="GENDER", rule="pronoun", confidence=1.0)]
    >>> neutral(text, spans)[0]
    Rewritten(text='They have', start=0, end=7)
    """
    rewritten: dict[int, Rewritten] = {}
    ordered = list(spans)
    starts = [span.start for span in ordered] + [len(text)]
    ends = [0] + [span.end for span in ordered]
    for place, span in enumerate(ordered):
        written = _instead(text, span, ends[place], starts[place + 1]) if span.rule == "pronoun" else None
        if written is not None:
            key, begin = span.start, written.start
            if starts[place - 1] in rewritten and _OR.fullmatch(text, ends[place], span.start) is not None:
                key = begin = starts[place - 1]
            rewritten[key] = Rewritten(_cased(text[begin : span.end], written.text), begin, written.end)
    return rewritten


def _instead(text: str, span: Span, after: int, limit: int) -> Rewritten | None:
    """Return the replacement of one pronoun; the text before `after` and from `limit` on is another span's."""
    word = _PRONOUN.findall(text[span.start : span.end].lower())[0]
    if word in _SUBJECT:
        before = PRONOUN_WORDS.verb_before.search(text, max(after, span.start - _LONGEST_BEFORE), span.start)
        if before is None:
            return _subject(text, span, limit)
        return Rewritten(f"{_plural(before['verb'])}{before['gap']}they", before.start("verb"), span.end)
    if word in {"his", "her"}:
        instead = "their" if noun_follows(text, span.end) else "theirs" if word == "his" else "them"
    else:
        instead = PRONOUN_WORDS.plain.get(word)
    return Rewritten(instead, span.start, span.end) if instead is not None else None


def _subject(text: str, span: Span, limit: int) -> Rewritten:
    """Return `they` with the verb after it, and a second verb after `and`."""
    end = span.end
    contracted = _CONTRACTED.search(text, span.start, end + 3)
    if contracted is not None:
        short = contracted["end"].lower()
        if short == "s":
            short = "ve" if PRONOUN_WORDS.participle.match(text, contracted.end()) is not None else "re"
        return Rewritten(f"they'{short}", span.start, contracted.end())
    match = PRONOUN_WORDS.after_subject.match(text, end, limit)
    if match is None or _plural(match["verb"]) == match["verb"]:
        return Rewritten("they", span.start, end)
    replacement, end = f"they{match['gap']}{_plural(match['verb'])}", match.end()
    if match["verb"].lower() not in PRONOUN_WORDS.irregular:
        second = PRONOUN_WORDS.second.match(text, end, limit)
        if second is not None:
            replacement, end = replacement + second["gap"] + _plural(second["verb"]), second.end()
    return Rewritten(replacement, span.start, end)


def _plural(verb: str) -> str:
    """Return the form of a verb that goes with they.

    >>> [_plural(verb) for verb in ("has", "manages", "teaches", "carries", "led", "focuses", "discusses")]
    ['have', 'manage', 'teach', 'carry', 'led', 'focus', 'discuss']
    """
    low = verb.lower().replace("\u2019", "'")
    if low in PRONOUN_WORDS.irregular or not low.endswith("s") or low.endswith("ss") or low in PRONOUN_WORDS.no_verb:
        return str(PRONOUN_WORDS.irregular.get(low, verb))
    if low.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if low.endswith(("ches", "shes", "sses", "xes", "zzes", "oes", "focuses")) else verb[:-1]


def noun_follows(text: str, end: int) -> bool:
    """Say whether a noun follows a pronoun that ends at a place: `her team`, not `told her to`."""
    match = _NEXT.match(text, end)
    return match is not None and match.group(2).lower() not in PRONOUN_WORDS.no_noun and "\n\n" not in match.group(1)


def _cased(word: str, instead: str) -> str:
    if len(word) > 1 and word.isupper():
        return instead.upper()
    return instead[0].upper() + instead[1:] if word[0].isupper() else instead
