"""The chapter of one attribute: its groups against their reference, under each definition of a selection."""

from collections.abc import Sequence

from evenhand.report.charts import ratio_chart
from evenhand.report.impact.opening import flagging_sentence, reading_sentences
from evenhand.report.impact.views import (
    APART,
    ODDS_APART,
    RATIO,
    columns_table,
    definition_name,
    four_fifths_text,
    group_name,
    interval_row,
    ratio_lines,
    share_text,
    signed,
    view_name,
)
from evenhand.report.page.parts import Figure, Part, Section, Table, interval_heading
from evenhand.report.words.numbers import ABSENT, count_text, p_text
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio, MeanRatio
from evenhand.tables.grouped.impact import View
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["MOST_DRAWN", "attribute_section"]

#: Groups per chart; the table has all of them.
MOST_DRAWN = 40
#: Longer tables of intersections are folded; the chart above has their numbers.
MOST_LINES = 8


def attribute_section(views: Sequence[View], number: int, audit: ImpactAudit) -> Section:
    """Return the chapter: a forest plot and its tables per definition of a selection."""
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
        parts=[
            _view_part(view, audit, folded=place > 0 or (len(views) > 1 and view.crossed))
            for place, view in enumerate(views)
        ],
    )


def _view_part(view: View, audit: ImpactAudit, *, folded: bool) -> Part:
    heading = capital(definition_name(view.definition, audit))
    heading += ", all steps together" if view.definition.stage == BOTTOM_LINE else ""
    if view.means:
        text = [
            "The ratio of mean scores depends on where the scale starts: the same people on a scale that starts at 0 "
            "or at 100 have different ratios. The standardised difference does not depend on it."
        ]
        tables = [_means_table(view)]
    else:
        text = [*reading_sentences(view.findings), flagging_sentence(view.findings[0])]
        tables = [
            _rates_table(view, folded=view.crossed and len(view.findings) > MOST_LINES),
            _tests_table(view, folded=len(view.findings) > 1),
        ]
    missing = _references(view)
    return Part(
        heading=heading,
        text=[part for part in (missing, *text) if part],
        figures=[_forest(view, tables, audit)],
        folded=folded,
    )


def _references(view: View) -> str:
    against = list(dict.fromkeys(group_name(finding.reference) for finding in view.findings if finding.reference))
    if not against:
        return "There is no group to compare with: " + str(view.findings[0].reason)
    return f"Compared with {listing(against)}."


def _forest(view: View, tables: Sequence[Table], audit: ImpactAudit) -> Figure:
    drawn = [interval_row(finding, capital(group_name(finding.focal))) for finding in view.findings[:MOST_DRAWN]]
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


def _rates_table(view: View, *, folded: bool) -> Table:
    """Return how many were selected, the ratio, and the verdict of the rule; the reference group is the first line."""
    first, labels, cells = _reference_line(view)
    labels += [capital(group_name(finding.focal)) for finding in view.findings]
    details = [ImpactRatio.of(finding) for finding in view.findings]
    adjusted = next((finding.adjustment for finding in view.findings if finding.adjustment), None)
    return columns_table(
        {
            "Selected": [
                *first,
                *(f"{count_text(d.selected_focal)} of {count_text(d.n_focal)}" for d in details),
            ],
            "Rate": [*cells, *(share_text(d.rate_focal) for d in details)],
            "Ratio": [*_dashes(first), *(RATIO.text(finding.estimate, apart=APART) for finding in view.findings)],
            interval_heading(view.findings): [
                *_dashes(first),
                *(RATIO.interval(finding.low, finding.high, apart=APART) for finding in view.findings),
            ],
            "Four-fifths": [
                *_dashes(first),
                *(four_fifths_text(d.four_fifths).removesuffix(" four-fifths") for d in details),
            ],
            "p, adjusted": [*_dashes(first), *(p_text(finding.p_adjusted) for finding in view.findings)],
            "Shortfall": [*_dashes(first), *(signed(d.shortfall, 1) for d in details)],
            "Note": [*("" for _ in first), *(finding.reason or "" for finding in view.findings)],
        },
        caption="Rates and ratios" + (f". p is adjusted: {adjusted}" if adjusted else ""),
        first="Group",
        labels=labels,
        folded=folded,
    )


def _dashes(line: Sequence[str]) -> list[str]:
    return ["" for _ in line]


def _reference_line(view: View) -> tuple[list[str], list[str], list[str]]:
    """Return 'selected of n', label and rate of the reference group, where all have the same one."""
    against = {tuple(finding.reference.items()) for finding in view.findings if finding.reference}
    if len(against) != 1:
        return [], [], []
    details = next(ImpactRatio.of(finding) for finding in view.findings if finding.reference)
    group = dict(next(iter(against)))
    return (
        [f"{count_text(details.selected_reference)} of {count_text(details.n_reference)}"],
        [f"{capital(group_name(group))} (reference)"],
        [share_text(details.rate_reference)],
    )


def _tests_table(view: View, *, folded: bool) -> Table:
    """Return what the tests and the other measures of size say."""
    found = view.findings
    tests = [{test.name: test for test in finding.tests} for finding in found]

    def p_of(name: str) -> list[str]:
        return [p_text(each[name].p) if name in each else ABSENT for each in tests]

    z = [each.get("Z, two standard deviations") for each in tests]
    return columns_table(
        {
            "Z": [signed(test.statistic) if test else ABSENT for test in z],
            "p of Z": p_of("Z, two standard deviations"),
            "p, Fisher": p_of("Fisher exact"),
            "p, mid-p": p_of("Fisher exact, mid-p"),
            "Odds ratio": [RATIO.text(ImpactRatio.of(finding).odds_ratio, apart=ODDS_APART) for finding in found],
            "Cohen's h": [signed(ImpactRatio.of(finding).cohens_h) for finding in found],
            "Detectable ratio": [
                RATIO.text(ImpactRatio.of(finding).detectable_ratio, apart=APART) for finding in found
            ],
        },
        caption="Tests, other measures of the difference, and the ratio that would be detected four times in five",
        first="Group",
        labels=[capital(group_name(finding.focal)) for finding in found],
        folded=folded,
    )


def _means_table(view: View) -> Table:
    details = [MeanRatio.of(finding) for finding in view.findings]
    return columns_table(
        {
            "People": [count_text(d.n_focal) for d in details],
            "Mean": [signed(d.mean_focal, 3) for d in details],
            "Mean of reference": [signed(d.mean_reference, 3) for d in details],
            "Ratio": [RATIO.text(finding.estimate, apart=APART) for finding in view.findings],
            interval_heading(view.findings): [
                RATIO.interval(finding.low, finding.high, apart=APART) for finding in view.findings
            ],
            "Standardised difference": [
                f"{signed(d.standardised_difference)} ({signed(d.d_low)} to {signed(d.d_high)})"
                if d.standardised_difference is not None
                else ABSENT
                for d in details
            ],
            "p, adjusted": [p_text(finding.p_adjusted) for finding in view.findings],
            "Note": [finding.reason or "" for finding in view.findings],
        },
        caption="Mean scores, their ratio and the standardised difference (Hedges' g)",
        first="Group",
        labels=[capital(group_name(finding.focal)) for finding in view.findings],
    )
