"""A table of features as counts: all that is asked of the engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.lookup import checked_column
from evenhand.hiring.features.levels import Levels
from evenhand.hiring.features.pairs import same_columns
from evenhand.hiring.features.profile import Columns, columns_of, count_feature
from evenhand.hiring.features.protected import MOST_CLASSES, Groups, groups_of
from evenhand.hiring.features.readings import Reading
from evenhand.hiring.features.relations import sums_by_level
from evenhand.hiring.features.sample import drawn
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.audit.features.block import Setting
from evenhand.tables.audit.features.counts import FeatureCounts
from evenhand.tables.messages.quoting import listed, shortened

__all__ = ["CountedFeatures", "FeatureQuery", "Sample", "count_features", "feature_names"]


@dataclass(frozen=True, kw_only=True)
class FeatureQuery:
    """What is asked of a table of features; names of columns as typed.

    `vetted` are columns that a file expects something of, protected ones among them; `relations` are pairs of a
    feature and a column that rises with it.
    """

    groups: ApplicantQuery
    label: str | None = None
    without: tuple[str, ...] = ()
    vetted: tuple[str, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class CountedFeatures:
    """Each feature's counts; the columns that are equal; the groups of each attribute, and how they were read.

    `label` is that of few values. `sizes` has the people of each group.
    """

    rows: int
    features: tuple[FeatureCounts, ...]
    same: Mapping[str, tuple[str, ...]]
    relations: Mapping[tuple[str, str], pl.DataFrame]
    attributes: tuple[Setting, ...]
    sizes: Mapping[str, Mapping[str, int]]
    label: str | None
    left_out: Mapping[str, str]
    readings: Mapping[str, Reading]
    groups: Groups
    rows_compared: int | None = None
    notes: tuple[str, ...] = field(default=())

    def sample(self, table: OpenTable, names: Sequence[str], *, most: int, seed: int) -> "Sample":
        """Return about `most` rows of these features."""
        columns: dict[str, Any] = {f"feature_{place}": self.readings[name].value for place, name in enumerate(names)}
        found = drawn(table, {**columns, **self.groups.keys}, rows=self.rows, most=most, seed=seed)
        return Sample(
            features=found.select(pl.col(f"feature_{place}").alias(name) for place, name in enumerate(names)),
            groups={each.name: self.groups.group(each, found) for each in self.groups.attributes},
        )


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Rows of some features, and each row's group by attribute."""

    features: pl.DataFrame
    groups: Mapping[str, Sequence[str | None]]


def feature_names(table: OpenTable, query: FeatureQuery) -> list[str]:
    """Return the columns that are features: all but the protected ones, the label, and those left out.

    Raises
    ------
    InputError
        There is no such column, or no feature is left.

    """
    for name in query.without:
        checked_column(table, name, "--without")
    for name in query.groups.protected:
        checked_column(table, name, "--protected")
    if query.label is not None:
        checked_column(table, query.label, "--label")
    away = {*query.groups.protected, query.groups.age, query.label, *query.without} - set(query.vetted)
    names = [name for name in table.expr.columns if name not in away]
    if not names:
        raise InputError(f"No column of {table.name} is left as a feature. Columns: {listed(table.expr.columns)}.")
    return names


def count_features(table: OpenTable, query: FeatureQuery, reference: OpenTable | None = None) -> CountedFeatures:
    """Return all counts.

    Raises
    ------
    InputError
        A column does not exist or can't be used.
    ServiceError
        The engine failed.

    """
    columns = columns_of(table)
    groups = groups_of(table, query.groups, query.label, readings=columns.readings)
    names = [name for name in feature_names(table, query) if name in columns.readings]
    before = None if reference is None else columns_of(reference)
    counted, readings, relations = [], dict(columns.readings), {}
    missing: list[str] = []
    for name in names:
        feature, reading, levels = count_feature(table, columns, name, groups)
        readings[name] = reading
        if before is not None and reference is not None and levels is not None:
            if name in before.readings:
                feature = _beside(reference, before, name, feature, levels)
            else:
                missing.append(name)
        if levels is not None and reading.numeric:
            for other in (other for own, other in query.relations if own == name):
                if readings[other].numeric:
                    code = levels.code(reading.value)
                    relations[name, other] = sums_by_level(table, code, readings[other])
        counted.append(feature)
    others = [name for name in (*query.groups.protected, query.label) if name is not None and name not in names]
    bare = Groups(attributes=(), labels={}, sizes=pl.DataFrame(), told={})
    beside = [count_feature(table, columns, name, bare)[0].row for name in others if name in columns.readings]
    notes = [f"{name} is left out: {why}." for name, why in columns.left_out.items()]
    if missing:
        notes.append(f"The reference table lacks {listed(missing)}; no drift is told of them.")
    if groups.label is not None and len(_sizes(groups)[groups.label]) < 2:
        notes.append(f"{shortened(groups.label)} does not hold two values, so no feature can tell it.")
    if query.label is not None and groups.label is None:
        notes.append(
            f"{shortened(query.label)} holds more than {MOST_CLASSES} values, so whether a feature tells it, and "
            "may be made of it, was not looked at."
        )
    return CountedFeatures(
        rows=columns.rows,
        features=tuple(counted),
        same=same_columns(table, [*(each.row for each in counted), *beside], readings),
        relations=relations,
        attributes=_settings(groups),
        sizes=_sizes(groups),
        label=groups.label,
        left_out=columns.left_out,
        readings=readings,
        groups=groups,
        rows_compared=None if before is None else before.rows,
        notes=tuple(notes),
    )


def _settings(groups: Groups) -> tuple[Setting, ...]:
    found = []
    for each in groups.attributes:
        if each.name == groups.label:
            continue
        rows = groups.sizes.with_columns(group=pl.Series(groups.group(each, groups.sizes), dtype=pl.String))
        unknown = int(rows.filter(pl.col("group").is_null())["n"].sum())
        found.append(Setting(attribute=each.name, told=groups.told.get(each.name, ""), unknown=unknown))
    return tuple(found)


def _sizes(groups: Groups) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for each in groups.attributes:
        sizes = dict.fromkeys(groups.names(each), 0)
        for group, n in zip(groups.group(each, groups.sizes), groups.sizes["n"].to_list(), strict=True):
            if group is not None:
                sizes[group] += n
        found[each.name] = sizes
    return found


def _beside(reference: OpenTable, columns: Columns, name: str, feature: FeatureCounts, levels: Levels) -> FeatureCounts:
    """Return a feature with the counts of the reference table at its levels; categories new there come last."""
    reading = columns.readings[name]
    if reading.numeric != feature.row.numeric or feature.totals is None:
        return feature
    rows = reference.expr.select(at=levels.code(reading.value))
    held = rows.filter(rows.at.notnull())
    counts = dict(reference.fetch(held.group_by("at").aggregate(n=held.count())).iter_rows())
    own = levels.frame.filter(pl.col("at").is_not_null())["at"].unique().sort().to_list()
    at = [*own, *sorted(set(counts) - set(own))]
    if feature.row.numeric:
        at = sorted(at)
    now = dict(zip(own, feature.totals.tolist(), strict=True))
    return replace(
        feature,
        compared=np.array([now.get(each, 0) for each in at], dtype=np.int64),
        reference=np.array([counts.get(each, 0) for each in at], dtype=np.int64),
    )
