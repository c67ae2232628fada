"""What a column holds: numbers, money, days, yes and no, categories or text; read alike on every engine."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

import ibis
import polars as pl

from evenhand.hiring.columns.iso_dates import MOMENT_OR_ZONE
from evenhand.hiring.columns.lookup import is_nan, is_text
from evenhand.hiring.columns.scores import NO_SCORE, NUMBER, score_state
from evenhand.tables.audit.features.block import NUMERIC

__all__ = ["MOST_VALUES", "Reading", "as_text", "day_number", "reading_of"]

#: Columns of more values are no categories.
MOST_VALUES: Final = 1_000
YES: Final = ("true", "yes", "y", "t")
NO: Final = ("false", "no", "n", "f")
#: Text that says that there is nothing; 'none' may be a category.
_BLANK: Final = ("", "nan", "null", "na", "n/a", "#n/a", "<na>")
_AMOUNT: Final = r"([0-9]{1,3}(,[0-9]{3}){1,8}|[0-9]{1,20})([.][0-9]{1,2})?"
_MONEY: Final = rf"^-?[$€£] ?{_AMOUNT}$"
_DAYS_BEFORE_1970: Final = 719_468


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a column is read: `value` is null where a cell holds nothing that can be used.

    `filled` tells which cells hold something. `many` says that it has too many values to count each; `note`
    what a reader should know of the reading.
    """

    kind: str
    value: Any
    filled: Any
    many: bool
    note: str = ""

    @property
    def numeric(self) -> bool:
        """Return whether values have an order."""
        return self.kind in NUMERIC


def reading_of(column: Any, head: pl.Series) -> Reading:
    """Return how a column is read, judged by its type and, of text, by its first cells."""
    kind = column.type()
    many = head.drop_nulls().n_unique() > MOST_VALUES
    if kind.is_boolean():
        yes = ibis.cases((column, 1.0), (~column, 0.0), else_=ibis.null("float64"))
        return Reading(kind="yes/no", value=yes, filled=column.notnull(), many=False)
    if kind.is_date() or kind.is_timestamp():
        parts = [each.cast("int64") for each in (column.year(), column.month(), column.day())]
        value = _days(*parts).cast("float64")
        return Reading(kind="date", value=value, filled=column.notnull(), many=many)
    if kind.is_numeric():
        value = column.cast("float64")
        nothing = column.isnull() | is_nan(column)
        _, value = score_state(column)
        return Reading(kind="number", value=value, filled=~nothing, many=many)
    if is_text(column):
        return _text_reading(column, head, many=many)
    return Reading(kind="text", value=column.cast("string"), filled=column.notnull(), many=many)


def _text_reading(column: Any, head: pl.Series, *, many: bool) -> Reading:
    trimmed = column.strip()
    lower = trimmed.lower()
    filled = column.notnull() & ~lower.isin(_BLANK)
    kind = _shape(head)
    if kind == "text":
        return Reading(kind="text", value=ibis.ifelse(filled, trimmed, ibis.null("string")), filled=filled, many=many)
    given = column.notnull() & ~lower.isin(NO_SCORE)
    if kind == "yes/no":
        value = ibis.cases((lower.isin(YES), 1.0), (lower.isin(NO), 0.0), else_=ibis.null("float64"))
        return Reading(kind=kind, value=value, filled=given, many=False, note="yes is 1 and no is 0")
    if kind == "number":
        _, value = score_state(column)
        return Reading(kind=kind, value=value, filled=given, many=many)
    if kind == "money":
        fits = trimmed.re_search(_MONEY)
        plain = trimmed
        for sign in ("$", "€", "£", ",", " "):
            plain = plain.replace(sign, "")
        value = ibis.ifelse(fits, plain, ibis.null("string")).cast("float64")
        return Reading(kind=kind, value=value, filled=given, many=many, note="read without the currency sign")
    dated = trimmed.re_search(MOMENT_OR_ZONE)
    born = ibis.ifelse(dated, trimmed, ibis.null("string"))
    parts = [born.substr(start, width).cast("int64") for start, width in ((0, 4), (5, 2), (8, 2))]
    return Reading(kind=kind, value=_days(*parts).cast("float64"), filled=given, many=many)


def _shape(head: pl.Series) -> str:
    """Return of which kind all cells are that hold something."""
    cells = head.drop_nulls().str.strip_chars().unique()
    cells = cells.filter(~cells.str.to_lowercase().is_in(NO_SCORE))
    if not len(cells):
        return "text"
    if cells.str.to_lowercase().is_in([*YES, *NO]).all():
        return "yes/no"
    shapes = {"number": NUMBER, "money": _MONEY, "date": MOMENT_OR_ZONE}
    return next((kind for kind, pattern in shapes.items() if cells.str.contains(pattern).all()), "text")


def _days(year: Any, month: Any, day: Any) -> Any:
    """Return days since 1970-01-01 in the Gregorian calendar, in whole numbers that every engine has."""
    early = ibis.ifelse(month <= 2, 1, 0).cast("int64")
    y = year - early
    since_march = month + early * 12 - 3
    of_months = _floor((since_march * 153 + 2) / 5)
    return y * 365 + _floor(y / 4) - _floor(y / 100) + _floor(y / 400) + of_months + day - 1 - _DAYS_BEFORE_1970


def _floor(value: Any) -> Any:
    return value.floor().cast("int64")


def day_number(day: date) -> float:
    """Return a day as the engines number it.

    >>> day_number(date(1970, 1, 2))
    1.0
    """
    return float((day if not isinstance(day, datetime) else day.date()).toordinal() - date(1970, 1, 1).toordinal())


def as_text(column: Any) -> Any:
    """Return the values of a column as text, for comparing columns of different types."""
    return column.strip() if is_text(column) else column.cast("string")
