"""CSV tables opened in DuckDB with all cells as text.

The format is determined in one pass over the file; DuckDB reads a plain copy where it can't read the file itself.
"""

import codecs
import csv
import hashlib
import io
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Final

import duckdb

from evenhand.data.databases import MEMORY, NAME, embedded, engine_name, lock
from evenhand.data.file_formats import PACKED, damages, packed_reader
from evenhand.data.open_table import Headers, OpenTable, headers_of, message_of
from evenhand.data.table_shapes import SAMPLE, Layout, Shape, row_text, table_shape, unnamed_column
from evenhand.data.text_tables import (
    CP1252,
    LONGEST_CELL,
    SEPARATOR_LINE,
    SEPARATOR_NAMES,
    neither_encoding,
    separated_by,
    stray_lines,
    stray_note,
)
from evenhand.errors import InputError, option_text

CHUNK = 2**22

#: The header lies within these bytes.
HEAD = 2**20

#: Footnotes lie within these bytes at the end; an even number, as a letter of UTF-16 takes two.
TAIL: Final = 2**16

#: A line may hold the longest cell, and as much in its other cells.
LONGEST_LINE: Final = 2 * LONGEST_CELL

_LINES = "expected names in the first line and a line per row; mend quotation marks or line ends"

_CODECS = {"UTF-8": "utf-8-sig", "cp1252": "cp1252", "UTF-16": "utf-16", "UTF-16 (little-endian)": "utf-16-le"}


@dataclass(frozen=True, kw_only=True)
class TextFile:
    """The format of a text table: encoding, separator, headers, where the table lies, and lines with stray bytes.

    DuckDB reads the file as it is (`plain`), or a copy; `cut` says that the copy has the rows below the header only.
    """

    path: Path
    encoding: str
    separator: str
    headers: Headers
    shape: Shape
    stray: tuple[int, ...]
    fingerprint: str
    plain: bool
    cut: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """Return a name for each column: its header, or a stand-in where that is blank."""
        return tuple(name or f"(column {place})" for place, name in enumerate(self.headers.names, start=1))

    @property
    def has_header(self) -> bool:
        """Say whether the header is in what DuckDB reads."""
        return not self.cut and self.shape.has_header


def scan_text_file(path: Path, layout: Layout = Layout()) -> TextFile:  # noqa: B008 - it is frozen
    """Return the format of a CSV, packed or not; the file is read once, in pieces, unless it is no UTF-8.

    Raises
    ------
    InputError
        The file is empty, no text, or in another encoding, or it is unclear where the table lies.

    """
    packed = path.suffix.lower() in PACKED
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    utf8 = True
    feeds = returns = pairs = 0
    last = b""
    head = tail = b""
    since = 0
    wide: str | None = None
    with packed_reader(path) as file:
        try:
            while chunk := file.read(CHUNK):
                if not head:
                    head = chunk[:HEAD]
                    wide = _wide_encoding(head, path)
                digest.update(chunk)
                if since + _to_line_end(chunk) > LONGEST_LINE:
                    raise InputError(f"{path} has a line of more than {LONGEST_LINE >> 20} MB; {_LINES}.")
                since = _since_line_end(chunk, since)
                tail = chunk[-TAIL:] if len(chunk) >= TAIL else (tail + chunk)[-TAIL:]
                if wide is not None:
                    continue
                if b"\x00" in chunk:
                    raise InputError(f"{path} is not a CSV file: it holds NUL bytes.")
                utf8 = utf8 and _decodes(decoder, chunk)
                feeds += chunk.count(b"\n")
                returns += chunk.count(b"\r")
                pairs += chunk.count(b"\r\n") + (last == b"\r" and chunk[:1] == b"\n")
                last = chunk[-1:]
        except damages() as error:
            format_name = "gzip" if path.suffix.lower() == ".gz" else "zstd"
            raise InputError(f"{path} is not a complete {format_name} file: {error}.") from error
    if not head:
        raise InputError(f"{path} is empty.")
    stray = () if wide or (utf8 and not decoder.getstate()[0]) else _stray_lines(path)
    encoding = wide or ("UTF-8" if stray is not None else "cp1252")
    cut = len(head) == HEAD
    rows, separator, one_line = _first_rows(_text(head, encoding, path, stray=bool(stray)), path, cut=cut)
    whole = not cut and len(rows) <= SAMPLE
    end = None if whole else _last_rows(tail, _codec_of_tail(encoding, head), separator)
    shape = table_shape(rows[:SAMPLE], end, layout, source=path.name)
    one_kind_of_line_end = pairs == feeds == returns or (returns == 0) or (feeds == 0)
    if packed:
        with path.open("rb") as raw:
            fingerprint = hashlib.file_digest(raw, "sha256").hexdigest()
    else:
        fingerprint = digest.hexdigest()
    return TextFile(
        path=path,
        encoding="UTF-16" if wide else encoding,
        separator=separator,
        headers=headers_of(shape.header),
        shape=shape,
        stray=stray or (),
        fingerprint=fingerprint,
        plain=encoding == "UTF-8"
        and not (stray or shape.is_cut or packed)
        and one_line
        and any(rows[0])
        and one_kind_of_line_end,
        cut=shape.is_cut or bool(stray),
    )


def plain_copy(file: TextFile, target: Path) -> Path:
    """Write the rows to `target` as UTF-8 with plain line ends, from the header on; return `target`.

    Where rows above the header or below the table are left out, or bytes replaced, the header is left out, too.
    """
    with packed_reader(file.path) as source:
        start = source.read(HEAD)
    with packed_reader(file.path) as source:
        codec = _CODECS[_wide_encoding(start, file.path) or file.encoding]
        errors = "surrogateescape" if file.stray else "strict"
        text = io.TextIOWrapper(source, encoding=codec, errors=errors, newline="" if file.cut else None)
        with target.open("w", encoding="utf-8", newline="\n") as copy:
            try:
                if file.cut:
                    _copy_rows(file, text, copy)
                    return target
                _skip_to_header(text, copy)
                while piece := text.read(CHUNK):
                    copy.write(piece)
            except UnicodeDecodeError as error:
                raise neither_encoding(file.path) from error
            except csv.Error as error:
                raise InputError(f"{file.path} can't be read as CSV: {error}.") from error
    return target


def _copy_rows(file: TextFile, text: IO[str], copy: IO[str]) -> None:
    """Write the rows of the table, without those above and below it."""
    csv.field_size_limit(LONGEST_CELL)
    lines = (line.translate(CP1252) for line in text) if file.stray else iter(text)
    first = next(lines, "")
    if not SEPARATOR_LINE.match(first):
        lines = chain([first], lines)
    writer = csv.writer(copy, delimiter=file.separator, lineterminator="\n")  # noqa: TID251 - only DuckDB reads it
    waiting: list[list[str]] = []
    for row in islice(csv.reader(lines, delimiter=file.separator), file.shape.skip, None):
        waiting.append(row)
        if any(cell.strip() for cell in row) and len(waiting) > file.shape.footer:
            writer.writerows(waiting[: len(waiting) - file.shape.footer])
            del waiting[: len(waiting) - file.shape.footer]
    if [row_text(row) for row in waiting if any(map(str.strip, row))] != file.shape.footnotes:
        raise InputError(
            f"The last rows of {file.path.name} may be footnotes; give the number of rows below the table with "
            f"{option_text('footer', 0)}, or another number."
        )


def first_bad_row(file: TextFile, plain: Path) -> str | None:
    """Return the problem of the first malformed row; None where all rows are as long as the header."""
    csv.field_size_limit(LONGEST_CELL)
    with plain.open(encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=file.separator, strict=True)
        number = -1 if file.has_header else 0
        try:
            for row in reader:
                if not any(cell.strip() for cell in row):
                    continue
                number += 1
                if len(row) != len(file.headers.names):
                    fields = "field" if len(row) == 1 else "fields"
                    return (
                        f"row {number} has {len(row)} {fields}, the header {len(file.headers.names)}; a header further "
                        f"down is named with {option_text('header_row')}, footnotes with {option_text('footer')}"
                    )
        except csv.Error as error:
            return f"near line {reader.line_num}, {error}"
    return None


def _wide_encoding(head: bytes, path: Path) -> str | None:
    """Return the kind of UTF-16 that the bytes are in, if any; refuse a workbook or Parquet under a wrong name."""
    if head.startswith(b"PK\x03\x04"):
        raise InputError(
            f"{path} is a workbook, not CSV; give it the extension .xlsx, or save its sheet as CSV (UTF-8)."
        )
    if head.startswith(b"PAR1"):
        raise InputError(f"{path} is Parquet, not CSV; give it the extension .parquet.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    # Without a byte order mark: letters, each followed by a zero byte.
    start = head[:64]
    return "UTF-16 (little-endian)" if len(start) > 3 and not any(start[1::2]) and all(start[::2]) else None


def _to_line_end(chunk: bytes) -> int:
    """Return the number of bytes before the first line end."""
    return min((place for place in (chunk.find(b"\n"), chunk.find(b"\r")) if place >= 0), default=len(chunk))


def _since_line_end(chunk: bytes, before: int) -> int:
    """Return the number of bytes since the last line end; `before` is that number at the start of the chunk."""
    place = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
    return before + len(chunk) if place < 0 else len(chunk) - 1 - place


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes) -> bool:
    try:
        decoder.decode(chunk)
    except UnicodeDecodeError:
        return False
    return True


def _stray_lines(path: Path) -> tuple[int, ...] | None:
    """Return the lines of a file of UTF-8 that have a byte of cp1252; None where it isn't mostly UTF-8."""
    with io.TextIOWrapper(packed_reader(path), encoding="utf-8-sig", errors="surrogateescape") as lines:
        return stray_lines(lines, path)


def _text(head: bytes, encoding: str, path: Path, *, stray: bool) -> str:
    decoder = codecs.getincrementaldecoder(_CODECS[encoding])("surrogateescape" if stray else "strict")
    try:
        text = decoder.decode(head)
    except UnicodeDecodeError as error:
        raise neither_encoding(path) from error
    return text.translate(CP1252) if stray else text


def _codec_of_tail(encoding: str, head: bytes) -> str:
    """Return the codec of the last bytes, which have no byte order mark."""
    if encoding == "UTF-16":
        return "utf-16-le" if head.startswith(b"\xff\xfe") else "utf-16-be"
    return _CODECS[encoding]


def _last_rows(tail: bytes, codec: str, separator: str) -> list[list[str]]:
    """Return the rows that begin in the last bytes."""
    lines = io.StringIO(tail.decode(codec, errors="replace"), newline="")
    next(lines, None)
    return list(csv.reader(lines, delimiter=separator))


def _first_rows(text: str, path: Path, *, cut: bool) -> tuple[list[list[str]], str, bool]:
    """Return the first rows, the separator, and whether the first row is the first line, of one line."""
    separator, remainder = separated_by(text)
    csv.field_size_limit(LONGEST_CELL)
    lines = io.StringIO(remainder, newline="")
    reader = csv.reader(lines, delimiter=separator, strict=False)
    rows = list(islice(reader, 1))
    one_line = remainder == text and reader.line_num == 1
    rows += islice(reader, SAMPLE)
    if cut and lines.tell() == len(remainder):
        rows.pop()
    if not any(any(cell.strip() for cell in row) for row in rows):
        raise InputError(
            f"{path} has no header in its first {HEAD >> 20} MB; {_LINES}." if cut else f"{path} is empty."
        )
    return rows, separator, one_line


def _skip_to_header(text: IO[str], copy: IO[str]) -> None:
    """Leave out blank lines, and Excel's line `sep=`, before the header."""
    for line in text:
        if not line.strip() or SEPARATOR_LINE.match(line):
            continue
        copy.write(line)
        return


#: Tables with more columns are stored as Parquet, in groups of few rows: DuckDB's own format needs a block per column.
MANY_COLUMNS: Final = 200

ROWS_OF_A_GROUP: Final = 2048

#: Kilobytes of memory per column.
ROOM_OF_A_COLUMN: Final = 300

#: With more columns DuckDB takes minutes for a query.
MOST_COLUMNS: Final = 12_000

LONG_LINES: Final = f", max_line_size = {LONGEST_LINE}, buffer_size = {LONGEST_LINE}"

KEEP: Final = "keep those that the options name, and leave others out"


def opened_text(path: Path, closing: ExitStack, layout: Layout) -> OpenTable:
    """Open a CSV; all cells stay text, so that 007 is not 7. Blank rows are left out and counted."""
    try:
        file = scan_text_file(path, layout)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    columns = len(file.columns)
    if columns > MOST_COLUMNS:
        raise InputError(f"{path} has {columns:,} columns, more than the {MOST_COLUMNS:,} that are read; {KEEP}.")
    connection, folder = embedded(closing, on_disk=path.stat().st_size > CHUNK)
    stored = folder / "wide.parquet" if columns > MANY_COLUMNS else None
    rows, blank = _copied(connection, file, folder, stored)
    if not rows:
        raise InputError(f"{path} has no rows.")
    lock(connection.con, reading=stored)
    expr = connection.table(NAME)
    notes = [*file.shape.notes, *file.headers.notes(path.name)]
    retained = _named_columns(file, connection, notes)
    if file.stray:
        notes.append(stray_note(file.stray, path))
    if file.encoding != "UTF-8":
        notes.append(f"{path.name} was read in the encoding {file.encoding}.")
    if file.separator != ",":
        notes.append(f"{path.name} was read with {SEPARATOR_NAMES[file.separator]} between the columns.")
    if blank:
        notes.append(f"{blank:,} blank {'row was' if blank == 1 else 'rows were'} left out of {path.name}.")
    return OpenTable(
        expr=expr if len(retained) == columns else expr.select(*retained),
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
        ordered=True,
        repeated=file.headers.repeated,
        rows=rows,
    )


def _copied(connection: Any, file: TextFile, folder: Path, stored: Path | None) -> tuple[int, int]:
    """Copy a text table into DuckDB or to Parquet (`stored`); return the numbers of rows and of blank ones left out."""
    path = file.path
    plain = path if file.plain else plain_copy(file, folder / "plain.csv")
    try:
        counts = _read(connection, file, plain, stored)
    except duckdb.OutOfMemoryException as error:
        size = f"{len(file.columns):,} columns" if stored is not None else "cells"
        raise InputError(f"{path} has {size} too large for {MEMORY} of memory; {KEEP}.") from error
    except duckdb.NotImplementedException as error:
        # DuckDB raises this for a buffer without a row.
        raise InputError(
            f"{path} has more than {LONGEST_LINE >> 20} MB of consecutive blank lines; delete them."
        ) from error
    except duckdb.Error as error:
        bad = first_bad_row(file, plain) or message_of(error)
        separated = SEPARATOR_NAMES[file.separator]
        message = f"{path} can't be read as CSV with {separated} between the columns: {bad}."
        raise InputError(message) from error
    if not file.plain:
        plain.unlink()
    return counts


def _read(connection: Any, file: TextFile, plain: Path, stored: Path | None) -> tuple[int, int]:
    """Copy a text table; return the numbers of rows and of blank ones left out.

    DuckDB reads slowly with a large line size, so that is set only where a line is long. A copy from another encoding
    may be longer than its source, and DuckDB would silently drop a last line longer than the buffer.
    """
    for long in (True,) if file.encoding != "UTF-8" else (False, True):
        source = _read_csv_call(file, plain, long=long)
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
    """Copy a text table of many columns to a Parquet file; return the numbers of rows and of blank ones left out."""
    names = ", ".join(map(_column, file.columns))
    connection.raw_sql("SET threads = 1")
    # DuckDB reserves room for 2,048 cells of each column several times over, and uses little of it.
    connection.raw_sql(f"SET memory_limit = '{1000 + len(file.columns) * ROOM_OF_A_COLUMN // 1000} MB'")
    everything = connection.raw_sql(f"SELECT count(*) FROM {source}").fetchone()[0]  # noqa: S608 - quoted
    connection.raw_sql(
        f"COPY (SELECT * FROM {source} WHERE trim(concat({names})) <> '') TO {_sql_text(str(stored))} "  # noqa: S608 - quoted
        f"(FORMAT parquet, ROW_GROUP_SIZE {ROWS_OF_A_GROUP}, DICTIONARY_SIZE_LIMIT 0)"
    )
    connection.raw_sql("RESET threads")
    connection.raw_sql(f"SET memory_limit = '{MEMORY}'")
    connection.raw_sql(f"CREATE VIEW {NAME} AS SELECT * FROM read_parquet({_sql_text(str(stored))})")  # noqa: S608 - quoted
    rows = connection.raw_sql(f"SELECT count(*) FROM {NAME}").fetchone()[0]  # noqa: S608 - a constant
    return rows, everything - rows


def _read_csv_call(file: TextFile, plain: Path, *, long: bool) -> str:
    """Return the call with which DuckDB reads a text table."""
    columns = ", ".join(f"{_sql_text(name)}: 'VARCHAR'" for name in file.columns)
    return (
        f"read_csv({_sql_text(str(plain))}, columns = {{{columns}}}, "
        f"auto_detect = false, header = {file.has_header}, delim = {_sql_text(file.separator)}, "
        "quote = '\"', escape = '\"', "
        f"strict_mode = true, null_padding = false{LONG_LINES if long else ''})"
    )


def _sql_text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _column(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _without_blank_rows(connection: Any, file: TextFile) -> tuple[int, int]:
    """Drop rows whose cells are all blank; return the numbers of rows left and of blank ones."""
    cells = ", ".join(f"nullif(trim({_column(name)}), '')" for name in file.columns)
    filled = f"coalesce({cells}, NULL) IS NOT NULL"
    query = f"SELECT count(*), count(*) FILTER (WHERE {filled}) FROM {NAME}"  # noqa: S608 - quoted
    rows, retained = connection.raw_sql(query).fetchone()
    if retained < rows:
        connection.raw_sql(f"CREATE TABLE filled AS SELECT * FROM {NAME} WHERE {filled}")  # noqa: S608 - quoted
        connection.raw_sql(f"DROP TABLE {NAME}")
        connection.raw_sql(f"ALTER TABLE filled RENAME TO {NAME}")
    return retained, rows - retained


def _named_columns(file: TextFile, connection: Any, notes: list[str]) -> list[str]:
    """Return the columns with a header; one without has to be blank, or the first, which holds row names."""
    blank = _blank_columns(connection, file)
    retained = []
    for place, (header, name) in enumerate(zip(file.headers.names, file.columns, strict=True), start=1):
        if header:
            retained.append(name)
            continue
        if place == 1 and len(file.headers.names) > 1:
            notes.append(
                f"Column 1 of {file.path.name} has no header and was left out: R and pandas number the rows so "
                f"(--header-row {file.shape.skip} calls it 'column 1')."
            )
            continue
        if name not in blank:
            raise unnamed_column(place, file.path)
    return retained


def _blank_columns(connection: Any, file: TextFile) -> set[str]:
    """Return the columns without a header whose cells are all blank."""
    names = [name for header, name in zip(file.headers.names, file.columns, strict=True) if not header]
    if not names:
        return set()
    cells = ", ".join(f"count(nullif(trim({_column(name)}), ''))" for name in names)
    counts = connection.raw_sql(f"SELECT {cells} FROM {NAME}").fetchone()  # noqa: S608 - quoted
    return {name for name, n in zip(names, counts, strict=True) if not n}
