"""Workbooks: one sheet, with the cell types of the spreadsheet, read in a separate process within limits of size."""

import math
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.data.databases import opened_rows
from evenhand.data.labels import PERIOD, STAGE, comma_separated
from evenhand.data.open_table import Headers, OpenTable, headers_of, message_of
from evenhand.data.table_shapes import SAMPLE, YEARS, Layout, MergedRange, table_shape, unnamed_column
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.files import Budget, sha256_of
from evenhand.results.messages import listed, quoted, shortened, spelled
from evenhand.results.sandbox import LimitReached, limited

CHUNK: Final = 2**20
#: A filled cell; cells with a format only take no room.
_CELL: Final = lazy_re(rb"<(?:\w+:)?c\s[^<>]*?\br\s*=\s*[\"']([A-Za-z]{1,7})(\d{1,10})[\"'][^<>]*(?<!/)>")
#: Merged cells: the first and the last of them.
_MERGED: Final = lazy_re(
    rb"<(?:\w+:)?mergeCell\s[^<>]*?\bref\s*=\s*[\"']([A-Za-z]{1,7})(\d{1,10}):([A-Za-z]{1,7})(\d{1,10})[\"']"
)
#: More of them make no table.
MOST_MERGED: Final = 100_000
#: No sheet has as many rows or columns.
MOST_CELLS: Final = 2**31
#: The parts of an .xlsx with its sheets and their files, and the tags in them.
WORKBOOK: Final = "xl/workbook.xml"
RELATIONS: Final = "xl/_rels/workbook.xml.rels"
_SHEET: Final = lazy_re(rb"<(?:\w+:)?sheet\s([^<>]*)>")
_RELATION: Final = lazy_re(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
_ATTRIBUTE: Final = lazy_re(rb"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
#: The part of an .ods with its sheets; a cell that reaches over others; the tags of sheets, rows and cells.
ODS_CONTENT: Final = "content.xml"
_ODS_SPAN: Final = lazy_re(rb"-spanned\s*=\s*[\"'](?:[2-9]|\d\d)")
_ODS_TAG: Final = lazy_re(rb"<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^<>]*)>")
#: The most bytes of a cell's start tag.
LONGEST_START: Final = 1000


def check_unpacked(path: Path, budget: Budget) -> None:
    """Raise InputError where a packed workbook unpacks to more than is allowed, whatever sizes it declares."""
    if not zipfile.is_zipfile(path):
        return
    for _, chunk in _unpacked(path):
        try:
            budget.unpacked(len(chunk))
        except InputError as error:
            raise InputError(f"{path} {error}") from error


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
#: A sheet is read for its header, for its cells, and once more where a column holds texts besides other cells.
SHEET_READS: Final = 3
LONGEST_MESSAGE: Final = 300


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A sheet as the other process read it: its name, None where there is no such sheet, and its cells.

    `top` has the texts of the first rows; `skip` rows of all (`height`) lie above the cells.
    """

    sheets: list[str]
    name: str | None
    top: list[list[str]]
    skip: int
    height: int
    cells: pl.DataFrame
    errors: dict[int, int]


def sheet_of(
    path: Path, sheet: str | None, budget: Budget, *, skip: int | None = None, rows: int | None = None
) -> Sheet:
    """Return a sheet, the first one where none is named, read in a process with limited memory and time.

    Without `skip`, its cells are those below the first row with a value.

    Raises
    ------
    InputError
        The file is no workbook, or needs more memory or time.

    """
    from evenhand.data import workbook_process  # noqa: PLC0415 - its libraries are for workbooks only

    megabytes, seconds = MEMORY * budget.megabytes, math.ceil(SHEET_READS * budget.seconds)
    task = {"path": str(path), "sheet": sheet, "sample": SAMPLE, "skip": skip, "rows": rows}
    try:
        report = limited(workbook_process.read, task, megabytes=megabytes, seconds=seconds)
    except LimitReached as error:
        limit = f"{megabytes:,} MB of memory" if error.limit == "memory" else f"{seconds} seconds"
        raise InputError(
            f"{path} takes more than {limit} to read; delete cells next to and below the table, save the sheet "
            f"as CSV, or, if you trust the file, raise {option_text('unpack_limit')}."
        ) from error
    except workbook_process.NoWorkbook as error:
        reason = shortened(message_of(InputError(str(error))), most=LONGEST_MESSAGE)
        raise InputError(f"{path} can't be read as a workbook: {reason}.") from error
    return Sheet(
        sheets=report["sheets"],
        name=report["name"],
        top=[[]] * report.get("above", 0) + _texts(report.get("top", pl.DataFrame())),
        skip=report.get("skip", 0),
        height=report.get("height", 0),
        cells=report.get("cells", pl.DataFrame()),
        errors=dict(report.get("errors", ())),
    )


def _texts(frame: pl.DataFrame) -> list[list[str]]:
    """Return rows as texts, '' where a cell is empty."""
    return [["" if cell is None else str(cell).strip() for cell in row] for row in frame.iter_rows()]


def opened_workbook(path: Path, sheet: str | None, closing: ExitStack, budget: Budget, layout: Layout) -> OpenTable:
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
    if not any(map(any, read.top)):
        raise InputError(f"The sheet {quoted(name)} of {path} is empty.")
    merged = _merged(path, name)
    end = None if read.height <= len(read.top) else _texts(read.cells.tail(SAMPLE))
    shape = table_shape(read.top, end, layout, source=path.name, merged=merged)
    if shape.skip != read.skip or shape.footer:
        last = read.top if end is None else end
        blank_end = next((place for place, row in enumerate(reversed(last)) if any(row)), 0)
        rows = read.height - shape.skip - blank_end - shape.footer
        read = sheet_of(path, sheet, budget, skip=shape.skip, rows=max(rows, 0))
    notes = list(shape.notes)
    frame, blank, errors, headers = _rows(read, shape.header, merged, path, notes)
    notes += headers.notes(path.name)
    if sheet is None and len(sheets) > 1:
        notes.append(
            f"{path.name} has {len(sheets)} sheets; the first, {quoted(name)}, was read (--sheet names another: "
            f"{listed(sheets[1:])})."
        )
    if blank:
        notes.append(f"{blank:,} blank {'row was' if blank == 1 else 'rows were'} left out of {path.name}.")
    details = {"source": path.name, "sheet": name, "blank_rows": blank}
    return replace(
        opened_rows(frame, name=path.name, details=details, closing=closing),
        notes=tuple(notes),
        fingerprints={path.name: sha256_of(path)},
        ordered=True,
        damaged=errors,
        repeated=headers.repeated,
    )


def opened_sheets(path: Path, sheets: Sequence[str], closing: ExitStack, budget: Budget, layout: Layout) -> OpenTable:
    """Open several sheets of the same columns as one table, with the name of the sheet in a further column.

    A column that a sheet lacks can't be used.
    """
    known = sheet_of(path, "", budget).sheets
    names = comma_separated(sheets, known)
    if len(names) < 2:
        raise InputError(
            f"{option_text('sheets')} names one sheet; expected a sheet for each stage, two or more. Sheets: "
            f"{listed(known)}."
        )
    tables = {name: opened_workbook(path, name, closing, budget, layout) for name in names}
    for name, table in tables.items():
        if STAGE in _as_first(tables, name).values():
            raise InputError(
                f"The sheet {quoted(name)} of {path} has a column {quoted(STAGE)}, which {option_text('sheets')} adds "
                "for the name of the sheet; rename it."
            )
        notes = tuple(f"Sheet {quoted(name)}: {note}" for note in table.notes)
        tables[name] = replace(table, name=f"the sheet {quoted(name)}", notes=notes)
    rows = _stacked(tables, STAGE, "the sheet ", name=path.name, details={"sheet": listed(names)}, closing=closing)
    return replace(rows, sheets=names)


def opened_periods(tables: Mapping[str, OpenTable], closing: ExitStack) -> OpenTable:
    """Return several tables of the same columns as one, with the period of each in a further column.

    A column that a table lacks can't be used.
    """
    named = {}
    for period, table in tables.items():
        if PERIOD in _as_first(tables, period).values():
            raise InputError(
                f"{table.name} has a column {quoted(PERIOD)}, which evenhand adds for the period of each table; "
                "rename it."
            )
        named[period] = replace(table, notes=tuple(f"{period}: {note}" for note in table.notes))
    name = listed([table.name for table in tables.values()])
    return _stacked(named, PERIOD, "the table of ", name=name, details={}, closing=closing)


def _stacked(
    tables: Mapping[str, OpenTable], column: str, noun: str, *, name: str, details: dict[str, Any], closing: ExitStack
) -> OpenTable:
    """Return tables as one, with the label of each in a further column; a column that one lacks can't be used."""
    spelled = {label: _as_first(tables, label) for label in tables}
    frames = {label: table.fetch(table.expr).rename(spelled[label]) for label, table in tables.items()}
    kinds = [frame.schema for frame in frames.values()]
    of_column = {each: {kind[each] for kind in kinds if each in kind} for each in kinds[0]}
    texts = [each for each, of in of_column.items() if len(of) > 1 and not all(kind.is_numeric() for kind in of)]
    stacked = [
        frame.with_columns(
            pl.col(each for each in texts if each in frame.columns).cast(pl.String), pl.lit(label).alias(column)
        )
        for label, frame in frames.items()
    ]
    damaged = {
        spelled[label][each]: f"in {table.name} {why}"
        for label, table in tables.items()
        for each, why in table.damaged.items()
    }
    blank = sum(table.details.get("blank_rows", 0) for table in tables.values())
    return replace(
        opened_rows(
            pl.concat(stacked, how="diagonal_relaxed"),
            name=name,
            details={"source": name, **details, "blank_rows": blank},
            closing=closing,
        ),
        notes=tuple(note for table in tables.values() for note in table.notes),
        fingerprints={file: sha for table in tables.values() for file, sha in table.fingerprints.items()},
        damaged=damaged | _lacking(frames, noun),
        as_text=all(table.as_text for table in tables.values()),
    )


def _as_first(tables: Mapping[str, OpenTable], label: str) -> dict[str, str]:
    """Return the name that each column of a table has in the first one, where only the case differs."""
    first = {column.casefold(): column for column in next(iter(tables.values())).expr.columns}
    return {column: first.get(column.casefold(), column) for column in tables[label].expr.columns}


def _lacking(frames: Mapping[str, pl.DataFrame], noun: str) -> dict[str, str]:
    """Return the columns that a frame lacks, with the reason."""
    damaged = {}
    for column in {column: None for frame in frames.values() for column in frame.columns}:
        lacking = [name for name, frame in frames.items() if column not in frame.columns]
        if lacking:
            named = listed(frames[lacking[0]].columns)
            damaged[column] = f"{noun}{quoted(lacking[0])} lacks it, which has {named}"
    return damaged


def _rows(
    read: Sheet, header: Sequence[str], merged: Sequence[MergedRange], path: Path, notes: list[str]
) -> tuple[pl.DataFrame, int, dict[str, str], Headers]:
    """Return the filled rows, the number of blank ones, the columns that can't be used and why, and the headers."""
    name, frame = quoted(read.name), read.cells
    header = [*header, *[""] * (frame.width - len(header))]
    retained = [
        place
        for place, title in enumerate(header[: frame.width])
        if title or frame[:, place].null_count() < frame.height
    ]
    for place in retained:
        if not header[place]:
            raise unnamed_column(place + 1, path)
    headers = headers_of(header)
    names = headers.names
    errors: dict[str, str] = {}
    for place, row in read.errors.items():
        errors.setdefault(names[place], f"row {row + 1} of the sheet shows an error such as #N/A; mend the cell")
    texts = pl.col(pl.String).str.strip_chars().replace("", None)
    filled = frame.with_columns(texts).select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    if frame.is_empty() or not filled.any():
        raise InputError(f"The sheet {name} of {path} has no rows.")
    columns = {place: frame[:, place] for place in retained}
    for place in sorted({cells.left for cells in merged} & set(retained)):
        ranges = [(cells.top - read.skip, cells.bottom - read.skip) for cells in merged if cells.left == place]
        columns[place], sum_row = _spread(columns[place], filled, sorted(ranges))
        if sum_row is not None:
            cell = f"row {read.skip + sum_row + 1} of the sheet holds {frame[sum_row, place]:g}"
            errors.setdefault(
                names[place],
                f"{cell} in cells merged over rows: write the number of each row into its own cell",
            )
    spread = [names[place] for place in retained if columns[place].null_count() < frame[:, place].null_count()]
    if spread:
        notes.append(f"Merged cells of {listed(spread, quotes=True)} in {path.name} were filled from their range.")
    texts_of = {names[place]: column.filter(filled) for place, column in columns.items() if column.dtype == pl.String}
    blank = [name for name, column in texts_of.items() if path.suffix.lower() == ".xls" and column.null_count()]
    if blank:
        notes.append(
            f"Merged cells can't be recognised in an .xls: empty cells of {listed(blank, quotes=True)} stay empty. If "
            "some are merged, save the file as .xlsx."
        )
    rows = pl.DataFrame([column.alias(names[place]) for place, column in columns.items()])
    return rows.filter(filled), frame.height - int(filled.sum()), errors, headers


def _spread(column: pl.Series, filled: pl.Series, ranges: Sequence[tuple[int, int]]) -> tuple[pl.Series, int | None]:
    """Return a column in which the value of merged cells stands in each of their rows that has other values.

    A number besides a year may be that of each row, or their sum: it stays alone, and its row is returned.
    """
    cells, used = column.to_list(), filled.to_list()
    number, done = None, -1
    for top, bottom in ranges:
        value = cells[top] if 0 <= top < len(cells) else None
        rows = range(max(top, done) + 1, min(bottom + 1, len(cells)))
        if value is None or not rows:
            continue
        done = rows[-1]
        if isinstance(value, int | float) and not isinstance(value, bool) and value not in YEARS:
            number = top if number is None else number
            continue
        for row in rows:
            if used[row] and cells[row] is None:
                cells[row] = value
    return pl.Series(column.name, cells, column.dtype), number


def _merged(path: Path, sheet: str) -> list[MergedRange]:
    """Return the merged cells of a sheet of an .xlsx or .ods, by their columns among those with values."""
    if not zipfile.is_zipfile(path):
        return []
    part = _part_of(path, sheet)
    ranges, first = _merged_of_xlsx(path, part) if part else _merged_of_ods(path, sheet)
    if len(ranges) > MOST_MERGED:
        raise InputError(f"{path} has more than {MOST_MERGED:,} merged ranges in a sheet; save it as CSV.")
    return [
        replace(cells, left=cells.left - first, right=cells.right - first) for cells in ranges if cells.left >= first
    ]


def _merged_of_xlsx(path: Path, part: str) -> tuple[list[MergedRange], int]:
    """Return the merged cells of the part of a sheet, and its first column with a value."""
    ranges = [
        MergedRange(top=int(top) - 1, bottom=int(bottom) - 1, left=_number_of(left) - 1, right=_number_of(right) - 1)
        for left, top, right, bottom in islice(_matches(path, part, _MERGED), MOST_MERGED + 1)
    ]
    first = MOST_CELLS
    for letters, _ in _matches(path, part, _CELL) if ranges else ():
        first = min(first, _number_of(letters) - 1)
        if not first:
            break
    return ranges, first


def _merged_of_ods(path: Path, sheet: str) -> tuple[list[MergedRange], int]:
    """Return the merged cells of a sheet, and its first column with a value."""
    ranges: list[MergedRange] = []
    first, row, repeats, column, here = MOST_CELLS, 0, 0, 0, False
    if next(_matches(path, ODS_CONTENT, _ODS_SPAN), None) is None:
        return ranges, first
    for kind, tag in _matches(path, ODS_CONTENT, _ODS_TAG):
        attributes = {name.rpartition(":")[2]: value for name, value in _attributes(tag).items()}
        if kind == b"table":
            here, row, repeats = attributes.get("name") == sheet, 0, 0
        elif not here:
            continue
        elif kind == b"table-row":
            row, column, repeats = row + repeats, 0, _times(attributes, "number-rows-repeated")
        else:
            rows, columns = (_times(attributes, f"number-{name}-spanned") for name in ("rows", "columns"))
            if (rows > 1 or columns > 1) and len(ranges) <= MOST_MERGED:
                bottom, right = row + rows - 1, column + columns - 1
                ranges.append(MergedRange(top=row, bottom=bottom, left=column, right=right))
            if "value-type" in attributes:
                first = min(first, column)
            column += _times(attributes, "number-columns-repeated")
    return ranges, first


def _matches(path: Path, part: str, pattern: re.Pattern[bytes]) -> Iterator[Any]:
    """Yield what a pattern of start tags finds in a part of a packed file, which is read in pieces."""
    tail = b""
    for name, chunk in _unpacked(path):
        if name == part:
            piece = tail + chunk
            cut = max(piece.rfind(b"<"), len(piece) - LONGEST_START)
            if pattern is not _MERGED or b"mergeCell" in piece:
                yield from pattern.findall(piece[:cut])
            tail = piece[cut:]
    yield from pattern.findall(tail)


def _part_of(path: Path, sheet: str) -> str:
    """Return the name of the part of an .xlsx that holds a sheet; '' where there is none."""
    with zipfile.ZipFile(path) as packed:
        if not {WORKBOOK, RELATIONS} <= set(packed.namelist()):
            return ""
        sheets = [_attributes(tag) for tag in _SHEET.findall(packed.read(WORKBOOK))]
        parts = [_attributes(tag) for tag in _RELATION.findall(packed.read(RELATIONS))]
    ids = {value for tag in sheets if tag.get("name") == sheet for name, value in tag.items() if name.endswith(":id")}
    target = next((tag.get("Target", "") for tag in parts if tag.get("Id") in ids), "")
    return posixpath.join(posixpath.dirname(f"/{WORKBOOK}"), target)[1:]


def _times(attributes: Mapping[str, str], name: str) -> int:
    """Return how many rows or columns a tag stands for."""
    value = attributes.get(name, "1")
    return int(value) if value.isdecimal() and len(value) < len(str(MOST_CELLS)) else 1


def _attributes(tag: bytes) -> dict[str, str]:
    return {
        name.decode(): unescape((double or single).decode(errors="replace"))
        for name, double, single in _ATTRIBUTE.findall(tag)
    }
