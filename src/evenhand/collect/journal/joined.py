"""Journals of several machines, joined into one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import merge as merged
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.collect.journal.attempt_ids import known_among
from evenhand.collect.journal.file import Journal
from evenhand.collect.journal.index import JournalLine, journal_index
from evenhand.models.model import TRANSIENT_ERRORS

__all__ = ["Joined", "Part", "join_journals", "missing"]


@dataclass(frozen=True, kw_only=True)
class Part:
    """A folder whose answers are joined.

    In an unfinished part a failure that may pass is no answer yet: it is left out, so
    that it is asked again.
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
    held: list[_Held] = []
    for each in chain(merged(*streams), [None]):
        if each is not None and (not held or each.key == held[0].key):
            held.append(each)
            continue
        if held:
            kept = min(held, key=_preference)
            journal.append(kept.record)
            written += 1
            overlaps += len(held) > 1
            if len({one.record["text"] for one in held if one.record["error_class"] is None}) > 1:
                conflicts.append(str(kept.record["id"]))
        held = [each] if each is not None else []
    return Joined(lines=written, overlaps=overlaps, conflicts=tuple(conflicts))


@dataclass(frozen=True, slots=True)
class _Held:
    """One line of one part, with what it is sorted by."""

    key: tuple[int, int]
    part: int
    record: dict[str, Any]

    def __lt__(self, other: "_Held") -> bool:
        return (self.key, self.part) < (other.key, other.part)


def _preference(held: _Held) -> tuple[bool, str, int]:
    return held.record["error_class"] is not None, str(held.record.get("time")), held.part


def _ordered(place: int, part: Part) -> Iterator[_Held]:
    """Yield the lines of a part that count, sorted by place in the order and id."""
    index = journal_index(part.folder)
    # Stale attempts of a changed prompt share their place with another id; sorted, ids come together too.
    order = np.lexsort((index.ids, index.orders))
    for name, sent, line in zip(
        index.ids[order].tolist(), index.orders[order].tolist(), index.taken(order).lines(), strict=True
    ):
        record = _record(line)
        if part.finished or record["error_class"] not in TRANSIENT_ERRORS:
            yield _Held((sent, name), place, record)


def _record(line: JournalLine) -> dict[str, Any]:
    record: dict[str, Any] = orjson.loads(line.content)
    return record


def missing(planned: NDArray[np.uint64], answered: NDArray[np.uint64]) -> int:
    """Return how many of the planned ids have no line; `answered` is sorted."""
    return int(planned.size - known_among(planned, answered).sum())
