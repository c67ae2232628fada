"""A text without capitals, with capitals where names may be: for recognisers that look for them.

Transcripts and hasty forms have no capitals. There a word in a list of frequent names gets one, and
so do unknown words and names that are words beside it, initials, and titles before it.
"""

from bisect import bisect_left
from dataclasses import replace
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import english_words, given_names, surnames
from evenhand.resumes.names.standing.sure_names import MENTION_WORDS
from evenhand.resumes.text.folded_text import FoldedText, word_list

__all__ = ["has_no_capitals", "with_capitals"]

_LEAST_WORDS = 40
#: Of a text without capitals, so few words have one.
_SHARE = 0.02
_TITLES = word_list({"mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "sir", "rev", "judge"})
_GAPS = frozenset({" ", "-", ". ", "'"})
_INITIAL_ENDS = lazy_re(r"\.|[,;)\n]|$")


def has_no_capitals(folded: FoldedText) -> bool:
    """Say whether so few words of a text, not a short one, have a capital that a small letter tells nothing."""
    return len(folded.words) >= _LEAST_WORDS and len(folded.capitals) <= _SHARE * len(folded.words)


def with_capitals(folded: FoldedText) -> FoldedText:
    """Return the text with capitals for what may be names if it has none of its own, else the same.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("i kept the books with amina kulkarni and dr. j. nowak of the mill. " * 4)
    >>> with_capitals(seen).text[:63]
    'i kept the books with Amina Kulkarni and Dr. J. Nowak of the mi'
    """
    if not has_no_capitals(folded):
        return folded
    words = folded.words
    places = _names(folded)
    if not places:
        return folded
    letters = list(folded.text)
    for place in places:
        start = words[place][1]
        letters[start] = letters[start].upper()
    return replace(folded, text="".join(letters), capitals=sorted(places.union(folded.capitals)))


def _names(folded: FoldedText) -> set[int]:
    """Return the places of words that may be part of a name."""
    words = folded.words
    listed = frozenset(word for word in folded.where if _is_frequent(word))
    found = set(folded.places(listed))
    found |= _told(folded)
    for step in (-1, 1):
        for place in sorted(found, reverse=step < 0):
            beside = place + step
            while (
                0 <= beside < len(words)
                and beside not in found
                and _goes_with(folded, min(beside, beside - step), beside)
            ):
                found.add(beside)
                beside += step
    return found


def _told(folded: FoldedText) -> set[int]:
    """Return the places of words that stand where a name does: behind a title or a cue, before an initial."""
    words, low = folded.words, folded.low
    found = set()
    for place in folded.places(_TITLES):
        for beside in range(place + 1, min(place + 3, len(words))):
            word, start, _ = words[beside]
            if low[words[beside - 1][2] : start] not in {" ", ". "} or kind_of(word) not in {"name", "word"}:
                break
            if word in MENTION_WORDS.no_names_here or (
                beside > place + 1 and word not in surnames() and kind_of(word) == "word"
            ):
                break
            found.add(beside)
    for place in folded.places(_cues()):
        if place + 2 < len(words) and _is_pair(folded, place):
            found |= {place + 1, place + 2}
    for match in _INVERTED.finditer(low):
        for at in (match.start(1), match.start(2)):
            place = bisect_left(folded.starts, at)
            if place < len(words) and words[place][1] == at:
                found.add(place)
    return found


def _is_pair(folded: FoldedText, place: int) -> bool:
    """Say whether a frequent given name and a frequent surname follow a word, words as well, and nothing with them."""
    low = folded.low
    (_, _, before), (first, start, end), (last, begin, stop) = folded.words[place : place + 3]
    apart = low[before:start] in _BEFORE_PAIR and low[end:begin] == " " and low[stop : stop + 1] in _PAIR_ENDS
    return apart and first in given_names() and last in surnames() and first not in MENTION_WORDS.no_names_here


#: `roe, a., lee, b.`: in lists of authors.
_INVERTED = lazy_re(r"(?<![\w'-])([a-z][\w'-]{1,20}), ([a-z])\.(?=,| &| and [a-z]| \()")


@cache
def _cues() -> frozenset[str]:
    return word_list(MENTION_WORDS.cues)


_BEFORE_PAIR = frozenset({" ", ": ", " ("})
_PAIR_ENDS = frozenset({",", ".", ")", "\n", "", " ", ";"})


def _goes_with(folded: FoldedText, first: int, place: int) -> bool:
    """Say whether a word, beside one that is a name, is a part of it: unknown, a name as well, an initial, a title."""
    words, low = folded.words, folded.low
    if low[words[first][2] : words[first + 1][1]] not in _GAPS:
        return False
    word, start, end = words[place]
    if len(word) == 1:
        return word.isalpha() and word != "i" and (low[end : end + 1] == "." or (place > first and _ends(low, end)))
    if word in _TITLES:
        return place == first
    if word in MENTION_WORDS.no_names_here or not start or not word.replace("'", "").replace("-", "").isalpha():
        return False
    kind = kind_of(word)
    if kind == "name":
        return word not in english_words()
    return kind in {"word", "other"} and (word in given_names() or word in surnames())


def _ends(low: str, end: int) -> bool:
    return _INITIAL_ENDS.match(low, end) is not None


def _is_frequent(word: str) -> bool:
    return (word in given_names() or word in surnames()) and kind_of(word) == "name" and word not in english_words()
