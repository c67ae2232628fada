"""A comparison: from the runs that were compared, where they are in the bundle, too."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.commands.compare import compared_runs
from evenhand.commands.evidence.runs import outcomes_of
from evenhand.errors import InputError
from evenhand.evidence.recomputed import Recomputed
from evenhand.runs.finished_run import finished_probe
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.options.again import options_again
from evenhand.runs.options.measuring import CompareOptions
from evenhand.runs.records.compare import Compared
from evenhand.tables.audit.compare import CompareAudit, ComparedProbe, ComparedRun
from evenhand.tables.audit.reading import read_found

__all__ = ["recomputed"]


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:
    """Return the differences between models, from the runs that have the outcomes that were compared."""
    content = read_found(folder)
    audit = content.audit
    if not isinstance(audit, CompareAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    there = outcomes_of(beside)
    grouped = {probe.probe: [_compared(run, probe, manifest, there) for run in probe.runs] for probe in audit.probes}
    if any(run is None for runs in grouped.values() for run in runs):
        why = "the runs that were compared are not in the bundle; bundle them with the comparison"
        return Recomputed(findings=[], source="", without={finding.name: why for finding in content.findings})
    found = compared_runs(
        {probe: [run for run in runs if run is not None] for probe, runs in grouped.items()},
        options_again(CompareOptions, manifest.parameters),
    )
    return Recomputed(findings=found.findings, source="the runs that were compared")


def _compared(run: ComparedRun, probe: ComparedProbe, manifest: Manifest, there: dict[str, Path]) -> Compared | None:
    """Return a run of the bundle with the outcomes that were compared; None where there is none."""
    place = there.get(manifest.fingerprints.get(f"{run.folder}/outcomes.parquet", ""))
    own = None if place is None else read_manifest(place)
    if place is None or own is None or own.probe != probe.probe:
        return None
    return Compared(label=run.model, manifest=own, run=finished_probe(place))
