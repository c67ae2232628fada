"""What pdfminer unpacks, reads and draws, taken from a budget.

pdfminer has no setting for any of this, so the functions that it calls are replaced while one
document is read.
"""

import io
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

from pdfminer import pdftypes
from pdfminer.ascii85 import ascii85decode, asciihexdecode
from pdfminer.layout import LTContainer
from pdfminer.lzw import LZWDecoder
from pdfminer.pdfexceptions import PDFNotImplementedError, PDFValueError
from pdfminer.psparser import PSBaseParser, PSKeywordTable, PSLiteralTable
from pdfminer.utils import apply_png_predictor, apply_tiff_predictor

from evenhand.resumes.documents.pdf.plumbing import replace
from evenhand.tables.unpacking import Budget

__all__ = ["metered"]

#: The functions replaced are pdfminer's own, for every thread.
_ALONE = threading.RLock()
#: Words of a content stream that are counted at once.
_STEP = 1024
#: A row of what a predictor was applied to; lists are made of it at once. Text and tables of objects have short rows.
_LONGEST_ROW = 2**20
_BLANKS = b" \t\n\r\x0b\x0c"


@contextmanager
def metered(budget: Budget) -> Iterator[None]:
    """Let pdfminer take what it unpacks, reads and draws from a budget."""
    decoders = {
        "zlib": SimpleNamespace(decompress=_inflate(budget), error=zlib.error),
        "decompress_corrupted": _inflate_damaged(budget),
        "lzwdecode": _lzw(budget),
        "rldecode": _run_lengths(budget),
        "asciihexdecode": _counted(budget, asciihexdecode, before=lambda data: data.translate(None, _BLANKS)),
        "ascii85decode": _counted(budget, ascii85decode),
        "ccittfaxdecode": _fax,
        "apply_png_predictor": _short_rows(apply_png_predictor),
        "apply_tiff_predictor": _short_rows(apply_tiff_predictor),
    }
    with _ALONE, ExitStack() as stack:
        for name, decoder in decoders.items():
            replace(stack, pdftypes, name, decoder)
        replace(stack, PSBaseParser, "_add_token", _words(budget))
        replace(stack, LTContainer, "add", _drawn(budget))
        for table in (PSLiteralTable, PSKeywordTable):
            stack.callback(_forget, table.dict, frozenset(table.dict))
        yield


def _forget(table: dict[Any, Any], known: frozenset[Any]) -> None:
    """Take out of a table of names those that a document brought: it would hold them for good."""
    for name in [name for name in table if name not in known]:
        del table[name]


def _inflate(budget: Budget) -> Callable[[bytes], bytes]:
    def decompress(data: bytes) -> bytes:
        stream = zlib.decompressobj()
        found = stream.decompress(data, budget.bytes_left + 1)
        budget.unpacked(len(found))
        if not stream.eof:
            raise zlib.error("incomplete stream")
        return found

    return decompress


def _inflate_damaged(budget: Budget) -> Callable[[bytes], bytes]:
    """Return pdfminer's way with a stream whose check sum is wrong: byte by byte, up to the damage."""

    def decompress(data: bytes) -> bytes:
        stream, found = zlib.decompressobj(), bytearray()
        for place in range(len(data)):
            try:
                piece = stream.decompress(data[place : place + 1], budget.bytes_left + 1)
            except zlib.error:
                if place < len(data) - 3:
                    raise
                break
            budget.unpacked(len(piece))
            found += piece
        return bytes(found)

    return decompress


def _lzw(budget: Budget) -> Callable[[bytes], bytes]:
    def decode(data: bytes) -> bytes:
        found = bytearray()
        for piece in LZWDecoder(io.BytesIO(data)).run():
            budget.unpacked(len(piece))
            found += piece
        return bytes(found)

    return decode


def _run_lengths(budget: Budget) -> Callable[[bytes], bytes]:
    """Return a decoder of ISO 32000-1, 7.4.5; pdfminer's makes a list of numbers first."""

    def decode(data: bytes) -> bytes:
        found, place = bytearray(), 0
        while place < len(data) and data[place] != 128:
            length = data[place]
            first = place + 1
            place = first + 1 + (length if length < 128 else 0)
            piece = data[first:place] * (1 if length < 128 else 257 - length)
            budget.unpacked(len(piece))
            found += piece
        return bytes(found)

    return decode


def _counted(
    budget: Budget, decode: Callable[[bytes], bytes], *, before: Callable[[bytes], bytes] = bytes
) -> Callable[[bytes], bytes]:
    def counted(data: bytes) -> bytes:
        found = decode(before(data))
        budget.unpacked(len(found))
        return found

    return counted


def _fax(*_: Any) -> bytes:
    # Pictures are not decoded; nothing else is packed so.
    raise PDFNotImplementedError("A stream is packed as a fax.")


def _short_rows(predict: Callable[..., bytes]) -> Callable[..., bytes]:
    def predicted(*asked: Any) -> bytes:
        *numbers, colors, columns, bits, data = asked
        if max(columns, colors, colors * columns * bits // 8) > _LONGEST_ROW:
            raise PDFValueError("A predictor has too long rows.")
        return predict(*numbers, colors, columns, bits, data)

    return predicted


def _words(budget: Budget) -> Callable[..., None]:
    add, seen = PSBaseParser._add_token, 0  # noqa: SLF001 - each word passes it

    def counted(parser: Any, word: Any) -> None:
        nonlocal seen
        seen += 1
        if not seen % _STEP:
            budget.spend("operators", _STEP)
        add(parser, word)

    return counted


def _drawn(budget: Budget) -> Callable[..., None]:
    def add(container: Any, item: Any) -> None:
        budget.spend("letters and shapes on pages")
        container._objs.append(item)  # noqa: SLF001 - as the method replaced does

    return add
