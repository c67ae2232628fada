"""Findings that were computed again, held against those that a run has."""

from collections.abc import Mapping, Sequence
from csv import reader
from dataclasses import dataclass, field
from io import StringIO
from math import isclose
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.tables.audit.kinds import Audit
from evenhand.tables.audit.written import as_json
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.finding import Finding

__all__ = ["NotRecomputed", "Recomputed", "first_different", "first_different_cell", "first_different_line"]

#: How far two numbers may be apart, of their size: other processors and versions add up in another order.
TOLERANCE: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class NotRecomputed:
    """What was not computed again, and why; `findings` are their names."""

    what: str
    why: str
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recomputed:
    """The findings of a run as they were computed again, what from, and what was not.

    `audit` is the audit block as far as it was made again, with what else stands there as it is. `tables` are those
    besides, by the name of their CSV. `without` are the names of findings that nobody can compute from what is there,
    with the reason; `besides` is what else was not done.
    """

    findings: Sequence[Finding]
    source: str
    audit: Audit | None = None
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)
    besides: Sequence[NotRecomputed] = ()


def first_different(saved: Sequence[Finding], again: Recomputed) -> str | None:
    """Return where findings differ from those that were computed again; None where they are the same.

    >>> from dataclasses import replace
    >>> one = Finding(name="a", measure="a", role="planned", estimate=0.5, n=2, clusters={}, method="")
    >>> first_different([one], Recomputed(findings=[replace(one, estimate=0.25)], source=""))
    'the estimate of a is 0.5, computed again 0.25'
    """
    found = {finding.name: finding for finding in again.findings}
    for finding in saved:
        if finding.name in again.without:
            continue
        if finding.name not in found:
            return f"{finding.name} is not there when it is computed again"
        different = _different(finding.as_dict(), found[finding.name].as_dict(), "")
        if different is not None:
            return f"{different[0]} of {finding.name} is {different[1]}, computed again {different[2]}"
    known = {finding.name for finding in saved}
    lacking = next((name for name in found if name not in known), None)
    return None if lacking is None else f"{lacking} is not among the findings, though it is computed"


def _different(saved: Any, again: Any, place: str) -> tuple[str, str, str] | None:
    """Return the first place in which two JSON values differ, and both; None where they are the same."""
    saved, again = as_json(saved), as_json(again)
    if isinstance(saved, dict) and isinstance(again, dict) and saved.keys() == again.keys():
        return _first((saved[key], again[key], f"{place}.{key}" if place else f"the {key}") for key in saved)
    if isinstance(saved, list) and isinstance(again, list) and len(saved) == len(again):
        pairs = enumerate(zip(saved, again, strict=True))
        return _first((one, other, f"{place}.{number}") for number, (one, other) in pairs)
    if isinstance(saved, float) and isinstance(again, int | float) and not isinstance(again, bool):
        same = isclose(saved, again, rel_tol=TOLERANCE, abs_tol=1e-12)
    else:
        same = saved == again and isinstance(saved, bool) is isinstance(again, bool)
    return None if same else (place, str(saved), str(again))


def _first(parts: Any) -> tuple[str, str, str] | None:
    return next((found for part in parts if (found := _different(*part)) is not None), None)


def first_different_line(saved: object, again: object | None) -> str | None:
    """Return where what is told of a run differs from what was made again; None where they are the same.

    `saved` and `again` are audit blocks, or what bundle.json says; nothing is held against None.
    """
    different = None if again is None else _different(saved, again, "")
    return None if different is None else f"{different[0]} is {different[1]}, computed again {different[2]}"


def first_different_cell(saved: Path, again: pl.DataFrame) -> str | None:
    """Return where a CSV differs from a table that was computed again; None where they are the same."""
    if not saved.is_file():
        return f"{saved.name} is not there, though it is computed"
    one, other = _rows(saved.read_bytes()), _rows(csv_bytes(again))
    if len(one) != len(other):
        return f"{saved.name} has {len(one):,} lines, computed again {len(other):,}"
    different = _different(one, other, saved.name)
    return None if different is None else f"{different[0]} is {different[1]!r}, computed again {different[2]!r}"


def _rows(content: bytes) -> list[list[float | str]]:
    """Return the cells of a CSV, numbers as such."""
    return [[_number(cell) for cell in row] for row in reader(StringIO(content.decode("utf-8-sig")))]


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell
