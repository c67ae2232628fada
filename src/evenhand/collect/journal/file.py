"""The append-only journal of a run: one line per finished attempt."""

import os
import threading
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.collect.journal.files import journal_files, journal_name, line_id
from evenhand.errors import Incomplete, InputError
from evenhand.models.model import TRANSIENT_ERRORS
from evenhand.tables.files import sync_folder

__all__ = ["ROTATE_AT", "Journal"]

#: Bytes after which a new file is begun.
ROTATE_AT = 256 * 1024 * 1024

_SYNC_EVERY = 1.0
_BUFFER = 1 << 20


class Journal:
    """Keeps the answers of a run folder; opened, it knows what was answered before.

    Opening checks every line. A last line that a crash cut short is removed, and
    `notices` says so. Each `append` is one write; the disk is told to keep it about
    once a second and on `close`, so kill -9 loses nothing that was answered and a power
    cut at most a second.

    Raises
    ------
    InputError
        a line before the last is no journal line, or the folder can't be written. Nothing is
        changed then.
    """

    def __init__(self, folder: Path, *, rotate_at: int = ROTATE_AT, sync_every: float = _SYNC_EVERY) -> None:
        self.folder = folder
        self.notices: list[str] = []
        self._rotate_at = rotate_at
        self._sync_every = sync_every
        self._ids = array("Q")
        self._transient = bytearray()
        self._descriptor: int | None = None
        self._size = 0
        self._dirty = False
        self._swap = threading.Lock()
        self._closing = threading.Event()
        self._sync_error: OSError | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"Cannot write in {folder}: {error.strerror}.") from None
        files = journal_files(folder)
        self._number = files[-1].number if files else 0
        torn = None
        for file in files:
            torn = self._check(file.path, last=file is files[-1])
        if torn is not None:
            self._mend(files[-1].path, torn)
        self._keeper = threading.Thread(target=self._keep, name="evenhand-journal", daemon=True)
        self._keeper.start()

    def answered(self, *, retry_errors: bool = False) -> NDArray[np.uint64]:
        """Return the ids with a line, sorted; the later line of an id counts.

        With `retry_errors` ids whose error may not come again (busy, slow, broken) are
        left out, so that they are asked once more.
        """
        ids = np.frombuffer(self._ids, dtype=np.uint64)
        if not ids.size:
            return np.empty(0, dtype=np.uint64)
        known = np.unique(ids)
        transient = np.frombuffer(self._transient, dtype=np.bool_)
        if not retry_errors or not transient.any():
            return known
        # Only ids that ever failed need the look at which of their lines is the last.
        suspects = np.unique(ids[transient])
        places = np.flatnonzero(np.isin(ids, suspects))
        last = dict(zip(ids[places].tolist(), transient[places].tolist(), strict=True))
        failed = np.array([name for name, is_transient in last.items() if is_transient], dtype=np.uint64)
        return np.setdiff1d(known, failed, assume_unique=True)

    def append(self, line: Mapping[str, Any]) -> None:
        """Write one attempt.

        Raises
        ------
        Incomplete
            the disk took no more; what was written before is kept.
        """
        data = _dumps(line)
        try:
            if self._sync_error is not None:
                raise self._sync_error
            if self._descriptor is None or (self._size and self._size + len(data) > self._rotate_at):
                self._next_file()
            assert self._descriptor is not None
            start = self._size
            written = os.write(self._descriptor, data)
            while written < len(data):
                written += self._rest(data[written:], start)
        except OSError as error:
            message = (
                f"Cannot write the journal in {self.folder}: {error.strerror}. "
                "What was answered is kept; make room and go on with --resume."
            )
            raise Incomplete(message) from None
        self._size += len(data)
        self._dirty = True

    def sync(self) -> None:
        """Bring every line to the disk now."""
        with self._swap:
            self._dirty = False
            if self._descriptor is not None:
                os.fdatasync(self._descriptor)

    def close(self) -> None:
        """Bring the last lines to the disk; a second call does nothing."""
        self._closing.set()
        self._keeper.join()
        with self._swap:
            if self._descriptor is not None:
                os.fdatasync(self._descriptor)
                os.close(self._descriptor)
                self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _check(self, path: Path, *, last: bool) -> "_Torn | None":
        """Read one file's ids; return what is wrong with the end of the last file."""
        position = 0
        try:
            size = path.stat().st_size
            with path.open("rb", buffering=_BUFFER) as file:
                for number, line in enumerate(file, 1):
                    read = _read_line(line)
                    if read is None:
                        if last and position + len(line) == size:
                            return _Torn(position, whole=False, number=number)
                        message = (
                            f"{path}, line {number}, is damaged: it is no line of a journal. "
                            "Restore the file from a copy, or begin a new run with another --out; nothing was changed."
                        )
                        raise InputError(message)
                    self._ids.append(read[0])
                    self._transient.append(read[1])
                    position += len(line)
                    if last and not line.endswith(b"\n"):
                        return _Torn(position, whole=True, number=number)
        except OSError as error:
            raise InputError(f"Cannot read {path}: {error.strerror}.") from None
        return None

    def _mend(self, path: Path, torn: "_Torn") -> None:
        """Cut a torn last line away, or end a whole one that lacks only its line break."""
        try:
            if torn.whole:
                with path.open("ab") as file:
                    file.write(b"\n")
            else:
                os.truncate(path, torn.position)
                self.notices.append(
                    f"{path.name}: the last line ({torn.number}) was cut short by a crash; it was dropped "
                    "and its prompt is asked again.",
                )
        except OSError as error:
            raise InputError(f"Cannot write {path}: {error.strerror}.") from None

    def _next_file(self) -> None:
        """Open the file that takes the next line, a new one when the last is full."""
        if self._descriptor is not None:
            self._number += 1
        while True:
            path = self.folder / journal_name(self._number)
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            size = os.fstat(descriptor).st_size
            if size < self._rotate_at or not size:
                break
            os.close(descriptor)
            self._number += 1
        with self._swap:
            if self._descriptor is not None:
                os.fdatasync(self._descriptor)
                os.close(self._descriptor)
            self._descriptor, self._size = descriptor, size
        sync_folder(self.folder)

    def _rest(self, data: bytes, start: int) -> int:
        """Write what a short write left, or take the line back when the disk is full."""
        assert self._descriptor is not None
        try:
            return os.write(self._descriptor, data)
        except OSError:
            os.ftruncate(self._descriptor, start)
            raise

    def _keep(self) -> None:
        """Tell the disk about once a second to keep what was written."""
        while not self._closing.wait(self._sync_every):
            if self._dirty:
                with self._swap:
                    self._dirty = False
                    if self._descriptor is not None:
                        try:
                            os.fdatasync(self._descriptor)
                        except OSError as error:
                            self._sync_error = error


_HEAD = b'{"id":"'
_ANSWERED = b'"error_class":null,"time":"'
_TAIL = 80


class _Torn:
    """Where the last line of the last file ends too early."""

    def __init__(self, position: int, *, whole: bool, number: int) -> None:
        self.position = position
        self.whole = whole
        self.number = number


def _read_line(line: bytes) -> tuple[int, bool] | None:
    """Return the id of a line and whether its error may pass, None if it is damaged."""
    # Nearly all lines are answers as we write them: head and tail tell that, at a third of the cost of parsing.
    if line.startswith(_HEAD) and line[23:25] == b'",' and line.endswith(b'"}\n') and b"\x00" not in line:
        at = line.rfind(_ANSWERED, max(0, len(line) - _TAIL))
        if at > 0 and line.find(b'"', at + len(_ANSWERED)) == len(line) - 3:
            try:
                return int(line[7:23], 16), False
            except ValueError:
                return None
    try:
        record = orjson.loads(line)
        return line_id(record), record["error_class"] in TRANSIENT_ERRORS
    except (ValueError, TypeError, KeyError):
        return None


def _dumps(line: Mapping[str, Any]) -> bytes:
    option = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z
    try:
        return orjson.dumps(line, option=option)
    except TypeError:
        # Half an emoji (a lone surrogate) is no text; it is kept visibly as U+FFFD.
        mended = {name: _mended(value) if isinstance(value, str) else value for name, value in line.items()}
        return orjson.dumps(mended, option=option)


def _mended(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
