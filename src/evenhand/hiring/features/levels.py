"""A feature's rows counted by level: by value where there are few, else by ranges that hold about as many rows each."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nextafter
from typing import Any, Final

import ibis
import polars as pl

from evenhand.hiring.columns.scores import number
from evenhand.hiring.features.readings import MOST_VALUES, Reading
from evenhand.intake.tables import OpenTable

__all__ = ["Levels", "by_range", "by_value", "first_knots"]

#: Ranges in all: as many of equal width between each two knots.
RANGES: Final = 1024
#: Values by groups that are fetched.
MOST_ROWS: Final = 1_000_000
#: Of all rows, the share in one range from which on the ranges are drawn anew; and how often.
MOST_IN_A_RANGE: Final = 0.02
MOST_PASSES: Final = 4
#: The share of rows from which on a value has a range of its own.
ALONE: Final = 0.01
#: Shares of the rows at which the pieces meet; closer in the tails, where values lie far apart.
_SHARES: Final = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Rows by level (`at`) and the keys, with their number `n` and, of a numeric feature, what their values add up to.

    `low`, `high`, `total` and `squares` are those of the level's values, `squares` about `centre`. A level is a value,
    or with `knots` a range.
    """

    frame: pl.DataFrame
    knots: tuple[float, ...] | None = None
    centre: float = 0.0

    @property
    def few(self) -> bool:
        """Return whether a level is a value."""
        return self.knots is None

    def code(self, value: Any) -> Any:
        """Return what the level of a value is known by in the engine."""
        return value if self.knots is None else _code(value, self.knots)


def by_value(table: OpenTable, reading: Reading, keys: dict[str, Any]) -> Levels | None:
    """Return the counts by value; None where there are too many."""
    if reading.many:
        return None
    rows = table.expr.select(at=reading.value, filled=reading.filled, **keys)
    combinations = rows.group_by(["at", "filled", *keys]).aggregate(n=rows.count())
    frame = table.fetch(combinations.limit(MOST_ROWS))
    if frame.height == MOST_ROWS or frame["at"].n_unique() > MOST_VALUES + 1:
        return None
    if not reading.numeric:
        return Levels(frame=frame)
    # About a value in the middle: the squares of days or years would take the digits that tell them apart.
    known = frame["at"].drop_nulls().unique().sort()
    centre = float(known[len(known) // 2]) if len(known) else 0.0
    away = pl.col("at") - centre
    sums = {"total": away * pl.col("n"), "squares": away * away * pl.col("n")}
    return Levels(frame=frame.with_columns(low="at", high="at", **sums), centre=centre)


def by_range(table: OpenTable, reading: Reading, keys: dict[str, Any], knots: Sequence[float]) -> Levels:
    """Return the counts of a numeric feature by range; ranges that hold too many different values are drawn anew."""
    centre = knots[len(knots) // 2] if knots else 0.0
    for last in (*[False] * (MOST_PASSES - 1), True):
        code = _code(reading.value, knots)
        rows = table.expr.select(at=code, filled=reading.filled, value=reading.value, **keys)
        away = rows.value - number(centre)
        frame = table.fetch(
            rows.group_by(["at", "filled", *keys]).aggregate(
                n=rows.count(),
                low=rows.value.min(),
                high=rows.value.max(),
                total=away.sum(),
                squares=(away * away).sum(),
            )
        )
        levels = frame.group_by("at").agg(pl.col("n").sum(), pl.col("low").min(), pl.col("high").max()).drop_nulls()
        full = levels.filter(
            (pl.col("low") < pl.col("high")) & (pl.col("n") > MOST_IN_A_RANGE * int(levels["n"].sum()))
        )
        if last or not full.height:
            break
        knots = knots_of(levels)
    return Levels(frame=frame, knots=tuple(knots), centre=centre)


def knots_of(levels: pl.DataFrame) -> list[float]:
    """Return where pieces meet: values near the shares, from ranges with `low`, `high` and `n`."""
    ordered = levels.sort("low")
    upto = ordered["n"].cum_sum() / max(ordered["n"].sum(), 1)
    found = []
    for share in _SHARES:
        place = int((upto < share).sum())
        place = min(place, ordered.height - 1)
        before = upto[place - 1] if place else 0.0
        low, high = ordered["low"][place], ordered["high"][place]
        within = (share - before) / max(upto[place] - before, 1e-300)
        found.append(low + (high - low) * min(max(within, 0.0), 1.0))
    # A value that many rows have is a range of its own.
    alone = ordered.filter((pl.col("low") == pl.col("high")) & (pl.col("n") >= ALONE * int(ordered["n"].sum())))["low"]
    below = [nextafter(each, -inf) for each in alone]
    return sorted({float(each) for each in (*found, *alone, *below, ordered["low"][0], ordered["high"][-1])})


def first_knots(levels: pl.DataFrame) -> list[float]:
    """Return two knots where ranges of equal width between them hold few of the first rows each, else `knots_of`.

    Two are counted by faster. `levels` has the values of the first rows (`low`) with their number `n`.
    """
    knots = knots_of(levels)
    ordered = levels.sort("low")
    upto = ordered["n"].cum_sum() / int(ordered["n"].sum() or 1)
    inner = ordered.filter((upto > _SHARES[0]) & (upto < _SHARES[-1]))["low"]
    if len(inner) < 2:
        return knots
    ends = [float(inner[0]), float(inner[-1])]
    place = ((pl.col("low") - ends[0]) * RANGES / (ends[1] - ends[0])).floor().clip(-1, RANGES)
    ranges = ordered.group_by(place).agg(pl.len(), pl.col("n").sum())
    crowded = ranges.filter((pl.col("len") > 1) & (pl.col("n") > MOST_IN_A_RANGE * int(ordered["n"].sum())))
    return knots if crowded.height else ends


def _code(value: Any, knots: Sequence[float]) -> Any:
    """Return the range of each value: a number that rises with it."""
    within = max(RANGES // max(len(knots) - 1, 1), 1)
    return ibis.ifelse(value.isnull(), ibis.null("int64"), _piece(value, knots, 0, len(knots), within))


def _piece(value: Any, knots: Sequence[float], low: int, high: int, within: int) -> Any:
    """Return a tree of comparisons with the knots, in each leaf equal ranges between two of them."""
    if low == high:
        if low in {0, len(knots)}:
            return ibis.literal(low * within, type="int64")
        start, end = knots[low - 1], knots[low]
        step = within / (end - start) if end - start > 0 else 0.0
        if not 0 < step < float("inf"):
            return ibis.literal(low * within, type="int64")
        place = ((value - number(start)) * number(step)).floor()
        inside = ibis.least(ibis.greatest(place, number(0)), number(within - 1))
        return (inside + number(low * within)).cast("int64")
    middle = (low + high) // 2
    return ibis.ifelse(
        value > number(knots[middle]),
        _piece(value, knots, middle + 1, high, within),
        _piece(value, knots, low, middle, within),
    )
