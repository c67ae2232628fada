"""Collection by a provider's batch API: submit prompts, wait, journal the results.

Each prompt is submitted exactly once, whatever response is lost on the way.
"""

import asyncio
import contextlib
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.models.batch_apis import BatchService
from evenhand.models.batch_log import BATCHES_FILE, BatchLog, LoggedBatch, Piece, pieces
from evenhand.models.collected import GRACE, Collected, Sent, Stopped, Stopping, Tally, journal_line, utc_now
from evenhand.models.journal import Journal, known_among
from evenhand.models.limits import FIRST_CONTACT_TRIES, REJECTED_AFTER, Backoff, Patience
from evenhand.models.model import (
    TRANSIENT_ERRORS,
    Answer,
    BatchItem,
    BatchMatches,
    BatchState,
    Failure,
    Model,
    Request,
    Sought,
)
from evenhand.models.order import Planned

T = TypeVar("T")


class Ended(Exception):
    """The collection is stopped; its `Stopping` knows why."""


class Calls:
    """Calls with retries; when the collection is stopped, every wait and try raises `Ended`."""

    def __init__(
        self, stopping: Stopping, tally: Tally, *, patience: Patience, sleep: Callable[[float], Awaitable[Any]]
    ) -> None:
        self.patience = patience
        self._stopping = stopping
        self._tally = tally
        self._sleep = sleep
        self._backoff = Backoff(first=patience.first, longest=patience.longest)
        # Jitter must differ between processes; nothing that is measured depends on it.
        self._rng = np.random.default_rng()
        self._contact = False

    async def retried(self, call: Callable[[], Awaitable[T]], *, fatal: bool = True) -> T:
        """Return what `call` returns, retried after transient failures.

        With `fatal` a failure that a retry does not repair ends the collection, else
        it is raised.
        """
        failures = 0
        while True:
            if self._stopping.reason is not None:
                raise Ended
            try:
                result = await call()
            except Failure as failure:
                if failure.kind in {"fatal", "final"} and not fatal:
                    raise
                failures += 1
                await self.wait_after(failure, failures)
            else:
                self._contact = True
                return result

    async def wait_after(self, failure: Failure, failures: int) -> None:
        """Wait before the next try, or end the collection where a retry is of no use."""
        if failure.kind in {"fatal", "final"}:
            self.end("fatal", str(failure))
        if failures >= self._most_tries(failure):
            self.end("gone", str(failure))
        self._tally.retries += 1
        await self.pause(self._backoff.delay(failures, named=failure.retry_after, rng=self._rng))

    async def pause(self, seconds: float) -> None:
        """Wait, but not longer than the collection goes on."""
        await self._stopping.unless_stopped(self._sleep(seconds))
        if self._stopping.reason is not None:
            raise Ended

    def end(self, reason: Stopped, message: str) -> NoReturn:
        """Stop, and leave the work unfinished; an earlier reason counts."""
        if self._stopping.reason is None:
            self._stopping.stop(reason, message)
        raise Ended

    def _most_tries(self, failure: Failure) -> int:
        if failure.kind == "unreachable" and not self._contact:
            return min(FIRST_CONTACT_TRIES, self.patience.tries)
        return self.patience.tries


# Failures whose message helps the user more than 'the batch may or may not exist'.
_UNHEARD = frozenset({"key", "credit", "permission", "quota"})


@dataclass(kw_only=True, slots=True, eq=False)
class SubmittedBatch:
    """A batch that the provider has.

    `parameters` are those that it was sent with; of batches of an earlier process those
    that it would have now. `piece` is kept while the provider may refuse it as a whole.
    `shown` prompts count as done on the progress bar already.
    """

    batch: LoggedBatch
    parameters: frozenset[str]
    piece: Piece | None = None
    shown: int = 0


@dataclass(frozen=True, kw_only=True)
class BatchSubmitter:
    """Creates batches; where a response is lost, the provider's list shows whether one was taken.

    `folder` is the run's. `notice` gets a line when it takes long to find that out.
    """

    service: BatchService
    log: BatchLog
    calls: Calls
    folder: Path
    notice: Callable[[str], None] | None
    now: Callable[[], datetime]

    async def submit(self, piece: Piece) -> SubmittedBatch:
        """Create a batch, exactly one, of a piece; its id is on the disk before this returns."""
        prepared = await self.calls.retried(lambda: self.service.prepare(piece.lines))
        batch = self.log.plan(piece.token, piece.items, where=self.service.where, now=self.now())
        failures = 0
        while True:
            try:
                state: BatchState | None = await self.service.create(prepared, token=piece.token)
            except Failure as failure:
                failures += 1
                open_question = _may_have_arrived(failure)
                try:
                    await self.calls.wait_after(failure, failures)
                except Ended:
                    if not open_question:  # else the next process looks whether the provider has it
                        self.log.withdrawn(batch, reason=str(failure), now=self.now())
                    raise
                state = await self._created_batch(batch) if open_question else None
            if state is not None:
                self.log.submitted(batch, state.id, now=self.now())
                shown = len(piece.items) if piece.again else 0
                return SubmittedBatch(batch=batch, parameters=piece.parameters, piece=piece, shown=shown)
            self.log.again(batch, now=self.now())

    async def reattach(self, batch: LoggedBatch) -> None:
        """Find out whether the provider took a batch that an earlier process submitted."""
        state = await self._created_batch(batch)
        if state is not None:
            self.log.submitted(batch, state.id, now=self.now())
            return
        self.log.withdrawn(batch, reason="the provider never took it", now=self.now())

    async def _created_batch(self, batch: LoggedBatch) -> BatchState | None:
        """Return the provider's batch whose creation was not confirmed, None where there is none."""
        patience = self.calls.patience
        wait = patience.first
        notified = False
        while True:
            try:
                matches = await self.calls.retried(lambda: self._search(batch), fatal=False)
            except Failure as failure:
                unheard = failure.error_class in _UNHEARD
                self.calls.end("fatal", str(failure) if unheard else self._undecidable(batch, failure))
            if matches.states:
                first, *others = matches.states
                for other in others:
                    with contextlib.suppress(Failure):
                        await self.service.cancel(other.id)
                return first
            if matches.undecided and not notified:
                self._notify_undecided(batch, matches.undecided)
                notified = True
            age = (self.now() - batch.tried).total_seconds()
            if not matches.undecided and age >= patience.settled:
                return None
            await self.calls.pause(wait if matches.undecided else min(wait, max(patience.settled - age, 0.01)))
            wait = min(wait * patience.growth, patience.longest)

    async def _search(self, batch: LoggedBatch) -> BatchMatches:
        known = frozenset(self.log.ids)
        return await self.service.find(
            Sought(token=batch.token, requests=len(batch.items), since=batch.since, known=known)
        )

    def _notify_undecided(self, batch: LoggedBatch, undecided: int) -> None:
        if self.notice is not None:
            self.notice(
                f"Batches of {len(batch.items):,} prompts under way at {self.service.where}: {undecided}. When "
                "they end, evenhand can tell whether one belongs to this run; until then it submits nothing "
                "twice."
            )

    def _undecidable(self, batch: LoggedBatch, failure: Failure) -> str:
        return (
            f"{len(batch.items):,} prompts were submitted to {batch.where} on {batch.tried:%Y-%m-%d at %H:%M:%S} UTC, "
            f"and "
            f"its answer was lost; it is unknown whether it accepted them ({str(failure).rstrip('.')}). They are not "
            f"submitted again, because they might be paid twice. If the provider's console shows no such batch, delete "
            f"the lines with {batch.token!r} from {self.folder / BATCHES_FILE}"
        )


def _may_have_arrived(failure: Failure) -> bool:
    """Return whether the provider may have taken a batch although no answer said so."""
    return failure.kind == "retry" and failure.error_class != "rate_limit"


_ID_LENGTH = 16


@dataclass(kw_only=True)
class _PendingResults:
    """What of one ended batch is still to come, and what came."""

    left: dict[str, Sent]
    #: Recorded at the end, unless all prompts were rejected.
    rejected: list[tuple[Sent, Failure]] = field(default_factory=list)
    answered: int = 0
    failed: int = 0
    #: Prompts that were rejected for a parameter that is not sent any more.
    resubmit: set[int] = field(default_factory=set)
    fatal: Failure | None = None


@dataclass(frozen=True, kw_only=True)
class Results:
    """Fetches results and writes them to the journal; `answered` are the sorted ids that it held before."""

    service: BatchService
    journal: Journal
    log: BatchLog
    tally: Tally
    calls: Calls
    answered: NDArray[np.uint64]
    now: Callable[[], datetime]

    async def gather(self, under_way: SubmittedBatch, state: BatchState, *, example: Request | None) -> set[int]:
        """Journal the results of an ended batch; return the ids that are to be submitted again.

        Those were rejected for a parameter that is not sent any more. `example` is any
        request of the run, None where nothing can be submitted again.
        """
        items = under_way.batch.items
        ids = np.fromiter((int(item.id, 16) for item in items), np.uint64, len(items))
        known = known_among(ids, self.answered).tolist()
        pending = _PendingResults(
            left={item.id: item for item, is_known in zip(items, known, strict=True) if not is_known}
        )

        def adapts(failure: Failure, body: bytes) -> bool:
            """Return whether a rejected prompt would be sent with other parameters now."""
            return example is not None and self.service.access.adapts(example, failure, body, under_way.parameters)

        async def take() -> None:
            async for result in self.service.results(state):
                self._take(pending, result, adapts)

        await self.calls.retried(take)
        for item in pending.left.values():
            self._write(item, Answer(text=None, error_class=state.leftover))
            pending.failed += 1
        answered = pending.answered or self.tally.answered or self.answered.size
        if len(pending.rejected) >= REJECTED_AFTER and len(pending.rejected) == pending.failed and not answered:
            # All rejected: it is the request that is wrong, not the prompts, and none is recorded.
            self._close(under_way, state, pending)
            self.calls.end("fatal", f"All {len(pending.rejected):,} prompts were rejected. {pending.rejected[0][1]}")
        for item, failure in pending.rejected:
            self._write(item, Answer(text=None, error_class=failure.error_class))
        self._close(under_way, state, pending)
        if pending.fatal is not None:
            self.calls.end("fatal", str(pending.fatal))
        return pending.resubmit

    def _take(
        self,
        pending: _PendingResults,
        result: BatchItem,
        adapts: Callable[[Failure, bytes], bool],
    ) -> None:
        """Journal one result, or defer it where the others decide what it means."""
        item = pending.left.pop(result.custom_id[:_ID_LENGTH], None)
        if item is None:
            return
        if result.answer is not None:
            pending.answered += 1
            self._write(item, result.answer)
            return
        failure = result.failure
        assert failure is not None
        if failure.error_class == "rejected" and adapts(failure, result.rejection):
            pending.resubmit.add(int(item.id, 16))
            return
        pending.failed += 1
        if failure.kind == "fatal":
            pending.fatal = failure
        elif failure.kind == "final":
            pending.rejected.append((item, failure))
        else:
            self._write(item, Answer(text=None, error_class=failure.error_class))

    def _close(self, under_way: SubmittedBatch, state: BatchState, pending: _PendingResults) -> None:
        # A batch that counts as collected is not fetched again: its answers must outlast a power cut.
        self.journal.sync()
        self.log.collected(
            under_way.batch,
            status=state.status,
            answered=pending.answered,
            failed=pending.failed + len(pending.resubmit),
            now=self.now(),
        )
        self.tally.settle(len(under_way.batch.items) - under_way.shown)

    def _write(self, item: Sent, answer: Answer) -> None:
        self.tally.write(journal_line(item, answer, latency=None, retries=0, time=self.now()))


#: Batches that are under way at a time; more wait here.
AT_ONCE = 8


def _random_token() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, kw_only=True)
class BatchSettings:
    """How a collection by batches sends and waits; `replanned` returns the same plan once more."""

    replanned: Callable[[], Iterable[list[Planned]]] | None = None
    max_requests: int | None = None
    at_once: int = AT_ONCE
    patience: Patience = field(default_factory=Patience)
    grace: float = GRACE
    notice: Callable[[str], None] | None = None
    progress: Callable[[int], None] | None = None
    now: Callable[[], datetime] = utc_now
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
    """Return counts after sending, in batches, all requests that `answered` does not hold.

    Model and service must be open. The first prompt is put to the model by itself: a wrong
    key, and parameters that the server does not take, show at once and not after hours.
    Batches that the log in the journal's folder knows to be under way are waited for, not submitted again. Where
    the response to a submission is lost, the provider's list shows whether it was taken.
    Prompts that a batch rejects for a parameter that single calls may have are taken from
    `settings.replanned`, and submitted once more without it.
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
        raise InputError(
            f"{len(elsewhere[0].items):,} prompts of this run are in a batch at {elsewhere[0].where}, and the model is "
            f"at {service.where}. Resume with the model and --base-url that the run began with."
        )
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
        self._stopping = Stopping(interrupted="Interrupted; submitted batches continue at the provider.")
        #: Its requests are prompts; those that were sent again without a parameter count again.
        self._tally = Tally(journal, progress=settings.progress)
        self._calls = calls = Calls(self._stopping, self._tally, patience=settings.patience, sleep=settings.sleep)
        shared: dict[str, Any] = {"service": service, "log": log, "calls": calls, "now": settings.now}
        self._submitter = BatchSubmitter(folder=journal.folder, notice=settings.notice, **shared)
        self._results = Results(journal=journal, tally=self._tally, answered=answered, **shared)
        self._known = answered
        self._at_once = settings.at_once
        self._cut = False
        self._wait = settings.patience.first
        self._under_way: list[SubmittedBatch] = []
        #: Pieces to be submitted before the plan goes on.
        self._queue: deque[Piece] = deque()
        #: Any request of the run; all have the same parameters.
        self._example: Request | None = None
        #: Prompts that were rejected for a parameter that is not sent any more.
        self._resubmit: set[int] = set()

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
                await self._submitter.reattach(batch)
            busy = {item.id for batch in self._log.open.values() for item in batch.items}
            lacking = self._lacking(chunks, busy)
            first = next(lacking, None)
            sent = frozenset() if self._example is None else self._service.access.parameters(self._example)
            self._under_way = [SubmittedBatch(batch=batch, parameters=sent) for batch in self._log.open.values()]
            if first is not None:
                await self._try_out(first)
            waiting = self._pieces(lacking, again=False)
            while True:
                if len(self._under_way) < self._at_once:
                    piece = self._queue.popleft() if self._queue else next(waiting, None)
                    if piece is not None:
                        await self._submit(piece)
                        continue
                    if not self._under_way and not self._resubmit:
                        break
                    if not self._under_way:
                        waiting = self._pieces(self._rejected(), again=True)
                        continue
                await self._round()
            if self._cut:
                self._stopping.stop("max-requests", self._all_sent())

    def _all_sent(self) -> str:
        return f"{self._tally.requests} requests were sent, the number that --max-requests allows."

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
        rejected, self._resubmit = self._resubmit, set()
        for chunk in self._settings.replanned():
            yield from (attempt for attempt in chunk if int(attempt.request.id, 16) in rejected)

    def _pieces(self, attempts: Iterator[Planned], *, again: bool) -> Iterator[Piece]:
        return pieces(self._allowed(attempts), self._service, token=self._settings.token, again=again)

    def _allowed(self, attempts: Iterator[Planned]) -> Iterator[Planned]:
        """Yield as many as --max-requests allows."""
        for count, attempt in enumerate(attempts, self._tally.requests):
            if count == self._settings.max_requests:
                self._cut = True
                return
            yield attempt

    async def _try_out(self, attempt: Planned) -> None:
        """Put one prompt to the model by itself, and keep its answer like the others."""
        self._tally.asked += 1
        answer, latency = await self._calls.retried(lambda: self._alone(attempt.request))
        self._tally.write(journal_line(Sent.of(attempt), answer, latency=latency, retries=0, time=self._settings.now()))
        self._tally.settle(1)

    async def _alone(self, request: Request) -> tuple[Answer, float | None]:
        """Return an answer and its seconds; sent again where the model has adapted to its server."""
        while True:
            if self._tally.requests == self._settings.max_requests:
                self._calls.end("max-requests", self._all_sent())
            self._tally.requests += 1
            started = self._settings.clock()
            try:
                answer = await self._model.answer(request)
            except Failure as failure:
                if failure.kind == "adapted":
                    continue
                if failure.kind != "final":
                    raise
                return Answer(text=None, error_class=failure.error_class), None
            return answer, self._settings.clock() - started

    async def _submit(self, piece: Piece) -> None:
        self._under_way.append(await self._submitter.submit(piece))
        self._tally.requests += len(piece.items)
        self._tally.asked += 0 if piece.again else len(piece.items)
        self._wait = self._settings.patience.first

    async def _round(self) -> None:
        """Look at every batch once; journal those that ended, or wait."""
        ended = 0
        for submitted in list(self._under_way):
            batch_id = submitted.batch.id
            assert batch_id is not None
            state = await self._calls.retried(lambda: self._service.look(batch_id))  # noqa: B023 - awaited at once
            if state.failed and not state.waiting:
                self._refused(submitted, state)
                ended += not state.full
                continue
            if not state.waiting:
                submitted.piece = None
            if state.ended:
                example = None if self._settings.replanned is None else self._example
                self._resubmit |= await self._results.gather(submitted, state, example=example)
                self._under_way.remove(submitted)
                ended += 1
            else:
                self._show(submitted, state.done)
        if ended:
            self._wait = self._settings.patience.first
            return
        await self._calls.pause(self._wait)
        self._wait = min(self._wait * self._calls.patience.growth, self._calls.patience.longest)

    def _refused(self, refused: SubmittedBatch, state: BatchState) -> None:
        self._log.withdrawn(refused.batch, reason=state.message or state.status, now=self._settings.now())
        self._under_way.remove(refused)
        piece = refused.piece
        if not state.full or piece is None or (len(piece.items) == 1 and not self._under_way):
            self._calls.end("gone" if state.full else "fatal", state.message or f"The batch {state.id} was refused.")
        self._tally.requests -= len(piece.items)
        self._tally.asked -= 0 if piece.again else len(piece.items)
        if self._under_way:
            # There is room again when one of the others ends.
            self._at_once = len(self._under_way)
            self._queue.appendleft(replace(piece, token=self._settings.token()))
            return
        self._at_once = 1
        self._queue.extendleft(reversed(piece.halves(self._settings.token)))

    def _show(self, under_way: SubmittedBatch, done: int) -> None:
        """Show prompts as done that the provider has answered; their answers come with the rest."""
        done = min(done, len(under_way.batch.items))
        if done > under_way.shown:
            self._tally.settle(done - under_way.shown)
            under_way.shown = done
