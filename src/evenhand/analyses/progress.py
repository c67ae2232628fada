"""Progress of a run, and worker processes."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from math import ceil
from multiprocessing import get_context, parent_process
from typing import Protocol

#: Seconds over which the rate is measured: enough for a server that needs a minute for an answer.
OVER = 300.0
#: Seconds between two notes of the progress.
APART = 1.0


class Progress(Protocol):
    """Takes the task ("hiring-an: asking"), how much is done, the total or None, and a note on delays."""

    def __call__(self, doing: str, done: int = 0, total: int | None = None, note: str = "", /) -> None:
        """Show how far the run is."""


class Pace:
    """The rate of the last minutes and the time left; `clock` gives seconds.

    The first number of things done precedes the measurement, and does not count for the rate.

    >>> seconds = iter([0.0, 20.0])
    >>> pace = Pace(lambda: next(seconds))
    >>> pace.text(0, 600), pace.text(40, 600)
    ('0/600', '40/600 · 2.0/s · 0:04:40 left')
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._noted: deque[tuple[float, int]] = deque()

    def text(self, done: int, total: int) -> str:
        """Return how much is done, the rate, and the time left, if known."""
        rate = self._rate(done)
        if rate is None:
            return f"{done:,}/{total:,}"
        pace = f"{rate:,.1f}/s" if rate >= 1 else f"{60 * rate:,.1f}/min"
        return f"{done:,}/{total:,} · {pace} · {timedelta(seconds=ceil((total - done) / rate))} left"

    def _rate(self, done: int) -> float | None:
        """Return the number done per second; None before the first."""
        now = self._clock()
        if not self._noted or now - self._noted[-1][0] >= APART:
            self._noted.append((now, done))
        while len(self._noted) > 2 and self._noted[1][0] <= now - OVER:
            self._noted.popleft()
        first, before = self._noted[0]
        return (done - before) / (now - first) if done > before and now > first else None


def processes(workers: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes that leave Ctrl-C to their parent.

    A document that ends its process does not end the command.
    """
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_depend_on_parent)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _depend_on_parent() -> None:
    """Let the parent end the work: Ctrl-C reaches every process of a terminal, and a kill none but the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
