"""The counted rows in an engine, their stages of selection, and exact medians and sums of their scores.

Engines choose freely in which order they add doubles, and the order changes the sum. Here each score becomes a whole
number y of steps of 2⁻ᵏ from a centre c, |y| ≤ 2⁵², and is split as y = 2²⁶·h + l, 0 ≤ l < 2²⁶. Then h, l, h², h·l and
l² are whole numbers below 2⁵³, exact as doubles; an engine adds their halves as whole numbers, exactly, and Python's
integers do the rest. So means and sums of squares are equal on every engine, to the last digit.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import ibis
import polars as pl

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.attributes import Attribute
from evenhand.data.count_tables import by_decision, count_in, people, weight_of
from evenhand.data.labels import Labels, fold, labels_of
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.roles import check_cardinality
from evenhand.data.sampling import MEMBER, WEIGHT, sampling_columns
from evenhand.data.sampling import NUMBER as NUMBER_OF_ROW
from evenhand.data.score_cells import (
    USABLE,
    Threshold,
    day_parts,
    is_nan,
    level,
    number,
    rounded_like,
    score_state,
    undated,
)
from evenhand.errors import InputError, ServiceError, option_text
from evenhand.results.messages import listed, quoted, shortened

BOTTOM_LINE = "bottom line"


@dataclass(frozen=True, kw_only=True)
class Stages:
    """The stages in order, the stage of each value, and how the order was determined.

    `followed` says that rows are those of a funnel: whoever is at a later stage is at the first, and rows of the
    bottom line are there.
    """

    names: tuple[str, ...]
    of: Mapping[Hashable, str | None]
    missing: int
    left_out: Mapping[str, int]
    accounting: dict[str, Any]
    labels: Labels
    followed: bool = False

    @property
    def codes(self) -> dict[str, int]:
        """Return the number of each stage; the bottom line of a funnel is last."""
        return {name: n for n, name in enumerate((*self.names, *([BOTTOM_LINE] if self.followed else [])))}


def stages_of(counts: pl.DataFrame, column: str, order: Sequence[str]) -> Stages:
    """Return the stages in `counts` (`stage`, `n`): in the order given, else by falling number of applicants.

    Raises
    ------
    InputError
        A stage of the order given does not occur, or one is given twice.

    """
    labels = labels_of(counts.select("stage", "n").iter_rows(), frozenset({""}))
    sizes: dict[str, int] = {}
    missing = 0
    for value, n in counts.select("stage", "n").iter_rows():
        label = labels.of[value]
        if label is None:
            missing += n
        else:
            sizes[label] = sizes.get(label, 0) + n
    if not sizes:
        raise InputError(f"The column {quoted(column)} has no stages.")
    ordering = "given"
    if order:
        by_spelling = {fold(name): name for name in sizes}
        wrong = [name for name in order if fold(name) not in by_spelling]
        if wrong:
            raise InputError(f"No stage {quoted(wrong[0])} in the column {quoted(column)}. Stages: {listed(sizes)}.")
        names = tuple(by_spelling[fold(name)] for name in order)
        if len(set(names)) < len(names):
            raise InputError(f"{option_text('stage', shortened(column))} names a stage twice: {listed(order)}.")
    else:
        names = tuple(sorted(sizes, key=lambda name: (-sizes[name], name)))
        ordering = "by falling number of applicants"
    left_out = {name: n for name, n in sorted(sizes.items()) if name not in names}
    return Stages(
        names=names,
        of={value: label if label in names else None for value, label in labels.of.items()},
        missing=missing,
        left_out=left_out,
        accounting={
            "column": column,
            "stages": list(names),
            "how": ordering,
            "rows": {name: sizes[name] for name in names},
        },
        labels=labels,
    )


def bottom_line(counts: pl.DataFrame, names: Sequence[str], groups: Sequence[str]) -> tuple[pl.DataFrame, list[str]]:
    """Return counts of those selected at the last stage among all at the first, and the positions left out.

    Rows are not followed from stage to stage: a position has no bottom line where a group has more people at the last
    stage than at the first.
    """
    key = ["approach", "position", *groups]
    # Cut-offs are the same at all stages, medians are not.
    at = pl.when(pl.col("approach") == "median").then(None).otherwise(pl.col("cutoff")).alias("_cutoff")
    counts = counts.with_columns(at)
    first = counts.filter(pl.col("stage") == names[0]).select(*key, "_cutoff", "n")
    last = counts.filter(pl.col("stage") == names[-1]).select(*key, "_cutoff", "successes", pl.col("n").alias("n_last"))
    joined = first.join(last, on=[*key, "_cutoff"], how="full", nulls_equal=True, coalesce=True).with_columns(
        pl.col("n", "successes", "n_last").fill_null(0)
    )
    impossible = joined.filter(pl.col("n_last") > pl.col("n"))["position"].unique().sort().to_list()
    medians = counts.filter((pl.col("stage") == names[-1]) & (pl.col("approach") == "median"))["cutoff"]
    median = medians[0] if len(medians) else None
    possible = joined.filter(~pl.col("position").is_in(impossible)).with_columns(
        pl.lit(BOTTOM_LINE).alias("stage"),
        pl.when(pl.col("approach") == "median")
        .then(pl.lit(median, pl.Float64))
        .otherwise(pl.col("_cutoff"))
        .alias("cutoff"),
    )
    return possible.drop("_cutoff", "n_last"), impossible


def joined_later(counts: pl.DataFrame, names: Sequence[str], groups: Sequence[str]) -> list[str]:
    """Return the stages at which a group has more people than were selected at the stage before."""
    key = ["position", *groups]
    at = {name: counts.filter(approach="selected", stage=name).select(*key, "n", "successes") for name in names}
    return [
        name
        for before, name in pairwise(names)
        if at[name]
        .join(at[before], on=key, how="left", nulls_equal=True, suffix="_before")
        .filter(pl.col("n") > pl.col("successes_before").fill_null(0))
        .height
    ]


#: Values tried within each gap that still contains a rank; each pass narrows a gap by about this factor.
TRIES = 15
MOST_PASSES = 80
#: Engines without quantiles of several shares at once; the search starts without guesses there.
NO_QUANTILES = frozenset({"sqlite", "polars"})


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The number of scores, the lowest and the highest."""

    n: int
    lowest: float | None
    highest: float | None


def spread(table: OpenTable, stage_rows: Any) -> Spread:
    """Return number and range of the usable scores of rows (their column `score`)."""
    usable = stage_rows.filter(stage_rows.score.notnull())
    summary = table.fetch(usable.aggregate(n=people(usable), lowest=usable.score.min(), highest=usable.score.max()))
    return Spread(**summary.row(0, named=True))


def median(table: OpenTable, stage_rows: Any, known: Spread) -> float:
    """Return the median: the middle score, or the mean of the two in the middle."""
    low, high = (known.n - 1) // 2, known.n // 2
    values = order_statistics(table, stage_rows, known, [low, high])
    between = (values[low] + values[high]) / 2
    # The sum of two scores near the largest double overflows.
    return between if math.isfinite(between) else values[low] / 2 + values[high] / 2


def order_statistics(table: OpenTable, stage_rows: Any, known: Spread, ranks: Iterable[int]) -> dict[int, float]:
    """Return the scores at ranks, counted from 0 for the lowest.

    The engine's quantile is a first guess. Counting the scores below, at and above it, with the nearest on each side,
    either proves which score has the rank or narrows the search. So the result is exact even where an engine's
    quantile interpolates or is approximate.
    """
    sorted_ranks = sorted(set(ranks))
    assert known.lowest is not None
    assert known.highest is not None
    tries = _guesses(table, stage_rows, known, sorted_ranks)
    scores: dict[int, float] = {}
    for _ in range(MOST_PASSES):
        gaps = _place(table, stage_rows, tries, [rank for rank in sorted_ranks if rank not in scores], scores)
        if not gaps:
            return scores
        # The ends of a gap are scores, often frequent ones: each becomes its own cell.
        ends = {end for gap in gaps for end in gap}
        inside = {low + (high - low) * (step / (TRIES + 1)) for low, high in gaps for step in range(1, TRIES + 1)}
        tries = sorted(ends | inside)
    raise ServiceError(f"{table.engine} gave no stable order of the scores of {table.name}.")


def _guesses(table: OpenTable, stage_rows: Any, known: Spread, ranks: Sequence[int]) -> list[float]:
    shares = [rank / max(known.n - 1, 1) for rank in ranks]
    if len(shares) == 1:
        shares *= 2
    if stage_rows.get_backend().name in NO_QUANTILES:
        return []
    column = table.fetch(stage_rows.aggregate(guess=stage_rows.score.quantile(shares)))["guess"]
    return sorted({value for value in column.to_list()[0] if value is not None})


def _place(
    table: OpenTable, stage_rows: Any, tries: Sequence[float], ranks: Sequence[int], scores: dict[int, float]
) -> set[tuple[float, float]]:
    """Add the scores of the ranks that one pass decides to `scores`; return the gaps that contain the other ranks."""
    bars = [Threshold(value=value, strict=strict) for value in tries for strict in (False, True)]
    usable = stage_rows.filter(stage_rows.score.notnull())
    cells = usable.group_by(level=level(usable.score, bars)).aggregate(
        n=people, lowest=lambda rows: rows.score.min(), highest=lambda rows: rows.score.max()
    )
    gaps = set()
    start = 0
    waiting = list(ranks)
    for _, n, lowest, highest in table.fetch(cells.select("level", "n", "lowest", "highest")).sort("level").iter_rows():
        while waiting and waiting[0] < start + n:
            rank = waiting.pop(0)
            if rank == start or lowest == highest:
                scores[rank] = lowest
            elif rank == start + n - 1:
                scores[rank] = highest
            else:
                gaps.add((lowest, highest))
        start += n
    return gaps


#: The columns of sums that an engine returns: the upper and lower half of each term.
SUMS = tuple(f"sum_{term}_{part}" for term in ("h", "l", "hh", "hl", "ll") for part in ("high", "low"))
_BITS, _HALF = 52, 26


@dataclass(frozen=True, kw_only=True)
class Steps:
    """The grid on which scores are added: c + y·2⁻ᵏ."""

    centre: float
    power: int

    def moments(self, n: int, sums: tuple[int, ...]) -> tuple[float, float]:
        """Return the mean, and Σ(x − mean)², of n scores from their sums.

        >>> Steps(centre=0.0, power=0).moments(2, (0, 0, 0, 4, 0, 0, 0, 0, 0, 10))
        (2.0, 2.0)
        """
        values = [int(value) for value in sums]
        h, low, hh, hl, ll = ((upper << _HALF) + lower for upper, lower in zip(values[::2], values[1::2], strict=True))
        total = (h << _HALF) + low
        squares = (hh << 2 * _HALF) + (hl << _HALF + 1) + ll
        step = Fraction(2) ** -self.power
        mean = Fraction(self.centre) + Fraction(total, n) * step
        try:
            return float(mean), float((squares - Fraction(total * total, n)) * step * step)
        except OverflowError:
            return float(mean), math.inf


def steps_of(known: Spread) -> Steps:
    """Return the finest grid on which the lowest and the highest score fit.

    Rounding to it errs by less than 2⁻⁵² of half the range.
    """
    assert known.lowest is not None
    assert known.highest is not None
    centre = known.lowest / 2 + known.highest / 2
    reach = max(known.highest - centre, centre - known.lowest)
    # 2**exponent is the power of two above the reach; a power beyond a double's range would overflow.
    exponent = math.frexp(reach)[1] if reach > 0 else 0
    return Steps(centre=centre, power=min(_BITS - exponent, 1000))


def sums_of(score: Any, steps: Steps) -> dict[str, Any]:
    """Return aggregates for the upper and the lower half of each of five terms; null scores are left out.

    The halves are below 2²⁷, so sums of 2³⁶ rows fit into 64 bits, also on engines without decimals.
    """
    grid_steps = ((score - number(steps.centre)) * number(2.0**steps.power) + number(0.5)).floor().cast("float64")
    high = (grid_steps * number(2.0**-_HALF)).floor().cast("float64")
    low = grid_steps - high * number(2.0**_HALF)
    terms = (high, low, high * high, high * low, low * low)
    halves = []
    for term in terms:
        upper = (term * number(2.0**-_HALF)).floor()
        halves += [upper, term - upper * number(2.0**_HALF)]
    return {name: half.cast("int64").sum().cast("int64") for name, half in zip(SUMS, halves, strict=True)}


#: The prefix of cluster columns.
CLUSTER = "cluster_"
#: The option of the last one where counts are split by period.
PERIOD_OPTION = "--period"
#: The number of values that are checked to detect a column of fractions.
_MOST_VALUES = 50


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counts of rows by their keys, and the thresholds that their scores were compared with.

    `bars` are the sorted thresholds; a row of `frame` with the level l passed the first l of them.
    """

    stage: str
    frame: pl.DataFrame
    spread: Spread | None
    median: float | None
    bars: tuple[Threshold, ...]
    steps: Steps | None


def rows_to_count(
    table: OpenTable,
    counted: Any,
    query: ApplicantQuery,
    attributes: Sequence[Attribute],
    more: Mapping[str, Any] = MappingProxyType({}),
) -> Any:
    """Return the rows with plain column names: keys, position, stage, decision, state, score, unit, given, and `more`.

    Raises
    ------
    InputError
        A column does not exist, or has more values than its option allows.

    """
    columns: dict[str, Any] = {}
    for attribute in attributes:
        columns |= attribute.keys
    named = {
        "position": (query.position, "--position"),
        "stage": (query.stage, "--stage"),
        "decision": (
            query.selected if query.applicants is None and not query.is_funnel else None,
            "--label" if query.outcome else "--selected",
        ),
        "unit": (query.unit, "--unit"),
        "cluster": (query.cluster, "--cluster"),
    }
    columns |= {key: checked_column(table, name, option) for key, (name, option) in named.items() if name is not None}
    for place, name in enumerate(query.given):
        columns[f"given_{place}"] = checked_column(table, name, "--given")
    for place, name in enumerate(query.similar):
        columns[f"similar_{place}"] = checked_column(table, name, "--similar-by", lists=True)
    for place, (name, option) in enumerate(query.apart):
        is_period = option == PERIOD_OPTION
        columns[f"{CLUSTER}{place}"] = (
            period_of(table, counted, name, query.period_unit) if is_period else checked_column(table, name, option)
        )
    _check_decision(table, columns.get("decision"), outcome=query.outcome)
    weight = weight_of(table, query)
    if weight is not None:
        columns["weight"] = weight
    if query.selected_count is not None:
        columns["chosen"] = count_in(checked_column(table, query.selected_count, "--selected-count"))
    columns = {key: without_nan(column) for key, column in columns.items()}
    columns |= _scores(table, query) | sampling_columns(table, query)
    if query.is_weighted and not query.clusters:
        columns[f"{CLUSTER}0"] = table.expr[NUMBER_OF_ROW]
    rows = counted.select(**columns, **more)
    if "chosen" in columns:
        rows = by_decision(rows)
    if weight is not None and not query.people:  # without a selection a row of 0 people is a group without applicants
        rows = rows.filter(rows.weight > 0)
    _refuse_without_cluster(table, rows, query)
    known = {
        key: (option, name)
        for key, (name, option) in named.items()
        if name is not None and key not in {"unit", "cluster"}
    }
    known |= {
        key: ("--by" if key.startswith("key_by") else "--protected", attribute.name)
        for attribute in attributes
        for key in attribute.keys
    }
    known |= {f"given_{place}": ("--given", name) for place, name in enumerate(query.given)}
    check_cardinality(table, rows, known)
    return rows


def _scores(table: OpenTable, query: ApplicantQuery) -> dict[str, Any]:
    """Return the score (its sign changed where low scores pass) and its state, and those of the previous version."""
    columns: dict[str, Any] = {}
    if query.score is not None:
        columns["state"], score = score_state(checked_column(table, query.score, "--score"))
        columns["score"] = number(0.0) - score if query.low else score
    if query.against is not None:
        columns["against_state"], columns["against"] = score_state(checked_column(table, query.against, "--against"))
    return columns


def keys_of(expr: Any) -> list[str]:
    """Return the key columns of the attributes."""
    return [name for name in expr.columns if name.startswith("key_")]


def clusters_of(expr: Any) -> list[str]:
    """Return the columns of clusters."""
    return [name for name in expr.columns if name.startswith(CLUSTER)]


def sampled(expr: Any) -> list[str]:
    """Return the columns of sampling weights and of probabilities."""
    return [name for name in expr.columns if name == WEIGHT or name.startswith(MEMBER)]


def present(expr: Any) -> Any:
    """Return the rows that have a position, where the query names positions."""
    if "position" not in expr.columns:
        return expr
    placed = expr.position.notnull()
    return expr.filter(placed & (expr.position.strip() != "") if is_text(expr.position) else placed)


def cells_of(table: OpenTable, stage: str, expr: Any, query: ApplicantQuery, like: Cells | None = None) -> Cells:
    """Count the rows of a stage by keys ('' for all rows); with `like`, against the same thresholds as those cells.

    For the bottom line rows have `reached`: 0 for people who never reached the last stage and so pass no threshold.
    """
    known, middle, steps = None, None, None
    bars: tuple[Threshold, ...] = ()
    if "score" in expr.columns:
        if like is not None:
            known, middle, bars = like.spread, like.median, like.bars
        else:
            known = spread(table, present(expr))
            if query.median and known.n:
                middle = median(table, present(expr), known)
            bars = bars_of(table, query, middle)
            steps = steps_of(known) if query.means and known.n else None
        expr = expr.mutate(level=_level(expr, bars))
    keys = (*keys_of(expr), *clusters_of(expr), *sampled(expr), "position", "decision", "level", "conflict")
    by = [name for name in keys if name in expr.columns]
    sums = {}
    if steps is not None:
        sums = sums_of(expr.score, steps)
        # Sums by weight are multiplied by the weight afterwards, in whole numbers of any size.
        by += ["weight"] if "weight" in expr.columns else []
    counted = expr.group_by(by).aggregate(n=people(expr), **sums)
    return Cells(stage=stage, frame=table.fetch(counted), spread=known, median=middle, bars=bars, steps=steps)


def sweep_cells(table: OpenTable, rows: Any, query: ApplicantQuery, known: Spread) -> tuple[pl.DataFrame, list[float]]:
    """Count rows at cut-offs that are their scores at equally spaced ranks."""
    expr = present(rows)
    ranks = [known.n * step // (query.sweep + 1) for step in range(1, query.sweep + 1)]
    values = sorted(set(order_statistics(table, expr, known, ranks).values()))
    bars = [Threshold(value=value, strict=not query.at_least) for value in values]
    by = expr.filter(expr.state == USABLE)
    by = by.mutate(level=level(by.score, bars))
    return table.fetch(by.group_by([*keys_of(by), "level"]).aggregate(n=people(by))), values


def qualification_cells(table: OpenTable, rows: Any, bars: Sequence[Threshold]) -> pl.DataFrame:
    """Count rows by attributes, position, qualifications, clusters, and decision or first threshold."""
    expr = present(rows)
    if "decision" not in expr.columns:
        expr = expr.mutate(level=_level(expr, bars))
    outcome = "decision" if "decision" in expr.columns else "level"
    more = [name for name in expr.columns if name == "position" or name.startswith(("given_", CLUSTER))]
    by = [*keys_of(expr), *more, *sampled(expr), outcome]
    return table.fetch(expr.group_by(by).aggregate(n=people(expr)))


def bars_of(table: OpenTable, query: ApplicantQuery, middle: float | None) -> tuple[Threshold, ...]:
    """Return the thresholds of a query, sorted; `middle` is the median."""
    assert query.score is not None
    column = table.expr[query.score]
    bars = {
        Threshold(value=rounded_like(query.signed(value), column), strict=not query.at_least) for value in query.cutoffs
    }
    if middle is not None:
        bars.add(Threshold(value=middle, strict=True))
    return tuple(sorted(bars))


def _level(expr: Any, bars: Sequence[Threshold]) -> Any:
    passed = level(expr.score, bars)
    if "reached" in expr.columns:
        passed = ibis.ifelse(expr.reached == 0, ibis.literal(0, type="int32"), passed)
    return ibis.ifelse(expr.state == USABLE, passed, expr.state).cast("int32")


def named_clusters(query: ApplicantQuery) -> dict[str, tuple[str, str]]:
    """Return the columns of clusters and blocks, each with its name in the table and its option."""
    clusters = {f"{CLUSTER}{place}": cluster for place, cluster in enumerate(query.apart)}
    return clusters if query.cluster is None else clusters | {"cluster": (query.cluster, "--cluster")}


def without_nan(column: Any) -> Any:
    """Return a key column in which NaN is null: outside an engine no two NaN are equal."""
    return ibis.ifelse(is_nan(column), ibis.null(column.type()), column) if column.type().is_floating() else column


#: Numbers of the months that end a quarter.
_QUARTERS = (3, 6, 9, 12)


def period_of(table: OpenTable, rows: Any, name: str, unit: str) -> Any:
    """Return the period of each row: the year (2024), quarter (2024-Q1) or month (2024-01) of a date, else its label.

    Raises
    ------
    InputError
        There is no such column, a unit is given and it holds no dates, or there are too many periods.

    """
    column = checked_column(table, name, PERIOD_OPTION)
    kind, text = column.type(), is_text(column)
    dated = kind.is_date() or kind.is_timestamp()
    if text:
        dated = not table.fetch(undated(rows, column).count().as_table())[0, 0]
    if not dated:
        if unit:
            example = table.fetch(undated(rows, column).limit(1))["value"][0] if text else f"{kind}"
            raise InputError(
                f"{option_text('period', f'{shortened(name)}={unit}')} groups dates such as 2024-01-31, but the "
                f"column holds {quoted(example)}; to use its labels give "
                f"{option_text('period', shortened(name))}."
            )
        number = column.cast("int64") if kind.is_floating() else column
        return number.cast("string").strip()
    year, month, _ = day_parts(column)
    label = year.cast("string")
    if unit == "quarter":
        quarter = ibis.cases(*((month <= last, f"-Q{place}") for place, last in enumerate(_QUARTERS, 1)), else_="")
        label += quarter
    elif unit == "month":
        label += ibis.ifelse(month < 10, "-0", "-") + month.cast("string")
    return label


def _refuse_without_cluster(table: OpenTable, rows: Any, query: ApplicantQuery) -> None:
    """Raise InputError where a row has no cluster or block."""
    for key, (name, option) in named_clusters(query).items():
        column = rows[key]
        blank = rows.filter(column.isnull() | (column.cast("string").strip() == ""))
        n = int(table.fetch(blank.count().as_table())[0, 0])
        if n:
            raise InputError(
                f"{option} {shortened(name)}: {n:,} of the rows of {table.name} {'has' if n == 1 else 'have'} no "
                f'value in it; fill it in, or leave them out: {option_text("where")} "{shortened(name)} is not null".'
            )


def _check_decision(table: OpenTable, column: Any, *, outcome: bool) -> None:
    """Raise InputError for fractions, before each is counted as a separate value."""
    if column is None or not column.type().is_numeric() or column.type().is_boolean():
        return
    value = column.cast("float64")
    remaining = table.expr.filter(~is_nan(column) & (value != 0) & (value != 1)).select(value=value)
    values = table.fetch(remaining.distinct().limit(_MOST_VALUES))["value"].to_list()
    if any(not value.is_integer() for value in values):
        name = column.get_name()
        if outcome:
            raise InputError(f"The label {quoted(name)} holds fractions; expected two outcomes, such as 1 and 0.")
        raise InputError(
            f"The column {quoted(name)} holds fractions; expected decisions such as yes and no; "
            f"for scores use {option_text('score', shortened(name))} with {option_text('cutoff')} or "
            f"{option_text('median')}."
        )
