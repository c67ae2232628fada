"""The event loop that collecting runs on."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from evenhand.collect.asking._signals import FromOutside

try:
    import uvloop
except ImportError:  # no wheel for this platform; asyncio's own loop does the same work with more CPU
    _new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    _new_loop = uvloop.new_event_loop

__all__ = ["run"]

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
    with outside.heard(), ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(copy_context().run, _alone, outside.heeded(main)).result()
        except asyncio.CancelledError:
            if outside.cancelled:
                raise KeyboardInterrupt from None
            raise


def _alone(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(main)
