"""Limits and cost of a run: what may be sent, what was paid, what the manifest says of it."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evenhand.collect.asking.limits import Limits
from evenhand.collect.asking.meter import Meter
from evenhand.collect.cost.price import Price
from evenhand.collect.cost.prices import read_prices
from evenhand.collect.cost.totals import Budget, Usage, journaled_shares, journaled_usage
from evenhand.errors import Incomplete, InputError
from evenhand.runs.finished_run import ProbeRun
from evenhand.runs.manifest import Manifest
from evenhand.runs.options.again import resume_words
from evenhand.runs.options.probe import ProbeOptions, Service

__all__ = ["Account", "Priced", "carried", "left_of", "open_account", "priced"]

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
    meter: Meter | None = None

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
        account.meter = Meter(limits=limits, budget=budget)
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
