"""Manifests and audit blocks of runs of probes and suites, and of saved answers.

A run resumes only with the same `RESUME_KEYS`; the parts of a run share `MERGE_KEYS`.
"""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.analyses.asking import carried
from evenhand.analyses.manifest import Manifest, begun, lexicon_fingerprints, manifest_of, package_versions, utc_now
from evenhand.analyses.options import probes
from evenhand.analyses.options.reproduce import suite_words
from evenhand.analyses.run import ProbeRun, Run, write_findings
from evenhand.errors import InputError
from evenhand.models.model import Generation, Model
from evenhand.models.outcomes import OutcomeSummary
from evenhand.options import declared, to_manifest
from evenhand.probes.labels import reader_accuracy
from evenhand.probes.probe import Compatible, Design, Probe
from evenhand.results import audit as results_audit
from evenhand.results.files import sha256_of
from evenhand.results.finding import Finding, VerdictBasis, shared
from evenhand.results.measures import MeasureSet, Scored
from evenhand.results.messages import Notices
from evenhand.results.result import Result, RunFolder
from evenhand.results.schemas import AS_GIVEN


def saved_manifest(
    probe: Probe, answers: Path, saved: pl.DataFrame, options: probes.MeasureOptions, *, items: int
) -> dict[str, Any]:
    """Return the manifest of a measurement of the file `answers`, which holds the rows `saved` of so many items."""
    manifest = {
        "kind": "measure",
        "probe": probe.name,
        "probe_version": probe.version,
        "design": None,
        "settings": probes.settings_block(options.settings),
        "compat": options.compat,
        "model": f"saved answers in {answers.name}",
        "simulated": False,
        "input": {"rows": saved.height, "columns": {name: str(kind) for name, kind in saved.schema.items()}},
        "parameters": {
            "answers": saved.height,
            "items": items,
            "seed": options.seed,
            **({"map": list(options.map)} if options.map else {}),
            **({"design": options.design} if options.design else {}),
            **({"judge": options.judge} if options.judge else {}),
        },
        "clusters": list(probe.measured.clusters),
    }
    fingerprints = {**lexicon_fingerprints(), answers.name: sha256_of(answers)}
    return begun(manifest, versions=package_versions(), fingerprints=fingerprints)


_OPTIONS = [field for field in declared(probes.ProbeOptions) if field.option.same]
#: Keys that a resumed run must share with its earlier part.
RESUME_KEYS = ("probe", *(field.name for field in _OPTIONS), *(field.name for field in fields(Generation)), "settings")
#: Keys that the parts of a run must share; the others may differ by machine.
MERGE_KEYS = tuple(
    name for name in RESUME_KEYS if name not in {field.name for field in _OPTIONS if field.option.machine}
)


def probe_manifest(
    probe: Probe, design: Design, model: Model, options: probes.ProbeOptions, sample: int
) -> dict[str, Any]:
    """Return the manifest of a probe, written before the first request."""
    manifest = {
        "kind": "probe",
        "probe": probe.name,
        "probe_version": probe.version,
        "design": design.name,
        "settings": probes.settings_block(options.settings),
        "model": model.name,
        "simulated": model.simulated,
        "redact_answers": options.redact_answers,
        "shard": None if options.shard is None else str(options.shard),
        "parameters": {
            "sample": sample,
            "population": design.size,
            **to_manifest(options, of=probes.ModelRequestOptions),
            **asdict(options.generation),
            **to_manifest(options),
            "base_url": ", ".join(options.base_url) or None,
        },
        "order": "keyed permutation of all prompts from the seed; sent_order in the journal",
        "clusters": list(probe.measured.clusters),
    }
    return begun(manifest, versions=package_versions(model=model.name), fingerprints=lexicon_fingerprints())


def resumed_manifest(manifest: dict[str, Any], previous: Manifest, *, redact: bool, notice: Notices) -> dict[str, Any]:
    """Return the manifest of a resumed run, with the account of its earlier part; a new address is noticed."""
    before, now = (parameters["base_url"] for parameters in (previous.parameters, manifest["parameters"]))
    if before != now:  # answers don't depend on it
        notice(f"Resumed at {now or 'the default address'}; the run began at {before or 'the default address'}.")
    return {**manifest, "redact_answers": redact, "started": previous.started, **carried(previous)}


def check_resumable(previous: Manifest, manifest: dict[str, Any], folder: RunFolder) -> None:
    """Refuse to resume a run with other options."""
    before, now = (run.requested for run in (previous, manifest_of(manifest)))
    for key in RESUME_KEYS:
        if before.get(key) != now[key]:
            option = key.replace("_", "-")
            raise InputError(
                f"{folder.path} was run with {option} {before.get(key)!r}, now it is {now[key]!r}. "
                "Resume with the same options, or choose another --out."
            )


def check_same_size(previous: Manifest, manifest: dict[str, Any], folder: RunFolder, *, reason: str) -> None:
    """Refuse another size: redacted answers can't be parsed again, nor a sequential test planned anew."""
    for key in ("sample", "repetitions"):
        before, now = (parameters[key] for parameters in (previous.parameters, manifest["parameters"]))
        if before != now:
            raise InputError(
                f"{folder.path} was run with {key} {before:,} and {reason}, so it can't continue with {now:,}. "
                "Choose another --out."
            )


SAVED = "Saved answers, laid out as they were collected."
SIMULATED = "The answers come from a simulated model with a known bias, not from a language model."


#: Prompts of a block of which a sample holds whole ones, whatever its size: a round number is a multiple of a pair.
_PAIR = 2


def probe_facts(
    probe: Probe,
    design: Design | None,
    manifest: Manifest,
    summary: OutcomeSummary,
    *,
    compatible: Compatible | None = None,
) -> results_audit.ProbeAudit:
    """Return the facts of a run that its findings don't tell, without warnings and command.

    With `compatible` its answers are measured by another package's definitions.
    """
    measured = probe.measured
    facts = results_audit.ProbeAudit(
        **{
            **shared(manifest, results_audit.ProbeAudit),
            **{name: getattr(probe, name) for name in ("title", "question", "success", "subject", "paired_design")},
            "probe": probe.name,
            "probe_version": probe.version,
            "compat": None,
        },
        labels=dict(probe.labels),
        quantities=dict(probe.quantities),
        wordings=dict(probe.wordings),
        card=probe.card(),
        design_note=design.note if design is not None else SAVED,
        block=design.block if design is not None and design.block > _PAIR else None,
        returned_models=tuple(sorted(summary.returned_models)),
        simulated_note=SIMULATED if manifest.simulated else None,
        example=results_audit.Example(**summary.example) if summary.example else None,
        steps=None
        if measured.steps is None
        else {step: of_step.headline for step, of_step in measured.steps.measures.items()},
        pile=tuple(results_audit.StepAnswer(**row) for row in summary.pile) or None,
        protected=tuple(sorted(summary.protected.values(), key=lambda kind: -kind.n)) or None,
        statuses=dict(sorted(summary.statuses.items())),
        counted=None if measured.steps is None else f"answers on single {probe.subject}",
        reading_rules=dict(summary.rules.most_common()),
        attempts=summary.attempts,
        bands=dict(measured.bands),
        references=dict(probe.references),
        headline=tuple(measured.headline),
        rate=measured.rate,
        groups=tuple(measured.groups),
        slices=tuple(measured.slice_columns()),
        scored=_scored(measured),
        instruction=measured.instruction,
        level_texts={column: dict(texts) for column, texts in probe.level_texts.items()},
        regression=(
            results_audit.Regression(measure=measured.rate, against=measured.against, label=probe.against_label)
            if measured.against
            else None
        ),
        limits=(*probe.limits, *_reader_accuracy(probe, manifest, compatible, rules=summary.rules)),
        facts=probe.facts(),
    )
    if compatible is None:
        return facts
    return replace(facts, compat=compatible.package, bands={}, references={}, design_note=compatible.note)


def _scored(measured: MeasureSet) -> Scored | None:
    """Return what is declared of scores; of a process in steps they are compared alike."""
    steps = [] if measured.steps is None else measured.steps.measures.values()
    return next((part.scored for part in (measured, *steps) if part.scored is not None), None)


def _reader_accuracy(
    probe: Probe, manifest: Manifest, compatible: Compatible | None, *, rules: Mapping[str, int]
) -> tuple[str, ...]:
    """Return how well the probe's own reader reads labelled answers; nothing where it read no answer."""
    changed = rules.keys() <= {*AS_GIVEN} or any(
        manifest.settings.get(name) is not None for name in probes.probe_settings(probe, changing="reading")
    )
    accuracy = None if changed or compatible is not None else reader_accuracy().get(probe.name)
    return () if accuracy is None else (accuracy.sentence,)


def redacted_block(block: results_audit.ProbeAudit) -> results_audit.ProbeAudit:
    """Return the block without the text of answers."""
    example, protected = block.example, block.protected
    return replace(
        block,
        twins=None,
        pile=None,
        example=None if example is None else replace(example, answer=None),
        protected=None if protected is None else tuple(replace(kind, example=None) for kind in protected),
    )


def matched_pairs(findings: Sequence[Finding]) -> results_audit.Matched | None:
    """Return the effect of pairing on the interval of the first headline measure with pairs."""
    for finding in findings:
        ratio = VerdictBasis.of(finding).width_ratio_to_unpaired
        if ratio is not None:
            share = f"{100 * abs(1 - ratio):.0f} %"
            if round(ratio, 2) == 1:
                change = "as wide as"
            else:
                change = f"{share} narrower than" if ratio < 1 else f"{share} wider than"
            sentence = (
                f"With pairs, the confidence interval is {change} that of as many unmatched prompts, computed from the "
                "same answers with the pairing ignored."
            )
            return results_audit.Matched(measure=finding.name, sentence=sentence)
    return None


#: Parameters that all probes of a suite share; the optional ones are listed only if given.
SHARED = ("seed", "temperature", "max_tokens", "base_url")
OPTIONAL_PARAMETERS = ("top_p", "frequency_penalty", "presence_penalty")


def suite_manifest(options: probes.SuiteOptions) -> dict[str, Any]:
    """Return the manifest of a suite, written before the first request."""
    manifest = {
        "kind": "suite",
        "suite": options.suite,
        "probes": list(probes.SUITES[options.suite]),
        "model": options.model,
        "redact_answers": options.redact_answers,
        "asked": suite_words(options, machine=False),
        "reproduce": shlex.join(suite_words(options)),
    }
    return begun(manifest, versions=package_versions())


def finish_suite(
    folder: RunFolder, manifest: Mapping[str, Any], runs: dict[str, ProbeRun], *, with_report: bool = True
) -> Run:
    """Write the findings of all probes and, if wanted, the summary report of a suite; return its run."""
    manifest = {**manifest, "status": "finished", "finished": utc_now()}
    result = analyse_suite(manifest_of(manifest), runs)
    run = write_findings(Run, folder, result, with_report=with_report, runs=runs)
    folder.write_manifest(manifest)
    return run


def _suite_findings(by_probe: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """Return the findings of all probes, each name once.

    A name that several probes have (`undetected_rate_attempts`) gets the probe's name as a prefix.
    """
    seen = Counter(row.name for findings in by_probe.values() for row in findings)
    return [
        replace(row, probe=name, name=row.name if seen[row.name] == 1 else f"{name.replace('-', '_')}_{row.name}")
        for name, findings in by_probe.items()
        for row in findings
    ]


def joint_limits(audits: Sequence[results_audit.ProbeAudit]) -> tuple[str, ...]:
    """Return the limits of several probes once each; one that a single probe has begins with its title."""
    probes = Counter(line for audit in audits for line in audit.limits)
    named = len(audits) > 1
    return tuple(
        dict.fromkeys(
            f"{audit.title}: {line}" if named and probes[line] == 1 else line
            for audit in audits
            for line in audit.limits
        )
    )


def analyse_suite(manifest: Manifest, runs: Mapping[str, ProbeRun]) -> Result[results_audit.SuiteAudit, Any]:
    """Return the findings of the runs of a suite by probe, and what they cost together."""
    audits = [run.audit for run in runs.values()]
    parameters = audits[0].parameters
    audit = results_audit.SuiteAudit(
        **shared(manifest, results_audit.Header)
        | shared(results_audit.Paid.together(audits), results_audit.Paid)
        | {
            "simulated": any(audit.simulated for audit in audits),
            "parameters": {key: parameters[key] for key in SHARED}
            | {key: parameters[key] for key in OPTIONAL_PARAMETERS if parameters[key] is not None},
        },
        suite=manifest.suite,
        title=f"Suite {manifest.suite}",
        simulated_note=audits[0].simulated_note,
        probes=tuple(
            results_audit.SuiteProbe(**shared(run.audit, results_audit.Measured) | {"probe": name}, folder=name)
            for name, run in runs.items()
        ),
        warnings=tuple(dict.fromkeys(line for audit in audits for line in audit.warnings)),
        incomplete=next((audit.incomplete for audit in audits if audit.incomplete), None),
        limits=joint_limits(audits),
    )
    return Result(audit=audit, findings=_suite_findings({name: run.findings for name, run in runs.items()}))
