"""What sentences and charts need to know of the measures of a probe."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Bands", "Measured", "ReferenceValue", "Regression", "Wording"]


@dataclass(frozen=True, kw_only=True)
class Bands:
    """The mark bands of a measure: distances from the centre up to which A, B, C and D go."""

    centre: float
    edges: tuple[float, ...]
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReferenceValue:
    """The value that a known kind of model has by construction."""

    kind: str
    value: float | None = None


@dataclass(frozen=True, kw_only=True)
class Regression:
    """The measure whose slope is a finding, the context number that it goes along, and that number's axis."""

    measure: str | None = None
    against: str | None = None
    label: str | None = None


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How a measure is told: its name in a table, what it is about, and a sentence for either side of no difference.

    `{size}` stands for the distance from no difference with its unit, `{value}` for the estimate, `{null}` for no
    difference. `larger` says what an estimate above no difference means.
    """

    heading: str
    topic: str
    higher: str
    lower: str
    larger: str


# What a block must say, a property each.
# arid: disable
class Measured(Protocol):
    """A probe's block, or the entry of a probe in a suite's or a comparison's."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Return the names of measures."""

    @property
    def quantities(self) -> Mapping[str, str]:
        """Return what a contrast is a difference of."""

    @property
    def wordings(self) -> Mapping[str, Wording]:
        """Return how measures are told."""

    @property
    def success(self) -> str | None:
        """Return what a success is."""

    @property
    def subject(self) -> str:
        """Return whom a contrast compares."""

    @property
    def statuses(self) -> Mapping[str, int]:
        """Return how many answers have each status."""

    @property
    def bands(self) -> Mapping[str, Bands]:
        """Return the mark bands of measures."""

    @property
    def references(self) -> Mapping[str, tuple[ReferenceValue, ...]]:
        """Return the values of known kinds of model."""

    @property
    def headline(self) -> tuple[str, ...]:
        """Return the measures that come first."""

    @property
    def regression(self) -> Regression | None:
        """Return the regression, if there is one."""


# arid: enable
