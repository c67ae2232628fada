"""Requests and tokens per minute: smooth pacing that a full minute never exceeds."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Allowance", "Limits", "Taken"]

# Half a second more than a minute: one request may be that much longer under way than another, and the server counts
# when they arrive.
_MINUTE = 60.5
# A sleep that ends late is made up for by as much; so many seconds' worth may follow at once.
_SLACK = 0.05
# Waits below this are rounding: a clock of seconds can't tell them from none.
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
    amount that is larger than a whole minute's is taken alone, so that nothing waits
    for ever.
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
