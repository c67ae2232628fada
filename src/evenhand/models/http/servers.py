"""Several servers of one model: who is asked next, and who is left alone for a while."""

import time
from collections.abc import Awaitable, Callable, Sequence

from yarl import URL

from evenhand.models.model import Answer, Failure

__all__ = ["Server", "Servers"]

# Failures in a row after which a server is left alone.
_FAILING_AFTER = 3
# Seconds of the first rest; each further one is twice as long.
_FIRST_REST = 2.0
_LONGEST_REST = 120.0
# Seconds after a refusal in which other servers come first; each further one in a row is twice as long.
_BUSY_REST = 1.0
_LONGEST_BUSY_REST = 30.0


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
        self.refusals = 0
        self.rests = 0
        self.rests_until = float("-inf")

    def is_free(self, now: float) -> bool:
        """Return whether it may be asked; one that comes back from failing is tried with one request first."""
        return now >= self.rests_until and not (self.rests and self.in_flight)


class _Tried:
    """The servers that failed at one request, and the failure that is told when all have.

    `not_before` are the times that servers named for it: it does not go there any sooner.
    """

    def __init__(self) -> None:
        self.servers: list[Server] = []
        self.failure: Failure | None = None
        self.not_before: dict[Server, float] = {}

    def again(self) -> None:
        """Begin another round of all servers."""
        self.servers.clear()
        self.failure = None

    def add(self, server: Server, failure: Failure, now: float) -> None:
        self.servers.append(server)
        self.not_before.pop(server, None)
        if failure.retry_after is not None:
            self.not_before[server] = now + failure.retry_after
        # What may pass weighs more than what ends the run: the other servers still serve.
        if self.failure is None or self.failure.kind == "fatal":
            self.failure = failure


class Servers:
    """Gives each request to the server with the fewest in flight, and to another when that fails.

    A server that fails three times in a row, can't be reached or refuses to serve is
    left alone for a while; after a refusal others come first, and the request itself goes
    there no sooner than was named. Only when all have failed does the request fail.
    `tell` hears, once per server, that it is left alone.

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
        server = self._next(tried)
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
            tried.add(server, failure, self._clock())
            self._open[name] = tried
            if self._others(tried):
                raise Failure("elsewhere", failure.error_class, str(failure)) from None
            assert tried.failure is not None
            last = self._of_all(tried, tried.failure)
            if last.kind == "retry" and tried.not_before:
                tried.again()
            else:
                self._open.pop(name, None)
            raise last from None
        else:
            self._is_well(server)
            self._open.pop(name, None)
            return answer
        finally:
            server.in_flight -= 1

    def _others(self, tried: _Tried) -> list[Server]:
        """Return the servers that have not been asked in this round, and may be."""
        now = self._clock()
        left = [server for server in self.all if server not in tried.servers]
        return [server for server in left if now >= tried.not_before.get(server, now)]

    def _next(self, tried: _Tried) -> Server:
        """Return the freest server that was not tried; one at rest only where no other is left."""
        now = self._clock()
        rest = self._others(tried)
        if not rest:
            # It comes sooner than was named, as clocks differ by a little.
            return min(self.all, key=lambda server: tried.not_before.get(server, now))
        free = [server for server in rest if server.is_free(now)]
        if free:
            return min(free, key=lambda server: (server.in_flight, server.turn))
        # Before a request fails for good, servers at rest are asked as well.
        return min(rest, key=lambda server: (server.rests_until, server.in_flight))

    def _is_well(self, server: Server) -> None:
        server.failures = server.rests = server.refusals = 0
        server.rests_until = float("-inf")

    def _failed(self, server: Server, failure: Failure) -> None:
        now = self._clock()
        if failure.refused:
            longest = _LONGEST_BUSY_REST if failure.retry_after is None else failure.retry_after
            wait = min(longest, _BUSY_REST * 2.0 ** min(server.refusals, 16))
            server.refusals += 1
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

    def _of_all(self, tried: _Tried, failure: Failure) -> Failure:
        """Return the failure with the wait after which the first server may be asked for this again."""
        if len(tried.not_before) < len(self.all):
            wait = None  # one that named no time
        else:
            wait = max(0.0, min(tried.not_before.values()) - self._clock())
        if wait == failure.retry_after:
            return failure
        return Failure(failure.kind, failure.error_class, str(failure), retry_after=wait, refused=failure.refused)


def _nobody(line: str) -> None:
    """Hear nothing."""
