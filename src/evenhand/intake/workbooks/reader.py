"""Starts the process that reads a workbook, and tells what it found or what ended it."""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.errors import InputError
from evenhand.intake._open_table import message_of
from evenhand.intake.workbooks.sizes import far_cell
from evenhand.tables.messages.quoting import shortened
from evenhand.tables.unpacking import Budget

__all__ = ["Sheet", "sheet_of"]

#: Megabytes of memory that reading takes per megabyte of the limit: a cell is held several times on the way.
MEMORY: Final = 12
#: A sheet is read twice, for its header and for its cells.
READINGS: Final = 2
LONGEST_MESSAGE: Final = 300
PROGRAM: Final = Path(__file__).with_name("process.py")
#: Whether a process can be held to so much memory here; elsewhere the cells are looked at first.
LIMITED: Final = Path("/proc/self/statm").exists()
#: Of the process that reads: few reservations of memory, short last words.
SETTINGS: Final = {"POLARS_MAX_THREADS": "1", "MALLOC_ARENA_MAX": "2", "RUST_BACKTRACE": "0"}


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A sheet as another process read it: its name, None where there is none such, and its cells."""

    sheets: list[str]
    name: str | None
    header: list[str]
    cells: pl.DataFrame
    errors: dict[int, int]


def sheet_of(path: Path, sheet: str | None, budget: Budget) -> Sheet:
    """Return a sheet, the first one where none is named, read in a process with so much memory and time.

    Raises
    ------
    InputError
        The file is no workbook, or takes more.

    """
    if not LIMITED:
        _check_cells(path, budget)
    megabytes, seconds = MEMORY * budget.megabytes, math.ceil(READINGS * budget.seconds)
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        header, cells = Path(folder, "header.arrow"), Path(folder, "cells.arrow")
        task: dict[str, Any] = {
            "path": str(path.absolute()),
            "sheet": sheet,
            "header": str(header),
            "cells": str(cells),
        }
        task |= {"megabytes": megabytes, "seconds": seconds}
        done = subprocess.run(  # noqa: S603 - our own interpreter and our own file
            [sys.executable, "-P", str(PROGRAM)],
            input=json.dumps(task).encode(),
            capture_output=True,
            check=False,
            env=os.environ | SETTINGS | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        told: dict[str, Any] = {"failed": _end_of(done.returncode)} if done.returncode else json.loads(done.stdout)
        if "failed" not in told:
            return Sheet(
                sheets=told["sheets"],
                name=told["name"],
                header=[(value or "").strip() for row in _frame(header).head(1).rows() for value in row],
                cells=_frame(cells),
                errors=dict(told.get("errors", ())),
            )
    if told["failed"] == "bug":
        raise RuntimeError(done.stderr.decode(errors="replace"))
    if told["failed"] == "reading":
        raise InputError(
            f"{path} can't be read as a workbook: {shortened(message_of(InputError(told['message'])), most=300)}."
        )
    if told["failed"] == "memory":
        _check_cells(path, Budget(budget.megabytes))
    what = f"{megabytes:,} MB of memory" if told["failed"] == "memory" else f"{seconds} seconds"
    raise InputError(
        f"{path} takes more than {what} to read; delete what stands beside and below the table, save the sheet as CSV, "
        "or, if you trust the file, raise --unpack-limit."
    )


def _check_cells(path: Path, budget: Budget) -> None:
    """Raise InputError where a cell lies so far away that the sheet has too many."""
    told = far_cell(path, budget)
    if told is not None:
        raise InputError(f"{path} {told}.")


def _end_of(code: int) -> str:
    """Return what ended the process: its limits come as signals, and a refused allocation as an abort."""
    if code > 0:
        return "bug"
    return "time" if -code == getattr(signal, "SIGXCPU", None) else "memory"


def _frame(path: Path) -> pl.DataFrame:
    """Return the rows of an Arrow file; none where there is no file."""
    if not path.exists():
        return pl.DataFrame()
    with path.open("rb") as file:
        return pl.read_ipc(file)
