"""p-values adjusted for how many groups were compared, in how many positions."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.findings.impact.cells import GroupCells
from evenhand.findings.impact.references import References, candidates
from evenhand.stats import benjamini_hochberg, fisher_exact, holm, mean_ratio
from evenhand.tables.impact_files import WHOLE

__all__ = ["adjusted_p"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FISHER, WELCH, CLUSTER_ROBUST = "Fisher exact", "Welch t", "Cluster-robust t"


def adjusted_p(
    cells: GroupCells, references: References, reference: Ints, eligible: Flags, *, cell: Ints, focal: Ints
) -> tuple[Floats, NDArray[np.object_]]:
    """Return the adjusted p of each row (cell, focal against the cell's reference), and what it is.

    The family is the attribute × the set of positions; all applicants together are a family of its
    own, and so are each approach, cut-off and stage. Where the group with the highest rate is
    the reference, it was chosen by looking at the rates: then all pairs of groups are in the family of
    which one may be the reference.
    Groups of one attribute are adjusted by Holm; intersections, which explore, by Benjamini and Hochberg.
    """
    pairs = _pairs(cells, references, reference, eligible)
    p = np.full(cells.n.shape, np.nan)
    names = np.full(cells.keys.height, None, dtype=object)
    raw = _p(cells, *pairs)
    adjust, method = (holm, "Holm") if len(cells.attributes) == 1 else (benjamini_hochberg, "Benjamini-Hochberg")
    test = CLUSTER_ROBUST if cells.clusters is not None else FISHER if cells.mean is None else WELCH
    family = _families(cells)
    for number in np.unique(family):
        own = family[pairs[0]] == number
        found = adjust(raw[own])
        where, first, second = (part[own] for part in pairs)
        to_first, to_second = reference[where] == second, reference[where] == first
        p[where[to_first], first[to_first]] = found.p[to_first]
        p[where[to_second], second[to_second]] = found.p[to_second]
        tests = f"{found.family} pair{'' if found.family == 1 else 's'}"
        names[family == number] = f"{test}, {method} over {tests}" if found.family else None
    values = p[cell, focal]
    named = names[cell]
    named[np.isnan(values)] = None
    return values, named


def _pairs(cells: GroupCells, references: References, reference: Ints, eligible: Flags) -> tuple[Ints, Ints, Ints]:
    """Return cell and both groups of each comparison in a family."""
    groups = np.flatnonzero(eligible)
    first, second = np.triu_indices(groups.size, 1)
    first, second = groups[first], groups[second]
    cell = np.repeat(np.arange(cells.keys.height), first.size)
    first, second = np.tile(first, cells.keys.height), np.tile(second, cells.keys.height)
    used = (cells.n[cell, first] > 0) & (cells.n[cell, second] > 0)
    if references.by_highest(cells):
        # Two groups of which neither may be the reference are never compared.
        may_be = candidates(cells, references, eligible)
        used &= may_be[cell, first] | may_be[cell, second]
    else:
        used &= (first == reference[cell]) | (second == reference[cell])
    return cell[used], first[used], second[used]


def _p(cells: GroupCells, cell: Ints, first: Ints, second: Ints) -> Floats:
    if cells.clusters is not None:
        found = map(cells.clusters.p, cells.clusters.compared(cell, first, second))
        return np.array([np.nan if p is None else p for p in found], dtype=np.float64)
    if cells.mean is None or cells.squares is None:
        counts = [matrix[cell, group] for group in (first, second) for matrix in (cells.selected, cells.n)]
        return np.asarray(fisher_exact(*counts).p)
    moments = [matrix[cell, group] for group in (first, second) for matrix in (cells.n, cells.mean, cells.squares)]
    return np.asarray(mean_ratio(*moments).p)


def _families(cells: GroupCells) -> Ints:
    """Return the number of each cell's family."""
    keys = cells.keys.select("approach", "cutoff", "stage", whole=pl.col("position") == WHOLE)
    numbered = keys.unique().with_row_index("family")
    found = keys.join(numbered, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")
    return found["family"].to_numpy()
