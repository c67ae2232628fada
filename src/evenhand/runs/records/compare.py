"""The manifest and the audit block of a comparison, and how it is written."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from evenhand.models.model import Generation
from evenhand.options import kept, words
from evenhand.probes.shared.probe import Probe
from evenhand.report import write_files
from evenhand.runs.finished_run import ProbeRun, Run
from evenhand.runs.manifest import Manifest
from evenhand.runs.options.measuring import CompareOptions
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.audit.compare import CompareAudit, ComparedProbe, ComparedRun
from evenhand.tables.finding import Finding
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.run_folder import RunFolder

__all__ = ["Compared", "Comparison", "compared_probe", "write_comparison"]

QUESTION = "Do these models differ in the same measures on the same prompts?"


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A finished run of one probe, with the label of its model."""

    label: str
    manifest: Manifest
    run: ProbeRun

    @property
    def folder(self) -> RunFolder:
        """Return its folder."""
        return RunFolder(self.run.folder)

    @property
    def by_name(self) -> dict[str, Finding]:
        """Return its findings by their names."""
        return {row.name: row for row in self.run.findings}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What was compared, and how it is asked for again."""

    paths: Sequence[Path]
    probes: Sequence[ComparedProbe]
    findings: Sequence[Finding]
    warnings: Sequence[str]
    options: CompareOptions


def compared_probe(probe: Probe, runs: Sequence[Compared], headline: Sequence[str]) -> ComparedProbe:
    """Return what the report prints about one probe of the comparison."""
    audit = runs[0].run.audit
    return ComparedProbe(
        probe=probe.name,
        title=audit.title,
        question=audit.question,
        success=audit.success,
        subject=audit.subject,
        labels=audit.labels,
        quantities=audit.quantities,
        wordings=audit.wordings,
        bands=audit.bands,
        references=audit.references,
        regression=audit.regression,
        limits=audit.limits,
        headline=tuple(headline),
        runs=tuple(_run(each, differing=_differing(runs)) for each in runs),
    )


def _differing(runs: Sequence[Compared]) -> list[str]:
    """Return the decoding parameters besides the temperature that are not the same in all runs."""
    names = [each.name for each in fields(Generation) if each.name != "temperature"]
    return [name for name in names if len({each.manifest.parameters.get(name) for each in runs}) > 1]


def _run(each: Compared, *, differing: Sequence[str]) -> ComparedRun:
    parameters = each.manifest.parameters
    return ComparedRun(
        model=each.label,
        folder=str(each.run.folder),
        simulated=each.manifest.simulated,
        answers=each.run.audit.attempts,
        observed=each.run.audit.statuses.get("observed", 0),
        temperature=parameters.get("temperature"),
        decoding={name: parameters.get(name) for name in differing} or None,
        seed=parameters.get("seed"),
        finished=each.manifest.finished,
    )


def write_comparison(folder: RunFolder, comparison: Comparison) -> Run:
    """Write manifest, findings and report; return the run."""
    audit = _block(comparison, started=utc_now())
    manifest = {
        "kind": audit.kind,
        "model": audit.model,
        "parameters": kept(comparison.options),
        "versions": audit.versions,
        "fingerprints": {
            f"{run.folder}/{file.name}": sha256_of(file)
            for probe in audit.probes
            for run in probe.runs
            for file in (RunFolder(Path(run.folder)).outcomes,)
        },
        "started": audit.started,
        "finished": None,
    }
    folder.write_manifest({**manifest, "status": "running"})
    folder.write_findings(audit, comparison.findings)
    write_files(folder.path)
    folder.write_manifest({**manifest, "status": "finished", "finished": utc_now()})
    return Run(folder=folder.path, audit=audit, findings=comparison.findings)


def _block(comparison: Comparison, *, started: str) -> CompareAudit:
    probes = comparison.probes
    simulated = [run.model for run in probes[0].runs if run.simulated]
    options = comparison.options
    return CompareAudit(
        title="Comparison",
        model=" · ".join(run.model for run in probes[0].runs),
        question=QUESTION,
        simulated=bool(simulated),
        simulated_note=f"These models are simulated, with a known bias: {', '.join(simulated)}." if simulated else None,
        parameters={"runs": [str(path) for path in comparison.paths], "seed": options.seed},
        probes=tuple(probes),
        warnings=tuple(comparison.warnings),
        limits=tuple(dict.fromkeys(line for probe in probes for line in probe.limits)),
        reproduce=shlex.join(["evenhand", "compare", *map(str, comparison.paths), *words(options, always=("seed",))]),
        versions=package_versions(),
        started=started,
        finished=utc_now(),
    )
