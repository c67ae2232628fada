"""`evenhand compare`: models side by side, on the same prompts.

Runs with different prompts are compared on the common ones (`--common`) or unpaired (`--any-stimuli`).
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.options.probes import CompareOptions, configured, find_probe, probe_settings
from evenhand.analyses.records import joint_limits
from evenhand.analyses.run import ProbeRun, Run, finished_probe, opened_run, refuse_clearing_input, write_at_once
from evenhand.comparisons.claims import in_families
from evenhand.comparisons.league import Standings, distance_findings, league_table, rank_findings, slug
from evenhand.comparisons.measure import measure_outcomes
from evenhand.comparisons.models import AnsweredRun, compare_models
from evenhand.comparisons.steps import PILE
from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.options import declared, to_manifest, words
from evenhand.probes.probe import Probe
from evenhand.results.audit import CompareAudit, ComparedProbe, ComparedRun, Measured
from evenhand.results.files import sha256_of
from evenhand.results.finding import Finding, shared
from evenhand.results.measures import SHOWN, TEXT_CODED, TEXT_WORDS, MeasureSet
from evenhand.results.messages import Notices
from evenhand.results.result import Result, RunFolder
from evenhand.results.schemas import CONTEXT, PROTECTED

QUESTION = "Do these models differ on the same prompts?"


@dataclass(frozen=True, kw_only=True)
class LabelledRun:
    """A finished run of one probe, with the label of its model; `place` names its folder."""

    label: str
    manifest: Manifest
    run: ProbeRun
    place: str

    @property
    def folder(self) -> RunFolder:
        """Return the folder of the run."""
        return RunFolder(self.run.folder)

    @property
    def by_name(self) -> dict[str, Finding]:
        """Return the findings by name."""
        return {row.name: row for row in self.run.findings}


def compared_probe(runs: Sequence[LabelledRun], headline: Sequence[str]) -> ComparedProbe:
    """Return the block of one probe of the comparison."""
    return ComparedProbe(
        **shared(runs[0].run.audit, Measured) | {"headline": tuple(headline), "statuses": {}, "attempts": None},
        runs=tuple(_run(run, differing=_differing(runs)) for run in runs),
    )


def _differing(runs: Sequence[LabelledRun]) -> list[str]:
    """Return the decoding parameters, without the temperature, that differ between runs."""
    names = [field.name for field in fields(Generation) if field.name != "temperature"]
    return [name for name in names if len({run.manifest.parameters.get(name) for run in runs}) > 1]


def _run(labelled: LabelledRun, *, differing: Sequence[str]) -> ComparedRun:
    parameters = labelled.manifest.parameters
    return ComparedRun(
        model=labelled.label,
        folder=labelled.place,
        simulated=labelled.manifest.simulated,
        answers=labelled.run.audit.attempts,
        observed=labelled.run.audit.statuses.get("observed", 0),
        temperature=parameters.get("temperature"),
        decoding={name: parameters.get(name) for name in differing} or None,
        seed=parameters.get("seed"),
        finished=labelled.manifest.finished,
    )


#: The prompt of a row: a choice has a row per candidate.
PROMPT = pl.coalesce("set", "unit")


@dataclass(frozen=True, kw_only=True)
class PromptDifference:
    """How the prompts of two runs differ.

    `common` counts the prompts of both; it is None if designs or settings differ.
    """

    told: str
    common: int | None = None


def prompt_differences(runs: Sequence[LabelledRun]) -> list[PromptDifference]:
    """Return how the prompts of two runs differ, for each pair of runs that do."""
    prompts = [_prompts(run.folder.outcomes) for run in runs]
    computing = probe_settings(find_probe(runs[0].manifest.probe), changing="numbers")
    differences = []
    for first, second in combinations(range(len(runs)), 2):
        left, right = runs[first], runs[second]
        both_labels = f"{left.label} and {right.label}"
        before, now = (_prompted(run.manifest, without=computing) for run in (left, right))
        differing = next((name for name in before if before[name] != now[name]), None)
        if differing is not None:
            values = f"{_settings_text(before[differing])} and {_settings_text(now[differing])}"
            differences.append(PromptDifference(told=f"{both_labels} differ in {differing} ({values})"))
            continue
        both = _count(_common(prompts[first], prompts[second]))
        union = _count(prompts[first]) + _count(prompts[second]) - both
        if both < union:
            summary = f"{both_labels} have {both:,} of {union:,} prompts in common"
            differences.append(PromptDifference(told=summary, common=both))
    return differences


def _prompted(manifest: Manifest, *, without: Collection[str]) -> dict[str, Mapping[str, object]]:
    """Return what two runs must share for their prompts to be the same."""
    settings = {name: value for name, value in manifest.settings.items() if name not in without}
    return {"probe version": {"": manifest.probe_version}, "design": {"": manifest.design}, "settings": settings}


def _settings_text(value: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {setting}".strip() for key, setting in value.items()) or "none"


def _of(path: Path, common: pl.DataFrame) -> pl.LazyFrame:
    outcomes = pl.scan_parquet(path)
    texts = outcomes.with_row_index("row").with_columns(pl.col(name).cast(pl.String) for name in common.columns)
    rows = texts.join(common.lazy(), on=common.columns, how="semi", nulls_equal=True).select("row")
    return outcomes.with_row_index("row").join(rows, on="row", how="semi", maintain_order="left").drop("row")


def _common(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    return left.join(right, on=left.columns, how="semi", nulls_equal=True)


def _count(prompts: pl.DataFrame) -> int:
    return prompts.select("item", PROMPT).n_unique()


def _prompts(outcomes: Path) -> pl.DataFrame:
    """Return a row per prompt, or candidate of a prompt, with groups and context as text.

    Prompts that a model's own answers led to are left out, and what was counted in its texts: no two models have the
    same.
    """
    frame, counted = pl.scan_parquet(outcomes), {CONTEXT + TEXT_WORDS, CONTEXT + TEXT_CODED}
    columns = [name for name in frame.collect_schema().names() if name not in counted]
    names = [name for name in columns if name.startswith((PROTECTED, CONTEXT))]
    if CONTEXT + SHOWN in names:
        frame = frame.filter(pl.col(CONTEXT + SHOWN) == PILE)
    return frame.select(pl.col("item", "unit", "set", *names).cast(pl.String)).unique().collect()


def compare(
    paths: Sequence[Path],
    options: CompareOptions,
    *,
    notice: Notices,
) -> Run:
    """Compare finished runs of `probe`, `measure` or `audit` by probe; return the comparison.

    Raises
    ------
    InputError
        There are fewer than two runs, one is not finished, or their prompts differ.

    """
    _check_paths(paths)
    refuse_clearing_input(options.out, paths, force=options.force)
    result = analyse_compare(grouped_runs(paths), options)
    audit = replace(
        result.audit,
        parameters={"runs": [str(path) for path in paths], "seed": options.seed},
        reproduce=shlex.join(["evenhand", "compare", *map(str, paths), *words(options, always=("seed",))]),
    )
    with opened_run(options.folder("compare"), force=options.force) as opened:
        for line in audit.warnings:
            notice(f"Warning: {line}")
        return write_at_once(Run, opened.folder, replace(result, audit=audit), parameters=to_manifest(options))


def analyse_compare(grouped: Mapping[str, Sequence[LabelledRun]], options: CompareOptions) -> Result[CompareAudit, Any]:
    """Return how the models of runs differ, by probe.

    Raises
    ------
    InputError
        The prompts differ, and no option says how to compare them.

    """
    warnings: list[str] = []
    findings: list[Finding] = []
    standings: list[Standings] = []
    blocks: list[ComparedProbe] = []
    for name, runs in grouped.items():
        probe = find_probe(name)
        measured = _measured(probe, runs)
        differences = prompt_differences(runs)
        _refuse(differences, options, name)
        answered = [
            AnsweredRun(label=run.label, outcomes=pl.scan_parquet(run.folder.outcomes), findings=run.by_name)
            for run in runs
        ]
        if differences and options.common:
            answered, prompts = _in_common(runs, measured, seed=options.seed)
            if not prompts:
                raise InputError(f"{name}: the runs have no prompt in common; compare fewer runs.")
            warnings.append(f"{name}: the models are compared on the {prompts:,} prompts that all runs have.")
            differences = []
        unpaired = "The models were sent different prompts, so the comparison is unpaired."
        warnings += [f"{name}: {difference.told}. {unpaired}" for difference in differences]
        compared = compare_models(
            answered, measured, prefix=name.replace("-", "_"), paired=not differences, seed=options.seed
        )
        findings += compared.findings
        standings += compared.standings
        blocks.append(compared_probe(runs, compared.headline))
    runs = [run for runs in grouped.values() for run in runs]
    models = next(iter(grouped.values()))
    simulated = [run.label for run in models if run.manifest.simulated]
    audit = CompareAudit(
        title="Comparison",
        model=" · ".join(run.label for run in models),
        question=QUESTION,
        simulated=bool(simulated),
        simulated_note=f"These models are simulated, with a known bias: {', '.join(simulated)}." if simulated else None,
        probes=tuple(blocks),
        warnings=tuple(warnings),
        limits=joint_limits([first.run.audit for first, *_ in grouped.values()]),
        fingerprints={f"{run.place}/{run.folder.outcomes.name}": sha256_of(run.folder.outcomes) for run in runs},
    )
    findings = in_families([*findings, *distance_findings(standings)])
    findings += rank_findings(findings)
    return Result(audit=audit, findings=findings, tables={"league.csv": league_table(findings)} if standings else {})


def _refuse(differences: Sequence[PromptDifference], options: CompareOptions, name: str) -> None:
    """Refuse runs on different prompts unless an option says how to compare them."""
    if options.common and options.any_stimuli:
        raise InputError(
            "--common and --any-stimuli are both given; --common compares on the same prompts, --any-stimuli on "
            "different ones: drop one."
        )
    if not differences or options.any_stimuli:
        return
    if all(difference.common for difference in differences):
        if not options.common:
            raise InputError(
                f"{name}: {differences[0].told}; --common compares on those, --any-stimuli on all, unpaired."
            )
        return
    worst = next(difference for difference in differences if not difference.common)
    raise InputError(f"{name}: {worst.told}; --any-stimuli compares all prompts, unpaired.")


def _in_common(runs: Sequence[LabelledRun], measured: MeasureSet, *, seed: int) -> tuple[list[AnsweredRun], int]:
    """Return the runs on the prompts of all, measured anew, and the number of these prompts."""
    common = reduce(_common, [_prompts(run.folder.outcomes) for run in runs])
    models = [
        AnsweredRun(
            label=run.label,
            outcomes=(frame := _of(run.folder.outcomes, common)),
            findings={finding.name: finding for finding in measure_outcomes(frame, measured, seed=seed)},
        )
        for run in runs
    ]
    return models, _count(common)


def _check_paths(paths: Sequence[Path]) -> None:
    if len(paths) < 2:
        raise InputError(f"compare takes two runs or more, got {len(paths)}.")
    places = [path.resolve() for path in paths]
    for number, path in enumerate(paths):
        if places[number] in places[:number]:
            raise InputError(f"{path} is given twice; compare takes different runs.")


def grouped_runs(paths: Sequence[Path]) -> dict[str, list[LabelledRun]]:
    """Return the runs by probe, for the probes of all runs."""
    parts = [_parts(path) for path in paths]
    shared = [name for name in parts[0] if all(name in part for part in parts)]
    if not shared:
        probes_by_run = "; ".join(f"{path}: {', '.join(part)}" for path, part in zip(paths, parts, strict=True))
        raise InputError(f"The runs share no probe ({probes_by_run}). Compare runs of the same probe.")
    models = [part[shared[0]][1].model for part in parts]
    labels = [
        model if models.count(model) == 1 else f"{model} ({path.name})"
        for model, path in zip(models, paths, strict=True)
    ]
    if len(set(labels)) < len(labels):
        labels = [f"{model} ({path})" for model, path in zip(models, paths, strict=True)]
    # Findings are named after models without their marks: gpt-4.1 and gpt-4-1 would share names.
    slugs = [slug(label) for label in labels]
    labels = [
        label if slugs.count(named) == 1 else f"{label} #{place}"
        for place, (label, named) in enumerate(zip(labels, slugs, strict=True), start=1)
    ]
    return {
        name: [
            LabelledRun(
                label=label, manifest=part[name][1], run=finished_probe(part[name][0]), place=str(part[name][0])
            )
            for part, label in zip(parts, labels, strict=True)
        ]
        for name in shared
    }


def _parts(path: Path) -> dict[str, tuple[Path, Manifest]]:
    """Return folder and manifest of each probe of a run; a suite has several."""
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(
            f"{path} is not a folder of an evenhand run; expected that of a run of probe, measure or audit."
        )
    if not manifest.is_finished:
        raise InputError(
            f"{path} is not finished ({manifest.status}); continue it with --resume --out {path}, then compare."
        )
    kind = manifest.run_kind
    if kind.probes_below:
        parts: dict[str, tuple[Path, Manifest]] = {}
        for name in manifest.probes:
            parts |= _parts(path / name)
        return parts
    if not kind.one_probe:
        raise InputError(f"{path} holds a run of {manifest.kind}; compare takes runs of probe, measure or audit.")
    if manifest.compat:
        raise InputError(f"{path} holds numbers of {manifest.compat}; compare takes runs by our own definitions.")
    return {manifest.probe: (path, manifest)}


def _measured(probe: Probe, runs: Sequence[LabelledRun]) -> MeasureSet:
    """Return the measures, by the settings that the runs must share."""
    shared: dict[str, Any] = {}
    for option in declared(probe.settings):
        if not option.option.shared:
            continue
        values = [run.manifest.settings.get(option.name) for run in runs]
        if any(value != values[0] for value in values):
            texts = ", ".join(sorted({_setting_text(value) for value in values}))
            raise InputError(
                f"{probe.name}: the runs were measured with different {option.flag} ({texts}); measure them "
                "with the same value first."
            )
        # The file itself may be gone; its effect is in the outcomes.
        if not isinstance(values[0], Mapping):
            shared[option.name] = values[0]
    return configured(probe, shared).measured


def _setting_text(value: object) -> str:
    """Return a setting of a manifest as text; for a file its name and the beginning of its hash."""
    if isinstance(value, Mapping):
        return f"{value['file']} {value['sha256'][:8]}"
    return "the default" if value is None else value if isinstance(value, str) else f"{value:g}"
