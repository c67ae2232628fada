"""What a core install reads, without PyArrow, pandas and drivers, and what it says of the rest."""

import json
import subprocess
import sys

import duckdb
import polars as pl
import pytest

HIDDEN = ("pandas", "psycopg", "pyarrow", "pyspark", "requests")
PROGRAM = """
import json, sys
sys.modules |= dict.fromkeys(json.loads(sys.argv[1]))
import polars as pl
from evenhand.data.tables import open_table
from evenhand.errors import InputError
FRAME = pl.DataFrame({"sex": ["f", "m", "m"]})
for name, source, table in json.loads(sys.argv[2]):
    try:
        with open_table(FRAME if source is None else source, table=table) as opened:
            counted = opened.fetch(opened.expr.group_by("sex").aggregate(n=opened.expr.count()))
        found = sorted(counted.rows())
    except InputError as error:
        found = str(error)
    print(json.dumps([name, found]))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return what is said of each source where nothing but a core install is there."""
    folder = tmp_path_factory.mktemp("core")
    frame = pl.DataFrame({"sex": ["f", "m", "m"]})
    frame.write_csv(folder / "a.csv")
    frame.write_parquet(folder / "a.parquet")
    frame.write_excel(folder / "a.xlsx")
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT * FROM '{folder / 'a.csv'}'")
    (folder / "a.sqlite").touch()
    sources = [
        *((name, str(folder / name), None) for name in ("a.csv", "a.parquet", "a.xlsx")),
        *((scheme, f"{scheme}://{folder}/a.{scheme}", "t") for scheme in ("duckdb", "sqlite")),
        *((scheme, f"{scheme}://host/db", "t") for scheme in ("postgres", "spark")),
        ("polars", None, None),
    ]
    arguments = [sys.executable, "-c", PROGRAM, json.dumps(HIDDEN), json.dumps(sources)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return dict(map(json.loads, done.stdout.splitlines()))


@pytest.mark.parametrize("source", ["a.csv", "a.parquet", "a.xlsx", "duckdb", "polars"])
def test_files_and_frames_are_counted(found, source):
    assert found[source] == [["f", 1], ["m", 2]]


@pytest.mark.parametrize(
    ("source", "extra", "name"),
    [("sqlite", "sqlite", "SQLite"), ("postgres", "postgres", "PostgreSQL"), ("spark", "spark", "Spark")],
)
def test_an_engine_that_needs_more_names_its_extra(found, source, extra, name):
    expected = f"{name} needs packages that are not installed; install them with: pip install 'evenhand[{extra}]'."
    assert found[source] == expected
