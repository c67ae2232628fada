"""Checks of rules for GENDER: titles before names, wards, S/o and W/o."""

from evenhand.masking.categories.school import SCHOOL_WORDS, heads
from evenhand.masking.categories.studies import kind_of
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names.parts import PARTICLES
from evenhand.masking.names.word_kinds import english_words, given_names, is_ordinary, surnames
from evenhand.masking.rules import pattern
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

GENDER_WORDS = WordTable("evenhand.masking.categories", "gender.toml", compiled=pattern)

_DATED = lazy_re(r"[^\n]{0,24}\b(?:19|20)\d\d\b")
_SHORTEST = 3
_NEAR = 5


def is_before_name(folded: FoldedText, _first: int, last: int) -> bool:
    """Say whether a name follows these words in a line of one case.

    >>> from evenhand.masking.folded_text import folded_text
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
    near = [word for word, begin, _ in words[last + 1 : last + _NEAR] if begin < line_end]
    if not heads().isdisjoint(near):
        return False
    if GENDER_WORDS.person_after.match(low, after) is not None and len(word) >= _SHORTEST:
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


def with_stroke(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether S/o and D/o are written with their stroke."""
    return folded.low[folded.words[first][2] : folded.words[last][1]] == "/"


def is_wife_of(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is written as W/o, not as w/o or W/O, which mean without."""
    return folded.text[folded.words[first][1] : folded.words[last][2]] == "W/o"


def is_no_ward(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is none where a nurse works: `Staff Nurse, Maternity`, not `Nurse, maternity leave`."""
    start = folded.words[first][1]
    ward = GENDER_WORDS.ward_before.search(folded.low, max(0, start - 56), start) is not None
    return not ward or GENDER_WORDS.leave.match(folded.low, folded.words[last][2]) is not None
