"""Reads what a chat endpoint sends back: an answer, or why there is none.

Nothing that a server sends is trusted to have the documented shape. Plain checks
stand in for pydantic here because they run once per answer.
"""

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import orjson

from evenhand.models._model import Answer, Failure

__all__ = ["read_answer", "read_failure", "retry_after_seconds"]

_MESSAGE_LENGTH = 240
_LARGEST_COUNT = 2**53

_RETRIED = {408: "timeout", 409: "server_error", 425: "server_error", 429: "rate_limit"}
_STOPPING = {401: "key", 402: "credit", 403: "permission", 404: "not_found", 405: "not_found", 410: "not_found"}
_REPAIRS = {
    401: "Check OPENAI_API_KEY.",
    402: "Check the account's credit.",
    403: "Check what the key is allowed to do.",
    404: "Check the model's name and --base-url, which includes /v1.",
    405: "Check --base-url, which includes /v1.",
    410: "Check the model's name.",
}

_QUOTA_CODES = frozenset(
    {
        "insufficient_quota",
        "quota_exceeded",
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_credits",
        "insufficient_funds",
        "access_terminated",
    },
)
_QUOTA_WORDS = re.compile(r"quota|billing|credit", re.IGNORECASE)
# Ordinary rate limits often advertise a billing page or call a rate a quota; these words tell them apart.
_PASSING_WORDS = re.compile(r"rate.?limit|per.?(min|second|hour|day)|retry in|try again", re.IGNORECASE)


def read_answer(body: bytes, *, where: str) -> Answer:
    """Return the answer in the body of a successful response.

    Raises
    ------
    Failure
        the body is no chat completion; `where` names the server in the message.
    """
    data = _loads(body)
    if not isinstance(data, dict):
        raise Failure(
            "retry",
            "malformed",
            f"{where} sent something that is no chat completion (JSON). Check --base-url, which includes /v1.",
        )
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        if data.get("error"):
            raise _error_in_success(data, where=where)
        raise Failure("retry", "empty", f"{where} sent a completion without choices.")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise Failure("retry", "malformed", f"{where} sent a choice without a message.")
    usage = data.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    finish_reason = _string(choice.get("finish_reason"))
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
        returned_model=_string(data.get("model")),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
    )


def read_failure(status: int, headers: Mapping[str, str], body: bytes, *, where: str) -> Failure:
    """Return why a response other than a success brought no answer, and what to do."""
    error = _error_object(_loads(body))
    said = _said(error)
    title = _title(status)
    message = f"{where} answered {title}" + (f": {said}" if said else ".")
    wait = retry_after_seconds(headers, now=datetime.now(UTC))
    if status in {400, 403, 429} and _is_quota(error, said, limited=status == 429):
        return Failure("fatal", "quota", message)
    if status in _STOPPING:
        return Failure("fatal", _STOPPING[status], f"{message} {_REPAIRS.get(status, '')}".rstrip())
    if status in _RETRIED:
        return Failure("retry", _RETRIED[status], message, retry_after=wait)
    if status >= 500:
        return Failure("retry", "server_error", message, retry_after=wait)
    if status >= 400:
        code = error.get("code")
        return Failure("final", "content_filter" if code == "content_filter" else "rejected", message)
    return Failure("fatal", "redirect", message)


def retry_after_seconds(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return how long the server asks to wait, or None where it says nothing usable.

    Understands `retry-after-ms`, and `Retry-After` in seconds or as an HTTP date.

    >>> retry_after_seconds({"Retry-After": "2"}, now=datetime.now(UTC))
    2.0
    """
    for name, scale in (("retry-after-ms", 0.001), ("Retry-After", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            try:
                moment = parsedate_to_datetime(value)
            except ValueError:
                continue
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
            return max(0.0, (moment - now).total_seconds())
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def _loads(body: bytes) -> Any:
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


def _text(message: dict[str, Any]) -> tuple[str | None, bool]:
    """Return the text of a message and whether it is the server's refusal field."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        strings = [part for part in parts if isinstance(part, str)]
        content = "".join(strings) if strings else None
        refusals = [
            part["refusal"] for part in message["content"] if isinstance(part, dict) and _string(part.get("refusal"))
        ]
        refusal = "".join(refusals) or message.get("refusal")
    else:
        refusal = message.get("refusal")
    if not content and isinstance(refusal, str) and refusal:
        return refusal, True
    return _string(content), False


def _error_in_success(data: dict[str, Any], *, where: str) -> Failure:
    """Return the failure that some gateways report with status 200."""
    error = _error_object(data)
    code = error.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return read_failure(code, {}, orjson.dumps({"error": {"message": _said(error)}}), where=where)
    said = _said(error)
    if _is_quota(error, said, limited=True):
        return Failure("fatal", "quota", f"{where} answered: {said}")
    return Failure("retry", "server_error", f"{where} answered: {said or 'an error without a message'}")


def _error_object(data: Any) -> dict[str, Any]:
    """Return the part of an error body that holds message, type and code."""
    if isinstance(data, list) and data:
        data = data[0]
    if not isinstance(data, dict):
        return {}
    error = data.get("error", data)
    if isinstance(error, str):
        return {"message": error}
    return error if isinstance(error, dict) else data


def _said(error: dict[str, Any]) -> str:
    """Return the server's own message on one printable line, shortened."""
    for name in ("message", "detail", "error_description", "title"):
        value = error.get(name)
        if isinstance(value, str) and value.strip():
            line = " ".join("".join(sign if sign.isprintable() else " " for sign in value[:2000]).split())
            return line if len(line) <= _MESSAGE_LENGTH else line[: _MESSAGE_LENGTH - 1] + "…"
    return ""


def _is_quota(error: dict[str, Any], said: str, *, limited: bool) -> bool:
    """Return whether the account is out of credit, which waiting does not mend."""
    codes = {error.get("code"), error.get("type")} if _hashable(error) else set()
    if codes & _QUOTA_CODES:
        return True
    return (
        limited
        and "rate_limit_exceeded" not in codes
        and bool(_QUOTA_WORDS.search(said))
        and not _PASSING_WORDS.search(said)
    )


def _hashable(error: dict[str, Any]) -> bool:
    return all(not isinstance(error.get(name), list | dict) for name in ("code", "type"))


def _title(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LARGEST_COUNT:
        return None
    return int(value)
