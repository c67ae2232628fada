"""Cluster-robust variances against statsmodels, and their t intervals."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from evenhand.stats import multiway_variance, t_interval


def crossed(n=300, seed=0):
    rng = np.random.default_rng(seed)
    names, roles, x = rng.integers(0, 17, n), rng.integers(0, 11, n), rng.random(n)
    slopes = rng.normal(size=17)[names] + rng.normal(size=11)[roles]
    y = rng.normal(size=n) + rng.normal(size=17)[names] + rng.normal(size=11)[roles] + 4 * slopes * x
    return y, x, names, roles


def influences(y, design):
    """Return every coefficient's influences: (X'X)^-1 x_i e_i."""
    inverse = np.linalg.inv(design.T @ design)
    return design * (y - design @ inverse @ design.T @ y)[:, None] @ inverse


@pytest.mark.parametrize("columns", [1, 2], ids=["mean", "intercept and slope"])
@pytest.mark.parametrize("ways", [1, 2])
def test_variance_agrees_with_statsmodels(columns, ways):
    y, x, names, roles = crossed()
    design = np.column_stack([np.ones_like(x), x])[:, :columns]
    groups = np.column_stack([names, roles])[:, :ways]
    fit = sm.OLS(y, design).fit(cov_type="cluster", cov_kwds={"groups": groups.squeeze()})
    # statsmodels multiplies by (n - 1)/(n - k) besides G/(G - 1)
    expected = np.diag(fit.cov_params()) * (y.size - columns) / (y.size - 1)
    ours = multiway_variance(influences(y, design), list(groups.T))
    assert ours.variance == pytest.approx(expected)
    assert ours.floored.tolist() == [False] * columns
    assert ours.clusters == (17, 11)[:ways]
    assert ours.df == min(ours.clusters) - 1


def test_two_way_variance_is_floored_at_the_larger_way():
    # A 2 x 2 layout: names sum to ±2 and roles to 0, so V = 2·8 + 0 - (4/3)·4·1 < 16
    psi, names, roles = [1.0, 1.0, -1.0, -1.0], [0, 0, 1, 1], [0, 1, 0, 1]
    result = multiway_variance(psi, [names, roles])
    assert result.one_way == (16.0, 0.0)
    assert (result.variance, result.floored) == (16.0, True)


def test_the_same_clusters_twice_are_one_way():
    y, _, names, _ = crossed()
    psi = (y - y.mean()) / y.size
    one, two = multiway_variance(psi, [names]), multiway_variance(psi, [names, names])
    assert two.variance == pytest.approx(one.variance)


def test_own_clusters_are_the_textbook_variance_of_a_mean():
    y = np.array([1.0, 2.0, 4.0, 9.0])
    result = multiway_variance((y - y.mean()) / 4, [np.arange(4)])
    assert result.variance == pytest.approx(y.var(ddof=1) / 4)
    crossed_once = multiway_variance((y - y.mean()) / 4, [np.arange(4), [0, 0, 1, 1]])
    assert crossed_once.variance == pytest.approx(crossed_once.one_way[1])


@given(seed=st.integers(0, 1000))
def test_row_order_and_code_values_are_irrelevant(seed):
    y, x, names, roles = crossed(80, seed)
    psi = np.column_stack([y - y.mean(), x - x.mean()])
    order = np.random.default_rng(seed).permutation(80)
    one = multiway_variance(psi, [names, roles])
    other = multiway_variance(psi[order], [names[order] * 10**12 - 7, 5 - roles[order]])
    assert other.variance == pytest.approx(one.variance)
    assert other.clusters == one.clusters


def test_one_cluster_is_not_enough():
    result = multiway_variance([0.5, -0.5], [[0, 1], [3, 3]])
    assert (result.variance, result.one_way, result.df) == (None, (None, None), 0)
    assert result.reason == "A variance needs two clusters each way."
    assert multiway_variance(np.zeros((0, 2)), [np.zeros(0, int)]).reason.tolist() == [result.reason] * 2


def test_a_missing_influence_makes_its_own_column_null():
    psi = np.array([[0.5, np.nan, np.inf], [-0.5, 0.1, -np.inf], [0.0, 0.1, 0.0]])
    result = multiway_variance(psi, [[0, 1, 2], [0, 1, 1]])
    assert np.isnan(result.variance).tolist() == [False, True, True]
    assert result.reason.tolist() == ["", *["An influence is missing or not finite."] * 2]


@pytest.mark.parametrize("codes", [[0, 1], [0.0, 1.0, 2.0], ["a", "b", "c"]])
def test_what_is_no_code_is_refused(codes):
    with pytest.raises(ValueError, match="clusters must be 3 integer codes"):
        multiway_variance([0.1, 0.2, 0.3], [codes])


def test_a_third_way_counts_what_the_other_two_have_not():
    # Rows, columns and diagonals of a square of nine add 1, 0 or -1 each.
    row, column = np.divmod(np.arange(9), 3)
    diagonal = (row + column) % 3
    psi = (1 - row) + (1 - column) + (1 - diagonal)
    # Sums of 3, 0 and -3 each way: 3/2 · 18. Squares of the cells sum to 18, and any two ways meet in one: 9/8 · 18.
    result = multiway_variance(psi, [row, column, diagonal])
    assert result.one_way == pytest.approx((27, 27, 27))
    assert result.variance == pytest.approx(3 * 27 - 3 * 20.25 + 20.25)
    # A way given twice, and one in which each cell is alone, add nothing.
    for third in (row, np.arange(9)):
        assert multiway_variance(psi, [row, column, third]).variance == pytest.approx(2 * 27 - 20.25)


def test_t_interval_uses_the_t_of_its_degrees_of_freedom():
    # t(4, .975) = 2.776445 and t(9, .95) = 1.833113, any table
    four, nine = t_interval(1.0, 0.25, 4), t_interval(1.0, 0.25, 9, confidence=0.9)
    assert (four.high, nine.high) == pytest.approx((1 + 0.5 * 2.776445, 1 + 0.5 * 1.833113), abs=1e-6)
    assert four.standard_error == 0.5


@pytest.mark.parametrize(
    ("estimate", "variance", "df", "reason"),
    [
        (None, 1.0, 5, "There is no estimate."),
        (1.0, None, 5, "There is no variance."),
        (1.0, -1.0, 5, "There is no variance."),
        (1.0, 1.0, 0, "There are no degrees of freedom."),
        (1.0, 0.0, 5, "The variance is 0: the observations do not vary, so this method has no interval."),
    ],
)
def test_t_interval_is_null_with_its_reason(estimate, variance, df, reason):
    interval = t_interval(estimate, variance, df)
    assert (interval.low, interval.high, interval.reason) == (None, None, reason)
    assert interval.estimate == estimate


def test_t_interval_takes_arrays():
    interval = t_interval([0.0, 1.0], [1.0, 0.0], 10)
    assert interval.low[0] == -interval.high[0]
    assert np.isnan(interval.low[1])
    assert interval.reason[0] == ""
