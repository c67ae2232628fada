"""Lists that help with names: frequent given names and surnames, names that are words, words that are no names."""

import csv
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise

from evenhand.lexicons.listed_names import listed_names
from evenhand.resumes.text.folded_text import folded_word
from evenhand.word_tables import WordTable

__all__ = [
    "KIND_WORDS",
    "english_words",
    "given_names",
    "is_no_name",
    "is_no_person",
    "name_words",
    "no_names",
    "ordinary_words",
    "surnames",
]

KIND_WORDS = WordTable("evenhand.resumes.names", "kinds.toml")


def _rows(name: str) -> list[dict[str, str]]:
    with (resources.files("evenhand.resumes.names") / name).open("r", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _frequent(part: str) -> frozenset[str]:
    listed = {folded_word(row["name"]) for row in _rows("names_frequent.csv") if row["part"] == part}
    place = 0 if part == "given" else -1
    return frozenset(listed | {folded_word(name.split()[place]) for name in listed_names()})


@cache
def given_names() -> frozenset[str]:
    """Return frequent given names of many origins, in plain lower case.

    >>> "siobhan" in given_names()
    True
    """
    return _frequent("given")


@cache
def surnames() -> frozenset[str]:
    """Return frequent surnames of many origins, in plain lower case."""
    return _frequent("surname")


@cache
def name_words() -> dict[str, str]:
    """Return names that are also something else, and what: word, month, place, tool or organisation.

    >>> name_words()["may"], name_words()["ruby"]
    ('month', 'tool')
    """
    return {row["word"]: row["kind"] for row in _rows("name_words.csv")}


@cache
def no_names() -> dict[str, str]:
    """Return words of résumés that are part of no name, and their kind: job, section, organisation, place, other."""
    return {row["word"]: row["kind"] for row in _rows("no_names.csv")}


@cache
def ordinary_words() -> frozenset[str]:
    """Return words that stand capitalised in résumés and are no name in a sentence: departments, products, firms.

    >>> "logistics" in ordinary_words() or "logistics" in no_names()
    True
    """
    return frozenset(row["word"] for row in _rows("ordinary_words.csv"))


@cache
def english_words() -> frozenset[str]:
    """Return English words that are also names, or look like one with a capital, besides those of the other lists.

    >>> "showers" in english_words(), "okafor" in english_words()
    (True, False)
    """
    return frozenset(row["word"] for row in _rows("english_words.csv"))


@lru_cache(maxsize=65536)
def is_no_name(word: str) -> bool:
    """Say whether a word in plain lower case belongs to no name.

    >>> is_no_name("engineer"), is_no_name("okafor")
    (True, False)
    """
    return word in no_names() or (word.endswith(KIND_WORDS.no_name_endings) and word not in surnames())


@cache
def _no_people() -> frozenset[tuple[str, str]]:
    return frozenset((first, last) for first, last in (row["phrase"].split() for row in _rows("no_people.csv")))


@lru_cache(maxsize=16384)
def is_no_person(text: str) -> bool:
    """Say whether words in plain lower case hold a firm, method, place or work that reads like a person's name.

    >>> is_no_person("kaplan-meier"), is_no_person("ralph lauren"), is_no_person("ralph ellis")
    (True, True, False)
    """
    words = text.replace("-", " ").replace(".", "").split()
    return any(
        pair in _no_people() and (not place or pair[0] not in KIND_WORDS.particles)
        for place, pair in enumerate(pairwise(words))
    )
