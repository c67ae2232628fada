"""Occupations of O*NET by the titles that stand in a text."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from evenhand.lexicons.onet import occupations
from evenhand.matching.families import titles_of
from evenhand.matching.features.rows import rows_of
from evenhand.matching.reading.forms import Form, Forms
from evenhand.matching.reading.words import lines_of

__all__ = ["family_rows", "occupation_rows", "occupations_in"]

_PLURAL: Final = "s"


def occupations_in(lines: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the codes of the occupations whose titles stand in lines of words, the longest title at each place.

    >>> occupations_in([("senior", "software", "developer", "|", "greenfield")])
    frozenset({'15-1252.00'})
    """
    titles = _titles()
    own = (tuple(word.removesuffix(_PLURAL) for word in words) for words in lines)
    return frozenset(code for words in own for _, code in titles.longest_in(words) if code is not None)


@cache
def _titles() -> Forms[str]:
    found: dict[Form, str] = {}
    for each in occupations():
        for title in titles_of(each):
            words = tuple(word.removesuffix(_PLURAL) for _, line in lines_of(title) for word in line)
            if words:
                found.setdefault(words, each.code)
    return Forms(found.items())


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
