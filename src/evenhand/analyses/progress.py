"""Work in processes of its own, which a file or row can end without ending the command.

What a run tells while it goes on.
"""

import os
import signal
from collections import deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from math import ceil
from multiprocessing import get_context
from typing import Protocol

#: Takes one-line remarks for the user.
Notices = Callable[[str], None]

#: The rate is that of so many seconds: a server that needs a minute for an answer has one, too.
OVER = 300.0
#: What is done is noted once in so many seconds.
APART = 1.0


class Progress(Protocol):
    """Takes what is being done ("hiring-an: asking"), how much of it is, and what holds it up.

    Of how much is None where that is not known.
    """

    def __call__(self, doing: str, done: int = 0, total: int | None = None, note: str = "", /) -> None:
        """Show how far the run is."""


class Pace:
    """How fast something gets done and how long the rest of it takes, by the last minutes; `clock` gives seconds.

    What is done at first was done before, and tells nothing of the rate.

    >>> seconds = iter([0.0, 20.0])
    >>> pace = Pace(lambda: next(seconds))
    >>> pace.told(0, 600), pace.told(40, 600)
    ('0/600', '40/600 · 2.0/s · 0:04:40 left')
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._noted: deque[tuple[float, int]] = deque()

    def told(self, done: int, total: int) -> str:
        """Return how much is done, how fast, and how long the rest takes, where that is known."""
        rate = self._rate(done)
        if rate is None:
            return f"{done:,}/{total:,}"
        shown = f"{rate:,.1f}/s" if rate >= 1 else f"{60 * rate:,.1f}/min"
        return f"{done:,}/{total:,} · {shown} · {timedelta(seconds=ceil((total - done) / rate))} left"

    def _rate(self, done: int) -> float | None:
        """Return how many are done in a second; None as long as none were."""
        now = self._clock()
        if not self._noted or now - self._noted[-1][0] >= APART:
            self._noted.append((now, done))
        while len(self._noted) > 2 and self._noted[1][0] <= now - OVER:
            self._noted.popleft()
        first, before = self._noted[0]
        return (done - before) / (now - first) if done > before and now > first else None


def processes(workers: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes that leave Ctrl-C to their parent."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ignore_interrupts() -> None:
    """Let the parent end the work: Ctrl-C reaches every process of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
