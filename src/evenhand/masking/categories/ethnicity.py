"""ETHNICITY: race, ethnic and national origin of a person, also in organisations' names.

Places of birth and childhood follow `born in`, `Born: 24-Aug-1971 in`, `raised in`, `Birthplace |`. A nation's
or people's name counts unless its noun is a thing (see peoples.py).

Kept: companies, markets and products (Indian Oil, Asian options), languages (a skill; --strict masks
them), countries where a job was, Black Belt, white paper, Apache and Cherokee as products.
"""

from collections.abc import Callable
from functools import cache

from evenhand.masking.categories.candidate import is_candidates
from evenhand.masking.categories.peoples import person_check
from evenhand.masking.folded_text import FoldedText, ending
from evenhand.masking.rules import Rule, pattern
from evenhand.word_tables import WordTable

ETHNICITY_WORDS = WordTable("evenhand.masking.categories", "ethnicity.toml", compiled=pattern)

#: Characters before a country that decide whether somebody is from there.
_NEAR = 64


@cache
def _is_after_from() -> Callable[[str], object]:
    return ending(ETHNICITY_WORDS.country_before)


def _is_origin(folded: FoldedText, first: int, last: int) -> bool:  # noqa: ARG001 - a check of a rule
    """Say whether the country at these places is where somebody comes from."""
    start = folded.words[first][1]
    before = folded.low[max(0, start - _NEAR) : start]
    return ETHNICITY_WORDS.from_words.search(before) is not None and _is_after_from()(before) is not None


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return {
        "visa_of": Rule(
            before=ETHNICITY_WORDS.visa,
            lead=ETHNICITY_WORDS.visa,
            not_before=ETHNICITY_WORDS.visa_of_not_before,
            not_after=ETHNICITY_WORDS.visa_of_not_after,
        ),
        "sponsorship": Rule(
            before=ETHNICITY_WORDS.sponsorship_before,
            lead=ETHNICITY_WORDS.sponsorship_lead,
            not_before=ETHNICITY_WORDS.sponsorship_not_before,
            not_after=ETHNICITY_WORDS.sponsorship_not_after,
        ),
        "status": Rule(confidence=0.9, not_after=ETHNICITY_WORDS.status_not_after),
        "term": Rule(confidence=0.97, not_after=ETHNICITY_WORDS.term_not_after),
        "of_colour": Rule(confidence=0.95, before=ETHNICITY_WORDS.of_colour_before),
        "nation": Rule(confidence=0.88, check=person_check("nation"), tail=ETHNICITY_WORDS.with_people),
        "tongue": Rule(
            confidence=0.88,
            check=person_check("tongue"),
            tail=ETHNICITY_WORDS.with_people,
            not_before=pattern(r"\b(?:sino|anglo|franco)-$", r"\broyal $"),
        ),
        "broad": Rule(confidence=0.85, check=person_check("broad")),
        "tribe": Rule(confidence=0.88, check=person_check("tribe")),
        "colour": Rule(confidence=0.9, check=person_check("colour"), not_after=ETHNICITY_WORDS.colour_not_after),
        "native": Rule(confidence=0.9, check=person_check("native")),
        "country": Rule(confidence=0.85, check=_is_origin),
        "country_after": Rule(confidence=0.85, after=ETHNICITY_WORDS.country_after),
        "country_short_after": Rule(confidence=0.85, after=ETHNICITY_WORDS.country_after),
        "country_short": Rule(confidence=0.85, check=_is_origin),
        "origin": Rule(confidence=0.85, value=ETHNICITY_WORDS.place),
        "newcomer": Rule(confidence=0.85, value=ETHNICITY_WORDS.place, whole=True),
        "born": Rule(confidence=0.88, value=ETHNICITY_WORDS.born),
        "birthplace": Rule(confidence=0.9, value=ETHNICITY_WORDS.labelled),
        "newcomer_home": Rule(confidence=0.85, after=ETHNICITY_WORDS.newcomer_home_after),
        "citizen": Rule(confidence=0.86, before=ETHNICITY_WORDS.nation_before, lead=ETHNICITY_WORDS.nation_before),
        "raised": Rule(confidence=0.85, value=ETHNICITY_WORDS.place),
        "language": Rule(confidence=0.75, case="capital", strict=True, before=ETHNICITY_WORDS.language_before),
        "language_level": Rule(
            confidence=0.75, case="capital", strict=True, after=ETHNICITY_WORDS.language_level_after
        ),
        "told": Rule(confidence=0.85, check=is_candidates, lead=ETHNICITY_WORDS.visa),
        "proxy": Rule(confidence=0.7, strict=True),
    }
