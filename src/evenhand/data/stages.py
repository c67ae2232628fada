"""The rows that are counted, in an engine: one column per thing asked of them, and their counts by keys.

Stages of selection: their order, and who of those who entered was selected in the end.
The k-th smallest score, exactly, on any engine.
Means and sums of squares that are equal on every engine, to the last digit.

Sums of doubles depend on the order of adding, which engines choose freely. Here each score
becomes a whole number y of steps of 2⁻ᵏ from a centre c, |y| ≤ 2⁵², and is split as
y = 2²⁶·h + l, 0 ≤ l < 2²⁶. Then h, l, h², h·l and l² are whole numbers below 2⁵³, exact as doubles;
an engine adds their halves as whole numbers, exactly, and Python's integers do the rest.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import ibis
import polars as pl

from evenhand.data.applicant_query import USABLE, ApplicantQuery, Threshold, level, number, rounded_like, score_state
from evenhand.data.attributes import Attribute
from evenhand.data.count_tables import by_decision, count_in, people, weight_of
from evenhand.data.labels import Labels, check_cardinality, checked_column, fold, is_nan, is_text, labels_of
from evenhand.data.open_table import OpenTable
from evenhand.errors import InputError, ServiceError
from evenhand.results.messages import listed, quoted, shortened

BOTTOM_LINE = "bottom line"


@dataclass(frozen=True, kw_only=True)
class Stages:
    """The stages in order, the values of each, and how the order was found."""

    names: tuple[str, ...]
    of: Mapping[Hashable, str | None]
    missing: int
    left_out: Mapping[str, int]
    accounting: dict[str, Any]
    labels: Labels


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
        raise InputError(f"The column {quoted(column)} names no stage.")
    how = "given"
    if order:
        folded = {fold(name): name for name in sizes}
        wrong = [name for name in order if fold(name) not in folded]
        if wrong:
            raise InputError(f"No stage {quoted(wrong[0])} in the column {quoted(column)}. Stages: {listed(sizes)}.")
        names = tuple(folded[fold(name)] for name in order)
        if len(set(names)) < len(names):
            raise InputError(f"--stage {shortened(column)} names a stage twice: {listed(order)}.")
    else:
        names = tuple(sorted(sizes, key=lambda name: (-sizes[name], name)))
        how = "by falling number of applicants"
    left_out = {name: n for name, n in sorted(sizes.items()) if name not in names}
    return Stages(
        names=names,
        of={value: label if label in names else None for value, label in labels.of.items()},
        missing=missing,
        left_out=left_out,
        accounting={"column": column, "stages": list(names), "how": how, "rows": {name: sizes[name] for name in names}},
        labels=labels,
    )


def bottom_line(counts: pl.DataFrame, names: Sequence[str], groups: Sequence[str]) -> tuple[pl.DataFrame, list[str]]:
    """Return who was selected at the last stage, of all at the first, from the counts of both.

    Rows are not followed from stage to stage: a position in which a group has more people
    selected at the last stage than there were at the first has no bottom line. The
    positions that were left out come second.
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
    kept = joined.filter(~pl.col("position").is_in(impossible)).with_columns(
        pl.lit(BOTTOM_LINE).alias("stage"),
        pl.when(pl.col("approach") == "median")
        .then(pl.lit(median, pl.Float64))
        .otherwise(pl.col("_cutoff"))
        .alias("cutoff"),
    )
    return kept.drop("_cutoff", "n_last"), impossible


#: Values tried within each gap that still hides a rank; each pass narrows a gap by that factor.
TRIES = 15
MOST_PASSES = 80
#: Engines without quantiles of several shares at once: they begin with the lowest and the highest score.
NO_QUANTILES = frozenset({"sqlite", "polars"})


@dataclass(frozen=True, kw_only=True)
class Spread:
    """How many scores there are, the lowest and the highest."""

    n: int
    lowest: float | None
    highest: float | None


def spread(table: OpenTable, stage_rows: Any) -> Spread:
    """Return number and range of the usable scores of rows (their column `score`)."""
    usable = stage_rows.filter(stage_rows.score.notnull())
    found = table.fetch(usable.aggregate(n=people(usable), lowest=usable.score.min(), highest=usable.score.max()))
    return Spread(**found.row(0, named=True))


def median(table: OpenTable, stage_rows: Any, known: Spread) -> float:
    """Return the median: the middle score, or the mean of the two in the middle."""
    low, high = (known.n - 1) // 2, known.n // 2
    values = order_statistics(table, stage_rows, known, [low, high])
    between = (values[low] + values[high]) / 2
    # The sum of two scores near the largest double is none.
    return between if math.isfinite(between) else values[low] / 2 + values[high] / 2


def order_statistics(table: OpenTable, stage_rows: Any, known: Spread, ranks: Iterable[int]) -> dict[int, float]:
    """Return the scores at ranks, counted from 0 for the lowest.

    The engine's quantile is a first guess. Counting how many scores lie below, at and above
    it, with the nearest on each side, either proves which score has the rank or narrows where
    it is, so the answer is exact even where an engine's quantile interpolates or is approximate.
    """
    wanted = sorted(set(ranks))
    assert known.lowest is not None
    assert known.highest is not None
    tries = _guesses(table, stage_rows, known, wanted)
    found: dict[int, float] = {}
    for _ in range(MOST_PASSES):
        gaps = _place(table, stage_rows, tries, [rank for rank in wanted if rank not in found], found)
        if not gaps:
            return found
        # The ends of a gap are scores, often of many: each of them becomes a cell of its own.
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
    table: OpenTable, stage_rows: Any, tries: Sequence[float], ranks: Sequence[int], found: dict[int, float]
) -> set[tuple[float, float]]:
    """Put the ranks that one pass decides into `found`; return the gaps in which the others lie."""
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
                found[rank] = lowest
            elif rank == start + n - 1:
                found[rank] = highest
            else:
                gaps.add((lowest, highest))
        start += n
    return gaps


#: The sums an engine gives back, with this prefix.
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
    # 2**exponent is the power of two above the reach; a power beyond a double's range would be no number.
    exponent = math.frexp(reach)[1] if reach > 0 else 0
    return Steps(centre=centre, power=min(_BITS - exponent, 1000))


def sums_of(score: Any, steps: Steps) -> dict[str, Any]:
    """Return the sums as aggregates, the upper and the lower half of each of five terms; null scores are in none.

    The halves are below 2²⁷, so sums of 2³⁶ rows fit into 64 bits, on engines without decimals, too.
    """
    whole = ((score - number(steps.centre)) * number(2.0**steps.power) + number(0.5)).floor().cast("float64")
    high = (whole * number(2.0**-_HALF)).floor().cast("float64")
    low = whole - high * number(2.0**_HALF)
    terms = (high, low, high * high, high * low, low * low)
    halves = []
    for term in terms:
        upper = (term * number(2.0**-_HALF)).floor()
        halves += [upper, term - upper * number(2.0**_HALF)]
    return {name: half.cast("int64").sum().cast("int64") for name, half in zip(SUMS, halves, strict=True)}


#: What the columns of clusters begin with.
CLUSTER = "cluster_"
#: As many values tell a column of fractions from one of codes.
_MOST_VALUES = 50


@dataclass(frozen=True, kw_only=True)
class StageRows:
    """Rows of one stage, or all rows where there are no stages.

    For the bottom line the rows have `reached`: 0 for who never came to the last stage and so passes no bar.
    """

    stage: str
    expr: Any


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counts of rows by their keys, and what their scores were compared with.

    `bars` are sorted; a row of `frame` with the level l passed the first l of them.
    """

    stage: str
    frame: pl.DataFrame
    spread: Spread | None
    median: float | None
    bars: tuple[Threshold, ...]
    steps: Steps | None


def rows_to_count(table: OpenTable, kept: Any, query: ApplicantQuery, attributes: Sequence[Attribute]) -> Any:
    """Return the rows with plain column names: keys, position, stage, decision, state, score, unit, given.

    Raises
    ------
    InputError
        A column does not exist, or has more values than what it is named for.

    """
    columns: dict[str, Any] = {}
    for attribute in attributes:
        columns |= attribute.keys
    named = {
        "position": (query.position, "--position"),
        "stage": (query.stage, "--stage"),
        "decision": (
            query.selected if query.applicants is None else None,
            "--label" if query.outcome else "--selected",
        ),
        "unit": (query.unit, "--unit"),
        "cluster": (query.cluster, "--cluster"),
    }
    columns |= {key: checked_column(table, name, option) for key, (name, option) in named.items() if name is not None}
    for place, name in enumerate(query.given):
        columns[f"given_{place}"] = checked_column(table, name, "--given")
    for place, name in enumerate(query.similar):
        columns[f"similar_{place}"] = checked_column(table, name, "--similar")
    for place, (name, option) in enumerate(query.apart):
        columns[f"{CLUSTER}{place}"] = checked_column(table, name, option)
    _check_decision(table, columns.get("decision"), outcome=query.outcome)
    weight = weight_of(table, query)
    if weight is not None:
        columns["weight"] = weight
    if query.selected_count is not None:
        columns["chosen"] = count_in(checked_column(table, query.selected_count, "--selected-count"))
    columns = {key: without_nan(column) for key, column in columns.items()}
    columns |= _scores(table, query)
    rows = kept.select(**columns)
    if "chosen" in columns:
        rows = by_decision(rows)
    if weight is not None and not query.people:  # of people alone a row of 0 is a group that is lacking
        rows = rows.filter(rows.weight > 0)
    _refuse_without_cluster(table, rows, query)
    known = {
        key: (option, name)
        for key, (name, option) in named.items()
        if name is not None and key not in {"unit", "cluster"}
    }
    known |= {key: ("--protected", attribute.name) for attribute in attributes for key in attribute.keys}
    known |= {f"given_{place}": ("--given", name) for place, name in enumerate(query.given)}
    check_cardinality(table, rows, known)
    return rows


def _scores(table: OpenTable, query: ApplicantQuery) -> dict[str, Any]:
    """Return the score as it is counted and its state, and those of the previous version."""
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


def present(expr: Any) -> Any:
    """Return the rows that have a position, where positions are asked for."""
    if "position" not in expr.columns:
        return expr
    kept = expr.position.notnull()
    return expr.filter(kept & (expr.position.strip() != "") if is_text(expr.position) else kept)


def cells_of(table: OpenTable, stage_rows: StageRows, query: ApplicantQuery, like: Cells | None = None) -> Cells:
    """Count rows by keys; with `like`, against the same bars as other rows."""
    expr = stage_rows.expr
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
    keys = (*keys_of(expr), *clusters_of(expr), "position", "decision", "level", "conflict")
    by = [name for name in keys if name in expr.columns]
    sums = {}
    if steps is not None:
        sums = sums_of(expr.score, steps)
        # Sums of one weight are multiplied by it afterwards, in whole numbers of any size.
        by += ["weight"] if "weight" in expr.columns else []
    counted = expr.group_by(by).aggregate(n=people(expr), **sums)
    return Cells(
        stage=stage_rows.stage, frame=table.fetch(counted), spread=known, median=middle, bars=bars, steps=steps
    )


def sweep_cells(
    table: OpenTable, stage_rows: StageRows, query: ApplicantQuery, known: Spread
) -> tuple[pl.DataFrame, list[float]]:
    """Count rows at cut-offs that are their scores at equally spaced ranks."""
    expr = present(stage_rows.expr)
    ranks = [known.n * step // (query.sweep + 1) for step in range(1, query.sweep + 1)]
    values = sorted(set(order_statistics(table, expr, known, ranks).values()))
    bars = [Threshold(value=value, strict=not query.at_least) for value in values]
    by = expr.filter(expr.state == USABLE)
    by = by.mutate(level=level(by.score, bars))
    return table.fetch(by.group_by([*keys_of(by), "level"]).aggregate(n=people(by))), values


def qualification_cells(table: OpenTable, stage_rows: StageRows, bars: Sequence[Threshold]) -> pl.DataFrame:
    """Count rows by attributes, qualifications and outcome: the decision, or the first bar."""
    expr = present(stage_rows.expr)
    if "decision" not in expr.columns:
        expr = expr.mutate(level=_level(expr, bars))
    outcome = "decision" if "decision" in expr.columns else "level"
    by = [*keys_of(expr), *(name for name in expr.columns if name.startswith("given_")), outcome]
    return table.fetch(expr.group_by(by).aggregate(n=people(expr)))


def bars_of(table: OpenTable, query: ApplicantQuery, middle: float | None) -> tuple[Threshold, ...]:
    """Return what scores have to pass, sorted."""
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
    own = {f"{CLUSTER}{place}": each for place, each in enumerate(query.apart)}
    return own if query.cluster is None else own | {"cluster": (query.cluster, "--cluster")}


def without_nan(column: Any) -> Any:
    """Return a key column in which NaN is null: no two NaN are alike outside an engine."""
    return ibis.ifelse(is_nan(column), ibis.null(column.type()), column) if column.type().is_floating() else column


def _refuse_without_cluster(table: OpenTable, rows: Any, query: ApplicantQuery) -> None:
    """Raise InputError where a row has no cluster or block."""
    for key, (name, option) in named_clusters(query).items():
        column = rows[key]
        blank = rows.filter(column.isnull() | (column.cast("string").strip() == ""))
        n = int(table.fetch(blank.count().as_table())[0, 0])
        if n:
            raise InputError(
                f"{option} {shortened(name)}: {n:,} of the rows of {table.name} {'has' if n == 1 else 'have'} no "
                f'value in it; fill it in, or leave them out: --where "{shortened(name)} is not null".'
            )


def _check_decision(table: OpenTable, column: Any, *, outcome: bool) -> None:
    """Raise InputError for fractions, before each of them is counted as a value of its own."""
    if column is None or not column.type().is_numeric() or column.type().is_boolean():
        return
    value = column.cast("float64")
    others = table.expr.filter(~is_nan(column) & (value != 0) & (value != 1)).select(value=value)
    values = table.fetch(others.distinct().limit(_MOST_VALUES))["value"].to_list()
    if any(not value.is_integer() for value in values):
        name = column.get_name()
        if outcome:
            raise InputError(f"The label {quoted(name)} holds fractions; expected two outcomes, such as 1 and 0.")
        raise InputError(
            f"The column {quoted(name)} holds fractions; expected decisions such as yes and no; "
            f"for scores use --score {shortened(name)} with --cutoff or --median."
        )
