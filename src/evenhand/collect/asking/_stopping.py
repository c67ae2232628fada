"""How a collection ends before everything is answered: for one reason, and its waits end with it."""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Any, Literal

from evenhand.collect.asking._signals import stopping_signals

__all__ = ["GRACE", "Stopped", "Stopping"]

#: Seconds that requests in flight get when a collection stops early.
GRACE = 5.0

Stopped = Literal["fatal", "gone", "enough", "max-requests", "max-cost", "interrupted"]

# Nothing is wrong then, and what is in flight is paid for.
_UNHURRIED = frozenset({"max-requests", "max-cost", "enough"})


class Stopping:
    """Why a collection stops, None while it goes on; the first SIGINT or SIGTERM is a reason, too.

    `interrupted` is what is said then. The first reason counts, but a fatal one replaces
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
