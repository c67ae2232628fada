"""Asks any server that speaks OpenAI's chat completions over HTTP."""

import ipaddress
import ssl
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp
import orjson
from yarl import URL

from evenhand.errors import InputError
from evenhand.models._chat_reading import read_answer, read_failure
from evenhand.models._model import Answer, Failure, Request

__all__ = ["DEFAULT_BASE_URL", "DEFAULT_CONCURRENCY", "DEFAULT_TIMEOUT", "KEY_VARIABLE", "OpenAIChat", "open_openai"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_TIMEOUT = 120.0
DEFAULT_CONCURRENCY = 16
KEY_VARIABLE = "OPENAI_API_KEY"

_LARGEST_BODY = 1_000_000
_CONNECT_TIMEOUT = 10.0
# Below this length a key (such as 'none' or 'test') is also an ordinary word, and answers are left as they are.
_SECRET_LENGTH = 8
_REDACTED = b"[key removed]"


class OpenAIChat:
    """A chat model behind HTTP; use it as an async context manager.

    `base_url` includes the version (`…/v1`). `key` is sent as a bearer token, or not
    at all where it is None; it is in no message and no answer that leaves this object.
    `timeout` is for a whole request in seconds, `concurrency` bounds the connections.

    Raises
    ------
    InputError
        the model has no name, or `base_url` is no HTTP address.
    """

    simulated = False

    def __init__(
        self,
        model: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        key: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> None:
        if not model.strip():
            raise InputError("The model 'openai:' has no name; expected for instance openai:gpt-4o.")
        self.name = f"openai:{model}"
        self._model = model
        self._url = _endpoint(base_url)
        self._where = f"{self._url.scheme}://{self._url.authority}"
        self._key = key
        self._secret = key.encode() if key else None
        self._timeout = timeout
        self._concurrency = concurrency
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "evenhand"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._concurrency, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=min(self._timeout, _CONNECT_TIMEOUT)),
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def answer(self, request: Request) -> Answer:
        """Return the model's answer to one prompt, asked once.

        Raises
        ------
        Failure
            no answer came; `kind` says whether to ask again.
        """
        assert self._session is not None, "OpenAIChat is used inside 'async with'"
        try:
            # A redirect is never followed: the key would go to a server that nobody named.
            async with self._session.post(self._url, data=self._payload(request), allow_redirects=False) as response:
                status = response.status
                body, whole = await _read(response)
                headers = response.headers
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._transport_failure(error) from None
        if self._secret is not None and self._secret in body and (status != 200 or len(self._secret) >= _SECRET_LENGTH):
            body = body.replace(self._secret, _REDACTED)
        if 300 <= status < 400:
            raise self._redirected(status, headers.get("Location", ""))
        if not 200 <= status < 300:
            raise read_failure(status, headers, body, where=self._where)
        if not whole:
            raise Failure("final", "too_large", f"{self._where} sent an answer of more than {_LARGEST_BODY:,} bytes.")
        return read_answer(body, where=self._where)

    def _payload(self, request: Request) -> bytes:
        payload: dict[str, Any] = {"model": self._model, "messages": request.messages}
        generation = request.generation
        if generation.temperature is not None:
            payload["temperature"] = generation.temperature
        if generation.max_tokens is not None:
            payload["max_tokens"] = generation.max_tokens
        for name in ("top_p", "frequency_penalty", "presence_penalty"):
            value = getattr(generation, name)
            if value is not None:
                payload[name] = value
        if request.seed is not None:
            payload["seed"] = request.seed
        return orjson.dumps(payload)

    def _redirected(self, status: int, location: str) -> Failure:
        target = _bare_address(location)
        message = f"{self._where} answered {status}, a redirect to {target}. Give the final address with --base-url."
        return Failure("fatal", "redirect", self._without_key(message))

    def _transport_failure(self, error: Exception) -> Failure:
        """Return what a broken connection means for the run."""
        where = self._where
        if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
            reason = self._without_key(_reason(error))
            return Failure("unreachable", "unreachable", f"No secure connection (TLS) to {where}: {reason}")
        if isinstance(error, aiohttp.ClientConnectorError) and not isinstance(error.os_error, ConnectionResetError):
            return Failure("unreachable", "unreachable", f"No connection to {where}: {_reason(error)}")
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return Failure("unreachable", "unreachable", f"No connection to {where}: it did not answer the call.")
        if isinstance(error, TimeoutError):
            return Failure("retry", "timeout", f"{where} gave no whole answer within {self._timeout:g} s.")
        return Failure("retry", "connection", f"The connection to {where} broke ({type(error).__name__}).")

    def _without_key(self, text: str) -> str:
        return text if not self._key else text.replace(self._key, _REDACTED.decode())


def open_openai(
    model: str,
    *,
    base_url: str | None = None,
    environ: Mapping[str, str],
    timeout: float = DEFAULT_TIMEOUT,
    concurrency: int = DEFAULT_CONCURRENCY,
) -> OpenAIChat:
    """Return the chat model of that name, its key taken from `environ`.

    `model` is the part behind `openai:`. A loopback address needs no key.

    Raises
    ------
    InputError
        no key, a key that no header can carry, or no usable address.
    """
    key = environ.get(KEY_VARIABLE, "").strip() or None
    address = DEFAULT_BASE_URL if base_url is None else base_url
    chat = OpenAIChat(model, base_url=address, key=key, timeout=timeout, concurrency=concurrency)
    host = urlsplit(address.strip()).hostname or ""
    if key is None and not _is_loopback(host):
        message = (
            f"No key for {chat.name} at {host}: the environment variable {KEY_VARIABLE} is not set. "
            "Set it, or name a server on this machine with --base-url."
        )
        raise InputError(message)
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(f"The key in {KEY_VARIABLE} holds spaces or signs that no key has; copy it again.")
    return chat


def _endpoint(base_url: str) -> URL:
    """Return the address that completions are posted to."""
    expected = "expected an address such as http://127.0.0.1:8000/v1"
    given = base_url.strip()
    try:
        parts = urlsplit(given)
        port = parts.port
        hostname = parts.hostname
    except ValueError:
        raise InputError(f"--base-url {_bare_address(given)!r} is no address; {expected}.") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(f"--base-url holds a user name or password; {expected}, and the key in {KEY_VARIABLE}.")
    if parts.scheme not in {"http", "https"} or not hostname or port == 0 or any(sign.isspace() for sign in given):
        raise InputError(f"--base-url {_bare_address(given)!r} is no HTTP address; {expected}.")
    if parts.query or parts.fragment:
        raise InputError(f"--base-url {_bare_address(given)!r} is followed by ? or #; {expected}, without them.")
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    try:
        return URL(f"{parts.scheme}://{parts.netloc}{path}/chat/completions")
    except ValueError:
        raise InputError(f"--base-url {_bare_address(given)!r} is no address; {expected}.") from None


def _bare_address(address: str) -> str:
    """Return an address without user, query and fragment, short enough for a message."""
    bare = address.split("?", 1)[0].split("#", 1)[0]
    scheme, separator, rest = bare.partition("://")
    rest = rest.rsplit("@", 1)[-1]
    shown = f"{scheme}{separator}{rest}" if separator else bare.rsplit("@", 1)[-1]
    return "".join(sign for sign in shown if sign.isprintable())[:200]


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _read(response: aiohttp.ClientResponse) -> tuple[bytes, bool]:
    """Return at most the first megabyte of a body, and whether that is all of it."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        chunks.append(chunk)
        size += len(chunk)
        if size > _LARGEST_BODY:
            response.close()
            return b"".join(chunks)[:_LARGEST_BODY], False
    return chunks[0] if len(chunks) == 1 else b"".join(chunks), True


def _reason(error: Exception) -> str:
    """Return the cause of a failed connection in one line."""
    cause = getattr(error, "os_error", None) or getattr(error, "certificate_error", None) or error
    text = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return " ".join(text.split())[:200] or type(cause).__name__
