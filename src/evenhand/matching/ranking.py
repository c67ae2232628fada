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
    by_list = np.argsort(lists, kind="stable")
    begins = np.flatnonzero(np.diff(lists[by_list], prepend=-1))
    tie, ranks = rng.random(len(score)), np.empty(len(score), np.int64)
    for own in np.split(by_list, begins[1:]):
        ranks[own[np.lexsort((tie[own], -margin[own], -score[own]))]] = np.arange(1, len(own) + 1)
    return ranks
