"""Every kind of chart from every kind of data that could spoil its layout."""

from datetime import UTC, datetime
from functools import partial
from math import inf

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import (
    BandLabel,
    BandRow,
    BarRow,
    IntervalRow,
    OtherInterval,
    band_chart,
    bar_chart,
    interval_chart,
    ratio_chart,
)
from evenhand.report.charts.lines import (
    BandPlace,
    Bin,
    FittedLine,
    LinePoint,
    ScatterPoint,
    distribution_chart,
    line_chart,
    scatter_chart,
)

HOSTILE = "</text><script>alert(1)</script>\x1b[31m\u202egnp url(#x) \ud800 & \"quoted\" 'too'"
#: Data by their name: pairs of a label and its value, None where there is none.
DATA = {
    "none": [],
    "one": [("women", 3.0)],
    "three": [("women", 0.62), ("men", 0.8), ("not told", 0.71)],
    "sixty": [(f"group {place}", (place * 7 % 60) / 10 + 0.5) for place in range(60)],
    "equal": [("women", 3.0), ("men", 3.0)],
    "zero": [("women", 0.0), ("men", 0.0)],
    "long": [
        ("women of 40 years or older who applied for work at night in the northern region", 2.0),
        ("women of 40 years or older who applied for work at night in the southern region", 3.5),
        ("w" * 500 + "a", 2.5),
        ("w" * 500 + "b", 2.5),
    ],
    "scripts": [
        ("候選人的職業與性別、四十歲以上、以及他們的工作經驗和教育背景", 1.5),
        ("المتقدمون للوظيفة من النساء فوق سن الأربعين عاما في المنطقة الشمالية", 2.0),
        ("заявительницы старше сорока лет, работающие по ночам", 2.5),
    ],
    "absent": [("women", None), ("men", 2.0), ("not told", None)],
    "all absent": [("women", None)],
    "far": [("women", 1.0), ("men", 1e18)],
    "tiny": [("women", 1e-9), ("men", 3e-9)],
    "negative": [("women", -0.4), ("men", 0.3)],
    "hostile": [(HOSTILE, 2.0), ("men", 3.0)],
}
LINES = [MarkedLine(value=0.8, text="four fifths"), MarkedLine(value=1.0, text="equal rates"), MarkedLine(value=1.25)]


def around(value, share=0.2):
    """Two ends of an interval; every third is open at one end."""
    return (None, None) if value is None else (value - abs(value) * share, value + abs(value) * share)


def interval_rows(data, series=("",)):
    rows = []
    for place, (label, value) in enumerate(data):
        for number, name in enumerate(series):
            low, high = around(value)
            rows.append(
                IntervalRow(
                    label=label,
                    estimate=value,
                    low=-inf if place == 1 and value is not None else low,
                    high=None if place == 2 else high,
                    text=f"{label}: {value}",
                    series=name,
                    second=None if value is None or number else (low, value),
                )
            )
    return rows


def intervals(data, width):
    return interval_chart(interval_rows(data), title="percentage points", width=width, lines=LINES)


def in_series(data, width):
    return interval_chart(interval_rows(data, ("women", "men", "not told")), title="%", width=width)


def ratios(data, width):
    return ratio_chart(interval_rows(data), title="Impact ratio", width=width, lines=LINES)


def bands(data, width):
    known = [value for _, value in data if value is not None]
    low, high = (min(known), max(known)) if known else (None, None)
    row = BandRow(
        estimate=high,
        low=low,
        high=high,
        text="the estimate",
        centre=0.0,
        edges=[0.05, 0.15, 0.5, 1.0],
        ticks=[BandLabel(value=value, text=f"{value:+g}") for value in (0, 0.05, 0.15, 0.5, 1, -0.05, -0.15, -0.5, -1)],
        others=[OtherInterval(low=low, high=high, text="another") for _ in known[:3]],
        references=[BandLabel(value=value or 0.0, text=label) for label, value in data[:8]],
        ends=(f"← {data[0][0]} higher", f"{data[-1][0]} higher →") if data else ("", ""),
    )
    return band_chart(row, title="percentage points", width=width)


def bars(data, width, series=("",)):
    rows = [
        BarRow(
            label=label, value=value, low=around(value)[0], high=around(value)[1], text=f"{label}: {value}", series=name
        )
        for label, value in data
        for name in series
    ]
    return bar_chart(rows, title="% of answers", width=width)


def distributions(data, width):
    bins = [
        Bin(
            low=place, high=place + 1, value=abs(value or 0.0) * (1 + place % 3), text=f"{label}: {place}", series=label
        )
        for label, value in data[:8]
        for place in range(12)
    ]
    return distribution_chart(bins, title="% of each group", along="score", width=width)


def lines(data, width, axis="linear", start=1.0, step=1.0):
    points = [
        LinePoint(
            at=start + step * place,
            value=None if value is None or place == 3 else value * (1 + place / 20),
            low=None if value is None else value * 0.9,
            high=None if value is None else value * 1.2,
            series=label,
            text=f"{label}, {place}: {value}",
            hollow=place > 9,
        )
        for label, value in data[:9]
        for place in range(14)
    ]
    return line_chart(points, title="Impact ratio", along="cut-off", width=width, lines=LINES[:2], axis=axis)


def scatter(data, width):
    points = [
        ScatterPoint(
            at=place % 10,
            estimate=value + place / 10 * abs(value),
            low=around(value)[0],
            high=around(value)[1],
            text=f"{label}: {value}",
            series=label if len(data) < 10 else "all",
        )
        for place, (label, value) in enumerate(data)
        if value is not None
    ]
    fits = [
        FittedLine(
            series=point.series,
            at=0,
            estimate=point.estimate,
            end_at=9,
            end=point.estimate * 1.1,
            text="fit",
            band=[BandPlace(at=at, low=point.estimate * 0.9, high=point.estimate * 1.3) for at in (0, 5, 9)],
        )
        for point in points[:3]
    ]
    return scatter_chart(points, fits, title="Score", along="years of experience", width=width)


NIGHT = datetime(2026, 11, 26, 22, tzinfo=UTC).timestamp()
KINDS = {
    "intervals": intervals,
    "intervals in series": in_series,
    "ratios": ratios,
    "bands": bands,
    "bars": bars,
    "bars in series": partial(bars, series=("women", "men")),
    "distributions": distributions,
    "lines": lines,
    "lines, log": partial(lines, axis="log", step=900.0),
    "lines over hours": partial(lines, axis="time", start=NIGHT, step=3600.0),
    "lines over years": partial(lines, axis="time", start=NIGHT, step=1e7),
    "scatter": scatter,
}
