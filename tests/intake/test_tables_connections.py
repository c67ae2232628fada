"""Connection URLs: what goes wrong before anything is counted."""

import socket

import polars as pl
import pytest

from evenhand.errors import InputError, ServiceError
from evenhand.intake.tables import open_table


@pytest.fixture
def database(tmp_path):
    import duckdb

    path = tmp_path / "hr.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE SCHEMA old; CREATE TABLE applicants AS SELECT 1 AS hired; CREATE TABLE old.jobs AS SELECT 2 AS n"
        )
    return f"duckdb://{path}"


def test_a_table_of_a_database_file_is_counted_and_the_file_not_changed(database):
    for table, value in (("applicants", 1), ("old.jobs", 2)):
        with open_table(database, table=table) as opened:
            assert opened.fetch(opened.expr).item() == value
            with pytest.raises(Exception, match="read-only"):
                opened.expr.get_backend().raw_sql("CREATE TABLE more AS SELECT 1")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (None, "--table NAME. Tables: applicants"),
        ("aplicants", "Did you mean --table applicants"),
        ("x.y", "No table 'x.y'"),
    ],
)
def test_a_wrong_table_is_told_with_those_there_are(database, table, words):
    with pytest.raises(InputError, match=words), open_table(database, table=table):
        pass


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgress://host/db", "Did you mean postgres://"),
        ("nosuch://host/db", "nosuch:// is not supported: evenhand counts in DuckDB"),
        ("duckdb://", "names no database file"),
        ("sqlite://", "names no database file"),
        ("sqlite://nosuch.db", "There is no file nosuch.db"),
        ("snowflake://user@account/db", "snowflake:// is not supported"),
    ],
)
def test_a_wrong_url_is_told(url, words):
    with pytest.raises(InputError, match=words), open_table(url, table="t"):
        pass


def test_a_sheet_of_a_database_is_an_error():
    with (
        pytest.raises(InputError, match="--sheet belongs to workbooks"),
        open_table("postgres://h/d", sheet="x", table="t"),
    ):
        pass


def test_a_refused_connection_tells_no_password():
    pytest.importorskip("psycopg")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"postgres://me:kept-secret@127.0.0.1:{port}/hr"
    with (
        pytest.raises(ServiceError, match=r"can't be reached at postgres://127[.]0[.]0[.]1") as told,
        open_table(url, table="t"),
    ):
        pass
    assert "kept-secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_missing_driver_names_what_to_install(monkeypatch):
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "psycopg" or name == "ibis.backends.postgres"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with (
        pytest.raises(InputError, match=r"pip install 'evenhand\[postgres\]'"),
        open_table("postgres://h/d", table="t"),
    ):
        pass


def test_more_groups_than_a_count_has_are_an_error():
    with open_table(pl.DataFrame({"a": [1, 2, 3]})) as table:
        assert table.fetch(table.expr, most=3).height == 3
        with pytest.raises(InputError, match="more than 2 combinations"):
            table.fetch(table.expr, most=2)
