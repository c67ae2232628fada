"""The answers of a run as tables, a piece at a time, in the order in which they were asked."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.collect.journal.index import JournalLine, damaged, is_torn, journal_index
from evenhand.tables.schemas import ANSWERS

__all__ = ["IdenticalRepetitions", "identical_repetitions", "read_answers"]

# A piece ends at this size even when it has few lines: answers may be long.
_PIECE_BYTES = 8 * 1024 * 1024
_TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%.fZ"
_READ_SCHEMA = {name: pl.String() if name == "time" else dtype for name, dtype in ANSWERS.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class IdenticalRepetitions:
    """How many stimuli were answered more than once, and how many always alike."""

    compared: int
    identical: int


def read_answers(folder: Path, *, chunk: int = 20_000) -> Iterator[pl.DataFrame]:
    """Yield the answers of a run folder, each attempt once, at most `chunk` rows at a time.

    They come in the order of sending, whichever was faster: sums of the same answers are
    then the same to the last digit. Where an attempt was made again its last line counts.
    A line that is still being written is left out. Memory holds 36 bytes per line besides
    one piece.

    Raises
    ------
    InputError
        a line is damaged; the message names the file and the line.
    """
    piece: list[JournalLine] = []
    size = 0
    for line in journal_index(folder).lines():
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


def _frame(piece: list[JournalLine]) -> pl.DataFrame:
    frame = _read(piece)
    if frame is None:
        raise damaged(next((line for line in piece if is_torn(line.content) or _read([line]) is None), piece[0]))
    return frame.with_columns(
        pl.col("time").str.to_datetime(_TIME_FORMAT, time_unit="us", time_zone="UTC", strict=False)
    )


def _read(piece: list[JournalLine]) -> pl.DataFrame | None:
    """Return the lines as a table, None where one of them is damaged."""
    lines = b"".join(line.content if line.content.endswith(b"\n") else line.content + b"\n" for line in piece)
    try:
        frame = pl.read_ndjson(io.BytesIO(lines), schema=_READ_SCHEMA)
    except pl.exceptions.PolarsError:
        return None
    return frame if frame.height == len(piece) else None
