import numpy as np
import pytest
from scipy import stats

from evenhand.stats import wald_test


def influences(rows):
    return (rows - rows.mean(axis=0)) / len(rows)


def test_one_observation_per_cluster_is_hotellings_t_squared():
    # Oracle: T² from the sample covariance, F by scipy.
    rng = np.random.default_rng(0)
    rows = rng.normal([0.3, 0.0, -0.2], size=(40, 3))
    t2 = 40 * rows.mean(axis=0) @ np.linalg.solve(np.cov(rows.T), rows.mean(axis=0))
    result = wald_test(rows.mean(axis=0), influences(rows), np.arange(40))
    assert result.p == pytest.approx(stats.f.sf(t2 * 37 / (39 * 3), 3, 37), rel=1e-9)
    assert (result.df, result.clusters) == (3, 40)


def test_shares_that_add_up_to_one_lose_a_dimension_and_nothing_else():
    rng = np.random.default_rng(1)
    rows = np.eye(4)[rng.choice(4, size=80)]
    all_four = wald_test(rows.mean(axis=0) - 0.25, influences(rows), np.arange(80))
    three = wald_test(rows[:, :3].mean(axis=0) - 0.25, influences(rows[:, :3]), np.arange(80))
    assert all_four.df == 3
    assert all_four.p == pytest.approx(three.p, rel=1e-9)


def test_repeated_rows_in_one_cluster_tell_no_more_than_one():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(30, 2)) + 0.2
    once = wald_test(rows.mean(axis=0), influences(rows), np.arange(30))
    twice = np.repeat(rows, 2, axis=0)
    again = wald_test(twice.mean(axis=0), influences(twice), np.repeat(np.arange(30), 2))
    assert again.p == pytest.approx(once.p, rel=1e-9)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [([[0.5], [0.5]], "The observations do not vary."), ([[0.5, 0.1], [-0.5, 0.3]], None)],
)
def test_what_cannot_be_tested_is_null_with_a_reason(rows, reason):
    rows = np.array(rows)
    result = wald_test(rows.mean(axis=0), influences(rows), np.arange(len(rows)))
    if reason is not None:
        assert (result.p, result.reason) == (None, reason)
    else:
        assert result.df == 1  # two clusters span one direction


def test_too_few_clusters_are_refused():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(40, 3))
    result = wald_test(rows.mean(axis=0), rng.normal(size=(40, 3)), np.arange(40) % 3)
    assert result.p is None
    assert "need more than 3 clusters" in result.reason


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="influence must be"):
        wald_test([0.1, 0.2], [[1.0]], [0])
