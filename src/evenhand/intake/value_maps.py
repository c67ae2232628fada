"""Values of a column that are called otherwise than by us, such as A for asian."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.errors import InputError
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["renamed_values", "value_maps"]

EXPECTED = "expected COLUMN=FROM:TO,…, such as race=A:asian,B:black"


def value_maps(typed: str | Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Return what --map was given, a text per column: each begins a column, or goes on with the one before it.

    Raises
    ------
    InputError
        A part is none, or a value is given two names.

    >>> value_maps(["race=A:asian,B:black,gender=f:female", "race=W:white"])
    ('race=A:asian,B:black,W:white', 'gender=f:female')
    >>> value_maps({"gender": {"f": "female", 1: "male"}})
    ('gender=f:female,1:male',)
    """
    maps = {name: dict(pairs) for name, pairs in typed.items()} if isinstance(typed, Mapping) else _read(typed)
    for column, names in maps.items():
        for before, now in names.items():
            if not str(before).strip() or not str(now).strip() or "," in f"{before}{now}" or ":" in str(now):
                raise InputError(f"--map holds {quoted(f'{column}={before}:{now}')}; {EXPECTED}.")
    return tuple(
        f"{column}={','.join(f'{before}:{now}' for before, now in names.items())}"
        for column, names in maps.items()
        if names
    )


def _read(typed: str | Sequence[str]) -> dict[str, dict[str, str]]:
    maps: dict[str, dict[str, str]] = {}
    for text in [typed] if isinstance(typed, str) else typed:
        names: dict[str, str] | None = None
        for part in text.split(","):
            column, equals, pair = part.partition("=")
            before, colon, now = (each.strip() for each in (pair if equals else part).rpartition(":"))
            if equals:
                names = maps.setdefault(column.strip(), {})
            if names is None or not colon or (equals and not column.strip()):
                raise InputError(f"--map is {quoted(text)}; {EXPECTED}.")
            if names.setdefault(before, now) != now:
                raise InputError(f"--map is {quoted(text)}; it calls {quoted(before)} both {names[before]} and {now}.")
    return maps


def renamed_values(frame: pl.DataFrame, maps: Sequence[str], *, source: Path) -> pl.DataFrame:
    """Return a table whose values are called as `maps` (of `value_maps`) say, as texts; blank cells stay blank.

    Raises
    ------
    InputError
        There is no such column, or a value of it is in no map; rows are counted from 1.

    >>> renamed_values(pl.DataFrame({"race": ["A", None]}), ["race=A:asian"], source=Path("a.csv"))["race"].to_list()
    ['asian', None]
    """
    for column, names in _read(maps).items():
        if column not in frame.columns:
            near = get_close_matches(column, frame.columns, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise InputError(f"--map: no column {quoted(column)} in {source}. Columns: {listed(frame.columns)}.{hint}")
        cells = _texts(frame[column])
        unknown = (~cells.is_in(list(names)) & (cells != "")).fill_null(value=False).arg_true()
        if len(unknown):
            value = quoted(cells[unknown[0]])
            raise InputError(
                f"Row {unknown[0] + 1} of {source}: --map has no name for the {column} {value}, only for "
                f"{listed(list(names))}; name each value, one that stays as it is too."
            )
        frame = frame.with_columns(cells.replace(names).alias(column))
    return frame


def _texts(cells: pl.Series) -> pl.Series:
    """Return cells as trimmed texts; whole numbers have no decimals."""
    if cells.dtype.is_float() and (cells.drop_nulls() % 1 == 0).all():
        cells = cells.cast(pl.Int64)
    if cells.dtype.is_nested():
        raise InputError(f"--map: the column {quoted(cells.name)} holds lists or objects; expected texts or numbers.")
    return cells.cast(pl.String).str.strip_chars()
