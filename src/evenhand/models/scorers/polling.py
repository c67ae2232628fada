"""Waiting for a score that a service works out after it has answered."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from yarl import URL

from evenhand.models.model import Failure
from evenhand.models.scorers.pointers import Nothing, Pointer, value_at
from evenhand.models.scorers.request_form import Polling

__all__ = ["awaited"]

_GROWTH = 1.5
_LONGEST = 30.0


async def awaited(
    poll: Polling,
    document: Any,
    location: str | None,
    *,
    url: URL,
    get: Callable[[URL], Awaitable[Any]],
    sleep: Callable[[float], Awaitable[Any]],
    clock: Callable[[], float] = time.monotonic,
) -> Any:
    """Return the document that holds the score, after looking at the status again and again.

    `document` and `location` are what came back from `url` at first. The waits grow from `every` to 30 seconds; a
    service that is busy meanwhile is waited for.

    Raises
    ------
    Failure
        The service says that it failed, does not come to an end, or names a status that is not its own.
    """
    where = str(url.origin())
    begun, wait = clock(), poll.every
    status: URL | None = None
    while not _holds(document, poll.until):
        if _holds_one(document, poll.failed):
            raise Failure("final", "failed", f"{where} says that scoring failed.")
        if status is None:
            status = _status_address(poll, document, location, url=url)
        if clock() - begun + wait > poll.within:
            raise Failure("retry", "timeout", f"{where} came to no score within {poll.within:g} s (poll: within).")
        await sleep(wait)
        wait = min(_LONGEST, wait * _GROWTH)
        try:
            document = await get(status)
        except Failure as failure:
            if failure.kind != "retry":
                raise
            wait = max(wait, failure.retry_after or 0.0)
    if poll.result is None:
        return document
    return await get(_own_address(_found(document, poll.result, "the result", where), url=url))


def _holds(document: Any, wanted: Mapping[Pointer, Sequence[Any]]) -> bool:
    return all(_is_one(document, pointer, values) for pointer, values in wanted.items())


def _holds_one(document: Any, wanted: Mapping[Pointer, Sequence[Any]]) -> bool:
    return any(_is_one(document, pointer, values) for pointer, values in wanted.items())


def _is_one(document: Any, pointer: Pointer, values: Sequence[Any]) -> bool:
    try:
        found = value_at(document, pointer)
    except Nothing:
        return False
    return any(found == value and isinstance(found, bool) == isinstance(value, bool) for value in values)


def _status_address(poll: Polling, document: Any, location: str | None, *, url: URL) -> URL:
    where = str(url.origin())
    if poll.status is not None:
        return _own_address(_found(document, poll.status, "the status", where), url=url)
    if not location:
        message = f"{where} named no Location of the status; say where it stands in the answer with poll: status."
        raise Failure("fatal", "no_status", message)
    return _own_address(location, url=url)


def _found(document: Any, pointer: Pointer, what: str, where: str) -> str:
    at = "/" + "/".join(pointer)
    try:
        found = value_at(document, pointer)
    except Nothing as nothing:
        message = f"{where} answered, and no address of {what} stands at {at}: {nothing}."
        raise Failure("fatal", "no_status", message) from None
    if not isinstance(found, str):
        raise Failure("fatal", "no_status", f"{where} answered, and at {at} stands no address of {what}.")
    return found


def _own_address(text: str, *, url: URL) -> URL:
    """Return an address of the same service: the keys would go to any other as well."""
    try:
        found = url.with_query(None).join(URL(text))
        own = found.origin() == url.origin()
    except ValueError:
        own = False
    if not own:
        message = f"{url.origin()} names a status at another address than its own; headers are not sent there."
        raise Failure("fatal", "redirect", message)
    return found if found.query or not url.query else found.with_query(url.query)
