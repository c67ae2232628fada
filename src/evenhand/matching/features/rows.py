"""Sparse rows of numbers by column."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["rows_of"]


def rows_of(rows: Sequence[Mapping[int, float]], columns: int, *, norm: int | None = None) -> Any:
    """Return rows as a sparse matrix of float32; each has a sum (`norm` 1) or a length (2) of one."""
    sizes = np.fromiter((len(row) for row in rows), np.int64, len(rows))
    pointers = np.concatenate([[0], np.cumsum(sizes)])
    places = np.fromiter((place for row in rows for place in row), np.int32, int(pointers[-1]))
    values = np.fromiter((value for row in rows for value in row.values()), np.float64, int(pointers[-1]))
    if norm is not None:
        row = np.repeat(np.arange(len(rows)), sizes)
        length = np.bincount(row, values**norm, minlength=len(rows)) ** (1 / norm)
        values = values / length[row]
    return sparse.csr_matrix((values.astype(np.float32), places, pointers), shape=(len(rows), columns))
