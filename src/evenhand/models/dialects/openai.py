"""OpenAI's chat completions, which most servers speak."""

from collections.abc import Mapping
from typing import Any

from evenhand.models.dialects.dialect import Dialect
from evenhand.models.http.adaptation import OTHER_NAMES
from evenhand.models.http.bodies import count, mapping, string
from evenhand.models.http.error_reading import error_in_success
from evenhand.models.model import Answer, Failure

__all__ = ["CHAT_COMPLETIONS"]

_KEY_VARIABLE = "OPENAI_API_KEY"


def _body(model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": model, "messages": messages, **parameters}


def _found(data: dict[str, Any], where: str) -> Answer:
    """Return the answer in a chat completion."""
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        if data.get("error"):
            raise error_in_success(data, where=where, key_variable=_KEY_VARIABLE)
        raise Failure("retry", "empty", f"{where} sent a completion without choices.")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise Failure("retry", "malformed", f"{where} sent a choice without a message.")
    text, refused = _text(message)
    usage = mapping(data.get("usage"))
    return Answer(
        text=text,
        finish_reason="refusal" if refused else string(choice.get("finish_reason")),
        returned_model=string(data.get("model")),
        input_tokens=count(usage.get("prompt_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
    )


def _text(message: dict[str, Any]) -> tuple[str | None, bool]:
    """Return the text of a message and whether it is the server's refusal field."""
    content = message.get("content")
    refusal = message.get("refusal")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        refusal = "".join(part["refusal"] for part in parts if string(part.get("refusal"))) or refusal
        texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
        content = "".join(texts) if texts else None
    if not content and isinstance(refusal, str) and refusal:
        return refusal, True
    return string(content), False


CHAT_COMPLETIONS = Dialect(
    scheme="openai",
    protocol="OpenAI's chat completions",
    example="openai:gpt-4o",
    base_url="https://api.openai.com/v1",
    path="/chat/completions",
    key_variable=_KEY_VARIABLE,
    key_headers=lambda key: {"Authorization": f"Bearer {key}"},
    body=_body,
    reply="chat completion",
    found=_found,
    # Reasoning models may spend all tokens before the first word, filters may leave none.
    wordless=frozenset({"length", "content_filter", "tool_calls"}),
    other_names=OTHER_NAMES,
)
