"""Decisions counted per name and slice, and the same with the groups permuted over the names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.units import bare
from evenhand.measures import MeasureSet
from evenhand.stats import label_permutations
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["Decisions", "Group", "Permuted", "decisions_of", "permuted_rates"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Group = dict[str, str]

#: Up to so many cells, sums are looked up by number instead of being sorted.
DENSE = 4_000_000


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counts of observed decisions, an entry per name and level of the population's column.

    `carrier` numbers the names (a name in two groups is two), `second` the levels.
    """

    carrier: Ints
    second: Ints
    n: Floats
    accepted: Floats

    def within(self, mask: Mask) -> "Cells":
        """Return the entries of a mask."""
        return Cells(carrier=self.carrier[mask], second=self.second[mask], n=self.n[mask], accepted=self.accepted[mask])


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The cells of all decisions (`whole`), and per column those of each level (`parts`).

    `levels` are those of the slice columns; `names` and `group` say, per carrier, the
    name and which of `groups` it belongs to; `second` names the population's column.
    """

    whole: Cells
    parts: Mapping[str, tuple[Cells, ...]]
    levels: Mapping[str, tuple[str, ...]]
    groups: tuple[Group, ...]
    group: Ints
    names: tuple[str, ...] = ()
    second: str = ""

    @cached_property
    def slices(self) -> tuple[dict[str, str], ...]:
        """Everything, then each level of each column."""
        return ({}, *({column: level} for column, levels in self.levels.items() for level in levels))

    @cached_property
    def cells(self) -> tuple[Cells, ...]:
        """The cells of each slice."""
        return (self.whole, *(part for column in self.levels for part in self.parts[column]))

    @cached_property
    def by_carrier(self) -> tuple[Floats, Floats]:
        """Decisions and acceptances per name and slice, each (names, slices)."""
        size = self.group.size
        n = [np.bincount(cells.carrier, weights=cells.n, minlength=size) for cells in self.cells]
        accepted = [np.bincount(cells.carrier, weights=cells.accepted, minlength=size) for cells in self.cells]
        return np.stack(n, axis=1).astype(np.float64), np.stack(accepted, axis=1).astype(np.float64)

    def by_group(self) -> tuple[Floats, Floats]:
        """Return decisions and acceptances per group and slice, each (groups, slices)."""
        member = (self.group[None, :] == np.arange(len(self.groups))[:, None]).astype(np.float64)
        n, accepted = self.by_carrier
        return member @ n, member @ accepted


def decisions_of(outcomes: pl.LazyFrame, measured: MeasureSet) -> Decisions:
    """Return the observed decisions about people whose groups are known, counted.

    Raises
    ------
    InputError
        A declared column is missing.

    """
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    columns = measured.slice_columns()
    carried, second = measured.clusters[0], measured.population or ""
    wanted = tuple(dict.fromkeys((carried, *measured.groups, *columns, second)))
    for name in wanted:
        if name not in full:
            message = f"No column {quoted(name)} in the outcomes. Columns: {listed(full)}."
            raise InputError(message)
    observed = pl.col("status") == "observed"
    frame = (
        outcomes.filter(pl.all_horizontal(pl.col(full[name]).is_not_null() for name in measured.groups))
        .select(
            pl.when(observed).then("trials").otherwise(0).fill_null(0).alias("n"),
            pl.when(observed).then("successes").otherwise(0).fill_null(0).alias("accepted"),
            *(pl.col(full[name]).cast(pl.String).cast(pl.Categorical).alias(name) for name in wanted),
        )
        .collect()
    )
    coded = {name: _coded(frame[name], measured.order.get(name, ())) for name in wanted}
    # A group or level that was asked for and never answered is a row without a value; its names are none.
    decided = (frame["n"] > 0).to_numpy()
    codes = {name: code[decided] for name, (code, _) in coded.items()}
    member, groups = _combinations([coded[name] for name in measured.groups], measured.groups)
    name_and_group = codes[carried] * max(len(groups), 1) + member[decided]
    _, first, carrier = np.unique(name_and_group, return_index=True, return_inverse=True)
    n, accepted = (frame[name].filter(pl.Series(decided)).to_numpy().astype(np.float64) for name in ("n", "accepted"))
    shape = (first.size, len(coded[second][1]) + 1)
    whole = _summed(carrier, codes[second], n, accepted, shape=shape)[0]
    levels = {name: coded[name][1] for name in columns}
    parts = {}
    for name, known in levels.items():
        if name == second:
            parts[name] = tuple(whole.within(whole.second == level) for level in range(len(known)))
        else:
            parts[name] = _summed(
                carrier, codes[second], n, accepted, shape=shape, level=codes[name], levels=len(known)
            )
    known_names = coded[carried][1]
    names_of = tuple(known_names[code] if code >= 0 else "" for code in codes[carried][first].tolist())
    return Decisions(
        whole=whole,
        parts=parts,
        levels=levels,
        groups=groups,
        group=member[decided][first],
        names=names_of,
        second=second,
    )


def _summed(
    carrier: Ints,
    second: Ints,
    n: Floats,
    accepted: Floats,
    *,
    shape: tuple[int, int],
    level: Ints | None = None,
    levels: int = 1,
) -> tuple[Cells, ...]:
    """Return the sums per name and level of the population's column, apart for each `level`; −1 is left out."""
    part = np.zeros(carrier.size, dtype=np.int64) if level is None else level
    # An unknown level of the population's column is a cell of its own, number −1.
    key = (part * shape[0] + carrier) * shape[1] + second + 1
    if level is not None and (level < 0).any():
        inside = level >= 0
        key, n, accepted = key[inside], n[inside], accepted[inside]
    span = levels * shape[0] * shape[1]
    if span <= max(DENSE, 4 * key.size):
        sums = [np.bincount(key, weights=values, minlength=span) for values in (n, accepted)]
        present = np.flatnonzero(sums[0])
        sums = [values[present] for values in sums]
    else:
        present, place = np.unique(key, return_inverse=True)
        sums = [np.bincount(place, weights=values) for values in (n, accepted)]
    rest, column = np.divmod(present, shape[1])
    part, name = np.divmod(rest, shape[0])
    whole = Cells(carrier=name, second=column - 1, n=sums[0].astype(np.float64), accepted=sums[1].astype(np.float64))
    return tuple(whole.within(part == number) for number in range(levels))


def _coded(column: pl.Series, order: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Return the code of each row, −1 where it is null, and the levels, those of `order` first."""
    present = set(column.unique().drop_nulls().cast(pl.String).to_list())
    first = [level for level in order if level in present]
    levels = (*first, *sorted(present.difference(first)))
    return column.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy(), levels


def _combinations(
    coded: Sequence[tuple[Ints, tuple[str, ...]]], columns: Sequence[str]
) -> tuple[Ints, tuple[Group, ...]]:
    """Return which combination of groups each row has, and the combinations that occur."""
    code = np.zeros(coded[0][0].size, dtype=np.int64)
    for own, levels in coded:
        code = code * max(len(levels), 1) + own
    present, member = np.unique(code, return_inverse=True)
    groups = []
    for value in present:
        group, rest = {}, int(value)
        for name, (_, levels) in zip(reversed(columns), reversed(coded), strict=True):
            rest, place = divmod(rest, len(levels))
            group[name] = levels[place]
        groups.append({name: group[name] for name in columns})
    return member, tuple(groups)


@dataclass(frozen=True, kw_only=True)
class Permuted:
    """Each group's rate less the population's, as observed and with groups permuted over the names.

    `difference` has shape (groups, 1 + permutations, slices), the first row observed;
    NaN where a group has no decision in a slice. `spread` is highest less lowest rate.
    """

    difference: Floats
    spread: Floats


def permuted_rates(decisions: Decisions, *, permutations: int, rng: np.random.Generator) -> Permuted:
    """Shuffle the groups over the names; all slices share the shuffles."""
    n, accepted = decisions.by_carrier
    own = decisions.group
    shuffled = label_permutations(own, np.zeros(own.size, dtype=np.int64), permutations=permutations, rng=rng)
    labels = np.concatenate([own[None, :], shuffled])
    both = np.concatenate([n, accepted], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        population = accepted.sum(axis=0) / n.sum(axis=0)
        rates = []
        for number in range(len(decisions.groups)):
            sums = (labels == number).astype(np.float64) @ both
            rates.append(sums[:, n.shape[1] :] / sums[:, : n.shape[1]])
    stacked = np.stack(rates)
    return Permuted(difference=stacked - population, spread=stacked.max(axis=0) - stacked.min(axis=0))
