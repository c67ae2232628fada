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
    findings: Sequence[Finding],
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
    scale = scale_of(findings[0])
    plotted = [
        IntervalRow(
            label=label,
            estimate=None if finding.estimate is None else scale.shown(finding.estimate),
            low=None if finding.low is None else scale.shown(finding.low),
            high=None if finding.high is None else scale.shown(finding.high),
            text=f"{' '.join(part for part in (label, name) if part)}: {value_text(finding)}",
            series=name,
        )
        for finding, label, name in zip(findings, labels, series or [""] * len(findings), strict=True)
    ]
    return Figure(
        title=title,
        note=note,
        chart=lambda width: interval_chart(plotted, title=axis or unit_text(findings[0]), width=width, lines=lines),
        tables=tables,
    )
