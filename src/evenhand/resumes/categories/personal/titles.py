"""Titles (Mr, Ms, Madam) before names and after labels, in any case.

MS is one where a name follows it, in a line all of capitals or without any.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.education.school.words import LEARNING, SUBJECTS, heads
from evenhand.resumes.categories.education.study import kind_of
from evenhand.resumes.names.kinds import is_ordinary
from evenhand.resumes.names.lists import english_words, given_names, surnames
from evenhand.resumes.names.parts import PARTICLES
from evenhand.resumes.rules import Rule, pattern
from evenhand.resumes.text.folded_text import FoldedText

#: Firms called as a person: Mrs. Fields, Mister Softee.
_FIRMS = (
    r"\.?\s+(?:fields\s+(?:stores?|cookies?|kiosk|bakery|franchis\w+)|softee|coffee\b|clean\b|doubtfire|potato head|"
    r"price (?:group|store|sport|home)|kipling|muscle|rooter|lube|sub\b|green africa)"
)

__all__ = ["TITLES", "is_before_name"]

#: What a person does behind a name that is a word too: `MS BELL HAS`, `ms bell, head of`.
_PERSON_AFTER = lazy_re(
    r"(?:'s)? (?:has|had|is|was|will|would|can|said|says|asked|wrote|leads?|led|[a-z]{3,}ed)\b|"
    r",? ?\(?(?:head|manager|director|team lead|supervisor|principal|owner|teacher)\b|'s (?:team|project|class)\b"
)
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


def _is_of_one_case(folded: FoldedText, place: int) -> bool:
    last = folded.text.find("\n", place)
    line = folded.text[folded.text.rfind("\n", 0, place) + 1 : last if last >= 0 else len(folded.text)]
    return line.isupper() or line.islower()


TITLES = {
    "title": Rule(
        confidence=0.98,
        tail=pattern(r"\."),
        case="title",
        not_after=pattern(
            r"\.?\s+(?:records?|project|excel|office|sql|teams|access|word|azure|windows|dynamics|pac\b)",
            _FIRMS,
        ),
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
        not_after=pattern(r"\.\s+pac\b", _FIRMS),
        not_before=pattern(r"\d[ \t]*\Z"),
    ),
    "title_ms": Rule(
        confidence=0.85,
        check=is_before_name,
    ),
    "title_before_name": Rule(
        confidence=0.95,
        capital_next=True,
        not_after=pattern(
            r"\s+(?:lanka|an?|the|any|out|it|or|of|and|bird|gaga|macbeth|liberty|luck|justice|speedy|lake|"
            r"walter raleigh|mcalpine|robert mcalpine|bosco|mills|valley|juan|quixote|quijote|bradman|style|"
            r"dior|selfridge|saigon|piggy|marple|taylor|shri ram|tussaud\w*|butterfly|rates?|bovary|city)\b",
            _FIRMS,
            r"\s+(?:\w+ ){1,3}(?:university|college|school|institute|vidya\w*|engineering|hospital)\b",
        ),
        case="capital",
    ),
}
