"""Whether MS is a title: a name follows it, in a line all of capitals or without any."""

import re

from evenhand.resumes.categories.school_words import LEARNING, SUBJECTS, heads
from evenhand.resumes.categories.study import kind_of
from evenhand.resumes.names.kinds import is_ordinary
from evenhand.resumes.names.lists import english_words, given_names, surnames
from evenhand.resumes.names.parts import PARTICLES
from evenhand.resumes.plain import Plain

__all__ = ["is_before_name"]

#: What a person does behind a name that is a word too: `MS BELL HAS`, `ms bell, head of`.
_PERSON_AFTER = re.compile(
    r"(?:'s)? (?:has|had|is|was|will|would|can|said|says|asked|wrote|leads?|led|[a-z]{3,}ed)\b|"
    r",? ?\(?(?:head|manager|director|team lead|supervisor|principal|owner|teacher)\b|'s (?:team|project|class)\b"
)
_DATED = re.compile(r"[^\n]{0,24}\b(?:19|20)\d\d\b")
_SHORTEST = 3
_NEAR = 5


def is_before_name(plain: Plain, _first: int, last: int) -> bool:
    """Say whether a name follows these words in a line of one case.

    >>> from evenhand.resumes.plain import plain_text
    >>> lines = "MS NKECHI BELL, HEAD", "MS BELL HAS LED US", "MS FINANCE, YALE", "MS BELL COLLEGE"
    >>> [is_before_name(plain_text(line), 0, 0) for line in lines]
    [True, True, False, False]
    """
    words, low = plain.words, plain.low
    end = words[last][2]
    if last + 1 >= len(words) or low[end : words[last + 1][1]] not in {" ", ". "} or not _is_of_one_case(plain, end):
        return False
    word, start, after = words[last + 1]
    if word in SUBJECTS or LEARNING.match(low, start) is not None or kind_of(word) == "degree":
        return False
    line_end = low.find("\n", end) % (len(low) + 1)
    near = [each for each, begin, _ in words[last + 1 : last + _NEAR] if begin < line_end]
    if not heads().isdisjoint(near):
        return False
    if _PERSON_AFTER.match(low, after) is not None and len(word) >= _SHORTEST:
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


def _is_of_one_case(plain: Plain, place: int) -> bool:
    last = plain.text.find("\n", place)
    line = plain.text[plain.text.rfind("\n", 0, place) + 1 : last if last >= 0 else len(plain.text)]
    return line.isupper() or line.islower()
