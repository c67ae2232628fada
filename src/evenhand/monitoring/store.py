"""A store: one SQLite file, or a PostgreSQL database that a team shares, with a hash-chained log.

Entries are only added to the log; each has the digest of the one before it. The chain alone proves nothing: people who
can write the store can write all of it anew. Its head, stored elsewhere (a webhook, a bundle, a ticket), proves that
nothing before it has changed since.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Protocol, Self

import orjson

from evenhand.errors import EvenhandError, InputError, ServiceError
from evenhand.results.files import fault_point, sqlite_for_readers
from evenhand.results.messages import public_url, without_secrets

#: Seconds that a writer waits for another.
WAIT_SECONDS: Final = 30
#: The number of the advisory lock that transactions hold in PostgreSQL while they write.
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
        """Return the damage that the engine finds in its own file, None where it is intact."""

    def write_over(self, table: str) -> str | None:
        """Overwrite what was deleted from a table; return where copies may remain, None where there are none."""

    def close(self) -> None:
        """Leave the database."""


def connected(place: str, *, create: bool) -> Connection:
    """Return a connection to a file, or to a server by its URL."""
    scheme, separator, _ = place.partition("://")
    if not separator:
        return Sqlite(Path(place), create=create)
    if scheme.lower() not in _SCHEMES:
        raise InputError(f"--store {public_url(place)} is neither a file nor postgres://…; give one of these.")
    return Postgres(place)


def store_name(place: str) -> str:
    """Return the name of a store in messages, without a password."""
    return public_url(place) if "://" in place else place


class Sqlite:
    """A SQLite file with a write-ahead log: readers don't wait, and a killed writer leaves no partial write.

    Where nothing can be written, on a full disk or in a read-only folder, it is opened for reading.
    """

    #: Why nothing can be written, where that is known from the start.
    _refusal: EvenhandError | None = None

    def __init__(self, path: Path, *, create: bool) -> None:
        self.place = str(path)
        if path.is_dir() or (create and not path.parent.is_dir()):
            problem = "a folder" if path.is_dir() else f"in no folder that exists: {path.parent}"
            raise InputError(f"--store {path} is {problem}; give a file, such as history.db.")
        if not create and not path.is_file():
            raise InputError(f"No store {path}; evenhand monitor record --store {path} makes one.")
        try:
            self._open(str(path))
            self.tables()
        except EvenhandError as error:
            code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
            if create or code not in _UNWRITABLE:
                raise
            self._refusal = error
            self._opened.close()
            try:
                self._open(sqlite_for_readers(path))
            except EvenhandError:
                raise InputError(
                    f"{path} can't be read in a read-only folder, as {path.name}-wal holds recent entries. Copy "
                    "both into another folder."
                ) from error

    def _open(self, name: str) -> None:
        with self._translated_errors():
            self._opened = sqlite3.connect(
                name, timeout=WAIT_SECONDS, isolation_level=None, uri=name.startswith("file:///")
            )
            for setting in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
                self._opened.execute(f"PRAGMA {setting}")

    def prepare(self) -> None:
        """Give an empty file a write-ahead log, which it keeps."""
        self.execute("PRAGMA journal_mode = WAL")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        with self._translated_errors():
            return self._opened.execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""
        with self._translated_errors():
            self._opened.execute(sql, values)

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""
        with self._translated_errors():
            self._opened.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the file's write lock; an exception rolls back."""
        if self._refusal is not None:
            raise self._refusal
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
        """Return the first damage that SQLite finds in its file."""
        problems = self.rows("PRAGMA integrity_check(1)") or self.rows("PRAGMA foreign_key_check")
        return None if not problems or problems[0][0] == "ok" else str(problems[0][0])

    def copy_to(self, other: "Sqlite") -> None:
        """Replace the content of another file by this one's at one moment; nobody who writes here has to wait."""

        def waited(code: int, _left: int, _all: int) -> None:
            if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise ServiceError(_BUSY.format(other.place))

        with other._translated_errors():  # noqa: SLF001 - of the same class
            self._opened.backup(other._opened, progress=waited)  # noqa: SLF001 - of the same class

    def write_over(self, table: str) -> str | None:  # noqa: ARG002 - the whole log is brought into the file
        """Empty the write-ahead log; SQLite overwrites deleted content in the file itself."""
        ((busy, *_),) = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return f"{self.place}-wal, until the last process that has it open ends" if busy else None

    def close(self) -> None:
        """Leave the file."""
        self._opened.close()

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _sqlite_error(error, self.place) from error


_BUSY: Final = f"{{}} is being written by another process for {WAIT_SECONDS} s; try again."
#: What SQLite says where it may not write, or has no room.
_NOT_ALLOWED: Final = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})
_NO_ROOM: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
_UNWRITABLE: Final = _NOT_ALLOWED | _NO_ROOM


def _sqlite_error(error: sqlite3.Error, place: str) -> EvenhandError:
    """Return the user error or service error for an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return InputError(f"{place} is not an SQLite file, or it is damaged; give another --store, or restore a copy.")
    if code == sqlite3.SQLITE_CORRUPT:
        return InputError(f"{place} is damaged ({error}); restore a copy. Nothing was written.")
    if code == sqlite3.SQLITE_BUSY:
        return ServiceError(_BUSY.format(place))
    if code in _NOT_ALLOWED:
        return InputError(f"{place} can't be written: {error}.")
    if code in _NO_ROOM:
        return ServiceError(f"{place} can't be written ({error}); free some space and try again. Nothing was recorded.")
    raise error


class Postgres:
    """A database of a PostgreSQL server, with the tables in a separate schema, `evenhand`."""

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
        with self._translated_errors():
            self._opened = psycopg.connect(url, autocommit=True, connect_timeout=10)
            self._opened.execute("SET search_path TO evenhand")
            self._opened.execute(f"SET lock_timeout = '{WAIT_SECONDS}s'")

    def prepare(self) -> None:
        """Create the schema where there is none."""
        with self.transaction():
            self.execute("CREATE SCHEMA IF NOT EXISTS evenhand")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        with self._translated_errors():
            return self._opened.execute(sql.replace("?", "%s"), values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""
        with self._translated_errors():
            self._opened.execute(sql.replace("?", "%s"), values)

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""
        with self._translated_errors(), self._opened.cursor() as cursor:
            cursor.executemany(sql.replace("?", "%s"), rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the advisory lock; an exception rolls back."""
        with self._translated_errors(), self._opened.transaction():
            self._opened.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            yield

    def tables(self) -> set[str]:
        """Return the names of the tables in our schema."""
        rows = self.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = 'evenhand'")
        return {name for (name,) in rows}

    def damage(self) -> str | None:
        """Return None: the server checks its own files."""
        return None

    def write_over(self, table: str) -> str | None:
        """Rewrite the table into another file of the server; the old one is removed."""
        statement = f"VACUUM FULL evenhand.{table}"
        try:
            self.execute(statement)
        except ServiceError:
            return f"the server's file of the table, until a user with the right to does {statement}"
        return None

    def close(self) -> None:
        """Leave the server."""
        self._opened.close()

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except self._failed as error:
            message = without_secrets(
                str(error).strip().splitlines()[0] if str(error).strip() else "no reason", self._url
            )
            raise ServiceError(f"The store at {self.place} failed: {message}.") from error


#: The number of the newest migration, which is the version of the schema.
SCHEMA: Final = 6


def store_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """Return a time in the format of the store.

    >>> utc_text(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '2026-03-01T12:00:00.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, kw_only=True)
class Writing:
    """A transaction with exclusive write access: all of it is written, or nothing."""

    connection: Connection
    now: datetime

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds; `?` stands for each value."""
        return self.connection.rows(sql, values)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""
        self.connection.execute(sql, values)
        fault_point("statement")

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""
        self.connection.execute_each(sql, rows)
        fault_point("statement")

    def next_id(self, table: str) -> int:
        """Return an id above all in the table; the ids after it are free, too."""
        rows = self.rows(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")  # noqa: S608 - a table of ours
        return int(rows[0][0])


@dataclass(frozen=True, kw_only=True)
class Store:
    """An open store; `place` is its name in messages, without a password."""

    place: str
    connection: Connection
    clock: Callable[[], datetime] = store_now

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds; `?` stands for each value."""
        return self.connection.rows(sql, values)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Yield a transaction: other writers wait until it ends, and an exception rolls it back.

        Raises
        ------
        ServiceError
            The disk is full, another writer does not end, or the server is gone; nothing was written.

        """
        with self.connection.transaction():
            yield Writing(connection=self.connection, now=self.clock())
            fault_point("commit")
        fault_point("committed")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def migrations() -> list[str]:
    """Return the SQL of the migrations in order; each brings a store to the next schema."""
    folder = files("evenhand.monitoring").joinpath("migrations")
    return [folder.joinpath(f"{number}.sql").read_text("utf-8") for number in range(1, SCHEMA + 1)]


def opened_store(
    place: str | Path,
    *,
    create: bool = False,
    notice: Callable[[str], None] = lambda _: None,
    clock: Callable[[], datetime] = store_now,
    schema: Sequence[str] | None = None,
    as_is: bool = False,
) -> Store:
    """Return a store, migrated to the schema of this version; `create` makes it where there is none.

    `place` is a file, or a URL such as postgres://user@host/database; `schema` are the migrations, ours by default.
    One of an older version is left `as_is`.

    Raises
    ------
    InputError
        There is no store, it is damaged, something else, or of a newer version of evenhand.
    ServiceError
        The server can't be reached, or another writer does not end.

    >>> from tempfile import mkdtemp
    >>> with opened_store(f"{mkdtemp()}/history.db", create=True) as store:
    ...     store.rows("SELECT value FROM settings WHERE name = 'schema'")
    [('6',)]
    """
    connection = connected(str(place), create=create)
    store = Store(place=connection.place, connection=connection, clock=clock)
    try:
        migrations_of_ours = migrations() if schema is None else schema
        if as_is:
            _checked_version(store, len(migrations_of_ours), create=create)
        else:
            _migrate(store, migrations_of_ours, create=create, notice=notice)
    except BaseException:
        connection.close()
        raise
    return store


def _migrate(store: Store, schema: Sequence[str], *, create: bool, notice: Callable[[str], None]) -> None:
    """Bring a store to this version's schema."""
    newest = len(schema)
    version = _checked_version(store, newest, create=create)
    if version == newest:
        return
    if version == 0:
        store.connection.prepare()
    with store.writing() as writing:
        before = _checked_version(store, newest, create=create)  # another process may have been faster
        for text in schema[before:]:
            for statement in _statements(text):
                writing.execute(statement)
        if before == 0:
            writing.execute("INSERT INTO settings (name, value) VALUES ('schema', ?)", (str(newest),))
        else:
            writing.execute("UPDATE settings SET value = ? WHERE name = 'schema'", (str(newest),))
    if 0 < before < newest:
        notice(f"{store.place} was migrated from schema {before} to {newest}; the records are unchanged.")


def _checked_version(store: Store, newest: int, *, create: bool) -> int:
    """Return the schema of a store, 0 where it is empty."""
    tables = store.connection.tables()
    if "settings" not in tables:
        if tables:
            raise InputError(f"{store.place} is a database of another program; give another --store.")
        if not create:
            raise InputError(f"{store.place} holds no store; evenhand monitor record --store makes one.")
        return 0
    rows = store.rows("SELECT value FROM settings WHERE name = 'schema'")
    if not rows or not str(rows[0][0]).isdigit():
        raise InputError(f"{store.place} is a database of another program; give another --store.")
    version = int(rows[0][0])
    if version > newest:
        raise InputError(
            f"{store.place} has schema {version}, and this version of evenhand knows up to {newest}; update evenhand. "
            "Nothing was changed."
        )
    return version


def _statements(text: str) -> list[str]:
    """Return the statements of a migration; none of ours has a semicolon within."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("--")]
    return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]


#: The digest before the first entry.
FIRST: Final = "0" * 64


@dataclass(frozen=True, kw_only=True)
class LogHead:
    """The number of entries, and the digest of the last (SHA-256, hexadecimal)."""

    entries: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class Verified:
    """The head of a verified log; `wrong` is the number of the first entry that was changed."""

    head: LogHead
    wrong: int | None = None
    reason: str | None = None


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, without spaces, in UTF-8: the same text for the same value.

    >>> canonical_json({"b": 1, "a": [0.5, None]})
    '{"a":[0.5,null],"b":1}'
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def add_entry(writing: Writing, kind: str, content: Mapping[str, Any]) -> None:
    """Add an entry to the log, with its number from 1; it is stored with the rest of the transaction."""
    head = log_head(writing)
    number = head.entries + 1
    body = {"content": content, "kind": kind, "number": number, "previous": head.digest, "time": utc_text(writing.now)}
    entry = canonical_json(body)
    writing.execute("INSERT INTO log (number, entry, digest) VALUES (?, ?, ?)", (number, entry, _digest(entry)))


def log_head(store: Store | Writing) -> LogHead:
    """Return the length of the log and its last digest."""
    rows = store.rows("SELECT number, digest FROM log ORDER BY number DESC LIMIT 1")
    return LogHead(entries=rows[0][0], digest=rows[0][1]) if rows else LogHead(entries=0, digest=FIRST)


def verified_log(store: Store | Writing) -> Verified:
    """Return the log's head, and the first entry that was changed, taken out or put in, if there is one."""
    previous, count = FIRST, 0
    for number, entry, digest in store.rows("SELECT number, entry, digest FROM log ORDER BY number"):
        count += 1
        reason = _wrong(count, previous, number, entry, digest)
        if reason is not None:
            return Verified(head=log_head(store), wrong=count, reason=reason)
        previous = digest
    return Verified(head=LogHead(entries=count, digest=previous))


def _wrong(count: int, previous: str, number: int, entry: str, digest: str) -> str | None:
    """Return the problem of an entry that was changed, None where it is intact."""
    if number != count:
        return f"entry {count} is missing"
    if _digest(entry) != digest:
        return f"entry {count} was changed: its SHA-256 is another"
    body = orjson.loads(entry)
    if body.get("previous") != previous or body.get("number") != count:
        return f"entry {count} does not follow the one before it"
    return None


def _digest(entry: str) -> str:
    return hashlib.sha256(entry.encode()).hexdigest()
