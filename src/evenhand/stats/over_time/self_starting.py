r"""Self-starting CUSUM of daily values: weekday, sampling error and autocorrelation taken out, day by day."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.over_time._baseline import first_baseline
from evenhand.stats.over_time.cusum import REFERENCE_VALUE, decision_interval
from evenhand.stats.special import ndtr, ndtri, stdtr, stdtrit

__all__ = ["BASELINE_DAYS", "LARGEST_Z", "Rang", "SelfStarting", "limits_of", "self_starting"]

#: Days with a value before a series is watched.
BASELINE_DAYS: Final = 28
#: z is cut here, so that one day alone cannot ring.
LARGEST_Z: Final = 4.0
#: What autocorrelation is taken to be before it is known, and how many days that weighs.
PRIOR_RHO: Final = 0.1
PRIOR_DAYS: Final = 30
LARGEST_RHO: Final = 0.6
#: Autocorrelation is taken from days at least so long ago: a step would look like it.
RHO_LAG: Final = 14
#: How many days the history counts for in the limit, besides those it has.
LIMIT_DAYS: Final = 400

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Rang:
    """An alarm of one series: where it rang, where the change began and where it ended (None: not yet).

    `expected` is what was expected of the day it rang, `limit` the value beyond which that day rang, both in the units
    of the values.
    """

    series: int
    day: int
    since: int
    ended: int | None
    direction: int
    expected: float
    limit: float


@dataclass(frozen=True, kw_only=True)
class SelfStarting:
    """What each day (column) of each series (row) was: `z` is NaN where it wasn't watched, the sums stay."""

    z: Floats
    above: Floats
    below: Floats
    alarms: tuple[Rang, ...]


def limits_of(sums: NDArray[np.int64], days: NDArray[np.int64], *, every: float = 365.0) -> Floats:
    """Return h of each of `sums` two-sided CUSUMs that together ring by chance once `every` days.

    Each has an average run length of every × sums, whatever depends on what: the mean number of alarms is a sum. With
    b = h + 1.166 the rate falls as exp(−b / v), v being the long-run variance of z. Autocorrelation is estimated, so v
    is 1 up to a standard error, taken to be √(2 / (n + 400)) after n `days`; the mean rate is then
    exp(−b + b² / (n + 400)), and h is widened so that this is what was asked for. 400 is from simulated years (bench).

    >>> limits_of(np.array([1, 1, 15]), np.array([28, 365, 365])).round(2)
    array([4.84, 4.81, 7.55])
    """
    asked, where = np.unique(np.maximum(sums, 1), return_inverse=True)
    plain = np.array([decision_interval(every * float(each), largest=LARGEST_Z) for each in asked])
    b = plain[where.reshape(np.shape(sums))] + 1.166
    share = 1 / (days + LIMIT_DAYS)
    return np.asarray((1 - np.sqrt(np.maximum(1 - 4 * share * b, 0))) / (2 * share) - 1.166)


def self_starting(
    values: Floats, variances: Floats, *, first_weekday: int, limits: Floats, baseline_days: int = BASELINE_DAYS
) -> SelfStarting:
    r"""Return the alarms of series of daily values, each against the days before it.

    Each row is a series, each column a day; NaN where there is no value. `variances` are those of sampling: the
    variance of a day is τ² + its own, up to a factor, and τ² is estimated. `limits` are h (`limits_of`).

    A series begins with its first `baseline_days` days that have a value. Of these the mean of each weekday, the
    variance within weekdays, τ² and the autocorrelation are estimated, after values more than 4 (of 1.4826 × the
    median absolute deviation) from their weekday's median were drawn in. From then on each value y is held
    against what the days before it foretell, and then joins them:

        r = (y − weekday's mean) / √(variance of both)
        u = (r / s − a r' / s) / √(1 − a²), r' that of the day before
        z = Φ⁻¹(F(u)), F being Student's t with as many degrees of freedom as s has, cut at ±4

    Without autocorrelation and with normal values the z are independent and standard normal, however few days
    there were: the mean and s are not taken for known. s² is never below half of the sampling variance. The
    autocorrelation a is shrunk towards .1 and taken from days 14 and more ago. What rings is a two-sided CUSUM of z
    with k = .5.

    While an alarm rings, its days since the estimated start of the change don't join the baseline; the sum stays
    at h at most, and the alarm ends when it is back at 0. A change that rings no alarm becomes part of the baseline.

    Units: those of the values; z and sums have none. Assumes values that are about normal about their weekday's mean.
    Fails: no z before the baseline is complete, nor on a weekday that had no value before.

    Reference: Hawkins (1987), The Statistician 36, 299-315; Hawkins and Olwell (1998), chapter 7. Recursive
    residuals: Brown, Durbin and Evans (1975), Journal of the Royal Statistical Society B 37, 149-192.

    >>> rng = np.random.default_rng(4)
    >>> days = np.where(np.arange(60) < 40, 0.0, 3.0) + rng.standard_normal(60)
    >>> found = self_starting(days[None], np.zeros((1, 60)), first_weekday=0, limits=np.full((1, 60), 5.4))
    >>> [(each.day, each.since, each.direction, each.ended) for each in found.alarms]
    [(42, 40, 1, None)]
    """
    watch = _Watch(values, variances, first_weekday=first_weekday, baseline_days=baseline_days)
    for day in range(values.shape[1]):
        watch.step(day, limits[:, day])
    return SelfStarting(z=watch.z, above=watch.sums[0], below=watch.sums[1], alarms=watch.alarms)


class _Watch:
    """All series, day by day."""

    def __init__(self, values: Floats, variances: Floats, *, first_weekday: int, baseline_days: int) -> None:
        self.values, self.variances = values, variances
        self.there = np.isfinite(values)
        self.first_weekday = first_weekday
        self.baseline, self.start = first_baseline(
            values, variances, first_weekday=first_weekday, days=baseline_days, cut=LARGEST_Z
        )
        rows, days = values.shape
        self.z = np.full((rows, days), np.nan)
        self.sums = np.zeros((2, rows, days))
        self._sum = np.zeros((2, rows))
        self._since = np.tile(self.start, (2, 1))
        self._kept = [self.baseline.copy(), self.baseline.copy()]
        self._before = np.full(rows, np.nan)
        self._rho = np.zeros((days, rows))
        self._ringing = np.zeros(rows, dtype=np.int64)  # the place in _rang, from 1
        self._rang: list[Rang] = []

    @property
    def alarms(self) -> tuple[Rang, ...]:
        """Return the alarms in the order in which they rang."""
        return tuple(self._rang)

    def step(self, day: int, limit: Floats) -> None:
        """Take in one day of all series."""
        there = self.there[:, day] & (self.start <= day)
        if not there.any():
            self.sums[:, :, day] = self._sum
            self._before = np.full_like(self._before, np.nan)
            return
        weekday = (self.first_weekday + day) % 7
        foretold = self.baseline.foretold(weekday, self.variances[:, day])
        watched = there & foretold.known
        rho = self._autocorrelation(day)
        before = np.nan_to_num(self._before)
        root = np.sqrt(1 - rho**2)
        r = np.where(watched, (np.where(watched, self.values[:, day], 0) - foretold.mean) / foretold.scale, 0.0)
        z = np.clip(_normal((r - rho * before) / root, self.baseline.freedom), -LARGEST_Z, LARGEST_Z)
        self.z[watched, day] = z[watched]
        before_step = self._sum.copy()
        for side, sign in ((0, 1), (1, -1)):
            stepped = np.maximum(0.0, self._sum[side] + sign * z - REFERENCE_VALUE)
            self._sum[side] = np.where(watched, stepped, self._sum[side])
        above = watched & (self._sum > limit)
        for row in np.flatnonzero(above.any(axis=0) & (self._ringing == 0)):
            side = int(self._sum[1, row] > self._sum[0, row])
            needed = _student(limit[row] - before_step[side, row] + REFERENCE_VALUE, self.baseline.freedom[row])
            away = ((1, -1)[side] * needed * root[row] + rho[row] * before[row]) * foretold.scale[row]
            self._ring(int(row), day, side, expected=float(foretold.mean[row]), limit=float(foretold.mean[row] + away))
        self._sum = np.minimum(self._sum, limit)
        self._learn(day, weekday, there, watched, r)
        self._end(day, watched)
        self.sums[:, :, day] = self._sum

    def _autocorrelation(self, day: int) -> Floats:
        """Return the autocorrelation of each series, known two weeks ago; 0 where the day before has no value."""
        self._rho[day] = self.baseline.autocorrelation(PRIOR_RHO, PRIOR_DAYS, LARGEST_RHO)
        back = np.clip(day - RHO_LAG, np.minimum(self.start, day), None)
        rho: Floats = self._rho[back, np.arange(back.size)]
        return np.where(np.isnan(self._before), 0.0, rho)

    def _ring(self, row: int, day: int, side: int, *, expected: float, limit: float) -> None:
        self._rang.append(
            Rang(
                series=row,
                day=day,
                since=int(self._since[side, row]),
                ended=None,
                direction=(1, -1)[side],
                expected=expected,
                limit=limit,
            )
        )
        self._ringing[row] = len(self._rang)
        self.baseline.restore(self._kept[side], row)

    def _learn(self, day: int, weekday: int, there: Flags, watched: Flags, r: Floats) -> None:
        """Let the day join the baseline of what does not ring, and keep that of what may begin to change tomorrow."""
        quiet = self._ringing == 0
        self.baseline.learn(
            weekday,
            self.values[:, day],
            self.variances[:, day],
            before=self._before,
            residual=np.clip(r, -3.0, 3.0),
            new=there & quiet & ~watched,
            known=watched & quiet,
        )
        self._before = np.where(watched & quiet, np.clip(r, -3.0, 3.0), np.nan)
        for side in (0, 1):
            zero = there & quiet & (self._sum[side] == 0)
            self._kept[side].take(self.baseline, zero)
            self._since[side, zero] = day + 1

    def _end(self, day: int, watched: Flags) -> None:
        """End what rings and is back at 0."""
        for row in np.flatnonzero((self._ringing > 0) & watched):
            place = self._ringing[row] - 1
            rang = self._rang[place]
            if self._sum[int(rang.direction < 0), row] == 0:
                self._rang[place] = Rang(**{**vars(rang), "ended": day})
                self._ringing[row] = 0
                for side in (0, 1):
                    self._kept[side].take(self.baseline, np.arange(self._ringing.size) == row)
                    if self._sum[side, row] == 0:
                        self._since[side, row] = day + 1


def _normal(t: Floats, freedom: Floats) -> Floats:
    """Return the normal quantile of the share of Student's t below."""
    lower = ndtri(np.maximum(stdtr(freedom, -np.abs(t)), 1e-300))  # the lower tail keeps its digits
    return np.asarray(np.where(t > 0, -lower, lower))


def _student(z: float, freedom: float) -> float:
    return float(-stdtrit(freedom, ndtr(-z)))
