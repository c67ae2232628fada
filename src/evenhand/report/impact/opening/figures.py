"""The bar chart of selection rates with their intervals."""

from collections.abc import Sequence

from evenhand.report.charts import BarRow, bar_chart
from evenhand.report.impact.views import by_problem, definition_at, group_name, named_group, share_text, view_name
from evenhand.report.page.parts import Figure
from evenhand.report.words.numbers import Scale, confidence_text
from evenhand.report.words.wording import listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import View

__all__ = ["rates_figure"]

#: Bars of the chart; groups beyond them are in the tables.
MOST_BARS = 14
PERCENT = Scale(factor=100, decimals=1)


def rates_figure(views: Sequence[View], audit: ImpactAudit) -> Figure | None:
    """Return the chart: a bar per group, the reference of each attribute last; None where no rate is known."""
    bars = [bar for view in views for bar in _bars(view, several=len(views) > 1)][:MOST_BARS]
    if not bars:
        return None
    what = definition_at(views[0].definition, audit)
    title = f"Selection rates by {listing([view_name(view) for view in views])}"
    return Figure(
        title=title if what == "decision" else f"{title}: {what}",
        note=f"Lines are {confidence_text(views[0].rates[0].confidence)} confidence intervals.",
        chart=lambda width: bar_chart(bars, title="% selected", width=width),
        tables=(),
    )


def _bars(view: View, *, several: bool) -> list[BarRow]:
    order = [each.focal for each in by_problem(view.findings)]
    references = [each.reference for each in view.findings]
    known = [each for each in view.rates if each.estimate is not None]
    shown = sorted(known, key=lambda each: order.index(each.focal) if each.focal in order else len(order))
    return [_bar(each, reference=each.focal in references, several=several) for each in shown]


def _bar(rate: Finding, *, reference: bool, several: bool) -> BarRow:
    label = (named_group if several else group_name)(rate.focal) + (" (reference)" if reference else "")
    span = f" ({PERCENT.interval(rate.low, rate.high)})" if rate.low is not None else ""
    value, low, high = (None if end is None else PERCENT.shown(end) for end in (rate.estimate, rate.low, rate.high))
    return BarRow(label=label, value=value, low=low, high=high, text=f"{label}: {share_text(rate.estimate)}{span}")
