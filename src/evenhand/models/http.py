"""A model behind HTTP, on one server or several that share the requests."""

import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self
from urllib.parse import urlsplit

import orjson
from yarl import URL

from evenhand.errors import InputError, option_text
from evenhand.models import http_errors
from evenhand.models.dialects import Dialect
from evenhand.models.http_client import LARGEST_BODY, Connection, Reply, as_cut, cut_json, endpoint, is_loopback
from evenhand.models.model import Adaptation, Answer, BatchAccess, Failure, Generation, Request
from evenhand.patterns import lazy_re
from evenhand.results.messages import public_url

#: How servers that have no structured output, or not this schema, call it when they reject a request.
_ABOUT_SCHEMA = lazy_re(rb"(?i)schema|response.?format|output.?config|structured")
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
        """Return whether it may get a request; one that has been failing gets a single request first."""
        return now >= self.rests_until and not (self.rests and self.in_flight)


class _Tried:
    """The servers that failed at one request, and the failure to raise when all have.

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
    `tell` is called, once per server, when it is left alone.

    One call is one try at one server: whatever counts or limits requests sees each try.
    """

    def __init__(self, urls: Sequence[URL], *, clock: Callable[[], float] = time.monotonic) -> None:
        self.all = tuple(Server(url) for url in urls)
        self.tell: Callable[[str], None] = _ignore
        self._clock = clock
        self._announced: set[Server] = set()
        self._turn = 0
        # Requests that some servers failed at, while others have not been tried yet.
        self._open: dict[str, _Tried] = {}

    @property
    def is_single(self) -> bool:
        """Return whether there is one server, so that its reported limits hold for the whole run."""
        return len(self.all) == 1

    async def answer(self, name: str, ask: Callable[[Server], Awaitable[Answer]]) -> Answer:
        """Return what one server gives to `ask`; `name` identifies the request.

        Raises
        ------
        Failure
            of the only server, or of all that were tried; with the kind `elsewhere` of
            one server, while another has not been tried.
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
            if failure.kind == "final":
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
        """Return the servers that were not tried in this round, and may be."""
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
        # Before a request fails for good, servers at rest are tried as well.
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
        if server not in self._announced:
            self._announced.add(server)
            self.tell(f"{server.where} gets no requests for a while; the others get them. {failure}")

    def _of_all(self, tried: _Tried, failure: Failure) -> Failure:
        """Return the failure with the wait after which the first server may be tried again."""
        if len(tried.not_before) < len(self.all):
            wait = None  # one that named no time
        else:
            wait = max(0.0, min(tried.not_before.values()) - self._clock())
        if wait == failure.retry_after:
            return failure
        return Failure(failure.kind, failure.error_class, str(failure), retry_after=wait, refused=failure.refused)


def _ignore(line: str) -> None:
    """Do nothing with a line."""


DEFAULT_TIMEOUT = 120.0
DEFAULT_CONCURRENCY = 16
_MOST_KNOWN = 256


@dataclass(frozen=True, slots=True)
class _Sent:
    """Parameters of one request: their values, the names that they go by, and the values by those names."""

    values: Mapping[str, Any]
    names: Mapping[str, str]
    parameters: Mapping[str, Any]


class HttpModel:
    """Asks one or more servers of one model; use it as an async context manager.

    Addresses include the version (`…/v1`); without any, the provider's own is used.
    `key` goes to each of them, or nowhere where it is None; it is in no message and no
    answer that leaves this object. `timeout` is for a whole request in seconds,
    `concurrency` bounds the connections.

    Raises
    ------
    InputError
        the model has no name, or an address is no HTTP address.
    """

    simulated = False

    def __init__(
        self,
        model: str,
        *,
        dialect: Dialect,
        base_urls: Sequence[str] = (),
        key: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> None:
        if not model.strip():
            raise InputError(f"The model '{dialect.scheme}:' has no name; expected for instance {dialect.example}.")
        self.name = f"{dialect.scheme}:{model}"
        self._model = model
        self._dialect = dialect
        addresses = base_urls or (dialect.base_url,)
        urls = [endpoint(address, dialect.path, key_variable=dialect.key_variable) for address in addresses]
        if key and (key in model or any(key in str(url) for url in urls)):
            raise InputError(
                f"The key in {dialect.key_variable} is also in --model or --base-url, which are kept on disk."
            )
        self._servers = Servers(list(dict.fromkeys(urls)))
        plain = [url for url in dict.fromkeys(urls) if url.scheme == "http" and not is_loopback(url.host or "")]
        self._unencrypted = [str(url.origin()) for url in plain] if key else []
        headers = {**dialect.headers, **(dialect.key_headers(key) if key else {})}
        self._connection = Connection(
            headers=headers, keys=() if key is None else (key,), timeout=timeout, limit=concurrency
        )
        self._headers, self._key, self._timeout = headers, key, timeout
        self._adaptations = http_errors.Adaptations()
        # By generation, seed and server; emptied when something is learned of what a server takes.
        self._known: dict[tuple[Generation, int | None, Server], _Sent] = {}
        self._tell: Callable[[str], None] = _ignore

    @property
    def adaptations(self) -> tuple[Adaptation, ...]:
        """Return how requests differ from the user's parameters, as learned so far."""
        return tuple(self._adaptations.all)

    @property
    def scheme(self) -> str:
        """Return the name of the dialect."""
        return self._dialect.scheme

    def batch_access(self) -> BatchAccess:
        """Return what asking the first server by batches takes."""
        url = str(self._servers.all[0].url)
        return BatchAccess(
            base=URL(url.removesuffix(self._dialect.path)),
            headers=self._headers,
            key=self._key,
            key_variable=self._dialect.key_variable,
            timeout=self._timeout,
            body=self._body,
            answer=self._dialect.answer,
            parameters=self._parameters,
            adapts=self._adapts,
        )

    def told_to(self, tell: Callable[[str], None]) -> None:
        """Call `tell` with one line for each adaptation and each server that is left alone."""
        self._tell = self._servers.tell = tell
        for address in self._unencrypted:
            tell(f"The key goes to {address} unencrypted: everybody on the way can read it.")

    def leave_out(self, adaptations: Iterable[Adaptation], *, answered: bool = False) -> None:
        """Leave out from the beginning what an earlier part of the run left out; `answered` if it has answers."""
        self._known.clear()
        self._adaptations.resume(adaptations)
        self._adaptations.answered = answered

    async def __aenter__(self) -> Self:
        await self._connection.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._connection.__aexit__(*error)

    async def answer(self, request: Request) -> Answer:
        """Return the model's answer to one prompt, sent once to one server.

        What is learned of a parameter that a server does not take, or takes by another
        name, holds for all later requests.

        Raises
        ------
        Failure
            no answer came; `kind` says whether to ask again, and is `adapted` where the
            next request leaves out or renames what this one was refused for, and
            `elsewhere` where the next one goes to another server.
        """
        if self._servers.is_single:
            return await self._ask(self._servers.all[0], request)
        return await self._servers.answer(request.id, lambda server: self._ask(server, request))

    async def _ask(self, server: Server, request: Request) -> Answer:
        sent = self._sent(request, server)
        payload = orjson.dumps(self._of(request, sent))
        reply = await self._connection.post(server.url, payload, where=server.where)
        try:
            answer = self._read(reply, server)
        except Failure as failure:
            failure.args = (self._connection.without_key(str(failure)),)
            if failure.error_class == "rejected" and self._adapt(server, failure, reply.body, sent):
                failure.kind = "adapted"
            elif failure.error_class == "rejected" and request.schema and _ABOUT_SCHEMA.search(reply.body):
                failure.kind = "fatal"
                failure.args = (f"{failure} Leave out {option_text('structured')}, or ask a model that has it.",)
            raise
        self._adaptations.answered = True
        return answer

    def _body(self, request: Request) -> dict[str, Any]:
        """Return what is sent for one prompt, by all that is known of what the first server takes."""
        return self._of(request, self._sent(request, self._servers.all[0]))

    def _of(self, request: Request, sent: "_Sent") -> dict[str, Any]:
        structured = {} if request.schema is None else self._dialect.structured(orjson.loads(request.schema))
        return self._dialect.body(self._model, request.messages, {**sent.parameters, **structured})

    def _parameters(self, request: Request) -> frozenset[str]:
        """Return the parameters in the body of a request, by the names that they are sent with."""
        return frozenset(self._sent(request, self._servers.all[0]).parameters)

    def _adapts(self, request: Request, failure: Failure, body: bytes, before: frozenset[str]) -> bool:
        """Learn from a rejection of what was sent with the parameters `before`; return whether it would differ now."""
        server = self._servers.all[0]
        self._adapt(server, failure, body, self._sent(request, server))
        return not self._parameters(request).issuperset(http_errors.refused_parameters(body, before))

    def _sent(self, request: Request, server: Server) -> "_Sent":
        """Return the parameters that a server is sent; nearly all requests of a run have the same."""
        key = (request.generation, request.seed, server)
        sent = self._known.get(key)
        if sent is None:
            values = self._adaptations.taken(self._requested(request))
            names = {name: self._dialect.other_names[name] if name in server.renamed else name for name in values}
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            sent = self._known[key] = _Sent(values, names, {names[name]: value for name, value in values.items()})
        return sent

    def _requested(self, request: Request) -> dict[str, Any]:
        """Return the request's parameters that the protocol has, and those that it requires."""
        parameters = http_errors.requested_parameters(request)
        dialect = self._dialect
        for name in sorted(dialect.lacks & parameters.keys()):
            value = parameters.pop(name)
            # Protocols without seeds are known to have none, and none was promised.
            if name != "seed":
                reason = f"{dialect.protocol} has no such parameter."
                self._adaptations.leave_out(name, value, reason=reason, tell=self._tell)
        for name, default in dialect.defaults.items():
            if name not in parameters:
                parameters[name] = default
                reason = f"{dialect.protocol} requires it."
                self._adaptations.note(name, None, sent=default, reason=reason, tell=self._tell)
        return parameters

    def _adapt(self, server: Server, failure: Failure, body: bytes, sent: "_Sent") -> bool:
        """Learn which parameters a rejection is about; return whether to ask again."""
        refused = http_errors.refused_parameters(body, sent.names.values())
        self._known.clear()
        adapted = False
        for name, by in sent.names.items():
            if by not in refused:
                continue
            reason = str(failure)
            if name not in self._dialect.other_names:
                self._adaptations.leave_out(name, sent.values[name], reason=reason, tell=self._tell)
                adapted = True
            elif by == name:
                other = self._dialect.other_names[name]
                server.renamed.add(name)
                self._adaptations.note(name, sent.values[name], sent=other, reason=reason, tell=self._tell)
                adapted = True
        return adapted

    def _read(self, reply: Reply, server: Server) -> Answer:
        if not 200 <= reply.status < 300:
            key = self._dialect.key_variable
            raise http_errors.read_failure(
                reply.status, reply.headers, reply.body, where=server.where, key_variable=key
            )
        answer = self._dialect.read(reply.body, where=server.where) if reply.whole else self._cut(reply, server)
        limits = http_errors.reported_limits(reply.headers, now=datetime.now(UTC)) if self._servers.is_single else ()
        if limits:
            answer = replace(answer, limits=limits)
        text = self._connection.without_long_key(answer.text)
        model = self._connection.without_long_key(answer.returned_model)
        ending = self._connection.without_long_key(answer.finish_reason)
        if (text, model, ending) == (answer.text, answer.returned_model, answer.finish_reason):
            return answer
        return replace(answer, text=text, returned_model=model, finish_reason=ending)

    def _cut(self, reply: Reply, server: Server) -> Answer:
        """Return what a response that is too large holds of its text, marked as cut.

        Raises
        ------
        Failure
            the text does not begin within what was read.
        """
        with contextlib.suppress(Failure):
            answer = self._dialect.answer(cut_json(reply.body), where=server.where)
            if answer.text:
                return as_cut(answer)
        message = f"{server.where} sent an answer of more than {LARGEST_BODY:,} bytes, and no text at its beginning."
        raise Failure("final", "too_large", message)


def open_http_model(
    model: str,
    *,
    dialect: Dialect,
    base_urls: Sequence[str] = (),
    environ: Mapping[str, str],
    timeout: float = DEFAULT_TIMEOUT,
    concurrency: int = DEFAULT_CONCURRENCY,
) -> HttpModel:
    """Return the model of that name, its key taken from `environ`.

    `model` is what follows the scheme. An address on this machine needs no key.

    Raises
    ------
    InputError
        no key, a key that no header can carry, or no usable address.
    """
    # The addresses are judged first: the message about a missing key names one of them.
    HttpModel(model, dialect=dialect, base_urls=base_urls)
    key = server_key(
        f"{dialect.scheme}:{model}",
        addresses=base_urls or (dialect.base_url,),
        variable=dialect.key_variable,
        environ=environ,
    )
    return HttpModel(model, dialect=dialect, base_urls=base_urls, key=key, timeout=timeout, concurrency=concurrency)


def server_key(model: str, *, addresses: Sequence[str], variable: str, environ: Mapping[str, str]) -> str | None:
    """Return the key for a model's servers, None where all are on this machine and none is set.

    Raises
    ------
    InputError
        no key, or one that no header can carry.
    """
    key = environ.get(variable, "").strip() or None
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(f"The key in {variable} holds spaces or characters that keys never have; copy it again.")
    for address in addresses:
        host = urlsplit(address.strip()).hostname or ""
        if key is None and not is_loopback(host):
            raise InputError(
                f"No key for {model} at {public_url(host)}: the environment variable {variable} is "
                "not set. Set it, or name a server on this machine with --base-url."
            )
    return key
