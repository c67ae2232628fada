"""Counts of cells: whose judgements are counted together on a day, summed from frames and added to a store's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.monitoring.history.log import canonical_json
from evenhand.monitoring.history.store import Writing
from evenhand.monitoring.history.value_counts import ValueCounts
from evenhand.tables.schemas import BREAKDOWN, PROTECTED

__all__ = ["NOTHING", "Cell", "CellCounts", "CellRows", "add_counts", "cell_ids", "counted_cells", "summed"]

#: A cell's position, stage, who decided, breakdown and groups, the last two as JSON; '' is not known.
Cell = tuple[str, str, str, str, str]
#: Counts as a row of the table holds them, in the order of its columns.
Packed = tuple[Any, ...]
NOTHING: Final = ValueCounts.of([], [])


@dataclass(frozen=True, kw_only=True)
class CellCounts:
    """Counts of a cell on a day, named as in the table `counts`."""

    n: int = 0
    selected: int = 0
    decided: int = 0
    failed: int = 0
    failure_known: int = 0
    undetected: int = 0
    detection_known: int = 0
    agreed: int = 0
    compared: int = 0
    scores: ValueCounts = NOTHING
    scores_true: ValueCounts = NOTHING
    scores_false: ValueCounts = NOTHING
    seconds: ValueCounts = NOTHING

    def packed(self) -> Packed:
        """Return them in the order of the table's columns."""
        return tuple(each.packed() if isinstance(each, ValueCounts) else each for each in vars(self).values())


COUNTS: Final = tuple(field.name for field in fields(CellCounts))
VALUES: Final = ("scores", "scores_true", "scores_false", "seconds")
WHOLE: Final = tuple(name for name in COUNTS if name not in VALUES)


def summed(parts: Sequence[CellCounts]) -> CellCounts:
    """Return the counts of all parts together."""
    whole: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in WHOLE}
    return CellCounts(
        **whole | {name: ValueCounts.together([getattr(part, name) for part in parts]) for name in VALUES}
    )


def together(one: Packed, other: Packed) -> Packed:
    """Return two packed counts as one."""
    return summed([unpacked(one), unpacked(other)]).packed()


def judged(packed: Packed) -> int:
    """Return how many judgements are counted."""
    return int(packed[COUNTS.index("n")])


def unpacked(row: Sequence[Any]) -> CellCounts:
    """Return the counts that a row of the table holds, in the order of its columns."""
    counts: dict[str, Any] = {
        name: ValueCounts.unpacked(bytes(each)) if name in VALUES else each
        for name, each in zip(COUNTS, row, strict=True)
    }
    return CellCounts(**counts)


@dataclass(frozen=True, kw_only=True)
class CellRows:
    """Rows with the columns of `DATED` and a number, `cell`; `cells` has the cell and day that each number is."""

    rows: pl.DataFrame
    cells: Mapping[int, tuple[Cell, str]]

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Self:
        """Return a frame's rows with the cell and day that each is counted in."""
        by = [name for name in frame.columns if name.startswith(BREAKDOWN)]
        groups = [name for name in frame.columns if name.startswith(PROTECTED)]
        keys = ["day", "position", "stage", "decided_by", *by, *groups]
        unique = frame.select(keys).unique().with_row_index("cell")
        cells = {}
        for row in unique.iter_rows(named=True):
            breakdown = canonical_json({name.removeprefix(BREAKDOWN): row[name] for name in by})
            of_groups = canonical_json({name.removeprefix(PROTECTED): row[name] for name in groups})
            position, stage, decided_by = (row[name] or "" for name in ("position", "stage", "decided_by"))
            cells[row["cell"]] = ((position, stage, decided_by, breakdown, of_groups), row["day"].isoformat())
        return cls(rows=frame.join(unique, on=keys, how="left", nulls_equal=True), cells=cells)


def counted_cells(found: CellRows) -> Iterator[tuple[tuple[Cell, str], CellCounts]]:
    """Yield the cells and days of rows, and their counts."""
    rows = found.rows
    n, chosen, label = pl.col("n"), pl.col("selected"), pl.col("label")
    whole = rows.group_by("cell").agg(
        n.sum(),
        n.filter(chosen).sum().alias("selected"),
        n.filter(chosen.is_not_null()).sum().alias("decided"),
        n.filter(pl.col("failed")).sum().alias("failed"),
        n.filter(pl.col("failed").is_not_null()).sum().alias("failure_known"),
        n.filter(pl.col("undetected")).sum().alias("undetected"),
        n.filter(pl.col("undetected").is_not_null()).sum().alias("detection_known"),
        n.filter(chosen == label).sum().alias("agreed"),
        n.filter((chosen == label).is_not_null()).sum().alias("compared"),
    )
    values = {
        "scores": _by_cell(rows, "score"),
        "scores_true": _by_cell(rows.filter(label), "score"),
        "scores_false": _by_cell(rows.filter(~label), "score"),
        "seconds": _by_cell(rows, "seconds"),
    }
    for row in whole.iter_rows(named=True):
        counted: dict[str, Any] = {name: values[name].get(row["cell"], NOTHING) for name in VALUES}
        yield found.cells[row["cell"]], CellCounts(**counted | {name: row[name] for name in WHOLE})


def _by_cell(rows: pl.DataFrame, column: str) -> dict[int, ValueCounts]:
    """Return the values of a column in each cell."""
    known = rows.filter(pl.col(column).is_not_null())
    found = known.group_by("cell", column).agg(pl.col("n").sum()).sort("cell", column)
    cells: NDArray[np.int64] = found["cell"].to_numpy()
    values, counts = found[column].to_numpy(), found["n"].to_numpy()
    first, start = np.unique(cells, return_index=True)
    return {
        int(cell): ValueCounts(values=values[begin:end], counts=counts[begin:end])
        for cell, (begin, end) in zip(first, pairwise([*start, cells.size]), strict=True)
    }


def cell_ids(writing: Writing, model: str, cells: Sequence[Cell]) -> dict[Cell, int]:
    """Return the id of each cell of a model; those that are new are added.

    A value that the model has in another case or with other spaces is taken as that one.
    """
    known: dict[Cell, int] = {
        (position, stage, decided_by, breakdown, groups): number
        for number, position, stage, decided_by, breakdown, groups in writing.rows(
            "SELECT id, position, stage, decided_by, breakdown, groups FROM cells WHERE model = ?", (model,)
        )
    }
    spellings = _Spellings(known)
    asked = {cell: spellings.of(cell) for cell in cells}
    free = writing.next_id("cells")
    new = {cell: free + place for place, cell in enumerate(sorted(set(asked.values()) - set(known)))}
    writing.execute_each(
        "INSERT INTO cells (id, model, position, stage, decided_by, breakdown, groups) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(number, model, *cell) for cell, number in new.items()],
    )
    all_known = known | new
    return {cell: all_known[spelled] for cell, spelled in asked.items()}


class _Spellings:
    """How the values of cells are spelled: as they were at first."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._first: dict[tuple[str, str], str] = {}
        for cell in sorted(cells):
            self.of(cell)

    def of(self, cell: Cell) -> Cell:
        """Return a cell with the spellings of those before it."""
        position, stage, decided_by, *both = cell
        breakdown, groups = (
            canonical_json({name: value and self._spelled(name, value) for name, value in orjson.loads(each).items()})
            for each in both
        )
        plain = {"position": position, "stage": stage, "decided_by": decided_by}
        return (*(self._spelled(f"-{name}", value) for name, value in plain.items()), breakdown, groups)  # type: ignore[return-value]

    def _spelled(self, name: str, value: str) -> str:
        return self._first.setdefault((name, " ".join(value.split()).casefold()), value)


def add_counts(writing: Writing, counts: Mapping[tuple[int, str], Packed]) -> None:
    """Add counts to those that the store has of the same cells and days."""
    columns = ", ".join(COUNTS)
    known: dict[tuple[int, str], Packed] = {
        (cell, day): tuple(row)
        for day in sorted({day for _, day in counts})
        for cell, *row in writing.rows(f"SELECT cell, {columns} FROM counts WHERE day = ?", (day,))  # noqa: S608
        if (cell, day) in counts
    }
    rows = [(*key, *(together(known[key], each) if key in known else each)) for key, each in counts.items()]
    marks = ", ".join("?" * (len(COUNTS) + 2))
    changed = ", ".join(f"{name} = excluded.{name}" for name in COUNTS)
    writing.execute_each(
        f"INSERT INTO counts (cell, day, {columns}) VALUES ({marks}) "  # noqa: S608 - columns of ours
        f"ON CONFLICT (cell, day) DO UPDATE SET {changed}",
        rows,
    )
