"""Names of schools in a text without capitals, and as values of labels: `mba @ lehigh university`, `School: X`."""

import re
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.education.school.words import SCHOOL_WORDS, listed
from evenhand.resumes.categories.education.study import kind_of
from evenhand.resumes.text.folded_text import FoldedText, folded_text

__all__ = ["in_capitals", "letters"]


@cache
def _small_words() -> frozenset[str]:
    found: frozenset[str] = SCHOOL_WORDS.links | frozenset(
        {
            "with",
            "from",
            "first",
            "second",
            "class",
            "passed",
            "out",
            "completed",
            "expected",
            "graduated",
            "since",
            "to",
            "until",
            "now",
            "present",
            "grade",
            "distinction",
            "merit",
            "upper",
            "lower",
            "then",
            "by",
            "on",
            "or",
            "that",
            "was",
            "it",
            "is",
            "i",
            "my",
            "a",
            "an",
            "went",
            "where",
            "which",
            "as",
            "after",
        }
    )
    return found


_ANY_WORD = lazy_re(r"[^\W\d_][\w']*")
_ABBREVIATION = 5


@cache
def letters() -> dict[str, str]:
    """Return names in short that are capitals, by how they read in small letters: mit, ucla."""
    names = [name for rule in ("known", "bare") for name in listed(rule) if name.isupper()]
    names += [name for name in listed("prefix") if name.isupper() and name.isalpha() and len(name) == _ABBREVIATION - 1]
    first = [name.split(" ")[0] for name in listed("known") if " " in name]
    names += [name for name in first if name.isupper() and name.isalpha() and 1 < len(name) < _ABBREVIATION]
    return {name.lower(): name for name in names}


def in_capitals(folded: FoldedText, spans: list[tuple[int, int]]) -> FoldedText | None:
    """Return a text with capitals in lines without any or with all, as another writer has them, if it can be.

    >>> seen = folded_text("bsc nursing, university of leeds with merit, later ucla")
    >>> in_capitals(seen, [(0, len(seen.text))]).text
    'BSC Nursing, University of Leeds with merit, Later UCLA'
    """
    pieces, done = [], 0
    for start, end in spans:
        pieces += [folded.text[done:start], _ANY_WORD.sub(_capital, folded.text[start:end])]
        done = end
    written = folded_text("".join([*pieces, folded.text[done:]]))
    return written if len(written.text) == len(folded.text) else None


def _capital(word: re.Match[str]) -> str:
    small = word.group().lower()
    if small in _small_words():
        return "A" if small == "a" and word.string.startswith("&", word.end()) else small  # North Carolina A&T
    if len(small) <= _ABBREVIATION and kind_of(small) == "degree":
        return small.upper()
    return letters().get(small) or small[0].upper() + small[1:]
