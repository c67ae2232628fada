"""Safe files: written whole or not at all, CSV without formulas, fingerprints, and limits for packed files.

A small packed file can unpack to a machine's whole memory, so each has a `Budget`.
"""

import errno
import fcntl
import hashlib
import os
import shutil
import signal
import stat
import tempfile
from collections import Counter
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
        raise InputError(f"--out {path} is not a file, but a device or a pipe; expected a file.")
    if exists and not force:
        content = f" and may hold {holds}" if holds else ""
        raise InputError(f"{path} already exists{content}. Use --force to replace it, or another --out.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to write {path.name} into.")


#: What fails or ends this process at a stated moment of writing, in tests: POINT:N or POINT:N:ENOSPC.
FAULT: Final = "EVENHAND_FAULT"
_passed = Counter[str]()
#: A link in the place of an unfinished file would lead elsewhere; what a killed process left there is emptied later.
_WRITING: Final = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def fault_point(name: str) -> None:
    """Kill this process and those that it started where EVENHAND_FAULT names a point and how often it was passed.

    With the name of an error this fails from then on instead, as a full disk does.
    """
    wanted, _, rest = os.environ.get(FAULT, "").partition(":")
    if wanted != name:
        return
    number, _, error = rest.partition(":")
    _passed[name] += 1
    if error and _passed[name] >= int(number):
        code: int = getattr(errno, error)
        raise OSError(code, os.strerror(code))
    if not error and _passed[name] == int(number):
        os.killpg(0, signal.SIGKILL)


def write_file(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or not there, also after a power cut; InputError where that can't be done."""
    with written(path) as file:
        file.write(content)


@contextmanager
def written(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a file to write to bit by bit; it takes its name when all is written, and what an error leaves is removed.

    Nobody else on the machine may read a `private` one.

    Raises
    ------
    InputError
        The file can't be written.

    """
    part = unfinished(path)
    with disk_errors(path):
        fault_point("open")
        with os.fdopen(os.open(part, _WRITING, 0o666), "wb") as file:
            claim(file.fileno(), part, path)
            if private:
                os.fchmod(file.fileno(), 0o600)
            try:
                file.truncate()
                yield file
                file.flush()
                take_name(part, path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise


@contextmanager
def written_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside another, for what `take_name` then brings there; it is gone at the end."""
    part = unfinished(path.resolve())
    with disk_errors(path):
        part.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            claim(descriptor, part, path)
            for entry in part.iterdir():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            try:
                yield part
            finally:
                if is_at(descriptor, part):  # else it has its name, and another process may write a next one
                    shutil.rmtree(part, ignore_errors=True)
        finally:
            os.close(descriptor)


def unfinished(path: Path) -> Path:
    """Return where a file or folder lies until all of it is written."""
    return path.with_name(f".{path.name}.part")


def claim(descriptor: int, place: Path, path: Path) -> None:
    """Lock an open file or folder until it is closed, or this process ends.

    Raises
    ------
    InputError
        Another process writes there.

    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        held = not is_at(descriptor, place)
    except BlockingIOError:
        held = True
    except OSError:
        held = False  # a disk without locks
    if held:
        raise InputError(f"{path} is being written by another process; wait until it ends.")


def is_at(descriptor: int, place: Path) -> bool:
    """Say whether an open file or folder is still the one at a place."""
    return place.exists() and os.path.samestat(os.fstat(descriptor), place.stat())


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into an InputError that says why a file can't be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}.") from error
    except Exception as error:
        reason = disk_refusal(error)
        if reason is None:
            raise
        raise InputError(f"{path} can't be written: {reason}.") from error


_REFUSALS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


def disk_refusal(error: Exception) -> str | None:
    """Return why a disk takes nothing, of the errors that Polars and DuckDB have for it, too; None for any other.

    >>> disk_refusal(ValueError("IO error: No space left on device (os error 28)"))
    'No space left on device'
    """
    return next((reason for code in _REFUSALS if (reason := os.strerror(code)) in str(error)), None)


def take_name(part: Path, path: Path) -> None:
    """Give a written file or folder its name, once its content is on the disk."""
    sync_file(part)
    fault_point("written")
    part.replace(path)
    fault_point("named")


def append(descriptor: int, data: bytes) -> None:
    """Add data to the end of a file, whole or not at all; OSError where the disk takes no more."""
    start = os.fstat(descriptor).st_size
    try:
        fault_point("append")
        done = os.write(descriptor, data)
        while done < len(data):
            done += os.write(descriptor, data[done:])
    except OSError:
        os.ftruncate(descriptor, start)
        raise
    fault_point("appended")


def append_line(path: Path, line: bytes, *, sync: bool = True) -> None:
    """Add a line to a file, which is made where it is not there, and bring it to the disk."""
    new = not path.exists()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        append(descriptor, line)
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if new and sync:
        sync_folder(path.parent)


def sqlite_for_readers(path: Path) -> str:
    """Return the URL of a SQLite file for those who can't write where it lies.

    Other readers make files of its write-ahead log there. Where that log holds nothing, the file alone is the database.
    """
    log = path.with_name(f"{path.name}-wal")
    return f"{path.resolve().as_uri()}?{'mode=ro' if log.is_file() and log.stat().st_size else 'immutable=1'}"


#: Takes files where no disk does.
_MEMORY: Final = "/dev/shm"  # noqa: S108 - a folder of a random name in it


@contextmanager
def scratch_folder(*, room: int = 0) -> Iterator[Path]:
    """Yield a folder for files that are needed for a while, in memory where no disk takes so many bytes more.

    Raises
    ------
    InputError
        No folder takes any.

    """
    try:
        usual = tempfile.gettempdir()
    except OSError:
        usual = ""
    places = [place for place in (usual, _MEMORY) if place and os.access(place, os.W_OK, effective_ids=True)]
    place = next((place for place in places if shutil.disk_usage(place).free > room), next(iter(places), None))
    if place is None:
        raise InputError("No folder for temporary files; free some space, or set TMPDIR to a writable folder.")
    with tempfile.TemporaryDirectory(prefix="evenhand-", dir=place) as folder:
        yield Path(folder)


def open_file(path: Path) -> BufferedReader:
    """Open a file to read; OSError of a folder, and of a device, pipe or socket, which may have no end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is not a file, but a device or a pipe", str(path))


#: Bytes; what is longer is read in pieces or not at all.
LONGEST_FILE: Final = 2**30


def file_bytes(path: Path) -> bytes:
    """Return the content of a file; OSError as of `open_file`, and of one that memory may not take."""
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > LONGEST_FILE:
            raise OSError(errno.EFBIG, f"it is larger than {LONGEST_FILE >> 20:,} MB", str(path))
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
        self.refusal: InputError | None = None

    def unpacked(self, size: int) -> None:
        """Take so many bytes.

        Raises
        ------
        InputError
            They are more than are left; the message goes on after the name of the file.

        """
        self._bytes -= size
        if self._bytes < 0:
            raise self.refused(f"unpacks to more than {self.megabytes:,} MB")

    def refused(self, told: str) -> InputError:
        """Return the error of a file that asks too much; `told` goes on after its name."""
        self.refusal = InputError(f"{told}; if you trust the file, raise --unpack-limit.")
        return self.refusal

    def __reduce__(self) -> tuple[Any, ...]:
        # In another process the file is read from the beginning.
        return type(self), (self.megabytes,)
