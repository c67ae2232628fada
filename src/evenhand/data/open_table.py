"""Opened tables, queries of their engines, and headers: each column gets a unique name."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, TypeVar

import polars as pl

from evenhand.errors import InputError, ServiceError
from evenhand.results.messages import MOST_LISTED, listed, quoted, shortened, spelled, without_secrets


@dataclass(frozen=True, kw_only=True)
class Headers:
    """The names of the columns, '' for a blank header; `repeated` has the new names of each repeated header."""

    names: tuple[str, ...]
    repeated: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def notes(self, source: str) -> list[str]:
        """Return notes on renamed columns, for the user."""
        groups = list(dict.fromkeys(self.repeated.values()))
        notes = [
            f"{source} has {len(names)} columns with the header {quoted(_first(self, names))}; they are called "
            f"{_called(names)} here."
            for names in groups[:MOST_LISTED]
        ]
        if len(groups) > MOST_LISTED:
            notes.append(f"{source} has {len(groups) - MOST_LISTED:,} more headers that are there several times.")
        return notes


def _called(names: tuple[str, ...]) -> str:
    return listed(names, quotes=True) if len(names) > MOST_LISTED else " and ".join(map(quoted, names))


def _first(headers: Headers, names: tuple[str, ...]) -> str:
    return next(spelling for spelling, columns in headers.repeated.items() if columns == names)


def headers_of(row: Sequence[str]) -> Headers:
    """Return a unique name for each header; repeated ones, also in another case, are numbered.

    >>> headers = headers_of(["race", "score", "", "Score"])
    >>> headers.names
    ('race', 'score (1)', '', 'Score (2)')
    >>> headers.repeated
    {'score': ('score (1)', 'Score (2)'), 'Score': ('score (1)', 'Score (2)')}
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(row):
        if name:
            places.setdefault(name.casefold(), []).append(place)
    names = list(row)
    used = set(places)
    repeated: dict[str, tuple[str, ...]] = {}
    for repeats in places.values():
        if len(repeats) == 1:
            continue
        number = 0
        for place in repeats:
            number += 1
            while f"{row[place]} ({number})".casefold() in used:
                number += 1
            names[place] = f"{row[place]} ({number})"
            used.add(names[place].casefold())
        repeated |= dict.fromkeys((row[place] for place in repeats), tuple(names[place] for place in repeats))
    return Headers(names=tuple(names), repeated=repeated)


_T = TypeVar("_T")
#: More groups are rows, not counts; a thousand positions by ten groups are far below.
MOST_GROUPS = 5_000_000
_LONGEST_MESSAGE = 500


@dataclass(frozen=True, kw_only=True)
class OpenTable:
    """A table opened in an engine; `expr` is its Ibis expression.

    `details` holds source, table, sheet, encoding, separator and blank_rows. With `as_text` all cells are text, as in
    a CSV; `ordered` rows are as in a file, so that messages can give their numbers. `damaged` has the columns of a
    workbook with an error in a cell, and its place; `repeated` the new names of each repeated header. `url` may hold
    secrets; it serves to remove them from messages. `sheets` are those that were read as stages; `rows` is how many
    there are, where that is known without a query.
    """

    expr: Any
    engine: str
    name: str
    details: dict[str, Any]
    notes: tuple[str, ...] = ()
    fingerprints: dict[str, str] = field(default_factory=dict)
    as_text: bool = False
    ordered: bool = False
    damaged: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    url: str = field(default="", repr=False)
    sheets: tuple[str, ...] = ()
    rows: int | None = None

    def numbers(self, rows: Any) -> bool:
        """Say whether rows are all of the table, in their order."""
        return self.ordered and rows is self.expr

    @property
    def description(self) -> str:
        """Return the source in words: the file and sheet, or the place and table."""
        parts = [str(self.details["source"])]
        parts += [
            f"{kind} {shortened(self.details[kind])}"
            for kind in ("sheet", "table")
            if self.details.get(kind) is not None
        ]
        return ", ".join(parts)

    def fetch(self, expr: Any, *, most: int = MOST_GROUPS) -> pl.DataFrame:
        """Return the result of a query, at most `most` rows.

        Raises
        ------
        InputError
            There are more rows.
        ServiceError
            The engine failed.

        """
        frame = self._engine(lambda: _rows(expr.limit(most + 1)))
        if frame.height > most:
            raise InputError(
                f"{self.name} has more than {most:,} combinations of values in the given columns; give columns with "
                "fewer values."
            )
        return frame

    @property
    def can_store(self) -> bool:
        """Say whether a part of the table can be stored: only in evenhand's own engine, for as long as it runs."""
        return hasattr(self.expr.get_backend(), "stored")

    def stored(self, columns: dict[str, Any]) -> "OpenTable":
        """Return a table of these columns as a query computed them; it replaces the one stored before."""
        return replace(self, expr=self._engine(lambda: self.expr.get_backend().stored(self.expr.select(**columns))))

    def _engine(self, query: Callable[[], _T]) -> _T:
        """Return what the engine answers; its errors are raised as those of the table."""
        try:
            return query()
        except ImportError as error:
            raise InputError(
                f"Ibis reads {self.name} with PyArrow and pandas; install them with: pip install 'evenhand[pandas]'."
            ) from error
        except Exception as error:
            # Each engine's driver has its own exceptions; those of Python, Ibis and evenhand are bugs or user errors.
            if type(error).__module__.split(".")[0] in {"builtins", "ibis", "evenhand", "sqlglot"}:
                raise
            raise ServiceError(
                f"{self.engine} could not count in {self.name}: {message_of(error, self.url)}"
            ) from error


def _rows(expr: Any) -> pl.DataFrame:
    """Return rows; from Spark and SQLite without pandas, which Ibis would use."""
    backend = expr.get_backend()
    if backend.name == "pyspark":
        rows = backend.raw_sql(backend.compile(expr)).toArrow().cast(expr.schema().to_pyarrow())
        return pl.DataFrame(pl.from_arrow(rows))
    if backend.name == "sqlite":
        with closing(backend.raw_sql(backend.compile(expr))) as cursor:
            rows = cursor.fetchall()
        columns = zip(*rows, strict=True) if rows else [()] * len(expr.columns)
        kinds = expr.schema().to_polars().items()
        series = [_column(name, values, kind) for (name, kind), values in zip(kinds, columns, strict=True)]
        return pl.DataFrame(series)
    return pl.DataFrame(expr.to_polars())


def _column(name: str, values: Sequence[Any], kind: Any) -> pl.Series:
    """Return values of SQLite, which has only numbers and texts, in the declared type of the column."""
    if kind.is_temporal():
        texts = pl.Series(name, values, pl.String)
        return texts.str.to_date() if kind == pl.Date else texts.str.to_datetime().cast(kind)
    return pl.Series(name, values, strict=False).cast(kind)


def message_of(error: BaseException, url: str = "") -> str:
    r"""Return the first line of a driver's message, without secrets from a connection URL.

    >>> message_of(ValueError("no route to postgres://me:secret@host/db\nmore"))
    'no route to postgres://…@host/db'
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    line = spelled(without_secrets(lines[0], url)).replace("\t", " ")
    return shortened(line, most=_LONGEST_MESSAGE).rstrip(".")


def checked_column(table: OpenTable, name: str, option: str, *, lists: bool = False) -> Any:
    """Return a column as an expression; its cells may be `lists` if that is said.

    Raises
    ------
    InputError
        The table has no such column (near names are given), or a cell of it shows an error.

    """
    if name in table.repeated:
        spellings = " or ".join(quoted(column_name) for column_name in table.repeated[name][:MOST_LISTED])
        raise InputError(
            f"{option} {shortened(name)}: {table.name} has several columns of that name; give {spellings}."
        )
    if name not in table.expr.columns:
        near = next((column for column in table.expr.columns if column.casefold() == name.strip().casefold()), None)
        near = near or next(iter(get_close_matches(name, table.expr.columns, n=1)), None)
        gap = "" if option.endswith(",") else " "
        hint = f" Did you mean {option}{gap}{shortened(near)}?" if near else ""
        raise InputError(f"No column {quoted(name)} in {table.name}. Columns: {listed(table.expr.columns)}.{hint}")
    if name in table.damaged:
        raise InputError(f"The column {quoted(name)} of {table.name} can't be used: {table.damaged[name]}.")
    column = table.expr[name]
    if (column.type().is_nested() or column.type().is_binary()) and not (lists and column.type().is_array()):
        kind = _kind_of(column)
        raise InputError(f"The column {quoted(name)} of {table.name} holds {kind}; expected one value per cell.")
    return column


def _kind_of(column: Any) -> str:
    """Return the type of a column; a file may nest types deeper than Python follows."""
    try:
        return shortened(str(column.type()))
    except RecursionError:
        return "lists of lists"


def is_text(column: Any) -> bool:
    """Say whether a column holds text."""
    return bool(column.type().is_string())
