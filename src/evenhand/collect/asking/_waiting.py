"""Prompts on their way to an answer, and those that wait before they are asked again."""

import heapq
from dataclasses import dataclass, field
from itertools import count
from math import inf

from evenhand.collect.asking.meter import InFlight
from evenhand.collect.order import Planned

__all__ = ["Tried", "Waiting"]


@dataclass(slots=True, eq=False)
class Tried:
    """One attempt of the plan, and how its tries went.

    `failures` are rounds in which no server answered, `counted` those of them that were no
    refusals, and `unnamed` those without a named wait; `moved` are tries that another
    server took over. `number`, `started` and `sent` belong to the try under way.
    """

    planned: Planned
    failures: int = 0
    counted: int = 0
    moved: int = 0
    unnamed: int = 0
    failing_since: float = inf
    is_new: bool = True
    number: int = 0
    started: float = 0.0
    sent: InFlight | None = None


@dataclass(slots=True)
class Waiting:
    """Attempts that wait, each for a time of its own; the first one due comes first."""

    _heap: list[tuple[float, int, Tried]] = field(default_factory=list)
    _order: "count[int]" = field(default_factory=count)

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def due(self) -> float:
        """Return when the first is to be asked again, infinite when none waits."""
        return self._heap[0][0] if self._heap else inf

    @property
    def first(self) -> Tried:
        """Return the one that is due first."""
        return self._heap[0][2]

    def add(self, tried: Tried, *, due: float) -> None:
        """Keep an attempt until `due`."""
        heapq.heappush(self._heap, (due, next(self._order), tried))

    def take(self) -> Tried:
        """Take the one that is due first."""
        return heapq.heappop(self._heap)[2]
