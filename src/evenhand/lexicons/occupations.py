"""Occupations and how masculine they are perceived to be."""

from functools import cache
from importlib import resources

import polars as pl

__all__ = ["kennison_occupations"]


@cache
def kennison_occupations() -> pl.DataFrame:
    """Return the 339 rated occupations of Kennison and Trofe (2003).

    Columns `occupation, masculinity`; masculinity runs from 0 (feminine) to 1.

    >>> kennison_occupations().filter(occupation="nurse").height
    1
    """
    with (resources.files("evenhand.lexicons") / "occupations_kennison.csv").open("rb") as file:
        return pl.read_csv(file)
