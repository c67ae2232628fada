"""Files and frames opened in DuckDB, which runs in this process."""

import hashlib
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import duckdb
import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.intake.databases.duckdb_tables import DuckDB, Rows
from evenhand.intake.databases.engines import ENGINES, not_supported
from evenhand.intake.databases.files import lock
from evenhand.tables.messages.quoting import quoted

__all__ = ["MEMORY", "NAME", "embedded", "engine_name", "opened_frame", "opened_parquet"]

#: What DuckDB may hold in memory before it writes to its temporary folder.
MEMORY = "1GB"
NAME = "applicants"


def embedded(closing: ExitStack, *, on_disk: bool = False) -> tuple[Any, Path]:
    """Return a DuckDB connection of Ibis, and a temporary folder that goes when it is closed."""
    folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="evenhand-")))
    database = str(folder / "applicants.duckdb") if on_disk else ":memory:"
    connection = DuckDB().connect(database, temp_directory=str(folder / "spill"), memory_limit=MEMORY)
    closing.callback(connection.disconnect)
    return connection, folder


def engine_name() -> str:
    """Return what counts: DuckDB and its version."""
    return f"DuckDB {duckdb.__version__}"


def opened_parquet(path: Path, closing: ExitStack) -> OpenTable:
    """Open a Parquet file; its columns keep their types."""
    connection, _ = embedded(closing)
    # DuckDB 1.4 allows a path as it is written here only, without links and dots.
    whole = path.resolve()
    try:
        expr = connection.read_parquet(str(whole), table_name=NAME)
        rows = connection.raw_sql(f"SELECT count(*) FROM {NAME}").fetchone()[0]  # noqa: S608 - a constant
    except duckdb.Error as error:
        raise InputError(f"{path} can't be read as Parquet: {message_of(error)}.") from error
    except RecursionError as error:
        raise InputError(f"{path} has a column of values nested too deeply; leave it out.") from error
    if not rows:
        raise InputError(f"{path} has no rows.")
    lock(connection.con, reading=whole)
    with path.open("rb") as file:
        fingerprint = hashlib.file_digest(file, "sha256").hexdigest()
    return OpenTable(
        expr=expr,
        engine=engine_name(),
        name=path.name,
        details={"source": path.name},
        fingerprints={path.name: fingerprint},
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
            f"A {kind} is no table; expected a frame of polars, pandas or pyarrow, or an Ibis table."
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
    """Return which column of a frame of pandas holds cells of several kinds, as numbers and text."""
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
    return OpenTable(expr=expr, engine=engine_name(), name=name, details=details)
