"""An evaluation: from the table of scores and outcomes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evenhand.commands.evaluate.run import evaluated
from evenhand.commands.evidence.asked import AskedRun, given_below
from evenhand.errors import InputError
from evenhand.evidence.recomputed import Recomputed
from evenhand.runs.manifest import Manifest
from evenhand.runs.options.again import options_again
from evenhand.runs.options.scores.evaluate import EvaluateOptions
from evenhand.runs.records.scores.evaluate import evaluation_block, evaluation_tables
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.audit.reading import read_found

__all__ = ["recomputed"]


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings and tables of an evaluation, from its rows."""
    content = read_found(folder)
    audit = content.audit
    if not isinstance(audit, EvaluateAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    source = AskedRun(manifest=manifest, given=given_below(folder)).source
    if source is None:
        why = "the rows that were counted are not in the bundle"
        return Recomputed(findings=[], source="", without={finding.name: why for finding in content.findings})
    again = evaluated(source, options_again(EvaluateOptions, manifest.parameters))
    accounting = replace(again.accounting, source=audit.accounting.source)
    made = evaluation_block(replace(again, accounting=accounting), EvaluateAudit)
    same = ("decided", "accounting", "cutoffs", "tensions", "floor_notes", "similar", "warnings", "attributes", "by")
    return Recomputed(
        findings=again.found.findings,
        source="the rows that were counted",
        audit=replace(audit, **{name: getattr(made, name) for name in same}),
        tables=evaluation_tables(again),
    )
