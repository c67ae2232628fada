"""Ratios over time on the page: a line per group, each period's table, whether the ratio changed, pools by period."""

from calendar import timegm
from collections.abc import Sequence
from math import inf

from evenhand.report.charts.intervals import IntervalRow, ratio_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.impact.summary import significant_cell
from evenhand.report.page.parts import Figure, Part, Section, Table, table_of
from evenhand.report.words.numbers import ABSENT, count_text, counted, p_text
from evenhand.report.words.results import capital, corrected_p, in_words, listing, sentence_case
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding, ImpactRatio, PeriodChange, copied
from evenhand.results.impact_groups import ImpactGroups, OverTime, month_of
from evenhand.results.measures import RATIO_TREND

TEXT = (
    "All periods have the same reference group, that of all periods together, so no ratio changes because its "
    "reference does. One ratio for all periods is tested by scores of the log ratio (Gart and Nam; with clusters by "
    "Hotelling's T²), the trend by a log-binomial regression (with clusters by a t test of the slope of the log "
    "ratios). Whether a ratio changed is another question than whether it differs from 1: a period below four-fifths "
    "after one above it may be chance. The last period's ratios are planned comparisons, which gates judge with "
    "those of all periods together; earlier ones are exploratory."
)
#: Periods whose ratios a sentence names; groups per chart.
MOST_NAMED, MOST_LINES = 6, 6


def periods_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return a chart and a table per attribute and definition of a selection; None without periods."""
    parts: list[Part] = []
    for key in dict.fromkeys(each.key for each in groups.over_time):
        of_key = [each for each in groups.over_time if each.key == key]
        attribute, definition = key
        name = f"{capital(in_words(attribute))}: {impact_views.definition_at(definition, audit)}"
        text = [change_sentence(each) for each in of_key]
        parts.append(
            Part(heading=name, text=text, figures=[_figure(name, of_key[:MOST_LINES], audit)], folded=bool(parts))
        )
    if not parts:
        return None
    pools = ["Expected numbers and shortfalls of each position and period are in pools.csv."]
    text = [TEXT, *(pools if audit.parameters.get("position") and not audit.parameters.get("cluster") else [])]
    return Section(name="periods", heading="Over time", text=text, parts=parts)


def over_time_sentence(groups: ImpactGroups) -> str:
    """Return how the ratio of the group lowest in the last period went, one that changed first."""

    def order(each: OverTime) -> tuple[bool, bool, float]:
        last = each.ratios[-1].estimate
        changed, differs = (any(finding.is_difference for finding in of) for of in (each.changes, each.ratios))
        return not changed, not differs, inf if last is None else last

    first = min(groups.over_time, key=order, default=None)
    return "" if first is None else change_sentence(first)


def change_sentence(each: OverTime) -> str:
    """Return the ratio of each period (of many the first and the last), and whether it changed."""
    ratios = list(each.ratios)
    unit = PeriodChange.of(each.changes[0]).unit if each.changes else "period"
    shown = ratios if len(ratios) <= MOST_NAMED else [ratios[0], ratios[-1]]
    named = [f"{_ratio(finding)} in {finding.slice['period']}" for finding in shown]
    focal, reference = impact_views.named_group(ratios[0].focal), impact_views.reference_name(ratios[0].reference)
    stage = "".join(f"{finding_slice}: " for finding_slice in [ratios[0].slice.get("stage", "")] if finding_slice)
    text = f"{stage}{capital(focal)} against {reference}, by {unit}: impact ratio {listing(named)}"
    if all(finding.estimate is None for finding in ratios):
        text = f"{stage}{capital(focal)} against {reference}, by {unit}: no impact ratio"
    text += "" if len(shown) == len(ratios) else f" ({count_text(len(ratios))} periods)"
    last = ratios[-1].estimate
    if last is not None:
        side = "below" if last < impact_views.FOUR_FIFTHS_LINE else "above"
        text += f"; the last is {abs(last - impact_views.FOUR_FIFTHS_LINE):.2f} {side} four-fifths"
    different = [finding.slice["period"] for finding in ratios if finding.is_difference]
    text += f"; the rates differ in {listing(different)}" if different else ""
    tested = [PeriodChange.of(finding) for finding in each.changes if finding.p is not None]
    used, periods = (tested[0].informative or 0, tested[0].periods or 0) if tested else (0, 0)
    if used < periods:
        text += f". Only {used} of {periods} periods can be tested for a change"
    return f"{text}. {' '.join(_changed(finding) for finding in each.changes)}"


def _changed(finding: Finding) -> str:
    trend = finding.measure == RATIO_TREND
    what = "trend" if trend else "change between periods"
    if finding.claim is None or finding.claim.p is None:
        return f"Whether there is a {what} can't be tested: {sentence_case(finding.reason or '')}"
    p = corrected_p(finding.claim)
    if trend:
        span = impact_views.RATIO.interval(finding.low, finding.high, apart=(1.0,))
        factor = f"{impact_views.odds_text(finding.estimate)} per {PeriodChange.of(finding).unit}"
        p = f"a factor of {factor}, 95 % CI {span}; {p}"
    found = f"The ratio {'has a trend' if trend else 'differs between periods'}"
    return f"{found if finding.is_difference else f'No {what} was detected'} ({p})."


def _ratio(finding: Finding) -> str:
    return "none" if finding.estimate is None else impact_views.SHORT.text(finding.estimate, apart=impact_views.APART)


def _figure(name: str, of_key: Sequence[OverTime], audit: ImpactAudit) -> Figure:
    series = {id(each): impact_views.group_name(each.ratios[0].focal) for each in of_key}
    lines = impact_views.ratio_lines(audit)
    points = [
        LinePoint(
            at=at,
            value=finding.estimate,
            series=series[id(each)],
            text=f"{series[id(each)]}, {finding.slice['period']}: {impact_views.short_ratio(finding)}",
            low=finding.low,
            high=finding.high,
        )
        for each in of_key
        for finding in each.ratios
        for at in [_second_of(finding.slice["period"])]
        if at is not None
    ]
    title, note = f"Impact ratio over time: {name}", "Lines are 95 % confidence intervals."
    tables = [_table(name, of_key)]
    if points and len(points) == sum(len(each.ratios) for each in of_key):
        return Figure(
            title=title,
            note=note,
            chart=lambda width: line_chart(
                points, title="Impact ratio", along="", width=width, lines=lines, axis="time"
            ),
            tables=tables,
        )
    drawn = [
        IntervalRow(
            label=finding.slice["period"],
            **copied(finding, "estimate low high"),
            series=series[id(each)],
            text=f"{series[id(each)]}, {finding.slice['period']}: {impact_views.short_ratio(finding)}",
        )
        for each in of_key
        for finding in each.ratios
    ]
    return Figure(
        title=title,
        note=note,
        chart=lambda width: ratio_chart(drawn, title="Impact ratio", width=width, lines=lines),
        tables=tables,
    )


def _second_of(period: str) -> float | None:
    """Return the beginning of a year, quarter or month in seconds since 1970, None of another label.

    >>> _second_of("1970"), _second_of("1970-Q2"), _second_of("1970-02"), _second_of("spring")
    (0.0, 7776000.0, 2678400.0, None)
    """
    known = month_of(period)
    return None if known is None else float(timegm((known[0] // 12, known[0] % 12 + 1, 1, 0, 0, 0)))


def _table(name: str, of_key: Sequence[OverTime]) -> Table:
    rows = [finding for each in of_key for finding in each.ratios]
    return table_of(
        rows,
        {
            "Period": lambda finding: finding.slice["period"],
            "Group": impact_views.pair_name,
            "Rates": lambda finding: (
                f"{impact_views.rate_of(ImpactRatio.of(finding), 'focal')}, "
                f"{impact_views.rate_of(ImpactRatio.of(finding), 'reference')}"
            ),
            "Ratio (95 % CI)": impact_views.short_ratio,
            "To four-fifths": lambda finding: (
                ABSENT
                if finding.estimate is None
                else impact_views.signed(finding.estimate - impact_views.FOUR_FIFTHS_LINE)
            ),
            "Four-fifths": lambda finding: impact_views.four_fifths_cell(ImpactRatio.of(finding).four_fifths),
            "Significant?": significant_cell,
            "p": lambda finding: p_text(finding.p),
            "Note": lambda finding: finding.reason or "",
        },
        caption=f"{name}: {counted(len({finding.slice['period'] for finding in rows}), 'period')} side by side",
    )
