"""What is counted in the engine, row by row or unit by unit, and what the keys are called."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.attributes import Attribute
from evenhand.hiring.columns.decisions import Decisions, decisions_of
from evenhand.hiring.columns.folding import labels_of
from evenhand.hiring.columns.happened import outcomes_of
from evenhand.hiring.columns.scores import UNREADABLE, score_state
from evenhand.hiring.columns.stages import BOTTOM_LINE, Stages
from evenhand.hiring.counting.people import NOT_SELECTED, SELECTED
from evenhand.hiring.counting.stage_rows import (
    Cells,
    StageRows,
    cells_of,
    clusters_of,
    keys_of,
    named_clusters,
    present,
)
from evenhand.hiring.counting.tallies import Meaning, attribute_labels
from evenhand.hiring.counting.units import coded, one_row_each, refuse_units_apart
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted

__all__ = ["Counted", "counted_rows", "counted_units", "with_cluster_codes"]

#: Only a blank cell is no position: any other text may be the name of one.
_BLANK = frozenset({""})


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Counts by raw keys, one `Cells` per stage, and what the keys are called.

    `rows` are those that the conditions left; `bottom` follows units through the stages.
    """

    name: str
    meaning: Meaning
    by_stage: tuple[StageRows, ...]
    cells: tuple[Cells, ...]
    rows: int
    bottom: Cells | None = None
    unit: dict[str, Any] | None = None
    score_column: Any = None


def counted_rows(
    table: OpenTable,
    rows: Any,
    query: ApplicantQuery,
    *,
    attributes: Sequence[Attribute],
    stages: Stages | None,
    unknown: frozenset[str],
) -> Counted:
    """Count rows."""
    by_stage = _stage_rows(rows, stages)
    cells = tuple(cells_of(table, stage_rows, query) for stage_rows in by_stage)
    _check_scores(table, query, cells)
    together = pl.concat([part.frame.select(pl.exclude("level")) for part in cells])
    return Counted(
        name=table.name,
        meaning=_meaning(together, query, attributes, unknown),
        by_stage=by_stage,
        cells=cells,
        rows=int(together["n"].sum()) + _unstaged(stages),
        score_column=table.expr[query.score] if query.score is not None else None,
    )


def counted_units(
    table: OpenTable,
    rows: Any,
    query: ApplicantQuery,
    *,
    attributes: Sequence[Attribute],
    stages: Stages | None,
    unknown: frozenset[str],
) -> Counted:
    """Count units: what spellings mean is found out on the rows first, so that rows of a unit can agree."""
    assert query.unit is not None
    staged = (
        rows.filter(rows.stage.isin([value for value, name in stages.of.items() if name is not None]))
        if stages
        else rows
    )
    keys = [name for name in (*keys_of(rows), "position", "decision") if name in rows.columns]
    raw = table.fetch(staged.group_by(keys).aggregate(n=staged.count()))
    meaning = _meaning(raw, query, attributes, unknown)
    codes = coded(table, staged, meaning, query.unit, stages)
    by = [query.unit, *([query.position] if query.position is not None else [])]
    refuse_units_apart(table, codes.expr, named_clusters(query), by)
    once = one_row_each(codes.expr)
    if stages is None:
        by_stage: tuple[StageRows, ...] = (StageRows(stage="", expr=once),)
    else:
        by_stage = tuple(
            StageRows(stage=name, expr=once.filter(once.stage == n)) for n, name in enumerate(stages.names)
        )
    cells = tuple(cells_of(table, stage_rows, query) for stage_rows in by_stage)
    _check_scores(table, query, cells)
    bottom = None
    if stages is not None and len(stages.names) > 1:
        everyone = StageRows(stage=BOTTOM_LINE, expr=one_row_each(codes.expr, last=len(stages.names) - 1))
        bottom = cells_of(table, everyone, query, like=cells[-1])
    n = int(raw["n"].sum())
    counted = sum(int(part.frame["n"].sum()) for part in cells)
    conflicts = sum(int(part.frame.filter(pl.col("conflict") == 1)["n"].sum()) for part in cells)
    return Counted(
        name=table.name,
        meaning=codes.meaning,
        by_stage=by_stage,
        cells=cells,
        rows=n + _unstaged(stages),
        bottom=bottom,
        unit={
            "column": query.unit,
            "by": [query.unit, *(name for name in (query.position, query.stage) if name is not None)],
            "rows": n,
            **_units(table, codes.expr),
            "counted": counted,
            "repeated_rows": n - counted,
            "conflicts": conflicts,
        },
        score_column=table.expr[query.score] if query.score is not None else None,
    )


def with_cluster_codes(counted: Counted) -> Counted:
    """Return the counts with whole numbers from 0 for the values of clusters, the same in all of them."""
    cells = [*counted.cells, *([counted.bottom] if counted.bottom is not None else [])]
    frames = [part.frame for part in cells]
    for name in clusters_of(frames[0]):
        texts = [frame[name].cast(pl.String) for frame in frames]
        values = pl.Enum(pl.concat(texts).unique().sort())
        frames = [
            frame.with_columns(text.cast(values).to_physical().cast(pl.Int64).alias(name))
            for frame, text in zip(frames, texts, strict=True)
        ]
    coded = [replace(part, frame=frame) for part, frame in zip(cells, frames, strict=True)]
    return replace(
        counted,
        cells=tuple(coded[: len(counted.cells)]),
        bottom=None if counted.bottom is None else coded[-1],
    )


def _units(table: OpenTable, rows: Any) -> dict[str, int]:
    """Return how many different units there are, and how many of them have several positions."""
    units = int(table.fetch(rows.aggregate(n=rows.unit.nunique()))["n"][0])
    several = 0
    if "position" in rows.columns:
        pairs = present(rows).select("unit", "position").distinct()
        each = pairs.group_by("unit").aggregate(positions=pairs.count())
        several = int(table.fetch(each.filter(each.positions > 1).count().as_table())[0, 0])
    return {"units": units, "with_several_positions": several}


def _stage_rows(rows: Any, stages: Stages | None) -> tuple[StageRows, ...]:
    if stages is None:
        return (StageRows(stage="", expr=rows),)
    values = {name: [value for value, found in stages.of.items() if found == name] for name in stages.names}
    return tuple(StageRows(stage=name, expr=rows.filter(rows.stage.isin(values[name]))) for name in stages.names)


def _unstaged(stages: Stages | None) -> int:
    return 0 if stages is None else stages.missing + sum(stages.left_out.values())


def _meaning(
    cells: pl.DataFrame, query: ApplicantQuery, attributes: Sequence[Attribute], unknown: frozenset[str]
) -> Meaning:
    positions = decisions = None
    if query.position is not None:
        positions = labels_of(cells.group_by("position").agg(pl.col("n").sum()).iter_rows(), _BLANK)
    if query.applicants is not None:
        decisions = _counted_decisions(cells)
    elif query.selected is not None:
        decisions = (
            outcomes_of(cells, query.selected, query.selected_value)
            if query.outcome
            else decisions_of(cells, query.selected, query.selected_value, query.undecided)
        )
    return Meaning(attributes=attribute_labels(attributes, cells, unknown), positions=positions, decisions=decisions)


def _counted_decisions(cells: pl.DataFrame) -> Decisions:
    """Return the decisions of a table that has a row per group."""
    counts = {SELECTED: 0, NOT_SELECTED: 0} | dict(cells.group_by("decision").agg(pl.col("n").sum()).iter_rows())
    return Decisions(of={SELECTED: True, NOT_SELECTED: False}, counts=counts, selected=(SELECTED,))


def _check_scores(table: OpenTable, query: ApplicantQuery, cells: Sequence[Cells]) -> None:
    """Raise InputError where a score is text and no number, with the first such cell."""
    unread = pl.col("level") == UNREADABLE
    found = sum(int(part.frame.filter(unread)["n"].sum()) for part in cells if "level" in part.frame.columns)
    if not found or query.score is None:
        return
    name = query.score
    # DuckDB keeps the order of a CSV's rows, so their numbers can be told.
    numbered = table.expr.mutate(row=ibis.row_number() + 1) if table.as_text else table.expr.mutate(row=ibis.literal(0))
    state, _ = score_state(numbered[name])
    wrong = numbered.mutate(state=state).filter(lambda rows: rows.state == UNREADABLE)
    first = table.fetch(wrong.select(value=wrong[name], row=wrong.row).order_by("row").limit(1)).row(0)
    where = f" in row {first[1]}" if first[1] else ""
    more = f" and {found - 1:,} more" if found > 1 else ""
    comma = "; write decimals with a point" if "," in first[0] else ""
    raise InputError(
        f"The column {quoted(name)} of {table.name} holds {quoted(first[0])}{where}{more}; expected numbers{comma}."
    )
