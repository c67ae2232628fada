"""Ids of attempts as numbers: those that are planned, and which of them are known."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.order import Planned

__all__ = ["attempt_ids", "known_among"]


def attempt_ids(attempts: Sequence[Planned]) -> NDArray[np.uint64]:
    """Return the ids of planned attempts, 8 bytes each."""
    return np.fromiter((int(attempt.request.id, 16) for attempt in attempts), np.uint64, len(attempts))


def known_among(ids: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of `ids` are in `known`, which is sorted.

    >>> known_among(np.array([3, 1, 9], dtype=np.uint64), np.array([1, 2, 3], dtype=np.uint64)).tolist()
    [True, True, False]
    """
    if not known.size:
        return np.zeros(len(ids), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, ids), known.size - 1)
    return np.asarray(known[places] == ids)
