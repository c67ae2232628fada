"""Query a model for the answers that a run lacks, within its limits.

The limits are requests, cost (`Account`), the rate of a server, and `--until-width` (`stopping_rule`). With `--batch` a
provider's batch API answers. The manifest records parameters that a server did not accept (`keep_adaptations`).
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from evenhand.analyses.manifest import Manifest, is_recorded_as_sent, utc_now
from evenhand.analyses.options.probes import ProbeOptions, Service
from evenhand.analyses.options.reproduce import resume_words
from evenhand.analyses.progress import Progress
from evenhand.analyses.run import OpenedRun, ProbeRun
from evenhand.analyses.sample import prompt_tokens, sample_part, sampled_attempts
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
from evenhand.models.cost import Budget, Usage, journaled_shares, journaled_usage, read_prices
from evenhand.models.journal import ANSWERS, Journal, attempt_ids
from evenhand.models.limits import CostTracker, Limits
from evenhand.models.model import TRANSIENT_ERRORS, Adaptation, Model
from evenhand.models.order import Planned
from evenhand.models.stopping import LOOK_EVERY, StoppingRule, watched
from evenhand.probes.probe import Design, Probe
from evenhand.results.audit import Price
from evenhand.results.finding import copied
from evenhand.results.messages import Notices, number_of
from evenhand.results.result import RunFolder


@runtime_checkable
class Adapting(Protocol):
    """A model that adapts requests to its server."""

    @property
    def adaptations(self) -> tuple[Adaptation, ...]:
        """Return the parameters that were not sent as requested."""

    def told_to(self, tell: Callable[[str], None]) -> None:
        """Have each adaptation told when it is learned."""

    def leave_out(self, adaptations: Iterable[Adaptation], *, answered: bool = False) -> None:
        """Leave parameters out from the beginning; `answered` says whether the run has answers already."""


def once(notice: Callable[[str], None]) -> Callable[[str], None]:
    """Return `notice` without repetitions: each line is passed on the first time only.

    >>> notice = once(print)
    >>> notice("a"), notice("a")
    a
    (None, None)
    """
    passed: set[str] = set()

    def pass_once(line: str) -> None:
        if line not in passed:
            passed.add(line)
            notice(line)

    return pass_once


def keep_adaptations(
    model: Model,
    manifest: dict[str, Any],
    folder: RunFolder,
    *,
    previous: Manifest | None,
    notice: Callable[[str], None],
) -> Callable[[], None]:
    """Record in the manifest which parameters were really sent; return a function that updates it.

    Parameters that the earlier part of a resumed run left out are left out from the beginning, so that answers stay
    comparable.
    """
    known = [] if previous is None else [dict(row) for row in previous.adaptations]
    manifest["adaptations"] = known
    _apply(manifest)

    def update() -> None:
        if not isinstance(model, Adapting):
            return
        for adaptation in model.adaptations:
            if all((row["parameter"], row["sent"]) != (adaptation.parameter, adaptation.sent) for row in known):
                known.append(adaptation.record())
        _apply(manifest)

    def record(line: str) -> None:
        before = len(known)
        update()
        if len(known) > before:
            folder.write_manifest(manifest)
        notice(f"Warning: {line}")

    if isinstance(model, Adapting):
        fields = ("parameter", "requested", "sent", "reason", "partly")
        earlier = [Adaptation(**{name: row[name] for name in fields}) for row in known if row["sent"] is None]
        model.leave_out(earlier, answered=previous is not None and any(folder.path.glob("answers-*.jsonl")))
        model.told_to(record)
    return update


def adaptation_warnings(manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each parameter that was not sent as requested."""
    return [row["sentence"] for row in manifest.get("adaptations") or [] if row["sentence"]]


def _apply(manifest: dict[str, Any]) -> None:
    """Set the manifest's parameters to the values that were sent."""
    for row in manifest["adaptations"]:
        if is_recorded_as_sent(row):
            manifest["parameters"][row["parameter"]] = row["sent"]


NO_PRICES = "No prices were given; --prices FILE names them."
#: Models without a price per token, unless the user's file has one.
_FREE = {
    "sim": "A simulated model is not paid for.",
    "replay": "Saved answers are not paid for again.",
    "hf": "A model on this machine has no price per token.",
    "st": "A model on this machine has no price per token.",
    "python": "A function on this machine is not paid for.",
}


@dataclass(frozen=True, kw_only=True)
class Priced:
    """The price of a model, or the reason why there is none."""

    price: Price | None
    reason: str | None


def priced(model: str, prices: Path | None, *, max_cost: float | None = None) -> Priced:
    """Return the price of a model in the user's file.

    Raises
    ------
    InputError
        The file can't be used, or --max-cost was given without a price.

    """
    if prices is None:
        if max_cost is not None:
            raise InputError(
                f"--max-cost is {max_cost:g}, but no prices are given; add --prices FILE, a TOML file with "
                "prices per million tokens."
            )
        return Priced(price=None, reason=_FREE.get(model.partition(":")[0], NO_PRICES))
    price_list = read_prices(prices)
    price = price_list.of(model)
    if price is not None:
        return Priced(price=price, reason=None)
    if max_cost is not None:
        raise InputError(f"--max-cost is {max_cost:g}, and {price_list.reason(model)}")
    return Priced(price=None, reason=_FREE.get(model.partition(":")[0], price_list.reason(model)))


@dataclass(kw_only=True)
class Account:
    """The requests, tokens and cost of one run; `meter` is None without limits and without a price.

    `before` is the manifest of a resumed run, which had sent `sent` requests. `prompt` estimates the tokens of a
    prompt, for servers that report no usage; `stem` names the journal.
    """

    priced: Priced
    folder: Path
    prompt: Callable[[], float]
    stem: str = ANSWERS
    sent: int = 0
    before: Manifest | None = None
    meter: CostTracker | None = None

    def block(self, *, requests: int) -> dict[str, Any]:
        """Return the block for manifest and audit: cost or the reason why it is unknown, tokens, requests."""
        requests += self.sent
        price = self.priced.price
        if price is None and self.priced.reason == _FREE["sim"]:
            return {"requests": requests, "cost": None, "currency": None, "cost_reason": self.priced.reason}
        used = journaled_usage(self.folder, self.stem)
        return {
            "requests": requests,
            "cost": None if price is None else self._cost(price, used),
            "currency": None if price is None else price.currency,
            "cost_reason": self.priced.reason,
            "cost_uncertain": self._uncertain(),
            "price": None if price is None else copied(price, "input output currency batch_discount"),
            "usage": {
                "input_tokens": used.input_tokens,
                "output_tokens": used.output_tokens,
                "answers": used.answers,
                "answers_without_usage": used.uncounted,
            },
        }

    def spent(self) -> float:
        """Return the cost of the answers in the journal."""
        price = self.priced.price
        return 0.0 if price is None else self._cost(price, journaled_usage(self.folder, self.stem))

    def _cost(self, price: Price, used: Usage) -> float:
        return used.cost(price, prompt=self.prompt() if used.uncounted else 0.0)

    def _uncertain(self) -> float | None:
        """Return the most that tries without an answer may have cost in addition; None where that is unknown.

        It is unknown without a price, for a batch's first prompt, and after a part of the run that had no price or was
        killed.
        """
        if self.meter is None or not self.meter.has_budget:
            return None
        before = self.before
        if before is not None and (before.cost_uncertain is None or before.is_running):
            return None
        return self.meter.uncertain()


def carried(previous: Manifest) -> dict[str, Any]:
    """Return the account in the manifest of a resumed run, in case it is killed before its end."""
    keys = "rate_limits requests cost currency cost_reason cost_uncertain price usage merged judge"
    return {key: previous.as_written[key] for key in keys.split() if key in previous.as_written}


def open_account(
    priced_model: Priced,
    options: ProbeOptions,
    *,
    folder: Path,
    previous: Manifest | None,
    prompt: Callable[[], float],
) -> Account:
    """Return the account of a run; `previous` is the manifest of the run that it resumes.

    A run resumed without --prices keeps its price.
    """
    sent, uncertain = 0, 0.0
    if previous is not None:
        sent, uncertain = previous.requests or 0, previous.cost_uncertain or 0.0
        if previous.is_running:  # a killed process did not count its requests; each answer took one
            sent = max(sent, journaled_shares([folder])[0].tries)
        if priced_model.price is None and options.prices is None and previous.price is not None:
            priced_model = Priced(price=previous.price, reason=None)
    account = Account(priced=priced_model, folder=folder, prompt=prompt, sent=sent, before=previous)
    budget = None
    if priced_model.price is not None and not options.batch:
        # Without a limit the budget only counts what tries without an answer may have cost.
        limit = math.inf if options.max_cost is None else options.max_cost
        budget = Budget(priced_model.price, limit, spent=account.spent(), uncertain=uncertain)
    limits = limits_of(options)
    if budget is not None or limits is not None:
        account.meter = CostTracker(limits=limits, budget=budget)
    return account


def limits_of(service: Service) -> Limits | None:
    """Return the limits per minute; None without any."""
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
    """Return a suite's options for its next probe, with the rest of --max-requests and --max-cost.

    `runs` are the probes before it, with `sent` requests in this call. `previous` is the probe's own manifest; a
    finished probe sends nothing, so it needs no rest.

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
            message = f"{sent} requests were sent, the number that --max-requests allows."
    if options.max_cost is not None:
        spent = sum((run.audit.cost or 0.0) + (run.audit.cost_uncertain or 0.0) for run in runs.values())
        if spent >= options.max_cost:
            message = f"{spent:.6g} of --max-cost {options.max_cost:g} are spent."
        else:
            options = replace(options, max_cost=options.max_cost - spent)
    if message:
        raise Incomplete(f"{message} Continue with {resume_words(out, redact=options.redact_answers)}.")
    return options


def stopping_rule(probe: Probe, design: Design, options: ProbeOptions, *, sample: int) -> StoppingRule | None:
    """Return the stopping rule; None without --until-width.

    Raises
    ------
    InputError
        The probe's headline can't be monitored, another option rules it out, or any data is enough.

    """
    if options.until_width is None:
        return None
    if options.batch:
        raise InputError(
            "--until-width can't be given with --batch: the whole batch is paid for, so stopping early saves "
            "nothing. Leave out one of them."
        )
    if options.repetitions > 1:
        raise InputError(
            f"--until-width can't be given with --repetitions {options.repetitions}: the repetitions of a "
            "prompt are spread over the run, so no prompt is complete before the end. Leave out one of them."
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


def sequential_of(rule: StoppingRule | None) -> Sequential | None:
    """Return the interval of the monitored measure, for findings; None where there is none."""
    if rule is None:
        return None
    interval, narrow = rule.interval, rule.narrow
    if interval.low is None or interval.high is None or narrow.low is None or narrow.high is None:
        return None
    return Sequential(
        measure=rule.watched.measure,
        **copied(interval, "low high method"),
        narrow=(narrow.low, narrow.high),
        width=rule.width,
        looks=rule.looks,
    )


def stopping_block(rule: StoppingRule | None, *, journaled: int) -> dict[str, Any] | None:
    """Return the block on stopping for manifest and audit; None without --until-width."""
    if rule is None:
        return None
    saved = 1 - rule.attempts / rule.planned
    return {
        "measure": rule.watched.measure,
        "until_width": rule.width,
        "reached": rule.reached,
        "width": rule.interval.width,
        "looks": rule.looks,
        "look_every": LOOK_EVERY,
        "prompts": rule.attempts,
        "journaled": journaled,
        "planned": rule.planned,
        "saved": saved,
        "fixed_sample": rule.fixed_sample(),
        "sentence": _sentence(rule, saved),
    }


def _sentence(rule: StoppingRule, saved: float) -> str:
    measure, width = rule.watched.measure, rule.interval.width
    if not rule.reached:
        reason = "no value was complete" if width is None else f"it is {width:.4f} wide"
        return (
            f"--until-width {rule.width:g} was not reached: the interval of {measure} was looked at {rule.looks:,} "
            f"times, and after all {rule.planned:,} prompts {reason}. Nothing was saved."
        )
    fixed = rule.fixed_sample()
    beforehand = (
        "" if fixed is None else f" A sample fixed beforehand would need about {fixed:,} prompts for the same width."
    )
    return (
        f"--until-width {rule.width:g} was reached: after {rule.attempts:,} of {rule.planned:,} prompts the "
        f"interval of {measure} is {width:.4f} wide, at look {rule.looks:,}. That saved {100 * saved:.0f} % of the "
        f"prompts planned.{beforehand}"
    )


def stopping_warnings(rule: StoppingRule | None) -> list[str]:
    """Return the warning about measures that were not monitored."""
    if rule is None or not rule.reached or rule.attempts >= rule.planned:
        return []
    return [
        f"Asking stopped when the interval of {rule.watched.measure} was narrow enough. All other measures were not "
        "planned for stopping early: their intervals and p-values take the number of prompts as fixed."
    ]


def check_batch(options: ProbeOptions) -> None:
    """Refuse models and options that can't be combined with --batch.

    Raises
    ------
    InputError
        The model has no batch API, or an option does not go with batches.

    """
    if not options.batch:
        return
    if options.model.partition(":")[0] not in BATCH_APIS:
        schemes = " or ".join(f"{scheme}:" for scheme in BATCH_APIS)
        raise InputError(
            f"--batch needs a provider with a batch API, {schemes}, and the model is {options.model!r}. "
            "Leave out --batch."
        )
    if len(options.base_url) > 1:
        raise InputError("--batch needs one --base-url: a batch runs on one server. Leave out the others.")
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


def tell_abandoned(folder: Path, notice: Notices) -> None:
    """Warn that open batches of a run to be replaced continue, and cost."""
    for batch in BatchLog(folder).open.values():
        name = f"batch {batch.id}" if batch.id is not None else "batch"
        notice(
            f"The {name} of {len(batch.items):,} prompts at {batch.where} belongs to the run that --force "
            "replaces; it continues, and costs money, until you cancel it there."
        )


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A run in progress: probe, sample, model and folder."""

    probe: Probe
    design: Design
    sample: int
    model: Model
    options: ProbeOptions
    folder: RunFolder
    manifest: dict[str, Any]
    update_manifest: Callable[[], None]
    account: Account
    rule: StoppingRule | None
    resume_out: Path

    def planned(self, number: int | None = None) -> Iterator[list[Planned]]:
        """Yield the attempts of this machine, in the order of sending; those of one round, or all that can be asked."""
        chunks = sampled_attempts(
            self.probe,
            self.design,
            self.options,
            sample=self.sample,
            model=self.model.name,
            folder=self.folder.path,
        )
        for chunk in chunks:
            yield [one for one in chunk if number is None or one.request.stimulus.get("round", 0) == number]

    @property
    def attempts(self) -> int:
        """Return the number of attempts of this machine."""
        part = sample_part(self.design, self.sample, shard=self.options.shard)
        return (self.sample if part is None else int(part.sum())) * self.options.repetitions


def begun_asking(
    opened: OpenedRun,
    manifest: dict[str, Any],
    *,
    probe: Probe,
    design: Design,
    model: Model,
    options: ProbeOptions,
    sample: int,
    price: Priced,
    notice: Notices,
    rule: StoppingRule | None = None,
    resume_out: Path | None = None,
) -> Asking:
    """Return a run that begins or resumes, with its account, by the parameters that its earlier part sent."""
    folder, previous = opened.folder, opened.previous
    prompt = partial(prompt_tokens, design, sample, seed=options.seed)
    return Asking(
        probe=probe,
        design=design,
        sample=sample,
        model=model,
        options=options,
        folder=folder,
        manifest=manifest,
        update_manifest=keep_adaptations(model, manifest, folder, previous=previous, notice=notice),
        account=open_account(price, options, folder=folder.path, previous=previous, prompt=prompt),
        rule=rule,
        resume_out=folder.path if resume_out is None else resume_out,
    )


def asked_ids(asking: Asking, opened: OpenedRun, *, notice: Notices, progress: Progress | None) -> NDArray[np.uint64]:
    """Begin or resume the run and ask for what its journal lacks, as `ask_lacking` does.

    Raises
    ------
    InputError
        A finished run would be repeated, and paid for, because its answers are gone.

    """
    previous = opened.previous
    finished = previous is not None and previous.is_finished
    with Journal(asking.folder.path) as journal:
        for line in journal.notices:
            notice(line)
        opened.begin(asking.manifest)
        if finished and previous is not None and previous.requests and not journal.answered().size:
            raise InputError(
                f"{journal.folder} is a finished run without answers in its journal. Restore its "
                "answers-*.jsonl from a copy, or begin a new run with another --out."
            )
        return ask_lacking(asking, journal, finished=finished, notice=notice, progress=progress)


def ask_lacking(
    asking: Asking, journal: Journal, *, finished: bool, notice: Notices, progress: Progress | None
) -> NDArray[np.uint64]:
    """Collect the answers that the journal lacks; return the sorted ids of all planned attempts.

    Raises
    ------
    ServiceError
        The model refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; the answers so far are in the journal.

    """
    options, rule = asking.options, asking.rule
    ids: list[NDArray[np.uint64]] = []
    # In a finished run a failure is final; in an unfinished one transient failures are retried.
    again = options.retry_errors
    found = partial(journal.answered, retry_errors=again or not finished, retry_all=again)
    answered = found()
    if rule is not None and answered.size:
        rule.replay(asking.folder.path, asking.planned(), answered)
    limiter = ConcurrencyLimiter(options.concurrency, clock=time.perf_counter)
    doing = f"{asking.probe.name}: asking"
    count = counter(progress, doing, limiter, total=asking.attempts, before=int(answered.size))
    result = Collected()
    for number in range(asking.design.rounds):
        chunks = asking.planned(number)
        if rule is not None and rule.reached:
            # The rule was met before, so nothing more is requested.
            chunks = first_attempts(chunks, rule.attempts)
        result += run_loop(
            _collected(
                asking,
                _recorded(chunks, ids),
                journal,
                # An earlier round may have waited for a batch of this one, which was open.
                answered=found() if number else answered,
                limiter=limiter,
                notice=notice,
                progress=count,
                requests=result.requests,
            )
        )
        if result.stopped is not None:
            break
    asking.update_manifest()
    asking.manifest.update(asking.account.block(requests=result.requests))
    _keep_limits(asking.manifest, limiter)
    if result.stopped not in {None, "enough"}:
        _stop(result, asking, answers=int(answered.size) + result.answered)
    if not result.answered and not result.skipped:
        asking.folder.write_manifest({**asking.manifest, "status": "failed", "finished": utc_now()})
        if set(result.failed) == {"missing"}:
            raise ServiceError(
                f"No prompt of this run has an answer in {asking.model.name.partition(':')[2]}: the sample is drawn at "
                f"random. To measure the saved answers themselves: evenhand measure {asking.probe.name} FILE."
            )
        reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(result.failed.items()))
        failed = f"Every attempt failed: {reasons}."
        if TRANSIENT_ERRORS.isdisjoint(result.failed):
            raise ServiceError(f"{failed} The journal is in {asking.folder.path}.")
        _stop(replace(result, message=failed), asking, answers=0)
    if rule is not None:
        rule.finish()
        journaled = int(answered.size) + result.answered + sum(result.failed.values())
        asking.manifest["stopping"] = stopping_block(rule, journaled=journaled)
        notice(asking.manifest["stopping"]["sentence"])
    used = rule.attempts if rule is not None and rule.reached else None
    return np.sort(np.concatenate(ids)[:used])


def _recorded(chunks: Iterable[list[Planned]], ids: list[NDArray[np.uint64]]) -> Iterator[list[Planned]]:
    """Yield the chunks and collect their ids, 8 bytes each."""
    for chunk in chunks:
        ids.append(attempt_ids(chunk))
        yield chunk


async def _collected(
    asking: Asking,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    *,
    answered: NDArray[np.uint64],
    limiter: ConcurrencyLimiter,
    notice: Notices,
    progress: Callable[[int], None] | None,
    requests: int,
) -> Collected:
    """Collect what one round lacks; `requests` were sent in earlier ones."""
    model, options, rule = asking.model, asking.options, asking.rule
    if options.batch:
        left = None if options.max_requests is None else options.max_requests - requests
        batched = BatchSettings(replanned=asking.planned, max_requests=left, notice=notice, progress=progress)
        service = batches_of(model)
        assert service is not None, "check_batch refuses other models"
        async with model, service:
            return await collect_batches(model, service, chunks, journal, batched, answered=answered)
    settings = Settings(
        concurrency=options.concurrency,
        max_requests=options.max_requests,
        sent=requests,
        meter=asking.account.meter,
        window=limiter,
        progress=progress,
        enough=None if rule is None else rule.add,
    )
    async with model:
        return await collect(model, chunks, journal, settings, answered=answered)


def _keep_limits(manifest: dict[str, Any], limiter: ConcurrencyLimiter) -> None:
    """Record the server's limits in the manifest, with the refusals of earlier parts of the run."""
    learned, before = limiter.learned(), manifest.get("rate_limits") or {}
    if learned["refused"] or learned["told"] or before:
        manifest["rate_limits"] = {**learned, "refused": learned["refused"] + before.get("refused", 0)}


def counter(
    progress: Progress | None, doing: str, limiter: ConcurrencyLimiter, *, total: int, before: int = 0
) -> Callable[[int], None] | None:
    """Return a counter of attempts that starts from those answered `before`."""
    if progress is None:
        return None
    done = before

    def count(more: int) -> None:
        nonlocal done
        done += more
        progress(doing, min(done, total), total, limiter.note)

    count(0)
    return count


def _stop(result: Collected, asking: Asking, *, answers: int) -> None:
    """Record in the manifest that the run is unfinished, and raise the error that ends it."""
    resume_options = resume_words(asking.resume_out, redact=asking.options.redact_answers)
    kept = f"{number_of(answers, 'answer is', 'answers are')} kept in {asking.folder.path}" if answers else ""
    resume = f"{kept or nothing_answered(asking.attempts)}; continue with {resume_options}."
    raise_stopped(result, asking.folder, asking.manifest, resume=resume, answers=answers)


def nothing_answered(attempts: int) -> str:
    """Return that a run has no answer to measure."""
    return f"Nothing was answered: 0 of {number_of(attempts, 'prompt')}"


def raise_stopped(
    result: Collected, folder: RunFolder, manifest: Mapping[str, Any], *, resume: str, answers: int
) -> NoReturn:
    """Record in the manifest that the run is unfinished, and raise the error that ends it; `resume` says how to go on.

    Raises
    ------
    ServiceError
        The model refused to serve.
    Incomplete, Interrupted
        A limit or a signal stopped the run.

    """
    folder.write_manifest({**manifest, "status": "incomplete", "finished": utc_now()})
    reason = (result.message or "").rstrip(".")
    if result.stopped == "interrupted":
        raise Interrupted(f"Interrupted. {resume}")
    if result.stopped == "fatal":
        raise ServiceError(f"{reason}. {resume}" if answers else f"{reason}.")
    raise Incomplete(f"{reason}. {resume}")
