"""The query of an applicant table, its result, and scores as numbers that compare the same on every engine.

NaN is above all numbers in DuckDB, PostgreSQL and Spark, so a comparison would select it. The state of a cell is
determined first, and only finite numbers are compared.
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

#: The state of a score cell. A unit takes the largest of its rows: a usable score first.
USABLE, NULL, NOT_A_NUMBER, INFINITE, UNREADABLE = 0, -1, -2, -3, -4
#: Text that is a number: digits, a point, an exponent of two digits. The engines agree on it, unlike on their casts.
NUMBER = r"^[+-]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?$"
NO_SCORE = ("", "null", "none", "na", "n/a", "#n/a", "<na>", "-")
_LARGEST = sys.float_info.max
_INFINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity")


@dataclass(frozen=True, kw_only=True, order=True)
class Threshold:
    """The threshold that a score has to reach, or with `strict` to exceed."""

    value: float
    strict: bool


def number(value: float) -> Any:
    """Return a number for an engine, as text that it reads exactly.

    A literal such as 0.30000000000000004 is a DECIMAL first to some engines, which loses the last digit.
    """
    return ibis.literal(repr(float(value))).cast("float64")


def score_state(column: Any) -> tuple[Any, Any]:
    """Return the state of each score cell, and the score as a double, null unless it is usable.

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
    """Return a cut-off rounded to the type of a column, so that .7 equals .7 in 32 bits."""
    return float(np.float32(value)) if column.type() == ibis.dtype("float32") else float(value)


def level(score: Any, bars: Sequence[Threshold]) -> Any:
    """Return the number of thresholds (`bars`, sorted) that a score passes, by binary search: 8 comparisons for 200."""
    return _counted(score, bars, 0, len(bars)).cast("int32")


def _counted(score: Any, bars: Sequence[Threshold], low: int, high: int) -> Any:
    if low == high:
        return ibis.literal(low, type="int32")
    middle = (low + high) // 2
    threshold = bars[middle]
    passed = score > number(threshold.value) if threshold.strict else score >= number(threshold.value)
    return ibis.ifelse(passed, _counted(score, bars, middle + 1, high), _counted(score, bars, low, middle))


@dataclass(frozen=True, kw_only=True)
class ApplicantQuery:
    """The query of an applicant table; column names as typed.

    `people` counts people only, without a selection. `selected` is a decision column, `selected_value` the value that
    means selected where its values are not yes and no, `undecided` the values that mean no decision.
    `count` is a column with the number of people of each row; `no_count` says that a row is one person. `applicants`
    and `selected_count` are the columns of a table with a row per group.
    `score` with `cutoffs`, `median` and `means` gives Approaches 1, 2 and 3. With `at_least` a score equal to a cut-off
    passes (never one equal to the median). With `low` low scores pass: scores and cut-offs change their sign.
    `sweep` is the number of cut-offs at equally spaced ranks of all scores.
    `clusters` are one or two columns within whose values rows are not independent; estimates are adjusted for `blocks`.
    `eeo1` names the race column and, if known, that of Hispanic ethnicity; `age` a column of years, or of dates of
    birth, which need `age_at`. With `outcome` the decision is what happened afterwards; `against` is a second score,
    `cluster` a column of shared clusters, `similar` are the columns by which people count as similar.
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
        """Return the columns by which counts are split, each with its option: clusters, then blocks."""
        return (*((name, "--cluster") for name in self.clusters), *((name, "--block") for name in self.blocks))

    def signed(self, score: float) -> float:
        """Return a score with its sign changed where low scores pass; the same call changes it back.

        >>> ApplicantQuery(protected=(), low=True).signed(2.5)
        -2.5
        """
        return 0.0 - score if self.low else score


@dataclass(frozen=True, kw_only=True)
class ClusterCounts:
    """The counts and the scores of `Applicants` by cluster and block, with a column of codes for each.

    `cluster_0`, `cluster_1` … have the codes of `names`, then those of `blocks`; `sizes` are the numbers of clusters.
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
    `successes`; `given` has `protected.*`, `given.*`, `n`, `successes`. `accounting` says
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
        """Return the tables from which findings are computed, by name."""
        named = {"counts": self.counts, "scores": self.scores, "sweep": self.sweep, "given": self.given}
        return {name: table for name, table in named.items() if table is not None}
