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
    """Return the sheets and the cells with errors; write the header and the cells of the sheet to read."""
    # fastexcel warns on stderr about each column without values.
    logging.getLogger("fastexcel.types.dtype").setLevel(logging.ERROR)
    workbook = fastexcel.read_excel(task["path"])
    sheets = workbook.sheet_names
    name = task["sheet"] if task["sheet"] is not None else next(iter(sheets), None)
    if name not in sheets:
        return {"sheets": sheets, "name": None}
    top = pl.DataFrame(workbook.load_sheet(name, header_row=None, n_rows=1, dtypes="string"))
    top.write_ipc(task["header"])
    if not top.height:
        return {"sheets": sheets, "name": name}
    body = workbook.load_sheet(name, header_row=None, skip_rows=1)
    _, damage = body.to_arrow_with_errors()
    pl.DataFrame(body).write_ipc(task["cells"])
    errors = [error.position for error in damage.errors] if damage is not None else []
    # One cell of a column is enough to name it.
    first = {place: row for row, place in reversed(errors)}
    return {"sheets": sheets, "name": name, "errors": sorted(first.items())}


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
