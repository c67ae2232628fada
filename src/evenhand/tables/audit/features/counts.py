"""What is counted of a feature: how many rows of each protected group have each of its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.tables.audit.features.block import FeatureRow

__all__ = ["Crossed", "FeatureCounts"]


@dataclass(frozen=True, kw_only=True)
class Crossed:
    """Rows by the feature's level, in rising order where it has one, and by group: `counts[level, group]`."""

    groups: tuple[str, ...]
    counts: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class FeatureCounts:
    """A feature's distribution, and its counts by each attribute.

    `levels` are its values, or None where a level is a range of values; `ends` holds the least and the largest value
    of each level of a numeric feature. `by` is empty where the feature has too many values of text. Beside another
    table, `compared` and `reference` count the rows of both at the levels of either.
    """

    row: FeatureRow
    levels: tuple[Any, ...] | None = None
    ends: tuple[tuple[float, float], ...] = ()
    by: Mapping[str, Crossed] = field(default_factory=dict)
    totals: NDArray[np.int64] | None = None
    compared: NDArray[np.int64] | None = None
    reference: NDArray[np.int64] | None = None
