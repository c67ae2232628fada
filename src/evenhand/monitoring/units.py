"""The unit in which a series is watched: a day; a week, month or quarter where there are few judgements; or each one.

Shares of so few judgements that even months have too few are watched judgement by judgement.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.monitoring.daily import DailySeries
from evenhand.monitoring.rules import IMPACT
from evenhand.stats.rate_changes import FEWEST_JUDGEMENTS

Days = NDArray[np.datetime64]
Ints = NDArray[np.int64]
#: Days and judgements on them: of a series, or of both groups that it compares.
Sizes = Sequence[tuple[Days, Ints]]
#: The present volume is that of so many days.
LATELY: Final = 91


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A unit of time of about so many days, the fewest of a baseline, and how many with enough judgements choose it."""

    name: str
    days: int
    fewest: int
    choose: int

    def numbers(self, days: Days) -> Ints:
        """Return the number of the unit that each day is in: of days since 1970, weeks from Monday, months, quarters.

        >>> [unit.numbers(np.array(["2026-03-01"], dtype="datetime64[D]")).item() for unit in UNITS]
        [20513, 2930, 674, 224]
        """
        if self.days < MONTH.days:
            return np.asarray((days.astype("datetime64[D]").astype(np.int64) + 3 * (self.days > 1)) // self.days)
        return np.asarray(days.astype("datetime64[M]").astype(np.int64) // (self.days // MONTH.days))

    def begins(self, numbers: Ints) -> Days:
        """Return the first day of each unit.

        >>> [str(unit.begins(np.array([1]))[0]) for unit in UNITS]
        ['1970-01-02', '1970-01-05', '1970-02-01', '1970-04-01']
        """
        if self.days < MONTH.days:
            return np.asarray((numbers * self.days - 3 * (self.days > 1)).astype("datetime64[D]"))
        return np.asarray((numbers * (self.days // MONTH.days)).astype("datetime64[M]").astype("datetime64[D]"))

    def ends(self, numbers: Ints) -> Days:
        """Return the last day of each unit."""
        return np.asarray(self.begins(numbers + 1) - 1)

    def baseline(self, days: int) -> int:
        """Return how many units a baseline of so many days has."""
        return max(self.fewest, -(-days // self.days))


DAY: Final = Unit(name="day", days=1, fewest=1, choose=21)
WEEK: Final = Unit(name="week", days=7, fewest=12, choose=6)
MONTH: Final = Unit(name="month", days=30, fewest=8, choose=3)
QUARTER: Final = Unit(name="quarter", days=90, fewest=4, choose=2)
UNITS: Final = (DAY, WEEK, MONTH, QUARTER)
#: For shares in place of a quarter. It is chosen after so many days, in which three months might have had enough.
JUDGEMENT: Final = Unit(name="judgement", days=1, fewest=FEWEST_JUDGEMENTS, choose=122)


def counting(sizes: Sizes, unit: Unit, *, minimum_n: int, until: date) -> Ints:
    """Return the units, ended by a day, in which each of the sizes sums to enough judgements."""
    enough: Ints | None = None
    for days, n in sizes:
        numbers, sums = unit.numbers(days), n
        if unit.days > 1:
            numbers, places = np.unique(numbers, return_inverse=True)
            sums = np.bincount(places, weights=n, minlength=numbers.size)
        numbers = numbers[(sums >= minimum_n) & (unit.ends(numbers) <= np.datetime64(until, "D"))]
        enough = numbers if enough is None else np.intersect1d(enough, numbers)
    return np.zeros(0, dtype=np.int64) if enough is None else enough


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The unit of a series, and the day on which it was chosen; None as long as too few units have enough."""

    unit: Unit
    day: date | None


def chosen_unit(sizes: Sizes, *, minimum_n: int, until: date, single: bool = False) -> Chosen:
    """Return the unit that was the first of which enough had `minimum_n` judgements: it stays, whatever comes later.

    21 days, 6 weeks, 3 months, 2 quarters: about the smallest unit of which at least half have enough. In place of
    quarters, a series that can be watched by `single` judgement is, after 122 days and 30 judgements.

    >>> days = np.arange("2026-01-01", "2026-07-01", dtype="datetime64[D]")
    >>> for n in (20, 5, 1):
    ...     chosen = chosen_unit([(days, np.full(days.size, n))], minimum_n=20, until=date(2026, 6, 30))
    ...     print(chosen.unit.name, chosen.day)
    day 2026-01-21
    week 2026-02-08
    month 2026-03-31
    """
    best = Chosen(unit=DAY, day=None)
    first = min((days[0] for days, n in sizes if n.any()), default=None)
    for unit in UNITS[: -1 if single else None]:
        if first is None or (
            best.day is not None and np.datetime64(best.day, "D") <= first + unit.days * (unit.choose - 1)
        ):
            break
        numbers = counting(sizes, unit, minimum_n=minimum_n, until=until)
        if numbers.size >= unit.choose:
            day: date = unit.ends(numbers[unit.choose - 1 : unit.choose])[0].astype(object)
            if best.day is None or day < best.day:
                best = Chosen(unit=unit, day=day)
    if single and first is not None:
        last = max(first + JUDGEMENT.choose - 1, *(_reached(days, n, JUDGEMENT.fewest) for days, n in sizes))
        if last <= np.datetime64(best.day or until, "D"):
            best = Chosen(unit=JUDGEMENT, day=last.astype(object))
    return best


def _reached(days: Days, n: Ints, judgements: int) -> np.datetime64:
    """Return the day on which there were so many judgements."""
    total = n.cumsum()
    enough = total.size and total[-1] >= judgements
    return days[np.searchsorted(total, judgements)] if enough else np.datetime64(date.max, "D")


@dataclass(frozen=True, kw_only=True)
class Lack:
    """What a series lacks: `needed` units with `minimum_n` judgements (of each group), of which it has `has`.

    `day` is from when it could be watched at its present volume, `a_month` judgements (of the smaller group); None
    where that is too small.
    """

    unit: Unit
    minimum_n: int
    needed: int
    has: int
    a_month: float
    day: date | None

    @property
    def json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        day = None if self.day is None else self.day.isoformat()
        return asdict(self) | {"unit": self.unit.name, "a_month": round(self.a_month, 1), "day": day}


def lack(
    sizes: Sizes, chosen: Chosen, *, minimum_n: int, until: date, baseline_days: int | None, single: bool = False
) -> Lack:
    """Return what a series lacks that isn't watched yet; a fixed threshold (None) needs one unit."""
    last = np.datetime64(until, "D")
    began = max((days[0] for days, _ in sizes), default=last)
    span = min(int((last - began).astype(np.int64)) + 1, LATELY)
    a_day = min((float(n[days > last - span].sum()) for days, n in sizes), default=0.0) / span
    unit, last_unit = chosen.unit, JUDGEMENT if single else QUARTER
    if chosen.day is None:
        unit = next((unit for unit in UNITS[:-1] if a_day * unit.days >= minimum_n), last_unit)
    needed = 1 if baseline_days is None else unit.baseline(baseline_days)
    day = None
    if unit is JUDGEMENT:
        needed, minimum_n = unit.fewest, 1
        has = min((int(n.sum()) for _, n in sizes), default=0)
        if a_day:
            missing = max(needed - has, 0) / a_day
            day = max(last + ceil(missing), began + JUDGEMENT.choose - 1) + 1
    else:
        has = int(counting(sizes, unit, minimum_n=minimum_n, until=until).size)
        if a_day * unit.days >= minimum_n:
            day = unit.ends(unit.numbers(np.array([last + 1])) + needed - has - 1)[0] + 1
    return Lack(
        unit=unit,
        minimum_n=minimum_n,
        needed=needed,
        has=has,
        a_month=a_day * MONTH.days,
        day=None if day is None else day.astype(object),
    )


def pooled_counts(series: DailySeries, unit: Unit, *, until: date) -> DailySeries:
    """Return a series of rates by unit: counts summed, each unit on its last day; those that have not ended are out."""
    numbers, places = np.unique(unit.numbers(series.days), return_inverse=True)
    # A log impact ratio needs both groups and a selected person of each: on few days, where there is little.
    known = np.isfinite(series.value) | (series.measure == IMPACT)
    n = np.bincount(places, weights=np.where(known, series.n, 0), minlength=numbers.size)
    events = np.bincount(places, weights=np.nan_to_num(series.value) * series.n, minlength=numbers.size)
    ended = unit.ends(numbers) <= np.datetime64(until, "D")
    value = np.divide(events, n, out=np.full(n.size, np.nan), where=n > 0)[ended]
    return replace(
        series,
        days=unit.ends(numbers)[ended],
        value=value,
        standard_error=np.full(value.size, np.nan),
        n=n[ended].astype(np.int64),
    )
