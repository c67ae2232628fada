"""A number per group along the cut-off, with lines at values that matter; points on few selections are hollow."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt

from evenhand.report.charts._layers import Specification, chart_data, layered, padded
from evenhand.report.charts._theme import (
    COLOURS,
    INK,
    NARROW,
    PAPER,
    plot_width,
    series_colour,
    series_dash,
    series_shape,
    type_size,
)
from evenhand.report.charts.intervals import MarkedLine

__all__ = ["SweepPoint", "sweep_chart"]

#: The longest name of a legend, in pixels; longer ones are cut by the theme.
LEGEND_ROOM = 160


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """One group at one cut-off, in printed units; `few` says that it rests on few selections."""

    at: float
    value: float
    series: str
    few: bool
    text: str


def sweep_chart(
    points: Sequence[SweepPoint],
    *,
    title: str,
    along: str,
    width: int,
    lines: Sequence[MarkedLine] = (),
    zero: bool = True,
) -> Specification:
    """Return the chart; a legend names the groups by colour, shape and dash. With `zero` the axis begins there."""
    series = list(dict.fromkeys(point.series for point in points))
    legend = alt.Legend(offset=12, columns=_columns(series, width)) if len(series) > 1 else None
    colour, shape = series_colour(series, legend), series_shape(series, legend)
    x_scale = alt.Scale(domain=padded([point.at for point in points], share=0.02), nice=False, zero=False)
    values = [point.value for point in points] + [line.value for line in lines]
    top, foot = max(values, default=0.0) * 1.04 or 1.0, 0.0 if zero else min(values, default=0.0) * 0.85
    y_scale = alt.Scale(domain=[foot, top], nice=False, zero=False)
    x_axis = alt.Axis(title=along, tickCount=5 if width <= NARROW else 10, labelFlush=True, grid=False)

    def x(field: str) -> alt.X:
        return alt.X(field=field, type="quantitative", scale=x_scale, axis=x_axis)

    def y(field: str) -> alt.Y:
        axis = alt.Axis(title=title, tickCount=6, domain=False)
        return alt.Y(field=field, type="quantitative", scale=y_scale, axis=axis)

    layers: list[alt.Chart] = []
    if lines:
        marked = chart_data([asdict(line) for line in lines])
        layers.append(
            alt.Chart(marked).mark_rule(stroke=INK, strokeWidth=1.2, strokeDash=[4, 3], aria=False).encode(y=y("value"))
        )
    known = [asdict(point) for point in points]
    line = alt.Chart(chart_data(known)).mark_line(strokeWidth=2, aria=False)
    layers.append(line.encode(x=x("at"), y=y("value"), color=colour, strokeDash=series_dash(series)))
    text = alt.Description(field="text", type="nominal")
    for few in (False, True):
        found = [row for row in known if row["few"] is few]
        if found:
            dot = alt.Chart(chart_data(found)).mark_point(
                filled=True, size=48, opacity=1, **({"fill": PAPER, "strokeWidth": 1.5} if few else {"stroke": PAPER})
            )
            # A hollow point has its colour on its edge.
            own = {"stroke": _edges(series)} if few else {"color": colour}
            layers.append(dot.encode(x=x("at"), y=y("value"), shape=shape, description=text, **own))
    return layered(layers, width=plot_width(width, ["0.0"]) - 14, height=300 if width > NARROW else 240)


def _columns(series: Sequence[str], width: int) -> int:
    """Return how many names fit beside each other; a legend that is too wide would shrink the chart."""
    longest = min(max((len(name) for name in series), default=0) * type_size(width) * 0.55, LEGEND_ROOM)
    return max(1, int((width - 40) // (longest + 44)))


def _edges(series: Sequence[str]) -> alt.Stroke:
    scale = alt.Scale(domain=list(series), range=[COLOURS[place % len(COLOURS)] for place in range(len(series))])
    return alt.Stroke(field="series", type="nominal", scale=scale, legend=None)
