"""Asks Anthropic's models through the Messages API."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.models.dialects.dialect import Dialect
from evenhand.models.dialects.messages_reading import read_message
from evenhand.models.http.model import DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, HttpModel, checked_key

__all__ = [
    "DEFAULT_BASE_URL",
    "DEFAULT_MAX_TOKENS",
    "KEY_VARIABLE",
    "MESSAGES",
    "AnthropicMessages",
    "open_anthropic",
]

DEFAULT_BASE_URL = "https://api.anthropic.com/v1"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
#: Sent where no limit is asked for, since the API requires one. Every model of theirs can write that much.
DEFAULT_MAX_TOKENS = 4096

_VERSION = "2023-06-01"


def _body(model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    # Instructions to the system are no message here but a field of their own.
    system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    rest = [message for message in messages if message["role"] != "system"]
    return {"model": model, **({"system": system} if system else {}), "messages": rest, **parameters}


MESSAGES = Dialect(
    scheme="anthropic",
    protocol="Anthropic's Messages API",
    example="anthropic:claude-sonnet-4-5",
    base_url=DEFAULT_BASE_URL,
    path="/messages",
    key_variable=KEY_VARIABLE,
    key_headers=lambda key: {"x-api-key": key},
    headers={"anthropic-version": _VERSION},
    body=_body,
    read=read_message,
    lacks=frozenset({"seed", "frequency_penalty", "presence_penalty"}),
    defaults={"max_tokens": DEFAULT_MAX_TOKENS},
)


class AnthropicMessages(HttpModel):
    """A model behind the Messages API; see `HttpModel`. It takes no seed."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | Sequence[str] = (),
        key: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> None:
        addresses = (base_url,) if isinstance(base_url, str) else tuple(base_url)
        super().__init__(
            model, dialect=MESSAGES, base_urls=addresses, key=key, timeout=timeout, concurrency=concurrency
        )


def open_anthropic(
    model: str,
    *,
    base_urls: Sequence[str] = (),
    environ: Mapping[str, str],
    timeout: float = DEFAULT_TIMEOUT,
    concurrency: int = DEFAULT_CONCURRENCY,
) -> AnthropicMessages:
    """Return the model of that name, its key taken from `environ`.

    `model` is the part behind `anthropic:`. An address on this machine needs no key.

    Raises
    ------
    InputError
        no key, a key that no header can carry, or no usable address.
    """
    AnthropicMessages(model, base_url=base_urls)
    key = checked_key(model, MESSAGES, base_urls, environ)
    return AnthropicMessages(model, base_url=base_urls, key=key, timeout=timeout, concurrency=concurrency)
