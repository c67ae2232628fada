"""GENDER: pronouns, titles and words for women, men and people of other genders.

Kept: connectors, plugs and laboratory animals that are male or female, `manned`, `man-hours`,
sister companies, clothing and health departments, abbreviations such as HER and HIS, the
position `chairman` in a company's name, maternity wards, `journeyman`, `freshman`, `ombudsman`.
"""

from functools import cache

from evenhand.resumes.categories.candidate import CANDIDATE_WORDS
from evenhand.resumes.categories.personal.titles import titles
from evenhand.resumes.rules import Rule, pattern
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.word_tables import WordTable

__all__ = ["rules"]

GENDER_WORDS = WordTable("evenhand.resumes.categories.personal", "gender.toml", compiled=pattern)


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

_OWN = pattern(r"'s\b")

_ONLY = pattern(r"'?[\s-]only\b")


@cache
def _words() -> dict[str, Rule]:
    return {
        "declared": Rule(confidence=0.99, after=GENDER_WORDS.declared_after, tail=GENDER_WORDS.declared_tail),
        "told": Rule(
            confidence=0.95, before=pattern(r"\bpronouns?\s*(?:are|is|[:=(-])?\s*$"), tail=GENDER_WORDS.told_tail
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
            tail=_OWN,
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
            confidence=0.9, case="small", not_after=GENDER_WORDS.child_not_after, tail=_OWN, lead=GENDER_WORDS.which
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
