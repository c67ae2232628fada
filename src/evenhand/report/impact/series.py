"""Ratios in a series on the page: by stage, by cut-off of the scores, by age, and by period."""

from calendar import timegm
from collections.abc import Callable, Sequence
from math import inf

from evenhand.report.charts.intervals import IntervalRow, ratio_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.impact.summary import significant_cell
from evenhand.report.page.parts import Figure, Part, Section, Table, table_of
from evenhand.report.words.numbers import ABSENT, count_text, counted, named_p, p_text, percent_text
from evenhand.report.words.results import capital, corrected_p, in_words, listing, sentence_case, why_not
from evenhand.results.applicant_audit import AgeRate, ImpactAudit, SweepRate
from evenhand.results.finding import AgeCurve, Finding, ImpactRatio, PeriodChange, copied
from evenhand.results.impact_groups import ImpactGroups, OverTime, Step, View, month_of
from evenhand.results.measures import AGE_ASSOCIATION, RATIO_TREND
from evenhand.results.schemas import BOTTOM_LINE


def series_sections(groups: ImpactGroups, audit: ImpactAudit) -> list[Section | None]:
    """Return the sections in reading order."""
    return [
        age_section(groups, audit),
        stage_section(groups, audit),
        periods_section(groups, audit),
        cutoff_section(groups, audit),
    ]


OVER_TIME_TEXT = (
    "All periods have the same reference group, that of all periods together, so no ratio changes because its "
    "reference does. One ratio for all periods is tested by scores of the log ratio (Gart and Nam; with clusters by "
    "Hotelling's T²), the trend by a log-binomial regression (with clusters by a t test of the slope of the log "
    "ratios). Whether a ratio changed is another question than whether it differs from 1: a period below four-fifths "
    "after one above it may be chance. The last period's ratios are planned comparisons, which gates judge with "
    "those of all periods together; earlier ones are exploratory."
)
#: Periods whose ratios a sentence names; groups per chart.
MOST_PERIODS_NAMED, MOST_PERIOD_LINES = 6, 6


def periods_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return a chart and a table per attribute and definition of a selection; None without periods."""
    parts: list[Part] = []
    for key in dict.fromkeys(each.key for each in groups.over_time):
        of_key = [each for each in groups.over_time if each.key == key]
        attribute, definition = key
        name = f"{capital(in_words(attribute))}: {impact_views.definition_at(definition, audit)}"
        text = [change_sentence(each) for each in of_key]
        parts.append(
            Part(
                heading=name,
                text=text,
                figures=[_period_figure(name, of_key[:MOST_PERIOD_LINES], audit)],
                folded=bool(parts),
            )
        )
    if not parts:
        return None
    pools = ["Expected numbers and shortfalls of each position and period are in pools.csv."]
    text = [
        OVER_TIME_TEXT,
        *(pools if audit.parameters.get("position") and not audit.parameters.get("cluster") else []),
    ]
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
    shown = ratios if len(ratios) <= MOST_PERIODS_NAMED else [ratios[0], ratios[-1]]
    named = [f"{_period_ratio(finding)} in {finding.slice['period']}" for finding in shown]
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


def _period_ratio(finding: Finding) -> str:
    return "none" if finding.estimate is None else impact_views.SHORT.text(finding.estimate, apart=impact_views.APART)


def _period_figure(name: str, of_key: Sequence[OverTime], audit: ImpactAudit) -> Figure:
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
    tables = [_period_table(name, of_key)]
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


def _period_table(name: str, of_key: Sequence[OverTime]) -> Table:
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


def stage_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return a block per stage, the bottom line last; None where there are no stages."""
    if not groups.steps:
        return None
    parts = []
    for step in groups.steps:
        stage, single = step.stage, [view for view in step.views if not view.crossed]
        heading = "Bottom line: all stages together" if stage == BOTTOM_LINE else f"Stage: {stage}"
        tables = [_stage_table(step, audit)]
        figures = [_stage_figure(single, stage, tables, audit)] if single else []
        parts.append(
            Part(
                heading=heading,
                text=[impact_views.view_sentence(view, audit) for view in single] if stage != BOTTOM_LINE else [],
                figures=figures,
                tables=[] if figures else tables,
            )
        )
    text = [
        "Each stage is analysed among the people who reached it. A balanced result at the end does not excuse a "
        "stage that disadvantages a group (Connecticut v. Teal, 457 U.S. 440 (1982)), and small differences at "
        "several stages can add up.",
    ]
    return Section(name="stages", heading="Stage by stage", text=text, parts=parts)


def _stage_figure(views: Sequence[View], stage: str, tables: Sequence[Table], audit: ImpactAudit) -> Figure:
    several = len({view.attributes for view in views}) > 1, len({view.definition for view in views}) > 1

    def label(view: View, finding: Finding) -> str:
        qualifiers = [impact_views.view_name(view)] * several[0] + [
            impact_views.definition_name(view.definition, audit)
        ] * several[1]
        return capital(impact_views.group_name(finding.focal)) + (f" ({', '.join(qualifiers)})" if qualifiers else "")

    drawn = [impact_views.interval_row(finding, label(view, finding)) for view in views for finding in view.findings][
        : impact_views.MOST_GROUPS_PLOTTED
    ]
    return Figure(
        title=f"Impact ratios, {stage if stage == BOTTOM_LINE else f'stage {stage}'}",
        note="Each group against its reference in the table.",
        chart=lambda width: ratio_chart(
            drawn, title="Impact ratio", width=width, lines=impact_views.ratio_lines(audit)
        ),
        tables=tables,
    )


def _stage_table(step: Step, audit: ImpactAudit) -> Table:
    stage_findings = [(view, finding) for view in step.views if not view.means for finding in view.findings]
    several = len({(view.definition.approach, view.definition.cutoff) for view, _ in stage_findings}) > 1
    labels = [
        capital(impact_views.pair_name(finding))
        + (f" ({impact_views.definition_name(view.definition, audit)})" if several else "")
        for view, finding in stage_findings
    ]
    return impact_views.columns_table(
        {
            "Rates": [
                f"{impact_views.rate_of(details, 'focal')}, {impact_views.rate_of(details, 'reference')}"
                for details in (ImpactRatio.of(finding) for _, finding in stage_findings)
            ],
            "Ratio": [
                impact_views.short_ratio(finding)
                if impact_views.is_bounded(finding)
                else impact_views.ratio_text(finding.estimate)
                for _, finding in stage_findings
            ],
            "95 % CI": [
                ABSENT
                if impact_views.is_bounded(finding)
                else impact_views.RATIO.interval(finding.low, finding.high, apart=impact_views.APART)
                for _, finding in stage_findings
            ],
            "Four-fifths": [
                impact_views.four_fifths_cell(ImpactRatio.of(finding).four_fifths) for _, finding in stage_findings
            ],
            "p": [p_text(finding.p) for _, finding in stage_findings],
            "p, adjusted": [p_text(finding.p_adjusted) for _, finding in stage_findings],
            "Minimum detectable ratio": [
                impact_views.ratio_text(ImpactRatio.of(finding).detectable_ratio) for _, finding in stage_findings
            ],
            "Note": ["; ".join(filter(None, (why_not(finding), finding.reason))) for _, finding in stage_findings],
        },
        caption=f"All groups, {step.stage}",
        first="Group",
        labels=labels,
        words=["Rates", "Four-fifths"],
    )


#: Fewer selections than this in a group or in the group with the highest rate: the ratio hangs on single people.
FEW = 5


#: Lines that a reader can follow in one chart.
MOST_SERIES = 6


NO_RATIO = (
    "No chart of impact ratios: at none of the cut-offs is anybody selected in the group that others are compared with."
)


def cutoff_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return ratio and rate by cut-off for each attribute; None without scores."""
    parts: list[Part] = []
    for attribute, rows in groups.sweep.items():
        labels = list(dict.fromkeys(row.group for row in rows))
        ratios, rates = [], []
        for start in range(0, len(labels), MOST_SERIES):
            chosen = set(labels[start : start + MOST_SERIES])
            chosen_rows = [row for row in rows if row.group in chosen]
            if any(row.impact_ratio is not None for row in chosen_rows):
                ratios.append(_ratios(chosen_rows, rows, audit))
            rates.append(_rates(chosen_rows, audit))
        name = capital(in_words(attribute))
        if ratios:
            parts.append(Part(heading=name, figures=ratios, folded=bool(parts)))
            parts.append(Part(heading=f"{name}: selection rates", figures=rates, folded=True))
        else:
            parts.append(Part(heading=name, text=[NO_RATIO], figures=rates, folded=bool(parts)))
    if not parts:
        return None
    text = [
        "Cut-offs at equally spaced ranks of all scores are tried in turn. A cut-off that was picked "
        "because its ratio looks good, or bad, is chosen post hoc.",
        f"Hollow points rest on fewer than {FEW} selections, in the group or in the one that it is compared with: "
        "there one person moves the ratio far.",
    ]
    return Section(name="cutoffs", heading="Sensitivity to the cut-off", text=text, parts=parts)


def _against(rows: Sequence[SweepRate]) -> str:
    """Return the reference of the ratios: the named group, or the one with the highest rate."""
    named = rows[0].reference
    return f"{named}, the group that was named" if named is not None else "the group with the highest rate there"


def _few(row: SweepRate, rows: Sequence[SweepRate]) -> bool:
    at = [other for other in rows if other.cutoff == row.cutoff]
    named = [candidate for candidate in at if candidate.group == row.reference]
    against = named[0] if named else max(at, key=lambda candidate: candidate.rate)
    return row.selected < FEW or against.selected < FEW


def _ratios(drawn: Sequence[SweepRate], rows: Sequence[SweepRate], audit: ImpactAudit) -> Figure:
    few = {(row.group, row.cutoff): _few(row, rows) for row in drawn}
    points = [
        LinePoint(
            at=row.cutoff,
            value=row.impact_ratio,
            series=row.group,
            hollow=few[row.group, row.cutoff],
            text=(
                f"{row.group}, {audit.side} {row.cutoff:g}: "
                f"{impact_views.ratio_text(row.impact_ratio)}, "
                f"{count_text(row.selected)} of {count_text(row.n)} selected"
            ),
        )
        for row in drawn
        if row.impact_ratio is not None
    ]
    title = f"Impact ratio by cut-off, groups of {in_words(drawn[0].attribute)}"
    lines = [line for line in impact_views.ratio_lines(audit) if line.value == impact_views.FOUR_FIFTHS_LINE]

    def cell(row: SweepRate) -> str:
        marked = " (few)" if few[row.group, row.cutoff] else ""
        return impact_views.ratio_text(row.impact_ratio) + marked

    return Figure(
        title=title,
        note="The dashed line at 0.8 is four fifths; the axis need not begin at 0. At each cut-off the ratio is "
        f"to {_against(drawn)}.",
        chart=lambda width: line_chart(points, title="Impact ratio", along="cut-off", width=width, lines=lines),
        tables=[_table(drawn, cell, caption=f"{title}; (few): fewer than {FEW} selections")],
    )


def _rates(drawn: Sequence[SweepRate], audit: ImpactAudit) -> Figure:
    points = [
        LinePoint(
            at=row.cutoff,
            value=100 * row.rate,
            series=row.group,
            hollow=row.selected < FEW,
            text=f"{row.group}, {audit.side} {row.cutoff:g}: {percent_text(row.rate)} selected, "
            f"{count_text(row.selected)} of {count_text(row.n)}",
        )
        for row in drawn
    ]
    title = f"Selection rate by cut-off, groups of {in_words(drawn[0].attribute)}"
    return Figure(
        title=title,
        note="",
        chart=lambda width: line_chart(points, title="% selected", along="cut-off", width=width, zero=True),
        tables=[
            _table(
                drawn,
                lambda row: f"{percent_text(row.rate)} ({count_text(row.selected)})",
                caption=f"{title}, and how many",
            )
        ],
    )


def _table(drawn: Sequence[SweepRate], cell: Callable[[SweepRate], str], *, caption: str) -> Table:
    cutoffs = sorted({row.cutoff for row in drawn})
    cells = {(row.group, row.cutoff): cell(row) for row in drawn}
    groups = list(dict.fromkeys(row.group for row in drawn))
    return impact_views.columns_table(
        {group: [cells.get((group, cutoff), ABSENT) for cutoff in cutoffs] for group in groups},
        caption=caption,
        first="Cut-off",
        folded=True,
        labels=[f"{cutoff:.6g}" for cutoff in cutoffs],
    )


AGES_TEXT = (
    "A natural cubic spline of age in a logistic regression shows whether the selection rate changes at some age other "
    "than 40, or steadily. It explores: the groups by age are the planned comparison. It does not adjust for positions "
    "or qualifications."
)


def age_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the curve; None without ages in years."""
    if not groups.ages:
        return None
    of_measure = {finding.measure: finding for finding in groups.ages}
    association = of_measure[AGE_ASSOCIATION]
    if association.reason is not None:
        return Section(name="age", heading="Selection by years of age", text=[AGES_TEXT, association.reason])
    rows = audit.shown.ages
    points = [
        LinePoint(
            at=row.years,
            value=100 * row.rate,
            low=100 * row.low,
            high=100 * row.high,
            text=f"{row.years} years: {percent_text(row.rate)}, {count_text(row.selected)} of {count_text(row.n)}",
        )
        for row in rows
    ]
    table = table_of(
        rows,
        {
            "Years": lambda row: str(row.years),
            "Selected": lambda row: f"{count_text(row.selected)} of {count_text(row.n)}",
            "Curve (95 % band)": _band,
        },
        caption="Selection rate by years of age",
        folded=True,
    )
    figure = Figure(
        title="Selection rate by years of age",
        note="The vertical lines are the 95 % band of the curve at each year of age.",
        chart=lambda width: line_chart(points, title="% selected", along="years of age", width=width, zero=True),
        tables=[table],
    )
    text, parts = [AGES_TEXT, *age_sentences(groups)], [Part(figures=[figure])]
    return Section(name="age", heading="Selection by years of age", text=text, parts=parts)


def age_sentences(groups: ImpactGroups) -> list[str]:
    """Return whether the rate varies with age, by how much in ten years, and whether in a straight line."""
    known = [finding for finding in groups.ages if finding.claim is not None and finding.estimate is not None]
    sentences = []
    for finding in known:
        details, p = AgeCurve.of(finding), corrected_p(finding.claim) if finding.claim is not None else ""
        if finding.measure == AGE_ASSOCIATION:
            found = "The selection rate varies with age"
            found = found if finding.is_difference else "No association of the selection rate with age was detected"
            sentences.append(
                f"{found} ({p}): the curve is highest at {details.age_highest:.0f} years "
                f"({percent_text(details.highest)}) and lowest at {details.age_lowest:.0f} "
                f"({percent_text(details.lowest)})."
            )
            sentences += [
                f"Another shape than a straight line in the log odds: {named_p(test.p)}, not corrected."
                for test in finding.tests[1:]
                if test.p is not None
            ]
        else:
            odds = impact_views.short_ratio(finding, impact_views.ODDS_APART, level=True)
            sentences.append(f"In a straight line ten years more multiply the odds by {odds}, {p}.")
    return sentences


def _band(row: AgeRate) -> str:
    return f"{percent_text(row.rate)} ({impact_views.PERCENT.interval(row.low, row.high)})"
