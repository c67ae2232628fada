"""Database files of others, DuckDB's and SQLite's: opened for reading, and for nothing else.

A view in such a file is a program: it may name other files of this machine, attach them or load code.
"""

import re
import sqlite3
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, quote, unquote

import duckdb
import ibis

from evenhand.errors import InputError
from evenhand.intake.databases.duckdb_tables import DuckDB
from evenhand.tables.messages.quoting import quoted

__all__ = ["FILE_ENGINES", "database_file", "lock", "was_denied"]

#: What a URL of a file may set, and how; a table is never written to, so that it is read-only needn't be said.
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
    """Return Ibis's connection to a database file; `rest` is what follows `duckdb://` or `sqlite://`.

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
            f"{scheme}:// names no database file; give {scheme}://FILE.{scheme}, or the CSV or Parquet file itself."
        )
    # SQLite would make an empty one.
    if not path.is_file():
        raise InputError(
            f"There is no file {path} at {place}; give {scheme}://FOLDER/FILE or {scheme}:///FOLDER/FILE from the root."
        )
    connection = _duckdb(path.absolute(), settings, closing) if scheme == "duckdb" else _sqlite(path.absolute())
    closing.callback(connection.disconnect)
    return connection


def lock(connection: duckdb.DuckDBPyConnection, *, reading: Path | None = None) -> None:
    """Let a connection reach no file but its own, and one more where it is named, and keep it so.

    Files that a temporary folder holds are its own: large counts still go there.
    """
    if reading is not None:
        name = str(reading).replace("'", "''")
        connection.execute(f"SET allowed_paths = ['{name}']")
    for setting in ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"):
        connection.execute(f"SET {setting} = false")
    connection.execute("SET lock_configuration = true")


def was_denied(error: BaseException) -> bool:
    """Tell a view's reach for other files or code from other failures of an engine."""
    if isinstance(error, sqlite3.DatabaseError):
        return any(words in str(error) for words in ("not authorized", "authorization denied", "unsafe use"))
    return isinstance(error, duckdb.PermissionException)


def _settings(scheme: str, query: str) -> dict[str, str]:
    """Return the parameters of a URL; messages name them and never repeat what they say."""
    known = FILE_ENGINES[scheme]
    settings = dict(parse_qsl(query, keep_blank_values=True))
    for name, value in settings.items():
        if name not in known:
            raise InputError(
                f"{scheme}:// has no parameter {quoted(name)}; there are {', '.join(known)}. A table is only read."
            )
        if re.fullmatch(known[name], value, re.IGNORECASE) is None:
            raise InputError(f"{scheme}:// has another value for {name} than expected: {name}={_EXPECTED[name]}.")
    return settings


def _duckdb(path: Path, settings: dict[str, str], closing: ExitStack) -> Any:
    folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="evenhand-"))
    config: dict[str, str | bool | int | float | list[str]] = {
        name: value for name, value in settings.items() if name != "read_only"
    }
    config["temp_directory"] = folder
    # What opens a file that is none of DuckDB's would be fetched from the network.
    config |= {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    opened = duckdb.connect(str(path), read_only=True, config=config)
    connection = DuckDB.from_connection(opened)
    # Ibis sets the time zone first.
    lock(opened)
    return connection


def _sqlite(path: Path) -> Any:
    # Ibis replaces LIKE, which PRAGMA trusted_schema would take from all views; what it guards from is denied below.
    opened = _sqlite_opened(path)
    connection = ibis.sqlite.from_connection(opened)
    opened.set_authorizer(_allowed)
    return connection


def _sqlite_opened(path: Path) -> sqlite3.Connection:
    """Open a file for reading; one with a write-ahead log in a folder that can't be written to as it is."""
    url = f"file:{quote(str(path))}?mode=ro"
    opened = sqlite3.connect(url, uri=True)
    try:
        opened.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        opened.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        opened = sqlite3.connect(f"{url}&immutable=1", uri=True)
    except sqlite3.Error:
        opened.close()
        raise
    return opened


def _allowed(action: int, _first: str | None, second: str | None, _database: str | None, _view: str | None) -> int:
    """Deny other files and code; the file itself was opened for reading."""
    denied = action in _DENIED_ACTIONS or (action == sqlite3.SQLITE_FUNCTION and second in _DENIED_FUNCTIONS)
    return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK
