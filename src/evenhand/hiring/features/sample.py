"""Rows drawn from a table: the same ones each time, as long as the table keeps its order."""

from typing import Any, Final

import ibis
import polars as pl

from evenhand.intake.tables import OpenTable

__all__ = ["drawn"]

#: A prime below 2**31, so that products fit into 64 bits.
_PRIME: Final = 2_147_483_629
_STEP: Final = 48_271
#: Of the rows wanted, the share that is drawn on average, so that hardly ever more come.
_SAFE: Final = 0.98


def drawn(table: OpenTable, columns: dict[str, Any], *, rows: int, most: int, seed: int) -> pl.DataFrame:
    """Return some columns of about `most` of the rows, at most so many; all rows where there are no more.

    Each row's number is mixed with the seed; those that come out low are drawn.
    """
    if rows <= most:
        return table.fetch(table.expr.select(**columns))
    numbered = table.expr.select(**columns, row=ibis.row_number().cast("int64"))
    mixed = (numbered.row * _STEP + seed % _PRIME) % _PRIME
    for _ in range(2):
        mixed = (mixed * mixed + _STEP) % _PRIME
    low = numbered.filter(mixed < int(_PRIME * _SAFE * most / rows))
    return table.fetch(low.drop("row").limit(most))
