"""A matcher that was trained: from the scores and labels of its test pairs. Other runs of `match` have no findings."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.commands.match.evaluated import evaluated
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.reading import read_found
from evenhand.tables.run_folder import RunFolder

__all__ = ["recomputed"]


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of test pairs; those of features need the texts, and are of others."""
    saved = read_found(folder).findings
    path = RunFolder(folder).outcomes
    outcomes = pl.read_parquet(path) if path.is_file() and saved else None
    found = [] if outcomes is None or not outcomes["label"].count() else evaluated(outcomes)
    known = {finding.name for finding in found}
    why = "they need features, which verify does not make of texts again"
    left = "the matcher and its tables" if saved else "scores, lists and reasons"
    return Recomputed(
        findings=found,
        source="the scores and labels in outcomes.parquet" if found else "",
        without={finding.name: why for finding in saved if finding.name not in known},
        besides=[NotRecomputed(what=left, why=why)],
    )
