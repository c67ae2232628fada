"""Read one sheet of a workbook, in a process of its own: `workbooks.sheet_of` calls it within limits."""

import io
import logging
import sys
from typing import Any

import fastexcel
import polars as pl

# Polars reserves memory for its threads when it first writes.
pl.DataFrame({"cell": [""]}).write_ipc(io.BytesIO())


class PyArrow:
    """A stand-in for PyArrow: fastexcel returns errors in cells only along with cells for PyArrow, which go unread."""

    class RecordBatchReader:
        """Leaves the cells unread."""

        @classmethod
        def _import_from_c(cls, _address: int) -> "PyArrow.RecordBatchReader":
            return cls()

        def read_next_batch(self) -> None:
            """Return nothing."""


class NoWorkbook(Exception):
    """What the reader says of a file that it can't read."""


def read(task: dict[str, Any]) -> dict[str, Any]:
    """Return the sheets, the first rows as text, the cells below them, and cells with errors.

    The task has the number of rows above the cells to read (`skip`) and of rows to read; without them the cells below
    the first row with a value are read.

    Raises
    ------
    NoWorkbook
        The file can't be read.

    """
    sys.modules["pyarrow"] = PyArrow  # type: ignore[assignment]
    try:
        return _read(task)
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - the reader's panics are no exceptions
        raise NoWorkbook(str(error)) from None


def _read(task: dict[str, Any]) -> dict[str, Any]:
    # fastexcel warns on stderr about each column without values.
    logging.getLogger("fastexcel.types.dtype").setLevel(logging.ERROR)
    workbook = fastexcel.read_excel(task["path"])
    sheets = workbook.sheet_names
    name = task["sheet"] if task["sheet"] is not None else next(iter(sheets), None)
    if name not in sheets:
        return {"sheets": sheets, "name": None}
    sample = {"header_row": None, "n_rows": task["sample"], "dtypes": "string"}
    sheet = workbook.load_sheet(name, skip_rows=0, **sample)
    height, above, top = sheet.total_height, 0, pl.DataFrame(sheet)
    if height and blank_rows(top) == top.height:
        # Rows without a value above the table are left out where no number is given.
        sheet = workbook.load_sheet(name, **sample)
        above, top = height - sheet.total_height, pl.DataFrame(sheet)
    if not top.height:
        return {"sheets": sheets, "name": name}
    skip = task["skip"] if task["skip"] is not None else above + blank_rows(top) + 1
    place = {"header_row": None, "skip_rows": skip, "n_rows": task["rows"]}
    body = workbook.load_sheet(name, **place)
    errors = cells_apart(body)
    if errors:
        # A column of other cells with a text such as 'N/A' is one of texts; the cells left then show errors.
        body = workbook.load_sheet(name, dtypes=dict.fromkeys((column for _, column in errors), "string"), **place)
        errors = cells_apart(body)
    # One cell of a column is enough to name it.
    first = {column: row for row, column in reversed(errors)}
    places = {"above": above, "skip": skip, "height": height}
    frames = {"top": top, "cells": pl.DataFrame(body)}
    return {"sheets": sheets, "name": name, "errors": sorted(first.items()), **places, **frames}


def cells_apart(sheet: fastexcel.ExcelSheet) -> list[tuple[int, int]]:
    """Return the row and the column of cells that do not fit the type of their column, from 0."""
    _, damage = sheet.to_arrow_with_errors()
    return [error.position for error in damage.errors] if damage is not None else []


def blank_rows(frame: pl.DataFrame) -> int:
    """Return the number of rows at the top without a value."""
    filled = frame.select(pl.any_horizontal((pl.all().str.strip_chars() != "").fill_null(False))).to_series()
    return int(filled.arg_max() or 0) if filled.any() else frame.height
