"""What is asked of an applicant table, and what it is answered with."""

from dataclasses import dataclass
from datetime import date

import polars as pl

from evenhand.tables.audit.accounting import Accounting

__all__ = ["ApplicantQuery", "Applicants"]


@dataclass(frozen=True, kw_only=True)
class ApplicantQuery:
    """What the user asks of a table; column names as typed.

    `selected` is a decision column, `selected_value` the value that means selected where
    yes and no are not its values, `undecided` those that are no decision. `count` is a column that says
    how many people a row is, `no_count` that none does; `applicants` and `selected_count` are
    those of a table with a row per group. `score` with `cutoffs`, `median` and `means` are
    Approaches 1, 2 and 3; `at_least` makes a cut-off itself a pass, never the median.
    `sweep` is how many cut-offs at equally spaced ranks of all scores are counted.
    `eeo1` names the race column and, if known, that of Hispanic ethnicity; `age` a column
    of years or of dates of birth, which need `age_at`.
    """

    protected: tuple[str, ...]
    selected: str | None = None
    selected_value: str | None = None
    undecided: tuple[str, ...] = ()
    count: str | None = None
    no_count: bool = False
    applicants: str | None = None
    selected_count: str | None = None
    score: str | None = None
    cutoffs: tuple[float, ...] = ()
    median: bool = False
    means: bool = False
    at_least: bool = False
    sweep: int = 0
    position: str | None = None
    stage: str | None = None
    stages: tuple[str, ...] = ()
    unit: str | None = None
    where: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    eeo1: tuple[str, str | None] | None = None
    age: str | None = None
    age_at: date | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """Applicants as counts.

    `counts` has `approach` (selected, cutoff, median), `cutoff`, `stage` ('' without
    stages, or 'bottom line'), `position`, `protected.*` (null: unknown), `n`, `successes`,
    joint over all attributes. `scores` (Approach 3) has `stage`, `position`, `protected.*`,
    `n`, `mean`, `squares` = Σ(x − mean)². `sweep` has `cutoff`, `protected.*`, `n`,
    `successes`; `given` has `protected.*`, `given.*`, `n`, `successes`. `accounting` tells
    who was counted and who was not.
    """

    attributes: tuple[str, ...]
    counts: pl.DataFrame
    scores: pl.DataFrame | None
    sweep: pl.DataFrame | None
    given: pl.DataFrame | None
    stages: tuple[str, ...]
    accounting: Accounting

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables that there are, by name: all that findings are computed from."""
        named = {"counts": self.counts, "scores": self.scores, "sweep": self.sweep, "given": self.given}
        return {name: table for name, table in named.items() if table is not None}
