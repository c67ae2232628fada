"""A table that was looked at before anything is computed: what its columns hold and may be, and who is counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LookedColumn", "LookedTable"]


@dataclass(frozen=True, kw_only=True)
class LookedColumn:
    """A column: what it holds, how many different values and empty cells it has, and for which option it may be.

    `different` is None where the first rows have more than 1,000, which are not counted.
    `values` has the rows of each value, spellings taken together, empty cells under ''; none where there are more than
    40. `plain`: they are yes and no, which are understood as decisions. `meanings` are what values likely mean if the
    column says who was selected: selected, not or none. `role` is the option, `reason` why.
    """

    name: str
    holds: str
    different: int | None
    empty: int
    values: Mapping[str, int] = field(default_factory=dict)
    plain: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)
    role: str | None = None
    reason: str = ""

    def has(self, least: int, most: int) -> bool:
        """Return whether so many different values are there."""
        return self.different is not None and least <= self.different <= most

    @property
    def told(self) -> str:
        """Return how many different values there are, in words."""
        return "over 1,000" if self.different is None else f"{self.different:,}"


@dataclass(frozen=True, kw_only=True)
class LookedTable:
    """A table: its sheets, its columns where it is known which sheet, and whom the options count.

    `people` has, by attribute, how many of each group are counted, those of unknown group under ''; `notes` are the
    remarks of whoever read and counted.
    """

    source: str
    sheets: tuple[str, ...] = ()
    rows: int | None = None
    columns: tuple[LookedColumn, ...] = ()
    notes: tuple[str, ...] = ()
    rows_read: int | None = None
    rows_used: int | None = None
    people: Mapping[str, Mapping[str, int]] | None = None

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> "LookedTable":
        """Return what was written as JSON."""
        return cls(**{**content, "columns": tuple(LookedColumn(**each) for each in content["columns"])})
