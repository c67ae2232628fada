"""A perturbation test: from the scores of all arms."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.commands.perturb.judged import judged_outcomes
from evenhand.errors import InputError
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.findings.scores.perturbation.findings import perturb_table
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.perturb import PerturbAudit
from evenhand.tables.audit.reading import read_found
from evenhand.tables.run_folder import RunFolder

__all__ = ["recomputed"]

READ = NotRecomputed(
    what="how scores were read from answers", why="verify does not write the résumés of all arms again"
)


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a perturbation test, from its outcomes."""
    content = read_found(folder)
    audit = content.audit
    if not isinstance(audit, PerturbAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    outcomes = pl.scan_parquet(RunFolder(folder).outcomes)
    seed = manifest.parameters["seed"]
    findings = judged_outcomes(outcomes, audit.experiment, manifest.settings, seed=seed)
    tables = {"perturb.csv": perturb_table(findings)}
    return Recomputed(findings=findings, source="the scores in outcomes.parquet", tables=tables, besides=[READ])
