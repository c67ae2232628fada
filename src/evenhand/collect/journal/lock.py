"""One process at a time in a run folder."""

import fcntl
import os
from pathlib import Path
from typing import Self

from evenhand.errors import InputError

__all__ = ["LOCK_FILE", "RunLock"]

LOCK_FILE = ".lock"


class RunLock:
    """Holds a run folder until `release`, the end of the `with` block or of the process.

    The kernel frees the lock when the process dies, kill -9 included. The file itself
    stays: removing it would let two processes lock two files of one name.

    Raises
    ------
    InputError
        another process holds the folder, or it can't be locked.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise InputError(f"Cannot write in {folder}: {error.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            who = f"process {holder}" if holder.isdigit() else "another process"
            message = f"{folder} is in use by {who}. Wait for its end, or give another folder with --out."
            raise InputError(message) from None
        except OSError as error:
            os.close(descriptor)
            message = f"{folder} cannot be locked ({error.strerror}). Give a folder on a local disk with --out."
            raise InputError(message) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let others use the folder; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()
