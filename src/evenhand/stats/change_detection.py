r"""Changes and trends in daily values: self-starting CUSUM charts with run lengths, and the Theil-Sen slope.

The chart takes calendar, sampling error and autocorrelation out of each value, as estimated from the values before it.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import Flags, Floats, Ints, normal_quantile
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
#: Units that happen to be alike do not make the next one certain; rare events would ring, the first time they come.
LEAST_SHARE = 0.5
#: Days with a value before a series is watched.
BASELINE_DAYS: Final = 28
#: From this number of days on, the rate of false alarms is known.
RATE_DAYS: Final = 180
#: z, and what filters learn from one value, are cut here, so that one day alone cannot ring.
LARGEST_Z: Final = 4.0
#: All series of a model together ring by chance once in so many units.
EVERY: Final = 800.0
#: How many units the history counts for in the limit, besides those it has.
LIMIT_UNITS: Final = 400
#: The autocorrelation and its share of the variance of a unit, with the probability of each before there are data:
#: half of what persists is taken to persist for weeks, as a limit that is too narrow rings.
SHARES: Final = (0.15, 0.35, 0.6, 0.85)
AUTOCORRELATIONS: Final = {0.5: 1, 0.75: 3, 0.88: 9, 0.95: 27}
NOT_CORRELATED: Final = 0.85
#: What rings also does so by the most persistent filter, when those that are less so are together so probable: the
#: average of all is right about one value, but not about several in a row, where it has too little autocorrelation.
AGREED: Final = 0.95
#: How probable these are is taken from a third of the units ago, as a change would look like autocorrelation; but from
#: at least and at most so many.
LAG: Final = (14, 60)
#: Variances before there are data, in those of a unit: of the level, of a weekday about its mean in the baseline, of
#: holidays and of the first and last days of a month; of the other days of a month; of a weekday without a value.
FLAT: Final = 4.0
WITHIN_MONTH: Final = 0.1
UNSEEN: Final = 1e4
#: So many days at either end of a month may differ much.
MONTH_ENDS: Final = 3
#: The places of months among the effects of a calendar of days.
MONTHS: Final = range(40, 52)
#: Values that a month needs, and years of months, before months have effects.
IN_A_MONTH, SEASONS = 10, 2
#: The fewest and most years that are replayed, and series times years.
YEARS, REPLAYED = (4, 200), 40_000
#: An alarm that ends within so many units was an excursion: what it showed is learnt.
EXCURSION: Final = 60


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """What the units have in common: the place of each one's effects (a row for each kind), and their variances."""

    places: Ints
    variances: Floats
    #: How many effects the first kind has: those are not shrunk.
    free: int

    @classmethod
    def of_days(cls, first: np.datetime64, days: int, *, holidays: ArrayLike = ()) -> Self:
        """Return weekday, day of the month (from its nearer end), holiday and month of days in a row.

        Months have no effect until they are estimated.

        >>> Calendar.of_days(np.datetime64("2026-02-27"), 3).places.tolist()
        [[4, 5, 6], [36, 37, 7], [38, 38, 38], [41, 41, 42]]
        """
        all_days = first.astype("datetime64[D]") + np.arange(days)
        weekday = (all_days.astype(np.int64) + 3) % 7  # 1970-01-01 was a Thursday
        month = all_days.astype("datetime64[M]")
        since = (all_days - month).astype(np.int64)
        until = ((month + 1).astype("datetime64[D]") - all_days).astype(np.int64) - 1
        of_month = np.where(until < 15, 30 - until, np.minimum(since, 15))
        holiday = np.isin(all_days, np.asarray(holidays, dtype="datetime64[D]"))
        ends = np.full(31, WITHIN_MONTH)
        ends[:MONTH_ENDS] = ends[-MONTH_ENDS:] = FLAT
        return cls(
            places=np.stack([weekday, 7 + of_month, np.where(holiday, 39, 38), MONTHS.start + month.astype(int) % 12]),
            variances=np.concatenate([np.full(7, FLAT), ends, [0.0, FLAT], np.zeros(12)]),
            free=7,
        )

    @classmethod
    def none(cls, units: int) -> Self:
        """Return a calendar without effects."""
        return cls(places=np.zeros((1, units), dtype=np.int64), variances=np.zeros(1), free=1)


@dataclass(frozen=True, kw_only=True)
class SeriesAlarm:
    """An alarm of one series: where it rang, where the change began and where it ended (None: not yet).

    `expected` is what was expected of the unit that rang, `limit` the value beyond which it rang, both in the units
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
    """What each unit (column) of each series (row) was: `z` is NaN where it wasn't watched, the sums stay.

    `cautious` are the z by the most persistent filter.
    """

    z: Floats
    cautious: Floats
    above: Floats
    below: Floats
    alarms: tuple[SeriesAlarm, ...]


def limits_of(sums: Ints, units: Ints, *, every: float = EVERY) -> Floats:
    """Return h of each of `sums` two-sided CUSUMs that together ring by chance once `every` units.

    Each has an average run length of every × sums, whatever depends on what: the mean number of alarms is a sum. With
    b = h + 1.166 the rate falls as exp(−b / v), v being the long-run variance of z. It is 1 up to a standard error,
    taken to be √(2 / (n + 400)) after n `units`; the mean rate is then exp(−b + b² / (n + 400)), and h is widened so
    that this is the rate intended. 400 and 800 are from simulated years (bench).

    >>> limits_of(np.array([1, 1, 15]), np.array([28, 365, 365])).round(2)
    array([5.65, 5.6 , 8.36])
    """
    distinct_sums, place = np.unique(np.maximum(sums, 1), return_inverse=True)
    plain = np.array([decision_interval(every * float(n), largest=LARGEST_Z) for n in distinct_sums])
    b = plain[place.reshape(np.shape(sums))] + 1.166
    share = 1 / (units + LIMIT_UNITS)
    return np.asarray((1 - np.sqrt(np.maximum(1 - 4 * share * b, 0))) / (2 * share) - 1.166)


def self_starting(
    values: Floats, variances: Floats, *, calendar: Calendar, limits: Floats, baseline: int = BASELINE_DAYS
) -> SelfStarting:
    r"""Return the alarms of series of values of days (or weeks, months), each against the units before it.

    Each row is a series, each column a unit; NaN where there is no value. `variances` are those of sampling: the
    variance of a unit is τ² + its own, up to a factor, and τ² is estimated. `limits` are h (`limits_of`).

    A series begins with its first `baseline` units that have a value; values more than 4 (of 1.4826 × the median
    absolute deviation) from their weekday's median are drawn in. A value is

        y = level + calendar's effects + a + e        aₜ = φ aₜ₋₁ + …, with the share q of the variance σ²

    Level, effects and a are estimated by Kalman filters, one for each φ and q of a grid, σ² by each filter's squared
    innovations. Effects have normal priors (ridge), which are wide for weekdays, holidays and the first and last three
    days of a month. Months of the year have an effect when there are two years of them: the mean over the years of
    their deviation from the year, shrunk by what the years differ. Filters are averaged by how probable the values up
    to two thirds of the history (14 to 60 units ago) make them. The mean m and variance f of the next value include
    what is uncertain of all of these:

        z = Φ⁻¹(F((y − m) / √f)), F being Student's t with as many degrees of freedom as σ² has, cut at ±4

    σ² is never below half of the sampling variance. What rings is a two-sided CUSUM of z with k = .5, where that of the
    most persistent filter rings, too: the next when less persistent ones are probable by .95 together.

    While an alarm rings, what is expected is what was before the estimated start of the change; the sum stays at h at
    most, and the alarm ends when it is back at 0. If that is within 60 units, it was an excursion, which the filters
    have learnt from; else the units of the alarm are left out. A change that rings no alarm becomes part of the level.

    Units: those of the values; z and sums have none. Assumes values that are about normal about their expectation.
    Covariances between effects, and between effects and level, are taken as 0. Fails: no z before the baseline is
    complete, nor on a weekday that had no value before; a yearly season is a change before there are two years.

    Reference: Hawkins and Olwell (1998), chapter 7. Averaged filters: Magill (1965), IEEE Transactions on Automatic
    Control 10, 434-439; West and Harrison (1997), Bayesian Forecasting and Dynamic Models, section 12.2.

    >>> rng = np.random.default_rng(4)
    >>> days = np.where(np.arange(60) < 40, 0.0, 4.0) + rng.standard_normal(60)
    >>> calendar = Calendar.of_days(np.datetime64("2026-01-05"), 60)
    >>> result = self_starting(days[None], np.zeros((1, 60)), calendar=calendar, limits=np.full((1, 60), 5.4))
    >>> [(alarm.day, alarm.since, alarm.direction, alarm.ended) for alarm in result.alarms]
    [(42, 40, 1, None)]
    """
    watch = _Watch(values, variances, calendar, baseline)
    for unit in range(values.shape[1]):
        watch.step(unit, limits[:, unit])
    return SelfStarting(
        z=watch.z[0], cautious=watch.z[1], above=watch.sums[0], below=watch.sums[1], alarms=watch.alarms
    )


def replayed_rate(
    watched: SelfStarting, rows: Ints, limits: Floats, owners: Ints, *, year: int = 365, block: int = 28, seed: int = 0
) -> Floats:
    """Return how often a `year` the series in some rows ring, of units drawn from their own z, by owner (0, 1, …).

    Blocks of units in a row are drawn with replacement, for all series of an owner together: what is left of
    autocorrelation, and what series have in common, stays; alarms that lasted are left out. The more series there are,
    the fewer years are drawn.

    >>> z = np.random.default_rng(1).standard_normal((2, 2000))
    >>> watched = SelfStarting(z=z, cautious=z, above=z, below=z, alarms=())
    >>> limits = limits_of(np.array([2, 2]), np.array([2000, 2000]))
    >>> rate = replayed_rate(watched, np.array([0, 1]), limits, np.array([0, 0]))
    >>> bool(0.2 < rate[0] < 0.7)
    True
    """
    both = np.stack([watched.z, watched.cautious])
    for rang in watched.alarms:
        if rang.ended is None or rang.ended - rang.day > EXCURSION:
            both[:, rang.series, rang.since : rang.ended] = np.nan
    both = both[:, rows]
    count, days = both.shape[1:]
    years = int(np.clip(REPLAYED // max(count, 1), *YEARS))
    known = np.isfinite(both[0])
    first = np.full(int(owners.max(initial=-1)) + 1, days)
    np.minimum.at(first, owners, np.where(known.any(axis=1), known.argmax(axis=1), days))
    last = np.maximum(days - block + 1, first + 1)
    drawn = np.random.default_rng(seed).integers(first, last, size=(years, year // block + 1, first.size))
    sums, total = np.zeros((2, 2, years, count)), np.zeros((years, count))
    for day in range(year):
        place = np.minimum(drawn[:, day // block, owners] + day % block, days - 1)
        value = both[:, np.arange(count), place]
        steps = np.where(np.isfinite(value), np.stack([value, -value]) - REFERENCE_VALUE, 0.0)
        sums = np.minimum(np.maximum(sums + steps, 0.0), limits + 1e-9)
        rings = (sums > limits).all(axis=1).any(axis=0)
        total += rings
        sums = np.where(rings, 0.0, sums)
    return np.bincount(owners, weights=total.mean(axis=0), minlength=first.size).astype(np.float64)


_GRID: Final = np.array([(0.0, 0.0), *((phi, share) for share in SHARES for phi in AUTOCORRELATIONS)])
_PHI, _SHARE = _GRID[:, :1], _GRID[:, 1:]
_WEIGHTS: Final = np.array([*AUTOCORRELATIONS.values()] * len(SHARES)) / sum(AUTOCORRELATIONS.values()) / len(SHARES)
_PRIOR: Final = np.log(np.concatenate([[NOT_CORRELATED], (1 - NOT_CORRELATED) * _WEIGHTS]))[:, None]


def _persistence() -> Ints:
    """Return the filters, first the one that a lasting step moves most, in standard deviations of its errors."""
    phi, share = _GRID.T
    variance = share.copy()
    for _ in range(200):
        variance = phi**2 * variance * (1 - share) / np.maximum(variance + 1 - share, 1e-12) + (1 - phi**2) * share
    gain = variance / (variance + 1 - share)
    return np.argsort(-(1 - phi) / (1 - phi + phi * gain) / np.sqrt(variance + 1 - share))


_ORDER: Final = _persistence()
#: Rows of a table of filters: seven for each of the grid, and four of the series; effects and their variances follow.
_SIZE: Final = len(_GRID)
_LEVEL, _PERSISTENT, _LEVEL_VARIANCE, _COVARIANCE, _PERSISTENT_VARIANCE, _SQUARES, _LOGS = (
    slice(place * _SIZE, (place + 1) * _SIZE) for place in range(7)
)
_FREEDOM, _KNOWN, _EXCESS, _EXCESS_KNOWN = range(7 * _SIZE, 7 * _SIZE + 4)
_EFFECTS: Final = 7 * _SIZE + 4


@dataclass(frozen=True, kw_only=True)
class _Expected:
    """The expected value of a unit, its variance and degrees of freedom; `known` where its weekday had a value."""

    mean: Floats
    variance: Floats
    freedom: Floats
    known: Flags
    #: Mean and variance by one filter, the most persistent of those that are probable.
    cautious: tuple[Floats, Floats]


class _Filters:
    """The filters of all series, a column for each, in standard deviations of a unit of the baseline."""

    def __init__(self, calendar: Calendar, seen: Flags, sampling: Floats, excess: Floats, *, baseline: int) -> None:
        effects = calendar.variances.size
        self._variances = slice(_EFFECTS + effects, _EFFECTS + 2 * effects)
        self.calendar, self._sampling = calendar, sampling
        self.table = np.zeros((_EFFECTS + 2 * effects, sampling.size))
        self.table[_LEVEL_VARIANCE] = FLAT
        self.table[_PERSISTENT_VARIANCE] = _SHARE
        self.table[self._variances] = calendar.variances[:, None]
        self.table[self._variances][: calendar.free][~seen.T] = UNSEEN
        self.table[_EXCESS], self.table[_EXCESS_KNOWN] = excess, baseline

    def relative(self, variances: Floats) -> Floats:
        """Return (τ² + variance) / (τ² + usual variance) of a unit; 1 where neither is known."""
        excess = np.maximum(self.table[_EXCESS] / self.table[_EXCESS_KNOWN], 0.0)
        usual = excess + self._sampling
        return np.where(usual > 0, (excess + variances) / np.where(usual > 0, usual, 1.0), 1.0)

    def log_probable(self) -> Floats:
        """Return the logarithm of how probable the values make each filter, up to a constant."""
        table = self.table
        return np.asarray(_PRIOR - table[_LOGS] / 2 - (table[_KNOWN] + 1) / 2 * np.log(1 + table[_SQUARES]))

    def _moments(self, unit: int, relative: Floats, table: Floats) -> tuple[Floats, Floats, Floats]:
        """Return each filter's mean and its variance in σ², and the part of it that the values so far account for.

        What is uncertain of an effect, P, is due to values but for P² / V, V being its variance before there were any.
        """
        places = self.calendar.places[:, unit]
        effects, level = table[self._variances][places], table[_LEVEL_VARIANCE]
        before = np.maximum(np.maximum(self.calendar.variances[places][:, None], effects), 1e-12)
        mean = table[_LEVEL] + table[_PERSISTENT] + table[_EFFECTS + places].sum(axis=0)
        variance = (1 - _SHARE) * relative + table[_PERSISTENT_VARIANCE] + 2 * table[_COVARIANCE] + level
        variance += effects.sum(axis=0)
        return mean, variance, variance - level**2 / FLAT - (effects**2 / before).sum(axis=0)

    def expect(self, unit: int, relative: Floats, weights: Floats, table: Floats, rows: Any = slice(None)) -> _Expected:
        """Return what is expected of a unit, for the series in some rows, of which `table` has the columns."""
        means, variances, _ = self._moments(unit, relative, table)
        scale = np.maximum((1 + table[_SQUARES]) / (1 + table[_FREEDOM]), LEAST_SHARE * self._sampling[rows])
        variances = np.maximum(variances * scale, 1e-24)
        mean = (weights * means).sum(axis=0)
        variance = (weights * (variances + (means - mean) ** 2)).sum(axis=0)
        known = table[self._variances][self.calendar.places[0, unit]] < UNSEEN
        below = (weights[_ORDER].cumsum(axis=0) < AGREED).sum(axis=0)
        last, columns = _ORDER[np.minimum(below, _SIZE - 1)], np.arange(mean.size)
        return _Expected(
            mean=mean,
            variance=variance,
            freedom=np.maximum(table[_FREEDOM], 3.0),
            known=known,
            cautious=(means[last, columns], variances[last, columns]),
        )

    def learn(
        self,
        unit: int,
        values: Floats,
        variances: Floats,
        relative: Floats,
        *,
        weights: Floats,
        expected: _Expected,
        there: Flags,
        late: Flags,
    ) -> None:
        """Let the values that are there join, cut about what was expected; `late` ones are after the baseline."""
        table, joins = self.table, there.astype(np.float64)
        reach = np.where(expected.known, LARGEST_Z * np.sqrt(expected.variance), np.inf)
        away = np.clip(values - expected.mean, -reach, reach)
        means, variance, accounted = self._moments(unit, relative, table)
        residual = away + expected.mean - means
        table[_SQUARES] += joins * residual**2 / variance
        table[_LOGS] += joins * np.log(variance)
        table[_FREEDOM] += joins * (weights * accounted / variance).sum(axis=0)
        table[_KNOWN] += joins
        of_level = table[_LEVEL_VARIANCE] + table[_COVARIANCE]
        of_persistent = table[_PERSISTENT_VARIANCE] + table[_COVARIANCE]
        gain = joins / variance
        table[_LEVEL] += gain * of_level * residual
        table[_PERSISTENT] += gain * of_persistent * residual
        table[_LEVEL_VARIANCE] -= gain * of_level**2
        table[_COVARIANCE] -= gain * of_level * of_persistent
        table[_PERSISTENT_VARIANCE] -= gain * of_persistent**2
        averaged = (weights * variance).sum(axis=0)
        for place in self.calendar.places[:, unit]:
            uncertain = table[self._variances.start + place].copy()
            table[_EFFECTS + place] += joins * uncertain / averaged * away
            table[self._variances.start + place] -= joins * uncertain**2 / averaged
        counting = there & late & expected.known
        table[_EXCESS] += np.where(counting, away**2 * relative / averaged - variances, 0.0)
        table[_EXCESS_KNOWN] += counting

    def put(self, table: Floats, effects: Ints, rows: Ints, means: Floats, variance: Floats) -> None:
        """Put effects and their variances into a table, for the series in some rows."""
        table[np.ix_(_EFFECTS + effects, rows)] = means
        table[np.ix_(self._variances.start + effects, rows)] = variance

    @staticmethod
    def pass_unit(table: Floats) -> None:
        """Let a unit pass: what persists fades."""
        table[_PERSISTENT] *= _PHI
        table[_COVARIANCE] *= _PHI
        table[_PERSISTENT_VARIANCE] = _PHI**2 * table[_PERSISTENT_VARIANCE] + (1 - _PHI**2) * _SHARE


class _Watch:
    """All series, unit by unit."""

    def __init__(self, values: Floats, variances: Floats, calendar: Calendar, baseline: int) -> None:
        rows, units = values.shape
        self._baseline = baseline
        self.there = np.isfinite(values)
        enough = self.there.sum(axis=1) >= baseline
        places = np.argsort(~self.there, axis=1, kind="stable")[:, :baseline]
        self.start = np.where(enough, places[:, -1] + 1, units + 1) if units >= baseline else np.full(rows, units + 1)
        self.there &= enough[:, None]
        y = np.where(enough[:, None], np.take_along_axis(values, places, 1), 0.0)
        sampled = np.where(enough[:, None], np.take_along_axis(variances, places, 1), 0.0)
        weekdays = calendar.places[0][places]
        of_weekday = weekdays[:, :, None] == np.arange(calendar.free)
        freedom = np.maximum(places.shape[1] - of_weekday.any(axis=1).sum(axis=1), 1)
        y = _clipped_values(y, weekdays, of_weekday, cut=LARGEST_Z * np.sqrt(places.shape[1] / freedom))
        counts = of_weekday.sum(axis=1)
        means = (y[:, :, None] * of_weekday).sum(axis=1) / np.maximum(counts, 1)
        means = np.where(counts > 0, means, y.mean(axis=1, keepdims=True))
        variance = ((y - np.take_along_axis(means, weekdays, 1)) ** 2).sum(axis=1) / freedom
        sampling = sampled.mean(axis=1)
        scale = np.sqrt(np.maximum(variance, LEAST_SHARE * sampling))
        self.scale = np.where(scale > 0, scale, 1.0)
        self.offset = means[:, calendar.places[0]]
        self.values = (np.where(self.there, values, 0.0) - self.offset) / self.scale[:, None]
        drawn_in = (y - np.take_along_axis(means, weekdays, 1)) / self.scale[:, None]
        np.put_along_axis(self.values, places, drawn_in, 1)
        self.variances = np.nan_to_num(variances) / self.scale[:, None] ** 2
        self.filters = _Filters(
            calendar,
            counts > 0,
            sampling / self.scale**2,
            (variance - sampling) * places.shape[1] / self.scale**2,
            baseline=places.shape[1],
        )
        self.z = np.full((2, rows, units), np.nan)
        self.sums = np.zeros((2, rows, units))
        self._sum = np.zeros((2, 2, rows))  # by all filters and by the most persistent one; above and below
        self._since = np.tile(self.start, (2, 1))
        self._kept = [self.filters.table.copy() for _ in (0, 1)]
        self._probable = np.zeros((LAG[1] + 1, _SIZE, rows))
        self._weights = np.zeros((_SIZE, rows))
        self._months: list[Floats] = []  # the sums of a month's values minus the other effects, and their numbers
        self._ringing = np.zeros(rows, dtype=np.int64)  # the place in _rang, from 1
        self._rang: list[SeriesAlarm] = []

    @property
    def alarms(self) -> tuple[SeriesAlarm, ...]:
        """Return the alarms in the order in which they rang."""
        return tuple(self._rang)

    def step(self, unit: int, limit: Floats) -> None:
        """Take in one unit of all series."""
        there = self.there[:, unit]
        quiet = self._ringing == 0
        self._weigh(unit, quiet)
        self._season(unit, there)
        values, variances = self.values[:, unit], self.variances[:, unit]
        relative = self.filters.relative(variances)
        expected = self.filters.expect(unit, relative, self._weights, self.filters.table)
        mean, variance, freedom = expected.mean.copy(), expected.variance.copy(), expected.freedom.copy()
        ringing = np.flatnonzero(~quiet)
        for side in (0, 1):
            rows = np.array([row for row in ringing if self._side(row) == side], dtype=np.int64)
            if rows.size:
                before = self.filters.expect(
                    unit, relative[rows], self._weights[:, rows], self._kept[side][:, rows], rows
                )
                mean[rows], variance[rows], freedom[rows] = before.mean, before.variance, before.freedom
        watched = there & (self.start <= unit) & expected.known
        means, scales = np.stack([mean, expected.cautious[0]]), np.sqrt(np.stack([variance, expected.cautious[1]]))
        t = np.where(watched, values - means, 0.0) / scales
        z = np.clip(_normal(t, freedom), -LARGEST_Z, LARGEST_Z)
        self.z[:, watched, unit] = z[:, watched]
        before_step = self._sum
        stepped = np.maximum(0.0, before_step + np.stack([z, -z], axis=1) - REFERENCE_VALUE)
        self._sum = np.where(watched, stepped, before_step)
        above = watched & (self._sum > limit).all(axis=0)
        for row in np.flatnonzero(above.any(axis=0) & quiet):
            side = int(np.argmax(np.where(above[:, row], self._sum[0, :, row], -1.0)))
            sign = (1, -1)[side]
            needed = [
                _student(limit[row] - before + REFERENCE_VALUE, freedom[row]) for before in before_step[:, side, row]
            ]
            bound = sign * float(np.max(sign * means[:, row] + np.array(needed) * scales[:, row]))
            offset, unit_scale = float(self.offset[row, unit]), float(self.scale[row])
            self._ring(int(row), unit, side, offset + float(mean[row]) * unit_scale, offset + bound * unit_scale)
        self._sum = np.minimum(self._sum, limit)
        begins = quiet & (before_step[0] == 0) & (self._sum[0] > 0)
        for kept, of_side in zip(self._kept, begins, strict=True):
            kept[:, of_side] = self.filters.table[:, of_side]
        self.filters.learn(
            unit,
            values,
            variances,
            relative,
            weights=self._weights,
            expected=expected,
            there=there,
            late=self.start <= unit,
        )
        self.filters.pass_unit(self.filters.table)
        self._keep(unit, there)
        self._end(unit, watched)
        self.sums[:, :, unit] = self._sum[0]

    def _weigh(self, unit: int, quiet: Flags) -> None:
        """Average the filters as was probable some units ago; those of what rings as when it began to."""
        self._probable[unit % self._probable.shape[0]] = self.filters.log_probable()
        lag = np.clip((unit - self.start + self._baseline) // 3, *LAG)
        back = np.clip(unit - lag, np.minimum(self.start, unit), unit)
        known = np.take_along_axis(self._probable, (back % self._probable.shape[0])[None, None, :], axis=0)[0]
        weights = np.exp(known - known.max(axis=0))
        np.copyto(self._weights, weights / weights.sum(axis=0), where=quiet)

    def _season(self, unit: int, there: Flags) -> None:
        """Add a value to its month; when a month begins, estimate the effects of months from all years before it.

        With away the means of months minus those of their years (of 12 months, counted back from now), season is their
        mean over the years and noise its variance, from how years differ; what months differ beyond noise is the
        variance of their effects. Each effect is shrunk by its share.
        """
        places = self.filters.calendar.places[:, unit]
        if places[-1] not in MONTHS:
            return
        if unit == 0 or places[-1] != self.filters.calendar.places[-1, unit - 1]:
            for years in range(SEASONS, len(self._months) // 12 + 1):
                sums, counts = np.stack(self._months[-12 * years :], axis=1).reshape(2, years, 12, there.size)
                known = np.flatnonzero((counts >= IN_A_MONTH).all(axis=(0, 1)))
                away = sums[..., known] / counts[..., known]
                away -= away.mean(axis=1, keepdims=True)
                season = away.mean(axis=0)
                noise = ((away - season) ** 2).sum(axis=(0, 1)) / (11 * (years - 1) * years)
                spread = np.maximum((season**2).sum(axis=0) / 11 - noise, 0.0)
                share = spread / np.maximum(spread + noise, 1e-12)
                months = MONTHS.start + (places[-1] - MONTHS.start + np.arange(12)) % 12
                for table in (self.filters.table, *self._kept):
                    self.filters.put(table, months, known, share * season, share * noise)
            self._months.append(np.zeros((2, there.size)))
        effects = self.filters.table[_EFFECTS + places[:-1]].sum(axis=0)
        self._months[-1] += np.where(there, np.stack([self.values[:, unit] - effects, np.ones(there.size)]), 0.0)

    def _side(self, row: np.signedinteger[Any]) -> int:
        return int(self._rang[self._ringing[row] - 1].direction < 0)

    def _ring(self, row: int, unit: int, side: int, expected: float, limit: float) -> None:
        self._rang.append(
            SeriesAlarm(
                series=row,
                day=unit,
                since=int(self._since[side, row]),
                ended=None,
                direction=(1, -1)[side],
                expected=expected,
                limit=limit,
            )
        )
        self._ringing[row] = len(self._rang)

    def _keep(self, unit: int, there: Flags) -> None:
        """Let the filters of what may have begun to change fade, and note where nothing has."""
        for kept in self._kept:
            self.filters.pass_unit(kept)
        self._since[there & (self._ringing == 0) & (self._sum[0] == 0)] = unit + 1

    def _end(self, unit: int, watched: Flags) -> None:
        """End what rings and is back at 0."""
        for row in np.flatnonzero((self._ringing > 0) & watched):
            rang = self._rang[self._ringing[row] - 1]
            side = self._side(row)
            if self._sum[0, side, row] == 0:
                self._rang[self._ringing[row] - 1] = SeriesAlarm(**{**vars(rang), "ended": unit})
                if unit - rang.day > EXCURSION:
                    self.filters.table[:, row] = self._kept[side][:, row]
                self._ringing[row] = 0
                self._sum[:, :, row] = 0
                self._since[:, row] = unit + 1
                for kept in self._kept:
                    kept[:, row] = self.filters.table[:, row]


def _clipped_values(y: Floats, weekdays: Ints, of_weekday: Flags, *, cut: Floats) -> Floats:
    """Return values at most `cut` robust standard deviations from their weekday's median."""
    medians = np.zeros((y.shape[0], of_weekday.shape[2]))
    for weekday in range(of_weekday.shape[2]):
        on_weekday = of_weekday[:, :, weekday]
        ordered = np.sort(np.where(on_weekday, y, np.inf), axis=1)
        count = np.maximum(on_weekday.sum(axis=1), 1)
        middle = np.stack([(count - 1) // 2, count // 2], axis=1)
        medians[:, weekday] = np.nan_to_num(np.take_along_axis(ordered, middle, 1), posinf=0.0).mean(axis=1)
    away = y - np.take_along_axis(medians, weekdays, 1)
    reach = (cut * MAD * np.median(np.abs(away), axis=1))[:, None]
    return np.where(reach > 0, y - away + np.clip(away, -reach, reach), y)


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
