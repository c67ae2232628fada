"""The event loop that collecting runs on."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

try:
    import uvloop
except ImportError:  # no wheel for this platform; asyncio's own loop does the same work with more CPU
    _new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    _new_loop = uvloop.new_event_loop

__all__ = ["run"]

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns, run on uvloop where it exists."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(main)
