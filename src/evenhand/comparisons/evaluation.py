"""Findings of a score compared with the observed outcome: how well it serves each group.

Besides the measures of `evaluated_groups` these are the rates at every cut-off, fairness criteria that can't hold
together at different base rates, individual fairness (are similar people scored and decided alike?), and a new version
of a score compared with the previous one on the same people.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons import evaluated_groups
from evenhand.comparisons.evaluated_groups import Choices, Gap, GroupMeasures, Measured, Parts, ScoredRows
from evenhand.comparisons.impact import uniquely_named
from evenhand.comparisons.impact_cells import FLOOR_PEOPLE, HIGHEST, LARGEST
from evenhand.comparisons.units import Floats, Ints
from evenhand.results import measures
from evenhand.results.applicant_audit import FloorNote
from evenhand.results.finding import Finding, Test, Verdict
from evenhand.results.messages import shortened
from evenhand.results.schemas import PROTECTED
from evenhand.results.score_audit import BothErrors, CutoffRates, GroupGap, SimilarDecisions, Tension, VersionChange

#: Cut-offs at equally spaced ranks of all scores; of fewer different scores all of them.
MOST_CUTOFFS = 19
#: Of the selection rate neither side is worse.
CHANGED = (*measures.WORSE, measures.SELECTION_RATE)
NO_INTERVAL = "An extreme of pairs that share people has no interval."
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


def cutoffs_of(everybody: ScoredRows) -> Floats:
    """Return the cut-offs to compare; above the largest score nobody would be selected."""
    different, first = np.unique(everybody.score, return_index=True)
    if different.size <= MOST_CUTOFFS + 1:
        return different[:-1]
    below = np.cumsum(everybody.n)
    ranks = below[-1] * np.arange(1, MOST_CUTOFFS + 1) / (MOST_CUTOFFS + 1)
    assert first.size
    return np.unique(everybody.score[np.searchsorted(below, ranks)])


def cutoff_rates(
    parts: Parts, cutoffs: Floats, choices: Choices, *, at_least: bool, ranked: bool
) -> Iterator[CutoffRates]:
    """Yield the rates of every group at every cut-off; of ranks the cut-off is the last place that is selected."""
    counts = [_counts(part, cutoffs, at_least=at_least or ranked) for part in parts.parts]
    people = np.array([part.people for part in parts.parts])
    large = (people >= choices.references.floor * people.sum()) & (people >= FLOOR_PEOPLE)
    may_be = large if choices.references.floor and large.any() else np.ones(people.size, dtype=np.bool_)
    for place, cutoff in enumerate(cutoffs):
        selected = np.array([hits[place] + others[place] for hits, others, *_ in counts])
        rates = selected / people
        named = choices.references.named.get(parts.attributes[0])
        labels = [group[0].casefold() for group in parts.groups]
        if named is not None and named.casefold() in labels:
            reference = labels.index(named.casefold())
        elif choices.references.rule == LARGEST:
            reference = int(np.argmax(people))
        else:
            reference = int(np.argmax(np.where(may_be, rates, -1.0)))
        for group, (hits, others, positives, negatives) in enumerate(counts):
            true, false = int(hits[place]), int(others[place])
            yield CutoffRates(
                attribute=parts.attributes[0],
                group=parts.groups[group][0],
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


def tension(parts: Parts, by_group: GroupMeasures, *, probabilities: bool) -> Tension | None:
    """Return the two groups of 30 people or more whose base rates differ most surely; None where they may be alike.

    None, too, where the score makes no errors: then everything holds together.
    """
    large = [group for group, part in enumerate(parts.parts) if part.people >= FLOOR_PEOPLE]
    pairs = list(combinations(large, 2))
    if not pairs:
        return None
    base = [group_measures[measures.BASE_RATE] for group_measures in by_group]
    counts = np.array([[(base[group].hits, base[group].of) for group in pair] for pair in pairs])
    compared = counts.transpose(1, 2, 0).reshape(4, -1)
    surest = int(np.argmax(np.abs(np.nan_to_num(stats.z_test(*compared).statistic))))
    p = stats.fisher_exact(*(int(count) for count in compared[:, surest])).p
    rates = {group: base[group].estimate or 0.0 for group in pairs[surest]}
    high, low = sorted(pairs[surest], key=lambda group: -rates[group])
    perfect = all(by_group[group][measures.AUC].estimate == 1 for group in (high, low))
    if p is None or p >= evaluated_groups.LEVEL or perfect:
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
    means = {group: _means(parts.parts[group]) if probabilities else (None, None) for group in (high, low)}
    return Tension(
        attribute=parts.attributes[0],
        group=parts.groups[high][0],
        reference=parts.groups[low][0],
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


@dataclass(frozen=True, kw_only=True)
class SimilarityInput:
    """People with the columns that similarity is measured by; `rows` as those of `Predictions`."""

    numbers: Floats
    words: Ints
    rows: pl.DataFrame
    within: float


def similar_findings(similar: SimilarityInput, attributes: Sequence[str], *, confidence: float) -> Iterator[Finding]:
    """Yield the share of close pairs that were decided differently, of all and of two groups, and the quotient."""
    score = similar.rows["score"].to_numpy()
    selected = similar.rows["selected"].to_numpy() if "selected" in similar.rows.columns else None
    apart: dict[str | None, Ints | None] = {None: None}
    for name in attributes:
        apart[name] = similar.rows[PROTECTED + name].fill_null(-1).to_numpy().astype(np.int64)
    for attribute, codes in apart.items():
        known = np.ones(score.size, dtype=np.bool_) if codes is None else codes >= 0
        pairs = stats.similar_pairs(
            similar.numbers[known],
            similar.words[known],
            score[known],
            None if selected is None else selected[known],
            within=similar.within,
            apart=None if codes is None else codes[known],
            confidence=confidence,
        )
        details = SimilarDecisions(
            attribute=attribute,
            within=similar.within,
            pairs=pairs.pairs,
            different=pairs.different,
            largest_quotient=pairs.largest_quotient,
            identical=pairs.identical,
            identical_apart=pairs.identical_apart,
        )
        suffix = "" if attribute is None else "_across_" + "_".join(attribute.split())
        levels: Mapping[str, str] = {} if attribute is None else {"pairs of different": attribute}
        yield Finding(
            name=f"{measures.SIMILAR_APART}{suffix}",
            measure=measures.SIMILAR_APART,
            slice=dict(levels),
            role="descriptive",
            estimate=pairs.estimate,
            low=pairs.low,
            high=pairs.high,
            confidence=confidence,
            n=pairs.n,
            clusters={"person": pairs.n},
            method=pairs.method,
            reason=pairs.reason,
            details=details,
        )
        if attribute is None:
            yield Finding(
                name=measures.LIPSCHITZ,
                measure=measures.LIPSCHITZ,
                role="descriptive",
                estimate=pairs.quotient,
                confidence=confidence,
                measured_in="score per distance",
                n=pairs.n,
                clusters={"person": pairs.n},
                method="95th percentile over close pairs",
                reason="No two people are that close, and not identical." if pairs.quotient is None else NO_INTERVAL,
                details=details,
            )


@dataclass(frozen=True, kw_only=True)
class Change:
    """New less previous value of one measure; `worse_by` is above 0 where the new one is worse."""

    measure: str
    estimate: float | None
    low: float | None
    high: float | None
    p: float | None
    test: str
    n: int
    clusters: int | None
    value_new: float | None
    value_previous: float | None
    worse_by: float | None
    reason: str | None


def changes(
    judged: ScoredRows,
    new: Mapping[str, Measured],
    previous: Mapping[str, Measured],
) -> list[Change]:
    """Return what changed, measure by measure; both versions judge the same people, so the difference is paired."""
    return [
        _change(judged, new[measure], previous[measure])
        for measure in CHANGED
        if measure in new and measure in previous
    ]


def _change(judged: ScoredRows, new: Measured, previous: Measured) -> Change:
    measure = new.measure
    if new.estimate is None or previous.estimate is None:
        reason = new.reason if new.estimate is None else previous.reason
        return Change(
            measure=measure, estimate=None, low=None, high=None, p=None, test="", n=judged.people, clusters=None,
            value_new=new.estimate, value_previous=previous.estimate, worse_by=None, reason=reason,
        )  # fmt: skip
    estimate = new.estimate - previous.estimate
    covariance = _covariance(judged, new, previous)
    low = high = None
    reason = new.reason or previous.reason
    spread = None
    if covariance is not None and new.variance is not None and previous.variance is not None:
        spread = max(new.variance + previous.variance - 2 * covariance, 0.0)
        both = (new.variance * previous.variance) ** 0.5
        correlation = float(np.clip(covariance / both, -1, 1)) if both else 0.0
        difference = stats.hybrid_difference(new.ends, previous.ends, correlation=correlation)
        low, high, reason = difference.low, difference.high, reason or difference.reason
    p, test = _p(judged, new, estimate, spread)
    sign = 1.0 if measure in evaluated_groups.LOWER_IS_BETTER else -1.0
    return Change(
        measure=measure,
        estimate=estimate,
        low=low,
        high=high,
        p=p,
        test=test,
        n=new.n,
        clusters=new.clusters,
        value_new=new.estimate,
        value_previous=previous.estimate,
        worse_by=None if measure == measures.SELECTION_RATE else sign * estimate,
        reason=reason,
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


def _p(judged: ScoredRows, new: Measured, estimate: float, spread: float | None) -> tuple[float | None, str]:
    """Return the p of no change: McNemar's of rates of the same people, else Wald's of the paired difference."""
    rate = evaluated_groups.RATES.get(new.measure)
    if rate is not None and rate.same_people and judged.cluster is None:
        assert judged.selected is not None
        assert judged.against_selected is not None
        among = rate.among(judged.label, judged.selected)
        now, before = (rate.hit(judged.label, chosen) for chosen in (judged.selected, judged.against_selected))
        only = [int(judged.n[among & one & ~other].sum()) for one, other in ((now, before), (before, now))]
        return stats.mcnemar(only[0], only[1], int(judged.n[among].sum())).p, "McNemar, exact"
    name = "DeLong, paired" if new.measure == measures.AUC else "Wald, paired"
    if not spread:
        return None, name
    statistic: Floats = np.array([estimate / spread**0.5])
    if new.clusters is not None:
        return float(stats.t_p(statistic, np.array([new.clusters - 1.0]))[0]), "clustered t, paired"
    return float(stats.normal_p(statistic)[0]), name


@dataclass(frozen=True, kw_only=True)
class EvaluationRequest:
    """The attributes and slices to evaluate, and what scores are.

    `levels` has the groups of each column of `Predictions.rows`, by code.
    """

    attributes: Sequence[str]
    by: Sequence[str]
    levels: Mapping[str, tuple[str, ...]]
    choices: Choices
    probabilities: bool
    ranked: bool
    at_least: bool
    alike: SimilarityInput | None = None


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The findings, and the data of the page's charts."""

    findings: list[Finding]
    cutoffs: tuple[CutoffRates, ...]
    tensions: tuple[Tension, ...]
    floor_notes: tuple[FloorNote, ...]


@dataclass(frozen=True, kw_only=True)
class _View:
    """The groups of one view, their measures in both versions, and the comparisons between them."""

    parts: Parts
    by_group: tuple[dict[str, Measured], ...]
    previous: tuple[dict[str, Measured], ...]
    comparisons: tuple[evaluated_groups.GroupComparison, ...] = ()


def evaluate(rows: pl.DataFrame, request: EvaluationRequest) -> Evaluation:
    """Return how well a score serves each group, slice by slice.

    `rows` are as those of `Predictions`: outcome, score, decision, groups, people.

    Raises
    ------
    InputError
        A reference was named that does not occur.

    """
    findings: list[Finding] = []
    cutoffs: list[CutoffRates] = []
    tensions: list[Tension] = []
    notes: list[FloorNote] = []
    slices: list[_View] = []
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
            view = replace(
                view, comparisons=tuple(evaluated_groups.group_comparisons(parts, view.by_group, request.choices))
            )
            findings += _groups(view, request)
            if levels:
                slices.append(view)
                continue
            findings += [*_gaps(view, request), *_odds(view, request)]
            findings += evaluated_groups.ratio_findings(
                parts, view.by_group, view.comparisons, confidence=request.choices.confidence
            )
            if len(parts.attributes) == 1:
                turned = {"at_least": request.at_least, "ranked": request.ranked}
                cutoffs += cutoff_rates(parts, tried, request.choices, **turned)
                result = tension(parts, view.by_group, probabilities=request.probabilities)
                tensions += [] if result is None else [result]
            notes += _floor_notes(parts, request.choices)
    findings += _gaps_in_slices(slices, request)
    if request.alike is not None:
        findings += similar_findings(request.alike, request.attributes, confidence=request.choices.confidence)
    return Evaluation(
        findings=uniquely_named(findings), cutoffs=tuple(cutoffs), tensions=tuple(tensions), floor_notes=tuple(notes)
    )


def _view(parts: Parts, request: EvaluationRequest) -> _View:

    def measure_part(part: ScoredRows, *, paired: bool) -> dict[str, Measured]:
        return evaluated_groups.measured(
            part, probabilities=request.probabilities, influences=paired, confidence=request.choices.confidence
        )

    return _View(
        parts=parts,
        by_group=tuple(measure_part(part, paired=part.against is not None) for part in parts.parts),
        previous=tuple(measure_part(part.previous, paired=True) for part in parts.parts if part.against is not None),
    )


def _groups(view: _View, request: EvaluationRequest) -> Iterator[Finding]:
    """Yield every measure of every group, and what changed from the previous version."""
    for group, group_measures in enumerate(view.by_group):
        for result in group_measures.values():
            yield Finding(
                name=_name(result.measure, view.parts, group),
                measure=result.measure,
                slice=dict(view.parts.slice),
                focal=view.parts.named(group),
                role="descriptive",
                estimate=result.estimate,
                low=result.low,
                high=result.high,
                confidence=request.choices.confidence,
                measured_in=_UNITS.get(result.measure, "share"),
                n=result.n,
                clusters=_clusters(result.clusters, result.n),
                method=result.method,
                reason=result.reason,
                details=result.details,
            )
    if view.previous:
        yield from _changes(view, request)


def _changes(view: _View, request: EvaluationRequest) -> Iterator[Finding]:
    """Yield new less previous version; p is adjusted over the groups of a view."""
    of_groups = [
        changes(part, new, old) for part, new, old in zip(view.parts.parts, view.by_group, view.previous, strict=True)
    ]
    together: dict[str, list[tuple[int, Change]]] = defaultdict(list)
    for group, group_changes in enumerate(of_groups):
        for change in group_changes:
            together[change.measure].append((group, change))
    for measure, measure_changes in together.items():
        family = stats.holm([change.p for _, change in measure_changes])
        for (group, change), adjusted in zip(measure_changes, np.atleast_1d(family.p), strict=True):
            p = None if np.isnan(adjusted) else float(adjusted)
            yield Finding(
                name=_name(f"{measures.CHANGE}{measure}", view.parts, group),
                measure=f"{measures.CHANGE}{measure}",
                slice=dict(view.parts.slice),
                focal=view.parts.named(group),
                role="planned" if not view.parts.slice and len(view.parts.attributes) < 2 else "exploratory",
                estimate=change.estimate,
                low=change.low,
                high=change.high,
                confidence=request.choices.confidence,
                measured_in=_UNITS.get(measure, "share"),
                null_value=0.0,
                n=change.n,
                clusters=_clusters(change.clusters, change.n),
                method="hybrid of both intervals, paired",
                tests=(Test(name=change.test, statistic=None, p=change.p),) if change.test else (),
                p_adjusted=p,
                adjustment=None if p is None else f"{change.test}, Holm over {family.family} groups",
                verdict=_verdict(p),
                reason=change.reason,
                details=VersionChange(
                    value_new=change.value_new, value_previous=change.value_previous, worse_by=change.worse_by
                ),
            )


def _gaps(view: _View, request: EvaluationRequest) -> Iterator[Finding]:
    for comparison in view.comparisons:
        for gap in comparison.gaps:
            adjustment = comparison.adjustment if gap.p_adjusted is not None else None
            yield _gap(view, comparison, gap, request, adjusted=gap.p_adjusted, adjustment=adjustment)


def _gaps_in_slices(views: Sequence[_View], request: EvaluationRequest) -> Iterator[Finding]:
    """Yield the differences within slices; p is adjusted over all pairs of groups in all slices of one column."""
    families: dict[tuple[object, ...], list[tuple[int, tuple[int, int], float]]] = defaultdict(list)
    for place, view in enumerate(views):
        for comparison in view.comparisons:
            family_of: tuple[object, ...] = (tuple(view.parts.slice), view.parts.attributes, comparison.measure)
            families[family_of] += [(place, pair, p) for pair, p in comparison.pairs.items()]
    adjusted: dict[tuple[object, ...], tuple[dict[tuple[int, tuple[int, int]], float], int]] = {}
    for key, comparisons in families.items():
        corrected = stats.benjamini_hochberg([p for _, _, p in comparisons])
        p_by_pair = {
            (place, pair): float(p) for (place, pair, _), p in zip(comparisons, np.atleast_1d(corrected.p), strict=True)
        }
        adjusted[key] = (p_by_pair, corrected.family)
    for place, view in enumerate(views):
        for comparison in view.comparisons:
            ps, family = adjusted[tuple(view.parts.slice), view.parts.attributes, comparison.measure]
            for gap in comparison.gaps:
                pair = tuple(sorted((gap.focal, gap.reference if gap.reference is not None else gap.focal)))
                p = ps.get((place, (pair[0], pair[1])))
                p = None if p is None or np.isnan(p) else p
                adjustment = (
                    None if p is None else f"{comparison.test}, Benjamini-Hochberg over {family} pairs in all slices"
                )
                yield _gap(view, comparison, gap, request, adjusted=p, adjustment=adjustment)


def _gap(
    view: _View,
    comparison: evaluated_groups.GroupComparison,
    gap: Gap,
    request: EvaluationRequest,
    *,
    adjusted: float | None,
    adjustment: str | None,
) -> Finding:
    """Return the difference of a group and its reference as a finding."""
    parts = view.parts
    mine = view.by_group[gap.focal].get(comparison.measure)
    theirs = None if gap.reference is None else view.by_group[gap.reference].get(comparison.measure)
    known = [side for side in (mine, theirs) if side is not None]
    clusters = [side.clusters for side in known if side.clusters is not None]
    n = sum(side.n for side in known)
    planned = not parts.slice and len(parts.attributes) == 1
    return Finding(
        name=_name(f"{measures.DIFFERENCE}{comparison.measure}", parts, gap.focal),
        measure=f"{measures.DIFFERENCE}{comparison.measure}",
        slice=dict(parts.slice),
        focal=parts.named(gap.focal),
        reference={} if gap.reference is None else parts.named(gap.reference),
        role="planned" if planned else "exploratory",
        estimate=gap.estimate,
        low=gap.low,
        high=gap.high,
        confidence=request.choices.confidence,
        measured_in=_UNITS.get(comparison.measure, "share"),
        null_value=0.0,
        n=n,
        clusters=_clusters(min(clusters) if clusters else None, n),
        method="hybrid of both intervals (Newcombe; Zou and Donner)",
        tests=() if gap.p is None else (Test(name=comparison.test, statistic=None, p=gap.p),),
        p_adjusted=adjusted,
        adjustment=adjustment,
        verdict=_verdict(adjusted),
        reason=gap.why,
        details=GroupGap(
            value_focal=None if mine is None else mine.estimate,
            value_reference=None if theirs is None else theirs.estimate,
            n_value_focal=None if mine is None else mine.n,
            n_value_reference=None if theirs is None else theirs.n,
        ),
    )


def _odds(view: _View, request: EvaluationRequest) -> Iterator[Finding]:
    """Yield equalised odds: the larger of both rates' differences, with an interval that holds both together."""
    gaps_by_measure = {
        comparison.measure: {gap.focal: gap for gap in comparison.gaps} for comparison in view.comparisons
    }
    if measures.TPR not in gaps_by_measure or measures.FPR not in gaps_by_measure:
        return
    for group in sorted({*gaps_by_measure[measures.TPR], *gaps_by_measure[measures.FPR]}):
        both = [
            gaps_by_measure[name].get(group, Gap(focal=group, reference=None, estimate=0.0))
            for name in (measures.TPR, measures.FPR)
        ]
        reason = next((gap.why for gap in both if gap.estimate is None), None)
        sizes = [abs(gap.estimate) for gap in both if gap.estimate is not None]
        larger = both[int(np.argmax(sizes))] if len(sizes) == 2 else both[0]
        ends = [_size(gap) for gap in both if gap.low is not None] if reason is None else []
        ps = [gap.p for gap in both if gap.p is not None]
        yield Finding(
            name=_name(measures.EQUALISED_ODDS, view.parts, group),
            measure=measures.EQUALISED_ODDS,
            slice=dict(view.parts.slice),
            focal=view.parts.named(group),
            reference={} if larger.reference is None else view.parts.named(larger.reference),
            role="descriptive",
            estimate=max(sizes) if reason is None else None,
            low=max((low for low, _ in ends), default=None),
            high=max((high for _, high in ends), default=None),
            confidence=request.choices.confidence,
            n=view.parts.parts[group].people,
            clusters=_clusters(None, view.parts.parts[group].people),
            method="larger of both differences, their intervals widened to hold together",
            tests=(Test(name="Bonferroni of both", statistic=None, p=min(1.0, 2 * min(ps))),) if ps else (),
            reason=reason,
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


def _floor_notes(parts: Parts, choices: Choices) -> Iterator[FloorNote]:
    """Yield which groups are too small to be the reference."""
    named = all(name in choices.references.named for name in parts.attributes)
    if choices.references.rule != HIGHEST or not choices.references.floor or named:
        return
    people = [part.people for part in parts.parts]
    least = max(choices.references.floor * sum(people), FLOOR_PEOPLE)
    small = [group for group, n in enumerate(people) if n < least]
    limit = f"under {100 * choices.references.floor:g} % of the people or under {FLOOR_PEOPLE}"
    if small and len(small) == len(people):
        yield FloorNote(
            attributes=parts.attributes, text=f"Every group is {limit}, so any of them may be the reference."
        )
    elif small:
        names = [
            f"{shortened(' × '.join(parts.groups[group]))} (n = {people[group]:,})" for group in small[:_MOST_NAMED]
        ]
        more = f" and {len(small) - _MOST_NAMED} more" if len(small) > _MOST_NAMED else ""
        are = "is" if len(small) == 1 else "are"
        yield FloorNote(
            attributes=parts.attributes,
            text=f"{', '.join(names)}{more} {are} too small to be the reference ({limit}), and {are} compared with it.",
        )


def _verdict(p: float | None) -> Verdict | None:
    return None if p is None else "difference" if p < evaluated_groups.LEVEL else "inconclusive"


def _clusters(clusters: int | None, n: int) -> dict[str, int]:
    return {"person": n} if clusters is None else {"cluster": clusters}


def _name(measure: str, parts: Parts, group: int) -> str:
    words = [measure, *parts.attributes, *parts.groups[group]]
    words += [word for pair in parts.slice.items() for word in pair]
    return "_".join("_".join(word.split()) for word in words)
