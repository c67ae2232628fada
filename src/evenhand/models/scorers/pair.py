"""What a scorer is shown, and how the number that comes back is kept."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, SupportsFloat

from evenhand.models.model import Request

__all__ = ["Pair", "pair_of", "score_text"]

_LONGEST_TEXT = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A résumé and a position as texts; `id` says nothing of the person, `file_name` is that of the résumé."""

    id: str
    resume: str
    position: str
    title: str
    position_id: str
    file_name: str


def pair_of(request: Request) -> Pair:
    """Return the pair that a request is about."""
    stimulus: Mapping[str, Any] = request.stimulus
    return Pair(
        id=request.id,
        resume=stimulus["resume_text"],
        position=stimulus["position_text"],
        title=stimulus["title"],
        position_id=stimulus["position"],
        file_name=stimulus["file_name"],
    )


def score_text(value: object) -> str:
    """Return what a scorer gave as the text of an answer: a number as JSON writes it, a text as it is.

    >>> [score_text(value) for value in (72, 0.5, float("nan"), "4 of 5", None, True, {"score": 1})]
    ['72', '0.5', 'NaN', '4 of 5', 'null', 'true', '{"score": 1}']
    """
    if isinstance(value, str):
        return value[:_LONGEST_TEXT]
    if value is None or isinstance(value, bool | int | float | list | dict):
        return _json(value)[:_LONGEST_TEXT]
    if isinstance(value, SupportsFloat):  # numbers of NumPy and others
        try:
            return _json(float(value))
        except (TypeError, ValueError, OverflowError):
            pass
    return f"({type(value).__name__})"


def _json(value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"
