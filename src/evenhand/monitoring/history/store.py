"""A store: one SQLite file, or a PostgreSQL database that a team shares; the same tables in both."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

from evenhand.errors import InputError
from evenhand.monitoring.history.engines import Connection, connected

__all__ = ["SCHEMA", "Store", "Writing", "migrations", "opened_store", "utc_now", "utc_text"]

#: The number of the newest migration, which is the version of the schema.
SCHEMA: Final = 2


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """Return a time as the store keeps it.

    >>> utc_text(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '2026-03-01T12:00:00.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, kw_only=True)
class Writing:
    """A transaction that no other writer shares: what is written is there together, or not at all."""

    connection: Connection
    now: datetime

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds; `?` stands for each value."""
        return self.connection.rows(sql, values)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out one statement."""
        self.connection.execute(sql, values)

    def execute_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Carry out one statement for each row of values."""
        self.connection.execute_each(sql, rows)

    def next_id(self, table: str) -> int:
        """Return an id that no row of the table has; those after it are free, too."""
        found = self.rows(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")  # noqa: S608 - a table of ours
        return int(found[0][0])


@dataclass(frozen=True, kw_only=True)
class Store:
    """An open store; `place` is how messages call it, without a password."""

    place: str
    connection: Connection
    clock: Callable[[], datetime] = utc_now

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds; `?` stands for each value."""
        return self.connection.rows(sql, values)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Yield a transaction: another writer waits until it ends, and an exception in it undoes it.

        Raises
        ------
        ServiceError
            The disk is full, another writer does not end, or the server is gone; nothing was written.

        """
        with self.connection.transaction():
            yield Writing(connection=self.connection, now=self.clock())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def migrations() -> list[str]:
    """Return the numbered migrations: each is what brings a store from the schema before to its own."""
    folder = files("evenhand.monitoring.history").joinpath("migrations")
    return [folder.joinpath(f"{number}.sql").read_text("utf-8") for number in range(1, SCHEMA + 1)]


def opened_store(
    place: str | Path,
    *,
    create: bool = False,
    notice: Callable[[str], None] = lambda _: None,
    clock: Callable[[], datetime] = utc_now,
    schema: Sequence[str] | None = None,
) -> Store:
    """Return a store, brought to the schema of this version; `create` makes it where there is none.

    `place` is a file, or a URL such as postgres://user@host/database; `schema` are the migrations, ours by default.

    Raises
    ------
    InputError
        There is no store, it is damaged, something else, or of a newer version of evenhand.
    ServiceError
        The server can't be reached, or another writer does not end.

    >>> from tempfile import mkdtemp
    >>> with opened_store(f"{mkdtemp()}/history.db", create=True) as store:
    ...     store.rows("SELECT value FROM settings WHERE name = 'schema'")
    [('2',)]
    """
    connection = connected(str(place), create=create)
    store = Store(place=connection.place, connection=connection, clock=clock)
    try:
        _migrate(store, migrations() if schema is None else schema, create=create, notice=notice)
    except BaseException:
        connection.close()
        raise
    return store


def _migrate(store: Store, schema: Sequence[str], *, create: bool, notice: Callable[[str], None]) -> None:
    """Bring a store to this version's schema."""
    newest = len(schema)
    found = _checked_version(store, newest, create=create)
    if found == newest:
        return
    if found == 0:
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
        notice(f"{store.place} was brought from schema {before} to {newest}; nothing recorded was changed.")


def _checked_version(store: Store, newest: int, *, create: bool) -> int:
    """Return the schema of a store, 0 where it is empty."""
    tables = store.connection.tables()
    if "settings" not in tables:
        if tables:
            raise InputError(f"{store.place} is a database of something else; name another for --store.")
        if not create:
            raise InputError(f"{store.place} holds no store; evenhand monitor record --store makes one.")
        return 0
    found = store.rows("SELECT value FROM settings WHERE name = 'schema'")
    if not found or not str(found[0][0]).isdigit():
        raise InputError(f"{store.place} is a database of something else; name another for --store.")
    version = int(found[0][0])
    if version > newest:
        raise InputError(
            f"{store.place} has schema {version}, and this version of evenhand knows up to {newest}; update evenhand. "
            "Nothing was changed."
        )
    return version


def _statements(text: str) -> list[str]:
    """Return the statements of a migration; none of ours has a semicolon within."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("--")]
    return [each.strip() for each in "\n".join(lines).split(";") if each.strip()]
