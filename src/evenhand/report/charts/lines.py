"""Numbers along another number or in time, one line per series, named where it ends or in a legend."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from evenhand.report.charts.axes import Frame, MarkedLine, Note, framed
from evenhand.report.charts.marks import legend, path, point, series_class
from evenhand.report.charts.scales import Axis, finite, padded
from evenhand.report.charts.svg import NARROW, Chart, element, group, line
from evenhand.report.words.numbers import counted

__all__ = ["LinePoint", "line_chart"]

#: More lines than this have a legend.
_MOST_NAMED = 6
#: Marks nearer to each other than this would hide the line; of them every second or so is drawn.
_NEAREST = 11
#: Series with intervals stand this many pixels apart.
_DODGE = 3


@dataclass(frozen=True, kw_only=True)
class LinePoint:
    """One place of one series, in printed units; in time, `at` is in seconds since 1970 (UTC).

    A line has a gap where the value is unknown. `mark` says whether a point is drawn,
    `joined` whether the line goes through it, `hollow` that it rests on little.
    """

    at: float
    value: float | None
    series: str = ""
    text: str = ""
    low: float | None = None
    high: float | None = None
    mark: bool = True
    joined: bool = True
    hollow: bool = False


def line_chart(
    points: Sequence[LinePoint],
    *,
    title: str,
    along: str,
    width: int,
    lines: Sequence[MarkedLine] = (),
    axis: Axis = "linear",
    zero: bool = False,
) -> Chart:
    """Return the chart; marked lines are always in view. With `zero` the axis begins there."""
    series = list(dict.fromkeys(each.series for each in points))
    named = width > NARROW and 1 < len(series) <= _MOST_NAMED
    top = legend([] if named else series, width=width, sign="both")
    values = [end for each in points for end in (each.value, each.low, each.high)]
    low, high = padded([*values, *(each.value for each in lines), *([0.0] if zero else [])], share=0.06)
    if zero and min(finite(values), default=0.0) >= 0:
        low = 0.0
    frame = framed(
        width=width,
        plot=260 if width > NARROW else 210,
        top=top.height,
        x=(axis, *padded([each.at for each in points], share=0.02, axis=axis)),
        y=(low, high),
        titles=(title, along),
        lines=lines,
        notes=list(_names(points, series)) if named else [],
    )
    own = {name: [each for each in points if each.series == name] for name in series}
    # Intervals at one place would cover each other.
    step = _DODGE if any(each.low is not None for each in points) else 0
    drawn = "".join(
        _series(places, place, frame, aside=step * (place - (len(series) - 1) / 2))
        for place, places in enumerate(own.values())
    )
    return Chart(
        width=width,
        height=frame.height,
        body=top.body + frame.behind + drawn,
        summary=f"{counted(len(series), 'line')} of {counted(len(points), 'point')} along {along}.",
    )


def _names(points: Sequence[LinePoint], series: Sequence[str]) -> Iterator[Note]:
    """Yield each series' name at the height where its line ends."""
    end = max(each.at for each in points)
    for place, name in enumerate(series):
        own = [each for each in points if each.series == name and each.value is not None]
        last = max((each for each in own if each.joined), key=lambda each: each.at, default=own[-1] if own else None)
        if last is not None and last.value is not None:
            yield Note(value=last.value, text=name, place=place, joined=last.at == end)


def _series(points: Sequence[LinePoint], place: int, frame: Frame, *, aside: float) -> str:
    runs: list[list[tuple[float, float]]] = [[]]
    spans, marks = "", ""
    last = -inf
    for each in sorted(points, key=lambda each: each.at):
        if each.value is None:
            runs.append([])
            continue
        x, y = frame.x.at(each.at) + aside, frame.y.at(each.value)
        if each.joined:
            runs[-1].append((x, y))
        if not each.mark:
            continue
        if each.low is not None and each.high is not None:
            spans += line(x, frame.y.at(each.low), x, frame.y.at(each.high), kind="thin")
        if x - last >= _NEAREST or each.hollow or not each.joined:
            marks += group(point(x, y, place=place, hollow=each.hollow), title=each.text)
            last = x
        else:
            marks += group(element("circle", kind="hover", cx=x, cy=y, r=4), title=each.text)
    drawn = "".join(path(run, kind="line") for run in runs if len(run) > 1)
    return group(drawn + spans + marks, kind=series_class(place))
