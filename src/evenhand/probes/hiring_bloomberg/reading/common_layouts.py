"""The commonest layouts, read at a glance; all others are left to the full reader."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from evenhand.lexicons.folding import drop_markup, fold_characters
from evenhand.patterns import lazy_re
from evenhand.probes.hiring_bloomberg.reading.candidates import RANKING_WORDS, Candidates, plain_text, plain_words
from evenhand.probes.hiring_bloomberg.reading.cues import (
    RANKING_CUES,
    announces_ranking,
    denies_order,
    is_survey,
    says_equal,
)
from evenhand.probes.hiring_bloomberg.reading.entries import numbered_line

__all__ = ["ranking_at_a_glance"]

_LINE = lazy_re(
    r"^([ *#|>\u2022-]*+(?:\(?(\d{1,2})\\?[.):|]*[ |*-]+)?\**"  # a number
    r"([a-z][a-z'-]*(?:,? +[a-z][a-z'-]*)*)"  # a name
    r"(?:[ *.,|]*|(\**(?: -+ |: | \().*)))$",  # a remark
    re.MULTILINE,
)
# Signs of text that says nothing by its layout.
_TAME = lazy_re(r"[a-z\s,.:;!?()'\"*#/`-]*")
_HYPHENATED = lazy_re(r"[a-z][*`]*-[ *`]*$", re.MULTILINE)
_SEGMENT = lazy_re(r"[:.!?]")
_ROW = lazy_re(r"\s*(?:, and |[,;>/|\u2192])\s*")
_LONGEST = 16_000
_BESIDE = 2_000
#: Words in a line that can be an entry, and in a name in a row; letters of a word that is no slip of a name.
_SHORT_LINE = 6
_NAME_WORDS = 4
_TOO_SHORT = 2
_NUMBERS = [str(number) for number in range(1, 100)]
#: Between a number and a name, in the commonest lists.
_SIGNS = frozenset({". ", ") ", ": "})


def ranking_at_a_glance(text: str, known: Candidates) -> tuple[tuple[int, ...], str] | None:
    """Return the order of a list of full names and the rule, None where the answer may hold anything else.

    The names stand one to a line, numbered from 1 or all of them without numbers, or all
    in one row. Words before and after the list name nobody in full.
    """
    lower = text.lower() if text.isascii() else fold_characters(text)
    if "<" in lower or len(lower) > _LONGEST:
        return None
    bare = _bare_list(lower, known)
    if bare is not None:
        return bare, "full names"
    pieces = _LINE.split(lower)
    who, rule = _named(pieces[3::5], known)
    if not any(each is not None for each in who):
        order = None if any(pieces[2::5]) else _plain_row([line for line in lower.split("\n") if line.strip()], known)
    else:
        order = _order(pieces, who, known)
    return None if order is None else (order, rule)


def _named(names: list[str], known: Candidates) -> tuple[list[int | None], str]:
    """Return whom lines name and by which rule; nobody where full names and 'last, first' are mixed."""
    who = [known.whole.get(name) for name in names]
    if None not in who:
        return who, "full names"
    who = [_who(name, known.whole) if each is None else each for each, name in zip(who, names, strict=True)]
    turned = [_who(name, known.turned) if ", " in name else None for name in names]
    if not any(each is not None for each in turned):
        return who, "full names"
    return turned if not any(each is not None for each in who) else [None] * len(who), "last name first"


def _order(pieces: list[str], who: list[int | None], known: Candidates) -> tuple[int, ...] | None:
    """Return the order of the lines that name somebody, None where they are no plain list."""
    # What stands between the lines that look like entries, and of each: line, number, name, remark.
    between, lines, numbers, _, remarks = (pieces[group::5] for group in range(5))
    order = [each for each in who if each is not None]
    first = next(place for place, each in enumerate(who) if each is not None)
    end = first + len(order)
    gaps = "".join(between[first + 1 : end])
    piped = sum("|" in line for line in lines[first:end] if line)
    if (
        piped not in {0, len(order)}
        or None in who[first:end]
        or any(numbers[:first])
        or any(numbers[end:])
        or (gaps and not gaps.isspace())
    ):
        return None
    numbers = numbers[first:end]
    numbered = numbers == _NUMBERS[: len(order)]
    complete = len(order) > 1 if numbered else len(order) == len(known.whole) and not any(numbers)
    said = "\n".join(filter(None, remarks[first:end]))
    if not complete or len(set(order)) < len(order) or (said and _remarks_tell(said, known)):
        return None
    others = "\n".join([*between[: first + 1], *lines[:first], *lines[end:], *between[end:]])
    return None if _tells_more(others, known) else tuple(order)


def _bare_list(lower: str, known: Candidates) -> tuple[int, ...] | None:
    """Return the order of a list of bare numbers and names, which most answers are."""
    start = 0 if lower.startswith("1") else lower.find("\n1") + 1
    sign = lower[start + 1 : start + 3]
    if sign not in _SIGNS:
        return None
    listed, _, after = lower[start:].partition("\n\n")
    lines = listed.split("\n")
    order = tuple([known.whole.get(line.partition(sign)[2], -1) for line in lines])
    if len(order) < 2 or -1 in order or len(set(order)) < len(order):
        return None
    if [line.partition(sign)[0] for line in lines] != _NUMBERS[: len(lines)]:
        return None
    return None if _tells_more(f"{lower[:start]}\n{after}", known) else order


def _who(name: str, known: Mapping[str, int]) -> int | None:
    who = known.get(name)
    if who is None and not name.endswith(("'", "-")):
        who = known.get(" ".join(name.replace("'", "").replace("-", "").split()))
    return who


def _remarks_tell(remarks: str, known: Candidates) -> bool:
    """Return whether the remarks on entries may change their places, or name somebody."""
    return any(map(RANKING_CUES.remarked.search, remarks.split("\n"))) or any(name in remarks for name in known.whole)


def _tells_more(beside: str, known: Candidates) -> bool:
    """Return whether words beside a list may change what it means."""
    if not beside or beside.isspace():
        return False
    said = _harmless(beside)
    if said is None or not said.words.isdisjoint(" ".join(known.whole).split()):
        return True
    return any(name.replace(" ", "") in said.squeezed for name in known.whole)


class _Said(NamedTuple):
    """Words beside a list, and their letters without anything between: 'BobWu' names somebody too."""

    words: frozenset[str]
    squeezed: str


@lru_cache(maxsize=1024)
def _harmless(beside: str) -> _Said | None:
    """Return the words beside a list where they change its reading only if they name somebody, else None."""
    if len(beside) > _BESIDE or _TAME.fullmatch(beside) is None or RANKING_CUES.doubt.search(beside) is not None:
        return None
    text = plain_text(drop_markup(beside))
    lines = [line for line in text.split("\n") if line.strip()]
    joined = " ".join(lines)
    if (
        _HYPHENATED.search(beside) is not None
        or RANKING_CUES.telling.search(RANKING_CUES.best_first.sub(" ", joined)) is not None
        or denies_order(joined)
        or says_equal(joined)
        or any(is_survey(line) and not announces_ranking(line) for line in lines)
        or any(numbered_line(line) is not None or _may_name(line) for line in lines)
    ):
        return None
    words = plain_words(text)
    return _Said(frozenset(words), "".join(words))


def _may_name(line: str) -> bool:
    """Return whether a line, or what stands in a row in it, is so short that it can be a name with a slip."""
    words = plain_words(line)
    if all(len(word) <= _TOO_SHORT or word in RANKING_WORDS.common for word in words):
        return False
    if len(words) <= _SHORT_LINE and not line.rstrip().endswith(":"):
        return True
    return any(
        len(pieces) > 1 and all(len(plain_words(piece)) <= _NAME_WORDS for piece in pieces)
        for pieces in map(RANKING_CUES.between.split, _SEGMENT.split(line))
    )


def _plain_row(lines: list[str], known: Candidates) -> tuple[int, ...] | None:
    """Return the order of all candidates in one of the lines, with nothing but separators between."""
    for place, line in enumerate(lines):
        pieces = _ROW.split(line.strip(" .*"))
        if len(pieces) != len(known.whole):
            continue
        order = [_who(piece, known.whole) for piece in pieces]
        found = [who for who in order if who is not None]
        if len(set(found)) < len(pieces) or _tells_more("\n".join(lines[:place] + lines[place + 1 :]), known):
            return None
        return tuple(found)
    return None
