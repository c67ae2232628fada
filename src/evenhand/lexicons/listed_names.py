"""The names of `names`, read without Polars, which masking does not need."""

import csv
from functools import cache
from importlib import resources

__all__ = ["listed_names"]


@cache
def listed_names() -> tuple[str, ...]:
    """Return the 800 names of Yin, Alba and Nicoletti (2024), in the order of `bloomberg_names`.

    >>> len(listed_names())
    800
    """
    with (resources.files("evenhand.lexicons") / "names_bloomberg.csv").open("r", encoding="utf-8") as file:
        return tuple(row["name"] for row in csv.DictReader(file))
