"""Text files that appear whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from evenhand.errors import InputError

__all__ = ["written"]


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """Yield a file to write to; it takes the place of `path` when the block ends well.

    Raises
    ------
    InputError
        The path is a folder, or its folder is missing or read-only.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file to write.")
    if not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist; make it, or choose another --out.")
    part = path.with_name(f".{path.name}.part")
    try:
        file = part.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}.") from error
    try:
        with file:
            yield file
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
