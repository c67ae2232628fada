"""Files as people have them: every way of writing the same table is the same table."""

import gzip
import hashlib
from datetime import datetime, timedelta
from decimal import Decimal

import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from evenhand.data.open_table import checked_column
from evenhand.data.tables import open_table
from evenhand.errors import InputError

TEXT = "naïve;gender;note\n007;F;x\n1;M;été\n"


def rows(path, **options):
    with open_table(path, **options) as table:
        return table.fetch(table.expr).rows()


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("codec", "end", "separator"),
    [
        (codec, end, ",;\t|"[(place + at) % 4])
        for place, codec in enumerate(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"))
        for at, end in enumerate(("\n", "\r\n", "\r"))
    ],
)
def test_encoding_separator_and_line_ends_do_not_matter(tmp_path, codec, end, separator):
    content = TEXT.replace(";", separator).replace("\n", end).encode(codec)
    path = written(tmp_path, "a.csv", content)
    with open_table(path) as table:
        assert table.expr.columns == ("naïve", "gender", "note")
        assert table.fetch(table.expr).rows() == [("007", "F", "x"), ("1", "M", "été")]
        named = {"utf-8-sig": "UTF-8", "utf-8": "UTF-8", "cp1252": "cp1252"}.get(codec, "UTF-16")
        assert table.details["encoding"] == named
        assert any(named in note for note in table.notes) == (named != "UTF-8")
        assert table.fingerprints == {"a.csv": hashlib.sha256(content).hexdigest()}


def test_a_zipped_csv_and_mixed_line_ends_are_read(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b'a,b\r\n1,2\n3,"x\ny"\r\n'))
    assert rows(path) == [("1", "2"), ("3", "x\ny")]


@pytest.mark.parametrize("top", ["sep=;\n", "\n\n", "sep=;\r\n"])
def test_what_stands_above_the_header_is_no_header(tmp_path, top):
    assert rows(written(tmp_path, "a.csv", top + "a;b\n1;2\n")) == [("1", "2")]


def test_blank_rows_are_left_out_and_counted(tmp_path):
    with open_table(written(tmp_path, "a.csv", "a,b,\n1,2,\n,,\n  ,,\n3,4,\n")) as table:
        assert table.fetch(table.expr).rows() == [("1", "2"), ("3", "4")]
        assert table.details["blank_rows"] == 2
        assert "2 blank rows were left out of a.csv." in table.notes


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("a,b\n", "has no rows"),
        ("a,b\n,\n", "has no rows"),
        ("a,\n1,2\n", "Column 2 of .* has values but no header"),
        ("a,b\n1,2\n3\n4,5\n", "row 2 has 1 field, the header 2"),
        ("a,b\n1,2\n3,4,5\n", "row 2 has 3 fields, the header 2"),
        ('a,b\n1,"x\n', "near line"),
        (b"a,b\n1,\x00\n", "NUL bytes"),
        (b"a,b\n1,\x81\n", "neither UTF-8 nor UTF-16 nor cp1252"),
        (b"PK\x03\x04....", "is a workbook"),
        (b"PAR1....", "is Parquet"),
    ],
)
def test_a_csv_that_is_none_is_told_in_one_line(tmp_path, content, words):
    path = written(tmp_path, "a.csv", content)
    with pytest.raises(InputError, match=words) as told, open_table(path):
        pass
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("columns", [300, 2_500])
def test_a_csv_of_many_columns_is_read(tmp_path, columns):
    header = ["sex", "hired", *(f"q{place}" for place in range(columns)), "", ""]
    body = [["f", "1"], ["m", "007"], ["", "  "], ["", ""]]
    lines = [",".join(row + ["1" if row[0] else ""] * columns + ["", ""]) for row in body]
    path = written(tmp_path, "a'b.csv", "\n".join([",".join(header), *lines, "x,0" + "," * (columns + 2)]))
    with open_table(path) as table:
        assert len(table.expr.columns) == columns + 2
        chosen = table.expr.select("sex", "hired", f"q{columns - 1}")
        assert table.fetch(chosen).rows() == [("f", "1", "1"), ("m", "007", "1"), ("x", "0", None)]
        assert table.details["blank_rows"] == 2
        with pytest.raises(Exception, match="disabled by configuration"):
            table.expr.get_backend().raw_sql(f"SELECT * FROM read_text('{tmp_path}/other.txt')")


def test_rows_of_a_csv_of_many_columns_keep_their_order(tmp_path):
    header = ",".join(f"q{place}" for place in range(250))
    path = written(tmp_path, "a.csv", "\n".join([header, *(f"{row}" + ",x" * 249 for row in range(7_000))]))
    with open_table(path) as table:
        numbered = table.expr.select("q0", number=ibis.row_number())
        assert table.fetch(numbered.filter(numbered["q0"] != numbered["number"].cast("string"))).is_empty()


def test_a_column_among_many_with_values_but_no_header_is_told(tmp_path):
    header = ",".join(["a", "", *(f"q{place}" for place in range(300))])
    path = written(tmp_path, "a.csv", header + "\n" + "1," * 301 + "1\n")
    with pytest.raises(InputError, match=r"Column 2 of .* has values but no header"), open_table(path):
        pass


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "a.csv",
            ",".join(f"q{place}" for place in range(20_000)) + "\n1\n",
            "20,000 columns, more than the 12,000 that are read",
        ),
        ("a.csv.gz", "a," + "x" * 2**21 + "\n1,2\n", "no header in its first 1 MB"),
        ("a.csv.gz", "a,b\n1,2\n" + "x" * (2**25 + 2**21) + ",2\n3,4\n", "a line of more than 32 MB"),
        # Without a limit of its own DuckDB leaves such a last line out, and says nothing.
        ("a.csv", "a,b\n1,2\n" + "x" * (2**25 + 2**21) + ",2", "a line of more than 32 MB"),
        ("a.csv", "a,b\n1,2\n" + "\n" * 2**26, "32 MB of consecutive blank lines"),
        ("a.csv", "\n" * 2**21 + "a,b\n1,2\n", "no header in its first 1 MB"),
    ],
    ids=["columns", "header", "line", "last line", "blank lines", "blank top"],
)
def test_what_is_too_long_is_told_with_the_limit(tmp_path, name, content, words):
    path = written(tmp_path, name, gzip.compress(content.encode(), 1) if name.endswith(".gz") else content)
    with pytest.raises(InputError, match=words) as told, open_table(path):
        pass
    assert len(str(told.value)) < 400


def test_a_cell_of_many_megabytes_is_one_cell(tmp_path):
    path = written(tmp_path, "a.csv", "a,b\n1,2\n" + "x" * 20_000_000 + ",3\n4,5\n")
    with open_table(path) as table:
        assert table.fetch(table.expr.select("b")).rows() == [("2",), ("3",), ("5",)]


def test_a_repeated_header_is_renamed_and_told_and_asking_for_it_is_refused(tmp_path):
    path = written(tmp_path, "compas.csv", "race,decile_score,Decile_score,decile_score (1)\nx,1,2,3\n")
    with open_table(path) as table:
        names = ("race", "decile_score (2)", "Decile_score (3)", "decile_score (1)")
        assert table.expr.columns == names
        assert table.fetch(table.expr).row(0) == ("x", "1", "2", "3")
        assert table.notes == (
            "compas.csv has 2 columns with the header 'decile_score'; they are called 'decile_score (2)' and "
            "'Decile_score (3)' here.",
        )
        for asked in ("decile_score", "Decile_score"):
            with pytest.raises(InputError, match=rf"--score {asked}: compas.csv has several .*'decile_score \(2\)'"):
                checked_column(table, asked, "--score")
        checked_column(table, "race", "--protected")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("a.doc", {}, "has the ending .doc; expected .csv"),
        ("a", {}, r"has the ending \(none\)"),
        ("a.json.gz", {}, "has the ending"),
        ("missing.csv", {}, "does not exist"),
        ("a.csv", {"sheet": "x"}, "--sheet belongs to workbooks"),
        ("a.csv", {"table": "x"}, "--table belongs to connection URLs"),
        ("a.parquet", {}, "can't be read as Parquet"),
        ("a.xlsx", {}, "can't be read as a workbook"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path, name, options, words):
    if not name.startswith("missing"):
        written(tmp_path, name, "a,b\n1,2\n")
    with pytest.raises(InputError, match=words) as told, open_table(tmp_path / name, **options):
        pass
    assert "\n" not in str(told.value)


def test_parquet_keeps_types_and_an_empty_one_is_an_error(tmp_path):
    frame = pl.DataFrame({"a": [1, None], "b": [True, None], "c": [0.5, float("nan")]})
    frame.write_parquet(tmp_path / "a.parquet")
    with open_table(tmp_path / "a.parquet") as table:
        assert table.fetch(table.expr).equals(frame)
    frame.clear().write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match="has no rows"), open_table(tmp_path / "b.parquet"):
        pass


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content[:-8] + (2**31 - 1).to_bytes(4, "little") + b"PAR1",
        lambda content: content[:-8] + bytes(4) + b"PAR1",
        lambda content: content[:-40] + b"\xff" * 32 + content[-8:],
        lambda _: b"PAR1",
        lambda _: b"PAR1" + bytes(100) + b"PAR1",
    ],
)
def test_a_damaged_parquet_file_is_told_in_one_line(tmp_path, damage):
    whole = tmp_path / "whole.parquet"
    pl.DataFrame({"a": ["x", "y"] * 50}).write_parquet(whole)
    path = written(tmp_path, "a.parquet", damage(whole.read_bytes()))
    with pytest.raises(InputError, match="can't be read as Parquet") as told, open_table(path):
        pass
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("depth", "words"), [(300, "holds lists of lists; expected one value"), (900, "nested too deeply")]
)
def test_values_that_are_nested_too_deeply_are_told(tmp_path, depth, words):
    nested = pa.array([1])
    for _ in range(depth):
        nested = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), nested)
    pq.write_table(pa.table({"a": nested}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=words), open_table(tmp_path / "a.parquet") as table:
        checked_column(table, "a", "--protected")


@pytest.fixture
def workbook(tmp_path):
    path = tmp_path / "a.xlsx"
    book = xlsxwriter.Workbook(path)
    first, _ = book.add_worksheet("People"), book.add_worksheet("Empty")
    rows = [("gender", "hired", "rate", "years"), ("F", True, 1, 4), (None,) * 4, (" M", False, None, "N/A")]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if cell is not None:
                first.write(row, column, cell)
    first.write_formula(3, 2, "=1/0", None, "#DIV/0!")
    book.close()
    return path


def test_the_first_sheet_is_read_and_that_is_said(workbook):
    with open_table(workbook) as table:
        # A text makes its column one of texts; only an error of the sheet makes a column unusable.
        assert table.fetch(table.expr).rows() == [("F", True, "1", "4"), (" M", False, None, "N/A")]
        assert table.details == {"source": "a.xlsx", "sheet": "People", "blank_rows": 1}
        assert "the first, 'People', was read" in table.notes[0]
        assert list(table.damaged) == ["rate"]
    with open_table(workbook, sheet="People") as table:
        assert not any("sheets" in note for note in table.notes)


@pytest.mark.parametrize(("sheet", "words"), [("people", "Did you mean 'People'"), ("Empty", "is empty")])
def test_a_wrong_sheet_is_told_with_those_there_are(workbook, sheet, words):
    with pytest.raises(InputError, match=words), open_table(workbook, sheet=sheet):
        pass


@pytest.mark.parametrize("kind", ["polars", "lazy", "pandas", "arrow", "ibis"])
def test_frames_of_all_kinds_are_tables(kind):
    frame = pl.DataFrame({"gender": ["F", None], "hired": [True, False]})
    source = {
        "polars": lambda: frame,
        "lazy": frame.lazy,
        "pandas": frame.to_pandas,
        "arrow": frame.to_arrow,
        "ibis": lambda: ibis.memtable(frame),
    }[kind]()
    assert rows(source) == [("F", True), (None, False)]


def test_a_column_of_pandas_that_mixes_kinds_is_named():
    frame = pd.DataFrame({"id": [1, 2, 3], "hired": [1, "yes", None]})
    with pytest.raises(InputError, match="The column 'hired' of the frame mixes int and str"), open_table(frame):
        pass
    mended = frame.assign(hired=frame["hired"].astype("string"))
    assert rows(mended) == [(1, "1"), (2, "yes"), (3, None)]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (pl.DataFrame(), "has no rows"),
        (pl.DataFrame({"a": []}), "has no rows"),
        (5, "A int is not a table"),
        (object(), "A object is not a table"),
        (pl.DataFrame({"a": [2**70]}, schema={"a": pl.Int128}), "A column of the frame has a type that DuckDB lacks"),
    ],
    ids=["no column", "no row", "number", "object", "type"],
)
def test_what_is_no_table_is_told(source, words):
    with pytest.raises(InputError, match=words) as told, open_table(source):
        pass
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pl.UInt64, [2**64 - 1, None]),
        (pl.Decimal(38, 2), [Decimal(10) ** 35 + Decimal("0.25"), None]),
        (pl.Enum(["f", "m"]), ["m", None]),
        (pl.Datetime("ns"), [datetime(2020, 1, 2, 3, 4, 5), None]),  # noqa: DTZ001 - without a zone on purpose
        (pl.Float32, [float("inf"), None]),
        (pl.Binary, [b"a\0", None]),
        (pl.List(pl.String), [["x"], None]),
    ],
    ids=str,
)
def test_values_of_a_frame_come_back_as_they_are(kind, values):
    assert rows(pl.DataFrame({"a": values}, schema={"a": kind})) == [(value,) for value in values]


def test_spans_of_time_are_groups_and_sums_of_whole_numbers_stay_exact():
    frame = pl.DataFrame({"span": [timedelta(days=1), timedelta(days=1)], "n": [2**62, 2**61]})
    with open_table(frame) as table:
        assert table.fetch(table.expr.group_by("span").aggregate(n=table.expr.n.sum())).rows() == [
            ("24:00:00", 2**62 + 2**61)
        ]


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx", "frame"])
def test_what_is_opened_reaches_no_other_file(tmp_path, workbook, kind):
    frame = pl.DataFrame({"a": ["1"]})
    frame.write_parquet(tmp_path / "a'[1].parquet")
    sources = {
        "csv": written(tmp_path, "a.csv", "a\n1\n"),
        "parquet": tmp_path / "a'[1].parquet",
        "xlsx": workbook,
        "frame": frame,
    }
    other = written(tmp_path, "other.txt", "kept")
    with open_table(sources[kind]) as table:
        assert table.fetch(table.expr.count().as_table()).item()
        for query in (f"SELECT * FROM read_text('{other}')", "SET enable_external_access = true"):
            with pytest.raises(Exception, match=r"disabled by configuration|locked"):
                table.expr.get_backend().raw_sql(query)
