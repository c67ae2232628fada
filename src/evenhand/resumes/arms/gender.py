"""Pronouns and titles of a person, and their wordings for women and for men; English only."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from evenhand.patterns import lazy_re
from evenhand.resumes.arms.slots import GenderSlot
from evenhand.resumes.pronouns import noun_follows
from evenhand.resumes.spans import Span

__all__ = ["gender_of", "gender_slot", "told_gender"]

_WORD = lazy_re(r"[A-Za-z]+")
_FEMALE = {"she": "he", "herself": "himself", "hers": "his"}
_MALE = {"he": "she", "him": "her", "himself": "herself"}
#: As a list of pronouns declares them.
_DECLARED = {"her": "him", "his": "hers"}
_TITLES_OF_WOMEN = {"ms": "mr", "mrs": "mr", "miss": "mr", "madam": "sir", "frau": "herr"}
_TITLES_OF_MEN = {"mr": "ms", "mister": "ms", "sir": "madam", "herr": "frau"}
#: A form's field: `Gender: female`.
_FIELD_OF_WOMEN = {"female": "male", "f": "m", "woman": "man"}
_FIELD_OF_MEN = {other: word for word, other in _FIELD_OF_WOMEN.items()}
_LABELLED = lazy_re(r"\b(?:gender|sex)[ \t]*[:|=-][ \t]*$", re.IGNORECASE)
_WOMEN = frozenset({*_FEMALE, "her", *_TITLES_OF_WOMEN, *_FIELD_OF_WOMEN})
_MEN = frozenset({*_MALE, "his", *_TITLES_OF_MEN, *_FIELD_OF_MEN})
_GENDERS = {
    **dict.fromkeys(("female", "f", "woman", "women", "w"), "female"),
    **dict.fromkeys(("male", "m", "man", "men"), "male"),
}


_OTHERS = {**_FEMALE, **_MALE, **_TITLES_OF_WOMEN, **_TITLES_OF_MEN, **_FIELD_OF_WOMEN, **_FIELD_OF_MEN}
_LONGEST_LABEL = 16


def gender_of(protected: Mapping[str, str]) -> str | None:
    """Return a person's gender where a column `gender` or `sex` tells that it is one of two.

    >>> gender_of({"Sex": "F"}), gender_of({"gender": "nonbinary"}), gender_of({})
    ('female', None, None)
    """
    for name, value in protected.items():
        if name.lower() in {"gender", "sex"}:
            return _GENDERS.get(value.lower())
    return None


def gender_slot(text: str, span: Span, *, named: bool) -> GenderSlot | None:
    """Return the slot of a stretch that masking found to tell a gender, None where it is no pronoun, title or field.

    `named`: the person's name follows, as it does a title.

    >>> text = "She led her team"
    >>> found = gender_slot(text, Span(8, 11, "GENDER", "pronoun", 1.0), named=False)
    >>> found.female, found.male
    ('her', 'his')
    """
    own = text[span.start : span.end]
    words = [match.group().lower() for match in _WORD.finditer(own)]
    genders = {"female" if word in _WOMEN else "male" if word in _MEN else None for word in words}
    if len(genders) != 1 or None in genders:
        return None
    titled = any(word in _TITLES_OF_WOMEN or word in _TITLES_OF_MEN for word in words)
    if titled and not named:
        return None
    field = any(word in _FIELD_OF_WOMEN or word in _FIELD_OF_MEN for word in words)
    if field and _LABELLED.search(text, max(0, span.start - _LONGEST_LABEL), span.start) is None:
        return None
    declared = len(words) > 1

    def other(word: str, end: int) -> str:
        found = _OTHERS.get(word)
        if found is not None:
            return found
        if declared:
            return "her" if word == "his" and "him" not in words else _DECLARED[word]
        noun = noun_follows(text, end)
        return ("his" if noun else "him") if word == "her" else ("her" if noun else "hers")

    swapped = _WORD.sub(
        lambda match: _cased(match.group(), other(match.group().lower(), span.start + match.end())), own
    )
    if genders == {"female"}:
        return GenderSlot(own=own, female=own, male=swapped)
    return GenderSlot(own=own, female=swapped, male=own)


def told_gender(slots: Sequence[GenderSlot]) -> str | None:
    """Return the gender of a person by the pronouns that are declared, or else by most pronouns and titles.

    >>> she, he = GenderSlot(own="She", female="She", male="He"), GenderSlot(own="he", female="she", male="he")
    >>> told_gender([she, she, he]), told_gender([she, he])
    ('female', None)
    """
    for chosen in ([slot for slot in slots if len(_WORD.findall(slot.own)) > 1], slots):
        counts = Counter(slot.gender for slot in chosen).most_common()
        if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]):
            return counts[0][0]
    return None


def _cased(word: str, instead: str) -> str:
    if len(word) > 1 and word.isupper():
        return instead.upper()
    return instead.capitalize() if word[0].isupper() else instead
