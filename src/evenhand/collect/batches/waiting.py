"""Asks by a provider's batch API: hands prompts over, waits, journals what comes back."""

import asyncio
import contextlib
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.asking._stopping import GRACE, Stopping
from evenhand.collect.asking.retries import Patience
from evenhand.collect.batches._calls import Calls, Ended
from evenhand.collect.batches._handing import Handing, UnderWay
from evenhand.collect.batches._pieces import Piece, pieces
from evenhand.collect.batches._results import Results
from evenhand.collect.batches.log import BatchLog
from evenhand.collect.collected import Collected, Sent, Tally, journal_line
from evenhand.collect.journal.file import Journal
from evenhand.collect.order import Planned
from evenhand.errors import InputError
from evenhand.models.batches.batch import BatchState
from evenhand.models.batches.service import BatchService
from evenhand.models.model import TRANSIENT_ERRORS, Answer, Failure, Model, Request

__all__ = ["AT_ONCE", "BatchSettings", "collect_batches"]

#: Batches that are under way at a time; more wait here.
AT_ONCE = 8


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _random_token() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, kw_only=True)
class BatchSettings:
    """How a collection by batches asks and waits; `replanned` plans the same as what is asked."""

    replanned: Callable[[], Iterable[list[Planned]]] | None = None
    max_requests: int | None = None
    at_once: int = AT_ONCE
    patience: Patience = field(default_factory=Patience)
    grace: float = GRACE
    notice: Callable[[str], None] | None = None
    progress: Callable[[int], None] | None = None
    now: Callable[[], datetime] = _utc_now
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep
    clock: Callable[[], float] = time.perf_counter
    token: Callable[[], str] = _random_token


async def collect_batches(
    model: Model,
    service: BatchService,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    settings: BatchSettings,
    *,
    answered: NDArray[np.uint64],
) -> Collected:
    """Return counts after asking, in batches, all that `answered` does not hold.

    Model and service must be open. The first prompt is put to the model by itself: a wrong
    key, and parameters that the server does not take, show at once and not after hours.
    Batches that the log in the journal's folder knows to be under way are waited for, not handed over again. Where
    the answer to a handing over is lost, the provider's list tells whether it was taken.
    Prompts that a batch rejects for a parameter that single calls may have are taken from
    `settings.replanned`, and handed over once more without it.
    The first SIGINT or SIGTERM stops the waiting; batches go on at the provider. Prompts
    that ended without an answer for a passing reason are journaled as such and leave the
    run unfinished.

    Raises
    ------
    InputError
        batches of this run are under way at another server.
    """
    log = BatchLog(journal.folder)
    elsewhere = [batch for batch in log.open.values() if batch.where != service.where]
    if elsewhere:
        message = (
            f"{len(elsewhere[0].items):,} prompts of this run are in a batch at {elsewhere[0].where}, and the model is "
            f"at {service.where}. Resume with the model and --base-url that the run began with."
        )
        raise InputError(message)
    batches = _Batches(model, service, journal, log, settings, answered=answered)
    return await batches.run(chunks)


class _Batches:
    """The state of one collection by batches."""

    def __init__(
        self,
        model: Model,
        service: BatchService,
        journal: Journal,
        log: BatchLog,
        settings: BatchSettings,
        *,
        answered: NDArray[np.uint64],
    ) -> None:
        self._model = model
        self._service = service
        self._log = log
        self._settings = settings
        self._stopping = Stopping(interrupted="Interrupted; batches under way go on at the provider.")
        #: Its requests are prompts; those that were asked again without a parameter count again.
        self._tally = Tally(journal, progress=settings.progress)
        self._calls = calls = Calls(self._stopping, self._tally, patience=settings.patience, sleep=settings.sleep)
        now = settings.now
        self._handing = Handing(service, log, calls, folder=journal.folder, notice=settings.notice, now=now)
        self._results = Results(service, journal, log, self._tally, calls, answered=answered, now=now)
        self._known = answered
        self._at_once = settings.at_once
        self._now = now
        self._clock = settings.clock
        self._token = settings.token
        self._cut = False
        self._wait = settings.patience.first
        self._under_way: list[UnderWay] = []
        #: Pieces to be handed over before the plan goes on.
        self._queue: deque[Piece] = deque()
        #: Any request of the run; all have the same parameters.
        self._example: Request | None = None
        #: Prompts that were rejected for a parameter that is not sent any more.
        self._again: set[int] = set()

    async def run(self, chunks: Iterable[list[Planned]]) -> Collected:
        """Collect until everything is answered or something stops it."""
        work = asyncio.ensure_future(self._work(chunks))
        try:
            await self._stopping.let_end(work, grace=self._settings.grace)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        passing = {name: count for name, count in sorted(self._tally.failed.items()) if name in TRANSIENT_ERRORS}
        if passing and self._stopping.reason is None:
            reasons = ", ".join(f"{name} ({count:,})" for name, count in passing.items())
            self._stopping.stop("gone", f"{sum(passing.values()):,} prompts ended without an answer: {reasons}")
        return self._tally.collected(self._stopping)

    async def _work(self, chunks: Iterable[list[Planned]]) -> None:
        with contextlib.suppress(Ended):
            for batch in [batch for batch in self._log.open.values() if batch.id is None]:
                await self._handing.reattach(batch)
            busy = {item.id for batch in self._log.open.values() for item in batch.items}
            lacking = self._lacking(chunks, busy)
            first = next(lacking, None)
            sent = frozenset() if self._example is None else self._service.access.parameters(self._example)
            self._under_way = [UnderWay(batch=batch, parameters=sent) for batch in self._log.open.values()]
            if first is not None:
                await self._try_out(first)
            waiting = self._pieces(lacking, again=False)
            while True:
                if len(self._under_way) < self._at_once:
                    piece = self._queue.popleft() if self._queue else next(waiting, None)
                    if piece is not None:
                        await self._hand_over(piece)
                        continue
                    if not self._under_way and not self._again:
                        break
                    if not self._under_way:
                        waiting = self._pieces(self._rejected(), again=True)
                        continue
                await self._round()
            if self._cut:
                self._stopping.stop("max-requests", self._all_sent())

    def _all_sent(self) -> str:
        return f"{self._tally.requests} requests were sent, as many as --max-requests allows."

    def _lacking(self, chunks: Iterable[list[Planned]], busy: set[str]) -> Iterator[Planned]:
        """Yield what has no answer and is in no batch under way."""
        for chunk in chunks:
            self._example = chunk[0].request
            for attempt in self._tally.unanswered(chunk, self._known):
                if attempt.request.id not in busy:
                    yield attempt

    def _rejected(self) -> Iterator[Planned]:
        """Yield what was rejected for a parameter that is not sent any more."""
        assert self._settings.replanned is not None
        again, self._again = self._again, set()
        for chunk in self._settings.replanned():
            yield from (attempt for attempt in chunk if int(attempt.request.id, 16) in again)

    def _pieces(self, attempts: Iterator[Planned], *, again: bool) -> Iterator[Piece]:
        return pieces(self._allowed(attempts), self._service, token=self._token, again=again)

    def _allowed(self, attempts: Iterator[Planned]) -> Iterator[Planned]:
        """Yield as many as --max-requests allows."""
        for taken, attempt in enumerate(attempts, self._tally.requests):
            if taken == self._settings.max_requests:
                self._cut = True
                return
            yield attempt

    async def _try_out(self, attempt: Planned) -> None:
        """Put one prompt to the model by itself, and keep its answer like the others."""
        self._tally.asked += 1
        answer, latency = await self._calls.patiently(lambda: self._alone(attempt.request))
        self._tally.write(journal_line(Sent.of(attempt), answer, latency=latency, retries=0, time=self._now()))
        self._tally.settle(1)

    async def _alone(self, request: Request) -> tuple[Answer, float | None]:
        """Return an answer and its seconds; asked again where the model has adapted to its server."""
        while True:
            if self._tally.requests == self._settings.max_requests:
                self._calls.end("max-requests", self._all_sent())
            self._tally.requests += 1
            started = self._clock()
            try:
                answer = await self._model.answer(request)
            except Failure as failure:
                if failure.kind == "adapted":
                    continue
                if failure.kind != "final":
                    raise
                return Answer(text=None, error_class=failure.error_class), None
            return answer, self._clock() - started

    async def _hand_over(self, piece: Piece) -> None:
        self._under_way.append(await self._handing.handed_over(piece))
        self._tally.requests += len(piece.items)
        self._tally.asked += 0 if piece.again else len(piece.items)
        self._wait = self._settings.patience.first

    async def _round(self) -> None:
        """Look at every batch once; journal those that ended, or wait."""
        ended = 0
        for each in list(self._under_way):
            batch_id = each.batch.id
            assert batch_id is not None
            state = await self._calls.patiently(lambda: self._service.look(batch_id))  # noqa: B023 - awaited at once
            if state.failed and not state.waiting:
                self._refused(each, state)
                ended += not state.full
                continue
            if not state.waiting:
                each.piece = None
            if state.ended:
                example = None if self._settings.replanned is None else self._example
                self._again |= await self._results.gather(each, state, example=example)
                self._under_way.remove(each)
                ended += 1
            else:
                self._show(each, state.done)
        if ended:
            self._wait = self._settings.patience.first
            return
        await self._calls.pause(self._wait)
        self._wait = min(self._wait * self._calls.patience.growth, self._calls.patience.longest)

    def _refused(self, refused: UnderWay, state: BatchState) -> None:
        """Deal with a batch of which nothing was run."""
        self._log.withdrawn(refused.batch, reason=state.message or state.status, now=self._now())
        self._under_way.remove(refused)
        piece = refused.piece
        if not state.full or piece is None or (len(piece.items) == 1 and not self._under_way):
            self._calls.end("gone" if state.full else "fatal", state.message or f"The batch {state.id} was refused.")
        self._tally.requests -= len(piece.items)
        self._tally.asked -= 0 if piece.again else len(piece.items)
        if self._under_way:
            # There is room again when one of the others ends.
            self._at_once = len(self._under_way)
            self._queue.appendleft(replace(piece, token=self._token()))
            return
        self._at_once = 1
        self._queue.extendleft(reversed(piece.halves(self._token)))

    def _show(self, under_way: UnderWay, done: int) -> None:
        """Show prompts as done that the provider has answered; their answers come with the rest."""
        done = min(done, len(under_way.batch.items))
        if done > under_way.shown:
            self._tally.settle(done - under_way.shown)
            under_way.shown = done
