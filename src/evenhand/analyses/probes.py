"""`evenhand probe`, `audit` and `measure`: put a probe or a suite to a model, or measure saved answers."""

import shlex
from dataclasses import replace
from functools import partial
from itertools import compress
from pathlib import Path
from shutil import copy2

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.analyses import asking as analyses_asking
from evenhand.analyses import records
from evenhand.analyses.finish import Answered, answer_warnings, finish_redaction, finish_run
from evenhand.analyses.judging import Judge, open_judge
from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.merge import replanned_run
from evenhand.analyses.open_model import open_model, refuse_unobeyed
from evenhand.analyses.options import probes as options_probes
from evenhand.analyses.options.reproduce import keeping_redaction, reproduce_line, resume_words
from evenhand.analyses.progress import Progress
from evenhand.analyses.run import ProbeRun, Run, opened_run, preserved_status, refuse_clearing_input
from evenhand.analyses.sample import sample_size
from evenhand.analyses.saved_answers import saved_answers
from evenhand.errors import Incomplete, InputError, option_text
from evenhand.models.answer_logs import ended_early
from evenhand.models.batch_log import refuse_open_batches
from evenhand.models.collected import Sent, journal_line, utc_now
from evenhand.models.journal import Journal, attempt_ids, journal_files, known_among
from evenhand.models.model import Answer
from evenhand.models.outcomes import PIECE, answered_stimuli, read_answers
from evenhand.options import words
from evenhand.probes.probe import Compatible, Probe
from evenhand.results.messages import Notices, number_of
from evenhand.results.result import RunFolder


def run_probe(
    name: str,
    options: options_probes.ProbeOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    resume_out: Path | None = None,
) -> ProbeRun:
    """Put a probe to a model, measure and report; return the finished run.

    `notice` gets one-line remarks for the user, `progress` the attempts done and planned. `resume_out` is the folder in
    the message of a stopped run, by default `out`.

    Raises
    ------
    InputError
        Options, folder or journal can't be used; nothing was sent.
    ServiceError
        The model refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; the answers so far are in the journal.

    """
    notice = analyses_asking.once(notice)
    probe = options_probes.configured(options_probes.find_probe(name), options.settings)
    refuse_unobeyed(options.model, options.generation, options.settings)
    options = options_probes.with_preset(probe, options)
    design, sample = sample_size(probe, options)
    analyses_asking.check_batch(options)
    rule = analyses_asking.stopping_rule(probe, design, options, sample=sample)
    model = open_model(options.model, probe=probe, seed=options.seed, service=options)
    price = analyses_asking.priced(model.name, options.prices, max_cost=options.max_cost)
    out = options.folder("probe")
    judge = open_judge(probe, options, out=resume_out or out, seed=options.seed)
    abandoned = partial(analyses_asking.tell_abandoned, notice=notice)
    with opened_run(out, force=options.force, resume=options.resume, before_clearing=abandoned) as opened:
        folder, previous = opened.folder, opened.previous
        manifest = records.probe_manifest(probe, design, model, options, sample)
        if previous is not None:
            records.check_resumable(previous, manifest, folder)
            if previous.redacted:
                records.check_same_size(previous, manifest, folder, reason="its answers were redacted")
                return finish_redaction(folder, previous)
            if rule is not None:
                records.check_same_size(previous, manifest, folder, reason="--until-width was set for that many")
            options = keeping_redaction(options, notice, begun_with=previous.redact_answers)
            manifest = records.resumed_manifest(manifest, previous, redact=options.redact_answers, notice=notice)
            if not options.batch:
                refuse_open_batches(folder.path)
        asking = analyses_asking.begun_asking(
            opened,
            manifest,
            probe=probe,
            design=design,
            model=model,
            options=options,
            sample=sample,
            price=price,
            notice=notice,
            rule=rule,
            resume_out=resume_out,
        )
        with preserved_status(folder, manifest, previous):
            ids = analyses_asking.asked_ids(asking, opened, notice=notice, progress=progress)
            return _finish(asking, ids, judge, notice=notice, progress=progress)


def _finish(
    asking: analyses_asking.Asking,
    ids: NDArray[np.uint64],
    judge: Judge | None,
    *,
    notice: Notices,
    progress: Progress | None,
) -> ProbeRun:
    options, folder = asking.options, asking.folder
    if judge is not None and judge.max_requests is not None:
        sent = asking.manifest["requests"] - asking.account.sent
        judge = replace(judge, max_requests=max(0, judge.max_requests - sent))
    run = Answered(
        probe=asking.probe,
        folder=folder,
        manifest=asking.manifest,
        design=asking.design,
        warnings=[
            *analyses_asking.adaptation_warnings(asking.manifest),
            *answer_warnings(folder, asking.probe, options),
            *_part_warning(asking),
            *analyses_asking.stopping_warnings(asking.rule),
        ],
        reproduce=reproduce_line(asking.probe, asking.design, options),
        with_report=options.report,
        redact=options.redact_answers,
        sequential=analyses_asking.sequential_of(asking.rule),
        judge=judge,
    )
    return finish_run(run, answered_stimuli(folder.path, asking.design, planned=ids), notice=notice, progress=progress)


def _part_warning(asking: analyses_asking.Asking) -> list[str]:
    """Return the warning that a run is only a part."""
    shard = asking.options.shard
    if shard is None:
        return []
    return [
        f"This is part {shard.number} of {shard.of}: {asking.attempts:,} of "
        f"{asking.sample * asking.options.repetitions:,} attempts. Join the parts with evenhand collect merge."
    ]


def run_audit(
    options: options_probes.SuiteOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    command: str = "audit",
) -> Run:
    """Run every probe of a suite in subfolders of one folder, and write a summary report there.

    A remark that several probes make is passed on once.

    Raises
    ------
    InputError
        A probe can't take an option; nothing was sent.

    """
    notice = analyses_asking.once(notice)
    refuse_unobeyed(options.model, options.generation, options.settings)
    requests = per_probe(options.suite, options)
    for name, probe_options in requests.items():
        probe = options_probes.configured(options_probes.find_probe(name), probe_options.settings)
        design, drawn = sample_size(probe, probe_options)
        analyses_asking.check_batch(probe_options)
        analyses_asking.stopping_rule(probe, design, probe_options, sample=drawn)
        if not options.model.startswith("replay:"):
            open_model(options.model, probe=probe, seed=options.seed, service=options)
    analyses_asking.priced(options.model, options.prices, max_cost=options.max_cost)
    out = options.folder(command)
    with opened_run(out, force=options.force, resume=options.resume) as opened:
        if opened.previous is not None:
            _check_resumable(opened.previous, options, opened.folder)
            options = keeping_redaction(options, notice, begun_with=opened.previous.redact_answers)
        manifest = records.suite_manifest(options)
        opened.begin(manifest)
        runs: dict[str, ProbeRun] = {}
        sent = 0
        for name, probe_options in requests.items():
            below = out / name
            resume = options.resume and (below / "manifest.json").is_file()
            before = read_manifest(below) if resume else None
            probe_options = replace(probe_options, redact_answers=options.redact_answers)  # noqa: PLW2901 - as in the earlier part
            left = analyses_asking.left_of(probe_options, runs, sent=sent, previous=before, out=out)
            runs[name] = run_probe(
                name,
                replace(left, out=below, resume=resume, force=False),
                notice=notice,
                progress=progress,
                resume_out=out,
            )
            sent += (runs[name].audit.requests or 0) - (0 if before is None else before.requests or 0)
        return records.finish_suite(opened.folder, manifest, runs, with_report=options.report)


def per_probe(suite: str, options: options_probes.ProbeOptions) -> dict[str, options_probes.ProbeOptions]:
    """Return the options of each probe of a suite.

    A sample larger than a probe takes the whole probe, an odd one drops half of a pair; a design or setting goes to the
    probes that have it.

    Raises
    ------
    InputError
        No probe of the suite has the design or setting, or the model is replay:.

    """
    probes = {name: options_probes.find_probe(name) for name in options_probes.SUITES[suite]}
    if options.model.startswith("replay:"):
        raise InputError(
            f"A suite asks several probes, and {options.model!r} holds the answers of one. "
            "Use evenhand measure PROBE FILE, or evenhand probe PROBE --model replay:FILE."
        )
    if options.design is not None and not any(options.design in probe.designs for probe in probes.values()):
        known = sorted({design for probe in probes.values() for design in probe.designs})
        raise InputError(
            f"--design {options.design!r} is unknown to the suite {suite}; expected one of {', '.join(known)}."
        )
    result = {}
    for name, probe in probes.items():
        settings = {
            key: value for key, value in options.settings.items() if key in options_probes.probe_settings(probe)
        }
        design = options.design if options.design in probe.designs else None
        probe_options = replace(options, settings=settings, design=design)
        if options.sample is not None:
            layout = sample_size(
                options_probes.configured(probe, settings), replace(probe_options, sample=None, everything=True)
            )[0]
            sample = min(options.sample, layout.size) // layout.block * layout.block
            probe_options = replace(probe_options, sample=sample if options.sample > 0 else options.sample)
        result[name] = probe_options
    return result


def _check_resumable(previous: Manifest, options: options_probes.SuiteOptions, folder: RunFolder) -> None:
    """Refuse to resume another kind of run, or another suite or model."""
    identity = (("suite", previous.suite, options.suite), ("model", previous.model, options.model))
    differing = [] if previous.run_kind.probes_below else [("kind", previous.kind, "suite")]
    differing += [(key, before, now) for key, before, now in identity if before != now]
    if differing:
        key, before, now = differing[0]
        raise InputError(
            f"{folder.path} holds a run with {key} {before!r}, now it is {now!r}. "
            "Resume with the same command, or choose another --out."
        )


#: Separates item and prompt in the name of a unit; no text has this control character.
SEPARATOR = "\x1f"


def measure_saved(
    name: str,
    answers: Path,
    options: options_probes.MeasureOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
) -> ProbeRun:
    """Parse saved answers, measure and report; return the finished run.

    Raises
    ------
    InputError
        The file lacks columns, or a name, occupation or level is unknown.

    """
    probe = options_probes.configured(options_probes.find_probe(name), options.settings, command="measure")
    compatible = _compatible(probe, options.compat)
    if compatible is not None and options.judge is not None:
        raise InputError(
            f"{option_text('judge')} and {option_text('compat', options.compat)} can't be given together: these "
            "are another package's definitions. Leave out one of them."
        )
    judge = open_judge(probe, options, seed=options.seed)
    _refuse_journal(answers)
    refuse_clearing_input(options.out, [answers], force=options.force)
    packed = saved_answers(answers, probe, options, notice=notice)
    saved = packed.rows
    joined = joined_answers(saved, probe.saved(saved), rows_are_items=compatible is not None)
    items = joined["item"].n_unique()
    if saved["item"].null_count() and items < joined.height:
        prompts = number_of(items, "prompt")
        notice(f"{joined.height:,} rows answer {prompts}: several answers to one prompt count as one item.")
    with opened_run(options.folder("measure"), force=options.force) as opened:
        manifest = records.saved_manifest(probe, answers, saved, options, items=items)
        early = ended_early(answers)
        if early is not None:
            manifest["ended_early"] = [early.samples, early.planned]
        opened.begin(manifest)
        repeated_words = [*words(options, always=("seed",)), *options_probes.setting_words(options.settings)]
        run = Answered(
            probe=probe,
            folder=opened.folder,
            manifest=manifest,
            warnings=[] if early is None else [f"{early.sentence(answers)}."],
            reproduce=shlex.join(["evenhand", "measure", probe.name, str(answers), *repeated_words]),
            with_report=options.report,
            compatible=compatible,
            judge=judge,
        )
        pieces = (part for piece in packed.joined(joined, name="text") for part in piece.iter_slices(PIECE))
        return finish_run(run, pieces, notice=notice, progress=progress)


def measure_run(
    path: Path, options: options_probes.MeasureOptions, *, notice: Notices, progress: Progress | None = None
) -> ProbeRun:
    """Measure what an unfinished run has so far, as a run of its own; prompts without an answer are 'missing'.

    Raises
    ------
    InputError
        There is no such run, it can't be planned again, or the text of its answers was removed.
    Incomplete
        Nothing was answered.

    """
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None or not (manifest.run_kind.one_probe and manifest.run_kind.asks):
        raise InputError(
            f"{path} is not the folder of a run of one probe; give such a folder, or a probe and a file of "
            "saved answers: evenhand measure hiring-an answers.jsonl."
        )
    if manifest.redacted:
        raise InputError(
            f"The text of the answers in {path} was deleted when the run was redacted, so they can't be measured "
            f"again. Its results stand in {path / 'findings.json'}."
        )
    out = options.folder("measure")
    refuse_clearing_input(out, journal_paths := [file.path for file in journal_files(path)], force=options.force)
    settings = options_probes.manifest_settings(manifest.settings, {}, asked="the run was")
    shard = None if manifest.shard is None else options_probes.Shards.parse(manifest.shard)
    plan = replanned_run(manifest, settings, of=1 if shard is None else shard.of)
    number = 1 if shard is None else shard.number
    ids = np.sort(plan.ids(number, path))
    if not any(answers["error_class"].null_count() for answers in read_answers(path)):
        resume = resume_words(path, redact=manifest.redact_answers)
        raise Incomplete(f"{analyses_asking.nothing_answered(ids.size)}; continue with evenhand probe … {resume}.")
    judge = open_judge(plan.probe, options, seed=options.seed)
    with opened_run(out, force=options.force) as opened:
        for file in journal_paths:
            copy2(file, opened.folder.path)
        with Journal(opened.folder.path) as journal:
            answered = journal.answered()
            for chunk in plan.attempts(number, path):
                known = known_among(attempt_ids(chunk), answered)
                for planned in compress(chunk, ~known):
                    none = Answer(text=None, error_class="missing")
                    journal.append(journal_line(Sent.of(planned), none, latency=None, retries=0, time=utc_now()))
        state = {"status": "measuring", "unfinished": True, "asked_in": str(path), "judge": None}
        run = Answered(
            probe=plan.probe,
            folder=opened.folder,
            manifest={**manifest.as_written, **state, "parameters": {**manifest.parameters, "judge": options.judge}},
            design=plan.design,
            reproduce=shlex.join(["evenhand", "measure", str(path), *words(options)]),
            judge=judge,
            with_report=options.report,
        )
        opened.begin(run.manifest)
        pieces = answered_stimuli(opened.folder.path, plan.design, planned=ids)
        return finish_run(run, pieces, notice=notice, progress=progress)


def _refuse_journal(answers: Path) -> None:
    """Refuse the journal of a run: it has no columns of the prompts, and the run is measured already."""
    if answers.parent.is_dir() and answers in [file.path for file in journal_files(answers.parent)]:
        manifest = read_manifest(answers.parent)
        if manifest is None:
            return
        note = " The text of its answers was taken away, so they can't be measured again." * manifest.redacted
        raise InputError(
            f"{answers} is the journal of a run of evenhand; its findings are in {answers.parent}: findings.json and "
            f"report.html.{note}"
        )


def _compatible(probe: Probe, compat: str | None) -> Compatible | None:
    if compat is None:
        return None
    if compat not in probe.compatible and compat in options_probes.find_probe(probe.name).compatible:
        flags = " and ".join(f"--{name}" for name in options_probes.probe_settings(probe, changing="reading"))
        raise InputError(f"--compat {compat} has its own definitions of answers; leave out {flags}.")
    if compat not in probe.compatible:
        known = f"expected one of {', '.join(probe.compatible)}" if probe.compatible else "it has no other definitions"
        raise InputError(f"--compat {compat!r} is unknown to {probe.name}; {known}.")
    return probe.compatible[compat]


def joined_answers(saved: pl.DataFrame, stimuli: pl.DataFrame, *, rows_are_items: bool = False) -> pl.DataFrame:
    """Return answers with their stimuli, in the columns of a collected run.

    Without items the answers to one prompt are attempts of one item, as they are not independent of each other; with
    `rows_are_items` each is an item, as GenderBench has it.
    """
    first = pl.int_range(stimuli.height, eager=True).cast(pl.String).alias("row")
    item = pl.coalesce("item", "row" if rows_are_items else pl.col("row").first().over("unit"))
    unit = pl.concat_str("item", "unit", separator=SEPARATOR)
    frame = stimuli.hstack(
        saved.select(
            "item",
            "attempt",
            pl.col("answer").alias("text"),
            "finish_reason",
            pl.col("error").alias("error_class"),
        )
    )
    frame = (
        frame.with_columns(first)
        .with_columns(item.alias("item"))
        .drop("row")
        .with_columns(
            unit.alias("unit"),
            pl.lit(None, pl.String).alias("pair"),
            pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
            pl.lit(None, pl.String).alias("prompt"),
        )
    )
    if saved["attempt"].null_count() == saved.height:
        return frame.with_columns(pl.int_range(pl.len()).over("unit").cast(pl.Int32).alias("attempt"))
    repeated = frame.select("unit", "attempt").is_duplicated().arg_true()
    if len(repeated):
        row = repeated[0]
        raise InputError(
            f"Row {row + 1} repeats another: item {saved['item'][row]!r}, attempt {saved['attempt'][row]} "
            "is there twice. Number the attempts, or leave the column out."
        )
    return frame
