"""`evenhand compare`: models side by side, on the same prompts."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import orjson
import polars as pl

from evenhand import report
from evenhand.collect.journal.lock import RunLock
from evenhand.errors import InputError
from evenhand.findings.compare import ModelRun, compare_runs
from evenhand.findings.measure import prepared
from evenhand.findings.population.models import PopulationRun, compare_populations, population_headline
from evenhand.measures import MeasureSet
from evenhand.options import words
from evenhand.probes import Probe
from evenhand.runs.audit_block import package_versions
from evenhand.runs.finish import Notices, utc_now
from evenhand.runs.finished_run import Run
from evenhand.runs.options.measuring import CompareOptions
from evenhand.runs.options.settings import configured, find_probe, own_settings
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import RunFolder, prepare_run_folder, read_manifest, refuse_own_input
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["compare"]

#: What two runs must share for their prompts to be the same; the rest is what is compared.
SAME = ("probe_version", "design", "settings")


@dataclass(frozen=True, kw_only=True)
class _Finished:
    """A finished run of one probe."""

    folder: RunFolder
    manifest: Mapping[str, Any]
    content: Mapping[str, Any]
    label: str

    @property
    def probe(self) -> str:
        return str(self.manifest["probe"])


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
    grouped = _grouped(paths)
    warnings: list[str] = []
    findings: list[Finding] = []
    blocks: list[dict[str, Any]] = []
    for name, runs in grouped.items():
        probe = find_probe(name)
        differences = _stimuli_differences(runs)
        if differences and not options.any_stimuli:
            refused = "Runs on different prompts are not compared; --any-stimuli does it all the same."
            message = f"{name}: {differences[0]}. {refused}"
            raise InputError(message)
        unpaired = "The models were asked different prompts, so they are compared unpaired."
        warnings += [f"{name}: {line}. {unpaired}" for line in differences]
        declared = _declared(probe, runs)
        if declared.population is not None:
            populations = [
                PopulationRun(label=run.label, outcomes=pl.scan_parquet(run.folder.outcomes), findings=_by_name(run))
                for run in runs
            ]
            findings += compare_populations(populations, declared, prefix=name.replace("-", "_"))
            blocks.append(_block(probe, runs, population_headline([run.findings for run in populations])))
            continue
        models = [
            ModelRun(
                label=run.label,
                sample=prepared(
                    pl.scan_parquet(run.folder.outcomes), declared, seed=options.seed, resamples=1, permutations=1
                ),
                findings=_by_name(run),
            )
            for run in runs
        ]
        found = compare_runs(models, declared, prefix=name.replace("-", "_"), paired=not differences)
        findings += found
        blocks.append(_block(probe, runs, declared.headline))
    folder = prepare_run_folder(options.folder("compare"), force=options.force)
    with RunLock(folder.path):
        if options.force:
            folder.clear()
        for line in warnings:
            notice(f"Warning: {line}")
        return _write(folder, paths, blocks, findings, warnings, options=options)


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


def _grouped(paths: Sequence[Path]) -> dict[str, list[_Finished]]:
    """Return the runs by probe, for each probe that all of them have."""
    parts = [_parts(path) for path in paths]
    shared = [name for name in parts[0] if all(name in part for part in parts)]
    if not shared:
        each = "; ".join(f"{path}: {', '.join(part)}" for path, part in zip(paths, parts, strict=True))
        message = f"The runs share no probe ({each}). Compare runs of the same probe."
        raise InputError(message)
    models = [part[shared[0]][1]["model"] for part in parts]
    labels = [
        str(model) if models.count(model) == 1 else f"{model} ({path.name})"
        for model, path in zip(models, paths, strict=True)
    ]
    if len(set(labels)) < len(labels):
        labels = [f"{model} ({path})" for model, path in zip(models, paths, strict=True)]
    return {
        name: [
            _Finished(folder=part[name][0], manifest=part[name][1], content=_content(part[name][0]), label=label)
            for part, label in zip(parts, labels, strict=True)
        ]
        for name in shared
    }


def _parts(path: Path) -> dict[str, tuple[RunFolder, Mapping[str, Any]]]:
    """Return the folder and manifest of each probe of a run; a suite has several."""
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        message = f"{path} is no folder of an evenhand run; expected --out of probe, measure or audit."
        raise InputError(message)
    if manifest.get("status") != "finished":
        message = f"{path} is not finished ({manifest.get('status')}); go on with --resume --out {path}, then compare."
        raise InputError(message)
    kind = manifest.get("kind")
    if kind == "suite":
        found: dict[str, tuple[RunFolder, Mapping[str, Any]]] = {}
        for name in manifest["probes"]:
            found |= _parts(path / name)
        return found
    if kind not in {"probe", "measure"}:
        message = f"{path} holds a run of {kind}; compare takes runs of probe, measure or audit."
        raise InputError(message)
    if manifest.get("compat"):
        message = f"{path} holds numbers of {manifest['compat']}; compare takes runs by our own definitions."
        raise InputError(message)
    return {str(manifest["probe"]): (RunFolder(path), manifest)}


def _content(folder: RunFolder) -> Mapping[str, Any]:
    try:
        content: Mapping[str, Any] = orjson.loads(folder.findings.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        message = f"{folder.findings} can't be read; run the probe again."
        raise InputError(message) from error
    return content


def _by_name(run: _Finished) -> Mapping[str, Mapping[str, Any]]:
    return {row["name"]: row for row in run.content["findings"]}


def _declared(probe: Probe, runs: Sequence[_Finished]) -> MeasureSet:
    """Return what is measured, by the smoothing that the runs share."""
    smoothing = {(run.manifest.get("settings") or {}).get("smoothing") for run in runs}
    if len(smoothing) > 1:
        shown = ", ".join("the default" if value is None else f"{value:g}" for value in sorted(smoothing, key=str))
        message = (
            f"{probe.name}: the runs were measured with different --smoothing ({shown}); measure them alike first."
        )
        raise InputError(message)
    (value,) = smoothing
    return configured(probe, {"smoothing": value}).measured


def _stimuli_differences(runs: Sequence[_Finished]) -> list[str]:
    """Return in which way the prompts of two runs differ, one line per pair of runs."""
    prompts = [_prompts(run.folder.outcomes) for run in runs]
    computing = own_settings(find_probe(runs[0].probe), changing="numbers")
    lines = []
    for first, second in combinations(range(len(runs)), 2):
        one, other = runs[first], runs[second]
        said = f"{one.label} and {other.label}"
        for key in SAME:
            before, now = (
                {k: v for k, v in _plain(run.manifest.get(key)).items() if k not in computing} for run in (one, other)
            )
            if before != now:
                lines.append(f"{said} differ in {key.replace('_', ' ')} ({_told(before)} and {_told(now)})")
                break
        else:
            both = len(prompts[first] & prompts[second])
            union = len(prompts[first] | prompts[second])
            if both < union:
                lines.append(f"{said} have {both:,} of {union:,} prompts in common")
    return lines


def _plain(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"": value}


def _told(value: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {each}".strip() for key, each in value.items()) or "none"


def _prompts(outcomes: Path) -> set[int]:
    """Return a fingerprint per prompt: its item, and all that is known about whom it is about."""
    frame = pl.scan_parquet(outcomes)
    names = [name for name in frame.collect_schema().names() if name.startswith((PROTECTED, CONTEXT))]
    rows = frame.select("item", "unit", *names).unique().collect()
    return set(rows.hash_rows(seed=0).to_list())


def _block(probe: Probe, runs: Sequence[_Finished], headline: Sequence[str]) -> dict[str, Any]:
    """Return what the report prints about one probe of the comparison."""
    audit = runs[0].content["audit"]
    kept = (
        "title",
        "question",
        "success",
        "subject",
        "labels",
        "quantities",
        "bands",
        "references",
        "regression",
        "limits",
    )
    return {
        "probe": probe.name,
        **{key: audit.get(key) for key in kept},
        "headline": list(headline),
        "runs": [
            {
                "model": run.label,
                "folder": str(run.folder.path),
                "simulated": run.manifest["simulated"],
                "answers": run.content["audit"]["attempts"],
                "observed": (run.content["audit"]["statuses"] or {}).get("observed", 0),
                "temperature": run.manifest["parameters"].get("temperature"),
                "seed": run.manifest["parameters"].get("seed"),
                "finished": run.manifest.get("finished"),
            }
            for run in runs
        ],
    }


def _write(
    folder: RunFolder,
    paths: Sequence[Path],
    blocks: Sequence[Mapping[str, Any]],
    findings: list[Finding],
    warnings: Sequence[str],
    *,
    options: CompareOptions,
) -> Run:
    models = [row["model"] for row in blocks[0]["runs"]]
    simulated = [row["model"] for row in blocks[0]["runs"] if row["simulated"]]
    started = utc_now()
    again = ["evenhand", "compare", *map(str, paths), *words(options, always=("seed",))]
    audit = {
        "kind": "compare",
        "title": "Comparison",
        "model": " · ".join(models),
        "question": "Do these models differ in the same measures on the same prompts?",
        "simulated": bool(simulated),
        "simulated_note": f"Simulated, with a known bias: {', '.join(simulated)}." if simulated else None,
        "parameters": {"runs": [str(path) for path in paths], "seed": options.seed},
        "probes": list(blocks),
        "headline": [],
        "warnings": list(warnings),
        "limits": list(dict.fromkeys(line for block in blocks for line in block["limits"] or ())),
        "reproduce": shlex.join(again),
        "versions": package_versions(),
        "started": started,
        "finished": utc_now(),
    }
    manifest = {"kind": "compare", "model": audit["model"], "started": started, "finished": None}
    folder.write_manifest({**manifest, "status": "running"})
    content = folder.write_findings(audit, findings)
    report.write_report(folder.path)
    report.write_findings_csv(folder.path)
    folder.write_manifest({**manifest, "status": "finished", "finished": utc_now()})
    return Run(folder=folder.path, audit=content["audit"], findings=content["findings"])
