"""Charts as inline SVG, six kinds: plain rows in, elements of a page out.

Each is drawn for a desk and for a phone; the page shows one of the two.
"""

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.bands import BandLabel, BandRow, OtherInterval, band_chart
from evenhand.report.charts.bars import BarRow, bar_chart
from evenhand.report.charts.distributions import Bin, distribution_chart
from evenhand.report.charts.intervals import IntervalRow, interval_chart, ratio_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.charts.scatter import BandPlace, FittedLine, ScatterPoint, scatter_chart
from evenhand.report.charts.svg import Chart, Drawing, draw

__all__ = [
    "BandLabel",
    "BandPlace",
    "BandRow",
    "BarRow",
    "Bin",
    "Chart",
    "Drawing",
    "FittedLine",
    "IntervalRow",
    "LinePoint",
    "MarkedLine",
    "OtherInterval",
    "ScatterPoint",
    "band_chart",
    "bar_chart",
    "distribution_chart",
    "draw",
    "interval_chart",
    "line_chart",
    "ratio_chart",
    "scatter_chart",
]
