"""Reads the answer in what Anthropic's Messages API sends back."""

from typing import Any

from evenhand.models.http.bodies import count, loads, string
from evenhand.models.http.error_reading import error_in_success
from evenhand.models.model import Answer, Failure

__all__ = ["read_message"]

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


def read_message(body: bytes, *, where: str) -> Answer:
    """Return the answer in the body of a successful response.

    Raises
    ------
    Failure
        the body is no message; `where` names the server in the text.
    """
    data = loads(body)
    if not isinstance(data, dict):
        raise Failure(
            "retry",
            "malformed",
            f"{where} sent something that is no message (JSON). Check --base-url, which includes /v1.",
        )
    if data.get("error"):
        raise error_in_success(data, where=where, key_variable="ANTHROPIC_API_KEY")
    content = data.get("content")
    if not isinstance(content, list):
        raise Failure("retry", "malformed", f"{where} sent a message without content.")
    ended = string(data.get("stop_reason"))
    finish_reason = None if ended is None else _ENDINGS.get(ended, ended)
    text = _text(content)
    if text is None:
        # Thinking may use up all tokens, and a refusal may come without a word: that is an answer.
        if finish_reason not in {"length", "refusal", "tool_calls", "incomplete"}:
            raise Failure("retry", "empty", f"{where} sent a message without text.")
        text = ""
    usage = data.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    return Answer(
        text=text,
        finish_reason=finish_reason,
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


def _input_tokens(usage: dict[str, Any]) -> int | None:
    """Return all tokens of the prompt: those read from and written to a cache are counted beside `input_tokens`."""
    plain = count(usage.get("input_tokens"))
    if plain is None:
        return None
    return plain + sum(
        count(usage.get(name)) or 0 for name in ("cache_creation_input_tokens", "cache_read_input_tokens")
    )
