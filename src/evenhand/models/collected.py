"""State and result of a collection: its counts, the attempts that wait for a retry, and why it stops."""

import asyncio
import contextlib
import heapq
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from math import inf
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.models.journal import Journal, attempt_ids, known_among
from evenhand.models.limits import InFlight
from evenhand.models.model import Answer
from evenhand.models.order import Planned

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class FromOutside:
    """Stops a coroutine that runs on the loop of another thread, when the main thread gets a signal.

    The coroutine's own handler (`stopping_signals`) is called then; without one, the coroutine is cancelled.
    """

    def __init__(self) -> None:
        self.cancelled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], Any] | None = None

    async def stoppable(self, main: Coroutine[Any, Any, T]) -> T:
        """Return what the coroutine returns."""
        self._loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel() -> None:
            self.cancelled = True
            if task is not None:
                task.cancel()

        self._stop = cancel
        _outside.set(self)
        return await main

    @contextmanager
    def forwarding_signals(self) -> Iterator[None]:
        """Hand on SIGINT and SIGTERM within the block; outside the main thread nothing is changed."""
        previous = {}
        for name in _SIGNALS:
            if signal.getsignal(name) in {None, signal.SIG_IGN}:
                continue
            try:
                previous[name] = signal.signal(name, self._hand_on)
            except ValueError:  # no main thread
                break
        try:
            yield
        finally:
            for name, handler in previous.items():
                signal.signal(name, handler)

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` within the block instead of what was called before."""
        before, self._stop = self._stop, stop
        try:
            yield
        finally:
            self._stop = before

    def _hand_on(self, *_: object) -> None:
        if self._loop is None or self._stop is None or self._loop.is_closed():
            raise KeyboardInterrupt
        self._loop.call_soon_threadsafe(self._stop)


_outside: ContextVar[FromOutside | None] = ContextVar("_outside", default=None)


@contextmanager
def stopping_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on SIGINT and SIGTERM within the block; earlier handlers return after it.

    Ignored signals stay ignored. In a thread other than the main one, signals come from
    outside or, without a thread that hands them on, not at all.
    """
    outside = _outside.get()
    if outside is not None:
        with outside.stopping(stop):
            yield
        return
    loop = asyncio.get_running_loop()
    previous = {}
    for name in _SIGNALS:
        handler = signal.getsignal(name)
        if handler is None or handler is signal.SIG_IGN:
            continue
        try:
            loop.add_signal_handler(name, stop)
        except (NotImplementedError, RuntimeError, ValueError):  # no main thread, or no POSIX signals
            continue
        previous[name] = handler
    try:
        yield
    finally:
        for name, handler in previous.items():
            loop.remove_signal_handler(name)
            signal.signal(name, handler)


#: Seconds that requests in flight get when a collection stops early.
GRACE = 5.0

Stopped = Literal["fatal", "gone", "enough", "max-requests", "max-cost", "interrupted"]

# Nothing is wrong then, and what is in flight is paid for.
_UNHURRIED = frozenset({"max-requests", "max-cost", "enough"})


class Stopping:
    """Why a collection stops, None while it goes on; the first SIGINT or SIGTERM is a reason, too.

    `interrupted` is its message. The first reason counts, but a fatal one replaces
    a lesser one, not `enough`.
    """

    def __init__(self, *, interrupted: str) -> None:
        self.reason: Stopped | None = None
        self.message: str | None = None
        self._interrupted = interrupted
        self._stopped = asyncio.Event()
        self._hurry = asyncio.Event()

    def stop(self, reason: Stopped, message: str) -> None:
        """Stop after the requests in flight."""
        if self.reason is None or (reason == "fatal" and self.reason not in {"fatal", "enough"}):
            self.reason, self.message = reason, message
        self._stopped.set()

    async def let_end(self, work: "asyncio.Future[Any]", *, grace: float) -> None:
        """Wait until `work` is done, or stopped and out of time; an error in it is raised.

        Stopped work gets `grace` seconds for its requests in flight, or all that it needs
        when nothing is wrong. A second signal ends the waiting.
        """
        stopped = asyncio.ensure_future(self._stopped.wait())
        hurry = asyncio.ensure_future(self._hurry.wait())
        try:
            with stopping_signals(self._interrupt):
                await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if not work.done():
                    timeout = None if self.reason in _UNHURRIED else grace
                    await asyncio.wait({work, hurry}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            hurry.cancel()
        if work.done():
            work.result()

    async def unless_stopped(self, waiting: Awaitable[Any]) -> None:
        """Wait, but not longer than the collection goes on."""
        nap = asyncio.ensure_future(waiting)
        stopped = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({nap, stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (nap, stopped):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    def _interrupt(self) -> None:
        if self.reason is None:
            self.stop("interrupted", self._interrupted)
        else:
            self._hurry.set()


@dataclass(frozen=True, kw_only=True, slots=True)
class Collected:
    """What a collection did; counts are attempts, `requests` are what went to the server.

    `skipped` were answered before. `failed` counts journaled errors by class. `stopped`
    is None when everything planned has a line now; `message` says why it is not so.
    """

    asked: int = 0
    answered: int = 0
    skipped: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    requests: int = 0
    retries: int = 0
    stopped: Stopped | None = None
    message: str | None = None

    def __add__(self, later: "Collected") -> "Collected":
        """Return what both did, as the later one ended."""
        counts = {name: getattr(self, name) + getattr(later, name) for name in ("asked", "answered", "skipped")}
        failed = dict(Counter(self.failed) + Counter(later.failed))
        requests, retries = self.requests + later.requests, self.retries + later.retries
        return replace(later, **counts, failed=failed, requests=requests, retries=retries)


@dataclass(frozen=True, slots=True)
class Sent:
    """One attempt: all that its journal line needs besides the answer."""

    id: str
    index: int
    attempt: int
    sent_order: int

    @classmethod
    def of(cls, planned: Planned) -> "Sent":
        """Return what identifies a planned attempt."""
        return cls(planned.request.id, planned.index, planned.request.attempt, planned.sent_order)


def utc_now() -> datetime:
    """Return the time; collections take another clock in tests."""
    return datetime.now(UTC)


def journal_line(sent: Sent, answer: Answer, *, latency: float | None, retries: int, time: datetime) -> dict[str, Any]:
    """Return one line of the journal; `latency` are the seconds of the try that was answered."""
    line = {
        "id": sent.id,
        "index": sent.index,
        "attempt": sent.attempt,
        "sent_order": sent.sent_order,
        "text": answer.text,
        "finish_reason": answer.finish_reason,
        "returned_model": answer.returned_model,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "latency": None if latency is None else round(latency, 6),
        "retries": retries,
        "error_class": answer.error_class,
        "time": time,
    }
    if answer.chunk is not None:
        line["chunk"] = dict(answer.chunk)
    return line


class Tally:
    """Counts of a collection under way; all that counts as answered or failed is in the journal.

    `progress` gets the number of attempts finished since its last call, without those answered before.
    """

    def __init__(self, journal: Journal, *, progress: Callable[[int], None] | None) -> None:
        self.asked = self.answered = self.skipped = self.requests = self.retries = 0
        self.failed: Counter[str] = Counter()
        self._journal = journal
        self._progress = progress

    def unanswered(self, chunk: list[Planned], answered: NDArray[np.uint64]) -> list[Planned]:
        """Return what of a chunk has no answer yet; `answered` are sorted ids, and the rest is skipped."""
        if not answered.size:
            return chunk
        known = known_among(attempt_ids(chunk), answered).tolist()
        left = [attempt for attempt, is_known in zip(chunk, known, strict=True) if not is_known]
        self.skipped += len(chunk) - len(left)
        return left

    def write(self, line: Mapping[str, Any]) -> None:
        """Write and count one line of the journal."""
        self._journal.append(line)
        error_class = line["error_class"]
        if error_class is None:
            self.answered += 1
        else:
            self.failed[error_class] += 1

    def settle(self, count: int) -> None:
        """Show attempts as done."""
        if self._progress is not None and count:
            self._progress(count)

    def show(self) -> None:
        """Have the progress drawn again, although nothing more is done."""
        if self._progress is not None:
            self._progress(0)

    def collected(self, stopping: Stopping) -> Collected:
        """Return the counts, and why the collection was stopped."""
        return Collected(
            asked=self.asked,
            answered=self.answered,
            skipped=self.skipped,
            failed=dict(sorted(self.failed.items())),
            requests=self.requests,
            retries=self.retries,
            stopped=stopping.reason,
            message=stopping.message,
        )


@dataclass(slots=True, eq=False)
class Tried:
    """One attempt of the plan, and how its tries went.

    `failures` are rounds in which no server answered, `counted` those of them that were no
    refusals, and `unnamed` those without a named wait; `moved` are tries that another
    server took over. `number`, `started` and `sent` belong to the try under way.
    """

    planned: Planned
    failures: int = 0
    counted: int = 0
    moved: int = 0
    unnamed: int = 0
    failing_since: float = inf
    is_new: bool = True
    number: int = 0
    started: float = 0.0
    sent: InFlight | None = None


@dataclass(slots=True)
class Waiting:
    """Attempts that wait, each for a time of its own; the first one due comes first."""

    _heap: list[tuple[float, int, Tried]] = field(default_factory=list)
    _order: "count[int]" = field(default_factory=count)

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def due(self) -> float:
        """Return when the first is to be sent again, infinite when none waits."""
        return self._heap[0][0] if self._heap else inf

    @property
    def first(self) -> Tried:
        """Return the one that is due first."""
        return self._heap[0][2]

    def add(self, tried: Tried, *, due: float) -> None:
        """Keep an attempt until `due`."""
        heapq.heappush(self._heap, (due, next(self._order), tried))

    def take(self) -> Tried:
        """Take the one that is due first."""
        return heapq.heappop(self._heap)[2]
