"""The first screen of an evaluation: which groups are served worse, and which criteria can't hold together."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from evenhand.report.charts.intervals import IntervalRow, interval_chart
from evenhand.report.evaluate import words
from evenhand.report.impact.views import TWO_SIDED_LINE
from evenhand.report.page import parts as page_parts
from evenhand.report.probe.summary import MOST_STEPS
from evenhand.report.words import results
from evenhand.report.words.numbers import ABSENT, MINUS, PLAIN, count_text, counted, percent_text, scale_of
from evenhand.results import measures as results_measures
from evenhand.results.finding import FEWEST_PEOPLE, SMALLEST_SHARE, Finding, ImpactRatio
from evenhand.results.score_audit import Decided, EvaluateAudit, SimilarDecisions, Tension, VersionChange
from evenhand.results.table_groups import EvaluateGroups, EvaluateView


def impossible(tension: Tension, decided: Decided) -> str:
    """Return that criteria cannot hold together here, in one or two sentences."""
    start = (
        f"{percent_text(tension.base_rate)} ({tension.group}) and {percent_text(tension.base_rate_reference)} "
        f"({tension.reference}) have {words.happened(decided)}. At different base rates a score that selects "
        f"some rightly "
        "and some wrongly cannot have the same precision, FPR and FNR in both groups"
    )
    parts = [
        f"{results.sentence_case(name)} {percent_text(mine)} against {percent_text(theirs)}"
        for name, mine, theirs in _pairs(tension)
        if mine is not None and theirs is not None
    ]
    values = f"; here: {', '.join(parts)}" if parts else ""
    return f"{start}{values}."


def _pairs(tension: Tension) -> list[tuple[str, float | None, float | None]]:
    return [
        ("Precision", tension.precision, tension.precision_reference),
        ("FPR", tension.fpr, tension.fpr_reference),
        ("FNR", tension.fnr, tension.fnr_reference),
    ]


def criteria_section(audit: EvaluateAudit) -> page_parts.Section | None:
    """Return the section; None where base rates are not known to differ."""
    if not audit.tensions:
        return None
    return page_parts.Section(
        name="criteria",
        heading="Criteria that cannot hold together",
        text=[
            "Three criteria are often required of a score: the same meaning in every group (equal precision, or "
            "calibration), equal FNR, and equal FPR. Where more of one group have the outcome than of the other, no "
            "score can do all three, "
            "unless it selects nobody wrongly or nobody rightly (Chouldechova 2017; Kleinberg, Mullainathan and "
            "Raghavan 2017). Which criterion matters most is a decision of people, not of statistics.",
        ],
        parts=[_part(tension, audit.decided) for tension in audit.tensions],
    )


def _part(tension: Tension, decided: Decided) -> page_parts.Part:
    group, reference = tension.group, tension.reference
    text = [
        f"{percent_text(tension.base_rate)} ({group}) and {percent_text(tension.base_rate_reference)} ({reference}) "
        f"have {words.happened(decided)}. Of all groups of 30 people or more, these differ most clearly."
    ]
    if tension.fpr_if_equal is not None and tension.fpr_reference is not None:
        limit = " More than 100 % says that it is not possible at all." if tension.fpr_if_equal > 1 else ""
        text.append(
            f"With the precision ({percent_text(tension.precision_reference)}) and the FNR "
            f"({percent_text(tension.fnr_reference)}) of {reference}, the FPR of {group} would have to be "
            f"{percent_text(tension.fpr_if_equal)}, not the {percent_text(tension.fpr_reference)} of "
            f"{reference}: that follows "
            f"from the base rates alone.{limit}"
        )
    means = (tension.mean_score_positive, tension.mean_score_positive_reference)
    if all(mean is not None for mean in means):
        text.append(
            "Nor can a calibrated score have equal means in both groups, among those with the outcome and among those "
            "without it, unless it is always 0 or 1."
        )
    rows = [("Base rate", tension.base_rate, tension.base_rate_reference), *_pairs(tension)]
    cells = [(name, percent_text(mine), percent_text(theirs)) for name, mine, theirs in rows]
    cells += [
        (name, PLAIN.number(mine), PLAIN.number(theirs))
        for name, mine, theirs in (
            ("Mean score with the outcome", tension.mean_score_positive, tension.mean_score_positive_reference),
            ("Mean score without it", tension.mean_score_negative, tension.mean_score_negative_reference),
        )
    ]
    cells = [row for row in cells if row[1] != ABSENT or row[2] != ABSENT]
    return page_parts.Part(
        heading=f"By {results.in_words(tension.attribute)}: {group} and {reference}",
        text=text,
        tables=[page_parts.table("What holds here, and what does not", ("Measure", group, reference), cells)],
    )


#: Attributes that have sentences and a table here, and groups per table; the sections have all.
MOST_VIEWS, MOST_LINES = 2, 12
#: Small groups that are named.
MOST_NAMED: Final = 4
#: What the table shows of each group, with a cut-off and without one.
_SUMMARY_MEASURES: Final = (
    results_measures.BASE_RATE,
    results_measures.SELECTION_RATE,
    results_measures.IMPACT_RATIO,
    results_measures.AUC,
    results_measures.FNR,
    results_measures.FPR,
)
_RANKED: Final = (
    results_measures.BASE_RATE,
    results_measures.AUC,
    results_measures.BRIER,
    results_measures.CALIBRATION_INTERCEPT,
    results_measures.CALIBRATION_SLOPE,
)
NO_CUTOFF: Final = "Without a cut-off nobody is selected, so there are no error rates."
MARKED: Final = "* differs from the best value, adjusted p < 0.05"
NAMED: Final = "* differs from {}, adjusted p < 0.05"
EVERYBODY: Final = "All"


def evaluate_summary(groups: EvaluateGroups, audit: EvaluateAudit) -> page_parts.PageSummary:
    """Return the first screen."""
    views = first_views(groups)
    sentences = [
        *turned_round(groups, audit),
        *version_sentences(
            groups, words.FIRST, new="On the same people, the new version", always=(results_measures.AUC,)
        ),
    ]
    sentences += group_sentences(groups, audit, words.FIRST)
    sentences += [] if views else [_everybody(groups, audit)]
    sentences += [similar_sentence(finding) for finding in groups.similar if finding.claim is not None]
    sentences += [impossible(tension, audit.decided) for tension in audit.tensions[:1]]
    sentences += [] if words.selected_when(audit.decided) else [NO_CUTOFF]
    return page_parts.PageSummary(
        sentences=sentences,
        tables=summary_tables(groups, audit, _SUMMARY_MEASURES if words.selected_when(audit.decided) else _RANKED),
        figures=_figures(views),
        steps=list(_steps(groups, audit))[:MOST_STEPS],
    )


def similar_sentence(finding: Finding) -> str:
    """Return how often similar people were decided differently, across groups of an attribute and within them."""
    details = SimilarDecisions.of(finding)
    attribute = results.in_words(details.attribute or "")
    if finding.estimate is None or details.across is None or details.within is None:
        return f"Similar people by {attribute} were not compared: {finding.reason}"
    if finding.is_difference:
        beginning = f"Similar people of different {attribute} were decided differently"
    else:
        beginning = (
            f"By {attribute}, no statistically significant difference was detected between similar people: they were "
            "decided differently across groups"
        )
    return (
        f"{beginning} in {percent_text(details.across)} of pairs, against {percent_text(details.within)} "
        f"within groups: {words.difference_text(finding)}."
    )


def first_views(groups: EvaluateGroups) -> list[EvaluateView]:
    """Return the attributes on the first screen."""
    return by_one_attribute(groups)[:MOST_VIEWS]


def by_one_attribute(groups: EvaluateGroups) -> list[EvaluateView]:
    """Return the attributes whose comparisons are planned."""
    return [view for view in groups.views if not view.crossed]


def group_sentences(groups: EvaluateGroups, audit: EvaluateAudit, measures: Sequence[str]) -> Iterator[str]:
    """Yield in which measures groups differ, attribute by attribute, and of which nothing is known."""
    first = first_views(groups)
    for view in first:
        yield from _served(view, audit, measures)
    for view in by_one_attribute(groups)[len(first) :]:
        yield next(_served(view, audit, measures))
    known = {view.attributes[0] for view in groups.views}
    for name in audit.attributes:
        if name not in known:
            yield f"By {results.in_words(name)} there are no groups to compare: it is known of nobody."


def summary_tables(groups: EvaluateGroups, audit: EvaluateAudit, measures: Sequence[str]) -> list[page_parts.Table]:
    """Return a table for each attribute, or all that is known where there is none."""
    return [_table(view, groups, audit, measures) for view in first_views(groups)] or [_alone(groups, audit)]


def _everybody(groups: EvaluateGroups, audit: EvaluateAudit) -> str:
    ranking = groups.everybody[results_measures.AUC]
    if ranking.estimate is None:
        return f"Nothing can be said about the ranking: {ranking.reason}"
    return (
        f"{audit.decided.score} ranks people by {words.happened(audit.decided)} with an AUC of "
        f"{results.with_interval(ranking)}."
    )


#: Of a score without relation to the outcome.
CHANCE: Final = 0.5


def turned_round(groups: EvaluateGroups, audit: EvaluateAudit) -> Iterator[str]:
    """Yield that high scores stand for the other outcome, where the AUC lies below a half by more than chance."""
    ranking = groups.everybody.get(results_measures.AUC)
    if ranking is None or ranking.estimate is None or ranking.estimate >= CHANCE:
        return
    if ranking.estimate == 0.0 or (ranking.high is not None and ranking.high < CHANCE):
        yield (
            f"The AUC of all {audit.whom} is {results.with_interval(ranking)}, below the 0.5 of chance: the score is "
            f"probably turned round, high where {words.happened(audit.decided)} is not the outcome. Check which value "
            "of the label counts, and whether the scores are ranks, where 1 is best."
        )


def large_groups(view: EvaluateView) -> set[tuple[str, ...]]:
    """Return the groups that the first screen speaks of: of at least 30 people and 2 %, all if there are not two."""
    people = {group: finding.n for group, finding in view.values.get(results_measures.BASE_RATE, {}).items()}
    least = max(FEWEST_PEOPLE, SMALLEST_SHARE * sum(people.values()))
    large = {group for group, n in people.items() if n >= least}
    return large if len(large) > 1 else set(people)


def _served(view: EvaluateView, audit: EvaluateAudit, measures: Sequence[str]) -> Iterator[str]:
    """Yield the measures in which groups differ, the largest difference first, and what was not detected or judged."""
    by, large = words.attributes_text(view.attributes), large_groups(view)
    compared = {name: view.gaps.get(name, ()) for name in measures}
    shown = {name: [finding for finding in compared[name] if _groups_of(finding) <= large] for name in measures}
    if not any(_judged(shown.values())):  # as where everybody is compared with a small group
        shown, large = {name: list(findings) for name, findings in compared.items()}, set(view.groups)
    judged = {name: _judged([findings]) for name, findings in shown.items()}
    names = [name for name in measures if judged[name]]
    if not names:
        yield _nothing(view, audit)
        return
    number = sum(map(len, judged.values()))
    which = "shown" if large >= set(view.groups) else "of larger groups"
    scope = f"the {'comparison' if number == 1 else f'{count_text(number)} comparisons'} {which}"
    differing = {name: finding for name in names if (finding := words.widest(words.detected(judged[name])))}
    quiet = [name for name in names if name not in differing]
    if differing:
        lacking = f"; none was detected in {results.listing([_small(name) for name in quiet])}" if quiet else ""
        different = sum(len(words.detected(judged[name])) for name in names)
        yield (
            f"By {by}, groups differ statistically significantly in "
            f"{results.listing([_small(name) for name in differing])} ({different} of {scope}){lacking}."
        )
    else:
        yield (
            f"By {by}, no statistically significant difference was detected in "
            f"{results.listing([_small(name) for name in quiet])} ({scope}). {_widest(judged, quiet)}"
        )
    by_size = sorted(differing.items(), key=lambda item: -abs(item[1].estimate or 0.0))
    for name, finding in by_size:
        wider = "" if words.widest(judged[name]) is finding else "; a wider one is not statistically significant"
        yield f"{_worst(finding, name, audit.decided, view)}{wider}."
    if results_measures.SELECTION_RATE not in differing:
        yield from _below_four_fifths(view, large)
    omitted = [finding for findings in compared.values() for finding in findings if not _groups_of(finding) <= large]
    yield from _left_out(view, large, [finding for findings in shown.values() for finding in findings], omitted)


def _groups_of(finding: Finding) -> set[tuple[str, ...]]:
    return {tuple(finding.focal.values()), tuple(finding.reference.values())}


def _judged(findings: Iterable[Sequence[Finding]]) -> list[Finding]:
    return [finding for group in findings for finding in group if finding.verdict not in {None, "not_judged"}]


def _widest(judged: Mapping[str, Sequence[Finding]], quiet: Sequence[str]) -> str:
    """Return the widest difference of rates; without rates that of what else is compared."""
    rates = [name for name in quiet if name != results_measures.AUC] or quiet
    widest = {name: finding for name in rates if (finding := words.widest(judged[name]))}
    name, largest = max(widest.items(), key=lambda item: abs(item[1].estimate or 0.0))
    between = f"{words.group_text(largest.focal)} {MINUS} {words.group_text(largest.reference)}"
    of = "" if name == results_measures.AUC else " difference of rates"
    return f"The widest{of} is in {_small(name)}: {words.difference_text(largest)}, {between}."


def _ratio_text(ratio: Finding) -> str:
    """Return an impact ratio with its interval, how it stands to four fifths, and its p."""
    below = ["below four-fifths"] if ImpactRatio.of(ratio).four_fifths == "below" else []
    if (ratio.estimate or 0.0) > TWO_SIDED_LINE:
        below = [f"{words.group_text(ratio.reference)} below four-fifths of it"]
    return ", ".join([f"impact ratio {results.value_text(ratio)}", *below, *words.judged_by(ratio)])


def _below_four_fifths(view: EvaluateView, large: set[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lowest impact ratio below four-fifths, which is not statistically significant, of large groups."""
    below = [
        finding
        for group, finding in view.values.get(results_measures.IMPACT_RATIO, {}).items()
        if {group, tuple(finding.reference.values())} <= large and ImpactRatio.of(finding).four_fifths == "below"
    ]
    if not below:
        return
    lowest = min(below, key=lambda finding: finding.estimate or 0.0)
    larger = "" if large >= set(view.groups) else "larger "
    more = f" {counted(len(below) - 1, f'more {larger}group is', f'more {larger}groups are')} below it."
    more = more if len(below) > 1 else ""
    significant = ", not statistically significant" if lowest.verdict == "no_difference_detected" else ""
    yield f"{_selected(lowest)}: {_ratio_text(lowest)}{significant}.{more}"


def _selected(ratio: Finding) -> str:
    details = ImpactRatio.of(ratio)
    return (
        f"Selected: {percent_text(details.rate_focal)} ({words.group_text(ratio.focal)}), against "
        f"{percent_text(details.rate_reference)} ({words.group_text(ratio.reference)})"
    )


def _left_out(
    view: EvaluateView, large: set[tuple[str, ...]], shown: Sequence[Finding], omitted: Sequence[Finding]
) -> Iterator[str]:
    """Yield what is not judged of large groups, and which groups stand in the tables only, with what differs there."""
    unjudged = [finding for finding in shown if finding.verdict == "not_judged"]
    if unjudged:
        reasons = dict.fromkeys(
            results.sentence_case(
                ((finding.claim and finding.claim.reason) or finding.reason or "not computed").rstrip(".")
            )
            for finding in unjudged
        )
        are = "is" if len(unjudged) == 1 else "are"
        yield f"{counted(len(unjudged), 'more comparison')} {are} not judged: {results.listing(list(reasons))}."
    small = [" × ".join(group) for group in view.groups if group not in large]
    if small and len(small) < len(view.groups):
        named = results.listing(small) if len(small) <= MOST_NAMED else counted(len(small), "group")
        judged, different = _judged([omitted]), len(words.detected(omitted))
        comparisons = counted(len(judged), "comparison")
        differs = f" ({different} of {comparisons} statistically significant)" if different else ""
        yield (
            f"Of fewer than {FEWEST_PEOPLE} people or {100 * SMALLEST_SHARE:g} %, in the tables only: {named}{differs}."
        )


def _small(measure: str) -> str:
    title = words.TITLES[measure]
    return title if title[1:2].isupper() or title == words.TITLES[results_measures.BRIER] else title.lower()


def _worst(finding: Finding, measure: str, decided: Decided, view: EvaluateView) -> str:
    """Return a difference in one measure in words, with both groups' values."""
    ratio = view.values.get(results_measures.IMPACT_RATIO, {}).get(tuple(finding.focal.values()))
    if measure == results_measures.SELECTION_RATE and ratio is not None and ratio.estimate is not None:
        return f"{_selected(ratio)}: {_ratio_text(ratio)}"
    group, reference = words.group_text(finding.focal), words.group_text(finding.reference)
    mine, theirs = words.gap_texts(finding)
    size = words.difference_text(finding)
    yes, no = words.happened(decided), words.not_happened(decided)
    values = f"{mine} ({group}), against {theirs} ({reference})"
    texts = {
        results_measures.ACCURACY: f"Accuracy: {values}",
        results_measures.AUC: f"Ranking: the AUC is {values}",
        results_measures.SELECTION_RATE: f"Selected: {values}",
        results_measures.FNR: (
            f"Missed: of those with {yes}, {mine} were not selected ({group}), against {theirs} ({reference})"
        ),
        results_measures.FPR: (
            f"Wrongly selected: of those with {no}, {mine} were selected ({group}), against {theirs} ({reference})"
        ),
    }
    return f"{texts[measure]}: {size}"


def _nothing(view: EvaluateView, audit: EvaluateAudit) -> str:
    by = words.attributes_text(view.attributes)
    if len(view.groups) == 1:
        return f"By {by} there are no groups to compare: all {audit.whom} are {' × '.join(view.groups[0])}."
    findings = [finding for gap_findings in view.gaps.values() for finding in gap_findings]
    return (
        f"Nothing can be said about groups of {by}: {findings[0].reason if findings else 'nothing is known of them.'}"
    )


#: What a new version can be, and the sign of how much worse it is.
_DIRECTIONS: Final = (("worse", 1), ("better", -1), ("different", 0))
#: Groups that a sentence on versions names.
MOST_OF_VERSIONS: Final = 8


def version_sentences(
    groups: EvaluateGroups, measures: Sequence[str], *, new: str, always: Sequence[str]
) -> Iterator[str]:
    """Yield how a `new` version compares with the previous one, and the groups for whom it is worse.

    Of `measures` those in `always` are reported in any case, others only where they changed.
    """
    views = by_one_attribute(groups)
    known = {name: groups.changes[name] for name in measures if name in groups.changes}
    computed = {name: finding for name, finding in known.items() if finding.estimate is not None}
    if not computed:
        return
    judged = {name: finding for name, finding in computed.items() if finding.verdict == "difference"}
    by_sign = {
        sign: [_small(name) for name, finding in judged.items() if _sign(finding) == sign] for sign in (1, -1, 0)
    }
    verdicts = [
        f"statistically significantly {direction} in {results.listing(by_sign[sign])}"
        for direction, sign in _DIRECTIONS
        if by_sign[sign]
    ]
    yield f"{new} {f'is {results.listing(verdicts)}' if verdicts else 'was not detected to be better or worse'}."
    for name, finding in computed.items():
        if name in always or name in judged:
            details, scale = VersionChange.of(finding), words.plain_scale(finding)
            values = f"{scale.text(details.value_new)} after {scale.text(details.value_previous)}"
            yield f"{words.TITLES[name]}: {values} ({words.difference_text(finding)})."
    of_groups = [
        (name, finding)
        for view in views
        for name in measures
        for group, finding in view.changes.get(name, {}).items()
        if group in large_groups(view) and finding.verdict not in {None, "not_judged"}
    ]
    for direction, sign in _DIRECTIONS:
        named = [
            f"{words.group_text(finding.focal)} in {_small(name)} ({words.difference_text(finding)})"
            for name, finding in of_groups
            if finding.is_difference and _sign(finding) == sign
        ]
        more = [f"{count_text(len(named) - MOST_OF_VERSIONS)} more"] if len(named) > MOST_OF_VERSIONS else []
        if named:
            whom = results.listing([*named[:MOST_OF_VERSIONS], *more])
            yield f"It is statistically significantly {direction} for {whom}."
    if of_groups and not any(finding.is_difference and _sign(finding) > 0 for _, finding in of_groups):
        which = "groups" if all(large_groups(view) >= set(view.groups) for view in views) else "larger groups"
        yield f"It was not detected to be worse in any of the {counted(len(of_groups), 'comparison')} of {which}."


def _sign(finding: Finding) -> int:
    """Return 1 where the new version is worse, -1 where it is better, 0 where neither can be said."""
    worse_by = VersionChange.of(finding).worse_by or 0.0
    return (worse_by > 0) - (worse_by < 0)


def _table(
    view: EvaluateView, groups: EvaluateGroups, audit: EvaluateAudit, measures: Sequence[str]
) -> page_parts.Table:
    shown = [name for name in measures if name in groups.everybody or name in view.values]
    rows: list[tuple[str, Mapping[str, Finding]]] = [(EVERYBODY, groups.everybody)]
    rows += [(group, by_measure) for group, by_measure in list(view.by_group.items())[:MOST_LINES]]
    marked = {
        (name, words.group_text(finding.focal))
        for name, gap_findings in view.gaps.items()
        if name in {*words.FIRST, results_measures.ACCURACY}
        for finding in words.detected(gap_findings)
    }
    columns: dict[str, Callable[[tuple[str, Mapping[str, Finding]]], str]] = {
        "Group": lambda row: row[0],
        results.capital(audit.whom): lambda row: count_text(_people(row[1])),
    }
    for name in shown:
        columns[words.TITLES[name]] = lambda row, name=name: (
            results.estimate_text(row[1].get(name))
            + (  # type: ignore[misc]
                "*" if (name, row[0]) in marked and row[0] != EVERYBODY else ""
            )
        )
    left = len(view.groups) - MOST_LINES
    caption = [
        f"{results.capital(words.attributes_text(view.attributes))}, "
        f"{words.selected_when(audit.decided) or audit.decided.score}"
    ]
    caption += [f"The first {MOST_LINES} of {len(view.groups)} groups"] if left > 0 else []
    references = {tuple(finding.reference.values()) for findings in view.gaps.values() for finding in findings}
    chosen = _is_chosen(view, audit) and len(references) == 1
    caption += [NAMED.format(" × ".join(*references)) if chosen else MARKED] if marked else []
    return page_parts.table_of(rows, columns, caption=". ".join(caption))


def _is_chosen(view: EvaluateView, audit: EvaluateAudit) -> bool:
    """Return whether the reference of an attribute is one that was named, or the largest group."""
    chosen = {str(reference).rpartition("=")[0] or reference for reference in words.references_of(audit)}
    return bool(chosen & {view.attributes[0], "largest"})


def _people(by_measure: Mapping[str, Finding]) -> object:
    return by_measure[results_measures.BASE_RATE].n if results_measures.BASE_RATE in by_measure else ABSENT


def _alone(groups: EvaluateGroups, audit: EvaluateAudit) -> page_parts.Table:
    """Return every measure of the whole table, without groups."""
    known = [finding for name, finding in groups.everybody.items() if name in words.TITLES]
    return page_parts.table_of(
        known,
        {
            "Measure": lambda finding: words.TITLES[finding.measure],
            "Value": results.estimate_text,
            **page_parts.columns_of(known, page_parts.CI, "n", "Note"),
        },
        caption=f"All {audit.whom}",
    )


def _figures(views: Sequence[EvaluateView]) -> list[page_parts.Figure]:
    if not views:
        return []
    return [
        interval_figure(
            views[0],
            (results_measures.FNR, results_measures.FPR)
            if results_measures.FNR in views[0].values
            else (results_measures.AUC,),
        )
    ]


def interval_figure(view: EvaluateView, measures: Sequence[str]) -> page_parts.Figure:
    """Return measures of one unit, group by group, with their intervals."""
    rows = []
    for group in view.groups:
        for name in measures:
            finding = view.values.get(name, {}).get(group)
            if finding is None:
                continue
            rows.append(
                IntervalRow(
                    label=" × ".join(group),
                    series=words.TITLES[name] if len(measures) > 1 else "",
                    **scale_of(finding).drawn(finding),
                    text=f"{' × '.join(group)}, {words.TITLES[name]}: {results.with_interval(finding)}"
                    if finding.estimate is not None
                    else f"{' × '.join(group)}, {words.TITLES[name]}: not computed: {finding.reason}",
                )
            )
    titles = results.listing([words.TITLES[name] for name in measures])
    unit = "" if any(name in {results_measures.AUC, results_measures.BRIER} for name in measures) else ", %"
    return page_parts.Figure(
        title=f"{titles} by {words.attributes_text(view.attributes)}",
        note="Dots are estimates, lines their confidence intervals.",
        chart=lambda width: interval_chart(rows, title=f"{titles}{unit}", width=width),
        tables=[],
    )


def _steps(groups: EvaluateGroups, audit: EvaluateAudit) -> Iterator[page_parts.NextStep]:
    decided = audit.decided
    if not words.selected_when(decided) and audit.cutoffs:
        middle = sorted({row.cutoff for row in audit.cutoffs})
        question = "Whom does the score miss, and whom does it select wrongly? With the median as cut-off:"
        yield page_parts.NextStep(question=question, command=f"{audit.reproduce} --cutoff {middle[len(middle) // 2]:g}")
    if not audit.attributes:
        yield page_parts.NextStep(
            question="Which groups does the score serve worse? Name their columns: --protected COLUMNS."
        )
    if len(audit.attributes) > 1 and not any(view.crossed for view in groups.views):
        question = f"Do the groups of {results.listing(list(audit.attributes))} differ within each other?"
        yield page_parts.NextStep(question=question, command=f"{audit.reproduce} --intersectional")
    if audit.tensions:
        yield page_parts.NextStep(
            question="Which criteria cannot hold together here? See Criteria that cannot hold together."
        )
    if audit.cutoffs and words.selected_when(decided):
        yield page_parts.NextStep(question="What would another cut-off do to each group? See Other cut-offs.")
    if decided.against is None:
        yield page_parts.NextStep(
            question="Is a new version better for every group? Add its score to the table, and give --against."
        )
