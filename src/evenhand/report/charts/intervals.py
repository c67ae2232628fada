"""Labelled estimates with their intervals, one line per group or slice."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import altair as alt

from evenhand.report.charts._layers import Specification, chart_data, layered
from evenhand.report.charts._theme import INK, NARROW, PAPER, SOFT, plot_width, series_colour, series_shape, type_size

__all__ = ["IntervalRow", "MarkedLine", "interval_chart"]


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One estimate in printed units; `series` is told apart by colour and shape."""

    label: str
    estimate: float | None
    low: float | None
    high: float | None
    text: str
    series: str = ""


@dataclass(frozen=True, kw_only=True)
class MarkedLine:
    """A vertical line at a value that matters, with its name (or none)."""

    value: float
    text: str = ""


def interval_chart(
    rows: Sequence[IntervalRow], *, title: str, width: int, lines: Sequence[MarkedLine] = ()
) -> Specification:
    """Return the chart; rows keep their order, marked lines are always in view."""
    labels = list(dict.fromkeys(row.label for row in rows))
    series = list(dict.fromkeys(row.series for row in rows))
    legend = alt.Legend(offset=20 if any(line.text for line in lines) else 8) if len(series) > 1 else None
    domain = _domain([v for r in rows for v in (r.estimate, r.low, r.high)] + [line.value for line in lines])
    scale = alt.Scale(domain=domain, nice=False, zero=False)
    axis = alt.Axis(title=title, tickCount=5 if width <= NARROW else 8, labelFlush=True)

    def x(field: str) -> alt.X:
        return alt.X(field=field, type="quantitative", scale=scale, axis=axis)

    row_scale = alt.Scale(paddingInner=0.3, paddingOuter=0.2)
    place: dict[str, Any] = {
        # A list of labels would be parsed as expressions, and 'if' is none; so rows are sorted by their number.
        "y": alt.Y(
            field="label",
            type="nominal",
            sort=alt.EncodingSortField(field="place", op="min"),
            title=None,
            scale=row_scale,
        ),
        "description": alt.Description(field="text", type="nominal"),
    }
    if len(series) > 1:
        place["yOffset"] = alt.YOffset(field="series", type="nominal", sort=series)
    colour, shape = series_colour(series, legend), series_shape(series, legend)

    numbered = [asdict(row) | {"place": labels.index(row.label)} for row in rows]
    known = [row for row in numbered if row["estimate"] is not None]
    spans = [row for row in known if row["low"] is not None and row["high"] is not None]
    absent = [row | {"at": domain[0], "word": "not computed"} for row in numbered if row["estimate"] is None]
    layers: list[alt.Chart] = _marked(lines, x=x("value"), width=width)
    if spans:
        span = alt.Chart(chart_data(spans)).mark_rule(strokeWidth=2.5)
        layers.append(span.encode(x=x("low"), x2=alt.X2(field="high"), color=colour, **place))
    if known:
        point = alt.Chart(chart_data(known)).mark_point(filled=True, size=80, opacity=1, stroke=PAPER)
        layers.append(point.encode(x=x("estimate"), color=colour, shape=shape, **place))
    if absent:
        word = alt.Chart(chart_data(absent)).mark_text(align="left", fill=SOFT, fontStyle="italic", dx=6)
        layers.append(word.encode(x=x("at"), text=alt.Text(field="word", type="nominal"), **place))
    height = len(labels) * (26 if len(series) == 1 else 14 * len(series) + 16)
    return layered(layers, width=plot_width(width, labels), height=height)


def _marked(lines: Sequence[MarkedLine], *, x: alt.X, width: int) -> list[alt.Chart]:
    if not lines:
        return []
    data = chart_data([asdict(line) for line in lines])
    layers = [alt.Chart(data).mark_rule(stroke=INK, strokeWidth=1.2, strokeDash=[4, 3], aria=False).encode(x=x)]
    if any(line.text for line in lines):
        name = alt.Chart(data).mark_text(fill=SOFT, baseline="bottom", fontSize=type_size(width) - 1, aria=False)
        layers.append(name.encode(x=x, y=alt.value(-4), text=alt.Text(field="text", type="nominal")))
    return layers


def _domain(values: Sequence[float | None]) -> list[float]:
    known = [value for value in values if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = (high - low) * 0.04 or max(abs(high), 1.0) * 0.1
    return [low - room, high + room]
