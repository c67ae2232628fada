"""The manifest and the audit block of a perturbation test, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.collect.outcomes import OutcomeSummary
from evenhand.errors import InputError
from evenhand.findings.scores.perturbation.findings import perturb_table
from evenhand.models.model import Model
from evenhand.probes.shared.probe import Design, Probe
from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.manifest import Manifest, manifest_of, read_manifest
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.progress import Notices
from evenhand.runs.records.asked import check_resumable, probe_manifest, resumed_manifest
from evenhand.runs.records.stamps import utc_now
from evenhand.tables.audit.perturb import Experiment, MovedPair, NameShown, PerturbAudit
from evenhand.tables.csv_files import csv_bytes, read_csv
from evenhand.tables.files import write_atomically
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import RunFolder
from evenhand.tables.schemas import PERTURB

__all__ = [
    "PerturbRun",
    "Perturbed",
    "begun_manifest",
    "finish_manifest",
    "parts_of",
    "perturb_manifest",
    "write_perturbed",
]

QUESTION: Final = "Does the score of a résumé move when only the group that it shows does?"
SIMULATED: Final = "The scores come from a simulated scorer with a known effect, not from a system in use."
LIMITS: Final = (
    "Names, pronouns and lines of membership signal a group; they are not the group, and may signal class or age, too.",
    "What is measured is this scorer with these résumés and positions. Others may be scored otherwise.",
    "A score that moves is no decision yet: what a difference does depends on how scores are used.",
)
SYNTHETIC: Final = "Résumés and positions are synthetic; those of your applicants may be scored otherwise."

#: What a run that goes on must have in common with its beginning, and what a message calls it.
_SAME: Final = {
    "experiment": "other people, positions, arms, names or another seed",
    "request": "another --request or --score-at",
    "range": "another --range",
    "wording": "another --wording",
    "margin": "another --margin",
    "cutoff": "another --cutoff",
    "top": "another --top",
    "reference": "another --reference",
    "judged_as": "another --model",
}


def perturb_manifest(
    probe: Probe,
    design: Design,
    scorer: Model,
    options: ProbeOptions,
    *,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what was asked: as of a probe, with the `settings` of the experiment."""
    asked = probe_manifest(probe, design, scorer, options, design.size)
    return {**asked, "kind": probe.name, "settings": dict(settings)}


def begun_manifest(
    manifest: dict[str, Any], previous: Manifest | None, folder: RunFolder, *, notice: Notices
) -> dict[str, Any]:
    """Return the manifest of a run that begins, or goes on from `previous`.

    Raises
    ------
    InputError
        The earlier part showed something else, or read it otherwise.

    """
    if previous is None:
        return manifest
    if previous.kind == manifest["kind"]:
        for name, told in _SAME.items():
            if previous.settings.get(name) != manifest["settings"].get(name):
                raise InputError(f"{folder.path} was run with {told}. Resume with the same, or choose another --out.")
    check_resumable(previous, manifest, folder)
    return resumed_manifest(manifest, previous, redact=False, notice=notice)


def parts_of(paths: Sequence[Path], manifest: Mapping[str, Any]) -> list[Manifest]:
    """Return the manifests of parts of the run that `manifest` is of, each asked with --shard.

    Raises
    ------
    InputError
        A folder holds no such part, but something else or nothing.

    """
    found = []
    now = manifest_of(manifest)
    for path in paths:
        part = read_manifest(path) if path.is_dir() else None
        if part is None or part.kind != now.kind:
            raise InputError(f"{path} holds no part of a perturbation test; expected the folder of a run with --shard.")
        if part.shard is None:
            raise InputError(f"{path} is no part of a run: it was made without --shard.")
        differing = [told for name, told in _SAME.items() if part.settings.get(name) != now.settings.get(name)]
        if part.model != now.model:
            differing.insert(0, "another scorer")
        if part.parameters["repetitions"] != now.parameters["repetitions"]:
            differing.append("another number of --repetitions")
        if differing:
            raise InputError(f"{path} was run with {differing[0]}. Give all parts of one run.")
        found.append(part)
    return found


def finish_manifest(manifest: dict[str, Any], folder: RunFolder) -> None:
    """Note that the run is finished."""
    manifest.update(status="finished", finished=utc_now())
    folder.write_manifest(manifest)


@dataclass(frozen=True, kw_only=True, repr=False)
class PerturbRun(Run):
    """What a perturbation test left behind."""

    audit: PerturbAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return perturb.csv."""
        return read_csv(self.folder / "perturb.csv", PERTURB).with_columns(pl.col("position").fill_null(""))


@dataclass(frozen=True, kw_only=True)
class Perturbed:
    """What was shown to a scorer, what was found, and how it is asked for again; `titles` are those of positions."""

    experiment: Experiment
    arms: tuple[str, ...]
    synthetic: bool
    people: int
    positions: int
    titles: Mapping[str, str]
    names: tuple[NameShown, ...]
    pairs: tuple[MovedPair, ...]
    given: Mapping[str, object]
    summary: OutcomeSummary
    findings: Sequence[Finding]
    warnings: tuple[str, ...]
    reproduce: str


def write_perturbed(folder: RunFolder, manifest: Mapping[str, Any], perturbed: Perturbed) -> PerturbRun:
    """Write table, findings and report; return the run."""
    write_atomically(folder.path / "perturb.csv", csv_bytes(perturb_table(perturbed.findings)))
    audit = _block(manifest_of({**manifest, "finished": utc_now()}), perturbed)
    folder.write_findings(audit, perturbed.findings)
    write_files(folder.path)
    return PerturbRun(folder=folder.path, audit=audit, findings=perturbed.findings)


def _block(manifest: Manifest, perturbed: Perturbed) -> PerturbAudit:
    """Return what the page prints besides the findings."""
    record: Mapping[str, Any] = manifest.settings["names"]
    return PerturbAudit(
        question=QUESTION,
        model=manifest.model,
        simulated=manifest.simulated,
        simulated_note=SIMULATED if manifest.simulated else None,
        synthetic=perturbed.synthetic,
        people=perturbed.people,
        positions=perturbed.positions,
        experiment=perturbed.experiment,
        arms=perturbed.arms,
        settings={name: value for name, value in manifest.settings.items() if name != "names"},
        names=perturbed.names,
        names_per_group=record["names_per_group"]["chosen"],
        matched_on=tuple(record["matched_on"]),
        names_note=str(record["note"]),
        pairs=perturbed.pairs,
        titles=perturbed.titles,
        parameters={**perturbed.given, **manifest.parameters},
        statuses=dict(sorted(perturbed.summary.statuses.items())),
        reading_rules=dict(perturbed.summary.rules.most_common()),
        attempts=perturbed.summary.attempts,
        requests=manifest.requests,
        cost=manifest.cost,
        currency=manifest.currency,
        cost_reason=manifest.cost_reason,
        cost_uncertain=manifest.cost_uncertain,
        usage=manifest.usage,
        limits=(*((SYNTHETIC,) if perturbed.synthetic else ()), *LIMITS),
        warnings=perturbed.warnings,
        reproduce=perturbed.reproduce,
        started=manifest.started,
        finished=manifest.finished,
        versions=manifest.versions,
        fingerprints=manifest.fingerprints,
    )
