"""Workbooks: one sheet, with the cell types of the spreadsheet, read in a separate process within limits of size."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.data.databases import opened_rows
from evenhand.data.open_table import STAGE, Headers, OpenTable, comma_separated, headers_of, message_of
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.files import PIECES, Budget, sha256_of
from evenhand.results.messages import listed, quoted, shortened, spelled

CHUNK: Final = 2**20
#: The XML of a sheet is only read through; its cells, which stay in memory, take about a quarter of it.
PASSING: Final = 4
_SHEETS: Final = lazy_re(r".*worksheets/[^/]*|content\.xml", re.IGNORECASE)
#: A filled cell; cells with a format only take no room.
_CELL: Final = lazy_re(rb"<(?:\w+:)?c\s[^<>]*?\br\s*=\s*[\"']([A-Za-z]{1,7})(\d{1,10})[\"'][^<>]*(?<!/)>")
#: The most bytes of a cell's start tag.
LONGEST_START: Final = 1000


def check_unpacked(path: Path, budget: Budget) -> None:
    """Raise InputError where a packed workbook unpacks to more than is allowed, whatever sizes it declares."""
    if not zipfile.is_zipfile(path):
        return
    for name, chunk in _unpacked(path):
        try:
            budget.unpacked(len(chunk) // (PASSING if _SHEETS.fullmatch(name) else 1))
            budget.check_time()
        except InputError as error:
            raise InputError(f"{path} {error}") from error


def far_cell(path: Path, budget: Budget) -> str | None:
    """Return a message that names the farthest cell, where a sheet has too many cells; else None."""
    if not zipfile.is_zipfile(path):
        return None
    reach: dict[str, tuple[int, int, str]] = {}
    tail = b""
    for name, chunk in _unpacked(path):
        if not _SHEETS.fullmatch(name):
            continue
        for letters, digits in _CELL.findall(tail + chunk):
            row, column, _ = reach.get(name, (0, 0, ""))
            this_row, this_column = int(digits), _number_of(letters)
            if this_row > row or this_column > column:
                cell = spelled((letters + digits).decode("ascii"))
                reach[name] = max(row, this_row), max(column, this_column), cell
        tail = chunk[-LONGEST_START:]
        budget.check_time()
    cells, place = max(((row * column, place) for row, column, place in reach.values()), default=(0, ""))
    if cells <= PIECES["cells"] * budget.megabytes:
        return None
    return (
        f"has a cell at {place}, which makes a table of {cells:,} cells; delete that cell with its row and its column, "
        "or save the sheet as CSV"
    )


def _number_of(letters: bytes) -> int:
    """Return the number of a column, 1 for A, 27 for AA."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _unpacked(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the content of a zip file in pieces, including members with the same name."""
    try:
        with zipfile.ZipFile(path) as packed:
            for member in packed.infolist():
                with packed.open(member) as content:
                    while chunk := content.read(CHUNK):
                        yield member.filename, chunk
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise InputError(f"{path} can't be read as a workbook: {spelled(str(error))}.") from error


#: Megabytes of memory for reading, per megabyte of the limit: reading copies a cell several times.
MEMORY: Final = 12
#: A sheet is read twice, for its header and for its cells.
SHEET_READS: Final = 2
LONGEST_MESSAGE: Final = 300
PROGRAM: Final = Path(__file__).with_name("workbook_process.py")
#: Whether the memory of a process can be limited here; elsewhere the number of cells is checked first.
LIMITED: Final = Path("/proc/self/statm").exists()
#: Environment of the reading process: few reservations of memory, no backtraces.
SETTINGS: Final = {"POLARS_MAX_THREADS": "1", "MALLOC_ARENA_MAX": "2", "RUST_BACKTRACE": "0"}


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A sheet as the other process read it: its name, None where there is no such sheet, and its cells."""

    sheets: list[str]
    name: str | None
    header: list[str]
    cells: pl.DataFrame
    errors: dict[int, int]


def sheet_of(path: Path, sheet: str | None, budget: Budget) -> Sheet:
    """Return a sheet, the first one where none is named, read in a process with limited memory and time.

    Raises
    ------
    InputError
        The file is no workbook, or needs more memory or time.

    """
    if not LIMITED:
        _check_cells(path, budget)
    megabytes, seconds = MEMORY * budget.megabytes, math.ceil(SHEET_READS * budget.seconds)
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
        report: dict[str, Any] = {"failed": _end_of(done.returncode)} if done.returncode else json.loads(done.stdout)
        if "failed" not in report:
            return Sheet(
                sheets=report["sheets"],
                name=report["name"],
                header=[(value or "").strip() for row in _frame(header).head(1).rows() for value in row],
                cells=_frame(cells),
                errors=dict(report.get("errors", ())),
            )
    if report["failed"] == "bug":
        raise RuntimeError(done.stderr.decode(errors="replace"))
    if report["failed"] == "reading":
        raise InputError(
            f"{path} can't be read as a workbook: {shortened(message_of(InputError(report['message'])), most=300)}."
        )
    if report["failed"] == "memory":
        _check_cells(path, Budget(budget.megabytes))
    limit = f"{megabytes:,} MB of memory" if report["failed"] == "memory" else f"{seconds} seconds"
    raise InputError(
        f"{path} takes more than {limit} to read; delete what stands beside and below the table, save the sheet as "
        f"CSV, or, if you trust the file, raise {option_text('unpack_limit')}."
    )


def _check_cells(path: Path, budget: Budget) -> None:
    """Raise InputError where a far cell makes the sheet too large."""
    reason = far_cell(path, budget)
    if reason is not None:
        raise InputError(f"{path} {reason}.")


def _end_of(code: int) -> str:
    """Return the reason why the process ended: limits arrive as signals, a refused allocation as an abort."""
    if code > 0:
        return "bug"
    return "time" if -code == getattr(signal, "SIGXCPU", None) else "memory"


def _frame(path: Path) -> pl.DataFrame:
    """Return the rows of an Arrow file; none where there is no file."""
    if not path.exists():
        return pl.DataFrame()
    with path.open("rb") as file:
        return pl.read_ipc(file)


def opened_workbook(path: Path, sheet: str | None, closing: ExitStack, budget: Budget) -> OpenTable:
    """Open a sheet of a workbook, the first one where none is named."""
    check_unpacked(path, budget)
    read = sheet_of(path, sheet, budget)
    sheets, name = read.sheets, read.name
    if name is None:
        if not sheets:
            raise InputError(f"{path} has no sheets.")
        near = get_close_matches(str(sheet), sheets, n=1)
        hint = f" Did you mean {quoted(near[0])}?" if near else ""
        raise InputError(f"No sheet {quoted(sheet)} in {path}. Sheets: {listed(sheets)}.{hint}")
    frame, blank, errors, headers = _rows(read, path)
    notes = headers.notes(path.name)
    if sheet is None and len(sheets) > 1:
        notes.append(
            f"{path.name} has {len(sheets)} sheets; the first, {quoted(name)}, was read (--sheet names another: "
            f"{listed(sheets[1:])})."
        )
    if blank:
        notes.append(f"{blank:,} blank {'row was' if blank == 1 else 'rows were'} left out of {path.name}.")
    details = {"source": path.name, "sheet": name, "blank_rows": blank}
    opened = opened_rows(frame, name=path.name, details=details, closing=closing)
    return OpenTable(
        expr=opened.expr,
        engine=opened.engine,
        name=path.name,
        details=details,
        notes=tuple(notes),
        fingerprints={path.name: sha256_of(path)},
        damaged=errors,
        repeated=headers.repeated,
    )


def opened_sheets(path: Path, sheets: Sequence[str], closing: ExitStack, budget: Budget) -> OpenTable:
    """Open several sheets of the same columns as one table, with the name of the sheet in a further column.

    A column that a sheet lacks can't be used.
    """
    known = sheet_of(path, "", budget).sheets
    names = comma_separated(sheets, known)
    if len(names) < 2:
        raise InputError(
            f"{option_text('sheets')} names one sheet; expected one a stage, two or more. Sheets: {listed(known)}."
        )
    frames: dict[str, pl.DataFrame] = {}
    notes: list[str] = []
    damaged: dict[str, str] = {}
    blank = 0
    for name in names:
        opened = opened_workbook(path, name, closing, budget)
        frames[name] = opened.fetch(opened.expr)
        first = {column.casefold(): column for column in next(iter(frames.values())).columns}
        spelled_alike = {column: first.get(column.casefold(), column) for column in frames[name].columns}
        frames[name] = frames[name].rename(spelled_alike)
        notes += [f"Sheet {quoted(name)}: {note}" for note in opened.notes]
        damaged |= {
            spelled_alike.get(column, column): f"in the sheet {quoted(name)} {why}"
            for column, why in opened.damaged.items()
        }
        blank += opened.details["blank_rows"]
        if STAGE in spelled_alike:
            raise InputError(
                f"The sheet {quoted(name)} of {path} has a column {quoted(STAGE)}, which {option_text('sheets')} adds "
                "for the name of the sheet; rename it."
            )
    for column in {column: None for frame in frames.values() for column in frame.columns}:
        lacking = [name for name, frame in frames.items() if column not in frame.columns]
        if lacking:
            damaged[column] = f"the sheet {quoted(lacking[0])} lacks it, which has {listed(frames[lacking[0]].columns)}"
    staged = [frame.with_columns(pl.lit(name).alias(STAGE)) for name, frame in frames.items()]
    details = {"source": path.name, "sheet": listed(names), "blank_rows": blank}
    rows = opened_rows(pl.concat(staged, how="diagonal_relaxed"), name=path.name, details=details, closing=closing)
    return replace(
        rows,
        notes=tuple(notes),
        fingerprints={path.name: sha256_of(path)},
        damaged=damaged,
        sheets=names,
    )


def _rows(read: Sheet, path: Path) -> tuple[pl.DataFrame, int, dict[str, str], Headers]:
    """Return the filled rows, the number of blank ones, the columns with an error in a cell, and the headers."""
    name, frame, header = quoted(read.name), read.cells, list(read.header)
    if not header:
        raise InputError(f"The sheet {name} of {path} is empty.")
    header += [""] * (frame.width - len(header))
    retained = [
        place
        for place, title in enumerate(header[: frame.width])
        if title or frame[:, place].null_count() < frame.height
    ]
    for place in retained:
        if not header[place]:
            raise InputError(f"Column {place + 1} of {path} has values but no header.")
    headers = headers_of(header)
    header = list(headers.names)
    errors: dict[str, str] = {}
    for place, row in read.errors.items():
        errors.setdefault(header[place], f"row {row + 1} of the sheet shows an error such as #N/A; mend the cell")
    rows = frame.select(pl.nth(place).alias(header[place]) for place in retained)
    texts = pl.col(pl.String).str.strip_chars().replace("", None)
    filled = rows.with_columns(texts).select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    blank = rows.height - int(filled.sum())
    if not filled.any():
        raise InputError(f"The sheet {name} of {path} has no rows.")
    return rows.filter(filled), blank, errors, headers
