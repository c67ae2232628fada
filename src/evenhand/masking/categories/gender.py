"""Checks of rules for GENDER: titles before names, wards, S/o and W/o."""

from evenhand.masking.categories.school import heads
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names.word_kinds import english_words, given_names, surnames
from evenhand.masking.rules import TABLES

GENDER_WORDS = TABLES["gender"]


def is_before_name(folded: FoldedText, _first: int, last: int) -> bool:
    """Say whether a name follows these words in a line of one case.

    >>> from evenhand.masking.folded_text import folded_text
    >>> lines = "MS NKECHI BELL, HEAD", "MS BELL HAS LED US", "MS FINANCE, YALE", "MS BELL COLLEGE"
    >>> [is_before_name(folded_text(line), 0, 0) for line in lines]
    [True, True, False, False]
    """
    text, words = folded.text, folded.words
    end = words[last][2]
    line = text[text.rfind("\n", 0, end) + 1 : text.find("\n", end) % (len(text) + 1)]
    if last + 1 == len(words) or not (line.isupper() or line.islower()):
        return False
    word, start, after = words[last + 1]
    if text[end:start] not in {" ", ". "} or not heads().isdisjoint(word for word, _, _ in words[last + 1 : last + 5]):
        return False
    word = word.removesuffix("'s")
    known = (word in given_names() or word in surnames()) and word not in english_words()
    return known or GENDER_WORDS.person_after.match(folded.low, after) is not None


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
