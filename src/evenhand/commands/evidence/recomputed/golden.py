"""A run on golden cases: from the table of cases, labels and scores."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.commands.monitor.golden.judged import cases_evaluated, read_cases
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.monitoring.golden.versions import digest_of
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.applicants.evaluate import GoldenAudit
from evenhand.tables.audit.reading import read_found
from evenhand.tables.run_folder import RunFolder

__all__ = ["recomputed"]

NOT_READ = NotRecomputed(
    what="how scores were read from answers", why="the texts of résumés and positions are not in the bundle"
)
NOT_BEFORE = NotRecomputed(what="the scores of the run before", why="they lie in the store")


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a run on golden cases, from cases.csv.

    Raises
    ------
    CheckFailed
        A score there is none of outcomes.parquet, or the labels are not those of the version.

    """
    audit = read_found(folder).audit
    if not isinstance(audit, GoldenAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    table = read_cases(folder)
    _check_scores(table, pl.read_parquet(RunFolder(folder).outcomes))
    _check_labels(table, audit)
    assert audit.decided.cutoff is not None
    again = cases_evaluated(table, cutoff=audit.decided.cutoff, against_cutoff=audit.decided.against_cutoff)
    return Recomputed(
        findings=again.found.findings,
        source="cases.csv, and the scores in outcomes.parquet",
        besides=[NOT_READ] if audit.held_against is None else [NOT_READ, NOT_BEFORE],
    )


def _check_scores(table: pl.DataFrame, outcomes: pl.DataFrame) -> None:
    given = outcomes.drop_nulls("score").group_by("item").agg(pl.col("score").mean())
    known = dict(given.iter_rows())
    for case, score in table.select("case", "score").iter_rows():
        if known.get(case) != score:
            raise CheckFailed(f"the score of case {case!r} in cases.csv is not that of outcomes.parquet")


def _check_labels(table: pl.DataFrame, audit: GoldenAudit) -> None:
    """Hold labels against the SHA-256 of the version, as long as none of its cases was forgotten."""
    labels = {case: audit.labels.index(label) for case, label in table.select("case", "label").iter_rows()}
    if not audit.forgotten and digest_of(labels) != audit.digest:
        raise CheckFailed(f"the labels in cases.csv are not those of version {audit.version} of the golden set")
    positive = audit.labels.index(audit.positive)
    for case, yes in table.select("case", "yes").iter_rows():
        if (yes == "yes") != (labels[case] >= positive):
            raise CheckFailed(f"case {case!r} in cases.csv is counted as another label than it has")
