"""The area under the ROC curve of the group that a score orders worst."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST", "worst_group_auc"]

#: The fewest pairs of either label for which a group counts.
FEWEST: Final = 20


def worst_group_auc(
    score: NDArray[np.float64], label: NDArray[np.float64], groups: Sequence[NDArray[np.int64]]
) -> float:
    """Return the lowest AUC of a group with enough pairs of both labels; that of all pairs where there is none.

    All scores are ranked once: an AUC is the share of pairs of a 1 and a 0 in order, ties counting half.

    >>> worst_group_auc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0.0, 0.0, 1.0, 1.0]), [])
    0.875
    """
    place = np.unique(score, return_inverse=True)[1]
    ones = label > 0
    parts = [attribute == group for attribute in groups for group in range(int(attribute.max(initial=-1)) + 1)]
    found = [_auc(place[own & ones], place[own & ~ones]) for own in parts if _enough(own, ones)]
    return min(found or [_auc(place[ones], place[~ones])])


def _enough(own: NDArray[np.bool_], ones: NDArray[np.bool_]) -> bool:
    positive = int(np.count_nonzero(own & ones))
    return min(positive, int(np.count_nonzero(own)) - positive) >= FEWEST


def _auc(positive: NDArray[np.int64], negative: NDArray[np.int64]) -> float:
    if not len(positive) or not len(negative):
        return 0.5
    most = int(max(positive.max(), negative.max())) + 1
    with_it, without = (np.bincount(each, minlength=most) for each in (positive, negative))
    return float((with_it * (np.cumsum(without) - without / 2)).sum() / (len(positive) * len(negative)))
