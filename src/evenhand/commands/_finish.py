"""From answers joined with their stimuli to a finished run folder."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl

from evenhand import report
from evenhand.collect.outcomes import write_outcomes
from evenhand.commands._audit_block import audit_block
from evenhand.commands._run import Run
from evenhand.findings import measure_outcomes
from evenhand.probes import Design, Probe
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.run_folder import RunFolder

__all__ = ["Notices", "Progress", "finish_run", "lexicon_fingerprints", "utc_now"]

#: Takes one-line remarks for the user.
Notices = Callable[[str], None]
#: Takes the attempts done and planned.
Progress = Callable[[int, int], None]


def finish_run(
    probe: Probe,
    pieces: Iterable[pl.DataFrame],
    folder: RunFolder,
    manifest: dict[str, Any],
    *,
    design: Design | None,
    warnings: list[str],
    reproduce: str,
    notice: Notices,
    with_report: bool = True,
) -> Run:
    """Write outcomes, findings and, unless it is not wanted, the report."""
    if with_report:
        report.prepare_renderer()
    for line in warnings:
        notice(f"Warning: {line}")
    summary = write_outcomes(pieces, probe, folder.outcomes)
    findings = measure_outcomes(pl.scan_parquet(folder.outcomes), probe.measured, seed=manifest["parameters"]["seed"])
    manifest = {**manifest, "status": "finished", "finished": utc_now()}
    audit = audit_block(probe, design, manifest, summary, findings, warnings=warnings, reproduce=reproduce)
    content = folder.write_findings(audit, findings)
    if with_report:
        report.write_report(folder.path)
        report.write_findings_csv(folder.path)
    folder.write_manifest(manifest)
    return Run(folder=folder.path, audit=content["audit"], findings=content["findings"])


def lexicon_fingerprints() -> dict[str, str]:
    """Return the sha256 of each table in lexicons/."""
    folder = Path(str(files("evenhand.lexicons")))
    return {f"lexicons/{file.name}": sha256_of(file) for file in sorted(folder.glob("*.csv"))}


def utc_now() -> str:
    """Return the time as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
