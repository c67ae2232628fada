"""--where: which rows are counted, as a condition in SQL that means the same on every engine.

The condition is parsed, and only what is listed here is taken over into an expression: columns of the
table, constants, comparisons and some functions. No text of the user's ever reaches an engine as SQL.
"""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import ibis
import sqlglot
from sqlglot import expressions as sql

from evenhand.errors import InputError
from evenhand.hiring.columns import checked_column, is_text
from evenhand.hiring.scores import NUMBER, number
from evenhand.intake.tables import OpenTable

__all__ = ["Kept", "kept_rows"]

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?")
_DAYS = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-9])"
_ISO = rf"^[0-9]{{4}}-({_DAYS})([ T][0-9:.]*)?$"
_COMPARE: dict[type[sql.Expression], Callable[[Any, Any], Any]] = {
    sql.EQ: operator.eq,
    sql.NEQ: operator.ne,
    sql.GT: operator.gt,
    sql.GTE: operator.ge,
    sql.LT: operator.lt,
    sql.LTE: operator.le,
}
_RECKON: dict[type[sql.Expression], Callable[[Any, Any], Any]] = {
    sql.Add: operator.add,
    sql.Sub: operator.sub,
    sql.Mul: operator.mul,
    sql.Div: operator.truediv,
}
_PARTS: dict[type[sql.Expression], Callable[[Any], Any]] = {
    sql.Year: lambda day: day.year(),
    sql.Month: lambda day: day.month(),
    sql.Day: lambda day: day.day(),
}
_EXTRACT: dict[str, type[sql.Expression]] = {"YEAR": sql.Year, "MONTH": sql.Month, "DAY": sql.Day}
_TEXT: dict[type[sql.Expression], Callable[[Any], Any]] = {
    sql.Lower: lambda text: text.lower(),
    sql.Upper: lambda text: text.upper(),
    sql.Trim: lambda text: text.strip(),
    sql.Length: lambda text: text.length(),
}
ALLOWED = (
    "comparisons, and, or, not, in, between, like, is null, + - * /, coalesce, abs, lower, upper, trim, length, "
    "year, month, day, cast and DATE '2024-01-31'"
)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Rows for which every condition is true, and how many each left out, in order."""

    expr: Any
    left_out: tuple[dict[str, Any], ...]


def kept_rows(table: OpenTable, conditions: Sequence[str]) -> Kept:
    """Return the rows for which all conditions are true; false and null leave a row out.

    Raises
    ------
    InputError
        A condition is no expression in SQL, names an unknown column, or uses something
        that is not taken over.

    """
    if not conditions:
        return Kept(expr=table.expr, left_out=())
    tests = [_Reader(table, condition).test() for condition in conditions]
    first_failed = ibis.cases(
        *((~ibis.coalesce(test, ibis.literal(value=False)), place) for place, test in enumerate(tests)),
        else_=len(tests),
    )
    counted = table.fetch(table.expr.group_by(failed=first_failed.cast("int32")).aggregate(n=lambda rows: rows.count()))
    numbers = dict(counted.select("failed", "n").iter_rows())
    left_out = tuple(
        {"expression": condition, "rows_left_out": numbers.get(place, 0)} for place, condition in enumerate(conditions)
    )
    if not numbers.get(len(tests)):
        raise InputError(f"No row of {table.name} is left by --where {' and '.join(map(repr, conditions))}.")
    return Kept(expr=table.expr.filter(tests), left_out=left_out)


class _Reader:
    """Takes one condition over into an expression of Ibis."""

    def __init__(self, table: OpenTable, condition: str) -> None:
        self.table = table
        self.condition = condition

    def test(self) -> Any:
        result = self.value(self._parsed())
        if not result.type().is_boolean():
            name = result.get_name() if result.type().is_string() else "it"
            raise self._error(f"{name} is {result.type()}, not true or false; compare it, as in {name} = 'yes'")
        return result

    def value(self, node: sql.Expression) -> Any:  # noqa: PLR0911, PLR0912, C901 - one line per kind of expression
        match node:
            case sql.Paren():
                return self.value(node.this)
            case sql.Column() if not node.table:
                return checked_column(self.table, node.name, "--where")
            case sql.Literal():
                return ibis.literal(node.this) if node.is_string else number(float(node.this))
            case sql.Boolean():
                return ibis.literal(bool(node.this))
            case sql.Not():
                return ~self.truth(node.this)
            case sql.And():
                return self.truth(node.this) & self.truth(node.args["expression"])
            case sql.Or():
                return self.truth(node.this) | self.truth(node.args["expression"])
            case sql.Is():
                return self.nullity(node)
            case sql.In() if node.args.get("query") is None and node.expressions:
                pairs = [self.pair(node.this, option) for option in node.expressions]
                return ibis.or_(*(left == right for left, right in pairs))
            case sql.Between():
                low, high = self.pair(node.this, node.args["low"]), self.pair(node.this, node.args["high"])
                return (low[0] >= low[1]) & (high[0] <= high[1])
            case sql.Like() | sql.ILike():
                pattern = self._text_of(node.expression)
                column = self.text(node.this)
                return column.like(pattern) if isinstance(node, sql.Like) else column.ilike(pattern)
            case sql.Neg():
                return -self.number(node.this)
            case sql.Abs():
                return self.number(node.this).abs()
            case sql.Coalesce():
                return ibis.coalesce(*(self.value(part) for part in (node.this, *node.expressions)))
            case sql.Cast():
                return self.cast(node)
        for kind, compare in _COMPARE.items():
            if isinstance(node, kind):
                return compare(*self.pair(node.this, node.args["expression"]))
        for kind, reckon in _RECKON.items():
            if isinstance(node, kind):
                return reckon(self.number(node.this), self.number(node.args["expression"]))
        if isinstance(node, sql.Extract) and node.name.upper() in _EXTRACT:
            return _PARTS[_EXTRACT[node.name.upper()]](self.date(node.expression))
        for kind, part in _PARTS.items():
            if isinstance(node, kind):
                return part(self.date(node.this))
        for kind, change in _TEXT.items():
            if isinstance(node, kind):
                return change(self.text(node.this))
        raise self._error(f"{node.sql(dialect='duckdb')} is not understood here; known are {ALLOWED}")

    def pair(self, left: sql.Expression, right: sql.Expression) -> tuple[Any, Any]:
        """Return both sides of a comparison as one kind: numbers, dates, texts or truth values."""
        first, second = self.value(left), self.value(right)
        kinds = (first.type(), second.type())
        if any(kind.is_numeric() and not kind.is_boolean() for kind in kinds):
            return self.number(left), self.number(right)
        dated = any(kind.is_temporal() for kind in kinds) or any(
            isinstance(side, sql.Literal) and _DATE.fullmatch(str(side.this)) for side in (left, right)
        )
        if dated:
            return self.date(left), self.date(right)
        if kinds[0].is_boolean() != kinds[1].is_boolean():
            raise self._error(f"{left.sql()} and {right.sql()} can't be compared: {kinds[0]} and {kinds[1]}")
        return first, second

    def truth(self, node: sql.Expression) -> Any:
        found = self.value(node)
        if not found.type().is_boolean():
            raise self._error(f"{node.sql()} is not true or false; compare it, as in {node.sql()} = 'yes'")
        return found

    def nullity(self, node: sql.Is) -> Any:
        if isinstance(node.expression, sql.Null):
            found = self.value(node.this)
            if found.type().is_floating():
                # On Spark Ibis takes NaN for null.
                return found.cast("string").isnull()
            # A blank cell of a text table is no value.
            return found.isnull() | (found.strip() == "") if self.table.as_text and is_text(found) else found.isnull()
        if isinstance(node.expression, sql.Boolean):
            return ibis.coalesce(self.truth(node.this) == bool(node.expression.this), ibis.literal(value=False))
        raise self._error(f"{node.sql()} is not understood; expected is null, is not null, is true or is false")

    def text(self, node: sql.Expression) -> Any:
        found = self.value(node)
        if not is_text(found):
            raise self._error(f"{node.sql()} is {found.type()}, not text")
        return found

    def number(self, node: sql.Expression) -> Any:
        """Return a side as a number; text is one where every cell that isn't blank is."""
        found = self.value(node)
        if not is_text(found):
            if found.type().is_boolean() or found.type().is_temporal():
                raise self._error(f"{node.sql()} is {found.type()}, not a number")
            value = found.cast("float64")
            # NaN is above all numbers to an engine; here it compares with nothing, as null does.
            return ibis.ifelse(value.isnan(), ibis.null("float64"), value) if found.type().is_floating() else value
        if isinstance(node, sql.Literal):
            raise self._error(f"{node.sql()} stands beside a number; write it without quotes")
        trimmed = found.strip()
        fits = trimmed.re_search(NUMBER)
        self._demand(node, found, fits, "a number")
        return ibis.ifelse(fits, trimmed, ibis.null("string")).cast("float64")

    def date(self, node: sql.Expression) -> Any:
        """Return a side as a moment; text is one where every cell that isn't blank is a date."""
        if isinstance(node, sql.Literal):
            return ibis.literal(self._moment(str(node.this))).cast("timestamp")
        found = self.value(node)
        if found.type().is_temporal():
            return found.cast("timestamp")
        if not is_text(found):
            raise self._error(f"{node.sql()} is {found.type()}, not a date")
        trimmed = found.strip()
        fits = trimmed.re_search(_ISO)
        self._demand(node, found, fits, "a date such as 2024-01-31")
        return ibis.ifelse(fits, trimmed, ibis.null("string")).cast("timestamp")

    def cast(self, node: sql.Cast) -> Any:
        kind = node.args["to"].this
        if kind in {sql.DataType.Type.DATE, sql.DataType.Type.TIMESTAMP}:
            return self.date(node.this)
        if kind in sql.DataType.NUMERIC_TYPES:
            return self.number(node.this)
        if kind in sql.DataType.TEXT_TYPES:
            return self.text(node.this)
        raise self._error(f"{node.sql(dialect='duckdb')}: a cast can be to date, timestamp, double or text")

    def _demand(self, node: sql.Expression, found: Any, fits: Any, expected: str) -> None:
        """Raise InputError where a text that isn't blank does not fit."""
        bad = found.notnull() & (found.strip() != "") & ~fits
        counted = self.table.fetch(self.table.expr.aggregate(n=ibis.ifelse(bad, 1, 0).sum()))["n"][0]
        if counted:
            rows = "1 row" if counted == 1 else f"{counted:,} rows"
            raise self._error(f"{node.sql()} is not {expected} in {rows}")

    def _moment(self, text: str) -> str:
        try:
            return datetime.fromisoformat(text).isoformat(sep=" ")
        except ValueError as error:
            raise self._error(f"{text!r} is no date; write it as DATE '2024-01-31'") from error

    def _text_of(self, node: sql.Expression) -> str:
        if isinstance(node, sql.Literal) and node.is_string:
            return str(node.this)
        raise self._error(f"{node.sql()}: like needs a text in quotes")

    def _parsed(self) -> sql.Expression:
        try:
            parsed = sqlglot.parse(self.condition, read="duckdb")
        except sqlglot.errors.SqlglotError as error:
            near = (
                error.errors[0].get("highlight")
                if isinstance(error, sqlglot.errors.ParseError) and error.errors
                else None
            )
            raise self._error("it is no condition in SQL" + (f", see {near!r}" if near else "")) from error
        if len(parsed) != 1 or not isinstance(parsed[0], sql.Condition):
            raise self._error("expected one condition, such as year(applied) = 2024 and not withdrawn")
        return cast("sql.Expression", parsed[0])

    def _error(self, message: str) -> InputError:
        return InputError(f"--where {self.condition!r}: {message}.")
