"""What a difference of scores is held against: the spread of scores, of wordings and of repetitions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.declared.estimates import Estimated
from evenhand.findings.declared.instructions import between_levels
from evenhand.findings.declared.measures import finding_of
from evenhand.findings.measure import everyone_of
from evenhand.findings.scores.differences import Difference, difference_limits, difference_of, group_mean
from evenhand.findings.units import Units, distinct
from evenhand.measures import Contrast, MeasureSet, Summary
from evenhand.stats import jackknife_variance
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import INTERACTION, REPETITION_SD, STANDARDIZED, VARIANCE

__all__ = ["spread_findings"]


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
    yield _between_repetitions(outcomes, measured, confidence=confidence)


def _standardized(units: Units, contrast: Contrast, measured: MeasureSet, *, confidence: float) -> Finding:
    """Return the difference over the standard deviation of scores within the two groups (Cohen's d)."""
    found = difference_of(units, contrast, {}, measured)
    sides = [units.score[units.where(group)] for group in (contrast.focal, contrast.reference)]
    n = sum(side.size for side in sides)
    name = f"{STANDARDIZED}{contrast.name}"
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
    if found.estimate is None or n < 3 or not squares > 0:
        return Finding(estimate=None, reason="There is no difference of scores that vary.", **common)
    spread = (squares / (n - 2)) ** 0.5
    _, (limits,) = difference_limits([(1.0, found)], found.estimate, measured, levels=(confidence,))
    return Finding(
        estimate=found.estimate / spread,
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
    name = f"{column}{INTERACTION}_{contrast.name}"
    common: dict[str, Any] = {
        "n": sum(len(side.units) for side in sides),
        "clusters": {"item": sum(distinct(side.units.item) for side in sides)},
    }
    if sides[0].estimate is None or sides[1].estimate is None:
        reason = f"There is no difference among {best} or among {least} résumés."
        found = Estimated(estimate=None, method="none", reason=reason, **common)
    else:
        estimate = sides[0].estimate - sides[1].estimate
        parts = list(zip((1.0, -1.0), sides, strict=True))
        _, (limits,) = difference_limits(parts, estimate, measured, levels=(confidence,))
        found = Estimated(
            estimate=estimate,
            low=limits.low,
            high=limits.high,
            method=f"{limits.method}; {best} less {least}",
            reason=limits.reason,
            n=common["n"],
            clusters=limits.clusters or common["clusters"],
        )
    yield finding_of(replace(contrast, name=name), found, measured, {}, confidence=confidence)


def _between_wordings(
    units: Units, contrast: Contrast, measured: MeasureSet, *, confidence: float
) -> Iterator[Finding]:
    """Yield the variance of the difference between wordings of the prompt, their sampling error taken off."""
    column = measured.instruction
    if column is None:
        return
    levels = units.levels[column]
    found = {level: difference_of(units, contrast, {column: level}, measured) for level in levels}
    known = {level: each for level, each in found.items() if each.estimate is not None}
    errors = [_squared_error(each, measured) for each in known.values()]
    name = f"{column}{VARIANCE}{contrast.name}"
    common: dict[str, Any] = {
        "name": name,
        "measure": name,
        "role": "descriptive",
        "confidence": confidence,
        "measured_in": "points squared",
        "n": len(units),
        "clusters": {column: len(levels)},
        "method": "Paule–Mandel, Q-profile interval",
    }
    if len(known) < 2 or not all(error > 0 for error in errors):
        yield Finding(estimate=None, reason="It takes two wordings whose scores vary.", **common)
        return
    yield between_levels(
        [each.estimate for each in known.values() if each.estimate is not None], errors, common, confidence=confidence
    )


def _squared_error(found: Difference, measured: MeasureSet) -> float:
    """Return the variance of a difference over résumés; the names are the same in every wording."""
    codes = np.unique(found.units.codes[measured.clusters[-1]], return_inverse=True)[1]
    variance = jackknife_variance(found.left_out([(codes, int(codes.max()) + 1)])).variance
    return 0.0 if variance is None else float(variance)


def _between_repetitions(outcomes: pl.LazyFrame, measured: MeasureSet, *, confidence: float) -> Finding:
    """Return the standard deviation of scores that the same prompt got."""
    repeated = (
        outcomes.filter(pl.col("status") == "observed")
        .group_by("item", "unit", maintain_order=True)
        .agg(pl.all().exclude("item", "unit", "score").first(), pl.col("score").var(), pl.len().alias("times"))
        .filter(pl.col("times") > 1)
        .drop("times")
    )
    common: dict[str, Any] = {
        "name": REPETITION_SD,
        "measure": REPETITION_SD,
        "role": "descriptive",
        "confidence": confidence,
        "measured_in": "points",
    }
    if not repeated.select(pl.len()).collect().item():
        reason = "No prompt was answered twice. Ask with --repetitions to see how much a score varies by itself."
        return Finding(estimate=None, n=0, clusters={}, method="none", reason=reason, **common)
    units = everyone_of(repeated, measured).measured()
    variance = Summary(name=REPETITION_SD, statistic="rate", measured_in="points")
    found = group_mean(units, variance, {}, measured, confidence=confidence)
    assert found.estimate is not None
    return Finding(
        estimate=found.estimate**0.5,
        low=None if found.low is None else max(found.low, 0.0) ** 0.5,
        high=None if found.high is None else max(found.high, 0.0) ** 0.5,
        n=found.n,
        clusters=found.clusters,
        method=f"{found.method}, of the variance",
        reason=found.reason,
        **common,
    )
