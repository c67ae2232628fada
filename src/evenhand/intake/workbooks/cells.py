"""Workbooks: one sheet, its cells with the types the spreadsheet gave them."""

from contextlib import ExitStack
from difflib import get_close_matches
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.intake._headers import Headers, headers_of
from evenhand.intake._open_table import OpenTable
from evenhand.intake.databases.embedded import opened_rows
from evenhand.intake.workbooks.reader import Sheet, sheet_of
from evenhand.intake.workbooks.sizes import check_unpacked
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.tables.unpacking import Budget

__all__ = ["opened_workbook"]


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


def _rows(read: Sheet, path: Path) -> tuple[pl.DataFrame, int, dict[str, str], Headers]:
    """Return the rows that hold something, how many are blank, where a cell shows an error, and the headers."""
    name, frame, header = quoted(read.name), read.cells, list(read.header)
    if not header:
        raise InputError(f"The sheet {name} of {path} is empty.")
    header += [""] * (frame.width - len(header))
    kept = [
        place
        for place, title in enumerate(header[: frame.width])
        if title or frame[:, place].null_count() < frame.height
    ]
    for place in kept:
        if not header[place]:
            raise InputError(f"Column {place + 1} of {path} has values but no header.")
    headers = headers_of(header)
    header = list(headers.names)
    errors: dict[str, str] = {}
    for place, row in read.errors.items():
        errors.setdefault(header[place], f"row {row + 1} of the sheet shows an error such as #N/A")
    rows = frame.select(pl.nth(place).alias(header[place]) for place in kept)
    texts = pl.col(pl.String).str.strip_chars().replace("", None)
    filled = rows.with_columns(texts).select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    blank = rows.height - int(filled.sum())
    if not filled.any():
        raise InputError(f"The sheet {name} of {path} has no rows.")
    return rows.filter(filled), blank, errors, headers
