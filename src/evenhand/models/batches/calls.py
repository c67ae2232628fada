"""HTTP as the batch APIs need it: JSON calls, uploads, and results line by line."""

import io
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Any, Self

import aiohttp
from yarl import URL

from evenhand.models.batches.batch import BatchAccess
from evenhand.models.http.bodies import loads
from evenhand.models.http.client import Connection, first_bytes
from evenhand.models.http.error_reading import read_failure
from evenhand.models.model import Failure
from evenhand.tables.messages.urls import public_url

__all__ = ["LARGEST_LINE", "BatchHTTP"]

#: Bytes of one result; the rest of a longer one is thrown away.
LARGEST_LINE = 1_000_000

# A list of batches, or what is said about one.
_LARGEST_REPLY = 20_000_000
_CONNECT_TIMEOUT = 10.0
_CONNECTIONS = 4


class BatchHTTP(Connection):
    """Calls the server of one model; use it as an async context manager.

    The timeout is how long the server may be silent: an upload or a download may last
    longer.
    """

    def __init__(self, access: BatchAccess) -> None:
        keys = () if access.key is None else (access.key,)
        super().__init__(headers=access.headers, keys=keys, timeout=access.timeout, limit=_CONNECTIONS)
        self.base = access.base
        #: The server as messages show it.
        self.where = f"{access.base.scheme}://{access.base.authority}"
        self._key_variable = access.key_variable

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._limit, ssl=ssl.create_default_context()),
            cookie_jar=aiohttp.DummyCookieJar(),
            # An upload brings its own content type.
            headers={name: value for name, value in self._headers.items() if name != "Content-Type"},
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=min(self._timeout, _CONNECT_TIMEOUT), sock_read=self._timeout
            ),
        )
        return self

    def at(self, path: str, **query: str | int) -> URL:
        """Return an address below the base."""
        return URL(f"{str(self.base).rstrip('/')}/{path}").with_query(query)

    async def call(self, method: str, url: URL, *, data: Any = None, json: bytes | None = None) -> dict[str, Any]:
        """Return the JSON object that the server answers.

        Raises
        ------
        Failure
            it answered something else, or nothing.
        """
        headers = {"Content-Type": "application/json"} if json is not None else {}
        assert self._session is not None, "BatchHTTP is used inside 'async with'"
        try:
            async with self._session.request(
                method, url, data=io.BytesIO(json) if json is not None else data, headers=headers, allow_redirects=False
            ) as response:
                status = response.status
                body, _ = await first_bytes(response, _LARGEST_REPLY)
                answered = response.headers
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._transport_failure(error, self.where) from None
        if not 200 <= status < 300:
            raise self._refused(status, answered, body)
        content = loads(body)
        if not isinstance(content, dict):
            raise Failure("retry", "malformed", f"{self.where} sent something that is no JSON object.")
        return content

    async def lines(self, url: URL) -> AsyncIterator[tuple[bytes, bool]]:
        """Yield the lines of a file, and whether each is whole; the end of one that is too long is left out."""
        assert self._session is not None, "BatchHTTP is used inside 'async with'"
        try:
            # A redirect is never followed: the key would go to a server that nobody named.
            async with self._session.get(url, allow_redirects=False) as response:
                if not 200 <= response.status < 300:
                    body, _ = await first_bytes(response, LARGEST_LINE)
                    raise self._refused(response.status, response.headers, body)
                async for line, whole in _split(response):
                    if line.strip():
                        yield self._clean(line, whole=whole), whole
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._transport_failure(error, self.where) from None

    def same_server(self, address: str) -> bool:
        """Return whether an address is on the server that the key is for."""
        try:
            return URL(address).origin() == self.base.origin()
        except ValueError:
            return False

    def _clean(self, line: bytes, *, whole: bool) -> bytes:
        return self._long_keys.taken_from(line, whole=whole)

    def _refused(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        if 300 <= status < 400:
            target = public_url(self.without_key(headers.get("Location", "")))
            message = f"{self.where} answered {status}, a redirect to {target}. Give the final address with --base-url."
            return Failure("fatal", "redirect", message)
        body = self._keys.taken_from(body, whole=True)
        failure = read_failure(status, headers, body, where=self.where, key_variable=self._key_variable)
        failure.args = (self.without_key(str(failure)),)
        return failure


async def _split(response: aiohttp.ClientResponse) -> AsyncIterator[tuple[bytes, bool]]:
    """Yield the lines of a body without holding more than one."""
    held = bytearray()
    whole = True
    async for chunk in response.content.iter_any():
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            whole = whole and len(held) + len(part) <= LARGEST_LINE
            held += part[: LARGEST_LINE - len(held)]
            yield bytes(held), whole
            held.clear()
            whole = True
        whole = whole and len(held) + len(rest) <= LARGEST_LINE
        held += rest[: LARGEST_LINE - len(held)]
    if held:
        yield bytes(held), whole
