"""Files that `evenhand data` writes, and lists of pairs that it is given."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from evenhand.errors import InputError
from evenhand.tables.run_folder import write_atomically, written_atomically

__all__ = ["pairs", "refuse_existing", "replaced", "write_file"]


def refuse_existing(path: Path, *, force: bool, holds: str = "") -> None:
    """Refuse a file that is there already, unless it may be replaced; and a folder that is not there."""
    if path.is_dir():
        raise InputError(f"--out {path} is a folder; expected a file.")
    if path.exists() and not force:
        told = f" and may hold {holds}" if holds else ""
        raise InputError(f"{path} is there already{told}. Use --force to replace it, or another --out.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to write {path.name} into.")


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole."""
    try:
        write_atomically(path, content)
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}.") from error


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write to bit by bit; it is there whole when all is written, and not if that fails."""
    try:
        with written_atomically(path) as file:
            yield file
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}.") from error


def pairs(given: Sequence[str], *, option: str) -> dict[str, str] | None:
    """Return GROUP=COLUMN pairs, None where there are none.

    >>> pairs(["white=W", "black=B"], option="--race")
    {'white': 'W', 'black': 'B'}
    """
    found: dict[str, str] = {}
    for pair in given:
        group, equals, column = (part.strip() for part in pair.partition("="))
        if not (group and equals and column):
            raise InputError(f"{option} is {pair!r}; expected GROUP=COLUMN, like {option} {_EXAMPLES[option]}.")
        if group.lower() in found:
            raise InputError(f"{option} names {group.lower()} twice.")
        found[group.lower()] = column
    return found or None


_EXAMPLES = {"--race": "white=pct_white", "--gender": "female=pct_female"}
