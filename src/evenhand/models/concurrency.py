"""Adaptive concurrency: how many requests may be under way, learned from refusals and reported limits."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, log, log1p, sqrt
from typing import Any

from evenhand.models.limits import ReportedLimits
from evenhand.models.model import ReportedLimit

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
    share = sum(sample.refused for sample in rounds) / sum(sample.sent for sample in rounds)
    if not _SMALLEST_SHARE < share <= LARGEST_SHARE:
        return 0.0
    even = sum(_log_likelihood(sample, share) for sample in rounds)
    rates = {(sample.sent - sample.refused) / sample.seconds for sample in rounds}
    limited = max(_limited(rounds, rate) for rate in rates)
    return share if even - limited > (-_EVIDENCE if before else _EVIDENCE) else 0.0


def _limited(rounds: Iterable[Round], rate: float) -> float:
    return sum(_log_likelihood(sample, 1 - rate * sample.seconds / sample.sent) for sample in rounds)


def _log_likelihood(sample: Round, share: float) -> float:
    share = min(max(share, _SMALLEST_SHARE), 1 - 1e-9)
    return sample.refused * log(share) + (sample.sent - sample.refused) * log1p(-share)


# A round ends after a second, or, of few requests, when eight are back or after five seconds; and at once where eight
# and at least half are refused.
_ROUND = 1.0
_FEW = 8
_LONGEST_ROUND = 5.0
# Growth, by the rounds since the limit shrank: twice as large after twelve, and in addition an amount that is
# the same for all who share an account, in requests per second.
_DOUBLED_AFTER = 12.0
_SAME_FOR_ALL = 0.06
# The slowest rate of sending, in requests per second.
_SLOWEST = 0.05
_LEAST_FACTOR = 0.5
# Latencies vary: at moments so many times the mean number of requests are under way.
_ROOM = 1.5
# So small a share of refusals is no reason to send less.
_TOLERATED = 0.03
# So many refusals since the last answer are needed to say that nothing is taken.
_ALL_REFUSED = 3
# How much one answer changes the mean latency; before the first, it is taken for a second.
_WEIGHT = 0.1
_FIRST_LATENCY = 1.0
# How much a second in which some were refused changes the rate that is taken for the server's limit.
_RATE_WEIGHT = 0.25
# No reported limit is waited for longer without a new look.
_LONGEST_REPORTED_PAUSE = 600.0
# Pauses while all is refused without a named wait: they double.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_MOST_ROUNDS = 12
# Seconds after which it is tested again whether refusals come from what is sent.
_RETESTED_AFTER = 60.0


@dataclass(slots=True)
class _Counts:
    """What happened in the round under way."""

    since: float
    sent: int = 0
    refused: int = 0
    answered: int = 0


class ConcurrencyLimiter:
    """Says when the next request may be sent; at most `most` are ever under way.

    The limit is `most` until the server refuses. A second with refusals makes the
    limit smaller by the share that was refused, at most by half; then it grows, slowly
    near what was refused and faster with time. A limit of less than one keeps the
    requests apart: they are sent as often as so small a limit means, by the mean
    latency. A share that is refused however little is sent makes nothing smaller.

    All requests wait only when the server reports that a limit is used up, until its reset,
    or when everything of the last second was refused. `clock` gives seconds.
    """

    def __init__(self, most: int, *, clock: Callable[[], float]) -> None:
        self.most = most
        self.under_way = 0
        self.sent = 0
        self.refused = 0
        self._clock = clock
        self._reported = ReportedLimits()
        # No refusal and no reported limit so far: nothing to account for.
        self._is_free = True
        self._latency: float | None = None
        # The limit in requests per second; None while it is not reduced.
        self._rate: float | None = None
        self._last = self._next_at = self._paused_until = -inf
        self._pauses = 0
        # Since the last answer: when it was, how many were refused, and when the first of them may come again.
        self._answered_at = -inf
        self._in_a_row = 0
        self._soonest = inf
        self._counts = _Counts(clock())
        self._rounds: deque[Round] = deque(maxlen=_MOST_ROUNDS)
        self._noise = 0.0
        # The largest limit, as a rate, with refusals that may be noise.
        self._largest = 0.0
        self._tested = -inf
        # When the limit shrank last, and after how many requests.
        self._shrunk = -inf
        self._sent_before = 0
        # Since then: from what rate it grew, until when, by how many rounds.
        self._base = self._grown = self._age = 0.0
        self._accepted: float | None = None

    @property
    def size(self) -> float:
        """Return how many requests may be under way; less than one keeps them apart."""
        return float(self.most) if self._rate is None else min(float(self.most), self._rate * self._mean_latency)

    @property
    def _places(self) -> int:
        """Return how many requests may be under way at a moment: some more than the mean, as latencies vary."""
        return self.most if self._rate is None else min(self.most, max(1, ceil(_ROOM * self.size - 1e-9)))

    def wait(self) -> float:
        """Return the seconds until a request may be sent, infinite where one under way must end first."""
        if self._is_free:
            return 0.0 if self.under_way < self.most else inf
        now = self._clock()
        if now < self._paused_until:
            return self._paused_until - now
        if self._pauses and self.under_way and now - self._last < _ROUND:
            return self._last + _ROUND - now  # whether the first one after a pause is taken shows soon
        self._grow(now)
        if self.under_way >= self._places:
            # A reduced limit grows also while no request ends.
            return inf if self.under_way >= self.most else _ROUND
        wait = 0.0 if self._rate is None else self._next_at - now
        if self._reported:
            wait = max(wait, self._reported.wait(sent=self.sent, under_way=self.under_way, last=self._last, now=now))
        return max(0.0, wait)

    def send(self) -> int:
        """Count a request that is being sent; return its number."""
        self.under_way += 1
        self.sent += 1
        if self._is_free:
            return self.sent
        self._counts.sent += 1
        self._last = self._clock()
        if self._rate is not None:
            self._next_at = max(self._next_at, self._last - 1 / self._rate) + 1 / self._rate
        return self.sent

    def answered(
        self, number: int, *, latency: float, tokens_in: float, tokens_out: float, limits: Iterable[ReportedLimit] = ()
    ) -> None:
        """Count an answer, with its seconds and tokens; `limits` are those that the server reported with it."""
        self.under_way -= 1
        self._latency = latency if self._latency is None else self._latency + _WEIGHT * (latency - self._latency)
        if self._is_free and not limits:
            return
        self._counts.answered += 1
        self._pauses = self._in_a_row = 0
        self._soonest = inf
        now = self._answered_at = self._clock()
        if limits:
            self._is_free = False
            self._reported.used(tokens_in=tokens_in, tokens_out=tokens_out)
            self._pause(self._reported.update(limits, number=number, now=now), now)
        self._end_round(now)

    def turned_away(self, number: int, *, retry_after: float | None, limits: Iterable[ReportedLimit] = ()) -> None:
        """Count a refusal."""
        now = self._clock()
        if not self.refused:
            if self._is_free and self._latency is not None:
                self._answered_at = now - self._latency  # answers were not timed so far
            self._is_free = False
            self._counts = _Counts(now, sent=self.under_way)
        self.under_way -= 1
        self.refused += 1
        self._in_a_row += 1
        if retry_after is not None:
            self._soonest = min(self._soonest, now + retry_after)
        if number > self._sent_before:
            self._counts.refused += 1
        # A named wait is for the next request, the reset may be for all that the limit holds.
        used_up = self._reported.update(
            limits, number=number, now=now, within=inf if retry_after is None else retry_after
        )
        if used_up > now:
            self._pause(used_up, now)
        if now >= self._paused_until and self._all_were_refused(now):
            self._rest(now)
        else:
            self._end_round(now)

    def ended(self) -> None:
        """Count a request that ended in another way, which has no bearing on limits."""
        self.under_way -= 1
        self._counts.sent = max(0, self._counts.sent - 1)

    def learned(self) -> dict[str, Any]:
        """Return what is known of the server's limits, for the manifest.

        `requests_per_minute` were accepted in the last seconds in which others were refused,
        and `under_way` is the limit; both are None while it is not reduced.
        """
        is_reduced = self._rate is not None
        rate = self._accepted if is_reduced else None
        return {
            "refused": self.refused,
            "under_way": round(self.size, 2) if is_reduced else None,
            "requests_per_minute": None if rate is None else round(60 * rate, 1),
            "told": {kind: round(size) for kind, size in self._reported.sizes.items()},
        }

    @property
    def note(self) -> str:
        """Return why requests wait, in a few words for the user; empty while none does."""
        now = self._clock()
        pause = self._paused_until - now
        if self._reported:
            paced = self._reported.wait(sent=self.sent, under_way=self.under_way, last=self._last, now=now)
            pause = max(pause, paced if paced < inf else 0.0)
        if pause >= 1:
            return f"the server takes none for {pause:,.0f} s"
        limits = ", ".join(f"{size:,.0f} {kind}" for kind, size in self._reported.sizes.items())
        notes = [f"the server's limit: {limits}"] if limits else []
        if self.refused and self._rate is not None:
            notes.append(f"{self.refused:,} refused")
            if self._accepted is not None:
                notes.append(f"about {60 * self._accepted:,.0f} a minute accepted")
        return "; ".join(notes)

    @property
    def _mean_latency(self) -> float:
        return _FIRST_LATENCY if self._latency is None else max(self._latency, 1e-3)

    def _pause(self, until: float, now: float) -> None:
        self._paused_until = max(self._paused_until, min(until, now + _LONGEST_REPORTED_PAUSE))
        self._grow(now)
        self._grown = max(self._grown, self._paused_until)  # a pause shows nothing of what would be taken

    def _all_were_refused(self, now: float) -> bool:
        """Return whether all of the last second was refused, and enough of it to mean something."""
        if self._in_a_row < _ALL_REFUSED or now - self._answered_at < _ROUND:
            return False
        counts = self._counts
        return not self.under_way or (now - counts.since >= _ROUND and counts.refused >= counts.sent)

    def _rest(self, now: float) -> None:
        """Have all requests wait; how many would be accepted is unknown, so the limit shrinks once only."""
        if not self._pauses and now - self._shrunk >= _ROUND:
            self._shrink(_LEAST_FACTOR, now)
        until = now + min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(self._pauses, 30))
        if now + _ROUND <= self._soonest < inf:
            until = self._soonest  # shorter waits than a second say little
        self._pause(until, now)
        self._pauses += 1
        self._soonest = inf
        self._counts = _Counts(now)

    def _end_round(self, now: float) -> None:
        """Learn from a round that is over."""
        counts = self._counts
        seconds, back = now - counts.since, counts.answered + counts.refused
        sent = max(counts.sent, back, 1)
        share = counts.refused / sent
        is_early = counts.refused >= _FEW and share >= 0.5 and seconds < _ROUND <= now - self._shrunk
        if not is_early and (seconds < _ROUND or (back < _FEW and seconds < _LONGEST_ROUND)):
            return
        self._counts = _Counts(now)
        if not self.refused:
            return
        if share > LARGEST_SHARE or (self._noise and now - self._tested > _RETESTED_AFTER):
            self._noise = self._largest = 0.0
            self._rounds.clear()
        elif not is_early:
            self._rounds.append(Round(sent, counts.refused, seconds))
        noise = share_whatever_is_sent(self._rounds, before=self._noise)
        if noise and not self._noise:
            self._noise, self._tested = noise, now
            if self._rate is not None:
                self._set_rate(max(self._rate, self._largest), now)
            return
        self._noise = noise
        excess = share - self._noise
        if excess <= max(_TOLERATED, 2 * sqrt(self._noise * (1 - self._noise) / sent)):
            return
        self._largest = max(self._largest, self.size / self._mean_latency) if share <= LARGEST_SHARE else 0.0
        if not is_early:
            rate = (sent - counts.refused) / seconds
            self._accepted = rate if self._accepted is None else self._accepted + _RATE_WEIGHT * (rate - self._accepted)
        self._shrink(max(_LEAST_FACTOR, 1 - excess), now)

    def _shrink(self, factor: float, now: float) -> None:
        self._grow(now)
        rate = self.size / self._mean_latency
        self._shrunk, self._sent_before = now, self.sent
        self._set_rate(max(rate * factor, min(rate, _SLOWEST)), now)

    def _set_rate(self, rate: float, now: float) -> None:
        """Set the rate, from which it grows anew."""
        self._rate = rate if rate * self._mean_latency < self.most else None
        self._base, self._grown, self._age = rate, now, 0.0

    def _grow(self, now: float) -> None:
        if self._rate is None or now <= self._grown:
            return
        self._age += (now - self._grown) / min(_LONGEST_ROUND, max(_ROUND, _FEW / self._rate))
        self._grown = now
        rate = self._base * (1 + (self._age / _DOUBLED_AFTER) ** 3) + _SAME_FOR_ALL * self._age**3
        self._rate = max(self._rate, rate)
        if self._rate * self._mean_latency >= self.most:
            self._rate = None
