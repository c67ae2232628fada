"""People who come in clusters: what each cluster has of a group, and two groups compared by clusters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.stats import ClusteredRatio, clustered_rate, clustered_ratio, multiway_variance

__all__ = ["Clustering", "Clusters", "Rate", "clusters_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Clustering:
    """Counts and scores as `measure_impact` takes them, apart by cluster, and what the columns of clusters are called.

    The codes of the clusters stand in `cluster_0`, `cluster_1`.
    """

    names: tuple[str, ...]
    counts: pl.DataFrame
    scores: pl.DataFrame | None = None

    @property
    def columns(self) -> list[str]:
        """Return the columns of codes."""
        return [f"cluster_{place}" for place in range(len(self.names))]


#: Of a comparison whose people are in no cluster that is known.
_UNKNOWN = "There is no bottom line by clusters; with --unit COLUMN people are followed from stage to stage."
NO_CLUSTERS = replace(clustered_ratio([], [], [], [], [[]]), reason=_UNKNOWN, ratio_reason=_UNKNOWN)


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A group's rate with the interval of its clusters."""

    low: float | None
    high: float | None
    clusters: dict[str, int]
    method: str
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """What clusters hold: an entry per cell, group and cluster, sorted by cell.

    `n` are the people, `total` is the sum of their values: selected ones, or scores. `codes` has the cluster of each
    entry for each of `names`.
    """

    names: tuple[str, ...]
    cell: Ints
    group: Ints
    n: Floats
    total: Floats
    codes: tuple[Ints, ...]

    def compared(
        self, cells: Iterable[int], focal: Iterable[int], reference: Iterable[int], *, confidence: float = 0.95
    ) -> list[ClusteredRatio]:
        """Return, for each cell, focal against reference group."""
        found = []
        for cell, first, second in zip(cells, focal, reference, strict=True):
            own = self._of(cell)
            of_both = np.isin(self.group[own], (first, second))
            is_focal = self.group[own][of_both] == first
            n, total = self.n[own][of_both], self.total[own][of_both]
            codes = [each[own][of_both] for each in self.codes]
            if not n.size:
                found.append(NO_CLUSTERS)
                continue
            sums = total * is_focal, n * is_focal, total * ~is_focal, n * ~is_focal
            found.append(clustered_ratio(*sums, codes, confidence=confidence))
        return found

    @staticmethod
    def p(found: ClusteredRatio) -> float | None:
        """Return the p of the ratio, of the difference where there is no ratio of means."""
        return found.p if found.p is not None else found.difference_p

    def rate(self, cell: int, group: int, *, confidence: float = 0.95) -> Rate:
        """Return the interval of a group's selection rate."""
        own = self._of(cell)
        of_group = self.group[own] == group
        n, total = self.n[own][of_group], self.total[own][of_group]
        if not n.sum():
            return Rate(low=None, high=None, clusters={}, method="none", reason=_UNKNOWN)
        rate = float(total.sum() / n.sum())
        influence, codes = (total - rate * n) / n.sum(), [each[own][of_group] for each in self.codes]
        variance = multiway_variance(influence, codes)
        largest = max(float(np.abs(np.bincount(each, influence)).max()) for each in codes)
        spread = np.nan if variance.variance is None else variance.variance
        found = clustered_rate(rate, spread, min(variance.clusters), largest=largest, confidence=confidence)
        return Rate(
            low=found.low,
            high=found.high,
            clusters=dict(zip(self.names, variance.clusters, strict=True)),
            method=f"{found.method}, cluster-robust {self.ways}",
            reason=variance.reason or found.reason,
        )

    @property
    def ways(self) -> str:
        """Return the columns of the clusters as methods name them."""
        return " × ".join(self.names)

    def _of(self, cell: int) -> slice:
        start, end = np.searchsorted(self.cell, (cell, cell + 1))
        return slice(int(start), int(end))


def clusters_of(placed: pl.DataFrame, value: str, names: Sequence[str]) -> Clusters:
    """Return the clusters of rows with `cell`, `group`, n, the sum `value` and a column of codes for each name."""
    ordered = placed.sort("cell", "group")
    return Clusters(
        names=tuple(names),
        cell=ordered["cell"].to_numpy().astype(np.int64),
        group=ordered["group"].to_numpy().astype(np.int64),
        n=ordered["n"].to_numpy().astype(np.float64),
        total=ordered[value].to_numpy().astype(np.float64),
        codes=tuple(ordered[f"cluster_{place}"].to_numpy().astype(np.int64) for place in range(len(names))),
    )
