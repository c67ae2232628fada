"""Reads the answer in what a chat completions endpoint sends back."""

from typing import Any

from evenhand.models.http.bodies import count, loads, string
from evenhand.models.http.error_reading import error_in_success
from evenhand.models.model import Answer, Failure

__all__ = ["read_answer"]


def read_answer(body: bytes, *, where: str) -> Answer:
    """Return the answer in the body of a successful response.

    Raises
    ------
    Failure
        the body is no chat completion; `where` names the server in the message.
    """
    data = loads(body)
    if not isinstance(data, dict):
        raise Failure(
            "retry",
            "malformed",
            f"{where} sent something that is no chat completion (JSON). Check --base-url, which includes /v1.",
        )
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        if data.get("error"):
            raise error_in_success(data, where=where)
        raise Failure("retry", "empty", f"{where} sent a completion without choices.")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise Failure("retry", "malformed", f"{where} sent a choice without a message.")
    usage = data.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    finish_reason = string(choice.get("finish_reason"))
    text, refused = _text(message)
    if refused:
        finish_reason = "refusal"
    elif text is None:
        # Reasoning models may spend all tokens before the first word, filters may leave none: that is an answer.
        if finish_reason not in {"length", "content_filter", "tool_calls"}:
            raise Failure("retry", "empty", f"{where} sent a message without content.")
        text = ""
    return Answer(
        text=text,
        finish_reason=finish_reason,
        returned_model=string(data.get("model")),
        input_tokens=count(usage.get("prompt_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
    )


def _text(message: dict[str, Any]) -> tuple[str | None, bool]:
    """Return the text of a message and whether it is the server's refusal field."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        strings = [part for part in parts if isinstance(part, str)]
        content = "".join(strings) if strings else None
        refusals = [
            part["refusal"] for part in message["content"] if isinstance(part, dict) and string(part.get("refusal"))
        ]
        refusal = "".join(refusals) or message.get("refusal")
    else:
        refusal = message.get("refusal")
    if not content and isinstance(refusal, str) and refusal:
        return refusal, True
    return string(content), False
