"""Names and the gender and race that they signal."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import polars as pl

GENDERS = ("male", "female")
RACES = ("asian", "black", "hispanic", "white")


@dataclass(frozen=True, kw_only=True)
class GroupName:
    """A name, what it signals by attribute (gender, race, or a group), and how often it is borne; None is unknown."""

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
    with (resources.files("evenhand.data.lexicons") / "names_bloomberg.csv").open("rb") as file:
        return pl.read_csv(file)


@cache
def group_names() -> tuple[GroupName, ...]:
    """Return the names of `bloomberg_names`, of which no frequency is known.

    >>> group_names()[0]
    GroupName(name='Abigail Li', signals={'gender': 'female', 'race': 'asian'}, frequency=None)
    """
    return tuple(
        GroupName(name=name, signals={"gender": gender, "race": race})
        for name, gender, race in bloomberg_names().iter_rows()
    )
