"""Short forms of a person's names that stand in the text: Pippa of Philippa, Geoff of Geoffrey, Venky of Venkatesh."""

import csv
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources

from evenhand.resumes.names.firms import CHAINS
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import english_words, given_names, no_names
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.plain import Plain

__all__ = ["is_nickname", "nicknames"]

_ENDINGS = ("ie", "ey", "y", "i", "o", "")
_SHORTEST, _SHORTEST_STEM, _LEAST_CUT = 3, 3, 2
#: What stands beside a word of its own.
_LEFT, _RIGHT = frozenset(("", *" \n\t\"'([|>*_")), frozenset(("", *" \n\t\"',.;:!?)]|*_"))
_DATES_LISTED = "mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec"
_DATES = frozenset(_DATES_LISTED.split())


def nicknames(plain: Plain, person: Iterable[Name]) -> list[Name]:
    """Return words of a text that are a listed nickname of the person's, or its name cut short.

    Only words that have a capital wherever they stand are looked at; what is not listed must be no word, town or tool.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Ask for Pippa. Java and Philosophy.")
    >>> [name.text for name in nicknames(seen, [name_of("Philippa Key")])]
    ['Pippa']
    """
    own = {token for name in person for token in name.tokens}
    if not own:
        return []
    given = {token for name in person for token in name.tokens[:-1]} | own & given_names()
    listed = frozenset().union(*(_listed().get(token, frozenset()) for token in own))
    cut = {word for word in _beginning_alike(plain, given) if word not in listed and _is_any_cut(word, given)}
    chosen = [*listed.intersection(plain.where), *cut]
    chosen += [owned for word in listed if (owned := f"{word}'s") in plain.where]
    found = []
    for word in chosen:
        bare = word.removesuffix("'s")
        if (
            bare not in own
            and bare not in _DATES
            and len(bare) >= _SHORTEST
            and not _is_a_chain(word)
            and _is_alone(plain, word, own)
        ):
            found.append(name_of(bare.title()))
    return sorted(found, key=lambda name: name.text)


def _beginning_alike(plain: Plain, names: Iterable[str]) -> Iterator[str]:
    """Yield words with a capital that begin as one of the names does that are long enough to be cut."""
    for beginning in {name[:_SHORTEST_STEM] for name in names if len(name) >= _SHORTEST_STEM + _LEAST_CUT}:
        start = plain.low.find(beginning)
        while start >= 0:
            if plain.text[start].isupper():
                place = bisect_right(plain.starts, start) - 1
                if plain.starts[place] == start:
                    yield plain.words[place][0]
            start = plain.low.find(beginning, start + 1)


def _is_a_chain(word: str) -> bool:
    """Say whether a firm is called so: Wendy's."""
    return word.endswith("'s") and word.removesuffix("'s") in CHAINS


def _is_any_cut(word: str, given: set[str]) -> bool:
    bare = word.removesuffix("'s")
    return bare not in given and any(_is_cut(bare, token) for token in given)


def _is_cut(word: str, token: str) -> bool:
    """Say whether a word is a name cut short, with an ending perhaps: Ibra of Ibrahima, Ferdie of Ferdinand."""
    if not word.isalpha():
        return False
    for ending in _ENDINGS:
        stem = word.removesuffix(ending) if ending else word
        if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2]:
            stem = stem[:-1]  # Vinnie, Tommy
        if (stem != word or not ending) and len(stem) >= _SHORTEST_STEM and token.startswith(stem):
            short = len(token) - len(stem) >= _LEAST_CUT
            return short and kind_of(word) == "name" and word not in english_words() and word not in no_names()
    return False


def is_nickname(word: str, token: str) -> bool:
    """Say whether a word is a listed nickname of a name, or its beginning, an ordinary word as well: Pen of Penny.

    >>> is_nickname("pen", "penny"), is_nickname("pe", "penny"), is_nickname("pippa", "philippa")
    (True, False, True)
    """
    return (len(word) >= _SHORTEST_STEM and word != token and token.startswith(word)) or word in _listed().get(
        token, ()
    )


def _is_alone(plain: Plain, word: str, own: set[str]) -> bool:
    """Say whether a word stands with a capital wherever it stands, and somewhere with none beside but the person's."""
    text, words = plain.text, plain.words
    alone = False
    for place in plain.where[word]:
        _, start, end = words[place]
        if not text[start].isupper() or (text[start : start + 2].isupper() and not text.isupper()):
            return False
        if text[start - 1 : start] not in _LEFT or text[end : end + 1] not in _RIGHT:
            continue
        before = text[max(0, start - 2) : start]
        beside = (before[-1:] == " " and before[:1].isalpha() and text[words[place - 1][1]].isupper()) or (
            text[end : end + 1] == " " and text[end + 1 : end + 2].isupper() and words[place + 1][0] not in own
        )
        alone = alone or not beside
    return alone


@cache
def _listed() -> dict[str, frozenset[str]]:
    """Return the nicknames of each name, and the names of each nickname."""
    found: dict[str, set[str]] = {}
    with (resources.files("evenhand.resumes.names") / "nicknames.csv").open("r", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["name"], set()).add(row["nickname"])
            found.setdefault(row["nickname"], set()).add(row["name"])
    return {name: frozenset(others) for name, others in found.items()}
