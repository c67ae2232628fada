"""The conditions of `--fail-on`: when a finished run ends with exit code 1."""

from collections.abc import Sequence

from evenhand.errors import InputError
from evenhand.tables.details import GroupRatio, ImpactRatio, Judged, PositionsBelow
from evenhand.tables.finding import Finding
from evenhand.tables.messages.quoting import quoted

__all__ = ["check_conditions", "conditions_met"]

MARKS = ("A", "B", "C", "D")
#: Marks of a test, as An et al. 2024 give them.
SIGNIFICANCE = ("", "*", "†")
EXPECTED = "expected below, difference, mark:B, mark:C, mark:D or undetected:SHARE"


def check_conditions(conditions: Sequence[str]) -> None:
    """Refuse a condition that can't be understood, before anything is asked.

    >>> check_conditions(["difference", "mark:C", "undetected:0.05"])
    """
    for condition in conditions:
        kind, _, value = condition.partition(":")
        if kind in {"below", "difference"} and not value:
            continue
        if kind == "mark" and value in MARKS[1:]:
            continue
        if kind == "undetected" and _share(value) is not None:
            continue
        message = f"--fail-on {quoted(condition)} is not understood; {EXPECTED}."
        raise InputError(message)


def conditions_met(conditions: Sequence[str], findings: Sequence[Finding]) -> list[str]:
    """Return those of `conditions` that hold, each with the finding that made it hold.

    Raises
    ------
    InputError
        A condition on marks, and the findings' marks are those of significance.

    """
    met = []
    for condition in conditions:
        kind, _, value = condition.partition(":")
        if kind == "mark" and any(row.role == "planned" and row.mark in SIGNIFICANCE for row in findings):
            message = (
                f"--fail-on {condition} can't be judged: this probe's marks are of significance, not A to D. "
                "The run is finished; use --fail-on difference."
            )
            raise InputError(message)
        for row in findings:
            if _holds(kind, value, row):
                met.append(f"{condition} ({_told(kind, row)})")
                break
    return met


def _told(kind: str, row: Finding) -> str:
    """Return which finding made a condition hold, and how much that means."""
    details = row.details
    chance = details.over_flagging_rate if isinstance(details, GroupRatio | ImpactRatio) else None
    if kind == "below" and chance is not None:
        return f"{row.name}; {chance:.0%} of even-handed shuffles of this table have a group below four fifths"
    if kind == "mark" and row.verdict is not None:
        return f"{row.name}, verdict {row.verdict}"
    return row.name


def _holds(kind: str, value: str, row: Finding) -> bool:
    details = row.details
    if kind == "below":
        return isinstance(details, GroupRatio | ImpactRatio | PositionsBelow) and details.four_fifths == "below"
    if kind == "difference":
        detected = isinstance(details, Judged | PositionsBelow) and details.difference_detected is True
        return row.role == "planned" and (row.verdict == "difference" or detected)
    if kind == "mark":
        return row.role == "planned" and row.mark is not None and MARKS.index(row.mark) >= MARKS.index(value)
    limit = _share(value)
    return (
        row.measure == "undetected_rate_attempts"
        and not row.focal
        and not row.slice
        and row.estimate is not None
        and limit is not None
        and row.estimate > limit
    )


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None
