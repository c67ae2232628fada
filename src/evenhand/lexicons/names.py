"""Names and the gender and race that they signal."""

from functools import cache
from importlib import resources

import polars as pl

__all__ = ["GENDERS", "RACES", "bloomberg_names"]

GENDERS = ("male", "female")
RACES = ("asian", "black", "hispanic", "white")


@cache
def bloomberg_names() -> pl.DataFrame:
    """Return the 800 names of Yin, Alba and Nicoletti (2024).

    Columns `name, gender, race`; 100 rows per race × gender, sorted by race, gender
    (female first) and name, so that positions are stable.

    >>> bloomberg_names().height
    800
    """
    with (resources.files("evenhand.lexicons") / "names_bloomberg.csv").open("rb") as file:
        return pl.read_csv(file)
