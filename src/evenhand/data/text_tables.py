"""Small CSV tables in any usual encoding and with any usual separator, read as text."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.results.messages import quoted

SEPARATORS = (",", ";", "\t", "|")

SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

#: A cell may be as long as a file; the csv module's own limit is 131,072 characters.
LONGEST_CELL = 2**24


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """A table whose cells are text, null where they are blank, with its encoding and separator."""

    frame: pl.DataFrame
    encoding: str
    separator: str

    @property
    def notes(self) -> list[str]:
        """Return an unusual encoding or separator, for the user."""
        parts = []
        if self.encoding != "UTF-8":
            parts.append(f"in the encoding {self.encoding}")
        if self.separator != ",":
            parts.append(f"with {SEPARATOR_NAMES[self.separator]} between the columns")
        return parts


def read_text_table(path: Path) -> TextTable:
    """Return a CSV as text: UTF-8, UTF-16 or cp1252, separated by commas, semicolons, tabs or bars.

    Rows and columns that are blank all through are left out; a line break within a cell is
    one character; spaces around a header go, those of cells stay.

    Raises
    ------
    InputError
        The file can't be read, has no rows, a header is blank or there twice, or a row has
        more or fewer fields than the header; rows are counted from 1 below the header.

    """
    try:
        content = path.read_bytes()
    except OSError as error:
        message = (
            f"No file {path}." if isinstance(error, FileNotFoundError) else f"{path} can't be read: {error.strerror}."
        )
        raise InputError(message) from error
    text, encoding = _decoded(content, path)
    separator, text = separated_by(text)
    rows = _rows(text, separator, path)
    header = [name.strip() for name in next(rows, [])]
    columns: list[list[str | None]] = [[] for _ in header]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            message = (
                f"Row {number} of {path} has {len(row)} fields, the header {len(header)}; "
                f"read with {SEPARATOR_NAMES[separator]} between the columns."
            )
            raise InputError(message)
        for column, value in zip(columns, row, strict=True):
            column.append(value if value.strip() else None)
    retained = [
        place for place, name in enumerate(header) if name or any(value is not None for value in columns[place])
    ]
    check_header([header[place] for place in retained], path)
    if not retained or not columns[retained[0]]:
        raise InputError(f"{path} has no rows.")
    frame = pl.DataFrame({header[place]: pl.Series(columns[place], dtype=pl.String) for place in retained})
    return TextTable(frame=frame, encoding=encoding, separator=separator)


def _decoded(content: bytes, path: Path) -> tuple[str, str]:
    """Return the text without a byte order mark, and the name of its encoding."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        tries: tuple[tuple[str, str], ...] = (("utf-16", "UTF-16"),)
    elif content.startswith(b"PK\x03\x04"):
        raise InputError(f"{path} is a workbook, not CSV; save its sheet as CSV (UTF-8).")
    elif b"\x00" in content:
        raise InputError(f"{path} is no CSV: it holds NUL bytes.")
    else:
        tries = (("utf-8-sig", "UTF-8"), ("cp1252", "cp1252"))
    for codec, name in tries:
        try:
            return content.decode(codec), name
        except UnicodeDecodeError:
            continue
    raise InputError(f"{path} is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.")


def separated_by(text: str) -> tuple[str, str]:
    """Return the most frequent separator of the header, and the text without Excel's line `sep=`."""
    first, _, remainder = text.partition("\n")
    if first.strip().lower().startswith("sep=") and (separator := first.rstrip("\r")[4:5]) in SEPARATORS:
        return separator, remainder
    outside = first.split('"')[::2]
    return max(SEPARATORS, key=lambda sign: sum(part.count(sign) for part in outside)), text


def _rows(text: str, separator: str, path: Path) -> Iterator[list[str]]:
    """Yield the rows that aren't blank."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row]
    except csv.Error as error:
        raise InputError(f"{path} can't be read as CSV near line {reader.line_num}: {error}.") from error


def check_header(header: list[str], path: Path) -> None:
    """Raise InputError where a header is blank or there twice."""
    counts = Counter(header)
    for place, name in enumerate(header, start=1):
        if not name:
            raise InputError(f"Column {place} of {path} has values but no header.")
        if counts[name] > 1:
            raise InputError(f"{path} has the column {quoted(name)} twice.")
