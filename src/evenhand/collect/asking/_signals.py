"""Lets a collection end in order when somebody stops the process."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["stopping_signals"]


@contextmanager
def stopping_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on SIGINT and SIGTERM within the block; earlier handlers return after it.

    Ignored signals stay ignored. Outside the main thread nothing is changed.
    """
    loop = asyncio.get_running_loop()
    previous = {}
    for name in (signal.SIGINT, signal.SIGTERM):
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
