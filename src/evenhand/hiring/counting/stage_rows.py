"""The rows that are counted, in an engine: one column per thing asked of them, and their counts by keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.attributes import Attribute
from evenhand.hiring.columns.cardinality import check_cardinality
from evenhand.hiring.columns.lookup import checked_column, is_nan, is_text
from evenhand.hiring.columns.scores import USABLE, Bar, level, number, rounded_like, score_state
from evenhand.hiring.counting.moments import Steps, steps_of, sums_of
from evenhand.hiring.counting.order_statistics import Spread, median, order_statistics, spread
from evenhand.hiring.counting.people import by_decision, count_in, people, weight_of
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted, shortened

__all__ = [
    "CLUSTER",
    "Cells",
    "StageRows",
    "cells_of",
    "clusters_of",
    "given_cells",
    "keys_of",
    "named_clusters",
    "present",
    "rows_to_count",
    "sweep_cells",
    "without_nan",
]

#: What the columns of clusters begin with.
CLUSTER = "cluster_"
#: As many values tell a column of fractions from one of codes.
_ENOUGH = 50


@dataclass(frozen=True, kw_only=True)
class StageRows:
    """Rows of one stage, or all rows where there are no stages.

    For the bottom line the rows have `reached`: 0 for who never came to the last stage and so passes no bar.
    """

    stage: str
    expr: Any


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counts of rows by their keys, and what their scores were compared with.

    `bars` are sorted; a row of `frame` with the level l passed the first l of them.
    """

    stage: str
    frame: pl.DataFrame
    spread: Spread | None
    median: float | None
    bars: tuple[Bar, ...]
    steps: Steps | None


def rows_to_count(table: OpenTable, kept: Any, query: ApplicantQuery, attributes: Sequence[Attribute]) -> Any:
    """Return the rows with plain column names: keys, position, stage, decision, state, score, unit, given.

    Raises
    ------
    InputError
        A column does not exist, or has more values than what it is named for.

    """
    columns: dict[str, Any] = {}
    for attribute in attributes:
        columns |= attribute.keys
    named = {
        "position": (query.position, "--position"),
        "stage": (query.stage, "--stage"),
        "decision": (
            query.selected if query.applicants is None else None,
            "--label" if query.outcome else "--selected",
        ),
        "unit": (query.unit, "--unit"),
        "cluster": (query.cluster, "--cluster"),
    }
    columns |= {key: checked_column(table, name, option) for key, (name, option) in named.items() if name is not None}
    for place, name in enumerate(query.given):
        columns[f"given_{place}"] = checked_column(table, name, "--given")
    for place, name in enumerate(query.similar):
        columns[f"similar_{place}"] = checked_column(table, name, "--similar")
    for place, (name, option) in enumerate(query.apart):
        columns[f"{CLUSTER}{place}"] = checked_column(table, name, option)
    _check_decision(table, columns.get("decision"), outcome=query.outcome)
    weight = weight_of(table, query)
    if weight is not None:
        columns["weight"] = weight
    if query.selected_count is not None:
        columns["chosen"] = count_in(checked_column(table, query.selected_count, "--selected-count"))
    columns = {key: without_nan(column) for key, column in columns.items()}
    columns |= _scores(table, query)
    rows = kept.select(**columns)
    if "chosen" in columns:
        rows = by_decision(rows)
    if weight is not None and not query.people:  # of people alone a row of 0 is a group that is lacking
        rows = rows.filter(rows.weight > 0)
    _refuse_without_cluster(table, rows, query)
    known = {
        key: (option, name)
        for key, (name, option) in named.items()
        if name is not None and key not in {"unit", "cluster"}
    }
    known |= {key: ("--protected", attribute.name) for attribute in attributes for key in attribute.keys}
    known |= {f"given_{place}": ("--given", name) for place, name in enumerate(query.given)}
    check_cardinality(table, rows, known)
    return rows


def _scores(table: OpenTable, query: ApplicantQuery) -> dict[str, Any]:
    """Return the score as it is counted and its state, and those of the previous version."""
    columns: dict[str, Any] = {}
    if query.score is not None:
        columns["state"], score = score_state(checked_column(table, query.score, "--score"))
        columns["score"] = number(0.0) - score if query.low else score
    if query.against is not None:
        columns["against_state"], columns["against"] = score_state(checked_column(table, query.against, "--against"))
    return columns


def keys_of(expr: Any) -> list[str]:
    """Return the key columns of the attributes."""
    return [name for name in expr.columns if name.startswith("key_")]


def clusters_of(expr: Any) -> list[str]:
    """Return the columns of clusters."""
    return [name for name in expr.columns if name.startswith(CLUSTER)]


def present(expr: Any) -> Any:
    """Return the rows that have a position, where positions are asked for."""
    if "position" not in expr.columns:
        return expr
    kept = expr.position.notnull()
    return expr.filter(kept & (expr.position.strip() != "") if is_text(expr.position) else kept)


def cells_of(table: OpenTable, stage_rows: StageRows, query: ApplicantQuery, like: Cells | None = None) -> Cells:
    """Count rows by keys; with `like`, against the same bars as other rows."""
    expr = stage_rows.expr
    known, middle, steps = None, None, None
    bars: tuple[Bar, ...] = ()
    if "score" in expr.columns:
        if like is not None:
            known, middle, bars = like.spread, like.median, like.bars
        else:
            known = spread(table, present(expr))
            if query.median and known.n:
                middle = median(table, present(expr), known)
            bars = bars_of(table, query, middle)
            steps = steps_of(known) if query.means and known.n else None
        expr = expr.mutate(level=_level(expr, bars))
    keys = (*keys_of(expr), *clusters_of(expr), "position", "decision", "level", "conflict")
    by = [name for name in keys if name in expr.columns]
    sums = {}
    if steps is not None:
        sums = sums_of(expr.score, steps)
        # Sums of one weight are multiplied by it afterwards, in whole numbers of any size.
        by += ["weight"] if "weight" in expr.columns else []
    counted = expr.group_by(by).aggregate(n=people(expr), **sums)
    return Cells(
        stage=stage_rows.stage, frame=table.fetch(counted), spread=known, median=middle, bars=bars, steps=steps
    )


def sweep_cells(
    table: OpenTable, stage_rows: StageRows, query: ApplicantQuery, known: Spread
) -> tuple[pl.DataFrame, list[float]]:
    """Count rows at cut-offs that are their scores at equally spaced ranks."""
    expr = present(stage_rows.expr)
    ranks = [known.n * step // (query.sweep + 1) for step in range(1, query.sweep + 1)]
    values = sorted(set(order_statistics(table, expr, known, ranks).values()))
    bars = [Bar(value=value, strict=not query.at_least) for value in values]
    by = expr.filter(expr.state == USABLE)
    by = by.mutate(level=level(by.score, bars))
    return table.fetch(by.group_by([*keys_of(by), "level"]).aggregate(n=people(by))), values


def given_cells(table: OpenTable, stage_rows: StageRows, bars: Sequence[Bar]) -> pl.DataFrame:
    """Count rows by attributes, qualifications and outcome: the decision, or the first bar."""
    expr = present(stage_rows.expr)
    if "decision" not in expr.columns:
        expr = expr.mutate(level=_level(expr, bars))
    outcome = "decision" if "decision" in expr.columns else "level"
    by = [*keys_of(expr), *(name for name in expr.columns if name.startswith("given_")), outcome]
    return table.fetch(expr.group_by(by).aggregate(n=people(expr)))


def bars_of(table: OpenTable, query: ApplicantQuery, middle: float | None) -> tuple[Bar, ...]:
    """Return what scores have to pass, sorted."""
    assert query.score is not None
    column = table.expr[query.score]
    bars = {Bar(value=rounded_like(query.signed(value), column), strict=not query.at_least) for value in query.cutoffs}
    if middle is not None:
        bars.add(Bar(value=middle, strict=True))
    return tuple(sorted(bars))


def _level(expr: Any, bars: Sequence[Bar]) -> Any:
    passed = level(expr.score, bars)
    if "reached" in expr.columns:
        passed = ibis.ifelse(expr.reached == 0, ibis.literal(0, type="int32"), passed)
    return ibis.ifelse(expr.state == USABLE, passed, expr.state).cast("int32")


def named_clusters(query: ApplicantQuery) -> dict[str, tuple[str, str]]:
    """Return the columns of clusters and blocks, each with its name in the table and its option."""
    own = {f"{CLUSTER}{place}": each for place, each in enumerate(query.apart)}
    return own if query.cluster is None else own | {"cluster": (query.cluster, "--cluster")}


def without_nan(column: Any) -> Any:
    """Return a key column in which NaN is null: no two NaN are alike outside an engine."""
    return ibis.ifelse(is_nan(column), ibis.null(column.type()), column) if column.type().is_floating() else column


def _refuse_without_cluster(table: OpenTable, rows: Any, query: ApplicantQuery) -> None:
    """Raise InputError where a row has no cluster or block."""
    for key, (name, option) in named_clusters(query).items():
        column = rows[key]
        blank = rows.filter(column.isnull() | (column.cast("string").strip() == ""))
        n = int(table.fetch(blank.count().as_table())[0, 0])
        if n:
            raise InputError(
                f"{option} {shortened(name)}: {n:,} of the rows of {table.name} {'has' if n == 1 else 'have'} no "
                f'value in it; fill it in, or leave them out: --where "{shortened(name)} is not null".'
            )


def _check_decision(table: OpenTable, column: Any, *, outcome: bool) -> None:
    """Raise InputError for fractions, before each of them is counted as a value of its own."""
    if column is None or not column.type().is_numeric() or column.type().is_boolean():
        return
    value = column.cast("float64")
    others = table.expr.filter(~is_nan(column) & (value != 0) & (value != 1)).select(value=value)
    values = table.fetch(others.distinct().limit(_ENOUGH))["value"].to_list()
    if any(not value.is_integer() for value in values):
        name = column.get_name()
        if outcome:
            raise InputError(f"The label {quoted(name)} holds fractions; expected two outcomes, such as 1 and 0.")
        raise InputError(
            f"The column {quoted(name)} holds fractions; expected decisions such as yes and no; "
            f"for scores use --score {shortened(name)} with --cutoff or --median."
        )
