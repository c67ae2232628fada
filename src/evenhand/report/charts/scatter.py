"""Points in two dimensions with intervals, and the line and band that were fitted to each series."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.report.charts.axes import Frame, framed
from evenhand.report.charts.marks import legend, path, point, series_class
from evenhand.report.charts.scales import padded
from evenhand.report.charts.svg import NARROW, Chart, group, line
from evenhand.report.words.numbers import counted

__all__ = ["BandPlace", "FittedLine", "ScatterPoint", "scatter_chart"]

#: Series at one place stand this many pixels apart.
_DODGE = 5
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
    series = list(dict.fromkeys([*(each.series for each in lines), *(each.series for each in points)]))
    top = legend(series, width=width, sign="both" if lines and points else "line" if lines else "point")
    heights = [end for each in points for end in (each.estimate, each.low, each.high)]
    heights += [end for each in lines for end in (each.estimate, each.end)]
    heights += [end for each in lines for place in each.band for end in (place.low, place.high)]
    along_ends = [*(each.at for each in points), *(end for each in lines for end in (each.at, each.end_at))]
    frame = framed(
        width=width,
        plot=260 if width > NARROW else 210,
        top=top.height,
        x=("linear", *padded([*along_ends, *(domain or ())], share=0.0 if domain else 0.03)),
        y=padded(heights, share=0.05),
        titles=(title, along),
    )
    drawn = "".join(_band(each, series.index(each.series), frame) for each in lines)
    drawn += "".join(_points(points, place, series, frame) for place in range(len(series)))
    drawn += "".join(_fit(each, series.index(each.series), frame) for each in lines)
    return Chart(
        width=width,
        height=frame.height,
        body=top.body + frame.behind + drawn,
        summary=f"{counted(len(points), 'point')} and {counted(len(lines), 'fitted line')} along {along}.",
    )


def _band(fit: FittedLine, place: int, frame: Frame) -> str:
    around = [(frame.x.at(each.at), frame.y.at(each.low)) for each in fit.band]
    around += [(frame.x.at(each.at), frame.y.at(each.high)) for each in reversed(fit.band)]
    return group(path(around, kind="area", close=True), kind=series_class(place)) if around else ""


def _fit(fit: FittedLine, place: int, frame: Frame) -> str:
    ends = frame.x.at(fit.at), frame.y.at(fit.estimate), frame.x.at(fit.end_at), frame.y.at(fit.end)
    return group(line(*ends, kind="line"), kind=series_class(place), title=fit.text)


def _points(points: Sequence[ScatterPoint], place: int, series: Sequence[str], frame: Frame) -> str:
    body = ""
    at_one_place: dict[int, set[int]] = {}
    for each in points:
        at_one_place.setdefault(round(frame.x.at(each.at) / _NEAR), set()).add(series.index(each.series))
    for each in points:
        if each.series != series[place]:
            continue
        x, y = frame.x.at(each.at), frame.y.at(each.estimate)
        if each.low is not None and each.high is not None:
            # Intervals at one place would cover each other.
            near = sorted(at_one_place[round(x / _NEAR)])
            x += _DODGE * (near.index(place) - (len(near) - 1) / 2)
        own = ""
        if each.low is not None and each.high is not None:
            own += line(x, frame.y.at(each.low), x, frame.y.at(each.high), kind="thin")
        body += group(own + point(x, y, place=place, small=len(points) > _MANY), title=each.text)
    return group(body, kind=series_class(place))
