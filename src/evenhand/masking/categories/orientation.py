"""ORIENTATION: sexual orientation, also in organisations' names.

Kept: straight lines and answers, bi-weekly, business intelligence, pride in one's work, asexual
reproduction, drag and drop, Gay as a name.
"""

from functools import cache

from evenhand.masking.categories.candidate import is_candidates
from evenhand.masking.rules import Rule, pattern
from evenhand.word_tables import WordTable

ORIENTATION_WORDS = WordTable("evenhand.masking.categories", "orientation.toml", compiled=pattern)


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return {
        "term": Rule(confidence=0.96, lead=ORIENTATION_WORDS.out_as, tail=ORIENTATION_WORDS.also),
        "gay": Rule(
            confidence=0.94,
            lead=ORIENTATION_WORDS.out_as,
            not_after=ORIENTATION_WORDS.gay_not_after,
            tail=ORIENTATION_WORDS.gay_tail,
        ),
        "identify": Rule(confidence=0.9, before=ORIENTATION_WORDS.identify_before),
        "out": Rule(confidence=0.88, before=ORIENTATION_WORDS.out_before),
        "pride": Rule(confidence=0.9, after=ORIENTATION_WORDS.pride_after, not_before=ORIENTATION_WORDS.own_pride),
        "stonewall": Rule(confidence=0.88, case="capital", not_after=ORIENTATION_WORDS.stonewall_not_after),
        "equal": Rule(confidence=0.88, case="capital"),
        "came_out": Rule(
            confidence=0.85, after=ORIENTATION_WORDS.came_out_after, before=ORIENTATION_WORDS.came_out_before
        ),
        "topic": Rule(confidence=0.86, before=pattern(r"[a-z,&/]\s$")),
        "own_topic": Rule(confidence=0.87, not_after=pattern(r"[\s\"]*[:=|(-]")),
        "out_small": Rule(confidence=0.85, before=ORIENTATION_WORDS.out_small_before),
        "named": Rule(confidence=0.87, case="capital"),
        "pride_at": Rule(
            confidence=0.85,
            case="title",
            before=pattern(r"\b(?:at|for|with|of) $"),
            not_after=pattern(r" (?:in|and prejudice)\b"),
        ),
        "told": Rule(confidence=0.85, check=is_candidates),
        "initialism": Rule(
            confidence=0.97, tail=ORIENTATION_WORDS.initialism_tail, lead=pattern(r"\b(?:openly |proudly )$")
        ),
        "queer": Rule(confidence=0.96, not_after=ORIENTATION_WORDS.queer_not_after, tail=ORIENTATION_WORDS.queer_tail),
        "third_gender": Rule(confidence=0.9, not_after=ORIENTATION_WORDS.third_gender_not_after),
        "asexual": Rule(confidence=0.9, not_after=ORIENTATION_WORDS.asexual_not_after),
        "plain": Rule(confidence=0.9),
        "proxy": Rule(confidence=0.7, strict=True),
    }
