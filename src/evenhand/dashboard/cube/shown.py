"""What a reader is told of a cube: counts as numbers, or why there is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from evenhand.dashboard.cube.cells import DECIDED, SELECTED
from evenhand.dashboard.cube.suppression import SHOWN, SMALL, Suppressed
from evenhand.report.words.numbers import count_text

__all__ = ["ShownCell", "ShownCount", "shown_cells"]


@dataclass(frozen=True, kw_only=True)
class ShownCount:
    """A count as it is told: a number, or None with the words in its place."""

    number: int | None
    text: str


@dataclass(frozen=True, kw_only=True)
class ShownCell:
    """A cell of a table: its stage, the group of each attribute, its value of the breakdown, and both counts."""

    stage: str
    groups: tuple[str, ...]
    value: str
    decided: ShownCount
    selected: ShownCount

    @property
    def rate(self) -> float | None:
        """Return the share that was selected, where both counts are told."""
        if self.decided.number is None or self.selected.number is None:
            return None
        return self.selected.number / self.decided.number if self.decided.number else None


def shown_cells(
    found: Suppressed, crossed: Sequence[str] = (), by: str = "", *, exact: bool = False, cutoff: float | None = None
) -> Iterator[ShownCell]:
    """Yield the cells of a table in order; `exact` tells all counts, for those who have access to the rows.

    With a `cutoff` of the cube selected are those whose score is above it, of those who have one.
    """
    cube = found.cube
    stages = cube.stages_at(cutoff)
    numbers = cube.tables[tuple(crossed), by][list(stages.values())]
    axes = [list(stages), *(cube.groups[name] for name in crossed), cube.values[by]]
    for place in product(*(range(len(axis)) for axis in axes)):
        stage, *groups, value = (axis[at] for axis, at in zip(axes, place, strict=True))
        decided, selected = (_count(found, int(numbers[(*place, kind)]), exact=exact) for kind in (DECIDED, SELECTED))
        yield ShownCell(stage=stage, groups=tuple(groups), value=value, decided=decided, selected=selected)


def _count(found: Suppressed, cell: int, *, exact: bool) -> ShownCount:
    told = found.told[cell]
    if exact or told == SHOWN:
        number = int(np.asarray(found.cube.counts)[cell])
        return ShownCount(number=number, text=count_text(number))
    return ShownCount(number=None, text=f"fewer than {found.least}" if told == SMALL else "withheld")
