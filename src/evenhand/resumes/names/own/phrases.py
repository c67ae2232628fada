"""Phrases that only a person's own name follows: `my name is`, `CV of`, `known as`, `formerly`."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import takewhile

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import given_names, no_names
from evenhand.resumes.names.own.candidates import Candidate, is_clean
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.names.shapes import NAME, inverted, looks_like_a_name
from evenhand.resumes.text.folded_text import FoldedText, word_list

__all__ = ["phrased", "renamed"]

_NAME = lazy_re(NAME)
_INVERTED = lazy_re(rf"{NAME}, {NAME}")
_ENDED = lazy_re(r"[\"']?[ ]*(?:[.;,)\n|\"']|$)")


# What leads from such a word to a name.
@cache
def _lead() -> dict[str, re.Pattern[str]]:
    return {
        "document": lazy_re(r"\w+ (?:of|for|from|by)[ ]+(?:(?:mr|mrs|ms|mx|dr)\.?[ ]+)?"),
        "name": lazy_re(r"name is[ ]+|(?<=your )name\?\s+|(?<=full )name\?\s+"),
        "you": OWN_NAME_WORDS.lead_you,
        "call": lazy_re(r"(?:calls? me|knows? me as|go by|goes by)[\s>]+"),
        "known": OWN_NAME_WORDS.lead_known,
        "please": OWN_NAME_WORDS.lead_please,
        "ask": lazy_re(r"ask(?: at the \w+)? for[ ]+"),
        "shorten": lazy_re(r"\w+ (?:it|that|this|my name) to[ ]+[\"']?"),
        "badge": OWN_NAME_WORDS.lead_badge,
        "maiden": lazy_re(r"\w+ name[:,]?[ ]+(?:(?:is|was)[ ]+)?"),
        "published": OWN_NAME_WORDS.lead_published,
        "formerly": lazy_re(r"(?<=\()\w+[ ]+|\w+ (?:known|published) as[ ]+"),
        "aka": lazy_re(r"aka[ ]+"),
        "i": lazy_re(r"i (?:am[ ]+|(?:am|was) (?:just |only |simply )?\"(?=\w))"),
        "undersigned": lazy_re(r"undersigned,?[ ]+"),
        "im": lazy_re(r"i'm[ ]+"),
        "hello": lazy_re(r"\w+,?[ ](?:this is[ ])?"),
        "interview": lazy_re(r"(?:interview|conversation|q&a|q & a) with[ ]+"),
        "copyright": lazy_re(r"(?:copyright|(?<=\()c\))[ ]*(?:19|20)\d\d(?:-\d+)?[ ]+(?:by[ ])?"),
    }


#: What must follow the name.
_FOLLOW = {
    "you": _ENDED,
    "please": _ENDED,
    "ask": _ENDED,
    "shorten": _ENDED,
    "badge": lazy_re(r"[.;,\n]|$"),
    "published": _ENDED,
    "i": lazy_re(r"[,.!\"]| and I\b| - "),
    "undersigned": lazy_re(r",? "),
    "im": lazy_re(r"[,.!]| and I\b| - |[ *]*(?:\n|$)"),
    "hello": lazy_re(r" here\b"),
    "interview": lazy_re(r"[ ]*(?:\n|$|[.,:(])"),
}


@cache
def _at_word() -> dict[str, tuple[re.Pattern[str], re.Pattern[str] | None]]:
    return {
        word: (_lead()[name], _FOLLOW.get(name))
        for name, words in OWN_NAME_WORDS.phrase_words.items()
        for word in words.split()
    }


@cache
def _at_words() -> frozenset[str]:
    return word_list(_at_word())


_COPYRIGHT_BY = lazy_re(r"\u00a9[ ]*(?:19|20)\d\d(?:-\d+)?[ ]+(?:by[ ])?")


def renamed(folded: FoldedText, person: Collection[Name]) -> list[Name]:
    """Return earlier names: after `Formerly` that begins a sentence, with the person's first name, or after its name.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Jane Doe, formerly Roe. Formerly Jane Smith. Formerly a clerk.")
    >>> [name.text for name in renamed(seen, [name_of("Jane Doe")])]
    ['Roe', 'Jane Smith']
    """
    if folded.where.keys().isdisjoint(_EARLIER):
        return []
    own = {token for name in person for token in name.tokens}
    firsts = {name.tokens[0] for name in person if name.tokens}
    found = []
    for place in folded.places(_EARLIER):
        _, start, end = folded.words[place]
        _, _, before = folded.words[place - 1]
        if place and folded.words[place - 1][0] in own and folded.text[before:start] in _BEFORE_EARLIER:
            named, _ = _name_at(folded.text, end + 1, inverted_too=False)
            if named:
                found.append(name_of(named))
    named_so = (
        _name_at(folded.text, match.end(), inverted_too=False)[0]
        for match in OWN_NAME_WORDS.renamed.finditer(folded.text)
    )
    found += [name_of(text) for text in named_so if " " in text]
    return [name for name in found if name.tokens and (len(name.tokens) == 1 or name.tokens[0] in firsts)]


_EARLIER = word_list({"formerly", "previously", "earlier"})
_BEFORE_EARLIER = frozenset({", ", " (", " ", ",\n", "\n"})


_HEREBY = lazy_re(r"i,[ ](?=\w)")
_INTRODUCING = frozenset({"i", "i'm", "hi", "hello", "hey"})


def phrased(folded: FoldedText) -> list[Candidate]:
    """Return names in phrases that only a person's own name follows: CV of, my name is, formerly."""
    found = []
    for text, introduced in _own_phrases(folded):
        name = name_of(text)
        if not name.tokens or (
            introduced and len(name.tokens) < 2 and not (name.tokens[0] in given_names() or is_clean(name.tokens[0]))
        ):
            continue
        found.append(Candidate(name=name, score=6, sure=True))
    return found + [Candidate(name=name_of(text), score=6, sure=True) for text in _spoken(folded)]


def _spoken(folded: FoldedText) -> Iterator[str]:
    """Yield names after `my name is` in lines without capitals: what was said and written down by a machine."""
    low = folded.low
    if folded.where.keys().isdisjoint(_SAYING) or not any(phrase in low for phrase in _SAYINGS):
        return
    for match in OWN_NAME_WORDS.said.finditer(low):
        first, last = low.rfind("\n", 0, match.start()) + 1, low.find("\n", match.end())
        if not folded.text[first : last if last >= 0 else len(low)].islower():
            continue
        named = list(takewhile(lambda word: word not in OWN_NAME_WORDS.goes_on, match.group(1).split()))
        if named and any(len(word) > 2 for word in named):
            yield " ".join(named[:_LONGEST_SAID])


_SAYING = frozenset({"name", "name's", "call", "go"})
_SAYINGS = ("my name", "my full name", "you can call me", "i go by")
_LONGEST_SAID = 5


def _own_phrases(folded: FoldedText) -> Iterator[tuple[str, bool]]:  # noqa: C901 - one branch per kind of phrase
    """Yield names in phrases, and whether it is a phrase such as `I'm`, which other words follow too."""
    text, low = folded.text, folded.low
    for place in folded.places(_at_words()):
        word, start, _ = folded.words[place]
        lead, follow = _at_word()[word]
        before = lead.match(low, start)
        if word == "i" and before is None:
            before, follow = _HEREBY.match(low, start), OWN_NAME_WORDS.hereby_then
        if before is None:
            continue
        if word == "known" and OWN_NAME_WORDS.of_a_thing.search(low, max(0, start - 20), start) is not None:
            continue  # 'a product known as Falcon'
        named, end = _name_at(text, before.end(), inverted_too=follow is None)
        if named and (follow is None or follow.match(text, end) is not None):
            yield named, word in _INTRODUCING
    if "\u00a9" in text:
        for match in _COPYRIGHT_BY.finditer(low):
            named, _ = _name_at(text, match.end(), inverted_too=False)
            if named:
                yield named, False
    for thing in OWN_NAME_WORDS.owned_things:
        place = low.find(f"'s {thing}") if thing in folded.where else -1
        if place >= 0:
            owned = OWN_NAME_WORDS.owned.match(text, low.rfind("\n", 0, place) + 1)
            if owned is not None and looks_like_a_name(owned.group(1), loose=True):
                yield owned.group(1), False


def _name_at(text: str, start: int, *, inverted_too: bool) -> tuple[str, int]:
    """Return the name that begins at a place and where it ends; empty where other words go with it."""
    particles = OWN_NAME_WORDS.particles.match(text, start)
    first = particles.end() if particles is not None else start
    match = _INVERTED.match(text, first) if inverted_too else None
    if match is None or not inverted(match.group()):
        match = _NAME.match(text, first)
    if match is None:
        return "", start
    named = _upto_no_name(match.group().removesuffix("'s"))
    return (text[start : first + len(named)], first + len(named)) if named else ("", start)


def _upto_no_name(text: str) -> str:
    """Return the beginning of a text that looks like a name; nothing where a firm's word ends it: `Lehman Brothers`."""
    words = text.split(" ")
    while words and not looks_like_a_name(" ".join(words), loose=True):
        if no_names().get(words[-1].lower()) == "organisation":
            return ""
        words.pop()
    return " ".join(words)
