"""The page of an analysis of applicants, and its main sections: attributes, rule and tests, Z by number of people."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import ratio_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.impact.context import counted_section, impact_definitions, impact_limits, impact_parameter_rows
from evenhand.report.impact.summary import (
    MOST_LINES,
    MOST_TABLES,
    impact_summary,
    leading_views,
    rates_table,
)
from evenhand.report.page import parts as page_parts
from evenhand.report.page.contents import APPLICANTS, Page
from evenhand.report.page.parts import Figure, Part, Section, Table
from evenhand.report.words import numbers
from evenhand.report.words.numbers import ABSENT, count_text, named_p, p_text
from evenhand.report.words.results import capital, in_words, listing
from evenhand.results.applicant_audit import Agreement, ImpactAudit, ZCurve
from evenhand.results.finding import Finding, ImpactRatio
from evenhand.results.impact_groups import ImpactGroups, View, definition_of
from evenhand.results.schemas import BOTTOM_LINE

ALL_GROUPS = "Fisher-Freeman-Halton"


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
        for finding in impact_views.by_problem(view.findings)[: impact_views.MOST_GROUPS_PLOTTED]
    ]
    measure = "Ratio of mean scores" if view.means else "Impact ratio"
    lines = [line for line in impact_views.ratio_lines(audit) if not view.means or line.value == 1.0]
    note = "Half and double are equally far from 1." + (
        "" if view.means else " The dashed lines are four fifths (29 CFR 1607.4(D)) and equal rates."
    )
    if len(view.findings) > impact_views.MOST_GROUPS_PLOTTED:
        note += f" The first {impact_views.MOST_GROUPS_PLOTTED} of {len(view.findings)} groups are drawn."
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
    if groups.ages or groups.steps or groups.over_time or groups.sweep:
        from evenhand.report.impact.series import series_sections  # noqa: PLC0415 - totals have none

        sections += series_sections(groups, audit)
    if groups.positions or groups.ranked:
        from evenhand.report.impact.positions import position_section, ranks_section  # noqa: PLC0415 - totals have none

        sections += [position_section(groups, audit), ranks_section(groups, audit)]
    if groups.ladders:
        from evenhand.report.impact.ladder import ladder_section  # noqa: PLC0415 - totals have none

        sections.append(ladder_section(groups, audit))
    if groups.pooled:
        from evenhand.report.impact.positions import pooled_section  # noqa: PLC0415 - totals have none

        sections.append(pooled_section(groups, audit))
    if groups.blocks or groups.adjusted or groups.bounds or groups.undecided:
        from evenhand.report.impact import adjusted  # noqa: PLC0415 - totals have none

        sections += [
            adjusted.block_section(groups, audit),
            adjusted.adjusted_section(groups),
            adjusted.bound_section(groups, audit),
        ]
    if groups.availability:
        from evenhand.report.impact.availability import availability_section  # noqa: PLC0415 - few runs have shares

        sections.append(availability_section(groups))
    sections += [
        agreement_section(groups, audit),
        flip_flop_section(groups.views, audit),
        z_curve_section(groups, audit),
        _ll144(audit),
        _rules(audit),
    ]
    return [section for section in sections if section is not None]


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


WHY_THEY_DIFFER = (
    "The four-fifths rule looks at the size of a difference and not at how many people it rests on; the tests ask "
    "how often groups with the same chance would differ as much, and their answer depends on the number of people.",
    "Outside four-fifths, but neither test finds a difference: few people or low rates, so that one or two selections "
    "move the ratio across 0.8. Not outside, but both tests find one: many people, so that a small difference is "
    "established all the same. Only one of Z and Fisher: a p near 0.05, or a small expected count, where the normal "
    "approximation behind Z is rough and Fisher's exact test is to be read.",
    "Rows are counted before any adjustment for the number of comparisons: among many positions without any "
    "difference, one in twenty has p below 0.05.",
)


MOST_CURVES = 6


MOST_CURVE_FIGURES = 4


def agreement_section(groups: ImpactGroups, audit: ImpactAudit) -> page_parts.Section | None:
    """Return how many comparisons each combination of rule and tests has; None without any."""
    tables = [_agreement(rows, audit, folded=place > 0) for place, rows in enumerate(groups.agreement.values())]
    if not tables:
        return None
    return page_parts.Section(
        name="agreement",
        heading="Where the rule and the tests agree",
        parts=[
            page_parts.Part(tables=tables),
            page_parts.Part(heading="Why they may not agree", text=WHY_THEY_DIFFER, folded=True),
        ],
    )


def _agreement(rows: Sequence[Agreement], audit: ImpactAudit, *, folded: bool) -> page_parts.Table:
    lines: dict[tuple[str, bool], dict[str, int]] = {}
    for row in rows:
        counts = lines.setdefault((row.attribute, bool(row.by_position)), {})
        head = _combination(row)
        counts[head] = counts.get(head, 0) + row.rows
    labels = [
        f"{capital(impact_views.attribute_name(attribute))}, {'by position' if by else 'all applicants'}"
        for attribute, by in lines
    ]
    heads = [head for head in COMBINATIONS if any(head in counts for counts in lines.values())]
    cells = [
        (label, *map(numbers.count_text, (sum(counts.values()), *(counts.get(head, 0) for head in heads))))
        for label, counts in zip(labels, lines.values(), strict=True)
    ]
    caption = (
        f"Comparisons by what the rule and the tests say: {impact_views.definition_at(definition_of(rows[0]), audit)}"
    )
    return page_parts.table(caption, ("Groups of", "Compared", *heads), cells, folded=folded)


COMBINATIONS = (
    "Outside four-fifths, both tests",
    "Outside four-fifths, neither test",
    "Not outside, both tests",
    "Not outside, neither test",
    "Only one of Z and Fisher",
)


def _combination(row: Agreement) -> str:
    z, fisher = bool(row.z), bool(row.fisher)
    if z != fisher:
        return COMBINATIONS[4]
    outside = row.four_fifths in {"below", "above"}
    return COMBINATIONS[(0 if outside else 2) + (0 if z else 1)]


def flip_flop_section(views: Sequence[View], audit: ImpactAudit) -> page_parts.Section | None:
    """Return the tables before and after one changed selection, where a ratio is outside its limits."""
    flipped = [(view, finding) for view in views for finding in view.findings if _applies(finding)]
    if not flipped:
        return None
    order = sorted(
        flipped, key=lambda pair: (not ImpactRatio.of(pair[1]).flip_flop_reverses, pair[0].crossed, pair[1].n)
    )
    text = [
        "Where a ratio is outside its limits, one selection is moved to the group that is behind. If its rate is then "
        f"the higher one, this table alone is a weak basis ({impact_views.FLIP_FLOP}). That says nothing "
        f"against a pattern over "
        "positions or time.",
    ]
    columns: dict[str, Callable[[tuple[View, Finding]], str]] = {
        "Groups": lambda row: _pair(*row, audit),
        "As it is": lambda row: _selected(row[1]),
        "Ratio": lambda row: impact_views.ratio_text(row[1].estimate),
        "With one selection moved": lambda row: _selected(
            row[1], move=1 if ImpactRatio.of(row[1]).four_fifths == "below" else -1
        ),
        "Ratio after": lambda row: impact_views.ratio_text(ImpactRatio.of(row[1]).flip_flop_ratio),
        "Direction after": lambda row: "reversed" if ImpactRatio.of(row[1]).flip_flop_reverses else "kept",
    }
    shown = order[: impact_views.MOST_GROUPS_PLOTTED]
    caption = "Ratios before and after one changed selection"
    if len(order) > len(shown):
        caption += f". The first {len(shown)} of {len(order)}; impact.csv has all"
    table = page_parts.table_of(shown, columns, caption=caption)
    return page_parts.Section(
        name="flip-flop",
        heading="Flip-flop rule: one changed selection",
        text=text,
        parts=[page_parts.Part(tables=[table])],
    )


def _applies(finding: Finding) -> bool:
    details = ImpactRatio.of(finding)
    counts = details.selected_focal, details.selected_reference, details.n_focal, details.n_reference
    return details.flip_flop_reverses is not None and None not in counts


def _pair(view: View, finding: Finding, audit: ImpactAudit) -> str:
    definition = impact_views.definition_at(view.definition, audit)
    return (
        f"{capital(impact_views.group_name(finding.focal))} against "
        f"{impact_views.group_name(finding.reference)} ({definition})"
    )


def _selected(finding: Finding, *, move: int = 0) -> str:
    """Return the people selected of both groups, with `move` more of the first and fewer of the second."""
    row = ImpactRatio.of(finding)
    sides = ((row.selected_focal, row.n_focal, move), (row.selected_reference, row.n_reference, -move))
    counts = [f"{numbers.count_text((chosen or 0) + moved)} of {numbers.count_text(n)}" for chosen, n, moved in sides]
    return ", ".join(counts)


def z_curve_section(groups: ImpactGroups, audit: ImpactAudit) -> page_parts.Section | None:
    """Return how Z would grow with the number of people, and where the data at hand are; None without a curve."""
    figures = [_z_figure(curves[:MOST_CURVES], audit) for curves in groups.curves.values()]
    if not figures:
        return None
    text = [
        "The curve keeps the rates, takes the groups as equally large, and varies only the number of people. Beyond "
        f"±{impact_views.Z_LIMIT:g} standard deviations a difference is statistically significant. With enough "
        "people every difference is significant, however small; with few people hardly any is. The curve is that of "
        "Figure 14 of Eightfold's Responsible AI (2023), for the rates at hand.",
    ]
    if len(figures) > MOST_CURVE_FIGURES:
        text.append(
            f"{len(figures) - MOST_CURVE_FIGURES} more curves are in findings.json under audit, shown, z_curves."
        )
    return page_parts.Section(
        name="z-curve",
        heading="Z by the number of people",
        text=text,
        parts=[page_parts.Part(figures=figures)] if len(figures) == 1 else _curves(figures[:MOST_CURVE_FIGURES]),
    )


def _curves(figures: Sequence[page_parts.Figure]) -> list[page_parts.Part]:
    return [page_parts.Part(heading=figure.title, figures=[figure], folded=True) for figure in figures]


def _z_figure(curves: Sequence[ZCurve], audit: ImpactAudit) -> page_parts.Figure:
    names = [
        f"{impact_views.group_label(curve.focal, curve.attribute)} against "
        f"{impact_views.group_label(curve.reference, curve.attribute)} "
        f"({numbers.percent_text(curve.rate_focal)} and {numbers.percent_text(curve.rate_reference)})"
        for curve in curves
    ]
    points = []
    for curve, name in zip(curves, names, strict=True):
        series = name.partition(" (")[0]
        points += [LinePoint(at=n, value=z, series=series, mark=False) for n, z in curve.points]
        people = numbers.count_text(round(curve.n_per_group))
        point_text = f"{name}: Z = {impact_views.signed(curve.z)} at {people} people per group"
        points.append(LinePoint(at=curve.n_per_group, value=curve.z, series=series, text=point_text, joined=False))
    limits = [
        MarkedLine(
            value=sign * impact_views.Z_LIMIT, text=f"{'' if sign > 0 else numbers.MINUS}{impact_views.Z_LIMIT:g}"
        )
        for sign in (1, -1)
    ]
    title = f"Z by the number of people per group: {impact_views.definition_at(definition_of(curves[0]), audit)}"
    here = page_parts.table_of(
        curves,
        {
            "Groups": lambda curve: capital(names[curves.index(curve)]),
            "People per group": lambda curve: numbers.count_text(round(curve.n_per_group)),
            "Z here": lambda curve: impact_views.signed(curve.z),
            f"±{impact_views.Z_LIMIT:g} is passed at": lambda curve: (
                numbers.ABSENT if curve.crossing is None else numbers.count_text(int(-(-curve.crossing // 1)))
            ),
        },
        caption="The groups furthest behind among all applicants",
    )
    return page_parts.Figure(
        title=title,
        note="The point is the data at hand; of groups of different size, their harmonic mean. The axis of "
        "people is logarithmic.",
        chart=lambda width: line_chart(
            points, title="Z", along="people per group", width=width, lines=limits, axis="log"
        ),
        tables=[here],
    )
