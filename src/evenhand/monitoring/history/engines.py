"""What SQLite and PostgreSQL do differently: how a store is reached, locked and left, and what went wrong."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from evenhand.errors import EvenhandError, InputError, ServiceError
from evenhand.tables.messages.urls import public_url, without_secrets

__all__ = ["Connection", "Postgres", "Sqlite", "connected"]

#: How long a writer waits for another.
WAIT_SECONDS: Final = 30
#: What our transactions hold in PostgreSQL while they write.
_LOCK: Final = 0x45564E48
_SCHEMES: Final = ("postgres", "postgresql")


class Connection(Protocol):
    """A database that answers queries and takes transactions."""

    place: str

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""

    def transaction(self) -> Any:
        """Return a context in which nobody else writes."""

    def prepare(self) -> None:
        """Make an empty database ready for the first schema."""

    def tables(self) -> set[str]:
        """Return the names of the tables."""

    def damage(self) -> str | None:
        """Return what the engine finds wrong with its own file, None where it is whole."""

    def write_over(self, table: str) -> str | None:
        """Write over what was deleted from a table; return where it may still lie, None where nowhere."""

    def close(self) -> None:
        """Leave the database."""


def connected(place: str, *, create: bool) -> Connection:
    """Return a connection to a file, or to a server by its URL."""
    scheme, separator, _ = place.partition("://")
    if not separator:
        return Sqlite(Path(place), create=create)
    if scheme.lower() not in _SCHEMES:
        raise InputError(f"--store {public_url(place)} is neither a file nor postgres://…; a store is one of the two.")
    return Postgres(place)


class Sqlite:
    """A file of SQLite with a write-ahead log: readers don't wait, and a killed writer leaves nothing half done."""

    def __init__(self, path: Path, *, create: bool) -> None:
        self.place = str(path)
        if path.is_dir() or (create and not path.parent.is_dir()):
            what = "a folder" if path.is_dir() else f"in no folder that exists: {path.parent}"
            raise InputError(f"--store {path} is {what}; name a file, such as history.db.")
        if not create and not path.is_file():
            raise InputError(f"There is no store {path}; evenhand monitor record --store {path} makes one.")
        with self._told():
            self._opened = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
            for setting in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
                self._opened.execute(f"PRAGMA {setting}")

    def prepare(self) -> None:
        """Give an empty file a write-ahead log, which it keeps."""
        self.execute("PRAGMA journal_mode = WAL")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        with self._told():
            return self._opened.execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""
        with self._told():
            self._opened.execute(sql, values)

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""
        with self._told():
            self._opened.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the file's write lock; an exception undoes what was written."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._opened.in_transaction:
                self._opened.execute("ROLLBACK")
            raise

    def tables(self) -> set[str]:
        """Return the names of the tables."""
        return {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def damage(self) -> str | None:
        """Return the first thing that SQLite finds wrong with its file."""
        found = self.rows("PRAGMA integrity_check(1)") or self.rows("PRAGMA foreign_key_check")
        return None if not found or found[0][0] == "ok" else str(found[0][0])

    def write_over(self, table: str) -> str | None:  # noqa: ARG002 - the whole log is brought into the file
        """Empty the write-ahead log; the file itself is written over where something is deleted."""
        ((busy, *_),) = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return f"{self.place}-wal, until the last process that has it open ends" if busy else None

    def close(self) -> None:
        """Leave the file."""
        self._opened.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _sqlite_error(error, self.place) from error


def _sqlite_error(error: sqlite3.Error, place: str) -> EvenhandError:
    """Return what went wrong with a file, as one line."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return InputError(f"{place} is no SQLite file, or damaged; name another for --store, or restore a copy.")
    if code == sqlite3.SQLITE_CORRUPT:
        return InputError(f"{place} is damaged ({error}); restore a copy. Nothing was written.")
    if code == sqlite3.SQLITE_BUSY:
        return ServiceError(f"{place} is being written by another process for {WAIT_SECONDS} s; try again.")
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
        return InputError(f"{place} can't be written: {error}.")
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return ServiceError(f"{place} can't be written ({error}); make room and try again. Nothing was recorded.")
    raise error


class Postgres:
    """A database of a PostgreSQL server; our tables stand in a schema of their own, `evenhand`."""

    def __init__(self, url: str) -> None:
        self.place = public_url(url)
        self._url = url
        try:
            import psycopg
        except ImportError as error:
            raise InputError(
                "PostgreSQL needs packages that are not installed; install them with: pip install 'evenhand[postgres]'."
            ) from error
        self._failed = psycopg.Error
        with self._told():
            self._opened = psycopg.connect(url, autocommit=True, connect_timeout=10)
            self._opened.execute("SET search_path TO evenhand")
            self._opened.execute(f"SET lock_timeout = '{WAIT_SECONDS}s'")

    def prepare(self) -> None:
        """Make our schema where there is none."""
        with self.transaction():
            self.execute("CREATE SCHEMA IF NOT EXISTS evenhand")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        with self._told():
            return self._opened.execute(sql.replace("?", "%s"), values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""
        with self._told():
            self._opened.execute(sql.replace("?", "%s"), values)

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""
        with self._told(), self._opened.cursor() as cursor:
            cursor.executemany(sql.replace("?", "%s"), rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold our lock of the database; an exception undoes what was written."""
        with self._told(), self._opened.transaction():
            self._opened.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            yield

    def tables(self) -> set[str]:
        """Return the names of the tables in our schema."""
        found = self.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = 'evenhand'")
        return {name for (name,) in found}

    def damage(self) -> str | None:
        """Return None: the server checks its own files."""
        return None

    def write_over(self, table: str) -> str | None:
        """Write the table anew into another file of the server; the old one is removed."""
        statement = f"VACUUM FULL evenhand.{table}"
        try:
            self.execute(statement)
        except ServiceError:
            return f"the server's file of the table, until somebody who may does {statement}"
        return None

    def close(self) -> None:
        """Leave the server."""
        self._opened.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except self._failed as error:
            said = without_secrets(str(error).strip().splitlines()[0] if str(error).strip() else "no reason", self._url)
            raise ServiceError(f"The store at {self.place} failed: {said}.") from error
