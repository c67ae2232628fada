"""Words of schools' names: kinds of school, links, what begins no name, what is studied, campuses."""

from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.rules import phrases_of
from evenhand.resumes.text.folded_text import folded_word
from evenhand.word_tables import WordTable

__all__ = ["CITIES", "GAPS", "PART_AFTER", "SCHOOL_WORDS", "heads", "links_before", "listed", "public"]  # fmt: skip

SCHOOL_WORDS = WordTable("evenhand.resumes.categories.education.school", "school.toml")

GAPS = frozenset({" ", "-", ". ", ".  ", ".", " & ", "&", "' ", "'"})


@cache
def links_before() -> frozenset[str]:
    """Return links before a head; `at` and `in` end a degree: Business Administration at X College."""
    found: frozenset[str] = SCHOOL_WORDS.links - {"at", "in", "for", "im", "am", "na", "su", "pa"}
    return found


#: What follows a part of a line.
PART_AFTER = lazy_re(r"[ ]*(?:[,;.|)(\n\t:<>/-]|$|and\b|in\b|with\b|from\b|where\b|\d|'\d)|[ ]{2,}")
CITIES = frozenset({"london", "dublin", "cork", "galway", "maynooth"})


@cache
def public() -> frozenset[str]:
    """Return PUBLIC."""
    found: frozenset[str] = SCHOOL_WORDS.generic | {
        "govt",
        "government",
        "municipal",
        "higher",
        "senior",
        "govt.",
        "district",
    }
    return found


@cache
def listed(rule: str) -> frozenset[str]:
    """Return the phrases of a rule of school.csv."""
    return frozenset(phrases_of("school")[rule])


@cache
def heads() -> frozenset[str]:
    """Return kinds of school in lower case.

    >>> "university" in heads() and "lycee" in heads()
    True
    """
    return frozenset(folded_word(word) for word in listed("head") | listed("first"))
