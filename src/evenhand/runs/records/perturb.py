"""The manifest of a perturbation test: what was shown to whom, and what a run that goes on must have in common."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evenhand.errors import InputError
from evenhand.models.model import Model
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.manifest import Manifest, manifest_of, read_manifest
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.progress import Notices
from evenhand.runs.records.asked import check_resumable, probe_manifest, resumed_manifest
from evenhand.runs.records.stamps import utc_now
from evenhand.tables.run_folder import RunFolder

__all__ = ["begun_manifest", "finish_manifest", "parts_of", "perturb_manifest"]

#: What a run that goes on must have in common with its beginning, and what a message calls it.
_SAME: Final = {
    "experiment": "other people, positions, arms, names or another seed",
    "request": "another --request or --score-at",
    "range": "another --range",
    "wording": "another --wording",
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
            if previous.settings.get(name) != manifest["settings"][name]:
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
