"""Success rates by the covariate, in bins: what the regression lines summarise."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from evenhand.findings.declared.closed_form import rate_interval_of
from evenhand.findings.units import Units
from evenhand.measures import MeasureSet, Summary
from evenhand.tables.details import Bin
from evenhand.tables.finding import Finding

__all__ = ["bin_findings"]

BINS = 10


def bin_findings(units: Units, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the rate of each group that has a line, per tenth of the covariate's [0, 1]."""
    if measured.against is None or units.x is None:
        return
    place = np.minimum((units.x * BINS).astype(np.int64), BINS - 1)
    groups = [
        measure.group for measure in measured.measures if isinstance(measure, Summary) and measure.statistic == "slope"
    ]
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        for group in groups:
            chosen = units.take((place == number) & units.where(group))
            if not len(chosen) or chosen.x is None:
                continue
            found: dict[str, Any] = dict(rate_interval_of(chosen, confidence=confidence, clusters=measured.clusters))
            yield Finding(
                name=f"{measured.against}_{low:.1f}_{'_'.join(group.values())}_{measured.rate}",
                measure=measured.rate,
                slice={measured.against: f"{low:.1f} to {high:.1f}"},
                focal=dict(group),
                role="descriptive",
                confidence=confidence,
                details=Bin(low=low, high=high, mean=float(chosen.x.mean())),
                **found,
            )
