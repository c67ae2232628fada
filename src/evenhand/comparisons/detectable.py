"""Minimum detectable effects of a planned sample."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pkgutil import resolve_name

import numpy as np
import polars as pl

from evenhand.comparisons.declared import FEWEST_ITEMS, influence_of_rows
from evenhand.comparisons.measure import prepared
from evenhand.comparisons.units import Draw
from evenhand.comparisons.weighted_sums import ResampledUnits
from evenhand.results.finding import keyed
from evenhand.results.measures import AGAINST_POPULATION, Contrast, MeasureSet, Summary
from evenhand.results.schemas import PROTECTED
from evenhand.stats import detectable_difference, multiway_variance

#: The share of successes that is planned for; at one half a rate varies most.
RATE = 0.5
#: Two-sided significance level of all comparisons of a measure together.
LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class DetectableEffect:
    """The minimum detectable effect on a measure: statistical power 80 % at a two-sided 5 % over its comparisons.

    `null_value` is that of the null hypothesis. Without `effect` there is a `reason`.
    """

    effect: float | None
    standard_error: float | None
    measured_in: str = keyed("unit")
    null_value: float
    reason: str | None


def detectable_effects(
    outcomes: pl.LazyFrame, measured: MeasureSet, *, pilot: int, planned: int, repetitions: int = 1
) -> Mapping[str, DetectableEffect]:
    """Return the minimum detectable effect of each headline measure.

    `outcomes` are those of `pilot` simulated answers without bias; the plan has `planned` of them,
    `repetitions` times each. The standard error of a measure is that of its influences summed
    within items, times sqrt(pilot / (planned · repetitions)): items, and answers to one item,
    are taken as independent. Groups against all groups follow from their sizes alone, at a
    rate of one half: SE² = p(1 - p)(1/n - 1/N), n being an equal part of N; their level is adjusted.
    """
    effects = resolve_name(measured.judgement.effects)
    result: Mapping[str, DetectableEffect] = effects(
        outcomes, measured, pilot=pilot, planned=planned, repetitions=repetitions
    )
    return result


def declared_effects(
    outcomes: pl.LazyFrame, measured: MeasureSet, *, pilot: int, planned: int, repetitions: int
) -> Mapping[str, DetectableEffect]:
    """Return the minimum detectable effect of each declared measure of the headline, by simulated answers."""
    drawn = prepared(outcomes, measured, Draw(seed=0, resamples=1, permutations=1))
    result = {}
    for measure in measured.measures:
        if measure.name not in measured.headline or not isinstance(measure, Contrast | Summary):
            continue
        if measure.null_value is None:
            continue
        error = _Error(None, "No simulated answer could be read.") if drawn is None else _error(drawn, measure)
        items = round(error.items * planned / pilot)
        if error.value is not None and items < FEWEST_ITEMS:
            reason = f"There are {items} items; resampling needs {FEWEST_ITEMS} or more."
            error = _Error(None, reason)
        value = None if error.value is None else error.value * sqrt(pilot / (planned * repetitions))
        result[measure.name] = _effect(
            value, measured_in=measure.measured_in, null_value=measure.null_value, reason=error.reason
        )
    return result


@dataclass(frozen=True)
class _Error:
    """A standard error and the items that it rests on, or why there is none."""

    value: float | None
    reason: str | None = None
    items: int = 0


def _error(drawn: ResampledUnits, measure: Contrast | Summary) -> _Error:
    """Return the standard error of a measure, items being independent."""
    try:
        influence = influence_of_rows(drawn, measure)
    except ValueError as missing:
        return _Error(None, str(missing))
    item = np.unique(influence.clusters["item"], return_inverse=True)[1]
    variance = multiway_variance(influence.psi, [item])
    if variance.variance is None:
        return _Error(None, variance.reason)
    return _Error(sqrt(variance.variance), None, variance.clusters[0])


def population_effects(
    outcomes: pl.LazyFrame, measured: MeasureSet, *, planned: int, repetitions: int, **_pilot: int
) -> Mapping[str, DetectableEffect]:
    """Return the minimum detectable difference of a group from all of them, by the sizes of groups alone.

    The study's p is adjusted over the groups, so the level is 5 % divided by their number, as in its findings.
    """
    return {AGAINST_POPULATION: _of_population(outcomes, measured, answers=planned * repetitions)}


def _of_population(outcomes: pl.LazyFrame, measured: MeasureSet, *, answers: int) -> DetectableEffect:
    groups = outcomes.select([f"{PROTECTED}{name}" for name in measured.groups]).drop_nulls().unique().collect().height
    if groups < 2:
        return _effect(None, measured_in="share", null_value=0.0, reason="There is one group only.")
    error = sqrt(RATE * (1 - RATE) * (groups - 1) / answers)
    if answers < FEWEST_ITEMS * groups:
        few = f"There are fewer than {FEWEST_ITEMS} answers to a group."
        return _effect(None, measured_in="share", null_value=0.0, reason=few)
    return _effect(error, measured_in="share", null_value=0.0, reason=None, comparisons=groups)


def _effect(
    error: float | None, *, measured_in: str, null_value: float, reason: str | None, comparisons: int = 1
) -> DetectableEffect:
    if error is None:
        return DetectableEffect(
            effect=None, standard_error=None, measured_in=measured_in, null_value=null_value, reason=reason
        )
    difference = detectable_difference(error, confidence=1 - LEVEL / comparisons)
    return DetectableEffect(
        effect=difference.estimate,
        standard_error=difference.standard_error,
        measured_in=measured_in,
        null_value=null_value,
        reason=difference.reason,
    )
