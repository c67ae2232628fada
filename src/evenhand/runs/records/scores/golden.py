"""The audit block of a run on golden cases, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.manifest import manifest_of
from evenhand.runs.records.scores.evaluate import Evaluated, evaluation_block, evaluation_tables
from evenhand.runs.records.stamps import utc_now
from evenhand.tables.audit.applicants.evaluate import GoldenAudit
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_atomically
from evenhand.tables.run_folder import RunFolder

__all__ = ["GoldenRun", "write_golden"]

QUESTION: Final = "Does the scorer judge golden cases as people did, and in which groups less so?"
SIMULATED: Final = "The scores come from a simulated scorer, not from a system in use."
LIMITS: Final = (
    "Golden cases were chosen, not drawn: the numbers are of these cases, and those of all applicants may be others.",
    "What people said is taken as the truth. Where they share a bias, it is in every number here.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class GoldenRun(Run):
    """What a run on golden cases left behind."""

    audit: GoldenAudit


def write_golden(
    folder: RunFolder,
    manifest: Mapping[str, Any],
    evaluated: Evaluated,
    *,
    version: int,
    previous: str | None,
    reproduce: str,
    warnings: Sequence[str],
) -> GoldenRun:
    """Write tables, findings and report of scores that are there; return the run."""
    known = manifest_of({**manifest, "finished": utc_now()})
    audit = replace(
        evaluation_block(evaluated, GoldenAudit),
        question=QUESTION,
        limits=LIMITS,
        source=f"Golden set, version {version}",
        scorer=known.model,
        version=version,
        previous=previous,
        simulated=known.simulated,
        simulated_note=SIMULATED if known.simulated else None,
        warnings=(*warnings, *evaluated.warnings),
        reproduce=reproduce,
        started=known.started,
        finished=known.finished,
        versions=known.versions,
        fingerprints=known.fingerprints,
    )
    tables = evaluation_tables(evaluated)
    for name, table in tables.items():
        write_atomically(folder.path / name, csv_bytes(table))
    folder.write_findings(audit, evaluated.found.findings)
    write_files(folder.path, at_hand=tables)
    return GoldenRun(folder=folder.path, audit=audit, findings=evaluated.found.findings)
