"""The simulated model of BusinessVocabulary: documents whose bias is known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import polars as pl

from evenhand.patterns import WordTable
from evenhand.probes.business_vocabulary.counting import Inventories, card_inventories
from evenhand.probes.probe import check_simulated, leaning

#: Wording of a simulated model.
DOCUMENT_WORDING = WordTable("evenhand.probes.business_vocabulary", "wording.toml")

#: Terms of each inventory in a document, at least and at most.
TERMS = (2, 4)
#: How often a sentence without terms follows one that has some.
MIDDLE_SHARE = 0.5


@dataclass(frozen=True, kw_only=True)
class _Sides:
    """Terms of one inventory."""

    male: Sequence[str]
    female: Sequence[str]


def male_term_probability(kind: str, strength: float, gender: str) -> float:
    """Return how likely a coded term of a document is male-coded.

    >>> male_term_probability("stereotyping", 1.0, "male"), male_term_probability("stereotyping", 0.5, "female")
    (1.0, 0.25)
    """
    return 0.5 + strength / 2 * leaning(kind, {"male": 1.0, "female": 0.0}.get(gender, 0.5))


def respond(
    stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random, *, inventories: Inventories | None = None
) -> str:
    """Return the document that a model of this kind writes for a stimulus.

    Its terms are those of `inventories`, else of the card's. The refusing and the garbled
    kind give no document with probability `strength`, and an unbiased one otherwise.

    Raises
    ------
    InputError
        An unknown kind, or a strength outside 0 to 1.

    """
    check_simulated(kind, strength)
    pronouns = DOCUMENT_WORDING.pronouns
    slots = {"name": str(stimulus["name"]), **pronouns.get(str(stimulus["gender"]), pronouns["unknown"])}
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        garbled = (*DOCUMENT_WORDING.unusable, *DOCUMENT_WORDING.asking_back)
        return str(rng.choice(DOCUMENT_WORDING.refusals if kind == "refusing" else garbled)).format_map(slots)
    sides = _sides(inventories if inventories is not None else card_inventories())
    terms = _sampled_terms(sides, male_term_probability(kind, strength, str(stimulus["gender"])), rng)
    return _document(slots, int(stimulus["template"]), terms, rng)


def _sampled_terms(sides: Sequence[_Sides], male: float, rng: Random) -> list[str]:
    """Return terms of all inventories in a random order."""
    terms = []
    for side in sides:
        terms += [rng.choice(side.female if rng.random() >= male else side.male) for _ in range(rng.randint(*TERMS))]
    rng.shuffle(terms)
    return terms


@cache
def _sides(inventories: Inventories) -> tuple[_Sides, ...]:
    """Return the terms that a document can use, per inventory.

    They are of one word, on one side in all inventories, and fit for what somebody writes of a person at work; where
    an inventory has none of that kind, they need to be on one side only, and where it has none of these, nothing.
    """
    table = inventories.table
    clear = table.filter(pl.col("gender").n_unique().over("term") == 1)
    fit = clear.filter(~pl.col("term").str.contains(" ") & ~pl.col("term").is_in(list(DOCUMENT_WORDING.left_out)))
    return tuple(
        _Sides(**{gender: _first((fit, clear, table), inventory, gender) for gender in ("male", "female")})
        for inventory in inventories.names
    )


def _first(tables: Sequence[pl.DataFrame], inventory: str, gender: str) -> list[str]:
    """Return the terms of one side of an inventory in the first table that has any."""
    candidates = (table.filter(inventory=inventory, gender=gender)["term"].to_list() for table in tables)
    return next(terms for terms in candidates if terms)


def _document(slots: Mapping[str, str], template: int, terms: Sequence[str], rng: Random) -> str:
    form = template % len(DOCUMENT_WORDING.openings)
    carriers, middles = _endless(DOCUMENT_WORDING.carriers[form], rng), _endless(DOCUMENT_WORDING.middles[form], rng)
    sentences = []
    left = list(terms)
    while left:
        words = _different(left, rng.randint(1, 3))
        sentences.append(next(carriers).format_map({**slots, "terms": _listed(words)}))
        if rng.random() < MIDDLE_SHARE:
            sentences.append(next(middles).format_map(slots))
    cut = max(1, len(sentences) // 3)
    paragraphs = [" ".join(sentences[start : start + cut]) for start in range(0, len(sentences), cut)]
    opening, ending = rng.choice(DOCUMENT_WORDING.openings[form]), rng.choice(DOCUMENT_WORDING.endings[form])
    return "\n\n".join([opening.format_map(slots), *paragraphs, ending.format_map(slots)])


def _different(left: list[str], size: int) -> list[str]:
    """Take and return up to `size` different words of those left."""
    words = list(dict.fromkeys(reversed(left)))[:size]
    for word in words:
        left.remove(word)
    return words


def _endless(sentences: Sequence[str], rng: Random) -> Iterator[str]:
    """Yield the sentences in a random order, and then again in another."""
    while True:
        yield from rng.sample(sentences, len(sentences))


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
