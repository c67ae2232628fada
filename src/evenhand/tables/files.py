"""Files that appear whole or not at all, and the one rule of what may be replaced."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from evenhand.errors import InputError

__all__ = [
    "refuse_existing",
    "sync_file",
    "sync_folder",
    "write_atomically",
    "write_file",
    "written",
    "written_atomically",
]


def refuse_existing(path: Path, *, force: bool, holds: str = "") -> None:
    """Refuse to write where something is already, unless it is a file that may be replaced, or where no folder is.

    Raises
    ------
    InputError
        The path is a folder, a device or a pipe; it is there and `force` is not given; or there is no folder for it.

    """
    if path.is_dir():
        raise InputError(f"--out {path} is a folder; expected a file.")
    there = path.exists() or path.is_symlink()  # a link to nowhere is somebody's, too
    if path.exists() and not path.is_file():
        raise InputError(f"--out {path} is no file, but a device or a pipe; expected a file.")
    if there and not force:
        told = f" and may hold {holds}" if holds else ""
        raise InputError(f"{path} is there already{told}. Use --force to replace it, or another --out.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to write {path.name} into.")


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole; InputError where that can't be done."""
    with written(path) as file:
        file.write(content)


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write to bit by bit; it is there whole when all is written, and not if that fails.

    Raises
    ------
    InputError
        The file can't be written.

    """
    try:
        with written_atomically(path) as file:
            yield file
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}.") from error


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or not there, also after a power cut."""
    with written_atomically(path) as file:
        file.write(content)


@contextmanager
def written_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write to; it takes its name when all is written, and what an error leaves is removed."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def sync_file(path: Path) -> None:
    """Bring a file to the disk, if it is there."""
    if path.is_file():
        with path.open("rb") as file:
            os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk: that of a new file is there only when its folder is."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
