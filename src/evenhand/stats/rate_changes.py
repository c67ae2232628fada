r"""Changes of a rate, judgement by judgement, by a Bernoulli CUSUM whose limits need no rate.

A limit follows from all orders in which the events may come, one judgement at a time from the 30th on, and of at most
512; longer baselines, and the judgements of a day together, ring no more often (bench/alarms.py single). It is for
counts that are too small for the normal values of `change_detection`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, log2
from typing import Final

import numpy as np

from evenhand.stats._arrays import Flags, Floats, Ints
from evenhand.stats.special import xlogy

#: The odds in the baseline to those that are looked for: about the root of that of a rate that falls to half.
ODDS: Final = 1.7
#: The cells of a sum, and their width in natural logarithms of a likelihood ratio.
CELLS, WIDTH = 120, 0.08
#: Where a rare outcome makes a move smaller than a cell, cells are narrower, by this factor at most.
FINEST: Final = 4
#: The lowest limit, in cells: a likelihood ratio of 5, as single rare events ring no alarm.
LEAST: Final = 20
#: Judgements of the smallest baseline, and those that a baseline counts for at most.
FEWEST_JUDGEMENTS: Final = 30
MOST_JUDGEMENTS: Final = 512


@dataclass(frozen=True, kw_only=True)
class RateAlarm:
    """An alarm: the days on which it rang, the change began and it ended (None: not yet); the sign of the change.

    `expected` is the rate before, `value` that since the change began, `limit` the next one that would not ring.
    """

    day: int
    since: int
    ended: int | None
    direction: int
    expected: float
    value: float
    limit: float


@dataclass(frozen=True, kw_only=True)
class RateChanges:
    """The alarms of a rate, and on which days one of the sums was at its limit."""

    alarms: tuple[RateAlarm, ...]
    at_limit: Flags


#: Says whether a change that rings counts, given the first day of it, the last, and the direction.
Counts = Callable[[int, int, int], bool]
#: Events and trials.
Counted = tuple[int, int]


def rate_changes(
    events: Ints, trials: Ints, *, chances: Floats, start: int, counts: Counts = lambda *_: True
) -> RateChanges:
    r"""Return the alarms of a rate of `events` in `trials` a day, from day `start` on, each against the days before.

    With the rate p̂ = (k + ½) / (n + 1) of the k events in n trials before it, a trial moves a sum by the logarithm of
    a likelihood ratio: that of the odds p̂ / (1 − p̂), divided by 1.7 in the sum of falls and multiplied by it in that
    of rises, to that of p̂. Sums are cut at 0, and change in steps of .08. A sum that reaches the limit h(n, k) rings.

    Where the rate does not change, all orders of the k events of n trials are equally probable, whatever the rate is.
    So the distribution of a sum given n and k follows from those given (n − 1, k − 1) and (n − 1, k), with the weights
    k / n and 1 − k / n, and h is the smallest limit by which a sum has rung with at most the probability 1 − (1 − c)ᵐ
    after m trials: c for each, the uncertainty of the baseline included. `chances` are the c of each day, for both sums
    together; the power of √½ below half of it is used.

    The trials of one day come in the order that makes a sum smallest, and are compared with the days before. A change
    began where the days since the sum was last 0 are most probably of two rates. An alarm is over when its sum, of the
    rate before, is back at 0; what came since the change began is then left out. A change that `counts` rejects does
    not ring. A baseline of 512 trials is halved.

    Units: days of equal meaning; trials are independent. Fails: no alarm before the baseline of 30 trials is complete.

    Reference: Reynolds and Stoumbos (1999), Journal of Quality Technology 31, 87-108; limits for a given probability:
    Zhang and Woodall (2015), Statistics in Medicine 34, 3336-3348.

    >>> events = np.array([1, 0] * 30 + [0] * 20)
    >>> result = rate_changes(events, np.ones(80, dtype=np.int64), chances=np.full(80, 0.002), start=40)
    >>> [(alarm.day, alarm.since, alarm.direction, alarm.value) for alarm in result.alarms]
    [(73, 59, -1, 0.0)]
    """
    baseline = int(events[:start].sum()), int(trials[:start].sum())
    sides = (_Side(-1), _Side(1))
    for side in sides:
        side.begin(start, baseline)
    alarms: list[RateAlarm] = []
    at_limit = np.zeros(trials.size, dtype=np.bool_)
    ringing: _Side | None = None
    for day in (start + np.flatnonzero(trials[start:])).tolist():
        drawn = int(events[day]), int(trials[day])
        if ringing is not None:
            ringing.add(*drawn, ringing.baseline)
            ringing.sum = min(ringing.sum, ringing.limit)
            at_limit[day] = ringing.sum == ringing.limit
            if ringing.sum == 0:
                alarms[-1] = replace(alarms[-1], ended=day)
                baseline, ringing = ringing.baseline, None
                for side in sides:
                    side.begin(day + 1, baseline)
            continue
        limits = _limits(max(ceil(2 * log2(2 / chances[day])), 2))
        before, baseline = baseline, _joined(baseline, drawn)
        for side in sides:
            side.add(*drawn, before)
            side.limit = int(limits[side.place(baseline)])
            if ringing is None and side.sum >= side.limit:
                begun = side.day + _split(events[side.day : day + 1], trials[side.day : day + 1], side.baseline)
                if counts(begun, day, side.sign):
                    ringing, at_limit[day] = side, True
                    side.date(begun, events[side.day : day + 1], trials[side.day : day + 1])
                    alarms.append(side.alarm(day))
            if side.sum == 0:
                side.begin(day + 1, baseline)
    return RateChanges(alarms=tuple(alarms), at_limit=at_limit)


def _joined(baseline: Counted, drawn: Counted) -> Counted:
    events, trials = baseline[0] + drawn[0], baseline[1] + drawn[1]
    while trials > MOST_JUDGEMENTS:
        events, trials = events // 2, trials // 2
    return events, trials


class _Side:
    """The sum of falls (sign −1) or of rises; the first day after it was last 0, the baseline then, and what came."""

    def __init__(self, sign: int) -> None:
        self.sign, self.limit = sign, 0

    def begin(self, day: int, baseline: Counted) -> None:
        self.sum, self.day, self.baseline, self.since = 0, day, baseline, (0, 0)

    def place(self, counted: Counted) -> Counted:
        """Return the place of a baseline in the limits and the moves of falls."""
        events, trials = counted
        return trials, events if self.sign < 0 else trials - events

    def add(self, events: int, trials: int, baseline: Counted) -> None:
        up, down = (int(moves[self.place(baseline)[1]]) for moves in _moves(baseline[1]))
        raising = events if self.sign > 0 else trials - events
        self.sum = max(self.sum + raising * up - (trials - raising) * down, 0)
        self.since = self.since[0] + events, self.since[1] + trials
        self._swing = up + down

    def date(self, begun: int, events: Ints, trials: Ints) -> None:
        """Move the beginning of a change, given what came since the sum was last 0."""
        before, k, n = begun - self.day, int(events[: begun - self.day].sum()), int(trials[: begun - self.day].sum())
        self.baseline = _joined(self.baseline, (k, n))
        self.day, self.since = begun, (int(events[before:].sum()), int(trials[before:].sum()))

    def alarm(self, day: int) -> RateAlarm:
        events, trials = self.since
        spare = (self.sum - self.limit + 1) / self._swing
        return RateAlarm(
            day=day,
            since=self.day,
            ended=None,
            direction=self.sign,
            expected=self.baseline[0] / self.baseline[1],
            value=events / trials,
            limit=(events - self.sign * spare) / trials,
        )


def _split(events: Ints, trials: Ints, baseline: Counted) -> int:
    """Return the place from which on the rate is most probably another one, after that of a baseline."""
    after = np.stack([events, trials])[:, ::-1].cumsum(axis=1)[:, ::-1]
    before = after[:, :1] - after + np.array(baseline)[:, None]
    likelihood = sum(xlogy(k, k / n) + xlogy(n - k, 1 - k / n) for k, n in (before, after))
    return int(np.argmax(np.where(trials > 0, likelihood, -np.inf)))


@cache
def _moves(trials: int) -> tuple[Ints, Ints]:
    """Return by how many cells a sum of falls rises and falls, after each number of events in so many trials."""
    p = (np.arange(trials + 1) + 0.5) / (trials + 1)
    odds = p / (1 - p) / ODDS
    up, down = -np.log((1 - p) * (1 + odds)), np.log(p * (1 + odds) / odds)
    finer = np.clip(WIDTH / np.minimum(up, down), 1, FINEST)
    ups = np.maximum(np.rint(up * finer / WIDTH), 1)
    return ups.astype(np.int64), np.maximum(np.rint(ups * down / up), 1).astype(np.int64)


@cache
def _limits(halvings: int) -> Ints:
    """Return h(n, k) of a sum of falls that rings with the probability √½ to the power of `halvings` at each trial."""
    chance, cells = 0.5 ** (halvings / 2), np.arange(CELLS)
    limits = np.full((MOST_JUDGEMENTS + 1, MOST_JUDGEMENTS + 1), CELLS, dtype=np.int64)
    sums = np.zeros((FEWEST_JUDGEMENTS + 1, CELLS))  # of the k events so far; what has rung is not there
    sums[:, 0] = 1.0
    for n in range(FEWEST_JUDGEMENTS + 1, MOST_JUDGEMENTS + 1):
        up, down = (moves[:, None] for moves in _moves(n - 1))
        lower = np.take_along_axis(sums, np.minimum(cells + down, CELLS - 1), 1) * (cells + down < CELLS)
        lower[:, :1] = np.take_along_axis(sums.cumsum(axis=1), np.minimum(down, CELLS - 1), 1)
        higher = np.take_along_axis(sums, np.maximum(cells - up, 0), 1) * (cells >= up)
        share = np.arange(n + 1)[:, None] / n
        sums = np.zeros((n + 1, CELLS))
        sums[1:] += share[1:] * lower
        sums[:-1] += (1 - share[:-1]) * higher
        needed = (1 - chance) ** (n - FEWEST_JUDGEMENTS) - 1e-12
        limits[n, : n + 1] = np.maximum((sums.cumsum(axis=1) < needed).sum(axis=1) + 1, LEAST)
        sums[cells >= limits[n, : n + 1, None]] = 0.0
    return limits
