"""Pacing of requests: limits per minute, limits that the server reports, a budget, and waits before retries."""

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

import numpy as np

from evenhand.models.cost import Budget, TokenCount
from evenhand.models.model import Answer, Failure, ReportedLimit, Request

# Half a second more than a minute: one request may be that much longer under way than another, and the server counts
# when they arrive.
_MINUTE = 60.5
# A sleep that ends late is made up for by as much; so many seconds' worth may follow at once.
_SLACK = 0.05
# Waits below this are rounding errors of a clock in seconds.
_INSTANT = 1e-6


@dataclass(slots=True)
class Taken:
    """An amount that was taken at a time; corrected when the real amount is known."""

    time: float
    amount: float


class Allowance:
    """So much a minute, spread evenly; the minute has 60.5 s, as requests arrive unevenly.

    Two rules hold together. What was taken before must have been paid off at the even
    rate of `per_minute` (a generic cell rate algorithm), but for 0.05 s worth that makes
    up for late sleeps. And within any minute no more than `per_minute` is taken. An
    amount that is larger than a whole minute's is taken alone, so that no request
    waits forever.
    """

    def __init__(self, per_minute: float, *, clock: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._free_at = float("-inf")
        self._recent: deque[Taken] = deque()
        self._sum = 0.0

    def wait(self, amount: float) -> float:
        """Return the seconds until `amount` may be taken, 0 when it may be now."""
        now = self._clock()
        self._forget(now)
        wait = max(0.0, self._free_at - now)
        excess = self._sum + amount - self._per_minute
        for taken in self._recent:
            if excess <= 1e-9 * self._per_minute:
                break
            excess -= taken.amount
            wait = max(wait, taken.time + _MINUTE - now)
        return wait if wait > _INSTANT else 0.0

    def take(self, amount: float) -> Taken:
        """Take `amount` now; `wait` said that it may be."""
        now = self._clock()
        self._free_at = max(self._free_at, now - _SLACK) + amount * _MINUTE / self._per_minute
        taken = Taken(now, amount)
        self._recent.append(taken)
        self._sum += amount
        return taken

    def correct(self, taken: Taken, amount: float) -> None:
        """Replace what was taken by the amount that it turned out to be."""
        more = amount - taken.amount
        self._free_at += more * _MINUTE / self._per_minute
        taken.amount = amount
        if self._recent and taken.time >= self._recent[0].time:
            self._sum += more

    def _forget(self, now: float) -> None:
        while self._recent and now - self._recent[0].time >= _MINUTE - _INSTANT:
            self._sum -= self._recent.popleft().amount
        if not self._recent:
            self._sum = 0.0  # no rounding is carried along


class Limits:
    """Requests and tokens per minute together; None is no limit.

    Tokens are taken as estimated before a request is sent, and corrected by the usage
    that comes back.
    """

    def __init__(self, *, rpm: float | None, tpm: float | None, clock: Callable[[], float]) -> None:
        self._requests = None if rpm is None else Allowance(rpm, clock=clock)
        self._tokens = None if tpm is None else Allowance(tpm, clock=clock)

    def wait(self, tokens: float) -> float:
        """Return the seconds until a request of about so many tokens may be sent."""
        return max(
            0.0 if self._requests is None else self._requests.wait(1.0),
            0.0 if self._tokens is None else self._tokens.wait(tokens),
        )

    def take(self, tokens: float) -> Taken | None:
        """Count a request that is being sent; the token's entry is for `correct`."""
        if self._requests is not None:
            self._requests.take(1.0)
        return None if self._tokens is None else self._tokens.take(tokens)

    def correct(self, taken: Taken | None, tokens: float) -> None:
        """Replace a request's estimated tokens by those it had."""
        if taken is not None and self._tokens is not None:
            self._tokens.correct(taken, tokens)


# Below this share of a limit what is left is spread; above it nothing waits.
_SPREAD_BELOW = 0.1
# What is left is used up in this share of the time to the reset. A bucket that is filled all the time then stays at
# an eleventh of its size, where it is filled as fast as it is used.
_USED_UP_IN = 0.1
# A reset that is farther off may be an error, or come sooner.
_LONGEST = 600.0
# How much one answer changes the mean number of tokens.
_WEIGHT = 0.1


@dataclass(slots=True)
class _State:
    remaining: float
    period: float
    reset_at: float
    limit: float
    number: int


class ReportedLimits:
    """What a server reported last of each of its limits, and the pace that keeps to it.

    Works both for limits that are filled all the time and for those that are filled at
    the reset. All times are the concurrency limiter's, in seconds.
    """

    def __init__(self) -> None:
        self._states: dict[str, _State] = {}
        self._tokens: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self._states)

    @property
    def sizes(self) -> dict[str, float]:
        """Return the limits by kind, as far as the server reported their sizes."""
        return {kind: state.limit for kind, state in self._states.items() if state.limit < inf}

    def used(self, *, tokens_in: float, tokens_out: float) -> None:
        """Learn how many tokens an answer took."""
        for kind, tokens in (
            ("tokens", tokens_in + tokens_out),
            ("input-tokens", tokens_in),
            ("output-tokens", tokens_out),
        ):
            mean = self._tokens.get(kind)
            self._tokens[kind] = tokens if mean is None else mean + _WEIGHT * (tokens - mean)

    def update(self, limits: Iterable[ReportedLimit], *, number: int, now: float, within: float = inf) -> float:
        """Take in what came with the `number`-th request; return the moment until which a limit is used up.

        A reset that is farther off than `within` seconds, or than ten minutes, is checked again then.
        """
        until = -inf
        for limit in limits:
            state = self._states.get(limit.kind)
            if state is not None and (
                number < state.number or (number == state.number and limit.remaining > state.remaining)
            ):
                continue  # an older request, whose answer took longer; or the larger of two limits of a kind
            size = limit.limit if limit.limit is not None else inf
            period = min(limit.reset, within, _LONGEST)
            self._states[limit.kind] = _State(limit.remaining, period, now + period, size, number)
            if limit.remaining <= 0:
                until = max(until, now + period)
        return until

    def wait(self, *, sent: int, under_way: int, last: float, now: float) -> float:
        """Return the seconds until another request may be sent, after `sent` of which the last was at `last`."""
        waits = (
            self._wait(kind, state, sent=sent, under_way=under_way, last=last, now=now)
            for kind, state in self._states.items()
        )
        return max(waits, default=0.0)

    def _wait(self, kind: str, state: _State, *, sent: int, under_way: int, last: float, now: float) -> float:
        if state.reset_at <= now:
            if state.limit == inf:
                return 0.0
            # It is filled again, and takes as long as the last time for the next.
            state.remaining, state.reset_at, state.number = state.limit, now + state.period, sent
        seconds = state.reset_at - now
        amount = 1.0 if kind == "requests" else max(self._tokens.get(kind, 1.0), 1.0)
        # What is under way was sent since, and the server may not have counted it yet.
        left = state.remaining / amount - min(sent - state.number, under_way)
        if left > _SPREAD_BELOW * state.limit / amount if state.limit < inf else left > under_way:
            return 0.0
        if left <= 0:
            return seconds
        return min(seconds, max(0.0, last + _USED_UP_IN * seconds / left - now))


# Errors of tries that a server may have answered, and billed, though nothing of use arrived.
_MAYBE_BILLED = frozenset({"timeout", "connection", "malformed", "too_large"})


@dataclass(slots=True)
class InFlight:
    """A request that was sent: what was taken and set aside for it."""

    request: Request
    taken: Taken | None
    most: float


class CostTracker:
    """Counts what is sent against limits per minute and a budget; None is no limit."""

    def __init__(self, *, limits: Limits | None = None, budget: Budget | None = None) -> None:
        self.tokens = TokenCount()
        self._limits = limits
        self._budget = budget
        self._in_flight = 0

    @property
    def has_budget(self) -> bool:
        """Return whether costs are counted, or limit what is sent."""
        return self._budget is not None

    def wait(self, request: Request) -> float:
        """Return the seconds until the limits per minute let a request through."""
        return 0.0 if self._limits is None else self._limits.wait(self.tokens.expected(request))

    def exhausted(self, request: Request) -> str | None:
        """Return why no request like this can be sent any more; None where it can, perhaps later."""
        if self._budget is None:
            return None
        most = self._most(request)
        return self._budget.sentence(most) if self._budget.is_exhausted(most) else None

    def fits(self, request: Request) -> bool:
        """Return whether the budget lets a request through, with those in flight at their bounds.

        While no answer has shown how long answers are, and no --max-tokens says it, one
        request is sent at a time.
        """
        if self._budget is None or math.isinf(self._budget.limit):
            return True
        unknown = not self.tokens.answers and request.generation.max_tokens is None
        if unknown and self._in_flight:
            return False
        return self._budget.fits(self._most(request))

    def send(self, request: Request) -> InFlight:
        """Count a request that is being sent."""
        self._in_flight += 1
        most = 0.0
        if self._budget is not None:
            most = self._most(request)
            self._budget.reserve(most)
        taken = None if self._limits is None else self._limits.take(self.tokens.expected(request))
        return InFlight(request, taken, most)

    def answered(self, sent: InFlight, answer: Answer) -> tuple[float, float]:
        """Put what an answer used in the place of what was expected; return its input and output tokens."""
        used, made = self.tokens.add(sent.request, answer)
        if self._limits is not None:
            self._limits.correct(sent.taken, used + made)
        if self._budget is not None:
            self._budget.settle(sent.most, cost=self._budget.price.cost(used, made))
        self._end()
        return used, made

    def failed(self, sent: InFlight, failure: Failure) -> None:
        """Count a try without an answer; the server may have counted its tokens, so they stay taken."""
        if self._budget is not None:
            billed = sent.most if failure.error_class in _MAYBE_BILLED else 0.0
            self._budget.settle(sent.most, uncertain=billed)
        self._end()

    def uncertain(self) -> float:
        """Return what tries without an answer may have cost at most, those still in flight included."""
        return 0.0 if self._budget is None else self._budget.uncertain + self._budget.reserved

    def _most(self, request: Request) -> float:
        assert self._budget is not None
        return self._budget.price.cost(*self.tokens.bounds(request))

    def _end(self) -> None:
        self._in_flight -= 1
        if self._budget is not None and not self._in_flight:
            self._budget.reserved = 0.0  # no rounding is carried along


#: Tries of a server that never answered anything: the address is likelier to be wrong.
FIRST_CONTACT_TRIES = 3
#: Prompts rejected before any was answered; then it is the request that is wrong, not the prompt.
REJECTED_AFTER = 10
#: A shorter named wait (0, or a date that is over) is waited for as if none was named.
SHORTEST_NAMED = 1.0
#: Seconds after which a provider lists a batch that it took, although its answer was lost.
LISTED_AFTER = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Backoff:
    """Waits that double from try to try, with jitter; all in seconds.

    A wait that the server names is kept, up to `longest_named`, and jitter of a tenth of
    it, but not more than `first`, comes on top, so that prompts don't return in step. A
    prompt that is refused again and again is given up after `patience` at the earliest:
    many limits are per minute.
    """

    first: float = 0.5
    longest: float = 30.0
    longest_named: float = 600.0
    patience: float = 120.0

    def delay(self, failures: int, *, named: float | None, rng: np.random.Generator) -> float:
        """Return the wait after the given number of failures (1 = the first).

        >>> rng = np.random.default_rng(1)
        >>> 1.0 <= Backoff(first=0.5).delay(3, named=None, rng=rng) <= 2.0
        True
        """
        doubled = min(self.longest, self.first * 2.0 ** min(failures - 1, 30))
        jittered = doubled * (0.5 + 0.5 * rng.random())
        if named is None or named < SHORTEST_NAMED:
            return max(jittered, named or 0.0)
        named = min(named, self.longest_named)
        return named + min(self.first, 0.1 * named) * rng.random()


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Waits between looks, which grow from `first` to `longest` seconds, and tries before giving up."""

    first: float = 1.0
    longest: float = 60.0
    growth: float = 1.5
    tries: int = 20
    settled: float = LISTED_AFTER
