"""Variance between levels beyond noise, and ratios of means."""

import numpy as np
import pytest

from evenhand.stats import level_variance, name_variance, ratio_of_means


def test_the_variance_between_levels_is_unbiased_whatever_the_sizes_of_cells():
    rng = np.random.default_rng(1)
    items, sizes = 40_000, np.array([2, 3, 5, 9])
    moved = 0.3 * rng.normal(size=(items, 4))
    cells = [moved[:, [k]] + 0.8 * rng.normal(size=(items, n)) for k, n in enumerate(sizes)]
    mean = np.stack([cell.mean(axis=1) for cell in cells], axis=1)
    squares = np.stack([cell.var(axis=1) * cell.shape[1] for cell in cells], axis=1)
    result = level_variance(mean, np.tile(sizes, (items, 1)), squares)
    assert result.variance.mean() == pytest.approx(0.09, abs=0.005)
    assert result.noise.mean() == pytest.approx(0.64, abs=0.005)


@pytest.mark.parametrize(
    ("n", "squares"), [([2, 0], [1.0, 0.0]), ([1, 1], [0.0, 0.0])], ids=["one level", "one value in each cell"]
)
def test_without_two_levels_or_two_values_of_one_cell_there_is_no_variance(n, squares):
    assert np.isnan(level_variance([[1.0, 2.0]], [n], [squares]).variance[0])


@pytest.mark.parametrize("seed", range(20))
def test_fiellers_interval_leaves_out_1_just_where_the_paired_test_rejects(seed):
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(seed)
    values = rng.normal([1.0 + 0.15 * (seed % 5), 1.0], [0.5, 0.5], size=(17, 2))
    covariance = np.cov(values.T) / 17
    variances = (covariance[0, 0], covariance[1, 1], covariance[0, 1])
    ratio = ratio_of_means(*values.mean(axis=0), variances, 16)
    p = stats.ttest_rel(*values.T).pvalue
    assert (ratio.low > 1 or ratio.high < 1) == (p < 0.05)


@pytest.mark.parametrize(
    ("numerator", "denominator", "expected"),
    [
        (6.0, 2.0, (3.0, True, True)),
        (6.0, 0.1, (60.0, True, False)),  # the denominator may be 0: at least so much
        (6.0, -0.1, (None, True, False)),
        (0.1, 0.1, (1.0, False, False)),  # all may be
        (0.1, -5.0, (None, False, False)),
        (-0.1, 5.0, (0.0, True, True)),
        (-3.0, 5.0, (0.0, False, False)),  # below 0 beyond its error, which no variance is
        (-3.0, 0.1, (0.0, False, False)),
    ],
)
def test_a_ratio_has_the_limits_that_its_denominator_allows(numerator, denominator, expected):
    ratio = ratio_of_means(numerator, denominator, (0.04, 0.04, 0.0), 16)
    estimate, low, high = expected
    assert ratio.estimate == (None if estimate is None else pytest.approx(estimate))
    assert (ratio.low is not None, ratio.high is not None) == (low, high)
    assert (ratio.reason is None) == (low and estimate is not None)


def test_names_that_do_not_differ_add_no_variance_and_one_name_is_held_fixed():
    scores = np.arange(5.0)[:, None] + np.zeros((5, 3))
    assert name_variance(scores, scores).variance == 0
    alone = name_variance(np.add(scores, [0.0, 1.0, 2.0]), scores[:, :1])
    assert (alone.variance, alone.dfs) == (pytest.approx(1 / 3), (2,))  # var(0, 1, 2) / 3
