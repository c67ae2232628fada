"""Counts of applicants as matrices: one row per decision looked at, one column per group."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.findings.impact.clustered import Clusters, clusters_of
from evenhand.tables.impact_files import CROSSED, WHOLE
from evenhand.tables.schemas import PROTECTED

__all__ = ["KEYS", "Flags", "GroupCells", "cells_of", "joined", "plain_number"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: What a decision is looked at by, besides the groups.
KEYS = ("approach", "cutoff", "stage", "position")


@dataclass(frozen=True, kw_only=True)
class GroupCells:
    """The groups of one attribute, or of several crossed.

    `keys` has one row per cell: approach, cut-off, stage and position, all applicants first.
    The matrices have a row per cell and a column per group, in the groups' order.
    `unknown` are the people whose group is not known, (cells, 2): n and selected.
    `mean` and `squares` (sum of squared distances from the mean) are those of scores.
    `clusters` is what people have in common, where that was asked for.
    """

    attributes: tuple[str, ...]
    keys: pl.DataFrame
    groups: tuple[tuple[str, ...], ...]
    n: Ints
    selected: Ints
    unknown: Ints
    mean: Floats | None = None
    squares: Floats | None = None
    clusters: Clusters | None = None

    @property
    def name(self) -> str:
        """Return the attribute as files name it."""
        return joined(self.attributes)

    @cached_property
    def labels(self) -> list[str]:
        """Return the groups as files name them; where a label has the joining sign in it, quoted parts tell apart."""
        labels = [joined(group) for group in self.groups]
        if len(set(labels)) == len(labels):
            return labels
        return [joined([f"'{part}'" for part in group]) for group in self.groups]

    def named(self, label: str) -> dict[str, str]:
        """Return the group that is labelled so, by attribute."""
        return dict(zip(self.attributes, self.groups[self.labels.index(label)], strict=True))

    @property
    def rates(self) -> Floats:
        """Return selection rates, or mean scores; NaN for groups without anyone."""
        if self.mean is not None:
            return np.where(self.n > 0, self.mean, np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.n > 0, self.selected / self.n, np.nan))

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Return which cells are of all applicants."""
        return (self.keys["position"] == WHOLE).to_numpy()

    @property
    def whole_of(self) -> NDArray[np.int64]:
        """Return, per cell, the number of the cell of all its applicants."""
        keys = ["approach", "cutoff", "stage"]
        numbered = self.keys.with_row_index("cell")
        wholes = numbered.filter(pl.col("position") == WHOLE).select(*keys, "cell")
        found = self.keys.select(keys).join(wholes, on=keys, how="left", nulls_equal=True, maintain_order="left")
        return found["cell"].to_numpy().astype(np.int64)

    def take(self, rows: NDArray[np.int64]) -> "GroupCells":
        """Return some of the cells, without clusters."""
        return GroupCells(
            attributes=self.attributes,
            keys=self.keys[rows],
            groups=self.groups,
            n=self.n[rows],
            selected=self.selected[rows],
            unknown=self.unknown[rows],
            mean=None if self.mean is None else self.mean[rows],
            squares=None if self.squares is None else self.squares[rows],
        )


def plain_number(value: float) -> str:
    """Return a number as short as it can be told from all others.

    >>> plain_number(3.0), plain_number(3.0000001)
    ('3', '3.0000001')
    """
    return repr(value).removesuffix(".0")


def joined(parts: Sequence[str]) -> str:
    """Return the names of an intersection in one.

    >>> joined(("gender", "race"))
    'gender x race'
    """
    return CROSSED.join(parts)


def cells_of(
    counts: pl.DataFrame,
    attributes: Sequence[str],
    *,
    by_position: bool,
    clustered: pl.DataFrame | None = None,
    clusters: Sequence[str] = (),
) -> GroupCells:
    """Return the cells of an attribute or an intersection from joint counts.

    `counts` has the columns approach, cutoff, stage, position, `protected.<name>` (null where
    not known), n, successes; or n, mean, squares for scores. With `by_position` there are
    cells per position besides all applicants; a null position counts there only. `clustered` are the same counts
    apart by cluster, with a column of codes for each name in `clusters`.
    """
    scores = "mean" in counts.columns
    columns = [PROTECTED + name for name in attributes]
    known = pl.all_horizontal(pl.col(columns).is_not_null())
    totals = _totals(counts, columns, scores=scores, by_position=by_position)
    keys = totals.select(KEYS).unique().sort(KEYS, nulls_last=False)
    groups = totals.filter(known).select(columns).unique().sort(columns)
    numbered, grouped = keys.with_row_index("cell"), groups.with_row_index("group")
    placed = totals.join(numbered, on=KEYS, how="left", nulls_equal=True).join(grouped, on=columns, how="left")
    shape = (keys.height, groups.height)
    inside, outside = placed.filter(known), placed.filter(~known)
    at = inside["cell"].to_numpy(), inside["group"].to_numpy()

    def matrix(column: str) -> NDArray[np.float64] | NDArray[np.int64]:
        values = inside[column].to_numpy()
        filled = np.zeros(shape, dtype=values.dtype)
        filled[at] = values
        return filled

    unknown = np.zeros((keys.height, 2), dtype=np.int64)
    for place, column in enumerate(("n", "successes")):
        if column in outside.columns:
            np.add.at(unknown[:, place], outside["cell"].to_numpy(), outside[column].to_numpy())
    return GroupCells(
        attributes=tuple(attributes),
        keys=keys,
        groups=tuple(groups.rows()),
        n=matrix("n").astype(np.int64),
        selected=np.zeros(shape, dtype=np.int64) if scores else matrix("successes").astype(np.int64),
        unknown=unknown,
        mean=matrix("mean").astype(np.float64) if scores else None,
        squares=matrix("squares").astype(np.float64) if scores else None,
        clusters=None
        if clustered is None
        else _clusters(clustered, numbered, grouped, clusters, scores=scores, by_position=by_position),
    )


def _clusters(
    counts: pl.DataFrame,
    cells: pl.DataFrame,
    groups: pl.DataFrame,
    names: Sequence[str],
    *,
    scores: bool,
    by_position: bool,
) -> Clusters:
    """Return what each cluster has of the groups of each cell, which are numbered."""
    columns = [name for name in groups.columns if name != "group"]
    apart = [*columns, *(f"cluster_{place}" for place in range(len(names)))]
    totals = _totals(counts, apart, scores=scores, by_position=by_position)
    if scores:
        totals = totals.with_columns(successes=pl.col("n") * pl.col("mean"))
    placed = totals.join(cells, on=KEYS, how="inner", nulls_equal=True).join(groups, on=columns, how="inner")
    return clusters_of(placed, "successes", names)


def _totals(counts: pl.DataFrame, columns: Sequence[str], *, scores: bool, by_position: bool) -> pl.DataFrame:
    """Return sums by columns of all applicants, and of each position if asked for."""
    totals = _summed(counts.with_columns(pl.lit(WHOLE).alias("position")), columns, scores=scores)
    if not by_position:
        return totals
    own = _summed(counts.filter(pl.col("position").is_not_null()), columns, scores=scores)
    return pl.concat([totals, own])


def _summed(counts: pl.DataFrame, columns: Sequence[str], *, scores: bool) -> pl.DataFrame:
    keys = [*KEYS, *columns]
    if not scores:
        return counts.group_by(keys).agg(pl.col("n", "successes").sum())
    weighted = (pl.col("n") * pl.col("mean")).sum() / pl.col("n").sum()
    return (
        counts.with_columns(weighted.over(keys).alias("centre"))
        .group_by(keys)
        .agg(
            pl.col("n").sum(),
            pl.col("centre").first().alias("mean"),
            # Within the parts, and of the parts' means about the common one.
            (pl.col("squares") + pl.col("n") * (pl.col("mean") - pl.col("centre")) ** 2).sum().alias("squares"),
        )
    )
