"""Counts of values in steps of 1e-4, packed: sorted values and how often each occurs."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["NONE", "ValueCounts"]

#: No values.
NONE: Final = b""
#: Little is gained by packing more.
_LEVEL: Final = 1
_WHOLE: Final = np.dtype("<i8")


@dataclass(frozen=True, kw_only=True)
class ValueCounts:
    """Whole values, ascending and each once, and how often each occurs.

    >>> some = ValueCounts.of([5, 3, 5], [1, 1, 1])
    >>> ValueCounts.unpacked(some.packed()).counts.tolist(), some.plus(some).n
    ([1, 2], 6)
    """

    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Return how many there are."""
        return int(self.counts.sum())

    @classmethod
    def of(cls, values: object, counts: object) -> Self:
        """Return values in any order, those that are alike taken together; those that occur 0 times are left out."""
        found, places = np.unique(np.asarray(values, dtype=np.int64), return_inverse=True)
        summed = np.zeros(found.size, dtype=np.int64)
        np.add.at(summed, places, np.asarray(counts, dtype=np.int64))
        return cls(values=found[summed != 0], counts=summed[summed != 0])

    @classmethod
    def together(cls, parts: Iterable["ValueCounts"]) -> Self:
        """Return the values of all parts."""
        listed = [part for part in parts if part.values.size]
        if not listed:
            return cls.of([], [])
        return cls.of(
            np.concatenate([part.values for part in listed]), np.concatenate([part.counts for part in listed])
        )

    def plus(self, other: "ValueCounts") -> "ValueCounts":
        """Return the values of both."""
        return ValueCounts.together([self, other])

    def packed(self) -> bytes:
        """Return the bytes that a store keeps: differences of values, then counts, as 64-bit numbers, by zlib."""
        if not self.values.size:
            return NONE
        both = np.concatenate([np.diff(self.values, prepend=0), self.counts])
        return zlib.compress(both.astype(_WHOLE).tobytes(), _LEVEL)

    @classmethod
    def unpacked(cls, packed: bytes) -> Self:
        """Return the values that were packed."""
        if not packed:
            return cls.of([], [])
        steps, counts = np.frombuffer(zlib.decompress(packed), dtype=_WHOLE).reshape(2, -1)
        return cls(values=np.cumsum(steps), counts=counts.astype(np.int64))
