"""A separate program that reads one sheet, as a workbook reader can neither be stopped nor limited within a process.

`workbooks.sheet_of` starts it with a task in JSON on stdin; it writes its result to stdout and leaves two Arrow files.
A workbook that needs too much ends this process and no other. It runs as a file and imports nothing of evenhand.
"""

import io
import json
import logging
import sys
from pathlib import Path
from typing import Any

import fastexcel
import polars as pl

MEGABYTE = 2**20


class PyArrow:
    """A stand-in for PyArrow: fastexcel returns errors in cells only along with cells for PyArrow, which go unread."""

    class RecordBatchReader:
        """Leaves the cells unread."""

        @classmethod
        def _import_from_c(cls, _address: int) -> "PyArrow.RecordBatchReader":
            return cls()

        def read_next_batch(self) -> None:
            """Return nothing."""


def limit(megabytes: int, seconds: int) -> None:
    """Limit the further memory and the processor time of this process, where the system can."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    limits = [(resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)]
    status = Path("/proc/self/statm")
    if status.exists():
        used = int(status.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        limits.append((resource.RLIMIT_AS, used + megabytes * MEGABYTE))
    for kind, most in limits:
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, hard))


def read(task: dict[str, Any]) -> dict[str, Any]:
    """Return the sheets, the rows and the cells with errors; write the first rows as text, and the cells below them.

    The task has the number of rows above the cells to read (`skip`) and of rows to read; without them the cells below
    the first row with a value are read.
    """
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
    top.write_ipc(task["top"])
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
    pl.DataFrame(body).write_ipc(task["cells"])
    # One cell of a column is enough to name it.
    first = {column: row for row, column in reversed(errors)}
    places = {"above": above, "skip": skip, "height": height}
    return {"sheets": sheets, "name": name, "errors": sorted(first.items()), **places}


def cells_apart(sheet: fastexcel.ExcelSheet) -> list[tuple[int, int]]:
    """Return the row and the column of cells that do not fit the type of their column, from 0."""
    _, damage = sheet.to_arrow_with_errors()
    return [error.position for error in damage.errors] if damage is not None else []


def blank_rows(frame: pl.DataFrame) -> int:
    """Return the number of rows at the top without a value."""
    filled = frame.select(pl.any_horizontal((pl.all().str.strip_chars() != "").fill_null(False))).to_series()
    return int(filled.arg_max() or 0) if filled.any() else frame.height


def main() -> None:
    """Read the task from stdin, do it, and write the result to stdout."""
    task = json.load(sys.stdin)
    # Polars reserves memory for its threads when it first writes.
    pl.DataFrame({"cell": [""]}).write_ipc(io.BytesIO())
    sys.modules["pyarrow"] = PyArrow  # type: ignore[assignment]
    limit(task["megabytes"], task["seconds"])
    try:
        result = read(task)
    except MemoryError:
        result = {"failed": "memory"}
    except BaseException as error:  # noqa: BLE001 - the reader's panics are no exceptions
        result = {"failed": "reading", "message": str(error)}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
