"""Tables of counts: how many people a row is, read from a column of whole numbers and checked first."""

from decimal import Decimal, InvalidOperation
from typing import Any

import ibis

from evenhand.errors import InputError
from evenhand.hiring.columns.lookup import checked_column, is_nan, is_text
from evenhand.hiring.columns.scores import NUMBER
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import quoted

__all__ = ["NOT_SELECTED", "SELECTED", "by_decision", "check_counts", "count_in", "people", "weight_of"]

#: The decisions of a table that has a row per group.
SELECTED, NOT_SELECTED = "selected", "not selected"
#: Whole numbers up to here are exact in every engine and in the statistics.
MOST_PEOPLE = 2**53
_GROUPED = lazy_re(r"[+-]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?")


def people(rows: Any) -> Any:
    """Return how many people rows are, as an aggregate: their weights added, or one each."""
    if "weight" not in rows.columns:
        return rows.count()
    return ibis.coalesce(rows.weight.sum(), 0).cast("int64")


def weight_of(table: OpenTable, query: ApplicantQuery) -> Any:
    """Return the number of people of each row, null where its cell holds none; None where a row is one person."""
    column = query.count or query.applicants
    if column is None:
        return None
    return count_in(checked_column(table, column, "--count" if query.count else "--applicants"))


def check_counts(table: OpenTable, kept: Any, query: ApplicantQuery) -> dict[str, Any] | None:
    """Return what the accounting tells of a table of counts, once every cell of the columns asked for is a count.

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
    total = table.fetch(kept.aggregate(rows=kept.count(), people=values[option].cast("float64").sum(), **sums))
    n_rows, n_people, *wrong = total.row(0)
    if any(wrong):
        _tell_first(table, kept, columns)
    if n_people is not None and n_people > MOST_PEOPLE:
        raise InputError(f"{option} {column}: {table.name} has more than {MOST_PEOPLE:,} people in all; is it a count?")
    if not n_people:
        raise InputError(f"{option} {column}: all counts of {table.name} are 0; nobody is left to count.")
    return {"column": column, "selected_column": query.selected_count, "rows": n_rows, "people": int(n_people)}


def _tell_first(table: OpenTable, kept: Any, options: dict[str, str]) -> None:
    """Raise InputError for the first cell that is no count, or the first row with more selected than applied."""
    # DuckDB keeps the order of a CSV's rows, so their numbers can be told.
    numbered = table.as_text and kept is table.expr
    rows = kept.mutate(_row=ibis.row_number() + 1 if numbered else ibis.literal(0))
    for option, name in options.items():
        bad = rows.filter(count_in(rows[name]).isnull())
        first = table.fetch(bad.select(value=bad[name].cast("string"), row=bad["_row"]).order_by("row").limit(1))
        if first.height:
            value, row = first.row(0)
            raise InputError(f"{option} {name}: {_place(table, row)} {_wrong(value)}")
    applicants, selected = options["--applicants"], options["--selected-count"]
    bad = rows.filter(count_in(rows[selected]) > count_in(rows[applicants]))
    columns = {"n": count_in(bad[applicants]), "chosen": count_in(bad[selected]), "row": bad["_row"]}
    n, chosen, row = table.fetch(bad.select(**columns).order_by("row").limit(1)).row(0)
    raise InputError(
        f"--selected-count {selected}: {_place(table, row)} has {chosen:,} selected of {n:,} in {quoted(applicants)}; "
        "mend the row, or swap the columns."
    )


def by_decision(rows: Any) -> Any:
    """Return two rows for each: those selected, and those not, as many people as `chosen` and `weight` say."""
    keys = [name for name in rows.columns if name not in {"weight", "chosen"}]
    plain = [rows[name] for name in keys]
    selected = rows.select(*plain, decision=ibis.literal(SELECTED), weight=rows.chosen)
    others = rows.select(*plain, decision=ibis.literal(NOT_SELECTED), weight=rows.weight - rows.chosen)
    return selected.union(others)


def count_in(column: Any) -> Any:
    """Return the whole number in a cell, null where it is none."""
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
    usable = (value >= 0) & (value <= MOST_PEOPLE)
    bounded = ibis.ifelse(usable, value, ibis.null("float64"))
    return ibis.ifelse(bounded == bounded.floor(), bounded, ibis.null("float64")).cast("int64")


def _place(table: OpenTable, row: int) -> str:
    return f"row {row} of {table.name}" if row else f"a row of {table.name}"


def _wrong(value: str | None) -> str:
    """Return what is wrong with a cell that is no count, and the repair."""
    text = "" if value is None else value.strip()
    if not text or text.casefold() == "nan":
        return "is empty; write 0 where there is nobody."
    plain = text.replace(",", "") if _GROUPED.fullmatch(text) else text
    try:
        number = Decimal(plain)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number < 0:
        return f"holds {quoted(text)}; expected a whole number of people from 0, such as 120."
    if number != number.to_integral_value():
        return (
            f"holds {quoted(text)}, a fraction; a count is a whole number of people. Weights of a survey are no "
            "counts: give the number of people asked."
        )
    if number > MOST_PEOPLE:
        return f"holds {quoted(text)}, more than the {MOST_PEOPLE:,} people that can be counted; mend the cell."
    return f"holds {quoted(text)}; write it without separators: {plain}."
