"""The manifest and the audit block of match scores, and how they are written."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.options import kept, words
from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.options.output import Output
from evenhand.runs.records.opened import OpenedRun
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.audit.applicants.match import MatchAudit
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_atomically
from evenhand.tables.finding import Finding
from evenhand.tables.fingerprints import sha256_of

__all__ = ["MatchRun", "Matched", "write_match"]

TRAINING: Final = "How well do match scores fit the labels, for all and for each group, and what are they made of?"
PACKAGES: Final = ("lightgbm", "scikit-learn")
#: Options without a default, which a command line that repeats the run has in any case.
REQUIRED: Final = ("people", "positions", "label", "protected", "matcher")
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
    """What was made of whom: `said` are fields of the block; files by name, tables are written as CSV.

    `inputs` are files by what they are, `input` the rows and columns of a table among them, `first` is the word of the
    command line before the options.
    """

    command: str
    options: Output
    inputs: Mapping[str, Path]
    said: Mapping[str, Any]
    input: Mapping[str, Any] = field(default_factory=dict)
    first: Sequence[str] = ()
    findings: Sequence[Finding] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    outcomes: pl.DataFrame | None = None


def write_match(opened: OpenedRun, matched: Matched) -> MatchRun:
    """Write manifest, files, findings and report; return the run."""
    folder, begun = opened.folder, utc_now()
    audit = _block(matched)
    manifest: dict[str, Any] = {
        "kind": audit.kind,
        "model": audit.model,
        "input": matched.input,
        "parameters": audit.parameters,
        "versions": audit.versions,
        "fingerprints": audit.fingerprints,
        "status": "running",
        "started": begun,
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
    audit = replace(audit, started=begun, finished=manifest["finished"])
    folder.write_findings(audit, matched.findings)
    write_files(folder.path)
    folder.write_manifest(manifest)
    return MatchRun(folder=folder.path, audit=audit, findings=matched.findings)


def _block(matched: Matched) -> MatchAudit:
    """Return what the page prints besides the findings; all but when it was made."""
    audit = MatchAudit(
        parameters=kept(matched.options, only_given=True),
        limits=LIMITS,
        reproduce=shlex.join(
            ["evenhand", "match", matched.command, *matched.first, *words(matched.options, always=REQUIRED)]
        ),
        versions=package_versions(),
        fingerprints={name: sha256_of(path) for name, path in matched.inputs.items() if path.is_file()},
        **matched.said,
    )
    if audit.trained is None:
        return audit
    return replace(audit, question=TRAINING, versions={**audit.versions, **{name: version(name) for name in PACKAGES}})
