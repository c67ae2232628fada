"""One measure as an interval on its bands A to D, with the reference models."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, expm1, log1p
from typing import Any, Literal

import altair as alt

from evenhand.report.charts._layers import Specification, chart_data, layered
from evenhand.report.charts._theme import BAND_FILL, INK, PAPER, SOFT, plot_width, type_size

__all__ = ["BandLabel", "OtherInterval", "band_chart"]

_BAND_HEIGHT = 46
_LINE = 16
_FIRST_OTHER, _LINE_OF_OTHERS = 13, 6
_LETTER = 22  # kept free at the foot of the bands
_END = 18  # height of the strokes that close an interval


@dataclass(frozen=True, kw_only=True)
class BandLabel:
    """A labelled value on the scale: an axis tick or a reference model."""

    value: float
    text: str


@dataclass(frozen=True, kw_only=True)
class OtherInterval:
    """A second interval of the same estimate, drawn thin below the first."""

    low: float
    high: float
    text: str


def band_chart(
    *,
    estimate: float | None,
    low: float | None,
    high: float | None,
    text: str,
    others: Sequence[OtherInterval],
    centre: float,
    edges: Sequence[float],
    ticks: Sequence[BandLabel],
    references: Sequence[BandLabel],
    title: str,
    one_sided: bool,
    width: int,
) -> Specification:
    """Return the chart; distances from `centre` are stretched (symmetric logarithm).

    A linear scale from -1 to 1 would make band A a sliver and the interval a dot.
    """
    ends = [end for other in others for end in (other.low, other.high)]
    values = [v for v in (estimate, low, high, *ends, *(r.value for r in references)) if v is not None]
    reach = max([edges[-1], *(abs(v - centre) for v in values)])
    domain = [0.0 if one_sided else -reach, reach]
    stretch = _Stretch(constant=edges[0], low=domain[0], high=domain[1], width=plot_width(width, []))
    levels = _levels([(stretch.pixel(r.value - centre), r.text) for r in references], width=stretch.width)
    top = (max(levels) + 1) * _LINE + 10 if levels else 4
    bottom = top + _BAND_HEIGHT + _LINE_OF_OTHERS * len(others)
    middle = top + 18

    scale = alt.Scale(type="symlog", constant=edges[0], domain=domain, nice=False, zero=False)
    axis = _axis([BandLabel(value=tick.value - centre, text=tick.text) for tick in ticks], title=title)

    def x(field: str) -> alt.X:
        return alt.X(field=field, type="quantitative", scale=scale, axis=axis)

    def y(field: str) -> alt.Y:
        return alt.Y(field=field, type="quantitative", scale=None, axis=None)

    bands = _bands(edges, reach, one_sided=one_sided)
    for band in bands:
        band |= {"middle": stretch.middle(band["at"], band["end"]), "top": top, "bottom": bottom, "letters": bottom - 9}
    fill = alt.Scale(domain=list(BAND_FILL), range=list(BAND_FILL.values()))
    layers = [
        alt.Chart(chart_data(bands))
        .mark_rect(stroke=PAPER, strokeWidth=1.5, aria=False)
        .encode(
            x=x("at"),
            x2=alt.X2(field="end"),
            y=y("top"),
            y2=alt.Y2(field="bottom"),
            color=alt.Color(field="letter", type="nominal", scale=fill, legend=None),
        ),
        alt.Chart(chart_data(bands))
        .mark_text(fontWeight="bold", fill=SOFT, aria=False)
        .encode(x=x("middle"), y=y("letters"), text=alt.Text(field="letter", type="nominal")),
    ]
    marks = [
        {"at": mark.value - centre, "label": mark.text, "line": (level + 1) * _LINE, "foot": bottom - _LETTER}
        for mark, level in zip(references, levels, strict=True)
    ]
    layers += _reference_layers(marks, x=x("at"), stretch=stretch)

    spans = [{"at": o.low - centre, "end": o.high - centre, "text": o.text, "thick": 1.2} for o in others]
    if low is not None and high is not None:
        spans.insert(0, {"at": low - centre, "end": high - centre, "text": text, "thick": 3})
    for number, span in enumerate(spans):
        main = span["thick"] == 3
        span["line"] = middle if main else middle + _FIRST_OTHER + _LINE_OF_OTHERS * (number - (low is not None))
    closes = [
        {"at": s[key], "line": middle - _END / 2, "foot": middle + _END / 2} for s in spans[:1] for key in ("at", "end")
    ]
    if spans:
        span_text = alt.Description(field="text", type="nominal")
        thick = alt.StrokeWidth(field="thick", type="quantitative", scale=None, legend=None)
        layers.append(
            alt.Chart(chart_data(spans))
            .mark_rule(stroke=INK)
            .encode(x=x("at"), x2=alt.X2(field="end"), y=y("line"), strokeWidth=thick, description=span_text)
        )
    if low is not None:
        layers.append(
            alt.Chart(chart_data(closes))
            .mark_rule(stroke=INK, strokeWidth=2, aria=False)
            .encode(x=x("at"), y=y("line"), y2=alt.Y2(field="foot"))
        )
    if estimate is not None:
        layers.append(
            alt.Chart(chart_data([{"at": estimate - centre, "line": middle, "text": text}]))
            .mark_point(filled=True, size=85, fill=INK, stroke=PAPER, strokeWidth=1.5, opacity=1)
            .encode(x=x("at"), y=y("line"), description=alt.Description(field="text", type="nominal"))
        )
    return layered(layers, width=plot_width(width, []), height=bottom)


def _axis(ticks: Sequence[BandLabel], *, title: str) -> alt.Axis:
    choices = " : ".join(f"abs(datum.value - ({tick.value!r})) < 1e-9 ? {_quoted(tick.text)}" for tick in ticks)
    return alt.Axis(
        values=[tick.value for tick in ticks],
        labelExpr=f"{choices} : ''",
        grid=False,
        labelFlush=True,
        labelOverlap=True,
        labelSeparation=1,
        title=title,
    )


def _bands(edges: Sequence[float], reach: float, *, one_sided: bool) -> list[dict[str, Any]]:
    """Return the bands as distances from the centre; A is one band across it."""
    outer = [*edges[:-1], reach]
    inner = [0.0, *edges[:-1]]
    found = []
    for letter, near, far in zip(BAND_FILL, inner, outer, strict=True):
        if one_sided:
            sides = [(near, far)]
        elif letter == "A":
            sides = [(-far, far)]
        else:
            sides = [(-far, -near), (near, far)]
        found += [{"letter": letter, "at": start, "end": end} for start, end in sides]
    return found


def _reference_layers(marks: list[dict[str, Any]], *, x: alt.X, stretch: "_Stretch") -> list[alt.Chart]:
    if not marks:
        return []
    y = alt.Y(field="line", type="quantitative", scale=None, axis=None)
    layers = [
        alt.Chart(chart_data(marks))
        .mark_rule(stroke=SOFT, strokeWidth=1.5, strokeDash=[2, 2], aria=False)
        .encode(x=x, y=y, y2=alt.Y2(field="foot"))
    ]
    sides: dict[Literal["left", "center", "right"], list[dict[str, Any]]] = {"left": [], "center": [], "right": []}
    for mark in marks:
        place = stretch.pixel(mark["at"]) / stretch.width
        sides["left" if place < 0.12 else "right" if place > 0.88 else "center"].append(mark)
    for align, chosen in sides.items():
        if chosen:
            layers.append(
                alt.Chart(chart_data(chosen))
                .mark_text(
                    fill=SOFT,
                    align=align,
                    baseline="bottom",
                    dy=-1,
                    fontSize=type_size(stretch.width) - 1,
                    limit=stretch.width * 0.45,
                    aria=False,
                )
                .encode(x=x, y=y, text=alt.Text(field="label", type="nominal"))
            )
    return layers


@dataclass(frozen=True, kw_only=True)
class _Stretch:
    """Where Vega's symlog scale draws a distance from the centre."""

    constant: float
    low: float
    high: float
    width: int

    def forward(self, distance: float) -> float:
        return copysign(log1p(abs(distance) / self.constant), distance)

    def middle(self, near: float, far: float) -> float:
        half = (self.forward(near) + self.forward(far)) / 2
        return copysign(expm1(abs(half)) * self.constant, half)

    def pixel(self, distance: float) -> float:
        low, high = self.forward(self.low), self.forward(self.high)
        return (self.forward(distance) - low) / (high - low) * self.width


def _levels(labels: Sequence[tuple[float, str]], *, width: int) -> list[int]:
    """Return the line that each label stands on, so that none covers another."""
    taken: list[list[tuple[float, float]]] = []
    levels = []
    for pixel, text in labels:
        half = min(len(text) * 3.5, width * 0.225) + 4
        centre = min(max(pixel, half), width - half)
        span = (centre - half, centre + half)
        free = (
            level
            for level, spans in enumerate(taken)
            if all(span[1] < other[0] or other[1] < span[0] for other in spans)
        )
        level = next(free, len(taken))
        if level == len(taken):
            taken.append([])
        taken[level].append(span)
        levels.append(level)
    return levels


def _quoted(text: str) -> str:
    """Return a string literal of Vega's expression language."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'"
