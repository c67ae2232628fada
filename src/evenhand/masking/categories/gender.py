"""GENDER: pronouns, titles and words for women, men and people of other genders.

Titles (Mr, Ms, Madam) count before names and after labels, in any case; MS only where a name follows it, in
a line all of capitals or without any.

Kept: connectors, plugs and laboratory animals that are male or female, `manned`, `man-hours`,
sister companies, clothing and health departments, abbreviations such as HER and HIS, the
position `chairman` in a company's name, maternity wards, `journeyman`, `freshman`, `ombudsman`.
"""

from functools import cache

from evenhand.masking.categories.candidate import CANDIDATE_WORDS
from evenhand.masking.categories.studies import SCHOOL_WORDS, heads, kind_of
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names.parts import PARTICLES
from evenhand.masking.names.word_kinds import english_words, given_names, is_ordinary, surnames
from evenhand.masking.rules import Rule, pattern
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

TITLE_WORDS = WordTable("evenhand.masking.categories", "titles.toml", compiled=pattern)

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


GENDER_WORDS = WordTable("evenhand.masking.categories", "gender.toml", compiled=pattern)


def _with_stroke(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether S/o and D/o are written with their stroke."""
    return folded.low[folded.words[first][2] : folded.words[last][1]] == "/"


def _is_wife_of(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is written as W/o, not as w/o or W/O, which mean without."""
    return folded.text[folded.words[first][1] : folded.words[last][2]] == "W/o"


def _is_no_ward(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is none where a nurse works: `Staff Nurse, Maternity`, not `Nurse, maternity leave`."""
    start = folded.words[first][1]
    ward = GENDER_WORDS.ward_before.search(folded.low, max(0, start - 56), start) is not None
    return not ward or GENDER_WORDS.leave.match(folded.low, folded.words[last][2]) is not None


_BIG = pattern(r"\b(?:big|little) $")

_ALL = pattern(r"\ball[\s-]$")

_POSSESSIVE = pattern(r"'s\b")

_ONLY = pattern(r"'?[\s-]only\b")


@cache
def _words() -> dict[str, Rule]:
    return {
        "declared": Rule(confidence=0.99, after=GENDER_WORDS.declared_after, tail=GENDER_WORDS.declared_tail),
        "told": Rule(
            confidence=0.95, before=pattern(r"\bpronouns?\s*(?:are|is|[:=(-])?\s*$"), tail=GENDER_WORDS.listed_tail
        ),
        "pronoun": Rule(
            confidence=0.98,
            case="prose",
            not_after=pattern(r"\d", r"\s*(?:\+|-?2\b|-ne\b|stain\w*\b)", r"\s+(?:majesty|royal highness)\b"),
        ),
        "sex": Rule(
            confidence=0.95,
            not_after=GENDER_WORDS.sex_not_after,
            not_before=pattern(r"\b(?:fe)?male[\s-]+to[\s-]+$"),
            lead=_ALL,
        ),
        "noun": Rule(
            confidence=0.95,
            not_after=GENDER_WORDS.noun_not_after,
            tail=_POSSESSIVE,
            not_before=pattern(r"\b(?:death of a|disney|smith &|smith and) $"),
        ),
        "wife_of": Rule(confidence=0.93, capital_next=True, before=GENDER_WORDS.start, check=_is_wife_of),
        "child_of": Rule(confidence=0.95, capital_next=True, check=_with_stroke),
        "office": Rule(confidence=0.9, not_after=GENDER_WORDS.office_not_after),
        "man": Rule(confidence=0.9, not_after=GENDER_WORDS.man_not_after),
        "women_men": Rule(
            confidence=0.95,
            not_after=GENDER_WORDS.women_men_not_after,
            not_before=GENDER_WORDS.women_men_not_before,
            tail=_ONLY,
        ),
        "family": Rule(confidence=0.9, not_after=GENDER_WORDS.family_not_after),
        "sibling": Rule(confidence=0.9, case="small", not_after=GENDER_WORDS.sibling_not_after),
        "sibling_capital": Rule(
            confidence=0.88,
            lead=_BIG,
            before=GENDER_WORDS.sibling_capital_before,
            not_after=GENDER_WORDS.sibling_capital_not_after,
            case="capital",
        ),
        "child": Rule(
            confidence=0.9,
            case="small",
            not_after=GENDER_WORDS.child_not_after,
            tail=_POSSESSIVE,
            lead=GENDER_WORDS.which,
        ),
        "girl": Rule(
            confidence=0.9, not_after=GENDER_WORDS.girl_not_after, lead=_ALL, not_before=GENDER_WORDS.girl_not_before
        ),
        "trans": Rule(confidence=0.9, not_after=GENDER_WORDS.trans_not_after, not_before=GENDER_WORDS.trans_not_before),
        "leave": Rule(
            confidence=0.93,
            not_before=CANDIDATE_WORDS.office_leave,
            not_after=CANDIDATE_WORDS.leave_as_work,
            check=_is_no_ward,
        ),
        "plain": Rule(confidence=0.9),
        "proxy": Rule(confidence=0.7, strict=True),
    }


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return _words() | titles()
