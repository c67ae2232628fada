"""RELIGION: faiths, their people, places, books, feasts and offices, also in organisations' names.

Kept: Temple University, The Hindu, Islamic finance, Church encoding, cloud-agnostic, Ministry
of Health, Christian and Faith as names, good faith, Java evangelists, mass mailings.
"""

from functools import cache

from evenhand.masking.categories.candidate import is_candidates
from evenhand.masking.rules import Rule, pattern
from evenhand.word_tables import WordTable

RELIGION_WORDS = WordTable("evenhand.masking.categories", "religion.toml", compiled=pattern)


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return {
        "eid": Rule(confidence=0.9, case="title", not_after=RELIGION_WORDS.eid_not_after),
        "gospel": Rule(confidence=0.88, after=RELIGION_WORDS.gospel_after, tail=RELIGION_WORDS.gospel_tail),
        "mass": Rule(confidence=0.85, before=RELIGION_WORDS.mass_before),
        "term": Rule(
            confidence=0.96, not_after=RELIGION_WORDS.term_not_after, not_before=RELIGION_WORDS.term_not_before
        ),
        "christian": Rule(confidence=0.9, not_after=RELIGION_WORDS.christian_not_after, case="capital"),
        "hindu": Rule(confidence=0.94, not_before=RELIGION_WORDS.hindu_not_before),
        "hindu_the": Rule(confidence=0.9, after=RELIGION_WORDS.hindu_the_after),
        "church": Rule(
            confidence=0.88,
            not_after=RELIGION_WORDS.church_not_after,
            not_before=RELIGION_WORDS.church_not_before,
            tail=pattern(r" of (?:st\.?|saint) [a-z'-]+", r" of (?:the )?(?:holy|sacred) [a-z]+"),
        ),
        "temple": Rule(confidence=0.85, not_after=RELIGION_WORDS.temple_not_after, case="small"),
        "cathedral": Rule(confidence=0.85, not_after=RELIGION_WORDS.cathedral_not_after),
        "seminary": Rule(confidence=0.85, not_before=pattern(r"'s $")),
        "missionary": Rule(confidence=0.93, not_after=pattern(r"\s+(?:zeal|position|work in sales)")),
        "bible": Rule(
            confidence=0.93,
            not_after=RELIGION_WORDS.of_work,
            case="capital",
            tail=RELIGION_WORDS.bible_tail,
            not_before=RELIGION_WORDS.bible_not_before,
        ),
        "faith_small": Rule(confidence=0.85, case="small", not_before=RELIGION_WORDS.faith_small_not_before),
        "faith_own": Rule(
            confidence=0.85, before=RELIGION_WORDS.faith_own_before, not_after=RELIGION_WORDS.faith_own_not_after
        ),
        "told": Rule(confidence=0.85, check=is_candidates),
        "clergy": Rule(confidence=0.85, not_after=RELIGION_WORDS.clergy_not_after),
        "quaker": Rule(confidence=0.93, not_after=RELIGION_WORDS.quaker_not_after),
        "baptism": Rule(confidence=0.93, not_after=pattern(r"\s+(?:of|by) fire")),
        "food": Rule(confidence=0.9, not_after=RELIGION_WORDS.food_not_after),
        "catholic": Rule(confidence=0.94, not_before=RELIGION_WORDS.catholic_not_before),
        "mosque": Rule(confidence=0.94, not_before=RELIGION_WORDS.mosque_not_before),
        "parish": Rule(confidence=0.9, tail=RELIGION_WORDS.parish_tail, not_after=RELIGION_WORDS.parish_not_after),
        "plain": Rule(confidence=0.9),
        "proxy": Rule(confidence=0.7, strict=True),
    }
