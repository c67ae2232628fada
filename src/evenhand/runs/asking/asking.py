"""Asks what a run lacks, and says why where it ends before that."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.asking.collector import Settings, collect
from evenhand.collect.asking.loop import run as run_loop
from evenhand.collect.asking.window import Window
from evenhand.collect.batches.waiting import BatchSettings
from evenhand.collect.collected import Collected
from evenhand.collect.enough import Enough
from evenhand.collect.journal.attempt_ids import attempt_ids
from evenhand.collect.journal.file import Journal
from evenhand.collect.order import Planned
from evenhand.errors import Incomplete, Interrupted, ServiceError
from evenhand.models.model import Model
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.asking.by_batch import collected_by_batch
from evenhand.runs.asking.spending import Account
from evenhand.runs.asking.until_width import first_attempts, stopping_block
from evenhand.runs.options.again import resume_words
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.sample import sample_part, sampled_attempts
from evenhand.tables.run_folder import RunFolder

__all__ = ["Asking", "ask_lacking"]


@dataclass(frozen=True, kw_only=True)
class Asking:
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

    def planned(self) -> Iterator[list[Planned]]:
        """Return all that this machine asks, in the order of sending."""
        return sampled_attempts(self.probe, self.design, self.options, sample=self.sample, model=self.model.name)

    @property
    def attempts(self) -> int:
        """Return how many attempts this machine makes."""
        part = sample_part(self.design, self.sample, shard=self.options.shard)
        return (self.sample if part is None else int(part.sum())) * self.options.repetitions


def ask_lacking(
    asking: Asking, journal: Journal, *, finished: bool, notice: Notices, progress: Progress | None
) -> NDArray[np.uint64]:
    """Ask what the journal lacks and return the sorted ids of all that is planned."""
    options, enough = asking.options, asking.enough
    ids: list[NDArray[np.uint64]] = []
    # In a finished run a failure is final; in an unfinished one passing failures are asked again.
    answered = journal.answered(retry_errors=not finished)
    if enough is not None and answered.size:
        enough.replay(asking.folder.path, asking.planned(), answered)
    chunks = asking.planned()
    window = Window(options.concurrency, clock=time.perf_counter)
    if enough is not None and enough.reached:
        # What was enough before is enough now: all of this is known, so nothing is asked.
        chunks = first_attempts(chunks, enough.attempts)
    result = run_loop(
        _collected(
            asking,
            _recorded(chunks, ids),
            journal,
            answered=answered,
            window=window,
            notice=notice,
            progress=_counter(progress, asking, window, before=int(answered.size)),
        )
    )
    asking.update_manifest()
    asking.manifest.update(asking.account.block(requests=result.requests))
    _keep_limits(asking.manifest, window)
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
        ids.append(attempt_ids(chunk))
        yield chunk


async def _collected(
    asking: Asking,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    *,
    answered: NDArray[np.uint64],
    window: Window,
    notice: Notices,
    progress: Callable[[int], None] | None,
) -> Collected:
    model, options, enough = asking.model, asking.options, asking.enough
    if options.batch:
        batched = BatchSettings(
            replanned=asking.planned, max_requests=options.max_requests, notice=notice, progress=progress
        )
        return await collected_by_batch(model, chunks, journal, batched, answered=answered)
    settings = Settings(
        concurrency=options.concurrency,
        max_requests=options.max_requests,
        meter=asking.account.meter,
        window=window,
        progress=progress,
        enough=None if enough is None else enough.add,
    )
    async with model:
        return await collect(model, chunks, journal, settings, answered=answered)


def _keep_limits(manifest: dict[str, Any], window: Window) -> None:
    """Note in the manifest what was learned of the server's limits, with the refusals of earlier parts of the run."""
    learned = window.learned()
    before = manifest.get("rate_limits") or {}
    if learned["refused"] or learned["told"] or before:
        manifest["rate_limits"] = {**learned, "refused": learned["refused"] + before.get("refused", 0)}


def _counter(progress: Progress | None, asking: Asking, window: Window, *, before: int) -> Callable[[int], None] | None:
    """Return what counts attempts on from those answered `before`: they are done, but tell nothing of the rate."""
    if progress is None:
        return None
    total, doing = asking.attempts, f"{asking.probe.name}: asking"
    done = before

    def count(more: int) -> None:
        nonlocal done
        done += more
        progress(doing, min(done, total), total, window.note)

    count(0)
    return count


def _stop(result: Collected, asking: Asking, *, kept: int) -> None:
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
