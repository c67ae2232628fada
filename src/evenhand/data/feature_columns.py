"""Columns of a feature table: their kinds, distributions, and counts by protected group.

A column holds numbers, money, days, yes and no, categories or text, parsed the same way on every engine. A feature is
counted by level: by value where it has few values, else by ranges with about as many rows each. Quantiles are exact.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import ceil, floor, inf, nextafter, sqrt
from typing import Any, Final

import ibis
import numpy as np
import polars as pl

from evenhand.data.applicant_query import ADEA_AGE, ApplicantQuery
from evenhand.data.attributes import Attribute, age_groups, attributes_of
from evenhand.data.counting import key_values
from evenhand.data.group_labels import LabelRules, label_rules
from evenhand.data.labels import MOMENT_OR_ZONE, Labels, text_of
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.roles import refuse_ids
from evenhand.data.score_cells import NO_SCORE, NUMBER, day_parts, is_nan, number, score_state
from evenhand.data.stages import Spread, median, order_statistics, spread
from evenhand.errors import InputError
from evenhand.results.feature_audit import NUMERIC, Crossed, FeatureCounts, FeatureRow
from evenhand.results.messages import quoted

#: Columns with more values are no categories.
MOST_VALUES: Final = 1_000
YES: Final = ("true", "yes", "y", "t")
NO: Final = ("false", "no", "n", "f")
#: Text of an empty cell; 'none' may be a category.
_BLANK: Final = ("", "nan", "null", "na", "n/a", "#n/a", "<na>")
_AMOUNT: Final = r"([0-9]{1,3}(,[0-9]{3}){1,8}|[0-9]{1,20})([.][0-9]{1,2})?"
_MONEY: Final = rf"^-?[$€£] ?{_AMOUNT}$"
_DAYS_BEFORE_1970: Final = 719_468


@dataclass(frozen=True, kw_only=True)
class ParsedColumn:
    """A column and how it is parsed: `value` is null where a cell holds no usable value.

    `filled` marks the cells that aren't empty. With `many` there are too many values to count each; `note` says what
    a reader should know about the parsing.
    """

    kind: str
    value: Any
    filled: Any
    many: bool
    note: str = ""

    @property
    def numeric(self) -> bool:
        """Say whether values have an order."""
        return self.kind in NUMERIC


def parsed_column(column: Any, head: pl.Series) -> ParsedColumn:
    """Return a column parsed by its type or, for text, by its first cells."""
    kind = column.type()
    many = head.drop_nulls().n_unique() > MOST_VALUES
    if kind.is_boolean():
        yes = ibis.cases((column, 1.0), (~column, 0.0), else_=ibis.null("float64"))
        return ParsedColumn(kind="yes/no", value=yes, filled=column.notnull(), many=False)
    if kind.is_date() or kind.is_timestamp():
        value = _days(*day_parts(column)).cast("float64")
        return ParsedColumn(kind="date", value=value, filled=column.notnull(), many=many)
    if kind.is_numeric():
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
    present_cells = column.notnull() & ~lower.isin(NO_SCORE)
    if kind == "yes/no":
        value = ibis.cases((lower.isin(YES), 1.0), (lower.isin(NO), 0.0), else_=ibis.null("float64"))
        return ParsedColumn(kind=kind, value=value, filled=present_cells, many=False, note="yes is 1 and no is 0")
    if kind == "number":
        _, value = score_state(column)
        return ParsedColumn(kind=kind, value=value, filled=present_cells, many=many)
    if kind == "money":
        fits = trimmed.re_search(_MONEY)
        plain = trimmed
        for sign in ("$", "€", "£", ",", " "):
            plain = plain.replace(sign, "")
        value = ibis.ifelse(fits, plain, ibis.null("string")).cast("float64")
        return ParsedColumn(
            kind=kind, value=value, filled=present_cells, many=many, note="read without the currency sign"
        )
    return ParsedColumn(kind=kind, value=_days(*day_parts(column)).cast("float64"), filled=present_cells, many=many)


def _shape(head: pl.Series) -> str:
    """Return the kind of text that all filled cells share."""
    cells = head.drop_nulls().str.strip_chars().unique()
    cells = cells.filter(~cells.str.to_lowercase().is_in(NO_SCORE))
    if not len(cells):
        return "text"
    if cells.str.to_lowercase().is_in([*YES, *NO]).all():
        return "yes/no"
    shapes = {"number": NUMBER, "money": _MONEY, "date": MOMENT_OR_ZONE}
    return next((kind for kind, pattern in shapes.items() if cells.str.contains(pattern).all()), "text")


def _days(year: Any, month: Any, day: Any) -> Any:
    """Return days since 1970-01-01 in the Gregorian calendar, computed in whole numbers alone for all engines."""
    early = ibis.ifelse(month <= 2, 1, 0).cast("int64")
    y = year - early
    since_march = month + early * 12 - 3
    of_months = _floor((since_march * 153 + 2) / 5)
    return y * 365 + _floor(y / 4) - _floor(y / 100) + _floor(y / 400) + of_months + day - 1 - _DAYS_BEFORE_1970


def _floor(value: Any) -> Any:
    return value.floor().cast("int64")


def as_text(column: Any) -> Any:
    """Return the values of a column as text, for comparing columns of different types."""
    return column.strip() if is_text(column) else column.cast("string")


#: A numeric attribute with more values is split in two.
MOST_CODES: Final = 20
#: A label with more values has no classes.
MOST_CLASSES: Final = 20


@dataclass(frozen=True, kw_only=True)
class Groups:
    """The keys by which rows are counted, and the groups they stand for.

    `sizes` has a row per combination of `keys`, with its number of rows `n`; `told` describes how an attribute was
    split; `label` is the label's column where it has few values.
    """

    attributes: tuple[Attribute, ...]
    labels: Mapping[str, Labels]
    sizes: pl.DataFrame
    told: Mapping[str, str]
    label: str | None = None

    @property
    def keys(self) -> dict[str, Any]:
        """Return the expressions of all keys, by key."""
        return {key: column for attribute in self.attributes for key, column in attribute.keys.items()}

    def names(self, attribute: Attribute) -> tuple[str, ...]:
        """Return the groups of an attribute, in alphabetical order."""
        return tuple(sorted({name for name in self.labels[attribute.name].of.values() if name is not None}))

    def group(self, attribute: Attribute, frame: pl.DataFrame) -> list[str | None]:
        """Return the group of each row of a table of counts."""
        return [self.labels[attribute.name].of.get(key) for key in key_values(frame, [*attribute.keys])]


def groups_of(
    table: OpenTable,
    query: ApplicantQuery,
    label: str | None,
    *,
    parsed_columns: Mapping[str, ParsedColumn],
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
    splits: dict[str, str] = {}
    for name in query.protected:
        checked_column(table, name, "--protected")
        if name != query.age and _is_split(table, parsed_columns.get(name)):
            key = f"key_split_{len(split)}"
            split_attribute, splits[name] = _split(table, name, parsed_columns[name], key)
            split.append(split_attribute)
        else:
            plain.append(name)
    named = ApplicantQuery(
        protected=tuple(plain), age=query.age, age_at=query.age_at, unknown=query.unknown, mapped=query.mapped
    )
    attributes = [*split]
    if plain or query.age is not None:
        attributes = [*attributes_of(table, table.expr, named), *split]
    order = {name: place for place, name in enumerate(query.protected)}
    attributes.sort(key=lambda attribute: order.get(attribute.name, len(order)))
    classes = None if label is None else _classes(table, label, parsed_columns)
    if classes is not None:
        attributes.append(classes)
    keys = {key: column for attribute in attributes for key, column in attribute.keys.items()}
    if not keys:
        return Groups(attributes=(), labels={}, sizes=pl.DataFrame(), told={})
    rows = table.expr.select(**keys)
    sizes = table.fetch(rows.group_by(list(keys)).aggregate(n=rows.count()))
    rules = label_rules(query.unknown, query.mapped, columns=plain)
    for attribute in attributes:
        if attribute is not classes:
            known = sizes.filter(pl.all_horizontal(pl.col(list(attribute.keys)).is_not_null()))
            values = known.select(list(attribute.keys)).n_unique()
            refuse_ids(table.name, attribute.name, "--protected", distinct=values, filled=int(known["n"].sum()))
    labels = {attribute.name: attribute.labels(sizes, rules) for attribute in attributes}
    for attribute in attributes:
        if (
            len({name for name in labels[attribute.name].of.values() if name is not None}) < 2
            and attribute is not classes
        ):
            raise InputError(
                f"The column {quoted(attribute.name)} has fewer than two groups, so there is nothing to "
                "compare. Leave it out."
            )
    return Groups(
        attributes=tuple(attributes),
        labels=labels,
        sizes=sizes,
        told=splits,
        label=None if classes is None else label,
    )


def _is_split(table: OpenTable, parsed: ParsedColumn | None) -> bool:
    if parsed is None or parsed.kind not in {"number", "date"}:
        return False
    values = table.fetch(table.expr.select(value=parsed.value).distinct().limit(MOST_CODES + 2), most=MOST_CODES + 2)
    return values.height > MOST_CODES


def _split(table: OpenTable, name: str, parsed: ParsedColumn, key: str) -> tuple[Attribute, str]:
    """Return an attribute of two groups, and how it was split."""
    rows = table.expr.select(score=parsed.value)
    at_forty = parsed.kind == "number" and "age" in name.lower().replace("_", " ").replace("-", " ").split()
    at = float(ADEA_AGE) if at_forty else median(table, rows, spread(table, rows))
    threshold = (
        date.fromordinal(date(1970, 1, 1).toordinal() + floor(at)).isoformat() if parsed.kind == "date" else f"{at:g}"
    )
    names = tuple(age_groups([ADEA_AGE])) if at_forty else (f"below {threshold}", f"{threshold} or more")
    code = ibis.cases((parsed.value.isnull(), 0), (parsed.value >= at, 2), else_=1).cast("int32")

    def read(_combinations: Sequence[tuple[Any, ...]], _rules: LabelRules) -> Labels:
        return Labels(of=dict(enumerate((None, *names))))

    note = f"split at {threshold}" if at_forty else f"split at its median, {threshold}"
    return Attribute(name=name, keys={key: code}, read=read), note


def _classes(table: OpenTable, label: str, parsed_columns: Mapping[str, ParsedColumn]) -> Attribute | None:
    """Return the label's classes; None where it has too many values."""
    checked_column(table, label, "--label")
    parsed = parsed_columns[label]
    values = table.fetch(
        table.expr.select(value=parsed.value).distinct().limit(MOST_CLASSES + 2), most=MOST_CLASSES + 2
    )
    if values.height > MOST_CLASSES:
        return None
    named = {1.0: "yes", 0.0: "no"} if parsed.kind == "yes/no" else {}

    def read(combinations: Sequence[tuple[Any, ...]], _rules: LabelRules) -> Labels:
        return Labels(of={value: _class(value, named) for value, *_ in combinations})

    return Attribute(name=label, keys={"key_label": parsed.value}, read=read)


def _class(value: Any, named: Mapping[float, str]) -> str | None:
    if value is None:
        return None
    if isinstance(value, float):
        return named.get(value, f"{value:g}")
    return str(value)


#: The number of ranges in all, of equal width between each two knots.
RANGES: Final = 1024
#: The most rows of counts that are fetched.
MOST_ROWS: Final = 1_000_000
#: The share of rows in one range above which the ranges are drawn anew, and how often.
MOST_IN_A_RANGE: Final = 0.02
MOST_PASSES: Final = 4
#: The share of rows from which a value gets its own range.
ALONE: Final = 0.01
#: Shares of the rows at which knots lie; closer in the tails, where values lie far apart.
_SHARES: Final = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Counts of rows by level (`at`) and the keys; a numeric feature also has the sums of its values.

    `frame` has `n`, `low`, `high`, `total` and `squares` of the level's values, the last two about `centre`. A level is
    a value, or with `knots` a range.
    """

    frame: pl.DataFrame
    knots: tuple[float, ...] | None = None
    centre: float = 0.0

    @property
    def few(self) -> bool:
        """Say whether a level is a single value."""
        return self.knots is None

    def code(self, value: Any) -> Any:
        """Return the level of a value as the engine computes it."""
        return value if self.knots is None else _code(value, self.knots)


def by_value(table: OpenTable, parsed: ParsedColumn, keys: dict[str, Any]) -> Levels | None:
    """Return the counts by value; None where there are too many."""
    if parsed.many:
        return None
    rows = table.expr.select(at=parsed.value, filled=parsed.filled, **keys)
    combinations = rows.group_by(["at", "filled", *keys]).aggregate(n=rows.count())
    frame = table.fetch(combinations.limit(MOST_ROWS))
    if frame.height == MOST_ROWS or frame["at"].n_unique() > MOST_VALUES + 1:
        return None
    if not parsed.numeric:
        return Levels(frame=frame)
    # About a middle value: the squares of days or years would use up the digits that differ.
    known = frame["at"].drop_nulls().unique().sort()
    centre = float(known[len(known) // 2]) if len(known) else 0.0
    away = pl.col("at") - centre
    sums = {"total": away * pl.col("n"), "squares": away * away * pl.col("n")}
    return Levels(frame=frame.with_columns(low="at", high="at", **sums), centre=centre)


def by_range(table: OpenTable, parsed: ParsedColumn, keys: dict[str, Any], knots: Sequence[float]) -> Levels:
    """Return the counts of a numeric feature by range; ranges with too many rows are drawn anew."""
    centre = knots[len(knots) // 2] if knots else 0.0
    for last in (*[False] * (MOST_PASSES - 1), True):
        code = _code(parsed.value, knots)
        rows = table.expr.select(at=code, filled=parsed.filled, value=parsed.value, **keys)
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
    """Return knots: values near the shares of rows, from ranges with `low`, `high` and `n`."""
    ordered = levels.sort("low")
    upto = ordered["n"].cum_sum() / max(ordered["n"].sum(), 1)
    knots = []
    for share in _SHARES:
        place = int((upto < share).sum())
        place = min(place, ordered.height - 1)
        before = upto[place - 1] if place else 0.0
        low, high = ordered["low"][place], ordered["high"][place]
        within = (share - before) / max(upto[place] - before, 1e-300)
        knots.append(low + (high - low) * min(max(within, 0.0), 1.0))
    # A value that many rows have gets its own range.
    alone = ordered.filter((pl.col("low") == pl.col("high")) & (pl.col("n") >= ALONE * int(ordered["n"].sum())))["low"]
    below = [nextafter(value, -inf) for value in alone]
    return sorted({float(value) for value in (*knots, *alone, *below, ordered["low"][0], ordered["high"][-1])})


def _code(value: Any, knots: Sequence[float]) -> Any:
    """Return the range of each value as a number that rises with the value."""
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


def quantiles(table: OpenTable, value: Any, levels: pl.DataFrame, shares: Sequence[float]) -> list[float]:
    """Return the quantiles at shares, interpolated between the two nearest values (Hyndman and Fan's type 7).

    `levels` has `low`, `high` and `n` of the values of each level, in rising order. The engine is asked only for the
    ranks that these leave undecided.
    """
    n = int(levels["n"].sum())
    places = [share * (n - 1) for share in shares]
    ranks = sorted({rank for place in places for rank in (floor(place), ceil(place))})
    scores = _exact(table, value, levels, ranks)
    values = []
    for place in places:
        low, high = scores[floor(place)], scores[ceil(place)]
        values.append(low + (high - low) * (place - floor(place)) if low < high else low)
    return values


def _exact(table: OpenTable, value: Any, levels: pl.DataFrame, ranks: Sequence[int]) -> dict[int, float]:
    scores: dict[int, float] = {}
    upto = np.cumsum(levels["n"].to_numpy())
    for rank in ranks:
        place = int(np.searchsorted(upto, rank, side="right"))
        low, high = levels["low"][place], levels["high"][place]
        if low == high or rank == upto[place] - levels["n"][place]:
            scores[rank] = low
        elif rank == upto[place] - 1:
            scores[rank] = high
    known = Spread(n=int(upto[-1]), lowest=levels["low"][0], highest=levels["high"][-1])
    unknown = [rank for rank in ranks if rank not in scores]
    return scores | (order_statistics(table, table.expr.select(score=value), known, unknown) if unknown else {})


def sums_by_level(table: OpenTable, code: Any, other: ParsedColumn) -> pl.DataFrame:
    """Return `n`, `total` and `squares` (sums) of another column by level, in rising order."""
    rows = table.expr.select(at=code, value=other.value)
    filled = rows.filter(rows.at.notnull() & rows.value.notnull())
    sums = filled.group_by("at").aggregate(
        n=filled.count(), total=filled.value.sum(), squares=(filled.value * filled.value).sum()
    )
    return table.fetch(sums).sort("at")


#: The first rows, by which a column's kind is inferred; a column whose later rows differ is parsed again as text.
HEAD: Final = 10_000
#: The quantiles in Figure 6 of Eightfold's paper.
SHARES: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
#: The most combinations of groups by which a feature is counted in one query.
MOST_COMBINATIONS: Final = 300
#: Texts in fewer rows may identify a person and are not shown.
FEWEST_DISCLOSED: Final = 5


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The number of rows and the parsed columns; `left_out` has the reason for each column that is not parsed."""

    rows: int
    head: pl.DataFrame
    readings: Mapping[str, ParsedColumn]
    left_out: Mapping[str, str]


def columns_of(table: OpenTable) -> Columns:
    """Return each column as parsed by its first rows."""
    usable, left_out = [], {}
    for name in table.expr.columns:
        kind = table.expr[name].type()
        if name in table.damaged:
            left_out[name] = table.damaged[name]
        elif kind.is_nested() or kind.is_binary() or kind.is_unknown():
            left_out[name] = f"it holds {kind}"
        else:
            usable.append(name)
    head = table.fetch(table.expr.select(*usable).limit(HEAD)) if usable else pl.DataFrame()
    parsed_columns = {name: parsed_column(checked_column(table, name, "the column"), head[name]) for name in usable}
    rows = table.fetch(table.expr.count().as_table())[0, 0]
    return Columns(rows=rows, head=head, readings=parsed_columns, left_out=left_out)


#: A part of a table that is stored has at most as many features, and as many cells of them.
MOST_STORED: Final = 50
MOST_STORED_CELLS: Final = 5_000_000


@dataclass(frozen=True, kw_only=True)
class Counting:
    """Features to count, by group, in a table or in a stored part of it."""

    table: OpenTable
    readings: Mapping[str, ParsedColumn]
    groups: Groups


def countings(whole: Counting, rows: int) -> Iterator[Counting]:
    """Yield the features in parts, each to be counted before the next one: a query of a wide table takes long.

    Parts hold the parsed columns and the keys. Tables of few columns or many rows, and those in a database server, are
    counted where they are.
    """
    names, width = list(whole.readings), min(MOST_STORED, MOST_STORED_CELLS // max(rows, 1))
    if width < 2 or len(names) <= MOST_STORED or not whole.table.can_store:
        yield whole
        return
    for start in range(0, len(names), width):
        readings = {name: whole.readings[name] for name in names[start : start + width]}
        columns = dict(whole.groups.keys)
        for place, parsed in enumerate(readings.values()):
            columns |= {f"value_{place}": parsed.value, f"filled_{place}": parsed.filled}
        part = whole.table.stored(columns)
        yield Counting(
            table=part,
            readings={
                name: replace(parsed, value=part.expr[f"value_{place}"], filled=part.expr[f"filled_{place}"])
                for place, (name, parsed) in enumerate(readings.items())
            },
            groups=replace(
                whole.groups,
                attributes=tuple(
                    replace(attribute, keys={key: part.expr[key] for key in attribute.keys})
                    for attribute in whole.groups.attributes
                ),
            ),
        )


def count_features(
    table: OpenTable, columns: Columns, names: Iterable[str], groups: Groups
) -> Iterator[tuple[FeatureCounts, ParsedColumn, Levels | None]]:
    """Yield each feature's distribution and counts by group, its parsed column, and its levels in the engine."""
    whole = Counting(table=table, readings={name: columns.readings[name] for name in names}, groups=groups)
    for part in countings(whole, columns.rows):
        for name in part.readings:
            feature, levels, unread = _count_feature(part, columns, name)
            parsed = whole.readings[name]
            if unread:
                parsed = _as_text(table, name, parsed, unread)
                again = replace(whole, readings={name: parsed})
                feature, levels, _ = _count_feature(again, columns, name)
            yield feature, parsed, levels


def _count_feature(counting: Counting, columns: Columns, name: str) -> tuple[FeatureCounts, Levels | None, int]:
    """Return a feature's counts, its levels, and how many of its cells are to be read as text."""
    table, parsed = counting.table, counting.readings[name]
    level_sets = [_levels(table, columns.head[name], parsed, keys) for keys in _sets_of_keys(counting.groups)]
    levels = level_sets[0]
    if levels is None:
        return _many(table, name, parsed, columns.rows), None, 0
    unread = int(levels.frame.filter(pl.col("at").is_null() & pl.col("filled"))["n"].sum())
    if unread and (parsed.kind not in {"text", "number"} or columns.head[name].dtype == pl.String):
        return FeatureCounts(row=FeatureRow(feature=name, kind="", n=0, missing=columns.rows)), None, unread
    if unread and parsed.kind == "number":
        counted_as = "infinite value counts" if unread == 1 else "infinite values count"
        parsed = replace(parsed, note=f"{unread:,} {counted_as} as missing")
    empty = FeatureRow(feature=name, kind="", n=0, missing=columns.rows)
    return _counts(table, empty, parsed, level_sets, counting.groups), levels, 0


def _as_text(table: OpenTable, name: str, parsed: ParsedColumn, unread: int) -> ParsedColumn:
    """Return a column as text, where some of its cells differ in kind from the first ones."""
    column = table.expr[name]
    filled = column.notnull() & (column.strip() != "")
    kind_name = {"number": "numbers", "money": "money", "date": "dates", "yes/no": "yes or no"}[parsed.kind]
    note = f"{unread:,} {'cell is' if unread == 1 else 'cells are'} no {kind_name}, so it is read as text"
    value = ibis.ifelse(filled, column.strip(), ibis.null("string"))
    return ParsedColumn(kind="text", value=value, filled=filled, many=parsed.many, note=note)


def _sets_of_keys(groups: Groups) -> list[dict[str, Any]]:
    """Return the sets of keys, one per query: all of them, or those of each attribute."""
    if groups.sizes.height <= MOST_COMBINATIONS:
        return [groups.keys]
    return [dict(attribute.keys) for attribute in groups.attributes]


def _levels(table: OpenTable, head: pl.Series, parsed: ParsedColumn, keys: dict[str, Any]) -> Levels | None:
    levels = by_value(table, parsed, keys)
    if levels is not None or not parsed.numeric:
        return levels
    first = table.fetch(table.expr.select(value=parsed.value).limit(len(head)))["value"].drop_nulls()
    counts = first.value_counts().rename({"value": "low", "count": "n"})
    return by_range(table, parsed, keys, knots_of(counts.with_columns(high="low")))


def _counts(
    table: OpenTable, row: FeatureRow, parsed: ParsedColumn, level_sets: Sequence[Levels | None], groups: Groups
) -> FeatureCounts:
    """Return the counts of a feature; `row` has its name, and all rows as `missing`."""
    first = level_sets[0]
    assert first is not None
    filled = first.frame.filter(pl.col("at").is_not_null())
    sums = [pl.col("n").sum()]
    if parsed.numeric:
        sums += [pl.col("low").min(), pl.col("high").max(), pl.col("total").sum(), pl.col("squares").sum()]
    levels = filled.group_by("at").agg(sums).sort("at")
    n = int(levels["n"].sum())
    row = replace(row, kind=_kind(parsed, levels.height, n), n=n, missing=row.missing - n, note=parsed.note)
    if first.few:
        row = _with_values(row, levels, parsed)
    if parsed.numeric and levels.height:
        row = _with_distribution(row, table, parsed, first, levels)
        row = row if row.told_apart else replace(row, distinct=None, most_frequent=None, most_frequent_n=None)
    by: dict[str, Crossed] = {}
    for attribute in groups.attributes:
        crossed_levels = next(
            part for part in level_sets if part is not None and set(attribute.keys) <= set(part.frame.columns)
        )
        by[attribute.name] = _crossed(crossed_levels, levels, attribute, groups, missing_too=not parsed.numeric)
    return FeatureCounts(
        row=row,
        levels=tuple(levels["at"].to_list()) if first.few else None,
        ends=tuple(levels.select("low", "high").iter_rows()) if parsed.numeric else (),
        by=by,
        totals=levels["n"].to_numpy(),
    )


def _kind(parsed: ParsedColumn, values: int, n: int) -> str:
    """Return the kind of a feature; texts that are mostly unique are no categories."""
    return "category" if parsed.kind == "text" and 2 * values <= n else parsed.kind


def _with_values(row: FeatureRow, levels: pl.DataFrame, parsed: ParsedColumn) -> FeatureRow:
    if not levels.height:
        return replace(row, kind="empty", distinct=0)
    top = levels.sort(["n", "at"], descending=[True, False])
    value = top["at"][0]
    names = {1.0: "yes", 0.0: "no"} if parsed.kind == "yes/no" else {}
    hidden = not parsed.numeric and top["n"][0] < FEWEST_DISCLOSED and levels.height > 1
    return replace(
        row,
        distinct=levels.height,
        most_frequent=None if hidden else names.get(value) or text_of(value),
        most_frequent_n=int(top["n"][0]),
    )


def _with_distribution(
    row: FeatureRow, table: OpenTable, parsed: ParsedColumn, counted: Levels, levels: pl.DataFrame
) -> FeatureRow:
    n = row.n
    away = float(levels["total"].sum()) / n
    spread = float(levels["squares"].sum()) - n * away * away
    p10, p30, p50, p70, p90 = quantiles(table, parsed.value, levels, SHARES)
    low, high = levels.select(pl.col("low").min(), pl.col("high").max()).row(0)
    zeros = levels.filter((pl.col("low") <= 0) & (pl.col("high") >= 0))
    zero = int(zeros["n"].sum()) if zeros.filter(pl.col("low") < pl.col("high")).is_empty() else _zeros(table, parsed)
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


def _zeros(table: OpenTable, parsed: ParsedColumn) -> int:
    rows = table.expr.select(value=parsed.value)
    return int(table.fetch(rows.filter(rows.value == 0).count().as_table())[0, 0])


def _crossed(
    crossed_levels: Levels, levels: pl.DataFrame, attribute: Any, groups: Groups, *, missing_too: bool
) -> Crossed:
    """Return the counts by level and group; for categories, missing cells are the last level."""
    names = groups.names(attribute)
    places = {name: place for place, name in enumerate(names)}
    rows = crossed_levels.frame if missing_too else crossed_levels.frame.filter(pl.col("at").is_not_null())
    rows = rows.group_by(["at", *attribute.keys]).agg(pl.col("n").sum())
    at = {value: place for place, value in enumerate(levels["at"].to_list())}
    counts = np.zeros((levels.height + missing_too, len(names)), dtype=np.int64)
    for value, group, n in zip(rows["at"].to_list(), groups.group(attribute, rows), rows["n"].to_list(), strict=True):
        if group is not None:
            counts[at.get(value, levels.height), places[group]] += n
    return Crossed(groups=names, counts=counts)


def _many(table: OpenTable, name: str, parsed: ParsedColumn, rows: int) -> FeatureCounts:
    """Return the summary of a column with many texts: how many there are, and the most frequent one."""
    filled = table.expr.select(value=parsed.value).filter(parsed.value.notnull())
    counts = filled.group_by("value").aggregate(n=filled.count())
    top = table.fetch(counts.order_by([ibis.desc("n"), "value"]).limit(1))
    sums = table.fetch(counts.aggregate(n=counts.n.sum(), distinct=counts.count()))
    n = int(sums["n"][0] or 0)
    disclosed = bool(top.height) and int(top["n"][0]) >= FEWEST_DISCLOSED
    row = FeatureRow(
        feature=name,
        kind="text",
        n=n,
        missing=rows - n,
        distinct=int(sums["distinct"][0]),
        most_frequent=top["value"][0] if disclosed else None,
        most_frequent_n=int(top["n"][0]) if top.height else None,
        note=parsed.note,
    )
    return FeatureCounts(row=row)
