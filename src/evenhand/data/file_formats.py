"""File formats other than CSV and workbooks: JSONL, Feather, Stata, SPSS, SAS, packed files and standard input."""

import gzip
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final, cast

import orjson
import polars as pl

from evenhand.data.databases import opened_parquet, opened_rows
from evenhand.data.open_table import OpenTable, message_of
from evenhand.data.toml_files import json_rows
from evenhand.errors import InputError
from evenhand.results.files import Budget, file_bytes, scratch_folder, sha256_of
from evenhand.results.messages import listed

EXPECTED = 'a line per row, such as {"gender": "f", "hired": "yes"}'


def opened_json(path: Path, closing: ExitStack, _: Budget) -> OpenTable:
    """Open JSONL, packed or not; messages and fingerprints refer to the user's file."""
    if path.suffix.lower() not in PACKED:
        return _opened_jsonl(path, closing)
    plain = unpacked_file(path, closing)
    with named_as(plain, str(path)):
        opened = _opened_jsonl(plain, closing)
    return replace(opened, name=path.name, details={"source": path.name}, fingerprints={path.name: sha256_of(path)})


@contextmanager
def named_as(file: Path, name: str) -> Iterator[None]:
    """Name a temporary file in messages as the user knows it."""
    try:
        yield
    except InputError as error:
        message = str(error).replace(str(file), name)
        raise InputError(
            message.replace("standard", "Standard", 1) if message.startswith("standard input ") else message
        ) from error


def _opened_jsonl(path: Path, closing: ExitStack) -> OpenTable:
    """Open JSONL, an object a line; a column is text where its values are not all of one kind.

    Raises
    ------
    InputError
        A line is no JSON object, or there is none.

    """
    columns: dict[str, list[Any]] = {}
    for place, (_, row) in enumerate(json_rows(path, expected=EXPECTED)):
        for name in row:
            if name not in columns:
                columns[name] = [None] * place
        for name, values in columns.items():
            values.append(row.get(name))
    nested = [name for name, values in columns.items() if any(isinstance(value, list | dict) for value in values)]
    frame = pl.DataFrame([_column(name, values) for name, values in columns.items() if name not in nested])
    if nested and not frame.width:
        raise InputError(f"{path}: every value is a list or an object; expected {EXPECTED}.")
    table = _opened(frame, path, closing)
    if not nested:
        return table
    note = f"Columns of lists and objects were left out of {path.name}: {listed(nested, quotes=True)}."
    return replace(table, notes=(*table.notes, note))


def opened_feather(path: Path, closing: ExitStack, _: Budget) -> OpenTable:
    """Open a Feather (Arrow IPC) file.

    Raises
    ------
    InputError
        It can't be read.

    """
    try:
        frame = pl.read_ipc(file_bytes(path))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} can't be read as Feather (Arrow IPC, version 2): {message_of(error)}.") from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # polars raises it at damaged files; it is no Exception
            raise InputError(f"{path} can't be read as Feather (Arrow IPC, version 2): it is damaged.") from error
        raise
    return _opened(frame, path, closing)


def _opened(frame: pl.DataFrame, path: Path, closing: ExitStack) -> OpenTable:
    table = opened_rows(frame, name=path.name, details={"source": path.name}, closing=closing)
    return replace(table, fingerprints={path.name: sha256_of(path)})


def _column(name: str, values: Sequence[Any]) -> pl.Series:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool}:
        return pl.Series(name, values, pl.Boolean)
    if kinds <= {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return pl.Series(name, values, pl.Int64)
    if kinds <= {int, float}:
        return pl.Series(name, [None if value is None else float(value) for value in values], pl.Float64)
    texts = [value if value is None or isinstance(value, str) else orjson.dumps(value).decode() for value in values]
    return pl.Series(name, texts, pl.String)


#: The function of pyreadstat and the package for each ending.
STATISTICS: Final = {
    ".dta": ("read_dta", "Stata"),
    ".sav": ("read_sav", "SPSS"),
    ".zsav": ("read_sav", "SPSS"),
    ".sas7bdat": ("read_sas7bdat", "SAS"),
}
#: Bytes that a cell takes in memory, at least.
CELL: Final = 8
_MOST_LISTED: Final = 6


def opened_statistics(path: Path, closing: ExitStack, budget: Budget) -> OpenTable:
    """Open a file of Stata, SPSS or SAS; labels replace values, and the package's missing values are null.

    The labels of a SAS file are read from FILE.sas7bcat in the same folder.

    Raises
    ------
    InputError
        pyreadstat is not installed, or the file can't be read or is larger than --unpack-limit allows.

    """
    try:
        import pyreadstat  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise InputError(
            f"{path} is read with pyreadstat; install it with: pip install 'evenhand[formats]'."
        ) from error
    reader, package = STATISTICS[path.suffix.lower()]
    read = getattr(pyreadstat, reader)
    catalog = path.with_suffix(".sas7bcat")
    options = {"catalog_file": str(catalog)} if package == "SAS" and catalog.is_file() else {}
    try:
        _, about = read(str(path), metadataonly=True)
        try:
            budget.unpacked((about.number_rows or 0) * len(about.column_names) * CELL)
        except InputError as error:
            raise InputError(f"{path} {error}") from error
        frame, about = read(str(path), output_format="polars", **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read as a file of {package}: {message_of(error)}.") from error
    labelled = [name for name in frame.columns if about.variable_value_labels.get(name)]
    frame = frame.with_columns(_labelled(frame[name], about.variable_value_labels[name]) for name in labelled)
    frame = frame.with_columns(pl.col(pl.String).replace("", None))
    note = f"Values were read as their labels in {listed(labelled, most=_MOST_LISTED, quotes=True)}."
    return replace(_opened(frame, path, closing), notes=(note,) if labelled else ())


def _labelled(column: pl.Series, labels: dict[Any, str]) -> pl.Series:
    """Return a column as text: the label of each value that has one, other values as they are."""
    values = column.unique().drop_nulls().to_list()
    value_labels = [str(labels.get(value, _plain(value))) for value in values]
    return column.replace_strict(values, value_labels, default=None, return_dtype=pl.String).alias(column.name)


def _plain(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


#: Endings of tables with an object a line, and the function that opens each ending but those of text and workbooks.
JSON: Final = (".jsonl", ".ndjson")
READERS: Final[Mapping[str, Callable[[Path, ExitStack, Budget], OpenTable]]] = {
    **dict.fromkeys(JSON, opened_json),
    ".parquet": lambda path, closing, _: opened_parquet(path, closing),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), opened_feather),
    **dict.fromkeys(STATISTICS, opened_statistics),
}

STANDARD_INPUT: Final = "-"
PACKED: Final = (".gz", ".zst")
CHUNK: Final = 2**22
#: Packed bytes per piece: in zstd they unpack to some tens of megabytes at most.
PIECE: Final = 2**10
#: The first bytes of files, and their ending; a text table begins with letters.
_BEGINNINGS: Final = (
    (b"\x1f\x8b", ".gz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
    (b"PAR1", ".parquet"),
    (b"ARROW1", ".feather"),
    (b"PK\x03\x04", ".xlsx"),
    (b"$FL2", ".sav"),
    (b"$FL3", ".zsav"),
    (b"<stata_dta>", ".dta"),
    (b"{", ".jsonl"),
)


def packed_reader(path: Path) -> IO[bytes]:
    """Return an open file, unpacked where its ending says that it is packed.

    Raises
    ------
    InputError
        zstandard is not installed.

    """
    ending = path.suffix.lower()
    if ending == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    if ending != ".zst":
        return path.open("rb")
    return io.BufferedReader(_Zstd(path))


class _Zstd(io.RawIOBase):
    """An unpacked view of a zstd file, frame by frame; a file that ends within a frame raises EOFError."""

    def __init__(self, path: Path) -> None:
        try:
            import zstandard  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise InputError(
                f"{path} is unpacked with zstandard; install it with: pip install 'evenhand[formats]'."
            ) from error
        self._unpacker = zstandard.ZstdDecompressor()
        self._frame: Any = None
        self._file = path.open("rb")
        self._ready, self._read = b"", 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; return the number of bytes, 0 at the end."""
        while self._read == len(self._ready):
            packed = self._file.read(PIECE)
            if not packed:
                if self._frame is not None and not self._frame.eof:
                    raise EOFError("it ends too early")
                return 0
            self._ready, self._read = self._unpacked(packed), 0
        piece = self._ready[self._read : self._read + len(buffer)]
        buffer[: len(piece)] = piece
        self._read += len(piece)
        return len(piece)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def _unpacked(self, packed: bytes) -> bytes:
        unpacked = b""
        while packed:
            if self._frame is None or self._frame.eof:
                self._frame = self._unpacker.decompressobj()
            unpacked += self._frame.decompress(packed)
            packed = self._frame.unused_data if self._frame.eof else b""
        return unpacked


def unpacked_file(path: Path, closing: ExitStack) -> Path:
    """Return an unpacked copy of a packed file, under its name without the ending.

    Raises
    ------
    InputError
        It is damaged.

    """
    folder = closing.enter_context(scratch_folder())
    target = folder / path.stem
    with packed_reader(path) as source, target.open("wb") as copy:
        try:
            while chunk := source.read(CHUNK):
                copy.write(chunk)
        except damages() as error:
            raise InputError(f"{path} is not a complete {path.suffix[1:]} file: {error}.") from error
    return target


def damages() -> tuple[type[BaseException], ...]:
    """Return the exceptions that a damaged packed file raises."""
    known: list[Any] = [gzip.BadGzipFile, EOFError]
    if "zstandard" in sys.modules:
        known.append(sys.modules["zstandard"].ZstdError)
    return tuple(known)


def standard_input(closing: ExitStack) -> Path:
    """Return a file with the content of standard input; its first bytes decide its ending.

    Raises
    ------
    InputError
        It holds nothing, or is a terminal.

    """
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("- is standard input, but nothing is piped into it; expected a table: cat t.csv | evenhand …")
    source = sys.stdin.buffer
    head = source.read(CHUNK)
    if not head.strip():
        raise InputError("Standard input is empty; expected a table.")
    folder = closing.enter_context(scratch_folder())
    target = folder / f"standard input{_ending(head)}"
    with target.open("wb") as copy:
        while head:
            copy.write(head)
            head = source.read(CHUNK)
    if target.suffix not in PACKED:
        return target
    try:
        plain = unpacked_file(target, closing)
    except InputError as error:
        raise InputError(str(error).replace(str(target), "Standard input")) from error
    with plain.open("rb") as file:
        return plain.rename(plain.with_name(f"standard input{_ending(file.read(CHUNK))}"))


def _ending(head: bytes) -> str:
    """Return the file ending for the first bytes of a file."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((ending for begins, ending in _BEGINNINGS if start.startswith(begins)), ".csv")
