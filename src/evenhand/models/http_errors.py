"""Errors of model servers: why no answer came, how long to wait, which parameters to leave out.

The patterns cover OpenAI, Azure, OpenRouter, Mistral, vLLM, NIM, xAI, Moonshot, LiteLLM and Anthropic,
as users report their messages. Names of models don't matter: a server is believed only when it names a
parameter that was sent and says that it does not take it. A value out of range is for the user to correct.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import orjson
from multidict import istr

from evenhand.models.http_client import loads, string
from evenhand.models.model import Adaptation, Failure, Generation, ReportedLimit, Request
from evenhand.patterns import lazy_re

# What is left of a limit, when it is filled again, and its size. OpenAI names a duration (6m0s), Anthropic a moment
# (RFC 3339), others seconds or the seconds since 1970.
_NAMES = (
    *(
        (kind, f"x-ratelimit-remaining-{kind}", f"x-ratelimit-reset-{kind}", f"x-ratelimit-limit-{kind}")
        for kind in ("requests", "tokens")
    ),
    *(
        (kind, *(f"anthropic-ratelimit-{kind}-{what}" for what in ("remaining", "reset", "limit")))
        for kind in ("requests", "tokens", "input-tokens", "output-tokens")
    ),
    ("requests", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-limit"),
    ("requests", "ratelimit-remaining", "ratelimit-reset", "ratelimit-limit"),
)
# Looked up in every response: `istr` spares folding the case each time.
_LIMITS = tuple((kind, istr(left), istr(reset), istr(size)) for kind, left, reset, size in _NAMES)
_DURATION = lazy_re(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_NUMBER = lazy_re(r"-?\d{1,15}(?:\.\d{1,9})?")
# A number of seconds above this is a moment since 1970, and above a thousand times as much one in milliseconds.
_EPOCH = 1e8


def retry_after_seconds(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return how long the server asks to wait, in seconds, or None where it says nothing usable.

    Understands `retry-after-ms`, and `Retry-After` in seconds or as an HTTP date; else
    the limits that are used up, by the time when the last of them is filled again.

    >>> retry_after_seconds({"Retry-After": "2"}, now=datetime.now(UTC))
    2.0
    """
    for name, scale in (("retry-after-ms", 0.001), ("Retry-After", 1.0)):
        value = headers.get(name)
        seconds = None if value is None else _seconds(value, scale, now=now)
        if seconds is not None:
            return seconds
    return max((limit.reset for limit in reported_limits(headers, now=now) if not limit.remaining), default=None)


def reported_limits(headers: Mapping[str, str], *, now: datetime) -> tuple[ReportedLimit, ...]:
    """Return the limits that the server reports, without those that have no time of reset.

    >>> headers = {"x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "1s"}
    >>> reported_limits(headers, now=datetime.now(UTC))
    (ReportedLimit(kind='requests', remaining=59.0, reset=1.0, limit=None),)
    """
    limits = []
    for kind, left, reset, size in _LIMITS:
        left_text = headers.get(left)
        if left_text is None or (remaining := _number(left_text)) is None:
            continue
        seconds = _until(headers.get(reset, ""), now=now)
        if seconds is not None:
            limits.append(
                ReportedLimit(kind=kind, remaining=remaining, reset=seconds, limit=_number(headers.get(size, "")))
            )
    return tuple(limits)


def _number(value: str) -> float | None:
    """Return a number as servers write it; some go on counting below 0 when nothing is left."""
    return max(0.0, float(value)) if _NUMBER.fullmatch(value) else None


def _seconds(value: str, scale: float, *, now: datetime) -> float | None:
    try:
        seconds = float(value) * scale
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        return _from(now, moment)
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _until(value: str, *, now: datetime) -> float | None:
    """Return the seconds until a limit is filled again, from a duration, a moment or a number."""
    match = _DURATION.fullmatch(value)
    if match is not None and value:
        days, hours, minutes, seconds, thousandths = (float(part or 0) for part in match.groups())
        total = days * 86_400 + hours * 3600 + minutes * 60 + seconds + thousandths / 1000
        return total if math.isfinite(total) else None
    number = _number(value)
    if number is not None:
        if number >= _EPOCH:
            number = max(0.0, number / (1000 if number >= 1000 * _EPOCH else 1) - now.timestamp())
        return number
    try:
        return _from(now, datetime.fromisoformat(value))
    except ValueError:
        return None


def _from(now: datetime, moment: datetime) -> float:
    return max(0.0, ((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now).total_seconds())


_MESSAGE_LENGTH = 240

_RETRIED = {408: "timeout", 409: "server_error", 425: "server_error", 429: "rate_limit"}
# 529 is Anthropic's "overloaded".
_OVERLOADED = frozenset({503, 529})
_STOPPING = {401: "key", 402: "credit", 403: "permission", 404: "not_found", 405: "not_found", 410: "not_found"}
REPAIRS = {
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
# Ordinary rate limits often advertise a billing page or call a rate a quota; these words distinguish them.
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
    repairs: Mapping[int, str] = REPAIRS,
) -> Failure:
    """Return why a response other than a success brought no answer, and what to do; `repairs` go by the status."""
    error = _error_object(loads(body))
    text = server_message(error)
    title = _title(status)
    message = f"{where} answered {title}" + (f": {text}" if text else ".")
    now = datetime.now(UTC)
    wait, limits = retry_after_seconds(headers, now=now), reported_limits(headers, now=now)
    if status in {400, 403, 429} and _is_quota(error, text, limited=status == 429):
        return Failure("fatal", "quota", message)
    if status in _STOPPING:
        repair = repairs.get(status, "").format(key=key_variable)
        return Failure("fatal", _STOPPING[status], f"{message} {repair}".rstrip())
    if status in _RETRIED:
        return Failure("retry", _RETRIED[status], message, retry_after=wait, limits=limits)
    if status >= 500:
        refused = status in _OVERLOADED or wait is not None
        return Failure("retry", "server_error", message, retry_after=wait, refused=refused, limits=limits)
    if status >= 400:
        code = error.get("code")
        return Failure("final", "content_filter" if code == "content_filter" else "rejected", message)
    return Failure("fatal", "redirect", message)


def error_in_success(data: dict[str, Any], *, where: str, key_variable: str = "OPENAI_API_KEY") -> Failure:
    """Return the failure that some gateways report with status 200."""
    error = _error_object(data)
    code = error.get("code")
    text = server_message(error)
    if isinstance(code, int) and 400 <= code < 600:
        body = orjson.dumps({"error": {"message": text}})
        return read_failure(code, {}, body, where=where, key_variable=key_variable)
    if _is_quota(error, text, limited=True):
        return Failure("fatal", "quota", f"{where} answered: {text}")
    return Failure("retry", "server_error", f"{where} answered: {text or 'an error without a message'}")


def server_message(error: dict[str, Any]) -> str:
    """Return the server's own message on one printable line, shortened."""
    metadata = error.get("metadata")
    # OpenRouter's own message is 'Provider returned error'; the provider's message is in the metadata.
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
    """Return a message, also from pydantic's list of errors: `body seed: Extra inputs …`."""
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
    """Return whether the account is out of credit, which waiting does not repair."""
    details = error.get("details")
    values = [error.get("code"), error.get("type"), details.get("error_code") if isinstance(details, dict) else None]
    codes = {code for code in values if isinstance(code, str)}
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


#: A parameter that some servers take by another name only. The limit of tokens is never left out: it bounds the cost.
OTHER_NAMES = {"max_tokens": "max_completion_tokens"}

_PARAMETERS = (*(field.name for field in fields(Generation)), "seed", "max_completion_tokens")
# Also as camelCase: presencePenalty.
_NAME = rf"\b(?P<name>{'|'.join(name.replace('_', '_?') for name in _PARAMETERS)})\b"
_QUOTE = r"[\"'`]*"
_THING = r"(?:parameters?|values?|arguments?|args?|fields?|keys?|names?|propert(?:y|ies)|options?|inputs?)"
_NOT_TAKEN = (
    r"(?:(?:is|are)\s+)?(?:not\s+(?:currently\s+)?(?:supported|permitted|allowed|accepted|available|recognized)"
    r"|unsupported|deprecated|unrecognized|does\s+not\s+support|extra\s+inputs\s+are\s+not\s+permitted|extra\s+fields\s+not\s+permitted)"
)
_PATTERNS = tuple(
    lazy_re(pattern, re.IGNORECASE)
    for pattern in (
        # Unsupported parameter: 'temperature' … · Unrecognized request argument supplied: seed · Unknown name "seed"
        rf"(?:unsupported|unrecognized|unknown|unexpected)\s+(?:request\s+|keyword\s+)?{_THING}(?:\s+supplied)?\s*:?\s*{_QUOTE}{_NAME}",
        # Argument not supported on this model: presencePenalty
        rf"{_THING}\s+not\s+supported\s+(?:on|with|by|for)\s+this\s+model\s*:\s*{_QUOTE}{_NAME}",
        # does not support parameter presencePenalty · don't support temperature=0.2 · parameters: ['seed']
        rf"(?:does\s+not|doesn't|do\s+not|don't)\s+support\s+(?:the\s+|setting\s+)?(?:{_THING}\s*:?\s*)?[\[{{(]*{_QUOTE}{_NAME}",
        # No digit in between: a value that is not allowed is no parameter that is not taken.
        # `temperature` is deprecated for this model. · property 'seed' is unsupported
        # "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"
        rf"{_NAME}{_QUOTE}[^.;{{}}\d]{{0,24}}?{_NOT_TAKEN}",
        # invalid temperature: only 1 is allowed for this model
        rf"{_NAME}{_QUOTE}\s*:\s*only\s+[\d.]+\s+is\s+(?:allowed|supported)",
    )
)
# `temperature` and `top_p` cannot both be specified for this model. Please use only one.
_NOT_BOTH = lazy_re(rf"temperature{_QUOTE}\s+and\s+{_QUOTE}top_p{_QUOTE}\s+(?:cannot|can't)\s+both", re.IGNORECASE)
_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"})
_SEARCHED_BYTES = 20_000


def requested_parameters(request: Request) -> dict[str, Any]:
    """Return the decoding parameters that a request names; what is left to the server is not among them."""
    parameters = {**asdict(request.generation), "seed": request.seed}
    return {name: value for name, value in parameters.items() if value is not None}


def refused_parameters(body: bytes, sent: Collection[str]) -> list[str]:
    """Return which of the parameters that were sent the error body says the server does not take.

    >>> refused_parameters(b'{"error": "Argument not supported on this model: presencePenalty"}', ["presence_penalty"])
    ['presence_penalty']
    >>> refused_parameters(b'{"error": "temperature must be between 0 and 1"}', ["temperature"])
    []
    """
    text = body[:_SEARCHED_BYTES].decode("utf-8", "replace")
    # Gateways pass an error on as text in their own: quotes and line breaks are escaped once or twice.
    text = re.sub(r"\\+n", " ", text)
    text = re.sub(r"\\+", "", text)
    if "top_p" in sent and _NOT_BOTH.search(text):
        return ["top_p"]
    error = loads(body)
    error = error.get("error") if isinstance(error, dict) else None
    names = [match.group("name") for pattern in _PATTERNS for match in pattern.finditer(text)]
    if isinstance(error, dict) and error.get("code") in _CODES and isinstance(error.get("param"), str):
        names.append(error["param"])
    plain = {name.replace("_", "").lower() for name in names}
    return [name for name in sent if name.replace("_", "") in plain]


class Adaptations:
    """How the requests of one run were changed; what was learned once holds for all that follow.

    `answered` is set once there are answers: they were given with what is left out later.
    """

    def __init__(self) -> None:
        self.all: list[Adaptation] = []
        self._left_out: set[str] = set()
        self.answered = False

    def taken(self, requested: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters without those that are left out by now."""
        if not self._left_out:
            return dict(requested)
        return {name: value for name, value in requested.items() if name not in self._left_out}

    def resume(self, earlier: Iterable[Adaptation]) -> None:
        """Leave out what was left out before, without saying it again."""
        for adaptation in earlier:
            self._left_out.add(adaptation.parameter)
            self.all.append(adaptation)

    def leave_out(self, name: str, requested: object, *, reason: str, tell: Callable[[str], None]) -> None:
        """Send `name` no more."""
        if name not in self._left_out:
            self._left_out.add(name)
            partly = self.answered
            self._add(Adaptation(parameter=name, requested=requested, sent=None, reason=reason, partly=partly), tell)

    def note(self, name: str, requested: object, *, sent: str | int, reason: str, tell: Callable[[str], None]) -> None:
        """Record, once, that `name` is sent as `sent`."""
        if all(adaptation.parameter != name or adaptation.sent != sent for adaptation in self.all):
            self._add(Adaptation(parameter=name, requested=requested, sent=sent, reason=reason), tell)

    def _add(self, adaptation: Adaptation, tell: Callable[[str], None]) -> None:
        self.all.append(adaptation)
        if adaptation.requested is not None:
            tell(adaptation.sentence)
