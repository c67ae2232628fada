"""JSON as servers send it: nothing in it is trusted to have the documented shape.

Plain checks stand in for pydantic here because they run once per answer.
"""

import json
from collections.abc import Mapping
from typing import Any

import orjson

__all__ = ["count", "dumps", "loads", "mapping", "string"]

_LARGEST_COUNT = 2**53


def loads(body: bytes) -> Any:
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


def dumps(value: Any) -> bytes:
    """Return JSON; half an emoji, which orjson refuses, is kept as the escape that it came as."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object, else one without members."""
    return value if isinstance(value, dict) else {}


def string(value: Any) -> str | None:
    """Return the value if it is a text."""
    return value if isinstance(value, str) else None


def count(value: Any) -> int | None:
    """Return the value if it is a number of tokens.

    >>> count(12), count(True), count(-1), count("12")
    (12, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _LARGEST_COUNT:
        return None
    return int(value)
