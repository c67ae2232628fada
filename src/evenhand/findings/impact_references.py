"""Whom each group is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.impact_cells import GroupCells

__all__ = ["HIGHEST", "LARGEST", "References", "eligible_groups", "reference_groups"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

HIGHEST, LARGEST = "highest", "largest"


@dataclass(frozen=True, kw_only=True)
class References:
    """A rule for all attributes, and groups named for single attributes."""

    rule: str = HIGHEST
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
            known = ", ".join(cells.labels) or "none"
            given = f"{cells.name}={wanted[0]}"
            raise InputError(f"--reference {given}: no group of {cells.name} is called that; there are {known}.")
        return folded.index(key)


def eligible_groups(cells: GroupCells, *, min_share: float) -> Flags:
    """Return which groups have the share of the sample that --min-share asks for."""
    if not min_share or not cells.keys.height:
        return np.ones(len(cells.groups), dtype=np.bool_)
    people = cells.n[cells.whole].max(axis=0)
    return np.asarray(people >= min_share * people.sum())


def reference_groups(cells: GroupCells, references: References, eligible: Flags) -> Ints:
    """Return the column of each cell's reference group, -1 where no group has anyone.

    Ties for the highest rate go to the larger group, ties for the largest to the label.
    """
    named = references.group(cells)
    if named is not None:
        return np.full(cells.keys.height, named, dtype=np.int64)
    if not cells.groups:
        return np.full(cells.keys.height, -1, dtype=np.int64)
    present = (cells.n > 0) & eligible
    rate = np.where(present, cells.rates, -np.inf)
    size = np.where(present, cells.n, -1)
    order = np.broadcast_to(np.arange(len(cells.groups)), cells.n.shape)  # groups are sorted by label
    keys = (order, -size, -rate) if references.rule == HIGHEST else (order, -size)
    first = np.lexsort(keys, axis=1)[:, 0]
    return np.asarray(np.where(present.any(axis=1), first, -1), dtype=np.int64)
