"""Declared measures of one slice, executed: point, intervals, tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.plain import robust_interval
from evenhand.findings.sample import Sample
from evenhand.findings.units import Units
from evenhand.measures import Contrast, Statistic, Summary
from evenhand.stats import rate_difference, selection_rate
from evenhand.stats.bootstrap import percentile_interval
from evenhand.stats.moments import influence, statistic
from evenhand.stats.permutation import permutation_p, sign_flip_p
from evenhand.tables.finding import Alternative, Test

__all__ = ["Estimated", "contrast", "summary"]

Floats = NDArray[np.float64]

BOOTSTRAP = "item bootstrap, percentile"
PERMUTATION = "permutation over names"
SIGN_FLIP = "sign flip of whole pairs"

#: Below this the bootstrap's percentiles are far too close together (Efron and Tibshirani 1993, chapter 13).
FEWEST_ITEMS = 20


@dataclass(frozen=True, kw_only=True)
class Estimated:
    """A measure's value with all its intervals; what a Finding is made of.

    `equivalence` is the 90 % interval that the verdict on equivalence reads.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    equivalence: tuple[float, float] | None = None
    n: int
    clusters: int
    method: str
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...] = ()
    reason: str | None = None


def summary(
    sample: Sample, measure: Summary, where: Mapping[str, str], *, clusters: tuple[str, ...], confidence: float
) -> Estimated:
    """Return one statistic of one group within the slice `where`."""
    chosen = {**where, **measure.group}
    units = sample.units.take(sample.units.where(chosen))
    estimate = _point(sample, measure.statistic, chosen)
    counted: dict[str, Any] = {"n": len(units), "clusters": int(np.unique(units.item).size)}
    if estimate is None:
        return Estimated(estimate=None, method=BOOTSTRAP, reason=_why_not(units, measure.statistic), **counted)
    constant = _constant(units)
    if constant and measure.statistic == "rate":
        wilson = selection_rate(round(float(units.score.sum())), len(units), confidence=confidence)
        return Estimated(estimate=estimate, low=wilson.low, high=wilson.high, method="Wilson on items", **counted)
    if constant:
        reason = f"Every unit had the outcome {units.score[0]:g}; the data can't say how uncertain the line is."
        return Estimated(estimate=estimate, method=BOOTSTRAP, reason=reason, **counted)
    draws = statistic(sample.resampled_moments(chosen), measure.statistic)
    robust = _robust(
        units,
        {"": np.ones(len(units), dtype=bool)},
        measure.statistic,
        estimate,
        clusters=clusters,
        confidence=confidence,
    )
    return _with_interval(estimate, draws, robust, confidence=confidence, counted=counted)


def contrast(
    sample: Sample, measure: Contrast, where: Mapping[str, str], *, clusters: tuple[str, ...], confidence: float
) -> Estimated:
    """Return the difference of one statistic between two groups within the slice `where`."""
    focal, reference = {**where, **measure.focal}, {**where, **measure.reference}
    in_focal, in_reference = sample.units.where(focal), sample.units.where(reference)
    either = in_focal | in_reference
    units = sample.units.take(either)
    sides = {"focal": in_focal[either], "reference": in_reference[either]}
    counted: dict[str, Any] = {"n": len(units), "clusters": int(np.unique(units.item).size)}
    points = [_point(sample, measure.statistic, side) for side in (focal, reference)]
    if points[0] is None or points[1] is None:
        empty = focal if points[0] is None else reference
        reason = _why_not(sample.units.take(sample.units.where(empty)), measure.statistic)
        group = ", ".join((measure.focal if points[0] is None else measure.reference).values())
        return Estimated(estimate=None, method=BOOTSTRAP, reason=f"{group}: {reason}", **counted)
    estimate = points[0] - points[1]
    tests = _tests(sample, measure, where, units, sides, estimate=estimate)
    constant = [_constant(units.take(side)) for side in sides.values()]
    if any(constant):
        return _without_variation(
            units, sides, measure, estimate, both=all(constant), tests=tests, confidence=confidence, counted=counted
        )
    draws = statistic(sample.resampled_moments(focal), measure.statistic)
    draws = draws - statistic(sample.resampled_moments(reference), measure.statistic)
    robust = _robust(units, sides, measure.statistic, estimate, clusters=clusters, confidence=confidence)
    return _with_interval(estimate, draws, robust, tests=tests, confidence=confidence, counted=counted)


def _point(sample: Sample, name: Statistic, where: Mapping[str, str]) -> float | None:
    value = float(statistic(sample.moments(where), name))
    return value if np.isfinite(value) else None


def _constant(units: Units) -> bool:
    """Return whether all units have one and the same score."""
    return bool(units.score.size and np.ptp(units.score) == 0.0)


def _why_not(units: Units, name: Statistic) -> str:
    if not len(units):
        return "No answer was observed."
    if name != "rate" and units.x is not None and np.isnan(units.x).any():
        return "The covariate of the line is unknown for some units."
    return f"A line needs two different values of the covariate; there is one, in {len(units)} units."


def _robust(
    units: Units,
    sides: Mapping[str, NDArray[np.bool_]],
    name: Statistic,
    estimate: float,
    *,
    clusters: tuple[str, ...],
    confidence: float,
) -> tuple[Alternative, tuple[float, float] | None]:
    """Return the interval that lets whole names and occupations vary, and its 90 % twin."""
    psi = np.zeros(len(units))
    for label, side in sides.items():
        x = None if units.x is None else units.x[side]
        psi[side] = influence(units.score[side], x, name) * (-1.0 if label == "reference" else 1.0)
    main = robust_interval(psi, units, estimate, clusters=clusters, confidence=confidence)
    narrow = robust_interval(psi, units, estimate, clusters=clusters, confidence=2 * confidence - 1)
    if narrow.low is None or narrow.high is None:
        return main, None
    return main, (narrow.low, narrow.high)


def _with_interval(
    estimate: float,
    draws: Floats,
    robust: tuple[Alternative, tuple[float, float] | None],
    *,
    tests: tuple[Test, ...] = (),
    confidence: float,
    counted: dict[str, Any],
) -> Estimated:
    alternative, robust_equivalence = robust
    interval = percentile_interval(draws, confidence=confidence)
    reason = _why_not_resampled(draws, counted["clusters"])
    if interval is None or reason is not None:
        return Estimated(
            estimate=estimate, method=BOOTSTRAP, reason=reason, alternatives=(alternative,), tests=tests, **counted
        )
    narrow = percentile_interval(draws, confidence=2 * confidence - 1)
    equivalence = narrow
    if narrow is not None and robust_equivalence is not None:
        equivalence = (min(narrow[0], robust_equivalence[0]), max(narrow[1], robust_equivalence[1]))
    return Estimated(
        estimate=estimate,
        low=interval[0],
        high=interval[1],
        equivalence=equivalence,
        method=BOOTSTRAP,
        alternatives=(alternative,),
        tests=tests,
        **counted,
    )


def _why_not_resampled(draws: Floats, items: int) -> str | None:
    """Return why resampling can't tell the uncertainty, None where it can."""
    if items < FEWEST_ITEMS:
        return f"There are {items} items; resampling tells the uncertainty from {FEWEST_ITEMS} on."
    lacking = int((~np.isfinite(draws)).sum())
    if lacking:
        return f"The slice is too small to resample: {lacking} of {draws.size} resamples lack a group."
    return None


def _without_variation(
    units: Units,
    sides: Mapping[str, NDArray[np.bool_]],
    measure: Contrast,
    estimate: float,
    *,
    both: bool,
    tests: tuple[Test, ...],
    confidence: float,
    counted: dict[str, Any],
) -> Estimated:
    """Return a contrast in which a group's answers were all alike: resampling would claim certainty."""
    if measure.statistic != "rate":
        which = "both groups" if both else "one group"
        reason = f"The answers of {which} were all alike; the data can't say how uncertain the line is."
        return Estimated(estimate=estimate, method=BOOTSTRAP, tests=tests, reason=reason, **counted)
    counts = [(float(units.score[side].sum()), int(side.sum())) for side in sides.values()]
    if any(successes != round(successes) for successes, _ in counts):
        reason = "The answers of one group were all alike; resampling would claim certainty about them."
        return Estimated(estimate=estimate, method=BOOTSTRAP, tests=tests, reason=reason, **counted)
    (focal, n_focal), (reference, n_reference) = counts
    wide = rate_difference(round(focal), n_focal, round(reference), n_reference, confidence=confidence)
    narrow = rate_difference(round(focal), n_focal, round(reference), n_reference, confidence=2 * confidence - 1)
    return Estimated(
        estimate=estimate,
        low=wide.low,
        high=wide.high,
        equivalence=(narrow.low, narrow.high),
        method="Newcombe on items, as one group's answers were all alike",
        tests=tests,
        **counted,
    )


def _tests(
    sample: Sample,
    measure: Contrast,
    where: Mapping[str, str],
    units: Units,
    sides: Mapping[str, NDArray[np.bool_]],
    *,
    estimate: float,
) -> tuple[Test, ...]:
    """Return the permutation over names and, where items are pairs, the sign flip of pairs."""
    ((column, focal),) = measure.focal.items()
    ((_, reference),) = measure.reference.items()
    sums = [sample.permuted_moments(column, level, where) for level in (focal, reference)]
    null = statistic(sums[0], measure.statistic) - statistic(sums[1], measure.statistic)
    tests = [Test(name=PERMUTATION, statistic=estimate, p=permutation_p(estimate, null))]
    pairs = _pair_differences(units, sides)
    if measure.statistic == "rate" and pairs is not None:
        rng = np.random.default_rng([sample.seed, 3])
        p = sign_flip_p(pairs, permutations=sample.permutations, rng=rng)
        tests.append(Test(name=SIGN_FLIP, statistic=float(pairs.mean()), p=p))
    return tuple(tests)


def _pair_differences(units: Units, sides: Mapping[str, NDArray[np.bool_]]) -> Floats | None:
    """Return focal − reference per item that holds one of each; None without such items."""
    focal, reference = (np.flatnonzero(side) for side in sides.values())
    items, at_focal, at_reference = np.intersect1d(units.item[focal], units.item[reference], return_indices=True)
    if not items.size:
        return None
    return np.asarray(units.score[focal[at_focal]] - units.score[reference[at_reference]])
