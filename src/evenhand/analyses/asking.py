"""Asks what a run lacks, and says why where it ends before that.

What a model was not sent as it was asked for: kept in the manifest, and said once.
Limits and cost of a run: what may be sent, what was paid, what the manifest says of it.
`--until-width`: what may be watched, when asking stopped, and what that saved.
`--batch`: what it can't be combined with, and the collection by a provider's batches.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from evenhand.analyses.manifest import Manifest, is_recorded_as_sent, utc_now
from evenhand.analyses.options.probes import ProbeOptions, Service
from evenhand.analyses.options.reproduce import resume_words
from evenhand.analyses.progress import Notices, Progress
from evenhand.analyses.run import ProbeRun
from evenhand.analyses.sample import sample_part, sampled_attempts
from evenhand.comparisons.declared import Sequential
from evenhand.comparisons.measure import CONFIDENCE
from evenhand.errors import Incomplete, InputError, Interrupted, ServiceError
from evenhand.models.batch_apis import BATCH_APIS, batches_of
from evenhand.models.batch_log import BatchLog
from evenhand.models.batches import BatchSettings, collect_batches
from evenhand.models.collected import Collected
from evenhand.models.collecting import Settings, collect
from evenhand.models.collecting import run as run_loop
from evenhand.models.concurrency import ConcurrencyLimiter
from evenhand.models.cost import Budget, Price, Usage, journaled_shares, journaled_usage, read_prices
from evenhand.models.journal import Journal, attempt_ids
from evenhand.models.limits import CostTracker, Limits
from evenhand.models.model import Adaptation, Model
from evenhand.models.order import Planned
from evenhand.models.stopping import LOOK_EVERY, StoppingRule, watched
from evenhand.probes.probe import Design, Probe
from evenhand.results.run_folder import RunFolder


@runtime_checkable
class _Adapting(Protocol):
    """A model that may change requests for its server."""

    @property
    def adaptations(self) -> tuple[Adaptation, ...]: ...

    def told_to(self, tell: Callable[[str], None]) -> None: ...

    def leave_out(self, adaptations: Iterable[Adaptation], *, answered: bool = False) -> None: ...


def once(notice: Callable[[str], None]) -> Callable[[str], None]:
    """Return `notice` such that the same line is passed on the first time only.

    >>> said = once(print)
    >>> said("a"), said("a")
    a
    (None, None)
    """
    told: set[str] = set()

    def say(line: str) -> None:
        if line not in told:
            told.add(line)
            notice(line)

    return say


def keep_adaptations(
    model: Model,
    manifest: dict[str, Any],
    folder: RunFolder,
    *,
    previous: Manifest | None,
    notice: Callable[[str], None],
) -> Callable[[], None]:
    """Have the manifest say what was really sent; return what brings it up to date.

    What the earlier part of a resumed run left out is left out from the beginning, so
    that its answers stay comparable.
    """
    known = [] if previous is None else [dict(row) for row in previous.adaptations]
    manifest["adaptations"] = known
    _apply(manifest)

    def update() -> None:
        if not isinstance(model, _Adapting):
            return
        for adaptation in model.adaptations:
            if all((row["parameter"], row["sent"]) != (adaptation.parameter, adaptation.sent) for row in known):
                known.append(adaptation.record())
        _apply(manifest)

    def hear(line: str) -> None:
        before = len(known)
        update()
        if len(known) > before:
            folder.write_manifest(manifest)
        notice(f"Warning: {line}")

    if isinstance(model, _Adapting):
        fields = ("parameter", "requested", "sent", "reason", "partly")
        earlier = [Adaptation(**{name: row[name] for name in fields}) for row in known if row["sent"] is None]
        model.leave_out(earlier, answered=previous is not None and any(folder.path.glob("answers-*.jsonl")))
        model.told_to(hear)
    return update


def adaptation_warnings(manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each parameter that was not sent as it was asked for."""
    return [row["sentence"] for row in manifest.get("adaptations") or [] if row["sentence"]]


def _apply(manifest: dict[str, Any]) -> None:
    """Let the manifest's parameters claim nothing that was not used."""
    for row in manifest["adaptations"]:
        if is_recorded_as_sent(row):
            manifest["parameters"][row["parameter"]] = row["sent"]


NO_PRICES = "No prices were given; --prices FILE names them."
#: Models that nobody bills by the token, unless the user's file has a price for them.
_FREE = {
    "sim": "A simulated model is not paid for.",
    "replay": "Saved answers are not paid for again.",
    "hf": "A model on this machine has no price per token.",
    "python": "A function on this machine is not paid for.",
}


@dataclass(frozen=True, kw_only=True)
class Priced:
    """The price of a model, or why there is none."""

    price: Price | None
    reason: str | None


def priced(model: str, prices: Path | None, *, max_cost: float | None = None) -> Priced:
    """Return what the user's file says about a model.

    Raises
    ------
    InputError
        The file can't be used, or --max-cost was given without a price to hold it by.

    """
    if prices is None:
        if max_cost is not None:
            raise InputError(
                f"--max-cost is {max_cost:g}, and no prices were given; "
                "expected --prices FILE, a TOML of prices per million tokens."
            )
        return Priced(price=None, reason=_FREE.get(model.partition(":")[0], NO_PRICES))
    found = read_prices(prices)
    price = found.of(model)
    if price is not None:
        return Priced(price=price, reason=None)
    if max_cost is not None:
        raise InputError(f"--max-cost is {max_cost:g}, and {found.reason(model)}")
    return Priced(price=None, reason=_FREE.get(model.partition(":")[0], found.reason(model)))


@dataclass(kw_only=True)
class Account:
    """What one run has paid, and the meter that it asks through; None where nothing limits it or has a price.

    `before` is the manifest of the part of the run before this one, which sent `sent` requests. `prompt` gives the
    tokens of a prompt, estimated, for servers that tell no usage.
    """

    priced: Priced
    folder: Path
    prompt: Callable[[], float]
    sent: int = 0
    before: Manifest | None = None
    meter: CostTracker | None = None

    def block(self, *, requests: int) -> dict[str, Any]:
        """Return what manifest and audit block say: cost or why it is not known, tokens, requests."""
        requests += self.sent
        price = self.priced.price
        if price is None and self.priced.reason == _FREE["sim"]:
            return {"requests": requests, "cost": None, "currency": None, "cost_reason": self.priced.reason}
        used = journaled_usage(self.folder)
        return {
            "requests": requests,
            "cost": None if price is None else self._cost(price, used),
            "currency": None if price is None else price.currency,
            "cost_reason": self.priced.reason,
            "cost_uncertain": self._uncertain(),
            "price": None
            if price is None
            else {
                "input": price.input,
                "output": price.output,
                "currency": price.currency,
                "batch_discount": price.batch_discount,
            },
            "usage": {
                "input_tokens": used.input_tokens,
                "output_tokens": used.output_tokens,
                "answers": used.answers,
                "answers_without_usage": used.uncounted,
            },
        }

    def spent(self) -> float:
        """Return what the journal shows as paid."""
        price = self.priced.price
        return 0.0 if price is None else self._cost(price, journaled_usage(self.folder))

    def _cost(self, price: Price, used: Usage) -> float:
        return used.cost(price, prompt=self.prompt() if used.uncounted else 0.0)

    def _uncertain(self) -> float | None:
        """Return what tries without an answer may have cost besides, at most; None where that is not known.

        It is not known without a price, of a batch's first prompt, and of a part of the run
        that had no price or was killed.
        """
        if self.meter is None or not self.meter.has_budget:
            return None
        before = self.before
        if before is not None and (before.cost_uncertain is None or before.is_running):
            return None
        return self.meter.uncertain()


def carried(previous: Manifest) -> dict[str, Any]:
    """Return what a run that goes on keeps of its account, should it be killed before it ends."""
    kept = ("rate_limits", "requests", "cost", "currency", "cost_reason", "cost_uncertain", "price", "usage", "merged")
    return {key: previous.as_written[key] for key in kept if key in previous.as_written}


def open_account(
    found: Priced,
    options: ProbeOptions,
    *,
    folder: Path,
    previous: Manifest | None,
    prompt: Callable[[], float],
) -> Account:
    """Return the account of a run; `previous` is the manifest that it goes on from, None for a new one.

    A run that goes on without --prices keeps the price that it began with.
    """
    sent, uncertain = 0, 0.0
    if previous is not None:
        sent, uncertain = previous.requests or 0, previous.cost_uncertain or 0.0
        if previous.is_running:  # a killed process told nothing of its requests; each answer took one
            sent = max(sent, journaled_shares([folder])[0].tries)
        if found.price is None and options.prices is None and previous.price is not None:
            found = Priced(price=previous.price, reason=None)
    account = Account(priced=found, folder=folder, prompt=prompt, sent=sent, before=previous)
    budget = None
    if found.price is not None and not options.batch:
        # Without a limit it only counts what tries without an answer may have cost.
        limit = math.inf if options.max_cost is None else options.max_cost
        budget = Budget(found.price, limit, spent=account.spent(), uncertain=uncertain)
    limits = _limits(options)
    if budget is not None or limits is not None:
        account.meter = CostTracker(limits=limits, budget=budget)
    return account


def _limits(service: Service) -> Limits | None:
    if service.rpm is None and service.tpm is None:
        return None
    return Limits(rpm=service.rpm, tpm=service.tpm, clock=time.perf_counter)


def left_of(
    options: ProbeOptions,
    runs: Mapping[str, ProbeRun],
    *,
    sent: int,
    previous: Manifest | None,
    out: Path,
) -> ProbeOptions:
    """Return a suite's options for its next probe, with what --max-requests and --max-cost leave to it.

    `runs` are the probes before it, with `sent` requests in this call. A probe that is finished asks nothing
    and may go on; `previous` is its manifest.

    Raises
    ------
    Incomplete
        Nothing is left, and the probe is not finished.

    """
    if previous is not None and previous.is_finished:
        return options
    message = ""
    if options.max_requests is not None:
        options = replace(options, max_requests=max(1, left := options.max_requests - sent))
        if left < 1:
            message = f"{sent} requests were sent, as many as --max-requests allows."
    if options.max_cost is not None:
        spent = sum((run.audit.cost or 0.0) + (run.audit.cost_uncertain or 0.0) for run in runs.values())
        if spent >= options.max_cost:
            message = f"{spent:.6g} of --max-cost {options.max_cost:g} are spent."
        else:
            options = replace(options, max_cost=options.max_cost - spent)
    if message:
        raise Incomplete(f"{message} Go on with {resume_words(out, redact=options.redact_answers)}.")
    return options


def stopping_rule(probe: Probe, design: Design, options: ProbeOptions, *, sample: int) -> StoppingRule | None:
    """Return what watches the answers; None without --until-width.

    Raises
    ------
    InputError
        The probe's headline can't be watched, or not while it is asked in this way, or any data is enough.
    """
    if options.until_width is None:
        return None
    if options.batch:
        raise InputError(
            "--until-width can't be given with --batch: a batch is paid as a whole, so nothing is saved by stopping. "
            "Leave out one of them."
        )
    if options.repetitions > 1:
        raise InputError(
            f"--until-width can't be given with --repetitions {options.repetitions}: the repetitions of a prompt are "
            "spread over the run, so prompts are complete at its end only. Leave out one of them."
        )
    measure = watched(probe, design)
    low, high = measure.bounds
    if not options.until_width < high - low:
        raise InputError(
            f"--until-width is {options.until_width:g}; {measure.measure} lies between {low:g} and {high:g}, so "
            f"expected a width below {high - low:g}."
        )
    return StoppingRule(probe, design, width=options.until_width, sample=sample, confidence=CONFIDENCE)


def first_attempts(chunks: Iterable[list[Planned]], attempts: int) -> Iterator[list[Planned]]:
    """Yield the plan up to its first `attempts`."""
    left = attempts
    for chunk in chunks:
        if not left:
            return
        yield chunk[:left]
        left -= len(chunk[:left])


def sequential_of(enough: StoppingRule | None) -> Sequential | None:
    """Return the interval of the measure that was watched, for findings; None where there is none."""
    if enough is None:
        return None
    interval, narrow = enough.interval, enough.narrow
    if interval.low is None or interval.high is None or narrow.low is None or narrow.high is None:
        return None
    return Sequential(
        measure=enough.watched.measure,
        low=interval.low,
        high=interval.high,
        narrow=(narrow.low, narrow.high),
        method=interval.method,
        reached=enough.reached,
        n=interval.n,
        width=enough.width,
        looks=enough.looks,
    )


def stopping_block(enough: StoppingRule | None, *, journaled: int) -> dict[str, Any] | None:
    """Return what manifest and audit block say about stopping; None without --until-width."""
    if enough is None:
        return None
    saved = 1 - enough.attempts / enough.planned
    return {
        "measure": enough.watched.measure,
        "until_width": enough.width,
        "reached": enough.reached,
        "width": enough.interval.width,
        "looks": enough.looks,
        "look_every": LOOK_EVERY,
        "prompts": enough.attempts,
        "journaled": journaled,
        "planned": enough.planned,
        "saved": saved,
        "fixed_sample": enough.fixed_sample(),
        "sentence": _sentence(enough, saved),
    }


def _sentence(enough: StoppingRule, saved: float) -> str:
    measure, width = enough.watched.measure, enough.interval.width
    if not enough.reached:
        reason = "no value was complete" if width is None else f"it is {width:.4f} wide"
        return (
            f"--until-width {enough.width:g} was not reached: the interval of {measure} was looked at {enough.looks:,} "
            f"times, and after all {enough.planned:,} prompts {reason}. Nothing was saved."
        )
    fixed = enough.fixed_sample()
    beforehand = (
        "" if fixed is None else f" A sample fixed beforehand would need about {fixed:,} prompts for the same width."
    )
    return (
        f"--until-width {enough.width:g} was reached: after {enough.attempts:,} of {enough.planned:,} prompts the "
        f"interval of {measure} is {width:.4f} wide, at look {enough.looks:,}. That saved {saved:.0%} of the prompts "
        f"planned.{beforehand}"
    )


def stopping_warnings(enough: StoppingRule | None) -> list[str]:
    """Return what must be said of measures that nobody watched."""
    if enough is None or not enough.reached or enough.attempts >= enough.planned:
        return []
    return [
        f"Asking stopped when the interval of {enough.watched.measure} was narrow enough. All other measures were not "
        "planned for stopping early: their intervals and p-values take the number of prompts as fixed."
    ]


def check_batch(options: ProbeOptions) -> None:
    """Refuse what makes no sense with --batch.

    Raises
    ------
    InputError
        The model has no batch API, or an option asks for what batches can't give.

    """
    if not options.batch:
        return
    if options.model.partition(":")[0] not in BATCH_APIS:
        schemes = " or ".join(f"{scheme}:" for scheme in BATCH_APIS)
        message = (
            f"--batch needs a provider with a batch API, {schemes}, and the model is {options.model!r}. "
            "Leave out --batch."
        )
        raise InputError(message)
    if len(options.base_url) > 1:
        raise InputError("--batch needs one --base-url: a batch is one server's. Leave out the others.")
    reasons = {
        "--until-width": (options.until_width, "a batch is paid as a whole, however narrow the interval becomes"),
        "--rpm": (options.rpm, "the provider sets the pace of a batch"),
        "--tpm": (options.tpm, "the provider sets the pace of a batch"),
        "--max-cost": (
            options.max_cost,
            "what a batch costs is known when it has ended. See evenhand plan, and use --max-requests",
        ),
    }
    for option, (value, reason) in reasons.items():
        if value is not None:
            raise InputError(f"{option} can't be given with --batch: {reason}. Leave out one of them.")


async def collected_by_batch(
    model: Model,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    settings: BatchSettings,
    *,
    answered: NDArray[np.uint64],
) -> Collected:
    """Return counts after asking by batches all that `answered` does not hold."""
    service = batches_of(model)
    assert service is not None, "check_batch refuses other models"
    async with model, service:
        return await collect_batches(model, service, chunks, journal, settings, answered=answered)


def tell_abandoned(folder: Path, notice: Notices) -> None:
    """Say that batches of a run that is about to be replaced go on, and cost."""
    for batch in BatchLog(folder).open.values():
        name = f"batch {batch.id}" if batch.id is not None else "batch"
        notice(
            f"The {name} of {len(batch.items):,} prompts at {batch.where} belongs to the run that --force replaces; "
            "it goes on, and costs, until it is cancelled there."
        )


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
    enough: StoppingRule | None
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
    window = ConcurrencyLimiter(options.concurrency, clock=time.perf_counter)
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
    window: ConcurrencyLimiter,
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


def _keep_limits(manifest: dict[str, Any], window: ConcurrencyLimiter) -> None:
    """Note in the manifest what was learned of the server's limits, with the refusals of earlier parts of the run."""
    learned = window.learned()
    before = manifest.get("rate_limits") or {}
    if learned["refused"] or learned["told"] or before:
        manifest["rate_limits"] = {**learned, "refused": learned["refused"] + before.get("refused", 0)}


def _counter(
    progress: Progress | None, asking: Asking, window: ConcurrencyLimiter, *, before: int
) -> Callable[[int], None] | None:
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
