"""Whether refusals come from how much is sent, or would come anyway."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, log1p

__all__ = ["LARGEST_SHARE", "Round", "share_whatever_is_sent"]

#: More than this share of refusals is never taken for noise.
LARGEST_SHARE = 0.6
# A server below its limit refuses so few by chance.
_SMALLEST_SHARE = 0.02
# How much more likely one account must be for what is thought to change, as a difference of log likelihoods.
_EVIDENCE = 5.0
_FEWEST_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Round:
    """About a second of asking: requests sent, those refused, and its length in seconds."""

    sent: int
    refused: int
    seconds: float


def share_whatever_is_sent(rounds: Sequence[Round], *, before: float = 0.0) -> float:
    """Return the share that is refused however little is sent; 0 where a limit explains the refusals.

    Two accounts of the same rounds are compared by their binomial likelihoods: the same
    share of each round is refused, or a server takes so many requests a second and
    refuses what is above. They differ once the rounds differ in what was sent; until one
    is 150 times as likely, the account of `before` holds.

    >>> fewer_each_time = [Round(100, 10, 1.0), Round(90, 9, 1.0), Round(81, 8, 1.0)]
    >>> round(share_whatever_is_sent(fewer_each_time), 2)
    0.1
    >>> share_whatever_is_sent([Round(100, 20, 1.0), Round(80, 1, 1.0), Round(82, 2, 1.0)])
    0.0
    """
    if len(rounds) < _FEWEST_ROUNDS:
        return before
    share = sum(each.refused for each in rounds) / sum(each.sent for each in rounds)
    if not _SMALLEST_SHARE < share <= LARGEST_SHARE:
        return 0.0
    even = sum(_log_likelihood(each, share) for each in rounds)
    rates = {(each.sent - each.refused) / each.seconds for each in rounds}
    limited = max(_limited(rounds, rate) for rate in rates)
    return share if even - limited > (-_EVIDENCE if before else _EVIDENCE) else 0.0


def _limited(rounds: Iterable[Round], rate: float) -> float:
    return sum(_log_likelihood(each, 1 - rate * each.seconds / each.sent) for each in rounds)


def _log_likelihood(each: Round, share: float) -> float:
    share = min(max(share, _SMALLEST_SHARE), 1 - 1e-9)
    return each.refused * log(share) + (each.sent - each.refused) * log1p(-share)
