"""Ticks and places on known cases."""

from datetime import UTC, datetime
from itertools import pairwise
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.report.charts.axes import padded, scale_for, stretched, ticks_for


def texts(axis, low, high, most):
    return [tick.text for tick in ticks_for(axis, low, high, most=most)]


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        # Round steps of 1, 2 and 5 as in Heckbert, Nice numbers for graph labels, Graphics Gems (1990), p. 61.
        (0, 1, 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 1, 5, ["0.0", "0.5", "1.0"]),
        (0, 100, 11, ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"]),
        (105, 543, 5, ["200", "300", "400", "500"]),
        (-1, 1, 5, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
        (-0.4, -0.1, 4, ["−0.4", "−0.3", "−0.2", "−0.1"]),
        (-0.03, 0.021, 6, ["−0.03", "−0.02", "−0.01", "0.00", "0.01", "0.02"]),
        (1_000, 5_000, 5, ["1,000", "2,000", "3,000", "4,000", "5,000"]),
        (0, 3e-9, 4, ["0", "10⁻⁹", "2×10⁻⁹", "3×10⁻⁹"]),
        (0, 1e18, 3, ["0", "5×10¹⁷", "10¹⁸"]),
        (0.1, 0.3, 3, ["0.1", "0.2", "0.3"]),  # 3 times 0.1 is more than 0.3 in floating point
        (0.3, 0.4, 1, ["0.4"]),
    ],
)
def test_ticks_of_a_linear_axis(low, high, most, expected):
    assert texts("linear", low, high, most) == expected


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (1, 1e6, 10, ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"]),
        (1, 1e6, 4, ["1", "100", "10,000", "1,000,000"]),
        (1, 1e12, 4, ["1", "10,000", "10⁸", "10¹²"]),
        (0.05, 20, 10, ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20"]),
        (0.05, 20, 4, ["0.1", "1", "10"]),
        (0.3, 3, 8, ["0.3", "0.5", "1", "2", "3"]),
        (0.5, 2, 12, ["0.5", "0.6", "0.7", "0.8", "0.9", "1", "2"]),
        # Less than a factor of 3: as on a linear axis.
        (0.57, 1.06, 8, ["0.6", "0.7", "0.8", "0.9", "1"]),
        (0.94, 1.06, 8, ["0.94", "0.96", "0.98", "1", "1.02", "1.04", "1.06"]),
    ],
)
def test_ticks_of_a_logarithmic_axis(low, high, most, expected):
    assert texts("log", low, high, most) == expected


@pytest.mark.parametrize(
    ("start", "end", "most", "expected"),
    [
        ((2026, 11, 26, 5), (2026, 11, 26, 9), 6, ["26 Nov 05:00", "06:00", "07:00", "08:00", "09:00"]),
        ((2026, 11, 26, 13), (2026, 11, 27, 13), 5, ["26 Nov 18:00", "27 Nov", "06:00", "12:00"]),
        ((2026, 12, 30), (2027, 1, 3), 6, ["30 Dec 2026", "31 Dec", "1 Jan 2027", "2 Jan", "3 Jan"]),
        ((2026, 11, 1), (2026, 11, 30), 5, ["2 Nov 2026", "9 Nov", "16 Nov", "23 Nov", "30 Nov"]),  # Mondays
        ((2026, 1, 1), (2026, 12, 31), 5, ["Jan 2026", "Apr 2026", "Jul 2026", "Oct 2026"]),
        ((2021, 6, 1), (2026, 6, 1), 6, ["2022", "2023", "2024", "2025", "2026"]),
        ((1990, 1, 1), (2026, 1, 1), 5, ["1990", "2000", "2010", "2020"]),
    ],
)
def test_ticks_of_time_from_hours_to_decades(start, end, most, expected):
    low, high = (datetime(*each, tzinfo=UTC).timestamp() for each in (start, end))
    assert texts("time", low, high, most) == expected


@pytest.mark.parametrize("axis", ["linear", "log", "time"])
@pytest.mark.parametrize("ends", [(0, inf), (-inf, 1), (nan, 1), (2, 2), (3, 1)])
def test_an_axis_needs_two_finite_ends_in_order(axis, ends):
    with pytest.raises(ValueError, match="expected two finite numbers"):
        scale_for(axis, *ends, start=0, end=100)
    with pytest.raises(ValueError, match="expected two finite numbers"):
        ticks_for(axis, *ends, most=5)


def test_a_logarithmic_axis_begins_above_zero():
    with pytest.raises(ValueError, match="expected numbers above 0"):
        scale_for("log", 0, 1, start=0, end=100)


finite = st.floats(-1e300, 1e300, allow_nan=False)


@given(values=st.lists(finite, max_size=5), most=st.integers(1, 12))
def test_ticks_are_few_in_order_within_the_axis_and_have_texts_of_their_own(values, most):
    low, high = padded(values, share=0.05)
    ticks = ticks_for("linear", low, high, most=most)
    assert len(ticks) <= most
    assert all(low - (high - low) * 1e-9 <= tick.value <= high + (high - low) * 1e-9 for tick in ticks)
    assert all(one.value < other.value for one, other in pairwise(ticks))
    assert len({tick.text for tick in ticks}) == len(ticks)


@given(values=st.lists(st.floats(1e-300, 1e300), max_size=5), most=st.integers(1, 12))
def test_ticks_of_a_logarithmic_axis_are_few_and_have_texts_of_their_own(values, most):
    low, high = padded(values, share=0.05, axis="log")
    ticks = ticks_for("log", low, high, most=most)
    assert len(ticks) <= most
    assert len({tick.text for tick in ticks}) == len(ticks)


@given(values=st.lists(finite, min_size=1), share=st.floats(0, 0.5))
def test_a_padded_range_holds_its_values_and_has_a_width(values, share):
    low, high = padded(values, share=share)
    assert low < high
    assert low <= min(values)
    assert max(values) <= high


def test_places_by_hand():
    assert scale_for("linear", 0, 10, start=20, end=120).at(2.5) == 45
    assert scale_for("linear", 0, 10, start=120, end=20).at(2.5) == 95  # upwards
    assert scale_for("log", 1, 100, start=0, end=10).at(10) == 5
    assert scale_for("linear", 0, 10, start=0, end=10).at(inf) == 10
    around = stretched(-1, 1, constant=0.05, start=0, end=100)
    assert around.at(0) == 50
    assert around.at(-0.2) == pytest.approx(100 - around.at(0.2))
    # log(1 + 0.05 / 0.05) / log(1 + 1 / 0.05) = 0.2277
    assert around.at(0.05) == pytest.approx(50 + 50 * 0.2277, abs=0.01)
