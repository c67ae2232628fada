"""Collection of answers: send every planned request and journal what comes back."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import inf
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.models.collected import (
    GRACE,
    Collected,
    FromOutside,
    Sent,
    Stopping,
    Tally,
    Tried,
    Waiting,
    journal_line,
    utc_now,
)
from evenhand.models.concurrency import ConcurrencyLimiter
from evenhand.models.journal import Journal
from evenhand.models.limits import FIRST_CONTACT_TRIES, REJECTED_AFTER, SHORTEST_NAMED, Backoff, CostTracker
from evenhand.models.model import Answer, Failure, Model
from evenhand.models.order import Planned

try:
    import uvloop
except ImportError:  # no wheel for this platform; asyncio's own loop does the same work with more CPU
    _new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    _new_loop = uvloop.new_event_loop

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns, run on uvloop where it exists.

    Where a loop runs already, in a notebook say, it has a thread of its own, and the caller waits for it. Signals
    stop it there as they do here.

    >>> async def answer():
    ...     return 42
    >>> async def notebook():
    ...     return run(answer())
    >>> run(answer()), run(notebook())
    (42, 42)
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _alone(main)
    outside = FromOutside()
    with outside.forwarding_signals(), ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(copy_context().run, _alone, outside.stoppable(main)).result()
        except asyncio.CancelledError:
            if outside.cancelled:
                raise KeyboardInterrupt from None
            raise


def _alone(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(main)


#: Times a prompt is sent before its failure is recorded.
MAX_ATTEMPTS = 6

# So many prompts, whose tries are used up, and so many seconds without any answer, before the service counts as gone.
_GONE_AFTER = 5
_OUTAGE = 60.0
# Kinds of failures after which a prompt is sent again at once, as one request more.
_AT_ONCE = frozenset({"adapted", "elsewhere"})
# Prompts that may wait for a retry before no new one is begun, while others are answered.
_MOST_WAITING = 1_024
# Waits of so many seconds are worth a look at the progress.
_SHORTEST_DISPLAYED_WAIT = 1.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a collection sends its requests.

    At most `concurrency` requests are under way, fewer where `window` learns that the server refuses more. `progress`
    gets the number of attempts finished since its last call. `sent` requests of earlier rounds count on.
    `enough` gets every journaled line; a text from it ends the run, as no more answers are needed.
    """

    concurrency: int
    max_attempts: int = MAX_ATTEMPTS
    max_requests: int | None = None
    sent: int = 0
    meter: CostTracker | None = None
    window: ConcurrencyLimiter | None = None
    backoff: Backoff = field(default_factory=Backoff)
    grace: float = GRACE
    progress: Callable[[int], None] | None = None
    enough: Callable[[Mapping[str, Any]], str | None] | None = None
    clock: Callable[[], float] = time.perf_counter
    now: Callable[[], datetime] = utc_now
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep
    #: Jitter must differ between processes; nothing that is measured depends on it.
    rng: np.random.Generator = field(default_factory=np.random.default_rng)


async def collect(
    model: Model,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    settings: Settings,
    *,
    answered: NDArray[np.uint64],
) -> Collected:
    """Return counts after sending all requests that `answered` does not hold.

    The model must be open. `answered` are sorted ids (`Journal.answered`). Each finished attempt gets its line at
    once. The first SIGINT or SIGTERM lets requests in flight end, a second does not.
    """
    collection = _Collection(model, journal, settings, resumed=bool(answered.size))
    return await collection.run(collection.pending(chunks, answered), settings.concurrency)


class _Collection:
    """The state that the workers of one collection share."""

    def __init__(self, model: Model, journal: Journal, settings: Settings, *, resumed: bool) -> None:
        self._model = model
        self._settings = settings
        self._costs = settings.meter
        self._limiter = settings.window or ConcurrencyLimiter(settings.concurrency, clock=settings.clock)
        self._clock = settings.clock
        self._stopping = Stopping(interrupted="Interrupted; what was answered is kept.")
        self._tally = Tally(journal, progress=settings.progress)
        self._pending: Iterator[Planned | None] = iter(())
        # The next of the plan, taken from it but not sent yet.
        self._fresh: Tried | None = None
        self._all_begun = False
        self._waiting = Waiting()
        # The lock of the worker that waits for the next request that may be sent; the event wakes it.
        self._turn = asyncio.Lock()
        self._stirred = asyncio.Event()
        # Answers in this process, error answers of a model included: proof that the service is there.
        self._contacts = 0
        # A resumed run may ask nothing but prompts that fail: it waits as long for an answer as after one.
        self._contact_at = settings.clock() if resumed else -inf
        self._failures_in_a_row = 0
        # Prompts whose tries are used up wait here for an answer to another: it proves that they fail by themselves.
        self._exhausted: list[dict[str, Any]] = []
        # Rejections before the first answer wait here: if all are rejected, none is recorded.
        self._rejections: list[dict[str, Any]] | None = None if resumed else []

    async def run(self, pending: Iterator[Planned | None], concurrency: int) -> Collected:
        """Let the workers take from `pending` until it is empty or something stops them."""
        self._pending = pending
        workers = [asyncio.ensure_future(self._work()) for _ in range(concurrency)]
        work = asyncio.gather(*workers)
        try:
            await self._stopping.let_end(work, grace=self._settings.grace)
            self._record_rejections()
            if self._stopping.reason != "gone":
                self._record_exhausted()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            # Retrieved, so that the loop does not report a bug twice.
            await asyncio.gather(work, return_exceptions=True)
        return self._tally.collected(self._stopping)

    def pending(self, chunks: Iterable[list[Planned]], answered: NDArray[np.uint64]) -> Iterator[Planned | None]:
        """Yield the unanswered attempts, and None where the loop may run other tasks."""
        for chunk in chunks:
            yield None
            yield from self._tally.unanswered(chunk, answered)

    async def _work(self) -> None:
        """Send one request after the other, of whichever prompt is next."""
        turn = self._turn
        while True:
            # Nearly always the next one may be sent at once.
            look = None if turn.locked() else self._look()
            tried = look if isinstance(look, Tried) else await self._next(look)
            if tried is None:
                return
            await self._ask(tried)
            if turn.locked():
                self._stirred.set()

    async def _next(self, seconds: float | None) -> Tried | None:
        """Return the next attempt when it may be sent, counted as sent; None when there is no more to do.

        `seconds` is the wait that the last look has shown.
        """
        if seconds == 0.0:
            await asyncio.sleep(0)
        async with self._turn:  # first come, first served
            while True:
                # What stirs from here on is seen.
                self._stirred.clear()
                look = self._look()
                if not isinstance(look, float):
                    return look
                await self._nap(look)

    def _look(self) -> Tried | float | None:
        """Return what is sent now, or the seconds to wait before the next look, or None at the end."""
        if self._stopping.reason is not None:
            return None
        candidate = self._candidate()
        if not isinstance(candidate, Tried):
            return candidate
        request = candidate.planned.request
        sent = self._settings.sent + self._tally.requests
        if self._settings.max_requests is not None and sent >= self._settings.max_requests:
            self._stopping.stop("max-requests", f"{sent} requests were sent, the number that --max-requests allows.")
            return None
        wait = self._limiter.wait()
        if self._costs is not None:
            if (message := self._costs.exhausted(request)) is not None:
                self._stopping.stop("max-cost", message)
                return None
            # What is in flight may cost less than its bound, and be shorter than expected.
            wait = max(wait, self._costs.wait(request), 0.0 if self._costs.fits(request) else inf)
        return wait if wait > 0 else self._send(candidate)

    def _candidate(self) -> Tried | float | None:
        """Return the attempt that is next, or the seconds until there may be one, or None at the end."""
        due = self._waiting.due
        wait = due - self._clock() if due < inf else inf
        if wait <= 0:
            return self._waiting.first
        if self._fresh is None and not self._all_begun and self._may_begin():
            planned = next(self._pending, _END)
            if planned is None:
                # A simulated model never waits; signals and other tasks need their turn.
                return 0.0
            if isinstance(planned, Planned):
                self._fresh = Tried(planned)
            else:
                self._all_begun = True
        if self._fresh is not None:
            return self._fresh
        return None if wait == inf and not self._limiter.under_way else wait

    def _may_begin(self) -> bool:
        """Return whether a new prompt may be begun; while nothing is answered, no more than fit under way at once."""
        if self._failures_in_a_row < self._limiter.most:
            return len(self._waiting) < _MOST_WAITING
        return len(self._waiting) + self._limiter.under_way < self._limiter.most

    def _send(self, tried: Tried) -> Tried:
        if tried is self._fresh:
            self._fresh = None
        else:
            self._waiting.take()
        self._tally.asked += tried.is_new
        tried.is_new = False
        self._tally.requests += 1
        tried.sent = None if self._costs is None else self._costs.send(tried.planned.request)
        tried.number = self._limiter.send()
        tried.started = self._clock()
        return tried

    async def _nap(self, seconds: float) -> None:
        """Wait so long, but not longer than until something happens or the collection stops."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        if _SHORTEST_DISPLAYED_WAIT <= seconds < inf:
            self._tally.show()
        waits = [asyncio.ensure_future(self._stirred.wait())]
        if seconds < inf:
            waits.append(asyncio.ensure_future(self._settings.sleep(seconds)))
        try:
            await self._stopping.unless_stopped(asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED))
        finally:
            for wait in waits:
                wait.cancel()

    async def _ask(self, tried: Tried) -> None:
        try:
            answer = await self._model.answer(tried.planned.request)
        except Failure as failure:
            self._failed(tried, failure)
        else:
            latency = self._clock() - tried.started
            tokens_in, tokens_out = self._tokens(tried, answer)
            self._limiter.answered(
                tried.number, latency=latency, tokens_in=tokens_in, tokens_out=tokens_out, limits=answer.limits
            )
            self._contact_at = tried.started + latency
            self._record(tried, answer, latency=latency)

    def _tokens(self, tried: Tried, answer: Answer) -> tuple[float, float]:
        """Return the tokens of a request and its answer; what the server did not count is not known to be any."""
        if self._costs is not None and tried.sent is not None:
            return self._costs.answered(tried.sent, answer)
        return float(answer.input_tokens or 0), float(answer.output_tokens or 0)

    def _failed(self, tried: Tried, failure: Failure) -> None:
        """Record a failure, or have the prompt sent again after a wait of its own."""
        if self._costs is not None and tried.sent is not None:
            self._costs.failed(tried.sent, failure)
        if failure.refused and failure.kind == "retry":
            self._limiter.turned_away(tried.number, retry_after=failure.retry_after, limits=failure.limits)
        else:
            self._limiter.ended()
        if failure.kind in _AT_ONCE:
            moves = failure.kind == "elsewhere"
            tried.moved += moves
            self._tally.retries += moves
            self._waiting.add(tried, due=-inf)
            return
        if self._is_over(tried, failure):
            return
        tried.failures += 1
        tried.failing_since = min(tried.failing_since, self._clock())
        self._failures_in_a_row += 1
        tried.counted += not failure.refused
        if self._is_retry_useless(tried, failure):
            self._give_up(tried, failure)
            return
        self._tally.retries += 1
        # A named wait is taken as it is: only others double.
        tried.unnamed += failure.retry_after is None or failure.retry_after < SHORTEST_NAMED
        delay = self._settings.backoff.delay(tried.unnamed, named=failure.retry_after, rng=self._settings.rng)
        self._waiting.add(tried, due=self._clock() + delay)

    def _is_over(self, tried: Tried, failure: Failure) -> bool:
        """Handle a failure that a retry does not repair; return whether it was one."""
        if failure.kind == "fatal":
            self._stopping.stop("fatal", str(failure))
            return True
        if failure.kind != "final":
            return self._stopping.reason is not None
        if self._stopping.reason in {"fatal", "gone"}:
            return True
        answer = Answer(text=None, error_class=failure.error_class)
        line = self._line(tried, answer, latency=None, retries=tried.failures + tried.moved)
        if self._rejections is None:
            self._write(line)
            return True
        self._rejections.append(line)
        if len(self._rejections) >= REJECTED_AFTER:
            self._stopping.stop("fatal", f"The first {len(self._rejections)} prompts were all rejected. {failure}")
        return True

    def _is_retry_useless(self, tried: Tried, failure: Failure) -> bool:
        """Return whether a retry is of no use: too many tries, too long refused, or too long a named wait."""
        if self._named_too_long(failure):
            return True
        if failure.refused:
            since = max(tried.failing_since, self._contact_at)
            return (
                tried.failures >= self._settings.max_attempts
                and self._clock() - since >= self._settings.backoff.patience
            )
        return tried.counted >= self._cap(failure)

    def _give_up(self, tried: Tried, failure: Failure) -> None:
        """Record a prompt whose tries are used up, or find that the service is gone."""
        if failure.kind == "unreachable":
            self._stopping.stop("gone", str(failure))
            return
        answer = Answer(text=None, error_class=failure.error_class)
        self._exhausted.append(self._line(tried, answer, latency=None, retries=tried.failures + tried.moved - 1))
        if tried.failing_since < self._contact_at:
            self._record_exhausted()
        elif len(self._exhausted) >= _GONE_AFTER and (
            self._named_too_long(failure) or self._clock() - self._contact_at >= _OUTAGE
        ):
            self._stopping.stop("gone", self._gone(tried, failure))

    def _record_exhausted(self) -> None:
        lines, self._exhausted = self._exhausted, []
        for line in lines:
            self._write(line)

    def _named_too_long(self, failure: Failure) -> bool:
        return failure.retry_after is not None and failure.retry_after > self._settings.backoff.longest_named

    def _gone(self, tried: Tried, failure: Failure) -> str:
        if failure.retry_after is not None and self._named_too_long(failure):
            until = (self._settings.now() + timedelta(seconds=min(failure.retry_after, _YEAR))).replace(microsecond=0)
            return f"The server asks to wait until {until:%Y-%m-%d %H:%M:%S} UTC. {failure}"
        tries = f"{tried.failures} {'try' if tried.failures == 1 else 'tries'}"
        return f"{len(self._exhausted)} prompts in a row were given up after {tries} each. {failure}"

    def _cap(self, failure: Failure) -> int:
        if failure.kind == "unreachable" and not self._contacts:
            return min(FIRST_CONTACT_TRIES, self._settings.max_attempts)
        return self._settings.max_attempts

    def _record(self, tried: Tried, answer: Answer, *, latency: float) -> None:
        self._contacts += 1
        self._failures_in_a_row = 0
        self._record_exhausted()
        if self._rejections is not None and self._stopping.reason != "fatal":
            self._record_rejections()
        self._write(self._line(tried, answer, latency=latency, retries=tried.failures + tried.moved))

    def _line(self, tried: Tried, answer: Answer, *, latency: float | None, retries: int) -> dict[str, Any]:
        return journal_line(Sent.of(tried.planned), answer, latency=latency, retries=retries, time=self._settings.now())

    def _write(self, line: dict[str, Any]) -> None:
        self._tally.write(line)
        self._tally.settle(1)
        if self._settings.enough is not None and self._stopping.reason is None:
            reason = self._settings.enough(line)
            if reason is not None:
                self._stopping.stop("enough", reason)

    def _record_rejections(self) -> None:
        """Record the rejections that waited for a first answer, unless they stopped the run."""
        rejections, self._rejections = self._rejections, None
        if rejections and self._stopping.reason != "fatal":
            for line in rejections:
                self._write(line)


_END = object()
_YEAR = 366 * 86_400.0
