"""The difference of two groups' mean scores within the same prompt, with its interval and tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.clusterings import FEWEST_LEVELS, Clustered, Ways, clustered, jackknifed, ways_of
from evenhand.findings.declared.estimates import (
    FEWEST_ITEMS,
    PERMUTATION,
    Estimated,
    RowInfluence,
    row_influence,
    rows_with_influence,
)
from evenhand.findings.declared.resampled_units import ResampledUnits, shuffled_labels
from evenhand.findings.units import Units, distinct
from evenhand.measures import Contrast, MeasureSet, Summary
from evenhand.stats import mean_difference, permutation_p, within_sets
from evenhand.stats.clusters.moments import influence
from evenhand.tables.finding import Alternative, Test

__all__ = ["Difference", "difference_limits", "difference_of", "group_mean", "score_difference", "score_influence"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

WELCH = "Welch on name means"
ONE_NAME = "A group has one name: what is the name's and what is the group's can't be told."
ALIKE = "All scores were alike, so nothing tells how far they could differ."


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference of mean scores, whose units are of the focal or of the other group, and the set of each unit.

    `paired` says that it was taken within sets; else no set holds both groups.
    """

    estimate: float | None
    units: Units
    focal: Mask
    sets: Ints
    paired: bool

    def left_out(self, clusters: Sequence[tuple[Ints, int]]) -> list[Floats]:
        """Return the difference without each cluster, by codes of these units and how many there are."""
        found = within_sets(self.units.score, self.focal, self.sets, clusters=[codes for codes, _ in clusters])
        # A cluster that these units have nothing of changes nothing.
        return [
            np.concatenate([own, np.full(size - own.size, found.estimate)])
            for own, (_, size) in zip(found.left_out, clusters, strict=True)
        ]


def difference_of(units: Units, measure: Contrast, where: Mapping[str, str], measured: MeasureSet) -> Difference:
    """Return the difference of mean scores within prompts that differ in the name only, and within other groups.

    Races are compared among men and among women, so that what gender does is no spread between names. Where no
    prompt was put under names of both groups, it is the difference of all scores.
    """
    focal, reference = (units.where({**where, **group}) for group in (measure.focal, measure.reference))
    either = focal | reference
    chosen, sets = units.take(either), _sets(units, measure, measured)[either]
    if not focal.any() or not reference.any():
        return Difference(estimate=None, units=chosen, focal=focal[either], sets=sets, paired=False)
    found = within_sets(chosen.score, focal[either], sets)
    paired = found.estimate is not None
    if not paired:
        sets = np.zeros_like(sets)
        found = within_sets(chosen.score, focal[either], sets)
    return Difference(estimate=found.estimate, units=chosen, focal=focal[either], sets=sets, paired=paired)


def difference_limits(
    differences: Sequence[tuple[float, Difference]], estimate: float, measured: MeasureSet, *, levels: Sequence[float]
) -> tuple[Ways, list[Clustered]]:
    """Return the interval of a weighted sum of differences, per level of confidence, and the factors that vary.

    The names and résumés that have enough levels vary; the sum is computed anew without each of them.
    """
    sizes = [len(difference.units) for _, difference in differences]
    every = {
        name: np.concatenate([difference.units.codes[name] for _, difference in differences])
        for name in measured.clusters
    }
    ways = ways_of(every)
    codes = [np.unique(each, return_inverse=True)[1] for each in ways.codes.values()]
    if len(codes) == 2:
        codes.append(np.unique(codes[0] * (int(codes[1].max()) + 1) + codes[1], return_inverse=True)[1])
    ends = np.cumsum(sizes)
    left_out = [np.zeros(int(each.max()) + 1) for each in codes]
    for (weight, difference), end, size in zip(differences, ends, sizes, strict=True):
        own = [(each[end - size : end], total.size) for each, total in zip(codes, left_out, strict=True)]
        left_out = [total + weight * values for total, values in zip(left_out, difference.left_out(own), strict=True)]
    return ways, jackknifed(left_out, ways, estimate, confidences=levels)


def score_difference(
    units: Units,
    measure: Contrast,
    where: Mapping[str, str],
    measured: MeasureSet,
    *,
    seed: int,
    permutations: int,
    confidence: float,
) -> Estimated:
    """Return a difference of mean scores: names and résumés vary in its interval and in its t test.

    Beside it stand the permutation of labels over names, which holds résumés fixed, and Welch's interval and test on
    one mean per name. That one leads where there are fewer than 10 names.
    """
    found = difference_of(units, measure, where, measured)
    counted: dict[str, Any] = {"n": len(found.units), "clusters": {"item": distinct(found.units.item)}}
    if found.estimate is None:
        sides = ((measure.focal, found.focal), (measure.reference, ~found.focal))
        lacking = " or ".join(_told(group) for group, side in sides if not side.any())
        return Estimated(estimate=None, method="none", reason=f"No answer with {lacking} was observed.", **counted)
    if np.ptp(found.units.score) == 0.0:
        return Estimated(estimate=found.estimate, method="none", reason=ALIKE, **counted)
    levels = (confidence, 2 * confidence - 1)
    ways, (robust, narrow) = difference_limits([(1.0, found)], found.estimate, measured, levels=levels)
    welch, inner = (_over_names(found, ways, measured, confidence=level) for level in levels)
    p = _permuted(units, measure, where, measured, found, seed=seed, permutations=permutations)
    tests: tuple[Test, ...] = (
        Test(name=f"t test, {' × '.join(robust.clusters)}", statistic=found.estimate, p=robust.p, reason=robust.reason),
        Test(name=PERMUTATION, statistic=found.estimate, p=p),
        Test(name=WELCH, statistic=found.estimate, p=welch.p, reason=welch.reason),
    )
    main, beside, inside = robust, welch, narrow
    if measured.clusters[0] not in ways.codes or robust.low is None:
        # The name is what was randomised: with few of them, all that is certain of résumés says nothing of names.
        main, beside, inside, tests = welch, robust, inner, (tests[2], tests[1])
    return Estimated(
        estimate=found.estimate,
        low=main.low,
        high=main.high,
        equivalence=None if inside.low is None or inside.high is None else (inside.low, inside.high),
        method=main.method + ("" if found.paired else ", not paired"),
        alternatives=(
            Alternative(
                method=beside.method, low=beside.low, high=beside.high, clusters=beside.clusters, reason=beside.reason
            ),
        ),
        tests=tests,
        reason=main.reason,
        n=len(found.units),
        clusters=main.clusters or counted["clusters"],
    )


def group_mean(
    units: Units, measure: Summary, where: Mapping[str, str], measured: MeasureSet, *, confidence: float
) -> Estimated:
    """Return the mean score of a group; names and résumés vary in its interval."""
    chosen = units.take(units.where({**where, **measure.group}))
    counted: dict[str, Any] = {"n": len(chosen), "clusters": {"item": distinct(chosen.item)}}
    if not len(chosen):
        return Estimated(estimate=None, method="none", reason="No answer was observed.", **counted)
    estimate = float(chosen.score.mean())
    if np.ptp(chosen.score) == 0.0:
        return Estimated(estimate=estimate, method="none", reason=ALIKE, **counted)
    ways = ways_of({name: chosen.codes[name] for name in measured.clusters})
    psi = influence(chosen.score, None, "rate")
    (main,) = clustered(psi, ways, estimate, confidences=(confidence,))
    if main.low is None:
        items = counted["clusters"]["item"]
        only = Ways(codes={"item": chosen.item}, fixed=ways.fixed)
        (main,) = (
            [_few(items, ways)] if items < FEWEST_ITEMS else clustered(psi, only, estimate, confidences=(confidence,))
        )
    return Estimated(
        estimate=estimate,
        low=main.low,
        high=main.high,
        method=main.method,
        reason=main.reason,
        n=len(chosen),
        clusters=main.clusters or counted["clusters"],
    )


def _told(group: Mapping[str, str]) -> str:
    return ", ".join(f"{column} = {level}" for column, level in group.items())


def score_influence(drawn: ResampledUnits, measure: Summary | Contrast, measured: MeasureSet) -> RowInfluence:
    """Return the influences on a measure of scores: on a difference, those of scores less what others of the set got.

    Without the own score, what a set has in common is taken off and a name's part stays whole.

    Raises
    ------
    ValueError
        The measure has no value.

    """
    if not isinstance(measure, Contrast):
        return row_influence(drawn, measure, measured)
    found = difference_of(drawn.units, measure, {}, measured)
    if found.estimate is None:
        message = "A group has no answer."
        raise ValueError(message)
    score = found.units.score
    if found.paired:
        n = np.bincount(found.sets)[found.sets]
        others = (np.bincount(found.sets, weights=score)[found.sets] - score) / np.maximum(n - 1, 1)
        score = np.where(n > 1, score - others, 0.0)
    psi = np.zeros(len(score))
    for side, sign in ((found.focal, 1.0), (~found.focal, -1.0)):
        psi[side] = sign * (score[side] - score[side].mean()) / side.sum()
    return rows_with_influence(psi, found.units, found.units, measured)


def _sets(units: Units, measure: Contrast, measured: MeasureSet) -> Ints:
    assert measured.scored is not None
    others = [name for name in measured.groups if name not in measure.focal]
    return units.combined([*measured.scored.sets, *others])[0]


def _few(items: int, ways: Ways) -> Clustered:
    """Return that there is no interval, and why."""
    counted = f"{items} item{'' if items == 1 else 's'}"
    reason = f"There are fewer than {FEWEST_LEVELS} names and résumés, and {counted}; it takes {FEWEST_ITEMS}."
    return Clustered(clusters={"item": items}, method=f"item{ways.held_fixed}", reason=reason)


def _over_names(found: Difference, ways: Ways, measured: MeasureSet, *, confidence: float) -> Clustered:
    """Return Welch's interval and test on one mean per name, of scores less what others of the set got.

    Without the own score in it, what is taken off leaves a name's part whole. The means are moved so that they differ
    by the estimate; their spread is what the error is made of.
    """
    score = found.units.score
    if found.paired:
        n = np.bincount(found.sets)[found.sets]
        score = _centred(score, found.sets) * np.where(n > 1, n / np.maximum(n - 1, 1), 0.0)
    name = found.units.codes[measured.clusters[0]]
    means = []
    for side in (found.focal, ~found.focal):
        codes = np.unique(name[side], return_inverse=True)[1]
        means.append(np.bincount(codes, weights=score[side]) / np.bincount(codes))
    assert found.estimate is not None
    welch = mean_difference(
        means[0] - means[0].mean() + found.estimate, means[1] - means[1].mean(), confidence=confidence
    )
    held = Ways(codes={}, fixed={each: count for each, count in ways.fixed.items() if each != measured.clusters[0]})
    return Clustered(
        low=welch.low,
        high=welch.high,
        clusters={measured.clusters[0]: sum(side.size for side in means)},
        method=WELCH + held.held_fixed,
        p=welch.p,
        reason=None if welch.low is not None else ONE_NAME if min(side.size for side in means) < 2 else welch.reason,
    )


def _permuted(
    units: Units,
    measure: Contrast,
    where: Mapping[str, str],
    measured: MeasureSet,
    found: Difference,
    *,
    seed: int,
    permutations: int,
) -> float | None:
    """Return the p of the difference under labels shuffled over the names that share their other groups.

    What is compared are means of scores less the mean of their set, alike for the labels as they are and as shuffled.
    """
    ((column, level),) = measure.focal.items()
    ((_, other),) = measure.reference.items()
    rest = {key: value for key, value in where.items() if key != column}
    within = units.where(rest)
    carrier, rows = units.combined([measured.clusters[0], *measured.groups])
    own = rows[:, 1 + measured.groups.index(column)].astype(np.int16)
    labels = shuffled_labels(rows[:, 1:], measured.groups, column, permutations=permutations, seed=(seed, 2))
    labels = np.concatenate([own[None, :], labels])  # the first row is what was observed
    score = units.score[within]
    if found.paired:
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
    """Return scores less the mean of their set."""
    codes = np.unique(sets, return_inverse=True)[1]
    return np.asarray(score - (np.bincount(codes, weights=score) / np.bincount(codes))[codes])
