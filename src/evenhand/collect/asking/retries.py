"""How long to wait before asking again, and how often."""

from dataclasses import dataclass

import numpy as np

__all__ = ["FIRST_CONTACT_TRIES", "REJECTED_AFTER", "SETTLED", "SHORTEST_NAMED", "Backoff", "Patience"]

#: Tries of a server that never answered anything: the address is likelier to be wrong.
FIRST_CONTACT_TRIES = 3
#: Prompts rejected before any was answered; then it is the request that is wrong, not the prompt.
REJECTED_AFTER = 10
#: A shorter named wait (0, or a date that is over) is waited for as if none was named.
SHORTEST_NAMED = 1.0
#: Seconds after which a provider lists a batch that it took, although its answer was lost.
SETTLED = 60.0


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
    settled: float = SETTLED
