"""How fast to send by what the server says is left of its limits."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from evenhand.models.model import ToldLimit

__all__ = ["ToldLimits"]

# Below this share of a limit what is left is spread; above it nothing is held back.
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

    def used(self, *, tokens_in: float, tokens_out: float) -> None:
        """Learn how many tokens an answer took."""
        for kind, tokens in (
            ("tokens", tokens_in + tokens_out),
            ("input-tokens", tokens_in),
            ("output-tokens", tokens_out),
        ):
            mean = self._tokens.get(kind)
            self._tokens[kind] = tokens if mean is None else mean + _WEIGHT * (tokens - mean)

    def heard(self, limits: Iterable[ToldLimit], *, number: int, now: float, within: float = inf) -> float:
        """Take in what came with the `number`-th request; return the moment until which a limit is used up.

        A reset that is farther off than `within` seconds, or than ten minutes, is looked at again then.
        """
        until = -inf
        for told in limits:
            state = self._states.get(told.kind)
            if state is not None and (
                number < state.number or (number == state.number and told.remaining > state.remaining)
            ):
                continue  # an older request, whose answer took longer; or the larger of two limits of a kind
            size = told.limit if told.limit is not None else inf
            period = min(told.reset, within, _LONGEST)
            self._states[told.kind] = _State(told.remaining, period, now + period, size, number)
            if told.remaining <= 0:
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
        each = 1.0 if kind == "requests" else max(self._tokens.get(kind, 1.0), 1.0)
        # What is under way was sent since, and the server may not have counted it yet.
        left = state.remaining / each - min(sent - state.number, under_way)
        if left > _SPREAD_BELOW * state.limit / each if state.limit < inf else left > under_way:
            return 0.0
        if left <= 0:
            return seconds
        return min(seconds, max(0.0, last + _USED_UP_IN * seconds / left - now))
