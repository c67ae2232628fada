"""Résumés in plain text: encoding, byte order mark and line ends stay as they are."""

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.errors import InputError
from evenhand.resumes.documents.check import Trace, refuse_leaks
from evenhand.resumes.documents.edits import ROUNDS, applied, edits_in
from evenhand.resumes.documents.request import MaskedDocument, Request, Tally
from evenhand.resumes.documents.views import View, without_returns
from evenhand.resumes.mask import find_names
from evenhand.resumes.names.parts import Names

__all__ = ["Decoded", "decoded", "masked_document", "masked_views"]

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


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
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if content.startswith(mark)), (b"", ""))
    body = content[len(mark) :]
    if not codec:
        start = body[:64]
        wide = len(start) > 3 and not any(start[1::2]) and all(start[::2])
        tries: tuple[str, ...] = ("utf-16-le",) if wide else ("utf-8", "cp1252")
    else:
        tries = (codec,)
    if b"\x00" in body and not tries[0].startswith("utf-16"):
        raise InputError("is no text: it holds NUL bytes; expected UTF-8, UTF-16 or cp1252.")
    for each in tries:
        try:
            text = body.decode(each)
        except UnicodeDecodeError:
            continue
        if not text.strip():
            raise InputError("holds no text.")
        return Decoded(text=text, mark=mark, codec=each)
    raise InputError("is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.")


def masked_document(content: bytes, request: Request) -> MaskedDocument:
    r"""Return a masked text.

    >>> masked_document(b"Jane Doe\r\njane@example.org\r\n", Request()).content
    b'[NAME]\r\n[EMAIL]\r\n'
    """
    source = decoded(content)
    names = find_names(without_returns(source.text).text, known_names=request.known_names, file_name=request.file_name)
    tally = Tally()
    text = masked_views(source.text, [without_returns], names=names, request=request, tally=tally)
    return tally.document(source.encoded(text))


def masked_views(
    text: str, views: Sequence[Callable[[str], View]], *, names: Names, request: Request, tally: Tally
) -> str:
    """Return a text masked in each of its views, until nothing more is found in any, and checked.

    Raises
    ------
    CheckFailed
        Something still stands.

    """
    masked: set[tuple[str, str]] = set()
    for view_of in views:
        for _ in range(ROUNDS):
            view = view_of(text)
            edits = edits_in(view.text, names=names, options=request.options)
            if not edits:
                break
            tally.spans.update(edit.category for edit in edits)
            masked.update((edit.category, view.text[edit.start : edit.end]) for edit in edits)
            text = applied(text, view.back(edits))
    refuse_leaks(
        texts=[view_of(text).text for view_of in views],
        bare=(),
        trace=Trace(names, frozenset(masked)),
        options=request.options,
    )
    return text
