"""What guards the server: ends of slow connections, limits of guesses at the token, and lines of JSON about both."""

import math
import sys
import time
from asyncio import TimerHandle, Transport
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Any, Final

import h11
import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from evenhand.monitoring.store import store_now, utc_text
from evenhand.results.files import append_line

#: Bytes a second that a body has to bring at least, after its first seconds.
_SLOWEST: Final = 1_000


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 that waits `timeout_keep_alive` seconds for a request's headers, and as long for its body to begin.

    uvicorn's timeout is for the time between requests only, and every byte ends it. A body may take longer as it
    brings bytes, `_SLOWEST` a second.
    """

    _waiting_for: Any = None
    _end: TimerHandle | None = None
    _since = 0.0
    _received = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for headers."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take bytes."""
        self._received += len(data)
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        state = self.conn.their_state
        if state is self._waiting_for:
            return
        self._stop()
        if state in {h11.IDLE, h11.SEND_BODY} and not self.transport.is_closing():
            self._waiting_for, self._since, self._received = state, self.loop.time(), 0
            self._end = self.loop.call_later(self.config.timeout_keep_alive, self._close_if_slow)

    def _stop(self) -> None:
        self._waiting_for = None
        if self._end is not None:
            self._end.cancel()

    def _close_if_slow(self) -> None:
        left = 0.0
        if self._waiting_for is h11.SEND_BODY:
            left = self._since + self.config.timeout_keep_alive + self._received / _SLOWEST - self.loop.time()
            if self.flow.read_paused:  # it is this server that does not read
                left = max(left, self.config.timeout_keep_alive)
        if left > 0:
            self._end = self.loop.call_later(left, self._close_if_slow)
        else:
            self.transport.close()


@dataclass(frozen=True, kw_only=True)
class _Limit:
    """So many failures at once, and then one in so many `seconds`."""

    at_once: int
    seconds: float

    def wait(self, until: float, now: float) -> float:
        """Return the seconds to wait, where failures so far count until that time."""
        return max(until - now - (self.at_once - 1) * self.seconds, 0.0)

    def failed(self, until: float, now: float) -> float:
        """Return until when failures count after another one."""
        return max(until, now) + self.seconds


_OF_AN_ADDRESS: Final = _Limit(at_once=5, seconds=60)
_IN_ALL: Final = _Limit(at_once=50, seconds=2)
#: Addresses that are remembered at most.
_MOST: Final = 1_024


@dataclass(kw_only=True)
class Throttle:
    """Limits guesses at the token, by address and in all; addresses that gave the token are limited by their own alone.

    A network of IPv6 (/64) is one address. Nobody who is signed in is kept waiting.

    >>> throttle = Throttle(clock=lambda: 0.0)
    >>> for _ in range(5):
    ...     throttle.failed("192.0.2.1")
    >>> throttle.wait("192.0.2.1"), throttle.wait("192.0.2.2")
    (60.0, 0.0)
    """

    clock: Callable[[], float] = time.monotonic
    in_all: float = -math.inf
    failures: dict[str, float] = field(default_factory=dict)
    known: dict[str, None] = field(default_factory=dict)

    def wait(self, address: str) -> float:
        """Return the seconds for which guesses of an address are refused, 0 where they are not."""
        network, now = _network(address), self.clock()
        wait = _OF_AN_ADDRESS.wait(self.failures.get(network, -math.inf), now)
        return wait if network in self.known else max(wait, _IN_ALL.wait(self.in_all, now))

    def failed(self, address: str) -> None:
        """Count a wrong token."""
        network, now = _network(address), self.clock()
        self.in_all = _IN_ALL.failed(self.in_all, now)
        until = _OF_AN_ADDRESS.failed(self.failures.get(network, -math.inf), now)
        self.failures = {other: end for other, end in self.failures.items() if end > now} | {network: until}
        if len(self.failures) > _MOST:
            del self.failures[min(self.failures, key=self.failures.__getitem__)]

    def succeeded(self, address: str) -> None:
        """Remember an address that gave the token."""
        self.known[_network(address)] = None
        if len(self.known) > _MOST:
            del self.known[next(iter(self.known))]


def _network(address: str) -> str:
    """Return the address, of IPv6 the network of one customer.

    >>> _network("2001:db8::1") == _network("2001:db8::2"), _network("192.0.2.1")
    (True, '192.0.2.1')
    """
    with suppress(ValueError):
        parsed = ip_address(address)
        if isinstance(parsed, IPv6Address):
            return parsed.exploded[:19]
    return address


STDERR: Final = Path("-")


@dataclass(frozen=True, kw_only=True)
class Log:
    """Lines of JSON: wrong tokens and failures, and with `path` (`-` is stderr) every request.

    The file is opened for every line, so that it can be rotated. What can't be written is left out: pages are shown.
    """

    path: Path | None = None

    def write(self, event: str, **more: Any) -> None:
        """Write a line with its time."""
        entry = {"time": utc_text(store_now()), "event": event, **more}
        line = orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE)
        with suppress(OSError):
            if self.path is None or self.path == STDERR:
                sys.stderr.write(line.decode())
                sys.stderr.flush()
            else:
                append_line(self.path, line, sync=False)


class RequestLog:
    """Middleware that logs every request, without its query."""

    def __init__(self, app: ASGIApp, log: Log) -> None:
        self.app, self.log = app, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log what became of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500  # what the server answers for an exception
        state = scope.setdefault("state", {})

        async def sent(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            visitor = state.get("visitor")
            self.log.write(
                "request",
                address=client_address(scope),
                visitor=None if visitor is None else visitor.name,
                role=None if visitor is None else visitor.role,
                method=scope["method"],
                path=scope["path"],
                status=status,
                ms=round((time.perf_counter() - start) * 1000, 1),
            )


def client_address(scope: Scope) -> str:
    """Return the address of the sender: that of a proxy, or the one that a proxy of --proxy names."""
    return str((scope.get("client") or ("",))[0])
