"""Labelled ratios with their intervals on a logarithmic axis: half and double are equally far from 1."""

from collections.abc import Sequence
from dataclasses import asdict
from math import log
from typing import Any, Literal

import altair as alt

from evenhand.report.charts._layers import Specification, chart_data, layered
from evenhand.report.charts._theme import COLOURS, INK, NARROW, PAPER, SOFT, type_size
from evenhand.report.charts.intervals import IntervalRow, MarkedLine

__all__ = ["ratio_chart"]

#: What is farther out is drawn as an arrow at the edge; the table has its number.
LOWEST, HIGHEST = 0.05, 20.0
#: Ticks by how much they are wanted; those without room are left out.
TICKS = (1.0, 0.5, 2.0, 0.1, 10.0, 0.2, 5.0, 0.8, 0.3, 0.6, 1.25, 1.5, 3.0, 0.05, 20.0, 0.4, 0.7, 0.9, 1.1)
TICK_ROOM = 38
#: How names of intersections are joined.
TIMES = " \N{MULTIPLICATION SIGN} "
#: Pixels for labels on a phone and on a desk; longer ones are cut, the table has them whole.
LABEL_ROOM = {False: 140, True: 250}

Align = Literal["left", "center", "right"]


def ratio_chart(
    rows: Sequence[IntervalRow], *, title: str, width: int, lines: Sequence[MarkedLine] = ()
) -> Specification:
    """Return the chart; rows keep their order, marked lines are always in view."""
    labels = list(dict.fromkeys(row.label for row in rows))
    low, high = _domain(rows, lines)
    shown = _label_lines(labels, width)
    limit = LABEL_ROOM[width > NARROW]
    longest = min(max((len(part) for parts in shown for part in parts), default=0) * type_size(width) * 0.55, limit)
    wide = width - round(longest) - 22
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    axis = alt.Axis(title=title, values=_ticks(low, high, wide), format="~g", labelFlush=True)

    def x(field: str) -> alt.X:
        return alt.X(field=field, type="quantitative", scale=scale, axis=axis)

    names = alt.Axis(labelLimit=limit)
    if _broken(shown):
        names = alt.Axis(labelLimit=limit, labelExpr=f"split(datum.label, '{TIMES}')")
    place: dict[str, Any] = {
        # A list of labels would be parsed as expressions; so rows are sorted by their number.
        "y": alt.Y(
            field="label",
            type="nominal",
            sort=alt.EncodingSortField(field="place", op="min"),
            title=None,
            axis=names,
        ),
        "description": alt.Description(field="text", type="nominal"),
    }
    numbered = [asdict(row) | {"place": place_of} for place_of, row in enumerate(rows)]
    known = [row for row in numbered if row["estimate"] is not None]
    spans = [
        row | {"from": min(max(row["low"], low), high), "to": max(min(row["high"], high), low)}
        for row in known
        if row["low"] is not None and row["high"] is not None
    ]
    absent = [row | {"at": low, "word": "not computed"} for row in numbered if row["estimate"] is None]
    ends = [row | {"at": low, "end": "left"} for row in spans if row["low"] < low]
    ends += [row | {"at": high, "end": "right"} for row in spans if row["high"] > high]
    inside = [row for row in known if low <= row["estimate"] <= high]
    outside = [row | {"at": low if row["estimate"] < low else high} for row in known if row not in inside]

    layers = _lines(lines, x=x("value"), width=width)
    if spans:
        span = alt.Chart(chart_data(spans)).mark_rule(strokeWidth=2.5, stroke=COLOURS[0])
        layers.append(span.encode(x=x("from"), x2=alt.X2(field="to"), **place))
    for end in ("left", "right"):
        found = [row for row in ends if row["end"] == end]
        if found:
            arrow = alt.Chart(chart_data(found)).mark_point(
                filled=True, size=70, opacity=1, shape=f"triangle-{end}", fill=COLOURS[0], aria=False
            )
            layers.append(arrow.encode(x=x("at"), **place))
    for found, field, shape in ((inside, "estimate", "circle"), (outside, "at", "diamond")):
        if found:
            point = alt.Chart(chart_data(found)).mark_point(
                filled=True, size=85, opacity=1, stroke=PAPER, fill=COLOURS[0], shape=shape
            )
            layers.append(point.encode(x=x(field), **place))
    if absent:
        word = alt.Chart(chart_data(absent)).mark_text(align="left", fill=SOFT, fontStyle="italic", dx=6)
        layers.append(word.encode(x=x("at"), text=alt.Text(field="word", type="nominal"), **place))
    return layered(layers, width=wide, height=len(labels) * (26 if not _broken(shown) else 38))


def _label_lines(labels: Sequence[str], width: int) -> list[list[str]]:
    """Return the lines of each label: on a phone each attribute of an intersection has its own."""
    return [label.split(TIMES) if width <= NARROW else [label] for label in labels]


def _broken(lines: Sequence[Sequence[str]]) -> bool:
    return any(len(parts) > 1 for parts in lines)


def _domain(rows: Sequence[IntervalRow], lines: Sequence[MarkedLine]) -> tuple[float, float]:
    values = [value for row in rows for value in (row.estimate, row.low, row.high) if value]
    values += [line.value for line in lines]
    low, high = min(values, default=0.5), max(values, default=2.0)
    return min(max(low * 0.94, LOWEST), HIGHEST / 2), max(min(high * 1.06, HIGHEST), 2 * LOWEST)


def _ticks(low: float, high: float, width: int) -> list[float]:
    chosen: list[float] = []
    for tick in TICKS:
        apart = [abs(log(tick / other)) / log(high / low) * width for other in chosen]
        if low <= tick <= high and min(apart, default=TICK_ROOM) >= TICK_ROOM:
            chosen.append(tick)
    return sorted(chosen)


def _lines(lines: Sequence[MarkedLine], *, x: alt.X, width: int) -> list[alt.Chart]:
    """Return dashed lines; their names stand apart: the outer ones lean outwards."""
    if not lines:
        return []
    data = chart_data([asdict(line) for line in lines])
    layers = [alt.Chart(data).mark_rule(stroke=INK, strokeWidth=1.2, strokeDash=[4, 3], aria=False).encode(x=x)]
    ordered = sorted(lines, key=lambda line: line.value)
    for number, line in enumerate(ordered):
        align: Align = (
            "right" if number == 0 and len(ordered) > 1 else "left" if number == len(ordered) - 1 else "center"
        )
        name = alt.Chart(chart_data([asdict(line)])).mark_text(
            fill=SOFT,
            baseline="bottom",
            align=align,
            dx={"left": -3, "right": 3, "center": 0}[align],
            fontSize=type_size(width) - (1 if width > NARROW else 2),
            aria=False,
        )
        layers.append(name.encode(x=x, y=alt.value(-4), text=alt.Text(field="text", type="nominal")))
    return layers
