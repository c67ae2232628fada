"""Workbooks: one sheet, its cells with the types the spreadsheet gave them."""

import logging
from contextlib import ExitStack
from difflib import get_close_matches
from pathlib import Path

import fastexcel
import polars as pl

from evenhand.errors import InputError
from evenhand.intake._embedded import opened_rows
from evenhand.intake._headers import Headers, headers_of
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.tables.fingerprints import sha256_of

__all__ = ["opened_workbook"]


def opened_workbook(path: Path, sheet: str | None, closing: ExitStack) -> OpenTable:
    """Open a sheet of a workbook, the first one where none is named."""
    try:
        workbook = fastexcel.read_excel(path)
    except fastexcel.FastExcelError as error:
        raise InputError(f"{path} can't be read as a workbook: {message_of(error)}.") from error
    sheets = workbook.sheet_names
    name = sheet if sheet is not None else sheets[0]
    if name not in sheets:
        near = get_close_matches(name, sheets, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(f"No sheet {name!r} in {path}. Sheets: {', '.join(sheets)}.{hint}")
    frame, blank, errors, headers = _rows(workbook, name, path)
    notes = headers.notes(path.name)
    if sheet is None and len(sheets) > 1:
        others = ", ".join(sheets[1:])
        notes.append(
            f"{path.name} has {len(sheets)} sheets; the first, {name!r}, was read (--sheet names another: {others})."
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


def _rows(workbook: fastexcel.ExcelReader, name: str, path: Path) -> tuple[pl.DataFrame, int, dict[str, str], Headers]:
    """Return the rows that hold something, how many are blank, where a cell shows an error, and the headers."""
    # It tells on stderr of each column without values.
    logging.getLogger("fastexcel.types.dtype").setLevel(logging.ERROR)
    top = workbook.load_sheet(name, header_row=None, n_rows=1, dtypes="string").to_polars()
    if not top.height:
        raise InputError(f"The sheet {name!r} of {path} is empty.")
    header = [(value or "").strip() for value in top.row(0)]
    body = workbook.load_sheet(name, header_row=None, skip_rows=1)
    cells, damage = body.to_arrow_with_errors()
    frame = pl.DataFrame(pl.from_arrow(cells))
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
    for error in damage.errors if damage is not None else ():
        row, place = error.position
        errors.setdefault(header[place], f"row {row + 1} of the sheet shows an error such as #N/A")
    rows = frame.select(pl.nth(place).alias(header[place]) for place in kept)
    texts = pl.col(pl.String).str.strip_chars().replace("", None)
    filled = rows.with_columns(texts).select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    blank = rows.height - int(filled.sum())
    if not filled.any():
        raise InputError(f"The sheet {name!r} of {path} has no rows.")
    return rows.filter(filled), blank, errors, headers
