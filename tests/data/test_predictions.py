"""Scores and outcomes as rows: what is joined, what is left out and told, and what outcomes are."""

import polars as pl
import pytest

from evenhand.data.predictions import PredictionQuery, read_predictions
from evenhand.data.tables import open_table
from evenhand.errors import InputError

ASKED = {"label": "stayed", "score": "fit", "protected": ("sex",)}
PEOPLE = {
    "person": [1, 2, 3, 4, 5, 6],
    "sex": ["F", "f ", "m", "m", None, "m"],
    "stayed": ["yes", "no", "yes", "no", "yes", None],
    "fit": [0.5, 0.25, 0.5, None, 0.75, 0.5],
}


def read(columns=None, **asked):
    with open_table(pl.DataFrame(PEOPLE | (columns or {}))) as table:
        return read_predictions(table, PredictionQuery(**ASKED | asked))


def test_spellings_are_one_group_and_who_lacks_score_or_outcome_is_counted_not_used():
    found = read()
    assert found.levels == {"sex": ("F", "m")}
    assert found.rows.select("protected.sex", "label", "score", "n").rows() == [
        (0, False, 0.25, 1),
        (0, True, 0.5, 1),
        (1, True, 0.5, 1),
        (None, True, 0.75, 1),
    ]
    accounting = found.accounting
    assert (accounting.rows_read, accounting.rows_used) == (6, 4)
    assert (accounting.decision_unknown, accounting.scores.null) == (1, 1)
    assert any("without what happened" in note for note in accounting.notes)


def test_a_count_table_is_the_people_it_stands_for():
    counts = pl.DataFrame({"sex": ["f", "m"], "stayed": [1, 0], "fit": [0.5, 0.25], "people": [3, 2]})
    expanded = pl.DataFrame({"sex": ["f"] * 3 + ["m"] * 2, "stayed": [1] * 3 + [0] * 2, "fit": [0.5] * 3 + [0.25] * 2})
    found = []
    for frame, more in ((counts, {"count": "people"}), (expanded, {})):
        with open_table(frame) as table:
            found.append(read_predictions(table, PredictionQuery(**ASKED | more)).rows)
    assert found[0].equals(found[1])


@pytest.mark.parametrize(
    ("at_least", "selected"), [(False, [False, False, False, True]), (True, [False, True, True, True])]
)
def test_selected_is_above_the_cut_off_or_from_it_on(at_least, selected):
    assert read(cutoff=0.5, at_least=at_least).rows["selected"].to_list() == selected


def test_ranks_are_turned_round_and_told_as_they_stand():
    found = read({"fit": [1, 2, 3, 4, 5, 6]}, top=2)
    assert found.rows["score"].to_list() == sorted(found.rows["score"].to_list())
    assert found.rows.filter("selected")["score"].to_list() == [-2.0, -1.0]
    assert (found.accounting.scores.lowest, found.accounting.scores.highest) == (1.0, 6.0)


@pytest.mark.parametrize(
    ("total", "totals", "people"),
    [((4, 3), None, 7), ((4, 3), "keep", 14), ((9, 9), None, None), ((9, 9), "drop", 7)],
)
def test_totals_of_a_count_table_are_found_and_told(total, totals, people):
    counts = pl.DataFrame(
        {
            "sex": ["Women", "Men", "Women", "Men", "Total", "Total"],
            "stayed": [1, 1, 0, 0, 1, 0],
            "fit": [0.5, 0.5, 0.25, 0.25, 0.5, 0.25],
            "people": [3, 1, 1, 2, *total],
        }
    )
    with open_table(counts) as table:
        query = PredictionQuery(**ASKED, count="people", totals=totals)
        if people is None:
            with pytest.raises(InputError, match=r"is called 'Total' in 'sex'.*--totals drop"):
                read_predictions(table, query)
            return
        found = read_predictions(table, query)
    assert (found.accounting.rows_used, found.rows["n"].sum()) == (people, people)
    assert "Total" in found.accounting.notes[0]


def test_repeated_rows_of_a_person_count_once_and_contradictions_are_told():
    rows = {
        "person": [1, 1, 2, 2, 3, 3],
        "sex": ["f", "f", "m", "m", "m", "f"],
        "fit": [0.5, 0.5, 0.25, 0.25, 0.75, 0.75],
    }
    found = read(rows | {"stayed": ["yes"] * 4 + ["no"] * 2}, unit="person")
    unit = found.accounting.unit
    assert (unit.units, unit.repeated_rows, unit.conflicts) == (3, 3, 1)
    assert found.rows["n"].sum() == 3


@pytest.mark.parametrize(
    ("values", "wanted", "positive"),
    [
        (["yes", "no", "yes", "no", "YES", None], None, ("yes",)),
        ([1, 0, 1, 0, 1, None], None, ("1",)),
        ([True, False, True, False, True, None], None, ("true",)),
        (["good", "bad", "good", "ok", "bad", ""], "good", ("good",)),
        (["good", "bad", "good", "ok", "bad", ""], "good,ok", ("good", "ok")),
    ],
)
def test_outcomes_that_are_understood(values, wanted, positive):
    assert tuple(each.lower() for each in read({"stayed": values}, label_value=wanted).positive) == positive


@pytest.mark.parametrize(
    ("values", "wanted", "told"),
    [
        (["good", "bad", "good", "ok", "bad", ""], None, "holds 3 different values"),
        (["good", "bad"] * 3, None, "say which of them is the outcome.*--label stayed=bad"),
        (["good", "bad"] * 3, "fine", "no value 'fine'"),
        (["yes"] * 6, None, "holds 'yes' only"),
        ([None] * 6, None, "is empty"),
        (["good", "bad"] * 3, "good,bad", "means the same in every row"),
        ([0.25, 0.5, 1.0, 0.0, 0.1, None], None, "holds fractions"),
    ],
)
def test_outcomes_that_are_not_two_are_refused(values, wanted, told):
    columns = {"stayed": pl.Series(values, dtype=pl.String)} if values == [None] * 6 else {"stayed": values}
    with pytest.raises(InputError, match=told):
        read(columns, label_value=wanted)
