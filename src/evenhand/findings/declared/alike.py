"""Limits where some answers were all alike: resampling, and clusters, would claim certainty about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.declared.weighted_sums import Term, Terms
from evenhand.findings.units import Units, distinct
from evenhand.stats import combined_interval, rate_difference, selection_rate
from evenhand.stats.clusters.bootstrap import percentile_interval

__all__ = ["Alike", "limits_where_alike"]

ALIKE = "Wilson and percentile limits combined, as some answers were all alike"


@dataclass(frozen=True, kw_only=True)
class Alike:
    """The limits at the confidence asked for and at 90 %, or why there are none."""

    method: str
    wide: tuple[float, float] | None = None
    narrow: tuple[float, float] | None = None
    reason: str | None = None


def limits_where_alike(
    drawn: ResampledUnits,
    found: Terms,
    masks: Sequence[NDArray[np.bool_]],
    constant: Sequence[bool],
    *,
    confidence: float,
) -> Alike | None:
    """Return the limits of a rate some of whose terms are `constant`, None of anything but a rate.

    Such a term gets Wilson's limits on its items. A share in [0, 1] varies no more than
    a yes or no of the same mean, so they are wide enough for scores between the two.
    """
    if found.statistic != "rate":
        return None
    wide, narrow = (
        _combined_limits(drawn, found, masks, constant, confidence=level) for level in (confidence, 2 * confidence - 1)
    )
    if wide is None or narrow is None:
        return Alike(method=ALIKE, reason="Some answers were all alike, and the others are too few to resample.")
    return Alike(method=_alike_method(found.terms, constant), wide=wide, narrow=narrow)


def _alike_method(terms: Sequence[Term], constant: Sequence[bool]) -> str:
    if len(terms) == 1:
        return "Wilson on items"
    if len(terms) == 2 and terms[0].weight == -terms[1].weight:
        return "Newcombe on items, as one group's answers were all alike"
    return ALIKE if not all(constant) else "Wilson limits combined, as all answers were alike"


def _combined_limits(
    drawn: ResampledUnits,
    found: Terms,
    masks: Sequence[NDArray[np.bool_]],
    constant: Sequence[bool],
    *,
    confidence: float,
) -> tuple[float, float] | None:
    chosen = [drawn.units.take(mask) for mask in masks]
    counts = [_whole_successes(units) for units in chosen]
    if len(masks) == 2 and found.terms[0].weight == 1.0 == -found.terms[1].weight and None not in counts:
        (a, n), (c, m) = (count for count in counts if count is not None)
        newcombe = rate_difference(a, n, c, m, confidence=confidence)
        assert newcombe.low is not None
        assert newcombe.high is not None
        return newcombe.low, newcombe.high
    limits = []
    for term, units, alike in zip(found.terms, chosen, constant, strict=True):
        if alike:
            scores = units.score[np.isfinite(units.score)]
            n_items = distinct(units.item[np.isfinite(units.score)])
            wilson = selection_rate(round(float(scores[0]) * n_items), n_items, confidence=confidence)
            limits.append((float(scores[0]), wilson.low, wilson.high))
        else:
            draws = drawn.statistic(drawn.resampled_moments(term.where), "rate")
            interval = percentile_interval(draws, confidence=confidence)
            if interval is None:
                return None
            limits.append((float(drawn.statistic(drawn.moments(term.where), "rate")), *interval))
    low, high = combined_interval(
        [term.weight for term in found.terms], *([float(v) for v in side] for side in zip(*limits, strict=True))
    )
    return low, high


def _whole_successes(units: Units) -> tuple[int, int] | None:
    """Return successes and units where each unit is a yes or no of its own item, else None."""
    total = float(units.score.sum())
    single = distinct(units.item) == len(units) and bool(np.isin(units.score, (0.0, 1.0)).all())
    return (round(total), len(units)) if single else None
