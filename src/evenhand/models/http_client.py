"""HTTP client for models and scorers: checked addresses, JSON, no redirects, no key in any message.

Nothing that a server sends is trusted to have the documented shape. Plain checks stand in for pydantic
because they run once per answer.
"""

import ipaddress
import json
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, urlsplit

import orjson
from pydantic_core import from_json
from yarl import URL

from evenhand.errors import InputError
from evenhand.models.model import Answer, Failure
from evenhand.patterns import lazy_re
from evenhand.results.messages import public_url

if TYPE_CHECKING:
    import aiohttp


def endpoint(base_url: str, path: str, *, key_variable: str) -> URL:
    """Return the address that requests are posted to: `base_url` and behind it `path`.

    Raises
    ------
    InputError
        it is no HTTP address, or holds more than one.
    """
    expected = "expected an address such as http://127.0.0.1:8000/v1"
    address = http_address(
        base_url,
        named=_NAMED,
        expected=expected,
        secrets=f"the key in {key_variable}",
        followed=f"; {expected}, without them",
    )
    parts = urlsplit(address)
    return URL(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix(path)}{path}")


def http_address(text: str, *, named: str, expected: str, secrets: str, followed: str) -> str:
    """Return an HTTP address that holds nothing else; `named` is its option.

    `expected` says in messages how an address looks, `secrets` where they belong, and `followed` what is wrong with a
    query.

    Raises
    ------
    InputError
        It is none, or has a user, a password or a query.
    """
    address = text.strip()
    try:
        URL(address)
        parts = urlsplit(address)
        port, hostname = parts.port, parts.hostname
    except ValueError:
        raise InputError(f"{named} {public_url(address)!r} is not an address; {expected}.") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(f"{named} holds a user name or password; {expected}, and {secrets}.")
    if parts.scheme not in {"http", "https"} or not hostname or port == 0 or any(sign.isspace() for sign in address):
        raise InputError(f"{named} {public_url(address)!r} is not an HTTP address; {expected}.")
    if parts.query or parts.fragment:
        raise InputError(f"{named} {public_url(address)!r} is followed by ? or #{followed}.")
    return address


def is_loopback(host: str) -> bool:
    """Return whether the host is this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost.example.org")
    (True, False)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_LARGEST_COUNT = 2**53


def loads(body: bytes) -> Any:
    """Return the JSON in `body`, or None."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    # A half emoji (a lone surrogate escape) or a broken byte is no reason to lose an answer; orjson refuses both.
    try:
        return json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def dumps(value: Any) -> bytes:
    """Return JSON; half an emoji, which orjson refuses, is kept as the escape that it came as."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object, else one without members."""
    return value if isinstance(value, dict) else {}


def string(value: Any) -> str | None:
    """Return the value if it is a text."""
    return value if isinstance(value, str) else None


def count(value: Any) -> int | None:
    """Return the value if it is a number of tokens.

    >>> count(12), count(True), count(-1), count("12")
    (12, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LARGEST_COUNT:
        return None
    return int(value)


# Reasons to end that are more informative than 'cut'.
_INFORMATIVE_ENDINGS = frozenset({"refusal", "content_filter"})
# Every escape of two halves of an emoji, of one half alone, and of anything else.
_ESCAPE = lazy_re(r"\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(?P<half>u[dD][89a-fA-F]\w\w)|.)", re.DOTALL)


def cut_json(body: bytes) -> Any:
    """Return the JSON that the cut body begins with, a text that was cut within included; None where it is none.

    >>> cut_json(b'{"a": {"text": "one two th')
    {'a': {'text': 'one two th'}}
    >>> cut_json(b'{"a": {"text": "one", "b": tr')
    {'a': {'text': 'one'}}
    """
    text = body.decode("utf-8", "ignore")
    # The reader refuses half an emoji, which is no reason to lose an answer.
    for candidate in (text, _ESCAPE.sub(lambda escape: r"\ufffd" if escape["half"] else escape[0], text)):
        try:
            return from_json(candidate, allow_partial="trailing-strings")
        except ValueError:
            continue
    return None


def as_cut(answer: Answer) -> Answer:
    """Return an answer marked as cut, unless it ended for a more informative reason."""
    return answer if answer.finish_reason in _INFORMATIVE_ENDINGS else replace(answer, finish_reason="incomplete")


#: Bytes of an answer that are read; the rest is cut off.
LARGEST_BODY = 1_000_000

_CONNECT_TIMEOUT = 10.0
# Below this length a key (such as 'none' or 'test') is also an ordinary word, and answers are left as they are.
_SECRET_LENGTH = 8
_REDACTED = "[key removed]"
_OK = 200
_NAMED = "--base-url"
#: Headers of a request whose body is JSON.
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One response: `whole` is False where the body was cut at the connection's `largest`."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: bool


class Connection:
    """The connections of one model or scorer; an async context manager.

    `headers`, and with them any keys, go to every address: so only servers that the user named
    get requests, and redirects are refused. `named` is the option that names them; of an answer `largest` bytes are
    read. `streams` says that the timeout is how long the server may be silent, not how long an answer may take.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str],
        keys: Sequence[str] = (),
        timeout: float,
        limit: int,
        named: str = _NAMED,
        largest: int = LARGEST_BODY,
        streams: bool = False,
    ) -> None:
        self._headers = {"Accept": "application/json", "User-Agent": "evenhand", **headers}
        self._keys = _Keys(keys)
        self._long_keys = _Keys([key for key in keys if len(key) >= _SECRET_LENGTH])
        self._named = named
        self.largest = largest
        self._timeout = timeout
        self._streams = streams
        self._limit = limit
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        import aiohttp

        # A context of our own, so that nothing else in the process can have switched verification off;
        # other roots come from SSL_CERT_FILE and SSL_CERT_DIR, as with any program that uses OpenSSL.
        context = ssl.create_default_context()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._limit, ttl_dns_cache=300, ssl=context),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            timeout=aiohttp.ClientTimeout(
                total=None if self._streams else self._timeout,
                sock_connect=min(self._timeout, _CONNECT_TIMEOUT),
                sock_read=self._timeout if self._streams else None,
            ),
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def post(self, url: URL, data: bytes, *, where: str) -> Reply:
        """Return the response, or raise why there is none.

        Raises
        ------
        Failure
            no connection, no whole response in time, or a redirect.
        """
        return await self._reply("POST", url, data, where, headers=JSON)

    async def get(self, url: URL, *, where: str) -> Reply:
        """Return what an address holds, or raise why there is nothing; see `post`."""
        return await self._reply("GET", url, None, where)

    async def _reply(
        self, method: str, url: URL, data: Any, where: str, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        import aiohttp

        assert self._session is not None, "a model behind HTTP is used inside 'async with'"
        try:
            # A redirect is never followed: the key would go to a server that the user didn't name.
            async with self._session.request(
                method, url, data=data, headers=headers, allow_redirects=False
            ) as response:
                status, answered = response.status, response.headers
                body, whole = await _read(response, self.largest)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._transport_failure(error, where) from None
        if 300 <= status < 400:
            raise self._redirected(status, answered, where)
        # A short key may be a word of an answer, but of no error that names it.
        keys = self._long_keys if status == _OK else self._keys
        return Reply(status=status, headers=answered, body=keys.taken_from(body, whole=whole), whole=whole)

    def _redirected(self, status: int, headers: Mapping[str, str], where: str) -> Failure:
        target = public_url(self.without_key(headers.get("Location", "")))
        message = f"{where} answered {status}, a redirect to {target}. Give the final address with {self._named}."
        return Failure("fatal", "redirect", message)

    def without_key(self, text: str) -> str:
        """Return the text with the keys taken out, however they are spelled."""
        return self._keys.taken_out(text)

    def without_long_key(self, text: str | None) -> str | None:
        """Return an answer's text without the keys, except those too short to distinguish from a word."""
        return text if text is None else self._long_keys.taken_out(text)

    def _transport_failure(self, error: Exception, where: str) -> Failure:
        """Return what a broken connection means for the run."""
        import aiohttp

        if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
            reason = self.without_key(_reason(error))
            return Failure("unreachable", "unreachable", f"No secure connection (TLS) to {where}: {reason}")
        if isinstance(error, aiohttp.ClientConnectorError) and not isinstance(error.os_error, ConnectionResetError):
            return Failure("unreachable", "unreachable", f"No connection to {where}: {_reason(error)}")
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return Failure("unreachable", "unreachable", f"No connection to {where}: it did not answer the call.")
        if isinstance(error, TimeoutError):
            return Failure("retry", "timeout", f"{where} gave no whole answer within {self._timeout:g} s.")
        return Failure("retry", "connection", f"The connection to {where} broke ({type(error).__name__}).")


class _Keys:
    """Keys that are taken out of whatever a server sends."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._spelled = [_spelled(key) for key in keys]
        self._secrets = [secret for key in keys for secret in (key.encode(), quote(key).encode())]

    def taken_out(self, text: str) -> str:
        for spelled in self._spelled:
            text = spelled.sub(_REDACTED, text)
        return text

    def taken_from(self, body: bytes, *, whole: bool) -> bytes:
        if not self._secrets:
            return body
        body = self.taken_out(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        for secret in self._secrets:
            if not whole:
                # The cut may go through the key.
                overlap = next((n for n in range(len(secret) - 1, 3, -1) if body.endswith(secret[:n])), 0)
                body = body[: len(body) - overlap]
        return body


def _spelled(key: str) -> re.Pattern[str]:
    r"""Return what finds a key as it is, as in an address, and as JSON may write each of its letters.

    >>> bool(_spelled("sk-a/b").fullmatch(r"sk-\u0061\/b")), bool(_spelled("sk-a/b").fullmatch("sk-a%2Fb"))
    (True, True)
    """
    return re.compile("".join(_letter(letter) for letter in key))


def _letter(letter: str) -> str:
    # JSON within JSON doubles its backslashes.
    escaped = "".join(rf"\\{{1,8}}u(?i:{ord(unit):04x})" for unit in _utf16(letter))
    in_address = "".join(f"%(?i:{byte:02x})" for byte in letter.encode("utf-8", "surrogatepass"))
    marked = r"\\{0,4}" if letter in '/"\\' else ""
    return rf"(?:{marked}{re.escape(letter)}|{escaped}|{in_address})"


def _utf16(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(units[place : place + 2], "big")) for place in range(0, len(units), 2))


async def _read(response: "aiohttp.ClientResponse", most: int) -> tuple[bytes, bool]:
    """Return at most so many bytes of a body, and whether that is all of it."""
    length = response.content_length
    if length is not None and length <= most and "Content-Encoding" not in response.headers:
        return await response.read(), True
    return await first_bytes(response, most)


async def first_bytes(response: "aiohttp.ClientResponse", most: int) -> tuple[bytes, bool]:
    """Return at most so many bytes of a body, and whether that is all of it."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        chunks.append(chunk)
        size += len(chunk)
        if size > most:
            response.close()
            return b"".join(chunks)[:most], False
    return chunks[0] if len(chunks) == 1 else b"".join(chunks), True


def _reason(error: Exception) -> str:
    """Return the cause of a failed connection in one line."""
    cause = getattr(error, "os_error", None) or getattr(error, "certificate_error", None) or error
    text = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return " ".join(text.split())[:200] or type(cause).__name__
