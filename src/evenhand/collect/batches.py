"""Asks by a provider's batch API: hands prompts over, waits, journals what comes back."""

import asyncio
import contextlib
import secrets
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.collect._batch_log import BATCHES_FILE, BatchLog, Handed, LoggedBatch, refuse_open_batches
from evenhand.collect._signals import stopping_signals
from evenhand.collect.collector import Collected, Stopped
from evenhand.collect.journal import Journal
from evenhand.collect.order import Planned
from evenhand.collect.retries import Backoff
from evenhand.errors import InputError
from evenhand.models._batches import BatchItem, BatchService, BatchState, Found
from evenhand.models._model import TRANSIENT_ERRORS, Answer, Failure, Model, Request

__all__ = ["AT_ONCE", "SETTLED", "BatchLog", "Patience", "collect_batches", "refuse_open_batches"]

#: Batches that are under way at a time; more wait here.
AT_ONCE = 8
#: Seconds after which a provider lists a batch that it took, although its answer was lost.
SETTLED = 60.0

# A batch is built in memory, so it is smaller than providers allow.
_PIECE_BYTES = 32_000_000
# A server that never answered anything is given up sooner: the address is likelier to be wrong.
_FIRST_CONTACT_TRIES = 3
# Seconds that a call under way gets when a run is interrupted.
_GRACE = 5.0
# Prompts rejected before any was answered; then it is the request that is wrong, not the prompt.
_REJECTED_AFTER = 10
_ID_LENGTH = 16

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Waits between looks, which grow from `first` to `longest` seconds, and tries before giving up."""

    first: float = 1.0
    longest: float = 60.0
    growth: float = 1.5
    tries: int = 20
    settled: float = SETTLED


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """Prompts that fit into one batch, as the provider gets them."""

    token: str
    lines: list[bytes]
    items: list[Handed]
    #: The parameters that it is sent with.
    parameters: frozenset[str]
    #: Whether its prompts were in a batch before.
    again: bool

    def halves(self, token: Callable[[], str]) -> "list[_Piece]":
        """Return two pieces of half the size."""
        middle = len(self.items) // 2
        parts = (slice(None, middle), slice(middle, None))
        return [replace(self, token=token(), lines=self.lines[part], items=self.items[part]) for part in parts]


class _End(Exception):
    """The collection is stopped; `_Batches` knows why."""


async def collect_batches(
    model: Model,
    service: BatchService,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    log: BatchLog,
    *,
    answered: NDArray[np.uint64],
    replanned: Callable[[], Iterable[list[Planned]]] | None = None,
    max_requests: int | None = None,
    at_once: int = AT_ONCE,
    patience: Patience | None = None,
    grace: float = _GRACE,
    notice: Callable[[str], None] | None = None,
    progress: Callable[[int], None] | None = None,
    now: Callable[[], datetime] | None = None,
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    clock: Callable[[], float] = time.perf_counter,
    token: Callable[[], str] | None = None,
) -> Collected:
    """Return counts after asking, in batches, all that `answered` does not hold.

    Model and service must be open. The first prompt is put to the model by itself: a wrong
    key, and parameters that the server does not take, show at once and not after hours.
    Batches that `log` knows to be under way are waited for, not handed over again. Where
    the answer to a handing over is lost, the provider's list tells whether it was taken.
    Prompts that a batch rejects for a parameter that single calls may have are taken from
    `replanned`, which plans the same as `chunks`, and handed over once more without it.
    The first SIGINT or SIGTERM stops the waiting; batches go on at the provider. Prompts
    that ended without an answer for a passing reason are journaled as such and leave the
    run unfinished.

    Raises
    ------
    InputError
        batches of this run are under way at another server.
    """
    elsewhere = [batch for batch in log.open.values() if batch.where != service.where]
    if elsewhere:
        message = (
            f"{len(elsewhere[0].items):,} prompts of this run are in a batch at {elsewhere[0].where}, and the model is "
            f"at {service.where}. Resume with the model and --base-url that the run began with."
        )
        raise InputError(message)
    batches = _Batches(
        model,
        service,
        journal,
        log,
        answered=answered,
        replanned=replanned,
        max_requests=max_requests,
        at_once=at_once,
        patience=Patience() if patience is None else patience,
        grace=grace,
        notice=notice,
        progress=progress,
        now=_utc_now if now is None else now,
        sleep=sleep,
        clock=clock,
        token=(lambda: secrets.token_hex(8)) if token is None else token,
    )
    return await batches.run(chunks)


class _Batches:
    """The state of one collection by batches."""

    def __init__(
        self,
        model: Model,
        service: BatchService,
        journal: Journal,
        log: BatchLog,
        *,
        answered: NDArray[np.uint64],
        replanned: Callable[[], Iterable[list[Planned]]] | None,
        max_requests: int | None,
        at_once: int,
        patience: Patience,
        grace: float,
        notice: Callable[[str], None] | None,
        progress: Callable[[int], None] | None,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[Any]],
        clock: Callable[[], float],
        token: Callable[[], str],
    ) -> None:
        self._model = model
        self._service = service
        self._journal = journal
        self._log = log
        self._known = answered
        self._replanned = replanned
        self._max_requests = max_requests
        self._at_once = at_once
        self._patience = patience
        self._backoff = Backoff(first=patience.first, longest=patience.longest)
        self._grace = grace
        self._notice = notice
        self._progress = progress
        self._now = now
        self._sleep = sleep
        self._clock = clock
        self._token = token
        # Jitter must differ between processes; nothing that is measured depends on it.
        self._rng = np.random.default_rng()
        self._stopping = asyncio.Event()
        self._hurry = asyncio.Event()
        self._stopped: Stopped | None = None
        self._message: str | None = None
        self._contact = False
        # Requests to the server: prompts, those that were asked again without a parameter counted again.
        self._requests = 0
        self._asked = self._answered = self._skipped = self._retries = 0
        self._failed: Counter[str] = Counter()
        self._cut = False
        self._wait = patience.first
        #: Pieces to be handed over before the plan goes on.
        self._queue: deque[_Piece] = deque()
        #: Pieces of batches that the provider may still refuse as a whole.
        self._pieces: dict[str, _Piece] = {}
        #: The parameters that a batch was sent with; of batches of an earlier process those that it would have now.
        self._parameters: dict[str, frozenset[str]] = {}
        #: Any request of the run; all have the same parameters.
        self._example: Request | None = None
        #: Prompts that were rejected for a parameter that is not sent any more.
        self._again: set[int] = set()
        #: Prompts of a batch that the progress bar shows as done already.
        self._shown: dict[str, int] = {}

    async def run(self, chunks: Iterable[list[Planned]]) -> Collected:
        """Collect until everything is answered or something stops it."""
        work = asyncio.ensure_future(self._work(chunks))
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            with stopping_signals(self._interrupt):
                await asyncio.wait({work, stop}, return_when=asyncio.FIRST_COMPLETED)
                if not work.done():
                    hurry = asyncio.ensure_future(self._hurry.wait())
                    grace = self._grace if self._stopped == "interrupted" else None
                    await asyncio.wait({work, hurry}, timeout=grace, return_when=asyncio.FIRST_COMPLETED)
                    hurry.cancel()
            if work.done():
                work.result()
        finally:
            stop.cancel()
            work.cancel()
            await asyncio.gather(work, stop, return_exceptions=True)
        passing = {name: count for name, count in sorted(self._failed.items()) if name in TRANSIENT_ERRORS}
        if passing and self._stopped is None:
            reasons = ", ".join(f"{name} ({count:,})" for name, count in passing.items())
            self._stop("gone", f"{sum(passing.values()):,} prompts ended without an answer: {reasons}")
        return Collected(
            asked=self._asked,
            answered=self._answered,
            skipped=self._skipped,
            failed=dict(sorted(self._failed.items())),
            requests=self._requests,
            retries=self._retries,
            stopped=self._stopped,
            message=self._message,
        )

    async def _work(self, chunks: Iterable[list[Planned]]) -> None:
        with contextlib.suppress(_End):
            for batch in [batch for batch in self._log.open.values() if batch.id is None]:
                await self._reattach(batch)
            busy = {item.id for batch in self._log.open.values() for item in batch.items}
            lacking = self._lacking(chunks, busy)
            first = next(lacking, None)
            if self._example is not None:
                sent = self._service.access.parameters(self._example)
                self._parameters = dict.fromkeys(self._log.open, sent)
            if first is not None:
                await self._try_out(first)
            pieces = self._planned(lacking)
            while True:
                if len(self._log.open) < self._at_once:
                    piece = self._queue.popleft() if self._queue else next(pieces, None)
                    if piece is not None:
                        await self._hand_over(piece)
                        continue
                    if not self._log.open and not self._again:
                        break
                    if not self._log.open:
                        pieces = self._planned(self._rejected(), again=True)
                        continue
                await self._round()
            if self._cut:
                self._stop("max-requests", self._all_sent())

    def _all_sent(self) -> str:
        return f"{self._requests} requests were sent, as many as --max-requests allows."

    async def _try_out(self, attempt: Planned) -> None:
        """Put one prompt to the model by itself, and keep its answer like the others."""
        request = attempt.request
        item = Handed(request.id, attempt.index, request.attempt, attempt.sent_order)
        self._asked += 1
        answer, latency = await self._patiently(lambda: self._alone(attempt))
        self._write(item, answer, latency=latency)
        self._settle(1)

    async def _alone(self, attempt: Planned) -> tuple[Answer, float | None]:
        """Return an answer and its seconds; asked again where the model has adapted to its server."""
        while True:
            if self._requests == self._max_requests:
                self._end("max-requests", self._all_sent())
            self._requests += 1
            started = self._clock()
            try:
                answer = await self._model.answer(attempt.request)
            except Failure as failure:
                if failure.kind == "adapted":
                    continue
                if failure.kind != "final":
                    raise
                return Answer(text=None, error_class=failure.error_class), None
            return answer, round(self._clock() - started, 6)

    def _planned(self, lacking: Iterator[Planned], *, again: bool = False) -> Iterator[_Piece]:
        """Yield all that is still to be handed over, in planned order."""
        most = min(self._service.most_bytes, _PIECE_BYTES)
        size = 0
        piece = self._piece(again=again)
        for taken, attempt in enumerate(lacking, self._requests):
            if taken == self._max_requests:
                self._cut = True
                break
            line = self._service.line(f"{attempt.request.id}-{piece.token}", attempt.request)
            if piece.items and (len(piece.items) == self._service.most_requests or size + len(line) > most):
                yield piece
                size, piece = 0, self._piece(again=again)
                line = self._service.line(f"{attempt.request.id}-{piece.token}", attempt.request)
            piece.lines.append(line)
            piece.items.append(Handed(attempt.request.id, attempt.index, attempt.request.attempt, attempt.sent_order))
            size += len(line)
        if piece.items:
            yield piece

    def _piece(self, *, again: bool) -> _Piece:
        """Return a piece without prompts yet."""
        sent = frozenset() if self._example is None else self._service.access.parameters(self._example)
        return _Piece(token=self._token(), lines=[], items=[], parameters=sent, again=again)

    def _rejected(self) -> Iterator[Planned]:
        """Yield what was rejected for a parameter that is not sent any more."""
        assert self._replanned is not None
        again, self._again = self._again, set()
        for chunk in self._replanned():
            yield from (attempt for attempt in chunk if int(attempt.request.id, 16) in again)

    def _lacking(self, chunks: Iterable[list[Planned]], busy: set[str]) -> Iterator[Planned]:
        """Yield what has no answer and is in no batch under way."""
        for chunk in chunks:
            self._example = chunk[0].request
            ids = np.fromiter((int(attempt.request.id, 16) for attempt in chunk), np.uint64, len(chunk))
            known = _within(ids, self._known)
            skipped = int(known.sum())
            self._skipped += skipped
            self._settle(skipped)
            for attempt, is_known in zip(chunk, known.tolist(), strict=True):
                if not is_known and attempt.request.id not in busy:
                    yield attempt

    async def _reattach(self, batch: LoggedBatch) -> None:
        """Find out what became of a batch that an earlier process handed over."""
        state = await self._find(batch)
        if state is not None:
            self._log.submitted(batch, state.id, now=self._now())
            return
        self._log.withdrawn(batch, reason="the provider never took it", now=self._now())

    async def _hand_over(self, piece: _Piece) -> None:
        """Create a batch, exactly one, of a piece; its id is on the disk before this returns."""
        prepared = await self._patiently(lambda: self._service.prepare(piece.lines))
        batch = self._log.plan(piece.token, piece.items, where=self._service.where, now=self._now())
        failures = 0
        while True:
            try:
                state: BatchState | None = await self._service.create(prepared, token=piece.token)
            except Failure as failure:
                failures += 1
                self._retries += 1
                open_question = _may_have_arrived(failure)
                try:
                    if failure.kind in {"fatal", "final"}:
                        self._end("fatal", str(failure))
                    if failures >= self._cap(failure):
                        self._end("gone", str(failure))
                    await self._pause(self._backoff.delay(failures, named=failure.retry_after, rng=self._rng))
                except _End:
                    if not open_question:  # else the next process looks whether the provider has it
                        self._log.withdrawn(batch, reason=str(failure), now=self._now())
                    raise
                state = await self._find(batch) if open_question else None
                if state is None:
                    self._log.again(batch, now=self._now())
                    continue
            assert state is not None
            self._contact = True
            self._log.submitted(batch, state.id, now=self._now())
            self._pieces[batch.token] = piece
            self._parameters[batch.token] = piece.parameters
            self._requests += len(piece.items)
            if piece.again:
                self._shown[batch.token] = len(piece.items)
            else:
                self._asked += len(piece.items)
            self._wait = self._patience.first
            return

    async def _find(self, batch: LoggedBatch) -> BatchState | None:
        """Return the provider's batch whose creation was not confirmed, None where there is none."""
        wait = self._patience.first
        told = False
        while True:
            try:
                found = await self._patiently(lambda: self._search(batch), fatal=False)
            except Failure as failure:
                unheard = failure.error_class in {"key", "credit", "permission", "quota"}
                self._end("fatal", str(failure) if unheard else self._undecidable(batch, failure))
            if found.states:
                kept, *others = found.states
                for other in others:
                    with contextlib.suppress(Failure):
                        await self._service.cancel(other.id)
                return kept
            if found.undecided and not told:
                self._tell(
                    f"Batches of {len(batch.items):,} prompts under way at {self._service.where}: {found.undecided}. "
                    "Whether one of them is this run's shows when they end; nothing is handed over twice until then."
                )
                told = True
            age = (self._now() - batch.tried).total_seconds()
            if not found.undecided and age >= self._patience.settled:
                return None
            await self._pause(wait if found.undecided else min(wait, max(self._patience.settled - age, 0.01)))
            wait = min(wait * self._patience.growth, self._patience.longest)

    async def _search(self, batch: LoggedBatch) -> Found:
        return await self._service.find(
            batch.token, requests=len(batch.items), since=batch.since, known=frozenset(self._log.ids)
        )

    def _undecidable(self, batch: LoggedBatch, failure: Failure) -> str:
        return (
            f"{len(batch.items):,} prompts were handed to {batch.where} on {batch.tried:%Y-%m-%d at %H:%M:%S} UTC, and "
            f"its answer was lost; it can't be told whether it took them ({str(failure).rstrip('.')}). They are not "
            "handed over again, as they might be paid twice. If the provider's console shows no such batch, delete "
            f"the lines with {batch.token!r} from {self._journal.folder / BATCHES_FILE}"
        )

    async def _round(self) -> None:
        """Look at every batch once; journal those that ended, or wait."""
        ended = 0
        for batch in list(self._log.open.values()):
            assert batch.id is not None
            batch_id = batch.id
            state = await self._patiently(lambda: self._service.look(batch_id))  # noqa: B023 - awaited at once
            if not state.waiting:
                refused = self._pieces.pop(batch.token, None)
                if state.failed:
                    self._refused(batch, state, refused)
                    ended += not state.full
                    continue
            if state.ended:
                await self._gather(batch, state)
                ended += 1
            else:
                self._show(batch, state.done)
        if ended:
            self._wait = self._patience.first
            return
        await self._pause(self._wait)
        self._wait = min(self._wait * self._patience.growth, self._patience.longest)

    def _refused(self, batch: LoggedBatch, state: BatchState, piece: _Piece | None) -> None:
        """Deal with a batch of which nothing was run."""
        self._log.withdrawn(batch, reason=state.message or state.status, now=self._now())
        if not state.full or piece is None or (len(piece.items) == 1 and not self._log.open):
            self._end("gone" if state.full else "fatal", state.message or f"The batch {state.id} was refused.")
        self._requests -= len(piece.items)
        self._asked -= 0 if piece.again else len(piece.items)
        if self._log.open:
            # There is room again when one of the others ends.
            self._at_once = len(self._log.open)
            self._queue.appendleft(replace(piece, token=self._token()))
            return
        self._at_once = 1
        self._queue.extendleft(reversed(piece.halves(self._token)))

    async def _gather(self, batch: LoggedBatch, state: BatchState) -> None:
        """Journal the results of an ended batch."""
        ids = np.fromiter((int(item.id, 16) for item in batch.items), np.uint64, len(batch.items))
        known = _within(ids, self._known).tolist()
        gathering = _Gathering(
            parameters=self._parameters.pop(batch.token, frozenset()),
            left={item.id: item for item, is_known in zip(batch.items, known, strict=True) if not is_known},
        )

        async def take() -> None:
            async for result in self._service.results(state):
                self._take(gathering, result)

        await self._patiently(take)
        for item in list(gathering.left.values()):
            self._write(item, Answer(text=None, error_class=state.leftover))
            gathering.failed += 1
        answered = gathering.answered or self._answered or self._known.size
        if len(gathering.held) >= _REJECTED_AFTER and len(gathering.held) == gathering.failed and not answered:
            # All rejected: it is the request that is wrong, not the prompts, and none is recorded.
            self._close(batch, state, gathering)
            self._end("fatal", f"All {len(gathering.held):,} prompts were rejected. {gathering.held[0][1]}")
        for item, failure in gathering.held:
            self._write(item, Answer(text=None, error_class=failure.error_class))
        self._close(batch, state, gathering)
        if gathering.fatal is not None:
            self._end("fatal", str(gathering.fatal))

    def _take(self, gathering: "_Gathering", result: BatchItem) -> None:
        """Journal one result, or hold it where the others decide what it means."""
        item = gathering.left.pop(result.custom_id[:_ID_LENGTH], None)
        if item is None:
            return
        if result.answer is not None:
            gathering.answered += 1
            self._write(item, result.answer)
            return
        failure = result.failure
        assert failure is not None
        if failure.error_class == "rejected" and self._adapts(result, failure, gathering):
            gathering.again += 1
            self._again.add(int(item.id, 16))
            return
        gathering.failed += 1
        if failure.kind == "fatal":
            gathering.fatal = failure
        elif failure.kind == "final":
            gathering.held.append((item, failure))
        else:
            self._write(item, Answer(text=None, error_class=failure.error_class))

    def _adapts(self, result: BatchItem, failure: Failure, gathering: "_Gathering") -> bool:
        """Return whether a rejected prompt would be sent with other parameters now."""
        if self._replanned is None or self._example is None:
            return False
        return self._service.access.adapts(self._example, failure, result.said, gathering.parameters)

    def _close(self, batch: LoggedBatch, state: BatchState, gathering: "_Gathering") -> None:
        # A batch that counts as collected is not fetched again: its answers must outlast a power cut.
        self._journal.sync()
        self._log.collected(
            batch,
            status=state.status,
            answered=gathering.answered,
            failed=gathering.failed + gathering.again,
            now=self._now(),
        )
        self._settle(len(batch.items) - self._shown.pop(batch.token, 0))

    def _write(self, item: Handed, answer: Answer, *, latency: float | None = None) -> None:
        self._journal.append(
            {
                "id": item.id,
                "index": item.index,
                "attempt": item.attempt,
                "sent_order": item.sent_order,
                "text": answer.text,
                "finish_reason": answer.finish_reason,
                "returned_model": answer.returned_model,
                "input_tokens": answer.input_tokens,
                "output_tokens": answer.output_tokens,
                "latency": latency,
                "retries": 0,
                "error_class": answer.error_class,
                "time": self._now(),
            }
        )
        if answer.error_class is None:
            self._answered += 1
        else:
            self._failed[answer.error_class] += 1

    async def _patiently(self, call: Callable[[], Awaitable[T]], *, fatal: bool = True) -> T:
        """Return what `call` returns, tried again while there is hope.

        With `fatal` a failure that trying again does not mend ends the collection, else
        it is raised.
        """
        failures = 0
        while True:
            if self._stopped is not None:
                raise _End
            try:
                result = await call()
            except Failure as failure:
                if failure.kind in {"fatal", "final"}:
                    if not fatal:
                        raise
                    self._end("fatal", str(failure))
                failures += 1
                if failures >= self._cap(failure):
                    self._end("gone", str(failure))
                self._retries += 1
                await self._pause(self._backoff.delay(failures, named=failure.retry_after, rng=self._rng))
            else:
                self._contact = True
                return result

    def _cap(self, failure: Failure) -> int:
        if failure.kind == "unreachable" and not self._contact:
            return min(_FIRST_CONTACT_TRIES, self._patience.tries)
        return self._patience.tries

    def _show(self, batch: LoggedBatch, done: int) -> None:
        """Show prompts as done that the provider has answered; their answers come with the rest."""
        before = self._shown.get(batch.token, 0)
        done = min(done, len(batch.items))
        if done > before:
            self._shown[batch.token] = done
            self._settle(done - before)

    def _settle(self, count: int) -> None:
        if self._progress is not None and count:
            self._progress(count)

    def _tell(self, line: str) -> None:
        if self._notice is not None:
            self._notice(line)

    def _stop(self, reason: Stopped, message: str) -> None:
        if self._stopped is None:
            self._stopped, self._message = reason, message
        self._stopping.set()

    def _end(self, reason: Stopped, message: str) -> NoReturn:
        """Stop, and leave the work where it stands."""
        self._stop(reason, message)
        raise _End

    def _interrupt(self) -> None:
        if self._stopped is None:
            self._stop("interrupted", "Interrupted; batches under way go on at the provider.")
        else:
            self._hurry.set()

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than the run goes on."""
        nap = asyncio.ensure_future(self._sleep(seconds))
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({nap, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (nap, stop):
                task.cancel()
            await asyncio.gather(nap, stop, return_exceptions=True)
        if self._stopped is not None:
            raise _End


@dataclass(kw_only=True)
class _Gathering:
    """What of one ended batch is still to come, and what came."""

    left: dict[str, Handed]
    #: The parameters that it was sent with.
    parameters: frozenset[str]
    #: Rejected prompts: recorded unless all are.
    held: list[tuple[Handed, Failure]] = field(default_factory=list)
    answered: int = 0
    failed: int = 0
    #: Prompts that were rejected for a parameter that is not sent any more.
    again: int = 0
    fatal: Failure | None = None


def _may_have_arrived(failure: Failure) -> bool:
    """Return whether the provider may have taken a batch although no answer said so."""
    return failure.kind == "retry" and failure.error_class != "rate_limit"


def _within(ids: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of `ids` are in `known`, which is sorted."""
    if not known.size:
        return np.zeros(len(ids), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, ids), known.size - 1)
    return np.asarray(known[places] == ids)


def _utc_now() -> datetime:
    return datetime.now(UTC)
