"""Calls to a provider of batches, tried again while there is hope."""

from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from evenhand.collect.asking._stopping import Stopped, Stopping
from evenhand.collect.asking.retries import FIRST_CONTACT_TRIES, Backoff, Patience
from evenhand.collect.collected import Tally
from evenhand.models.model import Failure

__all__ = ["Calls", "Ended"]

T = TypeVar("T")


class Ended(Exception):
    """The collection is stopped; its `Stopping` knows why."""


class Calls:
    """The calls of one collection; every wait and every try ends with it, by raising `Ended`."""

    def __init__(
        self, stopping: Stopping, tally: Tally, *, patience: Patience, sleep: Callable[[float], Awaitable[Any]]
    ) -> None:
        self.patience = patience
        self._stopping = stopping
        self._tally = tally
        self._sleep = sleep
        self._backoff = Backoff(first=patience.first, longest=patience.longest)
        # Jitter must differ between processes; nothing that is measured depends on it.
        self._rng = np.random.default_rng()
        self._contact = False

    async def patiently(self, call: Callable[[], Awaitable[T]], *, fatal: bool = True) -> T:
        """Return what `call` returns, tried again while there is hope.

        With `fatal` a failure that trying again does not mend ends the collection, else
        it is raised.
        """
        failures = 0
        while True:
            if self._stopping.reason is not None:
                raise Ended
            try:
                result = await call()
            except Failure as failure:
                if failure.kind in {"fatal", "final"} and not fatal:
                    raise
                failures += 1
                await self.wait_after(failure, failures)
            else:
                self._contact = True
                return result

    async def wait_after(self, failure: Failure, failures: int) -> None:
        """Wait before the next try, or end the collection where there is no hope."""
        if failure.kind in {"fatal", "final"}:
            self.end("fatal", str(failure))
        if failures >= self._most_tries(failure):
            self.end("gone", str(failure))
        self._tally.retries += 1
        await self.pause(self._backoff.delay(failures, named=failure.retry_after, rng=self._rng))

    async def pause(self, seconds: float) -> None:
        """Wait, but not longer than the collection goes on."""
        await self._stopping.unless_stopped(self._sleep(seconds))
        if self._stopping.reason is not None:
            raise Ended

    def end(self, reason: Stopped, message: str) -> NoReturn:
        """Stop, and leave the work where it stands; an earlier reason counts."""
        if self._stopping.reason is None:
            self._stopping.stop(reason, message)
        raise Ended

    def _most_tries(self, failure: Failure) -> int:
        if failure.kind == "unreachable" and not self._contact:
            return min(FIRST_CONTACT_TRIES, self.patience.tries)
        return self.patience.tries
