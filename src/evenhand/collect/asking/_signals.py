"""Lets a collection end in order when somebody stops the process."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

__all__ = ["FromOutside", "stopping_signals"]

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class FromOutside:
    """Stops a coroutine that runs on the loop of another thread, when the main thread gets a signal.

    What the coroutine itself does on a signal (`stopping_signals`) is done then; until it has said so, it is cancelled.
    """

    def __init__(self) -> None:
        self.cancelled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], Any] | None = None

    async def heeded(self, main: Coroutine[Any, Any, T]) -> T:
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
    def heard(self) -> Iterator[None]:
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

    Ignored signals stay ignored. In a thread beside the main one, signals come from
    outside or, where nobody hands them on, not at all.
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
