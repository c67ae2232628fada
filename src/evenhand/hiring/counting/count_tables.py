"""Tables of counts that nobody declared as such are refused, before their rows are taken for people."""

import re
from collections.abc import Sequence
from typing import Any

from evenhand.errors import InputError
from evenhand.hiring.columns.lookup import is_text
from evenhand.hiring.columns.scores import NUMBER
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted, shortened

__all__ = ["column_of_counts", "is_numeric", "refuse_counts_taken_for_people"]

#: Names that columns of counts have, folded.
NAMES = frozenset({"freq", "frequency", "count", "n", "applicants", "weight", "total"})
#: A number as it is printed, with separators.
GROUPED = "^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$"
#: So many rows without a repetition are looked at before the whole table is.
_ENOUGH = 10_000


def refuse_counts_taken_for_people(table: OpenTable, query: ApplicantQuery) -> None:
    """Raise InputError for a table that looks like counts where no option says whether it is one."""
    column = column_of_counts(table, query)
    if column is not None:
        raise InputError(
            f"{table.name} looks like a table of counts: {quoted(column)} holds numbers, and the other columns have "
            f"each combination once. Say {_repair(table, column, query)}, or --count none if a row is one person."
        )


def column_of_counts(table: OpenTable, query: ApplicantQuery) -> str | None:
    """Return the column by which a table looks like counts where no option says whether it is one; None of others.

    It does where a numeric column is called as counts are, and the other columns, those that number the
    rows apart, have each combination of values once.
    """
    if query.count is not None or query.applicants is not None or query.no_count:
        return None
    named = _named(query, table.expr.columns)
    looks = [name for name in table.expr.columns if name.strip().casefold() in NAMES and name not in named]
    looks = [name for name in looks if is_numeric(table, name)]
    if not looks:
        return None
    column = looks[0]
    others = [name for name in table.expr.columns if name != column and not table.expr[name].type().is_nested()]
    part = table.expr.limit(_ENOUGH)
    # A score or an applicant that differs in every row numbers the rows, as an id does.
    named -= {query.score, query.unit}
    once = _once_each(table, part, others, named) and _once_each(table, table.expr, others, named)
    return column if once else None


def _once_each(table: OpenTable, rows: Any, others: Sequence[str], named: frozenset[str]) -> bool:
    """Tell whether no combination of the columns is there twice, those apart that only number the rows."""
    if not others:
        return False
    different = {f"c{place}": rows[name].nunique() for place, name in enumerate(others)}
    n, *counts = table.fetch(rows.aggregate(rows=rows.count(), **different)).row(0)
    kept = [name for name, count in zip(others, counts, strict=True) if name in named or count < n]
    if not n or not kept:
        return False
    # A column without repetitions tells all rows apart by itself.
    if any(count == n for name, count in zip(others, counts, strict=True) if name in kept):
        return True
    return bool(table.fetch(rows.select(kept).distinct().count().as_table())[0, 0] == n)


def _named(query: ApplicantQuery, columns: Sequence[str]) -> frozenset[str]:
    """Return the columns that an option names."""
    eeo1 = query.eeo1 or ()
    single = (query.selected, query.score, query.against, query.position, query.stage, query.unit, query.age)
    found = {name for name in (*query.protected, *query.given, *single, *eeo1) if name is not None}
    conditions = " ".join(query.where)
    return frozenset(found | {name for name in columns if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", conditions)})


def is_numeric(table: OpenTable, name: str) -> bool:
    """Return whether a column holds numbers, as they are typed or printed."""
    column = table.expr[name]
    if not is_text(column):
        return bool(column.type().is_numeric() and not column.type().is_boolean())
    trimmed = column.strip()
    filled = table.expr.filter(column.notnull() & (trimmed != "")).select(
        number=trimmed.re_search(NUMBER) | trimmed.re_search(GROUPED)
    )
    found = table.fetch(filled.aggregate(cells=filled.count(), others=(~filled.number).cast("int64").sum()))
    cells, others = found.row(0)
    return cells > 0 and not others


def _repair(table: OpenTable, column: str, query: ApplicantQuery) -> str:
    """Return the options for the table as it looks."""
    selected = query.selected
    long = f"--count {shortened(column)} if a row is that many people"
    if selected is None or query.outcome or query.selected_value is not None or not is_numeric(table, selected):
        return long
    return f"--applicants {shortened(column)} --selected-count {shortened(selected)} if a row is a group, {long}"
