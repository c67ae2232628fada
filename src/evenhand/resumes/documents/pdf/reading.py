"""What a PDF holds: its words with their places, form values among them, and its metadata."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pdfplumber
from pdfminer.pdfdocument import PDFNoOutlines
from pdfminer.pdftypes import resolve1
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException
from pdfplumber.utils.text import extract_words

from evenhand.errors import InputError
from evenhand.resumes.documents.pdf.crowded import refuse_crowded
from evenhand.resumes.documents.pdf.layout import Line, lines_of
from evenhand.resumes.documents.pdf.letters import by_direction, joined, without_doubles
from evenhand.resumes.documents.pdf.meter import metered
from evenhand.resumes.documents.pdf.plumbing import plain_pages
from evenhand.resumes.documents.pdf.words import Word
from evenhand.resumes.documents.request import Tally
from evenhand.tables.unpacking import Budget

__all__ = ["PdfFile", "opened"]

_BROKEN = "is no PDF that can be read; it may be broken."
_SCANNED = 0.5
_FEW_WORDS = 20
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SOFT_HYPHEN = "\u00ad"
_UNSEEN = dict.fromkeys(map(ord, f"\x00{_SOFT_HYPHEN}\ufeff"))
_MOST_ICONS = 2
#: A bullet has nothing so near before it, in letter sizes; another column may begin there.
_NEAR = 1.2
_TELLING = ("Title", "Author", "Subject", "Keywords", "Manager", "Company")
_UTF16 = (b"\xfe\xff", b"\xff\xfe")


@dataclass(frozen=True, kw_only=True)
class PdfFile:
    """Lines of all pages in reading order, pages apart; the size of the first page; metadata."""

    pages: list[list[Line]]
    width: float
    height: float
    metadata: tuple[str, ...]


def opened(content: bytes, tally: Tally, budget: Budget) -> PdfFile:
    """Return what a PDF shows and says of itself.

    Raises
    ------
    InputError
        The file is encrypted, broken, scanned, asks too much, or its letters can't be told.

    """
    if b"%PDF-" not in content[:1024]:
        raise InputError("is no PDF.")
    try:
        with metered(budget), plain_pages(), pdfplumber.open(io.BytesIO(content)) as pdf:
            _check(pdf)
            pages = [_page(page, number, tally) for number, page in enumerate(pdf.pages, 1)]
            _note_extras(pdf.doc, tally)
            metadata = tuple(_metadata(pdf.doc))
            size = pdf.pages[0]
            width, height = float(size.width), float(size.height)
    except InputError:
        raise
    except (PdfminerException, MalformedPDFException) as error:
        if "Password" in repr(error) or "Encryption" in repr(error):
            raise InputError("is encrypted; save it without a password or protection.") from error
        raise InputError(_BROKEN) from error
    # Broken files break a reader anywhere, in as many ways.
    except Exception as error:
        raise InputError(_BROKEN) from error
    if not any(line.text.strip() for page in pages for line in page):
        raise InputError("holds no text (scanned?); recognise its text first.")
    return PdfFile(pages=pages, width=width, height=height, metadata=metadata)


def _check(pdf: Any) -> None:
    if pdf.doc.encryption is not None:
        raise InputError("is encrypted; save it without a password or protection.")
    if not pdf.pages:
        raise InputError(_BROKEN)


def _page(page: Any, number: int, tally: Tally) -> list[Line]:
    level, *turned = [joined([*_words(letters, number, tally)]) for letters in by_direction(page.chars)]
    level += _form_words(page)
    area = float(page.width) * float(page.height)
    # Scanners cut a page into strips.
    if area and sum(_area(picture) for picture in page.images) / area > _SCANNED:
        words = len(level) + sum(map(len, turned))
        if not words:
            raise InputError(f"holds no text on page {number} (scanned?); recognise its text first.")
        tally.note("pages that are a picture with few words, whose text is not read", words < _FEW_WORDS)
    tally.note("pictures removed", len(page.images))
    links = [note for note in page.annots if _subtype(note) == "Link"]
    tally.note("links removed, their text kept", len(links))
    others = [note for note in page.annots if _subtype(note) not in {"Link", "Widget", "FreeText", "Popup"}]
    tally.note("annotations removed", len(others))
    page.close()  # what was read of a page is kept otherwise: a hundred pages, a gigabyte
    return _in_order(level, turned)


def _in_order(level: list[Word], turned: list[list[Word]]) -> list[Line]:
    """Return level lines and those written in other directions: first where they are the largest, as names are."""
    largest = max((word.size for word in level), default=0.0) + 0.5
    first = [words for words in turned if max((word.size for word in words), default=0.0) > largest]
    found: list[Line] = []
    for words in (*first, level, *(words for words in turned if words not in first)):
        blocks = 1 + max((line.block for line in found), default=-1)
        found += [replace(line, block=line.block + blocks) for line in lines_of(words)]
    return found


def _area(picture: dict[str, Any]) -> float:
    return abs(float(picture["x1"]) - float(picture["x0"])) * abs(float(picture["bottom"]) - float(picture["top"]))


def _words(letters: list[dict[str, Any]], number: int, tally: Tally) -> Iterator[Word]:
    """Yield the words of a page that are written in one direction."""
    drawn_once = without_doubles(letters)
    refuse_crowded(drawn_once, number)
    found = extract_words(
        drawn_once,
        x_tolerance_ratio=0.15,
        y_tolerance=3,
        keep_blank_chars=False,
        use_text_flow=False,
        extra_attrs=["size"],
        return_chars=True,
    )
    rows: dict[int, list[tuple[float, float]]] = {}
    for word in found:
        rows.setdefault(round(float(word["top"])), []).append((float(word["x0"]), float(word["x1"])))
    for word in found:
        left = float(word["x0"])
        near = left - _NEAR * float(word["size"])
        first = not any(start < left and near < end for start, end in rows[round(float(word["top"]))])
        drawn = [(str(letter["text"]), str(letter["fontname"])) for letter in word["chars"]]
        text, icons = _readable(drawn, number, first=first)
        tally.note("icons without a character left out", icons)
        if text and drawn[-1][0] == _SOFT_HYPHEN:
            text += "-"  # it is seen at the end of a line only
        if text:
            fonts = [font.lower() for _, font in drawn]
            bold = sum("bold" in font or "black" in font or "heavy" in font for font in fonts) * 2 > len(fonts)
            yield Word(
                text,
                float(word["x0"]),
                float(word["top"]),
                float(word["x1"]),
                float(word["bottom"]),
                float(word["size"]),
                bold,
            )


def _readable(letters: list[tuple[str, str]], number: int, *, first: bool) -> tuple[str, int]:
    """Return a word from its letters and their fonts, without ligatures and icons; how many icons were left out.

    A glyph that stands for no character is an icon where it stands alone, or comes from
    another font than the letters beside it; at the beginning of a line it is a bullet.
    Any other may be a letter that a name lacks then.

    >>> _readable([("(cid:3)", "Icons"), ("A", "Body"), ("\ufb01", "Body")], 1, first=False)
    ('Afi', 1)
    """
    icons = [(text, font) for text, font in letters if text.startswith("(cid:") or _is_private(text)]
    if not icons:
        return "".join(_LIGATURES.get(text, text) for text, _ in letters).translate(_UNSEEN), 0
    rest = [(text, font) for text, font in letters if (text, font) not in icons]
    if not rest and len(icons) == 1 and first:
        return "•", 0
    unknown = {font for text, font in icons if text.startswith("(cid:")}
    if len(icons) > _MOST_ICONS or unknown & {font for _, font in rest}:
        raise InputError(
            f"holds letters on page {number} that stand for no character; print it to a new PDF, or give text."
        )
    return "".join(_LIGATURES.get(text, text) for text, _ in rest).translate(_UNSEEN), len(icons)


def _is_private(text: str) -> bool:
    return all("\ue000" <= letter <= "\uf8ff" or letter >= "\U000f0000" for letter in text)


def _form_words(page: Any) -> Iterator[Word]:
    """Yield what forms and text notes on a page show, word by word at their places."""
    for note in page.annots:
        data = note.get("data") or {}
        kind = _subtype(note)
        value = _inherited(data, "V") if kind == "Widget" else data.get("Contents") if kind == "FreeText" else None
        text = _string(value)
        if not text or (kind == "Widget" and str(_inherited(data, "FT")) not in {"/'Tx'", "/'Ch'", "Tx", "Ch"}):
            continue
        left, top = float(note["x0"]), float(note["top"])
        for row, line in enumerate(text.splitlines()):
            place = left
            for word in line.split():
                width = 5.0 * len(word)
                yield Word(word, place, top + 12 * row, place + width, top + 12 * row + 10, 10.0, bold=False)
                place += width + 2.5


def _inherited(data: dict[str, Any], key: str) -> Any:
    """Return a field's entry, its parents' where it has none."""
    for _ in range(20):
        if key in data:
            return resolve1(data[key])
        parent = resolve1(data.get("Parent"))
        if not isinstance(parent, dict):
            return None
        data = parent
    return None


def _subtype(note: dict[str, Any]) -> str:
    return str(getattr(resolve1((note.get("data") or {}).get("Subtype")), "name", ""))


def _string(value: Any) -> str:
    """Return a PDF string as text: UTF-16 or UTF-8 with its mark, else Latin-1."""
    value = resolve1(value)
    if isinstance(value, (list, tuple)):
        return " ".join(_string(each) for each in value)
    if isinstance(value, bytes):
        if value.startswith(_UTF16):
            return value.decode("utf-16", "replace")
        return value.decode("utf-8-sig" if value.startswith(b"\xef\xbb\xbf") else "latin-1", "replace")
    return value if isinstance(value, str) else ""


def _note_extras(document: Any, tally: Tally) -> None:
    """Note what is not carried over: attachments, outlines, scripts."""
    catalog = document.catalog
    names = resolve1(catalog.get("Names")) or {}
    if isinstance(names, dict):
        tally.note("attachments removed", 1 if names.get("EmbeddedFiles") else 0)
        tally.note("scripts removed", 1 if names.get("JavaScript") else 0)
    try:
        tally.note("bookmarks removed", sum(1 for _ in document.get_outlines()))
    except PDFNoOutlines:
        return


def _metadata(document: Any) -> Iterator[str]:
    """Yield what the properties say; XMP and outlines are never carried over."""
    for info in document.info:
        for key in _TELLING:
            text = _string(info.get(key)).strip()
            if any(letter.isalpha() for letter in text):
                yield text
