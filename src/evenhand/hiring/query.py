"""What is asked of an applicant table, and what it is answered with."""

from dataclasses import dataclass
from datetime import date

import polars as pl

from evenhand.tables.audit.applicants.accounting import Accounting

__all__ = ["ApplicantQuery", "Applicants", "ClusterCounts"]


@dataclass(frozen=True, kw_only=True)
class ApplicantQuery:
    """What the user asks of a table; column names as typed.

    `people` asks for their number alone, whoever was selected.
    `selected` is a decision column, `selected_value` the value that means selected where
    yes and no are not its values, `undecided` those that are no decision. `count` is a column that says
    how many people a row is, `no_count` that none does; `applicants` and `selected_count` are
    those of a table with a row per group. `score` with `cutoffs`, `median` and `means` are
    Approaches 1, 2 and 3; `at_least` makes a cut-off itself a pass, never the median; with `low` the
    scores below pass, so that scores and cut-offs are counted with the other sign.
    `sweep` is how many cut-offs at equally spaced ranks of all scores are counted.
    `clusters` are one or two columns whose rows of one value are not independent,
    `blocks` those that are held fixed.
    `eeo1` names the race column and, if known, that of Hispanic ethnicity; `age` a column
    of years or of dates of birth, which need `age_at`. With `outcome` the decision is what happened
    afterwards; `against` is a second score, `cluster` a column of what people share,
    `similar` are columns by which they are alike.
    """

    protected: tuple[str, ...]
    people: bool = False
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
    low: bool = False
    sweep: int = 0
    position: str | None = None
    stage: str | None = None
    stages: tuple[str, ...] = ()
    unit: str | None = None
    clusters: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    eeo1: tuple[str, str | None] | None = None
    age: str | None = None
    age_at: date | None = None
    unknown: tuple[str, ...] = ()
    outcome: bool = False
    against: str | None = None
    cluster: str | None = None
    similar: tuple[str, ...] = ()

    @property
    def apart(self) -> tuple[tuple[str, str], ...]:
        """Return the columns that counts are kept apart by, each with its option: clusters, then blocks."""
        return (*((name, "--cluster") for name in self.clusters), *((name, "--block") for name in self.blocks))

    def signed(self, score: float) -> float:
        """Return a score as it is counted, or one that was counted as it is: with the other sign where low ones pass.

        >>> ApplicantQuery(protected=(), low=True).signed(2.5)
        -2.5
        """
        return 0.0 - score if self.low else score


@dataclass(frozen=True, kw_only=True)
class ClusterCounts:
    """The counts and the scores of `Applicants`, apart by cluster and block: with a column of codes for each.

    The codes of `names` stand in `cluster_0`, `cluster_1`, those of `blocks` behind them; `sizes` are the numbers of
    clusters.
    """

    names: tuple[str, ...]
    blocks: tuple[str, ...]
    sizes: tuple[int, ...]
    counts: pl.DataFrame
    scores: pl.DataFrame | None


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
    clustered: ClusterCounts | None = None

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables that there are, by name: all that findings are computed from."""
        named = {"counts": self.counts, "scores": self.scores, "sweep": self.sweep, "given": self.given}
        return {name: table for name, table in named.items() if table is not None}
