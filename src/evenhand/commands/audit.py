"""`evenhand audit`: a suite of probes and a summary."""

from dataclasses import replace

from evenhand.commands.probe import run_probe
from evenhand.errors import InputError
from evenhand.runs.adapted import once
from evenhand.runs.asking.by_batch import check_batch
from evenhand.runs.asking.spending import left_of, priced
from evenhand.runs.asking.until_width import open_enough
from evenhand.runs.finished_run import ProbeRun, Run
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.model_spec import open_model, refuse_unobeyed
from evenhand.runs.options.again import keeping_redaction
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.settings import configured, find_probe, own_settings
from evenhand.runs.options.suite import SUITES, SuiteOptions
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.opened import opened_run
from evenhand.runs.records.suite import finish_suite, suite_manifest
from evenhand.runs.sample import sample_size
from evenhand.tables.run_folder import RunFolder

__all__ = ["per_probe", "run_audit"]


def run_audit(
    options: SuiteOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    command: str = "audit",
) -> Run:
    """Run every probe of a suite below one folder and write a summary report there.

    What several probes have to say in the same words is said once.

    Raises
    ------
    InputError
        Options that one of the probes can't take; nothing was asked.

    """
    notice = once(notice)
    refuse_unobeyed(options.model, options.generation)
    asked = per_probe(options.suite, options)
    for name, own in asked.items():
        probe = configured(find_probe(name), own.settings)
        design, drawn = sample_size(probe, own)
        check_batch(own)
        open_enough(probe, design, own, sample=drawn)
        if not options.model.startswith("replay:"):
            open_model(options.model, probe=probe, seed=options.seed, service=options)
    priced(options.model, options.prices, max_cost=options.max_cost)
    out = options.folder(command)
    with opened_run(out, force=options.force, resume=options.resume) as opened:
        if opened.previous is not None:
            _check_resumable(opened.previous, options, opened.folder)
            options = keeping_redaction(options, notice, begun_with=opened.previous.redact_answers)
        manifest = suite_manifest(options)
        opened.begin(manifest)
        runs: dict[str, ProbeRun] = {}
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
            sent += (runs[name].audit.requests or 0) - (0 if before is None else before.requests or 0)
        return finish_suite(opened.folder, manifest, runs, with_report=options.report)


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


def _check_resumable(previous: Manifest, options: SuiteOptions, folder: RunFolder) -> None:
    """Refuse to go on with a folder that holds something else."""
    asked = (("suite", previous.suite, options.suite), ("model", previous.model, options.model))
    differing = [] if previous.run_kind.probes_below else [("kind", previous.kind, "suite")]
    differing += [(key, before, now) for key, before, now in asked if before != now]
    if differing:
        key, before, now = differing[0]
        raise InputError(
            f"{folder.path} holds a run with {key} {before!r}, now it is {now!r}. "
            "Resume with the same command, or choose another --out."
        )
