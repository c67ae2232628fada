"""Anthropic's Messages API."""

from collections.abc import Mapping
from typing import Any

from evenhand.models.dialects.dialect import Dialect
from evenhand.models.http.bodies import count, mapping, string
from evenhand.models.http.error_reading import error_in_success
from evenhand.models.model import Answer, Failure

__all__ = ["DEFAULT_MAX_TOKENS", "MESSAGES"]

#: Sent where no limit is asked for, since the API requires one. Every model of theirs can write that much.
DEFAULT_MAX_TOKENS = 4096

_KEY_VARIABLE = "ANTHROPIC_API_KEY"
_VERSION = "2023-06-01"

# Anthropic's words for why an answer ended, in those of chat completions, which the readers know.
_ENDINGS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "incomplete",
    "tool_use": "tool_calls",
    "refusal": "refusal",
}


def _body(model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    # Instructions to the system are no message here but a field of their own.
    system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    rest = [message for message in messages if message["role"] != "system"]
    return {"model": model, **({"system": system} if system else {}), "messages": rest, **parameters}


def _found(data: dict[str, Any], where: str) -> Answer:
    """Return the answer in a message."""
    if data.get("error"):
        raise error_in_success(data, where=where, key_variable=_KEY_VARIABLE)
    content = data.get("content")
    if not isinstance(content, list):
        raise Failure("retry", "malformed", f"{where} sent a message without content.")
    ended = string(data.get("stop_reason"))
    usage = mapping(data.get("usage"))
    return Answer(
        text=_text(content),
        finish_reason=None if ended is None else _ENDINGS.get(ended, ended),
        returned_model=string(data.get("model")),
        input_tokens=_input_tokens(usage),
        output_tokens=count(usage.get("output_tokens")),
    )


def _text(content: list[Any]) -> str | None:
    """Return the text blocks joined, None where there are none; thinking is no part of the answer."""
    blocks = [
        block["text"]
        for block in content
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    return "".join(blocks) if blocks else None


def _input_tokens(usage: Mapping[str, Any]) -> int | None:
    """Return all tokens of the prompt: those read from and written to a cache are counted beside `input_tokens`."""
    plain = count(usage.get("input_tokens"))
    if plain is None:
        return None
    return plain + sum(
        count(usage.get(name)) or 0 for name in ("cache_creation_input_tokens", "cache_read_input_tokens")
    )


MESSAGES = Dialect(
    scheme="anthropic",
    protocol="Anthropic's Messages API",
    example="anthropic:claude-sonnet-4-5",
    base_url="https://api.anthropic.com/v1",
    path="/messages",
    key_variable=_KEY_VARIABLE,
    key_headers=lambda key: {"x-api-key": key},
    headers={"anthropic-version": _VERSION},
    body=_body,
    reply="message",
    found=_found,
    # Thinking may use up all tokens, and a refusal may come without a word.
    wordless=frozenset({"length", "refusal", "tool_calls", "incomplete"}),
    lacks=frozenset({"seed", "frequency_penalty", "presence_penalty"}),
    defaults={"max_tokens": DEFAULT_MAX_TOKENS},
)
