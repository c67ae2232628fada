"""Labels of details in forms: which category their values tell, and what counts as a value.

A label is made of a word that tells the category (`nationality`, `Familienstand`) and of words that go with any
(`current`, `status`, `optional`). Where other things are labelled by such a word too, only some values count.
"""

import re
from functools import cache, lru_cache

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.personal.marital_children import CHILD, counted
from evenhand.word_tables import WordTable

__all__ = ["FIELD_WORDS", "category_of", "counts"]

FIELD_WORDS = WordTable("evenhand.resumes.categories", "fields.toml")


@cache
def _keyed() -> dict[str, re.Pattern[str]]:
    return {
        "NAME": FIELD_WORDS.keyed_name,
        "GENDER": FIELD_WORDS.keyed_gender,
        "ETHNICITY": FIELD_WORDS.keyed_ethnicity,
        "RELIGION": FIELD_WORDS.keyed_religion,
        "DISABILITY": FIELD_WORDS.keyed_disability,
        "MARITAL": FIELD_WORDS.keyed_marital,
        "ORIENTATION": FIELD_WORDS.keyed_orientation,
    }


_WORD = lazy_re(r"[a-z][a-z'.-]*")

_NUMBER = r"(?:\d\d?|one|two|three|four|five|six)\b"
_STATE = r"(?:(?:un|re)?married|single|divorced|widow\w*|separated|engaged|partnered|cohabiting|living|in a )"
_KIN = rf"(?:my |one |his |her )?(?:wife|husband|spouse|partner|family|parents|fiancee?|{counted(CHILD)})"


# Words of a label, by what it asks for; the first that fits.
@cache
def _labels() -> dict[str, re.Pattern[str]]:
    return {
        "name": FIELD_WORDS.labels_name,
        "pronouns": FIELD_WORDS.labels_pronouns,
        "title": FIELD_WORDS.labels_title,
        "residence": FIELD_WORDS.labels_residence,
        "visa": FIELD_WORDS.labels_visa,
        "category": FIELD_WORDS.labels_category,
        "race": FIELD_WORDS.labels_race,
        "people": FIELD_WORDS.labels_people,
        "children": FIELD_WORDS.labels_children,
        "family": FIELD_WORDS.labels_family,
        "parental": FIELD_WORDS.labels_parental,
        "health": FIELD_WORDS.labels_health,
        "disability": FIELD_WORDS.labels_disability,
        "orientation": FIELD_WORDS.labels_orientation,
        "trans": FIELD_WORDS.labels_trans,
        "worship": FIELD_WORDS.labels_worship,
        "faith": FIELD_WORDS.labels_faith,
    }


# The values that count behind such a label.
@cache
def _values() -> dict[str, re.Pattern[str]]:
    return {
        "name": FIELD_WORDS.named,
        "pronouns": lazy_re(r""),
        "title": FIELD_WORDS.titles,
        "residence": FIELD_WORDS.values_residence,
        "visa": FIELD_WORDS.values_visa,
        "category": FIELD_WORDS.values_category,
        "race": FIELD_WORDS.values_race,
        "people": FIELD_WORDS.values_people,
        "children": lazy_re(
            rf"{FIELD_WORDS.answer.pattern}|{_NUMBER}|{counted(CHILD)}|(?:kein|ein|zwei|drei|une?|deux|aucun|sin|dos|tres|due|geen|twee)"
        ),
        "family": lazy_re(
            rf"{FIELD_WORDS.answer.pattern}|{_NUMBER}|{_STATE}|{_KIN}|since\b|accompan|of\b|works?\b|working|employed|lives"
        ),
        "parental": FIELD_WORDS.values_parental,
        "health": FIELD_WORDS.values_health,
        "disability": FIELD_WORDS.values_disability,
        "orientation": FIELD_WORDS.values_orientation,
        "trans": FIELD_WORDS.values_trans,
        "worship": FIELD_WORDS.values_worship,
        "faith": FIELD_WORDS.values_faith,
    }


@lru_cache(maxsize=4096)
def category_of(label: str) -> str | None:
    """Return the category that the value behind a label tells, None for other labels.

    >>> [category_of(each) for each in ("current nationality", "marital status", "sex education", "skills")]
    ['ETHNICITY', 'MARITAL', None, None]
    """
    for category, keyed in _keyed().items():
        if keyed.search(label) is not None and FIELD_WORDS.beside.issuperset(_WORD.findall(_without_keys(label))):
            return category
    return None


def _without_keys(label: str) -> str:
    for keyed in _keyed().values():
        label = keyed.sub(" ", label)
    return label


def counts(label: str, value: str) -> bool:
    """Say whether a value counts behind a label that has a category.

    >>> counts("title", "ms"), counts("title", "engineer"), counts("race", "marathon")
    (True, False, False)
    """
    for asked, words in _labels().items():
        if words.match(label) is not None:
            return _values()[asked].match(value) is not None
    return True
