"""Tables behind connection URLs, through Ibis: PostgreSQL, Spark, DuckDB files, cloud warehouses."""

import re
from contextlib import ExitStack
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import ibis

from evenhand.errors import InputError, ServiceError
from evenhand.intake._engines import ENGINES, not_supported
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.intake._spark import spark_connection
from evenhand.tables.urls import public_url

__all__ = ["connected", "is_url"]

_SCHEME = re.compile(r"[a-z][a-z0-9+]*://", re.IGNORECASE)
_SAME = {"postgresql": "postgres", "spark": "pyspark"}


def is_url(source: str) -> bool:
    """Tell a connection URL from a path.

    >>> is_url("postgres://me@host/db"), is_url("C:/data/applicants.csv")
    (True, False)
    """
    return _SCHEME.match(source) is not None


def connected(url: str, table: str | None, closing: ExitStack) -> OpenTable:
    """Open a table behind a connection URL; messages and descriptions never hold its password."""
    given, _, rest = url.partition("://")
    scheme = _SAME.get(given.lower(), given.lower())
    place = public_url(url)
    if scheme not in ENGINES or not ENGINES[scheme].by_url:
        near = get_close_matches(scheme, [*(key for key, each in ENGINES.items() if each.by_url), *_SAME], n=1)
        hint = f" Did you mean {near[0]}://?" if near else ""
        raise InputError(f"{not_supported(f'{given}://')}{hint}")
    name, extra = ENGINES[scheme].name, ENGINES[scheme].extra
    file = rest.partition("?")[0]
    if scheme in {"duckdb", "sqlite"} and file in {"", "/", ":memory:"}:
        raise InputError(
            f"{scheme}:// names no database file; give {scheme}://FILE.{scheme}, or the CSV or Parquet file itself."
        )
    if scheme == "sqlite":
        _check_file(Path(unquote(file)), place)
    try:
        if scheme == "pyspark":
            connection = spark_connection(rest, closing)
        else:
            connection = ibis.connect(_for_ibis(scheme, rest))
            closing.callback(connection.disconnect)
    except InputError:
        raise
    except ImportError as error:
        package = f"evenhand[{extra}]" if extra else f"ibis-framework[{scheme}]"
        raise InputError(
            f"{name} needs a driver that is not installed; install it with: pip install '{package}'."
        ) from error
    except Exception as error:
        # Each driver has exceptions of its own.
        raise ServiceError(f"{name} can't be reached at {place}: {message_of(error, url)}.") from error
    expr = _table(connection, table, url)
    return OpenTable(
        expr=expr,
        engine=f"{name} {connection.version}",
        name=str(table),
        details={"source": place, "table": table},
        url=url,
    )


def _check_file(path: Path, place: str) -> None:
    """Raise InputError where there is no database file: SQLite would make an empty one."""
    if not path.is_file():
        raise InputError(
            f"There is no file {path} at {place}; give sqlite://FOLDER/FILE or sqlite:///FOLDER/FILE from the root."
        )


def _for_ibis(scheme: str, rest: str) -> str:
    """Return the URL as Ibis wants it; counting in a DuckDB file never writes to it."""
    if scheme == "duckdb" and "read_only" not in rest:
        rest += ("&" if "?" in rest else "?") + "read_only=True"
    return f"{scheme}://{rest}"


def _table(connection: Any, table: str | None, url: str) -> Any:
    place = public_url(url)
    if table is None:
        raise InputError(f"{place} has many tables; name one with --table NAME. {_tables(connection)}")
    *database, name = table.split(".")
    try:
        return connection.table(name, database=tuple(database) or None)
    except Exception as error:
        listed = [] if database else _names(connection)
        if name in listed:
            raise ServiceError(f"{table} at {place} can't be opened: {message_of(error, url)}.") from error
        near = get_close_matches(name, listed, n=1)
        hint = f" Did you mean --table {near[0]}?" if near else ""
        raise InputError(f"No table {table!r} at {place}. {_tables(connection)}{hint}") from error


def _names(connection: Any) -> list[str]:
    return sorted(connection.list_tables())


def _tables(connection: Any) -> str:
    names = _names(connection)
    shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    return f"Tables: {shown}." if names else "There are no tables."
