"""Text tables opened in DuckDB: all cells stay text."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import duckdb

from evenhand.errors import InputError
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.intake.databases.embedded import MEMORY, NAME, embedded, engine_name
from evenhand.intake.databases.files import lock
from evenhand.intake.formats.text_files import LONGEST_LINE, TextFile, first_bad_row, plain_copy, scan_text_file
from evenhand.intake.text_tables import SEPARATOR_NAMES

__all__ = ["opened_text"]

#: Tables of more columns are kept as Parquet, in groups of few rows: DuckDB's own format holds a block per column.
MANY_COLUMNS: Final = 200
ROWS_OF_A_GROUP: Final = 2048
#: Kilobytes.
ROOM_OF_A_COLUMN: Final = 300
#: Beyond them DuckDB takes minutes for a question.
MOST_COLUMNS: Final = 12_000
LONG_LINES: Final = f", max_line_size = {LONGEST_LINE}, buffer_size = {LONGEST_LINE}"
KEEP: Final = "keep those that the options name, and leave others out"


def opened_text(path: Path, closing: ExitStack) -> OpenTable:
    """Open a CSV: all cells stay text, so that 007 is not 7; blank rows are left out and counted."""
    try:
        file = scan_text_file(path)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    columns = len(file.columns)
    if columns > MOST_COLUMNS:
        raise InputError(f"{path} has {columns:,} columns, more than the {MOST_COLUMNS:,} that are read; {KEEP}.")
    connection, folder = embedded(closing, on_disk=True)
    stored = folder / "wide.parquet" if columns > MANY_COLUMNS else None
    rows, blank = _copied(connection, file, folder, stored)
    if not rows:
        raise InputError(f"{path} has no rows.")
    lock(connection.con, reading=stored)
    expr = connection.table(NAME)
    notes = file.headers.notes(path.name)
    kept = _named_columns(file, connection, notes)
    if file.encoding != "UTF-8":
        notes.append(f"{path.name} was read in the encoding {file.encoding}.")
    if file.separator != ",":
        notes.append(f"{path.name} was read with {SEPARATOR_NAMES[file.separator]} between the columns.")
    if blank:
        notes.append(f"{blank:,} blank {'row was' if blank == 1 else 'rows were'} left out of {path.name}.")
    return OpenTable(
        expr=expr if len(kept) == columns else expr.select(*kept),
        engine=engine_name(),
        name=path.name,
        details={
            "source": path.name,
            "encoding": file.encoding,
            "separator": SEPARATOR_NAMES[file.separator],
            "blank_rows": blank,
        },
        notes=tuple(notes),
        fingerprints={path.name: file.fingerprint},
        as_text=True,
        repeated=file.headers.repeated,
    )


def _copied(connection: Any, file: TextFile, folder: Path, stored: Path | None) -> tuple[int, int]:
    """Copy a text table to where it is counted; return the number of rows, and of blank ones, which are left out."""
    path = file.path
    plain = path if file.plain else plain_copy(file, folder / "plain.csv")
    try:
        found = _read(connection, file, plain, stored)
    except duckdb.OutOfMemoryException as error:
        what = f"{len(file.columns):,} columns" if stored is not None else "cells"
        raise InputError(f"{path} has {what} too large for {MEMORY} of memory; {KEEP}.") from error
    except duckdb.NotImplementedException as error:
        # So it says of a buffer without a row.
        raise InputError(f"{path} has more than {LONGEST_LINE >> 20} MB of blank lines on end; delete them.") from error
    except duckdb.Error as error:
        bad = first_bad_row(file, plain) or message_of(error)
        separated = SEPARATOR_NAMES[file.separator]
        message = f"{path} can't be read as CSV with {separated} between the columns: {bad}."
        raise InputError(message) from error
    if not file.plain:
        plain.unlink()
    return found


def _read(connection: Any, file: TextFile, plain: Path, stored: Path | None) -> tuple[int, int]:
    """Copy a text table; return the number of rows, and of blank ones, which are left out.

    DuckDB reads long lines slowly, so they are asked for when there are some. A copy from another
    encoding may have grown, and a last line longer than the buffer would be left out without a word.
    """
    for long in (True,) if file.encoding != "UTF-8" else (False, True):
        source = _reading(file, plain, long=long)
        try:
            if stored is not None:
                return _read_wide(connection, file, source, stored)
            connection.raw_sql(f"CREATE TABLE {NAME} AS SELECT * FROM {source}")  # noqa: S608 - quoted
            break
        except duckdb.InvalidInputException as error:
            if long or "Maximum line size" not in str(error):
                raise
    return _without_blank_rows(connection, file)


def _read_wide(connection: Any, file: TextFile, source: str, stored: Path) -> tuple[int, int]:
    """Copy a text table of many columns to a Parquet file; return the number of rows, and of blank ones."""
    names = ", ".join(map(_column, file.columns))
    connection.raw_sql("SET threads = 1")
    # It sets aside room for 2,048 cells of each column several times over, and uses little of it.
    connection.raw_sql(f"SET memory_limit = '{1000 + len(file.columns) * ROOM_OF_A_COLUMN // 1000} MB'")
    everything = connection.raw_sql(f"SELECT count(*) FROM {source}").fetchone()[0]  # noqa: S608 - quoted
    connection.raw_sql(
        f"COPY (SELECT * FROM {source} WHERE trim(concat({names})) <> '') TO {_text(str(stored))} "  # noqa: S608 - quoted
        f"(FORMAT parquet, ROW_GROUP_SIZE {ROWS_OF_A_GROUP}, DICTIONARY_SIZE_LIMIT 0)"
    )
    connection.raw_sql("RESET threads")
    connection.raw_sql(f"SET memory_limit = '{MEMORY}'")
    connection.raw_sql(f"CREATE VIEW {NAME} AS SELECT * FROM read_parquet({_text(str(stored))})")  # noqa: S608 - quoted
    rows = connection.raw_sql(f"SELECT count(*) FROM {NAME}").fetchone()[0]  # noqa: S608 - a constant
    return rows, everything - rows


def _reading(file: TextFile, plain: Path, *, long: bool) -> str:
    """Return what DuckDB reads a text table with."""
    columns = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in file.columns)
    return (
        f"read_csv({_text(str(plain))}, columns = {{{columns}}}, "
        f"auto_detect = false, header = true, delim = {_text(file.separator)}, quote = '\"', escape = '\"', "
        f"strict_mode = true, null_padding = false{LONG_LINES if long else ''})"
    )


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _column(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _without_blank_rows(connection: Any, file: TextFile) -> tuple[int, int]:
    """Leave rows out whose cells are all blank; return the number of rows, and of blank ones."""
    cells = ", ".join(f"nullif(trim({_column(name)}), '')" for name in file.columns)
    filled = f"coalesce({cells}, NULL) IS NOT NULL"
    query = f"SELECT count(*), count(*) FILTER (WHERE {filled}) FROM {NAME}"  # noqa: S608 - quoted
    rows, kept = connection.raw_sql(query).fetchone()
    if kept < rows:
        connection.raw_sql(f"CREATE TABLE filled AS SELECT * FROM {NAME} WHERE {filled}")  # noqa: S608 - quoted
        connection.raw_sql(f"DROP TABLE {NAME}")
        connection.raw_sql(f"ALTER TABLE filled RENAME TO {NAME}")
    return kept, rows - kept


def _named_columns(file: TextFile, connection: Any, notes: list[str]) -> list[str]:
    """Return the columns that have a header; one without has to be blank all through, or the first, of row names."""
    blank = _blank_columns(connection, file)
    kept = []
    for place, (header, name) in enumerate(zip(file.headers.names, file.columns, strict=True), start=1):
        if header:
            kept.append(name)
            continue
        if place == 1 and len(file.headers.names) > 1:
            notes.append(
                f"Column 1 of {file.path.name} has no header and was left out: R and pandas number the rows so."
            )
            continue
        if name not in blank:
            raise InputError(f"Column {place} of {file.path} has values but no header.")
    return kept


def _blank_columns(connection: Any, file: TextFile) -> set[str]:
    """Return which columns have no header and hold nothing."""
    names = [name for header, name in zip(file.headers.names, file.columns, strict=True) if not header]
    if not names:
        return set()
    counts = ", ".join(f"count(nullif(trim({_column(name)}), ''))" for name in names)
    found = connection.raw_sql(f"SELECT {counts} FROM {NAME}").fetchone()  # noqa: S608 - quoted
    return {name for name, n in zip(names, found, strict=True) if not n}
