"""The protected attributes and the label of a table of features, each row's group by a key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import floor
from typing import Any, Final

import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.attributes import Attribute, attributes_of
from evenhand.hiring.columns.categories import ADEA_AGE, OVER, UNDER
from evenhand.hiring.columns.folding import Labels
from evenhand.hiring.columns.lookup import checked_column
from evenhand.hiring.columns.unknown import unknown_labels
from evenhand.hiring.counting.order_statistics import median, spread
from evenhand.hiring.features.readings import Reading
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted

__all__ = ["MOST_CLASSES", "Groups", "groups_of"]

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
    readings: Mapping[str, Reading],
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


def _is_split(table: OpenTable, reading: Reading | None) -> bool:
    if reading is None or reading.kind not in {"number", "date"}:
        return False
    values = table.fetch(table.expr.select(value=reading.value).distinct().limit(MOST_CODES + 2), most=MOST_CODES + 2)
    return values.height > MOST_CODES


def _split(table: OpenTable, name: str, reading: Reading, key: str) -> tuple[Attribute, str]:
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


def _classes(table: OpenTable, label: str, readings: Mapping[str, Reading]) -> Attribute | None:
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
