"""How Z grows with the number of people when rates stay as they are."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt

from evenhand.report.charts._layers import Specification, chart_data, layered
from evenhand.report.charts._theme import (
    INK,
    NARROW,
    PAPER,
    SOFT,
    plot_width,
    series_colour,
    series_dash,
    series_shape,
    type_size,
)

__all__ = ["ZCurvePoint", "ZCurveSeries", "z_curve_chart"]

POWERS = [10**power for power in range(19)]


@dataclass(frozen=True, kw_only=True)
class ZCurvePoint:
    """Z at a number of people in each group."""

    n: float
    z: float


@dataclass(frozen=True, kw_only=True)
class ZCurveSeries:
    """The curve of one pair of groups, and where the data at hand lie on it."""

    name: str
    curve: Sequence[ZCurvePoint]
    here: ZCurvePoint
    text: str


def z_curve_chart(curves: Sequence[ZCurveSeries], *, limit: float, width: int) -> Specification:
    """Return the chart: dashed lines at ±limit, a point per curve for the data at hand."""
    series = [curve.name for curve in curves]
    legend = alt.Legend(offset=12, columns=1, labelLimit=width - 60) if len(series) > 1 else None
    colour, shape = series_colour(series, legend), series_shape(series, legend)
    points = [asdict(point) | {"series": curve.name} for curve in curves for point in curve.curve]
    here = [asdict(curve.here) | {"series": curve.name, "text": curve.text} for curve in curves]
    heights = [point["z"] for point in [*points, *here]] + [-limit, limit]
    room = (max(heights) - min(heights)) * 0.06
    sizes = [point["n"] for point in [*points, *here]]
    fewest, most = min(sizes, default=2.0), max(sizes, default=100.0)
    x_scale = alt.Scale(type="log", domain=[fewest, max(most, 2 * fewest)], nice=False)
    y_scale = alt.Scale(domain=[min(heights) - room, max(heights) + room], nice=False, zero=False)
    x_axis = alt.Axis(
        title="people per group", values=POWERS, format="~s", labelFlush=True, labelOverlap=True, grid=False
    )

    def y(field: str) -> alt.Y:
        return alt.Y(
            field=field, type="quantitative", scale=y_scale, axis=alt.Axis(title="Z", tickCount=6, domain=False)
        )

    x = alt.X(field="n", type="quantitative", scale=x_scale, axis=x_axis)
    marks = chart_data([{"at": limit, "label": f"{limit:g}"}, {"at": -limit, "label": f"\N{MINUS SIGN}{limit:g}"}])
    plot = plot_width(width, ["00.0"]) - 14
    layers = [
        alt.Chart(marks).mark_rule(stroke=INK, strokeWidth=1.2, strokeDash=[4, 3], aria=False).encode(y=y("at")),
        alt.Chart(marks)
        .mark_text(fill=SOFT, align="left", baseline="bottom", dy=-2, fontSize=type_size(width) - 1, aria=False)
        .encode(x=alt.value(3), y=y("at"), text=alt.Text(field="label", type="nominal")),
        alt.Chart(chart_data(points))
        .mark_line(strokeWidth=2, aria=False)
        .encode(x=x, y=y("z"), color=colour, strokeDash=series_dash(series)),
        alt.Chart(chart_data(here))
        .mark_point(filled=True, size=110, opacity=1, stroke=PAPER)
        .encode(x=x, y=y("z"), color=colour, shape=shape, description=alt.Description(field="text", type="nominal")),
    ]
    return layered(layers, width=plot, height=280 if width > NARROW else 230)
