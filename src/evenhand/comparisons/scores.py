"""Findings of scores: declared measures, groups, selection, ranks and unreadable answers.

`score_difference` compares the mean scores of two groups within the same prompt. `spread_findings` puts a difference
in relation to the spread of scores, of wordings and of repetitions; `selection_findings` and `rank_findings` say whom
scores select; `evaluated_groups` measures how well they rank and fit observed labels.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons import clusterings, declared
from evenhand.comparisons.claims import few_clusters
from evenhand.comparisons.clusterings import ClusterFactors
from evenhand.comparisons.declared import Estimated, Sequential
from evenhand.comparisons.group_rates import between_levels, group_findings
from evenhand.comparisons.measure import everyone_of
from evenhand.comparisons.undetected import nothing_read, statuses_of, undetected_findings
from evenhand.comparisons.units import Clustered, Draw, Floats, Ints, Units, distinct
from evenhand.comparisons.weighted_sums import ResampledUnits, resampled_units, shuffled_labels
from evenhand.results import measures as results_measures
from evenhand.results.finding import Alternative, Finding, Test, copied
from evenhand.results.measures import Contrast, MeasureSet, Slice, Summary
from evenhand.results.messages import listed
from evenhand.results.schemas import CONTEXT, PROTECTED
from evenhand.results.score_audit import EvaluatedGroup, StoppedGroup
from evenhand.stats import (
    auc,
    auc_covariance,
    brier,
    detectable_difference,
    intersections,
    jackknife_variance,
    permutation_p,
    t_interval,
    within_sets,
)
from evenhand.stats.resampling import influence

Mask = NDArray[np.bool_]

OBSERVED = pl.col("status") == "observed"
WELCH = "Welch on name means"
ONE_NAME = "A group has only one name, so the effects of the name and of the group can't be separated."
EQUAL_NAMES = "The values of each group are all the same."
CONSTANT_SCORES = "All scores are the same, so the uncertainty of the difference can't be estimated."


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference of mean scores with its units, which of them are focal, and the set of each.

    `paired` is false where no set holds both groups, so that the difference is not taken within sets. `centred` are the
    scores minus the others' in a set of all groups, where those are to show how much the difference varies.
    """

    estimate: float | None
    units: Units
    focal: Mask
    sets: Ints
    paired: bool
    centred: Floats | None = None

    def weights(self) -> Floats:
        """Return each score's weight in its side: the other side's share of its set, 0 where a set has one side."""
        n, focal = (
            np.bincount(self.sets, weights=values)[self.sets] for values in (np.ones_like(self.sets), self.focal)
        )
        return np.where(self.focal, n - focal, focal) / n

    def leave_one_out(self, clusters: Sequence[tuple[Ints, int]]) -> list[Floats]:
        """Return the difference without each cluster; a clustering is the units' codes and the number of clusters."""
        result = within_sets(self.units.score, self.focal, self.sets, clusters=[codes for codes, _ in clusters])
        # Leaving out a cluster without any of these units changes nothing.
        return [
            np.concatenate([values, np.full(size - values.size, result.estimate)])
            for values, (_, size) in zip(result.left_out, clusters, strict=True)
        ]


def difference_of(units: Units, measure: Contrast, where: Mapping[str, str], measured: MeasureSet) -> Difference:
    """Return the difference of mean scores within prompts that differ in the name only, and within other groups.

    Races are compared among men and among women, so that the effect of gender is no spread between names. Where no
    prompt had names of both groups, it is the difference of all scores.
    """
    focal, reference = (units.where({**where, **group}) for group in (measure.focal, measure.reference))
    either = focal | reference
    chosen, sets = units.take(either), _sets(units, measure, measured)[either]
    if not focal.any() or not reference.any():
        return Difference(estimate=None, units=chosen, focal=focal[either], sets=sets, paired=False)
    result = within_sets(chosen.score, focal[either], sets)
    paired = result.estimate is not None
    if not paired:
        sets = np.zeros_like(sets)
        result = within_sets(chosen.score, focal[either], sets)
    centred = _less_others(units, measured)[either] if measured.scored is not None and measured.scored.centred else None
    difference = Difference(
        estimate=result.estimate, units=chosen, focal=focal[either], sets=sets, paired=paired, centred=centred
    )
    # A set with one side only says nothing of the difference, and its names are no clusters of it.
    entering = difference.weights() > 0.0
    return replace(
        difference,
        units=chosen.take(entering),
        focal=difference.focal[entering],
        sets=sets[entering],
        centred=None if centred is None else centred[entering],
    )


def _less_others(units: Units, measured: MeasureSet) -> Floats:
    """Return scores minus the mean of the other scores in their set, of all groups; a score alone says nothing.

    What a set has in common is gone, and a name's part stays whole. Pairs of two groups alone would show twice the
    variance of chance: each of their differences would count for the names, and the piles, of both.
    """
    assert measured.scored is not None
    codes = units.combined(measured.scored.sets)[0]
    n, total = np.bincount(codes)[codes], np.bincount(codes, weights=units.score)[codes]
    return np.where(n > 1, units.score - (total - units.score) / np.maximum(n - 1, 1), 0.0)


def difference_limits(
    differences: Sequence[tuple[float, Difference]],
    estimate: float,
    measured: MeasureSet,
) -> tuple[ClusterFactors, clusterings.Limits]:
    """Return the factors that vary, and the interval of a weighted sum of differences by level of confidence.

    Names vary, as they were randomised, and résumés if there are enough of them; the sum is computed anew without each.
    The degrees of freedom follow from the names of each group.
    """
    sizes = [len(difference.units) for _, difference in differences]
    every = {
        name: np.concatenate([difference.units.codes[name] for _, difference in differences])
        for name in measured.clusters
    }
    sides = np.concatenate([(~difference.focal).astype(np.int64) for _, difference in differences])
    factors = clusterings.cluster_factors(every, sides=sides, varying=measured.clusters[:1])
    influences = [
        weight * _side_influence(difference, difference.centred)
        for weight, difference in differences
        if difference.centred is not None
    ]
    if len(influences) == len(differences):
        return factors, clusterings.clustered(np.concatenate(influences), factors, estimate)
    codes = [np.unique(labels, return_inverse=True)[1] for labels in factors.codes.values()]
    codes += [crossed for _, crossed in intersections(codes)]
    ends = np.cumsum(sizes)
    left_out = [np.zeros(int(values.max()) + 1) for values in codes]
    for (weight, difference), end, size in zip(differences, ends, sizes, strict=True):
        slices = [(values[end - size : end], total.size) for values, total in zip(codes, left_out, strict=True)]
        left_out = [
            total + weight * values for total, values in zip(left_out, difference.leave_one_out(slices), strict=True)
        ]
    return factors, clusterings.jackknifed(left_out, factors, estimate)


def _side_influence(difference: Difference, score: Floats) -> Floats:
    """Return each score's part in a difference; the scores may be those minus the others' in their set."""
    psi, weights = np.zeros(len(score)), difference.weights()
    for side, sign in ((difference.focal, 1.0), (~difference.focal, -1.0)):
        mean = np.average(score[side], weights=weights[side])
        psi[side] = sign * weights[side] * (score[side] - mean) / weights[side].sum()
    return psi


def score_difference(
    units: Units,
    measure: Contrast,
    where: Mapping[str, str],
    measured: MeasureSet,
    draw: Draw,
) -> Estimated:
    """Return a difference of mean scores: names and résumés vary in its interval and in its t test.

    The permutation of labels over names, conditional on the résumés, and Welch's interval and test on one mean per
    name come with it.
    """
    difference = difference_of(units, measure, where, measured)
    counted: dict[str, Any] = {"n": len(difference.units), "clusters": {"item": distinct(difference.units.item)}}
    if difference.estimate is None:
        sides = ((measure.focal, difference.focal), (measure.reference, ~difference.focal))
        lacking = " or ".join(_group_text(group) for group, side in sides if not side.any())
        return Estimated(estimate=None, method="none", reason=f"No answer with {lacking} was observed.", **counted)
    if np.ptp(difference.units.score) == 0.0:
        return Estimated(estimate=difference.estimate, method="none", reason=CONSTANT_SCORES, **counted)
    levels = (draw.confidence, 2 * draw.confidence - 1)
    factors, limits = difference_limits([(1.0, difference)], difference.estimate, measured)
    robust, narrow = map(limits, levels)
    welch = _over_names(difference, factors, measured, confidence=draw.confidence)
    if robust.low is None and welch.reason is not None:
        robust = replace(robust, reason=welch.reason)
    p = _permuted(units, measure, where, measured, difference, draw)
    tests: tuple[Test, ...] = (
        Test(name=f"t test, {' × '.join(robust.clusters)}", statistic=robust.t, p=robust.p, reason=robust.reason),
        Test(name=declared.PERMUTATION, statistic=difference.estimate, p=p),
        Test(name=WELCH, statistic=welch.t, p=welch.p, reason=welch.reason),
    )
    return Estimated(
        estimate=difference.estimate,
        **copied(robust, "low high reason df"),
        equivalence=None if narrow.low is None or narrow.high is None else (narrow.low, narrow.high),
        method=robust.method + ("" if difference.paired else results_measures.NOT_PAIRED),
        alternatives=(Alternative(**copied(welch, "method low high clusters reason")),),
        tests=tests,
        n=len(difference.units),
        clusters=robust.clusters or counted["clusters"],
        sides=(int(difference.focal.sum()), int((~difference.focal).sum())),
        deciding=tests[0],
        caution=_caution(difference, robust, measure, measured),
    )


def _caution(difference: Difference, main: Clustered, measure: Contrast, measured: MeasureSet) -> str | None:
    """Return that names are few, and the smallest difference that their test finds; None with enough of them."""
    (carrier, *_), sides = (
        measured.clusters,
        ((measure.focal, difference.focal), (measure.reference, ~difference.focal)),
    )
    names = difference.units.codes[carrier]
    few = few_clusters(carrier, {" ".join(group.values()): distinct(names[side]) for group, side in sides}, main.df)
    if few is None or not main.t or main.df is None or difference.estimate is None:
        return few
    least = detectable_difference(difference.estimate / main.t, df=main.df).estimate or 0.0
    is_share = measure.measured_in == "share"
    size = f"{100 * least:.1f} percentage points" if is_share else f"{least:.1f} {measure.measured_in}"
    return f"{few} Only differences of {size} or more are found in 4 of 5 samples by a test alone."


def group_mean(
    units: Units,
    measure: Summary,
    where: Mapping[str, str],
    measured: MeasureSet,
    *,
    confidence: float,
) -> Estimated:
    """Return the mean score of a group; names and résumés vary in its interval."""
    chosen = units.take(units.where({**where, **measure.group}))
    counted: dict[str, Any] = {"n": len(chosen), "clusters": {"item": distinct(chosen.item)}}
    if not len(chosen):
        return Estimated(estimate=None, method="none", reason="No answer was observed.", **counted)
    estimate = float(chosen.score.mean())
    if np.ptp(chosen.score) == 0.0:
        return Estimated(estimate=estimate, method="none", reason=CONSTANT_SCORES, **counted)
    factors = clusterings.cluster_factors({name: chosen.codes[name] for name in measured.clusters})
    psi = influence(chosen.score, None, "rate")
    main = clusterings.clustered(psi, factors, estimate)(confidence)
    if main.low is None:
        items = counted["clusters"]["item"]
        only = ClusterFactors(codes={"item": chosen.item}, fixed=factors.fixed)
        main = (
            _no_interval(items, factors)
            if items < declared.FEWEST_ITEMS
            else clusterings.clustered(psi, only, estimate)(confidence)
        )
    return Estimated(
        **copied(main, "low high method reason"),
        estimate=estimate,
        n=len(chosen),
        clusters=main.clusters or counted["clusters"],
    )


def _group_text(group: Mapping[str, str]) -> str:
    return ", ".join(f"{column} = {level}" for column, level in group.items())


def score_influence(drawn: ResampledUnits, measure: Summary | Contrast) -> declared.RowInfluence:
    """Return the influences on a measure of scores: on a difference, those of scores minus the others' in the set.

    Leaving out the own score removes what a set has in common and keeps a name's part whole.

    Raises
    ------
    ValueError
        The measure has no value.

    """
    if not isinstance(measure, Contrast):
        return declared.row_influence(drawn, measure)
    difference = difference_of(drawn.units, measure, {}, drawn.measured)
    if difference.estimate is None:
        message = "A group has no answer."
        raise ValueError(message)
    score = difference.units.score
    if difference.centred is not None:
        score = difference.centred
    elif difference.paired:
        n = np.bincount(difference.sets)[difference.sets]
        others = (np.bincount(difference.sets, weights=score)[difference.sets] - score) / np.maximum(n - 1, 1)
        score = np.where(n > 1, score - others, 0.0)
    psi = _side_influence(difference, score)
    return declared.rows_with_influence(psi, difference.units, difference.units, drawn.measured)


def _sets(units: Units, measure: Contrast, measured: MeasureSet) -> Ints:
    assert measured.scored is not None
    others = [name for name in measured.groups if name not in measure.focal]
    return units.combined([*measured.scored.sets, *others])[0]


def _no_interval(items: int, factors: ClusterFactors) -> Clustered:
    counted = f"{items} item{'' if items == 1 else 's'}"
    reason = (
        f"There are fewer than {clusterings.FEWEST_LEVELS} levels of {listed([*factors.codes, *factors.fixed])}, and "
        f"{counted}; it takes {declared.FEWEST_ITEMS}."
    )
    return Clustered(clusters={"item": items}, method=f"item{factors.held_fixed}", reason=reason)


def _over_names(
    difference: Difference, factors: ClusterFactors, measured: MeasureSet, *, confidence: float
) -> Clustered:
    """Return Welch's interval and test on one mean per name, of scores minus the others' in the set.

    The own score is left out so that a name's part stays whole. The means are moved so that they differ by the
    estimate; the error comes from their spread.
    """
    score = difference.units.score
    if difference.paired:
        n = np.bincount(difference.sets)[difference.sets]
        score = _centred(score, difference.sets) * np.where(n > 1, n / np.maximum(n - 1, 1), 0.0)
    name = difference.units.codes[measured.clusters[0]]
    means = []
    for side in (difference.focal, ~difference.focal):
        codes = np.unique(name[side], return_inverse=True)[1]
        means.append(np.bincount(codes, weights=score[side]) / np.bincount(codes))
    assert difference.estimate is not None
    sizes = np.array([side.size for side in means])
    parts = np.array([side.var(ddof=1) if side.size > 1 else np.nan for side in means]) / sizes
    with np.errstate(invalid="ignore"):
        df = parts.sum() ** 2 / (parts**2 / np.maximum(sizes - 1, 1)).sum()
    welch = t_interval(difference.estimate, parts.sum(), df, confidence=confidence)
    others = ClusterFactors(
        codes={}, fixed={column: count for column, count in factors.fixed.items() if column != measured.clusters[0]}
    )
    return Clustered(
        **copied(welch, "low high t df p"),
        clusters={measured.clusters[0]: int(sizes.sum())},
        method=WELCH + others.held_fixed,
        reason=None if welch.low is not None else ONE_NAME if sizes.min() < 2 else EQUAL_NAMES,
    )


def _permuted(  # noqa: PLR0917 - as score_difference
    units: Units,
    measure: Contrast,
    where: Mapping[str, str],
    measured: MeasureSet,
    difference: Difference,
    draw: Draw,
) -> float | None:
    """Return the p of the difference under labels shuffled over the names that share their other groups.

    It compares means of scores minus the mean of their set, for the labels as they are and as shuffled.
    """
    ((column, level),) = measure.focal.items()
    ((_, other),) = measure.reference.items()
    rest = {key: value for key, value in where.items() if key != column}
    within = units.where(rest)
    carrier, rows = units.combined([measured.clusters[0], *measured.groups])
    observed = rows[:, 1 + measured.groups.index(column)].astype(np.int16)
    labels = shuffled_labels(rows[:, 1:], measured.groups, column, draw)
    labels = np.concatenate([observed[None, :], labels])  # the first row is what was observed
    score = units.score[within]
    if difference.paired:
        score = _centred(score, _sets(units, measure, measured)[within])
    n, total = (
        np.bincount(carrier[within], weights=weights, minlength=len(rows)) for weights in (np.ones_like(score), score)
    )
    means = []
    for value in (level, other):
        chosen = (labels == units.levels[column].index(value)).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            means.append((chosen @ total) / (chosen @ n))
    differences = means[0] - means[1]
    return permutation_p(float(differences[0]), differences[1:])


def _centred(score: Floats, sets: Ints) -> Floats:
    """Return scores minus the mean of their set."""
    codes = np.unique(sets, return_inverse=True)[1]
    return np.asarray(score - (np.bincount(codes, weights=score) / np.bincount(codes))[codes])


def spread_findings(
    outcomes: pl.LazyFrame, units: Units, measured: MeasureSet, *, confidence: float
) -> Iterator[Finding]:
    """Yield standardised differences, interactions with qualification, and the spread of wordings and repetitions."""
    contrasts = [
        measure for measure in measured.measures if isinstance(measure, Contrast) and measure.name in measured.headline
    ]
    for contrast in contrasts:
        yield _standardized(units, contrast, measured, confidence=confidence)
    for contrast in contrasts:
        yield from _interaction(units, contrast, measured, confidence=confidence)
    for contrast in contrasts:
        yield from _between_wordings(units, contrast, measured, confidence=confidence)
    yield repetition_finding(outcomes, measured, confidence=confidence)


def _standardized(units: Units, contrast: Contrast, measured: MeasureSet, *, confidence: float) -> Finding:
    """Return the difference over the standard deviation of scores within the two groups (Cohen's d)."""
    difference = difference_of(units, contrast, {}, measured)
    sides = [units.score[units.where(group)] for group in (contrast.focal, contrast.reference)]
    n = sum(side.size for side in sides)
    name = f"{results_measures.STANDARDIZED}{contrast.name}"
    common: dict[str, Any] = {
        "name": name,
        "measure": name,
        "focal": dict(contrast.focal),
        "reference": dict(contrast.reference),
        "role": "descriptive",
        "confidence": confidence,
        "measured_in": "standard deviations",
        "null_value": 0.0,
        "n": n,
        "clusters": {"item": distinct(units.item)},
        "method": "difference over the pooled standard deviation of scores",
    }
    squares = sum(float(((side - side.mean()) ** 2).sum()) for side in sides if side.size)
    if difference.estimate is None or n < 3 or not squares > 0:
        return Finding(estimate=None, reason="There is no difference of scores that vary.", **common)
    spread = (squares / (n - 2)) ** 0.5
    limits = difference_limits([(1.0, difference)], difference.estimate, measured)[1](confidence)
    return Finding(
        estimate=difference.estimate / spread,
        low=None if limits.low is None else limits.low / spread,
        high=None if limits.high is None else limits.high / spread,
        reason=limits.reason,
        **{**common, "clusters": limits.clusters or common["clusters"]},
    )


def _interaction(units: Units, contrast: Contrast, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield by how much the difference among the best qualified exceeds the one among the least qualified."""
    assert measured.scored is not None
    column = measured.scored.qualification
    levels = units.levels.get(column, ()) if column else ()
    if column is None or len(levels) < 2:
        return
    best, least = levels[0], levels[-1]
    sides = [difference_of(units, contrast, {column: level}, measured) for level in (best, least)]
    name = f"{column}{results_measures.INTERACTION}_{contrast.name}"
    common: dict[str, Any] = {
        "n": sum(len(side.units) for side in sides),
        "clusters": {"item": sum(distinct(side.units.item) for side in sides)},
    }
    if sides[0].estimate is None or sides[1].estimate is None:
        reason = f"There is no difference where {column} is {best} or where it is {least}."
        interaction = Estimated(estimate=None, method="none", reason=reason, **common)
    else:
        estimate = sides[0].estimate - sides[1].estimate
        parts = list(zip((1.0, -1.0), sides, strict=True))
        limits = difference_limits(parts, estimate, measured)[1](confidence)
        interaction = Estimated(
            estimate=estimate,
            **copied(limits, "low high reason df"),
            method=f"{limits.method}; {best} minus {least}",
            n=common["n"],
            clusters=limits.clusters or common["clusters"],
            deciding=Test(name="t test", statistic=limits.t, p=limits.p, reason=limits.reason),
        )
    yield declared.finding_of(replace(contrast, name=name), interaction, measured, {}, confidence=confidence)


def _between_wordings(
    units: Units, contrast: Contrast, measured: MeasureSet, *, confidence: float
) -> Iterator[Finding]:
    """Yield the variance of the difference between wordings of the prompt, less their sampling error."""
    column = measured.instruction
    if column is None:
        return
    levels = units.levels[column]
    differences = {level: difference_of(units, contrast, {column: level}, measured) for level in levels}
    known = {level: difference for level, difference in differences.items() if difference.estimate is not None}
    errors = [_squared_error(difference, measured) for difference in known.values()]
    enough = len(known) > 1 and all(error > 0 for error in errors)
    yield between_levels(
        f"{column}{results_measures.VARIANCE}{contrast.name}",
        [difference.estimate for difference in known.values()],
        errors,
        measured_in=f"{contrast.measured_in} squared",
        n=len(units),
        clusters={column: len(levels)},
        confidence=confidence,
        reason=None if enough else "It takes two wordings whose scores vary.",
    )


def _squared_error(difference: Difference, measured: MeasureSet) -> float:
    """Return the variance of a difference over résumés; the names are the same in every wording."""
    codes = np.unique(difference.units.codes[measured.clusters[-1]], return_inverse=True)[1]
    variance = jackknife_variance(difference.leave_one_out([(codes, int(codes.max()) + 1)])).variance
    return 0.0 if variance is None else float(variance)


def repetition_finding(outcomes: pl.LazyFrame, measured: MeasureSet, *, confidence: float) -> Finding:
    """Return the standard deviation of scores that the same prompt got; of decisions how often two of them agree."""
    assert measured.scored is not None
    decided = measured.scored.high == 1.0
    repeated = (
        outcomes.filter(pl.col("status") == "observed")
        .group_by("item", "unit", maintain_order=True)
        .agg(pl.all().exclude("item", "unit", "score").first(), pl.col("score").var(), pl.len().alias("times"))
        .filter(pl.col("times") > 1)
        .drop("times")
    )
    name = results_measures.REPETITION_AGREEMENT if decided else results_measures.REPETITION_SD
    unit = "share" if decided else measured.unit
    common: dict[str, Any] = {
        "name": name,
        "measure": name,
        "role": "descriptive",
        "confidence": confidence,
        "measured_in": unit,
    }
    if not repeated.select(pl.len()).collect().item():
        reason = "No prompt was answered twice. Ask with --repetitions to see how much answers vary by themselves."
        return Finding(estimate=None, n=0, clusters={}, method="none", reason=reason, **common)
    units = everyone_of(repeated, measured).measured()
    variance = Summary(name=name, statistic="rate", measured_in=f"{unit} squared")
    result = group_mean(units, variance, {}, measured, confidence=confidence)

    def of_variance(value: float | None) -> float | None:
        """Return the root; of 0 and 1 the share of pairs that agree, as two differ with twice their variance."""
        return None if value is None else 1 - 2 * min(max(value, 0.0), 0.5) if decided else max(value, 0.0) ** 0.5

    return Finding(
        estimate=of_variance(result.estimate),
        low=of_variance(result.high if decided else result.low),
        high=of_variance(result.low if decided else result.high),
        **copied(result, "n clusters reason"),
        method=f"{result.method}, of the variance",
        **common,
    )


def selection_findings(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> Iterator[Finding]:
    """Yield the cut-off, how often each group scores above it, and the impact ratios.

    If the user gave no cut-off it is the median of all scores, strictly above it: the scoring rate of
    New York's Local Law 144.
    """
    assert measured.scored is not None
    scores = outcomes.filter(OBSERVED).select("score").collect()["score"].to_numpy()
    stated = measured.scored.cutoff
    cutoff = float(np.median(scores)) if stated is None else stated
    yield Finding(
        name=results_measures.CUTOFF,
        measure=results_measures.CUTOFF,
        role="descriptive",
        estimate=cutoff,
        confidence=draw.confidence,
        measured_in=measured.unit,
        n=scores.size,
        clusters={},
        method="median of all scores" if stated is None else "as given",
    )
    judged = outcomes.with_columns(
        pl.when(OBSERVED).then((pl.col("score") > cutoff).cast(pl.Int32)).alias("successes"),
        pl.when(OBSERVED).then(pl.lit(1, pl.Int32)).alias("trials"),
    )
    contrast, difference = measured.contrast, f"{results_measures.DIFFERENCE}{results_measures.SELECTION_RATE}"
    sides = () if contrast is None else (contrast.focal, contrast.reference)
    decisions = measured.of_groups(results_measures.SELECTION_RATE, *sides, difference=difference, scored=None)
    units = everyone_of(judged, decisions).measured()
    drawn = resampled_units(units, decisions, draw)
    groups = [*group_findings(drawn)]
    # Of one attribute the groups are the two sides.
    named = {finding.name for finding in groups}
    yield from (finding for finding in declared.declared_findings(drawn) if finding.name not in named)
    yield from groups


def rank_findings(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> Iterator[Finding]:
    """Yield the share of a position's other candidates whom each group is scored above, ties counting half."""
    assert measured.scored is not None
    contrast = measured.contrast
    if contrast is None:
        return
    position = CONTEXT + measured.scored.ranked_within
    n = pl.len().over(position)
    ahead = (pl.col("score").rank("average").over(position) - 1) / (n - 1)
    ranked = outcomes.filter(OBSERVED).with_columns(pl.when(n > 1).then(ahead).alias("score"))
    ranked = ranked.filter(pl.col("score").is_not_null())
    if not ranked.select(pl.len()).collect().item():
        return
    units = everyone_of(ranked, measured).measured()
    for group in (contrast.focal, contrast.reference):
        name = f"{results_measures.OUTRANKED}_{'_'.join(group.values())}"
        summary = Summary(name=name, statistic="rate", group=group)
        result = group_mean(units, summary, {}, measured, confidence=draw.confidence)
        yield declared.finding_of(summary, result, measured, {}, confidence=draw.confidence)
    difference = replace(
        contrast, name=f"{results_measures.DIFFERENCE}{results_measures.OUTRANKED}", measured_in="share"
    )
    result = score_difference(units, difference, {}, measured, draw)
    yield declared.finding_of(difference, result, measured, {}, confidence=draw.confidence)


def evaluated_groups(outcomes: pl.DataFrame, *, score: str, model: str) -> list[EvaluatedGroup]:
    """Return how well the scores of a column rank and fit labels, over all pairs first, then for each group.

    Outcomes have `item` (the person), `set` (the position), `label` and columns of protected attributes. The interval
    is the wider one of people as clusters and of positions.
    """
    evaluated = [_evaluated(outcomes, score, model=model, attribute="", group="")]
    for column in outcomes.columns:
        if column.startswith(PROTECTED):
            for group, members in sorted(outcomes.drop_nulls(column).partition_by(column, as_dict=True).items()):
                name = column.removeprefix(PROTECTED)
                evaluated.append(_evaluated(members, score, model=model, attribute=name, group=str(group[0])))
    return evaluated


def _evaluated(rows: pl.DataFrame, column: str, *, model: str, attribute: str, group: str) -> EvaluatedGroup:
    score, label = rows[column].to_numpy(), rows["label"].to_numpy()
    ways = [auc(score, label, cluster=rows[way].rank("dense").to_numpy()) for way in ("item", "set")]
    ranked = max(ways, key=lambda way: -1.0 if way.low is None or way.high is None else way.high - way.low)
    return EvaluatedGroup(
        model=model,
        attribute=attribute,
        group=group,
        n=rows.height,
        positive=int(np.count_nonzero(label)),
        people=rows["item"].n_unique(),
        auc=ranked.estimate,
        auc_low=ranked.low,
        auc_high=ranked.high,
        mean_score=float(score.mean()),
        brier=brier(score, label).estimate,
        reason=ranked.reason,
        method=ranked.method,
    )


def with_changed_auc(group: StoppedGroup, rows: pl.DataFrame, *, score: str, other: str) -> StoppedGroup:
    """Return a group with both AUCs and their paired difference, its interval by people or positions, the wider one."""
    label, ones = rows["label"].to_numpy(), np.ones(rows.height, dtype=np.int64)
    first, second = (auc(rows[name].to_numpy(), label) for name in (score, other))
    if first.estimate is None or second.estimate is None:
        return replace(group, n=rows.height, reason=first.reason)
    change, influence = first.estimate - second.estimate, first.influence - second.influence
    intervals = []
    for way in (rows[name].rank("dense").to_numpy() for name in ("item", "set")):
        variance = auc_covariance((influence, influence), label, ones, way)
        intervals.append(t_interval(change, np.nan if variance is None else variance, np.unique(way).size - 1))
    widest = max(intervals, key=lambda interval: interval.standard_error or 0.0)
    values: dict[str, Any] = {"auc": first.estimate, "auc_other": second.estimate, "difference": change}
    return replace(group, n=rows.height, **values, **copied(widest, "low high reason"))


def score_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: Sequential | None = None,
) -> list[Finding]:
    """Return the findings of scores: declared measures first."""
    everyone, statuses = everyone_of(outcomes, measured), statuses_of(outcomes)
    units = everyone.measured()
    confidence = draw.confidence
    findings: list[Finding]
    if not len(units):
        findings = declared.findings_without_answers(measured, reason=nothing_read(statuses), confidence=confidence)
    else:
        findings = [
            *_declared(units, measured, draw, sequential=sequential),
            *_means(units, measured, confidence=confidence),
            *selection_findings(outcomes, measured, draw),
            *rank_findings(outcomes, measured, draw),
            *spread_findings(outcomes, units, measured, confidence=confidence),
        ]
    return [
        *findings,
        *undetected_findings(everyone, statuses, measured, draw),
    ]


def declared_scores(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> list[Finding]:
    """Return the declared measures alone; nothing is resampled."""
    return _declared(everyone_of(outcomes, measured).measured(), measured, draw, sequential=None)


def _declared(
    units: Units,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: Sequential | None,
) -> list[Finding]:
    """Return the measures over all rows, then those of each level of each slice."""
    whole = Slice(columns=(), prefix="", measures=measured.overall)
    sliced = [
        finding
        for cut in measured.slices
        for levels in units.groups(cut.columns)
        for finding in _slice_findings(units, measured, cut, levels, draw)
    ]
    return [
        *_slice_findings(units, measured, whole, {}, draw, sequential=sequential),
        *sliced,
    ]


def _slice_findings(
    units: Units,
    measured: MeasureSet,
    cut: Slice,
    levels: Mapping[str, str],
    draw: Draw,
    *,
    sequential: Sequential | None = None,
) -> Iterator[Finding]:
    for measure in declared.measures_called(measured, cut.measures):
        if isinstance(measure, Contrast):
            result = score_difference(units, measure, levels, measured, draw)
        elif isinstance(measure, Summary):
            result = group_mean(units, measure, levels, measured, confidence=draw.confidence)
        else:
            continue
        if sequential is not None and sequential.measure == measure.name:
            result = declared.with_sequence(result, sequential)
        finding = declared.finding_of(measure, result, measured, levels, confidence=draw.confidence)
        yield replace(finding, name=cut.name(levels, measure.name))


def _means(units: Units, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the mean score of every combination of groups."""
    for group in units.groups(measured.groups):
        measure = Summary(name=measured.rate, statistic="rate", group=group, measured_in=measured.unit)
        result: Estimated = group_mean(units, measure, {}, measured, confidence=confidence)
        finding = declared.finding_of(measure, result, measured, {}, confidence=confidence)
        yield replace(finding, name=f"{measured.rate}_{'_'.join(group.values())}")
