"""What comes packed, or by standard input, written to a file that can be opened."""

import gzip
import io
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final, cast

from evenhand.errors import InputError

__all__ = ["PACKED", "STANDARD_INPUT", "damages", "packed_reader", "standard_input", "unpacked_file"]

STANDARD_INPUT: Final = "-"
PACKED: Final = (".gz", ".zst")
CHUNK: Final = 2**22
#: Packed bytes that are taken at once: so many of zstd unpack to some tens of megabytes at most.
PIECE: Final = 2**10
#: What files begin with, and their ending; a table of text begins with letters.
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
    """Return what reads a file, unpacked where its ending says that it is packed.

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
    """Unpacks zstd, frame after frame, a little at a time; a file that ends within a frame raises EOFError."""

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
        """Return that it can be read."""
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
        found = b""
        while packed:
            if self._frame is None or self._frame.eof:
                self._frame = self._unpacker.decompressobj()
            found += self._frame.decompress(packed)
            packed = self._frame.unused_data if self._frame.eof else b""
        return found


def unpacked_file(path: Path, closing: ExitStack) -> Path:
    """Return a copy of a packed file, unpacked, under its name without the ending.

    Raises
    ------
    InputError
        It is damaged.

    """
    folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="evenhand-")))
    target = folder / path.stem
    with packed_reader(path) as source, target.open("wb") as copy:
        try:
            while chunk := source.read(CHUNK):
                copy.write(chunk)
        except damages() as error:
            raise InputError(f"{path} is no whole {path.suffix[1:]} file: {error}.") from error
    return target


def damages() -> tuple[type[BaseException], ...]:
    """Return what reading a damaged packed file raises."""
    known: list[Any] = [gzip.BadGzipFile, EOFError]
    if "zstandard" in sys.modules:
        known.append(sys.modules["zstandard"].ZstdError)
    return tuple(known)


def standard_input(closing: ExitStack) -> Path:
    """Return a file with what standard input holds; its ending follows from how it begins.

    Raises
    ------
    InputError
        It holds nothing, or is a terminal.

    """
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("- is standard input, and nothing is piped into it; expected a table: cat t.csv | evenhand …")
    source = sys.stdin.buffer
    head = source.read(CHUNK)
    if not head.strip():
        raise InputError("Standard input is empty; expected a table.")
    folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="evenhand-")))
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
    """Return the ending of what begins so."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((ending for begins, ending in _BEGINNINGS if start.startswith(begins)), ".csv")
