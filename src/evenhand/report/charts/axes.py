"""Axes of charts: scales, ticks, titles, and marked lines with their names.

Axes are linear, logarithmic, in time, or stretched around 0.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, copysign, floor, isfinite, log, log1p, log10
from typing import Literal

from evenhand.report.charts import svg
from evenhand.report.words.numbers import DUST, MINUS

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
    """A value on an axis and its label."""

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
    chosen: list[float] = []
    for digits in _DECADES:
        values = [_decimal(digit, power) for power in range(first, last + 1) for digit in digits]
        inside = [value for value in values if low * (1 - 1e-12) <= value <= high * (1 + 1e-12)]
        if len(inside) > most:
            break
        chosen = inside
    if chosen:
        return chosen
    for stride in _STRIDES:
        values = [_decimal(1, power) for power in range(first, last + 1) if power % stride == 0]
        chosen = [value for value in values if low <= value <= high]
        if len(chosen) <= most:
            break
    return chosen


def _decimal(digit: int, power: int) -> float:
    return float(f"{digit}e{min(max(power, -307), 307)}")


def _plain(value: float) -> str:
    return _signed(f"{value:,.10g}")


def _power(value: float) -> str:
    """Return a very large or small number as a power of ten; '' for another.

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
    start, end = (datetime.fromtimestamp(seconds, UTC) for seconds in (low, high))
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
        yield [month_start for month_start in months if (month_start.month - 1) % step == 0], "month"
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        yield [month_start for month_start in months if month_start.month == 1 and month_start.year % step == 0], "year"


def _stepped(start: datetime, end: datetime, step: timedelta) -> list[datetime]:
    return [start + number * step for number in range(int((end - start) / step) + 1)]


def _date(time: datetime, *, before: datetime | None, clock: str) -> str:
    """Return a time as a label: day or year only where it changes."""
    day = f"{time.day} {_NAMES[time.month - 1]}"
    if clock == "hour":
        hour = f"{time.hour:02}:00"
        return f"{day} {hour}" if before is None else day if before.date() != time.date() else hour
    if clock == "day":
        return f"{day} {time.year}" if before is None or before.year != time.year else day
    return str(time.year) if clock == "year" else f"{_NAMES[time.month - 1]} {time.year}"


#: Pixels between ticks, along and upwards.
_ALONG, _UPWARDS = 38, 36
#: Largest share of a chart's width for the names next to its lines.
_NOTE_SHARE = 0.3
#: Largest share of a chart's width for one name above it.
_NAME_SHARE = 0.6
_LEADER = 14


@dataclass(frozen=True, kw_only=True)
class MarkedLine:
    """A line across the chart at a value of interest, with an optional name."""

    value: float
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Note:
    """A label on the right of a chart at the height of a value: of a series by its number, or of a marked line."""

    value: float
    text: str
    place: int | None = None
    joined: bool = True


@dataclass(frozen=True, kw_only=True)
class Frame:
    """Two axes: their scales, the elements behind the data, and the total height."""

    x: Scale
    y: Scale
    behind: str
    height: float


def fitting(ticks: Sequence[Tick], scale: Scale, *, width: float) -> list[Tick]:
    """Return the ticks whose texts do not touch those before them in the sequence."""
    placed: list[tuple[Tick, float, float]] = []
    for tick in ticks:
        half = svg.text_width(tick.text, svg.SMALL) / 2
        centre = svg.clamped(scale.at(tick.value), 2 * half, low=0, high=width)
        if all(abs(centre - other) >= half + other_half + 8 for _, other, other_half in placed):
            placed.append((tick, centre, half))
    return [tick for tick, _, _ in placed]


def axis_below(
    scale: Scale,
    ticks: Axis | Sequence[Tick],
    *,
    y: float,
    width: float,
    title: str,
    ends: tuple[str, str] = ("", ""),
    grid_from: float | None = None,
) -> svg.Piece:
    """Return the axis below a chart at height `y`; `ends` say what lies that way. Of given ticks the first fit best."""
    drawn = _chosen(scale, ticks, width=width) if isinstance(ticks, str) else fitting(ticks, scale, width=width)
    body = ""
    if grid_from is not None:
        body += "".join(svg.line(at, grid_from, at, y, kind="grid") for at in (scale.at(tick.value) for tick in drawn))
    body += svg.line(scale.start, y, scale.end, y, kind="axis")
    for tick in drawn:
        at = scale.at(tick.value)
        centre = svg.clamped(at, svg.text_width(tick.text, svg.SMALL), low=0, high=width)
        body += svg.line(at, y, at, y + 5, kind="axis")
        body += svg.text(centre, y + 18, tick.text, kind="small", anchor="middle")
    named = _title(title, ends, scale, y=y + 38, width=width)
    return svg.Piece(body=body + named.body, height=24 + named.height)


def _chosen(scale: Scale, axis: Axis, *, width: float) -> list[Tick]:
    """Return as many ticks as their labels have room for."""
    most = max(2, min(10, int((scale.end - scale.start) / _ALONG)))
    for count in range(most, 0, -1):
        ticks = ticks_for(axis, scale.low, scale.high, most=count)
        if ticks and len(fitting(ticks, scale, width=width)) == len(ticks):
            return ticks
    return fitting(ticks_for(axis, scale.low, scale.high, most=1), scale, width=width)


def _title(title: str, ends: tuple[str, str], scale: Scale, *, y: float, width: float) -> svg.Piece:
    low, high = ends
    middle = (scale.start + scale.end) / 2
    room = 2 * min(middle - svg.text_width(low), width - svg.text_width(high) - middle) - 32
    if not (low or high) or svg.text_width(title) <= room:
        lines = svg.wrapped(title, width)
        centre = svg.clamped(middle, svg.longest_line([lines]), low=0, high=width)
        body = svg.texts(centre, y, lines, kind="soft", anchor="middle", whole=title)
        body += svg.text(0, y, low, kind="soft") + svg.text(width, y, high, kind="soft", anchor="end")
        return svg.Piece(body=body, height=svg.LINE * len(lines) + 4 if title or low or high else 0)
    one_row = svg.text_width(low) + svg.text_width(high) + 16 <= width
    left, right, below = (svg.wrapped(label, width) for label in (low, high, title))
    body = svg.texts(0, y, left, kind="soft", whole=low)
    under = y + svg.LINE * (0 if one_row else len(left))
    body += svg.texts(width, under, right, kind="soft", anchor="end", whole=high)
    under += svg.LINE * len(right)
    centre = svg.clamped(middle, svg.longest_line([below]), low=0, high=width)
    body += svg.texts(centre, under, below, kind="soft", anchor="middle", whole=title)
    return svg.Piece(body=body, height=under + svg.LINE * len(below) - y + 4)


def names_above(
    lines: Sequence[MarkedLine], scale: Scale, *, width: float, y: float, kind: str = "leader"
) -> svg.Piece:
    """Return the names of upright lines, `y` at their top, in as many rows as they need; `kind` is of their leaders."""
    named = sorted(
        (marked for marked in lines if marked.text and scale.holds(marked.value)), key=lambda marked: marked.value
    )
    if not named:
        return svg.Piece()
    fitted = [svg.wrapped(marked.text, width * _NAME_SHARE, svg.SMALL) for marked in named]
    widths = [svg.longest_line([name_lines], svg.SMALL) for name_lines in fitted]
    centres = [
        svg.clamped(scale.at(marked.value), wide, low=0, high=width) for marked, wide in zip(named, widths, strict=True)
    ]
    levels = svg.levels([(at - wide / 2, at + wide / 2) for at, wide in zip(centres, widths, strict=True)])
    row, rows = svg.LINE * max(len(name_lines) for name_lines in fitted), max(levels) + 1
    leaders, body = "", ""
    for marked, at, name_lines, level in zip(named, centres, fitted, levels, strict=True):
        foot, place = y + (rows - level) * row - 5, scale.at(marked.value)
        leaders += svg.line(place, foot + 4, place, y + rows * row + 2, kind=kind) if level else ""
        body += svg.texts(
            at, foot - svg.LINE * (len(name_lines) - 1), name_lines, kind="name", anchor="middle", whole=marked.text
        )
    return svg.Piece(body=leaders + body, height=rows * row + 2)


def framed(
    *,
    width: float,
    plot: float,
    top: float,
    x: tuple[Axis, float, float],
    y: tuple[float, float],
    titles: tuple[str, str],
    lines: Sequence[MarkedLine] = (),
    notes: Sequence[Note] = (),
) -> Frame:
    """Return the axes of a chart whose plot is `plot` high and begins below `top`; `titles` are of y and x.

    Marked lines are level, and their names stand on the right, with the notes.
    """
    above = svg.wrapped(titles[0], width)
    top += svg.LINE * len(above) + 8 if titles[0] else 6
    notes = [*notes, *(Note(value=marked.value, text=marked.text) for marked in lines if marked.text)]
    fitted = [svg.wrapped(note.text, width * _NOTE_SHARE, svg.SMALL) for note in notes]
    heights = [svg.SMALL + 3 + svg.LINE * (len(name_lines) - 1) for name_lines in fitted]
    plot = max(plot, sum(heights))
    keys = svg.KEY if any(note.place is not None for note in notes) else 0
    column = svg.longest_line(fitted, svg.SMALL) + keys + _LEADER + 2 if notes else 6
    up = scale_for("linear", *y, start=top + plot, end=top)
    ticks = ticks_for("linear", *y, most=max(2, int(plot / _UPWARDS)))
    left = max((svg.text_width(tick.text, svg.SMALL) for tick in ticks), default=0) + 8
    right = width - column
    along = scale_for(x[0], x[1], x[2], start=left + 6, end=right)
    body = svg.texts(0, top - svg.LINE * len(above) + 4, above, kind="soft", whole=titles[0])
    for tick in ticks:
        at = up.at(tick.value)
        body += svg.line(left, at, right, at, kind="grid")
        body += svg.text(left - 6, at + 4, tick.text, kind="small", anchor="end")
    for marked in lines:
        body += svg.line(left, up.at(marked.value), right, up.at(marked.value), kind="marked")
    body += _notes(notes, fitted, heights, up, right=right)
    below = axis_below(along, x[0], y=top + plot, width=width, title=titles[1])
    return Frame(x=along, y=up, behind=body + below.body, height=top + plot + below.height)


def _notes(
    notes: Sequence[Note], fitted: Sequence[tuple[str, ...]], heights: Sequence[float], up: Scale, *, right: float
) -> str:
    wishes = [up.at(note.value) for note in notes]
    centres = svg.spread(wishes, heights, low=up.end - 4, high=up.start + 4)
    body = ""
    for note, note_lines, wish, centre in zip(notes, fitted, wishes, centres, strict=True):
        if note.joined and abs(centre - wish) > 2:
            body += svg.path([(right + 2, wish), (right + _LEADER - 3, centre)], kind="leader")
        x, y = right + _LEADER, centre + 4 - svg.LINE / 2 * (len(note_lines) - 1)
        if note.place is not None:
            body += svg.key(x, centre, note.place, sign="both")
            x += svg.KEY
        body += svg.texts(x, y, note_lines, kind="small", whole=note.text)
    return body
