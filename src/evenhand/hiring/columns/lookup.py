"""Columns that the user names, looked up in a table."""

from difflib import get_close_matches
from typing import Any

import ibis

from evenhand.errors import InputError
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import MOST_LISTED, listed, quoted, shortened

__all__ = ["checked_column", "is_nan", "is_text"]


def checked_column(table: OpenTable, name: str, option: str) -> Any:
    """Return a column as an expression.

    Raises
    ------
    InputError
        The table has no such column (near names are given), or a cell of it shows an error.

    """
    if name in table.repeated:
        both = " or ".join(quoted(each) for each in table.repeated[name][:MOST_LISTED])
        raise InputError(f"{option} {shortened(name)}: {table.name} has several columns of that name; ask for {both}.")
    if name not in table.expr.columns:
        near = next((column for column in table.expr.columns if column.casefold() == name.strip().casefold()), None)
        near = near or next(iter(get_close_matches(name, table.expr.columns, n=1)), None)
        hint = f" Did you mean {option} {shortened(near)}?" if near else ""
        raise InputError(f"No column {quoted(name)} in {table.name}. Columns: {listed(table.expr.columns)}.{hint}")
    if name in table.damaged:
        raise InputError(
            f"The column {quoted(name)} of {table.name} can't be used: {table.damaged[name]}; mend the cell."
        )
    column = table.expr[name]
    if column.type().is_nested() or column.type().is_binary():
        kind = _kind_of(column)
        raise InputError(f"The column {quoted(name)} of {table.name} holds {kind}; expected one value per cell.")
    return column


def _kind_of(column: Any) -> str:
    """Return the type of a column, which a file may nest deeper than Python follows."""
    try:
        return shortened(str(column.type()))
    except RecursionError:
        return "lists of lists"


def is_text(column: Any) -> bool:
    """Tell whether a column holds text."""
    return bool(column.type().is_string())


def is_nan(column: Any) -> Any:
    """Tell where a column holds NaN: never where it holds no floating-point numbers, nor in SQLite, which keeps none.

    DuckDB answers comparisons with the statistics of a Parquet file, which leave NaN out, so NaN is
    asked for by name before anything is compared.
    """
    constant = not column.op().relations  # it belongs to no engine
    may_hold = column.type().is_floating() and not constant and column.get_backend().name != "sqlite"
    return column.isnan() if may_hold else ibis.literal(value=False)
