"""--where: conditions in SQL that select the counted rows, with the same meaning on every engine.

A condition is parsed, and only known parts are translated into an expression: columns of the table, constants,
comparisons and some functions. No text of the user ever reaches an engine as SQL.
"""

import logging
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import ibis
import sqlglot
from ibis.common.exceptions import IbisError
from sqlglot import expressions as sql

from evenhand.data.count_tables import people
from evenhand.data.labels import MOMENT
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.score_cells import NUMBER, is_nan, number
from evenhand.errors import EvenhandError, InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, one_line, quoted, shortened

_DATE = lazy_re(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?")
#: Whole numbers that 64 bits hold.
_WHOLE = r"^[+-]?0*([0-9]{1,18}|[1-8][0-9]{18})$"
_INT64 = 2**63
#: A longer condition is a list of rows that belongs into a column of the table.
_MOST_PARTS = 2000
_DEEPEST = 100
_LONGEST = 300
# sqlglot warns on stderr about other statements, which are refused here.
logging.getLogger("sqlglot").setLevel(logging.ERROR)
_COMPARE: dict[type[sql.Expression], Callable[[Any, Any], Any]] = {
    sql.EQ: operator.eq,
    sql.NEQ: operator.ne,
    sql.GT: operator.gt,
    sql.GTE: operator.ge,
    sql.LT: operator.lt,
    sql.LTE: operator.le,
}
_ARITHMETIC: dict[type[sql.Expression], Callable[[Any, Any], Any]] = {
    sql.Add: operator.add,
    sql.Sub: operator.sub,
    sql.Mul: operator.mul,
    sql.Div: operator.truediv,
}
#: The methods of dates and texts in Ibis.
_DATE_PARTS: dict[type[sql.Expression], str] = {sql.Year: "year", sql.Month: "month", sql.Day: "day"}
_TEXT: dict[type[sql.Expression], str] = {
    sql.Lower: "lower",
    sql.Upper: "upper",
    sql.Trim: "strip",
    sql.Length: "length",
}
ALLOWED = (
    "comparisons, and, or, not, in, between, like, is null, + - * /, coalesce, abs, lower, upper, trim, length, "
    "year, month, day, cast and DATE '2024-01-31'"
)


class Reader:
    """Translates one condition into an Ibis expression."""

    def __init__(self, table: OpenTable, condition: str) -> None:
        self.table = table
        self.condition = condition
        self._read: dict[tuple[str, str], tuple[int, int]] = {}

    def test(self) -> Any:
        """Return the condition as an expression that is true, false or null.

        Raises
        ------
        InputError
            It can't be translated.

        """
        try:
            result = self.value(self._parsed())
        except EvenhandError:
            raise
        except RecursionError as error:
            raise self._error(f"it is nested too deeply; split it into several {option_text('where')}") from error
        except (
            IbisError,
            sqlglot.errors.SqlglotError,
            ArithmeticError,
            AttributeError,
            TypeError,
            ValueError,
        ) as error:
            raise self._error(
                f"its parts don't fit together: {(str(error) or type(error).__name__).splitlines()[0]}"
            ) from error
        if not result.type().is_boolean():
            name = result.get_name() if result.type().is_string() else "it"
            raise self._error(f"{name} is {_kind(result)}, not true or false; compare it, as in {name} = 'yes'")
        return result

    def value(self, node: sql.Expression) -> Any:  # noqa: PLR0911, PLR0912, C901 - one line per kind of expression
        """Return a part of the condition as an expression."""
        match node:
            case sql.Paren():
                return self.value(node.this)
            case sql.Column() if not node.table:
                return self.column(node.name)
            case sql.Literal():
                return ibis.literal(node.this) if node.is_string else self.constant(node.this)
            case sql.Boolean():
                return ibis.literal(bool(node.this))
            case sql.Not():
                return ~self.truth(node.this)
            case sql.And() | sql.Or():
                join = operator.and_ if isinstance(node, sql.And) else operator.or_
                return _joined([self.truth(cast("sql.Expression", part)) for part in node.flatten(unnest=False)], join)
            case sql.Is():
                return self.nullity(node)
            case sql.In() if node.args.get("query") is None and node.expressions:
                pairs = [self.pair(node.this, option, labels=True) for option in node.expressions]
                return _joined([left == right for left, right in pairs], operator.or_)
            case sql.Between():
                low, high = self.pair(node.this, node.args["low"]), self.pair(node.this, node.args["high"])
                return (low[0] >= low[1]) & (high[0] <= high[1])
            case sql.Like() | sql.ILike():
                pattern = self._text_of(node.expression)
                column = self.text(node.this)
                return column.like(pattern) if isinstance(node, sql.Like) else column.ilike(pattern)
            case sql.Neg(this=sql.Literal()) if not node.this.is_string:
                return self.constant(f"-{node.this.this}")
            case sql.Neg():
                return -_double(self.number(node.this))
            case sql.Abs():
                return _double(self.number(node.this)).abs()
            case sql.Coalesce():
                return self.coalesced([node.this, *node.expressions])
            case sql.Cast():
                return self.cast(node)
            case sql.Extract() if node.name.lower() in _DATE_PARTS.values():
                return getattr(self.date(node.expression), node.name.lower())().cast("int64")
        kind = type(node)
        if kind in _COMPARE:
            labels = isinstance(node, sql.EQ | sql.NEQ)
            return _COMPARE[kind](*self.pair(node.this, node.args["expression"], labels=labels))
        if kind in _ARITHMETIC:
            left, right = _double(self.number(node.this)), _double(self.number(node.args["expression"]))
            # Divided by zero is infinite on one engine, null on another and an error on a third.
            return _ARITHMETIC[kind](left, right.nullif(number(0.0)) if kind is sql.Div else right)
        if kind in _DATE_PARTS:
            return getattr(self.date(node.this), _DATE_PARTS[kind])().cast("int64")
        if kind in _TEXT:
            return getattr(self.text(node.this), _TEXT[kind])()
        raise self._error(
            f"{shortened(node.sql(dialect='duckdb'), most=_LONGEST)} is not understood here; known are {ALLOWED}"
        )

    def column(self, name: str) -> Any:
        """Return a column of the table."""
        column = checked_column(self.table, name, "--where")
        if self.table.as_text and is_text(column):
            # A blank cell of a text table is no value.
            return ibis.ifelse(column.strip() == "", ibis.null("string"), column).name(name)
        return column

    def constant(self, digits: str) -> Any:
        """Return a number as it is written: whole numbers stay exact."""
        if re.fullmatch("-?[0-9]+", digits) and -_INT64 <= int(digits) < _INT64:
            return ibis.literal(int(digits), type="int64")
        return number(float(digits))

    def coalesced(self, parts: Sequence[sql.Expression]) -> Any:
        """Return the first of the parts that is not null; all have to be of one kind."""
        values = [self.value(part) for part in parts]
        if any(_is_number(part) for part in values):
            return ibis.coalesce(*_comparable([self.number(part) for part in parts]))
        if any(_is_date(part) for part in values):
            return ibis.coalesce(*(self.date(part) for part in parts))
        self._check_one_kind(parts, values)
        return ibis.coalesce(*values)

    def pair(self, left: sql.Expression, right: sql.Expression, *, labels: bool = False) -> tuple[Any, Any]:
        """Return both sides of a comparison as one kind: numbers, dates, texts or truth values.

        With `labels` texts are compared without spaces around them and without case.
        """
        sides = first, second = self.value(left), self.value(right)
        if any(map(_is_number, sides)):
            first_number, second_number = _comparable([self.number(left), self.number(right)])
            return first_number, second_number
        if any(map(_is_date, sides)) or any(
            isinstance(side, sql.Literal) and _DATE.fullmatch(str(side.this)) for side in (left, right)
        ):
            return self.date(left), self.date(right)
        self._check_one_kind((left, right), sides)
        # The engine lowercases both sides, as engines differ in what is a capital beyond ASCII.
        return (_normalised(first), _normalised(second)) if labels and is_text(first) else (first, second)

    def truth(self, node: sql.Expression) -> Any:
        """Return a part that is true or false."""
        result = self.value(node)
        if not result.type().is_boolean():
            raise self._error(f"{node.sql()} is not true or false; compare it, as in {node.sql()} = 'yes'")
        return result

    def nullity(self, node: sql.Is) -> Any:
        """Return a test whether a part is null, true or false; the test itself is never null."""
        if isinstance(node.expression, sql.Null):
            result = self.value(node.this)
            if result.type().is_floating():
                # On Spark Ibis takes NaN for null.
                return result.cast("string").isnull()
            if result.type().is_boolean():
                # Ibis writes `(not x) is null` without the brackets.
                return ibis.coalesce(result.cast("int32"), -1) == -1
            return result.isnull()
        if isinstance(node.expression, sql.Boolean):
            return ibis.coalesce(self.truth(node.this) == bool(node.expression.this), ibis.literal(value=False))
        raise self._error(f"{node.sql()} is not understood; expected is null, is not null, is true or is false")

    def text(self, node: sql.Expression) -> Any:
        """Return a part that is text."""
        result = self.value(node)
        if not is_text(result):
            raise self._error(f"{node.sql()} is {_kind(result)}, not text")
        return result

    def number(self, node: sql.Expression) -> Any:
        """Return a side as a number, whole ones exactly; text counts as numbers where all filled cells are numbers."""
        result = self.value(node)
        if not is_text(result):
            if not _is_number(result):
                raise self._error(f"{node.sql()} is {_kind(result)}, not a number")
            if result.type().is_integer():
                return result.cast("decimal(38, 0)" if result.type().is_unsigned_integer() else "int64")
            value = result.cast("float64")
            # NaN is above all numbers to an engine; here it compares with nothing, as null does.
            return ibis.ifelse(is_nan(result), ibis.null("float64"), value) if result.type().is_floating() else value
        if isinstance(node, sql.Literal):
            raise self._error(f"{node.sql()} is compared with a number; write it without quotes")
        trimmed = result.strip()
        fits = trimmed.re_search(NUMBER)
        broken = self._check_cells(node, result, fits, "a number", finer=trimmed.re_search(_WHOLE))
        return ibis.ifelse(fits, trimmed, ibis.null("string")).cast("float64" if broken else "int64")

    def date(self, node: sql.Expression) -> Any:
        """Return a side as a timestamp; text counts as dates where all filled cells are dates."""
        if isinstance(node, sql.Literal):
            return ibis.literal(self._moment(str(node.this))).cast("timestamp")
        result = self.value(node)
        if _is_date(result):
            return result.cast("timestamp")
        if not is_text(result):
            raise self._error(f"{node.sql()} is {_kind(result)}, not a date")
        trimmed = result.strip()
        fits = trimmed.re_search(MOMENT)
        self._check_cells(node, result, fits, "a date such as 2024-01-31")
        return ibis.ifelse(fits, trimmed, ibis.null("string")).cast("timestamp")

    def cast(self, node: sql.Cast) -> Any:
        """Return a part cast to another kind."""
        kind = node.args["to"].this
        if kind in {sql.DataType.Type.DATE, sql.DataType.Type.TIMESTAMP}:
            return self.date(node.this)
        if kind in sql.DataType.NUMERIC_TYPES:
            return self.number(node.this)
        if kind in sql.DataType.TEXT_TYPES:
            return self.text(node.this)
        raise self._error(f"{node.sql(dialect='duckdb')}: a cast can be to date, timestamp, double or text")

    def _check_cells(self, node: sql.Expression, cells: Any, fits: Any, expected: str, finer: Any = None) -> int:
        """Raise InputError where a filled text cell does not fit; return how many don't fit `finer`."""
        key = (node.sql(), expected)
        if key not in self._read:
            filled = cells.notnull() & (cells.strip() != "")
            tests = {"bad": fits, "broken": fits if finer is None else finer}
            sums = {name: ibis.ifelse(filled & ~test, 1, 0).sum() for name, test in tests.items()}
            bad, broken = self.table.fetch(self.table.expr.aggregate(**sums)).select("bad", "broken").row(0)
            self._read[key] = (bad or 0, broken or 0)
        bad, broken = self._read[key]
        if bad:
            rows = "1 row" if bad == 1 else f"{bad:,} rows"
            raise self._error(f"{node.sql()} is not {expected} in {rows}")
        return broken

    def _check_one_kind(self, nodes: Sequence[sql.Expression], values: Sequence[Any]) -> None:
        """Raise InputError unless the sides are all text or all true or false."""
        if not (all(map(is_text, values)) or all(side.type().is_boolean() for side in values)):
            names, kinds = " and ".join(node.sql() for node in nodes), " and ".join(map(_kind, values))
            raise self._error(f"{names} can't be compared: {kinds}")

    def _moment(self, text: str) -> str:
        try:
            return datetime.fromisoformat(text).isoformat(sep=" ")
        except ValueError as error:
            raise self._error(f"{quoted(text)} is not a date; write it as DATE '2024-01-31'") from error

    def _text_of(self, node: sql.Expression) -> str:
        if isinstance(node, sql.Literal) and node.is_string:
            return str(node.this)
        raise self._error(f"{shortened(node.sql(), most=_LONGEST)}: like needs a text in quotes")

    def _parsed(self) -> sql.Expression:
        try:
            parsed = sqlglot.parse(self.condition, read="duckdb")
        except RecursionError as error:
            raise self._error(f"it is nested too deeply; split it into several {option_text('where')}") from error
        except sqlglot.errors.SqlglotError as error:
            near = (
                error.errors[0].get("highlight")
                if isinstance(error, sqlglot.errors.ParseError) and error.errors
                else None
            )
            raise self._error("it is not a condition in SQL" + (f", see {quoted(near)}" if near else "")) from error
        if len(parsed) != 1 or not isinstance(parsed[0], sql.Condition):
            raise self._error("expected one condition, such as year(applied) = 2024 and not withdrawn")
        parts = sum(isinstance(node, sql.Column | sql.Literal) for node in parsed[0].walk())
        condition = cast("sql.Expression", parsed[0])
        if parts > _MOST_PARTS:
            raise self._error(
                f"it has {parts:,} names and values, more than {_MOST_PARTS:,}; mark the rows in a column of the table"
            )
        if _depth(condition) > _DEEPEST:
            raise self._error(f"it is nested too deeply; split it into several {option_text('where')}")
        return condition

    def _error(self, message: str) -> InputError:
        return InputError(f"{option_text('where', quoted(self.condition, most=_LONGEST))}: {one_line(message)}.")


def _is_number(side: Any) -> bool:
    return bool(side.type().is_numeric()) and not side.type().is_boolean()


def _is_date(side: Any) -> bool:
    return bool(side.type().is_date() or side.type().is_timestamp())


def _kind(side: Any) -> str:
    """Return the type of a side in words; in some engines Ibis has no name for a time of day."""
    kind = side.type()
    return "a time of day" if kind.is_time() or (kind.is_unknown() and "TIME" in str(kind)) else str(kind).split("(")[0]


def _double(side: Any) -> Any:
    return side if side.type().is_floating() else side.cast("float64")


def _comparable(sides: Sequence[Any]) -> list[Any]:
    """Return numbers that compare exactly: as they are where all are whole, else as doubles."""
    return list(sides) if not any(side.type().is_floating() for side in sides) else [_double(side) for side in sides]


def _normalised(side: Any) -> Any:
    return side.strip().lower()


def _joined(parts: Sequence[Any], join: Callable[[Any, Any], Any]) -> Any:
    """Join parts as a balanced tree: a chain of a thousand is too deep for an engine."""
    while len(parts) > 1:
        unpaired = parts[len(parts) - len(parts) % 2 :]
        parts = [join(left, right) for left, right in zip(parts[::2], parts[1::2], strict=False)] + list(unpaired)
    return parts[0]


def _depth(node: Any) -> int:
    """Return how deeply a condition is nested; a chain of and, or of or, is one level."""
    deepest, open_nodes = 0, [(node, 1)]
    while open_nodes:
        inner, depth = open_nodes.pop()
        deepest = max(deepest, depth)
        parts = inner.flatten(unnest=False) if isinstance(inner, sql.And | sql.Or) else inner.iter_expressions()
        open_nodes += [(part, depth + 1) for part in parts]
    return deepest


@dataclass(frozen=True, kw_only=True)
class FilteredRows:
    """Rows for which every condition is true, and the number of rows that each condition left out, in order.

    An entry of `left_out` has `expression`, `rows_left_out`, and `of_these_empty`: those for which the condition is
    neither true nor false, as a cell that it uses is empty.
    """

    expr: Any
    left_out: tuple[dict[str, Any], ...]


def filtered_rows(table: OpenTable, conditions: Sequence[str], weight: Any = None) -> FilteredRows:
    """Return the rows for which all conditions are true; false and null leave a row out.

    `weight` is the number of people in a row, by which rows left out are counted.

    Raises
    ------
    InputError
        A condition is no expression in SQL, names an unknown column, or uses something that is not supported.

    """
    if not conditions:
        return FilteredRows(expr=table.expr, left_out=())
    tests = [Reader(table, condition).test() for condition in conditions]
    # 2k: the condition k is false; 2k + 1: it is null. (Ibis writes `(not x) is null` without the brackets.)
    cases = [
        (~ibis.coalesce(test, ibis.literal(value=decided)), 2 * k + (not decided))
        for k, test in enumerate(tests)
        for decided in (True, False)
    ]
    failed = ibis.cases(*cases, else_=2 * len(tests)).cast("int32")
    try:
        rows = table.expr.select(failed=failed, **({} if weight is None else {"weight": weight}))
        counted = table.fetch(rows.group_by("failed").aggregate(n=people(rows)))
    except (IbisError, RecursionError) as error:
        raise InputError(
            f"{table.engine} can't evaluate the conditions of {option_text('where')}; simplify them."
        ) from error
    numbers = dict(counted.select("failed", "n").iter_rows())
    left_out = tuple(
        {
            "expression": condition,
            "rows_left_out": numbers.get(2 * k, 0) + numbers.get(2 * k + 1, 0),
            "of_these_empty": numbers.get(2 * k + 1, 0),
        }
        for k, condition in enumerate(conditions)
    )
    if not numbers.get(2 * len(tests)):
        raise InputError(
            f"{table.name} has no rows left after {option_text('where', listed(conditions, quotes=True))}."
        )
    return FilteredRows(expr=table.expr.filter(tests), left_out=left_out)
