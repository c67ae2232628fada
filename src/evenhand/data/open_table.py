"""An opened table: what counts in it, and what it was read from.

Headers as files have them: blank, or there twice; every column gets a name of its own.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from evenhand.errors import InputError, ServiceError
from evenhand.results.messages import MOST_LISTED, listed, quoted, shortened, spelled, without_secrets


@dataclass(frozen=True, kw_only=True)
class Headers:
    """The names of the columns, '' for a blank header, and what was renamed.

    `repeated` has, for each spelling of a header that is there several times, the names of its columns.
    """

    names: tuple[str, ...]
    repeated: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def notes(self, source: str) -> list[str]:
        """Return what was renamed, for the user."""
        told = list(dict.fromkeys(self.repeated.values()))
        notes = [
            f"{source} has {len(names)} columns with the header {quoted(_first(self, names))}; they are called "
            f"{_called(names)} here."
            for names in told[:MOST_LISTED]
        ]
        if len(told) > MOST_LISTED:
            notes.append(f"{source} has {len(told) - MOST_LISTED:,} more headers that are there several times.")
        return notes


def _called(names: tuple[str, ...]) -> str:
    return listed(names, quotes=True) if len(names) > MOST_LISTED else " and ".join(map(quoted, names))


def _first(headers: Headers, names: tuple[str, ...]) -> str:
    return next(spelling for spelling, found in headers.repeated.items() if found == names)


def headers_of(row: Sequence[str]) -> Headers:
    """Return a name for each header, those that differ at most in case numbered.

    >>> found = headers_of(["race", "score", "", "Score"])
    >>> found.names
    ('race', 'score (1)', '', 'Score (2)')
    >>> found.repeated
    {'score': ('score (1)', 'Score (2)'), 'Score': ('score (1)', 'Score (2)')}
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(row):
        if name:
            places.setdefault(name.casefold(), []).append(place)
    names = list(row)
    taken = set(places)
    repeated: dict[str, tuple[str, ...]] = {}
    for own in places.values():
        if len(own) == 1:
            continue
        number = 0
        for place in own:
            number += 1
            while f"{row[place]} ({number})".casefold() in taken:
                number += 1
            names[place] = f"{row[place]} ({number})"
            taken.add(names[place].casefold())
        repeated |= dict.fromkeys((row[place] for place in own), tuple(names[place] for place in own))
    return Headers(names=tuple(names), repeated=repeated)


#: More groups than that are rows, not counts; a thousand positions by ten groups are far below.
MOST_GROUPS = 5_000_000
_LONGEST_MESSAGE = 500


@dataclass(frozen=True, kw_only=True)
class OpenTable:
    """A table that an engine counts in: `expr` is Ibis's name for it.

    `details` holds source, table, sheet, encoding, separator and blank_rows;
    `as_text` says that all cells are text, as a CSV has them; `damaged` names the columns
    of a workbook in which a cell shows an error, and where; `repeated` has, for each header that
    is there several times, what its columns are called instead; `url`, which may hold secrets, is
    for taking them out of messages.
    """

    expr: Any
    engine: str
    name: str
    details: dict[str, Any]
    notes: tuple[str, ...] = ()
    fingerprints: dict[str, str] = field(default_factory=dict)
    as_text: bool = False
    damaged: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    url: str = field(default="", repr=False)

    @property
    def description(self) -> str:
        """Return what was opened, in words: the file and sheet, or the place and table."""
        parts = [str(self.details["source"])]
        parts += [
            f"{kind} {shortened(self.details[kind])}"
            for kind in ("sheet", "table")
            if self.details.get(kind) is not None
        ]
        return ", ".join(parts)

    def fetch(self, expr: Any, *, most: int = MOST_GROUPS) -> pl.DataFrame:
        """Return what the engine counts, at most `most` rows.

        Raises
        ------
        InputError
            There are more rows.
        ServiceError
            The engine failed.

        """
        try:
            frame = _rows(expr.limit(most + 1))
        except ImportError as error:
            raise InputError(
                f"Ibis reads {self.name} with PyArrow and pandas; install them with: pip install 'evenhand[pandas]'."
            ) from error
        except Exception as error:
            # Each engine's driver has exceptions of its own; those of Python, Ibis and ours are bugs or told already.
            if type(error).__module__.split(".")[0] in {"builtins", "ibis", "evenhand", "sqlglot"}:
                raise
            raise ServiceError(
                f"{self.engine} could not count in {self.name}: {message_of(error, self.url)}"
            ) from error
        if frame.height > most:
            message = (
                f"{self.name} has more than {most:,} combinations of the columns asked for; name columns of few values."
            )
            raise InputError(message)
        return frame


def _rows(expr: Any) -> pl.DataFrame:
    """Return rows; from Spark and SQLite without the way over pandas that Ibis takes."""
    backend = expr.get_backend()
    if backend.name == "pyspark":
        rows = backend.raw_sql(backend.compile(expr)).toArrow().cast(expr.schema().to_pyarrow())
        return pl.DataFrame(pl.from_arrow(rows))
    if backend.name == "sqlite":
        with closing(backend.raw_sql(backend.compile(expr))) as cursor:
            rows = cursor.fetchall()
        columns = zip(*rows, strict=True) if rows else [()] * len(expr.columns)
        kinds = expr.schema().to_polars().items()
        made = [_column(name, values, kind) for (name, kind), values in zip(kinds, columns, strict=True)]
        return pl.DataFrame(made)
    return pl.DataFrame(expr.to_polars())


def _column(name: str, values: Sequence[Any], kind: Any) -> pl.Series:
    """Return values of SQLite, which has numbers and texts only, in the type that the column was declared with."""
    if kind.is_temporal():
        texts = pl.Series(name, values, pl.String)
        return texts.str.to_date() if kind == pl.Date else texts.str.to_datetime().cast(kind)
    return pl.Series(name, values, strict=False).cast(kind)


def message_of(error: BaseException, url: str = "") -> str:
    r"""Return the first line of a driver's message, without secrets that it may repeat from a connection URL.

    >>> message_of(ValueError("no route to postgres://me:secret@host/db\nmore"))
    'no route to postgres://…@host/db'
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    line = spelled(without_secrets(lines[0], url)).replace("\t", " ")
    return shortened(line, most=_LONGEST_MESSAGE).rstrip(".")
