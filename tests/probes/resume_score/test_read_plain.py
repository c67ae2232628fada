"""Scores read at once: never another reading than that of single answers."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.probes.resume_score.outcomes import read_scores
from evenhand.probes.resume_score.reader import read_score

SCHEMA = {"text": pl.String, "finish_reason": pl.String, "error_class": pl.String}
RANGES = [(0, 100), (1, 5), (0, 1), (-10, 10), (0, 1000)]
LABELS = st.sampled_from(
    ["", "", "Score: ", "**Score:** ", "score:", "Rating: **", "Final Score: ", "Confidence: ", "1. "]
)
NUMBERS = st.one_of(
    st.integers(-20, 1200).map(str),
    st.floats(0, 100).map(lambda value: f"{value:.2f}"),
    st.sampled_from(["", "7,5", "1,000", "007", "5.", ".5", "72 ", "\u0667\u0662", "1e3", "72\r", "9" * 12]),
)
ENDS = st.sampled_from(["", "", "**", ".", "\n", "\n\n", "/100", "%", " points", " years", "**.", "."])
ROWS = st.tuples(
    st.one_of(st.none(), st.text(max_size=20), st.builds("{}{}{}".format, LABELS, NUMBERS, ENDS)),
    st.sampled_from([None, "stop", "stop", "length", "content_filter", "end_turn"]),
    st.sampled_from([None, None, None, "timeout", "missing"]),
)


@given(st.lists(ROWS, max_size=20), st.sampled_from(RANGES))
def test_many_answers_are_read_as_single_ones(rows, span):
    low, high = span
    read = read_scores(pl.DataFrame(rows, schema=SCHEMA, orient="row"), low=low, high=high)
    single = [read_score(text, finish, low=low, high=high, error_class=error) for text, finish, error in rows]
    assert read.rows() == [(each.status, each.score, each.rule) for each in single]


@pytest.mark.parametrize(
    "text", ["72", "72.5", "\u0667\u0662", "**72**", "Score: 72", "**Score:** 72", "Score: **72**", "Rating: 7", "72."]
)
def test_plain_answers_have_their_score(text):
    frame = pl.DataFrame([(text, "stop", None)], schema=SCHEMA, orient="row")
    assert read_scores(frame, low=0, high=100)["status"].to_list() == ["observed"]


def test_no_answers_are_no_readings():
    assert read_scores(pl.DataFrame(schema=SCHEMA), low=0, high=100).shape == (0, 3)
