"""How fast to send by what the server says is left of its limits."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from evenhand.models._model import ToldLimit

__all__ = ["ToldLimits"]

# Below this share of a limit what is left is spread; above it nothing is held back.
_SPREAD_BELOW = 0.1
# What is left is used up in this share of the time to the reset. A bucket that is filled all the time then stays at
# an eleventh of its size, where it is filled as fast as it is used.
_USED_UP_IN = 0.1
# How much one answer changes the mean number of tokens.
_WEIGHT = 0.1


@dataclass(slots=True)
class _State:
    remaining: float
    reset_at: float
    limit: float
    number: int


class ToldLimits:
    """What a server said last of each of its limits, and the pace that keeps to it.

    Holds both for limits that are filled all the time and for those that are filled at
    the reset. All times are the window's, in seconds.
    """

    def __init__(self) -> None:
        self._states: dict[str, _State] = {}
        self._tokens: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self._states)

    @property
    def sizes(self) -> dict[str, float]:
        """Return the limits by kind, as far as the server told their sizes."""
        return {kind: state.limit for kind, state in self._states.items() if state.limit < inf}

    def used(self, *, given: float, made: float) -> None:
        """Learn how many tokens an answer took."""
        for kind, tokens in (("tokens", given + made), ("input-tokens", given), ("output-tokens", made)):
            mean = self._tokens.get(kind)
            self._tokens[kind] = tokens if mean is None else mean + _WEIGHT * (tokens - mean)

    def heard(self, limits: Iterable[ToldLimit], *, number: int, now: float) -> float:
        """Take in what came with the `number`-th request; return the moment until which a limit is used up."""
        until = -inf
        for told in limits:
            state = self._states.get(told.kind)
            if state is not None and number < state.number:
                continue  # an older request, whose answer took longer
            size = told.limit if told.limit is not None else inf
            self._states[told.kind] = _State(told.remaining, now + told.reset, size, number)
            if told.remaining <= 0:
                until = max(until, now + told.reset)
        return until

    def wait(self, *, sent: int, under_way: int, last: float, now: float) -> float:
        """Return the seconds until another request may be sent, after `sent` of which the last was at `last`."""
        waits = (
            self._wait(kind, state, sent=sent, under_way=under_way, last=last, now=now)
            for kind, state in self._states.items()
        )
        return max(waits, default=0.0)

    def _wait(self, kind: str, state: _State, *, sent: int, under_way: int, last: float, now: float) -> float:
        seconds = state.reset_at - now
        if seconds <= 0:
            return 0.0
        each = 1.0 if kind == "requests" else max(self._tokens.get(kind, 1.0), 1.0)
        # What is under way was sent since, and the server may not have counted it yet.
        left = state.remaining / each - min(sent - state.number, under_way)
        if left > _SPREAD_BELOW * state.limit / each if state.limit < inf else left > under_way:
            return 0.0
        if left <= 0:
            return seconds
        return max(0.0, last + _USED_UP_IN * seconds / left - now)
