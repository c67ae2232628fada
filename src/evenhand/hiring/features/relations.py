"""Another column by the levels of a feature."""

from typing import Any

import polars as pl

from evenhand.hiring.features.readings import Reading
from evenhand.intake.tables import OpenTable

__all__ = ["sums_by_level"]


def sums_by_level(table: OpenTable, code: Any, other: Reading) -> pl.DataFrame:
    """Return rows, sum and sum of squares of another column (`n`, `total`, `squares`) by level, in rising order."""
    rows = table.expr.select(at=code, value=other.value)
    held = rows.filter(rows.at.notnull() & rows.value.notnull())
    sums = held.group_by("at").aggregate(
        n=held.count(), total=held.value.sum(), squares=(held.value * held.value).sum()
    )
    return table.fetch(sums).sort("at")
