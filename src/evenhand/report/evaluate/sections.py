"""The page of an evaluation of a score, and its sections: calibration, cut-offs, similar people, slices, versions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.evaluate import words
from evenhand.report.evaluate.summary import criteria_section, evaluate_summary, interval_figure
from evenhand.report.impact.context import counted_section
from evenhand.report.page.contents import EVALUATED, Page
from evenhand.report.page.parts import CI, Figure, Part, Section, Table, columns_of, table, table_of
from evenhand.report.words.numbers import (
    ABSENT,
    PERCENT,
    PLAIN,
    POINTS,
    Scale,
    count_text,
    counted,
    p_text,
    percent_text,
)
from evenhand.report.words.results import capital, estimate_text, in_words, listing, with_interval
from evenhand.results import measures as results_measures
from evenhand.results import score_audit
from evenhand.results.finding import Finding, ImpactRatio
from evenhand.results.table_groups import EvaluateGroups, EvaluateView

#: Groups whose curves are drawn.
MOST_SERIES: Final = 6
RIGHT: Final = "as scored"
_PART = Scale(decimals=4)


def calibration_section(groups: EvaluateGroups, audit: score_audit.EvaluateAudit) -> Section | None:
    """Return the section; for scores that are no probabilities, why there is none."""
    if results_measures.BRIER not in groups.everybody:
        reason = audit.decided.no_probabilities
        text = [f"No calibration and no Brier score: {reason}."] if reason else []
        return Section(name="calibration", heading="Calibration", text=text) if text else None
    parts = [_part(f"All {audit.whom}", {"all": groups.everybody[results_measures.BRIER]}, audit)]
    for view in groups.views:
        if not view.crossed and results_measures.BRIER in view.values:
            curves = {" × ".join(group): finding for group, finding in view.values[results_measures.BRIER].items()}
            parts.append(_part(f"By {words.attributes_text(view.attributes)}", curves, audit, folded=len(parts) > 1))
    intercept, slope = (
        with_interval(groups.everybody.get(name))
        for name in (results_measures.CALIBRATION_INTERCEPT, results_measures.CALIBRATION_SLOPE)
    )
    return Section(
        name="calibration",
        heading="Calibration",
        text=[
            "If a score is read as a probability, 70 % of the people with a score of 0.7 should have the outcome. "
            f"Each point is a tenth of the {audit.whom}, in order of their scores. An intercept below 0 means that "
            "outcomes are rarer than the scores say, a slope below 1 that high scores are too high and low ones too "
            "low; 0 and 1 are right.",
            f"All {audit.whom}: intercept {intercept}, slope {slope}.",
        ],
        parts=parts,
    )


def _part(
    heading: str, curves: Mapping[str, Finding], audit: score_audit.EvaluateAudit, *, folded: bool = False
) -> Part:
    drawn = {group: score_audit.Probabilities.of(finding).bins for group, finding in list(curves.items())[:MOST_SERIES]}
    points = [
        LinePoint(
            at=PERCENT.shown(bin_.mean_score),
            value=PERCENT.shown(bin_.share),
            low=PERCENT.shown(bin_.low),
            high=PERCENT.shown(bin_.high),
            series=group,
            text=f"{group}, mean score {PERCENT.text(bin_.mean_score)}: {PERCENT.text(bin_.share)} of {bin_.n:,} "
            f"({PERCENT.interval(bin_.low, bin_.high)})",
        )
        for group, bins in drawn.items()
        for bin_ in bins
    ]
    ends = [point.at for point in points]
    points += [
        LinePoint(at=end, value=end, series=RIGHT, text="the share equals the score", mark=False)
        for end in ((min(ends), max(ends)) if ends else ())
    ]
    more = f" The first {MOST_SERIES} of {len(curves)} groups." if len(curves) > MOST_SERIES else ""
    figure = Figure(
        title=f"Reliability, {heading[:1].lower()}{heading[1:]}",
        note=f"On the line '{RIGHT}', the share with the outcome equals the score.{more}",
        chart=lambda width: line_chart(
            points, title=f"% with {words.happened(audit.decided)}", along="mean score, %", width=width
        ),
        tables=[_bins(drawn, audit.whom)],
    )
    return Part(heading=heading, figures=[figure] if ends else [], tables=[_scores(curves)], folded=folded)


def _bins(drawn: Mapping[str, Sequence[score_audit.ReliabilityBin]], whom: str) -> Table:
    rows = [(group, bin_) for group, bins in drawn.items() for bin_ in bins]
    return table_of(
        rows,
        {
            "Group": lambda row: row[0],
            "Mean score": lambda row: PERCENT.text(row[1].mean_score),
            "With the outcome": lambda row: PERCENT.text(row[1].share),
            "95 % CI": lambda row: PERCENT.interval(row[1].low, row[1].high),
            capital(whom): lambda row: count_text(row[1].n),
        },
        caption="Shares with the outcome by score",
        folded=True,
    )


def _scores(curves: Mapping[str, Finding]) -> Table:
    parts = ("reliability", "resolution", "uncertainty", "within_bins")
    columns: dict[str, Callable[[str], str]] = {"Group": str, "Brier score": lambda group: with_interval(curves[group])}
    for name in parts:
        columns[capital(in_words(name))] = lambda group, name=name: _PART.text(  # type: ignore[misc]
            getattr(score_audit.Probabilities.of(curves[group]), name)
        )
    columns["Note"] = lambda group: curves[group].reason or ""
    return table_of(
        curves,
        columns,
        caption="Brier score and what it is made of: reliability − resolution + uncertainty + within bins",
    )


_RATIO = PLAIN
FOUR_FIFTHS: Final = 0.8


#: What is drawn: its title, its value, how it is printed.
_PLOTTED_RATES: Final[Sequence[tuple[str, Callable[[score_audit.CutoffRates], float | None], Scale]]] = (
    ("Selection rate", lambda row: row.selection_rate, PERCENT),
    ("Impact ratio", lambda row: row.impact_ratio, _RATIO),
    ("FNR", lambda row: None if row.tpr is None else 1 - row.tpr, PERCENT),
    ("FPR", lambda row: row.fpr, PERCENT),
    ("Precision", lambda row: row.precision, PERCENT),
)


def cutoff_section(audit: score_audit.EvaluateAudit) -> Section | None:
    """Return the section: five charts per attribute; None where no cut-off can be tried."""
    if not audit.cutoffs:
        return None
    parts: list[Part] = []
    for attribute in dict.fromkeys(row.attribute for row in audit.cutoffs):
        rows = [row for row in audit.cutoffs if row.attribute == attribute]
        labels = list(dict.fromkeys(row.group for row in rows))
        figures = [
            _figure([row for row in rows if row.group in labels[start : start + MOST_SERIES]], *drawn, audit)
            for drawn in _PLOTTED_RATES
            for start in range(0, len(labels), MOST_SERIES)
        ]
        parts.append(Part(heading=capital(in_words(attribute)), figures=figures, folded=bool(parts)))
    drawn_cutoffs = "last ranks that are selected" if audit.decided.top is not None else "cut-offs"
    return Section(
        name="cutoffs",
        heading="Other cut-offs",
        text=[
            f"One {'rank' if audit.decided.top is not None else 'cut-off'} for everybody: what it would do to each "
            f"group. Drawn are {drawn_cutoffs} at equally spaced ranks of all scores; cutoffs.csv has the numbers. A "
            "cut-off that differs by group is not a solution: to adjust scores or use different cut-offs by race, "
            "color, religion, sex or national origin is unlawful in hiring in the United States (42 U.S.C. "
            "2000e-2(l)). A cut-off that was chosen for its numbers has to be tested on other people.",
        ],
        parts=parts,
    )


def _figure(
    rows: Sequence[score_audit.CutoffRates],
    title: str,
    value: Callable[[score_audit.CutoffRates], float | None],
    scale: Scale,
    audit: score_audit.EvaluateAudit,
) -> Figure:
    along = "last rank selected" if audit.decided.top is not None else "cut-off"
    points = [
        LinePoint(
            at=row.cutoff,
            value=scale.shown(rate),
            series=row.group,
            text=f"{row.group}, {along} {row.cutoff:g}: {scale.text(rate)}, {row.selected:,} of {row.n:,} selected",
        )
        for row in rows
        for rate in (value(row),)
    ]
    lines = [MarkedLine(value=FOUR_FIFTHS, text="0.8")] if scale is _RATIO else []
    name = f"{title} by cut-off, groups of {in_words(rows[0].attribute)}"
    cutoffs = sorted({row.cutoff for row in rows})
    cells = {(row.group, row.cutoff): scale.text(value(row)) for row in rows}
    groups = dict.fromkeys(row.group for row in rows)
    cutoff_table = table(
        name,
        [capital(along), *groups],
        [[f"{cutoff:.6g}", *(cells.get((group, cutoff), ABSENT) for group in groups)] for cutoff in cutoffs],
        folded=True,
    )
    unit = "" if scale is _RATIO else ", %"
    return Figure(
        title=name,
        note=""
        if scale is not _RATIO
        else "The dashed line at 0.8 is four fifths. The ratio is to the reference group there.",
        chart=lambda width: line_chart(
            points, title=f"{title}{unit}", along=along, width=width, lines=lines, zero=scale is not _RATIO
        ),
        tables=[cutoff_table],
    )


def similar_section(groups: EvaluateGroups, audit: score_audit.EvaluateAudit) -> Section | None:
    """Return how often similar people are decided differently, across groups and within them, and the quotient."""
    if not groups.similar:
        return None
    everybody, *compared = groups.similar
    detail = score_audit.SimilarDecisions.of(everybody)
    share = f"A person and a similar one were decided differently in {with_interval(everybody)} of pairs, which lie "
    share += f"{_DISTANCE.number(detail.distance)} apart on average."
    text = [
        " ".join([_similar_words(audit.similar), *([share] if everybody.estimate is not None else [])]),
        "Pairs across groups and within them have the same people. A person's neighbours are visited from the nearest "
        "outwards; where "
        "their group changes for the first and the second time, the two next to the change are compared with the "
        "person: one of them is of the person's group. Once the one across groups is farther, once nearer. No "
        "statistic shows whether these columns are the right ones for similarity.",
    ]
    columns = {
        "By": lambda finding: capital(in_words(_similar_of(finding).attribute or "")),
        "Across groups": lambda finding: percent_text(_similar_of(finding).across),
        "Within groups": lambda finding: percent_text(_similar_of(finding).within),
        "Difference": with_interval,
        "p": lambda finding: p_text(finding.p),
        "p, adjusted": lambda finding: p_text(finding.p_adjusted),
        "People": lambda finding: count_text(finding.n),
        "Mean distance": lambda finding: ", ".join(
            _DISTANCE.number(far)
            for far in (_similar_of(finding).distance_across, _similar_of(finding).distance_within)
        ),
        **columns_of(compared, "Note"),
    }
    tables = [table_of(compared, columns, caption="Similar pairs decided differently")] if compared else []
    for finding in compared:
        chosen = [
            f"{group} in {percent_text(value)}"
            for group, value in (_similar_of(finding).chosen or {}).items()
            if value is not None
        ]
        if chosen:
            text.append(
                f"By {in_words(_similar_of(finding).attribute or '')}: of pairs across groups that were decided "
                f"differently, the selected one was {listing(chosen)} of those with such a person."
            )
    quotient = groups.quotient
    if quotient is not None:
        largest = score_audit.LargestQuotient.of(quotient)
        if largest.identical:
            text.append(
                f"{counted(largest.identical, 'pair is', 'pairs are')} identical in all of these; "
                f"{count_text(largest.identical_apart)} of them have different scores."
            )
        if quotient.estimate is not None:
            text.append(
                f"The largest difference of scores per distance (Lipschitz quotient) is {quotient.estimate:.3g}; these "
                f"two lie {_DISTANCE.number(largest.distance)} apart."
            )
            tables.append(_pair_table(largest.pair))
    return Section(name="similar", heading="Similar people", text=text, parts=[Part(tables=tables)])


_DISTANCE: Final = Scale(decimals=3)


def _similar_of(finding: Finding) -> score_audit.SimilarDecisions:
    return score_audit.SimilarDecisions.of(finding)


def _similar_words(similar: score_audit.Similar) -> str:
    """Return who counts as similar to whom."""
    names = [
        in_words(name) if weight == 1 else f"{in_words(name)} (weight {weight:g})"
        for name, weight in similar.columns.items()
    ]
    limit = "" if similar.within is None else f", {similar.within:g} apart at most"
    drawn = f", drawn from {count_text(similar.of)}" if similar.of > similar.people else ""
    omitted = f" Left out: {counted(similar.incomplete, 'row')} without one of these." if similar.incomplete else ""
    return (
        f"Similar people are a person's nearest ones by {listing(names)}{limit}: 30 of them, 5 % of all at most, 5 "
        f"at least; {counted(similar.people, 'person', 'people')}{drawn}.{omitted}"
    )


def _pair_table(pair: Sequence[score_audit.SimilarPerson]) -> Table:
    """Return both people side by side."""
    first, second = pair
    rows = [
        *((capital(in_words(name)), first.values[name], second.values[name]) for name in first.values),
        *(
            (capital(in_words(name)), first.groups[name] or ABSENT, second.groups[name] or ABSENT)
            for name in first.groups
        ),
        ("Score", f"{first.score:.4g}", f"{second.score:.4g}"),
    ]
    return table("The two people with the largest quotient", ("Column", "One", "The other"), rows)


#: Rows of a table of differences.
MOST_ROWS: Final = 60
_SLICE_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "Everybody": (results_measures.BASE_RATE, results_measures.SELECTION_RATE, results_measures.AUC),
    "Errors of everybody": (results_measures.FNR, results_measures.FPR, results_measures.PRECISION),
    "Brier score of everybody": (results_measures.BRIER,),
}


def slices_section(groups: EvaluateGroups) -> Section | None:
    """Return every slice: its people, and how far its groups differ."""
    if not groups.slices:
        return None
    parts = []
    for name in dict.fromkeys(key for view in groups.slices for key in view.slice):
        views = [view for view in groups.slices if name in view.slice]
        alone = {view.slice[name]: view.everybody for view in views}
        tables = [
            words.values_table(f"{caption}, by {in_words(name)}", alone, measures, first="Slice")
            for caption, measures in _SLICE_TABLES.items()
            if any(measure in by_measure for by_measure in alone.values() for measure in measures)
        ]
        rows = [
            finding
            for view in views
            if not view.crossed
            for measure in (
                results_measures.AUC,
                results_measures.FNR,
                results_measures.FPR,
                results_measures.PRECISION,
            )
            for finding in view.gaps.get(measure, ())
        ]
        rows.sort(key=lambda finding: (finding.p_adjusted is None, finding.p_adjusted, -abs(finding.estimate or 0.0)))
        left = len(rows) - MOST_ROWS
        if rows:
            tables.append(
                words.differences_table(
                    f"Groups within each {in_words(name)}, the surest difference first",
                    rows[:MOST_ROWS],
                    more={"Slice": lambda finding, name=name: finding.slice[name]},  # type: ignore[misc]
                )
            )
        more = [f"{count_text(left)} more are in findings.json."] if left > 0 else []
        parts.append(Part(heading=f"By {in_words(name)}", text=more, tables=tables))
    text = ["Exploratory: p is adjusted for all pairs of groups in all slices of a column (Benjamini-Hochberg)."]
    return Section(name="slices", heading="Within slices", text=text, parts=parts)


def versions_section(groups: EvaluateGroups, whom: str = "people") -> Section | None:
    """Return the section; None without a previous version."""
    if not groups.changes:
        return None
    tables = [_changed(f"All {whom}", list(groups.changes.values()))]
    for view in groups.views:
        rows = [finding for by_group in view.changes.values() for finding in by_group.values()]
        tables.append(_changed(f"By {words.attributes_text(view.attributes)}", rows, folded=True))
    tests = listing(list(dict.fromkeys(test.name for finding in groups.changes.values() for test in finding.tests)))
    return Section(
        name="versions",
        heading="The new version against the previous one",
        text=[
            f"Both versions scored the same {whom}, so differences are paired ({tests}). A lower FPR, FNR and Brier "
            "score is better, and a higher value of the others; of the selection rate neither is. p is corrected over "
            "the planned comparisons of this run (Holm), of other measures measure by measure (Benjamini-Hochberg)."
        ],
        parts=[Part(tables=tables)],
    )


def _changed(caption: str, rows: Sequence[Finding], *, folded: bool = False) -> Table:
    def value(finding: Finding, version: str) -> str:
        return words.plain_scale(finding).text(getattr(score_audit.VersionChange.of(finding), f"value_{version}"))

    return table_of(
        rows,
        {
            "Measure": words.measure_text,
            "Whose": lambda finding: words.group_text(finding.focal) if finding.focal else "all",
            "New": lambda finding: value(finding, "new"),
            "Previous": lambda finding: value(finding, "previous"),
            "Difference": estimate_text,
            **columns_of(rows, CI, "n", "p, adjusted"),
            "Note": words.note_of,
        },
        caption=caption,
        folded=folded,
    )


#: The tables of each group's values; three measures with their intervals are as wide as a page.
_GROUP_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "Ranking and precision": (results_measures.AUC, results_measures.PRECISION, results_measures.F1),
    "Rates": (results_measures.BASE_RATE, results_measures.SELECTION_RATE, results_measures.TPR),
    "Errors": (results_measures.FNR, results_measures.FPR, results_measures.TNR),
    "Calibration": (results_measures.BRIER, results_measures.CALIBRATION_INTERCEPT, results_measures.CALIBRATION_SLOPE),
}
_RATIOS: Final[Mapping[str, Sequence[str]]] = {
    "Ratios to the group that is compared with": tuple(
        f"{results_measures.RATIO}{name}"
        for name in (results_measures.TPR, results_measures.FPR, results_measures.PRECISION)
    ),
    "Ratios to all people, and of errors": (
        results_measures.DEMOGRAPHIC_PARITY,
        results_measures.EQUAL_OPPORTUNITY,
        results_measures.TREATMENT_EQUALITY,
    ),
}
WHO_COUNTS: Final = (
    "Only rows with an outcome and a score are counted. An earlier selection often decided who has an outcome."
)


def evaluate_sections(groups: EvaluateGroups, audit: score_audit.EvaluateAudit) -> list[Section]:
    """Return the sections in reading order."""
    sections = [
        counted_section(audit.accounting, heading="Who is counted", told=WHO_COUNTS),
        *(attribute_section(view, number, audit) for number, view in enumerate(groups.views, start=1)),
        versions_section(groups, audit.whom),
        criteria_section(audit),
        cutoff_section(audit),
        calibration_section(groups, audit),
        slices_section(groups),
        similar_section(groups, audit),
    ]
    return [section for section in sections if section is not None]


def attribute_section(
    view: EvaluateView,
    number: int,
    audit: score_audit.EvaluateAudit,
    tables_of: Mapping[str, Sequence[str]] = _GROUP_TABLES,
) -> Section:
    """Return the section of an attribute: each group's values, differences, and fairness criteria."""
    text = []
    if view.crossed:
        text.append(
            "People are grouped by several attributes at once. There are many such groups with few people in each, "
            "so these comparisons are exploratory, and their p is adjusted for all of them (Benjamini-Hochberg)."
        )
    text += [note.text for note in audit.floor_notes if note.attributes == view.attributes]
    everybody = {"All": view.everybody} if view.everybody else {}
    tables = [
        words.values_table(f"{caption}, each with its interval", everybody | view.by_group, measures)
        for caption, measures in tables_of.items()
        if any(name in view.values for name in measures)
    ]
    parts = [
        Part(figures=[interval_figure(view, [results_measures.AUC])], tables=[*tables, *_unknown(view)]),
        _gaps(view),
        *_criteria(view),
    ]
    return Section(
        name=f"attribute-{number}", heading=f"By {words.attributes_text(view.attributes)}", text=text, parts=parts
    )


def _unknown(view: EvaluateView) -> list[Table]:
    """Return the values that could not be computed, with reasons."""
    rows = [
        (" × ".join(group), words.TITLES[name], finding.reason)
        for name, by_group in view.values.items()
        for group, finding in by_group.items()
        if name in words.TITLES and finding.reason is not None
    ]
    if not rows:
        return []
    heads = ("Group", "Measure", "Note")
    return [table("What could not be computed, or has no interval", heads, rows, folded=True)]


def _gaps(view: EvaluateView) -> Part:
    """Return every group against its reference, measure by measure."""
    findings = [finding for name in words.TITLES for finding in view.gaps.get(name, ())]
    over = " p is corrected over the planned comparisons (Holm); of other measures, measure by measure."
    return Part(
        heading="Groups against each other",
        text=[
            "Each group minus the one that it is compared with: the best one in that measure unless one was "
            f"named.{over}"
        ],
        tables=[words.differences_table("Differences of groups", findings)],
        folded=True,
    )


def _criteria(view: EvaluateView) -> list[Part]:
    """Return ratios and other fairness criteria, group by group."""
    if results_measures.IMPACT_RATIO not in view.values:
        return []
    tables = [words.values_table(caption, view.by_group, measures) for caption, measures in _RATIOS.items()]
    fifths = view.values.get(results_measures.IMPACT_RATIO, {})
    groups = {
        "Group": lambda finding: words.group_text(finding.focal),
        "Against": lambda finding: words.group_text(finding.reference),
    }
    tables.append(
        table_of(
            list(fifths.values()),
            {
                **groups,
                "Selected": lambda finding: (
                    f"{count_text(ImpactRatio.of(finding).selected_focal)} of "
                    f"{count_text(ImpactRatio.of(finding).n_focal)}"
                ),
                "Impact ratio": with_interval,
                "Four-fifths": lambda finding: in_words(ImpactRatio.of(finding).four_fifths or ABSENT),
                **columns_of((), "p, adjusted"),
                "Note": words.note_of,
            },
            caption="Selected, and the four-fifths rule",
        )
    )
    rows = list(view.values.get(results_measures.EQUALISED_ODDS, {}).values())
    if rows:
        tables.append(
            table_of(
                rows,
                {
                    **groups,
                    "Difference": lambda finding: POINTS.number(finding.estimate, signed=False) + POINTS.suffix,
                    **columns_of(rows, CI, "Note"),
                },
                caption="Equalised odds: the larger of the differences in TPR and in FPR, each from the group that "
                "the measure compares with",
            )
        )
    text = [
        "Demographic parity is a group's selection rate over that of all people, equal opportunity its TPR over that "
        "of all people; ratios are to the group that the measure compares with."
    ]
    return [Part(heading="Ratios", text=text, tables=tables, folded=True)]


PAGE: Final[Page[score_audit.EvaluateAudit, EvaluateGroups]] = Page(
    opening=lambda content: evaluate_summary(content.groups, content.audit),
    chapters=lambda content: evaluate_sections(content.groups, content.audit),
    asked=lambda content: words.evaluate_parameter_rows(content.audit),
    limits=lambda content: words.evaluate_limits(content.audit),
    definitions=lambda content: words.evaluate_definitions({finding.measure for finding in content.findings}),
    text=EVALUATED,
)
