"""Scores with labels as tables for an evaluation: of recorded judgements by month, and of runs on golden cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import orjson
import polars as pl

from evenhand.monitoring.counts import ValueCounts
from evenhand.monitoring.golden_cases import cases_of, scale_of
from evenhand.monitoring.golden_labels import version_of
from evenhand.monitoring.store import Store
from evenhand.stats.rounding import kept_numbers

#: Columns of every table, which no group or breakdown may have; a row is N people.
SCORE, LABEL, N, CLUSTER, MONTH = "score ", "label ", "n ", "cluster ", "month "
#: The column of the title of a case's position.
TITLE: Final = "job title"
_SIDES: Final = ("no", "yes")


@dataclass(frozen=True, kw_only=True)
class LabelledScores:
    """A table of scores and labels, with the columns of its groups and of its slices; the rest is that of a run."""

    table: pl.DataFrame
    protected: tuple[str, ...]
    by: tuple[str, ...]
    cutoff: float | None = None
    started: str = ""
    scorer: str = ""
    version: int = 0


def labelled_models(store: Store) -> list[str]:
    """Return the models with scores of both labels."""
    rows = store.rows(
        "SELECT model FROM counts JOIN cells ON id = cell GROUP BY model "
        "HAVING max(length(scores_true)) > 0 AND max(length(scores_false)) > 0 ORDER BY model"
    )
    return [model for (model,) in rows]


def labelled_scores(store: Store, model: str, *, most_values: int) -> LabelledScores:
    """Return the scores of recorded judgements with a label, by month, group and breakdown.

    A breakdown has from 2 to `most_values` values.
    """
    parts: dict[tuple[str, ...], list[list[ValueCounts]]] = {}
    for *place, label_no, label_yes in store.rows(
        "SELECT position, decided_by, breakdown, groups, substr(day, 1, 7), scores_false, scores_true "
        "FROM counts JOIN cells ON id = cell "
        "WHERE model = ? AND (length(scores_true) > 0 OR length(scores_false) > 0)",
        (model,),
    ):
        both = [ValueCounts.unpacked(bytes(packed)) for packed in (label_no, label_yes)]
        parts.setdefault(tuple(place), []).append(both)
    groups: dict[str, None] = {}
    others: dict[str, None] = {}
    places: list[dict[str, str | None]] = []
    sides: list[ValueCounts] = []
    for (position, decided_by, breakdown, of_groups, month), counts in parts.items():
        known: Mapping[str, Any] = orjson.loads(of_groups)
        by_values = {"position": position, "decided_by": decided_by, **orjson.loads(breakdown), MONTH: month}
        groups |= dict.fromkeys(known)
        others |= dict.fromkeys(by_values)
        row = {name: value or None for name, value in {**by_values, **known}.items()}
        for side, label in enumerate(_SIDES):
            places.append(row | {LABEL: label})
            sides.append(ValueCounts.together([both[side] for both in counts]))
    of_place = np.repeat(np.arange(len(sides)), [side.values.size for side in sides])
    texts = dict.fromkeys((*others, *groups, LABEL), pl.String)
    table = pl.DataFrame(places, schema=texts)[of_place].with_columns(
        pl.Series(SCORE, kept_numbers(np.concatenate([side.values for side in sides]))),
        pl.Series(N, np.concatenate([side.counts for side in sides])),
    )
    by = [name for name in others if name not in groups and 1 < table[name].drop_nulls().n_unique() <= most_values]
    by += [] if MONTH in by else [MONTH]  # also of one month
    return LabelledScores(table=table, protected=tuple(name for name in groups if table[name].count()), by=tuple(by))


def golden_versions(store: Store) -> dict[str, str]:
    """Return the models that were run on golden cases, with a text that changes with every run."""
    rows = store.rows("SELECT model, count(*), max(recorded) FROM golden_runs GROUP BY model ORDER BY model")
    return {model: f"{runs} {last}" for model, runs, last in rows}


def golden_scores(store: Store, model: str) -> list[LabelledScores]:
    """Return a model's runs on golden cases; a case has the groups, and the title of its position."""
    scale, runs = scale_of(store), []
    cases = {case.id: case for case in cases_of(store, with_texts=False)}
    attributes = tuple(sorted({name for case in cases.values() for name in case.groups} - {TITLE}))
    texts = dict.fromkeys((LABEL, CLUSTER, TITLE, *attributes), pl.String)
    for number, version, cutoff, started, scorer in store.rows(
        "SELECT id, version, cutoff, started, scorer FROM golden_runs WHERE model = ? ORDER BY id", (model,)
    ):
        labels = version_of(store, version).labels
        rows = [
            {
                SCORE: score,
                N: 1,
                LABEL: _SIDES[scale.is_yes(labels[case])],
                CLUSTER: cases[case].cluster,
                TITLE: cases[case].position.get("title"),
                **{attribute: cases[case].groups.get(attribute) for attribute in attributes},
            }
            for case, score in store.rows("SELECT case_id, score FROM golden_scores WHERE run = ?", (number,))
            if case in labels and case in cases
        ]
        table = pl.DataFrame(rows, schema={SCORE: pl.Float64, N: pl.Int64, **texts})
        of_run = {"cutoff": cutoff, "started": started, "scorer": scorer, "version": version}
        runs.append(LabelledScores(table=table, protected=attributes, by=(TITLE,), **of_run))
    return runs
