"""What scorers give, read: one finite number in the stated range."""

import polars as pl
import pytest

from evenhand.analyses.perturb_asking import RULES, read_numbers


@pytest.mark.parametrize(
    ("text", "error", "expected"),
    [
        ("0.72", None, ("observed", 0.72, None, "number")),
        (" 1 ", None, ("observed", 1.0, None, "number")),
        ("0", None, ("observed", 0.0, None, "number")),
        ("1.0", None, ("observed", 1.0, None, "number")),
        ("7.2e-1", None, ("observed", 0.72, None, "number")),
        (".5", None, ("observed", 0.5, None, "number")),
        ("1.0000001", None, ("undetected", None, None, "out of range")),
        ("-0.1", None, ("undetected", None, None, "out of range")),
        ("72", None, ("undetected", None, None, "out of range")),
        ("1e999", None, ("undetected", None, None, "no finite number")),
        ("NaN", None, ("undetected", None, None, "no finite number")),
        ("-Infinity", None, ("undetected", None, None, "no finite number")),
        ("72 %", None, ("undetected", None, None, "no number")),
        ("0,72", None, ("undetected", None, None, "no number")),
        ("good", None, ("undetected", None, None, "no number")),
        ("null", None, ("undetected", None, None, "no number")),
        ("true", None, ("undetected", None, None, "no number")),
        ("", None, ("undetected", None, None, "empty")),
        ("rank 3", None, ("observed", None, 3, "rank")),
        ("rank 0", None, ("undetected", None, None, "no number")),
        ("rank first", None, ("undetected", None, None, "no number")),
        (None, "missing", ("missing", None, None, "missing")),
        (None, None, ("missing", None, None, "missing")),
        (None, "timeout", ("error", None, None, "timeout")),
        (None, "rejected", ("error", None, None, "rejected")),
    ],
)
def test_an_answer_is_a_number_in_the_range_or_has_a_status(text, error, expected):
    answers = pl.DataFrame({"text": [text], "error_class": [error], "low": [0.0], "high": [1.0]})
    assert read_numbers(answers).row(0) == expected


def test_without_a_range_any_finite_number_counts():
    schema = {"text": pl.String, "error_class": pl.String, "low": pl.Float64, "high": pl.Float64}
    answers = pl.DataFrame([("-4321.5", None, None, None)], schema=schema, orient="row")
    assert read_numbers(answers).row(0) == ("observed", -4321.5, None, "number")


def test_no_answers_give_no_rows():
    schema = {"text": pl.String, "error_class": pl.String, "low": pl.Float64, "high": pl.Float64}
    assert read_numbers(pl.DataFrame(schema=schema)).height == 0
    assert set(RULES.values()) == {"observed", "undetected", "missing"}
