"""Occupations of O*NET by the titles that stand in a text."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from evenhand.lexicons.onet import occupations
from evenhand.matching.families import titles_of
from evenhand.matching.features.vocabulary import rows_of
from evenhand.matching.reading.words import lines_of

__all__ = ["family_rows", "occupation_rows", "occupations_in"]

_PLURAL: Final = "s"


def occupations_in(lines: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the codes of the occupations whose titles stand in lines of words, the longest title at each place.

    >>> occupations_in([("senior", "software", "developer", "|", "greenfield")])
    frozenset({'15-1252.00'})
    """
    found = set()
    for words in lines:
        own = [word.removesuffix(_PLURAL) for word in words]
        place = 0
        while place < len(own):
            fits = [title for title in _titles().get(own[place], ()) if own[place : place + len(title[0])] == title[0]]
            longest = max(fits, key=lambda title: len(title[0]), default=None)
            if longest is not None:
                found.add(longest[1])
            place += len(longest[0]) if longest is not None else 1
    return frozenset(found)


@cache
def _titles() -> dict[str, list[tuple[list[str], str]]]:
    found: dict[str, list[tuple[list[str], str]]] = {}
    taken = set()
    for each in occupations():
        for title in titles_of(each):
            words = [word.removesuffix(_PLURAL) for _, line in lines_of(title) for word in line]
            if words and tuple(words) not in taken:
                taken.add(tuple(words))
                found.setdefault(words[0], []).append((words, each.code))
    return found


@cache
def _numbers(digits: int) -> dict[str, int]:
    return {code: number for number, code in enumerate(dict.fromkeys(each.code[:digits] for each in occupations()))}


def occupation_rows(codes: Sequence[Collection[str]]) -> Any:
    """Return which occupations there are in each row, (n, occupations), sparse."""
    return _rows(codes, len(occupations()[0].code))


def family_rows(codes: Sequence[Collection[str]]) -> Any:
    """Return which families of occupations there are in each row, (n, families), sparse."""
    return _rows(codes, 2)


def _rows(codes: Sequence[Collection[str]], digits: int) -> Any:
    numbers = _numbers(digits)
    return rows_of(
        [dict.fromkeys(sorted({numbers[code[:digits]] for code in own}), 1.0) for own in codes], len(numbers)
    )
