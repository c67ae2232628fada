"""A feature table as counts: each feature by group, equal columns, samples, and a reference table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import ibis
import numpy as np
import polars as pl

from evenhand.data import feature_columns
from evenhand.data.applicant_query import ApplicantQuery, label_notes
from evenhand.data.open_table import OpenTable, checked_column
from evenhand.errors import InputError
from evenhand.results.feature_audit import FeatureCounts, FeatureRow, Setting
from evenhand.results.messages import listed, shortened

_DIGITS: Final = 12


def identical_columns(
    table: OpenTable, rows: Iterable[FeatureRow], parsed_columns: Mapping[str, feature_columns.ParsedColumn]
) -> dict[str, tuple[str, ...]]:
    """Return for each column the columns that equal it in every row, missing cells included.

    Columns with the same distribution are compared row by row in the engine; others can't be equal.
    """
    candidates: dict[Any, list[FeatureRow]] = {}
    for row in rows:
        if row.n and row.told_apart:
            candidates.setdefault(_summary(row), []).append(row)
    pairs = [
        (first.feature, second.feature)
        for together in candidates.values()
        for place, first in enumerate(together)
        for second in together[place + 1 :]
    ]
    equal: dict[str, list[str]] = {}
    for part in (pairs[start : start + 50] for start in range(0, len(pairs), 50)):
        sums = {
            f"pair_{place}": _differ(parsed_columns[first].value, parsed_columns[second].value).sum()
            for place, (first, second) in enumerate(part)
        }
        differing = table.fetch(table.expr.aggregate(**sums)).row(0)
        for (first, second), n in zip(part, differing, strict=True):
            if not n:
                equal.setdefault(first, []).append(second)
                equal.setdefault(second, []).append(first)
    return {name: tuple(equal_names) for name, equal_names in equal.items()}


def _summary(row: FeatureRow) -> tuple[Any, ...]:
    """Return the statistics in which equal columns agree, rounded as sums may differ in their last digits."""
    if row.numeric:
        numbers = (row.p10, row.p30, row.p50, row.p70, row.p90, row.min, row.max, row.nonzero)
        return (True, row.n, row.missing, *(None if value is None else f"{value:.{_DIGITS}g}" for value in numbers))
    return (False, row.n, row.missing, row.distinct, row.most_frequent, row.most_frequent_n)


def _differ(first: Any, second: Any) -> Any:
    equal = (first == second).fill_null(first.isnull() & second.isnull())
    return ibis.ifelse(equal, 0, 1)


#: A prime below 2**31, so that products fit into 64 bits.
_PRIME: Final = 2_147_483_629
_STEP: Final = 48_271
#: The share of the requested rows drawn on average, so that hardly ever more are drawn.
_SAFE: Final = 0.98


def sampled_rows(table: OpenTable, columns: dict[str, Any], *, rows: int, most: int, seed: int) -> pl.DataFrame:
    """Return columns of a random sample of about `most` rows, never more; all rows where there are no more.

    Each row's number is hashed with the seed; rows with low hashes are drawn. The sample is the same each time, as long
    as the table keeps its order.
    """
    if rows <= most:
        return table.fetch(table.expr.select(**columns))
    numbered = table.expr.select(**columns, row=ibis.row_number().cast("int64"))
    mixed = (numbered.row * _STEP + seed % _PRIME) % _PRIME
    for _ in range(2):
        mixed = (mixed * mixed + _STEP) % _PRIME
    low = numbered.filter(mixed < int(_PRIME * _SAFE * most / rows))
    return table.fetch(low.drop("row").limit(most))


@dataclass(frozen=True, kw_only=True)
class FeatureQuery:
    """The query of a table of features; column names as typed.

    `vetted` are columns with expectations in a file, protected ones among them; `relations` are pairs of a feature and
    a column expected to rise with it.
    """

    groups: ApplicantQuery
    label: str | None = None
    without: tuple[str, ...] = ()
    vetted: tuple[str, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class CountedFeatures:
    """The counts of each feature, equal columns (`same`), and the groups of each attribute with their `sizes`.

    `label` is the label's column where it has few values.
    """

    rows: int
    features: tuple[FeatureCounts, ...]
    same: Mapping[str, tuple[str, ...]]
    relations: Mapping[tuple[str, str], pl.DataFrame]
    attributes: tuple[Setting, ...]
    sizes: Mapping[str, Mapping[str, int]]
    label: str | None
    left_out: Mapping[str, str]
    readings: Mapping[str, feature_columns.ParsedColumn]
    groups: feature_columns.Groups
    rows_compared: int | None = None
    notes: tuple[str, ...] = field(default=())

    def sample(self, table: OpenTable, names: Sequence[str], *, most: int, seed: int) -> "Sample":
        """Return a sample of about `most` rows of these features."""
        columns: dict[str, Any] = {f"feature_{place}": self.readings[name].value for place, name in enumerate(names)}
        drawn = sampled_rows(table, {**columns, **self.groups.keys}, rows=self.rows, most=most, seed=seed)
        return Sample(
            features=drawn.select(pl.col(f"feature_{place}").alias(name) for place, name in enumerate(names)),
            groups={attribute.name: self.groups.group(attribute, drawn) for attribute in self.groups.attributes},
        )


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Sampled rows of features, and each row's group by attribute."""

    features: pl.DataFrame
    groups: Mapping[str, Sequence[str | None]]


def feature_names(table: OpenTable, query: FeatureQuery) -> list[str]:
    """Return the columns that are features: all but the protected ones, the label, and those of --without.

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
        raise InputError(f"{table.name} has no columns left as features. Columns: {listed(table.expr.columns)}.")
    return names


def count_features(table: OpenTable, query: FeatureQuery, reference: OpenTable | None = None) -> CountedFeatures:
    """Return the counts of all features by group, compared with a reference table where there is one.

    Raises
    ------
    InputError
        A column does not exist or can't be used.
    ServiceError
        The engine failed.

    """
    columns = feature_columns.columns_of(table)
    groups = feature_columns.groups_of(table, query.groups, query.label, parsed_columns=columns.readings)
    names = [name for name in feature_names(table, query) if name in columns.readings]
    before = None if reference is None else feature_columns.columns_of(reference)
    counted, parsed_columns, relations = [], dict(columns.readings), {}
    missing: list[str] = []
    for first, parsed, levels in feature_columns.count_features(table, columns, names, groups):
        feature, name = first, first.row.feature
        parsed_columns[name] = parsed
        if before is not None and reference is not None and levels is not None:
            if name in before.readings:
                feature = _with_reference_counts(reference, before, name, feature, levels)
            else:
                missing.append(name)
        if levels is not None and parsed.numeric:
            for related in (related for feature_name, related in query.relations if feature_name == name):
                if parsed_columns[related].numeric:
                    code = levels.code(parsed.value)
                    relations[name, related] = feature_columns.sums_by_level(table, code, parsed_columns[related])
        counted.append(feature)
    remaining = [name for name in (*query.groups.protected, query.label) if name is not None and name not in names]
    bare = feature_columns.Groups(attributes=(), labels={}, sizes=pl.DataFrame(), told={})
    additional = [
        feature.row
        for feature, _, _ in feature_columns.count_features(
            table, columns, [name for name in remaining if name in columns.readings], bare
        )
    ]
    notes = [f"{name} is left out: {reason}." for name, reason in columns.left_out.items()]
    notes += label_notes({name: of for name, of in groups.labels.items() if name != groups.label})
    if missing:
        notes.append(f"The reference table lacks {listed(missing)}; their drift is not measured.")
    if groups.label is not None and len(_sizes(groups)[groups.label]) < 2:
        notes.append(f"{shortened(groups.label)} does not hold two values, so no feature can predict it.")
    if query.label is not None and groups.label is None:
        notes.append(
            f"{shortened(query.label)} holds more than {feature_columns.MOST_CLASSES} values, so whether a "
            f"feature tells it, and "
            "may be made of it, was not looked at."
        )
    return CountedFeatures(
        rows=columns.rows,
        features=tuple(counted),
        same=identical_columns(table, [*(feature.row for feature in counted), *additional], parsed_columns),
        relations=relations,
        attributes=_settings(groups),
        sizes=_sizes(groups),
        label=groups.label,
        left_out=columns.left_out,
        readings=parsed_columns,
        groups=groups,
        rows_compared=None if before is None else before.rows,
        notes=tuple(notes),
    )


def _settings(groups: feature_columns.Groups) -> tuple[Setting, ...]:
    settings = []
    for attribute in groups.attributes:
        if attribute.name == groups.label:
            continue
        rows = groups.sizes.with_columns(group=pl.Series(groups.group(attribute, groups.sizes), dtype=pl.String))
        unknown = int(rows.filter(pl.col("group").is_null())["n"].sum())
        settings.append(Setting(attribute=attribute.name, told=groups.told.get(attribute.name, ""), unknown=unknown))
    return tuple(settings)


def _sizes(groups: feature_columns.Groups) -> dict[str, dict[str, int]]:
    attribute_sizes: dict[str, dict[str, int]] = {}
    for attribute in groups.attributes:
        sizes = dict.fromkeys(groups.names(attribute), 0)
        for group, n in zip(groups.group(attribute, groups.sizes), groups.sizes["n"].to_list(), strict=True):
            if group is not None:
                sizes[group] += n
        attribute_sizes[attribute.name] = sizes
    return attribute_sizes


def _with_reference_counts(
    reference: OpenTable,
    columns: feature_columns.Columns,
    name: str,
    feature: FeatureCounts,
    levels: feature_columns.Levels,
) -> FeatureCounts:
    """Return a feature with the counts of the reference table at its levels; new categories come last."""
    parsed = columns.readings[name]
    if parsed.numeric != feature.row.numeric or feature.totals is None:
        return feature
    rows = reference.expr.select(at=levels.code(parsed.value))
    filled = rows.filter(rows.at.notnull())
    counts = dict(reference.fetch(filled.group_by("at").aggregate(n=filled.count())).iter_rows())
    known_levels = levels.frame.filter(pl.col("at").is_not_null())["at"].unique().sort().to_list()
    at = [*known_levels, *sorted(set(counts) - set(known_levels))]
    if feature.row.numeric:
        at = sorted(at)
    now = dict(zip(known_levels, feature.totals.tolist(), strict=True))
    return replace(
        feature,
        compared=np.array([now.get(value, 0) for value in at], dtype=np.int64),
        reference=np.array([counts.get(value, 0) for value in at], dtype=np.int64),
    )
