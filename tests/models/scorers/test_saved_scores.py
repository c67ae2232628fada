"""Scores that a closed system gave, read back."""

import pytest

from evenhand.errors import InputError
from evenhand.models.scorers import read_saved_scores

IDS, POSITIONS = {"r1", "r2"}, {"n", "c"}


def rows(tmp_path, text, *, positions=POSITIONS, name="scores.csv"):
    path = tmp_path / name
    path.write_text(text)
    return read_saved_scores(path, ids=IDS, positions=positions).select("document", "position", "answer").rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,position,score\nr1,n,0.5\nr2,c, 72 \n", [("r1", "n", "0.5"), ("r2", "c", "72")]),
        ("ID;Position;Rank\nr1;n;3\n", [("r1", "n", "rank 3")]),
        ("id,position,score,note\nr1,n,,x\nr2,n,high,y\n", [("r1", "n", None), ("r2", "n", "high")]),
        ("id,position,score\nr1,n,1\nr1,n,2\n", [("r1", "n", "1"), ("r1", "n", "2")]),
    ],
)
def test_rows_are_scores_or_ranks_of_what_was_written(tmp_path, text, expected):
    assert rows(tmp_path, text) == expected


def test_a_single_position_need_not_be_named(tmp_path):
    assert rows(tmp_path, "id,score\nr1,1\n", positions={"n"}) == [("r1", "n", "1")]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("scores.csv", "id,position\nr1,n\n", "has no column score; expected id,position,score"),
        ("scores.csv", "person,position,score\nr1,n,1\n", "has no column id"),
        ("scores.csv", "id,position,score,rank\nr1,n,1,1\n", "has both score and rank"),
        ("scores.csv", "id,score\nr1,1\n", "has no column position, and there are 2 positions"),
        ("scores.csv", "id,position,score\nr1,n,1\nr9,n,1\n", "Row 2 of "),
        ("scores.csv", "id,position,score\nr9,n,1\n", "the id 'r9' is none of this experiment's"),
        ("scores.csv", "id,position,score\nr1,x,1\n", "the position 'x' is none of this experiment's"),
        ("scores.csv", "id,position,score\nr1,n,\n", "holds no score"),
        ("scores.csv", "id,position,rank\nr1,n,0\n", "Row 1 of "),
        ("scores.csv", "id,position,rank\nr1,n,first\n", "rank 'first' is no whole number from 1 to 32767"),
        ("scores.json", "{}", "has the ending .json; expected scores as .csv"),
    ],
)
def test_a_table_that_can_not_be_used_is_refused_in_one_line(tmp_path, name, text, told):
    with pytest.raises(InputError) as caught:
        rows(tmp_path, text, name=name)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="No file"):
        read_saved_scores(tmp_path / "none.csv", ids=IDS, positions=POSITIONS)
