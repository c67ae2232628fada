import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.probes.probe import shuffled_indices


@given(size=st.integers(1, 3000), seed=st.integers(0, 2**31))
def test_all_draws_are_a_permutation(size, seed):
    assert np.array_equal(np.sort(shuffled_indices(size, size, seed=seed)), np.arange(size))


@given(n=st.integers(0, 500), more=st.integers(0, 500))
def test_a_larger_sample_extends_a_smaller_one(n, more):
    small, large = shuffled_indices(5_424_000, n, seed=3), shuffled_indices(5_424_000, n + more, seed=3)
    assert np.array_equal(large[:n], small)
    assert np.array_equal(large[n:], shuffled_indices(5_424_000, n + more, seed=3, after=n))


def test_blocks_stay_together():
    drawn = shuffled_indices(1000, 100, seed=5, block=2).reshape(-1, 2)
    assert (drawn[:, 0] % 2 == 0).all()
    assert (drawn[:, 1] == drawn[:, 0] + 1).all()


def test_seeds_differ():
    assert not np.array_equal(shuffled_indices(10_000, 50, seed=1), shuffled_indices(10_000, 50, seed=2))


def test_draws_are_uniform_and_free_of_runs():
    drawn = shuffled_indices(1_000_000, 20_000, seed=11)
    # 20 bins of 1,000 expected draws; chi-square with 19 df is below 43.8 in 99.9 % of random samples.
    counts = np.bincount(drawn // 50_000, minlength=20)
    assert ((counts - 1000) ** 2 / 1000).sum() < 43.8
    # Neighbours in order of sending are unrelated: |r| of 20,000 random pairs is below 0.024 in 99.9 %.
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.024


@pytest.mark.parametrize(("size", "n", "block"), [(10, 11, 1), (10, 3, 2), (9, 2, 2), (10, -1, 1)])
def test_impossible_draws_are_refused(size, n, block):
    with pytest.raises(ValueError, match="can't be drawn"):
        shuffled_indices(size, n, seed=0, block=block)
