"""A suite: from the findings of its probes, each of which is computed again for itself."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.errors import InputError
from evenhand.evidence.recomputed import Recomputed
from evenhand.runs.finished_run import finished_probe
from evenhand.runs.manifest import Manifest
from evenhand.runs.records.suite import suite_findings

__all__ = ["recomputed"]


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:
    """Return the findings of a suite, from those of its probes."""
    folders = {probe: folder / probe for probe in manifest.probes}
    lacking = [probe for probe, path in folders.items() if path not in beside]
    if lacking:
        raise InputError(f"{folder} names the probe {lacking[0]}, which is not in the bundle.")
    findings = suite_findings({probe: finished_probe(path).findings for probe, path in folders.items()})
    return Recomputed(findings=findings, source="the findings of its probes")
