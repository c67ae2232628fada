"""`evenhand audit`: a suite of probes and a summary."""

import shlex
from collections import Counter
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import orjson

from evenhand.collect.journal.lock import RunLock
from evenhand.commands.probe import run_probe
from evenhand.errors import InputError
from evenhand.report import write_report
from evenhand.runs.adapted import once
from evenhand.runs.asking.by_batch import check_batch
from evenhand.runs.asking.spending import left_of, priced, together
from evenhand.runs.asking.until_width import open_enough
from evenhand.runs.audit_block import package_versions
from evenhand.runs.finish import Notices, Progress, utc_now
from evenhand.runs.finished_run import Run
from evenhand.runs.model_spec import open_model
from evenhand.runs.options.again import keeping_redaction, suite_words
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.settings import SUITES, configured, find_probe, own_settings
from evenhand.runs.sample import sample_size
from evenhand.tables.files import write_atomically
from evenhand.tables.finding import FINDINGS_SCHEMA
from evenhand.tables.run_folder import RunFolder, prepare_run_folder, read_manifest

__all__ = ["finish_suite", "per_probe", "run_audit"]


def run_audit(
    options: ProbeOptions,
    *,
    suite: str = "standard",
    notice: Notices,
    progress: Progress | None = None,
    command: str = "audit",
) -> Run:
    """Run every probe of a suite below one folder and write a summary report there.

    What several probes have to say in the same words is said once.

    Raises
    ------
    InputError
        An unknown suite, or options that one of its probes can't take; nothing was asked.

    """
    notice = once(notice)
    if suite not in SUITES:
        near = get_close_matches(suite, SUITES, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        message = f"--suite {suite!r} is unknown; expected one of {', '.join(SUITES)}.{hint}"
        raise InputError(message)
    asked = per_probe(suite, options)
    for name, own in asked.items():
        probe = configured(find_probe(name), own.settings)
        design, drawn = sample_size(probe, own)
        check_batch(own)
        open_enough(probe, design, own, sample=drawn)
        if not options.model.startswith("replay:"):
            open_model(options.model, probe=probe, seed=options.seed, service=options)
    priced(options.model, options.prices, max_cost=options.max_cost)
    out = options.folder(command)
    folder = prepare_run_folder(out, force=options.force, resume=options.resume)
    started = utc_now()
    with RunLock(folder.path):
        if options.resume:
            previous = read_manifest(folder.path)
            _check_resumable(previous, suite, options, folder)
            options = keeping_redaction(options, previous, notice)
        elif options.force:
            folder.clear()
        manifest: dict[str, Any] = {
            "kind": "suite",
            "suite": suite,
            "probes": list(SUITES[suite]),
            "model": options.model,
            "redact_answers": options.redact_answers,
            "asked": suite_words(suite, options, machine=False),
            "reproduce": shlex.join(suite_words(suite, options)),
            "versions": package_versions(),
            "status": "running",
            "started": started,
            "finished": None,
        }
        folder.write_manifest(manifest)
        runs: dict[str, Run] = {}
        sent = 0
        for name, own in asked.items():
            below = out / name
            resume = options.resume and (below / "manifest.json").is_file()
            before = read_manifest(below) if resume else None
            own = replace(own, redact_answers=options.redact_answers)  # noqa: PLW2901 - as an earlier part asked for
            left = left_of(own, runs, sent=sent, previous=before, out=out)
            runs[name] = run_probe(
                name,
                replace(left, out=below, resume=resume, force=False),
                notice=notice,
                progress=progress,
                resume_out=out,
            )
            sent += (runs[name].audit["requests"] or 0) - ((before or {}).get("requests") or 0)
        return finish_suite(folder, manifest, runs)


def finish_suite(folder: RunFolder, manifest: dict[str, Any], runs: dict[str, Run]) -> Run:
    """Write the findings of all probes and the summary report of a suite; return its run."""
    findings = _suite_findings(runs)
    audit = _suite_block(manifest, runs)
    content = {"schema": FINDINGS_SCHEMA, "audit": audit, "findings": findings}
    write_atomically(folder.findings, orjson.dumps(content, option=orjson.OPT_INDENT_2))
    write_report(folder.path)
    folder.write_manifest({**manifest, "status": "finished", "finished": audit["finished"]})
    return Run(folder=folder.path, audit=audit, findings=findings, runs=runs)


def per_probe(suite: str, options: ProbeOptions) -> dict[str, ProbeOptions]:
    """Return the options of each probe of a suite.

    A sample that is larger than a probe takes all of that probe, an odd one drops the
    half of a pair; a design or setting goes to the probes that have it.

    Raises
    ------
    InputError
        No probe of the suite has the design or setting, or the suite is asked to replay.

    """
    probes = {name: find_probe(name) for name in SUITES[suite]}
    if options.model.startswith("replay:"):
        message = (
            f"A suite asks several probes, and {options.model!r} holds the answers of one. "
            "Use evenhand measure PROBE FILE, or evenhand probe PROBE --model replay:FILE."
        )
        raise InputError(message)
    if options.design is not None and not any(options.design in probe.designs for probe in probes.values()):
        known = sorted({design for probe in probes.values() for design in probe.designs})
        message = f"--design {options.design!r} is unknown to the suite {suite}; expected one of {', '.join(known)}."
        raise InputError(message)
    result = {}
    for name, probe in probes.items():
        settings = {key: value for key, value in options.settings.items() if key in own_settings(probe)}
        design = options.design if options.design in probe.designs else None
        own = replace(options, settings=settings, design=design)
        if options.sample is not None:
            layout = sample_size(configured(probe, settings), replace(own, sample=None, everything=True))[0]
            sample = min(options.sample, layout.size) // layout.block * layout.block
            own = replace(own, sample=sample if options.sample > 0 else options.sample)
        result[name] = own
    return result


def _suite_findings(runs: dict[str, Run]) -> list[dict[str, Any]]:
    """Return the findings of all probes, each name once.

    A name that several probes have (`undetected_rate_attempts`) gets its probe's before it.
    """
    seen = Counter(row["name"] for run in runs.values() for row in run.findings)
    return [
        {"probe": name, **row, "name": row["name"] if seen[row["name"]] == 1 else f"{_slug(name)}_{row['name']}"}
        for name, run in runs.items()
        for row in run.findings
    ]


def _slug(probe: str) -> str:
    return probe.replace("-", "_")


def _check_resumable(previous: dict[str, Any] | None, suite: str, options: ProbeOptions, folder: RunFolder) -> None:
    """Refuse to go on with a folder that holds something else."""
    for key, now in (("kind", "suite"), ("suite", suite), ("model", options.model)):
        before = (previous or {}).get(key)
        if before != now:
            message = (
                f"{folder.path} holds a run with {key} {before!r}, now it is {now!r}. "
                "Resume with the same command, or choose another --out."
            )
            raise InputError(message)


def _suite_block(manifest: dict[str, Any], runs: dict[str, Run]) -> dict[str, Any]:
    """Return what the summary report prints besides the findings."""
    first = next(iter(runs.values())).audit
    return {
        "kind": "suite",
        "suite": manifest["suite"],
        "title": f"Suite {manifest['suite']}",
        "model": manifest["model"],
        "simulated": any(run.audit["simulated"] for run in runs.values()),
        "simulated_note": first["simulated_note"],
        "parameters": {key: first["parameters"][key] for key in ("seed", "temperature", "max_tokens", "base_url")},
        "probes": [
            {
                "probe": name,
                "title": run.audit["title"],
                "question": run.audit["question"],
                "folder": name,
                "headline": run.audit["headline"],
                "labels": run.audit["labels"],
                "quantities": run.audit["quantities"],
                "subject": run.audit["subject"],
                "bands": run.audit["bands"],
                "references": run.audit["references"],
                "attempts": run.audit["attempts"],
                "success": run.audit["success"],
                "statuses": run.audit["statuses"],
                "regression": run.audit["regression"],
            }
            for name, run in runs.items()
        ],
        **together([run.audit for run in runs.values()]),
        "warnings": list(dict.fromkeys(line for run in runs.values() for line in run.audit["warnings"])),
        "limits": list(dict.fromkeys(line for run in runs.values() for line in run.audit["limits"])),
        "reproduce": manifest["reproduce"],
        "versions": manifest["versions"],
        "started": manifest["started"],
        "finished": utc_now(),
    }
