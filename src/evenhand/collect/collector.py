"""Asks a model everything that is planned and journals what comes back."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect._stopping import GRACE, Stopping
from evenhand.collect.collected import Collected, Sent, Tally, journal_line
from evenhand.collect.journal import Journal
from evenhand.collect.meter import POLL, Meter
from evenhand.collect.order import Planned
from evenhand.collect.retries import FIRST_CONTACT_TRIES, REJECTED_AFTER, Backoff, Cooldown
from evenhand.models._model import Answer, Failure, Model, Request

__all__ = ["MAX_ATTEMPTS", "collect"]

#: Times a prompt is asked before its failure is recorded.
MAX_ATTEMPTS = 6

# While others are answered, a busy server is only busy; its refusals count up to this multiple of the cap.
_BUSY_PATIENCE = 4
# Prompts that fail for good, one after the other, before the service counts as gone.
_GONE_AFTER = 5
# Kinds of failures after which a prompt is asked again at once, as one request more.
_AT_ONCE = frozenset({"adapted", "elsewhere"})


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
    grace: float = GRACE,
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
        self._max_attempts = max_attempts
        self._max_requests = max_requests
        self._meter = meter
        self._backoff = backoff
        self._grace = grace
        self._enough = enough
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._rng = rng
        self._cooldown = Cooldown(clock, longest=backoff.longest_named)
        self._stopping = Stopping(interrupted="Interrupted; what was answered is kept.")
        self._tally = Tally(journal, progress=progress)
        # Answers in this process, error answers of a model included: proof that the service is there.
        self._contacts = 0
        self._exhausted_in_a_row = 0
        # Rejections before the first answer wait here: if all are rejected, none is recorded.
        self._held: list[dict[str, Any]] | None = None if resumed else []

    async def run(self, pending: Iterator[Planned | None], concurrency: int) -> Collected:
        """Let the workers take from `pending` until it is empty or something stops them."""
        workers = [asyncio.ensure_future(self._work(pending)) for _ in range(concurrency)]
        work = asyncio.gather(*workers)
        try:
            await self._stopping.let_end(work, grace=self._grace)
            self._flush_held()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            # Retrieved, so that the loop does not report a bug twice.
            await asyncio.gather(work, return_exceptions=True)
        return self._tally.collected(self._stopping)

    def pending(self, chunks: Iterable[list[Planned]], answered: NDArray[np.uint64]) -> Iterator[Planned | None]:
        """Yield what is still to be asked, and None where the loop may take a breath."""
        for chunk in chunks:
            yield None
            yield from self._tally.unanswered(chunk, answered)

    async def _work(self, pending: Iterator[Planned | None]) -> None:
        """Ask one attempt after the other; all workers take from one iterator."""
        while self._stopping.reason is None:
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
            self._tally.asked += first
            first = False
            self._tally.requests += 1
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
                    self._tally.retries += moves
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
                self._tally.retries += 1
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
                    self._stopping.stop("max-cost", message)
                elif (wait := self._meter.wait(request)) > 0:
                    await self._pause(min(wait, POLL))
                elif not self._meter.fits(request):
                    # What is in flight may cost less than its bound.
                    self._meter.settled.clear()
                    await self._stopping.unless_stopped(self._meter.settled.wait())
                else:
                    return True
        return False

    async def _is_free(self) -> bool:
        """Wait for the shared cooldown; return whether another request may be sent."""
        while self._stopping.reason is None:
            wait = self._cooldown.remaining()
            if wait > 0:
                # Spread a little, so that the workers don't all return in one instant.
                await self._pause(wait + self._backoff.first * self._rng.random())
                continue
            if self._max_requests is not None and self._tally.requests >= self._max_requests:
                self._stopping.stop(
                    "max-requests", f"{self._tally.requests} requests were sent, as many as --max-requests allows."
                )
                return False
            return True
        return False

    def _is_over(self, attempt: Planned, failure: Failure, retries: int) -> bool:
        """Deal with a failure that asking again does not mend; return whether it was one."""
        if failure.kind == "fatal":
            self._stopping.stop("fatal", str(failure))
            return True
        if failure.kind != "final":
            return self._stopping.reason is not None
        if self._stopping.reason in {"fatal", "gone"}:
            return True
        line = self._line(attempt, Answer(text=None, error_class=failure.error_class), latency=None, retries=retries)
        if self._held is None:
            self._write(line)
            return True
        self._held.append(line)
        if len(self._held) >= REJECTED_AFTER:
            self._stopping.stop("fatal", f"The first {len(self._held)} prompts were all rejected. {failure}")
        return True

    def _give_up(self, attempt: Planned, failure: Failure, failures: int, moved: int) -> None:
        """Record a prompt whose tries are used up, or find that the service is gone."""
        if failure.kind == "unreachable":
            self._stopping.stop("gone", str(failure))
            return
        self._exhausted_in_a_row += 1
        if self._exhausted_in_a_row >= _GONE_AFTER:
            message = (
                f"{self._exhausted_in_a_row} prompts in a row were given up after {failures} tries each. {failure}"
            )
            self._stopping.stop("gone", message)
            return
        answer = Answer(text=None, error_class=failure.error_class)
        self._write(self._line(attempt, answer, latency=None, retries=failures + moved - 1))

    def _cap(self, failure: Failure) -> int:
        if failure.kind == "unreachable" and not self._contacts:
            return min(FIRST_CONTACT_TRIES, self._max_attempts)
        return self._max_attempts

    def _record(self, attempt: Planned, answer: Answer, *, latency: float, retries: int) -> None:
        self._contacts += 1
        self._exhausted_in_a_row = 0
        if self._held is not None and self._stopping.reason != "fatal":
            self._flush_held()
        self._write(self._line(attempt, answer, latency=latency, retries=retries))

    def _line(self, attempt: Planned, answer: Answer, *, latency: float | None, retries: int) -> dict[str, Any]:
        return journal_line(Sent.of(attempt), answer, latency=latency, retries=retries, time=self._now())

    def _write(self, line: dict[str, Any]) -> None:
        self._tally.write(line)
        self._tally.settle(1)
        if self._enough is not None and self._stopping.reason is None:
            reason = self._enough(line)
            if reason is not None:
                self._stopping.stop("enough", reason)

    def _flush_held(self) -> None:
        """Record the rejections that waited for a first answer, unless they stopped the run."""
        held, self._held = self._held, None
        if held and self._stopping.reason != "fatal":
            for line in held:
                self._write(line)

    async def _pause(self, seconds: float) -> None:
        await self._stopping.unless_stopped(self._sleep(seconds))


_END = object()


def _utc_now() -> datetime:
    return datetime.now(UTC)
