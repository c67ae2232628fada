"""Scores that a closed system gave, read back."""

import polars as pl
import pytest

from evenhand.data.inputs import ScoreColumns
from evenhand.errors import InputError
from evenhand.models.scorers import read_saved_scores

IDS = {"r1": "r1", "r2": "r2", "Ana_Lee_r1": "r1", "CV v1.5_r2": "r2"}
POSITIONS = {"n": "n", "c": "c", "Nurse": "n"}


def read(path, *, positions=POSITIONS, repetitions=1, **columns):
    columns = ScoreColumns(**columns)
    saved = read_saved_scores(path, ids=IDS, positions=positions, columns=columns, repetitions=repetitions)
    return saved.rows.select("document", "position", "answer").rows(), saved.remarks


def rows(tmp_path, text, *, name="scores.csv", **more):
    path = tmp_path / name
    path.write_text(text)
    return read(path, **more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,position,score\nr1,n,0.5\nr2,c, 72 \n", [("r1", "n", "0.5"), ("r2", "c", "72")]),
        ("ID;Position;Rank\nr1;n;3\n", [("r1", "n", "rank 3")]),
        ("id,position,score,note\nr1,n,,x\nr2,n,high,y\n", [("r1", "n", None), ("r2", "n", "high")]),
        ("File,position,score\narms/documents/Ana_Lee_r1.docx,Nurse,1\n", [("r1", "n", "1")]),
        ("file,position,score\nin/CV V1.5_R2.docx,NURSE,1\n", [("r2", "n", "1")]),
        ("file,position,score\nC:\\in\\ANA_LEE_R1.PDF,n,1\nCV v1.5_r2,n,2\n", [("r1", "n", "1"), ("r2", "n", "2")]),
        ("id,document,position,score\nr1,documents/other.docx,n,1\n", [("r1", "n", "1")]),
    ],
)
def test_rows_are_scores_or_ranks_of_what_was_written(tmp_path, text, expected):
    assert rows(tmp_path, text) == (expected, ())


def test_tables_of_other_formats_are_read_with_the_columns_that_are_named(tmp_path):
    table = pl.DataFrame({"attachment": ["Ana_Lee_r1.docx", "r2"], "job": ["Nurse", "c"], "match": [0.25, 3e-7]})
    named = {"document": "attachment", "position": "job", "score": "match"}
    table.write_parquet(tmp_path / "scores.parquet")
    table.write_ndjson(tmp_path / "scores.jsonl")
    for ending in ("parquet", "jsonl"):
        found, _ = read(tmp_path / f"scores.{ending}", **named)
        assert [(*row[:2], float(row[2])) for row in found] == [("r1", "n", 0.25), ("r2", "c", 3e-7)]


def test_rows_about_others_and_repeated_rows_are_counted_and_left_out(tmp_path):
    text = "id,position,score\nr1,n,1\nr9,n,1\nr1,x,1\nr1,n,1\nr2,n,2\n"
    found, remarks = rows(tmp_path, text)
    assert found == [("r1", "n", "1"), ("r2", "n", "2")]
    assert remarks == (
        "2 rows of scores.csv about no document and position of this experiment, left out: 2, 3.",
        "1 row of scores.csv the same as one before: 4.",
    )


def test_several_scores_of_a_pair_are_as_many_repetitions(tmp_path):
    text = "id,position,score\nr1,n,1\nr1,n,2\n"
    assert rows(tmp_path, text, repetitions=2) == ([("r1", "n", "1"), ("r1", "n", "2")], ())
    with pytest.raises(InputError, match=r"^Rows 1, 2 of .* are 2 scores of one document .* or give --repetitions 2"):
        rows(tmp_path, text)


def test_a_name_that_two_documents_share_is_none_of_them(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("id,score\na/cv,1\ncv.pdf,2\n")
    saved = read_saved_scores(path, ids={"a/cv": "a/cv", "b/cv": "b/cv"}, positions={"n": "n"})
    assert saved.rows["document"].to_list() == ["a/cv"]
    assert saved.remarks[0].endswith("left out: 2.")


def test_a_single_position_need_not_be_named(tmp_path):
    assert rows(tmp_path, "id,score\nr1,1\n", positions={"n": "n"})[0] == [("r1", "n", "1")]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("scores.csv", "id,position\nr1,n\n", "has no column score; expected id,position,score"),
        ("scores.csv", "person,position,score\nr1,n,1\n", "has no column id"),
        ("scores.csv", "id,position,score,rank\nr1,n,1,1\n", "has both score and rank"),
        ("scores.csv", "id,score\nr1,1\n", "2 positions; name another with --item FILE,POSITION. Columns: id, score."),
        ("scores.csv", "id,position,score\nr9,n,1\n", "the id 'r9' is none of this experiment's"),
        ("scores.csv", "id,position,score\nr1,x,1\n", "the position 'x' is none of this experiment's"),
        ("scores.csv", "id,position,score\nr1,n,\n", "holds no score"),
        ("scores.csv", "id,position,rank\nr1,n,0\n", "Row 1 of "),
        ("scores.csv", "id,position,rank\nr1,n,first\n", "rank 'first' is not a whole number from 1 to 32767"),
        ("scores.json", "{}", "scores.json"),
    ],
)
def test_a_table_that_can_not_be_used_is_refused_in_one_line(tmp_path, name, text, told):
    with pytest.raises(InputError) as caught:
        rows(tmp_path, text, name=name)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"No column 'match' in .*Columns: id, position, score"):
        rows(tmp_path, "id,position,score\nr1,n,1\n", score="match")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="No file"):
        read(tmp_path / "none.csv")
