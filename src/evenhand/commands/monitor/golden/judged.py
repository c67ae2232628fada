"""Golden cases beside what people said and scorers gave: the table of a run, and its evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from evenhand.commands.evaluate.run import evaluated
from evenhand.monitoring.golden.cases import CASE_COLUMNS, Case, Scale
from evenhand.runs.options.scores.evaluate import EvaluateOptions
from evenhand.runs.records.scores.evaluate import Evaluated
from evenhand.tables.csv_files import read_csv
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import (
    ACCURACY,
    AUC,
    BASE_RATE,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    CHANGE,
    DIFFERENCE,
    F1,
    FNR,
    FPR,
    PRECISION,
    SELECTION_RATE,
    TNR,
    TPR,
)

__all__ = ["CASES", "cases_evaluated", "cases_table", "read_cases"]

#: The table in a run's folder, from which its findings follow.
CASES: Final = "cases.csv"
#: What is told of cases that were chosen; how many of a group are selected says something of applicants only.
_OF_GROUPS: Final = (ACCURACY, AUC, TPR, FNR, TNR, FPR, PRECISION, F1, BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE)
_TOLD: Final = frozenset({BASE_RATE, SELECTION_RATE, *_OF_GROUPS, *(f"{DIFFERENCE}{name}" for name in _OF_GROUPS)})
_SCORES: Final = ("score", "previous")


def cases_table(
    cases: Sequence[Case],
    labels: Mapping[str, int],
    scale: Scale,
    *,
    scores: Mapping[str, float],
    previous: Mapping[str, float],
) -> pl.DataFrame:
    """Return a row for each case: what people said, what the scorer gave it, what the run before did, its groups."""
    attributes = sorted({name for each in cases for name in each.groups})
    said = [labels[each.id] for each in cases]
    columns = {
        "case": [each.id for each in cases],
        "twin": [each.id if each.twin is None else each.twin for each in cases],
        "label": [scale.labels[each] for each in said],
        "yes": ["yes" if scale.is_yes(each) else "no" for each in said],
        "score": [scores.get(each.id) for each in cases],
        "previous": [previous.get(each.id) for each in cases],
        **{name: [each.groups.get(name) for each in cases] for name in attributes},
    }
    return pl.DataFrame(columns, schema=_schema(list(columns)))


def read_cases(folder: Path) -> pl.DataFrame:
    """Return the table of a run's folder."""
    path = folder / CASES
    return read_csv(path, _schema(pl.read_csv(path, n_rows=0).columns))


def cases_evaluated(table: pl.DataFrame, *, cutoff: float, against_cutoff: float | None) -> Evaluated:
    """Return the evaluation of a table of cases; with an `against_cutoff` also of what changed, where both scored.

    Twins are dependent: where there are any, intervals and p let the cases of a pair vary together.

    Raises
    ------
    InputError
        A group can't be read.

    """
    attributes = tuple(name for name in table.columns if name not in CASE_COLUMNS)
    twins = table["twin"].n_unique() < table.height
    options = EvaluateOptions(
        label="yes=yes", score="score", cutoff=cutoff, protected=attributes, cluster="twin" if twins else None
    )
    alone = evaluated(table, options)
    findings = [each for each in alone.found.findings if each.measure in _TOLD]
    both = table.filter(pl.col("previous").is_not_null() & pl.col("score").is_not_null())
    if against_cutoff is not None and both.height:
        paired = evaluated(both, replace(options, against="previous", against_cutoff=against_cutoff))
        findings += [each for each in paired.found.findings if each.measure.startswith(CHANGE)]
    return replace(alone, found=replace(alone.found, findings=_by_group(findings), cutoffs=(), tensions=()))


def _by_group(findings: Sequence[Finding]) -> list[Finding]:
    """Return those of all cases before those of groups."""
    return [*(each for each in findings if not each.focal), *(each for each in findings if each.focal)]


def _schema(columns: Sequence[str]) -> dict[str, pl.DataType]:
    return {name: pl.Float64() if name in _SCORES else pl.String() for name in columns}
