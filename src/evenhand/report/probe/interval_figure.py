"""A figure with one interval per finding."""

from collections.abc import Sequence

from evenhand.report.charts import IntervalRow, MarkedLine, interval_chart
from evenhand.report.page.parts import Figure, Table
from evenhand.report.words.numbers import scale_of
from evenhand.report.words.wording import (
    unit_text,
    value_text,
)
from evenhand.tables.finding import Finding

__all__ = ["interval_figure"]


def interval_figure(
    rows: Sequence[Finding],
    *,
    title: str,
    note: str,
    labels: Sequence[str],
    tables: Sequence[Table],
    series: Sequence[str] | None = None,
    lines: Sequence[MarkedLine] = (),
    axis: str | None = None,
) -> Figure:
    """Return a figure with one interval per finding; all of them have one unit."""
    scale = scale_of(rows[0])
    plotted = [
        IntervalRow(
            label=label,
            estimate=None if row.estimate is None else scale.shown(row.estimate),
            low=None if row.low is None else scale.shown(row.low),
            high=None if row.high is None else scale.shown(row.high),
            text=f"{' '.join(part for part in (label, name) if part)}: {value_text(row)}",
            series=name,
        )
        for row, label, name in zip(rows, labels, series or [""] * len(rows), strict=True)
    ]
    return Figure(
        title=title,
        note=note,
        chart=lambda width: interval_chart(plotted, title=axis or unit_text(rows[0]), width=width, lines=lines),
        tables=tables,
    )
