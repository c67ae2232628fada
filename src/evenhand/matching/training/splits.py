"""Which pairs a model is fitted on, stopped and calibrated on, and tested on: nobody and no position in two parts."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Split", "split_pairs"]

#: With fewer positions, all of them are in every part, and people alone are parted.
FEWEST_POSITIONS: Final = 10
#: The share of people left after the test people whose pairs tell when to stop, and calibrate.
VALIDATION_SHARE: Final = 0.25


@dataclass(frozen=True, kw_only=True)
class Split:
    """Numbers of the pairs of each part; `left_out` would have shared a person or a position with another part.

    `by_position` says that the positions of the test are in no other part.
    """

    fit: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]
    left_out: int
    by_position: bool


def split_pairs(
    people: NDArray[np.int64], positions: NDArray[np.int64], *, test_share: float, rng: np.random.Generator
) -> Split:
    """Return the parts of pairs, whose people and positions are numbered, both (n,).

    `test_share` of the people and of the positions are held out: the test has the pairs of the ones with the others.
    Pairs of a held-out person with another position, or the reverse, are left out. Fitting and validation share
    positions, never people.
    """
    held = _drawn(people, test_share, rng)
    by_position = len(np.unique(positions)) >= FEWEST_POSITIONS
    held_position = _drawn(positions, test_share, rng) if by_position else np.ones(len(positions), bool)
    rest_position = ~held_position if by_position else held_position
    validating = _drawn(people, VALIDATION_SHARE, rng)
    test = held & held_position
    rest = ~held & rest_position
    fit, validation = (np.flatnonzero(part) for part in (rest & ~validating, rest & validating))
    return Split(
        fit=fit,
        validation=validation,
        test=np.flatnonzero(test),
        left_out=len(people) - len(fit) - len(validation) - int(test.sum()),
        by_position=by_position,
    )


def _drawn(numbers: NDArray[np.int64], share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which pairs are of those that were drawn, at least one and not all of them."""
    every = np.unique(numbers)
    count = min(max(round(share * len(every)), 1), len(every) - 1)
    return np.isin(numbers, rng.permutation(every)[:count])
