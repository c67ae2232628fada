"""Charts with two numeric axes: lines along a number or time, scattered points with fits, and distributions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from evenhand.report.charts.axes import Axis, Frame, MarkedLine, Note, finite, framed, padded
from evenhand.report.charts.svg import (
    NARROW,
    SMALL,
    Chart,
    clamped,
    element,
    group,
    legend,
    line,
    path,
    point,
    series_class,
    text,
    text_width,
)
from evenhand.report.words.numbers import counted

#: More lines than this have a legend.
_MOST_NAMED = 6
#: Marks nearer to each other than this would hide the line; of them every second or so is drawn.
_NEAREST = 11
#: Series with intervals stand this many pixels apart.
_DODGE = 3
#: How far bands may reach beyond the lines, as a share of the range of these.
_BAND = 0.6


@dataclass(frozen=True, kw_only=True)
class LinePoint:
    """One place of one series, in printed units; in time, `at` is in seconds since 1970 (UTC).

    A line has a gap where the value is unknown. `mark` says whether a point is drawn,
    `joined` whether the line goes through it, `hollow` that it rests on little. A click follows the `link`.
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
    link: str = ""


@dataclass(frozen=True, kw_only=True)
class MarkedSpan:
    """A part of the axis along that is of interest, with its name."""

    low: float
    high: float
    text: str


def line_chart(
    points: Sequence[LinePoint],
    *,
    title: str,
    along: str,
    width: int,
    lines: Sequence[MarkedLine] = (),
    axis: Axis = "linear",
    zero: bool = False,
    band: bool = False,
    spans: Sequence[MarkedSpan] = (),
) -> Chart:
    """Return the chart; marked lines and spans are always in view. With `zero` the axis begins there.

    Intervals are upright lines, or with `band` areas around the lines, cut where they would hide these.
    """
    series = list(dict.fromkeys(datum.series for datum in points))
    named = width > NARROW and 1 < len(series) <= _MOST_NAMED
    top = legend([] if named else series, width=width, sign="both")
    ends = [marked.value for marked in lines] + ([0.0] if zero else [])
    near = padded([*(datum.value for datum in points), *ends], share=_BAND)
    limits = [end for datum in points for end in (datum.low, datum.high)]
    limits = [min(max(end, near[0]), near[1]) for end in finite(limits)] if band else limits
    values = [*(datum.value for datum in points), *limits]
    low, high = padded([*values, *ends], share=0.06)
    if zero and min(finite(values), default=0.0) >= 0:
        low = 0.0
    along_ends = [*(datum.at for datum in points), *(end for span in spans for end in (span.low, span.high))]
    frame = framed(
        width=width,
        plot=260 if width > NARROW else 210,
        top=top.height,
        x=(axis, *padded(along_ends, share=0.02, axis=axis)),
        y=(low, high),
        titles=(title, along),
        lines=lines,
        notes=list(_names(points, series)) if named else [],
    )
    by_series = {name: [datum for datum in points if datum.series == name] for name in series}
    # Intervals at one place would cover each other.
    step = _DODGE if not band and any(datum.low is not None for datum in points) else 0
    areas = "".join(_areas(places, place, frame) for place, places in enumerate(by_series.values())) if band else ""
    drawn = areas + "".join(
        _series(places, place, frame, aside=step * (place - (len(series) - 1) / 2), spans=not band)
        for place, places in enumerate(by_series.values())
    )
    return Chart(
        width=width,
        height=frame.height,
        body=top.body + frame.behind + "".join(_span(span, frame, width=width) for span in spans) + drawn,
        summary=f"{counted(len(series), 'line')} of {counted(len(points), 'point')} along {along}.",
    )


def _span(span: MarkedSpan, frame: Frame, *, width: float) -> str:
    left, right, top = frame.x.at(span.low), frame.x.at(span.high), frame.y.end
    wide, high = max(right - left, 2), frame.y.start - top
    area = element("rect", kind="since", x=left, y=top, width=wide, height=high)
    centre = clamped(left + wide / 2, text_width(span.text, SMALL), low=0, high=width)
    return area + text(centre, top - 3, span.text, kind="name", anchor="middle")


def _names(points: Sequence[LinePoint], series: Sequence[str]) -> Iterator[Note]:
    """Yield each series' name at the height where its line ends."""
    end = max(datum.at for datum in points)
    for place, name in enumerate(series):
        of_series = [datum for datum in points if datum.series == name and datum.value is not None]
        last = max(
            (datum for datum in of_series if datum.joined),
            key=lambda datum: datum.at,
            default=of_series[-1] if of_series else None,
        )
        if last is not None and last.value is not None:
            yield Note(value=last.value, text=name, place=place, joined=last.at == end)


def _areas(points: Sequence[LinePoint], place: int, frame: Frame) -> str:
    """Return the bands of a series, one for each run of known intervals."""
    runs: list[list[BandPlace]] = [[]]
    for datum in sorted(points, key=lambda datum: datum.at):
        if datum.value is None or datum.low is None:
            runs.append([])
        else:
            high = frame.y.high if datum.high is None else datum.high
            runs[-1].append(BandPlace(at=datum.at, low=datum.low, high=high))
    return "".join(_area(run, place, frame) for run in runs if len(run) > 1)


def _series(points: Sequence[LinePoint], place: int, frame: Frame, *, aside: float, spans: bool) -> str:
    runs: list[list[tuple[float, float]]] = [[]]
    drawn, marks = "", ""
    last = -inf
    for datum in sorted(points, key=lambda datum: datum.at):
        if datum.value is None:
            runs.append([])
            continue
        x, y = frame.x.at(datum.at) + aside, frame.y.at(datum.value)
        if datum.joined:
            runs[-1].append((x, y))
        if not datum.mark:
            continue
        if spans and datum.low is not None and datum.high is not None:
            drawn += line(x, frame.y.at(datum.low), x, frame.y.at(datum.high), kind="thin")
        if x - last >= _NEAREST or datum.hollow or not datum.joined:
            marks += group(point(x, y, place=place, hollow=datum.hollow), title=datum.text, link=datum.link)
            last = x
        else:
            marks += group(element("circle", kind="hover", cx=x, cy=y, r=4), title=datum.text, link=datum.link)
    through = "".join(path(run, kind="line") for run in runs if len(run) > 1)
    return group(through + drawn + marks, kind=series_class(place))


#: Series at one place stand this many pixels apart.
_SCATTER_DODGE = 5
#: More points than this are drawn small.
_MANY = 60
#: Points this near along the axis stand at one place.
_NEAR = 4


@dataclass(frozen=True, kw_only=True)
class ScatterPoint:
    """One point in printed units, with the interval of its height."""

    at: float
    estimate: float
    text: str
    low: float | None = None
    high: float | None = None
    series: str = ""


@dataclass(frozen=True, kw_only=True)
class BandPlace:
    """How far a band reaches at one place."""

    at: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class FittedLine:
    """The fitted line of one series by its two ends, with its band where it has one."""

    series: str
    at: float
    estimate: float
    end_at: float
    end: float
    text: str
    band: Sequence[BandPlace] = ()


def scatter_chart(
    points: Sequence[ScatterPoint],
    lines: Sequence[FittedLine],
    *,
    title: str,
    along: str,
    width: int,
    domain: tuple[float, float] | None = None,
) -> Chart:
    """Return the chart; the axis along holds the domain and all points."""
    series = list(dict.fromkeys([*(fit.series for fit in lines), *(datum.series for datum in points)]))
    top = legend(series, width=width, sign="both" if lines and points else "line" if lines else "point")
    heights = [end for datum in points for end in (datum.estimate, datum.low, datum.high)]
    heights += [end for fit in lines for end in (fit.estimate, fit.end)]
    heights += [end for fit in lines for place in fit.band for end in (place.low, place.high)]
    along_ends = [*(datum.at for datum in points), *(end for fit in lines for end in (fit.at, fit.end_at))]
    frame = framed(
        width=width,
        plot=260 if width > NARROW else 210,
        top=top.height,
        x=("linear", *padded([*along_ends, *(domain or ())], share=0.0 if domain else 0.03)),
        y=padded(heights, share=0.05),
        titles=(title, along),
    )
    drawn = "".join(_band(fit, series.index(fit.series), frame) for fit in lines)
    drawn += "".join(_points(points, place, series, frame) for place in range(len(series)))
    drawn += "".join(_fit(fit, series.index(fit.series), frame) for fit in lines)
    return Chart(
        width=width,
        height=frame.height,
        body=top.body + frame.behind + drawn,
        summary=f"{counted(len(points), 'point')} and {counted(len(lines), 'fitted line')} along {along}.",
    )


def _band(fit: FittedLine, place: int, frame: Frame) -> str:
    return _area(fit.band, place, frame) if fit.band else ""


def _area(band: Sequence[BandPlace], place: int, frame: Frame) -> str:
    around = [(frame.x.at(edge.at), frame.y.at(edge.low)) for edge in band]
    around += [(frame.x.at(edge.at), frame.y.at(edge.high)) for edge in reversed(band)]
    return group(path(around, kind="area", close=True), kind=series_class(place))


def _fit(fit: FittedLine, place: int, frame: Frame) -> str:
    ends = frame.x.at(fit.at), frame.y.at(fit.estimate), frame.x.at(fit.end_at), frame.y.at(fit.end)
    return group(line(*ends, kind="line"), kind=series_class(place), title=fit.text)


def _points(points: Sequence[ScatterPoint], place: int, series: Sequence[str], frame: Frame) -> str:
    body = ""
    at_one_place: dict[int, set[int]] = {}
    for datum in points:
        at_one_place.setdefault(round(frame.x.at(datum.at) / _NEAR), set()).add(series.index(datum.series))
    for datum in points:
        if datum.series != series[place]:
            continue
        x, y = frame.x.at(datum.at), frame.y.at(datum.estimate)
        if datum.low is not None and datum.high is not None:
            # Intervals at one place would cover each other.
            near = sorted(at_one_place[round(x / _NEAR)])
            x += _SCATTER_DODGE * (near.index(place) - (len(near) - 1) / 2)
        mark = ""
        if datum.low is not None and datum.high is not None:
            mark += line(x, frame.y.at(datum.low), x, frame.y.at(datum.high), kind="thin")
        body += group(mark + point(x, y, place=place, small=len(points) > _MANY), title=datum.text)
    return group(body, kind=series_class(place))


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The share (or count) of one group between two ends of a scale, in printed units."""

    low: float
    high: float
    value: float
    text: str
    series: str = ""


def distribution_chart(
    bins: Sequence[Bin], *, title: str, along: str, width: int, lines: Sequence[MarkedLine] = ()
) -> Chart:
    """Return the chart: an outline of steps per group, marked by dash and colour, from zero upwards."""
    series = list(dict.fromkeys(bin_.series for bin_ in bins))
    top = legend(series, width=width, sign="line")
    highest = max([bin_.value for bin_ in bins] + [marked.value for marked in lines], default=1.0) or 1.0
    frame = framed(
        width=width,
        plot=220 if width > NARROW else 190,
        top=top.height,
        x=("linear", *padded([end for bin_ in bins for end in (bin_.low, bin_.high)], share=0.0)),
        y=(0.0, highest * 1.05),
        titles=(title, along),
        lines=lines,
    )
    drawn = "".join(
        _steps([bin_ for bin_ in bins if bin_.series == name], place, frame, filled=len(series) == 1)
        for place, name in enumerate(series)
    )
    return Chart(
        width=width,
        height=frame.height,
        body=top.body + frame.behind + drawn,
        summary=f"Steps over {counted(len({(bin_.low, bin_.high) for bin_ in bins}), 'bin')}, one outline per group.",
    )


def _steps(bins: Sequence[Bin], place: int, frame: Frame, *, filled: bool) -> str:
    ordered = sorted(bins, key=lambda bin_: bin_.low)
    foot = frame.y.at(0)
    outline: list[tuple[float, float]] = []
    hover = ""
    for bin_ in ordered:
        left, right, up = frame.x.at(bin_.low), frame.x.at(bin_.high), frame.y.at(bin_.value)
        if not outline or abs(outline[-1][0] - left) > 0.05:
            outline += [(outline[-1][0], foot)] if outline else []
            outline.append((left, foot))
        outline += [(left, up), (right, up)]
        area = element("rect", kind="hover", x=left, y=up, width=right - left, height=foot - up)
        hover += group(area, title=bin_.text)
    outline += [(outline[-1][0], foot)] if outline else []
    area = path(outline, kind="area", close=True) if filled else ""
    return group(area + path(outline, kind="line") + hover, kind=series_class(place))
