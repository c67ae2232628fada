"""Resampled items and permuted group labels, with rates and least-squares lines from sums of moments.

Items are resampled by multinomial weights, without a loop over rows. Labels are permuted over the sampled clusters
(names), never over single answers.

Moments are an array (..., 5) of n, Σy, Σx, Σxy, Σx², or (..., 2) of n, Σy where there
is no covariate. Sums over any set of rows add up, so the moments of a slice are the
sum of the moments of its cells. Where a row is y successes of several trials, n is the
sum of trials and the rate is the pooled one.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import Floats, Ints

#: Weights held at once, in numbers; 2^19 doubles are 4 MiB.
BLOCK = 1 << 19
#: Items drawn and counted at once: what counts them stays in the processor's cache.
ITEMS_AT_ONCE = 1 << 15
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
    step = max(1, ITEMS_AT_ONCE // n_items)
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
    """Return the central interval of resampled values, None if one of them is undefined or both ends are the same.

    `draws` has shape (resamples,). Percentile interval (Efron and Tibshirani 1993, section 13.3).

    >>> percentile_interval(np.arange(101.0), confidence=0.5)
    (25.0, 75.0)
    >>> percentile_interval(np.zeros(101))  # no width would claim certainty
    """
    if not np.isfinite(draws).all():
        return None
    tail = (1 - confidence) / 2
    # As np.quantile's default; for one short array that spends ten times as long on its options.
    places = np.array([tail, 1 - tail]) * (draws.size - 1)
    low, high = np.interp(places, np.arange(draws.size), np.sort(draws))
    return None if low == high else (float(low), float(high))


def label_permutations(labels: Ints, strata: Ints, *, permutations: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return `labels` shuffled within each stratum, shape (permutations, clusters).

    >>> drawn = label_permutations(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), permutations=3,
    ...                            rng=np.random.default_rng(0))
    >>> drawn[:, :2].sum(axis=1).tolist(), drawn[:, 2:].sum(axis=1).tolist()
    ([1, 1, 1], [1, 1, 1])
    """
    result = np.empty((permutations, labels.size), dtype=np.int16)
    for stratum in np.unique(strata):
        places = np.flatnonzero(strata == stratum)
        # Two bytes a label: this is bound by memory.
        permuted = np.tile(labels[places].astype(np.int16), (permutations, 1))
        result[:, places] = rng.permuted(permuted, axis=1, out=permuted)
    return result


def permuted_counts(
    sizes: ArrayLike, counts: ArrayLike, *, permutations: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return how many of each kind each group holds when all are permuted.

    `sizes` are those of the groups, `counts` how many there are of each kind (in all not
    more than the groups hold); the result has shape (permutations, groups, kinds). It has the
    distribution of shuffled labels, without shuffling: every deal is hypergeometric.

    >>> rng = np.random.default_rng(0)
    >>> permuted = permuted_counts([3, 2], [1, 4], permutations=4, rng=rng)
    >>> permuted.sum(axis=1).tolist() == [[1, 4]] * 4, permuted.sum(axis=2).tolist() == [[3, 2]] * 4
    (True, True)
    """
    room = np.tile(np.asarray(sizes, dtype=np.int64), (permutations, 1))
    kinds = np.asarray(counts, dtype=np.int64)
    permuted = np.zeros((permutations, room.shape[1], kinds.size), dtype=np.int64)
    for kind, count in enumerate(kinds):
        remaining = np.full(permutations, count)
        behind = room.sum(axis=1)
        for group in range(room.shape[1]):
            behind = behind - room[:, group]
            drawn = rng.hypergeometric(room[:, group], behind, remaining)
            permuted[:, group, kind] = drawn
            remaining = remaining - drawn
        room -= permuted[:, :, kind]
    return permuted


def permutation_p(observed: float, null: Floats) -> float | None:
    """Return the two-sided Monte-Carlo p, (b + 1) / (B + 1) with b of B draws as extreme.

    Extreme is meant in absolute value. Phipson and Smyth (2010, SAGMB 9:39) for the
    added ones: a p-value of zero can't come out. None where nothing is defined.

    >>> permutation_p(2.0, np.array([-3.0, 1.0, 0.5]))
    0.5
    """
    drawn = null[np.isfinite(null)]
    if not np.isfinite(observed) or drawn.size == 0:
        return None
    # A permutation that gives back the observed labels must count, whatever rounding does.
    extreme = np.abs(drawn) >= abs(observed) * (1 - 1e-12) - 1e-15
    return float((extreme.sum() + 1) / (drawn.size + 1))


def sign_flip_p(differences: Floats, *, permutations: int, rng: np.random.Generator) -> float | None:
    """Return the two-sided p of mean zero under random signs of whole pairs.

    >>> sign_flip_p(np.array([0.0, 0.0]), permutations=9, rng=np.random.default_rng(0))
    1.0
    """
    if differences.size == 0:
        return None
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    # Pairs of one size: the number of plus signs is binomial, so nothing loops over pairs.
    plus = rng.binomial(counts, 0.5, size=(permutations, counts.size))
    null = (2 * plus - counts) @ sizes
    return permutation_p(float(differences.sum()), np.asarray(null, dtype=np.float64))


#: So many signs are drawn at once.
_SIGNS = 4_000_000


def sign_flip_columns(differences: Floats, *, permutations: int, rng: np.random.Generator) -> list[float | None]:
    """Return `sign_flip_p` of each column of differences, shape (n, m), a row's sign being one for all columns.

    A row is a person or document, a column one of its values; NaN is a value that it lacks.

    >>> sign_flip_columns(np.zeros((4, 2)), permutations=9, rng=np.random.default_rng(0))
    [1.0, 1.0]
    """
    n, m = differences.shape
    known = np.isfinite(differences)
    values = np.where(known, differences, 0.0)
    null = np.empty((permutations, m))
    step = max(_SIGNS // max(n, 1), 1)
    for start in range(0, permutations, step):
        draws = min(step, permutations - start)
        bits = np.unpackbits(np.frombuffer(rng.bytes(draws * -(-n // 8)), dtype=np.uint8).reshape(draws, -1), axis=1)
        null[start : start + draws] = bits[:, :n] @ (2 * values) - values.sum(axis=0)
    return [
        permutation_p(float(values[:, column].sum()), null[:, column]) if known[:, column].any() else None
        for column in range(m)
    ]


Statistic = Literal["rate", "slope", "intercept"]

COLUMNS = ("n", "y", "x", "xy", "xx")


def row_moments(y: Floats, x: Floats | None, *, trials: Floats | None = None) -> Floats:
    """Return the moments of single rows, shape (n, 2) or (n, 5).

    >>> row_moments(np.array([1.0]), np.array([0.5])).tolist()
    [[1.0, 1.0, 0.5, 0.5, 0.25]]
    """
    ones = np.ones_like(y) if trials is None else trials
    columns = [ones, y] if x is None else [ones, y, x, x * y, x * x]
    return np.stack(columns, axis=1)


def statistic(moments: Floats, name: Statistic, *, smoothing: float = 0.0) -> Floats:
    """Return a rate (Σy/n), or slope or intercept of the line of y on x.

    NaN where there are no rows or, for a line, where x does not vary (the sum of
    squares is below 1e-12 of Σx², that is, rounding). `smoothing` s draws a rate to one
    half: (Σy + s)/(n + 2s).

    >>> line = row_moments(np.array([0.0, 1.0]), np.array([0.25, 0.75])).sum(axis=0)
    >>> float(statistic(line, "slope")), float(statistic(line, "intercept")), float(statistic(line, "rate"))
    (2.0, -0.5, 0.5)
    """
    n, y = moments[..., 0], moments[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(n > 0, (y + smoothing) / (n + 2 * smoothing), np.nan)
        if name == "rate":
            return rate
        x, xy, xx = moments[..., 2], moments[..., 3], moments[..., 4]
        spread = xx - x * x / n
        slope = np.where(spread > 1e-12 * np.maximum(xx, 1e-300), (xy - x * y / n) / spread, np.nan)
        return slope if name == "slope" else rate - slope * x / n


def influence(
    y: Floats, x: Floats | None, name: Statistic, *, trials: Floats | None = None, smoothing: float = 0.0
) -> Floats:
    """Return each row's influence on the statistic of these rows, to first order.

    The statistic's error is about the sum of independent clusters' influences, so the
    variance is the sum of squared cluster sums (Liang and Zeger 1986, Biometrika 73, 13).

    >>> influence(np.array([0.0, 1.0]), None, "rate").tolist()
    [-0.25, 0.25]
    """
    n = y.shape[0]
    if name == "rate":
        if trials is None:
            return np.asarray((y - y.mean()) / n)
        total = float(trials.sum()) + 2 * smoothing
        # With smoothing the influences sum to the pull of the prior, not to 0; n is large against it.
        return np.asarray((y - (float(y.sum()) + smoothing) / total * trials) / total)
    if x is None:
        message = f"A {name} needs a covariate."
        raise ValueError(message)
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread
    residual = y - y.mean() - slope * centred
    slopes = centred * residual / spread
    return slopes if name == "slope" else np.asarray(residual / n - x.mean() * slopes)
