"""What is asked of an applicant table, and what it is answered with.

Scores as numbers that mean the same on every engine, and how many cut-offs each passes.

NaN is above all numbers in DuckDB, PostgreSQL and Spark, so a comparison would select it:
what a cell holds is told first, and only finite numbers are compared.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import ibis
import numpy as np
import polars as pl

from evenhand.data.labels import is_nan, is_text
from evenhand.errors import InputError
from evenhand.results.applicant_audit import Accounting
from evenhand.results.messages import quoted

#: What a score cell holds. The largest of several is kept for a unit: a usable score first.
USABLE, NULL, NOT_A_NUMBER, INFINITE, UNREADABLE = 0, -1, -2, -3, -4
#: Text that is a number: digits, a point, an exponent of two digits. Ibis's engines agree on it, unlike on their casts.
NUMBER = r"^[+-]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?$"
NO_SCORE = ("", "null", "none", "na", "n/a", "#n/a", "<na>", "-")
_LARGEST = sys.float_info.max
_INFINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity")


@dataclass(frozen=True, kw_only=True, order=True)
class Threshold:
    """What a score has to pass: `value`, and with `strict` it has to be above it."""

    value: float
    strict: bool


def number(value: float) -> Any:
    """Return a number for an engine, as text that it reads exactly.

    A literal such as 0.30000000000000004 is a DECIMAL first to some engines, which loses the last digit.
    """
    return ibis.literal(repr(float(value))).cast("float64")


def score_state(column: Any) -> tuple[Any, Any]:
    """Return what a score cell holds, and the score as a double, null unless it is usable.

    Raises
    ------
    InputError
        The column holds dates, or yes and no.

    """
    kind = column.type()
    if is_text(column):
        trimmed = column.strip()
        lower = trimmed.lower()
        numeric = trimmed.re_search(NUMBER)
        state = ibis.cases(
            (column.isnull(), NULL),
            (numeric, USABLE),
            (lower.isin(NO_SCORE), NULL),
            (lower == "nan", NOT_A_NUMBER),
            (lower.isin(_INFINITE), INFINITE),
            else_=UNREADABLE,
        )
        return state.cast("int32"), ibis.ifelse(numeric, trimmed, ibis.null("string")).cast("float64")
    if kind.is_integer():
        return ibis.ifelse(column.isnull(), NULL, USABLE).cast("int32"), column.cast("float64")
    if kind.is_numeric() and not kind.is_boolean():
        value = column.cast("float64")
        # NaN comes first, as Ibis's isnull takes it for null on Spark, where its isinf is false of everything.
        nan = is_nan(column)
        finite = ~nan & (value <= number(_LARGEST)) & (value >= number(-_LARGEST))
        state = ibis.cases((nan, NOT_A_NUMBER), (finite, USABLE), (column.isnull(), NULL), else_=INFINITE)
        return state.cast("int32"), ibis.ifelse(finite, value, ibis.null("float64"))
    decision = "; a yes or no is a decision, which impact takes by --selected" if kind.is_boolean() else ""
    raise InputError(
        f"The column {quoted(column.get_name())} holds {kind} and is no score; expected numbers{decision}."
    )


def rounded_like(value: float, column: Any) -> float:
    """Return a cut-off as a column of that type would hold it, so that .7 equals .7 in 32 bits."""
    return float(np.float32(value)) if column.type() == ibis.dtype("float32") else float(value)


def level(score: Any, bars: Sequence[Threshold]) -> Any:
    """Return how many of the bars a score passes; they have to be sorted.

    A tree of comparisons: eight for 200 bars.
    """
    return _counted(score, bars, 0, len(bars)).cast("int32")


def _counted(score: Any, bars: Sequence[Threshold], low: int, high: int) -> Any:
    if low == high:
        return ibis.literal(low, type="int32")
    middle = (low + high) // 2
    bar = bars[middle]
    passed = score > number(bar.value) if bar.strict else score >= number(bar.value)
    return ibis.ifelse(passed, _counted(score, bars, middle + 1, high), _counted(score, bars, low, middle))


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
