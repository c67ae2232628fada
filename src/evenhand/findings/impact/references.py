"""Whom each group is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.impact.cells import GroupCells
from evenhand.tables.messages.quoting import listed, shortened

__all__ = [
    "FLOOR_PEOPLE",
    "HIGHEST",
    "LARGEST",
    "REFERENCE_FLOOR",
    "References",
    "candidates",
    "compared_with",
    "eligible_groups",
    "reference_groups",
]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

HIGHEST, LARGEST = "highest", "largest"
#: A group below this share of the applicants, or of fewer people, is no reference: its rate is noise.
REFERENCE_FLOOR, FLOOR_PEOPLE = 0.02, 30


@dataclass(frozen=True, kw_only=True)
class References:
    """A rule for all attributes, groups named for single attributes, and how small a reference may be.

    `floor` is a share of the applicants; 0 lets any group be the reference, of however few people.
    """

    rule: str = HIGHEST
    floor: float = REFERENCE_FLOOR
    named: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def by_highest(self, cells: GroupCells) -> bool:
        """Return whether groups are compared with the highest rate, which is known from the data only."""
        return self.rule == HIGHEST and self.group(cells) is None

    def group(self, cells: GroupCells) -> int | None:
        """Return the column of the group that was named for these attributes, None where the rule decides.

        An intersection is compared with a named group when each of its attributes has one.

        Raises
        ------
        InputError
            The group that was named does not occur.

        """
        if not all(name in self.named for name in cells.attributes):
            return None
        wanted = tuple(self.named[name] for name in cells.attributes)
        folded = [tuple(" ".join(part.split()).casefold() for part in group) for group in cells.groups]
        key = tuple(" ".join(part.split()).casefold() for part in wanted)
        if key not in folded:
            if len(cells.attributes) > 1:
                return None
            known = listed(cells.labels) or "none"
            label = shortened(f"{cells.name}={wanted[0]}")
            raise InputError(
                f"--reference {label}: no group of {shortened(cells.name)} is called that; there are {known}."
            )
        return folded.index(key)


def eligible_groups(cells: GroupCells, *, min_share: float) -> Flags:
    """Return which groups have the share of the applicants that --min-share asks for."""
    if not min_share or not cells.keys.height:
        return np.ones(len(cells.groups), dtype=np.bool_)
    people = cells.n[cells.whole].max(axis=0)
    return np.asarray(people >= min_share * people.sum())


def candidates(cells: GroupCells, references: References, eligible: Flags) -> Flags:
    """Return which groups may be the reference of each cell, shape (cells, groups).

    A named group always is. Others need the floor's share and people among all applicants of the cell's approach,
    cut-off and stage, never in a position. In a cell where none of them has anyone, all groups may be.
    """
    shape = cells.n.shape
    named = references.group(cells)
    if named is not None:
        return np.broadcast_to(np.arange(shape[1]) == named, shape)
    present = (cells.n > 0) & eligible
    if not references.floor or not cells.whole.any():
        return np.asarray(present)
    people = cells.n[cells.whole_of]
    large = (people >= references.floor * people.sum(axis=1, keepdims=True)) & (people >= FLOOR_PEOPLE)
    kept = present & large
    return np.asarray(np.where(kept.any(axis=1, keepdims=True), kept, present))


def compared_with(cells: GroupCells, references: References, eligible: Flags) -> Flags:
    """Return which groups the others would be compared with, were the selections permuted: shape (cells, groups).

    By size or by name it is one group whatever the rates are; by rate any that may be the reference.
    """
    if references.by_highest(cells):
        return candidates(cells, references, eligible)
    return np.asarray(np.arange(len(cells.groups)) == reference_groups(cells, references, eligible)[:, None])


def reference_groups(cells: GroupCells, references: References, eligible: Flags) -> Ints:
    """Return the column of each cell's reference group, -1 where no group has anyone.

    Ties for the highest rate go to the larger group, ties for the largest to the label.
    """
    named = references.group(cells)
    if named is not None:
        return np.full(cells.keys.height, named, dtype=np.int64)
    if not cells.groups:
        return np.full(cells.keys.height, -1, dtype=np.int64)
    present = candidates(cells, references, eligible)
    rate = np.where(present, cells.rates, -np.inf)
    size = np.where(present, cells.n, -1)
    order = np.broadcast_to(np.arange(len(cells.groups)), cells.n.shape)  # groups are sorted by label
    keys = (order, -size, -rate) if references.rule == HIGHEST else (order, -size)
    first = np.lexsort(keys, axis=1)[:, 0]
    return np.asarray(np.where(present.any(axis=1), first, -1), dtype=np.int64)
