"""Words of addresses, and a piece of a line read as tokens: numbers, capitalised words, words that may join them."""

import csv
import re
from functools import cache
from importlib import resources
from typing import NamedTuple

from evenhand.patterns import lazy_re
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.word_tables import WordTable

__all__ = ["ADDRESS_WORDS", "Token", "hinted", "is_date", "is_street", "tokens_of"]

ADDRESS_WORDS = WordTable("evenhand.resumes.categories.contacts.address", "address.toml")

_TOKEN = lazy_re(r"#|[^\W_](?:[\w'&]|[./-](?=\w))*[./]?|[^\w\s]")


@cache
def _all_endings() -> tuple[str, ...]:
    return (*ADDRESS_WORDS.endings, *ADDRESS_WORDS.short_endings)


@cache
def _kinds() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    with (resources.files("evenhand.resumes.categories") / "address.csv").open("r", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["word"], set()).add(row["kind"])
    return {word: frozenset(kinds) for word, kinds in found.items()}


@cache
def _hints() -> dict[str, bool]:
    """Return words that a line must have one of to be looked at, and whether it needs a capital there."""
    found: dict[str, bool] = {}
    for word, kinds in _kinds().items():
        if len(word) > 2 and kinds & {"street", "weak", "building", "area", "unit"}:
            found[word] = True
        if (
            kinds & {"before", "lower"}
            and word not in ADDRESS_WORDS.common
            and (len(word) > 2 or word in {"rd", "st", "ul", "jl", "os", "rr", "bv"})
        ):
            found[word] = word in {"place", "square"}
    found |= dict.fromkeys(("st", "rd", "av", "ln", "dr", "pl", "ct", "al", "jr", "am", "bd"), True)
    return found | dict.fromkeys(ADDRESS_WORDS.boxes, True)


_NONE: frozenset[str] = frozenset()
_LABELS = lazy_re(r"[ ]?:|\.?[ ]?\+?\(?\d[\d ().-]{6}")


def hinted(folded: FoldedText) -> list[int]:
    """Return places in a text, in order, where a word of addresses stands."""
    hints = _hints()
    found = []
    for word, places in folded.where.items():
        capital = hints.get(word)
        if capital is None:
            if len(word) < 7 or not word.endswith(_all_endings()):
                continue
            capital = True
        found += [
            folded.words[place][1] for place in places if not capital or folded.text[folded.words[place][1]].isupper()
        ]
    return sorted(found)


_WITH_STROKE = frozenset({"c/", "c/o", "s/o", "d/o", "w/o"})


class Token(NamedTuple):
    """A word in lower case, its form (number, capital, lower, mark; "" can't be in an address), its kinds."""

    start: int
    end: int
    word: str
    form: str
    kinds: frozenset[str]


def tokens_of(folded: FoldedText, start: int, end: int) -> list[Token]:
    """Return the tokens of a stretch of a text.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> [(token.word, token.form) for token in tokens_of(folded_text("12 Elm Rd., is"), 0, 14)]
    [('12', 'number'), ('elm', 'capital'), ('rd', 'capital'), (',', 'mark'), ('is', '')]
    """
    return [_token(folded, match) for match in _TOKEN.finditer(folded.text, start, end)]


def _token(folded: FoldedText, match: re.Match[str]) -> Token:
    start, end = match.span()
    low = folded.low[start:end]
    word = low.rstrip("./") if low not in _WITH_STROKE else low
    kinds = _kinds().get(word.replace(".", "")) or _NONE
    if word in ADDRESS_WORDS.contacts and _LABELS.match(folded.low, end) is not None:
        return Token(start, end, word, "", _NONE)
    if any(letter.isdigit() for letter in low):
        form = "number"
    elif not low[0].isalnum():
        form = "mark" if low in {",", "#", "-", "(", ")", ":", "\u3012"} else ""
    elif folded.text[start].isupper() or not folded.text[start].islower():
        form = "capital"
    else:
        form = "lower" if kinds & {"link", "lower", "before"} or word in _WITH_STROKE else ""
    return Token(start, end, word.replace(".", "") if kinds else word, form, kinds)


_DATED = lazy_re(r"(?:\d{1,2}[./-])?(?:19\d\d|20[0-2]\d|203[0-2])(?:[./-].*)?")


def is_date(token: Token) -> bool:
    """Say whether a token is a month, a year, or a date."""
    return token.word in ADDRESS_WORDS.months or (token.form == "number" and _DATED.fullmatch(token.word) is not None)


def is_street(token: Token) -> bool:
    """Say whether a word written small begins a street: `calle Mayor 3`."""
    return "before" in token.kinds and token.word not in ADDRESS_WORDS.common
