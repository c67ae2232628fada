"""Requests that are answered together: gathered into chunks, each handed on at once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from evenhand.models.model import Answer, Failure, Request

__all__ = ["Gathering", "asked_in_halves"]

#: Returns an answer per request, or why there is none, in their order; raises what concerns all of them.
Together = Callable[[Sequence[Request]], Awaitable[Sequence[Answer | Failure]]]

# Turns of the event loop without a new request after which a chunk is begun with those that wait. Turns are
# counted, not time: which requests are answered together must not depend on how fast the machine is.
_QUIET_TURNS = 16


@dataclass(frozen=True, slots=True)
class _Waiting:
    request: Request
    answer: "asyncio.Future[Answer]"


class Gathering:
    """Gathers requests into chunks of `most`, or of all that wait when no more come; an async context manager.

    Requests of a chunk have the same `alike`. At most `at_once` chunks are under way.
    """

    def __init__(
        self, together: Together, *, most: int, at_once: int = 1, alike: Callable[[Request], Hashable] | None = None
    ) -> None:
        self._together = together
        self._most = most
        self._free = asyncio.Semaphore(at_once)
        self._alike = alike
        self._waiting: list[_Waiting] = []
        self._arrived = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._under_way: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._serving = asyncio.create_task(self._serve())
        return self

    async def __aexit__(self, *error: object) -> None:
        tasks = [*self._under_way, *([self._serving] if self._serving is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._serving = None

    async def answer(self, request: Request) -> Answer:
        """Return the answer to a request, given together with those that wait beside it.

        Raises
        ------
        Failure
            No answer came; `kind` says whether to ask again.
        """
        assert self._serving is not None, "requests are gathered inside 'async with'"
        waiting = _Waiting(request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._arrived.set()
        return await waiting.answer

    async def _serve(self) -> None:
        """Hand on chunk after chunk until the task is cancelled."""
        while True:
            await self._free.acquire()
            chunk: list[_Waiting] = []
            while not chunk:
                await self._arrived.wait()
                await self._gathered()
                chunk = self._next_chunk()
                if not chunk:
                    self._arrived.clear()
            task = asyncio.create_task(self._answered(chunk))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _gathered(self) -> None:
        """Return when a chunk is full, or when no more requests come."""
        quiet, seen = 0, len(self._waiting)
        while len(self._waiting) < self._most and quiet < _QUIET_TURNS:
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == seen else 0
            seen = len(self._waiting)

    def _next_chunk(self) -> list[_Waiting]:
        """Take the requests of the next chunk, all alike."""
        asked = [waiting for waiting in self._waiting if not waiting.answer.done()]
        alike = asked
        if self._alike is not None and asked:
            first = self._alike(asked[0].request)
            alike = [waiting for waiting in asked if self._alike(waiting.request) == first]
        chunk = alike[: self._most]
        taken = {id(waiting) for waiting in chunk}
        self._waiting = [waiting for waiting in asked if id(waiting) not in taken]
        return chunk

    async def _answered(self, chunk: Sequence[_Waiting]) -> None:
        """Give each request of a chunk its answer, or the reason why there is none."""
        try:
            answers = await self._together([waiting.request for waiting in chunk])
            for waiting, answer in zip(chunk, answers, strict=True):
                with suppress(asyncio.InvalidStateError):  # whoever waited may have given up
                    if isinstance(answer, Answer):
                        waiting.answer.set_result(answer)
                    else:
                        waiting.answer.set_exception(answer)
        except Exception as error:  # noqa: BLE001 - whoever waits for an answer raises it
            for waiting in chunk:
                if not waiting.answer.done():
                    waiting.answer.set_exception(_again(error) if isinstance(error, Failure) else error)
        finally:
            self._free.release()


async def asked_in_halves(together: Together, requests: Sequence[Request]) -> list[Answer | Failure]:
    """Return the answers to requests that are asked together; where that fails for good, each half is asked alone.

    So one request that can't be answered does not take its neighbours with it.
    """
    try:
        return list(await together(requests))
    except Failure as failure:
        if failure.kind != "final" or len(requests) == 1:
            return [_again(failure) for _ in requests]
    middle = len(requests) // 2
    halves = [await asked_in_halves(together, half) for half in (requests[:middle], requests[middle:])]
    return halves[0] + halves[1]


def _again(failure: Failure) -> Failure:
    """Return a failure like another one: each request raises its own."""
    return Failure(
        failure.kind,
        failure.error_class,
        str(failure),
        retry_after=failure.retry_after,
        refused=failure.refused,
        told=failure.told,
    )
