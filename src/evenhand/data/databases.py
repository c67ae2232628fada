"""Engines that count: DuckDB in this process, database files, PostgreSQL and Spark behind URLs, all through Ibis.

Every engine is tested with the same tables and gives the same numbers. Tables pass between DuckDB and Polars through
Arrow's C interface, without PyArrow. Database files are opened read-only and locked down, as a view in such a file is
a program: it may read other files on this machine, attach them or load code.
"""

import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

import duckdb
import ibis
import polars as pl
from ibis.backends.duckdb import Backend
from ibis.common.exceptions import TableNotFound
from ibis.expr.schema import Schema
from ibis.formats.polars import PolarsType

from evenhand.data.open_table import OpenTable, message_of
from evenhand.errors import InputError, ServiceError, option_text
from evenhand.results.files import scratch_folder, sqlite_for_readers
from evenhand.results.messages import is_ambiguous, listed, public_url, quoted, shortened


@dataclass(frozen=True, kw_only=True)
class Engine:
    """An engine's name, the extra that installs its packages, and whether a URL opens it."""

    name: str
    extra: str | None = None
    by_url: bool = True


#: By Ibis's name.
ENGINES = {
    "duckdb": Engine(name="DuckDB"),
    "sqlite": Engine(name="SQLite", extra="sqlite"),
    "postgres": Engine(name="PostgreSQL", extra="postgres"),
    "pyspark": Engine(name="Spark", extra="spark"),
    "polars": Engine(name="Polars", by_url=False),
}


def not_supported(name: str) -> str:
    """Return why an engine is refused, and what to do instead."""
    known = ", ".join(engine.name for engine in ENGINES.values() if engine.by_url)
    return f"{name} is not supported: evenhand counts in {known}. Export the table to Parquet or CSV."


#: The temporary table of `DuckDB.stored`.
STORED: Final = "evenhand_stored"


@dataclass(frozen=True)
class Rows:
    """Rows in memory for DuckDB, which would convert a Polars frame itself to PyArrow first."""

    frame: pl.DataFrame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the rows anew for each query."""
        return self.frame.__arrow_c_stream__(requested_schema)


class DuckDB(Backend):  # type: ignore[misc]
    """Ibis's DuckDB backend without PyArrow."""

    def get_schema(self, table_name: str, *, catalog: str | None = None, database: str | None = None) -> Schema:
        """Return the columns of a table and their types."""
        place = ".".join('"' + part.replace('"', '""') + '"' for part in (catalog, database, table_name) if part)
        try:
            columns = self.con.execute(f"DESCRIBE {place}").fetchall()
        except duckdb.CatalogException as error:
            raise TableNotFound(table_name) from error
        kind = self.compiler.type_mapper.from_string
        return Schema({name: kind(spelling, nullable=null == "YES") for name, spelling, null, *_ in columns})

    def list_tables(self) -> list[str]:
        """Return the names of the tables and views in the current schema."""
        named = "SELECT DISTINCT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        result = self.con.execute(f"{named} AND table_catalog IN (current_database(), 'temp')")
        return [name for (name,) in result.fetchall()]

    def stored(self, expr: Any) -> Any:
        """Return a temporary table with the rows of a query, in place of the one before."""
        self.con.execute(f"CREATE OR REPLACE TEMP TABLE {STORED} AS {self.compile(expr)}")
        return self.table(STORED)

    def to_polars(
        self,
        expr: Any,
        /,
        *,
        params: Mapping[Any, Any] | None = None,
        limit: int | str | None = None,
        **_: Any,
    ) -> pl.DataFrame:
        """Return rows with Ibis's types: in DuckDB a sum of whole numbers is wider, and an enum is text."""
        table = expr.as_table()
        # Polars has neither intervals of months and days nor bits, which Ibis doesn't know either.
        foreign = [name for name, kind in table.schema().items() if kind.is_interval() or kind.is_unknown()]
        table = table.mutate(**{name: table[name].cast("string") for name in foreign}) if foreign else table
        frame = pl.DataFrame(self.con.sql(self.compile(table, params=params, limit=limit)))
        kinds = {
            name: PolarsType.from_ibis(kind)
            for name, kind in table.schema().items()
            if kind.is_numeric() or kind.is_string()
        }
        return frame.cast(kinds)


#: The parameters that a URL of a file may have, with their patterns. Tables are read-only in any case.
_TRUE: Final = "true|1|yes"
FILE_ENGINES: Final = {
    "duckdb": {"read_only": _TRUE, "threads": r"[1-9]\d{0,3}", "memory_limit": r"\d+(\.\d+)? ?[KMGT]i?B"},
    "sqlite": {"read_only": _TRUE, "mode": "ro"},
}
_EXPECTED: Final = {
    "read_only": "true",
    "mode": "ro",
    "threads": "a whole number",
    "memory_limit": "a size such as 4GB",
}
_DENIED_ACTIONS: Final = frozenset({sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH})
_DENIED_FUNCTIONS: Final = frozenset({"load_extension", "fts3_tokenizer"})


def database_file(scheme: str, rest: str, place: str, closing: ExitStack) -> Any:
    """Return Ibis's connection to a database file; `rest` is the URL after `duckdb://` or `sqlite://`.

    Raises
    ------
    InputError
        There is no such file, or a parameter is not known.

    """
    file, _, query = rest.partition("?")
    path = Path(unquote(file))
    settings = _settings(scheme, query)
    if file in {"", "/", ":memory:"}:
        raise InputError(
            f"{scheme}:// has no database file; give {scheme}://FILE.{scheme}, or the CSV or Parquet file itself."
        )
    # SQLite would create an empty file.
    if not path.is_file():
        raise InputError(
            f"There is no file {path} at {place}; give {scheme}://FOLDER/FILE or {scheme}:///FOLDER/FILE from the root."
        )
    connection = _duckdb(path.absolute(), settings, closing) if scheme == "duckdb" else _sqlite(path.absolute())
    closing.callback(connection.disconnect)
    return connection


def lock(connection: duckdb.DuckDBPyConnection, *, reading: Path | None = None) -> None:
    """Permanently restrict a connection to its own file, its temporary folder, and `reading` where given."""
    if reading is not None:
        name = str(reading).replace("'", "''")
        connection.execute(f"SET allowed_paths = ['{name}']")
    for setting in ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"):
        connection.execute(f"SET {setting} = false")
    connection.execute("SET lock_configuration = true")


def was_denied(error: BaseException) -> bool:
    """Say whether an engine failed because a view tried to read other files or load code."""
    if isinstance(error, sqlite3.DatabaseError):
        return any(words in str(error) for words in ("not authorized", "authorization denied", "unsafe use"))
    return isinstance(error, duckdb.PermissionException)


def _settings(scheme: str, query: str) -> dict[str, str]:
    """Return the parameters of a URL; messages name them and never repeat their values."""
    known = FILE_ENGINES[scheme]
    settings = dict(parse_qsl(query, keep_blank_values=True))
    for name, value in settings.items():
        if name not in known:
            raise InputError(
                f"{scheme}:// has no parameter {quoted(name)}; there are {', '.join(known)}. evenhand only "
                "reads tables."
            )
        if re.fullmatch(known[name], value, re.IGNORECASE) is None:
            raise InputError(f"{scheme}:// has an unexpected value for {name}; expected {name}={_EXPECTED[name]}.")
    return settings


def _duckdb(path: Path, settings: dict[str, str], closing: ExitStack) -> Any:
    folder = closing.enter_context(scratch_folder())
    config: dict[str, str | bool | int | float | list[str]] = {
        name: value for name, value in settings.items() if name != "read_only"
    }
    config["temp_directory"] = str(folder)
    # DuckDB would fetch an extension from the network for a file in another format.
    config |= {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    opened = duckdb.connect(str(path), read_only=True, config=config)
    connection = DuckDB.from_connection(opened)
    # Ibis sets the time zone first.
    lock(opened)
    return connection


def _sqlite(path: Path) -> Any:
    # Ibis replaces LIKE, which PRAGMA trusted_schema would take from all views; `_allowed` denies the rest.
    opened = _sqlite_opened(path)
    connection = ibis.sqlite.from_connection(opened)
    opened.set_authorizer(_allowed)
    return connection


def _sqlite_opened(path: Path) -> sqlite3.Connection:
    """Open a file for reading; as immutable where SQLite can't write its write-ahead log in the folder."""
    opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        opened.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        opened.close()
        opened = sqlite3.connect(sqlite_for_readers(path), uri=True)
    except sqlite3.Error:
        opened.close()
        raise
    return opened


def _allowed(action: int, _first: str | None, second: str | None, _database: str | None, _view: str | None) -> int:
    """Deny access to other files and code; the file itself was opened for reading."""
    denied = action in _DENIED_ACTIONS or (action == sqlite3.SQLITE_FUNCTION and second in _DENIED_FUNCTIONS)
    return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK


#: The memory that DuckDB uses before it writes to its temporary folder.
MEMORY = "1GB"
NAME = "applicants"


def embedded(closing: ExitStack, *, on_disk: bool = False) -> tuple[Any, Path]:
    """Return a DuckDB connection of Ibis, and a temporary folder that is deleted on closing."""
    folder = closing.enter_context(scratch_folder())
    database = str(folder / "applicants.duckdb") if on_disk else ":memory:"
    connection = DuckDB().connect(database, temp_directory=str(folder / "spill"), memory_limit=MEMORY)
    closing.callback(connection.disconnect)
    return connection, folder


def engine_name() -> str:
    """Return DuckDB and its version."""
    return f"DuckDB {duckdb.__version__}"


def opened_parquet(path: Path, closing: ExitStack) -> OpenTable:
    """Open a Parquet file; its columns keep their types."""
    connection, _ = embedded(closing)
    # DuckDB 1.4 compares allowed paths as text, so links and dots have to be resolved.
    resolved = path.resolve()
    try:
        expr = connection.read_parquet(str(resolved), table_name=NAME)
        rows = connection.raw_sql(f"SELECT count(*) FROM {NAME}").fetchone()[0]  # noqa: S608 - a constant
    except duckdb.Error as error:
        raise InputError(f"{path} can't be read as Parquet: {message_of(error)}.") from error
    except RecursionError as error:
        raise InputError(f"{path} has a column of values nested too deeply; leave it out.") from error
    if not rows:
        raise InputError(f"{path} has no rows.")
    lock(connection.con, reading=resolved)
    with path.open("rb") as file:
        fingerprint = hashlib.file_digest(file, "sha256").hexdigest()
    return OpenTable(
        expr=expr,
        engine=engine_name(),
        name=path.name,
        details={"source": path.name},
        fingerprints={path.name: fingerprint},
        rows=rows,
    )


def opened_frame(source: Any, closing: ExitStack) -> OpenTable:
    """Open a frame of pandas, polars or pyarrow, or an Ibis table, which stays with its engine."""
    if isinstance(source, ibis.Table):
        return _opened_ibis(source)
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    try:
        frame = pl.DataFrame(source)
    except ImportError as error:
        raise InputError(
            "This frame of pandas is read with PyArrow; install it with: pip install 'evenhand[pandas]'."
        ) from error
    except Exception as error:
        if mixed := _mixed_column(source):
            raise InputError(mixed) from error
        kind = type(source).__name__
        raise InputError(
            f"A {kind} is not a table; expected a frame of polars, pandas or pyarrow, or an Ibis table."
        ) from error
    return opened_rows(
        frame,
        name="the frame",
        details={"source": f"a {type(source).__module__.split('.')[0]} frame"},
        closing=closing,
    )


def _opened_ibis(source: Any) -> OpenTable:
    backend = ibis.get_backend(source)
    if backend.name not in ENGINES:
        raise InputError(f"{not_supported(backend.name)} Or give its rows as a frame: table.to_polars().")
    engine = engine_name() if backend.name == "duckdb" else f"{ENGINES[backend.name].name} {backend.version}"
    return OpenTable(expr=source, engine=engine, name="the table", details={"source": "an Ibis table"})


def _mixed_column(source: Any) -> str | None:
    """Return a message about the first pandas column that mixes kinds of cells, such as numbers and text."""
    if type(source).__module__.split(".")[0] != "pandas" or not hasattr(source, "items"):
        return None
    for name, column in source.items():
        if str(column.dtype) == "object":
            kinds = sorted({type(value).__name__ for value in column.dropna()})
            if len(kinds) > 1:
                return (
                    f"The column {quoted(str(name))} of the frame mixes {' and '.join(kinds)}; make it one kind, "
                    f"such as text: frame[{quoted(name)}].astype('string')."
                )
    return None


def opened_rows(frame: pl.DataFrame, *, name: str, details: dict[str, Any], closing: ExitStack) -> OpenTable:
    """Open rows that are in memory."""
    if not frame.height or not frame.width:
        raise InputError(
            f"{name[0].upper()}{name[1:]} has no rows." if name.startswith("the ") else f"{name} has no rows."
        )
    if damaged := [column for column in frame.columns if "\0" in column]:
        raise InputError(f"The column {quoted(damaged[0])} of {name} has a NUL in its name; rename it.")
    connection, _ = embedded(closing)
    # Categories come over as texts.
    frame = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    try:
        connection.con.register("rows_in_memory", Rows(frame))
    except duckdb.Error as error:
        raise InputError(f"A column of {name} has a type that DuckDB lacks: {message_of(error)}.") from error
    lock(connection.con)
    expr = connection.table("rows_in_memory")
    return OpenTable(expr=expr, engine=engine_name(), name=name, details=details, rows=frame.height)


def spark_connection(rest: str, closing: ExitStack) -> Any:
    """Return Ibis's connection to Spark; `rest` is the URL after `pyspark://`.

    The path is the warehouse folder; parameters are Spark's settings
    (`pyspark:///data/warehouse?spark.master=local[4]`). A session that is already active, as in a notebook, is used
    unchanged and left running.

    Raises
    ------
    ImportError
        PySpark is not installed.
    InputError
        There is no Java.

    """
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        home = os.environ.get("JAVA_HOME")
        if shutil.which("java") is None and (home is None or not Path(home, "bin", "java").exists()):
            raise InputError("Spark needs Java 17 or newer; install it, or set JAVA_HOME to its folder.")
        parts = urlsplit(f"pyspark://{rest}")
        settings = dict(parse_qsl(parts.query))
        if parts.path.strip("/"):
            settings.setdefault("spark.sql.warehouse.dir", parts.path)
        builder = SparkSession.builder.appName("evenhand").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        closing.callback(session.stop)
    return ibis.pyspark.connect(session)


_SCHEME_ALIASES = {"postgresql": "postgres", "spark": "pyspark"}


def connected(url: str, table: str | None, closing: ExitStack) -> OpenTable:
    """Open a table behind a connection URL; messages and descriptions never hold its password."""
    prefix, _, rest = url.partition("://")
    scheme = _SCHEME_ALIASES.get(prefix.lower(), prefix.lower())
    place = public_url(url)
    if scheme not in ENGINES or not ENGINES[scheme].by_url:
        near = get_close_matches(
            scheme, [*(key for key, engine in ENGINES.items() if engine.by_url), *_SCHEME_ALIASES], n=1
        )
        hint = f" Did you mean {near[0]}://?" if near else ""
        raise InputError(f"{not_supported(f'{shortened(prefix)}://')}{hint}")
    name, extra = ENGINES[scheme].name, ENGINES[scheme].extra
    if scheme not in {*FILE_ENGINES, "pyspark"} and is_ambiguous(url):
        raise InputError(
            f"{place} holds / ? # or @ where a user name or password may stand; write them as %2F %3F %23 %40."
        )
    try:
        if scheme == "pyspark":
            connection = spark_connection(rest, closing)
        elif scheme in FILE_ENGINES:
            connection = database_file(scheme, rest, place, closing)
        else:
            connection = ibis.connect(f"{scheme}://{rest}")
            closing.callback(connection.disconnect)
    except InputError:
        raise
    except ImportError as error:
        raise InputError(
            f"{name} needs packages that are not installed; install them with: pip install 'evenhand[{extra}]'."
        ) from error
    except Exception as error:
        # Each driver has its own exceptions.
        raise ServiceError(f"{name} can't be reached at {place}: {message_of(error, url)}.") from error
    expr = _table(connection, table, url)
    return OpenTable(
        expr=expr,
        engine=f"{name} {connection.version}",
        name=str(table),
        details={"source": place, "table": table},
        url=url,
    )


def _table(connection: Any, table: str | None, url: str) -> Any:
    place = public_url(url)
    if table is None:
        raise InputError(
            f"{place} has several tables; give one with {option_text('table', 'NAME')}. {_tables(connection)}"
        )
    *database, name = table.split(".")
    try:
        return connection.table(name, database=tuple(database) or None)
    except Exception as error:
        names = [] if database else _names(connection)
        if was_denied(error):
            raise InputError(
                f"{quoted(table)} at {place} is a view that reads other files or loads code; views may read "
                "only tables of their own database. Save its rows as a table."
            ) from error
        if name in names:
            raise ServiceError(f"{shortened(table)} at {place} can't be opened: {message_of(error, url)}.") from error
        near = get_close_matches(name, names, n=1)
        hint = f" Did you mean {option_text('table', shortened(near[0]))}?" if near else ""
        raise InputError(f"No table {quoted(table)} at {place}. {_tables(connection)}{hint}") from error


def _names(connection: Any) -> list[str]:
    return sorted(connection.list_tables())


def _tables(connection: Any) -> str:
    names = _names(connection)
    return f"Tables: {listed(names)}." if names else "There are no tables."
