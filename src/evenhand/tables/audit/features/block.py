"""The block of a table of features: each column, what masking would keep out, how proxies were looked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["NUMERIC", "FeatureRow", "FeaturesAudit", "FreeText", "JointModel", "Setting"]

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
        """Return whether its values have an order."""
        return self.kind in NUMERIC

    @property
    def told_apart(self) -> bool:
        """Return whether doubles tell its values apart: not whole numbers from 2**53 on, such as ids."""
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
class FeaturesAudit:
    """What the page of a table of features prints besides the findings."""

    kind: str = "features"
    title: str = "Features"
    question: str | None = None
    started: str | None = None
    finished: str | None = None
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
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    simulated: bool = False
    simulated_note: str | None = None
    reproduce: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """Return no model: a table is vetted."""
        return ""
