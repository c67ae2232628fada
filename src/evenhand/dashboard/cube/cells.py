"""The cube: every count that is ever shown of one process, and how the counts add up.

A cell is a stage, the groups of no attribute, of one, or of two crossed, and a value of at most one breakdown; of it
two counts are told: of how many it was decided, and how many were selected. All combinations are cells, those of
nobody included, so that a cell that is absent tells nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evenhand.monitoring.decided import stage_cutoff
from evenhand.tables.schemas import BREAKDOWN, PROTECTED

__all__ = ["DECIDED", "NOT_KNOWN", "OTHER", "SELECTED", "Cube", "Table", "cube_of"]

#: A value that is null, and those that are too many to be shown each.
NOT_KNOWN, OTHER = "not known", "other"
#: Values of a breakdown and groups of an attribute that each have a cell, the largest ones; the rest is 'other'.
MOST_VALUES: Final = 40
MOST_GROUPS: Final = 12
#: Cells of a cube; breakdowns of the most values are left out until it has no more.
MOST_CELLS: Final = 40_000
MONTH: Final = "month"
#: Places of the two counts of a cell.
DECIDED, SELECTED = 0, 1

Ints = NDArray[np.int64]
#: Attributes that are crossed, and the breakdown ('' is none): what names a table of the cube.
Table = tuple[tuple[str, ...], str]


@dataclass(frozen=True, kw_only=True)
class Cube:
    """All cells of a process: `counts` by number, and `relations`, whose rows times the counts are 0.

    `tables` has the numbers of the cells of each table, of shape stages × groups of each attribute × values × 2.
    `below` has pairs of numbers: the first count is never above the second, as those selected of those decided on.
    `groups` and `values` name what lies along the axes; the stage that most people reached is the first. `left_out` are
    breakdowns that would make it too large.
    """

    stages: Sequence[str]
    groups: Mapping[str, Sequence[str]]
    values: Mapping[str, Sequence[str]]
    tables: Mapping[Table, Ints]
    counts: Ints
    relations: csr_array
    below: Ints
    left_out: Sequence[str] = ()

    def stages_at(self, cutoff: float | None = None) -> dict[str, int]:
        """Return the places of the stages by scores above a cut-off, or as they were decided."""
        found = {place: stage_cutoff(stage) for place, stage in enumerate(self.stages)}
        return {stage: place for place, (stage, own) in found.items() if own == cutoff}

    @property
    def cutoffs(self) -> list[float]:
        """Return the cut-offs."""
        return sorted({own for _, own in map(stage_cutoff, self.stages) if own is not None})


def cube_of(rows: pl.DataFrame) -> Cube:
    """Return the cube of counts: rows with stage, `decided` and `selected`, groups (protected.*), breakdowns (by.*).

    >>> rows = pl.DataFrame({"stage": ["", ""], "decided": [9, 7], "selected": [3, 6], "protected.gender": ["f", "m"]})
    >>> cube = cube_of(rows)
    >>> cube.counts[cube.tables[("gender",), ""]].tolist()
    [[[[9, 3]], [[7, 6]]]]
    """
    attributes = [name.removeprefix(PROTECTED) for name in rows.columns if name.startswith(PROTECTED)]
    breakdowns = [name.removeprefix(BREAKDOWN) for name in rows.columns if name.startswith(BREAKDOWN)]
    reached = rows.group_by("stage").agg(pl.col("decided").sum()).sort(["decided", "stage"], descending=[True, False])
    stages = reached["stage"].to_list()
    known = _labelled(rows, attributes, breakdowns)
    groups = {name: _levels(known, PROTECTED + name) for name in attributes}
    values = {"": [""]} | {name: _levels(known, BREAKDOWN + name) for name in breakdowns}
    left_out = _left_out(len(stages), [len(each) for each in groups.values()], values)
    known = known.drop(BREAKDOWN + name for name in left_out)
    values = {name: levels for name, levels in values.items() if name not in left_out}
    tables: dict[Table, Ints] = {}
    counts: list[Ints] = []
    free = 0
    for crossed in _crossings(attributes):
        for by in values:
            found = _counted(known, stages, {PROTECTED + name: groups[name] for name in crossed}, by, values[by])
            tables[crossed, by] = free + np.arange(found.size, dtype=np.int64).reshape(found.shape)
            counts.append(found.ravel())
            free += found.size
    every = np.concatenate(counts)
    nested = [*_nested(known, values)]
    relations = [*_sums(tables), *_nested_sums(tables, nested), *_followed(tables, every)]
    return Cube(
        stages=stages,
        groups=groups,
        values=values,
        tables=tables,
        counts=every,
        relations=_matrix(relations, every.size),
        below=_below(stages, tables, every),
        left_out=left_out,
    )


def _left_out(stages: int, groups: Sequence[int], values: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the breakdowns that are left out so that the cube has no more than MOST_CELLS cells."""
    crossings = 1 + sum(groups) + sum(one * other for one, other in combinations(groups, 2))
    by_size = sorted(values, key=lambda name: (len(values[name]), name))
    found = []
    while by_size and 2 * stages * crossings * sum(len(values[name]) for name in by_size) > MOST_CELLS:
        found.append(by_size.pop())
    return [name for name in found if name]


def _crossings(attributes: Sequence[str]) -> list[tuple[str, ...]]:
    return [(), *((name,) for name in attributes), *combinations(attributes, 2)]


def _labelled(rows: pl.DataFrame, attributes: Sequence[str], breakdowns: Sequence[str]) -> pl.DataFrame:
    """Return the rows with every level as text, and levels beyond the largest as one."""
    columns = {PROTECTED + name: MOST_GROUPS for name in attributes}
    columns |= {BREAKDOWN + name: MOST_VALUES for name in breakdowns if name != MONTH}
    known = rows.with_columns(
        pl.col(name).cast(pl.String).replace("", None).fill_null(NOT_KNOWN)
        for name in rows.columns
        if name.startswith((PROTECTED, BREAKDOWN))
    )
    for name, most in columns.items():
        sizes = known.group_by(name).agg(pl.col("decided").sum()).sort(["decided", name], descending=[True, False])
        if sizes.height > most:
            kept = sizes[name].head(most - 1)
            told = pl.when(pl.col(name).is_in(kept.implode())).then(name).otherwise(pl.lit(OTHER))
            known = known.with_columns(told.alias(name))
    return known


def _levels(known: pl.DataFrame, name: str) -> list[str]:
    """Return the values of a column in order, those that stand for others last."""
    return sorted(known[name].unique().to_list(), key=lambda level: (level in {OTHER, NOT_KNOWN}, level))


def _counted(
    known: pl.DataFrame, stages: Sequence[str], groups: Mapping[str, Sequence[str]], by: str, values: Sequence[str]
) -> Ints:
    """Return the counts of a table, of shape stages × groups × values × 2."""
    axes = {"stage": stages, **groups} | ({BREAKDOWN + by: values} if by else {})
    summed = known.group_by(list(axes)).agg(pl.col("decided").sum(), pl.col("selected").sum())
    found = np.zeros((*(len(each) for each in axes.values()), 2), dtype=np.int64)
    places = tuple(
        np.array([levels.index(level) for level in summed[name]], dtype=np.int64) for name, levels in axes.items()
    )
    found[places] = summed.select("decided", "selected").to_numpy()
    return found if by else found[..., np.newaxis, :]


#: Cells that are the sum of others: their numbers, and the numbers of those summed along the last axis.
Sums = tuple[Ints, Ints]


def _sums(tables: Mapping[Table, Ints]) -> Iterator[Sums]:
    """Yield what adds up by construction: values of a breakdown, groups of an attribute."""
    for (crossed, by), cells in tables.items():
        if by:
            yield tables[crossed, ""][..., 0, :], np.moveaxis(cells, -2, -1)
        for place, name in enumerate(crossed):
            rest = tuple(other for other in crossed if other != name)
            yield tables[rest, by], np.moveaxis(cells, 1 + place, -1)


def _nested(known: pl.DataFrame, values: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int, str, list[int]]]:
    """Yield values that are made of whole values of another breakdown, as a department is of positions.

    Who knows the company knows which these are, so it counts as published.
    """
    for within, of in permutations([name for name in values if name], 2):
        pairs = known.select(BREAKDOWN + within, BREAKDOWN + of).unique().sort(pl.all())
        several = pairs.group_by(BREAKDOWN + within).len().filter(pl.col("len") > 1)[BREAKDOWN + within].to_list()
        for (value,), own in pairs.group_by(BREAKDOWN + of, maintain_order=True):
            parts = own[BREAKDOWN + within].to_list()
            if not set(parts) & set(several):
                yield of, values[of].index(str(value)), within, sorted(map(values[within].index, parts))


def _nested_sums(tables: Mapping[Table, Ints], nested: Sequence[tuple[str, int, str, list[int]]]) -> Iterator[Sums]:
    for crossed in dict.fromkeys(crossed for crossed, _ in tables):
        for of, place, within, parts in nested:
            cells = tables[crossed, within][..., parts, :]
            yield tables[crossed, of][..., place, :], np.moveaxis(cells, -2, -1)


def _followed(tables: Mapping[Table, Ints], counts: Ints) -> Iterator[Sums]:
    """Yield which counts of two stages are the same in every cell of a breakdown.

    A stage goes on with those whom another selected, or with all of them; it selects by a score. That is how processes
    work, so it counts as known.
    """
    stages = next(iter(tables.values())).shape[0]
    for before, after in permutations(range(stages), 2):
        kinds = [(SELECTED, DECIDED), *([(DECIDED, DECIDED), (SELECTED, SELECTED)] if before < after else [])]
        for by, (one, other) in product(dict.fromkeys(by for _, by in tables), kinds):
            own = [cells for (_, name), cells in tables.items() if name == by]
            if all((counts[each[before, ..., one]] == counts[each[after, ..., other]]).all() for each in own):
                for each in own:
                    yield each[after, ..., other], each[before, ..., one, np.newaxis]


def _below(stages: Sequence[str], tables: Mapping[Table, Ints], counts: Ints) -> Ints:
    """Return pairs of cells of which everybody knows that the first is at most the second.

    Selected are some of those decided on, or with a score; above a cut-off are at most those above a lower one. A
    stage goes on with some of those whom another selected or had, where that is so in every cell of a breakdown. And
    the order of the stages is that of how many were decided on.
    """
    plain = [place for place, stage in enumerate(stages) if stage_cutoff(stage)[1] is None]
    whole = tables[(), ""][plain, 0, DECIDED]
    pairs = [np.stack([whole[1:], whole[:-1]], axis=1)]
    # What holds in the finest cells holds in those that are their sums.
    most = max(len(crossed) for crossed, _ in tables)
    for by in dict.fromkeys(by for _, by in tables):
        own = [cells for (crossed, name), cells in tables.items() if name == by and len(crossed) == most]
        for (one, kind), (other, of) in [*_part_of(stages), *_some_of(stages, own, counts)]:
            pairs += [np.stack([each[one, ..., kind].ravel(), each[other, ..., of].ravel()], axis=1) for each in own]
    return np.concatenate(pairs)


#: A stage's place, and which of its counts.
Count = tuple[int, int]


def _part_of(stages: Sequence[str]) -> Iterator[tuple[Count, Count]]:
    """Yield which counts are part of which others: those above a cut-off, those selected."""
    known = {stage_cutoff(stage): place for place, stage in enumerate(stages)}
    yield from (((place, SELECTED), (place, DECIDED)) for (_, cutoff), place in known.items() if cutoff is None)
    lower: dict[str, int] = {}
    for stage, cutoff in sorted(key for key in known if key[1] is not None):
        here = known[stage, cutoff]
        yield (here, SELECTED), (lower[stage], SELECTED) if stage in lower else (here, DECIDED)
        lower[stage] = here


def _some_of(stages: Sequence[str], own: Sequence[Ints], counts: Ints) -> Iterator[tuple[Count, Count]]:
    """Yield which counts are at most which others in every cell, the first that are so of each of the candidates."""
    for candidates in _candidates(stages):
        for (one, kind), (other, of) in candidates:
            if all((counts[each[one, ..., kind]] <= counts[each[other, ..., of]]).all() for each in own):
                yield (one, kind), (other, of)
                break


def _candidates(stages: Sequence[str]) -> Iterator[list[tuple[Count, Count]]]:
    """Yield pairs of counts, the nearest first: what processes do where they go on with some, or select by a score."""
    known = {stage_cutoff(stage): place for place, stage in enumerate(stages)}
    plain = [place for (_, cutoff), place in known.items() if cutoff is None]
    for at, after in enumerate(plain):
        before = [(place, kind) for kind in (SELECTED, DECIDED) for place in reversed(plain[:at])]
        yield [((after, DECIDED), each) for each in before]
        of = {cutoff: place for (stage, cutoff), place in known.items() if stage == stages[after]}
        above = [of[cutoff] for cutoff in sorted(cutoff for cutoff in of if cutoff is not None)]
        yield [((place, DECIDED), (after, DECIDED)) for place in above[:1]]
        yield [((after, SELECTED), (place, SELECTED)) for place in reversed(above)]
        yield [((place, SELECTED), (after, SELECTED)) for place in above]


def _matrix(relations: Sequence[Sums], size: int) -> csr_array:
    """Return a row per cell that is a sum: 1 for it, -1 for each of its parts."""
    rows: list[Ints] = []
    columns: list[Ints] = []
    signs: list[Ints] = []
    free = 0
    for whole, parts in relations:
        flat = parts.reshape(-1, parts.shape[-1])
        at = free + np.arange(flat.shape[0], dtype=np.int64)
        rows += [at, np.repeat(at, flat.shape[1])]
        columns += [whole.ravel(), flat.ravel()]
        signs += [np.ones(at.size, dtype=np.int64), -np.ones(flat.size, dtype=np.int64)]
        free += at.size
    return csr_array((np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns))), shape=(free, size))
