"""The resampled and permuted sums of one table of units, drawn once for all measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.findings.rankings.choices import MIRRORS, Ballots
from evenhand.findings.units import Units
from evenhand.measures import MeasureSet
from evenhand.stats.clusters.bootstrap import bootstrap_moments
from evenhand.stats.clusters.moments import Statistic, row_moments, statistic
from evenhand.stats.clusters.permutation import label_permutations

__all__ = ["ResampledUnits", "resampled_units", "shuffled_labels"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ResampledUnits:
    """Units that were observed, with bootstrap sums per cell and permuted labels.

    A cell is a combination of `cell_columns`; `cell` numbers it per unit, `cells` has one
    row of codes per cell, `values` the moments of each unit, `totals` their sums per cell
    (cells, 2 or 5), and `resampled` those per resample (cells, resamples, 2 or 5). Of
    choices, `chances` sums per cell what each item would score by chance. A
    carrier is the cluster that carries the protected attributes (the name):
    `carrier_groups` holds its groups, `carried` its part of the moments in each cell, and
    `base` what the cells have whatever the labels.
    """

    units: Units
    values: Floats
    totals: Floats
    smoothing: float
    cell_columns: tuple[str, ...]
    cell: Ints
    cells: Ints
    resampled: Floats
    carrier: Ints
    carrier_groups: Ints
    carrier_levels: Mapping[str, tuple[str, ...]]
    group_columns: tuple[str, ...]
    carried: Floats
    base: Floats
    permutations: int
    seed: int
    ballots: Ballots | None = None
    chances: Floats | None = None
    permuted: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    sets: dict[tuple[tuple[str, str], ...], Ints] = field(default_factory=dict)
    known: dict[tuple[Statistic, tuple[tuple[str, str], ...]], float] = field(default_factory=dict)

    def statistic(self, moments: Floats, name: Statistic) -> Floats:
        """Return a statistic of moments, with the sample's smoothing."""
        return statistic(moments, name, smoothing=self.smoothing)

    def resampled_moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`, per resample."""
        return _added(self.resampled, self._cells_with(where))

    def _cells_with(self, where: Mapping[str, str]) -> Ints:
        """Return the numbers of the cells with `where`, which are looked for once."""
        key = tuple(where.items())
        if key not in self.sets:
            mask = np.ones(len(self.cells), dtype=bool)
            for column, level in key:
                known = self.units.levels[column]
                code = known.index(level) if level in known else -2
                mask &= self.cells[:, self.cell_columns.index(column)] == code
            self.sets[key] = np.flatnonzero(mask)
        return self.sets[key]

    def moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`."""
        return np.asarray(self.totals[self._cells_with(where)].sum(axis=0))

    def value(self, where: Mapping[str, str], name: Statistic) -> float:
        """Return a statistic of the units with `where`, which is computed once."""
        key = (name, tuple(where.items()))
        if key not in self.known:
            self.known[key] = float(self.statistic(self.moments(where), name))
        return self.known[key]

    def chance(self, where: Mapping[str, str]) -> float | None:
        """Return the mean score that chance would give the items with `where`: the focal share of candidates.

        None where there is no item, and where nothing is chosen.
        """
        if self.chances is None:
            return None
        cells = self._cells_with(where)
        n = float(self.totals[cells, 0].sum())
        return float(self.chances[cells].sum()) / n if n else None

    def carrier_rates(self) -> tuple[Floats, Floats]:
        """Return how many units each carrier has, and the sum of their scores."""
        size = len(self.carrier_groups)
        n = np.bincount(self.carrier, minlength=size)
        total = np.bincount(self.carrier, weights=self.units.score, minlength=size)
        return np.asarray(n, dtype=np.float64), np.asarray(total, dtype=np.float64)

    def permuted_moments(self, column: str, level: str, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where` whose carrier is labelled `level`.

        The first row is the labels as they are, then one row per permutation.
        The labels of `column` are shuffled among the carriers that share their other
        groups. The same shuffles serve every slice, so they are summed per cell once.
        """
        key = (column, level)
        if key not in self.permuted:
            labels = shuffled_labels(
                self.carrier_groups, self.group_columns, column, permutations=self.permutations, seed=(self.seed, 2)
            )
            own = self.carrier_groups[:, self.group_columns.index(column)].astype(np.int16)
            labels = np.concatenate([own[None, :], labels])  # the first row is what was observed
            labelled = (labels == self.carrier_levels[column].index(level)).astype(np.float64)
            sums = labelled @ self.carried.reshape(len(self.carrier_groups), -1)
            self.permuted[key] = _by_cell(sums.reshape(len(labels), len(self.cells), -1) + self.base)
        return _added(self.permuted[key], self._cells_with(where))


def _added(blocks: Floats, numbers: Ints) -> Floats:
    """Return the sum of some of the blocks, one added to the next: a copy of all of them would take longer."""
    total = np.zeros(blocks.shape[1:])
    for number in numbers:
        total += blocks[number]
    return total


def _by_cell(sums: Floats) -> Floats:
    """Return (draws, cells, moments) as (cells, draws, moments): a slice then adds up whole blocks."""
    return np.ascontiguousarray(np.swapaxes(sums, 0, 1))


def shuffled_labels(
    groups: Ints, columns: Sequence[str], column: str, *, permutations: int, seed: tuple[int, int]
) -> NDArray[np.int16]:
    """Return the carriers' codes of `column`, shuffled within their other groups.

    `groups` has one row per carrier and one column per name in `columns`; the result
    one row per permutation. Unknown groups are never shuffled into known ones.
    Several findings about the same carriers share their shuffles.
    """
    return _shuffled(groups.tobytes(), groups.shape, list(columns).index(column), permutations, seed)


@lru_cache(maxsize=4)
def _shuffled(
    packed: bytes, shape: tuple[int, ...], place: int, permutations: int, seed: tuple[int, int]
) -> NDArray[np.int16]:
    groups = np.frombuffer(packed, dtype=np.int64).reshape(shape)
    labels = groups[:, place]
    others = np.delete(groups, place, axis=1)
    strata = np.zeros(len(labels), dtype=np.int64)
    if others.shape[1]:
        _, strata = np.unique(others, axis=0, return_inverse=True)
    strata = np.where(labels < 0, -1, strata)
    return label_permutations(labels, strata, permutations=permutations, rng=np.random.default_rng(seed))


def resampled_units(
    units: Units,
    measured: MeasureSet,
    *,
    resamples: int,
    permutations: int,
    seed: int,
    ballots: Ballots | None = None,
) -> ResampledUnits:
    """Return the bootstrap sums of `units`, all of which must be observed.

    With `ballots` the units are items of choices: the groups belong to the candidates,
    and a permutation shuffles the groups of the names.
    """
    pooled = measured.pool == "trials"
    values = row_moments(units.successes if pooled else units.score, units.x, trials=units.trials if pooled else None)
    wanted = tuple(dict.fromkeys([*measured.groups, *measured.slice_columns(), MIRRORS]))
    cell_columns = tuple(name for name in wanted if name in units.codes)
    cell, cells = units.combined(cell_columns)
    rng = np.random.default_rng([seed, 1])
    resampled = bootstrap_moments(values, cell=cell, item=units.item, n_cells=len(cells), resamples=resamples, rng=rng)
    if ballots is None:
        carriers = _carriers(units, measured, values, cell, cells)
    else:
        carriers = _names_on_ballots(units, ballots, measured, cell, cells)
    return ResampledUnits(
        units=units,
        values=values,
        totals=_summed(cell, values, len(cells)),
        smoothing=measured.smoothing,
        cell_columns=cell_columns,
        cell=cell,
        cells=cells,
        resampled=_by_cell(resampled),
        permutations=permutations,
        seed=seed,
        ballots=ballots,
        **carriers,
    )


def _carriers(units: Units, measured: MeasureSet, values: Floats, cell: Ints, cells: Ints) -> dict[str, Any]:
    """Return the carriers of units that belong to one name each: their own moments per cell."""
    carrier, rows = units.combined([measured.clusters[0], *measured.groups])
    return {
        "carrier": carrier,
        "carrier_groups": rows[:, 1:],
        "carrier_levels": units.levels,
        "group_columns": measured.groups,
        "carried": _summed(carrier * len(cells) + cell, values, len(rows) * len(cells)).reshape(
            len(rows), len(cells), -1
        ),
        "base": np.zeros((len(cells), values.shape[1])),
    }


def _names_on_ballots(units: Units, ballots: Ballots, measured: MeasureSet, cell: Ints, cells: Ints) -> dict[str, Any]:
    """Return the names of candidates as carriers of what they won beyond an equal share.

    The focal share of an item's choices is one half plus what its focal candidates won
    beyond their equal shares, where half of the candidates are focal. Under permuted
    labels the sum runs over the candidates with the focal label.
    """
    coded = _as_units(ballots)
    carrier, rows = coded.combined([measured.clusters[0], *measured.groups])
    cell_of_item = np.zeros(len(units.item_labels), dtype=np.int64)
    cell_of_item[units.item] = cell
    share = np.stack([np.zeros(len(carrier)), ballots.residual / ballots.choices], axis=1)
    code = carrier * len(cells) + cell_of_item[ballots.item]
    n = np.bincount(cell, minlength=len(cells)).astype(np.float64)
    return {
        "carrier": carrier,
        "carrier_groups": rows[:, 1:],
        "carrier_levels": ballots.levels,
        "group_columns": measured.groups,
        "carried": _summed(code, share, len(rows) * len(cells)).reshape(len(rows), len(cells), -1),
        "base": np.stack([n, n / 2], axis=1),
        "chances": np.bincount(
            cell_of_item[ballots.item],
            weights=ballots.focal / (ballots.size * ballots.choices),
            minlength=len(cells),
        ),
    }


def _as_units(ballots: Ballots) -> Units:
    """Return the candidates as units, for their codes."""
    size = ballots.item.size
    ones = np.ones(size, dtype=np.int64)
    return Units(
        score=ballots.won,
        successes=ballots.won,
        trials=ones.astype(np.float64),
        x=None,
        item=ballots.item,
        item_labels=pl.Series([], dtype=pl.String),
        number=np.arange(size),
        aspects=1,
        attempts=ones,
        observed=ones,
        codes=ballots.codes,
        levels=ballots.levels,
    )


def _summed(code: Ints, values: Floats, size: int) -> Floats:
    """Return the sums of each column of `values` per code, (size, columns)."""
    return np.stack([np.bincount(code, weights=column, minlength=size) for column in values.T], axis=1)
