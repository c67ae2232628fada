"""The journal of masking into a folder: which output each input gets, and which are whole.

A run that ended early goes on from it. It stands beside the folder until all is written, and holds digests, which name
nobody. A mapping, which the user asks for, is a journal that stays and has the inputs' names.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.errors import InputError
from evenhand.masking.documents.request import Request
from evenhand.results.files import append_line, file_bytes, write_file

#: The first line of a journal.
_HEAD: Final = {"schema": "evenhand.mask_journal/1"}
Row = dict[str, Any]


def input_key(digest: bytes, request: Request) -> str:
    """Return what an output depends on, as a digest: the input's bytes, the options and the version."""
    options = request.options
    asked = [sorted(options.optional), options.strict, options.pronouns, *request.known_names, version("evenhand")]
    return hashlib.sha256(digest + orjson.dumps(asked)).hexdigest()


@dataclass(frozen=True)
class Journal:
    """A journal's file, None for none, and its last row of each output, by the output's name."""

    path: Path | None
    rows: Mapping[str, Row]

    @classmethod
    def of(cls, path: Path | None, *, force: bool) -> "Journal":
        """Return the journal of an earlier run; with `force` and where there is none, an empty one.

        Raises
        ------
        InputError
            The file is something else, or can't be read.

        """
        if path is None or force or not (path.exists() or path.is_symlink()):
            return cls(path, {})
        try:
            head, *lines = file_bytes(path).splitlines(keepends=True) or [b""]
            rows = [orjson.loads(line) for line in lines if line.endswith(b"\n")]  # a kill cuts the last line off
            if orjson.loads(head) == _HEAD:
                return cls(path, {Path(row["output"]).name: row for row in rows if row["output"] is not None})
        except OSError as error:
            raise InputError(f"{path} can't be read: {error.strerror}.") from error
        except (ValueError, TypeError, KeyError):
            pass
        raise InputError(
            f"{path} already exists and is not a mapping of evenhand mask. Use --force to replace it, or "
            "another --mapping."
        )

    def done(self, target: Path, key: str | None) -> Row | None:
        """Return the row of an output that is whole and depends on the same input and options."""
        row = self.rows.get(target.name, {})
        return row if row.get("status") == "masked" and row["key"] == key and target.is_file() else None

    def write(self, rows: Iterable[Row]) -> None:
        """Write the journal anew."""
        if self.path is not None:
            write_file(self.path, b"".join(_line(row) for row in (_HEAD, *rows)))

    def add(self, row: Row) -> None:
        """Add a row that a kill leaves there."""
        if self.path is not None:
            append_line(self.path, _line(row))

    def remove(self) -> None:
        """Remove the file."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def assigned(self, keys: Mapping[Path, str], names: Mapping[Path, str]) -> dict[Path, str]:
        """Return an output's name for each input: that of an earlier run for what hasn't changed, else the next free.

        `names` are the names that the inputs get in a new run, in order.
        """
        earlier: dict[str, list[str]] = {}
        for name, row in self.rows.items():
            earlier.setdefault(row.get("key", ""), []).append(name)
        assigned = {source: earlier[key].pop(0) for source, key in keys.items() if earlier.get(key)}
        taken = {Path(name).stem for name in assigned.values()}
        free: Iterator[str] = (stem for name in names.values() if (stem := Path(name).stem) not in taken)
        return assigned | {
            source: f"{next(free)}{Path(name).suffix}" for source, name in names.items() if source not in assigned
        }


def _line(row: Mapping[str, Any]) -> bytes:
    return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def journal_path(out: Path) -> Path:
    """Return where the journal of a folder stands until all is written.

    >>> journal_path(Path("/people/masked")).as_posix()
    '/people/.masked.unfinished'
    """
    folder = out.resolve()
    return folder.parent / f".{folder.name}.unfinished"
