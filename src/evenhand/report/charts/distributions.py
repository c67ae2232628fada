"""Distributions: the share of each group in bins, as steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.report.charts.axes import Frame, MarkedLine, framed
from evenhand.report.charts.marks import legend, path, series_class
from evenhand.report.charts.scales import padded
from evenhand.report.charts.svg import NARROW, Chart, element, group
from evenhand.report.words.numbers import counted

__all__ = ["Bin", "distribution_chart"]


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
    series = list(dict.fromkeys(each.series for each in bins))
    top = legend(series, width=width, sign="line")
    highest = max([each.value for each in bins] + [each.value for each in lines], default=1.0) or 1.0
    frame = framed(
        width=width,
        plot=220 if width > NARROW else 190,
        top=top.height,
        x=("linear", *padded([end for each in bins for end in (each.low, each.high)], share=0.0)),
        y=(0.0, highest * 1.05),
        titles=(title, along),
        lines=lines,
    )
    drawn = "".join(
        _steps([each for each in bins if each.series == name], place, frame, filled=len(series) == 1)
        for place, name in enumerate(series)
    )
    return Chart(
        width=width,
        height=frame.height,
        body=top.body + frame.behind + drawn,
        summary=f"Steps over {counted(len({(each.low, each.high) for each in bins}), 'bin')}, one outline per group.",
    )


def _steps(bins: Sequence[Bin], place: int, frame: Frame, *, filled: bool) -> str:
    ordered = sorted(bins, key=lambda each: each.low)
    foot = frame.y.at(0)
    outline: list[tuple[float, float]] = []
    hover = ""
    for each in ordered:
        left, right, up = frame.x.at(each.low), frame.x.at(each.high), frame.y.at(each.value)
        if not outline or abs(outline[-1][0] - left) > 0.05:
            outline += [(outline[-1][0], foot)] if outline else []
            outline.append((left, foot))
        outline += [(left, up), (right, up)]
        area = element("rect", kind="hover", x=left, y=up, width=right - left, height=foot - up)
        hover += group(area, title=each.text)
    outline += [(outline[-1][0], foot)] if outline else []
    area = path(outline, kind="area", close=True) if filled else ""
    return group(area + path(outline, kind="line") + hover, kind=series_class(place))
