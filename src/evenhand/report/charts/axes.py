"""Axes below and beside a chart, their ticks and titles, and lines at values that matter."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.report.charts.labels import LINE, SMALL, clamped, levels, longest_line, spread, text_width, wrapped
from evenhand.report.charts.marks import KEY, key, path
from evenhand.report.charts.scales import Axis, Scale, Tick, scale_for, ticks_for
from evenhand.report.charts.svg import Piece, line, text, texts

__all__ = ["Frame", "MarkedLine", "Note", "axis_below", "fitting", "framed", "names_above"]

#: Pixels between ticks, along and upwards.
_ALONG, _UPWARDS = 38, 36
#: Most of a chart's width for the names beside its lines.
_NOTE_SHARE = 0.3
#: Most of a chart's width for one name above it.
_NAME_SHARE = 0.6
_LEADER = 14


@dataclass(frozen=True, kw_only=True)
class MarkedLine:
    """A line across the chart at a value that matters, with its name (or none)."""

    value: float
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Note:
    """A name on the right of a chart, at the height of a value: of a series by its number, or of a marked line."""

    value: float
    text: str
    place: int | None = None
    joined: bool = True


@dataclass(frozen=True, kw_only=True)
class Frame:
    """Two axes: where values lie between them, what is drawn behind, and how high all of it is."""

    x: Scale
    y: Scale
    behind: str
    height: float


def fitting(ticks: Sequence[Tick], scale: Scale, *, width: float) -> list[Tick]:
    """Return the ticks whose texts do not touch those before them in the sequence."""
    kept: list[tuple[Tick, float, float]] = []
    for tick in ticks:
        half = text_width(tick.text, SMALL) / 2
        centre = clamped(scale.at(tick.value), 2 * half, low=0, high=width)
        if all(abs(centre - other) >= half + other_half + 8 for _, other, other_half in kept):
            kept.append((tick, centre, half))
    return [tick for tick, _, _ in kept]


def axis_below(
    scale: Scale,
    ticks: Axis | Sequence[Tick],
    *,
    y: float,
    width: float,
    title: str,
    ends: tuple[str, str] = ("", ""),
    grid_from: float | None = None,
) -> Piece:
    """Return the axis below a chart at height `y`; `ends` say what lies that way. Of given ticks the first fit best."""
    drawn = _chosen(scale, ticks, width=width) if isinstance(ticks, str) else fitting(ticks, scale, width=width)
    body = ""
    if grid_from is not None:
        body += "".join(line(at, grid_from, at, y, kind="grid") for at in (scale.at(tick.value) for tick in drawn))
    body += line(scale.start, y, scale.end, y, kind="axis")
    for tick in drawn:
        at = scale.at(tick.value)
        centre = clamped(at, text_width(tick.text, SMALL), low=0, high=width)
        body += line(at, y, at, y + 5, kind="axis")
        body += text(centre, y + 18, tick.text, kind="small", anchor="middle")
    named = _title(title, ends, scale, y=y + 38, width=width)
    return Piece(body=body + named.body, height=24 + named.height)


def _chosen(scale: Scale, axis: Axis, *, width: float) -> list[Tick]:
    """Return as many ticks as have room for their texts."""
    most = max(2, min(10, int((scale.end - scale.start) / _ALONG)))
    for count in range(most, 0, -1):
        ticks = ticks_for(axis, scale.low, scale.high, most=count)
        if ticks and len(fitting(ticks, scale, width=width)) == len(ticks):
            return ticks
    return fitting(ticks_for(axis, scale.low, scale.high, most=1), scale, width=width)


def _title(title: str, ends: tuple[str, str], scale: Scale, *, y: float, width: float) -> Piece:
    low, high = ends
    middle = (scale.start + scale.end) / 2
    room = 2 * min(middle - text_width(low), width - text_width(high) - middle) - 32
    if not (low or high) or text_width(title) <= room:
        lines = wrapped(title, width)
        centre = clamped(middle, longest_line([lines]), low=0, high=width)
        body = texts(centre, y, lines, kind="soft", anchor="middle", whole=title)
        body += text(0, y, low, kind="soft") + text(width, y, high, kind="soft", anchor="end")
        return Piece(body=body, height=LINE * len(lines) + 4 if title or low or high else 0)
    beside = text_width(low) + text_width(high) + 16 <= width
    left, right, below = (wrapped(each, width) for each in (low, high, title))
    body = texts(0, y, left, kind="soft", whole=low)
    under = y + LINE * (0 if beside else len(left))
    body += texts(width, under, right, kind="soft", anchor="end", whole=high)
    under += LINE * len(right)
    centre = clamped(middle, longest_line([below]), low=0, high=width)
    body += texts(centre, under, below, kind="soft", anchor="middle", whole=title)
    return Piece(body=body, height=under + LINE * len(below) - y + 4)


def names_above(lines: Sequence[MarkedLine], scale: Scale, *, width: float, y: float, kind: str = "leader") -> Piece:
    """Return the names of upright lines, `y` at their top, in as many rows as they need; `kind` is of their leaders."""
    named = sorted((each for each in lines if each.text and scale.holds(each.value)), key=lambda each: each.value)
    if not named:
        return Piece()
    fitted = [wrapped(each.text, width * _NAME_SHARE, SMALL) for each in named]
    widths = [longest_line([own], SMALL) for own in fitted]
    centres = [clamped(scale.at(each.value), wide, low=0, high=width) for each, wide in zip(named, widths, strict=True)]
    found = levels([(at - wide / 2, at + wide / 2) for at, wide in zip(centres, widths, strict=True)])
    row, rows = LINE * max(len(own) for own in fitted), max(found) + 1
    leaders, body = "", ""
    for each, at, own, level in zip(named, centres, fitted, found, strict=True):
        foot, place = y + (rows - level) * row - 5, scale.at(each.value)
        leaders += line(place, foot + 4, place, y + rows * row + 2, kind=kind) if level else ""
        body += texts(at, foot - LINE * (len(own) - 1), own, kind="name", anchor="middle", whole=each.text)
    return Piece(body=leaders + body, height=rows * row + 2)


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
    above = wrapped(titles[0], width)
    top += LINE * len(above) + 8 if titles[0] else 6
    notes = [*notes, *(Note(value=each.value, text=each.text) for each in lines if each.text)]
    fitted = [wrapped(note.text, width * _NOTE_SHARE, SMALL) for note in notes]
    heights = [SMALL + 3 + LINE * (len(own) - 1) for own in fitted]
    plot = max(plot, sum(heights))
    keys = KEY if any(note.place is not None for note in notes) else 0
    column = longest_line(fitted, SMALL) + keys + _LEADER + 2 if notes else 6
    up = scale_for("linear", *y, start=top + plot, end=top)
    ticks = ticks_for("linear", *y, most=max(2, int(plot / _UPWARDS)))
    left = max((text_width(tick.text, SMALL) for tick in ticks), default=0) + 8
    right = width - column
    along = scale_for(x[0], x[1], x[2], start=left + 6, end=right)
    body = texts(0, top - LINE * len(above) + 4, above, kind="soft", whole=titles[0])
    for tick in ticks:
        at = up.at(tick.value)
        body += line(left, at, right, at, kind="grid")
        body += text(left - 6, at + 4, tick.text, kind="small", anchor="end")
    for each in lines:
        body += line(left, up.at(each.value), right, up.at(each.value), kind="marked")
    body += _notes(notes, fitted, heights, up, right=right)
    below = axis_below(along, x[0], y=top + plot, width=width, title=titles[1])
    return Frame(x=along, y=up, behind=body + below.body, height=top + plot + below.height)


def _notes(
    notes: Sequence[Note], fitted: Sequence[tuple[str, ...]], heights: Sequence[float], up: Scale, *, right: float
) -> str:
    wishes = [up.at(note.value) for note in notes]
    centres = spread(wishes, heights, low=up.end - 4, high=up.start + 4)
    body = ""
    for note, own, wish, centre in zip(notes, fitted, wishes, centres, strict=True):
        if note.joined and abs(centre - wish) > 2:
            body += path([(right + 2, wish), (right + _LEADER - 3, centre)], kind="leader")
        x, y = right + _LEADER, centre + 4 - LINE / 2 * (len(own) - 1)
        if note.place is not None:
            body += key(x, centre, note.place, sign="both")
            x += KEY
        body += texts(x, y, own, kind="small", whole=note.text)
    return body
