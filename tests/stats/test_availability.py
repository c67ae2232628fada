"""People against a stated share: published cases, and SciPy's exact test."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evenhand.stats import availability


@pytest.mark.parametrize(
    ("x", "n", "share", "expected", "z"),
    [
        # Castaneda v. Partida, 430 U.S. 482, 496 n.17: 688 expected, about 29 standard deviations.
        (339, 870, 0.791, 688, -29.1),
        # Hazelwood, 433 U.S. 299, 308 n.14: more than six standard deviations; 311 n.17: fewer than two.
        (15, 405, 0.154, 62, -6.5),
        (15, 405, 0.057, 23, -1.7),
    ],
    ids=["castaneda", "hazelwood-area", "hazelwood-without-st-louis"],
)
def test_published_cases(x, n, share, expected, z):
    found = availability(x, n, share)
    assert (round(found.expected), round(found.statistic, 1)) == (expected, z)
    assert found.shortfall == pytest.approx(found.expected - x)
    assert found.p == pytest.approx(binomtest(x, n, share).pvalue, rel=1e-6)


@given(st.integers(1, 400), st.floats(0, 1), st.sampled_from([0.5, 0.25, 0.1, 1 / 3]) | st.floats(0.01, 0.99))
def test_p_is_that_of_scipy(n, part, share):
    x = int(part * n)
    assert availability(x, n, share).p == pytest.approx(binomtest(x, n, share).pvalue, rel=1e-6)


def test_the_rest_of_two_groups_has_the_opposite_z_and_the_same_p():
    one, rest = availability([339], [870], 0.791), availability([531], [870], 0.209)
    assert one.statistic == pytest.approx(-rest.statistic)
    assert one.p == pytest.approx(rest.p)


def test_nobody_is_null_with_a_reason():
    found = availability(0, 0, 0.4)
    assert (found.estimate, found.p, found.low, found.statistic) == (None,) * 4
    assert found.reason == "There is nobody to compare."


@pytest.mark.parametrize("share", [0.0, 1.0, 42.0, -0.1, np.nan])
def test_a_share_is_between_0_and_1(share):
    with pytest.raises(ValueError, match=r"Write 42 % as 0\.42"):
        availability(1, 2, share)
