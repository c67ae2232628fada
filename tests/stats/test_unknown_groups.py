"""Bounds of the impact ratio where some people's group is unknown."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.stats import impact_ratio, impact_ratio_bounds

few = st.integers(0, 3)


def every_ratio(a, b, c, d, *, s, f):
    """All impact ratios of the assignments of s selected and f not selected to focal, reference or neither."""
    for to_focal, to_reference in product(product(range(s + 1), range(f + 1)), repeat=2):
        (i, k), (j, m) = to_focal, to_reference
        if i + j <= s and k + m <= f:
            selected, n = c + j, c + d + j + m
            if selected:
                yield Fraction(a + i, a + b + i + k) / Fraction(selected, n)


@given(a=few, b=few, c=few, d=few, s=few, f=few)
def test_the_bounds_are_the_extremes_of_all_assignments(a, b, c, d, *, s, f):
    bounds = impact_ratio_bounds(a, a + b, c, c + d, s, s + f)
    if not a + b or not c + d or not c + s:
        assert (bounds.low, bounds.high) == (None, None)
        assert bounds.reason == bounds.high_reason
        assert bounds.reason
        return
    ratios = list(every_ratio(a, b, c, d, s=s, f=f))
    assert bounds.low == float(min(ratios))
    if c:
        assert bounds.high == float(max(ratios))
    else:
        assert (bounds.high, bounds.reason) == (None, None)
        assert "no upper bound" in bounds.high_reason


def test_without_unknown_people_both_bounds_are_the_ratio():
    bounds = impact_ratio_bounds(7, 15, 14, 25, 0, 0)
    assert bounds.low == bounds.high == impact_ratio(7, 15, 14, 25).estimate


def test_more_unknown_people_widen_the_bounds():
    bounds = impact_ratio_bounds(40, 100, 50, 100, [0, 2, 10], [0, 5, 40])
    assert (np.diff(bounds.low) < 0).all()
    assert (np.diff(bounds.high) > 0).all()
    assert bounds.n_unknown.tolist() == [0, 5, 40]


def test_many_tables_are_the_single_ones():
    tables = [(4, 10, 5, 10, 1, 2), (0, 0, 5, 10, 1, 2), (4, 10, 0, 10, 1, 2)]
    many = impact_ratio_bounds(*np.array(tables).T)
    for row, table in enumerate(tables):
        single = impact_ratio_bounds(*table)
        for name in ("low", "high"):
            value = getattr(many, name)[row]
            assert (None if np.isnan(value) else value) == getattr(single, name)
        assert (many.reason[row] or None, many.high_reason[row] or None) == (single.reason, single.high_reason)


def test_more_selected_than_unknown_are_refused():
    with pytest.raises(ValueError, match="selected_unknown must not exceed n_unknown"):
        impact_ratio_bounds(4, 10, 5, 10, 3, 2)
