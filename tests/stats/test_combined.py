import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.stats import combined_interval, rate_difference, selection_rate


@given(st.integers(0, 30), st.integers(0, 50))
def test_two_rates_with_wilsons_limits_give_newcombes_interval(a, c):
    rates = [selection_rate(a, 30), selection_rate(c, 50)]
    low, high = combined_interval(
        [1.0, -1.0], [r.estimate for r in rates], [r.low for r in rates], [r.high for r in rates]
    )
    newcombe = rate_difference(a, 30, c, 50)
    assert (low, high) == pytest.approx((newcombe.low, newcombe.high), abs=1e-12)


def test_a_mean_of_equal_estimates_narrows_with_the_square_root():
    # Four estimates 0 ± .2: half-width .2 / sqrt(4).
    low, high = combined_interval([0.25] * 4, [0.0] * 4, [-0.2] * 4, [0.2] * 4)
    assert (low, high) == pytest.approx((-0.1, 0.1))


def test_one_term_keeps_its_own_limits():
    assert combined_interval([1.0], [0.9], [0.7], [1.0]) == pytest.approx((0.7, 1.0))
