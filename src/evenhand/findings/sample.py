"""The resampled and permuted sums of one table of units, drawn once for all measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.units import Units
from evenhand.stats.bootstrap import bootstrap_moments
from evenhand.stats.moments import row_moments
from evenhand.stats.permutation import label_permutations

__all__ = ["Sample", "draw_sample", "shuffled_labels"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Units that were observed, with bootstrap sums per cell and permuted labels.

    A cell is a combination of `cell_columns`; `cell` numbers it per unit, `cells` has one
    row of codes per cell, and `resampled` the moments (resamples, cells, 2 or 5). `carrier` numbers, per unit,
    the cluster that carries the protected attributes (the name).
    """

    units: Units
    cell_columns: tuple[str, ...]
    cell: Ints
    cells: Ints
    resampled: Floats
    carrier: Ints
    carrier_groups: Ints
    group_columns: tuple[str, ...]
    permutations: int
    seed: int
    permuted: dict[tuple[str, ...], Floats] = field(default_factory=dict)

    def resampled_moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`, per resample."""
        return np.asarray(self.resampled[:, self._cells_with(where)].sum(axis=1))

    def _cells_with(self, where: Mapping[str, str]) -> NDArray[np.bool_]:
        mask = np.ones(len(self.cells), dtype=bool)
        for column, level in where.items():
            known = self.units.levels[column]
            code = known.index(level) if level in known else -2
            mask &= self.cells[:, self.cell_columns.index(column)] == code
        return mask

    def moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`."""
        units = self.units.take(self.units.where(where))
        return np.asarray(row_moments(units.score, units.x).sum(axis=0))

    def carrier_rates(self) -> tuple[Floats, Floats]:
        """Return how many units each carrier has, and the sum of their scores."""
        size = len(self.carrier_groups)
        n = np.bincount(self.carrier, minlength=size)
        total = np.bincount(self.carrier, weights=self.units.score, minlength=size)
        return np.asarray(n, dtype=np.float64), np.asarray(total, dtype=np.float64)

    def permuted_moments(self, column: str, level: str, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where` whose carrier was dealt `level`, per permutation.

        The labels of `column` are shuffled among the carriers that share their other
        groups. The same shuffles serve every slice, so they are summed per cell once.
        """
        key = (column, level)
        if key not in self.permuted:
            rng = np.random.default_rng([self.seed, 2])
            labels = shuffled_labels(
                self.carrier_groups, self.group_columns, column, permutations=self.permutations, rng=rng
            )
            dealt = (labels == self.units.levels[column].index(level)).astype(np.float64)
            sums = dealt @ self._carrier_cell_moments()
            self.permuted[key] = sums.reshape(self.permutations, len(self.cells), -1)
        return np.asarray(self.permuted[key][:, self._cells_with(where)].sum(axis=1))

    def _carrier_cell_moments(self) -> Floats:
        """Return one row per carrier: its moments in each cell, side by side."""
        rows = row_moments(self.units.score, self.units.x)
        code = self.carrier * len(self.cells) + self.cell
        size = len(self.carrier_groups) * len(self.cells)
        sums = np.empty((size, rows.shape[1]))
        for place, column in enumerate(rows.T):
            sums[:, place] = np.bincount(code, weights=column, minlength=size)
        return sums.reshape(len(self.carrier_groups), -1)


def shuffled_labels(
    groups: Ints, columns: Sequence[str], column: str, *, permutations: int, rng: np.random.Generator
) -> NDArray[np.int16]:
    """Return the carriers' codes of `column`, shuffled within their other groups.

    `groups` has one row per carrier and one column per name in `columns`; the result
    one row per permutation. Unknown groups are never shuffled into known ones.
    """
    place = list(columns).index(column)
    labels = groups[:, place]
    others = np.delete(groups, place, axis=1)
    strata = np.zeros(len(labels), dtype=np.int64)
    if others.shape[1]:
        _, strata = np.unique(others, axis=0, return_inverse=True)
    return label_permutations(labels, np.where(labels < 0, -1, strata), permutations=permutations, rng=rng)


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
        cell=cell,
        cells=cells,
        resampled=resampled,
        carrier=carriers,
        carrier_groups=rows[:, 1:],
        group_columns=tuple(groups),
        permutations=permutations,
        seed=seed,
    )
