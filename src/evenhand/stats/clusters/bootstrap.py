"""Resample items, and sum what hangs on them: multinomial weights, no loop over rows."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["bootstrap_moments", "percentile_interval"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Weights held at once, in numbers; 2^19 doubles are 4 MiB.
BLOCK = 1 << 19
#: Items drawn and counted at once: what counts them stays in the processor's cache.
DRAWN = 1 << 15
#: Drawing one binomial costs about as much as drawing this many single items.
BINOMIAL_COST = 25


def bootstrap_moments(
    values: Floats,
    *,
    cell: Ints,
    item: Ints,
    n_cells: int,
    resamples: int,
    rng: np.random.Generator,
) -> Floats:
    """Return the sums of `values` (rows, k) per resample and cell, shape (resamples, n_cells, k).

    Each resample draws as many items as there are, with replacement, and carries all
    rows of an item along (Davison and Hinkley 1997, section 2.4). Items that look the
    same (same cells and values) are drawn as one multinomial count, so the cost stops
    growing when a sample repeats itself.

    >>> rng = np.random.default_rng(0)
    >>> rows = np.array([[1.0, 1.0], [1.0, 0.0]])
    >>> sums = bootstrap_moments(rows, cell=np.array([0, 1]), item=np.array([0, 1]), n_cells=2, resamples=3, rng=rng)
    >>> sums[:, :, 0].sum(axis=1).tolist()
    [2.0, 2.0, 2.0]
    """
    _, item = np.unique(item, return_inverse=True)
    n_items = int(item.max()) + 1 if item.size else 0
    if item.size > n_items:
        values, cell, item = _summed_within_items(values, cell, item, n_cells)
    counts: Ints | None = None
    representative = _distinct_items(values, cell, item, n_items)
    if representative is not None:
        keep, item, counts = representative
        values, cell = values[keep], cell[keep]
    order = np.argsort(cell, kind="stable")
    values, item = values[order], item[order]
    if counts is None and item.size == n_items:
        item = np.arange(n_items)  # items are exchangeable: number them in the order of their single rows
    edges = np.searchsorted(cell[order], np.arange(n_cells + 1))
    distinct = n_items if counts is None else counts.size
    plain = item.size == distinct and np.array_equal(item, np.arange(distinct))
    result = np.zeros((resamples, n_cells, values.shape[1]))
    step = max(1, BLOCK // max(distinct, item.size, 1))
    for start in range(0, resamples, step):
        block = min(step, resamples - start)
        weights = _weights(block, n_items, counts, rng)
        if not plain:
            weights = weights[:, item]
        for number in np.flatnonzero(np.diff(edges)):
            rows = slice(edges[number], edges[number + 1])
            result[start : start + block, number] = weights[:, rows] @ values[rows]
    return result


def _summed_within_items(values: Floats, cell: Ints, item: Ints, n_cells: int) -> tuple[Floats, Ints, Ints]:
    """Return one row per item and cell: what always is drawn together."""
    pairs, place = np.unique(item * n_cells + cell, return_inverse=True)
    if pairs.size == item.size:
        return values, cell, item
    sums = np.zeros((pairs.size, values.shape[1]))
    for number, column in enumerate(values.T):
        sums[:, number] = np.bincount(place, weights=column)
    return sums, pairs % n_cells, pairs // n_cells


def _weights(block: int, n_items: int, counts: Ints | None, rng: np.random.Generator) -> Floats:
    """Return how often each (kind of) item was drawn, shape (block, kinds)."""
    if counts is not None:
        return rng.multinomial(n_items, counts / n_items, size=block).astype(np.float64)
    weights = np.empty((block, n_items))
    step = max(1, DRAWN // n_items)
    for start in range(0, block, step):
        rows = min(step, block - start)
        draws = rng.integers(0, n_items, size=(rows, n_items), dtype=np.uint32).astype(np.intp)
        draws += (np.arange(rows, dtype=np.intp) * n_items)[:, None]
        weights[start : start + rows] = np.bincount(draws.ravel(), minlength=draws.size).reshape(rows, n_items)
    return weights


def _distinct_items(values: Floats, cell: Ints, item: Ints, n_items: int) -> tuple[Ints, Ints, Ints] | None:
    """Return rows of one item per kind, their kinds, and how many items are of each kind.

    None where items differ in size or are too distinct for counting to pay.
    """
    if n_items < 1000 or item.size % n_items:
        return None
    size = item.size // n_items
    by_item = np.argsort(item, kind="stable")
    if not np.array_equal(item[by_item], np.repeat(np.arange(n_items), size)):
        return None
    code = cell
    for column in values.T:
        levels, inverse = np.unique(column, return_inverse=True)
        _, code = np.unique(code * levels.size + inverse, return_inverse=True)
    levels, code = np.unique(code, return_inverse=True)
    rows = np.sort(code[by_item].reshape(n_items, size), axis=1)
    kind = rows[:, 0]
    for place in range(1, size):
        kind = kind * levels.size + rows[:, place]
        _, kind = np.unique(kind, return_inverse=True)
    _, first, kinds, counts = np.unique(kind, return_index=True, return_inverse=True, return_counts=True)
    del kinds
    if counts.size * BINOMIAL_COST > n_items:
        return None
    keep = by_item.reshape(n_items, size)[first].ravel()
    return keep, np.repeat(np.arange(counts.size), size), counts


def percentile_interval(draws: Floats, *, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the central interval of resampled values, None if one of them is undefined.

    `draws` has shape (resamples,). Percentile interval (Efron and Tibshirani 1993, section 13.3).

    >>> percentile_interval(np.arange(101.0), confidence=0.5)
    (25.0, 75.0)
    """
    if not np.isfinite(draws).all():
        return None
    tail = (1 - confidence) / 2
    # As np.quantile's default; for one short array that spends ten times as long on its options.
    places = np.array([tail, 1 - tail]) * (draws.size - 1)
    low, high = np.interp(places, np.arange(draws.size), np.sort(draws))
    return float(low), float(high)
