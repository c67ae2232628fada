"""The audit block of a feature table, the counts of its features, and the details of its findings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.results.audit import Header
from evenhand.results.finding import Details

#: Kinds of columns that have an order and a place in the table of distributions.
NUMERIC: Final = frozenset({"number", "money", "date", "yes/no"})


@dataclass(frozen=True, kw_only=True)
class FeatureRow:
    """A column of the table, as Figure 6 of Eightfold's paper has it; dates are days since 1970-01-01.

    `n` counts the cells that hold something, `nonzero` is a share of them. `distinct` is None where there are too many
    values to count for a number.
    """

    feature: str
    kind: str
    n: int
    missing: int
    p10: float | None = None
    p30: float | None = None
    p50: float | None = None
    p70: float | None = None
    p90: float | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    stddev: float | None = None
    nonzero: float | None = None
    distinct: int | None = None
    most_frequent: str | None = None
    most_frequent_n: int | None = None
    note: str = ""

    @property
    def numeric(self) -> bool:
        """Say whether its values have an order."""
        return self.kind in NUMERIC

    @property
    def told_apart(self) -> bool:
        """Say whether doubles tell its values apart: not whole numbers from 2**53 on, such as ids."""
        return max(abs(self.min or 0.0), abs(self.max or 0.0)) < 2**53


@dataclass(frozen=True, kw_only=True)
class FreeText:
    """A column of text that was scanned as `mask` does: cells in which each category was found, and any (`touched`)."""

    feature: str
    cells: int
    found: Mapping[str, int] = field(default_factory=dict)
    touched: int = 0


@dataclass(frozen=True, kw_only=True)
class JointModel:
    """How all features together were held against an attribute, or why they were not."""

    rows: int = 0
    of: int = 0
    features: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    folds: int = 0
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How a protected attribute was read: its column, and where it was split."""

    attribute: str
    told: str = ""
    unknown: int = 0


@dataclass(frozen=True, kw_only=True)
class FeaturesAudit(Header):
    """The facts of a table of features, besides the findings."""

    kind: str = "features"
    title: str = "Features"
    source: str = ""
    rows: int = 0
    features: tuple[FeatureRow, ...] = ()
    attributes: tuple[Setting, ...] = ()
    label: str | None = None
    compared_with: str | None = None
    rows_compared: int | None = None
    free_text: tuple[FreeText, ...] = ()
    joint: JointModel = field(default_factory=JointModel)
    expectations: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Crossed:
    """Rows by the feature's level, in rising order where it has one, and by group: `counts[level, group]`."""

    groups: tuple[str, ...]
    counts: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class FeatureCounts:
    """A feature's distribution, and its counts by each attribute.

    `levels` are its values, or None where a level is a range of values; `ends` holds the least and the largest value
    of each level of a numeric feature. `by` is empty where the feature has too many values of text. Beside another
    table, `compared` and `reference` count the rows of both at the levels of either.
    """

    row: FeatureRow
    levels: tuple[Any, ...] | None = None
    ends: tuple[tuple[float, float], ...] = ()
    by: Mapping[str, Crossed] = field(default_factory=dict)
    totals: NDArray[np.int64] | None = None
    compared: NDArray[np.int64] | None = None
    reference: NDArray[np.int64] | None = None


#: A relation is not shown where none was detected in either direction.
ExpectationResult = Literal["meets", "violates", "not shown", "not checked"]


@dataclass(frozen=True, kw_only=True)
class Proxy(Details):
    """Of how well a feature tells a group: which end of it does, and how many people there are in and out of the group.

    `direction` is higher or lower, of features without an order empty; `largest` says that no other group of the
    attribute is told better.
    """

    direction: str | None = None
    n_group: int | None = None
    n_rest: int | None = None
    groups: int | None = None
    largest: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Expected(Details):
    """Of an expectation: what was expected and seen, whether that meets it, and whether the user stated it."""

    expected: str | None = None
    observed: str | None = None
    judged: ExpectationResult | None = None
    why: str | None = None
    stated: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Represented(Details):
    """Of a group's share: how many people, the share that it should have, and the exact test of that."""

    people: int | None = None
    stated_share: float | None = None
    p_exact: float | None = None


@dataclass(frozen=True, kw_only=True)
class Drifted(Details):
    """Of a distribution beside that of another table: the index with its bias, and what chance alone stays below."""

    raw: float | None = None
    bias: float | None = None
    limit: float | None = None
    bins: int | None = None
    n_reference: int | None = None
    beyond_chance: bool | None = None
