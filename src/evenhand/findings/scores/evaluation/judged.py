"""Scores, decisions and outcomes as arrays, and their parts by groups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["Flags", "Floats", "Ints", "Judged", "Parts", "judged_of", "parts_of", "slices_of"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Rows in order of their scores; `n` people each. What was not asked for is None."""

    label: Flags
    score: Floats
    n: Ints
    selected: Flags | None = None
    against: Floats | None = None
    against_selected: Flags | None = None
    cluster: Ints | None = None

    @cached_property
    def people(self) -> int:
        """Return how many people there are."""
        return int(self.n.sum())

    @property
    def previous(self) -> "Judged":
        """Return the same people as the previous version scored them."""
        assert self.against is not None
        return Judged(
            label=self.label, score=self.against, n=self.n, selected=self.against_selected, cluster=self.cluster
        )

    def take(self, rows: Ints) -> "Judged":
        """Return some of the rows."""
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return Judged(**{name: None if values is None else values[rows] for name, values in held.items()})  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The rows of each group of one attribute, or of several crossed, within one slice."""

    slice: Mapping[str, str]
    attributes: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    parts: tuple[Judged, ...]

    def named(self, group: int) -> dict[str, str]:
        """Return a group by its attributes."""
        return dict(zip(self.attributes, self.groups[group], strict=True))


def judged_of(rows: pl.DataFrame) -> Judged:
    """Return the columns of `Predictions.rows` as arrays."""

    def array(name: str) -> NDArray[np.generic] | None:
        return rows[name].to_numpy() if name in rows.columns else None

    names = [each.name for each in fields(Judged)]
    return Judged(**{name: array(name) for name in names})  # type: ignore[arg-type]


def slices_of(
    rows: pl.DataFrame, by: Sequence[str], levels: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[dict[str, str], pl.DataFrame]]:
    """Yield all rows, then those of each level of each column."""
    yield {}, rows
    for name in by:
        column = rows[CONTEXT + name]
        for code, level in enumerate(levels[name]):
            own = rows.filter(column == code)
            if own.height:
                yield {name: level}, own


def parts_of(
    rows: pl.DataFrame,
    where: Mapping[str, str],
    attributes: Sequence[str],
    levels: Mapping[str, tuple[str, ...]],
    *,
    crossed: bool,
) -> Iterator[Parts]:
    """Yield the groups of each attribute, then with `crossed` of several at once; empty groups are none."""
    judged = judged_of(rows)
    sets: list[tuple[str, ...]] = [(name,) for name in attributes]
    if crossed:
        sets += [each for size in range(2, len(attributes) + 1) for each in combinations(attributes, size)]
    for names in sets:
        codes = np.zeros(rows.height, dtype=np.int64)
        known = np.ones(rows.height, dtype=np.bool_)
        for name in names:
            own = rows[PROTECTED + name].fill_null(-1).to_numpy().astype(np.int64)
            known &= own >= 0
            codes = codes * len(levels[name]) + own
        codes = np.where(known, codes, -1)
        order = np.argsort(codes, kind="stable")  # rows of a group keep the order of their scores
        ranked = codes[order]
        found = np.unique(ranked[ranked >= 0])
        begins, ends = np.searchsorted(ranked, found), np.searchsorted(ranked, found, side="right")
        groups = [_labels(int(code), names, levels) for code in found]
        alphabetical = sorted(range(len(groups)), key=lambda place: groups[place])
        yield Parts(
            slice=where,
            attributes=names,
            groups=tuple(groups[place] for place in alphabetical),
            parts=tuple(judged.take(order[begins[place] : ends[place]]) for place in alphabetical),
        )


def _labels(code: int, names: Sequence[str], levels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    found = []
    for name in reversed(names):
        code, own = divmod(code, len(levels[name]))
        found.append(levels[name][own])
    return tuple(reversed(found))
