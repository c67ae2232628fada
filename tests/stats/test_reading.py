"""Which test to read, and how Z grows with size alone."""

import numpy as np
import pytest

from evenhand.stats import recommended_test, z_curve, z_test


@pytest.mark.parametrize(
    ("table", "size", "low_rate"),
    [
        ((5, 15, 5, 15), "moderate", False),  # 30 people, smallest expected cell exactly 5
        ((5, 15, 5, 14), "small", False),  # 29 people
        ((4, 20, 5, 20), "small", False),  # 40 people, 20·9/40 = 4.5
        ((5, 20, 5, 20), "moderate", False),  # 20·10/40 = 5
        ((16, 20, 15, 20), "small", False),  # not selected: 20·9/40 = 4.5
        ((2000, 5000, 2000, 5000), "moderate", False),  # 10,000 people
        ((2000, 5000, 2000, 5001), "large", False),
        ((1, 10_000, 3, 10_000), "small", True),  # many people, but a cell of 2
        ((5, 100, 5, 100), "moderate", False),  # 5 % exactly
        ((50, 1000, 49, 1000), "moderate", True),
        ((400, 6000, 400, 20_000), "large", True),
    ],
)
def test_size_and_rate_decide_on_both_sides_of_every_threshold(table, size, low_rate):
    choice = recommended_test(*table)
    assert (choice.size, choice.low_rate) == (size, low_rate)
    expected = {"small": "Fisher, flip-flop", "moderate": "Z, Fisher", "large": "impact ratio, Cohen's h"}
    assert choice.read_with == expected[size]
    assert ("Fewer than 5 %" in choice.reason) is low_rate


def test_the_reason_names_what_is_small():
    assert "fewer than 30 people" in recommended_test(5, 15, 5, 14).reason
    assert "expected cell is below 5" in recommended_test(4, 20, 5, 20).reason
    assert "more than 10,000 people" in recommended_test(2000, 5000, 2000, 5001).reason


def test_an_empty_group_has_nothing_to_read():
    choice = recommended_test(0, 0, 3, 9)
    assert (choice.size, choice.low_rate, choice.read_with, choice.smallest_expected) == (None, None, None, None)
    assert choice.reason == "The focal group has no people."


def test_many_tables_are_the_single_ones():
    tables = [(5, 15, 5, 14), (0, 0, 3, 9), (50, 1000, 49, 1000), (10**8, 10**9, 10**8, 10**9)]
    many = recommended_test(*np.array(tables).T)
    for row, table in enumerate(tables):
        single = recommended_test(*table)
        own = (many.size[row] or None, many.read_with[row] or None, many.reason[row], many.n[row])
        assert own == (single.size, single.read_with, single.reason, single.n)
    assert many.low_rate.tolist() == [False, False, True, False]


def test_swapping_groups_or_outcomes_keeps_the_smallest_expected_cell():
    cells = [recommended_test(*t).smallest_expected for t in ((7, 15, 14, 25), (14, 25, 7, 15), (8, 15, 11, 25))]
    assert cells == [7.125] * 3  # 15·19/40


def test_the_curve_is_the_z_test_of_equal_groups():
    n = 2000
    test = z_test(610, n, 590, n)  # rates .305 and .295
    assert z_curve(0.3, 0.01, n).statistic == pytest.approx(test.statistic, rel=1e-12)


def test_z_reaches_the_quantile_at_the_crossing():
    # 1.96² is the .95 quantile of χ² on 1 degree of freedom, 3.841459
    crossing = z_curve(0.3, 0.01, 1).crossing
    assert crossing == pytest.approx(2 * 0.21 * 3.841458820694124 / 0.01**2, rel=1e-12)
    assert z_curve(0.3, 0.01, int(crossing)).statistic < 1.959964 < z_curve(0.3, 0.01, int(crossing) + 1).statistic
    assert z_curve(0.3, -0.01, 1).crossing == crossing


@pytest.mark.parametrize(
    ("given", "z", "crossing"), [((0.0, 0.01, 9), None, None), ((0.3, 0.0, 9), 0.0, None), ((0.3, 0.01, 0), None, None)]
)
def test_what_the_curve_cannot_tell_is_null(given, z, crossing):
    curve = z_curve(*given)
    assert (curve.statistic, curve.crossing) == (z, crossing)
    assert (curve.reason is None) is (z is not None)


def test_a_rate_that_is_none_is_refused():
    with pytest.raises(ValueError, match="rate must lie between 0 and 1"):
        z_curve(30, 1, 100)
