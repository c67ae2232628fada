"""The chapters of an evaluation."""

from collections.abc import Mapping, Sequence
from typing import Final

from evenhand.report.impact.counted import counted_section
from evenhand.report.page.parts import Part, Section, Table
from evenhand.report.scores.evaluate.calibration import calibration_section
from evenhand.report.scores.evaluate.criteria import criteria_section
from evenhand.report.scores.evaluate.cutoffs import cutoff_section
from evenhand.report.scores.evaluate.opening import interval_figure
from evenhand.report.scores.evaluate.similar import similar_section
from evenhand.report.scores.evaluate.slices import slices_section
from evenhand.report.scores.evaluate.told import (
    TITLES,
    attributes_told,
    by_columns,
    differences_table,
    group_told,
    values_table,
    with_interval,
)
from evenhand.report.scores.evaluate.versions import versions_section
from evenhand.report.words.numbers import ABSENT, POINTS, count_text, p_text, scale_of
from evenhand.report.words.wording import in_words
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.details import ImpactRatio
from evenhand.tables.grouped.evaluate import EvaluateGroups, EvaluateView
from evenhand.tables.grouped.names import (
    AUC,
    BASE_RATE,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    DEMOGRAPHIC_PARITY,
    EQUAL_OPPORTUNITY,
    EQUALISED_ODDS,
    F1,
    FNR,
    FPR,
    IMPACT_RATIO,
    PRECISION,
    RATIO,
    SELECTION_RATE,
    TNR,
    TPR,
    TREATMENT_EQUALITY,
)

__all__ = ["attribute_section", "evaluate_chapters"]

#: Rows of a table of differences in slices.
MOST_ROWS: Final = 60
#: The tables of each group's values; three measures with their intervals are as wide as a page.
_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "Ranking and precision": (AUC, PRECISION, F1),
    "Rates": (BASE_RATE, SELECTION_RATE, TPR),
    "Errors": (FNR, FPR, TNR),
    "Calibration": (BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE),
}
_RATIOS: Final[Mapping[str, Sequence[str]]] = {
    "Ratios to the group that is compared with": tuple(f"{RATIO}{name}" for name in (TPR, FPR, PRECISION)),
    "Ratios to all people, and of errors": (DEMOGRAPHIC_PARITY, EQUAL_OPPORTUNITY, TREATMENT_EQUALITY),
}
WHO_COUNTS: Final = (
    "Only rows with an outcome and a score are counted. Who has an outcome at all was often decided by an earlier "
    "selection."
)


def evaluate_chapters(groups: EvaluateGroups, audit: EvaluateAudit) -> list[Section]:
    """Return the chapters in the order that one reads them."""
    found = [
        counted_section(audit.accounting, heading="Who is counted", told=WHO_COUNTS),
        *(attribute_section(view, number, audit) for number, view in enumerate(groups.views, start=1)),
        versions_section(groups, audit.whom),
        criteria_section(audit),
        cutoff_section(audit),
        calibration_section(groups, audit),
        slices_section(groups),
        similar_section(groups, audit),
    ]
    return [section for section in found if section is not None]


def attribute_section(
    view: EvaluateView, number: int, audit: EvaluateAudit, tables_of: Mapping[str, Sequence[str]] = _TABLES
) -> Section:
    """Return the chapter of an attribute: each group's values, differences, and criteria of equal treatment."""
    text = []
    if view.crossed:
        text.append(
            "People are grouped by several attributes at once. There are many such groups and few people in each: "
            "these comparisons explore, and their p is adjusted for all of them (Benjamini-Hochberg)."
        )
    text += [note.text for note in audit.floor_notes if note.attributes == view.attributes]
    everybody = {"All": view.everybody} if view.everybody else {}
    tables = [
        values_table(f"{caption}, each with its interval", everybody | view.by_group, measures)
        for caption, measures in tables_of.items()
        if any(name in view.values for name in measures)
    ]
    parts = [
        Part(figures=[interval_figure(view, [AUC])], tables=[*tables, *_unknown(view)]),
        _gaps(view),
        *_criteria(view),
    ]
    return Section(name=f"attribute-{number}", heading=f"By {attributes_told(view.attributes)}", text=text, parts=parts)


def _unknown(view: EvaluateView) -> list[Table]:
    """Return what could not be computed, and why."""
    rows = [
        (" × ".join(group), TITLES[name], finding.reason)
        for name, own in view.values.items()
        for group, finding in own.items()
        if name in TITLES and finding.reason is not None
    ]
    if not rows:
        return []
    heads = {name: [row[place] or "" for row in rows] for place, name in enumerate(("Group", "Measure", "Note"))}
    return [by_columns("What could not be computed, or has no interval", heads, folded=True)]


def _gaps(view: EvaluateView) -> Part:
    """Return every group against its reference, measure by measure."""
    findings = [each for name in TITLES for each in view.gaps.get(name, ())]
    known = next((each.adjustment for each in findings if each.adjustment), None)
    adjusted = known.rpartition(", ")[2] if known else ""
    over = f" p is adjusted measure by measure ({adjusted.partition(' over ')[0]})." if adjusted else ""
    return Part(
        heading="Groups against each other",
        text=[
            "Each group less the one that it is compared with: the best one in that measure unless one was "
            f"named.{over}"
        ],
        tables=[differences_table("Differences of groups", findings)],
        folded=True,
    )


def _criteria(view: EvaluateView) -> list[Part]:
    """Return ratios and other criteria of equal treatment, group by group."""
    if IMPACT_RATIO not in view.values:
        return []
    tables = [values_table(caption, view.by_group, measures) for caption, measures in _RATIOS.items()]
    fifths = view.values.get(IMPACT_RATIO, {})
    rows = {group: ImpactRatio.of(each) for group, each in fifths.items()}
    tables.append(
        by_columns(
            "Selected, and the four-fifths rule",
            {
                "Group": [" × ".join(group) for group in rows],
                "Against": [group_told(fifths[group].reference) for group in rows],
                "Selected": [f"{count_text(d.selected_focal)} of {count_text(d.n_focal)}" for d in rows.values()],
                "Impact ratio": [with_interval(fifths[group]) for group in rows],
                "Four-fifths": [in_words(d.four_fifths or ABSENT) for d in rows.values()],
                "p, adjusted": [p_text(fifths[group].p_adjusted) for group in rows],
                "Note": [fifths[group].reason or "" for group in rows],
            },
        )
    )
    odds = view.values.get(EQUALISED_ODDS, {})
    if odds:
        tables.append(
            by_columns(
                "Equalised odds: the larger of the differences in TPR and in FPR, each from the group that the measure "
                "compares with",
                {
                    "Group": [" × ".join(group) for group in odds],
                    "Against": [group_told(each.reference) for each in odds.values()],
                    "Difference": [POINTS.text(each.estimate).lstrip("+") for each in odds.values()],
                    "95 % CI": [scale_of(each).interval(each.low, each.high) for each in odds.values()],
                    "p": [p_text(each.tests[0].p if each.tests else None) for each in odds.values()],
                    "Note": [each.reason or "" for each in odds.values()],
                },
            )
        )
    text = [
        "Demographic parity is a group's selection rate over that of all people, equal opportunity its TPR over that "
        "of all people; ratios are to the group that the measure compares with."
    ]
    return [Part(heading="Ratios", text=text, tables=tables, folded=True)]
