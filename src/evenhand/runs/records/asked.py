"""The manifest of a probe that is asked, and what a run that goes on must have in common with it."""

from dataclasses import asdict, fields
from typing import Any

from evenhand.errors import InputError
from evenhand.models.model import Generation, Model
from evenhand.options import declared, kept
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.asking.spending import carried
from evenhand.runs.manifest import Manifest, manifest_of
from evenhand.runs.options.probe import Asked, ProbeOptions
from evenhand.runs.options.settings import settings_block
from evenhand.runs.progress import Notices
from evenhand.runs.records.stamps import lexicon_fingerprints, utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.run_folder import RunFolder

__all__ = [
    "SAME_IN_PARTS",
    "check_resumable",
    "check_same_size",
    "probe_manifest",
    "resumed_manifest",
]


_OPTIONS = [each for each in declared(ProbeOptions) if each.option.same]
#: What a resumed run must have in common with the one it goes on with.
SAME = ("probe", *(each.name for each in _OPTIONS), *(each.name for each in fields(Generation)), "settings")
#: What the parts of a run must have in common, each of which is of one machine.
SAME_IN_PARTS = tuple(name for name in SAME if name not in {each.name for each in _OPTIONS if each.option.machine})


def probe_manifest(probe: Probe, design: Design, model: Model, options: ProbeOptions, sample: int) -> dict[str, Any]:
    """Return what was asked; written before the first request."""
    return {
        "kind": "probe",
        "probe": probe.name,
        "probe_version": probe.version,
        "design": design.name,
        "settings": settings_block(options.settings),
        "model": model.name,
        "simulated": model.simulated,
        "redact_answers": options.redact_answers,
        "shard": None if options.shard is None else str(options.shard),
        "parameters": {
            "sample": sample,
            "population": design.size,
            **kept(options, of=Asked),
            **asdict(options.generation),
            **kept(options),
            "base_url": ", ".join(options.base_url) or None,
        },
        "order": "keyed permutation of all prompts from the seed; sent_order in the journal",
        "clusters": list(probe.measured.clusters),
        "versions": package_versions(model=model.name),
        "fingerprints": lexicon_fingerprints(),
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }


def resumed_manifest(manifest: dict[str, Any], previous: Manifest, *, redact: bool, notice: Notices) -> dict[str, Any]:
    """Return the manifest of a run that goes on, with what its earlier part says; another address is told."""
    _notice_moved_server(previous, manifest, notice)
    return {**manifest, "redact_answers": redact, "started": previous.started, **carried(previous)}


def check_resumable(previous: Manifest, manifest: dict[str, Any], folder: RunFolder) -> None:
    """Refuse to go on with a run that asked something else."""
    before, now = (each.requested for each in (previous, manifest_of(manifest)))
    for key in SAME:
        if before.get(key) != now[key]:
            option = key.replace("_", "-")
            message = (
                f"{folder.path} was run with {option} {before.get(key)!r}, now it is {now[key]!r}. "
                "Resume with the same options, or choose another --out."
            )
            raise InputError(message)


def check_same_size(previous: Manifest, manifest: dict[str, Any], folder: RunFolder, *, why: str) -> None:
    """Refuse to ask more than was planned: redacted answers can't be read again, nor a sequence tuned anew."""
    for key in ("sample", "repetitions"):
        before, now = (each[key] for each in (previous.parameters, manifest["parameters"]))
        if before != now:
            raise InputError(
                f"{folder.path} was asked with {key} {before:,} and {why}, so it can't go on with {now:,}. "
                "Choose another --out."
            )


def _notice_moved_server(previous: Manifest, manifest: dict[str, Any], notice: Notices) -> None:
    """Say that the rest is asked at another address; answers don't depend on it."""
    before, now = (each["base_url"] for each in (previous.parameters, manifest["parameters"]))
    if before != now:
        notice(f"Resumed at {now or 'the default address'}; the run began at {before or 'the default address'}.")
