r"""Changes and trends in daily values: self-starting CUSUM charts with run lengths, and the Theil-Sen slope.

The chart takes weekday, sampling error and autocorrelation out of each value, by a baseline of the days before it.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import Flags, Floats, normal_quantile
from evenhand.stats.special import ndtr, ndtri, stdtr, stdtrit

#: k: half of the shift that is looked for, in standard deviations.
REFERENCE_VALUE = 0.5
#: Cells of the Markov chain; twice as many change a run length of 500 by .1 %, one of 5,000 by .5 %.
CELLS = 60


@cache
def average_run_length(h: float, *, k: float = REFERENCE_VALUE, shift: float = 0.0, largest: float = 8.0) -> float:
    r"""Return after how many values, on average, a two-sided CUSUM of standardised values that begins at 0 rings.

        S⁺ₜ = max(0, S⁺ₜ₋₁ + zₜ − k)        S⁻ₜ = max(0, S⁻ₜ₋₁ − zₜ − k)

    It rings at the first t at which a sum is above h (Page 1954, Biometrika 41, 100-115). Each one-sided run length is
    that of a Markov chain on cells of [0, h]; both together ring at the rate 1/ARL = 1/ARL⁺ + 1/ARL⁻, which is exact
    where h ≥ k. Values are normal with mean `shift`, standard deviation 1,
    cut at ±`largest`.

    Reference: Brook and Evans (1972), Biometrika 59, 539-549; Hawkins and Olwell (1998), table 3.1.

    >>> round(average_run_length(4.0)), round(average_run_length(5.0))
    (168, 465)
    >>> round(average_run_length(4.0, shift=1.0), 2)
    8.38
    """
    return 1 / sum(1 / _one_sided(h, k, sign * shift, largest) for sign in (1, -1))


@cache
def _one_sided(h: float, k: float, shift: float, largest: float) -> float:
    width = 2 * h / (2 * CELLS - 1)  # the cell of 0 is half as wide: what falls below is there too
    centres = np.arange(CELLS) * width

    def share_below(edge: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(edge >= largest, 1.0, np.where(edge < -largest, 0.0, ndtr(edge - shift)))

    moves = centres[None, :] - centres[:, None] + k
    lower = share_below(moves - width / 2)
    lower[:, 0] = 0.0
    stays = share_below(moves + width / 2) - lower
    return float(np.linalg.solve(np.eye(CELLS) - stays, np.ones(CELLS))[0])


@cache
def decision_interval(run_length: float, *, k: float = REFERENCE_VALUE, largest: float = 8.0) -> float:
    """Return the h at which a two-sided CUSUM rings by chance once in so many values, on average.

    Begins with Siegmund's approximation, 2 ARL⁺ k² = exp(2kb) − 2kb − 1 with b = h + 1.166, and solves
    `average_run_length` by the secant rule: log ARL is almost a straight line in h.

    Reference: Siegmund (1985), Sequential Analysis, Springer, section 2.6.

    >>> round(decision_interval(370.4), 1)
    4.8
    """
    guess = max(np.log(4 * run_length * k * k) / (2 * k) - 1.166, 0.5)
    places = [guess, guess + 0.3]
    gaps = [float(np.log(average_run_length(h, k=k, largest=largest) / run_length)) for h in places]
    while abs(gaps[-1]) > 1e-6 and len(places) < 30:
        step = gaps[-1] * (places[-1] - places[-2]) / (gaps[-1] - gaps[-2])
        places.append(places[-1] - step)
        gaps.append(float(np.log(average_run_length(places[-1], k=k, largest=largest) / run_length)))
    return float(places[-1])


#: 1.4826 medians of absolute deviations are a standard deviation of normal values.
MAD = 1.4826
#: Days that happen to be alike do not make the next one certain; rare events would ring, the first time they come.
LEAST_SHARE = 0.5


@dataclass(frozen=True, kw_only=True)
class ExpectedValues:
    """The expected mean and standard deviation of a day; `known` where its weekday had a value before."""

    mean: Floats
    scale: Floats
    known: Flags


class Baseline:
    """Sums of the days so far, a column for each series."""

    WEIGHT, MEAN = slice(0, 7), slice(7, 14)
    SQUARES, FREEDOM, EXCESS, DAYS, PRODUCTS, PAIRS = range(14, 20)

    def __init__(self, sums: Floats, sampling: Floats) -> None:
        self._sums, self._sampling = sums, sampling

    @property
    def freedom(self) -> Floats:
        """Return the degrees of freedom of each scale."""
        return np.asarray(self._sums[self.FREEDOM])

    @property
    def _squared_scale(self) -> Floats:
        """Return the variance of a day of usual size: never below half of its sampling variance."""
        return np.asarray(np.maximum(self._sums[self.SQUARES] / self.freedom, LEAST_SHARE * self._sampling))

    def copy(self) -> "Baseline":
        """Return another with the same sums."""
        return Baseline(self._sums.copy(), self._sampling)

    def take(self, other: Self, rows: Flags) -> None:
        """Take over the sums of some series."""
        self._sums[:, rows] = other._sums[:, rows]

    def restore(self, other: Self, row: int) -> None:
        """Take over the sums of one series."""
        self.take(other, np.arange(self._sums.shape[1]) == row)

    def relative(self, variances: Floats) -> Floats:
        """Return the variances of days over that of a day of usual size."""
        excess = np.maximum(self._sums[self.EXCESS] / self._sums[self.DAYS], 0.0)
        return relative_variances(excess, self._sampling, variances)

    def predict(self, weekday: int, variances: Floats) -> ExpectedValues:
        """Return the expected values of a day."""
        weight = self._sums[self.WEIGHT][weekday]
        known = weight > 0
        spread = self.relative(variances) + 1 / np.where(known, weight, 1.0)
        scale = np.sqrt(spread * self._squared_scale)
        return ExpectedValues(mean=self._sums[self.MEAN][weekday], scale=np.maximum(scale, 1e-12), known=known)

    def autocorrelation(self, prior: float, days: int, largest: float) -> Floats:
        """Return the correlation of neighbouring days, shrunk towards `prior` as if that were `days` days."""
        estimate = (self._sums[self.PRODUCTS] + prior * days) / (self._sums[self.PAIRS] + days)
        return np.asarray(np.clip(estimate, 0.0, largest))

    def learn(
        self,
        weekday: int,
        values: Floats,
        variances: Floats,
        *,
        before: Floats,
        residual: Floats,
        new: Flags,
        known: Flags,
    ) -> None:
        """Let a day join: the first of its weekday (`new`), or an expected one (`known`), by its residual."""
        sums, weight = self._sums, self._sums[self.WEIGHT][weekday].copy()
        relative = self.relative(variances)
        spread = relative + 1 / np.where(weight > 0, weight, 1.0)
        away = residual * np.sqrt(spread * self._squared_scale)
        joins = np.where(new | known, 1 / np.where(new | known, relative, 1.0), 0.0)
        mean = sums[self.MEAN][weekday]
        moved = mean + away * joins / np.where(new | known, weight + joins, 1.0)
        sums[self.MEAN][weekday] = np.where(new, np.where(new, values, 0), np.where(known, moved, mean))
        sums[self.WEIGHT][weekday] = weight + joins
        paired = known & np.isfinite(before)
        sums[self.PRODUCTS] += np.where(paired, residual * np.nan_to_num(before), 0.0)
        sums[self.PAIRS] += np.where(paired, np.nan_to_num(before) ** 2, 0.0)
        excess = away**2 * relative / spread - np.where(known, variances, 0.0)
        sums[self.EXCESS] += np.where(known, excess, 0.0)
        sums[self.SQUARES] += np.where(known, residual**2 * self._squared_scale, 0.0)
        sums[self.FREEDOM] += known
        sums[self.DAYS] += known


def relative_variances(excess: Floats, sampling: Floats, variances: Floats) -> Floats:
    """Return (τ² + variance) / (τ² + usual variance); 1 where neither is known."""
    usual = excess + sampling
    return np.where(usual > 0, (excess + variances) / np.where(usual > 0, usual, 1.0), 1.0)


def first_baseline(
    values: Floats, variances: Floats, *, first_weekday: int, days: int, cut: float
) -> tuple[Baseline, NDArray[np.int64]]:
    """Return the baseline of the first `days` days that have a value, and the day after them (past the end: none)."""
    there = np.isfinite(values)
    rows, all_days = values.shape
    enough = there.sum(axis=1) >= days
    if not enough.any():
        return Baseline(np.ones((20, rows)), np.zeros(rows)), np.full(rows, all_days + 1)
    places = np.argsort(~there, axis=1, kind="stable")[:, :days]
    y = np.where(enough[:, None], np.take_along_axis(values, places, 1), 0.0)
    sampled = np.where(enough[:, None], np.take_along_axis(variances, places, 1), 0.0)
    weekdays = (first_weekday + places) % 7
    of_weekday = weekdays[:, :, None] == np.arange(7)
    freedom = np.maximum(days - of_weekday.any(axis=1).sum(axis=1), 1)
    y = _clipped_values(y, weekdays, of_weekday, cut=cut * np.sqrt(days / freedom))
    sampling = sampled.mean(axis=1)
    plain = y - _means(y, np.ones_like(y), weekdays, of_weekday)[2]
    excess = (plain**2).sum(axis=1) * days / freedom - sampled.sum(axis=1)
    relative = relative_variances(np.maximum(excess / days, 0)[:, None], sampling[:, None], sampled)
    weight, mean, fitted = _means(y, 1 / np.maximum(relative, 1e-12), weekdays, of_weekday)
    r = (y - fitted) / np.sqrt(relative)
    squares = (r**2).sum(axis=1)
    standard = r / np.sqrt(np.maximum(squares / freedom, 1e-300))[:, None]
    paired = np.diff(places, axis=1) == 1
    sums = np.zeros((20, rows))
    sums[Baseline.WEIGHT], sums[Baseline.MEAN] = weight.T, mean.T
    sums[Baseline.SQUARES], sums[Baseline.FREEDOM] = squares, freedom
    sums[Baseline.EXCESS], sums[Baseline.DAYS] = excess, days
    sums[Baseline.PRODUCTS] = (standard[:, 1:] * standard[:, :-1] * paired).sum(axis=1)
    sums[Baseline.PAIRS] = (standard[:, :-1] ** 2 * paired).sum(axis=1)
    return Baseline(sums, sampling), np.where(enough, places[:, -1] + 1, all_days + 1)


def _clipped_values(y: Floats, weekdays: NDArray[np.int64], of_weekday: Flags, *, cut: Floats) -> Floats:
    """Return values at most `cut` robust standard deviations from their weekday's median."""
    medians = np.zeros((y.shape[0], 7))
    for weekday in range(7):
        on_weekday = of_weekday[:, :, weekday]
        ordered = np.sort(np.where(on_weekday, y, np.inf), axis=1)
        count = np.maximum(on_weekday.sum(axis=1), 1)
        middle = np.stack([(count - 1) // 2, count // 2], axis=1)
        medians[:, weekday] = np.nan_to_num(np.take_along_axis(ordered, middle, 1), posinf=0.0).mean(axis=1)
    away = y - np.take_along_axis(medians, weekdays, 1)
    reach = (cut * MAD * np.median(np.abs(away), axis=1))[:, None]
    return np.where(reach > 0, y - away + np.clip(away, -reach, reach), y)


def _means(y: Floats, weight: Floats, weekdays: NDArray[np.int64], of_weekday: Flags) -> tuple[Floats, Floats, Floats]:
    """Return the weights, weighted means and fitted values by weekday."""
    weights = (weight[:, :, None] * of_weekday).sum(axis=1)
    means = ((weight * y)[:, :, None] * of_weekday).sum(axis=1) / np.where(weights > 0, weights, 1.0)
    return weights, means, np.take_along_axis(means, weekdays, 1)


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


@dataclass(frozen=True, kw_only=True)
class SeriesAlarm:
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
    alarms: tuple[SeriesAlarm, ...]


def limits_of(sums: NDArray[np.int64], days: NDArray[np.int64], *, every: float = 365.0) -> Floats:
    """Return h of each of `sums` two-sided CUSUMs that together ring by chance once `every` days.

    Each has an average run length of every × sums, whatever depends on what: the mean number of alarms is a sum. With
    b = h + 1.166 the rate falls as exp(−b / v), v being the long-run variance of z. Autocorrelation is estimated, so v
    is 1 up to a standard error, taken to be √(2 / (n + 400)) after n `days`; the mean rate is then
    exp(−b + b² / (n + 400)), and h is widened so that this is the rate intended. 400 is from simulated years (bench).

    >>> limits_of(np.array([1, 1, 15]), np.array([28, 365, 365])).round(2)
    array([4.84, 4.81, 7.55])
    """
    distinct_sums, place = np.unique(np.maximum(sums, 1), return_inverse=True)
    plain = np.array([decision_interval(every * float(n), largest=LARGEST_Z) for n in distinct_sums])
    b = plain[place.reshape(np.shape(sums))] + 1.166
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
    against its expectation from the days before it, and then joins them:

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
    >>> result = self_starting(days[None], np.zeros((1, 60)), first_weekday=0, limits=np.full((1, 60), 5.4))
    >>> [(alarm.day, alarm.since, alarm.direction, alarm.ended) for alarm in result.alarms]
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
        self._rang: list[SeriesAlarm] = []

    @property
    def alarms(self) -> tuple[SeriesAlarm, ...]:
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
        predicted = self.baseline.predict(weekday, self.variances[:, day])
        watched = there & predicted.known
        rho = self._autocorrelation(day)
        before = np.nan_to_num(self._before)
        root = np.sqrt(1 - rho**2)
        r = np.where(watched, (np.where(watched, self.values[:, day], 0) - predicted.mean) / predicted.scale, 0.0)
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
            away = ((1, -1)[side] * needed * root[row] + rho[row] * before[row]) * predicted.scale[row]
            self._ring(
                int(row), day, side, expected=float(predicted.mean[row]), limit=float(predicted.mean[row] + away)
            )
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
            SeriesAlarm(
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
                self._rang[place] = SeriesAlarm(**{**vars(rang), "ended": day})
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


@dataclass(frozen=True, kw_only=True)
class TheilSen:
    """The slope per unit of time with its interval; null with a reason."""

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    n: int
    reason: str | None = None
    method: str = "Theil–Sen, Sen's interval"


def theil_sen(values: ArrayLike, *, times: ArrayLike | None = None, confidence: float = 0.95) -> TheilSen:
    """Return the median of the slopes of all pairs of values.

    Of N = n(n − 1)/2 slopes in order, the interval reaches from place (N − C)/2 to place (N + C)/2 + 1, counted from
    1, with C = z √Var and Kendall's variance n(n − 1)(2n + 5)/18, less t(t − 1)(2t + 5)/18 for each t equal values.
    Missing values (NaN) are left out.

    Units: those of the values per unit of `times` (places, where none are given). Assumes independent errors of one
    distribution; autocorrelated values have too narrow an interval. Fails: null with fewer than 4 values, whose
    interval would need more slopes than there are.

    Reference: Sen (1968), Journal of the American Statistical Association 63, 1379-1389; Hollander and Wolfe (1973),
    section 9.3.

    The example of Sen (1968), at his 93 %:

    >>> result = theil_sen([9, 15, 19, 20, 45, 55, 78], times=[1, 2, 3, 4, 10, 12, 18], confidence=0.93)
    >>> result.estimate, round(result.low, 2), round(result.high, 2)
    (4.0, 3.71, 4.38)
    """
    y = np.asarray(values, dtype=np.float64)
    x = np.arange(y.size, dtype=np.float64) if times is None else np.asarray(times, dtype=np.float64)
    there = np.isfinite(y) & np.isfinite(x)
    y, x = y[there], x[there]
    n = int(y.size)
    if n < 4:
        return _none(confidence, n, f"A slope with its interval needs 4 values; there are {n}.")
    first, second = np.triu_indices(n, 1)
    apart = x[second] - x[first]
    slopes = np.sort((y[second] - y[first])[apart != 0] / apart[apart != 0])
    if not slopes.size:
        return _none(confidence, n, "All values are of one time.")
    equal = np.unique(y, return_counts=True)[1].astype(np.float64)
    variance = (n * (n - 1) * (2 * n + 5) - float(np.sum(equal * (equal - 1) * (2 * equal + 5)))) / 18
    reach = normal_quantile(confidence) * np.sqrt(max(variance, 0.0))
    low = int(np.clip(np.round((slopes.size - reach) / 2) - 1, 0, slopes.size - 1))
    high = int(np.clip(np.round((slopes.size + reach) / 2), 0, slopes.size - 1))
    return TheilSen(
        estimate=float(np.median(slopes)),
        low=float(slopes[low]),
        high=float(slopes[high]),
        confidence=confidence,
        n=n,
    )


def _none(confidence: float, n: int, reason: str) -> TheilSen:
    return TheilSen(estimate=None, low=None, high=None, confidence=confidence, n=n, reason=reason)
