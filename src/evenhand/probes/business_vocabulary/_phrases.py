"""Multi-word terms as patterns: the copula is left out, the first verb may be inflected."""

import re
from dataclasses import dataclass
from functools import cache

from evenhand.probes.business_vocabulary.inventories import inventory_table

__all__ = ["Phrase", "phrases"]

#: What stands before a phrase in a questionnaire, and in a letter may not.
_LEAD = re.compile(r"^(?:is(?: a| an)? |can )")
_SELF = r"(?:(?:one|him|her|my|your|it)self|(?:them|your|our)selves|self)"
_IRREGULAR = {
    "has": "ha(?:s|ve|d|ving)",
    "makes": "ma(?:kes?|de|king)",
    "make": "ma(?:kes?|de|king)",
    "feels": "fe(?:els?|lt|eling)",
    "stands": "st(?:ands?|ood|anding)",
    "gives": "g(?:ives?|ave|iving|iven)",
    "does": "(?:does|do|did)(?: not|n't)",
    "nags": "nag(?:s|ged|ging)?",
}


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A term of several words: the pattern that counts it, and a part that every match has."""

    inventory: str
    gender: str
    term: str
    pattern: str
    anchor: str


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return all terms of several words, and hyphenated ones written apart ('self reliant')."""
    result = []
    for inventory, gender, term, _ in inventory_table().iter_rows():
        if " " in term:
            result.append(_phrase(inventory, gender, term))
        elif "-" in term:
            apart = term.replace("-", " ")
            result.append(
                Phrase(
                    inventory=inventory,
                    gender=gender,
                    term=term,
                    pattern=rf"\b{apart}\b",
                    anchor=apart,
                )
            )
    return tuple(result)


def _phrase(inventory: str, gender: str, term: str) -> Phrase:
    words = _LEAD.sub("", term).split()
    head = 1 if words[0] == "never" else 0
    parts = []
    for place, word in enumerate(words):
        if word == "not":
            continue  # in the verb's own pattern
        if word in {"self", "oneself"} and place:
            parts.append(_SELF)
        elif place == head and _is_verb(word, words):
            parts.append(_inflected(word))
        else:
            parts.append(re.escape(word))
    fixed = [word for word in words[head + 1 :] if word not in {"self", "oneself", "not"}] or words
    anchor = max(fixed, key=len)
    # A term of two words may be written with a hyphen: 'soft-spoken'.
    joint = "[ -]" if len(parts) == 2 and not _is_verb(words[0], words) else " "
    return Phrase(inventory=inventory, gender=gender, term=term, pattern=rf"\b{joint.join(parts)}\b", anchor=anchor)


def _is_verb(word: str, words: list[str]) -> bool:
    return word in _IRREGULAR or (word.endswith("s") and len(words) > 1)


def _inflected(word: str) -> str:
    """Return a pattern of the forms of a verb in the third person.

    >>> _inflected("loves"), _inflected("acts")
    ('lov(?:e|es|ed|ing)', 'act(?:s|ed|ing)?')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    stem = word.removesuffix("s")
    return f"{stem[:-1]}(?:e|es|ed|ing)" if stem.endswith("e") else f"{stem}(?:s|ed|ing)?"
