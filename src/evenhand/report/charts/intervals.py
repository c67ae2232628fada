"""Labelled estimates with their intervals, one line per group or slice."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan

from evenhand.report.charts.axes import MarkedLine, axis_below, names_above
from evenhand.report.charts.marks import arrow, legend, point, series_class
from evenhand.report.charts.rows import Lane, row_layout
from evenhand.report.charts.scales import Axis, Scale, padded, scale_for
from evenhand.report.charts.svg import Chart, group, line, text
from evenhand.report.words.numbers import counted

__all__ = ["IntervalRow", "MarkedLine", "interval_chart", "ratio_chart"]

#: Ratios farther out are drawn as an arrow at the edge; the table has their numbers.
LOWEST, HIGHEST = 0.05, 20.0
_PITCH, _SECOND = 26, 6


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One estimate in printed units; `series` is marked by colour and shape.

    An end that is infinite, or unknown where the other is known, is open. `second` is
    another interval of the same estimate, drawn thin below.
    """

    label: str
    estimate: float | None
    low: float | None
    high: float | None
    text: str
    series: str = ""
    second: tuple[float, float] | None = None


def interval_chart(rows: Sequence[IntervalRow], *, title: str, width: int, lines: Sequence[MarkedLine] = ()) -> Chart:
    """Return the chart; rows keep their order, marked lines are always in view."""
    low, high = padded(_values(rows, lines), share=0.04)
    return _chart(rows, "linear", low, high, title=title, width=width, lines=lines)


def ratio_chart(rows: Sequence[IntervalRow], *, title: str, width: int, lines: Sequence[MarkedLine] = ()) -> Chart:
    """Return the chart with a logarithmic axis: half and double are equally far from 1."""
    inside = [min(max(value, LOWEST), HIGHEST) for value in _values(rows, lines) if value is not None and value > 0]
    low, high = padded(inside or [0.5, 2.0], share=0.04, axis="log")
    return _chart(rows, "log", max(low, LOWEST), min(high, HIGHEST), title=title, width=width, lines=lines)


def _values(rows: Sequence[IntervalRow], lines: Sequence[MarkedLine]) -> list[float | None]:
    ends = [end for finding in rows for end in (finding.estimate, finding.low, finding.high, *(finding.second or ()))]
    return [*ends, *(each.value for each in lines)]


def _chart(
    rows: Sequence[IntervalRow],
    axis: Axis,
    low: float,
    high: float,
    *,
    title: str,
    width: int,
    lines: Sequence[MarkedLine],
) -> Chart:
    series = list(dict.fromkeys(finding.series for finding in rows))
    labels = [finding.label for finding in rows]
    shared = list(dict.fromkeys(labels))
    # Rows of one label and several series stand together; else each has its own line.
    together = len(shared) < len(rows) and len({(finding.label, finding.series) for finding in rows}) == len(rows)
    labels = shared if together else labels
    lanes = [
        Lane(label=labels.index(finding.label), series=series.index(finding.series))
        if together
        else Lane(label=place, series=0)
        for place, finding in enumerate(rows)
    ]
    top = legend(series, width=width)
    # The labels' column is needed to know where the lines' names stand, and these to know where the rows begin.
    place = row_layout(labels, lanes, width=width, top=0, pitch=_PITCH)
    scale = scale_for(axis, low, high, start=place.left + 4, end=place.right)
    names = names_above(lines, scale, width=width, y=top.height)
    begin = top.height + names.height
    place = row_layout(labels, lanes, width=width, top=begin + 2, pitch=_PITCH)
    foot = begin + 2 + place.labels.height
    below = axis_below(scale, axis, y=foot, width=width, title=title, grid_from=begin)
    marked = "".join(
        line(scale.at(each.value), begin, scale.at(each.value), foot, kind="marked")
        for each in lines
        if scale.holds(each.value)
    )
    drawn = "".join(
        _row(finding, series.index(finding.series), scale, y=y) for finding, y in zip(rows, place.middles, strict=True)
    )
    return Chart(
        width=width,
        height=foot + below.height,
        body=top.body + names.body + below.body + marked + place.labels.body + drawn,
        summary=f"{counted(len(rows), 'estimate')}: dots on lines that are intervals.",
    )


def _row(row: IntervalRow, series: int, scale: Scale, *, y: float) -> str:
    kind = series_class(series)
    if row.estimate is None or isnan(row.estimate):
        return group(text(scale.start + 6, y + 4.5, "not computed", kind="absent"), kind=kind, title=row.text)
    body = ""
    if row.second is not None:
        below = y + _SECOND
        body += line(scale.at(row.second[0]), below, scale.at(row.second[1]), below, kind="thin")
    if row.low is not None or row.high is not None:
        low = -inf if row.low is None else row.low
        high = inf if row.high is None else row.high
        body += line(scale.at(low), y, scale.at(high), y, kind="span")
        body += arrow(scale.start - 4, y, right=False) if low < scale.low else ""
        body += arrow(scale.end + 4, y, right=True) if high > scale.high else ""
    if scale.holds(row.estimate):
        body += point(scale.at(row.estimate), y, place=series)
    else:
        # Farther out than the axis goes: a diamond at the edge.
        body += point(scale.at(row.estimate), y, place=3)
    return group(body, kind=kind, title=row.text)
