"""Differences within sets, against regression with an intercept per set and against leaving out by hand."""

import numpy as np
import pytest
import statsmodels.api as sm

from evenhand.stats import jackknife_variance, within_sets


def example(seed=0, n=60, sets=9):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, sets, n)
    focal = rng.random(n) < 0.4
    values = 10.0 * codes + 2.0 * focal + rng.normal(0, 1, n)
    return values, focal, codes, rng.integers(0, 7, n)


@pytest.mark.parametrize("seed", range(5))
def test_is_the_coefficient_of_a_regression_with_an_intercept_per_set(seed):
    values, focal, codes, _ = example(seed)
    design = np.column_stack([focal, codes[:, None] == np.unique(codes)])
    expected = sm.OLS(values, design.astype(float)).fit().params[0]
    assert within_sets(values, focal, codes).estimate == pytest.approx(expected)


def test_leaving_out_a_cluster_is_computing_without_its_rows():
    values, focal, codes, clusters = example(3)
    (left_out,) = within_sets(values, focal, codes, clusters=[clusters]).left_out
    by_hand = [
        within_sets(values[clusters != each], focal[clusters != each], codes[clusters != each]).estimate
        for each in range(7)
    ]
    assert left_out == pytest.approx(by_hand)


def test_one_set_for_all_is_the_difference_of_the_means():
    values, focal, *_ = example(1)
    found = within_sets(values, focal, np.zeros(60))
    assert found.estimate == pytest.approx(values[focal].mean() - values[~focal].mean())
    assert found.sets == 1


@pytest.mark.parametrize(
    ("focal", "sets"),
    [([True, True], [0, 0]), ([True, False], [0, 1]), ([], [])],
    ids=["one group", "apart", "nothing"],
)
def test_there_is_no_difference_where_no_set_holds_both_groups(focal, sets):
    assert within_sets(np.ones(len(focal)), focal, sets).estimate is None


def test_jackknife_of_a_mean_is_its_squared_standard_error():
    values = np.array([3.0, 5.0, 4.0, 9.0])
    without = [np.delete(values, each).mean() for each in range(4)]
    assert jackknife_variance([without]).variance == pytest.approx(values.var(ddof=1) / 4)


@pytest.mark.parametrize(
    ("left_out", "reason"),
    [([[1.0]], "two clusters"), ([[1.0, np.nan]], "no difference"), ([[1.0, 2.0], [1.0], [1.0, 2.0]], "two clusters")],
)
def test_jackknife_says_why_it_has_no_variance(left_out, reason):
    found = jackknife_variance(left_out)
    assert found.variance is None
    assert reason in found.reason


def test_two_ways_add_up_and_never_fall_below_the_larger():
    first, second, both = [1.0, 3.0], [2.0, 2.5, 1.5], [0.0, 10.0]
    found = jackknife_variance([first, second, both])
    assert found.floored
    assert found.variance == pytest.approx(max(found.one_way))
