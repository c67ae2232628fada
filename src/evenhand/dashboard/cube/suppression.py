"""Which counts of a cube are withheld: small ones, and as many others as it takes that no small one can be computed.

For every small count there is another set of counts that adds up just as well, agrees with all that is shown, and has
another number there, at least 1 away. Such sets are found by linear programs: the moves of least cost, where moving a
count that is shown costs, and one that is withheld already does not (Fischetti and Salazar-González 2001, Management
Science 47:1008-1027, give the exact problem; this is its relaxation, one table after another, a few counts at once).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, hstack, vstack

from evenhand.dashboard.cube.cells import Cube

__all__ = ["LEAST", "SHOWN", "SMALL", "WITHHELD", "Suppressed", "suppressed"]

#: Counts below this are not shown.
LEAST: Final = 5
#: What is told of a cell: its count, that it is small, or nothing.
SHOWN, SMALL, WITHHELD = 0, 1, 2
#: What is left of a linear program's rounding.
_NEAR: Final = 1e-6
#: So often small counts are moved, first all at once at no cost, then at least so many, or this share of those left.
_ROUNDS: Final = 30
_FREE_ROUNDS: Final = 3
_FEWEST: Final = 10
_SHARE: Final = 0.1
#: What it is worth that a small count moves, beside what the moves cost.
_WORTH: Final = 1e4

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Suppressed:
    """A cube and what is told of each cell: SHOWN, SMALL (fewer than `least`) or WITHHELD, which is not small.

    Where no way was found to withhold enough, or none in time, all cells are WITHHELD.
    """

    cube: Cube
    told: NDArray[np.int8]
    least: int


def suppressed(
    cube: Cube, *, least: int = LEAST, seed: int = 0, left: Callable[[], float] = lambda: math.inf
) -> Suppressed:
    """Return a cube with what may be told of each cell: always the same of the same counts, or nothing.

    `left` returns how many seconds are left.

    >>> import polars as pl
    >>> from evenhand.dashboard.cube.cells import cube_of
    >>> rows = {"stage": ["", ""], "decided": [30, 12], "selected": [10, 3], "protected.gender": ["m", "f"]}
    >>> found = suppressed(cube_of(pl.DataFrame(rows)))
    >>> found.told[found.cube.tables[("gender",), ""]].tolist()  # 3 is small, and 13 - 10 would tell it
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
            moved = moves.found(part, hidden, some, moves.signs(some, rng))
            hidden |= np.abs(moved) > _NEAR
            safe |= np.abs(moved) > 1 - _NEAR
    whole = np.ones_like(hidden)
    for cell in np.flatnonzero(~safe):
        ways = [moves.found(whole, hidden, np.array([cell]), np.array([sign])) for sign in (1, -1)]
        ways = [each for each in ways if abs(each[cell]) > 1 - _NEAR]
        if not ways:  # nothing is told then, not even which counts are small
            return Suppressed(cube=cube, told=np.full(small.size, WITHHELD, dtype=np.int8), least=least)
        hidden |= np.abs(min(ways, key=lambda each: moves.cost(each, hidden))) > _NEAR
    told = np.where(small, SMALL, np.where(hidden, WITHHELD, SHOWN)).astype(np.int8)
    return Suppressed(cube=cube, told=told, least=least)


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
    """Changes of counts after which all still adds up and stands below what it does, and small ones alone are small."""

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
        for own in self.cube.tables.values():
            drawn[own] = rng.choice([-1, 1], size=(1, *own.shape[1:-1], 1))
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
            moved = np.abs(self.found(part, hidden, cells, self.signs(cells, rng))) > 1 - _NEAR
            if not (moved & unsafe & ~safe).any():
                break
            safe |= moved
        return safe

    def found(self, free: Flags, hidden: Flags, cells: Ints, signs: Ints) -> Floats:
        """Return the moves of least cost that move each of the cells by 1 in its direction, as far as possible.

        Only those of the cells that are `free` move.
        """
        from scipy.optimize import linprog  # noqa: PLC0415 - takes a while to import

        moved, left = np.zeros(hidden.size), self.left()
        if left <= 0:
            return moved
        options = {} if math.isinf(left) else {"time_limit": left}
        own = np.flatnonzero(free)
        places = np.searchsorted(own, cells)
        counts, small = self.cube.counts[own], self.small[own]
        relations = self.relations[:, own]
        relations = relations.tocsr()[np.diff(relations.tocsr().indptr) > 0]
        wanted = csc_array((signs.astype(float), (np.arange(cells.size), places)), shape=(cells.size, own.size))
        unit = csc_array((np.ones(cells.size), (np.arange(cells.size),) * 2), shape=(cells.size,) * 2)
        within, slack = self._below(own)
        costs = self._costs(hidden)[own]
        # What is withheld anyway moves in both directions by one number; all else by two, each with its cost.
        shown = np.flatnonzero(~hidden[own])
        up = np.where(small, self.least - 1 - counts, np.inf)
        down = np.where(small, counts, counts - self.least)
        limits = np.concatenate(
            [
                np.stack([np.where(hidden[own], -down, 0), up], axis=1),
                np.stack([np.zeros(shown.size), down[shown]], axis=1),
                np.tile([0, 1], (cells.size, 1)),
            ]
        )
        solved = linprog(
            np.concatenate([np.where(hidden[own], 0, costs), costs[shown], np.full(cells.size, -_WORTH)]),
            A_ub=vstack(
                [
                    hstack([-wanted, wanted[:, shown], unit]),
                    hstack([within, -within[:, shown], csc_array((slack.size, cells.size))]),
                ]
            ),
            b_ub=np.concatenate([np.zeros(cells.size), slack]),
            A_eq=hstack([relations, -relations[:, shown], csc_array((relations.shape[0], cells.size))]),
            b_eq=np.zeros(relations.shape[0]),
            bounds=limits,
            method="highs",
            options=options,
        )
        if solved.status != 0:  # the solver gave up
            return moved
        moved[own] = solved.x[: own.size]
        moved[own[shown]] -= solved.x[own.size : own.size + shown.size]
        return moved

    def _below(self, own: Ints) -> tuple[csc_array, Floats]:
        """Return rows of what moves of these cells add to counts that others limit, and by how much they may."""
        first, second = self.cube.below.T
        rows = np.arange(first.size)
        signs = np.concatenate([np.ones(first.size), -np.ones(first.size)])
        shape = (first.size, self.cube.counts.size)
        every = csc_array((signs, (np.tile(rows, 2), np.concatenate([first, second]))), shape=shape)[:, own].tocsr()
        some = np.diff(every.indptr) > 0
        return csc_array(every[some]), (self.cube.counts[second] - self.cube.counts[first])[some].astype(np.float64)

    def _costs(self, hidden: Flags) -> Floats:
        """Return what a move of each cell costs: nothing worth telling where it is withheld anyway."""
        return np.where(hidden, 1e-6, 1 + np.sqrt(self.cube.counts))
