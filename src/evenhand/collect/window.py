"""How many requests may be under way, learned from what the server refuses and tells."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, inf, sqrt
from typing import Any

from evenhand.collect._refusals import LARGEST_SHARE, Round, share_whatever_is_sent
from evenhand.collect._told import ToldLimits
from evenhand.models._model import ToldLimit

__all__ = ["Window"]

# A round ends after a second, or, of few requests, when eight are back or after five seconds; and at once where eight
# and at least half are refused.
_ROUND = 1.0
_FEW = 8
_LONGEST_ROUND = 5.0
# Growth, by the rounds since the window shrank: twice as large after twelve, and beside that what is
# the same for all who share an account, in requests per second.
_DOUBLED_AFTER = 12.0
_SAME_FOR_ALL = 0.06
# The slowest that is ever asked, in requests per second.
_SLOWEST = 0.2
_LEAST_FACTOR = 0.5
# How much one answer changes the mean latency; before the first, it is taken for a second.
_WEIGHT = 0.1
_FIRST_LATENCY = 1.0
# How much a second in which some were refused changes the rate that is taken for the server's limit.
_RATE_WEIGHT = 0.25
# Nobody pauses longer for what the server says, but looks whether it is still so.
_LONGEST_TOLD = 600.0
# Pauses while all is refused without a named wait: they double.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_KEPT_ROUNDS = 12
# Seconds after which it is tested again whether refusals come from what is sent.
_TESTED_AGAIN = 60.0


@dataclass(slots=True)
class _Counts:
    """What happened in the round under way."""

    since: float
    sent: int = 0
    refused: int = 0
    answered: int = 0


class Window:
    """Says when the next request may be sent; at most `most` are ever under way.

    The window is `most` until the server refuses. A second in which it did makes the
    window smaller by the share that was refused, at most by half; then it grows, slowly
    near what was refused and faster with time. A window of less than one keeps the
    requests apart: they are sent as often as so small a window means, by the mean
    latency. A share that is refused however little is sent makes nothing smaller.

    All wait only when the server says that a limit is used up, until its reset, or when
    everything of a round was refused. `clock` gives seconds.
    """

    def __init__(self, most: int, *, clock: Callable[[], float]) -> None:
        self.most = most
        self.size = float(most)
        self.under_way = 0
        self.sent = 0
        self.refused = 0
        self._clock = clock
        self._told = ToldLimits()
        # Nothing was refused or told yet, so there is nothing to reckon with.
        self._is_free = True
        self._latency: float | None = None
        self._held = False
        self._last = self._next_at = self._paused_until = -inf
        self._pauses = 0
        self._counts = _Counts(clock())
        self._rounds: deque[Round] = deque(maxlen=_KEPT_ROUNDS)
        self._largest = 0.0
        self._noise = 0.0
        self._tested = -inf
        # When the window shrank last, and after how many requests: what they met is known by then.
        self._shrunk = -inf
        self._sent_before = 0
        # Since then: from what rate it grew, until when, by how many rounds.
        self._base = self._grown = self._age = 0.0
        self._accepted: float | None = None

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
        if self.under_way >= max(1, ceil(self.size - 1e-9)):
            return inf
        wait = self._next_at - now if self._held else 0.0
        if self._told:
            wait = max(wait, self._told.wait(sent=self.sent, under_way=self.under_way, last=self._last, now=now))
        return max(0.0, wait)

    def send(self) -> int:
        """Count a request that is being sent; return its number."""
        self.under_way += 1
        self.sent += 1
        if self._is_free:
            return self.sent
        self._counts.sent += 1
        if self._held or self._told or self._pauses:
            now = self._last = self._clock()
            gap = self._mean_latency / self.size
            self._next_at = max(self._next_at, now - gap) + gap
        return self.sent

    def answered(
        self, number: int, *, latency: float, given: float, made: float, told: Iterable[ToldLimit] = ()
    ) -> None:
        """Count an answer, with the seconds and tokens that it took and what the server told with it."""
        self.under_way -= 1
        self._latency = latency if self._latency is None else self._latency + _WEIGHT * (latency - self._latency)
        if self._is_free and not told:
            return
        self._counts.answered += 1
        self._pauses = 0
        now = self._clock()
        if told:
            self._is_free = False
            self._told.used(given=given, made=made)
            self._pause(self._told.heard(told, number=number, now=now), now)
        self._end_round(now)

    def turned_away(self, number: int, *, retry_after: float | None, told: Iterable[ToldLimit] = ()) -> None:
        """Count a refusal."""
        now = self._clock()
        if not self.refused:
            self._is_free = False
            self._counts = _Counts(now, sent=self.under_way)
        self.under_way -= 1
        self.refused += 1
        if number > self._sent_before:
            self._counts.refused += 1
        used_up = self._told.heard(told, number=number, now=now)
        if used_up > now:
            # The named wait is for the next request, the reset may be for all that the limit holds.
            self._pause(used_up if retry_after is None else now + retry_after, now)
        if now >= self._paused_until and self._nothing_was_taken(now):
            self._rest(retry_after, now)
        else:
            self._end_round(now)

    def ended(self) -> None:
        """Count a request that ended in another way."""
        self.under_way -= 1

    def learned(self) -> dict[str, Any]:
        """Return what is known of the server's limits, for the manifest.

        `requests_per_minute` were accepted in the last seconds in which others were refused,
        and `under_way` is the window; both are None where nothing holds it down.
        """
        rate = self._accepted if self._held else None
        return {
            "refused": self.refused,
            "under_way": round(self.size, 2) if self._held else None,
            "requests_per_minute": None if rate is None else round(60 * rate, 1),
            "told": {kind: round(size) for kind, size in self._told.sizes.items()},
        }

    @property
    def note(self) -> str:
        """Return what a person who waits should know, in a few words; empty while nothing is held back."""
        pause = self._paused_until - self._clock()
        if pause >= 1:
            return f"the server takes none for {pause:,.0f} s"
        told = ", ".join(f"{size:,.0f} {kind}" for kind, size in self._told.sizes.items())
        notes = [f"the server's limit: {told}"] if told else []
        if self.refused and self._held:
            notes.append(f"{self.refused:,} refused")
            if self._accepted is not None:
                notes.append(f"about {60 * self._accepted:,.0f} a minute accepted")
        return "; ".join(notes)

    @property
    def _mean_latency(self) -> float:
        return _FIRST_LATENCY if self._latency is None else max(self._latency, 1e-3)

    def _pause(self, until: float, now: float) -> None:
        self._paused_until = max(self._paused_until, min(until, now + _LONGEST_TOLD))
        self._grow(now)
        self._grown = max(self._grown, self._paused_until)  # a pause shows nothing of what would be taken

    def _nothing_was_taken(self, now: float) -> bool:
        """Return whether all that was sent in this round was refused."""
        counts = self._counts
        if counts.answered or counts.refused < counts.sent:
            return False
        return not self.under_way or now - counts.since >= _ROUND

    def _rest(self, named: float | None, now: float) -> None:
        """Have all wait; nothing is known of what would be taken, so the window shrinks once only."""
        if not self._pauses:
            self._shrink(_LEAST_FACTOR, now)
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(self._pauses, 30))
        self._pause(now + (pause if named is None else named), now)
        self._pauses += 1
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
        if share > LARGEST_SHARE:
            self._rounds.clear()
        elif not is_early:
            self._rounds.append(Round(sent, counts.refused, seconds))
        if self._noise and now - self._tested > _TESTED_AGAIN:
            self._noise = self._largest = 0.0
            self._rounds.clear()
        noise = share_whatever_is_sent(self._rounds, before=self._noise)
        if noise and not self._noise:
            self._noise, self._tested = noise, now
            self._resize(max(self.size, self._largest), now)
            return
        self._noise = noise
        excess = share - self._noise
        if excess <= 2 * sqrt(self._noise * (1 - self._noise) / sent):
            return
        self._largest = max(self._largest, self.size) if share <= LARGEST_SHARE else 0.0
        if not is_early:
            rate = (sent - counts.refused) / seconds
            self._accepted = rate if self._accepted is None else self._accepted + _RATE_WEIGHT * (rate - self._accepted)
        self._shrink(max(_LEAST_FACTOR, 1 - excess), now)

    def _shrink(self, factor: float, now: float) -> None:
        self._grow(now)
        self._shrunk, self._sent_before = now, self.sent
        self._resize(max(self.size * factor, min(self.size, _SLOWEST * self._mean_latency)), now)

    def _resize(self, size: float, now: float) -> None:
        """Set the window, from which it grows anew."""
        self.size = min(size, float(self.most))
        self._held = self.size < self.most
        self._base, self._grown, self._age = self.size / self._mean_latency, now, 0.0

    def _grow(self, now: float) -> None:
        if not self._held or now <= self._grown:
            return
        rate = self.size / self._mean_latency
        self._age += (now - self._grown) / min(_LONGEST_ROUND, max(_ROUND, _FEW / rate))
        self._grown = now
        grown = self._base * (1 + (self._age / _DOUBLED_AFTER) ** 3) + _SAME_FOR_ALL * self._age**3
        self.size = min(max(self.size, grown * self._mean_latency), float(self.most))
        self._held = self.size < self.most
