"""What a workbook unpacks to, before it is read, and which cell makes its sheet too large."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import spelled
from evenhand.tables.unpacking import PIECES, Budget

__all__ = ["check_unpacked", "far_cell"]

CHUNK: Final = 2**20
#: The XML of a sheet passes by while its cells are kept, which take about a quarter of it.
PASSING: Final = 4
_SHEETS: Final = lazy_re(r".*worksheets/[^/]*|content\.xml", re.IGNORECASE)
#: A cell that holds something; one that is formatted only takes no room.
_CELL: Final = lazy_re(rb"<(?:\w+:)?c\s[^<>]*?\br\s*=\s*[\"']([A-Za-z]{1,7})(\d{1,10})[\"'][^<>]*(?<!/)>")
#: A cell's beginning has at most so many bytes here.
LONGEST_START: Final = 1000


def check_unpacked(path: Path, budget: Budget) -> None:
    """Raise InputError where a packed workbook unpacks to more than is allowed, whatever its directory says."""
    if not zipfile.is_zipfile(path):
        return
    for name, chunk in _unpacked(path):
        try:
            budget.unpacked(len(chunk) // (PASSING if _SHEETS.fullmatch(name) else 1))
            budget.check_time()
        except InputError as error:
            raise InputError(f"{path} {error}") from error


def far_cell(path: Path, budget: Budget) -> str | None:
    """Return why the cells of a sheet are too many, with the one that lies farthest; None where they aren't."""
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
                found = spelled((letters + digits).decode("ascii"))
                reach[name] = max(row, this_row), max(column, this_column), found
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
    """Return the number of a column, 1 for A."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _unpacked(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the content of a zip file in pieces, also of files that are there twice."""
    try:
        with zipfile.ZipFile(path) as packed:
            for member in packed.infolist():
                with packed.open(member) as content:
                    while chunk := content.read(CHUNK):
                        yield member.filename, chunk
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise InputError(f"{path} can't be read as a workbook: {spelled(str(error))}.") from error
