"""Decisions counted per name and slice, and the same with the names' groups dealt anew."""

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
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["Dealt", "Decisions", "Group", "dealt", "decisions_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Group = dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Counts of decisions, one entry per combination of name, groups and levels.

    `n` and `accepted` count observed decisions. `carrier` numbers the names (a name in
    two groups is two), `group` says which of `groups` a carrier belongs to; `codes` and
    `levels` are those of the slice columns, −1 where a level is not given.
    """

    carrier: Ints
    n: Floats
    accepted: Floats
    codes: Mapping[str, Ints]
    levels: Mapping[str, tuple[str, ...]]
    groups: tuple[Group, ...]
    group: Ints

    @cached_property
    def slices(self) -> tuple[dict[str, str], ...]:
        """Everything, then each level of each column."""
        return ({}, *({column: level} for column, levels in self.levels.items() for level in levels))

    def where(self, levels: Mapping[str, str]) -> Mask:
        """Return which entries have all of `levels`."""
        mask = np.ones(self.n.size, dtype=bool)
        for column, level in levels.items():
            mask &= self.codes[column] == self.levels[column].index(level)
        return mask

    @cached_property
    def by_carrier(self) -> tuple[Floats, Floats]:
        """Decisions and acceptances per name and slice, each (names, slices)."""
        sums = []
        for values in (self.n, self.accepted):
            columns = []
            for levels in self.slices:
                mask = self.where(levels)
                columns.append(
                    np.bincount(self.carrier[mask], weights=values[mask], minlength=self.group.size).astype(np.float64)
                )
            sums.append(np.stack(columns, axis=1))
        return sums[0], sums[1]

    def by_group(self) -> tuple[Floats, Floats]:
        """Return decisions and acceptances per group and slice, each (groups, slices)."""
        member = (self.group[None, :] == np.arange(len(self.groups))[:, None]).astype(np.float64)
        n, accepted = self.by_carrier
        return member @ n, member @ accepted


def decisions_of(outcomes: pl.LazyFrame, declared: MeasureSet) -> Decisions:
    """Return the observed decisions about people whose groups are known, counted.

    Raises
    ------
    InputError
        A declared column is missing.

    """
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    columns = tuple(dict.fromkeys([*declared.slice_columns(), declared.population or ""]))
    wanted = (declared.clusters[0], *declared.groups, *columns)
    for name in wanted:
        if name not in full:
            message = f"No column {name!r} in the outcomes. Columns: {', '.join(full)}."
            raise InputError(message)
    keys = [pl.col(full[name]).cast(pl.String).alias(name) for name in wanted]
    counted = (
        outcomes.with_columns(observed=pl.col("status") == "observed")
        .group_by(keys)
        .agg(
            pl.col("trials").filter(pl.col("observed")).sum().cast(pl.Float64).alias("n"),
            pl.col("successes").filter(pl.col("observed")).sum().cast(pl.Float64),
        )
        .filter(pl.all_horizontal(pl.col(name).is_not_null() for name in declared.groups))
        .sort(wanted)
        .collect()
    )
    # A group or level that was asked for and never answered is a row without a value; its names are none.
    decided = counted["n"].to_numpy() > 0
    codes, levels = {}, {}
    for name in columns:
        code, levels[name] = _coded(counted[name], declared.order.get(name, ()))
        codes[name] = code[decided]
    member, groups = _combinations(counted, declared.groups, declared.order)
    member, counted = member[decided], counted.filter(decided)
    name_code, _ = _coded(counted[declared.clusters[0]], ())
    _, first, carrier = np.unique(name_code * max(len(groups), 1) + member, return_index=True, return_inverse=True)
    return Decisions(
        carrier=carrier,
        n=counted["n"].to_numpy(),
        accepted=counted["successes"].to_numpy(),
        codes=codes,
        levels=levels,
        groups=groups,
        group=member[first],
    )


def _coded(column: pl.Series, order: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    present = set(column.drop_nulls().unique().to_list())
    first = [level for level in order if level in present]
    levels = (*first, *sorted(present.difference(first)))
    codes = column.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    return codes, levels


def _combinations(
    counted: pl.DataFrame, columns: Sequence[str], order: Mapping[str, Sequence[str]]
) -> tuple[Ints, tuple[Group, ...]]:
    """Return which combination of groups each row has, and the combinations that occur."""
    code = np.zeros(counted.height, dtype=np.int64)
    known: list[tuple[str, ...]] = []
    for name in columns:
        own, levels = _coded(counted[name], order.get(name, ()))
        code = code * max(len(levels), 1) + own
        known.append(levels)
    present, member = np.unique(code, return_inverse=True)
    groups = []
    for value in present:
        group, rest = {}, int(value)
        for name, levels in zip(reversed(columns), reversed(known), strict=True):
            rest, place = divmod(rest, len(levels))
            group[name] = levels[place]
        groups.append({name: group[name] for name in columns})
    return member, tuple(groups)


@dataclass(frozen=True, kw_only=True)
class Dealt:
    """Each group's rate less the population's, as observed and with names dealt anew.

    `difference` has shape (groups, 1 + permutations, slices), the first row observed;
    NaN where a group has no decision in a slice. `spread` is highest less lowest rate.
    """

    difference: Floats
    spread: Floats


def dealt(decisions: Decisions, *, permutations: int, rng: np.random.Generator) -> Dealt:
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
    return Dealt(difference=stacked - population, spread=stacked.max(axis=0) - stacked.min(axis=0))
