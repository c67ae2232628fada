"""How far a feature has moved from a reference table: PSI without its bias, and the largest distance."""

import numpy as np
from numpy.typing import NDArray

from evenhand.stats import kolmogorov_smirnov, stability_index
from evenhand.tables.audit.features.counts import FeatureCounts
from evenhand.tables.audit.features.details import Drifted
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import KS, PSI

__all__ = ["drift_findings"]

#: Bins of about as many rows of the reference table each.
BINS = 10
#: Categories of fewer rows in both tables together are one bin.
FEWEST = 5


def drift_findings(feature: FeatureCounts) -> list[Finding]:
    """Return the index, and of values with an order the largest distance; none without a reference table."""
    if feature.reference is None or feature.compared is None:
        return []
    name = feature.row.feature
    now, before = feature.compared, feature.reference
    bins = _bins(before) if feature.row.numeric else _kept(now, before)
    index = stability_index(*(np.bincount(bins, weights=each) for each in (now, before)))
    found = [
        Finding(
            name=f"{PSI}_{name}",
            measure=PSI,
            slice={"feature": name},
            role="descriptive",
            estimate=index.estimate,
            measured_in="index",
            n=index.n,
            clusters={},
            method=f"{index.bins} bins, bias subtracted",
            tests=() if index.p is None else (Test(name="chi-square of the index", statistic=index.raw, p=index.p),),
            reason=index.reason,
            details=Drifted(
                raw=index.raw,
                bias=index.bias,
                limit=index.limit,
                bins=index.bins,
                n_reference=index.n_reference,
                beyond_chance=_beyond(index.estimate, index.limit),
            ),
        )
    ]
    if feature.row.numeric:
        distance = kolmogorov_smirnov(now, before)
        found.append(
            Finding(
                name=f"{KS}_{name}",
                measure=KS,
                slice={"feature": name},
                role="descriptive",
                estimate=distance.estimate,
                measured_in="share",
                n=distance.n,
                clusters={},
                method="Kolmogorov–Smirnov",
                tests=(Test(name="Kolmogorov–Smirnov", statistic=distance.estimate, p=distance.p),),
                reason=distance.reason,
                details=Drifted(
                    limit=distance.limit,
                    n_reference=distance.n_reference,
                    beyond_chance=_beyond(distance.estimate, distance.limit),
                ),
            )
        )
    return found


def _beyond(estimate: float | None, limit: float | None) -> bool | None:
    return None if estimate is None or limit is None else bool(estimate > limit)


def _bins(reference: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each level: about a tenth of the reference's rows each."""
    total = reference.sum()
    if not total:
        return np.zeros(len(reference), dtype=np.int64)
    middle = (np.cumsum(reference) - reference / 2) / total
    return np.unique(np.minimum((middle * BINS).astype(np.int64), BINS - 1), return_inverse=True)[1]


def _kept(now: NDArray[np.int64], reference: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each category: its own, or one for all rare ones."""
    rare = now + reference < FEWEST
    places = np.cumsum(~rare)
    return np.where(rare, 0, places).astype(np.int64)
