"""Features and their findings in words."""

from collections.abc import Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Final

from evenhand.report.charts import IntervalRow, MarkedLine, interval_chart
from evenhand.report.page.parts import Column, Figure, Table
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text
from evenhand.tables.audit.features.details import Proxy
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.features import feature_of

__all__ = [
    "AREA",
    "TELLS",
    "figure_text",
    "interval",
    "percent",
    "proxies_figure",
    "proxy_label",
    "table_of",
    "telling",
    "which_end",
]

#: Areas under the ROC curve.
AREA: Final = Scale(decimals=3)
#: A feature tells a group where the whole interval lies above: of two people, one in the group and one out of it, it
#: ranks the right one higher at least so often.
TELLS: Final = 0.6
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_TEXTS: Final = frozenset(
    {
        "Expected",
        "Found",
        "Group",
        "Groups",
        "Kind",
        "Most frequent",
        "Needs a look because",
        "Note",
        "Rule",
        "Verdict",
        "Attribute",
        "Which values",
        "Category",
    }
)


def table_of(caption: str, columns: Mapping[str, Sequence[str]], *, folded: bool = False) -> Table:
    """Return a table of columns by their headings, the first one names the row; columns without a word are left out."""
    first = next(iter(columns))
    held = {name: cells for name, cells in columns.items() if name == first or set(cells) - {"", ABSENT}}
    heads = [Column(label=name, numeric=place > 0 and name not in _TEXTS) for place, name in enumerate(held)]
    return Table(caption=caption, columns=heads, rows=list(zip(*held.values(), strict=True)), folded=folded)


def figure_text(value: float | None, kind: str = "number") -> str:
    """Return a number of any size with four significant digits, a day as a date.

    >>> figure_text(0.287), figure_text(1344.0), figure_text(2e-9), figure_text(0.0, "date"), figure_text(None)
    ('0.287', '1,344', '2.000e-9', '1970-01-01', '–')
    """
    if value is None or not isfinite(value):
        return ABSENT
    if kind == "date":
        day = _FIRST_DAY + round(value)
        return date.fromordinal(day).isoformat() if 1 <= day <= date.max.toordinal() else f"{value:,.0f}"
    size = abs(value)
    if value == round(value) and size < 1e9:
        return Scale(decimals=0).number(value)
    if size >= 1e9 or size < 1e-4:
        digits, _, power = f"{value:.3e}".partition("e")
        return f"{digits}e{int(power)}".replace("-", "\N{MINUS SIGN}", 1 if value < 0 else 0)
    places = max(0, 4 - len(str(int(size)))) if size >= 1 else 4
    text = Scale(decimals=places).number(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float | None) -> str:
    """Return a share in percent."""
    return Scale(factor=100, suffix=" %", decimals=1).text(share)


def interval(finding: Finding) -> str:
    """Return the confidence interval of an area, or why there is none."""
    return AREA.interval(finding.low, finding.high)


def telling(finding: Finding) -> str:
    """Return how well a feature tells a group: the area with its interval.

    Of an attribute with two groups the attribute is told.
    """
    attribute, group = next(iter(finding.focal.items()))
    what = attribute if Proxy.of(finding).groups == 2 else f"{attribute} {group}"
    ends = "" if finding.low is None else f" ({confidence_text(finding.confidence)} CI {interval(finding)})"
    return f"{what} at AUC {AREA.number(finding.estimate)}{ends}"


def which_end(finding: Finding) -> str:
    """Return which values go with the group."""
    direction = Proxy.of(finding).direction
    return "" if not direction else f"{direction} values: {next(iter(finding.focal.values()))}"


def proxy_label(finding: Finding) -> str:
    """Return a feature and what it tells."""
    attribute, group = next(iter(finding.focal.items()))
    what = attribute if Proxy.of(finding).groups == 2 else f"{attribute} {group}"
    return f"{feature_of(finding) or 'all features'} → {what}"


def proxies_figure(findings: Sequence[Finding], *, title: str) -> Figure:
    """Return areas drawn as intervals."""
    rows = [
        IntervalRow(
            label=proxy_label(each),
            estimate=each.estimate,
            low=each.low,
            high=each.high,
            text=f"{proxy_label(each)}: {AREA.number(each.estimate)} ({interval(each)})",
        )
        for each in findings
        if each.estimate is not None
    ]
    lines = [MarkedLine(value=0.5, text="by chance")]
    return Figure(
        title=title,
        note="Dots are areas under the ROC curve (AUC), lines their confidence intervals.",
        chart=lambda width: interval_chart(rows, title="AUC", width=width, lines=lines),
        tables=[],
    )
