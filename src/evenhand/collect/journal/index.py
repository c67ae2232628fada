"""Where each answer of a journal stands, and reading them in the order of sending."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.collect.journal.files import JournalFile, journal_files, line_id
from evenhand.errors import InputError

__all__ = ["JournalIndex", "JournalLine", "damaged", "is_torn", "journal_index"]

_BUFFER = 1 << 20
_ID_HEAD = b'{"id":"'
_ORDER_HEAD = b'"sent_order":'


class JournalLine(NamedTuple):
    """One line as it is written."""

    path: Path
    number: int
    content: bytes


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
        return JournalIndex(
            paths=self.paths,
            ids=self.ids[places],
            orders=self.orders[places],
            file=self.file[places],
            offset=self.offset[places],
            number=self.number[places],
        )

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


def journal_index(folder: Path) -> JournalIndex:
    """Return where the answers of a run folder stand; of an attempt made again its last line counts.

    A line that is still being written is left out. 36 bytes per line.

    Raises
    ------
    InputError
        a line is damaged; the message names the file and the line.
    """
    ids, orders = array("Q"), array("q")
    places, offsets, numbers = array("i"), array("q"), array("q")
    files = journal_files(folder)
    for place, file in enumerate(files):
        for offset, line in _lines(file, last=file is files[-1]):
            name, order = _named(line, len(orders))
            ids.append(name)
            orders.append(order)
            places.append(place)
            offsets.append(offset)
            numbers.append(line.number)
    # The arrays are taken over as they stand, and each goes when its part is taken: copies would double the memory.
    named = np.frombuffer(ids, dtype=np.uint64)
    keep = np.flatnonzero(_last_of_each(named))
    kept = keep[np.argsort(np.frombuffer(orders, dtype=np.int64)[keep], kind="stable")]
    del keep
    named = named[kept]
    del ids
    sent = np.frombuffer(orders, dtype=np.int64)[kept]
    del orders
    file_of = np.frombuffer(places, dtype=np.int32)[kept]
    del places
    start_of = np.frombuffer(offsets, dtype=np.int64)[kept]
    del offsets
    return JournalIndex(
        paths=tuple(file.path for file in files),
        ids=named,
        orders=sent,
        file=file_of,
        offset=start_of,
        number=np.frombuffer(numbers, dtype=np.int64)[kept],
    )


def _lines(file: JournalFile, *, last: bool) -> Iterator[tuple[int, JournalLine]]:
    """Yield the finished lines of a file and where each begins; a torn end of the last file is left out."""
    held: JournalLine | None = None
    start = end = 0
    with file.path.open("rb", buffering=_BUFFER) as stream:
        for number, content in enumerate(stream, 1):
            if held is not None:
                yield start, held
            held, start = JournalLine(file.path, number, content), end
            end += len(content)
    if held is not None and not (last and is_torn(held.content)):
        yield start, held


def _named(line: JournalLine, place: int) -> tuple[int, int]:
    """Return the id of a line and its place in the order of sending."""
    content = line.content
    try:
        # Lines as the journal writes them need no parsing here.
        if content.startswith(_ID_HEAD) and content[23:24] == b'"':
            found = content.find(_ORDER_HEAD, 24, 120)
            if found > 0:
                start = found + len(_ORDER_HEAD)
                return int(content[7:23], 16), int(content[start : content.index(b",", start)])
        record = orjson.loads(content)
        return line_id(record), int(record.get("sent_order", place))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise damaged(line) from None


def _last_of_each(ids: NDArray[np.uint64]) -> NDArray[np.bool_]:
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
        f"{line.path}, line {line.number}, is damaged: it is no line of a journal. "
        "Restore the file from a copy, or begin a new run with another --out."
    )
