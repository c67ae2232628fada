"""The chapters of an evaluation."""

from collections.abc import Mapping, Sequence
from typing import Final

from evenhand.report.impact.counted import counted_section
from evenhand.report.page.parts import Part, Section, Table
from evenhand.report.scores.evaluate.calibration import calibration_section
from evenhand.report.scores.evaluate.criteria import criteria_section
from evenhand.report.scores.evaluate.cutoffs import cutoff_section
from evenhand.report.scores.evaluate.opening import interval_figure
from evenhand.report.scores.evaluate.told import (
    TITLES,
    attributes_told,
    by_columns,
    gap_told,
    group_told,
    percent,
    plain_scale,
    selected_when,
    value_told,
    with_interval,
)
from evenhand.report.words.numbers import ABSENT, count_text, counted, p_text, scale_of
from evenhand.report.words.wording import in_words, listing
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.audit.applicants.predictions import GroupGap, SimilarDecisions, VersionChange
from evenhand.tables.details import ImpactRatio
from evenhand.tables.finding import Finding
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

__all__ = ["evaluate_chapters"]

#: Rows of a table of differences in slices.
MOST_ROWS: Final = 60
_RATES: Final = (BASE_RATE, SELECTION_RATE, TPR, FNR, FPR, TNR)
_QUALITY: Final = (AUC, PRECISION, F1, TREATMENT_EQUALITY, BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE)
_RATIOS: Final = (
    IMPACT_RATIO,
    DEMOGRAPHIC_PARITY,
    f"{RATIO}{TPR}",
    EQUAL_OPPORTUNITY,
    f"{RATIO}{FPR}",
    f"{RATIO}{PRECISION}",
)
WHO_COUNTS: Final = (
    "Only rows with an outcome and a score are counted. Who has an outcome at all was often decided by an earlier "
    "selection."
)


def evaluate_chapters(groups: EvaluateGroups, audit: EvaluateAudit) -> list[Section]:
    """Return the chapters in the order that one reads them."""
    found = [
        counted_section(audit.accounting, heading="Who is counted", told=WHO_COUNTS),
        *(_attribute(view, number, audit) for number, view in enumerate(groups.views, start=1)),
        _versions(groups),
        criteria_section(audit),
        cutoff_section(audit),
        calibration_section(groups, audit),
        _slices(groups),
        _similar(groups, audit),
    ]
    return [section for section in found if section is not None]


def _attribute(view: EvaluateView, number: int, audit: EvaluateAudit) -> Section:
    text = []
    if view.crossed:
        text.append(
            "People are grouped by several attributes at once. There are many such groups and few people in each: these "
            "comparisons explore, and their p is adjusted for all of them (Benjamini-Hochberg)."
        )
    text += [note.text for note in audit.floor_notes if note.attributes == view.attributes]
    quality = [name for name in _QUALITY if name in view.values]
    parts = [
        Part(
            figures=[interval_figure(view, [AUC])],
            tables=[
                _values("Ranking, precision and calibration, each with its interval", view, quality),
                *([_values("Rates, each with its interval", view, _RATES)] if selected_when(audit.decided) else []),
                *_unknown(view),
            ],
        ),
        _gaps(view),
        *_criteria(view),
    ]
    return Section(name=f"attribute-{number}", heading=f"By {attributes_told(view.attributes)}", text=text, parts=parts)


def _values(caption: str, view: EvaluateView, measures: Sequence[str]) -> Table:
    """Return the values of every group, with their intervals."""
    everybody = {name: [with_interval(view.everybody.get(name))] for name in measures}
    return by_columns(
        caption,
        {
            "Group": [*(["All"] if view.everybody else []), *(" × ".join(group) for group in view.groups)],
            **{
                TITLES[name]: [
                    *(everybody[name] if view.everybody else []),
                    *(with_interval(view.values.get(name, {}).get(group)) for group in view.groups),
                ]
                for name in measures
            },
        },
    )


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
            f"Each group less the one that it is compared with: the best one in that measure unless one was named.{over}"
        ],
        tables=[_differences("Differences of groups", findings)],
        folded=True,
    )


def _differences(
    caption: str, findings: Sequence[Finding], *, more: Mapping[str, Sequence[str]] | None = None
) -> Table:
    values = [gap_told(each) for each in findings]
    return by_columns(
        caption,
        {
            "Measure": [_title(each) for each in findings],
            **(more or {}),
            "Group": [group_told(each.focal) for each in findings],
            "Against": [group_told(each.reference) for each in findings],
            "Values": [
                ABSENT if each.estimate is None else " / ".join(pair)
                for each, pair in zip(findings, values, strict=True)
            ],
            "Difference": [value_told(each) for each in findings],
            "95 % CI": [scale_of(each).interval(each.low, each.high, apart=(0.0,)) for each in findings],
            "n": [count_text(each.n) for each in findings],
            "p, adjusted": [p_text(each.p_adjusted) for each in findings],
            "Note": [each.reason or "" for each in findings],
        },
    )


def _title(finding: Finding) -> str:
    name = finding.measure
    for begins in ("diff_", "change_"):
        name = name.removeprefix(begins)
    return TITLES.get(name, in_words(name))


def _criteria(view: EvaluateView) -> list[Part]:
    """Return ratios and other criteria of equal treatment, group by group."""
    ratios = [name for name in _RATIOS if name in view.values]
    if not ratios:
        return []
    tables = [_values("Ratios to the reference, and to all people", _without_all(view), ratios)]
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
                "Equalised odds: the larger of the differences in TPR and in FPR",
                {
                    "Group": [" × ".join(group) for group in odds],
                    "Against": [group_told(each.reference) for each in odds.values()],
                    "Difference": [percent(each.estimate) for each in odds.values()],
                    "95 % CI": [scale_of(each).interval(each.low, each.high) for each in odds.values()],
                    "p": [p_text(each.tests[0].p if each.tests else None) for each in odds.values()],
                    "Note": [each.reason or "" for each in odds.values()],
                },
            )
        )
    text = [
        "Demographic parity is a group's selection rate over that of all people, equal opportunity its TPR over that of "
        "all people; ratios are to the group that the measure compares with."
    ]
    return [Part(heading="Ratios", text=text, tables=tables, folded=True)]


def _without_all(view: EvaluateView) -> EvaluateView:
    return EvaluateView(
        slice=view.slice,
        attributes=view.attributes,
        groups=view.groups,
        values=view.values,
        gaps=view.gaps,
        changes=view.changes,
    )


def _versions(groups: EvaluateGroups) -> Section | None:
    if not groups.changes:
        return None
    tables = [_changed("All people", {(): each for each in groups.changes.values()}, list(groups.changes.values()))]
    for view in groups.views:
        rows = [each for own in view.changes.values() for each in own.values()]
        tables.append(_changed(f"By {attributes_told(view.attributes)}", {}, rows))
    return Section(
        name="versions",
        heading="The new version against the previous one",
        text=[
            "Both versions scored the same people, so differences are paired: McNemar's test of rates, DeLong's of the AUC. "
            "A lower FPR, FNR and Brier score are better, and a higher value of the others; of the selection rate neither "
            "is. p is adjusted for the groups (Holm)."
        ],
        parts=[Part(tables=tables)],
    )


def _changed(caption: str, _whole: object, rows: Sequence[Finding]) -> Table:
    details = [VersionChange.of(each) for each in rows]
    return by_columns(
        caption,
        {
            "Measure": [_title(each) for each in rows],
            "Whose": [group_told(each.focal) if each.focal else "all" for each in rows],
            "New": [plain_scale(each).text(d.value_new) for each, d in zip(rows, details, strict=True)],
            "Previous": [plain_scale(each).text(d.value_previous) for each, d in zip(rows, details, strict=True)],
            "Difference": [value_told(each) for each in rows],
            "95 % CI": [scale_of(each).interval(each.low, each.high, apart=(0.0,)) for each in rows],
            "n": [count_text(each.n) for each in rows],
            "p, adjusted": [p_text(each.p_adjusted) for each in rows],
            "Note": [each.reason or "" for each in rows],
        },
    )


def _slices(groups: EvaluateGroups) -> Section | None:
    """Return every slice: its people, and how far its groups differ."""
    if not groups.slices:
        return None
    parts = []
    for name in dict.fromkeys(key for view in groups.slices for key in view.slice):
        views = [view for view in groups.slices if name in view.slice]
        alone = {view.slice[name]: view.everybody for view in views}
        measures = [
            each
            for each in (BASE_RATE, SELECTION_RATE, AUC, FNR, FPR, PRECISION, BRIER)
            if any(each in own for own in alone.values())
        ]
        tables = [
            by_columns(
                f"Everybody, by {in_words(name)}",
                {
                    "Slice": list(alone),
                    "People": [count_text(own[BASE_RATE].n) for own in alone.values()],
                    **{TITLES[each]: [with_interval(own.get(each)) for own in alone.values()] for each in measures},
                    "Note": [
                        "; ".join(dict.fromkeys(f.reason for f in own.values() if f.reason)) for own in alone.values()
                    ],
                },
            )
        ]
        rows = [
            each
            for view in views
            if not view.crossed
            for measure in (AUC, FNR, FPR, PRECISION)
            for each in view.gaps.get(measure, ())
        ]
        rows.sort(key=lambda each: (each.p_adjusted is None, each.p_adjusted, -abs(each.estimate or 0.0)))
        left = len(rows) - MOST_ROWS
        if rows:
            where = [each.slice[name] for each in rows[:MOST_ROWS]]
            tables.append(
                _differences(
                    f"Groups within each {in_words(name)}, the surest difference first",
                    rows[:MOST_ROWS],
                    more={"Slice": where},
                )
            )
        more = [f"{count_text(left)} more are in findings.json."] if left > 0 else []
        parts.append(Part(heading=f"By {in_words(name)}", text=more, tables=tables))
    text = ["Exploratory: p is adjusted for all pairs of groups in all slices of a column (Benjamini-Hochberg)."]
    return Section(name="slices", heading="Within slices", text=text, parts=parts)


def _similar(groups: EvaluateGroups, audit: EvaluateAudit) -> Section | None:
    """Return how often similar people are decided differently."""
    if not groups.similar:
        return None
    asked = audit.similar
    rows = groups.similar
    details = [SimilarDecisions.of(each) for each in rows]
    drawn = f", drawn from {count_text(asked.of)}" if asked.of > asked.people else ""
    left = (
        f" {counted(asked.incomplete, 'row')} without one of these columns {'is' if asked.incomplete == 1 else 'are'} left out."
        if asked.incomplete
        else ""
    )
    text = [
        f"Similar are two people whose {listing([in_words(name) for name in asked.columns])} lie apart by {asked.within:g} at "
        f"most, the mean of the differences as shares of each column's range; {counted(asked.people, 'person', 'people')}"
        f"{drawn}.{left} Whether these columns are what should make people alike, no statistic tells."
    ]
    quotient = groups.quotient
    if quotient is not None and quotient.estimate is not None:
        largest = SimilarDecisions.of(quotient).largest_quotient
        told = f", the largest by {largest:.3g}" if largest is not None else ""
        text.append(
            f"Lipschitz quotient: per unit of distance, 95 % of close pairs differ by at most {quotient.estimate:.3g} in "
            f"score{told}."
        )
    identical = details[0].identical or 0
    if identical:
        apart = details[0].identical_apart or 0
        text.append(
            f"{count_text(identical)} pairs are alike in all these columns; {count_text(apart)} of them have different scores."
        )
    columns = {
        "Pairs": [
            "all close pairs" if d.attribute is None else f"of different {in_words(d.attribute)}" for d in details
        ],
        "Decided differently": [with_interval(each) for each in rows],
        "How many": [
            f"{count_text(d.different)} of {count_text(d.pairs)}" if each.estimate is not None else count_text(d.pairs)
            for each, d in zip(rows, details, strict=True)
        ],
        "Note": [each.reason or "" for each in rows],
    }
    return Section(
        name="similar", heading="Similar people", text=text, parts=[Part(tables=[by_columns("Close pairs", columns)])]
    )


assert GroupGap
