"""Phrases of a few words that tell a category, each looked for only where one of its words stands.

Rules of a lexicon (see rules.py) claim one listed phrase with what stands beside it; a telling
is free within (`lost the sight of one eye`, `30% service-connected disability rating`).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, chain, compress
from typing import NamedTuple
from unicodedata import decimal

import regex

from evenhand.resumes.beginnings import LETTERS, beginnings
from evenhand.resumes.categories.community import sentence_around
from evenhand.resumes.endings import branches, group_of
from evenhand.resumes.plain import Plain, word_list
from evenhand.resumes.rules import Found, pattern

__all__ = ["START", "Telling", "Tellings", "telling"]

#: The beginning of a line, a sentence or an item of a list.
START = (
    r"(?:^|\n[ \t]*|[.;:|\u2022\u00b7*>\u25a0\u25aa\u27a2\u2713"
    r"\u2192\u25cb\u25cf\u25c6\u25ba\u2756\u27a4\u00ab\u00bb\uf0b7~+\u2013-][ \t]+|\n[ \t]*o[ \t]+|"
    r"(?<=[\s\[,:])\"|<(?:li|p|td|b)>[ ]?|\\item[ ]+)"
)
#: Says whether an item begins at a place, read backwards from there.
_ITEM = regex.compile(rf"(?r){START}")

#: What says that a group may be left out or stand again.
_REPEATED = re.compile(r"[?*+{]")

#: So many characters before and after its word a telling may reach.
_BEFORE = 90
_AFTER = 130


class _AtWords(NamedTuple):
    """A pattern that is tried where words begin, and the beginnings of those that it can fit (None: any)."""

    expression: re.Pattern[str]
    beginnings: frozenset[str] | None


class _Words(NamedTuple):
    """Where words of a text begin, and their beginnings; one begins behind an apostrophe too: d'origine."""

    starts: list[int]
    beginnings: list[str]


@dataclass(frozen=True, kw_only=True)
class Telling:
    """A pattern around one of some words; its last group that matched is masked, else all of it.

    `capitals`: the pattern is read with its capitals. `not_in` must not stand in the sentence, `only_in` has to.
    """

    category: str
    words: frozenset[str]
    #: What begins with a word, what begins an item, and the rest, which is searched for.
    with_words: _AtWords | None
    with_items: _AtWords | None
    anywhere: re.Pattern[str] | None
    capitals: bool
    not_in: re.Pattern[str] | None
    only_in: re.Pattern[str] | None
    confidence: float

    def found(self, plain: Plain, start: int, end: int, near: _Words) -> tuple[int, int] | None:
        """Return what the telling masks around the word at this place, None where it doesn't hold.

        `near` has the words up to this one: patterns that begin with a word are tried there only.
        """
        text = plain.text if self.capitals else plain.low
        match = None
        if self.with_words is not None:
            match = _at_words(self.with_words, text, end, near)
        if match is None and self.with_items is not None:
            match = _at_words(self.with_items, text, end, near, items=True)
        if match is None and self.anywhere is not None:
            match = _searched(self.anywhere, text, start, end)
        if match is None:
            return None
        span = match.span(match.lastindex or 0)
        if self.not_in is not None or self.only_in is not None:
            sentence = sentence_around(plain, *span)
            if self.not_in is not None and self.not_in.search(sentence) is not None:
                return None
            if self.only_in is not None and self.only_in.search(sentence) is None:
                return None
        return span


def _at_words(expected: _AtWords, text: str, end: int, near: _Words, *, items: bool = False) -> re.Match[str] | None:
    starts: Iterable[int] = near.starts
    if expected.beginnings is not None:
        if expected.beginnings.isdisjoint(near.beginnings):
            return None
        starts = compress(starts, map(expected.beginnings.__contains__, near.beginnings))
    match_at, last, done = expected.expression.match, end + _AFTER, 0
    for begin in starts:
        match = match_at(text, begin, last)
        if match is not None and begin >= done and (not items or _ITEM.match(text, 0, begin) is not None):
            done = match.end()
            if done >= end:
                return match
    return None


def _searched(expression: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    for match in expression.finditer(text, max(0, start - _BEFORE), end + _AFTER):
        if match.start() > start:
            break
        if match.end() >= end:
            return match
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
    with_words, with_items, anywhere = [], [], []
    for text in chain.from_iterable(map(_split, patterns)):
        parts = branches(text)
        if all(each.startswith(r"\b") for each in parts):
            with_words.append(text)
        elif all(each.startswith(START) for each in parts):
            with_items += [each.removeprefix(START) for each in parts]
        else:
            anywhere.append(text)
    return Telling(
        category=category,
        words=frozenset(words.split()),
        with_words=_at_words_of(with_words) if with_words else None,
        with_items=_at_words_of(with_items) if with_items else None,
        anywhere=pattern(*anywhere) if anywhere else None,
        capitals=capitals,
        not_in=not_in,
        only_in=only_in,
        confidence=confidence,
    )


def _at_words_of(patterns: list[str]) -> _AtWords:
    return _AtWords(pattern(*patterns), beginnings("|".join(patterns)))


def _split(text: str) -> list[str]:
    """Return a pattern that begins with an item's start, a word or something else as one for each."""
    group = group_of(text) if text.startswith("(?:") else ""
    rest = text.removeprefix(group)
    if not group or len(branches(text)) > 1 or _REPEATED.match(rest) is not None:
        return [text]
    kinds: dict[str, list[str]] = {}
    for each in branches(group.removeprefix("(?:").removesuffix(")")):
        begun = next((begun for begun in (START, r"\b") if each.startswith(begun)), "")
        kinds.setdefault(begun, []).append(each.removeprefix(begun))
    return [f"{begun}(?:{'|'.join(those)}){rest}" for begun, those in kinds.items()] if len(kinds) > 1 else [text]


class Tellings:
    """Tellings by the words that they are looked for at."""

    def __init__(self, tellings: Iterable[Telling]) -> None:
        #: Word → word that has to stand before it ("": any) → tellings.
        self._by_word: dict[str, dict[str, list[Telling]]] = {}
        for each in tellings:
            for words in each.words:
                before, _, word = words.rpartition("+")
                self._by_word.setdefault(word, {}).setdefault(before, []).append(each)
        self._words = word_list(self._by_word)

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
        listed = plain.common(self._words)
        starts, begun = _words_of(plain) if listed else _Words([], [])
        for word in listed:
            by_before = self._by_word[word]
            always = by_before.get("", [])
            for place in where[word]:
                asked = always + by_before.get(words[place - 1][0], []) if place else always
                if not asked:
                    continue
                _, start, end = words[place]
                first, last = bisect_left(starts, start - _BEFORE), bisect_right(starts, start)
                near = _Words(starts[first:last], begun[first:last])
                for each in asked:
                    span = each.found(plain, start, end, near)
                    if span is not None:
                        found.append(Found(*span, each.category, "told_phrase", each.confidence))
        return found


def _words_of(plain: Plain) -> _Words:
    starts, found = plain.starts, [word[:LETTERS] for word, _, _ in plain.words]
    if plain.elided:
        starts = starts.copy()
        for place in reversed(plain.elided):
            parts = plain.words[place][0].split("'")
            begins = accumulate((len(part) + 1 for part in parts[:-1]), initial=starts[place])
            starts[place : place + 1] = begins
            found[place : place + 1] = [part[:LETTERS] for part in parts]
    if any(map(str.isdecimal, plain.foreign)):
        found = ["".join(str(decimal(letter, letter)) for letter in each) for each in found]
    return _Words(starts, found)
