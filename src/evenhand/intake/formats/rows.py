"""JSONL and Feather files, opened with the types that they have."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.intake.databases.embedded import opened_rows
from evenhand.json_rows import json_rows
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.messages.quoting import listed

__all__ = ["opened_feather", "opened_jsonl"]

EXPECTED = 'a line per row, such as {"gender": "f", "hired": "yes"}'


def opened_jsonl(path: Path, closing: ExitStack) -> OpenTable:
    """Open JSONL: an object a line; a column is text where its values are not all of one kind.

    Raises
    ------
    InputError
        A line is no JSON object, or there is none.

    """
    columns: dict[str, list[Any]] = {}
    for place, (_, row) in enumerate(json_rows(path, expected=EXPECTED)):
        for name in row:
            columns.setdefault(name, [None] * place)
        for name, values in columns.items():
            values.append(row.get(name))
    nested = [name for name, values in columns.items() if any(isinstance(value, list | dict) for value in values)]
    frame = pl.DataFrame([_column(name, values) for name, values in columns.items() if name not in nested])
    if nested and not frame.width:
        raise InputError(f"{path}: every value is a list or an object; expected {EXPECTED}.")
    table = _opened(frame, path, closing)
    if not nested:
        return table
    note = f"Columns of lists and objects were left out of {path.name}: {listed(nested, quotes=True)}."
    return replace(table, notes=(*table.notes, note))


def opened_feather(path: Path, closing: ExitStack) -> OpenTable:
    """Open a Feather (Arrow IPC) file.

    Raises
    ------
    InputError
        It can't be read.

    """
    try:
        frame = pl.read_ipc(path.read_bytes())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} can't be read as Feather (Arrow IPC, version 2): {message_of(error)}.") from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # what polars raises at damaged files is no Exception
            raise InputError(f"{path} can't be read as Feather (Arrow IPC, version 2): it is damaged.") from error
        raise
    return _opened(frame, path, closing)


def _opened(frame: pl.DataFrame, path: Path, closing: ExitStack) -> OpenTable:
    table = opened_rows(frame, name=path.name, details={"source": path.name}, closing=closing)
    return replace(table, fingerprints={path.name: sha256_of(path)})


def _column(name: str, values: Sequence[Any]) -> pl.Series:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool}:
        return pl.Series(name, values, pl.Boolean)
    if kinds <= {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return pl.Series(name, values, pl.Int64)
    if kinds <= {int, float}:
        return pl.Series(name, [None if value is None else float(value) for value in values], pl.Float64)
    texts = [value if value is None or isinstance(value, str) else orjson.dumps(value).decode() for value in values]
    return pl.Series(name, texts, pl.String)
