"""A share along a context number, with the straight line of each group."""

from collections.abc import Sequence
from dataclasses import replace

from evenhand.report.charts import FittedLine, ScatterPoint, scatter_chart
from evenhand.report.page.parts import Column, Figure, Part, Section, Table, estimate_table, interval_heading
from evenhand.report.words.numbers import ABSENT, count_text, scale_of
from evenhand.report.words.wording import (
    capital,
    group_label,
    in_words,
    value_text,
)
from evenhand.tables.audit.measured import Regression
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.details import Bin
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import Fit, ProbeGroups

__all__ = ["trend_section"]


def trend_section(groups: ProbeGroups, audit: ProbeAudit) -> Section | None:
    """Return the share along a context number with each group's line, or None."""
    regression = audit.regression or Regression()
    against, measure = regression.against, regression.measure
    bins, fits = groups.bins, groups.fits
    if not bins and not fits:
        return None
    label, what = regression.label or in_words(str(against)), capital(in_words(measure or "share"))
    known = [finding for finding in bins if finding.estimate is not None]
    points = [
        ScatterPoint(
            at=Bin.of(finding).mean or 0.0,
            estimate=100 * (finding.estimate or 0.0),
            low=None if finding.low is None else 100 * finding.low,
            high=None if finding.high is None else 100 * finding.high,
            series=capital(group_label(finding.focal)),
            text=f"{group_label(finding.focal)}, {next(iter(finding.slice.values()))}: {value_text(finding)}",
        )
        for finding in known
    ]
    ends = [end for finding in bins for end in (Bin.of(finding).low, Bin.of(finding).high) if end is not None]
    domain = (min(ends, default=0.0), max(ends, default=1.0))
    lines = [_line(fit, domain) for fit in fits]
    tables = []
    if bins:
        by = in_words(str(against))
        tables.append(replace(_bin_table(bins, caption=f"{what} by {by}", first=capital(by)), folded=True))
    if fits:
        tables.append(_fit_table(groups, against=in_words(str(against))))
    if not points and not lines:
        return None
    note = "Dots are the shares within a band of the scale, drawn at its mean, with their intervals."
    if lines:
        note += " The straight lines are each group's least-squares fit to the single items, not to the dots."
    figure = Figure(
        title=f"{what} by {in_words(str(against))}",
        note=note,
        chart=lambda width: scatter_chart(points, lines, title=f"{what}, %", along=label, domain=domain, width=width),
        tables=tables,
    )
    return Section(name="trend", heading=f"{what} by {in_words(str(against))}", parts=[Part(figures=[figure])])


def _bin_table(bins: Sequence[Finding], *, caption: str, first: str) -> Table:
    """Return one line per bin, with the estimate, interval and n of each group side by side."""
    groups = list(dict.fromkeys(group_label(finding.focal) for finding in bins))
    cells: dict[str, dict[str, list[str]]] = {}
    for finding in bins:
        scale = scale_of(finding)
        texts = [scale.text(finding.estimate), scale.interval(finding.low, finding.high), count_text(finding.n)]
        cells.setdefault(next(iter(finding.slice.values())), {})[group_label(finding.focal)] = texts
    columns = [Column(label=first, numeric=False)]
    for group in groups:
        name = capital(group)
        columns += [Column(label=label) for label in (name, f"{name}, {interval_heading(bins)}", f"{name}, n")]
    lines = [
        [label, *(cell for group in groups for cell in found.get(group, [ABSENT] * 3))]
        for label, found in cells.items()
    ]
    return Table(caption=caption, columns=columns, rows=lines)


def _line(fit: Fit, domain: tuple[float, float]) -> FittedLine:
    slope, intercept = fit.slope, fit.intercept
    start, end = ((intercept.estimate or 0.0) + (slope.estimate or 0.0) * at for at in domain)
    return FittedLine(
        series=capital(group_label(slope.focal)),
        at=domain[0],
        estimate=100 * start,
        end_at=domain[1],
        end=100 * end,
        text=f"{group_label(slope.focal)}, fitted line: slope {value_text(slope)}",
    )


def _fit_table(groups: ProbeGroups, *, against: str) -> Table:
    slopes, contrast = [fit.slope for fit in groups.fits], groups.slope_contrast
    told = [*slopes, *([contrast] if contrast else [])]
    labels = [group_label(slope.focal) for slope in slopes] + (["difference"] if contrast else [])
    intercepts = [scale_of(fit.intercept).text(fit.intercept.estimate) for fit in groups.fits] + (
        [ABSENT] if contrast else []
    )
    table = estimate_table(
        told,
        caption=f"Slopes on {against}: the change of the share from 0 to 1 on the scale",
        first="Group",
        labels=[capital(label) for label in labels],
        extra={"Intercept": intercepts},
    )
    columns = [Column(label="Slope") if c.label == "Estimate" else c for c in table.columns]
    return Table(caption=table.caption, columns=columns, rows=table.rows)
