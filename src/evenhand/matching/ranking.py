"""Ranks of scores within lists."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["ranks_of"]


def ranks_of(
    lists: NDArray[np.int64],
    score: NDArray[np.float64],
    margin: NDArray[np.float64],
    *,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the rank of each score within its list, 1 for the highest; all (n,).

    Equal scores are ordered by their margins, as a calibration by steps makes many equal; equal margins by chance, so
    that the order of a file decides nothing.

    >>> ranks_of(np.array([0, 0, 1]), np.array([0.2, 0.9, 0.1]), np.zeros(3), rng=np.random.default_rng(0))
    array([2, 1, 1])
    """
    order = np.lexsort((rng.random(len(score)), -margin, -score, lists))
    ordered = lists[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    begins = np.repeat(first, np.diff(np.concatenate([first, [len(ordered)]])))
    ranks = np.empty(len(score), np.int64)
    ranks[order] = np.arange(len(ordered)) - begins + 1
    return ranks
