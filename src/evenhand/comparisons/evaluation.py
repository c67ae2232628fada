"""Findings of a score compared with the observed outcome: how well it serves each group.

Besides the measures of `evaluated_groups` these are the rates at every cut-off, fairness criteria that can't hold
together at different base rates, individual fairness (are similar people scored and decided alike?), and a new version
of a score compared with the previous one on the same people.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons import evaluated_groups
from evenhand.comparisons.claims import (
    PLANNED,
    few_clusters,
    few_to_permute,
    in_families,
    uncorrected,
    without_certainty,
)
from evenhand.comparisons.evaluated_groups import Choices, Gap, Measured, PairTest, Parts, ScoredRows, View
from evenhand.comparisons.impact import uniquely_named
from evenhand.comparisons.impact_cells import FLOOR_PEOPLE, HIGHEST, LARGEST
from evenhand.comparisons.units import Floats, Ints
from evenhand.data.predictions import SimilarPeople
from evenhand.results import measures
from evenhand.results.applicant_audit import FloorNote
from evenhand.results.finding import LEVEL, Finding, Test, copied
from evenhand.results.messages import shortened
from evenhand.results.schemas import PROTECTED
from evenhand.results.score_audit import (
    BothErrors,
    CutoffRates,
    GroupGap,
    LargestQuotient,
    SimilarDecisions,
    SimilarPerson,
    Tension,
    VersionChange,
)
from evenhand.stats.cluster_comparisons import REVERSED

#: Cut-offs at equally spaced ranks of all scores; of fewer different scores all of them.
MOST_CUTOFFS = 19
#: Of the selection rate neither side is worse.
CHANGED = (*measures.WORSE, measures.SELECTION_RATE)
NO_SPREAD = "The change between the versions has no spread that could be estimated."
NO_INTERVAL = "An extreme has no interval."
#: The units of measures that are no shares.
_UNITS: Final = {
    measures.AUC: "area",
    measures.BRIER: "squared distance",
    measures.F1: "harmonic mean",
    measures.CALIBRATION_INTERCEPT: "log odds",
    measures.CALIBRATION_SLOPE: "ratio",
    measures.TREATMENT_EQUALITY: "ratio",
}
#: How much wider an interval is that holds two differences together: z at the root of the level over z at the level.
_JOINTLY: Final = 2.2364774 / 1.9599640
_MOST_NAMED: Final = 4
#: Nearer to 0 or 1 no AUC is expected.
OUTERMOST_AUC: Final = 0.001
#: What clusters are called in a finding where there is one way of them.
_CLUSTER: Final = "cluster"
#: What rounding leaves of no change.
ROUNDING: Final = 1e-12


def cutoffs_of(everybody: ScoredRows) -> Floats:
    """Return the cut-offs to compare; above the largest score nobody would be selected."""
    different, first = np.unique(everybody.score, return_index=True)
    if different.size <= MOST_CUTOFFS + 1:
        return different[:-1]
    below = np.cumsum(everybody.n)
    ranks = below[-1] * np.arange(1, MOST_CUTOFFS + 1) / (MOST_CUTOFFS + 1)
    assert first.size
    return np.unique(everybody.score[np.searchsorted(below, ranks)])


def cutoff_rates(view: View, cutoffs: Floats, *, at_least: bool, ranked: bool) -> Iterator[CutoffRates]:
    """Yield the rates of every group at every cut-off; of ranks the cut-off is the last place that is selected."""
    counts = [_counts(part, cutoffs, at_least=at_least or ranked) for part in view.parts]
    people, choices = view.people, view.choices.references
    large = (people >= choices.floor * people.sum()) & (people >= FLOOR_PEOPLE)
    may_be = large if choices.floor and large.any() else np.ones(people.size, dtype=np.bool_)
    for place, cutoff in enumerate(cutoffs):
        selected = np.array([hits[place] + others[place] for hits, others, *_ in counts])
        rates = selected / people
        reference = view.named_reference
        if reference is None:
            reference = int(np.argmax(people if choices.rule == LARGEST else np.where(may_be, rates, -1.0)))
        for group, (hits, others, positives, negatives) in enumerate(counts):
            true, false = int(hits[place]), int(others[place])
            yield CutoffRates(
                attribute=view.attributes[0],
                group=view.groups[group][0],
                cutoff=-float(cutoff) if ranked else float(cutoff),
                n=int(people[group]),
                selected=true + false,
                selection_rate=float(rates[group]),
                impact_ratio=float(rates[group] / rates[reference]) if rates[reference] > 0 else None,
                tpr=true / positives if positives else None,
                fpr=false / negatives if negatives else None,
                precision=true / (true + false) if true + false else None,
            )


def _counts(part: ScoredRows, cutoffs: Floats, *, at_least: bool) -> tuple[Ints, Ints, int, int]:
    """Return how many with and without the outcome pass each cut-off, and how many there are."""
    place = np.searchsorted(part.score, cutoffs, side="left" if at_least else "right")
    counts = []
    for members in (part.label, ~part.label):
        below = np.concatenate(([0], np.cumsum(np.where(members, part.n, 0))))
        counts.append((below[-1] - below[place], int(below[-1])))
    return counts[0][0], counts[1][0], counts[0][1], counts[1][1]


def tension(view: View, *, probabilities: bool) -> Tension | None:
    """Return the two groups of 30 people or more whose base rates differ most surely; None where they may be alike.

    None, too, where the score makes no errors: then everything holds together.
    """
    large = [group for group, people in enumerate(view.people) if people >= FLOOR_PEOPLE]
    pairs = list(combinations(large, 2))
    if not pairs:
        return None
    by_group = view.by_group
    base = [group_measures[measures.BASE_RATE] for group_measures in by_group]
    counts = np.array([[(base[group].hits, base[group].of) for group in pair] for pair in pairs])
    compared = counts.transpose(1, 2, 0).reshape(4, -1)
    surest = int(np.argmax(np.abs(np.nan_to_num(stats.z_test(*compared).statistic))))
    p = view.base_rate_p(*pairs[surest])
    rates = {group: base[group].estimate or 0.0 for group in pairs[surest]}
    high, low = sorted(pairs[surest], key=lambda group: -rates[group])
    perfect = all(by_group[group][measures.AUC].estimate == 1 for group in (high, low))
    if p is None or p * len(pairs) >= LEVEL or perfect:
        return None
    rate = measures.SELECTION_RATE
    decided = any(by_group[group][rate].hits for group in (high, low) if rate in by_group[group])

    def value(measure: str, group: int) -> float | None:
        # Where nobody is selected the errors are equal and say nothing.
        return by_group[group][measure].estimate if decided else None

    precision, tpr = value(measures.PRECISION, low), value(measures.TPR, low)
    expected = None
    if precision is not None and tpr is not None:
        expected = stats.rate_at_other_base(rates[high], precision, tpr)
    means = {group: _means(view.parts[group]) if probabilities else (None, None) for group in (high, low)}
    return Tension(
        attribute=view.attributes[0],
        group=view.groups[high][0],
        reference=view.groups[low][0],
        base_rate=rates[high],
        base_rate_reference=rates[low],
        precision=value(measures.PRECISION, high),
        precision_reference=precision,
        fpr=value(measures.FPR, high),
        fpr_reference=value(measures.FPR, low),
        fnr=value(measures.FNR, high),
        fnr_reference=value(measures.FNR, low),
        fpr_if_equal=expected,
        mean_score_positive=means[high][0],
        mean_score_positive_reference=means[low][0],
        mean_score_negative=means[high][1],
        mean_score_negative_reference=means[low][1],
    )


def _means(part: ScoredRows) -> tuple[float | None, float | None]:
    """Return the mean score of those with the outcome, and of those without it."""
    means = []
    for members in (part.label, ~part.label):
        n = part.n[members]
        means.append(float(np.average(part.score[members], weights=n)) if n.sum() else None)
    return means[0], means[1]


def similar_findings(similar: SimilarPeople, request: "EvaluationRequest") -> Iterator[Finding]:
    """Yield how often similar people were decided differently, of all, across groups minus within, and the quotient."""
    rows, confidence = similar.rows, request.choices.confidence
    score, selected = rows["score"].to_numpy(), rows["selected"].to_numpy()
    clustered = "cluster" in rows.columns
    cluster = rows["cluster"].to_numpy() if clustered else np.arange(rows.height)
    found = stats.neighbours(
        similar.points,
        cluster,
        norm=similar.norm,
        within=np.inf if request.within is None else request.within,
        rng=np.random.default_rng(request.seed),
    )

    def clusters(n: int) -> dict[str, int]:
        return {_CLUSTER: int(np.unique(cluster).size)} if clustered else {"person": n}

    share = stats.similar_share(found, selected, cluster, confidence=confidence)
    yield Finding(
        name=measures.SIMILAR_APART,
        measure=measures.SIMILAR_APART,
        role="descriptive",
        confidence=confidence,
        clusters=clusters(share.n),
        details=SimilarDecisions(**copied(share, "pairs distance")),
        **copied(share, "estimate low high n method reason"),
    )
    for name in request.attributes:
        groups = rows[PROTECTED + name].fill_null(-1).to_numpy().astype(np.int64)
        across = stats.similar_across(found, groups, selected, cluster, confidence=confidence)
        test = Test(name=across.method, **copied(across, "statistic p reason"))
        yield Finding(
            name=f"{measures.SIMILAR_ACROSS}_{'_'.join(name.split())}",
            measure=measures.SIMILAR_ACROSS,
            slice={"pairs of different": name},
            role="planned",
            confidence=confidence,
            measured_in="share",
            null_value=0.0,
            clusters=clusters(across.n),
            tests=(test,),
            claim=uncorrected(test, planned=True, df=across.df, n=(across.n, across.n), reason=across.reason),
            details=SimilarDecisions(
                attribute=name,
                chosen=dict(zip(request.levels[name], across.chosen, strict=False)),
                **copied(across, "pairs across within distance_across distance_within"),
            ),
            **copied(across, "estimate low high n method reason"),
        )
    yield _largest_quotient(similar, stats.largest_quotient(found, score), request)


def _largest_quotient(similar: SimilarPeople, largest: stats.LargestQuotient, request: "EvaluationRequest") -> Finding:
    """Return the quotient with its two people."""
    pair = tuple(
        SimilarPerson(
            values={name: shortened(str(value)) for name, value in similar.values.row(place, named=True).items()},
            groups={
                name: dict(enumerate(request.levels[name])).get(similar.rows[PROTECTED + name][place])
                for name in request.attributes
            },
            score=float(similar.rows["score"][place]),
        )
        for place in largest.pair or ()
    )
    return Finding(
        name=measures.LIPSCHITZ,
        measure=measures.LIPSCHITZ,
        role="descriptive",
        estimate=largest.estimate,
        confidence=request.choices.confidence,
        measured_in="score per distance",
        n=similar.rows.height,
        clusters={"person": similar.rows.height},
        method="largest over each person's nearest",
        reason=NO_INTERVAL if pair else "No two people are similar, and not identical.",
        details=LargestQuotient(pair=pair, **copied(largest, "distance identical identical_apart")),
    )


@dataclass(frozen=True, kw_only=True)
class EvaluationRequest:
    """The attributes and slices to evaluate, and what scores are.

    `levels` has the groups of each column of `Predictions.rows`, by code. `planned` are the measures in which all
    people, by one attribute at a time, are compared as planned. `cluster` names what rows share. Among people who are
    `alike` similar ones, at most `within` apart, are compared.
    """

    attributes: Sequence[str]
    by: Sequence[str]
    levels: Mapping[str, tuple[str, ...]]
    choices: Choices
    probabilities: bool
    ranked: bool
    at_least: bool
    alike: SimilarPeople | None = None
    within: float | None = None
    seed: int = 0
    planned: Collection[str] = measures.PLANNED_OF_SCORES
    cluster: str | None = None


def _changes(view: View, request: EvaluationRequest) -> Iterator[Finding]:
    """Yield new minus previous version; both judge the same people, so the difference is paired."""
    for group, (new, previous) in enumerate(zip(view.by_group, view.previous, strict=True)):
        for measure in CHANGED:
            if measure in new and measure in previous:
                yield _change(view, group, new[measure], previous[measure], request)


def _change(view: View, group: int, new: Measured, previous: Measured, request: EvaluationRequest) -> Finding:
    judged, name = view.parts[group], f"{measures.CHANGE}{new.measure}"
    planned = _is_planned(view, new.measure, request)
    test = PairTest(name="", statistic=None, p=None)
    values: dict[str, Any] = {"estimate": None, "n": judged.people, "clusters": {"person": judged.people}}
    values["reason"] = new.reason if new.estimate is None else previous.reason
    worse_by, method = None, "hybrid of both intervals, paired"
    if new.estimate is not None and previous.estimate is not None:
        estimate, covariance, spread = new.estimate - previous.estimate, _covariance(judged, new, previous), None
        values |= {"estimate": estimate, "n": new.n, "clusters": _clusters(new.clusters, new.n)}
        values["reason"] = new.reason or previous.reason
        if covariance is not None and new.variance is not None and previous.variance is not None:
            spread = max(new.variance + previous.variance - 2 * covariance, 0.0)
            both = (new.variance * previous.variance) ** 0.5
            correlation = float(np.clip(covariance / both, -1, 1)) if both else 0.0
            difference = stats.hybrid_difference(new.ends, previous.ends, correlation=correlation)
            values |= copied(difference, "low high") | {"reason": values["reason"] or difference.reason}
        flips = _flips(judged, new, view.choices.confidence)
        if flips is not None:
            values, method = values | copied(flips, "low high"), "Bonett and Price, paired"
            # Where nothing was decided differently, both versions are one.
            test = PairTest(name=flips.method, statistic=None, p=1.0 if flips.flip_rate == 0 else flips.p)
        else:
            test = _test(new, estimate, spread)
        if new.measure != measures.SELECTION_RATE:
            worse_by = estimate if new.measure in evaluated_groups.LOWER_IS_BETTER else -estimate
    return Finding(
        name=_name(name, view, group),
        measure=name,
        slice=dict(view.slice),
        focal=view.named(group),
        role="planned" if planned else "exploratory",
        confidence=view.choices.confidence,
        measured_in=_UNITS.get(new.measure, "share"),
        null_value=0.0,
        method=method,
        tests=(Test(**copied(test, "name statistic p reason")),) if test.name else (),
        claim=uncorrected(
            test,
            planned=planned,
            family=_family(name, view),
            df=test.df,
            n=(values["n"], values["n"]),
            reason=values["reason"],
        ),
        details=VersionChange(value_new=new.estimate, value_previous=previous.estimate, worse_by=worse_by),
        **values,
    )


def _covariance(judged: ScoredRows, new: Measured, previous: Measured) -> float | None:
    """Return the covariance of two versions' values, from the influence of each person on both."""
    if new.influence is None or previous.influence is None:
        return None
    if new.measure == measures.AUC:
        return stats.auc_covariance((new.influence, previous.influence), judged.label, judged.n, judged.cluster)
    if judged.cluster is None:
        return float((judged.n * new.influence * previous.influence).sum())
    sums = np.stack([judged.n * new.influence, judged.n * previous.influence], axis=1)
    # Polarisation, as the function gives variances.
    both = stats.multiway_variance(
        np.stack([sums.sum(axis=1), sums[:, 0] - sums[:, 1]], axis=1), [judged.cluster]
    ).variance
    return None if np.isnan(both).any() else float(both[0] - both[1]) / 4


def _flips(judged: ScoredRows, new: Measured, confidence: float) -> stats.McNemar | None:
    """Return McNemar's test of a rate of the same people in both versions, None of others and in clusters."""
    rate = evaluated_groups.RATES.get(new.measure)
    if rate is None or not rate.same_people or judged.cluster is not None:
        return None
    assert judged.selected is not None
    assert judged.against_selected is not None
    among = rate.among(judged.label, judged.selected)
    now, before = (rate.hit(judged.label, chosen) for chosen in (judged.selected, judged.against_selected))
    only = [int(judged.n[among & one & ~other].sum()) for one, other in ((now, before), (before, now))]
    return stats.mcnemar(only[0], only[1], int(judged.n[among].sum()), confidence=confidence)


def _test(new: Measured, estimate: float, spread: float | None) -> PairTest:
    """Return Wald's test of the paired difference of two versions."""
    untested = PairTest(
        name="DeLong, paired" if new.measure == measures.AUC else "Wald, paired", statistic=None, p=None
    )
    if spread is None or spread <= ROUNDING:
        unchanged = spread is not None and abs(estimate) <= ROUNDING
        return replace(untested, p=1.0) if unchanged else replace(untested, reason=NO_SPREAD)
    statistic = estimate / spread**0.5
    if new.clusters is None:
        return replace(untested, statistic=statistic, p=float(stats.normal_p(statistic)))
    df = new.clusters - 1.0
    name, p = "clustered t, paired", float(stats.t_p(statistic, df))
    return replace(untested, name=name, statistic=statistic, df=df, p=p)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The findings, and the data of the page's charts."""

    findings: list[Finding]
    cutoffs: tuple[CutoffRates, ...]
    tensions: tuple[Tension, ...]
    floor_notes: tuple[FloorNote, ...]


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """What is compared by one way of clusters, corrected for nothing yet."""

    findings: list[Finding]
    views: list[View]
    cutoffs: list[CutoffRates]
    tensions: list[Tension]
    floor_notes: list[FloorNote]


def evaluate(
    rows: pl.DataFrame, request: EvaluationRequest, *, other_ways: Mapping[str, pl.DataFrame] = MappingProxyType({})
) -> Evaluation:
    """Return how well a score serves each group, slice by slice.

    `rows` are as those of `Predictions`: outcome, score, decision, groups, people. `other_ways` are the same rows in
    other clusters, by what those are: each finding is that of the way in which it is the least certain.

    Raises
    ------
    InputError
        A reference was named that does not occur.

    """
    compared = _compared(rows, request)
    findings = compared.findings
    for name, others in other_ways.items():
        pairs = zip(findings, _compared(others, request).findings, strict=True)
        findings = [_less_certain({request.cluster or name: finding, name: other}) for finding, other in pairs]
    if request.alike is not None:
        findings += similar_findings(request.alike, request)
    findings = in_families(findings, unseen=_unseen(compared.views, request))
    findings = with_shared_claims(findings, cluster=request.cluster)
    return Evaluation(
        findings=uniquely_named(findings),
        cutoffs=tuple(compared.cutoffs),
        tensions=tuple(compared.tensions),
        floor_notes=tuple(compared.floor_notes),
    )


def _compared(rows: pl.DataFrame, request: EvaluationRequest) -> _Compared:
    findings: list[Finding] = []
    cutoffs: list[CutoffRates] = []
    tensions: list[Tension] = []
    notes: list[FloorNote] = []
    slices: list[Finding] = []
    views: list[View] = []
    for levels, slice_rows in evaluated_groups.slices_of(rows, request.by, request.levels):
        everybody = Parts(slice=levels, attributes=(), groups=((),), parts=(evaluated_groups.scored_rows(slice_rows),))
        findings += _groups(_view(everybody, request), request)
        tried = cutoffs_of(everybody.parts[0])
        for parts in evaluated_groups.parts_of(
            slice_rows, levels, request.attributes, request.levels, crossed=request.choices.intersectional
        ):
            if not parts.groups:
                continue
            view = _view(parts, request)
            findings += _groups(view, request)
            views.append(view)
            if levels:
                slices += _gaps(view, request)
                continue
            findings += [*_gaps(view, request), *_odds(view), *view.ratio_findings()]
            if len(parts.attributes) == 1:
                cutoffs += cutoff_rates(view, tried, at_least=request.at_least, ranked=request.ranked)
                result = tension(view, probabilities=request.probabilities)
                tensions += [] if result is None else [result]
            notes += _floor_notes(view)
    return _Compared(findings=[*findings, *slices], views=views, cutoffs=cutoffs, tensions=tensions, floor_notes=notes)


def _less_certain(ways: Mapping[str, Finding]) -> Finding:
    """Return the finding with the largest p, else the widest interval; its clusters are named as the way is."""
    name, finding = max(ways.items(), key=lambda way: _uncertainty(way[1]))
    clusters = finding.clusters.get(_CLUSTER)
    return finding if clusters is None else replace(finding, clusters={name: clusters})


def _uncertainty(finding: Finding) -> tuple[float, float]:
    """Return a finding's p and the width of its interval, -1 for what is not known."""
    p = None if finding.claim is None else finding.claim.p
    unknown = finding.low is None or finding.high is None
    return -1.0 if p is None else p, -1.0 if unknown else float(finding.high or 0.0) - float(finding.low or 0.0)


def _view(parts: Parts, request: EvaluationRequest) -> View:
    def measure_part(part: ScoredRows, *, paired: bool) -> dict[str, Measured]:
        return evaluated_groups.measured(
            part, probabilities=request.probabilities, influences=paired, confidence=request.choices.confidence
        )

    return View(
        **vars(parts),
        by_group=tuple(measure_part(part, paired=part.against is not None) for part in parts.parts),
        previous=tuple(measure_part(part.previous, paired=True) for part in parts.parts if part.against is not None),
        choices=request.choices,
    )


def _groups(view: View, request: EvaluationRequest) -> Iterator[Finding]:
    """Yield every measure of every group, and what changed from the previous version."""
    for group, group_measures in enumerate(view.by_group):
        for result in group_measures.values():
            yield Finding(
                name=_name(result.measure, view, group),
                slice=dict(view.slice),
                focal=view.named(group),
                role="descriptive",
                confidence=view.choices.confidence,
                measured_in=_UNITS.get(result.measure, "share"),
                clusters=_clusters(result.clusters, result.n),
                **copied(result, "measure estimate low high n method reason details"),
            )
    if view.previous:
        yield from _changes(view, request)


def _is_planned(parts: Parts, measure: str, request: EvaluationRequest) -> bool:
    """Return whether a comparison is planned: of all people by one attribute, in a measure of the first screen."""
    return not parts.slice and len(parts.attributes) < 2 and measure in request.planned


def _family(measure: str, parts: Parts) -> str:
    """Return the family of an exploratory comparison."""
    where = f" in slices by {' × '.join(parts.slice)}" if parts.slice else ""
    return f"{measure} by {' × '.join(parts.attributes) or 'all people'}{where}"


def _gaps(view: View, request: EvaluationRequest) -> Iterator[Finding]:
    """Yield the difference of each group and its reference in each measure."""
    for comparison in view.comparisons:
        for group, gap in comparison.gaps.items():
            yield _gap(view, comparison.measure, group, gap, request)


def _gap(view: View, compared: str, group: int, gap: Gap, request: EvaluationRequest) -> Finding:
    """Return the difference of a group and its reference as a finding."""
    test = gap.test
    mine = view.by_group[group].get(compared)
    theirs = None if gap.reference is None else view.by_group[gap.reference].get(compared)
    known = [side for side in (mine, theirs) if side is not None]
    n, clusters = sum(side.n for side in known), [side.clusters for side in known if side.clusters is not None]
    (value, own_n), (value_reference, n_reference) = (
        (None, None) if side is None else (side.estimate, side.n) for side in (mine, theirs)
    )
    planned, measure = _is_planned(view, compared, request), f"{measures.DIFFERENCE}{compared}"
    return Finding(
        name=_name(measure, view, group),
        measure=measure,
        slice=dict(view.slice),
        focal=view.named(group),
        reference={} if gap.reference is None else view.named(gap.reference),
        role="planned" if planned else "exploratory",
        confidence=view.choices.confidence,
        measured_in=_UNITS.get(compared, "share"),
        null_value=0.0,
        n=n,
        clusters=_clusters(min(clusters) if clusters else None, n),
        method="hybrid of both intervals (Newcombe; Zou and Donner)" if test is None or test.low is None else "CR2 t",
        claim=uncorrected(
            test if test is not None and test.name else None,
            planned=planned,
            family=_family(measure, view),
            df=None if test is None else test.df,
            n=(own_n, n_reference),
            reason=gap.why or (None if test is None else test.reason),
        ),
        reason=gap.why,
        details=GroupGap(
            value_focal=value,
            value_reference=value_reference,
            n_value_focal=own_n,
            n_value_reference=n_reference,
            clusters=None if test is None else test.clusters,
        ),
        **copied(gap, "estimate low high tests"),
    )


def _with_caution(finding: Finding, cluster: str) -> Finding:
    """Return the finding with what few clusters allow to find, at the level of its family."""
    claim, (of_groups, value) = finding.claim, _clusters_of_groups(finding)
    way = next(iter(finding.clusters), _CLUSTER)
    cluster = cluster if way == _CLUSTER else way
    if claim is None or claim.p is None or value is None:
        return finding
    if (claim.test or "").startswith("permutation"):
        return replace(finding, claim=replace(claim, caution=few_to_permute(cluster, of_groups)))
    factor, unit = (100, " percentage points") if finding.measured_in == "share" else (1, "")
    least = _detectable(finding, value)
    caution = few_clusters(
        cluster,
        of_groups,
        claim.df,
        detectable=None if least is None else factor * least,
        most=inf if finding.measured_in in {"log odds", "ratio"} else factor * max(value, 1 - value),
        of=f" in {_in_words(finding.measure)}",
        unit=unit,
    )
    return replace(finding, claim=replace(claim, caution=caution))


def _detectable(finding: Finding, value: float) -> float | None:
    """Return the difference from the `value` compared with that the claim's test finds with 80 % power.

    AUCs are tested on the log odds; theirs is one towards the group, and infinite where it ends at an AUC of 0 or 1.
    None where the test has no standard error.
    """
    claim, sizes = finding.claim, GroupGap.of(finding)
    if claim is None or not claim.statistic or not claim.df or finding.estimate is None:
        return None
    on_log_odds = finding.measure == f"{measures.DIFFERENCE}{measures.AUC}"
    reversed_by = 0.0
    ends = np.array([value + finding.estimate, value])
    if finding.low is None:
        # Without an interval the test is that of rates with one decision reversed.
        if claim.test != REVERSED or not sizes.n_value_focal or not sizes.n_value_reference:
            return None
        rates = zip(ends.round(12).tolist(), (sizes.n_value_focal, sizes.n_value_reference), strict=True)
        counted = np.array([without_certainty(*side) for side in rates])
        reversed_by, ends = float(np.abs(counted - ends).sum()), counted
    tested, reference = -np.log(1 / ends - 1) if on_log_odds else ends
    error, confidence = (tested - reference) / claim.statistic, 1 - LEVEL / claim.family_size
    least: float | None = stats.detectable_difference(error, df=claim.df, confidence=confidence).estimate
    if least is None or not on_log_odds:
        return None if least is None else least + reversed_by
    other = float(np.exp(-np.logaddexp(0, -reference - np.copysign(least, claim.statistic))))
    return abs(other - value) if OUTERMOST_AUC < other < 1 - OUTERMOST_AUC else inf


def _clusters_of_groups(finding: Finding) -> tuple[dict[str, int], float | None]:
    """Return the clusters of each group of a comparison, and the value that it compares with, None of no comparison."""
    details, name = finding.details, shortened(" × ".join(finding.focal.values())) or "all"
    if isinstance(details, GroupGap) and details.clusters is not None:
        names = name, shortened(" × ".join(finding.reference.values()))
        return dict(zip(names, details.clusters, strict=True)), details.value_reference
    if isinstance(details, VersionChange) and _CLUSTER in finding.clusters:
        return {name: finding.clusters[_CLUSTER]}, details.value_previous
    return {}, None


def _in_words(measure: str) -> str:
    """Return a compared measure as text: 'selection rate', 'TPR'."""
    name = measure.removeprefix(measures.DIFFERENCE).removeprefix(measures.CHANGE)
    return name.upper() if len(name) < 4 else name.replace("_", " ")


def _unseen(views: Sequence[View], request: EvaluationRequest) -> dict[str, list[float]]:
    """Return, by family, the p of pairs of groups that could have been compared beyond those that are."""
    unseen: dict[str, list[float]] = defaultdict(list)
    for view in views:
        for comparison in view.comparisons:
            planned = _is_planned(view, comparison.measure, request)
            family = PLANNED if planned else _family(f"{measures.DIFFERENCE}{comparison.measure}", view)
            unseen[family] += comparison.unseen
    return unseen


def with_shared_claims(findings: Sequence[Finding], *, cluster: str | None = None) -> list[Finding]:
    """Return the findings; what compares the same rates in another way has the claim of their difference.

    So ratios do, and the rates of false negatives and of true negatives: nothing differs under one name and not under
    the other. Of rows in a `cluster` claims say what few clusters allow to find.
    """
    if cluster is not None:
        findings = [_with_caution(finding, cluster) for finding in findings]

    def key(finding: Finding, measure: str) -> tuple[object, ...]:
        return measure, *(tuple(part.items()) for part in (finding.slice, finding.focal, finding.reference))

    claims = {key(finding, finding.measure): finding.claim for finding in findings}
    result = []
    for finding in findings:
        ratio_of = evaluated_groups.SAME_AS_RATIO.get(finding.measure)
        opposite = evaluated_groups.SAME_AS_OPPOSITE.get(finding.measure)
        measure = f"{measures.DIFFERENCE}{ratio_of}" if ratio_of is not None else opposite
        claim = None if measure is None else claims.get(key(finding, measure))
        if claim is None:
            result.append(finding)
            continue
        sign = -1.0 if ratio_of is None else 1.0
        statistic = None if claim.statistic is None else sign * claim.statistic
        result.append(replace(finding, claim=replace(claim, planned=False, statistic=statistic)))
    return result


def _odds(view: View) -> Iterator[Finding]:
    """Yield equalised odds: the larger of both rates' differences, with an interval that holds both together."""
    gaps = {comparison.measure: comparison.gaps for comparison in view.comparisons}
    names = (measures.TPR, measures.FPR)
    if not gaps.keys() >= {*names}:
        return
    for group in sorted({group for name in names for group in gaps[name]}):
        both = [gaps[name].get(group, Gap(reference=None, estimate=0.0)) for name in names]
        # A group that a measure compares the others with has no limits there, and no difference.
        lacking = [gap for gap in both if gap.low is None and gap.reference is not None]
        sizes = [abs(gap.estimate) for gap in both if gap.estimate is not None]
        larger = both[int(np.argmax(sizes))] if len(sizes) == 2 else both[0]
        ends = [] if lacking else [_size(gap) for gap in both if gap.low is not None]
        people = view.parts[group].people
        yield Finding(
            name=_name(measures.EQUALISED_ODDS, view, group),
            measure=measures.EQUALISED_ODDS,
            slice=dict(view.slice),
            focal=view.named(group),
            reference={} if larger.reference is None else view.named(larger.reference),
            role="descriptive",
            estimate=max(sizes) if len(sizes) == 2 else None,
            low=max((low for low, _ in ends), default=None),
            high=max((high for _, high in ends), default=None),
            confidence=view.choices.confidence,
            n=people,
            clusters={"person": people},
            method="larger of both differences, their intervals widened to hold together",
            reason=next((gap.why for gap in sorted(lacking, key=lambda gap: gap.estimate is not None)), None),
            details=BothErrors(difference_tpr=both[0].estimate, difference_fpr=both[1].estimate),
        )


def _size(gap: Gap) -> tuple[float, float]:
    """Return the limits of a difference's size, widened."""
    assert gap.estimate is not None
    assert gap.low is not None
    assert gap.high is not None
    low = gap.estimate - _JOINTLY * (gap.estimate - gap.low)
    high = gap.estimate + _JOINTLY * (gap.high - gap.estimate)
    return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), min(max(abs(low), abs(high)), 1.0)


def _floor_notes(view: View) -> Iterator[FloorNote]:
    """Yield which groups are too small to be the reference."""
    choices, people = view.choices.references, view.people.tolist()
    named = all(name in choices.named for name in view.attributes)
    if choices.rule != HIGHEST or not choices.floor or named:
        return
    least = max(choices.floor * sum(people), FLOOR_PEOPLE)
    small = [group for group, n in enumerate(people) if n < least]
    limit = f"under {100 * choices.floor:g} % of the people or under {FLOOR_PEOPLE}"
    if small and len(small) == len(people):
        yield FloorNote(
            attributes=view.attributes, text=f"Every group is {limit}, so any of them may be the reference."
        )
    elif small:
        names = [
            f"{shortened(' × '.join(view.groups[group]))} (n = {people[group]:,})" for group in small[:_MOST_NAMED]
        ]
        more = f" and {len(small) - _MOST_NAMED} more" if len(small) > _MOST_NAMED else ""
        are = "is" if len(small) == 1 else "are"
        yield FloorNote(
            attributes=view.attributes,
            text=f"{', '.join(names)}{more} {are} too small to be the reference ({limit}), and {are} compared with it.",
        )


def _clusters(clusters: int | None, n: int) -> dict[str, int]:
    return {"person": n} if clusters is None else {_CLUSTER: clusters}


def _name(measure: str, parts: Parts, group: int) -> str:
    words = [measure, *parts.attributes, *parts.groups[group]]
    words += [word for pair in parts.slice.items() for word in pair]
    return "_".join("_".join(word.split()) for word in words)
