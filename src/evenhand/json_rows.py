"""Rows of JSONL files that users bring: an object a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from evenhand.errors import InputError

__all__ = ["json_rows"]

#: Bytes of a line; the longest résumés are below a hundredth of it.
LONGEST_LINE: Final = 2**25
_MARK: Final = b"\xef\xbb\xbf"


def json_rows(path: Path, *, expected: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line that isn't blank, counted from 1, and its object.

    `expected` is what messages say a line should be.

    Raises
    ------
    InputError
        The file can't be read, holds no row, or a line is no JSON object.

    """
    if not path.is_file():
        raise InputError(f"{path} is a folder." if path.is_dir() else f"No file {path}; expected {expected}.")
    rows = 0
    try:
        with path.open("rb") as file:
            for number, line in _lines(file, path):
                rows += 1
                yield number, _object(line, f"Line {number} of {path}", expected)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    if not rows:
        raise InputError(f"{path} has no rows; expected {expected}.")


def _lines(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise InputError(f"Line {number} of {path} is longer than {LONGEST_LINE >> 20} MB; expected a row a line.")
        if content := line.removeprefix(_MARK).strip():
            yield number, content


def _object(line: bytes, place: str, expected: str) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if b"\x00" in line or line.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(f"{place} is not UTF-8; save the file as UTF-8.") from error
        raise InputError(f"{place} is no JSON ({error}); expected {expected}.") from error
    if not isinstance(row, dict):
        raise InputError(f"{place} is a JSON {type(row).__name__}; expected {expected}.")
    return row
