"""Reads why a server gave no answer, and what the run is to do about it."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import orjson

from evenhand.models.http.bodies import loads, string
from evenhand.models.http.retry_after import retry_after_seconds, told_limits
from evenhand.models.model import Failure
from evenhand.patterns import lazy_re

__all__ = ["error_in_success", "read_failure", "said"]

_MESSAGE_LENGTH = 240

_RETRIED = {408: "timeout", 409: "server_error", 425: "server_error", 429: "rate_limit"}
# 529 is Anthropic's "overloaded".
_OVERLOADED = frozenset({503, 529})
_STOPPING = {401: "key", 402: "credit", 403: "permission", 404: "not_found", 405: "not_found", 410: "not_found"}
_REPAIRS = {
    401: "Check {key}.",
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
        "enforced_spend_limit_reached",
    },
)
_QUOTA_WORDS = lazy_re(r"quota|billing|credit", re.IGNORECASE)
# Ordinary rate limits often advertise a billing page or call a rate a quota; these words tell them apart.
_PASSING_WORDS = lazy_re(r"rate.?limit|per.?(min|second|hour|day)|retry in|try again", re.IGNORECASE)
# Anthropic answers an empty account and a spend limit of one's own with 400 and no code of its own.
_ACCOUNT_WORDS = lazy_re(r"credit balance is too low|reached your specified API usage limits", re.IGNORECASE)


def read_failure(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    *,
    where: str,
    key_variable: str = "OPENAI_API_KEY",
    repairs: Mapping[int, str] = _REPAIRS,
) -> Failure:
    """Return why a response other than a success brought no answer, and what to do; `repairs` go by the status."""
    error = _error_object(loads(body))
    text = said(error)
    title = _title(status)
    message = f"{where} answered {title}" + (f": {text}" if text else ".")
    now = datetime.now(UTC)
    wait, told = retry_after_seconds(headers, now=now), told_limits(headers, now=now)
    if status in {400, 403, 429} and _is_quota(error, text, limited=status == 429):
        return Failure("fatal", "quota", message)
    if status in _STOPPING:
        repair = repairs.get(status, "").format(key=key_variable)
        return Failure("fatal", _STOPPING[status], f"{message} {repair}".rstrip())
    if status in _RETRIED:
        return Failure("retry", _RETRIED[status], message, retry_after=wait, told=told)
    if status >= 500:
        refused = status in _OVERLOADED or wait is not None
        return Failure("retry", "server_error", message, retry_after=wait, refused=refused, told=told)
    if status >= 400:
        code = error.get("code")
        return Failure("final", "content_filter" if code == "content_filter" else "rejected", message)
    return Failure("fatal", "redirect", message)


def error_in_success(data: dict[str, Any], *, where: str, key_variable: str = "OPENAI_API_KEY") -> Failure:
    """Return the failure that some gateways report with status 200."""
    error = _error_object(data)
    code = error.get("code")
    text = said(error)
    if isinstance(code, int) and 400 <= code < 600:
        body = orjson.dumps({"error": {"message": text}})
        return read_failure(code, {}, body, where=where, key_variable=key_variable)
    if _is_quota(error, text, limited=True):
        return Failure("fatal", "quota", f"{where} answered: {text}")
    return Failure("retry", "server_error", f"{where} answered: {text or 'an error without a message'}")


def said(error: dict[str, Any]) -> str:
    """Return the server's own message on one printable line, shortened."""
    metadata = error.get("metadata")
    # OpenRouter's own message is 'Provider returned error'; what the provider said lies beside it.
    raw = string(metadata.get("raw")) if isinstance(metadata, dict) else None
    inner = _error_object(loads(raw.encode("utf-8", "replace"))) if raw else {}
    for source in (inner, error):
        for name in ("message", "detail", "msg", "error_description", "title"):
            text = _text(source.get(name))
            if text.strip():
                line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[:2000]).split())
                return line if len(line) <= _MESSAGE_LENGTH else line[: _MESSAGE_LENGTH - 1] + "…"
    return ""


def _text(value: Any) -> str:
    """Return a message, also one in the form of pydantic's list of faults: `body seed: Extra inputs …`."""
    if isinstance(value, dict):
        value = value.get("detail")
    if not isinstance(value, list):
        return string(value) or ""
    faults = []
    for fault in value[:5]:
        if isinstance(fault, dict) and isinstance(fault.get("msg"), str):
            place = fault.get("loc")
            words = [str(part) for part in place if isinstance(part, str | int)] if isinstance(place, list) else []
            faults.append(f"{' '.join(words)}: {fault['msg']}" if words else fault["msg"])
    return "; ".join(faults)


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


def _is_quota(error: dict[str, Any], text: str, *, limited: bool) -> bool:
    """Return whether the account is out of credit, which waiting does not mend."""
    details = error.get("details")
    named = [error.get("code"), error.get("type"), details.get("error_code") if isinstance(details, dict) else None]
    codes = {code for code in named if isinstance(code, str)}
    if codes & _QUOTA_CODES or _ACCOUNT_WORDS.search(text):
        return True
    return (
        limited
        and "rate_limit_exceeded" not in codes
        and bool(_QUOTA_WORDS.search(text))
        and not _PASSING_WORDS.search(text)
    )


def _title(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
