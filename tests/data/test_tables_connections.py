"""Connection URLs: what goes wrong before anything is counted."""

import contextlib
import re
import socket
import sqlite3
from urllib.parse import quote

import ibis
import polars as pl
import pytest

from evenhand.data.tables import open_table
from evenhand.errors import InputError, ServiceError


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
        ("duckdb://", "has no database file"),
        ("sqlite://", "has no database file"),
        ("sqlite://nosuch.db", "There is no file nosuch.db"),
        ("duckdb://nosuch.duckdb?read_only=true", "There is no file nosuch.duckdb"),
        ("snowflake://user@account/db", "snowflake:// is not supported"),
    ],
)
def test_a_wrong_url_is_told(url, words):
    with pytest.raises(InputError, match=words), open_table(url, table="t"):
        pass


@pytest.mark.parametrize(
    "reading",
    ["FROM read_text('{secret}')", "FROM read_csv('{secret}')", "FROM glob('{secret}')", "FROM told('{secret}')"],
)
def test_a_view_of_a_database_file_reads_no_other_file(tmp_path, reading):
    import duckdb

    secret = tmp_path / "secret.txt"
    secret.write_text("word\nkept-secret\n")
    with duckdb.connect(str(tmp_path / "hr.duckdb")) as connection:
        connection.execute("CREATE MACRO told(name) AS TABLE SELECT * FROM read_text(name)")
        connection.execute(f"CREATE VIEW v AS SELECT * {reading.format(secret=secret)}")
    with (
        pytest.raises(InputError, match=r"'v' at duckdb://.* is a view that reads other files") as told,
        open_table(f"duckdb://{tmp_path / 'hr.duckdb'}", table="v"),
    ):
        pass
    assert "kept-secret" not in str(told.value)


@pytest.mark.parametrize("url", ["", "?read_only=true", "?threads=2&memory_limit=1GB"])
def test_a_database_file_can_not_be_opened_further(database, tmp_path, url):
    with open_table(database + url, table="applicants") as opened:
        engine = opened.expr.get_backend()
        for query in (
            "SET enable_external_access = true",
            "SET lock_configuration = false",
            f"ATTACH '{tmp_path / 'other.duckdb'}'",
            f"COPY applicants TO '{tmp_path / 'out.csv'}'",
            "INSTALL httpfs",
            "CREATE TABLE more AS SELECT 1",
        ):
            with pytest.raises(Exception, match=r"(?i)disabled by configuration|locked|read-only"):
                engine.raw_sql(query)
    assert [path.name for path in tmp_path.iterdir()] == ["hr.duckdb"]


def test_words_in_a_path_are_no_parameters_and_signs_in_it_are_spelled(tmp_path):
    import duckdb

    for name in ("my_read_only.duckdb", "a b?#%41'é.duckdb"):
        with duckdb.connect(str(tmp_path / name)) as connection:
            connection.execute("CREATE TABLE t AS SELECT 1 AS hired")
        with open_table(f"duckdb://{quote(str(tmp_path / name))}", table="t") as opened:
            assert opened.fetch(opened.expr).item() == 1
            with pytest.raises(Exception, match="read-only"):
                opened.expr.get_backend().raw_sql("CREATE TABLE more AS SELECT 1")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("read_only=false", "an unexpected value for read_only; expected read_only=true"),
        ("memory_limit=kept-secret", "an unexpected value for memory_limit"),
        ("threads=2;kept-secret", "an unexpected value for threads"),
        ("access_mode=kept-secret", "no parameter 'access_mode'; there are read_only, threads, memory_limit"),
    ],
)
def test_parameters_that_a_database_file_lacks_are_told_by_name(database, parameters, words):
    with pytest.raises(InputError, match=words) as told, open_table(f"{database}?{parameters}", table="applicants"):
        pass
    assert "kept-secret" not in str(told.value)


def test_counts_in_a_database_file_larger_than_memory_go_to_a_folder_of_their_own(tmp_path):
    import duckdb

    with duckdb.connect(str(tmp_path / "hr.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT hash(range) AS name FROM range(1500000)")
    with open_table(f"duckdb://{tmp_path / 'hr.duckdb'}?memory_limit=30MB&threads=1", table="t") as opened:
        numbered = opened.expr.mutate(number=ibis.row_number().over(order_by="name"))
        assert opened.fetch(numbered.aggregate(last=numbered["number"].max())).item() == 1_499_999
    assert [path.name for path in tmp_path.iterdir()] == ["hr.duckdb"]


@pytest.fixture
def sqlite_file(tmp_path):
    """Return a database in the way of a write-ahead log, whose path has signs that URLs use."""
    path = tmp_path / "a b?#%41.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(
            "CREATE TABLE t (sex TEXT, hired INTEGER); INSERT INTO t VALUES ('Fem', 1), ('mal', 0);"
            "CREATE VIEW women AS SELECT hired FROM t WHERE sex LIKE 'F%';"
            "CREATE VIEW v AS SELECT load_extension('other.so') AS x;"
        )
        yield path, f"sqlite://{quote(str(path))}"


def test_a_sqlite_file_is_read_with_its_log_and_its_views(sqlite_file):
    path, url = sqlite_file
    assert path.with_name(path.name + "-wal").stat().st_size
    for parameters in ("", "?mode=ro", "?read_only=true"):
        with open_table(url + parameters, table="women") as opened:
            assert opened.fetch(opened.expr).rows() == [(1,)]


def test_a_sqlite_file_can_not_be_opened_further(sqlite_file, tmp_path):
    _, url = sqlite_file
    with open_table(url, table="t") as opened:
        engine = opened.expr.get_backend()
        for query in (
            f"ATTACH '{tmp_path / 'other.sqlite'}' AS other",
            f"VACUUM INTO '{tmp_path / 'other.sqlite'}'",
            "SELECT load_extension('other.so')",
            "INSERT INTO t VALUES ('x', 1)",
        ):
            with pytest.raises(sqlite3.Error, match=r"not authorized|authorization denied|readonly"):
                engine.raw_sql(query)
    assert not (tmp_path / "other.sqlite").exists()
    with (
        pytest.raises(InputError, match=r"'v' at sqlite://.* is a view that .* loads code"),
        open_table(url, table="v"),
    ):
        pass
    with pytest.raises(InputError, match="no parameter 'vfs'"), open_table(url + "?vfs=unix-none", table="t"):
        pass


def test_a_file_of_another_kind_is_told(tmp_path):
    (tmp_path / "a.db").write_text("no database " * 1000)
    for scheme in ("duckdb", "sqlite"):
        with pytest.raises(ServiceError, match="can't be reached") as told, open_table(f"{scheme}://{tmp_path}/a.db"):
            pass
        assert "\n" not in str(told.value)


def test_names_of_tables_in_a_message_are_cut_and_counted(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
        for number in range(30):
            connection.execute(f'CREATE TABLE "{number:02}{"x" * 1000}" (a)')
    with pytest.raises(InputError, match=r"and 10 more") as told, open_table(f"sqlite://{tmp_path}/a.sqlite"):
        pass
    assert len(re.sub(r".*Tables:", "", str(told.value))) < 1500


def test_a_sheet_of_a_database_is_an_error():
    with (
        pytest.raises(InputError, match="--sheet belongs to workbooks"),
        open_table("postgres://h/d", sheet="x", table="t"),
    ):
        pass


@pytest.mark.parametrize("rest", ["me:s3cr/et@127.0.0.1:1/hr", "me:s3c?ret@127.0.0.1:1/hr", "127.0.0.1:1/hr?user=a@b"])
def test_a_url_that_could_be_read_two_ways_is_refused_with_the_repair(rest):
    with pytest.raises(InputError, match="write them as %2F %3F %23 %40") as told, open_table(f"postgres://{rest}"):
        pass
    assert "s3c" not in str(told.value)


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


def test_more_groups_than_a_count_has_are_an_error():
    with open_table(pl.DataFrame({"a": [1, 2, 3]})) as table:
        assert table.fetch(table.expr, most=3).height == 3
        with pytest.raises(InputError, match="more than 2 combinations"):
            table.fetch(table.expr, most=2)
