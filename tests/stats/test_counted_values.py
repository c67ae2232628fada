"""Quantiles of counted values are those of the values one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.stats import counted_quantile

VALUES = st.lists(st.integers(-5, 5), min_size=1, max_size=60)


def counted(values):
    return np.unique(values, return_counts=True)


@given(VALUES)
def test_the_median_is_numpys(values):
    assert counted_quantile(*counted(values)).estimate == np.median(values)


@given(VALUES)
def test_other_quantiles_are_the_lowest_value_that_so_many_reach(values):
    found = counted_quantile(*counted(values), share=0.95).estimate
    assert found == np.quantile(values, 0.95, method="inverted_cdf")


def test_the_standard_error_of_a_median_is_that_of_a_large_sample():
    values = np.round(np.random.default_rng(1).normal(size=40_000), 3)
    # The asymptotic one is sqrt(pi / 2) / sqrt(n) for a normal distribution.
    assert counted_quantile(*counted(values)).standard_error == pytest.approx(np.sqrt(np.pi / 2 / 40_000), rel=0.1)


@pytest.mark.parametrize("values", [[], [3], [1, 2], [5] * 100])
def test_without_certainty_there_is_no_standard_error(values):
    assert counted_quantile(*counted(values)).standard_error is None
