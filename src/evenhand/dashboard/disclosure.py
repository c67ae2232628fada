"""Disclosure control: the cube of a process's counts, and which of them may be shown.

A cell is a stage, the groups of no attribute, of one, or of two crossed, and a value of at most one breakdown. It has
two counts: on how many people it was decided, and how many were selected. All combinations are cells, empty ones
included, so that an absent cell reveals nothing.

Small counts are suppressed, and as many others as it takes that no small one can be computed. For every small count
there is another set of counts that adds up just as well, agrees with all that is shown, and has another number there,
at least 1 away. Such sets are found by linear programs: the moves of least cost, where moving a visible count costs,
and moving a withheld one does not (Fischetti and Salazar-González 2001, Management Science 47:1008-1027, give the
exact problem; this is its relaxation, one table after another, a few counts at once).

Cubes are computed once per version of the counts, in the background.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from threading import Lock, Thread
from time import monotonic
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, hstack, vstack

from evenhand.monitoring.state import counts_version, model_names, monthly_counts, stage_cutoff
from evenhand.monitoring.store import opened_store
from evenhand.report.words.numbers import count_text
from evenhand.results.schemas import BREAKDOWN, PROTECTED

#: Labels of null, and of the values beyond MOST_VALUES or MOST_GROUPS.
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
        stage_cutoffs = {place: stage_cutoff(stage) for place, stage in enumerate(self.stages)}
        return {stage: place for place, (stage, own) in stage_cutoffs.items() if own == cutoff}

    @property
    def cutoffs(self) -> list[float]:
        """Return the cut-offs."""
        return sorted({cutoff for _, cutoff in map(stage_cutoff, self.stages) if cutoff is not None})


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
    left_out = _omitted_breakdowns(len(stages), [len(levels) for levels in groups.values()], values)
    known = known.drop(BREAKDOWN + name for name in left_out)
    values = {name: levels for name, levels in values.items() if name not in left_out}
    tables: dict[Table, Ints] = {}
    counts: list[Ints] = []
    free = 0
    for crossed in _crossings(attributes):
        for by in values:
            table = _counted(known, stages, {PROTECTED + name: groups[name] for name in crossed}, by, values[by])
            tables[crossed, by] = free + np.arange(table.size, dtype=np.int64).reshape(table.shape)
            counts.append(table.ravel())
            free += table.size
    all_counts = np.concatenate(counts)
    nested = [*_nested(known, values)]
    relations = [*_sums(tables), *_nested_sums(tables, nested), *_followed(tables, all_counts)]
    return Cube(
        stages=stages,
        groups=groups,
        values=values,
        tables=tables,
        counts=all_counts,
        relations=_matrix(relations, all_counts.size),
        below=_below(stages, tables, all_counts),
        left_out=left_out,
    )


def _omitted_breakdowns(stages: int, groups: Sequence[int], values: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the breakdowns to leave out so that the cube has no more than MOST_CELLS cells."""
    crossings = 1 + sum(groups) + sum(first * second for first, second in combinations(groups, 2))
    by_size = sorted(values, key=lambda name: (len(values[name]), name))
    omitted = []
    while by_size and 2 * stages * crossings * sum(len(values[name]) for name in by_size) > MOST_CELLS:
        omitted.append(by_size.pop())
    return [name for name in omitted if name]


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
            largest = sizes[name].head(most - 1)
            label = pl.when(pl.col(name).is_in(largest.implode())).then(name).otherwise(pl.lit(OTHER))
            known = known.with_columns(label.alias(name))
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
    counts = np.zeros((*(len(levels) for levels in axes.values()), 2), dtype=np.int64)
    places = tuple(
        np.array([levels.index(level) for level in summed[name]], dtype=np.int64) for name, levels in axes.items()
    )
    counts[places] = summed.select("decided", "selected").to_numpy()
    return counts if by else counts[..., np.newaxis, :]


#: Cells that are the sum of others: their numbers, and the numbers of those summed along the last axis.
Sums = tuple[Ints, Ints]


def _sums(tables: Mapping[Table, Ints]) -> Iterator[Sums]:
    """Yield the cells that add up by construction: values of a breakdown, groups of an attribute."""
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
    for within, outer in permutations([name for name in values if name], 2):
        pairs = known.select(BREAKDOWN + within, BREAKDOWN + outer).unique().sort(pl.all())
        several = pairs.group_by(BREAKDOWN + within).len().filter(pl.col("len") > 1)[BREAKDOWN + within].to_list()
        for (value,), group_pairs in pairs.group_by(BREAKDOWN + outer, maintain_order=True):
            parts = group_pairs[BREAKDOWN + within].to_list()
            if not set(parts) & set(several):
                yield outer, values[outer].index(str(value)), within, sorted(map(values[within].index, parts))


def _nested_sums(tables: Mapping[Table, Ints], nested: Sequence[tuple[str, int, str, list[int]]]) -> Iterator[Sums]:
    for crossed in dict.fromkeys(crossed for crossed, _ in tables):
        for outer, place, within, parts in nested:
            cells = tables[crossed, within][..., parts, :]
            yield tables[crossed, outer][..., place, :], np.moveaxis(cells, -2, -1)


def _followed(tables: Mapping[Table, Ints], counts: Ints) -> Iterator[Sums]:
    """Yield which counts of two stages are the same in every cell of a breakdown.

    A stage goes on with those whom another selected, or with all of them; it selects by a score. That is how processes
    work, so it counts as known.
    """
    stages = next(iter(tables.values())).shape[0]
    for before, after in permutations(range(stages), 2):
        kinds = [(SELECTED, DECIDED), *([(DECIDED, DECIDED), (SELECTED, SELECTED)] if before < after else [])]
        for by, (one, other) in product(dict.fromkeys(by for _, by in tables), kinds):
            by_tables = [cells for (_, name), cells in tables.items() if name == by]
            if all((counts[cells[before, ..., one]] == counts[cells[after, ..., other]]).all() for cells in by_tables):
                for cells in by_tables:
                    yield cells[after, ..., other], cells[before, ..., one, np.newaxis]


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
        finest = [cells for (crossed, name), cells in tables.items() if name == by and len(crossed) == most]
        for (one, kind), (other, other_kind) in [*_part_of(stages), *_some_of(stages, finest, counts)]:
            pairs += [
                np.stack([cells[one, ..., kind].ravel(), cells[other, ..., other_kind].ravel()], axis=1)
                for cells in finest
            ]
    return np.concatenate(pairs)


#: A stage's place, and which of its counts.
Count = tuple[int, int]


def _part_of(stages: Sequence[str]) -> Iterator[tuple[Count, Count]]:
    """Yield which counts are part of which others: those above a cut-off, those selected."""
    known = {stage_cutoff(stage): place for place, stage in enumerate(stages)}
    yield from (((place, SELECTED), (place, DECIDED)) for (_, cutoff), place in known.items() if cutoff is None)
    lower: dict[str, int] = {}
    for stage, cutoff in sorted(key for key in known if key[1] is not None):
        place = known[stage, cutoff]
        yield (place, SELECTED), (lower[stage], SELECTED) if stage in lower else (place, DECIDED)
        lower[stage] = place


def _some_of(stages: Sequence[str], finest: Sequence[Ints], counts: Ints) -> Iterator[tuple[Count, Count]]:
    """Yield which counts are at most which others in every cell, the first that are so of each of the candidates."""
    for candidates in _candidates(stages):
        for (one, kind), (other, other_kind) in candidates:
            if all((counts[cells[one, ..., kind]] <= counts[cells[other, ..., other_kind]]).all() for cells in finest):
                yield (one, kind), (other, other_kind)
                break


def _candidates(stages: Sequence[str]) -> Iterator[list[tuple[Count, Count]]]:
    """Yield pairs of counts, the nearest first: what processes do where they go on with some, or select by a score."""
    known = {stage_cutoff(stage): place for place, stage in enumerate(stages)}
    plain = [place for (_, cutoff), place in known.items() if cutoff is None]
    for at, after in enumerate(plain):
        before = [(place, kind) for kind in (SELECTED, DECIDED) for place in reversed(plain[:at])]
        yield [((after, DECIDED), count) for count in before]
        places = {cutoff: place for (stage, cutoff), place in known.items() if stage == stages[after]}
        above = [places[cutoff] for cutoff in sorted(cutoff for cutoff in places if cutoff is not None)]
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


#: Counts below this are not shown.
LEAST: Final = 5
#: States of a cell: its count is shown, it is only said to be small, or nothing is disclosed.
SHOWN, SMALL, WITHHELD = 0, 1, 2
#: Rounding error of a linear program.
_NEAR: Final = 1e-6
#: Rounds of moves per part, first of all small counts at no cost; then at least so many, or this share of the rest.
_ROUNDS: Final = 30
_FREE_ROUNDS: Final = 3
_FEWEST: Final = 10
_SHARE: Final = 0.1
#: Weight of a moved small count against the cost of the moves.
_WORTH: Final = 1e4

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Suppressed:
    """A cube and the state of each cell: SHOWN, SMALL (fewer than `least`) or WITHHELD, which is not small.

    Where no way was found to withhold enough, or none in time, all cells are WITHHELD.
    """

    cube: Cube
    states: NDArray[np.int8]
    least: int


def suppressed(
    cube: Cube, *, least: int = LEAST, seed: int = 0, left: Callable[[], float] = lambda: math.inf
) -> Suppressed:
    """Return a cube with the state of each cell: always the same of the same counts, or all withheld.

    `left` returns how many seconds are left; without any no further linear program is begun.

    >>> import polars as pl
    >>> from evenhand.dashboard.disclosure import cube_of
    >>> rows = {"stage": ["", ""], "decided": [30, 12], "selected": [10, 3], "protected.gender": ["m", "f"]}
    >>> found = suppressed(cube_of(pl.DataFrame(rows)))
    >>> found.states[found.cube.tables[("gender",), ""]].tolist()  # 3 is small, and 13 - 10 would tell it
    [[[[0, 1]], [[0, 2]]]]
    """
    small = cube.counts < least
    moves = _Moves(
        cube=cube, relations=csc_array(cube.relations, dtype=np.float64), small=small, least=least, left=left
    )
    rng = np.random.default_rng(seed)
    hidden, safe = small.copy(), ~small
    for part in _parts(cube):
        for _ in range(_ROUNDS):
            safe |= moves.free(part & hidden, hidden, ~safe, rng)
            cells = np.flatnonzero(part & ~safe)
            if not cells.size:
                break
            # Few at once: what is withheld for these is free for those that follow.
            some = np.sort(rng.choice(cells, min(cells.size, max(_FEWEST, int(cells.size * _SHARE))), replace=False))
            moved = moves.cheapest(part, hidden, some, moves.signs(some, rng))
            hidden |= np.abs(moved) > _NEAR
            safe |= np.abs(moved) > 1 - _NEAR
    all_cells = np.ones_like(hidden)
    for cell in np.flatnonzero(~safe):
        alternatives = [moves.cheapest(all_cells, hidden, np.array([cell]), np.array([sign])) for sign in (1, -1)]
        alternatives = [moved for moved in alternatives if abs(moved[cell]) > 1 - _NEAR]
        if not alternatives:  # nothing is disclosed then, not even which counts are small
            return Suppressed(cube=cube, states=np.full(small.size, WITHHELD, dtype=np.int8), least=least)
        hidden |= np.abs(min(alternatives, key=lambda moved: moves.cost(moved, hidden))) > _NEAR
    states = np.where(small, SMALL, np.where(hidden, WITHHELD, SHOWN)).astype(np.int8)
    return Suppressed(cube=cube, states=states, least=least)


def _parts(cube: Cube) -> Iterator[Flags]:
    """Yield the cells that are moved together: the tables of each breakdown with its margins fixed, then all."""
    for by in cube.values:
        if by:
            part = np.zeros(cube.counts.size, dtype=bool)
            for (_, name), cells in cube.tables.items():
                if name == by:
                    part[cells] = True
            yield part
    yield np.ones(cube.counts.size, dtype=bool)


@dataclass(frozen=True, kw_only=True)
class _Moves:
    """Changes of counts after which all sums and limits still hold, and only small counts are small."""

    cube: Cube
    relations: csc_array
    small: Flags
    least: int
    left: Callable[[], float] = lambda: math.inf

    def signs(self, cells: Ints, rng: np.random.Generator) -> Ints:
        """Return in which direction each of the cells shall move: 0 can only grow, the largest small one shrink.

        All counts of the same people move alike, as those selected are limited by those decided on.
        """
        drawn = np.zeros(self.small.size, dtype=np.int64)
        for table_cells in self.cube.tables.values():
            drawn[table_cells] = rng.choice([-1, 1], size=(1, *table_cells.shape[1:-1], 1))
        drawn = drawn[cells]
        counts = self.cube.counts[cells]
        drawn[counts == self.least - 1] = -1
        drawn[counts == 0] = 1
        return drawn

    def cost(self, moved: Floats, hidden: Flags) -> float:
        """Return what the moves cost."""
        return float((self._costs(hidden) * np.abs(moved)).sum())

    def free(self, part: Flags, hidden: Flags, unsafe: Flags, rng: np.random.Generator) -> Flags:
        """Return the cells of a part that move by 1 where only those that are withheld move."""
        safe = np.zeros_like(hidden)
        for _ in range(_FREE_ROUNDS):
            cells = np.flatnonzero(part & unsafe & ~safe)
            if not cells.size:
                break
            moved = np.abs(self.cheapest(part, hidden, cells, self.signs(cells, rng))) > 1 - _NEAR
            if not (moved & unsafe & ~safe).any():
                break
            safe |= moved
        return safe

    def cheapest(self, free: Flags, hidden: Flags, cells: Ints, signs: Ints) -> Floats:
        """Return the moves of least cost that move each of the cells by 1 in its direction, as far as possible.

        Only those of the cells that are `free` move.
        """
        from scipy.optimize import linprog  # noqa: PLC0415 - takes a while to import

        moved = np.zeros(hidden.size)
        if self.left() <= 0:
            return moved
        moving = np.flatnonzero(free)
        places = np.searchsorted(moving, cells)
        counts, small = self.cube.counts[moving], self.small[moving]
        relations = self.relations[:, moving]
        relations = relations.tocsr()[np.diff(relations.tocsr().indptr) > 0]
        targets = csc_array((signs.astype(float), (np.arange(cells.size), places)), shape=(cells.size, moving.size))
        unit = csc_array((np.ones(cells.size), (np.arange(cells.size),) * 2), shape=(cells.size,) * 2)
        within, slack = self._below(moving)
        costs = self._costs(hidden)[moving]
        # What is withheld anyway moves in both directions by one number; all else by two, each with its cost.
        visible = np.flatnonzero(~hidden[moving])
        up = np.where(small, self.least - 1 - counts, np.inf)
        down = np.where(small, counts, counts - self.least)
        limits = np.concatenate(
            [
                np.stack([np.where(hidden[moving], -down, 0), up], axis=1),
                np.stack([np.zeros(visible.size), down[visible]], axis=1),
                np.tile([0, 1], (cells.size, 1)),
            ]
        )
        # No time limit: presolve gives a share of it to its search for dependent equations, so which of several
        # solutions of least cost is found would depend on how busy the machine is.
        solved = linprog(
            np.concatenate([np.where(hidden[moving], 0, costs), costs[visible], np.full(cells.size, -_WORTH)]),
            A_ub=vstack(
                [
                    hstack([-targets, targets[:, visible], unit]),
                    hstack([within, -within[:, visible], csc_array((slack.size, cells.size))]),
                ]
            ),
            b_ub=np.concatenate([np.zeros(cells.size), slack]),
            A_eq=hstack([relations, -relations[:, visible], csc_array((relations.shape[0], cells.size))]),
            b_eq=np.zeros(relations.shape[0]),
            bounds=limits,
            method="highs",
        )
        if solved.status != 0:  # the solver gave up
            return moved
        moved[moving] = solved.x[: moving.size]
        moved[moving[visible]] -= solved.x[moving.size : moving.size + visible.size]
        return moved

    def _below(self, moving: Ints) -> tuple[csc_array, Floats]:
        """Return rows of what moves of these cells add to counts that others limit, and by how much they may."""
        first, second = self.cube.below.T
        rows = np.arange(first.size)
        signs = np.concatenate([np.ones(first.size), -np.ones(first.size)])
        shape = (first.size, self.cube.counts.size)
        rows_of_all = csc_array((signs, (np.tile(rows, 2), np.concatenate([first, second]))), shape=shape)[
            :, moving
        ].tocsr()
        some = np.diff(rows_of_all.indptr) > 0
        return csc_array(rows_of_all[some]), (self.cube.counts[second] - self.cube.counts[first])[some].astype(
            np.float64
        )

    def _costs(self, hidden: Flags) -> Floats:
        """Return what a move of each cell costs: next to nothing where it is withheld anyway."""
        return np.where(hidden, 1e-6, 1 + np.sqrt(self.cube.counts))


@dataclass(frozen=True, kw_only=True)
class DisclosedCount:
    """A count as it is disclosed: a number, or None with the words in its place."""

    number: int | None
    text: str


@dataclass(frozen=True, kw_only=True)
class DisclosedCell:
    """A cell of a table: its stage, the group of each attribute, its value of the breakdown, and both counts."""

    stage: str
    groups: tuple[str, ...]
    value: str
    decided: DisclosedCount
    selected: DisclosedCount

    @property
    def rate(self) -> float | None:
        """Return the share that was selected, where both counts are disclosed."""
        if self.decided.number is None or self.selected.number is None:
            return None
        return self.selected.number / self.decided.number if self.decided.number else None


def disclosed_cells(
    suppressed_cube: Suppressed,
    crossed: Sequence[str] = (),
    by: str = "",
    *,
    exact: bool = False,
    cutoff: float | None = None,
) -> Iterator[DisclosedCell]:
    """Yield the cells of a table in order; `exact` discloses all counts, for those with access to the rows.

    With a `cutoff` of the cube selected are those whose score is above it, of those who have one.
    """
    cube = suppressed_cube.cube
    stages = cube.stages_at(cutoff)
    numbers = cube.tables[tuple(crossed), by][list(stages.values())]
    axes = [list(stages), *(cube.groups[name] for name in crossed), cube.values[by]]
    for place in product(*(range(len(axis)) for axis in axes)):
        stage, *groups, value = (axis[at] for axis, at in zip(axes, place, strict=True))
        decided, selected = (
            _count(suppressed_cube, int(numbers[(*place, kind)]), exact=exact) for kind in (DECIDED, SELECTED)
        )
        yield DisclosedCell(stage=stage, groups=tuple(groups), value=value, decided=decided, selected=selected)


def _count(suppressed_cube: Suppressed, cell: int, *, exact: bool) -> DisclosedCount:
    states = suppressed_cube.states[cell]
    if exact or states == SHOWN:
        number = int(np.asarray(suppressed_cube.cube.counts)[cell])
        return DisclosedCount(number=number, text=count_text(number))
    return DisclosedCount(number=None, text=f"fewer than {suppressed_cube.least}" if states == SMALL else "withheld")


#: Seconds that a request waits for a cube, and after which a computation without a result begins nothing more.
PATIENCE: Final = 3.0
LONGEST: Final = 300.0

#: A cube, None where nothing was decided.
Computed = Future[Suppressed | None]


@dataclass(frozen=True, kw_only=True)
class Cubes:
    """Cubes computed or in progress, by store and process, each with the version of its counts; one at a time.

    `cutoffs` of scores are published in addition to the decisions. A request waits `patience` seconds at most.
    """

    cutoffs: tuple[float, ...] = ()
    patience: float = PATIENCE
    begun: dict[tuple[str, str], tuple[str, Computed]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    turn: Lock = field(default_factory=Lock)

    def prepare(self, place: str) -> None:
        """Begin to compute the cubes of all processes of a store."""
        with opened_store(place) as store:
            models = model_names(store)
        for model in models:
            self._computed(place, model)

    def of(self, place: str, model: str) -> Computed:
        """Return the cube of the counts as they are now, which is done unless that takes too long."""
        computed = self._computed(place, model)
        wait([computed], timeout=self.patience)
        return computed

    def _computed(self, place: str, model: str) -> Computed:
        with opened_store(place) as store:
            version = counts_version(store, model)
        with self.lock:
            known, computed = self.begun.get((place, model), ("", Future()))
            if known != version or (computed.done() and computed.exception() is not None):
                computed = Future()
                self.begun[place, model] = version, computed
                # A daemon, so that it does not keep the server from ending.
                Thread(target=self._compute, args=(place, model, computed), daemon=True).start()
        return computed

    def _compute(self, place: str, model: str, computed: Computed) -> None:
        try:
            with self.turn:
                with opened_store(place) as store:
                    rows = monthly_counts(store, model, self.cutoffs)
                end = monotonic() + LONGEST
                some = bool(rows["decided"].sum())
                result = suppressed(cube_of(rows), left=lambda: end - monotonic()) if some else None
        except Exception as error:  # noqa: BLE001 - raised where the cube is asked for
            computed.set_exception(error)
        else:
            computed.set_result(result)
