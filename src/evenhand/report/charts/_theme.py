"""Colours, shapes and type that all charts share."""

from collections.abc import Sequence
from typing import Any

import altair as alt

__all__ = [
    "BAND_FILL",
    "COLOURS",
    "INK",
    "NARROW",
    "PAPER",
    "SOFT",
    "WIDE",
    "config",
    "plot_width",
    "series_colour",
    "series_dash",
    "series_shape",
    "type_size",
]

WIDE, NARROW = 680, 340  # CSS pixels: the column on a desk and on paper, and on a phone

INK, SOFT, PAPER = "#1c2530", "#4a5560", "#ffffff"
# Told apart by all common kinds of colour vision, each at least 5:1 on white; shape and dash say the same again.
COLOURS = ("#005f9e", "#a8480a", "#6b2c86", "#1b7a5a", "#4a5560", "#8a1538")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ([1, 0], [6, 4], [2, 3], [8, 3, 2, 3], [1, 0], [6, 4])
# One hue from light to dark: a mark is a distance, not a verdict in red or green.
BAND_FILL = {"A": "#f0f4f7", "B": "#dbe5ed", "C": "#c0d2df", "D": "#a3bccd"}


def type_size(width: int) -> int:
    """Return the size of chart text in pixels."""
    return 13 if width > NARROW else 12


def plot_width(width: int, labels: Sequence[str]) -> int:
    """Return what the axis labels leave of a chart's width.

    Vega can fit a chart to a width itself, but lays it out twice for that. The page
    scales a chart to its column, so that an estimate is enough.
    """
    longest = max((len(label) for label in labels), default=0) * type_size(width) * 0.52
    return width - round(min(longest, _label_limit(width))) - 18


def _label_limit(width: int) -> int:
    return 190 if width > NARROW else 104


def config(width: int) -> dict[str, Any]:
    """Return the Vega-Lite configuration for a chart of this width."""
    size = type_size(width)
    # One width of letters: the layout is measured here and shown there, wherever that is.
    font = "Liberation Sans, Arial, Helvetica, sans-serif"
    return {
        "background": "transparent",
        "font": font,
        "padding": {"left": 6, "right": 3, "top": 3, "bottom": 3},
        "view": {"stroke": None},
        "text": {"fontSize": size, "fill": INK},
        "axis": {
            "labelFontSize": size,
            "titleFontSize": size,
            "titleFontWeight": "normal",
            "labelColor": INK,
            "titleColor": SOFT,
            "domainColor": "#9aa5b0",
            "tickColor": "#9aa5b0",
            "gridColor": "#e4e8ec",
            "titlePadding": 9,
            "labelPadding": 6,
        },
        "axisY": {"domain": False, "ticks": False, "labelLimit": _label_limit(width)},
        "legend": {
            "orient": "top",
            "direction": "horizontal",
            "title": None,
            "labelFontSize": size,
            "labelColor": INK,
            "labelLimit": 160,
            "symbolSize": 90,
            "symbolStrokeWidth": 0,
            "symbolDash": [1, 0],
            "symbolOpacity": 1,
            "columnPadding": 18,
            "offset": 6,
        },
    }


def series_colour(series: Sequence[str], legend: alt.Legend | None) -> alt.Color:
    """Return the colour of each series, in order."""
    return alt.Color(field="series", type="nominal", scale=_cycle(series, COLOURS), legend=legend)


def series_shape(series: Sequence[str], legend: alt.Legend | None) -> alt.Shape:
    """Return the shape of each series, in order."""
    return alt.Shape(field="series", type="nominal", scale=_cycle(series, SHAPES), legend=legend)


def series_dash(series: Sequence[str]) -> alt.StrokeDash:
    """Return the dash of each series, in order."""
    return alt.StrokeDash(field="series", type="nominal", scale=_cycle(series, DASHES), legend=None)


def _cycle(series: Sequence[str], values: Sequence[Any]) -> alt.Scale:
    return alt.Scale(domain=list(series), range=[values[i % len(values)] for i in range(len(series))])
