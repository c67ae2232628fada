"""A table of scores and outcomes becomes rows of codes: whose score, what happened, in which groups."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from evenhand.data.applicant_query import USABLE, ApplicantQuery, Threshold, level, number, rounded_like
from evenhand.data.applicants import account
from evenhand.data.attributes import attributes_of, plain_attribute, unknown_labels
from evenhand.data.conditions import filtered_rows
from evenhand.data.count_tables import check_counts, people, refuse_counts_taken_for_people, weight_of
from evenhand.data.counting import Meaning, coded, counted_rows, counted_units
from evenhand.data.open_table import OpenTable
from evenhand.data.stages import Spread, rows_to_count
from evenhand.errors import InputError
from evenhand.results.applicant_audit import Accounting
from evenhand.results.messages import quoted
from evenhand.results.schemas import CONTEXT, PROTECTED

#: Up to so many rows scores keep all their places; of more the engine rounds them to millionths of the largest.
MOST_EXACT = 20_000_000
MOST_CELLS = 40_000_000
#: People whose pairs are looked at for --similar.
MOST_SIMILAR = 2_000


@dataclass(frozen=True, kw_only=True)
class PredictionQuery:
    """What the user asks of a table of predictions; column names as typed.

    `label_value` is the value that means that the outcome came about. With `top` the scores are ranks, 1 is best, and
    selected are ranks up to it. `against` is the previous version's score, `similar` the columns by which people are
    alike.
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
    where: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    similar: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class SimilarPeople:
    """A sample of people with the columns by which they are alike: numbers and codes of words, shape (people, columns).

    `rows` has their groups, score and decision, as those of `Predictions`.
    """

    numbers: np.ndarray[Any, np.dtype[np.float64]]
    words: np.ndarray[Any, np.dtype[np.int64]]
    rows: pl.DataFrame
    of: int
    incomplete: int


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """Scores and outcomes as rows, joined where all of a row is alike.

    `rows` has `protected.*` and `context.*` (codes of `levels`, null: unknown), `label`, `score` (ranks turned round,
    so that more is better), `selected` where there is a cut-off, `against` and `against_selected` of the previous
    version, `cluster` (codes), `n`. `accounting` tells who was counted and who was not.
    """

    attributes: tuple[str, ...]
    by: tuple[str, ...]
    rows: pl.DataFrame
    levels: Mapping[str, tuple[str, ...]]
    positive: tuple[str, ...]
    similar: SimilarPeople | None
    accounting: Accounting


def read_predictions(table: OpenTable, asked: PredictionQuery) -> Predictions:
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
    ...     found = read_predictions(table, PredictionQuery(label="stayed", score="score", protected=("sex",)))
    >>> found.rows.select("label", "score", "n").rows()
    [(False, 0.25, 1), (True, 0.5, 2)]
    """
    query = _as_applicants(asked)
    refuse_counts_taken_for_people(table, query)
    kept = filtered_rows(table, asked.where, weight_of(table, query))
    people_of = check_counts(table, kept.expr, query)
    by = [plain_attribute(table, name, f"key_by_{place}", "--by") for place, name in enumerate(asked.by)]
    attributes = [*(attributes_of(table, kept.expr, query) if asked.protected else ()), *by]
    rows = rows_to_count(table, kept.expr, query, attributes)
    if asked.top is not None:
        rows = rows.mutate(**{name: -rows[name] for name in ("score", "against") if name in rows.columns})
    count = counted_rows if asked.unit is None else counted_units
    counted = count(table, rows, query, attributes=attributes, stages=None, unknown=unknown_labels(asked.unknown))
    (stage,) = counted.by_stage
    (cells,) = counted.cells
    expr, meaning = stage.expr, counted.meaning
    if asked.unit is None:
        codes = coded(table, expr, meaning, None, None)
        expr, meaning = codes.expr, codes.meaning
    usable = _usable(table, expr, asked, cells.spread)
    frame = _fetched(table, usable)
    if not frame.height:
        raise InputError(
            f"No row of {table.name} has an outcome in {quoted(asked.label)} and a score in {quoted(asked.score)}."
        )
    named = _named(frame, meaning, asked)
    _check_ranks(asked, named["score"])
    accounting = account(
        table,
        query,
        counted,
        stages=None,
        left_out=kept.left_out,
        people=people_of,
        notes=(),
        evaluated=named.rename({CONTEXT + name: PROTECTED + name for name in asked.by}),
    )
    assert counted.meaning.decisions is not None
    return Predictions(
        attributes=tuple(asked.protected),
        by=tuple(asked.by),
        rows=named,
        levels={
            name: tuple(str(group) for code, group in labels.of.items() if code != (None,))
            for name, (_, labels) in meaning.attributes.items()
        },
        positive=tuple(counted.meaning.decisions.selected),
        similar=_similar(usable, meaning, table, asked) if asked.similar else None,
        accounting=_as_outcomes(accounting, asked),
    )


def _as_applicants(asked: PredictionQuery) -> ApplicantQuery:
    """Return what is asked as of applicants: the outcome stands where their decision does."""
    return ApplicantQuery(
        protected=asked.protected,
        selected=asked.label,
        selected_value=asked.label_value,
        outcome=True,
        score=asked.score,
        against=asked.against,
        cluster=asked.cluster,
        similar=asked.similar,
        unit=asked.unit,
        count=asked.count,
        no_count=asked.no_count,
        where=asked.where,
        unknown=asked.unknown,
    )


def _usable(table: OpenTable, expr: Any, asked: PredictionQuery, known: Spread | None) -> Any:
    """Return the rows with an outcome and a score, with what they pass."""
    usable = expr.filter(expr.decision.notnull() & (expr.state == USABLE))
    if "against" in expr.columns:
        usable = usable.filter(usable.against_state == USABLE)
    columns = {}
    for name, cutoff in (("score", asked.cutoff), ("against", _against_cutoff(asked))):
        if name not in usable.columns:
            continue
        bar = _threshold(table, asked, name, cutoff)
        if bar is not None:
            columns[f"{name}_level"] = level(usable[name], [bar])
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


def _against_cutoff(asked: PredictionQuery) -> float | None:
    return asked.cutoff if asked.against_cutoff is None else asked.against_cutoff


def _threshold(table: OpenTable, asked: PredictionQuery, name: str, cutoff: float | None) -> Threshold | None:
    """Return what a score has to pass; ranks are turned round."""
    column = table.expr[asked.score if name == "score" or asked.against is None else asked.against]
    if asked.top is not None:
        return Threshold(value=-float(asked.top), strict=False)
    return None if cutoff is None else Threshold(value=rounded_like(cutoff, column), strict=not asked.at_least)


def _rounded(score: Any, known: Spread | None) -> Any:
    """Return scores as they are, or in millionths of the largest where there are more rows than can be kept apart."""
    if known is None or known.n <= MOST_EXACT or known.lowest is None or known.highest is None:
        return score
    step = 1e-6 * max(abs(known.lowest), abs(known.highest), 1e-300)
    return (score / number(step)).round() * number(step)


def _named(frame: pl.DataFrame, meaning: Meaning, asked: PredictionQuery) -> pl.DataFrame:
    """Return the rows under the names that findings use."""
    columns = [
        frame[key].cast(pl.Int32).alias((CONTEXT if name in asked.by else PROTECTED) + name)
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


def _check_ranks(asked: PredictionQuery, turned: pl.Series) -> None:
    """Raise InputError where --top is asked of scores that are no ranks, which would select all of them."""
    first = -float(turned.max())  # type: ignore[arg-type]
    if asked.top is not None and first < 1:
        raise InputError(
            f"--top {asked.top} takes {quoted(asked.score)} for ranks, of which 1 is best, and it holds {first:g}; "
            "of a score that is better the higher, give --cutoff."
        )


def _as_outcomes(accounting: Accounting, asked: PredictionQuery) -> Accounting:
    """Return the accounting with ranks as they stand in the table."""
    scores = accounting.scores
    if scores is not None and asked.top is not None:
        turned = [None if end is None else -end for end in (scores.highest, scores.lowest)]
        scores = replace(scores, lowest=turned[0], highest=turned[1])
    return replace(accounting, scores=scores)


def _similar(rows: Any, meaning: Meaning, table: OpenTable, asked: PredictionQuery) -> SimilarPeople:
    """Return a sample of people with the columns by which they are alike; who lacks one of them is not in it."""
    names = [name for name in rows.columns if name.startswith("similar_")]
    keys = [name for name in rows.columns if name.startswith("key_")]
    kept = [*names, *keys, "decision", "score", *(["score_level"] if "score_level" in rows.columns else [])]
    frame = table.fetch(rows.select(kept), most=MOST_CELLS)
    read = frame.with_columns(_as_numbers(frame[name]) for name in names)
    complete = read.drop_nulls(names).sort(kept)
    order = np.random.default_rng(asked.seed).permutation(complete.height)[:MOST_SIMILAR]
    drawn = complete[np.sort(order)].with_columns(pl.lit(1).alias("n"))
    numeric = [name for name in names if drawn[name].dtype == pl.Float64]
    words = [drawn[name].rank("dense").cast(pl.Int64).to_numpy() for name in names if name not in numeric]
    return SimilarPeople(
        numbers=drawn.select(numeric).to_numpy().reshape(drawn.height, len(numeric)),
        words=np.stack(words, axis=1) if words else np.zeros((drawn.height, 0), dtype=np.int64),
        rows=_named(drawn, meaning, asked),
        of=complete.height,
        incomplete=read.height - complete.height,
    )


def _as_numbers(column: pl.Series) -> pl.Series:
    """Return a column of numbers as such, also where they are written as text; other columns as text."""
    if column.dtype.is_numeric():
        return column.cast(pl.Float64).fill_nan(None)
    text = column.cast(pl.String).str.strip_chars()
    text = text.set(text == "", None)
    numbers = text.cast(pl.Float64, strict=False)
    return numbers.fill_nan(None) if numbers.null_count() == text.null_count() else text
