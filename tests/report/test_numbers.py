"""Rounding: never onto zero, a band's edge or a legal threshold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.report.words.numbers import Scale, confidence_text, count_text, general_text, p_text, unbroken

POINTS = Scale(factor=100, suffix=" points", decimals=1, signed=True)
RATIO = Scale(decimals=3)


@pytest.mark.parametrize(
    ("value", "apart", "expected"),
    [
        (0.041, (), "+4.1 points"),
        (-0.041, (), "−4.1 points"),
        (0.0, (), "0.0 points"),
        (0.0002, (), "+0.02 points"),  # 0.0 would read as no difference
        (5.6e-17, (), "0.0 points"),  # what floating point leaves of zero
        (0.05, (0.05,), "+5.0 points"),
        (0.0501, (0.05,), "+5.01 points"),  # 5.0 would read as mark A
        (None, (), "–"),
        (float("nan"), (), "–"),
    ],
)
def test_points_have_one_decimal_and_more_where_it_matters(value, apart, expected):
    assert POINTS.text(value, apart=apart) == expected


@pytest.mark.parametrize(("value", "expected"), [(0.79999, "0.79999"), (0.8, "0.800"), (0.80001, "0.80001")])
def test_a_ratio_is_printed_on_its_side_of_four_fifths(value, expected):
    assert RATIO.text(value, apart=[0.8]) == expected


def test_an_interval_without_an_upper_end_is_open_and_without_both_absent():
    assert (POINTS.interval(0.1, None), POINTS.interval(None, None)) == ("+10.0 or above", "–")


@pytest.mark.parametrize(
    ("p", "expected"),
    [(None, "–"), (0.0, "< 0.001"), (0.0009, "< 0.001"), (0.001, "0.001"), (0.0496, "0.0496"), (0.05, "0.050")],
)
def test_p_is_never_printed_as_zero_or_across_one_in_twenty(p, expected):
    assert p_text(p) == expected


def test_parameters_that_were_not_given_are_said_to_be_not_given():
    assert [general_text(value) for value in (None, True, 1.0, 0.7, 5_424_000, ["a", 2])] == [
        "not given",
        "yes",
        "1",
        "0.7",
        "5,424,000",
        "a, 2",
    ]
    assert count_text(9_812) == "9,812"
    assert confidence_text(0.975) == "97.5 %"


@given(st.floats(-2, 2), st.sampled_from([0.0, 0.05, 0.15, 0.8]))
def test_printed_values_stay_on_their_side_of_a_limit_down_to_the_last_decimal(value, limit):
    printed = float(RATIO.number(value, apart=[limit]).replace("−", "-").replace(",", ""))
    if abs(value - limit) > 1e-6:
        assert (printed > limit) == (value > limit)
        assert (printed < limit) == (value < limit)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("95 % CI 1.0 to 2.0", "95_%_CI 1.0 to 2.0"),
        ("(95 % CI)", "(95_%_CI)"),
        ("30.4 % against 44.5 %", "30.4_% against 44.5_%"),
        ("4.0 percentage points more", "4.0_percentage points more"),
        ("+3.0 points (p = 0.012)", "+3.0_points (p_=_0.012)"),
        ("p < 0.001, Z = 9.6, n = 400", "p_<_0.001, Z_=_9.6, n_=_400"),
        ("step by step", "step by step"),
        ("map = 3", "map = 3"),
    ],
)
def test_no_line_ends_between_a_number_and_its_unit(text, held):
    assert unbroken(text).replace("\N{NO-BREAK SPACE}", "_") == held
