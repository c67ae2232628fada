"""Exact quantiles from counts by level: the values near a rank are fetched only where a level doesn't tell it."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand.hiring.counting.order_statistics import Spread, order_statistics
from evenhand.intake.tables import OpenTable

__all__ = ["quantiles"]

#: Rows near the ranks that are fetched, as values with their counts.
MOST_FETCHED: Final = 500_000


def quantiles(table: OpenTable, value: Any, code: Any, levels: pl.DataFrame, shares: Sequence[float]) -> list[float]:
    """Return the quantiles at shares, between the two nearest values in proportion (Hyndman and Fan's type 7).

    `code` is each value's level in the engine; `levels` has that level (`at`), and `low`, `high` and `n` of its
    values, in rising order.
    """
    n = int(levels["n"].sum())
    places = [share * (n - 1) for share in shares]
    wanted = sorted({rank for place in places for rank in (floor(place), ceil(place))})
    found = _exact(table, value, code, levels, wanted)
    values = []
    for place in places:
        low, high = found[floor(place)], found[ceil(place)]
        values.append(low + (high - low) * (place - floor(place)) if low < high else low)
    return values


def _exact(table: OpenTable, value: Any, code: Any, levels: pl.DataFrame, wanted: Sequence[int]) -> dict[int, float]:
    found: dict[int, float] = {}
    upto = np.cumsum(levels["n"].to_numpy())
    open_ones: dict[int, list[int]] = {}
    for rank in wanted:
        place = int(np.searchsorted(upto, rank, side="right"))
        start = int(upto[place] - levels["n"][place])
        low, high = levels["low"][place], levels["high"][place]
        if low == high or rank == start:
            found[rank] = low
        elif rank == upto[place] - 1:
            found[rank] = high
        else:
            open_ones.setdefault(place, []).append(rank)
    if not open_ones:
        return found
    if sum(levels["n"][place] for place in open_ones) > MOST_FETCHED:
        rows = table.expr.select(score=value)
        known = Spread(n=int(upto[-1]), lowest=levels["low"][0], highest=levels["high"][-1])
        return found | order_statistics(table, rows, known, [rank for ranks in open_ones.values() for rank in ranks])
    near = _values(table, value, code, [levels["at"][place] for place in open_ones])
    for place, ranks in open_ones.items():
        low, high = levels["low"][place], levels["high"][place]
        own = near.filter((pl.col("value") >= low) & (pl.col("value") <= high)).sort("value")
        ordered = np.cumsum(own["n"].to_numpy())
        start = int(upto[place] - levels["n"][place])
        for rank in ranks:
            found[rank] = own["value"][int(np.searchsorted(ordered, rank - start, side="right"))]
    return found


def _values(table: OpenTable, value: Any, code: Any, levels: Sequence[int]) -> pl.DataFrame:
    rows = table.expr.select(value=value, at=code)
    near = rows.filter(rows.at.isin(levels))
    return table.fetch(near.group_by("value").aggregate(n=near.count()))
