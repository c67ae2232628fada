"""The answers of a run as tables, a piece at a time."""

import io
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.collect._journal_files import journal_files, line_id
from evenhand.errors import InputError
from evenhand.tables.schemas import ANSWERS

__all__ = ["IdenticalRepetitions", "identical_repetitions", "read_answers"]

# A piece ends at this size even when it has few lines: answers may be long.
_PIECE_BYTES = 8 * 1024 * 1024
_BUFFER = 1 << 20
_TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%.fZ"
_READ_SCHEMA = {name: pl.String() if name == "time" else dtype for name, dtype in ANSWERS.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class IdenticalRepetitions:
    """How many stimuli were answered more than once, and how many always alike."""

    compared: int
    identical: int


class _Line(NamedTuple):
    path: Path
    number: int
    content: bytes


def read_answers(folder: Path, *, chunk: int = 20_000) -> Iterator[pl.DataFrame]:
    """Yield the answers of a run folder, each attempt once, at most `chunk` rows at a time.

    Where an attempt was made again its last line counts. A line that is still being
    written is left out. Memory holds 8 bytes per line besides one piece.

    Raises
    ------
    InputError
        a line is damaged; the message names the file and the line.
    """
    keep = _last_lines(folder)
    piece: list[_Line] = []
    size = 0
    # A run that goes on while it is read may have more lines by now; they wait for the next reading.
    for kept, line in zip(keep.tolist(), _lines(folder), strict=False):
        if not kept:
            continue
        piece.append(line)
        size += len(line.content)
        if len(piece) >= chunk or size >= _PIECE_BYTES:
            yield _frame(piece)
            piece, size = [], 0
    if piece:
        yield _frame(piece)


def identical_repetitions(folder: Path) -> IdenticalRepetitions:
    """Return how many stimuli got the same text in every repetition.

    A model that ignores its seed, or a cache in between, answers alike; then more
    repetitions bring no more information. Texts are compared by 64-bit hashes.
    """
    indices: list[NDArray[np.int64]] = []
    hashes: list[NDArray[np.uint64]] = []
    for frame in read_answers(folder):
        answered = frame.filter(pl.col("text").is_not_null())
        indices.append(answered["index"].to_numpy())
        hashes.append(answered["text"].hash().to_numpy())
    if not indices:
        return IdenticalRepetitions(compared=0, identical=0)
    index = np.concatenate(indices)
    if not index.size:
        return IdenticalRepetitions(compared=0, identical=0)
    order = np.argsort(index, kind="stable")
    index, texts = index[order], np.concatenate(hashes)[order]
    starts = np.flatnonzero(np.append(True, index[1:] != index[:-1]))
    repeated = np.diff(np.append(starts, index.size)) > 1
    alike = np.minimum.reduceat(texts, starts) == np.maximum.reduceat(texts, starts)
    return IdenticalRepetitions(compared=int(repeated.sum()), identical=int((repeated & alike).sum()))


def _lines(folder: Path) -> Iterator[_Line]:
    """Yield the finished lines of a journal; a torn end of its last file is left out."""
    files = journal_files(folder)
    for file in files:
        held: _Line | None = None
        with file.path.open("rb", buffering=_BUFFER) as stream:
            for number, content in enumerate(stream, 1):
                if held is not None:
                    yield held
                held = _Line(file.path, number, content)
        if held is not None and not (file is files[-1] and _is_torn(held.content)):
            yield held


def _is_torn(content: bytes) -> bool:
    try:
        orjson.loads(content)
    except orjson.JSONDecodeError:
        return True
    return False


def _last_lines(folder: Path) -> NDArray[np.bool_]:
    """Return for each line whether it is the last one of its id."""
    numbers = array("Q")
    for line in _lines(folder):
        content = line.content
        try:
            # Lines as the journal writes them need no parsing here.
            if content.startswith(b'{"id":"') and content[23:24] == b'"':
                numbers.append(int(content[7:23], 16))
            else:
                numbers.append(line_id(orjson.loads(content)))
        except (ValueError, TypeError, KeyError):
            raise _damaged(line) from None
    ids = np.frombuffer(numbers, dtype=np.uint64) if numbers else np.empty(0, dtype=np.uint64)
    keep = np.ones(len(ids), dtype=np.bool_)
    ordered = np.sort(ids)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if repeated.size:
        places = np.flatnonzero(np.isin(ids, repeated))
        last = dict(zip(ids[places].tolist(), places.tolist(), strict=True))
        keep[places] = False
        keep[list(last.values())] = True
    return keep


def _frame(piece: list[_Line]) -> pl.DataFrame:
    lines = b"".join(line.content if line.content.endswith(b"\n") else line.content + b"\n" for line in piece)
    try:
        frame = pl.read_ndjson(io.BytesIO(lines), schema=_READ_SCHEMA)
    except pl.exceptions.PolarsError:
        frame = None
    if frame is None or frame.height != len(piece):
        raise _damaged(next((line for line in piece if _is_torn(line.content)), piece[0]))
    return frame.with_columns(
        pl.col("time").str.to_datetime(_TIME_FORMAT, time_unit="us", time_zone="UTC", strict=False)
    )


def _damaged(line: _Line) -> InputError:
    return InputError(f"{line.path}, line {line.number}, is damaged: it is no line of a journal.")
