"""Answers as outcomes, and saved answers as stimuli."""

import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes.resume_score.outcomes import outcomes, saved_stimuli

ROW = {"name": "Angela Vang", "resume": "r1", "position": "Baker", "wording": "number"}


def saved(*rows, low=0.0, high=100.0):
    return saved_stimuli(pl.DataFrame([{**ROW, **row} for row in rows]), low=low, high=high)


def test_saved_names_of_our_tables_have_their_groups():
    frame = saved({"name": "jane X", "gender": "female", "race": "black"}, {"gender": None, "race": None})
    assert frame.select("name", "gender", "race").rows() == [
        ("jane X", "female", "black"),
        ("Angela Vang", "female", "asian"),
    ]
    assert frame["unit"].to_list() == ["jane x\x1fr1\x1fbaker\x1fnumber", "angela vang\x1fr1\x1fbaker\x1fnumber"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"wording": "essay"}, "Row 1: wording 'essay' is not one of number, rubric, json"),
        ({"resume": " "}, "Row 1: resume is empty"),
        ({"position": None}, "Row 1: position is empty"),
        ({"name": "Nobody Known"}, "Row 1: name 'Nobody Known' is not in our tables"),
        ({"low": 1, "high": 10}, "Give --range 1-10"),
        ({"high": 10}, "Give --range 0.0-10"),
    ],
)
def test_rows_that_can_not_be_used_are_named(row, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        saved(row)


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="need the column wording"):
        saved_stimuli(pl.DataFrame([ROW]).drop("wording"), low=0.0, high=1.0)


def test_a_score_is_an_outcome_without_successes():
    answers = saved({}, {}, {}).with_columns(
        pl.Series("text", ["72", "I can't rate a person.", "120"]),
        pl.lit("stop").alias("finish_reason"),
        pl.lit(None, pl.String).alias("error_class"),
        pl.lit(None, pl.String).alias("pair"),
        pl.int_range(3).cast(pl.Int32).alias("attempt"),
        pl.col("unit").alias("item"),
        pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
    )
    found = outcomes(answers).outcomes
    assert found.select("score", "successes", "trials").rows() == [(72.0, None, None), (None,) * 3, (None,) * 3]
    assert found["status"].to_list() == ["observed", "refused", "undetected"]
    assert found["context.resume"].to_list() == ["r1"] * 3
