"""DISABILITY: conditions, aids and arrangements of the person or of others.

Conditions that are disabilities are masked everywhere. Illnesses (asthma, cancer,
depression) are masked unless the sentence is about clinical work, research or products.

Kept: expertise in accessibility (WCAG, tests with screen readers), double-blind trials, deaf
ears, the economy's depression, disabled alarms, sign languages (a skill), bipolar transistors,
disability insurance as a line of business.
"""

from functools import cache

from evenhand.masking.categories.candidate import is_candidates
from evenhand.masking.rules import Rule, pattern
from evenhand.word_tables import WordTable

DISABILITY_WORDS = WordTable("evenhand.masking.categories", "disability.toml", compiled=pattern)


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return {
        "asked": Rule(confidence=0.9, before=DISABILITY_WORDS.need),
        "charity": Rule(confidence=0.88, before=DISABILITY_WORDS.charity_before),
        "term": Rule(confidence=0.96, not_near=DISABILITY_WORDS.expertise),
        "lived": Rule(confidence=0.9, after=DISABILITY_WORDS.lived),
        "deaf": Rule(
            confidence=0.95,
            not_after=pattern(r"[\s-]+(?:ears?|to|spot)\b", r"[ -]ends?\b"),
            not_before=pattern(r"\btone[\s-]$"),
        ),
        "blind": Rule(
            confidence=0.9, not_after=DISABILITY_WORDS.blind_not_after, not_before=DISABILITY_WORDS.blind_not_before
        ),
        "disabled": Rule(
            confidence=0.93, after=DISABILITY_WORDS.disabled_after, not_after=DISABILITY_WORDS.disabled_not_after
        ),
        "disability": Rule(
            confidence=0.94,
            not_before=pattern(r"\b(?:short|long)[ -]term $"),
            not_after=DISABILITY_WORDS.disability_not_after,
            not_near=DISABILITY_WORDS.expertise,
        ),
        "own": Rule(confidence=0.9, before=DISABILITY_WORDS.own_before, not_after=DISABILITY_WORDS.own_not_after),
        "group": Rule(confidence=0.88, after=DISABILITY_WORDS.groups),
        "illness": Rule(
            confidence=0.85,
            not_before=DISABILITY_WORDS.illness_not_before,
            not_after=DISABILITY_WORDS.illness_not_after,
        ),
        "needs": Rule(confidence=0.85, before=DISABILITY_WORDS.needs_before, not_near=DISABILITY_WORDS.expertise),
        "told": Rule(confidence=0.85, check=is_candidates),
        "always": Rule(confidence=0.96),
        "wheelchair": Rule(
            confidence=0.96,
            lead=DISABILITY_WORDS.wheelchair_lead,
            not_after=pattern(r" (?:ramps?|lifts?|access|repairs?)\b"),
        ),
        "adjustments": Rule(confidence=0.85, not_after=DISABILITY_WORDS.adjustments_not_after),
        "stutter": Rule(
            confidence=0.95,
            not_before=DISABILITY_WORDS.stutter_not_before,
            not_after=DISABILITY_WORDS.stutter_not_after,
        ),
        "leave": Rule(confidence=0.85, not_after=DISABILITY_WORDS.papers),
        "aid": Rule(confidence=0.93, not_after=DISABILITY_WORDS.aid_not_after),
        "autism": Rule(confidence=0.95, not_after=DISABILITY_WORDS.autism_not_after),
        "screen_reader_own": Rule(confidence=0.93, before=DISABILITY_WORDS.screen_reader_own_before),
        "plain": Rule(confidence=0.9),
        "proxy": Rule(confidence=0.7, strict=True),
    }
