"""Labelled bars from zero, with intervals where there are any."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.report.charts.axes import axis_below
from evenhand.report.charts.marks import legend, series_class
from evenhand.report.charts.rows import Lane, row_layout
from evenhand.report.charts.scales import Scale, padded, scale_for
from evenhand.report.charts.svg import Chart, element, group, line, text
from evenhand.report.words.numbers import counted

__all__ = ["BarRow", "bar_chart"]

_PITCH, _THICK = 26, 14


@dataclass(frozen=True, kw_only=True)
class BarRow:
    """One bar in printed units, with its interval; series are marked by colour, the bar's edge and their order."""

    label: str
    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    series: str = ""


def bar_chart(rows: Sequence[BarRow], *, title: str, width: int) -> Chart:
    """Return the chart; rows keep their order, and the axis holds zero."""
    series = list(dict.fromkeys(finding.series for finding in rows))
    labels = list(dict.fromkeys(finding.label for finding in rows))
    lanes = [Lane(label=labels.index(finding.label), series=series.index(finding.series)) for finding in rows]
    low, high = padded(
        [0.0, *(end for finding in rows for end in (finding.value, finding.low, finding.high))], share=0.04
    )
    top = legend(series, width=width, sign="bar")
    place = row_layout(labels, lanes, width=width, top=top.height, pitch=_PITCH)
    scale = scale_for("linear", 0.0 if low > -high * 0.05 else low, high, start=place.left + 4, end=place.right)
    foot = top.height + place.labels.height + 2
    below = axis_below(scale, "linear", y=foot, width=width, title=title, grid_from=top.height)
    thick = _THICK if len(series) == 1 else _THICK - 2
    drawn = "".join(
        _bar(finding, series.index(finding.series), scale, y=y, thick=thick)
        for finding, y in zip(rows, place.middles, strict=True)
    )
    zero = line(scale.at(0), top.height, scale.at(0), foot, kind="axis")
    return Chart(
        width=width,
        height=foot + below.height,
        body=top.body + below.body + zero + place.labels.body + drawn,
        summary=f"{counted(len(rows), 'bar')} from zero; lines across an end are intervals.",
    )


def _bar(row: BarRow, series: int, scale: Scale, *, y: float, thick: float) -> str:
    kind = series_class(series)
    if row.value is None:
        words = text(scale.at(0) + 6, y + 4.5, "not computed", kind="absent")
        return group(words, kind=kind, title=row.text)
    start, end = sorted((scale.at(0), scale.at(row.value)))
    body = element("rect", kind="bar", x=start, y=y - thick / 2, width=end - start, height=thick)
    if row.low is not None and row.high is not None:
        low, high = scale.at(row.low), scale.at(row.high)
        body += line(low, y, high, y, kind="span")
        body += line(low, y - 4, low, y + 4, kind="closed") + line(high, y - 4, high, y + 4, kind="closed")
    return group(body, kind=kind, title=row.text)
