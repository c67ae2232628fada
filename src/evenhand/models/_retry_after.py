"""How long a server asks to be left alone."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["retry_after_seconds"]

# Limits that may be used up, as (what is left, when it is filled again). OpenAI names a duration (6m0s),
# Anthropic a moment (RFC 3339).
_LIMITS = (
    *((f"x-ratelimit-remaining-{kind}", f"x-ratelimit-reset-{kind}") for kind in ("requests", "tokens")),
    *(
        (f"anthropic-ratelimit-{kind}-remaining", f"anthropic-ratelimit-{kind}-reset")
        for kind in ("requests", "tokens", "input-tokens", "output-tokens")
    ),
)
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?")


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
    resets = [
        seconds
        for left, reset in _LIMITS
        if headers.get(left) == "0" and (seconds := _until(headers.get(reset, ""), now=now)) is not None
    ]
    return max(resets, default=None)


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
    """Return the seconds until a limit is filled again, from a duration or a moment."""
    match = _DURATION.fullmatch(value)
    if match is not None and value:
        hours, minutes, seconds, thousandths = (float(part or 0) for part in match.groups())
        total = hours * 3600 + minutes * 60 + seconds + thousandths / 1000
        return total if math.isfinite(total) else None
    try:
        return _from(now, datetime.fromisoformat(value))
    except ValueError:
        return None


def _from(now: datetime, moment: datetime) -> float:
    return max(0.0, ((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now).total_seconds())
