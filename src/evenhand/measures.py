"""What can be declared: measures of outcomes, and the bands that turn them into marks.

A measure is data. A probe lists the measures of its card; `findings` executes them.
A slice adds its prefix to a name, so that
`diff_acceptance_rate` of the slice race = white becomes `race_white_diff_acceptance_rate`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

__all__ = ["Alias", "Contrast", "MarkBands", "Measure", "MeasureSet", "Statistic", "Summary"]

Statistic = Literal["rate", "slope", "intercept"]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One statistic of one group.

    `rate` is the unweighted mean of the units' success shares; `slope` and `intercept`
    are those of the least-squares line of the share on the context column `against`.
    """

    name: str
    statistic: Statistic
    group: Mapping[str, str]
    against: str | None = None
    unit: str = "share"


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """The difference of one statistic between two groups: focal − reference."""

    name: str
    statistic: Statistic
    focal: Mapping[str, str]
    reference: Mapping[str, str]
    against: str | None = None
    unit: str = "share"
    null_value: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Alias:
    """A second name of a measure that stands in the same list."""

    name: str
    of: str


Measure = Summary | Contrast | Alias


@dataclass(frozen=True, kw_only=True)
class MarkBands:
    """Marks A–D by the distance of a value from `centre`.

    `edges` are the largest distances that still get A, B, C and D.

    >>> bands = MarkBands(centre=0.0, edges=(0.05, 0.15, 0.5, 1.0))
    >>> bands.mark(-0.05), bands.mark(0.0501), bands.touched(-0.01, 0.2)
    ('A', 'B', ('A', 'B', 'C'))
    """

    centre: float
    edges: tuple[float, float, float, float]
    source: str = ""

    LETTERS: ClassVar[tuple[str, str, str, str]] = ("A", "B", "C", "D")

    def mark(self, value: float) -> str:
        """Return the mark of a point estimate; beyond the last edge it stays D."""
        distance = abs(value - self.centre)
        for letter, edge in zip(self.LETTERS, self.edges, strict=True):
            # 0.53 - 0.5 is a hair over 0.03 in binary; a relative slack of 1e-12 keeps the edge inside.
            if distance <= edge * (1 + 1e-12) + 1e-15:
                return letter
        return self.LETTERS[-1]

    def touched(self, low: float, high: float) -> tuple[str, ...]:
        """Return the marks that the interval [low, high] touches, best first."""
        nearest = 0.0 if low <= self.centre <= high else min(abs(low - self.centre), abs(high - self.centre))
        farthest = max(abs(low - self.centre), abs(high - self.centre))
        best = self.LETTERS.index(self.mark(self.centre + nearest))
        worst = self.LETTERS.index(self.mark(self.centre + farthest))
        return self.LETTERS[best : worst + 1]

    def __post_init__(self) -> None:
        """Refuse edges that do not grow."""
        if any(inner >= outer for inner, outer in pairwise(self.edges)):
            message = f"Mark edges must grow from A to D, got {self.edges}."
            raise ValueError(message)


@dataclass(frozen=True, kw_only=True)
class MeasureSet:
    """All that is measured of one table of outcomes.

    `rate` names the share of successes in the field's words. `measures` are taken of
    all rows and of each level of the columns `slices`;
    `headline` names those that answer the question, the rest describes. The
    combinations of the protected attributes `groups` are compared with each other.
    `clusters` are the crossed context columns that were sampled (names, occupations),
    the first of them the one that carries the protected attributes. `instruction` is
    the context column that tells paraphrases apart, `against` the regression's
    covariate. `bands` belong to measures by name. `order` lists the levels of a column
    in the order in which they are told; other levels follow by name.
    """

    rate: str
    measures: tuple[Measure, ...]
    headline: tuple[str, ...]
    slices: tuple[str, ...]
    groups: tuple[str, ...]
    clusters: tuple[str, ...]
    instruction: str | None
    against: str | None
    bands: Mapping[str, MarkBands]
    order: Mapping[str, tuple[str, ...]]
