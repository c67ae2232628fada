"""Columns that hold the same in every row."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import ibis

from evenhand.hiring.features.readings import Reading
from evenhand.intake.tables import OpenTable
from evenhand.tables.audit.features.block import FeatureRow

__all__ = ["same_columns"]

_DIGITS: Final = 12


def same_columns(
    table: OpenTable, rows: Iterable[FeatureRow], readings: Mapping[str, Reading]
) -> dict[str, tuple[str, ...]]:
    """Return for each column those that equal it in every row, missing cells included.

    Columns with the same distribution are compared row by row in the engine, others can't be equal.
    """
    alike: dict[Any, list[FeatureRow]] = {}
    for row in rows:
        if row.n and row.told_apart:
            alike.setdefault(_summary(row), []).append(row)
    pairs = [
        (first.feature, second.feature)
        for together in alike.values()
        for place, first in enumerate(together)
        for second in together[place + 1 :]
    ]
    found: dict[str, list[str]] = {}
    for part in (pairs[start : start + 50] for start in range(0, len(pairs), 50)):
        sums = {
            f"pair_{place}": _differ(readings[first].value, readings[second].value).sum()
            for place, (first, second) in enumerate(part)
        }
        differing = table.fetch(table.expr.aggregate(**sums)).row(0)
        for (first, second), n in zip(part, differing, strict=True):
            if not n:
                found.setdefault(first, []).append(second)
                found.setdefault(second, []).append(first)
    return {name: tuple(others) for name, others in found.items()}


def _summary(row: FeatureRow) -> tuple[Any, ...]:
    """Return what equal columns have in common; sums may differ in their last digits."""
    if row.numeric:
        numbers = (row.p10, row.p30, row.p50, row.p70, row.p90, row.min, row.max, row.nonzero)
        return (True, row.n, row.missing, *(None if each is None else f"{each:.{_DIGITS}g}" for each in numbers))
    return (False, row.n, row.missing, row.distinct, row.most_frequent, row.most_frequent_n)


def _differ(first: Any, second: Any) -> Any:
    same = (first == second).fill_null(first.isnull() & second.isnull())
    return ibis.ifelse(same, 0, 1)
