"""Where a value lies on an axis, and which values have a tick: linear, logarithmic, in time, or stretched."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, copysign, floor, isfinite, log, log1p, log10
from typing import Literal

from evenhand.report.words.numbers import DUST, MINUS

__all__ = ["Axis", "Scale", "Tick", "finite", "padded", "scale_for", "stretched", "ticks_for"]

#: The kinds of axis. In time, values are seconds since 1970 in UTC.
Axis = Literal["linear", "log", "time"]

_STEPS = (1, 2, 5, 10)
#: Ticks of each decade, from few to many.
_DECADES = ((1,), (1, 3), (1, 2, 5), (1, 2, 3, 5), tuple(range(1, 10)))
#: Of many decades every second, third … has a tick.
_STRIDES = (1, 2, 3, 4, 6, 10, 20, 50, 100, 200, 700)
#: A logarithmic axis on which high is less than this times low has the ticks of a linear one.
_FLAT = 3.0
#: Where powers of ten are written instead of noughts.
_LONG, _SHORT = 1e7, 1e-5
_RAISED = str.maketrans("-0123456789", "\u207b⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Floating point keeps 15 digits; a narrower range would have its ends at one place.
_NARROWEST = 1e-9
_HOUR, _DAY = 3600, 86_400
_HOURS, _DAYS, _MONTHS = (1, 3, 6, 12), (1, 2, 7, 14), (1, 3, 6)
_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A value on an axis and the text beside it."""

    value: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Values from `low` to `high` on pixels from `start` to `end`, in proportion to `bent` values."""

    low: float
    high: float
    start: float
    end: float
    bent: Callable[[float], float]

    def at(self, value: float) -> float:
        """Return the pixel of a value; values outside lie at the ends."""
        low, high = self.bent(self.low), self.bent(self.high)
        share = (self.bent(min(max(value, self.low), self.high)) - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def holds(self, value: float) -> bool:
        """Return whether a value lies on the axis."""
        return self.low <= value <= self.high


def scale_for(axis: Axis, low: float, high: float, *, start: float, end: float) -> Scale:
    """Return the scale of an axis.

    >>> scale_for("log", 0.5, 2, start=0, end=100).at(1)
    50.0
    """
    _check(axis, low, high)
    return Scale(low=low, high=high, start=start, end=end, bent=log if axis == "log" else float)


def stretched(low: float, high: float, *, constant: float, start: float, end: float) -> Scale:
    """Return a scale that is linear within `constant` of 0 and logarithmic beyond (symmetric logarithm)."""
    _check("linear", low, high)
    return Scale(low=low, high=high, start=start, end=end, bent=lambda v: copysign(log1p(abs(v) / constant), v))


def _check(axis: Axis, low: float, high: float) -> None:
    if not (isfinite(low) and isfinite(high) and low < high):
        message = f"An axis from {low} to {high}; expected two finite numbers, the lower one first."
        raise ValueError(message)
    if axis == "log" and low <= 0:
        message = f"A logarithmic axis from {low}; expected numbers above 0."
        raise ValueError(message)


def finite(values: Iterable[float | None]) -> list[float]:
    """Return the values that can be drawn.

    >>> finite([1.0, None, float("inf"), float("nan")])
    [1.0]
    """
    return [value for value in values if value is not None and isfinite(value)]


def padded(values: Iterable[float | None], *, share: float, axis: Axis = "linear") -> tuple[float, float]:
    """Return the range of the values with a share of it as room at both ends, never of no width.

    >>> padded([2.0, 2.0], share=0.1)
    (1.8, 2.2)
    """
    known = [value for value in finite(values) if axis != "log" or value > 0]
    low, high = (min(known), max(known)) if known else (1.0, 10.0) if axis == "log" else (0.0, 1.0)
    if axis == "log":
        if high / low < 1 + _NARROWEST:
            return low / 2, high * 2
        room = (high / low) ** share
        return max(low / room, 5e-324), min(high * room, 1e308)
    widest = max(abs(low), abs(high))
    room = (high - low) * share
    if axis == "linear" and high - low <= max(widest * _NARROWEST, DUST):
        room = (widest if widest > DUST else 1.0) * max(share, 0.01)
    elif axis == "time" and high - low < 1:
        room = _DAY / 2
    return max(low - room, -1e308), min(high + room, 1e308)


def ticks_for(axis: Axis, low: float, high: float, *, most: int) -> list[Tick]:
    """Return ticks at round values within a range, at most so many where round values allow it.

    >>> [tick.text for tick in ticks_for("linear", -0.5, 1, most=5)]
    ['−0.5', '0.0', '0.5', '1.0']
    >>> [tick.text for tick in ticks_for("log", 1, 20_000, most=5)]
    ['1', '10', '100', '1,000', '10,000']
    """
    _check(axis, low, high)
    if axis == "time":
        return _time_ticks(low, high, most)
    if axis == "log" and high / low >= _FLAT:
        values = _log_values(low, high, most)
        return [Tick(value=value, text=_power(value) or _plain(value)) for value in values]
    values, step = _linear_values(low, high, most)
    far = max((abs(value) for value in values), default=0.0)
    if far >= _LONG or 0 < far < _SHORT:
        return [Tick(value=value, text=_power(value) or _plain(value)) for value in values]
    places = max(0, -floor(log10(step) + 1e-9))
    if axis == "log":
        return [Tick(value=value, text=_plain(round(value, places))) for value in values]
    return [Tick(value=value, text=_signed(f"{value:,.{places}f}")) for value in values]


def _linear_values(low: float, high: float, most: int) -> tuple[list[float], float]:
    """Return the multiples of 1, 2 or 5 times a power of ten: the finest of at most so many."""
    tenth = floor(log10((high - low) / max(most, 1)))
    for power in (tenth, tenth + 1):
        for factor in _STEPS:
            step = factor * 10.0**power
            first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
            if last - first < most:
                values = [round(number * step, max(0, -power) + 1) for number in range(first, last + 1)]
                return [value + 0.0 for value in dict.fromkeys(values)], step
    return [], 10.0**tenth


def _log_values(low: float, high: float, most: int) -> list[float]:
    """Return values at equal steps of a decade: the most of at most so many."""
    first, last = floor(log10(low)), ceil(log10(high))
    found: list[float] = []
    for digits in _DECADES:
        values = [_decimal(digit, power) for power in range(first, last + 1) for digit in digits]
        inside = [value for value in values if low * (1 - 1e-12) <= value <= high * (1 + 1e-12)]
        if len(inside) > most:
            break
        found = inside
    if found:
        return found
    for stride in _STRIDES:
        values = [_decimal(1, power) for power in range(first, last + 1) if power % stride == 0]
        found = [value for value in values if low <= value <= high]
        if len(found) <= most:
            break
    return found


def _decimal(digit: int, power: int) -> float:
    return float(f"{digit}e{min(max(power, -307), 307)}")


def _plain(value: float) -> str:
    return _signed(f"{value:,.10g}")


def _power(value: float) -> str:
    """Return a very large or small number with a power of ten; nothing of another.

    >>> _power(-2.5e18), _power(1e-9), _power(12.0)
    ('−2.5×10¹⁸', '10⁻⁹', '')
    """
    if value == 0 or _SHORT <= abs(value) < _LONG:
        return ""
    digits, _, power = f"{value:.3e}".partition("e")
    digits = digits.rstrip("0").rstrip(".")
    raised = f"10{str(int(power)).translate(_RAISED)}"
    return _signed(raised if digits == "1" else f"-{raised}" if digits == "-1" else f"{digits}×{raised}")


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def _time_ticks(low: float, high: float, most: int) -> list[Tick]:
    for times, clock in _time_candidates(low, high, most):
        inside = [time for time in times if low <= time.timestamp() <= high]
        if len(inside) <= most:
            return [
                Tick(value=time.timestamp(), text=_date(time, before=inside[place - 1] if place else None, clock=clock))
                for place, time in enumerate(inside)
            ]
    return []


def _time_candidates(low: float, high: float, most: int) -> Iterable[tuple[list[datetime], str]]:
    """Yield times at equal steps, from fine to coarse, with the finest part of a date that they need."""
    start, end = (datetime.fromtimestamp(each, UTC) for each in (low, high))
    day = start.replace(hour=0, minute=0, second=0, microsecond=0)
    for hours in _HOURS:
        if (high - low) / (hours * _HOUR) <= 2 * most:
            yield _stepped(day, end, timedelta(hours=hours)), "hour"
    for days in _DAYS:
        if (high - low) / (days * _DAY) <= 2 * most:
            # Weeks begin on Mondays.
            yield (
                _stepped(day - timedelta(days=day.weekday() if days % 7 == 0 else 0), end, timedelta(days=days)),
                "day",
            )
    months = [
        datetime(year, month, 1, tzinfo=UTC) for year in range(start.year, end.year + 1) for month in range(1, 13)
    ]
    for step in _MONTHS:
        yield [each for each in months if (each.month - 1) % step == 0], "month"
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        yield [each for each in months if each.month == 1 and each.year % step == 0], "year"


def _stepped(start: datetime, end: datetime, step: timedelta) -> list[datetime]:
    return [start + number * step for number in range(int((end - start) / step) + 1)]


def _date(time: datetime, *, before: datetime | None, clock: str) -> str:
    """Return a time as a label: the day or year only where it is another than before."""
    day = f"{time.day} {_NAMES[time.month - 1]}"
    if clock == "hour":
        hour = f"{time.hour:02}:00"
        return f"{day} {hour}" if before is None else day if before.date() != time.date() else hour
    if clock == "day":
        return f"{day} {time.year}" if before is None or before.year != time.year else day
    return str(time.year) if clock == "year" else f"{_NAMES[time.month - 1]} {time.year}"
