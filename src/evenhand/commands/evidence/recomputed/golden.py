"""A run on golden cases: from the table of cases, labels and scores."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.commands.monitor.golden.judged import cases_evaluated, read_cases
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.applicants.evaluate import GoldenAudit
from evenhand.tables.audit.reading import read_found
from evenhand.tables.run_folder import RunFolder

__all__ = ["recomputed"]

NOT_READ = (
    NotRecomputed(
        what="how scores were read from answers", why="the texts of résumés and positions are not in the bundle"
    ),
    NotRecomputed(what="labels and the scores of the run before", why="they lie in the store"),
)


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a run on golden cases, from cases.csv.

    Raises
    ------
    CheckFailed
        A score there is none of outcomes.parquet.

    """
    audit = read_found(folder).audit
    if not isinstance(audit, GoldenAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    table = read_cases(folder)
    _check_scores(table, pl.read_parquet(RunFolder(folder).outcomes))
    assert audit.decided.cutoff is not None
    again = cases_evaluated(table, cutoff=audit.decided.cutoff, against_cutoff=audit.decided.against_cutoff)
    return Recomputed(
        findings=again.found.findings, source="cases.csv, and the scores in outcomes.parquet", besides=NOT_READ
    )


def _check_scores(table: pl.DataFrame, outcomes: pl.DataFrame) -> None:
    given = outcomes.drop_nulls("score").group_by("item").agg(pl.col("score").mean())
    known = dict(given.iter_rows())
    for case, score in table.select("case", "score").iter_rows():
        if known.get(case) != score:
            raise CheckFailed(f"the score of case {case!r} in cases.csv is not that of outcomes.parquet")
