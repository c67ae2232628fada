"""Charts: plain rows in, Altair specifications out."""

from evenhand.report.charts.bands import band_chart
from evenhand.report.charts.intervals import interval_chart
from evenhand.report.charts.ratios import ratio_chart
from evenhand.report.charts.svg import Drawing, draw, prepare_renderer
from evenhand.report.charts.sweep import sweep_chart
from evenhand.report.charts.trends import trend_chart
from evenhand.report.charts.z_curve import z_curve_chart

__all__ = [
    "Drawing",
    "band_chart",
    "draw",
    "interval_chart",
    "prepare_renderer",
    "ratio_chart",
    "sweep_chart",
    "trend_chart",
    "z_curve_chart",
]
