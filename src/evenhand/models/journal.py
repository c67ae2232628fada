"""The append-only journal of a run: one line per finished attempt.

Its files are `answers-000.jsonl` and so on, and of what a judge says of answers `judge-000.jsonl`. A lock admits one
process at a time to a run folder. An index finds each answer without loading the texts, and the journals of several
machines can be joined.
"""

import os
import threading
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge as merged
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.errors import Incomplete, InputError
from evenhand.models.model import TRANSIENT_ERRORS
from evenhand.models.order import Planned
from evenhand.patterns import lazy_re
from evenhand.results.files import append, sync_folder


def attempt_ids(attempts: Sequence[Planned]) -> NDArray[np.uint64]:
    """Return the ids of planned attempts, 8 bytes each."""
    return np.fromiter((int(attempt.request.id, 16) for attempt in attempts), np.uint64, len(attempts))


def known_among(ids: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of `ids` are in `known`, which is sorted.

    >>> known_among(np.array([3, 1, 9], dtype=np.uint64), np.array([1, 2, 3], dtype=np.uint64)).tolist()
    [True, True, False]
    """
    if not known.size:
        return np.zeros(len(ids), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, ids), known.size - 1)
    return np.asarray(known[places] == ids)


#: What a journal holds: the answers of a run, or what a judge says of them.
ANSWERS, JUDGE = "answers", "judge"
_NAME = lazy_re(r"([a-z]+)-(\d{3,})\.jsonl")
_ID_LENGTH = 16


@dataclass(frozen=True, slots=True)
class JournalFile:
    """One file of a journal and its number."""

    number: int
    path: Path


def journal_name(number: int, stem: str = ANSWERS) -> str:
    """Return the name of a journal's file.

    >>> journal_name(1)
    'answers-001.jsonl'
    """
    return f"{stem}-{number:03d}.jsonl"


def journal_files(folder: Path, stem: str = ANSWERS) -> list[JournalFile]:
    """Return the files of the journal in `folder`, oldest first."""
    if not folder.is_dir():
        return []
    matches = [(_NAME.fullmatch(path.name), path) for path in folder.iterdir()]
    files = [JournalFile(int(match[2]), path) for match, path in matches if match is not None and match[1] == stem]
    return sorted(files, key=lambda file: file.number)


def line_id(record: dict[str, Any]) -> int:
    """Return the id of a journal line as a number.

    Raises ValueError, TypeError or KeyError where there is none.

    >>> line_id({"id": "00000000000000ff"})
    255
    """
    text = record["id"]
    if len(text) != _ID_LENGTH:
        raise ValueError("an id has 16 hex digits")
    return int.from_bytes(bytes.fromhex(text), "big")


_BUFFER = 1 << 20
_ID_HEAD = b'{"id":"'
_ORDER_HEAD = b'"sent_order":'


class JournalLine(NamedTuple):
    """One line as it is written."""

    path: Path
    number: int
    content: bytes


#: The arrays of an index, and the types of their numbers.
_COLUMNS = {"ids": "Q", "orders": "q", "file": "i", "offset": "q", "number": "q"}


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalIndex:
    """The lines of a journal that count, in the order of sending; parallel arrays.

    `file` numbers the file in `paths`, `offset` is where the line begins and `number`
    its number in the file.
    """

    paths: tuple[Path, ...]
    ids: NDArray[np.uint64]
    orders: NDArray[np.int64]
    file: NDArray[np.int32]
    offset: NDArray[np.int64]
    number: NDArray[np.int64]

    def taken(self, places: NDArray[np.intp]) -> "JournalIndex":
        """Return the lines at `places`, in their order."""
        return replace(self, **{name: getattr(self, name)[places] for name in _COLUMNS})

    def lines(self) -> Iterator[JournalLine]:
        """Yield the lines. Most lie one behind the other, so that hardly any place is sought."""
        streams = [path.open("rb", buffering=_BUFFER) for path in self.paths]
        at = [0] * len(streams)
        try:
            places = zip(self.file.tolist(), self.offset.tolist(), self.number.tolist(), strict=True)
            for file, offset, number in places:
                stream = streams[file]
                if at[file] != offset:
                    stream.seek(offset)
                content = stream.readline()
                at[file] = offset + len(content)
                yield JournalLine(self.paths[file], number, content)
        finally:
            for stream in streams:
                stream.close()


def journal_index(folder: Path, stem: str = ANSWERS) -> JournalIndex:
    """Return where the answers of a run folder are; of a repeated attempt the last line counts.

    A line that is still being written is left out. 36 bytes per line.

    Raises
    ------
    InputError
        a line is damaged; the message names the file and the line.
    """
    columns = {name: array(kind) for name, kind in _COLUMNS.items()}
    files = journal_files(folder, stem)
    for place, file in enumerate(files):
        for offset, line in _lines(file, last=file is files[-1]):
            name, order = _id_and_order(line, len(columns["ids"]))
            columns["ids"].append(name)
            columns["orders"].append(order)
            columns["file"].append(place)
            columns["offset"].append(offset)
            columns["number"].append(line.number)
    keep = np.flatnonzero(_last_line_mask(np.frombuffer(columns["ids"], dtype=np.uint64)))
    in_order = keep[np.argsort(np.frombuffer(columns["orders"], dtype=np.int64)[keep], kind="stable")]
    del keep
    # The arrays are used without a copy, and each is freed once its part is taken: copies would double the memory.
    taken = {name: np.frombuffer(columns.pop(name), dtype=kind)[in_order] for name, kind in _COLUMNS.items()}
    return JournalIndex(paths=tuple(file.path for file in files), **taken)


def _lines(file: JournalFile, *, last: bool) -> Iterator[tuple[int, JournalLine]]:
    """Yield the finished lines of a file and where each begins; a torn end of the last file is left out."""
    previous: JournalLine | None = None
    start = end = 0
    with file.path.open("rb", buffering=_BUFFER) as stream:
        for number, content in enumerate(stream, 1):
            if previous is not None:
                yield start, previous
            previous, start = JournalLine(file.path, number, content), end
            end += len(content)
    if previous is not None and not (last and is_torn(previous.content)):
        yield start, previous


def _id_and_order(line: JournalLine, place: int) -> tuple[int, int]:
    """Return the id of a line and its place in the order of sending."""
    content = line.content
    try:
        # Lines as the journal writes them need no parsing here.
        if content.startswith(_ID_HEAD) and content[23:24] == b'"':
            at = content.find(_ORDER_HEAD, 24, 120)
            if at > 0:
                start = at + len(_ORDER_HEAD)
                return int(content[7:23], 16), int(content[start : content.index(b",", start)])
        record = orjson.loads(content)
        return line_id(record), int(record.get("sent_order", place))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise damaged(line) from None


def _last_line_mask(ids: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return for each line whether it is the last one of its id."""
    keep = np.ones(len(ids), dtype=np.bool_)
    ordered = np.sort(ids)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if repeated.size:
        places = np.flatnonzero(np.isin(ids, repeated))
        last = dict(zip(ids[places].tolist(), places.tolist(), strict=True))
        keep[places] = False
        keep[list(last.values())] = True
    return keep


def is_torn(content: bytes) -> bool:
    """Return whether a line is no whole JSON value."""
    try:
        orjson.loads(content)
    except orjson.JSONDecodeError:
        return True
    return False


def damaged(line: JournalLine) -> InputError:
    """Return the error that names a damaged line."""
    return InputError(
        f"{line.path}, line {line.number}, is damaged: it is not a line of a journal. Restore the file from a "
        "copy, or begin a new run with another --out."
    )


#: Bytes after which a new file is begun.
ROTATE_AT = 256 * 1024 * 1024

_SYNC_EVERY = 1.0


class Journal:
    """Keeps the answers of a run folder; opened, it knows what was answered before.

    Opening checks every line. A last line that a crash cut short is removed, and
    `notices` says so. Each `append` is one write, synchronised to the disk about
    once a second and on `close`, so kill -9 loses nothing that was answered and a power
    cut at most a second.

    Raises
    ------
    InputError
        a line before the last is no journal line, or the folder can't be written. Nothing is
        changed then.
    """

    def __init__(
        self,
        folder: Path,
        *,
        stem: str = ANSWERS,
        rotate_at: int = ROTATE_AT,
        sync_every: float = _SYNC_EVERY,
        repair: str = "The answers so far are kept; free some space and continue with --resume.",
    ) -> None:
        self.folder = folder
        self._repair_text = repair
        self._stem = stem
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
        files = journal_files(folder, stem)
        self._number = files[-1].number if files else 0
        torn = None
        for file in files:
            torn = self._check(file.path, last=file is files[-1])
        if torn is not None:
            self._repair(files[-1].path, torn)
        self._syncer = threading.Thread(target=self._sync_regularly, name="evenhand-journal", daemon=True)
        self._syncer.start()

    def answered(self, *, retry_errors: bool = False, retry_all: bool = False) -> NDArray[np.uint64]:
        """Return the ids with a line, sorted; the later line of an id counts.

        With `retry_errors` ids whose error may not come again (busy, slow, broken) are
        left out, so that they are sent once more, with `retry_all` all others without a text, too.
        """
        ids = np.frombuffer(self._ids, dtype=np.uint64)
        if not ids.size:
            return np.empty(0, dtype=np.uint64)
        known = np.unique(ids)
        kinds = np.frombuffer(self._transient, dtype=np.uint8)
        transient = (retry_errors & (kinds == _PASSING)) | (retry_all & (kinds == _LASTING))
        if not transient.any():
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
            append(self._descriptor, data)
        except OSError as error:
            raise Incomplete(
                f"Cannot write the journal in {self.folder}: {error.strerror}. {self._repair_text}"
            ) from None
        self._size += len(data)
        self._dirty = True
        self._note(data)

    def _note(self, line: bytes) -> bool:
        """Note the id of a line, and whether it failed; return False where it is none."""
        read = _read_line(line)
        if read is not None:
            self._ids.append(read[0])
            self._transient.append(read[1])
        return read is not None

    def sync(self) -> None:
        """Bring every line to the disk now."""
        with self._swap:
            self._dirty = False
            if self._descriptor is not None:
                os.fdatasync(self._descriptor)

    def close(self) -> None:
        """Bring the last lines to the disk; a second call does nothing."""
        self._closing.set()
        self._syncer.join()
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
                    if not self._note(line):
                        if last and position + len(line) == size:
                            return _Torn(position, whole=False, number=number)
                        raise InputError(
                            f"{path}, line {number}, is damaged: it is not a line of a journal. Restore the "
                            "file from a copy, or begin a new run with another --out; nothing was changed."
                        )
                    position += len(line)
                    if last and not line.endswith(b"\n"):
                        return _Torn(position, whole=True, number=number)
        except OSError as error:
            raise InputError(f"Cannot read {path}: {error.strerror}.") from None
        return None

    def _repair(self, path: Path, torn: "_Torn") -> None:
        """Remove a torn last line, or end a whole one that lacks only its line break."""
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
            path = self.folder / journal_name(self._number, self._stem)
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

    def _sync_regularly(self) -> None:
        """Synchronise the file to the disk about once a second."""
        while not self._closing.wait(self._sync_every):
            if self._dirty:
                with self._swap:
                    self._dirty = False
                    if self._descriptor is not None:
                        try:
                            os.fdatasync(self._descriptor)
                        except OSError as error:
                            self._sync_error = error


_ANSWERED = b'"error_class":null,"time":"'
_TAIL = 80


class _Torn(NamedTuple):
    """Where the last line of the last file ends too early."""

    position: int
    whole: bool
    number: int


#: What a line without a usable answer is: an error that may pass, or another error or an answer without text.
_PASSING, _LASTING = 1, 2
#: A line's text begins before this byte.
_TEXT_BEFORE = 160


def _read_line(line: bytes) -> tuple[int, int] | None:
    """Return the id of a line, and 0 or what it is instead of an answer; None if it is damaged."""
    # Nearly all lines are answers as we write them: head and tail show that, at a third of the cost of parsing.
    if line.startswith(_ID_HEAD) and line[23:25] == b'",' and line.endswith(b'"}\n') and b"\x00" not in line:
        at = line.rfind(_ANSWERED, max(0, len(line) - _TAIL))
        if at > 0 and line.find(b'"', at + len(_ANSWERED)) == len(line) - 3:
            try:
                return int(line[7:23], 16), _LASTING * (b'"text":"",' in line[:_TEXT_BEFORE])
            except ValueError:
                return None
    try:
        record = orjson.loads(line)
        error = record["error_class"]
        return line_id(record), _PASSING if error in TRANSIENT_ERRORS else _LASTING * (
            bool(error) or record["text"] == ""
        )
    except (ValueError, TypeError, KeyError):
        return None


def _dumps(line: Mapping[str, Any]) -> bytes:
    option = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z
    try:
        return orjson.dumps(line, option=option)
    except TypeError:
        # Half an emoji (a lone surrogate) is no text; it is kept visibly as U+FFFD.
        texts = {name: _repaired(value) for name, value in line.items() if isinstance(value, str)}
        return orjson.dumps({**line, **texts}, option=option)


def _repaired(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A folder whose answers are joined.

    In an unfinished part a transient failure is no answer yet: it is left out, so
    that the prompt is sent again.
    """

    folder: Path
    finished: bool


@dataclass(frozen=True, kw_only=True)
class Joined:
    """What was joined: lines written, and attempts that several parts hold.

    `conflicts` are the ids of those that were answered with different texts.
    """

    lines: int
    overlaps: int
    conflicts: tuple[str, ...]


def join_journals(parts: Sequence[Part], journal: Journal) -> Joined:
    """Write the lines of all parts to `journal`, each attempt once, in the order of sending.

    Where several parts hold an attempt, an answer goes before a failure and the earlier
    answer before the later one. Memory holds 36 bytes per line of every part.

    Raises
    ------
    InputError
        a line of a part is damaged.
    """
    streams = [_ordered(place, part) for place, part in enumerate(parts)]
    # Attempts that several parts hold have one place in the order, so they come together.
    written = overlaps = 0
    conflicts: list[str] = []
    same_attempt: list[_KeyedLine] = []
    for line in chain(merged(*streams), [None]):
        if line is not None and (not same_attempt or line.key == same_attempt[0].key):
            same_attempt.append(line)
            continue
        if same_attempt:
            preferred = min(same_attempt, key=_preference)
            journal.append(preferred.record)
            written += 1
            overlaps += len(same_attempt) > 1
            if len({other.record["text"] for other in same_attempt if other.record["error_class"] is None}) > 1:
                conflicts.append(str(preferred.record["id"]))
        same_attempt = [line] if line is not None else []
    return Joined(lines=written, overlaps=overlaps, conflicts=tuple(conflicts))


@dataclass(frozen=True, slots=True)
class _KeyedLine:
    """One line of one part, with what it is sorted by."""

    key: tuple[int, int]
    part: int
    record: dict[str, Any]

    def __lt__(self, other: "_KeyedLine") -> bool:
        return (self.key, self.part) < (other.key, other.part)


def _preference(line: _KeyedLine) -> tuple[bool, str, int]:
    return line.record["error_class"] is not None, str(line.record.get("time")), line.part


def _ordered(place: int, part: Part) -> Iterator[_KeyedLine]:
    """Yield the lines of a part that count, sorted by place in the order and id."""
    index = journal_index(part.folder)
    # Stale attempts of a changed prompt share their place with another id; sorted, ids come together too.
    order = np.lexsort((index.ids, index.orders))
    for name, sent, line in zip(
        index.ids[order].tolist(), index.orders[order].tolist(), index.taken(order).lines(), strict=True
    ):
        record: dict[str, Any] = orjson.loads(line.content)
        if part.finished or record["error_class"] not in TRANSIENT_ERRORS:
            yield _KeyedLine((sent, name), place, record)


def missing(planned: NDArray[np.uint64], answered: NDArray[np.uint64]) -> int:
    """Return how many of the planned ids have no line; `answered` is sorted."""
    return int(planned.size - known_among(planned, answered).sum())
