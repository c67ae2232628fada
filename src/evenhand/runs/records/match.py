"""The manifest and the audit block of match scores, and how they are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any, Final

import polars as pl

from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.records.opened import OpenedRun
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.audit.applicants.match import MatchAudit
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_atomically
from evenhand.tables.finding import Finding

__all__ = ["MatchRun", "Matched", "write_match"]

TRAINING: Final = "How well do match scores fit the labels, for all and for each group, and what are they made of?"
PACKAGES: Final = ("lightgbm", "scikit-learn")
LIMITS: Final = (
    "A match score repeats the labels that it was trained on: where they were unfair, so is it, unless the penalty or "
    "what features leave out takes that away.",
    "Masked texts still tell of people: dates, gaps between jobs, and words that masking missed may stand for a group.",
    "A score is of a pair. It says nothing of a person apart from the position.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class MatchRun(Run):
    """What `evenhand match` left behind."""

    audit: MatchAudit


@dataclass(frozen=True, kw_only=True)
class Matched:
    """What was made: the block, findings, and files by name; tables are written as CSV, outcomes as Parquet."""

    audit: MatchAudit
    findings: Sequence[Finding] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    outcomes: pl.DataFrame | None = None


def write_match(opened: OpenedRun, matched: Matched) -> MatchRun:
    """Write manifest, files, findings and report; return the run."""
    folder = opened.folder
    versions = {**package_versions(), **({name: version(name) for name in PACKAGES} if matched.audit.trained else {})}
    manifest: dict[str, Any] = {
        "kind": matched.audit.kind,
        "model": matched.audit.model,
        "parameters": matched.audit.parameters,
        "versions": versions,
        "fingerprints": matched.audit.fingerprints,
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }
    opened.begin(manifest)
    for name, content in matched.files.items():
        write_atomically(folder.path / name, content)
    for name, table in matched.tables.items():
        write_atomically(folder.path / name, csv_bytes(table))
    if matched.outcomes is not None:
        matched.outcomes.write_parquet(folder.outcomes)
    manifest |= {"status": "finished", "finished": utc_now()}
    audit = replace(
        matched.audit,
        question=TRAINING if matched.audit.trained else None,
        limits=(*LIMITS, *matched.audit.limits),
        started=manifest["started"],
        finished=manifest["finished"],
        versions=versions,
    )
    folder.write_findings(audit, matched.findings)
    write_files(folder.path)
    folder.write_manifest(manifest)
    return MatchRun(folder=folder.path, audit=audit, findings=matched.findings)
