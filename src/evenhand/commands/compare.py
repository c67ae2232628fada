"""`evenhand compare`: models side by side, on the same prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.commands.same_prompts import PromptDifference, outcomes_in_common, prompt_differences
from evenhand.errors import InputError
from evenhand.findings.compare import AnsweredRun, compare_models
from evenhand.findings.measure import measure_outcomes
from evenhand.measures import MeasureSet
from evenhand.options import declared
from evenhand.probes.shared.probe import Probe
from evenhand.runs.finished_run import Run, finished_probe
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.options.measuring import CompareOptions
from evenhand.runs.options.settings import configured, find_probe
from evenhand.runs.progress import Notices
from evenhand.runs.records.compare import Compared, Comparison, compared_probe, write_comparison
from evenhand.runs.records.opened import opened_run
from evenhand.tables.audit.compare import ComparedProbe
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import refuse_own_input

__all__ = ["ComparedRuns", "compare", "compared_runs"]


def compare(
    paths: Sequence[Path],
    options: CompareOptions,
    *,
    notice: Notices,
) -> Run:
    """Compare finished runs of `probe`, `measure` or `audit`, probe by probe; return the comparison.

    Raises
    ------
    InputError
        Fewer than two runs, a run that is not finished, or runs whose prompts differ.

    """
    _check_paths(paths)
    refuse_own_input(options.out, paths, force=options.force)
    found = compared_runs(_grouped(paths), options)
    comparison = Comparison(
        paths=paths, probes=found.blocks, findings=found.findings, warnings=found.warnings, options=options
    )
    with opened_run(options.folder("compare"), force=options.force) as opened:
        for line in found.warnings:
            notice(f"Warning: {line}")
        return write_comparison(opened.folder, comparison)


@dataclass(frozen=True, kw_only=True)
class ComparedRuns:
    """What was found of runs, probe by probe, what their page prints of each, and what is to be said of it."""

    blocks: list[ComparedProbe]
    findings: list[Finding]
    warnings: list[str]


def compared_runs(grouped: Mapping[str, Sequence[Compared]], options: CompareOptions) -> ComparedRuns:
    """Return how the models of runs differ, by probe.

    Raises
    ------
    InputError
        Runs whose prompts differ, unless the options say how to compare them.

    """
    warnings: list[str] = []
    findings: list[Finding] = []
    blocks: list[ComparedProbe] = []
    for name, runs in grouped.items():
        probe = find_probe(name)
        measured = _measured(probe, runs)
        differences = prompt_differences(runs)
        _refuse(differences, options, name)
        models = [
            AnsweredRun(label=run.label, outcomes=pl.scan_parquet(run.folder.outcomes), findings=run.by_name)
            for run in runs
        ]
        if differences and options.common:
            models, prompts = _in_common(runs, measured, seed=options.seed)
            if not prompts:
                raise InputError(f"{name}: no prompt was asked in all runs; compare fewer of them.")
            warnings.append(f"{name}: the models are compared on the {prompts:,} prompts that all runs have.")
            differences = []
        unpaired = "The models were asked different prompts, so they are compared unpaired."
        warnings += [f"{name}: {each.told}. {unpaired}" for each in differences]
        found = compare_models(
            models, measured, prefix=name.replace("-", "_"), paired=not differences, seed=options.seed
        )
        findings += found.findings
        blocks.append(compared_probe(probe, runs, found.headline))
    return ComparedRuns(blocks=blocks, findings=findings, warnings=warnings)


def _refuse(differences: Sequence[PromptDifference], options: CompareOptions, name: str) -> None:
    """Refuse runs on different prompts unless it is said how to compare them."""
    if options.common and options.any_stimuli:
        raise InputError("--common compares on the same prompts and --any-stimuli on different ones; give one of them.")
    if not differences or options.any_stimuli:
        return
    if all(each.common for each in differences):
        if not options.common:
            raise InputError(
                f"{name}: {differences[0].told}; --common compares on those, --any-stimuli on all, unpaired."
            )
        return
    worst = next(each for each in differences if not each.common)
    raise InputError(f"{name}: {worst.told}; --any-stimuli compares them all the same, unpaired.")


def _in_common(runs: Sequence[Compared], measured: MeasureSet, *, seed: int) -> tuple[list[AnsweredRun], int]:
    """Return the runs as they are on the prompts that all have, measured anew, and how many prompts these are."""
    outcomes, prompts = outcomes_in_common([run.folder.outcomes for run in runs])
    models = [
        AnsweredRun(
            label=run.label,
            outcomes=frame,
            findings={finding.name: finding for finding in measure_outcomes(frame, measured, seed=seed)},
        )
        for run, frame in zip(runs, outcomes, strict=True)
    ]
    return models, prompts


def _check_paths(paths: Sequence[Path]) -> None:
    if len(paths) < 2:
        message = f"compare takes two runs or more, got {len(paths)}."
        raise InputError(message)
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            message = f"{path} is given twice; compare takes different runs."
            raise InputError(message)
        seen.add(path.resolve())


def _grouped(paths: Sequence[Path]) -> dict[str, list[Compared]]:
    """Return the runs by probe, for each probe that all of them have."""
    parts = [_parts(path) for path in paths]
    shared = [name for name in parts[0] if all(name in part for part in parts)]
    if not shared:
        each = "; ".join(f"{path}: {', '.join(part)}" for path, part in zip(paths, parts, strict=True))
        message = f"The runs share no probe ({each}). Compare runs of the same probe."
        raise InputError(message)
    models = [part[shared[0]][1].model for part in parts]
    labels = [
        model if models.count(model) == 1 else f"{model} ({path.name})"
        for model, path in zip(models, paths, strict=True)
    ]
    if len(set(labels)) < len(labels):
        labels = [f"{model} ({path})" for model, path in zip(models, paths, strict=True)]
    return {
        name: [
            Compared(label=label, manifest=part[name][1], run=finished_probe(part[name][0]))
            for part, label in zip(parts, labels, strict=True)
        ]
        for name in shared
    }


def _parts(path: Path) -> dict[str, tuple[Path, Manifest]]:
    """Return the folder and manifest of each probe of a run; a suite has several."""
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        message = f"{path} is no folder of an evenhand run; expected that of a run of probe, measure or audit."
        raise InputError(message)
    if not manifest.is_finished:
        message = f"{path} is not finished ({manifest.status}); go on with --resume --out {path}, then compare."
        raise InputError(message)
    kind = manifest.run_kind
    if kind.probes_below:
        found: dict[str, tuple[Path, Manifest]] = {}
        for name in manifest.probes:
            found |= _parts(path / name)
        return found
    if not kind.one_probe:
        message = f"{path} holds a run of {manifest.kind}; compare takes runs of probe, measure or audit."
        raise InputError(message)
    if manifest.compat:
        message = f"{path} holds numbers of {manifest.compat}; compare takes runs by our own definitions."
        raise InputError(message)
    return {manifest.probe: (path, manifest)}


def _measured(probe: Probe, runs: Sequence[Compared]) -> MeasureSet:
    """Return what is measured, by the settings that the runs must share."""
    shared: dict[str, Any] = {}
    for each in declared(probe.settings):
        if not each.option.shared:
            continue
        values = [run.manifest.settings.get(each.name) for run in runs]
        if any(value != values[0] for value in values):
            told = ", ".join(sorted({_told(value) for value in values}))
            raise InputError(
                f"{probe.name}: the runs were measured with different {each.flag} ({told}); measure them alike first."
            )
        # A file is not at hand any more; what it changes stands in the outcomes.
        if not isinstance(values[0], Mapping):
            shared[each.name] = values[0]
    return configured(probe, shared).measured


def _told(value: object) -> str:
    """Return a setting as a manifest keeps it: the name of a file and the beginning of its fingerprint."""
    if isinstance(value, Mapping):
        return f"{value['file']} {value['sha256'][:8]}"
    return "the default" if value is None else value if isinstance(value, str) else f"{value:g}"
