"""Asks any server that speaks OpenAI's chat completions over HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.models.dialects.chat_reading import read_answer
from evenhand.models.dialects.dialect import Dialect
from evenhand.models.http.adaptation import OTHER_NAMES
from evenhand.models.http.model import DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, HttpModel, checked_key

__all__ = [
    "CHAT_COMPLETIONS",
    "DEFAULT_BASE_URL",
    "DEFAULT_CONCURRENCY",
    "DEFAULT_TIMEOUT",
    "KEY_VARIABLE",
    "OpenAIChat",
    "open_openai",
]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"


def _body(model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": model, "messages": messages, **parameters}


CHAT_COMPLETIONS = Dialect(
    scheme="openai",
    protocol="OpenAI's chat completions",
    example="openai:gpt-4o",
    base_url=DEFAULT_BASE_URL,
    path="/chat/completions",
    key_variable=KEY_VARIABLE,
    key_headers=lambda key: {"Authorization": f"Bearer {key}"},
    body=_body,
    read=read_answer,
    other_names=OTHER_NAMES,
)


class OpenAIChat(HttpModel):
    """A chat model behind HTTP; see `HttpModel`."""

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
            model, dialect=CHAT_COMPLETIONS, base_urls=addresses, key=key, timeout=timeout, concurrency=concurrency
        )


def open_openai(
    model: str,
    *,
    base_urls: Sequence[str] = (),
    environ: Mapping[str, str],
    timeout: float = DEFAULT_TIMEOUT,
    concurrency: int = DEFAULT_CONCURRENCY,
) -> OpenAIChat:
    """Return the chat model of that name, its key taken from `environ`.

    `model` is the part behind `openai:`. An address on this machine needs no key.

    Raises
    ------
    InputError
        no key, a key that no header can carry, or no usable address.
    """
    # The addresses are judged first: the message about a missing key names one of them.
    OpenAIChat(model, base_url=base_urls)
    key = checked_key(model, CHAT_COMPLETIONS, base_urls, environ)
    return OpenAIChat(model, base_url=base_urls, key=key, timeout=timeout, concurrency=concurrency)
