"""A table column by column: the distribution of each feature, and its counts by protected group.

What a column holds: numbers, money, days, yes and no, categories or text; read alike on every engine.
The protected attributes and the label of a table of features, each row's group by a key.
A feature's rows counted by level: by value where there are few, else by ranges that hold about as many rows each.
Exact quantiles from counts by level: the values near a rank are fetched only where a level doesn't tell it.
Another column by the levels of a feature.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from math import ceil, floor, inf, nextafter, sqrt
from typing import Any, Final

import ibis
import numpy as np
import polars as pl

from evenhand.data.applicant_query import NO_SCORE, NUMBER, ApplicantQuery, number, score_state
from evenhand.data.attributes import ADEA_AGE, OVER, UNDER, Attribute, attributes_of, unknown_labels
from evenhand.data.labels import MOMENT_OR_ZONE, Labels, checked_column, is_nan, is_text, text_of
from evenhand.data.open_table import OpenTable
from evenhand.data.stages import Spread, median, order_statistics, spread
from evenhand.errors import InputError
from evenhand.results.feature_audit import NUMERIC, Crossed, FeatureCounts, FeatureRow
from evenhand.results.messages import quoted

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
class ParsedColumn:
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


def parsed_column(column: Any, head: pl.Series) -> ParsedColumn:
    """Return how a column is read, judged by its type and, of text, by its first cells."""
    kind = column.type()
    many = head.drop_nulls().n_unique() > MOST_VALUES
    if kind.is_boolean():
        yes = ibis.cases((column, 1.0), (~column, 0.0), else_=ibis.null("float64"))
        return ParsedColumn(kind="yes/no", value=yes, filled=column.notnull(), many=False)
    if kind.is_date() or kind.is_timestamp():
        parts = [each.cast("int64") for each in (column.year(), column.month(), column.day())]
        value = _days(*parts).cast("float64")
        return ParsedColumn(kind="date", value=value, filled=column.notnull(), many=many)
    if kind.is_numeric():
        value = column.cast("float64")
        nothing = column.isnull() | is_nan(column)
        _, value = score_state(column)
        return ParsedColumn(kind="number", value=value, filled=~nothing, many=many)
    if is_text(column):
        return _parsed_text(column, head, many=many)
    return ParsedColumn(kind="text", value=column.cast("string"), filled=column.notnull(), many=many)


def _parsed_text(column: Any, head: pl.Series, *, many: bool) -> ParsedColumn:
    trimmed = column.strip()
    lower = trimmed.lower()
    filled = column.notnull() & ~lower.isin(_BLANK)
    kind = _shape(head)
    if kind == "text":
        return ParsedColumn(
            kind="text", value=ibis.ifelse(filled, trimmed, ibis.null("string")), filled=filled, many=many
        )
    given = column.notnull() & ~lower.isin(NO_SCORE)
    if kind == "yes/no":
        value = ibis.cases((lower.isin(YES), 1.0), (lower.isin(NO), 0.0), else_=ibis.null("float64"))
        return ParsedColumn(kind=kind, value=value, filled=given, many=False, note="yes is 1 and no is 0")
    if kind == "number":
        _, value = score_state(column)
        return ParsedColumn(kind=kind, value=value, filled=given, many=many)
    if kind == "money":
        fits = trimmed.re_search(_MONEY)
        plain = trimmed
        for sign in ("$", "€", "£", ",", " "):
            plain = plain.replace(sign, "")
        value = ibis.ifelse(fits, plain, ibis.null("string")).cast("float64")
        return ParsedColumn(kind=kind, value=value, filled=given, many=many, note="read without the currency sign")
    dated = trimmed.re_search(MOMENT_OR_ZONE)
    born = ibis.ifelse(dated, trimmed, ibis.null("string"))
    parts = [born.substr(start, width).cast("int64") for start, width in ((0, 4), (5, 2), (8, 2))]
    return ParsedColumn(kind=kind, value=_days(*parts).cast("float64"), filled=given, many=many)


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


#: A numeric attribute of more values is split in two.
MOST_CODES: Final = 20
#: A label of more values is no class.
MOST_CLASSES: Final = 20


@dataclass(frozen=True, kw_only=True)
class Groups:
    """The keys by which rows are counted, and what they mean.

    `sizes` has a row per combination of the keys (`keys`), with its number of rows `n`; `told` says how an attribute
    was split; `label` is the name of the label's column where it has few values.
    """

    attributes: tuple[Attribute, ...]
    labels: Mapping[str, Labels]
    sizes: pl.DataFrame
    told: Mapping[str, str]
    label: str | None = None

    @property
    def keys(self) -> dict[str, Any]:
        """Return the expressions of all keys."""
        return {key: column for each in self.attributes for key, column in each.keys.items()}

    def names(self, attribute: Attribute) -> tuple[str, ...]:
        """Return the groups of an attribute, in alphabetical order."""
        return tuple(sorted({name for name in self.labels[attribute.name].of.values() if name is not None}))

    def group(self, attribute: Attribute, frame: pl.DataFrame) -> list[str | None]:
        """Return the group of each row of counts."""
        of = self.labels[attribute.name].of
        return [of.get(keys) for keys in frame.select(*attribute.keys).iter_rows()]


def groups_of(
    table: OpenTable,
    query: ApplicantQuery,
    label: str | None,
    *,
    readings: Mapping[str, ParsedColumn],
) -> Groups:
    """Return the groups of the protected attributes, and the classes of the label.

    A numeric attribute of many values is split: at 40 where it is called age, else at its median.

    Raises
    ------
    InputError
        A column does not exist, is named twice, or has too many values.

    """
    plain: list[str] = []
    split: list[Attribute] = []
    told: dict[str, str] = {}
    for name in query.protected:
        checked_column(table, name, "--protected")
        if name != query.age and _is_split(table, readings.get(name)):
            key = f"key_split_{len(split)}"
            attribute, told[name] = _split(table, name, readings[name], key)
            split.append(attribute)
        else:
            plain.append(name)
    named = ApplicantQuery(protected=tuple(plain), age=query.age, age_at=query.age_at, unknown=query.unknown)
    attributes = [*split]
    if plain or query.age is not None:
        attributes = [*attributes_of(table, table.expr, named), *split]
    order = {name: place for place, name in enumerate(query.protected)}
    attributes.sort(key=lambda each: order.get(each.name, len(order)))
    classes = None if label is None else _classes(table, label, readings)
    if classes is not None:
        if label in {each.name for each in attributes}:
            raise InputError(
                f"The column {quoted(label)} is both the label and a protected attribute; it is one of them."
            )
        attributes.append(classes)
    keys = {key: column for each in attributes for key, column in each.keys.items()}
    if not keys:
        return Groups(attributes=(), labels={}, sizes=pl.DataFrame(), told={})
    rows = table.expr.select(**keys)
    sizes = table.fetch(rows.group_by(list(keys)).aggregate(n=rows.count()))
    unknown = unknown_labels(query.unknown)
    labels = {each.name: each.labels(sizes, unknown) for each in attributes}
    for each in attributes:
        if len({name for name in labels[each.name].of.values() if name is not None}) < 2 and each is not classes:
            raise InputError(
                f"The column {quoted(each.name)} has fewer than two groups; nothing can be told about it. Leave it out."
            )
    return Groups(
        attributes=tuple(attributes),
        labels=labels,
        sizes=sizes,
        told=told,
        label=None if classes is None else label,
    )


def _is_split(table: OpenTable, reading: ParsedColumn | None) -> bool:
    if reading is None or reading.kind not in {"number", "date"}:
        return False
    values = table.fetch(table.expr.select(value=reading.value).distinct().limit(MOST_CODES + 2), most=MOST_CODES + 2)
    return values.height > MOST_CODES


def _split(table: OpenTable, name: str, reading: ParsedColumn, key: str) -> tuple[Attribute, str]:
    """Return an attribute of two groups, and how it was split."""
    rows = table.expr.select(score=reading.value)
    at_forty = reading.kind == "number" and "age" in name.lower().replace("_", " ").replace("-", " ").split()
    at = float(ADEA_AGE) if at_forty else median(table, rows, spread(table, rows))
    shown = (
        date.fromordinal(date(1970, 1, 1).toordinal() + floor(at)).isoformat() if reading.kind == "date" else f"{at:g}"
    )
    names = (UNDER, OVER) if at_forty else (f"below {shown}", f"{shown} or more")
    code = ibis.cases((reading.value.isnull(), 0), (reading.value >= at, 2), else_=1).cast("int32")
    of: dict[Any, str | None] = {(0,): None, (1,): names[0], (2,): names[1]}

    def read(_combinations: Sequence[tuple[Any, ...]], _unknown: frozenset[str]) -> Labels:
        return Labels(of=of)

    told = f"split at {shown}" if at_forty else f"split at its median, {shown}"
    return Attribute(name=name, keys={key: code}, read=read), told


def _classes(table: OpenTable, label: str, readings: Mapping[str, ParsedColumn]) -> Attribute | None:
    """Return the label's classes; None where it has many values."""
    checked_column(table, label, "--label")
    reading = readings[label]
    values = table.fetch(
        table.expr.select(value=reading.value).distinct().limit(MOST_CLASSES + 2), most=MOST_CLASSES + 2
    )
    if values.height > MOST_CLASSES:
        return None
    named = {1.0: "yes", 0.0: "no"} if reading.kind == "yes/no" else {}

    def read(combinations: Sequence[tuple[Any, ...]], _unknown: frozenset[str]) -> Labels:
        return Labels(of={(value,): _class(value, named) for value, *_ in combinations})

    return Attribute(name=label, keys={"key_label": reading.value}, read=read)


def _class(value: Any, named: Mapping[float, str]) -> str | None:
    if value is None:
        return None
    if isinstance(value, float):
        return named.get(value, f"{value:g}")
    return str(value)


#: Ranges in all: as many of equal width between each two knots.
RANGES: Final = 1024
#: Values by groups that are fetched.
MOST_ROWS: Final = 1_000_000
#: Of all rows, the share in one range from which on the ranges are drawn anew; and how often.
MOST_IN_A_RANGE: Final = 0.02
MOST_PASSES: Final = 4
#: The share of rows from which on a value has a range of its own.
ALONE: Final = 0.01
#: Shares of the rows at which the pieces meet; closer in the tails, where values lie far apart.
_SHARES: Final = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Rows by level (`at`) and the keys, with their number `n` and, of a numeric feature, what their values add up to.

    `low`, `high`, `total` and `squares` are those of the level's values, `squares` about `centre`. A level is a value,
    or with `knots` a range.
    """

    frame: pl.DataFrame
    knots: tuple[float, ...] | None = None
    centre: float = 0.0

    @property
    def few(self) -> bool:
        """Return whether a level is a value."""
        return self.knots is None

    def code(self, value: Any) -> Any:
        """Return what the level of a value is known by in the engine."""
        return value if self.knots is None else _code(value, self.knots)


def by_value(table: OpenTable, reading: ParsedColumn, keys: dict[str, Any]) -> Levels | None:
    """Return the counts by value; None where there are too many."""
    if reading.many:
        return None
    rows = table.expr.select(at=reading.value, filled=reading.filled, **keys)
    combinations = rows.group_by(["at", "filled", *keys]).aggregate(n=rows.count())
    frame = table.fetch(combinations.limit(MOST_ROWS))
    if frame.height == MOST_ROWS or frame["at"].n_unique() > MOST_VALUES + 1:
        return None
    if not reading.numeric:
        return Levels(frame=frame)
    # About a value in the middle: the squares of days or years would take the digits that tell them apart.
    known = frame["at"].drop_nulls().unique().sort()
    centre = float(known[len(known) // 2]) if len(known) else 0.0
    away = pl.col("at") - centre
    sums = {"total": away * pl.col("n"), "squares": away * away * pl.col("n")}
    return Levels(frame=frame.with_columns(low="at", high="at", **sums), centre=centre)


def by_range(table: OpenTable, reading: ParsedColumn, keys: dict[str, Any], knots: Sequence[float]) -> Levels:
    """Return the counts of a numeric feature by range; ranges that hold too many different values are drawn anew."""
    centre = knots[len(knots) // 2] if knots else 0.0
    for last in (*[False] * (MOST_PASSES - 1), True):
        code = _code(reading.value, knots)
        rows = table.expr.select(at=code, filled=reading.filled, value=reading.value, **keys)
        away = rows.value - number(centre)
        frame = table.fetch(
            rows.group_by(["at", "filled", *keys]).aggregate(
                n=rows.count(),
                low=rows.value.min(),
                high=rows.value.max(),
                total=away.sum(),
                squares=(away * away).sum(),
            )
        )
        levels = frame.group_by("at").agg(pl.col("n").sum(), pl.col("low").min(), pl.col("high").max()).drop_nulls()
        full = levels.filter(
            (pl.col("low") < pl.col("high")) & (pl.col("n") > MOST_IN_A_RANGE * int(levels["n"].sum()))
        )
        if last or not full.height:
            break
        knots = knots_of(levels)
    return Levels(frame=frame, knots=tuple(knots), centre=centre)


def knots_of(levels: pl.DataFrame) -> list[float]:
    """Return where pieces meet: values near the shares, from ranges with `low`, `high` and `n`."""
    ordered = levels.sort("low")
    upto = ordered["n"].cum_sum() / max(ordered["n"].sum(), 1)
    found = []
    for share in _SHARES:
        place = int((upto < share).sum())
        place = min(place, ordered.height - 1)
        before = upto[place - 1] if place else 0.0
        low, high = ordered["low"][place], ordered["high"][place]
        within = (share - before) / max(upto[place] - before, 1e-300)
        found.append(low + (high - low) * min(max(within, 0.0), 1.0))
    # A value that many rows have is a range of its own.
    alone = ordered.filter((pl.col("low") == pl.col("high")) & (pl.col("n") >= ALONE * int(ordered["n"].sum())))["low"]
    below = [nextafter(each, -inf) for each in alone]
    return sorted({float(each) for each in (*found, *alone, *below, ordered["low"][0], ordered["high"][-1])})


def first_knots(levels: pl.DataFrame) -> list[float]:
    """Return two knots where ranges of equal width between them hold few of the first rows each, else `knots_of`.

    Two are counted by faster. `levels` has the values of the first rows (`low`) with their number `n`.
    """
    knots = knots_of(levels)
    ordered = levels.sort("low")
    upto = ordered["n"].cum_sum() / int(ordered["n"].sum() or 1)
    inner = ordered.filter((upto > _SHARES[0]) & (upto < _SHARES[-1]))["low"]
    if len(inner) < 2:
        return knots
    ends = [float(inner[0]), float(inner[-1])]
    place = ((pl.col("low") - ends[0]) * RANGES / (ends[1] - ends[0])).floor().clip(-1, RANGES)
    ranges = ordered.group_by(place).agg(pl.len(), pl.col("n").sum())
    crowded = ranges.filter((pl.col("len") > 1) & (pl.col("n") > MOST_IN_A_RANGE * int(ordered["n"].sum())))
    return knots if crowded.height else ends


def _code(value: Any, knots: Sequence[float]) -> Any:
    """Return the range of each value: a number that rises with it."""
    within = max(RANGES // max(len(knots) - 1, 1), 1)
    return ibis.ifelse(value.isnull(), ibis.null("int64"), _piece(value, knots, 0, len(knots), within))


def _piece(value: Any, knots: Sequence[float], low: int, high: int, within: int) -> Any:
    """Return a tree of comparisons with the knots, in each leaf equal ranges between two of them."""
    if low == high:
        if low in {0, len(knots)}:
            return ibis.literal(low * within, type="int64")
        start, end = knots[low - 1], knots[low]
        step = within / (end - start) if end - start > 0 else 0.0
        if not 0 < step < float("inf"):
            return ibis.literal(low * within, type="int64")
        place = ((value - number(start)) * number(step)).floor()
        inside = ibis.least(ibis.greatest(place, number(0)), number(within - 1))
        return (inside + number(low * within)).cast("int64")
    middle = (low + high) // 2
    return ibis.ifelse(
        value > number(knots[middle]),
        _piece(value, knots, middle + 1, high, within),
        _piece(value, knots, low, middle, within),
    )


#: Rows near the ranks that are fetched, as values with their counts.
MOST_FETCHED: Final = 500_000


def quantiles(table: OpenTable, value: Any, code: Any, levels: pl.DataFrame, shares: Sequence[float]) -> list[float]:
    """Return the quantiles at shares, between the two nearest values in proportion (Hyndman and Fan's type 7).

    `code` is each value's level in the engine; `levels` has that level (`at`), and `low`, `high` and `n` of its
    values, in rising order.
    """
    n = int(levels["n"].sum())
    places = [share * (n - 1) for share in shares]
    wanted = sorted({rank for place in places for rank in (floor(place), ceil(place))})
    found = _exact(table, value, code, levels, wanted)
    values = []
    for place in places:
        low, high = found[floor(place)], found[ceil(place)]
        values.append(low + (high - low) * (place - floor(place)) if low < high else low)
    return values


def _exact(table: OpenTable, value: Any, code: Any, levels: pl.DataFrame, wanted: Sequence[int]) -> dict[int, float]:
    found: dict[int, float] = {}
    upto = np.cumsum(levels["n"].to_numpy())
    open_ones: dict[int, list[int]] = {}
    for rank in wanted:
        place = int(np.searchsorted(upto, rank, side="right"))
        start = int(upto[place] - levels["n"][place])
        low, high = levels["low"][place], levels["high"][place]
        if low == high or rank == start:
            found[rank] = low
        elif rank == upto[place] - 1:
            found[rank] = high
        else:
            open_ones.setdefault(place, []).append(rank)
    if not open_ones:
        return found
    if sum(levels["n"][place] for place in open_ones) > MOST_FETCHED:
        rows = table.expr.select(score=value)
        known = Spread(n=int(upto[-1]), lowest=levels["low"][0], highest=levels["high"][-1])
        return found | order_statistics(table, rows, known, [rank for ranks in open_ones.values() for rank in ranks])
    near = _values(table, value, code, [levels["at"][place] for place in open_ones])
    for place, ranks in open_ones.items():
        low, high = levels["low"][place], levels["high"][place]
        own = near.filter((pl.col("value") >= low) & (pl.col("value") <= high)).sort("value")
        ordered = np.cumsum(own["n"].to_numpy())
        start = int(upto[place] - levels["n"][place])
        for rank in ranks:
            found[rank] = own["value"][int(np.searchsorted(ordered, rank - start, side="right"))]
    return found


def _values(table: OpenTable, value: Any, code: Any, levels: Sequence[int]) -> pl.DataFrame:
    rows = table.expr.select(value=value, at=code)
    near = rows.filter(rows.at.isin(levels))
    return table.fetch(near.group_by("value").aggregate(n=near.count()))


def sums_by_level(table: OpenTable, code: Any, other: ParsedColumn) -> pl.DataFrame:
    """Return rows, sum and sum of squares of another column (`n`, `total`, `squares`) by level, in rising order."""
    rows = table.expr.select(at=code, value=other.value)
    held = rows.filter(rows.at.notnull() & rows.value.notnull())
    sums = held.group_by("at").aggregate(
        n=held.count(), total=held.value.sum(), squares=(held.value * held.value).sum()
    )
    return table.fetch(sums).sort("at")


#: The first rows: what columns hold is judged by them, and told wrong where later rows differ.
HEAD: Final = 10_000
#: The quantiles of Eightfold's Figure 6.
SHARES: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
#: Combinations of groups by which a feature is counted at once.
MOST_COMBINATIONS: Final = 300
#: Texts that fewer rows have may tell who somebody is, and are not shown.
FEWEST_DISCLOSED: Final = 5


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The number of rows, and how each column is read; `left_out` says why a column is not."""

    rows: int
    head: pl.DataFrame
    readings: Mapping[str, ParsedColumn]
    left_out: Mapping[str, str]


def columns_of(table: OpenTable) -> Columns:
    """Return how each column is read, judged by its first rows."""
    held, left_out = [], {}
    for name in table.expr.columns:
        kind = table.expr[name].type()
        if name in table.damaged:
            left_out[name] = table.damaged[name]
        elif kind.is_nested() or kind.is_binary() or kind.is_unknown():
            left_out[name] = f"it holds {kind}"
        else:
            held.append(name)
    head = table.fetch(table.expr.select(*held).limit(HEAD)) if held else pl.DataFrame()
    readings = {name: parsed_column(checked_column(table, name, "--columns"), head[name]) for name in held}
    rows = table.fetch(table.expr.count().as_table())[0, 0]
    return Columns(rows=rows, head=head, readings=readings, left_out=left_out)


def count_feature(
    table: OpenTable, columns: Columns, name: str, groups: Groups
) -> tuple[FeatureCounts, ParsedColumn, Levels | None]:
    """Return the distribution of a feature and its counts by group, how it was read, and its levels in the engine."""
    reading = columns.readings[name]
    sets = _sets_of_keys(groups)
    found = [_levels(table, columns.head[name], reading, keys) for keys in sets]
    levels = found[0]
    if levels is None:
        return _many(table, name, reading, columns.rows), reading, None
    unread = int(levels.frame.filter(pl.col("at").is_null() & pl.col("filled"))["n"].sum())
    if (unread and reading.kind not in {"text", "number"}) or (unread and table.expr[name].type().is_string()):
        text = _as_text(table, name, reading, unread)
        again = replace(columns, readings={**columns.readings, name: text})
        return count_feature(table, again, name, groups)
    if unread and reading.kind == "number":
        told = "infinite value counts" if unread == 1 else "infinite values count"
        reading = replace(reading, note=f"{unread:,} {told} as missing")
    empty = FeatureRow(feature=name, kind="", n=0, missing=columns.rows)
    return _counts(table, empty, reading, found, groups), reading, levels


def _as_text(table: OpenTable, name: str, reading: ParsedColumn, unread: int) -> ParsedColumn:
    """Return a column as text: some of its cells are not what the first ones are."""
    column = table.expr[name]
    filled = column.notnull() & (column.strip() != "")
    what = {"number": "numbers", "money": "money", "date": "dates", "yes/no": "yes or no"}[reading.kind]
    note = f"{unread:,} {'cell is' if unread == 1 else 'cells are'} no {what}, so it is read as text"
    value = ibis.ifelse(filled, column.strip(), ibis.null("string"))
    return ParsedColumn(kind="text", value=value, filled=filled, many=reading.many, note=note)


def _sets_of_keys(groups: Groups) -> list[dict[str, Any]]:
    """Return the keys that a feature is counted by at once: all, or those of one attribute after the other."""
    if groups.sizes.height <= MOST_COMBINATIONS:
        return [groups.keys]
    return [dict(each.keys) for each in groups.attributes]


def _levels(table: OpenTable, head: pl.Series, reading: ParsedColumn, keys: dict[str, Any]) -> Levels | None:
    levels = by_value(table, reading, keys)
    if levels is not None or not reading.numeric:
        return levels
    first = table.fetch(table.expr.select(value=reading.value).limit(len(head)))["value"].drop_nulls()
    counts = first.value_counts().rename({"value": "low", "count": "n"})
    return by_range(table, reading, keys, first_knots(counts.with_columns(high="low")))


def _counts(
    table: OpenTable, row: FeatureRow, reading: ParsedColumn, found: Sequence[Levels | None], groups: Groups
) -> FeatureCounts:
    """Return the counts of a feature of which `row` has no more than the name, and as `missing` all rows."""
    first = found[0]
    assert first is not None
    filled = first.frame.filter(pl.col("at").is_not_null())
    sums = [pl.col("n").sum()]
    if reading.numeric:
        sums += [pl.col("low").min(), pl.col("high").max(), pl.col("total").sum(), pl.col("squares").sum()]
    levels = filled.group_by("at").agg(sums).sort("at")
    n = int(levels["n"].sum())
    row = replace(row, kind=_kind(reading, levels.height, n), n=n, missing=row.missing - n, note=reading.note)
    if first.few:
        row = _with_values(row, levels, reading)
    if reading.numeric and levels.height:
        row = _with_distribution(row, table, reading, first, levels)
        row = row if row.told_apart else replace(row, distinct=None, most_frequent=None, most_frequent_n=None)
    by: dict[str, Crossed] = {}
    for each in groups.attributes:
        own = next(part for part in found if part is not None and set(each.keys) <= set(part.frame.columns))
        by[each.name] = _crossed(own, levels, each, groups, missing_too=not reading.numeric)
    return FeatureCounts(
        row=row,
        levels=tuple(levels["at"].to_list()) if first.few else None,
        ends=tuple(levels.select("low", "high").iter_rows()) if reading.numeric else (),
        by=by,
        totals=levels["n"].to_numpy(),
    )


def _kind(reading: ParsedColumn, values: int, n: int) -> str:
    """Return what a feature is; texts of which most rows have one of their own are no categories."""
    return "category" if reading.kind == "text" and 2 * values <= n else reading.kind


def _with_values(row: FeatureRow, levels: pl.DataFrame, reading: ParsedColumn) -> FeatureRow:
    if not levels.height:
        return replace(row, kind="empty", distinct=0)
    top = levels.sort(["n", "at"], descending=[True, False])
    value = top["at"][0]
    names = {1.0: "yes", 0.0: "no"} if reading.kind == "yes/no" else {}
    hidden = not reading.numeric and top["n"][0] < FEWEST_DISCLOSED and levels.height > 1
    return replace(
        row,
        distinct=levels.height,
        most_frequent=None if hidden else names.get(value) or text_of(value),
        most_frequent_n=int(top["n"][0]),
    )


def _with_distribution(
    row: FeatureRow, table: OpenTable, reading: ParsedColumn, counted: Levels, levels: pl.DataFrame
) -> FeatureRow:
    n = row.n
    away = float(levels["total"].sum()) / n
    spread = float(levels["squares"].sum()) - n * away * away
    p10, p30, p50, p70, p90 = quantiles(table, reading.value, counted.code(reading.value), levels, SHARES)
    low, high = levels.select(pl.col("low").min(), pl.col("high").max()).row(0)
    zeros = levels.filter((pl.col("low") <= 0) & (pl.col("high") >= 0))
    zero = int(zeros["n"].sum()) if zeros.filter(pl.col("low") < pl.col("high")).is_empty() else _zeros(table, reading)
    return replace(
        row,
        p10=p10,
        p30=p30,
        p50=p50,
        p70=p70,
        p90=p90,
        min=float(low),
        max=float(high),
        mean=counted.centre + away,
        stddev=sqrt(max(spread, 0.0) / (n - 1)) if n > 1 else None,
        nonzero=1 - zero / n,
    )


def _zeros(table: OpenTable, reading: ParsedColumn) -> int:
    rows = table.expr.select(value=reading.value)
    return int(table.fetch(rows.filter(rows.value == 0).count().as_table())[0, 0])


def _crossed(own: Levels, levels: pl.DataFrame, attribute: Any, groups: Groups, *, missing_too: bool) -> Crossed:
    """Return the counts by level and group; of categories the missing cells are a level of their own, the last one."""
    names = groups.names(attribute)
    places = {name: place for place, name in enumerate(names)}
    rows = own.frame if missing_too else own.frame.filter(pl.col("at").is_not_null())
    rows = rows.group_by(["at", *attribute.keys]).agg(pl.col("n").sum())
    at = {value: place for place, value in enumerate(levels["at"].to_list())}
    counts = np.zeros((levels.height + missing_too, len(names)), dtype=np.int64)
    for value, group, n in zip(rows["at"].to_list(), groups.group(attribute, rows), rows["n"].to_list(), strict=True):
        if group is not None:
            counts[at.get(value, levels.height), places[group]] += n
    return Crossed(groups=names, counts=counts)


def _many(table: OpenTable, name: str, reading: ParsedColumn, rows: int) -> FeatureCounts:
    """Return what is told of a column of many texts: how many there are, and the most frequent one."""
    held = table.expr.select(value=reading.value).filter(reading.value.notnull())
    counts = held.group_by("value").aggregate(n=held.count())
    top = table.fetch(counts.order_by([ibis.desc("n"), "value"]).limit(1))
    sums = table.fetch(counts.aggregate(n=counts.n.sum(), distinct=counts.count()))
    n = int(sums["n"][0] or 0)
    shown = bool(top.height) and int(top["n"][0]) >= FEWEST_DISCLOSED
    row = FeatureRow(
        feature=name,
        kind="text",
        n=n,
        missing=rows - n,
        distinct=int(sums["distinct"][0]),
        most_frequent=top["value"][0] if shown else None,
        most_frequent_n=int(top["n"][0]) if top.height else None,
        note=reading.note,
    )
    return FeatureCounts(row=row)
