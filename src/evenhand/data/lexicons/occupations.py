"""Occupations and what is done in them, restated from O*NET 29.2.

Occupations and how masculine they are perceived to be.

This product includes information from the O*NET 29.2 Database by the U.S. Department of Labor, Employment and Training
Administration (USDOL/ETA), used under the CC BY 4.0 license; modified.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import polars as pl

from evenhand.errors import InputError
from evenhand.results.messages import quoted


@cache
def kennison_occupations() -> pl.DataFrame:
    """Return the 339 rated occupations of Kennison and Trofe (2003).

    Columns `occupation, masculinity`; masculinity runs from 0 (feminine) to 1.

    >>> kennison_occupations().filter(occupation="nurse").height
    1
    """
    return pl.read_csv((resources.files("evenhand.data.lexicons") / "occupations_kennison.csv").read_bytes())


@dataclass(frozen=True, kw_only=True)
class Occupation:
    """An occupation: its O*NET-SOC code, title and job zone, and what workers do, use and are called.

    The job zone runs from 1 (little preparation) to 5 (extensive). Tasks are imperatives, core ones first; technology
    that is in demand comes first.
    """

    code: str
    title: str
    zone: int
    tasks: tuple[str, ...]
    technology: tuple[str, ...]
    titles: tuple[str, ...]


@cache
def occupations() -> tuple[Occupation, ...]:
    """Return the occupations by code.

    >>> [each.title for each in occupations() if each.zone == 1][:2]
    ['Cooks, Fast Food', 'Fast Food and Counter Workers']
    """
    tasks, technology = _by_code("onet_tasks.csv", "task"), _by_code("onet_technology.csv", "technology")
    titles = _by_code("onet_titles.csv", "title")
    return tuple(
        Occupation(
            code=row["code"],
            title=row["title"],
            zone=int(row["zone"]),
            tasks=tasks[row["code"]],
            technology=technology.get(row["code"], ()),
            titles=titles.get(row["code"], ()),
        )
        for row in _rows("onet_occupations.csv")
    )


def occupation(code: str) -> Occupation:
    """Return the occupation of a code.

    >>> occupation("29-1141.00").title
    'Registered Nurses'

    Raises
    ------
    InputError
        It is none of those restated here.

    """
    found = _codes().get(code)
    if found is None:
        known = ", ".join(list(_codes())[:3])
        raise InputError(f"No occupation has the code {quoted(code)}. Expected one of {len(_codes())} such as {known}.")
    return found


@cache
def _codes() -> Mapping[str, Occupation]:
    return {each.code: each for each in occupations()}


def _rows(name: str) -> list[dict[str, str]]:
    text = (resources.files("evenhand.data.lexicons") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _by_code(name: str, column: str) -> Mapping[str, tuple[str, ...]]:
    """Return the values of a table's column for each code, in their order."""
    found: dict[str, list[str]] = {}
    for row in _rows(name):
        found.setdefault(row["code"], []).append(row[column])
    return {code: tuple(values) for code, values in found.items()}
