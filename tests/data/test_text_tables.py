"""Cells that a spreadsheet must not run, and files that one has saved."""

import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError
from evenhand.results.result import csv_bytes, guarded, unguarded


@given(text=st.text())
def test_guarded_text_comes_back_and_never_starts_a_formula(text):
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-- \nhi", "@SUM(A1)", "'tis", "'=1", 'a;b,"c"\nd', "  =1"])
@pytest.mark.parametrize(("encoding", "delimiter"), [("utf-8-sig", ","), ("cp1252", ";"), ("utf-16", "\t")])
def test_text_survives_a_spreadsheet(tmp_path, text, encoding, delimiter):
    written = csv_bytes(pl.DataFrame({"email": ["e1"], "text": [f"{text}é"]}), mark=True).decode("utf-8-sig")
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows([*csv.reader(io.StringIO(written, newline="")), ["", ""]])
    (tmp_path / "saved.csv").write_bytes(file.getvalue().encode(encoding))
    assert unguarded(read_text_table(tmp_path / "saved.csv").frame["text"][0]) == f"{text}é"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no rows"),
        (b"a,b\n", "has no rows"),
        (b"a,b\n1\n", "Row 1 of .* has 1 fields, the header 2"),
        (b"a,b\n1,2,3\n", "Row 1 of .* has 3 fields"),
        (b"a,a\n1,2\n", "the column 'a' twice"),
        (b"a,\n1,2\n", "Column 2 of .* has values but no header"),
        (b'a,b\n"1,2\n', "can't be read as CSV"),
        (b"PK\x03\x04rest", "workbook"),
        (b"a\x00b", "NUL"),
        (b"a\n\x81\n", "neither UTF-8"),
    ],
    ids=str,
)
def test_files_that_are_no_table(tmp_path, content, words):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_text_table(tmp_path / "t.csv")


def test_blank_rows_and_columns_and_the_sep_line_are_left_out(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"sep=;\r\na;b;\r\n1;;\r\n;;\r\n")
    assert read_text_table(tmp_path / "t.csv").frame.to_dicts() == [{"a": "1", "b": None}]
