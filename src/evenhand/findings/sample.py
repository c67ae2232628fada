"""The resampled and permuted sums of one table of units, drawn once for all measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.units import Units
from evenhand.stats.bootstrap import bootstrap_moments
from evenhand.stats.moments import row_moments
from evenhand.stats.permutation import label_permutations

__all__ = ["Sample", "draw_sample"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Units that were observed, with bootstrap sums per cell and permuted labels.

    A cell is a combination of `cell_columns`; `cells` has one row of codes per cell and
    `resampled` the moments (resamples, cells, 2 or 5). `carriers` numbers, per unit,
    the cluster that carries the protected attributes (the name).
    """

    units: Units
    cell_columns: tuple[str, ...]
    cells: Ints
    resampled: Floats
    carrier: Ints
    carrier_groups: Ints
    group_columns: tuple[str, ...]
    permutations: int
    seed: int
    shuffled: dict[tuple[str, ...], Floats] = field(default_factory=dict)

    def resampled_moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`, per resample."""
        mask = np.ones(len(self.cells), dtype=bool)
        for column, level in where.items():
            known = self.units.levels[column]
            code = known.index(level) if level in known else -2
            mask &= self.cells[:, self.cell_columns.index(column)] == code
        return np.asarray(self.resampled[:, mask].sum(axis=1))

    def moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`."""
        units = self.units.take(self.units.where(where))
        return np.asarray(row_moments(units.score, units.x).sum(axis=0))

    def carrier_moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`, per carrier."""
        mask = self.units.where(where)
        rows = row_moments(self.units.score[mask], None if self.units.x is None else self.units.x[mask])
        size = len(self.carrier_groups)
        return np.stack([np.bincount(self.carrier[mask], weights=row, minlength=size) for row in rows.T], axis=1)

    def permuted_sums(self, moments: Floats, column: str, level: str, *, within: Sequence[str]) -> Floats:
        """Return the moments of `level` under labels of `column` shuffled within the levels of `within`.

        `moments` has one row per carrier; the result one per permutation. The same
        shuffles serve every slice.
        """
        key = (column, level, *within)
        if key not in self.shuffled:
            code = self.units.levels[column].index(level)
            self.shuffled[key] = (self._permuted_labels(column, within) == code).astype(np.float64)
        return self.shuffled[key] @ moments

    def _permuted_labels(self, column: str, within: Sequence[str]) -> Ints:
        """Return the carriers' codes of `column`, shuffled, (permutations, carriers)."""
        labels = self.carrier_groups[:, self.group_columns.index(column)]
        columns = [self.carrier_groups[:, self.group_columns.index(name)] for name in within]
        strata = np.zeros(len(labels), dtype=np.int64)
        if columns:
            _, strata = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        # Unknown groups are never shuffled into known ones.
        strata = np.where(labels < 0, -1, strata)
        rng = np.random.default_rng([self.seed, 2])
        return label_permutations(labels, strata, permutations=self.permutations, rng=rng)


def draw_sample(
    units: Units,
    *,
    groups: Sequence[str],
    slices: Sequence[str],
    carrier: str,
    resamples: int,
    permutations: int,
    seed: int,
) -> Sample:
    """Return the bootstrap sums of `units`, all of which must be observed."""
    cell_columns = tuple(dict.fromkeys([*groups, *slices]))
    cell, cells = units.combined(cell_columns)
    carriers, rows = units.combined([carrier, *groups])
    rng = np.random.default_rng([seed, 1])
    resampled = bootstrap_moments(
        units.score, units.x, cell=cell, item=units.item, n_cells=len(cells), resamples=resamples, rng=rng
    )
    return Sample(
        units=units,
        cell_columns=cell_columns,
        cells=cells,
        resampled=resampled,
        carrier=carriers,
        carrier_groups=rows[:, 1:],
        group_columns=tuple(groups),
        permutations=permutations,
        seed=seed,
    )
