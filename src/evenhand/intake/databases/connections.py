"""Tables behind connection URLs, through Ibis: PostgreSQL, Spark, DuckDB files, cloud warehouses."""

import re
from contextlib import ExitStack
from difflib import get_close_matches
from typing import Any

import ibis

from evenhand.errors import InputError, ServiceError
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.intake.databases.engines import ENGINES, not_supported
from evenhand.intake.databases.files import FILE_ENGINES, database_file, was_denied
from evenhand.intake.databases.spark import spark_connection
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import listed, quoted, shortened
from evenhand.tables.messages.urls import is_ambiguous, public_url

__all__ = ["connected", "is_url"]

_SCHEME = lazy_re(r"[a-z][a-z0-9+]*://", re.IGNORECASE)
_SAME = {"postgresql": "postgres", "spark": "pyspark"}


def is_url(source: str) -> bool:
    """Tell a connection URL from a path.

    >>> is_url("postgres://me@host/db"), is_url("C:/data/applicants.csv")
    (True, False)
    """
    return _SCHEME.match(source) is not None


def connected(url: str, table: str | None, closing: ExitStack) -> OpenTable:
    """Open a table behind a connection URL; messages and descriptions never hold its password."""
    prefix, _, rest = url.partition("://")
    scheme = _SAME.get(prefix.lower(), prefix.lower())
    place = public_url(url)
    if scheme not in ENGINES or not ENGINES[scheme].by_url:
        near = get_close_matches(scheme, [*(key for key, each in ENGINES.items() if each.by_url), *_SAME], n=1)
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


def _table(connection: Any, table: str | None, url: str) -> Any:
    place = public_url(url)
    if table is None:
        raise InputError(f"{place} has many tables; name one with --table NAME. {_tables(connection)}")
    *database, name = table.split(".")
    try:
        return connection.table(name, database=tuple(database) or None)
    except Exception as error:
        names = [] if database else _names(connection)
        if was_denied(error):
            raise InputError(
                f"{quoted(table)} at {place} is a view that reads other files or loads code; a view may read tables of "
                "its own database only. Save its rows as a table."
            ) from error
        if name in names:
            raise ServiceError(f"{shortened(table)} at {place} can't be opened: {message_of(error, url)}.") from error
        near = get_close_matches(name, names, n=1)
        hint = f" Did you mean --table {shortened(near[0])}?" if near else ""
        raise InputError(f"No table {quoted(table)} at {place}. {_tables(connection)}{hint}") from error


def _names(connection: Any) -> list[str]:
    return sorted(connection.list_tables())


def _tables(connection: Any) -> str:
    names = _names(connection)
    return f"Tables: {listed(names)}." if names else "There are no tables."
