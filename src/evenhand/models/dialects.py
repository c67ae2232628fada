"""Protocols of models behind HTTP: OpenAI's chat completions and Anthropic's Messages API."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evenhand.models.http_client import count, loads, mapping, string
from evenhand.models.http_errors import OTHER_NAMES, error_in_success
from evenhand.models.model import Answer, Failure


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One protocol: addresses, headers, the body that is sent and how the answer is read.

    `extract` returns the answer in an object that `where` sent, its text None where there
    is none, or raises why there is no answer; `reply` is what such an object is called.
    `structured` are the parameters that demand an answer by a JSON schema. `lacks` are parameters
    that the protocol does not have, `defaults` those that it requires. `other_names` are
    names that some servers want instead.
    """

    scheme: str
    protocol: str
    example: str
    base_url: str
    path: str
    key_variable: str
    key_headers: Callable[[str], Mapping[str, str]]
    body: Callable[[str, list[dict[str, str]], Mapping[str, Any]], dict[str, Any]]
    reply: str
    extract: Callable[[dict[str, Any], str], Answer]
    structured: Callable[[Any], dict[str, Any]]
    headers: Mapping[str, str] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    defaults: Mapping[str, int] = field(default_factory=dict)
    other_names: Mapping[str, str] = field(default_factory=dict)

    def read(self, body: bytes, *, where: str) -> Answer:
        """Return the answer in the body of a successful response; see `answer`."""
        return self.answer(loads(body), where=where)

    def answer(self, data: Any, *, where: str) -> Answer:
        """Return the answer in the JSON of a successful response.

        Raises
        ------
        Failure
            it holds none; `where` names the server in the message.
        """
        if not isinstance(data, dict):
            message = f"{where} sent something that is not a {self.reply} (JSON). Check --base-url, which includes /v1."
            raise Failure("retry", "malformed", message)
        answer = self.extract(data, where)
        # A well-formed reply without text is an answer that is paid for: reasoning may have used up all tokens.
        return answer if answer.text is not None else replace(answer, text="")


_OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"


def _openai_body(model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": model, "messages": messages, **parameters}


def _openai_answer(data: dict[str, Any], where: str) -> Answer:
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        if data.get("error"):
            raise error_in_success(data, where=where, key_variable=_OPENAI_KEY_VARIABLE)
        if choices != []:
            raise Failure("retry", "malformed", f"{where} sent a completion without choices.")
        choices = [{"message": {}}]
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise Failure("retry", "malformed", f"{where} sent a choice without a message.")
    if not isinstance(message.get("content"), str | list | None):
        raise Failure("retry", "malformed", f"{where} sent a message whose content is not text.")
    text, refused = _openai_text(message)
    usage = mapping(data.get("usage"))
    return Answer(
        text=text,
        finish_reason="refusal" if refused else string(choice.get("finish_reason")),
        returned_model=string(data.get("model")),
        input_tokens=count(usage.get("prompt_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
    )


def _openai_text(message: dict[str, Any]) -> tuple[str | None, bool]:
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
    key_variable=_OPENAI_KEY_VARIABLE,
    key_headers=lambda key: {"Authorization": f"Bearer {key}"},
    body=_openai_body,
    reply="chat completion",
    extract=_openai_answer,
    structured=lambda schema: {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": schema},
        }
    },
    other_names=OTHER_NAMES,
)

#: Sent where no limit is asked for, since the API requires one. Every model of theirs can write that much.
DEFAULT_MAX_TOKENS = 4096

_ANTHROPIC_KEY_VARIABLE = "ANTHROPIC_API_KEY"
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


def _anthropic_body(model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    # Instructions to the system are no message here but a field of their own.
    system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    rest = [message for message in messages if message["role"] != "system"]
    return {"model": model, **({"system": system} if system else {}), "messages": rest, **parameters}


def _anthropic_answer(data: dict[str, Any], where: str) -> Answer:
    if data.get("error"):
        raise error_in_success(data, where=where, key_variable=_ANTHROPIC_KEY_VARIABLE)
    content = data.get("content")
    if not isinstance(content, list):
        raise Failure("retry", "malformed", f"{where} sent a message without content.")
    ended = string(data.get("stop_reason"))
    usage = mapping(data.get("usage"))
    return Answer(
        text=_anthropic_text(content),
        finish_reason=None if ended is None else _ENDINGS.get(ended, ended),
        returned_model=string(data.get("model")),
        input_tokens=_input_tokens(usage),
        output_tokens=count(usage.get("output_tokens")),
    )


def _anthropic_text(content: list[Any]) -> str | None:
    """Return the text blocks joined, None where there are none; thinking is no part of the answer."""
    blocks = [
        block["text"]
        for block in content
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    return "".join(blocks) if blocks else None


def _input_tokens(usage: Mapping[str, Any]) -> int | None:
    """Return all tokens of the prompt: those read from and written to a cache are not in `input_tokens`."""
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
    key_variable=_ANTHROPIC_KEY_VARIABLE,
    key_headers=lambda key: {"x-api-key": key},
    headers={"anthropic-version": _VERSION},
    body=_anthropic_body,
    reply="message",
    extract=_anthropic_answer,
    structured=lambda schema: {"output_config": {"format": {"type": "json_schema", "schema": schema}}},
    lacks=frozenset({"seed", "frequency_penalty", "presence_penalty"}),
    defaults={"max_tokens": DEFAULT_MAX_TOKENS},
)

DIALECTS: Mapping[str, Dialect] = {dialect.scheme: dialect for dialect in (CHAT_COMPLETIONS, MESSAGES)}
