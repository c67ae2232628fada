"""Résumés in plain text: encoding, byte order mark and line ends stay as they are."""

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.errors import InputError
from evenhand.resumes.documents.check import Trace, refuse_leaks
from evenhand.resumes.documents.edits import ROUNDS, applied, edits_in
from evenhand.resumes.documents.garbled import is_broken_utf8, is_garbled
from evenhand.resumes.documents.request import DocumentText, MaskedDocument, Request, Tally
from evenhand.resumes.documents.views import View, without_returns
from evenhand.resumes.mask import find_names
from evenhand.resumes.names.parts import Names
from evenhand.tables.unpacking import Budget

__all__ = ["Decoded", "decoded", "document_text", "masked_document", "masked_in", "masked_views"]

ViewOf = Callable[[str], View]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EXPECTED = "expected UTF-8, UTF-16 or cp1252"
_OTHER_FORMATS = ((b"{\\rtf", "RTF"), (b"%PDF-", "PDF"), (b"PK\x03\x04", "a zip or Word file"))
#: So much of a text is looked at for its encoding; so many of its characters have a zero byte in UTF-16.
_START = 4096
_WIDE = 0.1


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """The text of a file, its byte order mark and its encoding."""

    text: str
    mark: bytes
    codec: str

    def encoded(self, text: str) -> bytes:
        """Return another text as the file was written."""
        return self.mark + text.encode(self.codec)


def decoded(content: bytes) -> Decoded:
    r"""Return the text of bytes in UTF-8, UTF-16 or cp1252.

    >>> decoded(b"Ren\xe9e").text, decoded(b"\xff\xfeJ\x00o\x00").text
    ('Renée', 'Jo')

    Raises
    ------
    InputError
        The bytes are in none of these, or hold no text.

    """
    told = next((kind for start, kind in _OTHER_FORMATS if content.startswith(start)), None)
    if told is not None:
        raise InputError(f"is {told} by its content; name it so, or save it as text.")
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if content.startswith(mark)), (b"", ""))
    body = content[len(mark) :]
    for each in (codec,) if codec else _codecs(body):
        try:
            text = body.decode(each)
        except UnicodeDecodeError:
            continue
        if "\x00" in text:
            raise InputError(f"is no text: it holds NUL characters; {_EXPECTED}.")
        if not text.strip():
            raise InputError("holds no text.")
        if each == "cp1252":
            if is_broken_utf8(body):
                raise InputError("is UTF-8 with broken characters; save it anew as UTF-8.")
            if is_garbled(text):
                break
        return Decoded(text=text, mark=mark, codec=each)
    raise InputError("is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.")


def _codecs(body: bytes) -> tuple[str, ...]:
    """Return the encodings that a text without a mark may have."""
    start = body[:_START]
    low, high = start[::2].count(0), start[1::2].count(0)
    if not low and high > _WIDE * len(start) / 2:
        return ("utf-16-le",)
    if not high and low > _WIDE * len(start) / 2:
        return ("utf-16-be",)
    return ("utf-8", "cp1252")


def masked_document(content: bytes, request: Request) -> MaskedDocument:
    r"""Return a masked text.

    >>> masked_document(b"Jane Doe\r\njane@example.org\r\n", Request()).content
    b'[NAME]\r\n[EMAIL]\r\n'
    """
    source = decoded(content)
    names = find_names(without_returns(source.text).text, known_names=request.known_names, file_name=request.file_name)
    tally = Tally()
    tally.note_absent(request, source.text)
    tally.note_kept(request, without_returns(source.text).text)
    text = masked_views(source.text, [without_returns], names=names, request=request, tally=tally)
    return tally.document(source.encoded(text))


def document_text(content: bytes, *, unpack_limit: int) -> DocumentText:
    r"""Return a text with line feeds alone.

    >>> document_text(b"Jane Doe\r\nNurse\r\n", unpack_limit=1).text
    'Jane Doe\nNurse\n'
    """
    text = decoded(content).text.replace("\r\n", "\n").replace("\r", "\n")
    Budget(unpack_limit).spend("letters", len(text))
    return DocumentText(text=text)


def masked_views(text: str, views: Sequence[ViewOf], *, names: Names, request: Request, tally: Tally) -> str:
    """Return a text masked in each of its views, and checked.

    Raises
    ------
    CheckFailed
        Something still stands.

    """
    masked: set[tuple[str, str]] = set()
    text = masked_in(text, views, names=names, request=request, tally=tally, masked=masked)
    refuse_leaks(
        texts=dict.fromkeys(view_of(text).text for view_of in views),
        bare=(),
        trace=Trace(names, frozenset(masked)),
        options=request.options,
    )
    return text


def masked_in(
    text: str, views: Sequence[ViewOf], *, names: Names, request: Request, tally: Tally, masked: set[tuple[str, str]]
) -> str:
    """Return a text masked in each of its views, until nothing more is found in any; what was masked is added."""
    clean: set[str] = set()
    for view_of in views:
        for _ in range(ROUNDS):
            view = view_of(text)
            edits = [] if view.text in clean else edits_in(view.text, names=names, options=request.options)
            if not edits:
                clean.add(view.text)
                break
            tally.spans.update(edit.category for edit in edits)
            masked.update((edit.category, view.text[edit.start : edit.end]) for edit in edits)
            text = applied(text, view.back(edits))
    return text
