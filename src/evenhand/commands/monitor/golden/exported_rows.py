"""Rows that `evenhand monitor golden export` wrote, as cases and labels again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.json_rows import json_rows
from evenhand.monitoring.golden.cases import Case, Scale
from evenhand.monitoring.history.store import utc_text
from evenhand.tables.csv_files import unguarded

__all__ = ["NESTED", "Exported", "read_exported"]

#: Fields that a CSV holds as JSON.
NESTED: Final = ("known_names", "position", "groups", "labels", "adjudicated", "versions", "scale")
_EXPECTED: Final = "a line of evenhand monitor golden export"
_GIVEN: Final = {"by": str, "label": str, "time": str}
_NUMBER: Final = (int, float, type(None))
#: What each field is: a type, several, a list of one kind, or a mapping; `str` as a key stands for any.
_SHAPE: Final[Mapping[str, Any]] = {
    "id": str,
    "text": (str, type(None)),
    "twin": (str, type(None)),
    "reason": str,
    "known_names": [str],
    "groups": {str: str},
    "position": {
        "id": str,
        "title": str,
        "text": str,
        "skills": [str],
        "location": (str, type(None)),
        "must": [str],
        "nice": [str],
        "years": [_NUMBER],
        "columns": {str: str},
    },
    "labels": [_GIVEN],
    "scale": {"labels": [str], "positive": str},
}


@dataclass(frozen=True, kw_only=True)
class Exported:
    """Cases that have a text, what each person said of them and when, and how many were left out as they have none.

    `labels` and `decided` are labels by person and case; `times` are by person and case, too.
    """

    scale: Scale
    cases: Sequence[Case]
    labels: Mapping[str, Mapping[str, str]]
    decided: Mapping[str, Mapping[str, str]]
    times: Mapping[tuple[str, str], str]
    left_out: int


def read_exported(path: Path) -> Exported:
    """Return what a file holds that was exported.

    Raises
    ------
    InputError
        The file can't be read, or a row of it was not written by `export`; the first is named.

    """
    rows = _rows(path)
    for number, row in enumerate(rows, 1):
        wrong = next((name for name, shape in _SHAPE.items() if not _fits(row.get(name), shape)), None)
        wrong = wrong or (
            None if row.get("adjudicated") is None or _fits(row["adjudicated"], _GIVEN) else "adjudicated"
        )
        wrong = wrong or (None if row["scale"] == rows[0]["scale"] else "scale")
        wrong = wrong or (None if all(map(_given, _all_given(row))) else "labels")
        if wrong is not None:
            raise InputError(
                f"Row {number} of {path} was not written by evenhand monitor golden export: {wrong} is not as it "
                "writes it."
            )
    kept = [row for row in rows if row["text"] is not None]
    said = [(row["id"], each) for row in kept for each in row["labels"]]
    decided = [(row["id"], row["adjudicated"]) for row in kept if row.get("adjudicated") is not None]
    return Exported(
        scale=Scale(labels=tuple(rows[0]["scale"]["labels"]), positive=rows[0]["scale"]["positive"]),
        cases=[_case(row) for row in kept],
        labels=_by_person(said),
        decided=_by_person(decided),
        times={(each["by"], name): utc_text(datetime.fromisoformat(each["time"])) for name, each in (*said, *decided)},
        left_out=len(rows) - len(kept),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix.lower() != ".csv":
        return [row for _, row in json_rows(path, expected=_EXPECTED)]
    rows = []
    for number, row in enumerate(read_text_table(path).frame.iter_rows(named=True), 1):
        cells = {name: None if cell is None else unguarded(cell) for name, cell in row.items()}
        try:
            rows.append({name: orjson.loads(cell) if name in NESTED and cell else cell for name, cell in cells.items()})
        except orjson.JSONDecodeError as error:
            raise InputError(f"Row {number} of {path} was not written by evenhand monitor golden export.") from error
    if not rows:
        raise InputError(f"{path} has no rows; expected {_EXPECTED}.")
    return rows


def _fits(value: Any, shape: Any) -> bool:
    """Return whether a value is of a shape, as those of `_SHAPE` are."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(each, shape[0]) for each in value)
    if not isinstance(shape, dict):
        return isinstance(value, shape) and not isinstance(value, bool)
    if not isinstance(value, dict):
        return False
    if str in shape:
        return all(_fits(each, shape[str]) for each in value.values())
    return value.keys() == shape.keys() and all(_fits(value[name], own) for name, own in shape.items())


def _all_given(row: Mapping[str, Any]) -> list[Mapping[str, str]]:
    return [*row["labels"], *([] if row.get("adjudicated") is None else [row["adjudicated"]])]


def _given(given: Mapping[str, str]) -> bool:
    """Return whether a label has a person, and a time with its zone."""
    try:
        at = datetime.fromisoformat(given["time"])
    except ValueError:
        return False
    return given["by"] == given["by"].strip() != "" and at.tzinfo is not None


def _case(row: Mapping[str, Any]) -> Case:
    return Case(
        id=row["id"],
        text=row["text"],
        known_names=tuple(row["known_names"]),
        position=row["position"],
        groups=row["groups"],
        twin=row["twin"],
        reason=row["reason"],
    )


def _by_person(said: Sequence[tuple[str, Mapping[str, str]]]) -> dict[str, dict[str, str]]:
    """Return labels by case, of each person."""
    found: dict[str, dict[str, str]] = {}
    for name, each in said:
        found.setdefault(each["by"], {})[name] = each["label"]
    return found
