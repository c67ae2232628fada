"""The manifest and the audit block of match scores, and how they are written."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.options import kept, words
from evenhand.runs.finished_run import Run
from evenhand.runs.options.output import Reported
from evenhand.runs.records.at_once import write_at_once
from evenhand.tables.audit.applicants.match import MatchAudit
from evenhand.tables.finding import Finding
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.run_folder import RunFolder

__all__ = ["MatchRun", "Matched", "write_match"]

TRAINING: Final = "How well do match scores fit the labels, for all and for each group, and what are they made of?"
SCORING: Final = "How well do these people and positions match, by the score of this matcher?"
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
    options: Reported
    inputs: Mapping[str, Path]
    said: Mapping[str, Any]
    input: Mapping[str, Any] = field(default_factory=dict)
    first: Sequence[str] = ()
    findings: Sequence[Finding] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    outcomes: pl.DataFrame | None = None


def write_match(folder: RunFolder, matched: Matched) -> MatchRun:
    """Write manifest, files, findings and, unless it is not wanted, the report; return the run."""
    audit = _block(matched)
    asked = {"kind": audit.kind, "model": audit.model, "input": matched.input, "parameters": audit.parameters}
    counts = {} if matched.outcomes is None else {folder.outcomes.stem: matched.outcomes}
    audit = write_at_once(
        folder,
        asked,
        audit,
        matched.findings,
        tables=matched.tables,
        counts=counts,
        files=matched.files,
        with_report=matched.options.report,
    )
    return MatchRun(folder=folder.path, audit=audit, findings=matched.findings)


def _block(matched: Matched) -> MatchAudit:
    """Return what the page prints besides the findings; all but when it was made."""
    audit = MatchAudit(
        parameters=kept(matched.options, only_given=True),
        limits=LIMITS,
        reproduce=shlex.join(
            ["evenhand", "match", matched.command, *matched.first, *words(matched.options, always=REQUIRED)]
        ),
        fingerprints={name: sha256_of(path) for name, path in matched.inputs.items() if path.is_file()},
        **matched.said,
    )
    if audit.trained is None:
        return replace(audit, question=SCORING)
    return replace(audit, question=TRAINING, versions={name: version(name) for name in PACKAGES})
