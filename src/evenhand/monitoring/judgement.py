"""Single judgements as a service tells them, checked and as rows of `DATED`."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypedDict

import polars as pl

from evenhand.errors import InputError
from evenhand.tables.schemas import BREAKDOWN, DATED, LARGEST, PROTECTED, STATUSES, STEPS

__all__ = ["Judgement", "frame_of", "row_of"]


class Judgement(TypedDict, total=False):
    """A judgement of one person: what is left out or None is not known.

    `time` has a zone, and is now when left out; `latency` is in seconds. `by` has values such as
    {"department": "sales"}, `protected` groups such as {"gender": "female"}. With a `unit`, the person or case, it is
    counted once, and a label may come later. `status` is as in outcomes: observed, refused, error, ….
    """

    time: datetime
    score: float | None
    selected: bool | None
    label: bool | None
    status: str | None
    latency: float | None
    position: str | None
    stage: str | None
    decided_by: str | None
    by: Mapping[str, str | None]
    protected: Mapping[str, str | None]
    unit: str | None


#: Clocks of two machines differ.
_SLACK: Final = timedelta(minutes=5)
_TEXTS: Final = ("position", "stage", "decided_by", "unit")
_TOLD: Final = frozenset({"score", "selected", "label", "status", "latency"})


def row_of(judgement: Judgement, *, now: datetime) -> dict[str, Any]:
    """Return a judgement as a row.

    Raises
    ------
    InputError
        A field is not known or of a wrong type, or nothing was judged.

    >>> row = row_of({"score": 0.71, "by": {"department": "sales"}}, now=datetime(2026, 3, 1, tzinfo=UTC))
    >>> row["score"], row["undetected"], row["by.department"]
    (7100, False, 'sales')
    """
    unknown = sorted(set(judgement) - set(Judgement.__annotations__))
    if unknown:
        raise InputError(f"A judgement has no {unknown[0]}.")
    told = {name for name in _TOLD & set(judgement) if judgement.get(name) is not None or name == "score"}
    if not told or (told == {"label"} and judgement.get("unit") is None):
        raise InputError("A judgement tells a score, selected, status or latency, or the label of a unit.")
    at = judgement.get("time") or now
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise InputError("time is no datetime with a zone.")
    if at > now + _SLACK:
        raise InputError("time is in the future.")
    at = at.astimezone(UTC)
    score, seconds = _steps(judgement, "score"), _steps(judgement, "latency")
    if seconds is not None and seconds < 0:
        raise InputError("latency is below 0.")
    selected, status = _flag(judgement, "selected"), _status(judgement)
    asked = "score" in judgement or selected is not None
    unread = status not in {None, "observed"} or (asked and score is None and selected is None)
    row: dict[str, Any] = {name: _text(name, judgement.get(name)) for name in _TEXTS}
    row |= {f"{BREAKDOWN}{name}": _text("by", value) for name, value in (judgement.get("by") or {}).items()}
    row |= {
        f"{PROTECTED}{name}": _text("protected", value) for name, value in (judgement.get("protected") or {}).items()
    }
    return row | {
        "day": at.date(),
        "second": int(at.timestamp()),
        "score": score,
        "seconds": seconds,
        "selected": selected,
        "label": _flag(judgement, "label"),
        "failed": None if status is None else status == "error",
        "undetected": None if status is None and not asked else unread and status != "error",
        "n": 1,
    }


def frame_of(rows: Sequence[Mapping[str, Any]], *, units: bool) -> pl.DataFrame:
    """Return rows as a frame with the columns of `DATED`, and of units where there are some."""
    names = sorted({name for row in rows for name in row if name.startswith((BREAKDOWN, PROTECTED))})
    kinds: dict[str, pl.DataType] = DATED | dict.fromkeys(names, pl.String())
    if units:
        kinds |= {"unit": pl.String(), "second": pl.Int64()}
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in kinds}, schema=kinds)


def _steps(judgement: Judgement, name: str) -> int | None:
    """Return a number in whole steps; one that is not finite is not known."""
    value = judgement.get(name)
    if value is None:
        return None
    if isinstance(value, bool | str):
        raise InputError(f"{name} is no number.")
    number = float(value)  # type: ignore[arg-type]
    if abs(number) > LARGEST and math.isfinite(number):
        raise InputError(f"{name} is beyond {LARGEST:,.0f}.")
    return round(number * STEPS) if math.isfinite(number) else None


def _flag(judgement: Judgement, name: str) -> bool | None:
    value = judgement.get(name)
    if value is None or value in (True, False):
        return None if value is None else bool(value)
    raise InputError(f"{name} is neither True nor False.")


def _status(judgement: Judgement) -> str | None:
    status = judgement.get("status")
    if status is not None and status not in STATUSES:
        raise InputError(f"status is none of {', '.join(STATUSES)}.")
    return status


def _text(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is no text.")
    text = (value or "").strip()
    if "\0" in text or not text.encode(errors="ignore").decode() == text:
        raise InputError(f"{name} is a text that no database takes.")
    return text or None
