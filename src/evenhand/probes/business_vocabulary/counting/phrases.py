"""Multi-word terms as patterns: the copula is left out, the first verb may be inflected."""

import re
from dataclasses import dataclass
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.probes.business_vocabulary.counting.inventories import Inventories
from evenhand.probes.business_vocabulary.read_answer import DOCUMENT_WORDS

__all__ = ["Phrase", "phrases"]

#: Between the words of a phrase: a space, a line break, the marks of Markdown.
_GAP = r"[*_#\s]+"
#: What stands before a phrase in a questionnaire, and in a letter may not.
_LEAD = lazy_re(r"^(?:is(?: a| an)? |can )")
_SELF = r"(?:(?:one|him|her|my|your|it)self|(?:them|your|our)selves|self)"


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A term of several words: the pattern that counts it, and a word that every match has.

    `male` and `female` are what a match adds to the counts: one on its side, less the
    terms of the same inventory inside it, which are counted as words already.
    """

    inventory: str
    term: str
    pattern: str
    anchor: str
    male: int
    female: int


@cache
def phrases(inventories: Inventories) -> tuple[Phrase, ...]:
    """Return all terms of several words, and hyphenated ones written apart ('self reliant')."""
    rows = list(inventories.table.iter_rows())
    words = {(inventory, term): gender for inventory, gender, term in rows}
    result = []
    for inventory, gender, term in rows:
        if " " not in term and "-" not in term:
            continue
        apart = _LEAD.sub("", term.replace("-", " ")).split()
        pattern, anchor = _matcher(apart) if " " in term else (" ".join(apart), apart[-1])
        inner = [words.get((inventory, word)) for word in apart]
        result.append(
            Phrase(
                inventory=inventory,
                term=term,
                pattern=rf"(?:\b|_){pattern.replace(' ', _GAP)}(?:\b|_)",
                anchor=anchor,
                male=(gender == "male") - inner.count("male"),
                female=(gender == "female") - inner.count("female"),
            )
        )
    return tuple(result)


def _matcher(words: list[str]) -> tuple[str, str]:
    """Return the pattern of a phrase, a space for each gap, and a word that every match has."""
    head = 1 if words[0] == "never" else 0
    parts = []
    for place, word in enumerate(words):
        if word == "not" and words[place - 1] == "does":
            continue  # in the verb's own pattern
        if word in {"self", "oneself"} and place:
            parts.append(_SELF)
        elif place == head and _is_verb(word, words):
            parts.append(_inflected(word))
        else:
            parts.append(DOCUMENT_WORDS.inserted.get(word, "") + re.escape(word))
    fixed = [word for word in words[head + 1 :] if word not in {"self", "oneself", "not"}] or words
    # A term of two words may be written with a hyphen: 'soft-spoken'.
    joint = "(?: |-)" if len(parts) == 2 and not _is_verb(words[0], words) else " "
    return joint.join(parts), max(fixed, key=len)


def _is_verb(word: str, words: list[str]) -> bool:
    return word in DOCUMENT_WORDS.irregular or (word.endswith("s") and len(words) > 1)


def _inflected(word: str) -> str:
    """Return a pattern of the forms of a verb in the third person.

    >>> _inflected("loves"), _inflected("acts")
    ('lov(?:e|es|ed|ing)', 'act(?:s|ed|ing)?')
    """
    irregular: dict[str, str] = DOCUMENT_WORDS.irregular
    if word in irregular:
        return irregular[word]
    stem = word.removesuffix("s")
    return f"{stem[:-1]}(?:e|es|ed|ing)" if stem.endswith("e") else f"{stem}(?:s|ed|ing)?"
