"""TOML and JSONL files of users: their values, with the line that a message names."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.results.files import DEEPEST, file_bytes, parsed_json
from evenhand.results.messages import quoted, shortened, spelled

_PLACE = lazy_re(r" \(at line (\d+), column \d+\)$")
_LONGEST = 10_000_000
#: A key of more parts, which tomllib takes hours for.
_LONG_KEY = lazy_re(rf"^[ \t]*+\[*+[ \t]*+(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class TomlFile:
    """The values of a TOML file; `lines` has the line of each table and key, by its path of keys."""

    path: Path
    values: Mapping[str, Any]
    lines: Mapping[tuple[str, ...], int]

    def refuse(self, keys: Sequence[str], message: str) -> InputError:
        """Return an error that names the file and the line of a table or key."""
        line = next(
            (self.lines[tuple(keys[:n])] for n in range(len(keys), 0, -1) if tuple(keys[:n]) in self.lines), None
        )
        return InputError(f"{self.path}{'' if line is None else f', line {line}'}: {message}")


def read_toml(path: Path, *, option: str = "") -> TomlFile:
    """Return the values of a TOML file with their lines; messages begin with the option that names it.

    Raises
    ------
    InputError
        There is no such file, or it is no TOML, or has tables in tables without end; the line is named.

    """
    named = f"{option} {path}".strip()
    try:
        if path.is_file() and path.stat().st_size > _LONGEST:
            raise InputError(f"{named} has {path.stat().st_size:,} bytes; expected a TOML file of a few lines.")
        if path.is_dir():
            raise InputError(f"{named} is a folder; expected a TOML file.")
        text = file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{named} is not UTF-8 text; expected a TOML file.") from error
    except OSError as error:
        raise InputError(f"{named} can't be read: {error.strerror}.") from error
    values: Mapping[str, Any] | None = None
    try:
        values = None if _LONG_KEY.search(text) else tomllib.loads(text)
    except RecursionError:
        pass
    except ValueError as error:  # also numbers of thousands of digits
        message = str(error)
        place = _PLACE.search(message)
        line = f", line {place[1]}" if place else ""
        reason = shortened(spelled(_PLACE.sub("", message)), most=200)
        raise InputError(f"{named}{line} is not valid TOML: {reason}.") from error
    if values is None or _is_deep(values):
        raise InputError(f"{named} is nested too deeply; expected TOML of at most {DEEPEST} levels.")
    return TomlFile(path=path, values=values, lines=_table_lines(text))


def _is_deep(values: Mapping[str, Any]) -> bool:
    """Say whether there are more tables in tables than functions that call themselves can take."""
    level: list[Any] = [values]
    for _ in range(DEEPEST):
        inner = (value for item in level for value in (item.values() if isinstance(item, dict) else item))
        level = [value for value in inner if isinstance(value, dict | list)]
    return bool(level)


def _table_lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line number of each table and key that begins a line."""
    lines: dict[tuple[str, ...], int] = {}
    within: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            path = _key_path(stripped.replace("[[", "[").split("#")[0].replace("]]", "]").strip())
            if path is not None:
                within = tuple(path)
                for n in range(1, len(within) + 1):
                    lines.setdefault(within[:n], number)
        elif "=" in stripped and not stripped.startswith("#"):
            path = _key_path(f"{stripped.split('=')[0]}= 0")
            if path is not None:
                lines.setdefault((*within, *path), number)
    return lines


def _key_path(line: str) -> tuple[str, ...] | None:
    """Return the path of keys of a line that is valid TOML by itself, else None."""
    try:
        values: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path = []
    while isinstance(values, dict) and values:
        key, values = next(iter(values.items()))
        path.append(key)
    return tuple(path)


#: Bytes; the longest résumés are below a hundredth of it.
LONGEST_LINE: Final = 2**25
_MARK: Final = b"\xef\xbb\xbf"


def json_rows(path: Path, *, expected: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line that isn't blank, counted from 1, and its object.

    `expected` describes a line in messages.

    Raises
    ------
    InputError
        The file can't be read, holds no row, or a line is no JSON object or has a key twice.

    """
    if not path.is_file():
        raise InputError(f"{path} is a folder." if path.is_dir() else f"No file {path}; expected {expected}.")
    rows = 0
    try:
        with path.open("rb") as file:
            for number, line in jsonl_lines(file, path):
                rows += 1
                yield number, _object(line, f"Line {number} of {path}", expected)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    if not rows:
        raise InputError(f"{path} has no rows; expected {expected}.")


def jsonl_lines(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each line that isn't blank, counted from 1, and its content; InputError where one is long."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"Line {number} of {path} is longer than {LONGEST_LINE >> 20} MB; expected one row per line."
            )
        if content := line.removeprefix(_MARK).strip():
            yield number, content


def _object(line: bytes, place: str, expected: str) -> dict[str, Any]:
    try:
        row = parsed_json(line)
    except orjson.JSONDecodeError as error:
        if b"\x00" in line or line.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(f"{place} is not UTF-8; save the file as UTF-8.") from error
        raise InputError(f"{place} is not valid JSON ({error}); expected {expected}.") from error
    if not isinstance(row, dict):
        raise InputError(f"{place} is a JSON {type(row).__name__}; expected {expected}.")
    # orjson retains the last of several values. Only a key that is there again, or a value that is looked at more
    # closely then, leaves quotation marks over.
    if line.count(b'"') != 2 * (len(row) + list(map(type, row.values())).count(str)):
        try:
            _UNIQUE_KEYS.decode(line.decode())
        except _RepeatedKeyError as error:
            raise InputError(
                f"{place} has the key {quoted(error.args[0])} twice in an object; delete or rename one."
            ) from error
        except RecursionError as error:
            raise InputError(f"{place} is nested too deeply; expected {expected}.") from error
    return row


class _RepeatedKeyError(Exception):
    """An object of JSON has a key twice."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> None:
    """Raise _RepeatedKeyError at the first key that is there again."""
    keys = set()
    for key, _ in pairs:
        if key in keys:
            raise _RepeatedKeyError(key)
        keys.add(key)


_UNIQUE_KEYS: Final = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_int=str, parse_float=str)
