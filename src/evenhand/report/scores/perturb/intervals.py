"""The chart of differences: dots with their intervals, the margin marked."""

from collections.abc import Callable, Sequence

from evenhand.report.charts import Chart, IntervalRow, MarkedLine, interval_chart
from evenhand.report.scores.perturb.told import kind_of, measured
from evenhand.report.words.numbers import Scale
from evenhand.tables.audit.perturb import PLACEBO
from evenhand.tables.details import PerturbedScores
from evenhand.tables.finding import Finding

__all__ = ["differences_chart"]


def differences_chart(
    findings: Sequence[Finding], scale: Scale, label: Callable[[Finding], str]
) -> Callable[[int], Chart]:
    """Return what draws the chart at a width, a row for each finding under its label."""
    rows = [
        IntervalRow(
            label=label(each),
            estimate=each.estimate,
            low=each.low,
            high=each.high,
            text=f"{label(each)}: {scale.text(each.estimate, apart=(0.0,))} "
            f"({scale.interval(each.low, each.high, apart=(0.0,))})",
            series="placebo" if kind_of(each) == PLACEBO else "arms",
        )
        for each in findings
    ]
    margin = PerturbedScores.of(findings[0]).margin
    lines = [MarkedLine(value=0.0, text="no difference")]
    lines += [] if margin is None else [MarkedLine(value=-margin, text="margin"), MarkedLine(value=margin)]
    title = f"difference of {measured(scale)},{scale.long_suffix}"
    return lambda width: interval_chart(rows, title=title, width=width, lines=lines)
