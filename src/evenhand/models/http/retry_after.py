"""How long a server asks to be left alone, and what it says is left of its limits."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from multidict import istr

from evenhand.models.model import ToldLimit
from evenhand.patterns import lazy_re

__all__ = ["retry_after_seconds", "told_limits"]

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
    """Return how long the server asks to wait, or None where it says nothing usable.

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
    return max((limit.reset for limit in told_limits(headers, now=now) if not limit.remaining), default=None)


def told_limits(headers: Mapping[str, str], *, now: datetime) -> tuple[ToldLimit, ...]:
    """Return the limits that the server tells of, those without a time of their reset left out.

    >>> told_limits({"x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "1s"}, now=datetime.now(UTC))
    (ToldLimit(kind='requests', remaining=59.0, reset=1.0, limit=None),)
    """
    limits = []
    for kind, left, reset, size in _LIMITS:
        told = headers.get(left)
        if told is None or (remaining := _number(told)) is None:
            continue
        seconds = _until(headers.get(reset, ""), now=now)
        if seconds is not None:
            limits.append(
                ToldLimit(kind=kind, remaining=remaining, reset=seconds, limit=_number(headers.get(size, "")))
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
