"""A share along a number (bins with intervals), and the straight line of each group."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt

from evenhand.report.charts._layers import Specification, chart_data, layered, padded
from evenhand.report.charts._theme import NARROW, PAPER, plot_width, series_colour, series_dash, series_shape

__all__ = ["TrendLine", "TrendPoint", "trend_chart"]


@dataclass(frozen=True, kw_only=True)
class TrendPoint:
    """The share of one group in one bin, in printed units, at the bin's mean."""

    at: float
    estimate: float
    low: float | None
    high: float | None
    series: str
    text: str


@dataclass(frozen=True, kw_only=True)
class TrendLine:
    """The fitted line of one group, by its two ends."""

    series: str
    at: float
    estimate: float
    end_at: float
    end: float
    text: str


def trend_chart(
    points: Sequence[TrendPoint],
    lines: Sequence[TrendLine],
    *,
    title: str,
    along: str,
    domain: tuple[float, float],
    width: int,
) -> Specification:
    """Return the chart; a legend names the groups by colour, shape and dash."""
    series = list(dict.fromkeys([*(line.series for line in lines), *(point.series for point in points)]))
    legend = alt.Legend(offset=12) if len(series) > 1 else None
    colour = series_colour(series, legend)
    x_scale = alt.Scale(domain=list(domain), nice=False, zero=False)
    x_axis = alt.Axis(title=along, tickCount=5 if width <= NARROW else 10, labelFlush=True, grid=False)
    y_axis = alt.Axis(title=title, tickCount=6, domain=False)
    heights = [v for p in points for v in (p.estimate, p.low, p.high) if v is not None]
    heights += [v for line in lines for v in (line.estimate, line.end)]
    y_scale = alt.Scale(domain=padded(heights, share=0.05), nice=False, zero=False)

    def x(field: str) -> alt.X:
        return alt.X(field=field, type="quantitative", scale=x_scale, axis=x_axis)

    def y(field: str) -> alt.Y:
        return alt.Y(field=field, type="quantitative", scale=y_scale, axis=y_axis)

    text = alt.Description(field="text", type="nominal")
    layers: list[alt.Chart] = []
    if lines:
        fit = alt.Chart(chart_data([asdict(line) for line in lines])).mark_rule(strokeWidth=2)
        layers.append(
            fit.encode(
                x=x("at"),
                x2=alt.X2(field="end_at"),
                y=y("estimate"),
                y2=alt.Y2(field="end"),
                color=colour,
                strokeDash=series_dash(series),
                description=text,
            )
        )
    known = [asdict(point) for point in points]
    spans = [row for row in known if row["low"] is not None and row["high"] is not None]
    if spans:
        span = alt.Chart(chart_data(spans)).mark_rule(strokeWidth=1.5)
        layers.append(span.encode(x=x("at"), y=y("low"), y2=alt.Y2(field="high"), color=colour, description=text))
    if known:
        dot = alt.Chart(chart_data(known)).mark_point(filled=True, size=75, opacity=1, stroke=PAPER)
        shape = series_shape(series, legend)
        layers.append(dot.encode(x=x("at"), y=y("estimate"), color=colour, shape=shape, description=text))
    return layered(layers, width=plot_width(width, ["00", "00"]) - 14, height=300 if width > NARROW else 240)
