"""Positions that people are scored for, from JSONL or CSV."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.json_rows import json_rows
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["Position", "read_positions"]

EXPECTED = '{"id": "…", "title": "…", "text": "…", "skills": ["…"]}'
#: Keys that are fields of a position; others are kept by name.
_OWN = frozenset({"id", "title", "text", "skills", "location", "must", "nice", "years"})
_LISTS = ("skills", "must", "nice")


@dataclass(frozen=True, kw_only=True)
class Position:
    """A position: what a scorer is shown of it, how its recruiter calibrated it, and other columns by name.

    `must` and `nice` are skills that somebody has to have, or had better have; `years` the fewest and the most years of
    experience that are asked, None where there is no such end.
    """

    id: str
    title: str
    text: str = ""
    skills: tuple[str, ...] = ()
    location: str | None = None
    must: tuple[str, ...] = ()
    nice: tuple[str, ...] = ()
    years: tuple[float | None, float | None] = (None, None)
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def listed(self) -> tuple[str, ...]:
        """Return the skills that it lists, those that somebody has to have first."""
        return *self.must, *self.nice, *self.skills

    @property
    def advertisement(self) -> str:
        """Return all that a scorer is shown of it."""
        parts = [
            self.title,
            self.text.strip(),
            f"Skills: {', '.join(self.skills)}" if self.skills else "",
            f"Location: {self.location}" if self.location else "",
        ]
        return "\n\n".join(part for part in parts if part)


def read_positions(path: Path) -> tuple[Position, ...]:
    """Return the positions of a file: JSONL, or a CSV with the same columns; skills there are parted by semicolons.

    A position without an id is called by its place, counted from 1.

    Raises
    ------
    InputError
        The file can't be read, a position has no title, or two have one id.

    """
    suffix = path.suffix.lower()
    if suffix in {".jsonl", ".ndjson"}:
        rows: Iterable[tuple[str, dict[str, Any]]] = (
            (f"Line {number} of {path}", row) for number, row in json_rows(path, expected=EXPECTED)
        )
    elif suffix in {".csv", ".tsv", ".txt"}:
        rows = _table_rows(path)
    else:
        raise InputError(f"{path} has the ending {suffix or '(none)'}; expected positions as .jsonl or .csv.")
    found: dict[str, Position] = {}
    for place, row in rows:
        position = _position(row, place, default=str(len(found) + 1))
        if position.id in found:
            raise InputError(
                f"{place}: the id {quoted(position.id)} is there already; give each position one of its own."
            )
        found[position.id] = position
    return tuple(found.values())


def _table_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    frame = read_text_table(path).frame
    if "title" not in frame.columns:
        raise InputError(f"No column 'title' in {path}: positions without titles. Columns: {listed(frame.columns)}.")
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        for name in _LISTS:
            if row.get(name) is not None:
                row[name] = [skill.strip() for skill in row[name].split(";") if skill.strip()]
        if row.get("years") is not None:
            row["years"] = row["years"].replace("–", "-").split("-")
        yield f"Row {number} of {path}", row


def _position(row: Mapping[str, Any], place: str, *, default: str) -> Position:
    title = _text(row, "title", place)
    if title is None:
        raise InputError(f"{place} has no title; positions without titles can't be scored for: give each a 'title'.")
    return Position(
        id=_text(row, "id", place) or default,
        title=title,
        text=_text(row, "text", place) or "",
        skills=_skills(row, "skills", place),
        location=_text(row, "location", place),
        must=_skills(row, "must", place),
        nice=_skills(row, "nice", place),
        years=_years(row.get("years"), place),
        columns={name: value for name in row if name not in _OWN and (value := _text(row, name, place)) is not None},
    )


def _text(row: Mapping[str, Any], name: str, place: str) -> str | None:
    """Return a text without blanks around it, None where nothing is left; numbers count as text."""
    value = row.get(name)
    if isinstance(value, bool | int | float):
        value = str(value)
    if not isinstance(value, str | None):
        raise InputError(f"{place}: {quoted(name)} is {quoted(value)}; expected text.")
    return (value.strip() or None) if value is not None else None


def _skills(row: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
    value = row.get(name)
    if value is None:
        return ()
    if not (
        isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(each, str) for each in value)
    ):
        raise InputError(f'{place}: {name} is {quoted(value)}; expected a list of texts, such as ["welding"].')
    return tuple(skill for each in value if (skill := each.strip()))


def _years(value: Any, place: str) -> tuple[float | None, float | None]:
    """Return the fewest and the most years that are asked; one number alone is the fewest."""
    if value is None:
        return None, None
    ends = list(value) if isinstance(value, list | tuple) else [value]
    try:
        low, high = (None if end in {None, ""} else float(end) for end in [*ends, None][:2])
    except (TypeError, ValueError):
        low, high = -1.0, None
    if len(ends) > 2 or (low or 0) < 0 or (high is not None and high < (low or 0)):
        raise InputError(f"{place}: years is {quoted(value)}; expected the fewest and the most years, such as [2, 5].")
    return low, high
