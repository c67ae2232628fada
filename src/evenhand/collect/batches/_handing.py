"""Hands prompts over to a provider, each exactly once, whatever is lost on the way."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from evenhand.collect.batches._calls import Calls, Ended
from evenhand.collect.batches._pieces import Piece
from evenhand.collect.batches.log import BATCHES_FILE, BatchLog, LoggedBatch
from evenhand.models.batches.batch import BatchState, Found, Sought
from evenhand.models.batches.service import BatchService
from evenhand.models.model import Failure

__all__ = ["Handing", "UnderWay"]

# Failures that tell the user more than that it can't be known what became of a batch.
_UNHEARD = frozenset({"key", "credit", "permission", "quota"})


@dataclass(kw_only=True, slots=True, eq=False)
class UnderWay:
    """A batch that the provider has.

    `parameters` are those that it was sent with; of batches of an earlier process those
    that it would have now. `piece` is kept while the provider may refuse it as a whole.
    `shown` prompts count as done on the progress bar already.
    """

    batch: LoggedBatch
    parameters: frozenset[str]
    piece: Piece | None = None
    shown: int = 0


class Handing:
    """Creates batches; where an answer is lost, the provider's list tells whether one was taken.

    `folder` is the run's. `notice` gets a line when it takes long to find that out.
    """

    def __init__(
        self,
        service: BatchService,
        log: BatchLog,
        calls: Calls,
        *,
        folder: Path,
        notice: Callable[[str], None] | None,
        now: Callable[[], datetime],
    ) -> None:
        self._service = service
        self._log = log
        self._calls = calls
        self._folder = folder
        self._notice = notice
        self._now = now

    async def handed_over(self, piece: Piece) -> UnderWay:
        """Create a batch, exactly one, of a piece; its id is on the disk before this returns."""
        prepared = await self._calls.patiently(lambda: self._service.prepare(piece.lines))
        batch = self._log.plan(piece.token, piece.items, where=self._service.where, now=self._now())
        failures = 0
        while True:
            try:
                state: BatchState | None = await self._service.create(prepared, token=piece.token)
            except Failure as failure:
                failures += 1
                open_question = _may_have_arrived(failure)
                try:
                    await self._calls.wait_after(failure, failures)
                except Ended:
                    if not open_question:  # else the next process looks whether the provider has it
                        self._log.withdrawn(batch, reason=str(failure), now=self._now())
                    raise
                state = await self._found(batch) if open_question else None
            if state is not None:
                self._log.submitted(batch, state.id, now=self._now())
                shown = len(piece.items) if piece.again else 0
                return UnderWay(batch=batch, parameters=piece.parameters, piece=piece, shown=shown)
            self._log.again(batch, now=self._now())

    async def reattach(self, batch: LoggedBatch) -> None:
        """Find out what became of a batch that an earlier process handed over."""
        state = await self._found(batch)
        if state is not None:
            self._log.submitted(batch, state.id, now=self._now())
            return
        self._log.withdrawn(batch, reason="the provider never took it", now=self._now())

    async def _found(self, batch: LoggedBatch) -> BatchState | None:
        """Return the provider's batch whose creation was not confirmed, None where there is none."""
        patience = self._calls.patience
        wait = patience.first
        told = False
        while True:
            try:
                found = await self._calls.patiently(lambda: self._search(batch), fatal=False)
            except Failure as failure:
                unheard = failure.error_class in _UNHEARD
                self._calls.end("fatal", str(failure) if unheard else self._undecidable(batch, failure))
            if found.states:
                kept, *others = found.states
                for other in others:
                    with contextlib.suppress(Failure):
                        await self._service.cancel(other.id)
                return kept
            if found.undecided and not told:
                self._tell_undecided(batch, found.undecided)
                told = True
            age = (self._now() - batch.tried).total_seconds()
            if not found.undecided and age >= patience.settled:
                return None
            await self._calls.pause(wait if found.undecided else min(wait, max(patience.settled - age, 0.01)))
            wait = min(wait * patience.growth, patience.longest)

    async def _search(self, batch: LoggedBatch) -> Found:
        known = frozenset(self._log.ids)
        return await self._service.find(
            Sought(token=batch.token, requests=len(batch.items), since=batch.since, known=known)
        )

    def _tell_undecided(self, batch: LoggedBatch, undecided: int) -> None:
        if self._notice is not None:
            self._notice(
                f"Batches of {len(batch.items):,} prompts under way at {self._service.where}: {undecided}. "
                "Whether one of them is this run's shows when they end; nothing is handed over twice until then."
            )

    def _undecidable(self, batch: LoggedBatch, failure: Failure) -> str:
        return (
            f"{len(batch.items):,} prompts were handed to {batch.where} on {batch.tried:%Y-%m-%d at %H:%M:%S} UTC, and "
            f"its answer was lost; it can't be told whether it took them ({str(failure).rstrip('.')}). They are not "
            "handed over again, as they might be paid twice. If the provider's console shows no such batch, delete "
            f"the lines with {batch.token!r} from {self._folder / BATCHES_FILE}"
        )


def _may_have_arrived(failure: Failure) -> bool:
    """Return whether the provider may have taken a batch although no answer said so."""
    return failure.kind == "retry" and failure.error_class != "rate_limit"
