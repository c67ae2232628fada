"""Names and the gender and race that they signal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import polars as pl

GENDERS = ("male", "female")
RACES = ("asian", "black", "hispanic", "white")


@dataclass(frozen=True, kw_only=True)
class GroupName:
    """A full name or a given one, what it signals by attribute (gender, race, or a group), and how often it is borne.

    A frequency of None is unknown.
    """

    name: str
    signals: Mapping[str, str]
    frequency: float | None = None


@cache
def bloomberg_names() -> pl.DataFrame:
    """Return the 800 names of Yin, Alba and Nicoletti (2024).

    Columns `name, gender, race`; 100 rows per race × gender, sorted by race, gender
    (female first) and name, so that positions are stable.

    >>> bloomberg_names().height
    800
    """
    return pl.read_csv((resources.files("evenhand.data.lexicons") / "names_bloomberg.csv").read_bytes())


@cache
def an2024_names() -> pl.DataFrame:
    """Return the 300 first names of An et al. (2024): `name, gender, race`, fifty of each race and gender.

    >>> an2024_names().height
    300
    """
    return pl.read_csv((resources.files("evenhand.data.lexicons") / "names_an2024.csv").read_bytes())


#: Tables of names in the package, by what an option calls them; the first is the default.
TABLES: Final[Mapping[str, Callable[[], pl.DataFrame]]] = {"bloomberg": bloomberg_names, "an2024": an2024_names}


@cache
def group_names(table: str = "bloomberg") -> tuple[GroupName, ...]:
    """Return the names of a table of the package, of which no frequency is known.

    >>> group_names()[0]
    GroupName(name='Abigail Li', signals={'gender': 'female', 'race': 'asian'}, frequency=None)
    """
    return tuple(
        GroupName(name=name, signals={"gender": gender, "race": race})
        for name, gender, race in TABLES[table]().iter_rows()
    )
