"""Formats of tables besides CSV: the same table in each gives the same cells, and damage is told in one line."""

import gzip
import io
import sys
from types import SimpleNamespace

import polars as pl
import pytest
import zstandard

from evenhand.data.tables import open_table
from evenhand.errors import InputError

ROWS = pl.DataFrame({"sex": ["f", "m", "é"] * 4, "hired": [True, False, None] * 4, "score": [1.5, 2.0, None] * 4})


def without_bytes(value):
    """Return what a case is called by: what is packed holds the second and differs between versions."""
    return "bytes" if isinstance(value, bytes) else None


def written(folder, name):
    """Return the table in a format, by its ending."""
    path = folder / name
    if name.endswith(".csv"):
        ROWS.write_csv(path)
    elif ".jsonl" in name:
        ROWS.write_ndjson(folder / "plain.jsonl")
        content = (folder / "plain.jsonl").read_bytes()
        pack = {".gz": gzip.compress, ".zst": zstandard.compress}.get(path.suffix, bytes)
        path.write_bytes(pack(content))
    elif ".csv" in name:
        content = ROWS.write_csv().encode("utf-16" if name.startswith("wide") else "utf-8")
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else zstandard.compress(content))
    elif name.endswith((".feather", ".arrow")):
        ROWS.with_columns(pl.col("sex").cast(pl.Categorical)).write_ipc(path, compression="lz4")
    return path


def cells(path):
    with open_table(path) as table:
        frame = table.fetch(table.expr)
        assert list(table.fingerprints) == [path.name]
    return frame


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.jsonl.gz", "t.jsonl.zst", "t.feather", "t.arrow"])
def test_types_are_kept(tmp_path, name):
    if name == "t.ndjson":
        written(tmp_path, "t.jsonl").rename(tmp_path / name)
    else:
        written(tmp_path, name)
    assert cells(tmp_path / name).equals(ROWS, null_equal=True)


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zst", "wide.csv.zst"])
def test_packed_text_is_as_plain_text(tmp_path, name):
    assert cells(written(tmp_path, name)).equals(cells(written(tmp_path, "t.csv")), null_equal=True)


def test_zstd_of_several_frames_is_read_whole(tmp_path):
    content = ROWS.write_csv().encode()
    path = tmp_path / "t.csv.zst"
    path.write_bytes(zstandard.compress(content[:20]) + zstandard.compress(content[20:]))
    assert cells(path).height == ROWS.height


def test_jsonl_of_several_kinds_is_text_and_lists_are_left_out(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "b": [1], "d": 1}\n{"a": "x", "c": true, "d": 2.5}\n', encoding="utf-8")
    with open_table(path) as table:
        assert table.fetch(table.expr).to_dict(as_series=False) == {
            "a": ["1", "x"], "d": [1.0, 2.5], "c": [None, True],
        }  # fmt: skip
        assert table.notes == ("Columns of lists and objects were left out of t.jsonl: 'b'.",)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.csv.gz", "t.jsonl.zst", "t.feather"])
def test_standard_input_is_what_it_begins_as(tmp_path, monkeypatch, name):
    content = written(tmp_path, name).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with open_table("-") as table:
        assert table.name == table.description == "standard input"
        assert table.fetch(table.expr.count().as_table()).item() == ROWS.height


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "t.csv.zst",
            zstandard.compress(b"a,b\n1,2\n" * 50)[:-6],
            "t.csv.zst is not a complete zstd file: it ends too early",
        ),
        ("t.csv.zst", b"(\xb5/\xfdxxxxxxxxxxxx", "t.csv.zst is not a complete zstd file"),
        ("t.jsonl.zst", zstandard.compress(b'{"a": 1}\n' * 90)[:-6], "t.jsonl.zst is not a complete zst file"),
        ("t.jsonl.gz", gzip.compress(b'{"a": 1}\n[1]\n'), "Line 2 of .*t.jsonl.gz is a JSON list"),
        ("t.jsonl", b'{"a": 1}\n{"a"', "Line 2 of .*t.jsonl is not valid JSON"),
        ("t.jsonl", b'{"a": 1, "b": "x"}\n\n{"a": 1, "b": "x", "a": 2}\n', "Line 3 of .*t.jsonl has the key 'a' twice"),
        ("t.jsonl", b'{"a": "\\"", "\\u0061": ""}', "Line 1 of .*t.jsonl has the key 'a' twice"),
        ("t.jsonl", b'{"a": 1, "b": {"c": 1, "c": 1}}', "Line 1 of .*t.jsonl has the key 'c' twice"),
        ("t.jsonl", b'{"a": [1]}\n', "every value is a list or an object"),
        ("t.feather", b"ARROW1\x00\x00broken", "t.feather can't be read as Feather"),
        ("t.parquet.zst", b"x", "has the ending .parquet.zst; expected .csv"),
        ("t.xyz", b"x", "has the ending .xyz; expected .csv, .tsv, .txt, .jsonl"),
    ],
    ids=without_bytes,
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=told) as error, open_table(tmp_path / name):
        pass
    assert "\n" not in str(error.value)
    assert "evenhand-" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b" \n", "Standard input is empty"),
        (b'{"a": 1}\nx\n', "Line 2 of standard input is not valid JSON"),
        (b"a\0b", "^Standard input is not a CSV file"),
        (gzip.compress(b"a,b\n1,2\n")[:-9], "^Standard input is not a complete gz file"),
    ],
    ids=without_bytes,
)
def test_standard_input_that_is_no_table_is_told(monkeypatch, content, told):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(InputError, match=told), open_table("-"):
        pass


def test_a_terminal_is_no_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    with pytest.raises(InputError, match="nothing is piped into it"), open_table("-"):
        pass


@pytest.fixture
def pyreadstat():
    return pytest.importorskip("pyreadstat", reason="the extra formats is not installed")


@pytest.mark.parametrize("ending", [".dta", ".sav", ".zsav"])
def test_values_of_statistics_packages_come_as_their_labels(tmp_path, monkeypatch, pyreadstat, ending):
    frame = pl.DataFrame({"sex": [1, 2, 9], "hired": [1, 0, None], "score": [1.5, 2.0, None], "job": ["a", "", "b"]})
    path = tmp_path / f"t{ending}"
    labels = {"sex": {1: "female", 2: "male"}, "hired": {0: "no", 1: "yes"}}
    more = {"compress": True} if ending == ".zsav" else {}
    writer = pyreadstat.write_dta if ending == ".dta" else pyreadstat.write_sav
    writer(frame, str(path), variable_value_labels=labels, **more)
    found = cells(path)
    assert found.to_dict(as_series=False) == {
        "sex": ["female", "male", "9"], "hired": ["yes", "no", None],
        "score": [1.5, 2.0, None], "job": ["a", None, "b"],
    }  # fmt: skip
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    for source in (path, "-"):
        with open_table(source) as table:
            assert table.notes == ("Values were read as their labels in 'sex', 'hired'.",)


@pytest.mark.parametrize(("name", "package"), [("t.dta", "Stata"), ("t.sav", "SPSS"), ("t.sas7bdat", "SAS")])
def test_damaged_files_of_statistics_packages_are_told(tmp_path, pyreadstat, name, package):
    assert pyreadstat
    (tmp_path / name).write_bytes(b"no such file at all" * 40)
    with pytest.raises(InputError, match=f"{name} can't be read as a file of {package}: "), open_table(tmp_path / name):
        pass


def test_a_file_larger_than_the_unpack_limit_is_refused(tmp_path, pyreadstat):
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(pl.DataFrame({"a": [1.0] * 150_000}), str(path), compress=True)
    with pytest.raises(InputError, match=r"t\.sav unpacks to more than 1 MB"), open_table(path, unpack_limit=1):
        pass


@pytest.mark.parametrize(("name", "package"), [("t.sav", "pyreadstat"), ("t.csv.zst", "zstandard")])
def test_a_missing_extra_is_named(tmp_path, monkeypatch, name, package):
    (tmp_path / name).write_bytes(b"x")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=r"pip install 'evenhand\[formats\]'"), open_table(tmp_path / name):
        pass
