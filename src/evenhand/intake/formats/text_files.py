"""What a text table is written in, found out in one pass, and a plain copy where DuckDB needs one."""

import codecs
import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from evenhand.errors import InputError
from evenhand.intake._headers import Headers, headers_of
from evenhand.intake.formats.unpacked import PACKED, damages, packed_reader
from evenhand.intake.text_tables import LONGEST_CELL, separated_by

__all__ = ["LONGEST_LINE", "TextFile", "first_bad_row", "plain_copy", "scan_text_file"]

CHUNK = 2**22
#: The header and the rows that tell the separator lie within these bytes.
HEAD = 2**20
#: A line may hold a cell of the longest kind, and as much beside it.
LONGEST_LINE: Final = 2 * LONGEST_CELL
_LINES = "expected names in the first line and a line per row; mend quotation marks or line ends"
_CODECS = {"UTF-8": "utf-8-sig", "cp1252": "cp1252", "UTF-16": "utf-16", "UTF-16 (little-endian)": "utf-16-le"}


@dataclass(frozen=True, kw_only=True)
class TextFile:
    """How a text table is written."""

    path: Path
    encoding: str
    separator: str
    headers: Headers
    fingerprint: str
    plain: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """Return a name for each column: its header, or a stand-in where that is blank."""
        return tuple(name or f"(column {place})" for place, name in enumerate(self.headers.names, start=1))


def scan_text_file(path: Path) -> TextFile:
    """Return encoding, separator and header of a CSV, packed or not; the file is read once, in pieces.

    Raises
    ------
    InputError
        The file is empty, no text, or in another encoding.

    """
    packed = path.suffix.lower() in PACKED
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    utf8 = True
    feeds = returns = pairs = 0
    last = b""
    head = b""
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
                if wide is not None:
                    continue
                if b"\x00" in chunk:
                    raise InputError(f"{path} is no CSV: it holds NUL bytes.")
                utf8 = utf8 and _decodes(decoder, chunk)
                feeds += chunk.count(b"\n")
                returns += chunk.count(b"\r")
                pairs += chunk.count(b"\r\n") + (last == b"\r" and chunk[:1] == b"\n")
                last = chunk[-1:]
        except damages() as error:
            what = "gzip" if path.suffix.lower() == ".gz" else "zstd"
            raise InputError(f"{path} is no whole {what} file: {error}.") from error
    if not head:
        raise InputError(f"{path} is empty.")
    encoding = wide or ("UTF-8" if utf8 and not decoder.getstate()[0] else "cp1252")
    header, separator, at_top = _header(_text(head, encoding, path), path, cut=len(head) == HEAD)
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
        headers=header,
        fingerprint=fingerprint,
        plain=encoding == "UTF-8" and at_top and one_kind_of_line_end and not packed,
    )


def plain_copy(file: TextFile, target: Path) -> Path:
    """Write the rows as UTF-8 with plain line ends and the header at the top; return where."""
    with packed_reader(file.path) as source:
        start = source.read(HEAD)
    with packed_reader(file.path) as source:
        codec = _CODECS[_wide_encoding(start, file.path) or file.encoding]
        text = io.TextIOWrapper(source, encoding=codec, newline=None)
        with target.open("w", encoding="utf-8", newline="\n") as copy:
            try:
                _skip_to_header(text, copy)
                while piece := text.read(CHUNK):
                    copy.write(piece)
            except UnicodeDecodeError as error:
                raise InputError(f"{file.path} is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.") from error
    return target


def first_bad_row(file: TextFile, plain: Path) -> str | None:
    """Return what is wrong with the first row that is; None where the rows are as long as the header."""
    csv.field_size_limit(LONGEST_CELL)
    with plain.open(encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=file.separator, strict=True)
        number = -1
        try:
            for row in reader:
                if not any(cell.strip() for cell in row):
                    continue
                number += 1
                if len(row) != len(file.headers.names):
                    fields = "field" if len(row) == 1 else "fields"
                    return f"row {number} has {len(row)} {fields}, the header {len(file.headers.names)}"
        except csv.Error as error:
            return f"near line {reader.line_num}, {error}"
    return None


def _wide_encoding(head: bytes, path: Path) -> str | None:
    """Return which UTF-16 the bytes are in, if any; a workbook or Parquet under a wrong name is an error."""
    if head.startswith(b"PK\x03\x04"):
        raise InputError(f"{path} is a workbook, not CSV; give it the ending .xlsx, or save its sheet as CSV (UTF-8).")
    if head.startswith(b"PAR1"):
        raise InputError(f"{path} is Parquet, not CSV; give it the ending .parquet.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    # Without a byte order mark: letters, each followed by a zero byte.
    start = head[:64]
    return "UTF-16 (little-endian)" if len(start) > 3 and not any(start[1::2]) and all(start[::2]) else None


def _to_line_end(chunk: bytes) -> int:
    """Return how many bytes there are before the first line end."""
    return min((place for place in (chunk.find(b"\n"), chunk.find(b"\r")) if place >= 0), default=len(chunk))


def _since_line_end(chunk: bytes, before: int) -> int:
    """Return how many bytes there are since the last line end."""
    place = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
    return before + len(chunk) if place < 0 else len(chunk) - 1 - place


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes) -> bool:
    try:
        decoder.decode(chunk)
    except UnicodeDecodeError:
        return False
    return True


def _text(head: bytes, encoding: str, path: Path) -> str:
    decoder = codecs.getincrementaldecoder(_CODECS[encoding])()
    try:
        return decoder.decode(head)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.") from error


def _header(text: str, path: Path, *, cut: bool) -> tuple[Headers, str, bool]:
    """Return the header, the separator, and whether the header is the first line, of one line."""
    body = text.lstrip("\r\n")
    separator, rest = separated_by(body)
    csv.field_size_limit(LONGEST_CELL)
    lines = io.StringIO(rest, newline="")
    reader = csv.reader(lines, delimiter=separator, strict=False)
    row = next((row for row in reader if any(cell.strip() for cell in row)), None)
    if cut and lines.tell() == len(rest):
        raise InputError(f"{path} has no header in its first {HEAD >> 20} MB; {_LINES}.")
    if row is None:
        raise InputError(f"{path} is empty.")
    return headers_of([name.strip() for name in row]), separator, rest == text and reader.line_num == 1


def _skip_to_header(text: IO[str], copy: IO[str]) -> None:
    """Leave out lines that hold nothing, and Excel's line `sep=`, before the header."""
    for line in text:
        if not line.strip() or line.strip().lower().startswith("sep="):
            continue
        copy.write(line)
        return
