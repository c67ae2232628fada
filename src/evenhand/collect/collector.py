"""Asks a model everything that is planned and journals what comes back."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.collect._signals import stopping_signals
from evenhand.collect.journal import Journal
from evenhand.collect.meter import POLL, Meter
from evenhand.collect.order import Planned
from evenhand.collect.retries import Backoff, Cooldown
from evenhand.models._model import Answer, Failure, Model, Request

__all__ = ["MAX_ATTEMPTS", "Collected", "Stopped", "collect"]

#: Times a prompt is asked before its failure is recorded.
MAX_ATTEMPTS = 6

# A server that never answered anything is given up sooner: the address is likelier to be wrong.
_FIRST_CONTACT_ATTEMPTS = 3
# While others are answered, a busy server is only busy; its refusals count up to this multiple of the cap.
_BUSY_PATIENCE = 4
# Prompts that fail for good, one after the other, before the service counts as gone.
_GONE_AFTER = 5
# Prompts rejected before any was answered; then it is the request that is wrong, not the prompt.
_REJECTED_AFTER = 10
# Kinds of failures after which a prompt is asked again at once, as one request more.
_AT_ONCE = frozenset({"adapted", "elsewhere"})
# Seconds that requests in flight get when a run stops early.
_GRACE = 5.0

Stopped = Literal["fatal", "gone", "enough", "max-requests", "max-cost", "interrupted"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Collected:
    """What a collection did; counts are attempts, `requests` are what went to the server.

    `skipped` were answered before. `failed` counts journaled errors by class. `stopped`
    is None when everything planned has a line now; `message` says why it is not so.
    """

    asked: int
    answered: int
    skipped: int
    failed: dict[str, int]
    requests: int
    retries: int
    stopped: Stopped | None
    message: str | None


async def collect(
    model: Model,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    *,
    answered: NDArray[np.uint64],
    concurrency: int,
    max_attempts: int = MAX_ATTEMPTS,
    max_requests: int | None = None,
    meter: Meter | None = None,
    backoff: Backoff | None = None,
    grace: float = _GRACE,
    progress: Callable[[int], None] | None = None,
    enough: Callable[[Mapping[str, Any]], str | None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
    now: Callable[[], datetime] | None = None,
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    rng: np.random.Generator | None = None,
) -> Collected:
    """Return counts after asking all that `answered` does not hold.

    The model must be open. `answered` are sorted ids (`Journal.answered`). At most
    `concurrency` requests are under way, and each finished attempt gets its line at
    once. The first SIGINT or SIGTERM lets requests in flight end, a second does not.
    `progress` gets the number of attempts settled since its last call. `enough` is shown
    every journaled line; a text from it ends the run, as nothing more need be asked.
    """
    collection = _Collection(
        model,
        journal,
        max_attempts=max_attempts,
        max_requests=max_requests,
        meter=meter,
        backoff=Backoff() if backoff is None else backoff,
        grace=grace,
        progress=progress,
        enough=enough,
        clock=clock,
        now=_utc_now if now is None else now,
        sleep=sleep,
        # Jitter must differ between processes; nothing that is measured depends on it.
        rng=np.random.default_rng() if rng is None else rng,
        resumed=bool(answered.size),
    )
    return await collection.run(collection.pending(chunks, answered), concurrency)


class _Collection:
    """The state that the workers of one collection share."""

    def __init__(
        self,
        model: Model,
        journal: Journal,
        *,
        max_attempts: int,
        max_requests: int | None,
        meter: Meter | None,
        backoff: Backoff,
        grace: float,
        progress: Callable[[int], None] | None,
        enough: Callable[[Mapping[str, Any]], str | None] | None,
        clock: Callable[[], float],
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[Any]],
        rng: np.random.Generator,
        resumed: bool,
    ) -> None:
        self._model = model
        self._journal = journal
        self._max_attempts = max_attempts
        self._max_requests = max_requests
        self._meter = meter
        self._backoff = backoff
        self._grace = grace
        self._progress = progress
        self._enough = enough
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._rng = rng
        self._cooldown = Cooldown(clock, longest=backoff.longest_named)
        self._stopping = asyncio.Event()
        self._hurry = asyncio.Event()
        self._stopped: Stopped | None = None
        self._message: str | None = None
        self._asked = 0
        self._skipped = 0
        self._requests = 0
        self._retries = 0
        self._answered = 0
        self._failed: dict[str, int] = {}
        # Answers in this process, error answers of a model included: proof that the service is there.
        self._contacts = 0
        self._exhausted_in_a_row = 0
        # Rejections before the first answer wait here: if all are rejected, none is recorded.
        self._held: list[dict[str, Any]] | None = None if resumed else []

    async def run(self, pending: Iterator[Planned | None], concurrency: int) -> Collected:
        """Let the workers take from `pending` until it is empty or something stops them."""
        workers = [asyncio.ensure_future(self._work(pending)) for _ in range(concurrency)]
        work = asyncio.gather(*workers)
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            with stopping_signals(self._interrupt):
                ends: set[asyncio.Future[Any]] = {work, stop}
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                if not work.done():
                    await self._last_requests(work)
            if work.done():
                work.result()
            self._flush_held()
        finally:
            stop.cancel()
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            # Retrieved, so that the loop does not report a bug twice.
            await asyncio.gather(work, return_exceptions=True)
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

    def pending(self, chunks: Iterable[list[Planned]], answered: NDArray[np.uint64]) -> Iterator[Planned | None]:
        """Yield what is still to be asked, and None where the loop may take a breath."""
        for chunk in chunks:
            yield None
            if not answered.size:
                yield from chunk
                continue
            ids = np.fromiter((int(attempt.request.id, 16) for attempt in chunk), np.uint64, len(chunk))
            places = np.minimum(np.searchsorted(answered, ids), answered.size - 1)
            known = answered[places] == ids
            skipped = int(known.sum())
            self._skipped += skipped
            if skipped:
                self._settle(skipped)
            yield from (attempt for attempt, is_known in zip(chunk, known.tolist(), strict=True) if not is_known)

    async def _work(self, pending: Iterator[Planned | None]) -> None:
        """Ask one attempt after the other; all workers take from one iterator."""
        while self._stopped is None:
            attempt = next(pending, _END)
            if attempt is _END:
                return
            if attempt is None:
                # A simulated model never waits; signals and other tasks need their turn.
                await asyncio.sleep(0)
                continue
            assert isinstance(attempt, Planned)
            await self._ask(attempt)

    async def _ask(self, attempt: Planned) -> None:
        """Ask until there is an answer, a lasting failure or a reason to stop."""
        # `failures` are rounds in which no server answered, `moved` tries of which another server took over.
        failures = counted = moved = 0
        first = True
        contacts = self._contacts
        while await self._may_ask(attempt.request):
            self._asked += first
            first = False
            self._requests += 1
            sent = None if self._meter is None else self._meter.send(attempt.request)
            started = self._clock()
            try:
                answer = await self._model.answer(attempt.request)
            except Failure as failure:
                if self._meter is not None and sent is not None:
                    self._meter.failed(sent, failure)
                if failure.kind in _AT_ONCE:
                    moves = failure.kind == "elsewhere"
                    moved += moves
                    self._retries += moves
                    continue
                if self._is_over(attempt, failure, failures + moved):
                    return
                failures += 1
                # A busy server that answers others meanwhile is no reason to give this prompt up.
                patient = failure.error_class == "rate_limit" and self._contacts > contacts
                contacts = self._contacts
                counted += not patient
                if counted >= self._cap(failure) or failures >= _BUSY_PATIENCE * self._max_attempts:
                    self._give_up(attempt, failure, failures, moved)
                    return
                self._retries += 1
                if failure.retry_after is not None:
                    self._cooldown.extend(failure.retry_after)
                await self._pause(self._backoff.delay(failures, named=failure.retry_after, rng=self._rng))
            else:
                if self._meter is not None and sent is not None:
                    self._meter.answered(sent, answer)
                self._record(attempt, answer, latency=self._clock() - started, retries=failures + moved)
                return

    async def _may_ask(self, request: Request) -> bool:
        """Wait for the shared cooldown and the limits; return whether this request may be sent."""
        if self._meter is None:
            return await self._is_free()
        async with self._meter.turn:  # first come, first served
            while await self._is_free():
                if (message := self._meter.exhausted(request)) is not None:
                    self._stop("max-cost", message)
                elif (wait := self._meter.wait(request)) > 0:
                    await self._pause(min(wait, POLL))
                elif not self._meter.fits(request):
                    # What is in flight may cost less than its bound.
                    self._meter.settled.clear()
                    await self._unless_stopped(self._meter.settled.wait())
                else:
                    return True
        return False

    async def _is_free(self) -> bool:
        """Wait for the shared cooldown; return whether another request may be sent."""
        while self._stopped is None:
            wait = self._cooldown.remaining()
            if wait > 0:
                # Spread a little, so that the workers don't all return in one instant.
                await self._pause(wait + self._backoff.first * self._rng.random())
                continue
            if self._max_requests is not None and self._requests >= self._max_requests:
                self._stop("max-requests", f"{self._requests} requests were sent, as many as --max-requests allows.")
                return False
            return True
        return False

    def _is_over(self, attempt: Planned, failure: Failure, retries: int) -> bool:
        """Deal with a failure that asking again does not mend; return whether it was one."""
        if failure.kind == "fatal":
            self._stop("fatal", str(failure))
            return True
        if failure.kind != "final":
            return self._stopped is not None
        if self._stopped in {"fatal", "gone"}:
            return True
        line = self._line(attempt, Answer(text=None, error_class=failure.error_class), latency=None, retries=retries)
        if self._held is None:
            self._write(line)
            return True
        self._held.append(line)
        if len(self._held) >= _REJECTED_AFTER:
            self._stop("fatal", f"The first {len(self._held)} prompts were all rejected. {failure}")
        return True

    def _give_up(self, attempt: Planned, failure: Failure, failures: int, moved: int) -> None:
        """Record a prompt whose tries are used up, or find that the service is gone."""
        if failure.kind == "unreachable":
            self._stop("gone", str(failure))
            return
        self._exhausted_in_a_row += 1
        if self._exhausted_in_a_row >= _GONE_AFTER:
            message = (
                f"{self._exhausted_in_a_row} prompts in a row were given up after {failures} tries each. {failure}"
            )
            self._stop("gone", message)
            return
        answer = Answer(text=None, error_class=failure.error_class)
        self._write(self._line(attempt, answer, latency=None, retries=failures + moved - 1))

    def _cap(self, failure: Failure) -> int:
        if failure.kind == "unreachable" and not self._contacts:
            return min(_FIRST_CONTACT_ATTEMPTS, self._max_attempts)
        return self._max_attempts

    def _record(self, attempt: Planned, answer: Answer, *, latency: float, retries: int) -> None:
        self._contacts += 1
        self._exhausted_in_a_row = 0
        if self._held is not None and self._stopped != "fatal":
            self._flush_held()
        self._write(self._line(attempt, answer, latency=latency, retries=retries))

    def _line(self, attempt: Planned, answer: Answer, *, latency: float | None, retries: int) -> dict[str, Any]:
        line = {
            "id": attempt.request.id,
            "index": attempt.index,
            "attempt": attempt.request.attempt,
            "sent_order": attempt.sent_order,
            "text": answer.text,
            "finish_reason": answer.finish_reason,
            "returned_model": answer.returned_model,
            "input_tokens": answer.input_tokens,
            "output_tokens": answer.output_tokens,
            "latency": None if latency is None else round(latency, 6),
            "retries": retries,
            "error_class": answer.error_class,
            "time": self._now(),
        }
        if answer.chunk is not None:
            line["chunk"] = dict(answer.chunk)
        return line

    def _write(self, line: dict[str, Any]) -> None:
        self._journal.append(line)
        error_class = line["error_class"]
        if error_class is None:
            self._answered += 1
        else:
            self._failed[error_class] = self._failed.get(error_class, 0) + 1
        self._settle(1)
        if self._enough is not None and self._stopped is None:
            reason = self._enough(line)
            if reason is not None:
                self._stop("enough", reason)

    def _flush_held(self) -> None:
        """Record the rejections that waited for a first answer, unless they stopped the run."""
        held, self._held = self._held, None
        if held and self._stopped != "fatal":
            for line in held:
                self._write(line)

    def _settle(self, count: int) -> None:
        if self._progress is not None:
            self._progress(count)

    def _stop(self, reason: Stopped, message: str) -> None:
        """Stop all workers after their request in flight; a fatal reason replaces a lesser one, not `enough`."""
        if self._stopped is None or (reason == "fatal" and self._stopped not in {"fatal", "enough"}):
            self._stopped, self._message = reason, message
        self._stopping.set()

    def _interrupt(self) -> None:
        if self._stopped is None:
            self._stop("interrupted", "Interrupted; what was answered is kept.")
        else:
            self._hurry.set()

    async def _last_requests(self, work: "asyncio.Future[Any]") -> None:
        """Let requests in flight end: a while, or fully when nothing is wrong, as they are paid for."""
        hurry = asyncio.ensure_future(self._hurry.wait())
        timeout = None if self._stopped in {"max-requests", "max-cost", "enough"} else self._grace
        await asyncio.wait({work, hurry}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        hurry.cancel()

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than the run goes on."""
        await self._unless_stopped(self._sleep(seconds))

    async def _unless_stopped(self, waiting: Awaitable[Any]) -> None:
        nap = asyncio.ensure_future(waiting)
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({nap, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (nap, stop):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task


_END = object()


def _utc_now() -> datetime:
    return datetime.now(UTC)
