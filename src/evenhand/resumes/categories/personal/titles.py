"""Titles (Mr, Ms, Madam) before names and after labels, in any case.

MS is one where a name follows it, in a line all of capitals or without any.
"""

from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.education.school.words import SCHOOL_WORDS, heads
from evenhand.resumes.categories.education.study import kind_of
from evenhand.resumes.names.kinds import is_ordinary
from evenhand.resumes.names.lists import english_words, given_names, surnames
from evenhand.resumes.names.parts import PARTICLES
from evenhand.resumes.rules import Rule, pattern
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.word_tables import WordTable

__all__ = ["is_before_name", "titles"]

TITLE_WORDS = WordTable("evenhand.resumes.categories.personal", "titles.toml", compiled=pattern)

_DATED = lazy_re(r"[^\n]{0,24}\b(?:19|20)\d\d\b")
_SHORTEST = 3
_NEAR = 5


def is_before_name(folded: FoldedText, _first: int, last: int) -> bool:
    """Say whether a name follows these words in a line of one case.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> lines = "MS NKECHI BELL, HEAD", "MS BELL HAS LED US", "MS FINANCE, YALE", "MS BELL COLLEGE"
    >>> [is_before_name(folded_text(line), 0, 0) for line in lines]
    [True, True, False, False]
    """
    words, low = folded.words, folded.low
    end = words[last][2]
    if last + 1 >= len(words) or low[end : words[last + 1][1]] not in {" ", ". "} or not _is_of_one_case(folded, end):
        return False
    word, start, after = words[last + 1]
    word = word.removesuffix("'s")
    if (
        word in SCHOOL_WORDS.subjects
        or SCHOOL_WORDS.learning.match(low, start) is not None
        or kind_of(word) == "degree"
    ):
        return False
    line_end = low.find("\n", end) % (len(low) + 1)
    near = [each for each, begin, _ in words[last + 1 : last + _NEAR] if begin < line_end]
    if not heads().isdisjoint(near):
        return False
    if TITLE_WORDS.person_after.match(low, after) is not None and len(word) >= _SHORTEST:
        return True
    if _DATED.match(low, after) is not None or (len(near) > 1 and low[after] == " " and kind_of(near[1]) == "work"):
        return False
    return (
        _is_name(word)
        or (word in PARTICLES and len(near) > 1 and _is_name(near[1]))
        or (len(near) > 1 and word in given_names() and near[1] in surnames())
    )


def _is_name(word: str) -> bool:
    known = word in given_names() or word in surnames()
    return known and len(word) >= _SHORTEST and not is_ordinary(word) and word not in english_words()


def _is_of_one_case(folded: FoldedText, place: int) -> bool:
    last = folded.text.find("\n", place)
    line = folded.text[folded.text.rfind("\n", 0, place) + 1 : last if last >= 0 else len(folded.text)]
    return line.isupper() or line.islower()


@cache
def titles() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return {
        "title": Rule(
            confidence=0.98,
            tail=pattern(r"\."),
            case="title",
            not_after=TITLE_WORDS.title_not_after,
        ),
        "title_small": Rule(
            confidence=0.85,
            after=pattern(r"\.?\s+[a-z]{2,}"),
            case="small",
        ),
        "title_caps": Rule(
            confidence=0.9,
            tail=pattern(r"\."),
            after=pattern(r"\.\s*[^\W\d_]"),
            not_after=TITLE_WORDS.title_caps_not_after,
            not_before=pattern(r"\d[ \t]*\Z"),
        ),
        "title_ms": Rule(
            confidence=0.85,
            check=is_before_name,
        ),
        "title_before_name": Rule(
            confidence=0.95,
            capital_next=True,
            not_after=TITLE_WORDS.title_before_name_not_after,
            case="capital",
        ),
    }
