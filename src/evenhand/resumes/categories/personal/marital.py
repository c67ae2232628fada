"""MARITAL: marital and family status of the person.

Kept: single sign-on and single rooms, partners of a firm, family law and divorce as a practice,
husbandry, `married` and `divorced` as verbs (married design with data), engagement of customers.
"""

from functools import cache

from evenhand.resumes.categories.candidate import CANDIDATE_WORDS, is_candidates
from evenhand.resumes.categories.personal.marital_children import CHILD, CHILDREN, NUMBER, STEP
from evenhand.resumes.rules import Rule, pattern
from evenhand.word_tables import WordTable

__all__ = ["rules"]

MARITAL_WORDS = WordTable("evenhand.resumes.categories.personal", "marital.toml", compiled=pattern)

_OWN = pattern(r"'s\b")


#: Where a fact of its own begins and ends: `34, married, two kids`.
_START = r"(?:^|\n\s*(?:o\s+)?|\\item\s+|\\\\\s*|[^\w\s'&/-]\s*|\s[-/]\s+|\t|\s{2,})$"


@cache
def _status() -> dict[str, Rule]:
    return {
        "spouse": Rule(confidence=0.95, tail=_OWN, not_after=pattern(r"\s+(?:beater|swap)\b")),
        "term": Rule(confidence=0.95),
        "custody": Rule(confidence=0.9, after=pattern(r" of (?:my|our|his|her)\b")),
        "parent": Rule(confidence=0.95, not_after=MARITAL_WORDS.status_parent_not_after),
        "labelled": Rule(confidence=0.93, before=MARITAL_WORDS.label),
        "married": Rule(confidence=0.92, before=MARITAL_WORDS.self, lead=MARITAL_WORDS.how),
        "apart": Rule(
            confidence=0.9,
            not_after=MARITAL_WORDS.status_apart_not_after,
            before=MARITAL_WORDS.status_apart_before,
            lead=MARITAL_WORDS.how,
        ),
        "fact": Rule(confidence=0.9, after=MARITAL_WORDS.status_fact_after, before=pattern(_START)),
        "engaged": Rule(
            confidence=0.9,
            after=MARITAL_WORDS.status_engaged_after,
            lead=MARITAL_WORDS.how,
            not_before=MARITAL_WORDS.status_engaged_not_before,
        ),
        "single": Rule(confidence=0.88, after=MARITAL_WORDS.end, not_after=MARITAL_WORDS.status_single_not_after),
        "single_self": Rule(confidence=0.9, before=MARITAL_WORDS.status_single_self_before),
        "divorced": Rule(confidence=0.9, not_after=MARITAL_WORDS.status_divorced_not_after, lead=MARITAL_WORDS.how),
        "divorce": Rule(confidence=0.9, before=MARITAL_WORDS.status_divorce_before),
        "widow": Rule(confidence=0.9, not_after=MARITAL_WORDS.status_widow_not_after),
        "pregnancy": Rule(
            confidence=0.87,
            not_after=MARITAL_WORDS.status_pregnancy_not_after,
            lead=MARITAL_WORDS.status_pregnancy_lead,
        ),
        "marriage": Rule(confidence=0.88, after=MARITAL_WORDS.status_marriage_after),
        "at_sign": Rule(confidence=0.9, after=pattern(r"@s?(?![\w.])"), tail=pattern(r"@s?")),
        "couple": Rule(confidence=0.9, after=pattern(r"\s+of the (?:year|month)\b")),
        "parent_of": Rule(
            confidence=0.9,
            after=pattern(r"[\s-]+(?:an? |my )?(?:" + STEP + r")*" + CHILD, rf"[\s-]+{NUMBER}\b(?! \w+s\b)"),
            tail=pattern(r"[\s-]+(?:an? |my )?(?:" + STEP + r")*" + CHILD, rf"[\s-]+{NUMBER}\b"),
        ),
        "partner_own": Rule(
            confidence=0.86,
            tail=_OWN,
            before=MARITAL_WORDS.status_partner_own_before,
            not_after=MARITAL_WORDS.status_partner_own_not_after,
        ),
        "relationship": Rule(confidence=0.86, before=pattern(r"\bin an? $"), after=MARITAL_WORDS.end),
        "leave_own": Rule(
            confidence=0.9, not_before=CANDIDATE_WORDS.office_leave, not_after=CANDIDATE_WORDS.leave_as_work
        ),
        "told": Rule(confidence=0.85, check=is_candidates),
        "spouse_case": Rule(confidence=0.9, tail=_OWN),
        "plain": Rule(confidence=0.9),
        "proxy": Rule(confidence=0.7, strict=True),
    }


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return _status() | CHILDREN
