"""The page of an analysis of applicants, and its sections: attributes, positions, stages, cut-offs."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from evenhand.report.charts.intervals import ratio_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact import tests as impact_tests
from evenhand.report.impact import views as impact_views
from evenhand.report.impact.context import counted_section, impact_definitions, impact_limits, impact_parameter_rows
from evenhand.report.impact.summary import (
    MOST_LINES,
    MOST_TABLES,
    availability_section,
    impact_summary,
    leading_views,
    rates_table,
)
from evenhand.report.page.contents import APPLICANTS, Page
from evenhand.report.page.parts import Figure, Part, Section, Table, interval_heading
from evenhand.report.words.numbers import ABSENT, SIGNIFICANCE, count_text, counted, named_p, p_text, percent_text
from evenhand.report.words.results import capital, in_words, listing, why_not
from evenhand.results.applicant_audit import ImpactAudit, Positions, SweepRate
from evenhand.results.finding import Finding, ImpactRatio, PooledOdds
from evenhand.results.impact_groups import ImpactGroups, Step, View, definition_of
from evenhand.results.schemas import BOTTOM_LINE, CROSSED

ALL_GROUPS = "Fisher-Freeman-Halton"
#: Groups per chart; the table has all of them.
MOST_GROUPS_PLOTTED = 40


def attribute_section(views: Sequence[View], number: int, audit: ImpactAudit, *, led: Collection[View]) -> Section:
    """Return the section: a forest plot and its tables per definition of a selection.

    `led` are the views whose rates are on the first screen.
    """
    text = []
    if views[0].crossed:
        text.append(
            "People are grouped by several attributes at once. There are many such groups with few people in each, "
            "so these comparisons are exploratory, and their p is adjusted for all of them (Benjamini-Hochberg)."
        )
    if not any(view in led and view.known for view in views):  # else the first screen has them
        text += [note.text for note in audit.reference_floor.notes if note.attributes == views[0].attributes]
    return Section(
        name=f"attribute-{number}",
        heading=f"By {listing([in_words(name) for name in views[0].attributes])}",
        text=text,
        parts=[_view_part(view, audit, folded=view not in led, led=view in led) for view in views],
    )


def _view_part(view: View, audit: ImpactAudit, *, folded: bool, led: bool) -> Part:
    heading = capital(impact_views.definition_name(view.definition, audit))
    heading += ", all stages together" if view.definition.stage == BOTTOM_LINE else ""
    tables = [] if led and len(view.findings) <= MOST_LINES else [rates_table(view, audit, folded=led, most=None)]
    text = []
    if not view.means:
        worst = impact_views.by_problem(view.findings)[0]
        rule = impact_views.false_positives(worst)
        at_size = [] if impact_views.cluster_counts_text(worst) else impact_views.tests_at_this_size(view)
        text = [*at_size, *_all_groups(view), *([] if led and rule in impact_views.cautions(worst) else [rule])]
        if not all(map(impact_views.is_bounded, view.findings)):
            tables.append(_tests_table(view, folded=bool(tables)))
    return Part(
        heading=heading,
        text=[part for part in (_references(view), *text) if part],
        figures=[_forest(view, tables, audit)] if tables else [],
        folded=folded,
    )


def _all_groups(view: View) -> list[str]:
    """Return the exact test of all groups together, where there are three or more."""
    tests = [test for finding in view.findings for test in finding.tests if test.name.startswith(ALL_GROUPS)]
    if not tests or tests[0].p is None:
        return []
    groups, _, drawn = tests[0].name.partition(", ")[2].partition(", ")
    return [
        f"Test of the hypothesis that {groups} have one rate: {named_p(tests[0].p)} "
        f"(Fisher-Freeman-Halton{f', {drawn}' if drawn else ', exact'}), not corrected."
    ]


def _references(view: View) -> str:
    if any(finding.reference for finding in view.findings):
        return ""
    return "There is no group to compare with: " + str(view.findings[0].reason)


def _forest(view: View, tables: Sequence[Table], audit: ImpactAudit) -> Figure:
    drawn = [
        impact_views.interval_row(finding, impact_views.group_name(finding.focal))
        for finding in impact_views.by_problem(view.findings)[:MOST_GROUPS_PLOTTED]
    ]
    measure = "Ratio of mean scores" if view.means else "Impact ratio"
    lines = [line for line in impact_views.ratio_lines(audit) if not view.means or line.value == 1.0]
    note = "Half and double are equally far from 1." + (
        "" if view.means else " The dashed lines are four fifths (29 CFR 1607.4(D)) and equal rates."
    )
    if len(view.findings) > MOST_GROUPS_PLOTTED:
        note += f" The first {MOST_GROUPS_PLOTTED} of {len(view.findings)} groups are drawn."
    bounded = any(map(impact_views.is_bounded, view.findings))
    if bounded:
        note += " Of suppressed counts the bounds are drawn."
    elif view.findings and all(finding.estimate is None for finding in view.findings):
        note = "No ratio can be computed; the table says why."
    return Figure(
        title=f"{measure} by {impact_views.view_name(view)}: {impact_views.definition_name(view.definition, audit)}"
        + (f", {view.definition.stage}" if view.definition.stage else ""),
        note=note,
        chart=lambda width: ratio_chart(drawn, title=measure, width=width, lines=lines),
        tables=tables,
    )


def _tests_table(view: View, *, folded: bool) -> Table:
    """Return the counts selected, the tests, the other measures of size, and whether rates were shown equivalent."""
    findings = impact_views.by_problem(view.findings)
    details = [ImpactRatio.of(finding) for finding in findings]
    clustered = bool(impact_views.cluster_counts_text(findings[0]))
    z = [
        next((test.statistic for test in finding.tests if test.name == impact_views.Z_TEST), None)
        for finding in findings
    ]
    return impact_views.columns_table(
        {
            "Selected": [
                ABSENT
                if None in {d.selected_focal, d.n_focal}
                else f"{count_text(d.selected_focal)} of {count_text(d.n_focal)}"
                for d in details
            ],
            "p, cluster-robust": [p_text(finding.p if clustered else None) for finding in findings],
            "Z": [impact_views.signed(value) for value in z],
            "p, Fisher": [p_text(impact_views.test_p(finding, impact_views.FISHER)) for finding in findings],
            "p, mid-p": [p_text(impact_views.test_p(finding, f"{impact_views.FISHER}, mid-p")) for finding in findings],
            **impact_views.statistics_columns(details, headline=False),
            "Minimum detectable ratio": [impact_views.ratio_text(d.detectable_ratio) for d in details],
            f"Shown above {details[0].margin or 0.8:g}": [impact_views.margin_cell(finding) for finding in findings],
        },
        caption="Tests, unadjusted, and other measures of size; minimum detectable ratio at 80 % statistical power",
        first="Group",
        labels=[impact_views.group_name(finding.focal) for finding in findings],
        folded=folded,
    )


#: Lines per attribute and definition of a selection; impact.csv has all.
MOST_POSITION_LINES = 10
#: Positions named after their number; groups named with the number of their positions.
MOST_POSITIONS, MOST_GROUPS = 3, 4


def position_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the positions with the largest shortfall; None where positions were not distinguished."""
    listed_attributes: set[str] = set()
    parts = []
    for positions in (positions for ranked in groups.positions.values() for positions in ranked):
        parts.append(
            _positions(
                positions,
                audit,
                folded=positions.attribute in listed_attributes or CROSSED in positions.attribute,
                later=bool(listed_attributes),
            )
        )
        listed_attributes.add(positions.attribute)
    if not parts:
        return None
    text = [
        "The shortfall is how many more people of a group would have been selected had all of the position been "
        "selected at one rate. It weighs the size of a position; the ratio does not. p is adjusted for the number of "
        "groups and positions, the interval is not, and the test may be stricter than it: an interval may leave out 1 "
        "where the adjusted p is above 0.05. The tables show the largest shortfalls; impact.csv has all comparisons.",
    ]
    return Section(name="positions", heading="Positions by shortfall", text=text, parts=parts)


def _positions(positions: Positions, audit: ImpactAudit, *, folded: bool, later: bool) -> Part:
    name = capital(impact_views.attribute_name(positions.attribute))
    heading = f"{name}: {impact_views.definition_at(definition_of(positions), audit)}"
    worst = positions.worst[:MOST_POSITION_LINES]
    text = [
        f"{capital(_flagged(positions))} Of {counted(positions.comparisons, 'comparison')}, "
        f"{count_text(positions.computed)} {'has' if positions.computed == 1 else 'have'} an impact ratio; "
        "statistically significant: "
        f"{count_text(positions.significant_adjusted)} after adjustment, {count_text(positions.significant)} before."
    ]
    if positions.suppressed:
        suppressed = counted(positions.suppressed, "comparison")
        text.append(
            f"Counts of {suppressed} are suppressed: of these, four-fifths is judged where every possible count "
            "gives the same answer; ratio, significance and shortfall are not given."
        )
    elif not worst:
        text.append("No group has a shortfall in any position.")
    tables = [_worst(worst, heading, folded=later and not folded)] if worst else []
    return Part(heading=heading, text=text, tables=tables, folded=folded)


def _flagged(positions: Positions) -> str:
    """Return in how many positions which groups are below four fifths, and how many to expect by chance."""
    people = positions.positions_computed
    share = f"{count_text(positions.positions_below)} of {counted(people, 'position')}"
    groups = {
        impact_views.group_label(label, positions.attribute): number
        for label, number in positions.below_groups.items()
        if number
    }
    if positions.undetermined and not people:
        return (
            f"whether a group is below four-fifths is not determined in {counted(positions.undetermined, 'position')}."
        )
    if not groups:
        sentence = f"in none of {counted(people, 'position')} is a group below four-fifths."
    elif len(groups) == 1:
        whose = impact_views.reference_name({positions.attribute: next(iter(groups))})
        sentence = f"in {share}{_position_names(positions)} the impact ratio of {whose} is below four-fifths."
    else:
        named = [f"{group} in {count_text(number)}" for group, number in list(groups.items())[:MOST_GROUPS]]
        left = len(groups) - len(named)
        named += [counted(left, "more group")] if left else []
        sentence = f"in {share}{_position_names(positions)} a group is below four-fifths: {listing(named)}."
    if positions.undetermined:
        sentence += f" For a group in {counted(positions.undetermined, 'position')} that is not determined."
    expected = positions.expected_by_chance
    if expected is not None:
        sentence += (
            f" False positives to expect of the four-fifths rule: {_about(expected * people)} of {count_text(people)}."
        )
    return sentence


def _position_names(positions: Positions) -> str:
    """Return the names of the positions in brackets, if they are few and all known."""
    below = [row for row in positions.worst if row["four_fifths"] == "below"]
    names = list(dict.fromkeys(row["position"] for row in below))
    return f" ({listing(names)})" if len(names) == positions.positions_below <= MOST_POSITIONS else ""


def _about(number: float) -> str:
    """Return an expected number of positions.

    >>> _about(0.03), _about(5.61), _about(6.0), _about(31.4)
    ('fewer than 0.1', 'about 5.6', 'about 6', 'about 31')
    """
    if number < 0.1:
        return "fewer than 0.1"
    return f"about {f'{number:.1f}'.removesuffix('.0') if number < 10 else count_text(round(number))}"


def _worst(rows: Sequence[Mapping[str, Any]], heading: str, *, folded: bool) -> Table:
    return impact_views.columns_table(
        {
            "Group, against": [
                f"{impact_views.group_label(row['focal'], row['attribute'])}, "
                f"{impact_views.group_label(row['reference'], row['attribute'])}"
                for row in rows
            ],
            "Rates": [
                f"{percent_text(row['rate_focal'])} of {count_text(row['n_focal'])}, "
                f"{percent_text(row['rate_reference'])} of {count_text(row['n_reference'])}"
                for row in rows
            ],
            "Ratio": [impact_views.ratio_text(row["impact_ratio"]) for row in rows],
            "95 % CI": [
                impact_views.RATIO.interval(row["ir_low"], row["ir_high"], apart=impact_views.APART) for row in rows
            ],
            "Four-fifths": [impact_views.four_fifths_cell(row["four_fifths"]) for row in rows],
            "p": [p_text(row.get("p_clustered", row["p_fisher"])) for row in rows],
            "p, adjusted": [p_text(row["p_adjusted"]) for row in rows],
            "Expected": [_tenths(row["expected"]) for row in rows],
            "Shortfall": [_tenths(row["shortfall"]) for row in rows],
        },
        caption=f"{heading}: the largest shortfalls",
        first="Position",
        labels=[row["position"] for row in rows],
        words=["Group, against", "Rates"],
        folded=folded,
    )


def _tenths(value: float | None) -> str:
    return ABSENT if value is None else f"{value:,.1f}"


def pooled_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the odds ratios over all positions; None where positions were not distinguished."""
    if not groups.pooled:
        return None
    text = [
        "The common odds ratio (Mantel-Haenszel) compares people within positions and then combines the positions. "
        "If one group applies where few are selected, that is not mistaken for a preference.",
        "The Breslow-Day test asks whether the odds ratio is the same in all positions. Its p is not corrected in "
        "the table; the note says where it is below 0.05 over all such tests of the run. One pooled number then "
        "hides that positions differ; read them one by one. The Gail-Simon test asks whether odds ratios lie on both "
        "sides of 1.",
        "As pools: in each position the expected number is that of one rate for both groups, and the shortfall is the "
        "expected number minus the observed one, in people and in standard deviations. The exact p is that of the sum "
        "over pools, "
        "two-sided by probability; it is not corrected, and the claim is that of the common odds ratio.",
    ]
    parts, listed_attributes = [], set()
    for view in groups.pooled:
        parts.append(
            Part(
                heading=(
                    f"{capital(impact_views.view_name(view))}: {impact_views.definition_at(view.definition, audit)}"
                ),
                text=_dependent(view),
                tables=[_pooled(view, audit), *_pools(view, audit)],
                folded=view.attributes in listed_attributes or view.crossed,
            )
        )
        listed_attributes.add(view.attributes)
    return Section(name="pooled", heading="All positions together", text=text, parts=parts)


def _pooled(view: View, audit: ImpactAudit) -> Table:
    rows = view.findings
    tests = [{test.name: test.p for test in finding.tests} for finding in rows]
    named = [in_words(name) for name in view.attributes]
    return impact_views.columns_table(
        {
            "Odds ratio": [impact_views.odds_text(finding.estimate) for finding in rows],
            interval_heading(rows): [
                impact_views.RATIO.interval(row.low, row.high, apart=impact_views.ODDS_APART) for row in rows
            ],
            "p": [p_text(finding.p) for finding in rows],
            "p, adjusted": [p_text(finding.p_adjusted) for finding in rows],
            "p, Breslow-Day": [p_text(p_values.get("Breslow-Day with Tarone")) for p_values in tests],
            "Positions": [count_text(PooledOdds.of(finding).strata) for finding in rows],
            "Note": [_note(finding) for finding in rows],
        },
        caption=f"Odds ratios over all positions: {impact_views.definition_at(view.definition, audit)}"
        + (f", {listing(named)}" if len(named) > 1 else ""),
        first="Group against reference",
        labels=[capital(impact_views.pair_name(finding)) for finding in rows],
    )


def _dependent(view: View) -> list[str]:
    """Return why there are no standard deviations over the pools."""
    reasons = [PooledOdds.of(finding).pools_reason for finding in view.findings]
    return [reason for reason in dict.fromkeys(reasons) if reason and "clusters" in reason]


def _pools(view: View, audit: ImpactAudit) -> list[Table]:
    """Return the selections over all positions against those expected; none where people are not independent."""
    rows = [finding for finding in view.findings if PooledOdds.of(finding).observed is not None]
    if not rows:
        return []
    details = [PooledOdds.of(finding) for finding in rows]
    tests = [{test.name: test.p for test in finding.tests} for finding in rows]
    return [
        impact_views.columns_table(
            {
                "Selected": [count_text(detail.observed) for detail in details],
                "Expected": [_tenths(detail.expected) for detail in details],
                "Shortfall": [impact_views.signed(detail.shortfall, 1) for detail in details],
                "Standard deviations": [impact_views.signed(detail.z) for detail in details],
                "p, exact": [p_text(detail.p_exact) for detail in details],
                "p, so few or fewer": [p_text(detail.p_exact_lower) for detail in details],
                "p, Gail-Simon": [p_text(p_values.get("Gail-Simon, one direction")) for p_values in tests],
                "Note": [detail.pools_reason or "" for detail in details],
            },
            caption=f"Selections over all positions as pools: {impact_views.definition_at(view.definition, audit)}",
            first="Group against reference",
            labels=[capital(impact_views.pair_name(finding)) for finding in rows],
        )
    ]


def _note(finding: Finding) -> str:
    notes, details = [], PooledOdds.of(finding)
    if details.simpson:
        notes.append("opposite to all applicants together")
    if (details.p_breslow_day_adjusted or 1.0) < SIGNIFICANCE:
        notes.append("differs between positions")
    if disagreement := why_not(finding):
        notes.append(disagreement)
    if finding.estimate is None and finding.reason:
        notes.append(finding.reason)
    return "; ".join(notes)


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
        :MOST_GROUPS_PLOTTED
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


def _impact_sections(groups: ImpactGroups, audit: ImpactAudit) -> list[Section]:
    """Return the sections in reading order."""
    sections: list[Section | None] = [counted_section(audit.accounting)]
    if audit.monitored is not None:
        from evenhand.report.impact.monitored import monitored_sections  # noqa: PLC0415 - few runs are of a store

        sections = [*monitored_sections(audit.monitored)]
    led = leading_views(groups)[:MOST_TABLES]
    for number, attribute in enumerate(groups.attributes, start=1):
        if attribute.views:
            sections.append(attribute_section(attribute.views, number, audit, led=led))
    sections += [
        _ages(groups, audit),
        stage_section(groups, audit),
        _over_time(groups, audit),
        cutoff_section(groups, audit),
        position_section(groups, audit),
        _ranks(groups, audit),
        _ladder(groups, audit),
        pooled_section(groups, audit),
        impact_tests.block_section(groups, audit),
        impact_tests.adjusted_section(groups),
        impact_tests.bound_section(groups, audit),
        availability_section(groups),
        impact_tests.agreement_section(groups, audit),
        impact_tests.flip_flop_section(groups.views, audit),
        impact_tests.z_curve_section(groups, audit),
        _ll144(audit),
        _rules(audit),
    ]
    return [section for section in sections if section is not None]


def _ages(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    if not groups.ages:
        return None
    from evenhand.report.impact.ages import age_section  # noqa: PLC0415 - few runs have ages

    return age_section(groups, audit)


def _over_time(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    if not groups.over_time:
        return None
    from evenhand.report.impact.periods import periods_section  # noqa: PLC0415 - few runs are over time

    return periods_section(groups, audit)


def _ranks(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    if not groups.ranked:
        return None
    from evenhand.report.impact.ranks import ranks_section  # noqa: PLC0415 - totals have none

    return ranks_section(groups, audit)


def _ladder(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    if not groups.ladders:
        return None
    from evenhand.report.impact.ladder import ladder_section  # noqa: PLC0415 - totals have none

    return ladder_section(groups, audit)


def _ll144(audit: ImpactAudit) -> Section | None:
    if audit.ll144 is None:
        return None
    text = [
        "The tables that New York's Local Law 144 asks for are on a page of their own, without a verdict, and in "
        "ll144.csv. They are calculations for a bias audit; the audit must be made by an independent auditor."
    ]
    return Section(
        name="ll144",
        heading="Local Law 144",
        text=text,
        parts=[Part(link="ll144.html", link_text="The page with the tables and the fields to be published")],
    )


def _rules(audit: ImpactAudit) -> Section | None:
    """Return the rules of the analysis, as the audit block lists them."""
    rules = audit.rules
    if not rules:
        return None
    table = impact_views.columns_table(
        {
            "Citation": [rule.citation for rule in rules],
            "In our words": [rule.words for rule in rules],
            "In force from": [rule.in_force or ABSENT for rule in rules],
            "Checked on": [rule.checked or "not yet" for rule in rules],
        },
        caption="Thresholds and rules used here",
        first="Rule",
        labels=[rule.title for rule in rules],
        words=["Citation", "In our words"],
        folded=True,
    )
    text = [
        "The figures describe a selection. Lawyers and courts judge whether it is lawful; nothing here is legal advice."
    ]
    return Section(
        name="rules", folded=True, heading="Rules and where they stand", text=text, parts=[Part(tables=[table])]
    )


def _law_files(audit: ImpactAudit) -> dict[str, bytes]:
    if audit.ll144 is None:
        return {}
    from evenhand.report.local_law_144 import PAGE as LAW_PAGE  # noqa: PLC0415 - few runs have --ll144
    from evenhand.report.local_law_144 import ll144_page  # noqa: PLC0415

    return {LAW_PAGE: ll144_page(audit, audit.ll144).encode()}


PAGE: Final[Page[ImpactAudit, ImpactGroups]] = Page(
    opening=lambda content: impact_summary(content.groups, content.audit),
    chapters=lambda content: _impact_sections(content.groups, content.audit),
    asked=lambda content: impact_parameter_rows(content.audit),
    limits=lambda content: impact_limits(content.groups, content.audit),
    definitions=lambda content: impact_definitions(
        {finding.measure for finding in content.findings}, clustered=bool(content.audit.parameters.get("cluster"))
    ),
    text=APPLICANTS,
    files=lambda content: _law_files(content.audit),
)
