"""The engines that the same questions are put to: DuckDB here, PostgreSQL and Spark started by the tests."""

import contextlib
import gc
import getpass
import shutil
import tempfile
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import ibis
import polars as pl
import pytest

from evenhand.data.tables import open_table
from system_packages import needed

#: How PostgreSQL calls the types of a frame.
TYPES = {
    pl.String: "text",
    pl.Boolean: "boolean",
    pl.Int64: "bigint",
    pl.Float64: "double precision",
    pl.Float32: "real",
    pl.Date: "date",
    pl.Decimal: "numeric(12, 4)",
}


@dataclass(frozen=True)
class Engine:
    """Opens a frame in an engine, as a table that was there before."""

    name: str
    put: Callable[[pl.DataFrame], Any]

    @contextmanager
    def open(self, frame: pl.DataFrame):
        source, table = self.put(frame)
        with open_table(source, table=table) as opened:
            yield opened


@pytest.fixture(scope="session")
def spark_session():
    """Start Spark in a local process, once for all tests."""
    needed("java", find_spec("pyspark") and shutil.which("java"))
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory(prefix="evenhand-spark-") as folder:
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            # Tables of twelve rows: starting and compiling is all the time there is.
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.sql.warehouse.dir": folder,
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        builder = SparkSession.builder.master("local[1]").appName(f"evenhand tests of {getpass.getuser()}")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()
        with warnings.catch_warnings():
            # Py4J leaves its sockets to the garbage collector.
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


def in_postgres(url: str) -> Callable[[pl.DataFrame], Any]:
    def put(frame: pl.DataFrame) -> Any:
        import psycopg

        with psycopg.connect(url) as connection:
            columns = ", ".join(f'"{name}" {TYPES[dtype.base_type()]}' for name, dtype in frame.schema.items())
            connection.execute("DROP TABLE IF EXISTS applicants")
            connection.execute(f"CREATE TABLE applicants ({columns})")
            marks = ", ".join(["%s"] * frame.width)
            with connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO applicants VALUES ({marks})", frame.rows())
        return url, "applicants"

    return put


def in_spark(session: Any, folder: Path) -> Callable[[pl.DataFrame], Any]:
    def put(frame: pl.DataFrame) -> Any:
        path = Path(folder, f"{len(list(Path(folder).iterdir()))}.parquet")
        frame.write_parquet(path)
        session.read.parquet(str(path)).createOrReplaceTempView("applicants")
        return "pyspark://", "applicants"

    return put


def in_sqlite(folder: Path) -> Callable[[pl.DataFrame], Any]:
    def put(frame: pl.DataFrame) -> Any:
        import sqlite3

        path = Path(folder, "applicants.sqlite")
        path.unlink(missing_ok=True)
        kinds = {**TYPES, pl.Float32: "real", pl.Float64: "real", pl.Int64: "integer", pl.Decimal: "decimal(12, 4)"}
        # SQLite keeps days as text and decimals as numbers; Ibis reads both by the type that was declared.
        cells = frame.with_columns(pl.col(pl.Decimal).cast(pl.Float64), pl.col(pl.Date).cast(pl.String))
        with contextlib.closing(sqlite3.connect(path)) as connection:
            columns = ", ".join(f'"{name}" {kinds[dtype.base_type()]}' for name, dtype in frame.schema.items())
            connection.execute(f"CREATE TABLE applicants ({columns})")
            marks = ", ".join("?" * frame.width)
            connection.executemany(f"INSERT INTO applicants VALUES ({marks})", cells.rows())
            connection.commit()
        return f"sqlite://{path}", "applicants"

    return put


@pytest.fixture(scope="session")
def duckdb():
    """Return the embedded engine."""
    return Engine("duckdb", lambda frame: (frame, None))


def started(name: str, request: Any) -> Engine:
    """Return an engine by its name; PostgreSQL and Spark need a system package."""
    if name == "duckdb":
        return request.getfixturevalue("duckdb")
    if name == "sqlite":
        return Engine("sqlite", in_sqlite(request.getfixturevalue("tmp_path")))
    if name == "polars":
        return Engine("polars", lambda frame: (ibis.polars.connect({"applicants": frame}).table("applicants"), None))
    if name == "postgres":
        return Engine("postgres", in_postgres(request.getfixturevalue("postgres_server")))
    return Engine("spark", in_spark(request.getfixturevalue("spark_session"), request.getfixturevalue("tmp_path")))


@pytest.fixture(params=["sqlite", "polars", "postgres", "spark"])
def server(request):
    """Return the other engines in turn."""
    return started(request.param, request)


@pytest.fixture(params=["duckdb", "sqlite", "polars", "postgres", "spark"])
def engine(request):
    """Return all engines in turn."""
    return started(request.param, request)
