import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.results.result import FORMULA_SIGNS, csv_bytes, guarded, unguarded


def read(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("sign", [*FORMULA_SIGNS, "'"])
@pytest.mark.parametrize("mark", [True, False])
def test_no_cell_and_no_header_begins_like_a_formula(sign, mark):
    header, *rows = read(csv_bytes(pl.DataFrame({f"{sign}h": [f"{sign}SUM(1)", "white"], "n": [1, -2]}), mark=mark))
    assert header == [f"'{sign}h", "n"]
    assert rows == [[f"'{sign}SUM(1)", "1"], ["white", "-2"]]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00")), min_size=1))
def test_every_text_comes_back(texts):
    frame = pl.DataFrame({"text": texts, "beside": "x"}, schema={"text": pl.String, "beside": pl.String})
    cells = [row[0] for row in read(csv_bytes(frame))[1:]]
    assert cells == [guarded(text) for text in texts]
    assert [unguarded(cell) for cell in cells] == texts


def test_unknown_and_empty_are_blank_and_categories_are_texts():
    frame = pl.DataFrame({"group": pl.Series(["=a", None, ""], dtype=pl.Categorical), "share": [0.1, None, 1e-12]})
    assert read(csv_bytes(frame))[1:] == [["'=a", "0.1"], ["", ""], ["", "1e-12"]]
