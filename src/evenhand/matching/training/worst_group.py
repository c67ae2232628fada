"""The area under the ROC curve of the group that a score orders worst."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST", "area_under_curve", "worst_group_auc"]

#: The fewest pairs of either label for which a group counts.
FEWEST: Final = 20


def area_under_curve(score: NDArray[np.float64], label: NDArray[np.float64]) -> float | None:
    """Return how often a pair with label 1 has the higher score than one with 0, ties half; None without both.

    >>> area_under_curve(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0.0, 0.0, 1.0, 1.0]))
    0.875
    """
    ones = label > 0
    n1, n0 = int(ones.sum()), int((~ones).sum())
    if not n1 or not n0:
        return None
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]
    return float((rank[ones].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))


def worst_group_auc(
    score: NDArray[np.float64], label: NDArray[np.float64], groups: Sequence[NDArray[np.int64]]
) -> float:
    """Return the lowest AUC of a group with enough pairs of both labels; that of all pairs where there is none."""
    found = []
    for attribute in groups:
        for group in range(int(attribute.max(initial=-1)) + 1):
            own = attribute == group
            ones = int(label[own].sum())
            if min(ones, int(own.sum()) - ones) >= FEWEST:
                found.append(area_under_curve(score[own], label[own]))
    known = [each for each in found if each is not None] or [area_under_curve(score, label)]
    return min(0.5 if each is None else each for each in known)
