"""TOML files that users write: their values, and the line that a message names."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import shortened

__all__ = ["TomlFile", "read_toml"]

_PLACE = lazy_re(r" \(at line (\d+), column \d+\)$")
_LONGEST = 10_000_000


@dataclass(frozen=True, kw_only=True)
class TomlFile:
    """What a file holds; `lines` has the line of each table and key, by the way to it."""

    path: Path
    values: Mapping[str, Any]
    lines: Mapping[tuple[str, ...], int]

    def refuse(self, way: Sequence[str], message: str) -> InputError:
        """Return an error that names the file and the line of a table or key."""
        line = next((self.lines[tuple(way[:n])] for n in range(len(way), 0, -1) if tuple(way[:n]) in self.lines), None)
        return InputError(f"{self.path}{'' if line is None else f', line {line}'}: {message}")


def read_toml(path: Path) -> TomlFile:
    """Return what a TOML file holds.

    Raises
    ------
    InputError
        There is no such file, or it is no TOML; the line is named.

    """
    try:
        if path.is_file() and path.stat().st_size > _LONGEST:
            raise InputError(f"{path} has {path.stat().st_size:,} bytes; expected a TOML file of a few lines.")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no UTF-8 text; expected a TOML file.") from error
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        told = str(error)
        place = _PLACE.search(told)
        line = f", line {place[1]}" if place else ""
        raise InputError(f"{path}{line}: {shortened(_PLACE.sub('', told), most=200)}; expected TOML.") from error
    return TomlFile(path=path, values=values, lines=_lines(text))


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of each table and key that begins a line."""
    found: dict[tuple[str, ...], int] = {}
    within: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        told = line.strip()
        if told.startswith("["):
            way = _way(told.replace("[[", "[").split("#")[0].replace("]]", "]").strip())
            if way is not None:
                within = tuple(way)
                for n in range(1, len(within) + 1):
                    found.setdefault(within[:n], number)
        elif "=" in told and not told.startswith("#"):
            own = _way(f"{told.split('=')[0]}= 0")
            if own is not None:
                found.setdefault((*within, *own), number)
    return found


def _way(line: str) -> tuple[str, ...] | None:
    """Return the keys of a line that is TOML by itself."""
    try:
        values: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    way = []
    while isinstance(values, dict) and values:
        key, values = next(iter(values.items()))
        way.append(key)
    return tuple(way)
