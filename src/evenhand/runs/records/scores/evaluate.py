"""The manifest and the audit block of an evaluation, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import polars as pl

from evenhand.findings.scores.evaluation.findings import Evaluation
from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.audit.applicants.accounting import Accounting
from evenhand.tables.audit.applicants.evaluate import Decided, EvaluateAudit, Similar
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_atomically
from evenhand.tables.run_folder import RunFolder

__all__ = ["EvaluateRun", "Evaluated", "evaluation_block", "evaluation_tables", "write_evaluation"]

Block = TypeVar("Block", bound=EvaluateAudit)

QUESTION = "Which groups does the score serve worse: in ranking, in errors, in what it promises?"
LIMITS = (
    "What happened is known only of those in the table. Where the score, or an earlier selection, decided who could "
    "succeed at all, the others are missing, and the rates are of those who were let through.",
    "The outcome column is taken as the truth. Where a rating or an arrest stands for it, its own bias is in every "
    "number here.",
    "An error rate that is equal in all groups is no proof that the score is used lawfully, and a difference is no "
    "proof of discrimination.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluateRun(Run):
    """What an evaluation left behind."""

    audit: EvaluateAudit


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """What was evaluated, what was found, and how it is asked for again."""

    source: str
    fingerprints: Mapping[str, str]
    attributes: Sequence[str]
    by: Sequence[str]
    accounting: Accounting
    decided: Decided
    found: Evaluation
    similar: Similar
    parameters: Mapping[str, object]
    warnings: Sequence[str]
    reproduce: str


def write_evaluation(folder: RunFolder, evaluated: Evaluated, *, with_report: bool) -> EvaluateRun:
    """Write manifest, cutoffs.csv, findings and, unless it is not wanted, the report; return the run."""
    manifest: dict[str, Any] = {
        "kind": "evaluate",
        "source": evaluated.source,
        "input": {"rows": evaluated.accounting.rows_read},
        "parameters": evaluated.parameters,
        "versions": package_versions(),
        "fingerprints": evaluated.fingerprints,
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }
    folder.write_manifest(manifest)
    tables = evaluation_tables(folder, evaluated)
    manifest |= {"status": "finished", "finished": utc_now()}
    audit = replace(
        evaluation_block(evaluated, EvaluateAudit),
        started=manifest["started"],
        finished=manifest["finished"],
        versions=manifest["versions"],
        fingerprints=manifest["fingerprints"],
    )
    folder.write_findings(audit, evaluated.found.findings)
    if with_report:
        write_files(folder.path, at_hand=tables)
    folder.write_manifest(manifest)
    return EvaluateRun(folder=folder.path, audit=audit, findings=evaluated.found.findings)


def evaluation_tables(folder: RunFolder, evaluated: Evaluated) -> dict[str, pl.DataFrame]:
    """Write cutoffs.csv, where cut-offs were tried; return what was written, by the file's name."""
    if not evaluated.found.cutoffs:
        return {}
    table = pl.DataFrame([asdict(each) for each in evaluated.found.cutoffs])
    write_atomically(folder.path / "cutoffs.csv", csv_bytes(table))
    return {"cutoffs.csv": table}


def evaluation_block(evaluated: Evaluated, of: type[Block]) -> Block:
    """Return what the page prints besides the findings; all but when and by what it was made."""
    return of(
        question=QUESTION,
        source=evaluated.source,
        parameters=evaluated.parameters,
        attributes=tuple(evaluated.attributes),
        by=tuple(evaluated.by),
        decided=evaluated.decided,
        accounting=evaluated.accounting,
        cutoffs=evaluated.found.cutoffs,
        tensions=evaluated.found.tensions,
        floor_notes=evaluated.found.floor_notes,
        similar=evaluated.similar,
        limits=LIMITS,
        warnings=tuple(evaluated.warnings),
        reproduce=evaluated.reproduce,
    )
