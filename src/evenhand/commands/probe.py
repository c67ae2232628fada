"""`evenhand probe`: ask one model one question, and report."""

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.batches.log import refuse_open_batches
from evenhand.collect.journal.file import Journal
from evenhand.collect.outcomes import answered_stimuli
from evenhand.errors import InputError
from evenhand.runs.adapted import adaptation_warnings, keep_adaptations, once
from evenhand.runs.asking.asking import Asking, ask_lacking
from evenhand.runs.asking.by_batch import check_batch, tell_abandoned
from evenhand.runs.asking.spending import open_account, priced
from evenhand.runs.asking.until_width import open_enough, sequential_of, stopping_warnings
from evenhand.runs.finish import Answered, answer_warnings, finish_redaction, finish_run
from evenhand.runs.finished_run import ProbeRun
from evenhand.runs.manifest import Manifest
from evenhand.runs.model_spec import open_model, refuse_unobeyed
from evenhand.runs.options.again import keeping_redaction, reproduce_line
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.settings import configured, find_probe, with_preset
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.asked import check_resumable, check_same_size, probe_manifest, resumed_manifest
from evenhand.runs.records.opened import opened_run, status_kept
from evenhand.runs.sample import prompt_tokens, sample_size

__all__ = ["run_probe"]


def run_probe(
    name: str,
    options: ProbeOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    resume_out: Path | None = None,
) -> ProbeRun:
    """Ask, read, measure and report; return the finished run.

    `notice` gets one-line remarks for the user, `progress` attempts done and planned.
    `resume_out` is the folder to name in a stopped run's message, if not `out`.

    Raises
    ------
    InputError
        Options, folder or journal can't be used; nothing was asked.
    ServiceError
        The model refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; what was answered is in the journal.

    """
    notice = once(notice)
    probe = configured(find_probe(name), options.settings)
    refuse_unobeyed(options.model, options.generation)
    options = with_preset(probe, options)
    design, sample = sample_size(probe, options)
    check_batch(options)
    enough = open_enough(probe, design, options, sample=sample)
    model = open_model(options.model, probe=probe, seed=options.seed, service=options)
    price = priced(model.name, options.prices, max_cost=options.max_cost)
    out = options.folder("probe")
    abandoned = partial(tell_abandoned, notice=notice)
    with opened_run(out, force=options.force, resume=options.resume, before_clearing=abandoned) as opened:
        folder, previous = opened.folder, opened.previous
        manifest = probe_manifest(probe, design, model, options, sample)
        if previous is not None:
            check_resumable(previous, manifest, folder)
            if previous.redacted:
                check_same_size(previous, manifest, folder, why="its answers were redacted")
                return finish_redaction(folder, previous)
            if enough is not None:
                check_same_size(previous, manifest, folder, why="--until-width was set for that many")
            options = keeping_redaction(options, notice, begun_with=previous.redact_answers)
            manifest = resumed_manifest(manifest, previous, redact=options.redact_answers, notice=notice)
            if not options.batch:
                refuse_open_batches(folder.path)
        update = keep_adaptations(model, manifest, folder, previous=previous, notice=notice)
        finished = previous is not None and previous.is_finished
        prompt = partial(prompt_tokens, design, sample, seed=options.seed)
        account = open_account(price, options, folder=folder.path, previous=previous, prompt=prompt)
        asking = Asking(
            probe=probe,
            design=design,
            sample=sample,
            model=model,
            options=options,
            folder=folder,
            manifest=manifest,
            update_manifest=update,
            account=account,
            enough=enough,
            resume_out=resume_out if resume_out is not None else folder.path,
        )
        with status_kept(folder, manifest, previous):
            with Journal(folder.path) as journal:
                for line in journal.notices:
                    notice(line)
                opened.begin(manifest)
                _refuse_emptied(journal, previous if finished else None)
                ids = ask_lacking(asking, journal, finished=finished, notice=notice, progress=progress)
            return _finish(asking, ids, notice=notice, progress=progress)


def _refuse_emptied(journal: Journal, finished: Manifest | None) -> None:
    """Refuse to ask and pay for a finished run again because its answers are gone."""
    if finished is not None and finished.requests and not journal.answered().size:
        raise InputError(
            f"{journal.folder} is a finished run whose journal holds no answers. "
            "Restore its answers-*.jsonl from a copy, or begin a new run with another --out."
        )


def _finish(asking: Asking, ids: NDArray[np.uint64], *, notice: Notices, progress: Progress | None) -> ProbeRun:
    options, folder = asking.options, asking.folder
    run = Answered(
        probe=asking.probe,
        folder=folder,
        manifest=asking.manifest,
        design=asking.design,
        warnings=[
            *adaptation_warnings(asking.manifest),
            *answer_warnings(folder, asking.probe, options),
            *_part_warning(asking),
            *stopping_warnings(asking.enough),
        ],
        reproduce=reproduce_line(asking.probe, asking.design, options),
        with_report=options.report,
        redact=options.redact_answers,
        sequential=sequential_of(asking.enough),
    )
    return finish_run(run, answered_stimuli(folder.path, asking.design, planned=ids), notice=notice, progress=progress)


def _part_warning(asking: Asking) -> list[str]:
    """Return that this is a part of a run, where it is one."""
    shard = asking.options.shard
    if shard is None:
        return []
    return [
        f"This is part {shard.number} of {shard.of}: {asking.attempts:,} of "
        f"{asking.sample * asking.options.repetitions:,} attempts. Join the parts with evenhand collect merge."
    ]
