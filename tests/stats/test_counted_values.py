"""Quantiles and AUC of counted values are those of the values one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from evenhand.stats import counted_auc, counted_quantile

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


@given(VALUES, VALUES)
def test_auc_is_that_of_scikit_learn(positive, negative):
    found = counted_auc(counted(positive), counted(negative))
    labels = [1] * len(positive) + [0] * len(negative)
    assert found.estimate == pytest.approx(roc_auc_score(labels, positive + negative))


def test_the_standard_error_of_an_auc_is_delongs():
    positive, negative = [3, 5, 5, 7, 8], [1, 3, 4, 5]
    above = np.array([[(high > low) + (high == low) / 2 for low in negative] for high in positive])
    # DeLong et al. (1988): the variances of the placements of both sides, over their numbers.
    variance = above.mean(1).var(ddof=1) / 5 + above.mean(0).var(ddof=1) / 4
    found = counted_auc(counted(positive), counted(negative))
    assert (found.estimate, found.standard_error) == pytest.approx((above.mean(), np.sqrt(variance)))


@pytest.mark.parametrize(("positive", "negative"), [([], [1]), ([1], []), ([], [])])
def test_of_one_kind_there_is_no_auc(positive, negative):
    found = counted_auc(counted(positive), counted(negative))
    assert (found.estimate, found.reason) == (None, "All labels that are known are alike.")


def test_auc_without_overlap_has_no_standard_error():
    assert counted_auc(counted([3, 4]), counted([1, 2])).standard_error is None
