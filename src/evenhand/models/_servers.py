"""Several servers of one model: who is asked next, and who is left alone for a while."""

import time
from collections.abc import Awaitable, Callable, Sequence

from yarl import URL

from evenhand.models._model import Answer, Failure

__all__ = ["Server", "Servers"]

# Failures in a row after which a server is left alone.
_FAILING_AFTER = 3
# Seconds of the first rest; each further one is twice as long.
_FIRST_REST = 2.0
_LONGEST_REST = 120.0
# A busy server that names no time.
_BUSY_REST = 1.0


class Server:
    """One address, and how it has been doing."""

    def __init__(self, url: URL) -> None:
        self.url = url
        #: The address as messages show it.
        self.where = str(url.origin())
        #: Parameters that this server takes by another name.
        self.renamed: set[str] = set()
        self.in_flight = 0
        #: The number of the request that it got last; of equals the one that waited longest is next.
        self.turn = 0
        self.failures = 0
        self.rests = 0
        self.rests_until = float("-inf")

    def is_free(self, now: float) -> bool:
        """Return whether it may be asked; one that comes back from failing is tried with one request first."""
        return now >= self.rests_until and not (self.rests and self.in_flight)


class _Tried:
    """The servers that failed at one request, and the failure that is told when all have."""

    def __init__(self) -> None:
        self.servers: list[Server] = []
        self.failure: Failure | None = None

    def add(self, server: Server, failure: Failure) -> None:
        self.servers.append(server)
        # What may pass weighs more than what ends the run: the other servers still serve.
        if self.failure is None or self.failure.kind == "fatal":
            self.failure = failure


class Servers:
    """Gives each request to the server with the fewest in flight, and to another when that fails.

    A server that fails three times in a row, can't be reached or refuses to serve is
    left alone for a while; a busy one for as long as it asks. Only when all have failed
    does the request fail. `tell` hears, once per server, that it is left alone.

    One call is one try at one server: whoever counts or limits requests sees each of them.
    """

    def __init__(self, urls: Sequence[URL], *, clock: Callable[[], float] = time.monotonic) -> None:
        self.all = tuple(Server(url) for url in urls)
        self.tell: Callable[[str], None] = _nobody
        self._clock = clock
        self._told: set[Server] = set()
        self._turn = 0
        # Requests that some servers failed at, and that the others have not been asked yet.
        self._open: dict[str, _Tried] = {}

    @property
    def is_single(self) -> bool:
        """Return whether there is one server, so that what it says of its limits is true of the whole run."""
        return len(self.all) == 1

    async def answer(self, name: str, ask: Callable[[Server], Awaitable[Answer]]) -> Answer:
        """Return what one server gives to `ask`; `name` tells requests apart.

        Raises
        ------
        Failure
            of the only server, or of all that were tried; with the kind `elsewhere` of
            one server, while another has not been asked for this.
        """
        if self.is_single:
            return await ask(self.all[0])
        tried = self._open.get(name) or _Tried()
        server = self._next(tried.servers)
        server.in_flight += 1
        self._turn += 1
        server.turn = self._turn
        try:
            answer = await ask(server)
        except Failure as failure:
            if failure.kind == "adapted":
                self._is_well(server)
                raise
            if failure.kind == "final" or failure.error_class == "empty":
                self._is_well(server)
                self._open.pop(name, None)
                raise
            self._failed(server, failure)
            tried.add(server, failure)
            if len(tried.servers) < len(self.all):
                self._open[name] = tried
                raise Failure("elsewhere", failure.error_class, str(failure)) from None
            self._open.pop(name, None)
            assert tried.failure is not None
            raise self._of_all(tried.failure) from None
        else:
            self._is_well(server)
            self._open.pop(name, None)
            return answer
        finally:
            server.in_flight -= 1

    def _next(self, tried: Sequence[Server]) -> Server:
        """Return the freest server that was not tried; one at rest only where no other is left."""
        now = self._clock()
        rest = [server for server in self.all if server not in tried]
        free = [server for server in rest if server.is_free(now)]
        if free:
            return min(free, key=lambda server: (server.in_flight, server.turn))
        # Before a request fails for good, servers at rest are asked as well.
        return min(rest, key=lambda server: (server.rests_until, server.in_flight))

    def _is_well(self, server: Server) -> None:
        server.failures = server.rests = 0
        server.rests_until = float("-inf")

    def _failed(self, server: Server, failure: Failure) -> None:
        now = self._clock()
        if failure.error_class == "rate_limit":
            wait = _BUSY_REST if failure.retry_after is None else min(failure.retry_after, _LONGEST_REST)
            server.rests_until = max(server.rests_until, now + wait)
            return
        server.failures += 1
        if server.failures < _FAILING_AFTER and failure.kind == "retry":
            return
        if now < server.rests_until:
            return
        wait = failure.retry_after if failure.retry_after is not None else _FIRST_REST * 2.0**server.rests
        server.rests = min(server.rests + 1, 16)
        server.rests_until = now + min(wait, _LONGEST_REST)
        if server not in self._told:
            self._told.add(server)
            self.tell(f"{server.where} is left alone for a while and the others are asked. {failure}")

    def _of_all(self, failure: Failure) -> Failure:
        """Return the failure with the wait after which the first server is back."""
        if failure.retry_after is None:
            return failure
        wait = max(0.0, min(server.rests_until for server in self.all) - self._clock())
        return Failure(failure.kind, failure.error_class, str(failure), retry_after=wait, refused=failure.refused)


def _nobody(line: str) -> None:
    """Hear nothing."""
