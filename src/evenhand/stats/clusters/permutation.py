"""Permute group labels over the sampled clusters (names), never over single answers."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["label_permutations", "permutation_p", "permuted_counts", "sign_flip_columns", "sign_flip_p"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
        left = np.full(permutations, count)
        behind = room.sum(axis=1)
        for group in range(room.shape[1]):
            behind = behind - room[:, group]
            drawn = rng.hypergeometric(room[:, group], behind, left)
            permuted[:, group, kind] = drawn
            left = left - drawn
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
