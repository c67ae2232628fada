"""Every chart is drawn for no point, one point, equal points and very large numbers."""

import re

import pytest

from evenhand.report.charts import (
    Drawing,
    band_chart,
    draw,
    interval_chart,
    ratio_chart,
    sweep_chart,
    trend_chart,
    z_curve_chart,
)
from evenhand.report.charts.bands import BandLabel
from evenhand.report.charts.intervals import IntervalRow
from evenhand.report.charts.sweep import SweepPoint
from evenhand.report.charts.trends import TrendPoint
from evenhand.report.charts.z_curve import ZCurvePoint, ZCurveSeries

HUGE = 1e18
INPUTS = {"none": [], "one": [3.0], "equal": [3.0, 3.0], "zero": [0.0, 0.0], "huge": [HUGE, HUGE], "far": [1.0, HUGE]}


def sweep(values, width):
    points = [SweepPoint(at=v, value=v, series="women", few=False, text=f"point {k}") for k, v in enumerate(values)]
    return sweep_chart(points, title="Ratio", along="cut-off", width=width, zero=False)


def trend(values, width):
    points = [
        TrendPoint(at=v, estimate=v, low=v, high=v, series="women", text=f"point {k}") for k, v in enumerate(values)
    ]
    ends = (min(values, default=0.0), max(values, default=0.0))
    return trend_chart(points, [], title="Share", along="age", domain=ends, width=width)


def rows(values):
    return [IntervalRow(label=f"group {k}", estimate=v, low=v, high=v, text=f"point {k}") for k, v in enumerate(values)]


def curves(values, width):
    found = [
        ZCurveSeries(
            name=f"curve {k}",
            curve=[ZCurvePoint(n=max(v, 2.0), z=v)],
            here=ZCurvePoint(n=max(v, 2.0), z=v),
            text=f"point {k}",
        )
        for k, v in enumerate(values)
    ]
    return z_curve_chart(found, limit=1.96, width=width)


def band(values, width):
    low, high = (min(values), max(values)) if values else (None, None)
    return band_chart(
        estimate=high,
        low=low,
        high=high,
        text="point 0",
        others=[],
        centre=0.0,
        edges=[0.05, 0.1, 0.2, 1.0],
        ticks=[BandLabel(value=0.0, text="0")],
        references=[],
        title="Difference",
        one_sided=False,
        width=width,
    )


CHARTS = {
    "sweep": sweep,
    "trend": trend,
    "ratio": lambda values, width: ratio_chart(rows(values), title="Ratio", width=width),
    "interval": lambda values, width: interval_chart(rows(values), title="Mean", width=width),
    "z curve": curves,
    "band": band,
}


@pytest.mark.parametrize("numbers", INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_drawn_whatever_the_numbers(chart, numbers):
    # A range of no width, or one that floating point rounds away, would put marks at NaN.
    (pair,) = draw([Drawing(label="chart", chart=lambda width: chart(numbers, width))])
    for svg in pair.values():
        assert "<svg" in svg
        assert not re.search(r"NaN|Infinity|undefined", svg)
        if numbers:
            assert 'aria-label="point 0"' in svg
