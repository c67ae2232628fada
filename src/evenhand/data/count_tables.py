"""Tables of counts: the number of people of each row, read from columns of whole numbers and checked.

A table that looks like counts without being declared as one is refused, so that its rows are not taken for people.
"""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import ibis

from evenhand.data.applicant_query import MOST_PEOPLE, NOT_SELECTED, SELECTED, ApplicantQuery
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.published_cells import suppressed_range
from evenhand.data.score_cells import NUMBER, first_row, is_nan
from evenhand.data.totals import condition_text, sql_text
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import quoted, shortened

#: Usual names of columns of counts, casefolded.
NAMES = frozenset({"freq", "frequency", "count", "n", "applicants", "weight", "total"})
#: A number as it is printed, with separators.
GROUPED = "^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$"
#: The first rows are checked for repetitions before the whole table.
_FIRST_ROWS = 10_000


def refuse_counts_taken_for_people(table: OpenTable, query: ApplicantQuery) -> None:
    """Raise InputError for a table that looks like counts, unless an option says whether it is one."""
    column = column_of_counts(table, query)
    if column is not None:
        raise InputError(
            f"{table.name} looks like a table of counts: {quoted(column)} holds numbers, and the other columns "
            f"have each combination once. Give {_repair(table, column, query)}, or "
            f"{option_text('count', 'none')} if a row is one person."
        )


def column_of_counts(table: OpenTable, query: ApplicantQuery) -> str | None:
    """Return the column that makes a table look like counts; None where no column does or an option decides it.

    A table looks like counts where a numeric column has a usual name of counts and the other columns, except those that
    number the rows, have each combination of values once.
    """
    if query.count is not None or query.applicants is not None or query.wide or query.no_count or query.is_weighted:
        return None
    named = _named(query, table.expr.columns)
    looks = [name for name in table.expr.columns if name.strip().casefold() in NAMES and name not in named]
    looks = [name for name in looks if is_numeric(table, name)]
    if not looks:
        return None
    column = looks[0]
    others = [name for name in table.expr.columns if name != column and not table.expr[name].type().is_nested()]
    part = table.expr.limit(_FIRST_ROWS)
    # A score or a unit that differs in every row numbers the rows, like an id.
    named -= {query.score, query.unit}
    once = _is_unique(table, part, others, named) and _is_unique(table, table.expr, others, named)
    return column if once else None


def _is_unique(table: OpenTable, rows: Any, others: Sequence[str], named: frozenset[str]) -> bool:
    """Say whether no combination of the columns occurs twice, columns apart that only number the rows."""
    if not others:
        return False
    different = {f"c{place}": rows[name].nunique() for place, name in enumerate(others)}
    n, *counts = table.fetch(rows.aggregate(rows=rows.count(), **different)).row(0)
    retained = [name for name, count in zip(others, counts, strict=True) if name in named or count < n]
    if not n or not retained:
        return False
    # A column without repetitions makes all rows unique.
    if any(count == n for name, count in zip(others, counts, strict=True) if name in retained):
        return True
    return bool(table.fetch(rows.select(retained).distinct().count().as_table())[0, 0] == n)


def _named(query: ApplicantQuery, columns: Sequence[str]) -> frozenset[str]:
    """Return the columns that an option names."""
    eeo1 = query.eeo1 or ()
    single = (
        query.weight,
        query.selected,
        query.score,
        query.against,
        query.position,
        query.stage,
        query.unit,
        query.age,
    )
    several = (
        *query.protected,
        *(name for _, name in query.members),
        *query.given,
        *query.funnel,
        query.furthest,
        *eeo1,
    )
    named = {name for name in (*several, *single) if name is not None}
    conditions = " ".join(query.where)
    return frozenset(named | {name for name in columns if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", conditions)})


def is_numeric(table: OpenTable, name: str) -> bool:
    """Say whether a column holds numbers, with or without thousands separators."""
    column = table.expr[name]
    if not is_text(column):
        return bool(column.type().is_numeric() and not column.type().is_boolean())
    trimmed = column.strip()
    filled = table.expr.filter(column.notnull() & (trimmed != "")).select(
        number=trimmed.re_search(NUMBER) | trimmed.re_search(GROUPED)
    )
    counts = table.fetch(filled.aggregate(cells=filled.count(), others=(~filled.number).cast("int64").sum()))
    cells, others = counts.row(0)
    return cells > 0 and not others


def _repair(table: OpenTable, column: str, query: ApplicantQuery) -> str:
    """Return the options that would declare the table."""
    selected = query.selected
    long = f"{option_text('count', shortened(column))} if a row is that many people"
    if selected is None or query.outcome or query.selected_value is not None or not is_numeric(table, selected):
        return long
    return (
        f"{option_text('applicants', shortened(column))} {option_text('selected_count', shortened(selected))} "
        f"if a row is a group, {long}"
    )


_GROUPED = lazy_re(r"[+-]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?")


def people(rows: Any) -> Any:
    """Return the number of people in rows as an aggregate: the sum of their weights, or one each."""
    if "weight" not in rows.columns:
        return rows.count()
    return ibis.coalesce(rows.weight.sum(), 0).cast("int64")


def weight_of(table: OpenTable, query: ApplicantQuery) -> Any:
    """Return the number of people of each row, null where its cell holds none; None where a row is one person."""
    if query.wide:
        columns = [count_in(checked_column(table, name, "--counts")) for _, _, name in query.wide]
        return sum((ibis.coalesce(column, 0) for column in columns[1:]), ibis.coalesce(columns[0], 0))
    column = query.count or query.applicants
    if column is None:
        return None
    return count_in(checked_column(table, column, "--count" if query.count else "--applicants"))


def check_counts(table: OpenTable, counted: Any, query: ApplicantQuery) -> dict[str, Any] | None:
    """Return the accounting entry of a table of counts; check that every cell of its count columns is a count.

    Raises
    ------
    InputError
        A cell is empty, a fraction, negative or no number, more people are selected than applied, or there
        are more than can be counted.

    """
    named = {
        "--count": query.count,
        "--applicants": query.applicants,
        "--selected-count": query.selected_count,
    }
    columns = {option: name for option, name in named.items() if name is not None}
    if not columns:
        return None
    values = {option: count_in(checked_column(table, name, option)) for option, name in columns.items()}
    option, column = next(iter(columns.items()))
    bad = {f"bad_{place}": value.isnull() for place, value in enumerate(values.values())}
    if query.applicants is not None:
        bad["more"] = values["--selected-count"] > values["--applicants"]
    sums = {name: ibis.ifelse(test, 1, 0).sum() for name, test in bad.items()}
    total = table.fetch(counted.aggregate(rows=counted.count(), people=values[option].cast("float64").sum(), **sums))
    n_rows, n_people, *wrong = total.row(0)
    if any(wrong):
        _refuse_first_bad_cell(table, counted, columns)
    if n_people is not None and n_people > MOST_PEOPLE:
        raise InputError(
            f"{option} {column}: {table.name} has more than {MOST_PEOPLE:,} people in all; expected numbers of people."
        )
    if not n_people:
        raise InputError(f"{option} {column}: all counts of {table.name} are 0, so there are no people to count.")
    return {"column": column, "selected_column": query.selected_count, "rows": n_rows, "people": int(n_people)}


def _refuse_first_bad_cell(table: OpenTable, counted: Any, options: dict[str, str]) -> None:
    """Raise InputError for the first cell that is no count, or the first row with more selected than applied."""
    for option, name in options.items():
        column = counted[name]
        place, values = first_row(table, counted, count_in(column).isnull(), value=column.cast("string"))
        if place:
            problem = problem_of_count(values[0], name, may_be_hidden=option != "--count")
            raise InputError(f"{option} {name}: {place} {problem}")
    applicants, selected = options["--applicants"], options["--selected-count"]
    counts = {"n": count_in(counted[applicants]), "chosen": count_in(counted[selected])}
    place, (n, chosen) = first_row(table, counted, counts["chosen"] > counts["n"], **counts)
    raise InputError(
        f"{option_text('selected_count', selected)}: {place} has {chosen:,} selected of {n:,} in "
        f"{quoted(applicants)}; correct the row, or swap the columns."
    )


def by_decision(rows: Any) -> Any:
    """Return two rows for each: the people selected (`chosen`), and the others of its `weight`."""
    keys = [name for name in rows.columns if name not in {"weight", "chosen"}]
    plain = [rows[name] for name in keys]
    selected = rows.select(*plain, decision=ibis.literal(SELECTED), weight=rows.chosen)
    not_selected = rows.select(*plain, decision=ibis.literal(NOT_SELECTED), weight=rows.weight - rows.chosen)
    return selected.union(not_selected)


def count_in(column: Any) -> Any:
    """Return the count in each cell, null where it holds none."""
    kind = column.type()
    if is_text(column):
        trimmed = column.strip()
        value = ibis.ifelse(trimmed.re_search(NUMBER), trimmed, ibis.null("string")).cast("float64")
    elif kind.is_integer():
        usable = (column >= 0) & (column <= MOST_PEOPLE)
        return ibis.ifelse(usable, column, ibis.null(kind)).cast("int64")
    elif kind.is_numeric() and not kind.is_boolean():
        value = column.cast("float64")
        if kind.is_floating():
            value = ibis.ifelse(is_nan(column), ibis.null("float64"), value)
    else:
        raise InputError(f"The column {quoted(column.get_name())} holds {kind}; expected numbers of people.")
    bounded = ibis.ifelse(value.between(0, MOST_PEOPLE), value, ibis.null("float64"))
    return ibis.ifelse(bounded == bounded.floor(), bounded, ibis.null("float64")).cast("int64")


def problem_of_count(value: str | None, column: str, *, may_be_hidden: bool = False) -> str:
    """Return the problem of a cell of a column that is no count, and the repair."""
    if may_be_hidden and value is not None and suppressed_range(value) is not None:
        return (
            f"holds {quoted(value.strip())}, a count that is not shown; say what such counts may be, as in "
            f"{option_text('suppressed', '1-4')}, for bounds of the rates."
        )
    text = "" if value is None else value.strip()
    if not text or text.casefold() == "nan":
        return "is empty; write 0 where there is nobody."
    plain = text.replace(",", "") if _GROUPED.fullmatch(text) else text
    try:
        number = Decimal(plain)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number < 0:
        return (
            f"holds {quoted(text)}; expected a whole number of people from 0, such as 120. Mend the cell, or leave the "
            f"row out: {option_text('footer')} says how many rows stand below the table, and "
            f"{condition_text(column, f'<> {sql_text(text)}')} leaves out others."
        )
    if number != number.to_integral_value():
        return (
            f"holds {quoted(text)}, a fraction; a count is a whole number of people. Survey weights are not counts: "
            f"give the number of respondents."
        )
    if number > MOST_PEOPLE:
        return f"holds {quoted(text)}, more than the {MOST_PEOPLE:,} people that can be counted; mend the cell."
    return f"holds {quoted(text)}; write it without separators: {plain}."
