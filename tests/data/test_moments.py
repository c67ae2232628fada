"""Sums that no order of adding changes."""

import math
import random
import sys
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.stages import order_statistics, spread
from evenhand.data.tables import open_table
from properties import dear


def moments(scores):
    with open_table(pl.DataFrame({"g": ["x"] * len(scores), "s": scores})) as table:
        return count_applicants(table, ApplicantQuery(protected=("g",), score="s", means=True)).scores.row(
            0, named=True
        )


def exact(scores):
    mean = sum(map(Fraction, scores)) / len(scores)
    squares = sum((Fraction(score) - mean) ** 2 for score in scores)
    return float(mean), float(squares) if squares < sys.float_info.max else math.inf


@pytest.mark.parametrize(
    "scores",
    [
        [1e9 + step / 1000 for step in range(7)],  # a large mean and a small spread
        [1e15, 1e15 + 1, 1e15 + 2],
        [1e-12, 2e-12, 4e-12],
        [-5.0, 5.0, 1e-9],
        [0.1] * 10,
        [3.5],
        [1e300, -1e300, 5e299],
    ],
)
def test_mean_and_squares_are_those_of_fractions(scores):
    found = moments(scores)
    mean, squares = exact(scores)
    assert math.isclose(found["mean"], mean, rel_tol=1e-12, abs_tol=1e-12 * max(map(abs, scores)))
    assert math.isclose(found["squares"], squares, rel_tol=1e-9)


@dear(4)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_the_order_of_rows_changes_no_digit(scores):
    shuffled = random.Random(1).sample(scores, len(scores))
    assert moments(scores) == moments(shuffled)


@dear(8)
@given(st.lists(st.floats(-1e12, 1e12) | st.sampled_from([0.0, 1.0, 1.0000000000000002]), min_size=1, max_size=60))
def test_every_rank_is_that_of_the_sorted_scores(scores):
    with open_table(pl.DataFrame({"score": scores})) as table:
        known = spread(table, table.expr)
        assert order_statistics(table, table.expr, known, range(len(scores))) == dict(enumerate(sorted(scores)))


def test_a_rank_is_found_however_poor_the_first_guess(monkeypatch):
    # As an engine whose quantile is approximate would have it.
    scores = [step**3 / 7 for step in range(-500, 500)]
    monkeypatch.setattr("evenhand.data.stages._guesses", lambda *_: [0.1])
    with open_table(pl.DataFrame({"score": scores})) as table:
        known = spread(table, table.expr)
        assert order_statistics(table, table.expr, known, [3, 499, 998]) == {
            3: scores[3],
            499: scores[499],
            998: scores[998],
        }
