"""Predictions: a table of scores and outcomes becomes counted rows with codes of groups."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import orjson
import polars as pl

from evenhand.data.applicant_query import ApplicantQuery, total_notes
from evenhand.data.applicants import account
from evenhand.data.attributes import attributes_of, plain_attribute
from evenhand.data.conditions import filtered_rows
from evenhand.data.count_tables import check_counts, people, refuse_counts_taken_for_people, weight_of
from evenhand.data.counting import Meaning, coded, counted_rows, counted_units
from evenhand.data.group_labels import label_rules
from evenhand.data.open_table import OpenTable
from evenhand.data.published_counts import PublishedCounts, published_counts
from evenhand.data.score_cells import USABLE, Threshold, level, number, rounded_like
from evenhand.data.stages import Spread, rows_to_count
from evenhand.data.written_numbers import with_plain_numbers
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import Accounting
from evenhand.results.finding import copied
from evenhand.results.messages import quoted
from evenhand.results.schemas import CONTEXT, PROTECTED

#: With more rows the engine rounds scores to millionths of the largest.
MOST_EXACT = 20_000_000
MOST_CELLS = 40_000_000
#: The most people among whom similar ones are looked for.
MOST_SIMILAR = 50_000
#: Before the name of a column whose cells are vectors.
EMBEDDING = "embedding:"
#: The most different words in a column of --similar-by.
MOST_WORDS = 100
#: Two different words differ in two coordinates, by so much each; two opposite directions are so often as far apart.
_HALF = 0.5


@dataclass(frozen=True, kw_only=True)
class PredictionQuery:
    """The query of a table of predictions; column names as typed.

    `label_value` is the value that means a positive outcome. With `top` the scores are ranks, 1 is best, and ranks up
    to `top` are selected. `against` is the previous version's score, `similar` the columns by which people count as
    similar, with their weights; or one column of vectors, `embedding:COLUMN`.
    """

    label: str
    score: str
    protected: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    label_value: str | None = None
    cutoff: float | None = None
    at_least: bool = False
    top: int | None = None
    against: str | None = None
    against_cutoff: float | None = None
    cluster: str | None = None
    unit: str | None = None
    count: str | None = None
    no_count: bool = False
    totals: str | None = None
    where: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    mapped: tuple[str, ...] = ()
    similar: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class SimilarPeople:
    """A sample of people as points, shape (people, coordinates), whose distance is that of --similar-by.

    With `norm` 1 it is Gower's (1971, Biometrics 27, 857-871), the weighted mean over the columns: differences of
    numbers as shares of their range, 1 for different words. With 2, of vectors, it is half the distance of their
    directions. `values` has the columns as they stand in the table, `rows` groups, score, decision and cluster, as in
    `Predictions`; `of` is the number of people sampled from, `incomplete` those who lack one of the columns.
    """

    points: np.ndarray[Any, np.dtype[np.float64]]
    norm: Literal[1, 2]
    values: pl.DataFrame
    rows: pl.DataFrame
    of: int
    incomplete: int


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """Scores and outcomes, with equal rows counted.

    `rows` has `protected.*` and `context.*` (codes of `levels`, null: unknown), `label`, `score` (ranks are negated, so
    that more is better), `selected` where there is a cut-off, `against` and `against_selected` of the previous version,
    `cluster` (codes), `n`. `accounting` says who was counted and who was not.
    """

    attributes: tuple[str, ...]
    by: tuple[str, ...]
    rows: pl.DataFrame
    levels: Mapping[str, tuple[str, ...]]
    positive: tuple[str, ...]
    similar: SimilarPeople | None
    accounting: Accounting


def read_predictions(table: OpenTable, request: PredictionQuery) -> Predictions:
    """Return scores and outcomes by groups; engines count equal rows.

    Raises
    ------
    InputError
        A column, value or combination of options that can't be used.
    ServiceError
        The engine failed.

    >>> from evenhand.data.tables import open_table
    >>> frame = pl.DataFrame({"sex": ["f", "f", "m"], "stayed": [1, 1, 0], "score": [0.5, 0.5, 0.25]})
    >>> with open_table(frame) as table:
    ...     predictions = read_predictions(table, PredictionQuery(label="stayed", score="score", protected=("sex",)))
    >>> predictions.rows.select("label", "score", "n").rows()
    [(False, 0.25, 1), (True, 0.5, 2)]
    """
    query = _as_applicants(request)
    table = with_plain_numbers(table, {query.count: "--count"}, counts=True)
    table = with_plain_numbers(table, {query.score: "--score", query.against: "--against"})
    refuse_counts_taken_for_people(table, query)
    filtered = filtered_rows(table, request.where, weight_of(table, query))
    with ExitStack() as closing:
        published = published_counts(table, query, filtered, closing, more=dict.fromkeys(request.by, "--by"))
        return _read(published, request)


def _read(published: PublishedCounts, request: PredictionQuery) -> Predictions:
    """Return scores and outcomes by groups, of rows that are no totals."""
    table, query, filtered = published.table, published.query, published.filtered
    people_of = check_counts(table, filtered.expr, query)
    by = [plain_attribute(table, name, f"key_by_{place}", "--by") for place, name in enumerate(request.by)]
    attributes = [*(attributes_of(table, filtered.expr, query) if request.protected else ()), *by]
    rows = rows_to_count(table, filtered.expr, query, attributes)
    if request.top is not None:
        rows = rows.mutate(**{name: -rows[name] for name in ("score", "against") if name in rows.columns})
    count = counted_rows if request.unit is None else counted_units
    rules = label_rules(query.unknown, query.mapped, columns=query.mapped_columns)
    counted = count(table, rows, query, attributes=attributes, stages=None, rules=rules)
    (expr,), (cells,) = counted.by_stage.values(), counted.cells
    meaning = counted.meaning
    if request.unit is None:
        codes = coded(table, expr, meaning, None, None)
        expr, meaning = codes.expr, codes.meaning
    usable = _usable(table, expr, request, cells.spread)
    frame = _fetched(table, usable)
    if not frame.height:
        raise InputError(
            f"No row of {table.name} has an outcome in {quoted(request.label)} and a score in {quoted(request.score)}."
        )
    named = _named(frame, meaning, request)
    _check_ranks(request, named["score"])
    accounting = account(
        table,
        query,
        counted,
        stages=None,
        left_out=filtered.left_out,
        people=people_of,
        notes=(),
        evaluated=named.rename({CONTEXT + name: PROTECTED + name for name in request.by}),
    )
    accounting = replace(accounting, totals=published.totals)
    accounting = replace(accounting, notes=(*total_notes(accounting, request.totals), *accounting.notes))
    assert counted.meaning.decisions is not None
    return Predictions(
        attributes=tuple(request.protected),
        by=tuple(request.by),
        rows=named,
        levels={
            name: tuple(str(group) for code, group in labels.of.items() if code is not None)
            for name, (_, labels) in meaning.attributes.items()
        },
        positive=tuple(counted.meaning.decisions.selected),
        similar=_similar(usable, meaning, table, request) if request.similar else None,
        accounting=_as_outcomes(accounting, request),
    )


def _as_applicants(request: PredictionQuery) -> ApplicantQuery:
    """Return the query as one of applicants, with the outcome as the decision."""
    return ApplicantQuery(
        **copied(request, "protected score against cluster unit count no_count totals where unknown mapped"),
        selected=request.label,
        selected_value=request.label_value,
        outcome=True,
        similar=tuple(name.removeprefix(EMBEDDING) for name in request.similar),
    )


def _usable(table: OpenTable, expr: Any, request: PredictionQuery, known: Spread | None) -> Any:
    """Return the rows with an outcome and a score, and the levels that their scores reach."""
    usable = expr.filter(expr.decision.notnull() & (expr.state == USABLE))
    if "against" in expr.columns:
        usable = usable.filter(usable.against_state == USABLE)
    columns = {}
    for name, cutoff in (("score", request.cutoff), ("against", _against_cutoff(request))):
        if name not in usable.columns:
            continue
        threshold = _threshold(table, request, name, cutoff)
        if threshold is not None:
            columns[f"{name}_level"] = level(usable[name], [threshold])
        columns[name] = _rounded(usable[name], known)
    return usable.mutate(**columns)


def _fetched(table: OpenTable, usable: Any) -> pl.DataFrame:
    """Return equal rows counted, in order of the score."""
    by = [name for name in usable.columns if name.startswith("key_")]
    by += [
        name
        for name in ("decision", "score", "score_level", "against", "against_level", "cluster")
        if name in usable.columns
    ]
    frame = table.fetch(usable.group_by(by).aggregate(n=people(usable)), most=MOST_CELLS)
    return frame.sort(["score", *(name for name in by if name != "score")])


def _against_cutoff(request: PredictionQuery) -> float | None:
    return request.cutoff if request.against_cutoff is None else request.against_cutoff


def _threshold(table: OpenTable, request: PredictionQuery, name: str, cutoff: float | None) -> Threshold | None:
    """Return the threshold of a score; ranks are negated."""
    column = table.expr[request.score if name == "score" or request.against is None else request.against]
    if request.top is not None:
        return Threshold(value=-float(request.top), strict=False)
    return None if cutoff is None else Threshold(value=rounded_like(cutoff, column), strict=not request.at_least)


def _rounded(score: Any, known: Spread | None) -> Any:
    """Return scores as they are, or with many rows rounded to millionths of the largest."""
    if known is None or known.n <= MOST_EXACT or known.lowest is None or known.highest is None:
        return score
    step = 1e-6 * max(abs(known.lowest), abs(known.highest), 1e-300)
    return (score / number(step)).round() * number(step)


def _named(frame: pl.DataFrame, meaning: Meaning, request: PredictionQuery) -> pl.DataFrame:
    """Return the rows under the names that findings use."""
    columns = [
        frame[key].cast(pl.Int32).alias((CONTEXT if name in request.by else PROTECTED) + name)
        for name, ((key,), _) in meaning.attributes.items()
    ]
    columns += [frame["decision"].cast(pl.Boolean).alias("label"), frame["score"].cast(pl.Float64)]
    if "score_level" in frame.columns:
        columns.append((frame["score_level"] > 0).alias("selected"))
    if "against" in frame.columns:
        columns.append(frame["against"].cast(pl.Float64))
    if "against_level" in frame.columns:
        columns.append((frame["against_level"] > 0).alias("against_selected"))
    if "cluster" in frame.columns:
        columns.append((frame["cluster"].rank("dense").cast(pl.Int64) - 1).alias("cluster"))
    return pl.DataFrame([*columns, frame["n"].cast(pl.Int64)])


def _check_ranks(request: PredictionQuery, turned: pl.Series) -> None:
    """Raise InputError for --top with scores that are no ranks, which would select everybody."""
    first = -float(turned.max())  # type: ignore[arg-type]
    if request.top is not None and first < 1:
        raise InputError(
            f"{option_text('top', request.top)} reads {quoted(request.score)} as ranks, of which 1 is the best, but it "
            f"holds {first:g}; for a score of which high values are good, give {option_text('cutoff')}."
        )


def _as_outcomes(accounting: Accounting, request: PredictionQuery) -> Accounting:
    """Return the accounting with ranks as in the table."""
    scores = accounting.scores
    if scores is not None and request.top is not None:
        turned = [None if end is None else -end for end in (scores.highest, scores.lowest)]
        scores = replace(scores, lowest=turned[0], highest=turned[1])
    return replace(accounting, scores=scores)


def _similar(rows: Any, meaning: Meaning, table: OpenTable, request: PredictionQuery) -> SimilarPeople:
    """Return a sample of people with the columns for --similar-by; people who lack one of them are left out."""
    names = [f"similar_{place}" for place in range(len(request.similar))]
    keys = [name for name in rows.columns if name.startswith("key_")]
    more = [name for name in ("decision", "score", "score_level", "cluster") if name in rows.columns]
    frame = table.fetch(rows.select([*names, *keys, *more]), most=MOST_CELLS)
    vectors = any(name.startswith(EMBEDDING) for name in request.similar)
    if not vectors and any(_is_list(frame[name]) for name in names):
        name = next(of for of, column in zip(request.similar, names, strict=True) if _is_list(frame[column]))
        raise InputError(f"{option_text('similar_by', name)} has lists as cells; for vectors give {EMBEDDING}{name}.")
    read = frame.with_columns(
        frame[name].cast(pl.List(pl.Float64)) if _is_list(frame[name]) else _as_numbers(frame[name]) for name in names
    )
    columns = dict(zip(names, request.similar.items(), strict=True))
    names = [name for name in names if read[name].null_count() < read.height]
    weights = dict(columns[name] for name in names)
    if not names:
        raise InputError(f"{option_text('similar_by')}: these columns have no value in any row; give others.")
    complete = read.drop_nulls(names)
    by_value = [
        pl.col(name).list.get(0, null_on_oob=True) if _is_list(read[name]) else pl.col(name).cast(pl.String)
        for name in names
    ]
    complete = complete.sort([*by_value, *keys, *more])
    order = np.random.default_rng(request.seed).permutation(complete.height)[:MOST_SIMILAR]
    drawn = complete[np.sort(order)].with_columns(pl.lit(1).alias("n"))
    values = [drawn[name] for name in names]
    return SimilarPeople(
        points=_directions(values[0], next(iter(weights))) if vectors else _coordinates(values, weights),
        norm=2 if vectors else 1,
        values=drawn.select(pl.col(name).alias(column) for name, column in zip(names, weights, strict=True)),
        rows=_named(drawn, meaning, request),
        of=complete.height,
        incomplete=read.height - complete.height,
    )


def _is_list(column: pl.Series) -> bool:
    return isinstance(column.dtype, pl.List | pl.Array)


def _coordinates(columns: Sequence[pl.Series], weights: Mapping[str, float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return points whose distance by coordinates is Gower's."""
    parts = []
    for column, (name, weight) in zip(columns, weights.items(), strict=True):
        if column.dtype == pl.Float64:
            values = column.to_numpy()[:, None]
            spread = float(np.ptp(values)) if values.size else 0.0
            part = values / spread if spread else np.zeros_like(values)
        else:
            codes = column.rank("dense").to_numpy().astype(np.int64) - 1
            if codes.max(initial=0) >= MOST_WORDS:
                raise InputError(
                    f"{option_text('similar_by', name)} has {codes.max() + 1:,} different words; {MOST_WORDS} "
                    f"can be compared at most. For vectors give {EMBEDDING}{name}."
                )
            part = _HALF * np.eye(int(codes.max(initial=-1)) + 1)[codes]
        parts.append(part * weight / sum(weights.values()))
    return np.hstack(parts)


def _directions(column: pl.Series, named: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return points whose distance is half that of the vectors' directions, from 0 to 1."""
    cells = column.to_list()
    try:
        vectors = np.array([orjson.loads(cell) if isinstance(cell, str) else cell for cell in cells], dtype=np.float64)
    except (ValueError, TypeError):
        vectors = np.zeros(0)
    if cells and (vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all()):
        raise InputError(
            f"{option_text('similar_by', named)}: expected the same number of numbers in every cell, such as "
            "[0.12, -0.3]."
        )
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return _HALF * vectors / np.where(lengths > 0, lengths, 1.0)


def _as_numbers(column: pl.Series) -> pl.Series:
    """Return a column as numbers, also where they are written as text; other columns as text."""
    if column.dtype.is_numeric():
        return column.cast(pl.Float64).fill_nan(None)
    text = column.cast(pl.String).str.strip_chars()
    text = text.set(text == "", None)
    numbers = text.cast(pl.Float64, strict=False)
    return numbers.fill_nan(None) if numbers.null_count() == text.null_count() else text
