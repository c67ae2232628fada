"""Draw indices in a shuffled order without building the rest.

A keyed Feistel network is a permutation of a power of four; walking along its cycles
until the value is below `size` makes it a permutation of range(size) (Black and
Rogaway 2002, CT-RSA, section 3.3). So the first n of a million draws are the same
whatever is drawn after them: a larger sample extends a smaller one.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROUNDS", "keyed_permutation", "mix", "shuffled_indices"]

ROUNDS = 6
SLICE = 1 << 17


def shuffled_indices(size: int, n: int, *, seed: int, block: int = 1) -> NDArray[np.int64]:
    """Return the first `n` indices of a random order of range(size).

    With `block` k, runs of k consecutive indices stay together. Memory is 8 bytes per
    index drawn, whatever `size` is.

    >>> shuffled_indices(10, 10, seed=1).tolist() == shuffled_indices(10, 10, seed=1).tolist()
    True
    >>> sorted(shuffled_indices(10, 10, seed=1).tolist())
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    if size % block or n % block or not 0 <= n <= size:
        message = f"{n} of {size} indices can't be drawn in blocks of {block}."
        raise ValueError(message)
    blocks = size // block
    keys = np.random.default_rng([seed, 0x5EED]).integers(0, 2**63, size=ROUNDS, dtype=np.uint64)
    drawn = np.empty((n // block, block), dtype=np.int64)
    for start in range(0, n // block, SLICE):  # slices keep the temporaries small
        values = np.arange(start, min(start + SLICE, n // block), dtype=np.uint64)
        permuted = keyed_permutation(values, keys[:, None], size=blocks)
        drawn[start : start + SLICE] = permuted.astype(np.int64)[:, None] * block + np.arange(block)
    return drawn.reshape(-1)


def keyed_permutation(values: NDArray[np.uint64], keys: NDArray[np.uint64], *, size: int) -> NDArray[np.uint64]:
    """Return where a permutation of range(size) takes each value.

    Each column of `keys` (ROUNDS rows) is the key of its value; one column is the key
    of all. So values can be permuted by different keys in one call.
    """
    half = max(1, (max(size - 1, 1).bit_length() + 1) // 2)
    keys = np.broadcast_to(keys, (len(keys), len(values)))
    permuted = _feistel(values, keys, half)
    outside = np.flatnonzero(permuted >= np.uint64(size))
    while len(outside):
        permuted[outside] = _feistel(permuted[outside], keys[:, outside], half)
        outside = outside[permuted[outside] >= np.uint64(size)]
    return permuted


def _feistel(values: NDArray[np.uint64], keys: NDArray[np.uint64], half: int) -> NDArray[np.uint64]:
    """Permute range(4 ** half) with one pass of the network."""
    bits, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = values >> bits, values & mask
    for key in keys:
        left, right = right, left ^ (mix(right + key) & mask)
    return (left << bits) | right


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits: the finaliser of SplitMix64 (Steele, Lea, Flood 2014, OOPSLA)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
