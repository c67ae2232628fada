"""The k-th smallest score, exactly, on any engine."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.errors import ServiceError
from evenhand.hiring.columns.scores import Bar, level
from evenhand.hiring.counting.people import people
from evenhand.intake.tables import OpenTable

__all__ = ["Spread", "median", "order_statistics", "spread"]

#: Values tried within each gap that still hides a rank; each pass narrows a gap by that factor.
TRIES = 15
MOST_PASSES = 80
#: Engines without quantiles of several shares at once: they begin with the lowest and the highest score.
NO_QUANTILES = frozenset({"sqlite", "polars"})


@dataclass(frozen=True, kw_only=True)
class Spread:
    """How many scores there are, the lowest and the highest."""

    n: int
    lowest: float | None
    highest: float | None


def spread(table: OpenTable, stage_rows: Any) -> Spread:
    """Return number and range of the usable scores of rows (their column `score`)."""
    usable = stage_rows.filter(stage_rows.score.notnull())
    found = table.fetch(usable.aggregate(n=people(usable), lowest=usable.score.min(), highest=usable.score.max()))
    return Spread(**found.row(0, named=True))


def median(table: OpenTable, stage_rows: Any, known: Spread) -> float:
    """Return the median: the middle score, or the mean of the two in the middle."""
    low, high = (known.n - 1) // 2, known.n // 2
    values = order_statistics(table, stage_rows, known, [low, high])
    between = (values[low] + values[high]) / 2
    # The sum of two scores near the largest double is none.
    return between if math.isfinite(between) else values[low] / 2 + values[high] / 2


def order_statistics(table: OpenTable, stage_rows: Any, known: Spread, ranks: Iterable[int]) -> dict[int, float]:
    """Return the scores at ranks, counted from 0 for the lowest.

    The engine's quantile is a first guess. Counting how many scores lie below, at and above
    it, with the nearest on each side, either proves which score has the rank or narrows where
    it is, so the answer is exact even where an engine's quantile interpolates or is approximate.
    """
    wanted = sorted(set(ranks))
    assert known.lowest is not None
    assert known.highest is not None
    tries = _guesses(table, stage_rows, known, wanted)
    found: dict[int, float] = {}
    for _ in range(MOST_PASSES):
        gaps = _place(table, stage_rows, tries, [rank for rank in wanted if rank not in found], found)
        if not gaps:
            return found
        # The ends of a gap are scores, often of many: each of them becomes a cell of its own.
        ends = {end for gap in gaps for end in gap}
        inside = {low + (high - low) * (step / (TRIES + 1)) for low, high in gaps for step in range(1, TRIES + 1)}
        tries = sorted(ends | inside)
    raise ServiceError(f"{table.engine} gave no stable order of the scores of {table.name}.")


def _guesses(table: OpenTable, stage_rows: Any, known: Spread, ranks: Sequence[int]) -> list[float]:
    shares = [rank / max(known.n - 1, 1) for rank in ranks]
    if len(shares) == 1:
        shares *= 2
    if stage_rows.get_backend().name in NO_QUANTILES:
        return []
    column = table.fetch(stage_rows.aggregate(guess=stage_rows.score.quantile(shares)))["guess"]
    return sorted({value for value in column.to_list()[0] if value is not None})


def _place(
    table: OpenTable, stage_rows: Any, tries: Sequence[float], ranks: Sequence[int], found: dict[int, float]
) -> set[tuple[float, float]]:
    """Put the ranks that one pass decides into `found`; return the gaps in which the others lie."""
    bars = [Bar(value=value, strict=strict) for value in tries for strict in (False, True)]
    usable = stage_rows.filter(stage_rows.score.notnull())
    cells = usable.group_by(level=level(usable.score, bars)).aggregate(
        n=people, lowest=lambda rows: rows.score.min(), highest=lambda rows: rows.score.max()
    )
    gaps = set()
    start = 0
    waiting = list(ranks)
    for _, n, lowest, highest in table.fetch(cells.select("level", "n", "lowest", "highest")).sort("level").iter_rows():
        while waiting and waiting[0] < start + n:
            rank = waiting.pop(0)
            if rank == start or lowest == highest:
                found[rank] = lowest
            elif rank == start + n - 1:
                found[rank] = highest
            else:
                gaps.add((lowest, highest))
        start += n
    return gaps
