"""The manifest and the audit block of an evaluation, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

import polars as pl

from evenhand.findings.scores.evaluation.findings import Evaluation
from evenhand.runs.finished_run import Run
from evenhand.runs.records.at_once import write_at_once
from evenhand.tables.audit.applicants.accounting import Accounting
from evenhand.tables.audit.applicants.evaluate import Decided, EvaluateAudit, Similar
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
    columns: Mapping[str, str]
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
    asked = {
        "kind": "evaluate",
        "source": evaluated.source,
        "input": {"rows": evaluated.accounting.rows_read, "columns": evaluated.columns},
        "parameters": evaluated.parameters,
    }
    findings = evaluated.found.findings
    block, tables = evaluation_block(evaluated, EvaluateAudit), evaluation_tables(evaluated)
    audit = write_at_once(folder, asked, block, findings, tables=tables, with_report=with_report)
    return EvaluateRun(folder=folder.path, audit=audit, findings=findings)


def evaluation_tables(evaluated: Evaluated) -> dict[str, pl.DataFrame]:
    """Return the tables besides the findings, by the names of their files."""
    cutoffs = evaluated.found.cutoffs
    return {"cutoffs.csv": pl.DataFrame([asdict(each) for each in cutoffs])} if cutoffs else {}


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
        fingerprints=evaluated.fingerprints,
    )
