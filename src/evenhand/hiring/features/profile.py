"""A table column by column: the distribution of each feature, and its counts by protected group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final

import ibis
import numpy as np
import polars as pl

from evenhand.hiring.columns.folding import text_of
from evenhand.hiring.columns.lookup import checked_column
from evenhand.hiring.features.levels import Levels, by_range, by_value, first_knots
from evenhand.hiring.features.protected import Groups
from evenhand.hiring.features.ranks import quantiles
from evenhand.hiring.features.readings import Reading, reading_of
from evenhand.intake.tables import OpenTable
from evenhand.tables.audit.features.block import FeatureRow
from evenhand.tables.audit.features.counts import Crossed, FeatureCounts

__all__ = ["SHARES", "Columns", "columns_of", "count_feature"]

#: The first rows: what columns hold is judged by them, and told wrong where later rows differ.
HEAD: Final = 10_000
#: The quantiles of Eightfold's Figure 6.
SHARES: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
#: Combinations of groups by which a feature is counted at once.
MOST_COMBINATIONS: Final = 300
#: Texts that fewer rows have may tell who somebody is, and are not shown.
FEWEST_SHOWN: Final = 5


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The number of rows, and how each column is read; `left_out` says why a column is not."""

    rows: int
    head: pl.DataFrame
    readings: Mapping[str, Reading]
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
    readings = {name: reading_of(checked_column(table, name, "--columns"), head[name]) for name in held}
    rows = table.fetch(table.expr.count().as_table())[0, 0]
    return Columns(rows=rows, head=head, readings=readings, left_out=left_out)


def count_feature(
    table: OpenTable, columns: Columns, name: str, groups: Groups
) -> tuple[FeatureCounts, Reading, Levels | None]:
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


def _as_text(table: OpenTable, name: str, reading: Reading, unread: int) -> Reading:
    """Return a column as text: some of its cells are not what the first ones are."""
    column = table.expr[name]
    filled = column.notnull() & (column.strip() != "")
    what = {"number": "numbers", "money": "money", "date": "dates", "yes/no": "yes or no"}[reading.kind]
    note = f"{unread:,} {'cell is' if unread == 1 else 'cells are'} no {what}, so it is read as text"
    value = ibis.ifelse(filled, column.strip(), ibis.null("string"))
    return Reading(kind="text", value=value, filled=filled, many=reading.many, note=note)


def _sets_of_keys(groups: Groups) -> list[dict[str, Any]]:
    """Return the keys that a feature is counted by at once: all, or those of one attribute after the other."""
    if groups.sizes.height <= MOST_COMBINATIONS:
        return [groups.keys]
    return [dict(each.keys) for each in groups.attributes]


def _levels(table: OpenTable, head: pl.Series, reading: Reading, keys: dict[str, Any]) -> Levels | None:
    levels = by_value(table, reading, keys)
    if levels is not None or not reading.numeric:
        return levels
    first = table.fetch(table.expr.select(value=reading.value).limit(len(head)))["value"].drop_nulls()
    counts = first.value_counts().rename({"value": "low", "count": "n"})
    return by_range(table, reading, keys, first_knots(counts.with_columns(high="low")))


def _counts(
    table: OpenTable, row: FeatureRow, reading: Reading, found: Sequence[Levels | None], groups: Groups
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


def _kind(reading: Reading, values: int, n: int) -> str:
    """Return what a feature is; texts of which most rows have one of their own are no categories."""
    return "category" if reading.kind == "text" and 2 * values <= n else reading.kind


def _with_values(row: FeatureRow, levels: pl.DataFrame, reading: Reading) -> FeatureRow:
    if not levels.height:
        return replace(row, kind="empty", distinct=0)
    top = levels.sort(["n", "at"], descending=[True, False])
    value = top["at"][0]
    names = {1.0: "yes", 0.0: "no"} if reading.kind == "yes/no" else {}
    hidden = not reading.numeric and top["n"][0] < FEWEST_SHOWN and levels.height > 1
    return replace(
        row,
        distinct=levels.height,
        most_frequent=None if hidden else names.get(value) or text_of(value),
        most_frequent_n=int(top["n"][0]),
    )


def _with_distribution(
    row: FeatureRow, table: OpenTable, reading: Reading, counted: Levels, levels: pl.DataFrame
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


def _zeros(table: OpenTable, reading: Reading) -> int:
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


def _many(table: OpenTable, name: str, reading: Reading, rows: int) -> FeatureCounts:
    """Return what is told of a column of many texts: how many there are, and the most frequent one."""
    held = table.expr.select(value=reading.value).filter(reading.value.notnull())
    counts = held.group_by("value").aggregate(n=held.count())
    top = table.fetch(counts.order_by([ibis.desc("n"), "value"]).limit(1))
    sums = table.fetch(counts.aggregate(n=counts.n.sum(), distinct=counts.count()))
    n = int(sums["n"][0] or 0)
    shown = bool(top.height) and int(top["n"][0]) >= FEWEST_SHOWN
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
