import orjson
import polars as pl
import pytest

from evenhand.data.inputs import read_saved_answers
from evenhand.errors import InputError


def written(path, rows):
    path.write_bytes(b"\n".join(map(orjson.dumps, rows)))
    return path


def test_without_item_and_attempt_both_are_null(tmp_path):
    frame = read_saved_answers(written(tmp_path / "a.jsonl", [{"answer": "x"}, {"answer": None}]))
    assert frame["item"].to_list() == [None, None]
    assert frame["attempt"].to_list() == [None, None]
    assert frame["answer"].to_list() == ["x", None]
    assert frame["error"].to_list() == [None, None]


def test_columns_that_appear_late_and_blank_lines_are_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"answer": "x"}\n\n  \n{"answer": "y", "finish_reason": "length"}\n')
    assert read_saved_answers(path)["finish_reason"].to_list() == [None, "length"]


def test_parquet_and_jsonl_give_the_same_rows(tmp_path):
    rows = [{"item": 3, "attempt": 1, "answer": "ä\u0000\U0001f600", "template": 0}]
    pl.DataFrame(rows).write_parquet(tmp_path / "a.parquet")
    first = read_saved_answers(written(tmp_path / "a.jsonl", rows))
    assert first.equals(read_saved_answers(tmp_path / "a.parquet"))
    assert first["item"].to_list() == ["3"]


def test_a_csv_has_texts_and_numbered_attempts(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('item;attempt;answer\n1;0;"two\nlines"\n1;1;\n', encoding="utf-8")
    frame = read_saved_answers(path)
    assert frame.select("item", "attempt", "answer").rows() == [("1", 0, "two\nlines"), ("1", 1, None)]


def test_an_answer_that_is_a_number_is_read_as_its_text(tmp_path):
    rows = [{"answer": 89}, {"answer": "x"}, {"answer": 72.5}, {"answer": None}]
    assert read_saved_answers(written(tmp_path / "a.jsonl", rows))["answer"].to_list() == ["89", "x", "72.5", None]


@pytest.mark.parametrize("number", ["NaN", "-Infinity"])
def test_an_answer_that_is_no_finite_number_is_named(tmp_path, number):
    (tmp_path / "a.jsonl").write_text(f'{{"answer": {number}}}')
    with pytest.raises(InputError, match="expected text or null"):
        read_saved_answers(tmp_path / "a.jsonl")


def test_mixed_types_in_a_column_do_not_lose_a_row(tmp_path):
    frame = read_saved_answers(
        written(tmp_path / "a.jsonl", [{"answer": "x", "template": 0}, {"answer": "y", "template": "1"}])
    )
    assert frame["template"].to_list() == ["0", "1"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"text": "x"}], "No column 'answer'"),
        ([{"answer": True}], "expected text or null"),
        ([{"answer": "x"}, {"answer": [5]}], r"Line 2 .* answer is \[5\]"),
        ([{"answer": "x", "error": 5}], "error is 5"),
        ([{"answer": "x", "attempt": -1}], "Row 1 .* whole number from 0"),
        ([{"answer": "x", "item": "a"}, {"answer": "y"}], "Row 2 .* has no item"),
        ([{"answer": "x", "attempt": "first"}], "Row 1 .* attempt 'first'"),
    ],
)
def test_wrong_rows_are_named(tmp_path, rows, words):
    with pytest.raises(InputError, match=words):
        read_saved_answers(written(tmp_path / "a.jsonl", rows))


def test_half_a_surrogate_pair_is_replaced_visibly(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"answer": "ok \\ud83d end"}\n')
    assert read_saved_answers(tmp_path / "a.jsonl")["answer"].to_list() == ["ok \ufffd end"]


def test_another_encoding_is_named(tmp_path):
    (tmp_path / "a.jsonl").write_bytes('{"answer": "x"}'.encode("utf-16"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_saved_answers(tmp_path / "a.jsonl")


def test_keys_that_appear_late_in_lists_of_objects_are_kept(tmp_path):
    rows = [
        {"answer": "x", "candidates": [{"name": "Ida"}]},
        {"answer": "y", "candidates": [{"name": "Ugo", "slot": 2}]},
    ]
    frame = read_saved_answers(written(tmp_path / "a.jsonl", rows))
    assert [orjson.loads(text) for text in frame["candidates"]] == [row["candidates"] for row in rows]
