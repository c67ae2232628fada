"""Small CSV tables in any usual encoding and with any usual separator, read as text."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import polars as pl

from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.results.files import file_bytes
from evenhand.results.messages import listed, quoted

SEPARATORS = (",", ";", "\t", "|")

SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

#: A cell may be as long as a file; the csv module's own limit is 131,072 characters.
LONGEST_CELL = 2**24


#: Excel's line that names the separator.
SEPARATOR_LINE: Final = lazy_re(r"\s*sep=(.?)\s*$", re.IGNORECASE | re.MULTILINE)

#: Lines that show the separator.
_MOST_LINES: Final = 20

#: What a byte that is no UTF-8 stands for in cp1252, by the character that `surrogateescape` makes of it.
CP1252: Final = {
    0xDC00 + byte: character
    for byte in range(0x80, 0x100)
    if (character := bytes([byte]).decode("cp1252", errors="ignore"))
}

_STRAY: Final = lazy_re("[\udc80-\udcff]")
_NOT_ASCII: Final = lazy_re(r"[^\x00-\x7f]")
#: A share of letters of UTF-8 that chance brings about in cp1252 (such as É»): the file is read as cp1252.
_BY_CHANCE: Final = 0.1
#: So many stray bytes show that a file is cp1252.
_MANY: Final = 100_000
_MOST_LISTED: Final = 5


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """A table whose cells are text, null where they are blank, with its encoding and separator."""

    frame: pl.DataFrame
    encoding: str
    separator: str
    stray: tuple[int, ...] = ()

    @property
    def notes(self) -> list[str]:
        """Return an unusual encoding or separator, for the user."""
        parts = []
        if self.encoding != "UTF-8":
            parts.append(f"in the encoding {self.encoding}")
        if self.stray:
            parts.append(f"with bytes of cp1252 in line {listed(self.stray, most=_MOST_LISTED)}")
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
        content = file_bytes(path)
    except OSError as error:
        raise InputError(
            f"No file {path}." if isinstance(error, FileNotFoundError) else f"{path} can't be read: {error.strerror}."
        ) from error
    text, encoding, stray = _decoded(content, path)
    separator, text = separated_by(text)
    rows = _rows(text, separator, path)
    header = [name.strip() for name in next(rows, [])]
    columns: list[list[str | None]] = [[] for _ in header]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise InputError(
                f"Row {number} of {path} has {len(row)} fields, the header {len(header)}; "
                f"read with {SEPARATOR_NAMES[separator]} between the columns."
            )
        for column, value in zip(columns, row, strict=True):
            column.append(value if value.strip() else None)
    retained = [
        place for place, name in enumerate(header) if name or any(value is not None for value in columns[place])
    ]
    check_header([header[place] for place in retained], path)
    if not retained or not columns[retained[0]]:
        raise InputError(f"{path} has no rows.")
    frame = pl.DataFrame({header[place]: pl.Series(columns[place], dtype=pl.String) for place in retained})
    return TextTable(frame=frame, encoding=encoding, separator=separator, stray=stray)


def _decoded(content: bytes, path: Path) -> tuple[str, str, tuple[int, ...]]:
    """Return the text without a byte order mark, the name of its encoding, and the lines with stray bytes."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        tries: tuple[tuple[str, str], ...] = (("utf-16", "UTF-16"),)
    elif content.startswith(b"PK\x03\x04"):
        raise InputError(f"{path} is a workbook, not CSV; save its sheet as CSV (UTF-8).")
    elif b"\x00" in content:
        raise InputError(f"{path} is not a CSV file: it holds NUL bytes.")
    else:
        tries = (("utf-8-sig", "UTF-8"), ("cp1252", "cp1252"))
    for codec, name in tries:
        try:
            return content.decode(codec), name, ()
        except UnicodeDecodeError:
            if name == "UTF-8":
                text = content.decode(codec, errors="surrogateescape")
                stray = stray_lines(io.StringIO(text, newline=None), path)
                if stray is not None:
                    return text.translate(CP1252), name, stray
    raise neither_encoding(path)


def neither_encoding(path: Path) -> InputError:
    """Return the error for a file in an encoding that isn't read."""
    return InputError(f"{path} is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.")


def stray_lines(lines: Iterable[str], path: Path) -> tuple[int, ...] | None:
    """Return the lines, from 1, with bytes that are no UTF-8; None where these are most, so that it is no UTF-8.

    `lines` were decoded with `surrogateescape`.

    Raises
    ------
    InputError
        There are many of both, or a stray byte is no cp1252 either.

    """
    found: dict[int, int] = {}
    letters = strays = 0
    for number, line in enumerate(lines, start=1):
        if line.isascii():
            continue
        here = _STRAY.findall(line)
        if any(ord(character) not in CP1252 for character in here):
            raise neither_encoding(path)
        strays += len(here)
        letters += len(_NOT_ASCII.findall(line)) - len(here)
        if here:
            found[number] = len(here)
        if strays > _MANY and not letters:
            return None
    if letters > strays:
        return tuple(found)
    if letters > _BY_CHANCE * strays:
        raise InputError(
            f"{path} is UTF-8 in some lines and not in others, such as line {next(iter(found))}; save it as UTF-8."
        )
    return None


def stray_note(lines: tuple[int, ...], path: Path) -> str:
    """Return a note on the lines in which bytes were read as cp1252."""
    place = f"line {lines[0]}" if len(lines) == 1 else f"lines {listed(lines, most=_MOST_LISTED)}"
    return f"{path.name} is UTF-8, but for {place}: bytes there that are not UTF-8 were read as cp1252."


def separated_by(text: str) -> tuple[str, str]:
    """Return the separator of most of the first lines, and the text without Excel's line `sep=`.

    Of several such separators it is the most frequent one of the header.
    """
    body = text.lstrip("\r\n")
    named = SEPARATOR_LINE.match(body)
    if named is not None and named[1] in SEPARATORS:
        return named[1], body[named.end() :].removeprefix("\n")
    lines = [line for line in islice(io.StringIO(text, newline=None), _MOST_LINES) if line.strip()]
    outside = ["".join(line.split('"')[::2]) for line in lines] or [""]

    def frequency(sign: str) -> tuple[int, int]:
        return sum(sign in line for line in outside), outside[0].count(sign)

    return max(SEPARATORS, key=frequency), text


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
