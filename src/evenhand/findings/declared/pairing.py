"""What the matched design gains: the interval with pairs against the one without."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.measures import Contrast, MeasureSet
from evenhand.stats.clusters.moments import influence
from evenhand.tables.details import Judged
from evenhand.tables.finding import Finding

__all__ = ["with_pairing"]


def with_pairing(finding: Finding, drawn: ResampledUnits, measured: MeasureSet) -> Finding:
    """Return a contrast with the ratio of its standard error to that of unpaired answers.

    Both come from the same answers: once summed by pair, once by single prompt, which
    is what a sample of as many unmatched prompts would have. Below 1, pairing narrowed
    the interval. Other findings, and items that are no pairs, come back as they are.
    """
    measure = next((row for row in measured.measures if row.name == finding.name), None)
    if not isinstance(measure, Contrast) or finding.estimate is None or drawn.units.aspects > 1:
        return finding
    units = drawn.units
    focal, reference = units.where(measure.focal), units.where(measure.reference)
    if not len(units) or not (_has(units.item, focal) & _has(units.item, reference)).any():
        return finding
    psi = np.zeros(len(units))
    for side, sign in ((focal, 1.0), (reference, -1.0)):
        x = None if units.x is None else units.x[side]
        psi[side] = sign * influence(units.score[side], x, measure.statistic)
    paired, single = float((np.bincount(units.item, weights=psi) ** 2).sum()), float((psi**2).sum())
    if not single > 0:
        return finding
    return replace(finding, details=replace(Judged.of(finding), width_ratio_to_unpaired=(paired / single) ** 0.5))


def _has(item: NDArray[np.int64], side: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which items have a unit on this side."""
    return np.asarray(np.bincount(item, weights=side) > 0)
