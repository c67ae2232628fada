"""How long to wait before asking again, and how often."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["FIRST_CONTACT_TRIES", "REJECTED_AFTER", "SETTLED", "Backoff", "Cooldown", "Patience"]

#: Tries of a server that never answered anything: the address is likelier to be wrong.
FIRST_CONTACT_TRIES = 3
#: Prompts rejected before any was answered; then it is the request that is wrong, not the prompt.
REJECTED_AFTER = 10
#: Seconds after which a provider lists a batch that it took, although its answer was lost.
SETTLED = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Backoff:
    """Waits that double from try to try, with jitter; all in seconds.

    A wait that the server names is kept, up to `longest_named`, and jitter comes on
    top, so that workers don't return in step.
    """

    first: float = 0.5
    longest: float = 30.0
    longest_named: float = 60.0

    def delay(self, failures: int, *, named: float | None, rng: np.random.Generator) -> float:
        """Return the wait after the given number of failures (1 = the first).

        >>> rng = np.random.default_rng(1)
        >>> 1.0 <= Backoff(first=0.5).delay(3, named=None, rng=rng) <= 2.0
        True
        """
        doubled = min(self.longest, self.first * 2.0 ** min(failures - 1, 30))
        jittered = doubled * (0.5 + 0.5 * rng.random())
        if named is None:
            return jittered
        return min(named, self.longest_named) + self.first * rng.random()


class Cooldown:
    """The moment before which no worker asks, shared by all of them."""

    def __init__(self, clock: Callable[[], float], *, longest: float) -> None:
        self._clock = clock
        self._longest = longest
        self._until = float("-inf")

    def extend(self, seconds: float) -> None:
        """Keep everybody waiting for that long from now; a later end is never moved forward."""
        self._until = max(self._until, self._clock() + min(seconds, self._longest))

    def remaining(self) -> float:
        """Return the seconds left to wait, 0 when there are none."""
        return max(0.0, self._until - self._clock())


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Waits between looks, which grow from `first` to `longest` seconds, and tries before giving up."""

    first: float = 1.0
    longest: float = 60.0
    growth: float = 1.5
    tries: int = 20
    settled: float = SETTLED
