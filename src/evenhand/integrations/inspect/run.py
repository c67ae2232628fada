"""A finished run, as the exporter reads it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.collect.answers import read_answers
from evenhand.errors import InputError
from evenhand.integrations.inspect._asked import configured_probe
from evenhand.probes import PROBES
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.options.settings import own_settings, settings_again
from evenhand.runs.sample import chosen_design
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.audit.reading import read_probe
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import RunFolder

__all__ = ["FinishedRun", "open_run"]

#: Answers that are read at a time.
_PIECE = 4_096


@dataclass(frozen=True, kw_only=True)
class FinishedRun:
    """The manifest and the findings of a run, its probe and the layout of its prompts."""

    folder: RunFolder
    manifest: Manifest
    audit: ProbeAudit
    findings: Sequence[Finding]
    probe: Probe
    design: Design

    def answers(self) -> Iterator[pl.DataFrame]:
        """Yield the journaled answers with their stimuli, a piece at a time, in the order of sending."""
        for answers in read_answers(self.folder.path, chunk=_PIECE):
            stimuli = self.design.stimuli(answers["index"].to_numpy()).drop("index")
            yield pl.concat([answers, stimuli], how="horizontal")


def open_run(path: Path, *, files: Mapping[str, Path]) -> FinishedRun:
    """Return the finished run in a folder; `files` are those it was asked with, by the option's name.

    Raises
    ------
    InputError
        The folder holds no finished run of a probe, or a file is lacking or another one.

    """
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run; expected the folder of a run of evenhand probe.")
    if manifest.probe not in PROBES:
        folders = sorted(each.parent.name for each in path.glob("*/manifest.json"))
        hint = f" It holds those of {', '.join(folders)}." if folders else ""
        raise InputError(f"{path} is no run of one probe; expected such a folder.{hint}")
    folder = RunFolder(path)
    if not manifest.is_finished or not (folder.outcomes.is_file() and folder.findings.is_file()):
        raise InputError(f"The run in {path} is not finished; go on with it by --resume first.")
    if manifest.design is None or not any(path.glob("answers-*.jsonl")):
        raise InputError(f"{path} has no journal: only what evenhand probe or audit asked can be exported.")
    probe = configured_probe(manifest.probe, _settings(manifest, files))
    content = read_probe(path)
    return FinishedRun(
        folder=folder,
        manifest=manifest,
        audit=content.audit,
        findings=content.findings,
        probe=probe,
        design=chosen_design(probe, manifest.design),
    )


def _settings(manifest: Manifest, files: Mapping[str, Path]) -> dict[str, Any]:
    """Return the settings that the prompts depend on; the manifest keeps a file's fingerprint only."""
    prompts = own_settings(PROBES[manifest.probe], changing="prompts")
    kept = {name: value for name, value in manifest.settings.items() if name in prompts}
    return settings_again(kept, files, asked="the run was")
