"""Cells of scores as numbers that compare the same on every engine.

NaN is above all numbers in DuckDB, PostgreSQL and Spark, so a comparison would select it. The state of a cell is
determined first, and only finite numbers are compared.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np

from evenhand.data.labels import MOMENT_OR_ZONE
from evenhand.data.open_table import OpenTable, is_text
from evenhand.errors import InputError, option_text
from evenhand.results.messages import quoted

#: The state of a score cell. A unit takes the largest of its rows: a usable score first.
USABLE, NULL, NOT_A_NUMBER, INFINITE, UNREADABLE = 0, -1, -2, -3, -4
#: Text that is a number: digits, a point, an exponent of two digits. The engines agree on it, unlike on their casts.
NUMBER = r"^[+-]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?$"
NO_SCORE = ("", "null", "none", "na", "n/a", "#n/a", "<na>", "-")
_LARGEST = sys.float_info.max
_INFINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity")


@dataclass(frozen=True, kw_only=True, order=True)
class Threshold:
    """The threshold that a score has to reach, or with `strict` to exceed."""

    value: float
    strict: bool


def is_nan(column: Any) -> Any:
    """Return where a column holds NaN: never in other types than floating-point numbers, nor in SQLite.

    DuckDB compares with the statistics of a Parquet file, which leave NaN out. Test for NaN before any comparison.
    """
    constant = not column.op().relations  # it belongs to no engine
    may_hold = column.type().is_floating() and not constant and column.get_backend().name != "sqlite"
    return column.isnan() if may_hold else ibis.literal(value=False)


def number(value: float) -> Any:
    """Return a number for an engine, as text that it reads exactly.

    A literal such as 0.30000000000000004 is a DECIMAL first to some engines, which loses the last digit.
    """
    return ibis.literal(repr(float(value))).cast("float64")


def score_state(column: Any) -> tuple[Any, Any]:
    """Return the state of each score cell, and the score as a double, null unless it is usable.

    Raises
    ------
    InputError
        The column holds dates, or yes and no.

    """
    kind = column.type()
    if is_text(column):
        trimmed = column.strip()
        lower = trimmed.lower()
        numeric = trimmed.re_search(NUMBER)
        state = ibis.cases(
            (column.isnull(), NULL),
            (numeric, USABLE),
            (lower.isin(NO_SCORE), NULL),
            (lower == "nan", NOT_A_NUMBER),
            (lower.isin(_INFINITE), INFINITE),
            else_=UNREADABLE,
        )
        return state.cast("int32"), ibis.ifelse(numeric, trimmed, ibis.null("string")).cast("float64")
    if kind.is_integer():
        return ibis.ifelse(column.isnull(), NULL, USABLE).cast("int32"), column.cast("float64")
    if kind.is_numeric() and not kind.is_boolean():
        value = column.cast("float64")
        # NaN comes first, as Ibis's isnull takes it for null on Spark, where its isinf is false of everything.
        nan = is_nan(column)
        finite = ~nan & (value <= number(_LARGEST)) & (value >= number(-_LARGEST))
        state = ibis.cases((nan, NOT_A_NUMBER), (finite, USABLE), (column.isnull(), NULL), else_=INFINITE)
        return state.cast("int32"), ibis.ifelse(finite, value, ibis.null("float64"))
    decision = (
        f"; a yes or no is a decision, which impact takes by {option_text('selected')}" if kind.is_boolean() else ""
    )
    raise InputError(
        f"The column {quoted(column.get_name())} holds {kind} and is not a score; expected numbers{decision}."
    )


def day_parts(column: Any) -> list[Any]:
    """Return the year, the month and the day of each cell of dates; null of texts that are none."""
    if is_text(column):
        dated = column.strip().re_search(MOMENT_OR_ZONE)
        text = ibis.ifelse(dated, column.strip(), ibis.null("string"))
        return [text.substr(start, width).cast("int64") for start, width in ((0, 4), (5, 2), (8, 2))]
    # Polars counts months in eight bits; to Ibis all are of 32, so only a cast to 64 reaches the engine.
    return [part.cast("int64") for part in (column.year(), column.month(), column.day())]


def undated(rows: Any, column: Any) -> Any:
    """Return the texts of a column, as `value`, that are neither blank nor dates."""
    trimmed = column.strip()
    return rows.filter((trimmed != "") & ~trimmed.re_search(MOMENT_OR_ZONE)).select(value=column)


def first_row(table: OpenTable, rows: Any, test: Any, **columns: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the place of the first row for which a test is true, in words, and its values of the columns.

    The place is '' where there is none, and has a number where the rows are those of a file, in their order.
    """
    numbered = table.numbers(rows)
    tested = rows.select(test=test, row=ibis.row_number() + 1 if numbered else ibis.literal(0), **columns)
    first = table.fetch(tested.filter(tested.test).select(*columns, "row").order_by("row").limit(1))
    if not first.height:
        return "", ()
    *values, row = first.row(0)
    return (f"row {row} of {table.name}" if row else f"a row of {table.name}"), tuple(values)


def rounded_like(value: float, column: Any) -> float:
    """Return a cut-off rounded to the type of a column, so that .7 equals .7 in 32 bits."""
    return float(np.float32(value)) if column.type() == ibis.dtype("float32") else float(value)


def level(score: Any, bars: Sequence[Threshold]) -> Any:
    """Return the number of thresholds (`bars`, sorted) that a score passes, by binary search: 8 comparisons for 200."""
    return _counted(score, bars, 0, len(bars)).cast("int32")


def _counted(score: Any, bars: Sequence[Threshold], low: int, high: int) -> Any:
    if low == high:
        return ibis.literal(low, type="int32")
    middle = (low + high) // 2
    threshold = bars[middle]
    passed = score > number(threshold.value) if threshold.strict else score >= number(threshold.value)
    return ibis.ifelse(passed, _counted(score, bars, middle + 1, high), _counted(score, bars, low, middle))
