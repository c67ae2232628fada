"""The log of a run's batches, batches.jsonl, and prompts divided into pieces that fit into one batch."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from evenhand.errors import Incomplete, InputError
from evenhand.models.batch_apis import BatchService
from evenhand.models.collected import Sent
from evenhand.models.order import Planned
from evenhand.results.files import append_line

BATCHES_FILE = "batches.jsonl"


@dataclass(kw_only=True, slots=True)
class LoggedBatch:
    """A batch that is under way.

    `id` is None where it is unknown whether the provider took it. `since` is when it was
    first submitted, `tried` when it was last tried.
    """

    token: str
    where: str
    items: list[Sent]
    since: datetime
    tried: datetime
    id: str | None = None


class BatchLog:
    """The batches of a run folder; each line is on the disk before anything follows from it.

    Lines have a `batch` (a random token that the provider gets, too) and a `state`:
    planned, again, submitted, collected, withdrawn. A last line that a crash cut short is
    removed.

    Raises
    ------
    InputError
        a line before the last is none of ours, or the file can't be read.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / BATCHES_FILE
        self.open: dict[str, LoggedBatch] = {}
        #: Every id that a provider gave to a batch of this run.
        self.ids: set[str] = set()
        if self._path.exists():
            self._read()

    def plan(self, token: str, items: Sequence[Sent], *, where: str, now: datetime) -> LoggedBatch:
        """Note that a batch is about to be handed over, and return it."""
        batch = LoggedBatch(token=token, where=where, items=list(items), since=now, tried=now)
        self._write(token, "planned", now, where=where, requests=len(items), items=[astuple(item) for item in items])
        self.open[token] = batch
        return batch

    def again(self, batch: LoggedBatch, *, now: datetime) -> None:
        """Note that the provider does not have it, and that it is handed over once more."""
        self._write(batch.token, "again", now)
        batch.tried = now

    def submitted(self, batch: LoggedBatch, batch_id: str, *, now: datetime) -> None:
        """Note the provider's id."""
        self._write(batch.token, "submitted", now, id=batch_id)
        batch.id = batch_id
        self.ids.add(batch_id)

    def collected(self, batch: LoggedBatch, *, status: str, answered: int, failed: int, now: datetime) -> None:
        """Note that its results are in the journal."""
        self._write(batch.token, "collected", now, status=status, answered=answered, failed=failed)
        del self.open[batch.token]

    def withdrawn(self, batch: LoggedBatch, *, reason: str, now: datetime) -> None:
        """Note that nothing of it was or will be run."""
        self._write(batch.token, "withdrawn", now, reason=reason)
        del self.open[batch.token]

    def _write(self, token: str, state: str, now: datetime, **rest: Any) -> None:
        line = orjson.dumps(
            {"batch": token, "state": state, "time": now, **rest}, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z
        )
        try:
            append_line(self._path, line)
        except OSError as error:
            raise Incomplete(
                f"Cannot write {self._path}: {error.strerror}. Free some space and continue with --resume."
            ) from None

    def _read(self) -> None:
        position = 0
        try:
            size = self._path.stat().st_size
            with self._path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if not self._take(line):
                        if position + len(line) == size and not line.endswith(b"\n"):
                            os.truncate(self._path, position)
                            return
                        raise InputError(
                            f"{self._path}, line {number}, is damaged: it is not a line about a batch. "
                            "Restore the file from a copy; without it prompts may be paid twice."
                        )
                    position += len(line)
        except OSError as error:
            raise InputError(f"Cannot read {self._path}: {error.strerror}.") from None

    def _take(self, line: bytes) -> bool:
        """Take in one line; return whether it is whole and ours."""
        if not line.endswith(b"\n"):
            return False
        try:
            record = orjson.loads(line)
            token, state, time = record["batch"], record["state"], datetime.fromisoformat(record["time"])
            if state == "planned":
                items = [Sent(*item) for item in record["items"]]
                self.open[token] = LoggedBatch(token=token, where=record["where"], items=items, since=time, tried=time)
            elif state == "again":
                self.open[token].tried = time
            elif state == "submitted":
                self.open[token].id = record["id"]
                self.ids.add(record["id"])
            elif state in {"collected", "withdrawn"}:
                del self.open[token]
            else:
                return False
        except (ValueError, TypeError, KeyError):
            return False
        return True


def refuse_open_batches(folder: Path) -> None:
    """Refuse to ask one by one what a provider is answering already.

    Raises
    ------
    InputError
        batches of the run in `folder` are under way.
    """
    waiting = list(BatchLog(folder).open.values())
    if waiting:
        prompts = sum(len(batch.items) for batch in waiting)
        raise InputError(
            f"{prompts:,} prompts of {folder} are in batches at {waiting[0].where} already and would be paid twice. "
            "Resume with --batch, too."
        )


# A batch is built in memory, so it is smaller than providers allow.
_MOST_BYTES = 32_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Prompts that fit into one batch, as the provider gets them.

    `parameters` are those that they are sent with. `again` is True where they were in a
    batch before.
    """

    token: str
    parameters: frozenset[str]
    again: bool
    lines: list[bytes] = field(default_factory=list)
    items: list[Sent] = field(default_factory=list)

    def halves(self, token: Callable[[], str]) -> "list[Piece]":
        """Return two pieces of half the size."""
        middle = len(self.items) // 2
        parts = (slice(None, middle), slice(middle, None))
        return [replace(self, token=token(), lines=self.lines[part], items=self.items[part]) for part in parts]


def pieces(
    attempts: Iterable[Planned], service: BatchService, *, token: Callable[[], str], again: bool
) -> Iterator[Piece]:
    """Yield all attempts in planned order, as many at a time as the service takes."""
    most = min(service.most_bytes, _MOST_BYTES)
    piece: Piece | None = None
    size = 0
    for attempt in attempts:
        request = attempt.request
        if piece is not None:
            line = service.line(f"{request.id}-{piece.token}", request)
            if len(piece.items) == service.most_requests or size + len(line) > most:
                yield piece
                piece = None
        if piece is None:
            piece = Piece(token=token(), parameters=service.access.parameters(request), again=again)
            size = 0
            line = service.line(f"{request.id}-{piece.token}", request)
        piece.lines.append(line)
        piece.items.append(Sent.of(attempt))
        size += len(line)
    if piece is not None:
        yield piece
