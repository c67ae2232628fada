"""Pairs of a person and a position, from CSV or Parquet."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["PERSON", "POSITION", "read_pairs"]

PERSON: Final = "person"
POSITION: Final = "position"


def read_pairs(path: Path, *, people: Sequence[str], positions: Sequence[str]) -> pl.DataFrame:
    """Return the pairs of a file, with the numbers of their people and positions as `_person` and `_position`.

    Raises
    ------
    InputError
        The file can't be read, lacks a column, names somebody or a position that is not known, or a pair twice.

    """
    suffix = path.suffix.lower()
    if suffix == ".parquet" and path.is_file():
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"{path} is no Parquet file that can be read ({type(error).__name__}).") from error
    elif suffix in {".csv", ".tsv", ".txt"}:
        frame = read_text_table(path).frame
    else:
        told = f"{path} has the ending {suffix or '(none)'}" if path.exists() else f"No file {path}"
        raise InputError(f"{told}; expected pairs as .csv or .parquet with the columns person and position.")
    for name in (PERSON, POSITION):
        if name not in frame.columns:
            raise InputError(f"No column {quoted(name)} in {path}. Columns: {listed(frame.columns, most=8)}.")
    if not frame.height:
        raise InputError(f"{path} has no rows; expected a pair of person and position in each.")
    frame = frame.with_columns(
        _numbers(frame[PERSON], people, path, "people").alias("_person"),
        _numbers(frame[POSITION], positions, path, "positions").alias("_position"),
    )
    twice = frame.select("_person", "_position").is_duplicated()
    if twice.any():
        row = frame.filter(twice).row(0, named=True)
        raise InputError(
            f"{path} has the pair of person {quoted(str(row[PERSON]))} and position {quoted(str(row[POSITION]))} "
            f"more than once, {int(twice.sum()):,} rows have such a pair; give each pair once."
        )
    return frame


def _numbers(column: pl.Series, known: Sequence[str], path: Path, what: str) -> pl.Series:
    """Return the places of ids among those that are known."""
    ids = column.cast(pl.String).str.strip_chars()
    places = pl.DataFrame({"id": list(known), "place": range(len(known))}, schema={"id": pl.String, "place": pl.Int64})
    found = pl.DataFrame({"id": ids}).join(places, on="id", how="left", maintain_order="left")["place"]
    if found.null_count():
        unknown = ids.filter(found.is_null())
        first = "an empty cell" if unknown[0] in {None, ""} else quoted(unknown[0])
        raise InputError(
            f"{path} names {first}, which --{what} does not hold ({found.null_count():,} of {len(ids):,} rows have "
            f"such an id); give all {what} that the pairs name."
        )
    return found
