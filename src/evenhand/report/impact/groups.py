"""The chapter of one attribute: its groups against their reference, under each definition of a selection."""

from collections.abc import Collection, Sequence

from evenhand.report.charts import ratio_chart
from evenhand.report.impact.comparison import Z_TEST, cautions, false_positives, tests_at_this_size
from evenhand.report.impact.opening.tables import MOST_LINES, rates_table
from evenhand.report.impact.views import (
    APART,
    CLUSTER_ROBUST,
    FISHER,
    ODDS_APART,
    RATIO,
    by_problem,
    clusters_told,
    columns_table,
    definition_name,
    group_name,
    interval_row,
    p_cell,
    ratio_lines,
    signed,
    test_p,
    view_name,
)
from evenhand.report.page.parts import Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import View
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["MOST_DRAWN", "attribute_section"]

#: Groups per chart; the table has all of them.
MOST_DRAWN = 40


def attribute_section(views: Sequence[View], number: int, audit: ImpactAudit, *, led: Collection[View]) -> Section:
    """Return the chapter: a forest plot and its tables per definition of a selection.

    `led` are the views whose rates stand at the top of the page.
    """
    text = []
    if views[0].crossed:
        text.append(
            "People are grouped by several attributes at once. There are many such groups and few people in "
            "each: these comparisons explore, and their p is adjusted for all of them (Benjamini-Hochberg)."
        )
    text += [note.text for note in audit.reference_floor.notes if note.attributes == views[0].attributes]
    return Section(
        name=f"attribute-{number}",
        heading=f"By {listing([in_words(name) for name in views[0].attributes])}",
        text=text,
        parts=[_view_part(view, audit, folded=view not in led, led=view in led) for view in views],
    )


def _view_part(view: View, audit: ImpactAudit, *, folded: bool, led: bool) -> Part:
    heading = capital(definition_name(view.definition, audit))
    heading += ", all stages together" if view.definition.stage == BOTTOM_LINE else ""
    tables = [] if led and len(view.findings) <= MOST_LINES else [rates_table(view, audit, folded=led, most=None)]
    text = []
    if not view.means:
        worst = by_problem(view.findings)[0]
        rule = false_positives(worst)
        at_size = [] if clusters_told(worst) else tests_at_this_size(view)
        text = [*at_size, *([] if led and rule in cautions(worst) else [rule])]
        tables.append(_tests_table(view, folded=bool(tables)))
    return Part(
        heading=heading,
        text=[part for part in (_references(view), *text) if part],
        figures=[_forest(view, tables, audit)] if tables else [],
        folded=folded,
    )


def _references(view: View) -> str:
    if any(finding.reference for finding in view.findings):
        return ""
    return "There is no group to compare with: " + str(view.findings[0].reason)


def _forest(view: View, tables: Sequence[Table], audit: ImpactAudit) -> Figure:
    drawn = [interval_row(finding, group_name(finding.focal)) for finding in by_problem(view.findings)[:MOST_DRAWN]]
    what = "Ratio of mean scores" if view.means else "Impact ratio"
    lines = [line for line in ratio_lines(audit) if not view.means or line.value == 1.0]
    note = "Half and double are equally far from 1." + (
        "" if view.means else " The dashed lines are four fifths (29 CFR 1607.4(D)) and equal rates."
    )
    if len(view.findings) > MOST_DRAWN:
        note += f" The first {MOST_DRAWN} of {len(view.findings)} groups are drawn."
    if view.findings and all(finding.estimate is None for finding in view.findings):
        note = "No ratio can be computed; the table says why."
    return Figure(
        title=f"{what} by {view_name(view)}: {definition_name(view.definition, audit)}"
        + (f", {view.definition.stage}" if view.definition.stage else ""),
        note=note,
        chart=lambda width: ratio_chart(drawn, title=what, width=width, lines=lines),
        tables=tables,
    )


def _independent(finding: Finding) -> str:
    """Return the interval that takes people as independent, where the finding's own does not."""
    if not clusters_told(finding):
        return ABSENT
    other = finding.alternatives[0]
    return RATIO.interval(other.low, other.high, apart=APART)


def _tests_table(view: View, *, folded: bool) -> Table:
    """Return how many were selected, and what the tests and the other measures of size say."""
    found = by_problem(view.findings)
    details = [ImpactRatio.of(finding) for finding in found]
    z = [next((test.statistic for test in finding.tests if test.name == Z_TEST), None) for finding in found]
    return columns_table(
        {
            "Selected": [f"{count_text(d.selected_focal)} of {count_text(d.n_focal)}" for d in details],
            "Shortfall": [signed(d.shortfall, 1) for d in details],
            "p, cluster-robust": [p_cell(test_p(finding, CLUSTER_ROBUST)) for finding in found],
            "95 % CI, independent people": [_independent(finding) for finding in found],
            "Z": [signed(value) for value in z],
            "p, Fisher": [p_cell(test_p(finding, FISHER)) for finding in found],
            "p, mid-p": [p_cell(test_p(finding, f"{FISHER}, mid-p")) for finding in found],
            "Odds ratio": [RATIO.text(d.odds_ratio, apart=ODDS_APART) for d in details],
            "Cohen's h": [signed(d.cohens_h) for d in details],
            "Minimum detectable ratio": [RATIO.text(d.detectable_ratio, apart=APART) for d in details],
        },
        caption="Tests, unadjusted, and other measures of size; minimum detectable ratio at 80 % statistical power",
        first="Group",
        labels=[group_name(finding.focal) for finding in found],
        folded=folded,
    )
