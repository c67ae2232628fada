"""`evenhand data example`: real applicants to learn on, as a CSV."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.examples import berkeley_applicants, compas_scores
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import refuse_existing, write_file

__all__ = ["EXAMPLES", "Example", "write_example"]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A table to try a command on, and what it holds."""

    about: str
    rows: Callable[[], pl.DataFrame]


EXAMPLES: Final[Mapping[str, Example]] = {
    "berkeley-1973": Example(
        about="4,526 graduate applicants by sex and department, admitted or not", rows=berkeley_applicants
    ),
    "compas-2016": Example(
        about="7,214 people by race, COMPAS decile score and whether they reoffended, as counts; for evaluate",
        rows=compas_scores,
    ),
}


def write_example(name: str, *, out: Path | None, force: bool) -> Path:
    """Write an example's applicants as CSV, default <name>.csv here; return the path.

    Raises
    ------
    InputError
        There is no such example, or the file is there already.

    """
    if name not in EXAMPLES:
        raise InputError(f"There is no example {name!r}; expected {', '.join(EXAMPLES)}.")
    path = out if out is not None else Path(f"{name}.csv")
    refuse_existing(path, force=force)
    write_file(path, csv_bytes(EXAMPLES[name].rows()))
    return path
