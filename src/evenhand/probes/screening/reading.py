"""What an answer to a step says of each candidate (JSON only, until the reader is there)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What was read."""

    status: str
    selected: tuple[str, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    questions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unlawful: dict[str, tuple[int, ...]] = field(default_factory=dict)
    decisions: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()


def read(step: str, text: str, candidates: Sequence[str], names: Mapping[str, str]) -> Reading:
    """Return what was read."""
    try:
        data = json.loads(text)
    except ValueError:
        if "not able" in text:
            return Reading(status="refused", unread=tuple(candidates))
        parts = re.split(r"(?m)^-? ?Candidate (\d+):", text)
        if len(parts) < 3 and "None of" not in text:
            return Reading(status="unread", unread=tuple(candidates))
        pairs = list(zip(parts[1::2], parts[2::2], strict=True))
        key = {"scores": "score", "questions": "questions", "decision": "email", "shortlist": "reason"}[step]
        rows = [{"candidate": n, key: what.strip().split("\n") if step == "questions" else what} for n, what in pairs]
        data = {step: rows}
    if step == "shortlist":
        return Reading(status="read", selected=tuple(str(row["candidate"]) for row in data["shortlist"]))
    rows = {str(row["candidate"]): row for row in data[step]}
    unread = tuple(one for one in candidates if one not in rows)
    if step == "scores":
        return Reading(status="read", scores={one: float(row["score"]) for one, row in rows.items()}, unread=unread)
    if step == "questions":
        asked = {one: tuple(row["questions"]) for one, row in rows.items()}
        unlawful = {one: tuple(n for n, q in enumerate(qs, 1) if "children" in q) for one, qs in asked.items()}
        return Reading(status="read", questions=asked, unlawful=unlawful, unread=unread)
    decisions = {one: "rejected" if "regret" in row["email"] else "accepted" for one, row in rows.items()}
    return Reading(status="read", decisions=decisions, unread=unread)
