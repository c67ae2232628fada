"""What became of each row of a table of applicants."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.written import left_out

__all__ = ["Accounting", "CountColumns", "Decisions", "Eeo1Label", "Folded", "LeftOut", "Scores", "StageOrder", "Units"]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Rows that a condition left out; of some of them a cell that it uses is empty."""

    expression: str
    rows_left_out: int
    of_these_empty: int = 0


@dataclass(frozen=True, kw_only=True)
class Units:
    """Rows that are one applicant, by the column --unit."""

    column: str
    by: tuple[str, ...] = ()
    rows: int = 0
    units: int = 0
    with_several_positions: int = 0
    counted: int = 0
    repeated_rows: int = 0
    conflicts: int = 0


@dataclass(frozen=True, kw_only=True)
class CountColumns:
    """Rows that are several people each, by a column of counts."""

    column: str
    selected_column: str | None = None
    rows: int = 0
    people: int = 0


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The values of the column --selected, or --label, with their counts, and what they were taken to mean."""

    column: str | None = None
    selected_values: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    undecided_values: tuple[str, ...] = ()
    outcome: bool | None = left_out()

    def meaning(self, value: str) -> str:
        """Return what a value was taken to mean; with `outcome` it is what happened, no decision.

        >>> Decisions(column="hired", selected_values=("yes",)).meaning("yes")
        'selected'
        """
        words = ("yes", "no", "unknown") if self.outcome else ("selected", "not selected", "without a decision")
        if not value or value in self.undecided_values:
            return words[2]
        return words[0] if value in self.selected_values else words[1]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The column --score; the median by stage where there are stages."""

    column: str | None = None
    null: int = 0
    not_a_number: int = 0
    infinite: int = 0
    median: float | Mapping[str, float | None] | None = None
    lowest: float | None = None
    highest: float | None = None


@dataclass(frozen=True, kw_only=True)
class Folded:
    """Spellings that were counted as one group."""

    column: str | None = None
    kept: str
    merged: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Eeo1Label:
    """A label and the category of the EEO-1 that it was counted as."""

    category: str
    label: str
    hispanic: str | None = left_out()
    n: int


@dataclass(frozen=True, kw_only=True)
class StageOrder:
    """The stages in their order, and how that was found."""

    column: str
    stages: tuple[str, ...]
    how: str
    rows: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Accounting:
    """Who was counted and who was not; of a table of counts, people instead of rows."""

    engine: str | None = None
    source: str | None = None
    sheet: str | None = None
    table: str | None = None
    encoding: str | None = None
    separator: str | None = None
    rows_read: int | None = None
    blank_rows: int = 0
    where: tuple[LeftOut, ...] = ()
    unit: Units | None = None
    count: CountColumns | None = None
    decisions: Decisions | None = None
    decision_unknown: int = 0
    scores: Scores | None = None
    without_previous: int | None = left_out()
    unknown: Mapping[str, int] = field(default_factory=dict)
    unknown_labels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    folded: tuple[Folded, ...] = ()
    eeo1: tuple[Eeo1Label, ...] = ()
    missing_position: int = 0
    missing_stage: int = 0
    stages_left_out: Mapping[str, int] = field(default_factory=dict)
    stage_order: StageOrder | None = None
    rows_used: int | None = None
    positions: int = 0
    notes: tuple[str, ...] = ()
    statuses: Mapping[str, int] | None = left_out()
