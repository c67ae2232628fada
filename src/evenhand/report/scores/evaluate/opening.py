"""How the page of an evaluation opens: who is served worse, with numbers; the table; what to look at next."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evenhand.report.charts import IntervalRow, interval_chart
from evenhand.report.page.parts import Figure, NextStep, Opening, Table
from evenhand.report.probe.steps import MOST_STEPS
from evenhand.report.scores.evaluate.criteria import impossible
from evenhand.report.scores.evaluate.told import (
    CHANGES,
    GAPS,
    TITLES,
    attributes_told,
    by_columns,
    detected,
    gap_told,
    group_told,
    happened,
    not_happened,
    plain_scale,
    selected_when,
    size_told,
    value_told,
    widest,
    with_interval,
)
from evenhand.report.words.numbers import ABSENT, count_text, scale_of
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.applicants.evaluate import Decided, EvaluateAudit
from evenhand.tables.audit.applicants.predictions import VersionChange
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.evaluate import EvaluateGroups, EvaluateView
from evenhand.tables.grouped.names import (
    ACCURACY,
    AUC,
    BASE_RATE,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    FNR,
    FPR,
    PRECISION,
    SELECTION_RATE,
)

__all__ = [
    "evaluate_opening",
    "first_views",
    "groups_told",
    "interval_figure",
    "opening_tables",
    "versions_told",
]

#: Attributes that have sentences and a table here, and groups per table; the chapters have all.
MOST_VIEWS, MOST_LINES = 2, 12
#: What the table shows of each group, with a cut-off and without one.
_SHOWN: Final = (BASE_RATE, SELECTION_RATE, AUC, FNR, FPR, PRECISION)
_RANKED: Final = (BASE_RATE, AUC, BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE)
NO_CUTOFF: Final = "Without a cut-off nobody is selected, so there are no error rates."
MARKED: Final = "* differs from the best value, adjusted p < .05"
NAMED: Final = "* differs from {}, adjusted p < .05"
EVERYBODY: Final = "All"


def evaluate_opening(groups: EvaluateGroups, audit: EvaluateAudit) -> Opening:
    """Return the first screen."""
    views = first_views(groups)
    sentences = [*versions_told(groups, views, new="On the same people the new version", always=(AUC,))]
    sentences += groups_told(groups, audit, GAPS)
    sentences += [] if views else [_everybody(groups, audit)]
    sentences += [impossible(each, audit.decided) for each in audit.tensions[:1]]
    sentences += [] if selected_when(audit.decided) else [NO_CUTOFF]
    return Opening(
        sentences=sentences,
        tables=opening_tables(groups, audit, _SHOWN if selected_when(audit.decided) else _RANKED),
        figures=_figures(views),
        steps=list(_steps(groups, audit))[:MOST_STEPS],
    )


def first_views(groups: EvaluateGroups) -> list[EvaluateView]:
    """Return the attributes of which the first screen tells."""
    return [view for view in groups.views if not view.crossed][:MOST_VIEWS]


def groups_told(groups: EvaluateGroups, audit: EvaluateAudit, measures: Sequence[str]) -> Iterator[str]:
    """Yield in which measures groups differ, attribute by attribute, and of which nothing is known."""
    for view in first_views(groups):
        yield from _served(view, audit, measures)
    known = {view.attributes[0] for view in groups.views}
    for name in audit.attributes:
        if name not in known:
            yield f"By {in_words(name)} there are no groups to compare: it is known of nobody."


def opening_tables(groups: EvaluateGroups, audit: EvaluateAudit, measures: Sequence[str]) -> list[Table]:
    """Return a table for each attribute, or all that is known where there is none."""
    return [_table(view, groups, audit, measures) for view in first_views(groups)] or [_alone(groups, audit)]


def _everybody(groups: EvaluateGroups, audit: EvaluateAudit) -> str:
    ranking = groups.everybody[AUC]
    if ranking.estimate is None:
        return f"Nothing can be said about the ranking: {ranking.reason}"
    return f"{audit.decided.score} ranks people by {happened(audit.decided)} with an AUC of {with_interval(ranking)}."


def _served(view: EvaluateView, audit: EvaluateAudit, measures: Sequence[str]) -> Iterator[str]:
    """Yield in which measures groups differ, the widest difference of each, and what was not detected."""
    by = attributes_told(view.attributes)
    measures = [name for name in measures if widest(view.gaps.get(name, ())) is not None]
    if not measures:
        yield _nothing(view, audit)
        return
    told = {name: widest(detected(view.gaps[name])) for name in measures}
    found = [name for name in measures if told[name] is not None]
    quiet = [name for name in measures if told[name] is None]
    if found:
        lacking = f"; none was detected in {listing([_small(name) for name in quiet])}" if quiet else ""
        which = listing([_small(name) for name in found])
        yield f"By {by}, groups differ statistically significantly in {which}{lacking}."
        yield from (_worst(each, name, audit.decided) for name, each in told.items() if each is not None)
        return
    name = next((each for each in (ACCURACY, FNR) if each in quiet), quiet[0])
    largest = widest(view.gaps[name])
    assert largest is not None
    between = f"{group_told(largest.focal)} less {group_told(largest.reference)}"
    yield (
        f"By {by}, no statistically significant difference was detected in "
        f"{listing([_small(each) for each in quiet])}. The widest in {_small(name)}: {size_told(largest)}, {between}."
    )


def _small(measure: str) -> str:
    title = TITLES[measure]
    return title if title[1:2].isupper() or title == TITLES[BRIER] else title.lower()


def _worst(finding: Finding, measure: str, decided: Decided) -> str:
    """Return the widest difference in one measure in words, with the values of both groups."""
    group, reference = group_told(finding.focal), group_told(finding.reference)
    mine, theirs = gap_told(finding)
    size = size_told(finding)
    yes, no = happened(decided), not_happened(decided)
    values = f"{mine} ({group}), against {theirs} ({reference})"
    told = {
        ACCURACY: f"Accuracy: {values}",
        AUC: f"Ranking: the AUC is {values}",
        FNR: f"Missed: of those with {yes}, {mine} were not selected ({group}), against {theirs} ({reference})",
        FPR: f"Wrongly selected: of those with {no}, {mine} were selected ({group}), against {theirs} ({reference})",
        PRECISION: f"Precision: of the selected, {mine} have {yes} ({group}), against {theirs} ({reference})",
        CALIBRATION_INTERCEPT: f"Calibration: the intercept is {values}, below 0 where the score promises too much",
    }
    return f"{told[measure]}: {size}."


def _nothing(view: EvaluateView, audit: EvaluateAudit) -> str:
    by = attributes_told(view.attributes)
    if len(view.groups) == 1:
        return f"By {by} there are no groups to compare: all {audit.whom} are {' × '.join(view.groups[0])}."
    every = [each for own in view.gaps.values() for each in own]
    return f"Nothing can be said about groups of {by}: {every[0].reason if every else 'nothing is known of them.'}"


def versions_told(
    groups: EvaluateGroups, views: Sequence[EvaluateView], *, new: str, always: Sequence[str]
) -> Iterator[str]:
    """Yield how a `new` version compares with the previous one: of all, and of whom it is worse.

    Of measures besides those that are `always` told, only those that changed are.
    """
    known = {name: groups.changes[name] for name in CHANGES if name in groups.changes}
    found = {name: each for name, each in known.items() if each.estimate is not None}
    if not found:
        return
    judged = {name: each for name, each in found.items() if each.verdict == "difference"}
    worse = [_small(name) for name, each in judged.items() if _worse(each)]
    better = [_small(name) for name, each in judged.items() if not _worse(each)]
    verdicts = [
        f"statistically significantly {how} in {listing(which)}"
        for how, which in (("worse", worse), ("better", better))
        if which
    ]
    yield f"{new} is {listing(verdicts) or 'not detected to be better or worse'}."
    for name, each in found.items():
        if name in always or name in judged:
            details, scale = VersionChange.of(each), plain_scale(each)
            values = f"{scale.text(details.value_new)} after {scale.text(details.value_previous)}"
            yield f"{TITLES[name]}: {values} ({size_told(each)})."
    whom = [
        f"{group_told(each.focal)} in {_small(name)} ({size_told(each)})"
        for view in views
        for name in CHANGES
        for each in view.changes.get(name, {}).values()
        if each.verdict == "difference" and _worse(each)
    ]
    if whom:
        yield f"It is statistically significantly worse for {listing(whom)}."
    elif views:
        yield "No group was detected for whom it is worse."


def _worse(finding: Finding) -> bool:
    return (VersionChange.of(finding).worse_by or 0.0) > 0


def _table(view: EvaluateView, groups: EvaluateGroups, audit: EvaluateAudit, measures: Sequence[str]) -> Table:
    """Return the values of all and of each group."""
    shown = [name for name in measures if name in groups.everybody]
    rows: list[tuple[str, Mapping[str, Finding]]] = [(EVERYBODY, groups.everybody)]
    rows += [(group, own) for group, own in list(view.by_group.items())[:MOST_LINES]]
    marked = {(name, group_told(each.focal)) for name, own in view.gaps.items() for each in detected(own)}
    columns: dict[str, list[str]] = {
        "Group": [label for label, _ in rows],
        capital(audit.whom): [count_text(_people(own)) for _, own in rows],
    }
    for name in shown:
        columns[TITLES[name]] = [
            value_told(own.get(name)) + ("*" if (name, label) in marked and label != EVERYBODY else "")
            for label, own in rows
        ]
    left = len(view.groups) - MOST_LINES
    caption = [f"{capital(attributes_told(view.attributes))}, {selected_when(audit.decided) or audit.decided.score}"]
    caption += [f"The first {MOST_LINES} of {len(view.groups)} groups"] if left > 0 else []
    named = [
        str(each).partition("=")[2] for each in _references(audit) if str(each).startswith(f"{view.attributes[0]}=")
    ]
    caption += [NAMED.format(named[0]) if named else MARKED] if marked else []
    return by_columns(". ".join(caption), columns)


def _references(audit: EvaluateAudit) -> Sequence[object]:
    given = audit.parameters.get("reference", ())
    return given if isinstance(given, list | tuple) else (given,)


def _people(own: Mapping[str, Finding]) -> object:
    return own[BASE_RATE].n if BASE_RATE in own else ABSENT


def _alone(groups: EvaluateGroups, audit: EvaluateAudit) -> Table:
    """Return every measure of all."""
    known = [each for name, each in groups.everybody.items() if name in TITLES]
    return by_columns(
        f"All {audit.whom}",
        {
            "Measure": [TITLES[each.measure] for each in known],
            "Value": [value_told(each) for each in known],
            "95 % CI": [scale_of(each).interval(each.low, each.high) for each in known],
            "n": [count_text(each.n) for each in known],
            "Note": [each.reason or "" for each in known],
        },
    )


def _figures(views: Sequence[EvaluateView]) -> list[Figure]:
    if not views:
        return []
    return [interval_figure(views[0], (FNR, FPR) if FNR in views[0].values else (AUC,))]


def interval_figure(view: EvaluateView, measures: Sequence[str]) -> Figure:
    """Return measures of one unit, group by group, with their intervals."""
    rows = []
    for group in view.groups:
        for name in measures:
            finding = view.values.get(name, {}).get(group)
            if finding is None:
                continue
            scale = scale_of(finding)
            rows.append(
                IntervalRow(
                    label=" × ".join(group),
                    series=TITLES[name] if len(measures) > 1 else "",
                    estimate=None if finding.estimate is None else scale.shown(finding.estimate),
                    low=None if finding.low is None else scale.shown(finding.low),
                    high=None if finding.high is None else scale.shown(finding.high),
                    text=f"{' × '.join(group)}, {TITLES[name]}: {with_interval(finding)}"
                    if finding.estimate is not None
                    else f"{' × '.join(group)}, {TITLES[name]}: not computed: {finding.reason}",
                )
            )
    titles = listing([TITLES[name] for name in measures])
    unit = "" if any(name in {AUC, BRIER} for name in measures) else ", %"
    return Figure(
        title=f"{titles} by {attributes_told(view.attributes)}",
        note="Dots are estimates, lines their confidence intervals.",
        chart=lambda width: interval_chart(rows, title=f"{titles}{unit}", width=width),
        tables=[],
    )


def _steps(groups: EvaluateGroups, audit: EvaluateAudit) -> Iterator[NextStep]:
    decided = audit.decided
    if not selected_when(decided) and audit.cutoffs:
        middle = sorted({each.cutoff for each in audit.cutoffs})
        question = "Whom does the score miss, and whom does it select wrongly? With the median as cut-off:"
        yield NextStep(question=question, command=f"{audit.reproduce} --cutoff {middle[len(middle) // 2]:g}")
    if not audit.attributes:
        yield NextStep(question="Which groups does the score serve worse? Name their columns: --protected COLUMNS.")
    if len(audit.attributes) > 1 and not any(view.crossed for view in groups.views):
        question = f"Do the groups of {listing(list(audit.attributes))} differ within each other?"
        yield NextStep(question=question, command=f"{audit.reproduce} --intersectional")
    if audit.tensions:
        yield NextStep(question="Which criteria cannot hold together here? See Criteria that cannot hold together.")
    if audit.cutoffs and selected_when(decided):
        yield NextStep(question="What would another cut-off do to each group? See Other cut-offs.")
    if decided.against is None:
        yield NextStep(
            question="Is a new version better for every group? Add its score to the table, and give --against."
        )
