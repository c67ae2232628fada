"""Model quality: AUC and error rates of each model by group, job title and language, and over time.

They are those of runs of `evaluate` and `monitor golden run`, of runs on golden cases in the store, and, for those with
access to the rows, of judgements in the store whose label was recorded.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from math import isfinite
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.analyses.evaluate import analyse_evaluate
from evenhand.analyses.options.scores import EvaluateOptions
from evenhand.dashboard.disclosure import FEWEST, MOST_VALUES
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views.audits import Stamp, listed_runs, report_address, stamp_of
from evenhand.dashboard.views.view import Address, View, same
from evenhand.errors import InputError
from evenhand.monitoring.labelled_scores import (
    CLUSTER,
    LABEL,
    MONTH,
    SCORE,
    LabelledScores,
    N,
    golden_scores,
    golden_versions,
    labelled_models,
    labelled_scores,
)
from evenhand.monitoring.state import counts_version
from evenhand.monitoring.store import opened_store
from evenhand.report.charts.intervals import IntervalRow, interval_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.evaluate import words
from evenhand.report.evaluate.summary import large_groups
from evenhand.report.impact.views import reference_name
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.report.page.parts import Figure, Part, Section, Table, headings
from evenhand.report.words.numbers import ABSENT, count_text, counted, scale_of
from evenhand.report.words.results import in_words, listing, with_interval
from evenhand.results import measures
from evenhand.results.finding import Finding, by_key
from evenhand.results.result import REPORT, read_result
from evenhand.results.score_audit import ClassCounts, EvaluateAudit, GoldenAudit
from evenhand.results.table_groups import evaluate_groups

#: The measures of Figure 9 of the paper on responsible AI; those with a planned comparison of groups.
MEASURES: Final = (measures.AUC, measures.TPR, measures.FPR, measures.F1, measures.FNR, measures.PRECISION)
_PLANNED: Final = (measures.AUC, measures.FNR, measures.FPR)
#: Kinds of run that evaluate scores against labels.
_KINDS: Final = frozenset({"evaluate", "golden"})
#: Lines of a chart, groups that the first sentence names, and intervals that are drawn.
_MOST_LINES, _MOST_NAMED, _MOST_DRAWN = 5, 3, 40
ALL: Final = "All"
#: In place of a number that is not published.
_LEFT_OUT: Final = "not shown"
_NOTHING: Final = (
    "No scores were evaluated against labels yet: run evenhand evaluate or evenhand monitor golden run with --out in "
    "the folder of --runs, or record outcomes with evenhand monitor record --label."
)

#: What is added to the name of a model whose labels the store holds, and of one that judged golden cases.
_RECORDED, _GOLDEN = ", recorded labels", ", golden cases"

#: The values of a slice, and the groups, that a number is of.
Place = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """A model held against labels once: `at` is when, None of months that are slices; `link` leads to the report."""

    at: datetime | None
    name: str
    audit: EvaluateAudit
    findings: Sequence[Finding]
    link: str = ""

    @property
    def named(self) -> str:
        """Return its name and day."""
        return self.name if self.at is None else f"{self.name}, {self.at:%Y-%m-%d}"

    @property
    def golden_run(self) -> tuple[str | None, int, str | None]:
        """Return what tells a golden run from others in the store: two may begin in the same second."""
        return self.audit.model, getattr(self.audit, "version", 0), self.audit.started

    def at_place(self, measure: str) -> dict[Place, Finding]:
        """Return the findings of a measure by what they are of."""
        return {_place(finding): finding for finding in self.findings if finding.measure == measure}


def _place(finding: Finding) -> Place:
    return tuple(finding.slice.items()), tuple(finding.focal.items())


def published(findings: Sequence[Finding]) -> list[Finding]:
    """Return the measures of groups of FEWEST people and more, and the differences between these.

    Where a rate of all but a few people would tell that of the few, the total is left out; of a group, which matters
    more, its next smallest slice. An AUC is no sum of those of groups, and tells nothing of them. F1 is left out where
    TPR or precision is, as any two of the three give the third.
    """
    kept: list[Finding] = []
    untold: dict[str, set[Place]] = {}
    for measure in sorted((measures.BASE_RATE, *MEASURES), key=lambda name: name == measures.F1):
        of_measure = [finding for finding in findings if finding.measure == measure]
        sizes = {_place(finding): _people(finding) for finding in of_measure}
        left_out = {place for place, size in sizes.items() if size < FEWEST}
        if measure == measures.F1:
            left_out |= untold[measures.TPR] | untold[measures.PRECISION]
        found = -1 if measure != measures.AUC else len(left_out)
        while found < len(left_out):
            found = len(left_out)
            left_out |= _telling(sizes, left_out)
        untold[measure] = left_out
        gaps = [finding for finding in findings if finding.measure == f"{measures.DIFFERENCE}{measure}"]
        kept += [finding for finding in of_measure if _place(finding) not in left_out]
        for finding in gaps:
            slices, group = _place(finding)
            if not left_out & {(slices, group), (slices, tuple(finding.reference.items()))}:
                kept.append(finding)
    return kept


def _telling(sizes: Mapping[Place, int], left_out: Collection[Place]) -> set[Place]:
    """Return what to leave out so that nothing tells of the few people left out of a line."""
    lines: dict[tuple[Any, Place], list[Place]] = {}
    for slices, groups in sizes:
        if groups:  # the groups of a slice, whose total is all people of it
            lines.setdefault((tuple(name for name, _ in groups), (slices, ())), []).append((slices, groups))
        if slices:  # the slices of a group, or of all people
            lines.setdefault((tuple(name for name, _ in slices), ((), groups)), []).append((slices, groups))
    more = set()
    for (_, total), line in lines.items():
        lacking = sum(sizes[place] for place in line if place in left_out)
        others = sorted((place for place in line if place not in left_out), key=lambda place: sizes[place])
        if 0 < lacking < FEWEST and total not in left_out:
            more |= {total} if not total[1] else set(others[:1])
    return more


def _people(finding: Finding) -> int:
    """Return of how many people a measure is; of an AUC the smaller of both classes."""
    details = finding.details
    if isinstance(details, ClassCounts) and details.positives is not None and details.negatives is not None:
        return min(details.positives, details.negatives)
    return finding.n


# Which models there are, and how each was evaluated.


def _models(request: PageRequest, cutoff: float | None) -> dict[str, Callable[[], list[Evaluated]]]:
    """Return what evaluates each model that can be shown, the newest run first."""
    shown = request.shown
    runs = {} if shown.runs is None else _of_runs(shown.runs)
    models: dict[str, Callable[[], list[Evaluated]]] = {name: partial(list, known) for name, known in runs.items()}
    if shown.store is not None:
        with shown.opened() as store:
            golden = golden_versions(store)
            recorded = {name: counts_version(store, name) for name in labelled_models(store) if request.exact}
        for name, version in golden.items():
            known = runs.get(f"{name}{_GOLDEN}", [])
            models[f"{name}{_GOLDEN}"] = partial(_with_golden, known, shown.store, name, version)
        for name, version in recorded.items():
            models[f"{name}{_RECORDED}"] = partial(_of_labels, shown.store, name, version, cutoff)
    return models


def _of_runs(folder: Path) -> dict[str, list[Evaluated]]:
    """Return the runs of a folder by model, the newest first."""
    models: dict[str, list[Evaluated]] = {}
    for run in listed_runs(folder):
        known = _of_run(folder, run.name, stamp_of(folder / run.name)) if run.kind in _KINDS else None
        if known is not None:
            judged_as = getattr(known.audit, "judged_as", "")
            decided = known.audit.decided
            name = f"{judged_as}{_GOLDEN}" if judged_as else f"{decided.score}, {words.happened(decided)}"
            models.setdefault(name, []).append(known)
    return models


@lru_cache(maxsize=128)
def _of_run(folder: Path, name: str, stamp: Stamp) -> Evaluated | None:
    """Return a run; None of what can't be read, of which Audits says why."""
    try:
        content = read_result(folder / name).legible()
        at = _time(content.audit.finished or "")
    except (InputError, ValueError):
        return None
    if not isinstance(content.audit, EvaluateAudit):
        return None
    link = report_address(name) if any(file == REPORT for file, *_ in stamp) else ""
    return Evaluated(at=at, name=name, audit=content.audit, findings=content.findings, link=link)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _with_golden(known: Sequence[Evaluated], place: str, model: str, version: str) -> list[Evaluated]:
    """Return runs on golden cases with those that the store alone has, the newest first."""
    runs = {each.golden_run for each in known}
    others = [each for each in _of_golden(place, model, version) if each.golden_run not in runs]
    return sorted([*known, *others], key=lambda each: each.at.timestamp() if each.at else 0.0, reverse=True)


@lru_cache(maxsize=64)
def _of_golden(place: str, model: str, version: str) -> list[Evaluated]:  # noqa: ARG001 - a new run has another one
    with opened_store(place) as store:
        runs = golden_scores(store, model)
    return [
        _evaluated(scores, GoldenAudit, at=_time(scores.started), name=f"golden run {number}")
        for number, scores in enumerate(runs, start=1)
    ]


@lru_cache(maxsize=16)
def _of_labels(place: str, model: str, version: str, cutoff: float | None) -> list[Evaluated]:  # noqa: ARG001 - as above
    with opened_store(place) as store:
        scores = labelled_scores(store, model, most_values=MOST_VALUES)
    return [_evaluated(replace(scores, cutoff=cutoff), EvaluateAudit, at=None, name="recorded judgements")]


def _evaluated(scores: LabelledScores, facts: type[EvaluateAudit], *, at: datetime | None, name: str) -> Evaluated:
    """Return the evaluation of a table as `evenhand evaluate` makes it."""
    clustered = CLUSTER in scores.table.columns and scores.table[CLUSTER].n_unique() < scores.table.height
    options = EvaluateOptions(
        label=f"{LABEL}=yes",
        score=SCORE,
        count=None if clustered else N,
        cutoff=scores.cutoff,
        protected=scores.protected,
        by=scores.by,
        cluster=CLUSTER if clustered else None,
    )
    result = analyse_evaluate(scores.table.drop(N) if clustered else scores.table, options, facts=facts)
    decided = replace(result.audit.decided, score="score", happened="label yes", not_happened="label no")
    audit = replace(result.audit, decided=decided, started=scores.started or None)
    if isinstance(audit, GoldenAudit):
        audit = replace(audit, model=scores.scorer, version=scores.version)
    return Evaluated(at=at, name=name, audit=audit, findings=result.findings)


# What is shown of them.


@dataclass(frozen=True, kw_only=True)
class Cut:
    """What is shown: the breakdown (slices and groups by their columns), a measure, and one of its groups."""

    by: tuple[tuple[str, ...], tuple[str, ...]]
    measure: str
    group: str

    def has(self, place: Place) -> bool:
        """Return whether a place is of the breakdown, or everybody."""
        slices, groups = (tuple(name for name, _ in part) for part in place)
        return (slices, groups) in {((), ()), self.by}


def _cuts(places: Sequence[Place]) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the breakdowns that places are of by their names; months are for the chart over time."""
    cuts: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for slices, groups in places:
        columns = tuple(name for name, _ in slices), tuple(name for name, _ in groups)
        names = [words.attributes_text(part) for part in (columns[1], columns[0]) if part]
        if MONTH not in columns[0] and names:
            cuts.setdefault(" in each ".join(names), columns)
    return cuts


def _label(place: Place) -> str:
    return ", ".join(" × ".join(value for _, value in part) for part in place if part) or ALL


def _requested_view(request: PageRequest) -> View:
    cutoff, field = _cutoff(request)
    models = _models(request, cutoff)
    model = request.chosen("model", list(models))
    if model is None:
        return View(page=LivePage(title="Model quality", answer=_NOTHING), exact_link=True)
    choices: list[Choice | Field] = [Choice(name="model", label="Model", options=same(models), chosen=model)]
    evaluated = models[model]()
    choices += [field] if model.endswith(_RECORDED) else []
    run = request.chosen("run", [each.name for each in evaluated])
    chosen = next(each for each in evaluated if each.name == run)
    every_place = list(chosen.at_place(measures.BASE_RATE))
    if not request.exact:
        evaluated = [replace(each, findings=published(each.findings)) for each in evaluated]
        chosen = next(each for each in evaluated if each.name == run)
    if len(evaluated) > 1:
        runs = {each.name: each.named for each in evaluated}
        choices.append(Choice(name="run", label="Run", options=runs, chosen=chosen.name))
    cuts = _cuts(every_place) or {ALL: ((), ())}
    known = [name for name in MEASURES if chosen.at_place(name)] or [measures.AUC]
    cut = Cut(
        by=cuts[request.chosen("groups", list(cuts)) or ""],
        measure=request.chosen("measure", known) or "",
        group=request.query.get("group", ""),
    )
    name = next(name for name, by in cuts.items() if by == cut.by)
    places = [place for place in every_place if cut.has(place)]
    labels = [_label(place) for place in places]
    cut = replace(cut, group=cut.group if cut.group in labels else "")
    choices += [
        Choice(name="groups", label="By", options=same(cuts), chosen=name),
        Choice(
            name="measure", label="Measure", options={each: words.TITLES[each] for each in known}, chosen=cut.measure
        ),
        Choice(
            name="group",
            label="Line over time",
            options={"": "all"} | same(labels),
            chosen=cut.group,
        ),
    ]
    query = {"model": model, "run": chosen.name, "groups": name, "measure": cut.measure}
    query |= {each: request.query[each] for each in ("exact", "cutoff") if request.query.get(each)}
    moments = _moments(evaluated)
    page = LivePage(
        title="Model quality",
        answer=f"{model}: {_answer(chosen)}",
        sections=[
            _by_group(chosen, cut, name, places, query, exact=request.exact),
            _over_time(moments, cut, places),
        ],
        choices=choices,
        notes=_notes(chosen, exact=request.exact),
    )
    return View(page=page, frame=_frame(evaluated, exact=request.exact), exact_link=True)


def _cutoff(request: PageRequest) -> tuple[float | None, Field]:
    """Return the cut-off of recorded scores, by default the first of --cutoffs, and its field."""
    given = request.query.get("cutoff", "")
    try:
        cutoff = float(given) if given else next(iter(request.shown.processes.cutoffs), None)
    except ValueError as error:
        raise InputError("The cut-off is a number, such as 0.5.") from error
    if cutoff is not None and not isfinite(cutoff):
        raise InputError("The cut-off is a finite number, such as 0.5.")
    value = "" if cutoff is None else f"{cutoff:g}"
    return cutoff, Field(name="cutoff", label="Selected: score above", value=value, required=False)


def _answer(evaluated: Evaluated) -> str:
    """Return which groups differ from which, by the claims of the run's planned comparisons."""
    parts: list[str] = []
    compared: list[Finding] = []
    for view in evaluate_groups(evaluated.findings, evaluated.audit).views:
        large = large_groups(view)
        of_view = [
            finding
            for name in _PLANNED
            for finding in view.gaps.get(name, ())
            if {tuple(finding.focal.values()), tuple(finding.reference.values())} <= large
        ]
        if view.crossed or not of_view:
            continue
        compared += of_view
        differing = by_key(_pair, words.detected(of_view))
        largest = sorted(differing.items(), key=lambda item: -max(abs(each.estimate or 0.0) for each in item[1]))
        named = [f"{pair} in {listing(list(map(_gap, of)))}" for pair, of in largest[:_MOST_NAMED]]
        named += [f"{count_text(len(largest) - _MOST_NAMED)} more pairs differ"] if len(largest) > _MOST_NAMED else []
        parts.append(f"by {words.attributes_text(view.attributes)}, {'; '.join(named) or 'no difference was detected'}")
    if not compared:
        overall = evaluated.at_place(measures.AUC).get(((), ()))
        of = _LEFT_OUT if overall is None else with_interval(overall)
        return f"no groups are compared; the AUC of all {evaluated.audit.whom} is {of}."
    unjudged = sum(finding.verdict == "not_judged" for finding in compared)
    over = dict.fromkeys(finding.claim.corrected_over for finding in compared if finding.claim)
    scope = [f"{counted(len(compared), 'comparison')} shown", f"{unjudged:,} not judged" if unjudged else "", *over]
    return f"{'; '.join(parts)} ({', '.join(filter(None, scope))})."


def _pair(finding: Finding) -> str:
    """Return which group differs from which."""
    name = reference_name(finding.focal)
    verb = "differs" if name == words.group_text(finding.focal) else "differ"
    return f"{name} {verb} from {reference_name(finding.reference)}"


def _gap(finding: Finding) -> str:
    measure = words.TITLES[finding.measure.removeprefix(measures.DIFFERENCE)]
    return f"{measure} ({' against '.join(words.gap_texts(finding))})"


def _by_group(
    evaluated: Evaluated, cut: Cut, name: str, places: Sequence[Place], query: Mapping[str, str], *, exact: bool
) -> Section:
    """Return all measures of each group, and one of them drawn."""
    known = [measure for measure in MEASURES if evaluated.at_place(measure)]
    marked = {
        (finding.measure.removeprefix(measures.DIFFERENCE), _place(finding))
        for measure in _PLANNED
        for finding in words.detected(evaluated.at_place(f"{measures.DIFFERENCE}{measure}").values())
    }
    marked |= {(measures.TPR, place) for measure, place in marked if measure == measures.FNR}
    of = {measure: evaluated.at_place(measure) for measure in (measures.BASE_RATE, *known)}

    def cell(measure: str, place: Place) -> str:
        finding = of[measure].get(place)
        return _LEFT_OUT if finding is None else with_interval(finding) + "*" * ((measure, place) in marked)

    people = [measures.BASE_RATE] if exact else []
    rows = [
        [
            _label(place),
            *(count_text(of[measure][place].n) for measure in people),
            *(cell(measure, place) for measure in known),
        ]
        for place in places
    ]
    heads = [*(evaluated.audit.whom.capitalize() for _ in people), *(words.TITLES[measure] for measure in known)]
    columns = headings(name.capitalize(), *heads)
    links = {place: f"{link_to('/quality', query, {'group': _label(place)})}#time" for place in places}
    differs = "; * statistically significant difference from the reference, corrected" if marked else ""
    caption = f"{words.selected_when(evaluated.audit.decided) or 'Without a cut-off'}, with 95 % intervals{differs}"
    table = Table(caption=caption, columns=columns, rows=rows, links=list(links.values()))
    drawn = [(place, of[cut.measure][place]) for place in places if place in of.get(cut.measure, {})][:_MOST_DRAWN]
    intervals = [
        IntervalRow(
            label=_label(place),
            **scale_of(finding).drawn(finding),
            text=f"{_label(place)}: {with_interval(finding)}",
            link=links[place],
        )
        for place, finding in drawn
        if finding.estimate is not None
    ]
    title = words.TITLES[cut.measure]
    figure = Figure(
        title=f"{title}, with 95 % intervals",
        note="",
        chart=lambda width: interval_chart(intervals, title=_axis(cut.measure), width=width),
        tables=[],
    )
    parts = [Part(tables=[table]), *([Part(figures=[figure])] if intervals else [])]
    if evaluated.link:
        parts.append(Part(link=evaluated.link, link_text=f"Report of {evaluated.name}"))
    return Section(name="groups", heading=f"By {name}" if cut.by != ((), ()) else ALL, parts=parts)


def _axis(measure: str) -> str:
    title = words.TITLES[measure]
    return title if measure in {measures.AUC, measures.F1} else f"{title}, %"


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A time at which numbers are known, the findings by measure and place, and the page that has all of them."""

    name: str
    at: datetime
    of: Mapping[str, Mapping[Place, Finding]]
    link: str


def _moments(evaluated: Sequence[Evaluated]) -> list[Moment]:
    """Return the runs in the order of their times; of recorded labels the months."""
    moments: dict[tuple[str, datetime, str], dict[str, dict[Place, Finding]]] = {}
    for each in evaluated:
        for measure in MEASURES:
            for (slices, groups), finding in each.at_place(measure).items():
                values = dict(slices)
                month = values.pop(MONTH, "") if each.at is None else ""
                if each.at is not None or month:
                    at = each.at or _time(f"{month}-01")
                    of = moments.setdefault((month or each.named, at, each.link), {})
                    of.setdefault(measure, {})[tuple(values.items()), groups] = finding
    known = [Moment(name=name, at=at, of=of, link=link) for (name, at, link), of in moments.items()]
    return sorted(known, key=lambda moment: moment.at)


def _over_time(moments: Sequence[Moment], cut: Cut, places: Sequence[Place]) -> Section:
    """Return a measure over time, a line for each group or for the one that was chosen, with its intervals."""
    if len(moments) < 2:
        text = "This model has one run; a chart over time needs a second run, or months of recorded labels."
        return Section(name="time", heading="Over time", text=[text])
    lines = [place for place in places if not cut.group or _label(place) in {ALL, cut.group}][: _MOST_LINES + 1]
    points = [
        LinePoint(
            at=moment.at.timestamp(),
            value=scale_of(finding).shown(finding.estimate),
            low=scale_of(finding).shown(finding.low),
            high=scale_of(finding).shown(finding.high),
            series=_label(place),
            text=f"{_label(place)}, {moment.name}: {with_interval(finding)}",
            link=moment.link,
        )
        for place in lines
        for moment in moments
        if (finding := moment.of.get(cut.measure, {}).get(place)) is not None
    ]
    title = words.TITLES[cut.measure]
    rows = [
        [
            moment.name,
            *(
                _LEFT_OUT if (finding := moment.of.get(cut.measure, {}).get(place)) is None else with_interval(finding)
                for place in lines
            ),
        ]
        for moment in moments
    ]
    columns = headings("When (UTC)", *map(_label, lines))
    table = Table(caption=f"{title} over time", columns=columns, rows=rows, links=[moment.link for moment in moments])
    figure = Figure(
        title=f"{title} over time, with 95 % intervals",
        note="",
        chart=lambda width: line_chart(
            points, title=_axis(cut.measure), along="Day (UTC)", width=width, axis="time", band=True
        ),
        tables=[table],
    )
    return Section(name="time", heading="Over time", parts=[Part(figures=[figure])] if points else [])


def _notes(evaluated: Evaluated, *, exact: bool) -> list[str]:
    notes = [
        "AUC is the probability that a person with the outcome has a higher score than one without. TPR (recall) and "
        "FNR are rates of people with the outcome, FPR of people without it, precision of those selected. F1 and "
        "precision have no planned comparison, so no star."
    ]
    if evaluated.at is None:
        notes.append("Judgements are treated as independent, even several on one person.")
    return notes + ([] if exact else [_WITHHELD])


_WITHHELD: Final = (
    f"Numbers of fewer than {FEWEST} people, and totals that would reveal them, are not shown. Recorded labels are "
    "shown with exact numbers only. Reports show all numbers of a run."
)


def _frame(evaluated: Sequence[Evaluated], *, exact: bool) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for each in evaluated:
        for measure in MEASURES:
            for (slices, groups), finding in each.at_place(measure).items():
                numbers = {name: getattr(finding, name) for name in ("estimate", "low", "high")}
                row = {"run": each.name, "finished": each.at, "measure": measure, **numbers}
                row |= {"n": finding.n} if exact else {}
                rows.append(row | {"slice": _named(slices), "group": _named(groups)})
    return pl.DataFrame(rows, infer_schema_length=None)


def _named(part: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{in_words(name)} {value}" for name, value in part) or ABSENT


ADDRESSES = (Address(path="/quality", title="Model quality", of=("store", "runs"), answer=_requested_view),)
