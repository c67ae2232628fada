"""Charts: plain rows in, Altair specifications out."""

from evenhand.report.charts.bands import band_chart
from evenhand.report.charts.intervals import interval_chart
from evenhand.report.charts.svg import Drawing, draw, prepare_renderer
from evenhand.report.charts.trends import trend_chart

__all__ = ["Drawing", "band_chart", "draw", "interval_chart", "prepare_renderer", "trend_chart"]
