"""The audit block of a run on golden cases, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.manifest import manifest_of
from evenhand.runs.records.scores.evaluate import Evaluated, evaluation_block
from evenhand.runs.records.stamps import utc_now
from evenhand.tables.audit.applicants.evaluate import Decided, GoldenAudit, HeldAgainst
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
TWINS: Final = (
    "Some cases are twins: one résumé for several groups. They count one by one; intervals let them vary together."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class GoldenRun(Run):
    """What a run on golden cases left behind."""

    audit: GoldenAudit


@dataclass(frozen=True, kw_only=True)
class GoldenCases:
    """The cases that were scored, as a table; the version that they are of, and the run that they are held against."""

    table: pl.DataFrame
    version: int
    digest: str
    labels: tuple[str, ...]
    positive: str
    forgotten: int
    model: str
    against: HeldAgainst | None


def write_golden(
    folder: RunFolder,
    manifest: Mapping[str, Any],
    evaluated: Evaluated,
    cases: GoldenCases,
    *,
    reproduce: str,
    warnings: Sequence[str],
) -> GoldenRun:
    """Write the table of cases, findings and report of scores that are there; return the run."""
    known = manifest_of({**manifest, "finished": utc_now()})
    twins = cases.table["twin"].n_unique() < cases.table.height
    audit = replace(
        evaluation_block(evaluated, GoldenAudit),
        question=QUESTION,
        limits=(*LIMITS, *((TWINS,) if twins else ())),
        source=f"Golden set, version {cases.version}",
        scorer=known.model,
        version=cases.version,
        digest=cases.digest,
        labels=cases.labels,
        positive=cases.positive,
        forgotten=cases.forgotten,
        twins=twins,
        judged_as=cases.model,
        held_against=cases.against,
        decided=_decided(evaluated.decided, cases),
        parameters={},
        simulated=known.simulated,
        simulated_note=SIMULATED if known.simulated else None,
        warnings=(*warnings, *evaluated.warnings),
        reproduce=reproduce,
        started=known.started,
        finished=known.finished,
        versions=known.versions,
        fingerprints=known.fingerprints,
    )
    write_atomically(folder.path / "cases.csv", csv_bytes(cases.table))
    folder.write_findings(audit, evaluated.found.findings)
    write_files(folder.path)
    return GoldenRun(folder=folder.path, audit=audit, findings=evaluated.found.findings)


def _decided(decided: Decided, cases: GoldenCases) -> Decided:
    """Return how decisions follow from scores, with what people said as the outcome."""
    two = len(cases.labels) == 2
    return replace(
        decided,
        against=None if cases.against is None else "previous",
        against_cutoff=None if cases.against is None else cases.against.cutoff,
        happened=f"the label {cases.positive}{'' if two else ' or a higher one'}",
        not_happened=f"the label {cases.labels[0]}" if two else f"a label below {cases.positive}",
    )
