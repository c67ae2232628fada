"""`evenhand probe`: ask one model one question, and report."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.answers import identical_repetitions
from evenhand.collect.batch_log import refuse_open_batches
from evenhand.collect.collected import Collected
from evenhand.collect.collector import collect
from evenhand.collect.enough import Enough
from evenhand.collect.journal import Journal
from evenhand.collect.lock import RunLock
from evenhand.collect.loop import run as run_loop
from evenhand.collect.meter import Meter
from evenhand.collect.order import Planned, planned, shard_part
from evenhand.collect.outcomes import answered_stimuli
from evenhand.collect.tokens import mean_prompt_tokens
from evenhand.commands._adapted import adaptation_warnings, keep_adaptations, once, requested_parameters
from evenhand.commands._audit_block import package_versions
from evenhand.commands._by_batch import check_batch, collected_by_batch, tell_abandoned
from evenhand.commands._cost import Account, carried, open_account, priced
from evenhand.commands._finish import (
    Notices,
    Progress,
    finish_redaction,
    finish_run,
    lexicon_fingerprints,
    utc_now,
)
from evenhand.commands._model_spec import open_model
from evenhand.commands._plan import (
    ProbeOptions,
    configured,
    default_out,
    find_probe,
    keeping_redaction,
    reproduce_line,
    resume_words,
    sample_size,
    settings_block,
    with_preset,
)
from evenhand.commands._run import Run
from evenhand.commands._until_width import (
    first_attempts,
    open_enough,
    sequential_of,
    stopping_block,
    stopping_warnings,
)
from evenhand.errors import Incomplete, InputError, Interrupted, ServiceError
from evenhand.models._model import Model
from evenhand.probes import Design, Probe, shuffled_indices
from evenhand.tables.run_folder import RunFolder, prepare_run_folder, read_manifest

__all__ = ["SAME", "answer_warnings", "run_probe", "some_prompts"]

# Prompts that stand for all where a server tells no usage.
_FEW = 100

#: What a resumed run must have in common with the one it goes on with.
SAME = (
    "probe",
    "design",
    "model",
    "temperature",
    "max_tokens",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "seed",
    "settings",
    "shard",
    "until_width",
)


def run_probe(
    name: str,
    options: ProbeOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    resume_out: Path | None = None,
) -> Run:
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
    options = with_preset(probe, options)
    design, sample = sample_size(probe, options)
    check_batch(options)
    enough = open_enough(probe, design, options, sample=sample)
    model = open_model(options.model, probe=probe, seed=options.seed, service=options.service)
    price = priced(model.name, options.prices, max_cost=options.max_cost)
    out = options.out if options.out is not None else default_out("probe")
    folder = prepare_run_folder(out, force=options.force, resume=options.resume)
    with RunLock(folder.path):
        previous = read_manifest(folder.path)
        manifest = _manifest(probe, design, model, options, sample)
        if options.resume and previous is not None:
            _check_resumable(previous, manifest, folder)
            if previous.get("redacted"):
                _check_same_size(previous, manifest, folder, why="its answers were redacted")
                return finish_redaction(folder, previous)
            if enough is not None:
                _check_same_size(previous, manifest, folder, why="--until-width was set for that many")
            options = keeping_redaction(options, previous, notice)
            manifest["redact_answers"] = options.redact_answers
            manifest["started"] = previous["started"]
            manifest.update(carried(previous))
            if "merged" in previous:
                manifest["merged"] = previous["merged"]
            _notice_moved_server(previous, manifest, notice)
            if not options.batch:
                refuse_open_batches(folder.path)
        elif options.force:
            tell_abandoned(folder.path, notice)
            folder.clear()
        update = keep_adaptations(model, manifest, folder, previous=previous if options.resume else None, notice=notice)
        finished = options.resume and previous is not None and previous.get("status") == "finished"
        asking = _Asking(
            probe=probe,
            design=design,
            sample=sample,
            model=model,
            options=options,
            folder=folder,
            manifest=manifest,
            update_manifest=update,
            account=open_account(
                price,
                options,
                folder=folder.path,
                previous=previous if options.resume else None,
                prompt=lambda: mean_prompt_tokens(some_prompts(design, sample, seed=options.seed)),
            ),
            enough=enough,
            resume_out=resume_out if resume_out is not None else folder.path,
        )
        with Journal(folder.path) as journal:
            for line in journal.notices:
                notice(line)
            folder.write_manifest(manifest)
            ids = _ask(asking, journal, finished=finished, notice=notice, progress=progress)
        return _finish(asking, ids, notice=notice)


def _manifest(probe: Probe, design: Design, model: Model, options: ProbeOptions, sample: int) -> dict[str, Any]:
    """Return what was asked; written before the first request."""
    return {
        "kind": "probe",
        "probe": probe.name,
        "probe_version": probe.version,
        "design": design.name,
        "settings": settings_block(options.settings),
        "model": model.name,
        "simulated": model.simulated,
        "redact_answers": options.redact_answers,
        "shard": None if options.shard is None else str(options.shard),
        "parameters": {
            "sample": sample,
            "population": design.size,
            "repetitions": options.repetitions,
            "seed": options.seed,
            "temperature": options.generation.temperature,
            "max_tokens": options.generation.max_tokens,
            "top_p": options.generation.top_p,
            "frequency_penalty": options.generation.frequency_penalty,
            "presence_penalty": options.generation.presence_penalty,
            "base_url": ", ".join(options.service.base_urls) or None,
            "timeout": options.service.timeout,
            "concurrency": options.service.concurrency,
            "batch": options.batch,
            "until_width": options.until_width,
        },
        "order": "keyed permutation of all prompts from the seed; sent_order in the journal",
        "clusters": list(probe.measured.clusters),
        "versions": package_versions(model=model.name),
        "fingerprints": lexicon_fingerprints(),
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }


def _check_resumable(previous: dict[str, Any], manifest: dict[str, Any], folder: RunFolder) -> None:
    """Refuse to go on with a run that asked something else."""
    before, now = ({**each, **requested_parameters(each)} for each in (previous, manifest))
    for key in SAME:
        if before.get(key) != now[key]:
            option = key.replace("_", "-")
            message = (
                f"{folder.path} was run with {option} {before.get(key)!r}, now it is {now[key]!r}. "
                "Resume with the same options, or choose another --out."
            )
            raise InputError(message)


def _check_same_size(previous: dict[str, Any], manifest: dict[str, Any], folder: RunFolder, *, why: str) -> None:
    """Refuse to ask more than was planned: redacted answers can't be read again, nor a sequence tuned anew."""
    for key in ("sample", "repetitions"):
        before, now = (each["parameters"][key] for each in (previous, manifest))
        if before != now:
            raise InputError(
                f"{folder.path} was asked with {key} {before:,} and {why}, so it can't go on with {now:,}. "
                "Choose another --out."
            )


def _notice_moved_server(previous: dict[str, Any], manifest: dict[str, Any], notice: Notices) -> None:
    """Say that the rest is asked at another address; answers don't depend on it."""
    before, now = (each["parameters"]["base_url"] for each in (previous, manifest))
    if before != now:
        notice(f"Resumed at {now or 'the default address'}; the run began at {before or 'the default address'}.")


@dataclass(frozen=True, kw_only=True)
class _Asking:
    """One run under way: what is asked of whom, and where it is kept."""

    probe: Probe
    design: Design
    sample: int
    model: Model
    options: ProbeOptions
    folder: RunFolder
    manifest: dict[str, Any]
    update_manifest: Callable[[], None]
    account: Account
    enough: Enough | None
    resume_out: Path

    @property
    def part(self) -> NDArray[np.bool_] | None:
        """Return which prompts of the sample this machine asks; None for all."""
        shard = self.options.shard
        if shard is None:
            return None
        return shard_part(self.sample, block=self.design.block, number=shard.number, of=shard.of)

    def planned(self) -> Iterator[list[Planned]]:
        """Return all that this machine asks, in the order of sending."""
        options, design = self.options, self.design
        return planned(
            shuffled_indices(design.size, self.sample, seed=options.seed, block=design.block),
            stimuli=design.stimuli,
            probe=self.probe.name,
            version=self.probe.version,
            model=self.model.name,
            generation=options.generation,
            seed=options.seed,
            order_seed=options.seed,
            repetitions=options.repetitions,
            part=self.part,
        )

    @property
    def attempts(self) -> int:
        """Return how many attempts this machine makes."""
        part = self.part
        return (self.sample if part is None else int(part.sum())) * self.options.repetitions


def _ask(
    asking: _Asking, journal: Journal, *, finished: bool, notice: Notices, progress: Progress | None
) -> NDArray[np.uint64]:
    """Ask what the journal lacks and return the sorted ids of all that is planned."""
    options, enough = asking.options, asking.enough
    ids: list[NDArray[np.uint64]] = []
    # In a finished run a failure is final; in an unfinished one passing failures are asked again.
    answered = journal.answered(retry_errors=not finished)
    if enough is not None and answered.size:
        enough.replay(asking.folder.path, asking.planned(), answered)
    chunks = asking.planned()
    if enough is not None and enough.reached:
        # What was enough before is enough now: all of this is known, so nothing is asked.
        chunks = first_attempts(chunks, enough.attempts)
    result = run_loop(
        _collected(
            asking.model,
            _recorded(chunks, ids),
            journal,
            answered=answered,
            replanned=asking.planned,
            options=options,
            meter=asking.account.meter,
            enough=enough,
            notice=notice,
            progress=_counter(progress, asking.attempts),
        )
    )
    asking.update_manifest()
    asking.manifest.update(asking.account.block(requests=result.requests))
    if result.stopped not in {None, "enough"}:
        _stop(result, asking, kept=int(answered.size) + result.answered)
    if not result.answered and not result.skipped:
        asking.folder.write_manifest({**asking.manifest, "status": "failed", "finished": utc_now()})
        if set(result.failed) == {"missing"}:
            message = (
                f"No prompt of this run has an answer in {asking.model.name.partition(':')[2]}: the sample is drawn at "
                f"random. To measure the saved answers themselves: evenhand measure {asking.probe.name} FILE."
            )
            raise ServiceError(message)
        reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(result.failed.items()))
        message = f"Every attempt failed: {reasons}. The journal is in {asking.folder.path}."
        raise ServiceError(message)
    if enough is not None:
        enough.finish()
        journaled = int(answered.size) + result.answered + sum(result.failed.values())
        asking.manifest["stopping"] = stopping_block(enough, journaled=journaled)
        notice(asking.manifest["stopping"]["sentence"])
    used = enough.attempts if enough is not None and enough.reached else None
    return np.sort(np.concatenate(ids)[:used])


def _recorded(chunks: Iterable[list[Planned]], ids: list[NDArray[np.uint64]]) -> Iterator[list[Planned]]:
    """Pass the chunks on and keep their ids, 8 bytes each."""
    for chunk in chunks:
        ids.append(np.array([int(attempt.request.id, 16) for attempt in chunk], dtype=np.uint64))
        yield chunk


async def _collected(
    model: Model,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    *,
    answered: NDArray[np.uint64],
    replanned: Callable[[], Iterable[list[Planned]]],
    options: ProbeOptions,
    meter: Meter | None,
    enough: Enough | None,
    notice: Notices,
    progress: Callable[[int], None] | None,
) -> Collected:
    if options.batch:
        return await collected_by_batch(
            model,
            chunks,
            journal,
            answered=answered,
            replanned=replanned,
            options=options,
            notice=notice,
            progress=progress,
        )
    async with model:
        return await collect(
            model,
            chunks,
            journal,
            answered=answered,
            concurrency=options.service.concurrency,
            max_requests=options.max_requests,
            meter=meter,
            progress=progress,
            enough=None if enough is None else enough.add,
        )


def some_prompts(design: Design, sample: int, *, seed: int) -> list[str]:
    """Return a few of the prompts that are asked, for the mean of their lengths."""
    few = min(sample, _FEW // design.block * design.block)
    return design.stimuli(shuffled_indices(design.size, few, seed=seed, block=design.block))["prompt"].to_list()


def _counter(progress: Progress | None, total: int) -> Callable[[int], None] | None:
    if progress is None:
        return None
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        progress(done, total)

    return count


def _stop(result: Collected, asking: _Asking, *, kept: int) -> None:
    """Note in the manifest that the run is unfinished, and raise what ends it."""
    path = asking.folder.path
    asking.folder.write_manifest({**asking.manifest, "status": "incomplete", "finished": utc_now()})
    again = resume_words(asking.resume_out, redact=asking.options.redact_answers)
    resume = f"{kept:,} answers are kept in {path}; go on with {again}."
    reason = (result.message or "").rstrip(".")
    if result.stopped == "interrupted":
        message = f"Interrupted. {resume}"
        raise Interrupted(message)
    if result.stopped == "fatal" or (result.stopped == "gone" and not kept):
        message = f"{reason}. {resume}" if kept else f"{reason}."
        raise ServiceError(message)
    message = f"{reason}. {resume}"
    raise Incomplete(message)


def _finish(asking: _Asking, ids: NDArray[np.uint64], *, notice: Notices) -> Run:
    options, folder = asking.options, asking.folder
    return finish_run(
        asking.probe,
        answered_stimuli(folder.path, asking.design, planned=ids),
        folder,
        asking.manifest,
        design=asking.design,
        warnings=[
            *adaptation_warnings(asking.manifest),
            *answer_warnings(folder, options),
            *_part_warning(asking),
            *stopping_warnings(asking.enough),
        ],
        reproduce=reproduce_line(asking.probe, asking.design, options),
        notice=notice,
        redact=options.redact_answers,
        sequential=sequential_of(asking.enough),
    )


def _part_warning(asking: _Asking) -> list[str]:
    """Return that this is a part of a run, where it is one."""
    shard = asking.options.shard
    if shard is None:
        return []
    return [
        f"This is part {shard.number} of {shard.of}: {asking.attempts:,} of "
        f"{asking.sample * asking.options.repetitions:,} attempts. Join the parts with evenhand collect merge."
    ]


def answer_warnings(folder: RunFolder, options: ProbeOptions) -> list[str]:
    """Return what the user should know about how the model answered."""
    if options.repetitions < 2 or options.generation.temperature == 0:
        return []
    repeated = identical_repetitions(folder.path)
    if not repeated.identical:
        return []
    return [
        f"{repeated.identical:,} of {repeated.compared:,} prompts got identical text in all {options.repetitions} "
        "repetitions, though the temperature is not 0: the server may ignore seed or temperature, or keep a cache."
    ]
