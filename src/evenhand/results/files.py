"""Safe files: written whole or not at all, CSV without formulas, fingerprints, and limits for packed files.

A small packed file can unpack to a machine's whole memory, or to hours of work, so each has a `Budget`.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from evenhand.errors import InputError


def refuse_existing(path: Path, *, force: bool, holds: str = "") -> None:
    """Refuse to write where something is already, unless it is a file that may be replaced, or where no folder is.

    Raises
    ------
    InputError
        The path is a folder, a device or a pipe; it is there and `force` is not given; or there is no folder for it.

    """
    if path.is_dir():
        raise InputError(f"--out {path} is a folder; expected a file.")
    exists = path.exists() or path.is_symlink()  # a link to nowhere is somebody's, too
    if path.exists() and not path.is_file():
        raise InputError(f"--out {path} is no file, but a device or a pipe; expected a file.")
    if exists and not force:
        content = f" and may hold {holds}" if holds else ""
        raise InputError(f"{path} is there already{content}. Use --force to replace it, or another --out.")
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


def open_file(path: Path) -> BufferedReader:
    """Open a file to read; OSError of a folder, and of a device, pipe or socket, which may have no end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is no file, but a device or a pipe", str(path))


def file_bytes(path: Path) -> bytes:
    """Return the content of a file; OSError as of `open_file`."""
    with open_file(path) as file:
        return file.read()


def file_json(path: Path) -> Any:
    """Return the JSON of a file, nested no deeper than it can be written again.

    Raises
    ------
    OSError
        As of `file_bytes`.
    orjson.JSONDecodeError
        It is no JSON, or is nested too deeply.

    """
    return parsed_json(file_bytes(path))


def parsed_json(content: bytes) -> Any:
    """Return JSON of others; orjson.JSONDecodeError also where it is nested deeper than it can be written again."""
    value = orjson.loads(content)
    if content.count(b"[") + content.count(b"{") > DEEPEST:
        try:
            orjson.dumps(value)
        except TypeError as error:
            raise orjson.JSONDecodeError("nested too deeply", "", 0) from error
    return value


#: The most levels of what is read from others; no file of ours has more than ten.
DEEPEST: Final = 100


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


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file as 64 hex digits; of a folder, that of its files' names and hashes."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        lines = "".join(f"{sha256_of(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
        return hashlib.sha256(lines.encode()).hexdigest()
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


#: Megabytes (2**20 bytes) that a file may unpack to, unless --unpack-limit says otherwise.
UNPACK_LIMIT: Final = 256
#: Seconds of a core's work that a file of so many megabytes may take; more megabytes may take longer.
WORK_SECONDS: Final = 20.0
#: How many pieces a megabyte of the limit allows: what one piece costs in memory or time, more than its bytes do.
PIECES: Final = {
    "cells": 2**16,
    "elements": 2**13,
    "letters": 2**13,
    "operators": 2**14,  # with their operands
    "letters and shapes on pages": 2**11,
}


class Budget:
    """What is left to one file; asked while it is read, it refuses in one line.

    `refusal` is kept: what reads a file may swallow it and go on with half of the file.

    Examples
    --------
    >>> budget = Budget(1)
    >>> budget.unpacked(2**20)
    >>> budget.unpacked(1)
    Traceback (most recent call last):
    evenhand.errors.InputError: unpacks to more than 1 MB; if you trust the file, raise --unpack-limit.

    """

    def __init__(self, megabytes: int = UNPACK_LIMIT) -> None:
        if megabytes < 1:
            raise InputError(f"--unpack-limit is {megabytes}; expected megabytes from 1, such as {UNPACK_LIMIT}.")
        self.megabytes = megabytes
        self.seconds = WORK_SECONDS * max(1.0, megabytes / UNPACK_LIMIT)
        self._bytes = megabytes << 20
        self._left = {kind: pieces * megabytes for kind, pieces in PIECES.items()}
        self.refusal: InputError | None = None

    @property
    def bytes_left(self) -> int:
        """Return how many bytes may still be unpacked."""
        return self._bytes

    def unpacked(self, size: int) -> None:
        """Take so many bytes.

        Raises
        ------
        InputError
            They are more than are left; the message goes on after the name of the file.

        """
        self._bytes -= size
        if self._bytes < 0:
            self._bytes = 0
            raise self.refused(f"unpacks to more than {self.megabytes:,} MB")

    def spend(self, kind: str, count: int = 1) -> None:
        """Take pieces of a kind in `PIECES`.

        Raises
        ------
        InputError
            There are too many of them.

        """
        self._left[kind] -= count
        if self._left[kind] < 0:
            raise self.refused(f"holds more than {PIECES[kind] * self.megabytes:,} {kind}")

    def refused(self, told: str) -> InputError:
        """Return the error of a file that asks too much; `told` goes on after its name."""
        self.refusal = InputError(f"{told}; if you trust the file, raise --unpack-limit.")
        return self.refusal

    def __reduce__(self) -> tuple[Any, ...]:
        # In another process the file is read from the beginning.
        return type(self), (self.megabytes,)
