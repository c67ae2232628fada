"""Sampling weights of rows, and probabilities of belonging to a group: read, checked by row, and applied to counts."""

from dataclasses import replace
from typing import Any

import ibis
import polars as pl

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.open_table import OpenTable, checked_column
from evenhand.data.score_cells import USABLE, number, score_state
from evenhand.errors import InputError, option_text
from evenhand.results.messages import quoted
from evenhand.results.schemas import PROTECTED

#: The number of a row in its table, which stands for its cluster where no column does.
NUMBER = "number of the row in its table"
#: Columns of rows and of cells: the weight, and the probability of each group of `query.membership`.
WEIGHT, MEMBER = "sampling", "member_"
#: Probabilities of a row may exceed 1 together by so much, which is rounding.
ROUNDING = 1e-6


def numbered(table: OpenTable) -> OpenTable:
    """Return the table with the number of each row."""
    return replace(table, expr=table.expr.mutate(**{NUMBER: (ibis.row_number() + 1).cast("int64")}))


def sampling_columns(table: OpenTable, query: ApplicantQuery) -> dict[str, Any]:
    """Return the weight of each row, 1 where there is none, and its probabilities; nothing without either."""
    if not query.is_weighted:
        return {}
    weight = number(1.0)
    if query.weight is not None:
        weight = score_state(checked_column(table, query.weight, "--weight"))[1]
    members = [score_state(checked_column(table, name, "--protected"))[1] for _, name in query.members]
    return {WEIGHT: weight} | {f"{MEMBER}{place}": column for place, column in enumerate(members)}


def check_sampling(table: OpenTable, counted: Any, query: ApplicantQuery, people: object) -> None:
    """Raise InputError that names the first row whose weight or probabilities can't be used, or a table of counts."""
    if not query.is_weighted:
        return
    if people is not None:
        raise InputError(
            "With weights or probabilities a row must be one person; rows of this table are several people."
        )
    if query.weight is not None:
        state, weight = score_state(checked_column(table, query.weight, "--weight"))
        _refuse(table, counted, (state != USABLE) | (weight <= 0), query.weight, "a weight above 0, and finite")
    total = number(0.0)
    for _, name in query.members:
        state, share = score_state(checked_column(table, name, "--protected"))
        _refuse(table, counted, (state != USABLE) | (share < 0) | (share > 1), name, "a probability from 0 to 1")
        total += share
    if query.members:
        names = " + ".join(name for _, name in query.members)
        _refuse(table, counted, total > 1 + ROUNDING, names, "probabilities that are 1 together at most", shown=total)


def _refuse(table: OpenTable, counted: Any, wrong: Any, name: str, expected: str, *, shown: Any = None) -> None:
    value = (table.expr[name] if shown is None else shown).cast("string")
    rows = counted.filter(ibis.coalesce(wrong, ibis.literal(value=True)))
    rows = rows.select(value=value, row=rows[NUMBER]).order_by("row")
    first = table.fetch(rows.limit(1)).rows()
    if first:
        place = f"row {first[0][1]:,} of {table.name}" if table.ordered else f"a row of {table.name}"
        given = "nothing" if first[0][0] is None else quoted(first[0][0])
        raise InputError(
            f"{quoted(name)} has {given} in {place}; expected {expected}. Correct it, or leave such rows out "
            f"with {option_text('where')}."
        )


def mean_weight(cells: pl.DataFrame) -> float:
    """Return the mean weight of people."""
    return float((cells["n"] * cells[WEIGHT]).sum() / max(int(cells["n"].sum()), 1))


def as_members(cells: pl.DataFrame, query: ApplicantQuery) -> pl.DataFrame:
    """Return cells with the group of `query.membership`: each once for every group, with its expected number of people.

    What the probabilities leave of 1 is of no known group.
    """
    column = PROTECTED + (query.membership or "")
    names = [f"{MEMBER}{place}" for place in range(len(query.members))]
    rest = (1 - pl.sum_horizontal(names)).clip(lower_bound=0.0)
    labels = [*(label for label, _ in query.members), None]
    parts = [
        cells.with_columns(pl.lit(label, pl.String).alias(column), pl.col("n") * share)
        for label, share in zip(labels, (*map(pl.col, names), rest), strict=True)
    ]
    return pl.concat(parts).filter(pl.col("n") > ROUNDING).drop(names)


def weighted(counts: pl.DataFrame, *, mean: float) -> pl.DataFrame:
    """Return counts by weight as sums of weights whose mean is 1: n, successes, and `squares` of the weights."""
    weight = pl.col(WEIGHT) / mean
    sums = counts.sort(pl.all()).with_columns(
        pl.col("n") * weight, pl.col("successes") * weight, squares=pl.col("n") * weight**2
    )
    keys = [name for name in sums.columns if name not in {"n", "successes", "squares", WEIGHT}]
    return sums.group_by(keys, maintain_order=True).agg(pl.col("n", "successes", "squares").sum())


def expected_people(weighted_counts: pl.DataFrame, like: pl.DataFrame) -> pl.DataFrame:
    """Return the sums of weights of each group as whole numbers of people, in the columns of other counts."""
    keys = [name for name in like.columns if name not in {"n", "successes"}]
    sums = weighted_counts.group_by(keys, maintain_order=True).agg(
        pl.col("n", "successes").sum().round().cast(pl.Int64)
    )
    return sums.select(like.columns)
