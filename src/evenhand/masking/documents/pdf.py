"""Mask résumés as PDF: read, masked, and typeset anew; never an overlay over the old pages.

Nothing of the old file is copied: no page, font, picture, link, form, attachment, bookmark or metadata.
Text is set in one column in reading order, with its sizes and bold lines, in our own fonts; the same text
gives the same bytes.
"""

import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from xml.sax.saxutils import escape

import pdfplumber
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph as Flowable
from reportlab.platypus import SimpleDocTemplate

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents.check import Trace, refuse_leaks
from evenhand.masking.documents.pdf_file import PdfFile, forgotten, letters_and_pictures, opened
from evenhand.masking.documents.pdf_layout import BULLETS, Paragraph, paragraphs_of
from evenhand.masking.documents.request import ROUNDS, DocumentText, Edit, MaskedDocument, Request, Tally
from evenhand.patterns import lazy_re

_REGULAR, _BOLD = "DejaVuSans", "DejaVuSans-Bold"
_MARGIN = 54.0
_SMALLEST, _LARGEST = 7.0, 22.0
#: DejaVu is wider than the fonts résumés are set in.
_SHRINK = 0.88
_NARROWEST, _WIDEST = 200.0, 2000.0
_GAP = 14.0


@cache
def _fonts() -> dict[str, frozenset[int]]:
    """Register the fonts; return the characters of each."""
    fonts = {}
    for name in (_REGULAR, _BOLD):
        path = resources.files("evenhand.masking.documents") / f"{name}.ttf"
        font = TTFont(name, io.BytesIO(path.read_bytes()))
        pdfmetrics.registerFont(font)
        fonts[name] = frozenset(font.face.charToGlyph)
    return fonts


def showable(text: str) -> tuple[str, int]:
    """Return a text that the fonts can show, and how many icons were left out.

    >>> showable("C++ ✓ 🚀")
    ('C++ ✓ ', 1)

    Raises
    ------
    InputError
        Letters, digits or accents are not in the fonts, or are written from right to left.

    """
    known = _fonts()[_REGULAR] & _fonts()[_BOLD]
    letters: list[str] = []
    dropped = 0
    for character in "".join(_plain(piece, known) for piece in unicodedata.normalize("NFC", text)):
        if character in "\n\t":
            letters.append(character)
        elif character.isspace():
            letters.append(" ")
        elif ord(character) in known:
            letters.append(character)
        elif unicodedata.category(character)[0] in "LMN" and unicodedata.category(character) != "Lm":
            raise InputError(
                f"holds letters that can't be typeset ({_script(character)}); save it as .docx or text and mask that."
            )
        else:
            dropped += unicodedata.category(character) not in {"Mn", "Cf", "Cc", "Sk"}
    return "".join(letters), dropped


def _plain(character: str, known: frozenset[int]) -> str:
    """Return the plain letters of a styled one that the fonts lack, such as mathematical bold."""
    if ord(character) in known or character.isspace():
        return character
    plain = unicodedata.normalize("NFKC", character)
    return plain if all(ord(letter) in known for letter in plain) else character


def _script(character: str) -> str:
    """Return the script of a character in words: `HEBREW`, `CJK`."""
    return unicodedata.name(character, "unnamed").split(" ")[0].split("-")[0].title().replace("Cjk", "CJK")


def typeset(paragraphs: Sequence[Paragraph], *, width: float, height: float) -> bytes:
    """Return a PDF of paragraphs with showable text, without metadata of an author, time or file."""
    _fonts()
    out = io.BytesIO()
    page = (min(max(width, _NARROWEST), _WIDEST), min(max(height, _NARROWEST), _WIDEST))
    document = SimpleDocTemplate(
        out,
        pagesize=page,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        invariant=1,
        title="Resume",
        author="",
        subject="",
        creator="",
        producer="",
        keywords=[],
        lang="",
    )
    document.build([_flowable(paragraph, page[0]) for paragraph in paragraphs])
    return out.getvalue()


def _flowable(paragraph: Paragraph, page_width: float) -> Flowable:
    size = min(max(paragraph.size * _SHRINK, _SMALLEST), _LARGEST)
    text = paragraph.text.strip(" \n")
    bullet = text[:1] in BULLETS and text[1:2] == " "
    indent = min(paragraph.indent, page_width / 4)
    style = ParagraphStyle(
        "line",
        fontName=_BOLD if paragraph.bold else _REGULAR,
        fontSize=size,
        leading=size * 1.25,
        spaceBefore=min(paragraph.gap * size * 0.8, _GAP),
        leftIndent=indent + (size if bullet else 0),
        firstLineIndent=-size if bullet else 0,
        splitLongWords=1,
    )
    return Flowable(escape(text).replace("\t", "\u00a0\u00a0\u00a0 "), style)


#: A gap of this many letter sizes is a blank line to the rules for sections.
_BLANK_LINE = 0.8
_STRING = lazy_re(rb"\(((?:[^()\\]|\\.)*)\)")
_NAMED = lazy_re(rb"/Name\s*/([^\s/<>\[\]()]+)")


def masked_pdf(content: bytes, request: Request) -> MaskedDocument:
    """Return a masked PDF.

    Raises
    ------
    InputError
        The file is encrypted, broken, scanned, or holds letters that can't be shown.
    CheckFailed
        The result still holds a masked detail.

    """
    tally = Tally(request)
    file, paragraphs = _readable(content, tally)
    text = _text(paragraphs)
    names = tally.names_in(text, metadata=file.metadata)
    tally.note_absent(text)
    tally.note_unmasked(text)
    for _ in range(ROUNDS):
        edits = tally.edits(_text(paragraphs), names)
        if not edits:
            break
        paragraphs = _edited(paragraphs, edits)
    paragraphs = [paragraph for paragraph in paragraphs if paragraph.text.strip()]
    tally.note_ordinary(_text(paragraphs), names)
    result = typeset(paragraphs, width=file.width, height=file.height)
    _check(result, paragraphs, tally.trace(names), request)
    return tally.document(result)


def pdf_document_text(content: bytes, _unpack_limit: int) -> DocumentText:
    """Return the text that a PDF shows, in reading order.

    Raises
    ------
    InputError
        As of `masked_pdf`.

    """
    file, paragraphs = _readable(content, Tally())
    return DocumentText(text=_text(paragraphs), metadata=file.metadata)


def _readable(content: bytes, tally: Tally) -> tuple[PdfFile, list[Paragraph]]:
    """Return a PDF and its paragraphs in reading order, without letters that can't be shown."""
    file = opened(content, tally)
    paragraphs: list[Paragraph] = []
    for page in file.pages:
        for place, paragraph in enumerate(paragraphs_of(page)):
            text, dropped = showable(paragraph.text)
            tally.note("icons that no font has left out", dropped)
            if text.strip():
                gap = 1.0 if paragraphs and not place else paragraph.gap
                paragraphs.append(replace(paragraph, text=text.strip(), gap=gap))
    return file, paragraphs


def _between(paragraph: Paragraph) -> str:
    return "\n\n" if paragraph.gap > _BLANK_LINE else "\n"


def _text(paragraphs: Sequence[Paragraph]) -> str:
    """Return paragraphs as one text: a line each, blank lines where there is space."""
    pieces = []
    for place, paragraph in enumerate(paragraphs):
        pieces += [_between(paragraph) if place else "", paragraph.text]
    return "".join(pieces)


def _edited(paragraphs: Sequence[Paragraph], edits: Sequence[Edit]) -> list[Paragraph]:
    """Return paragraphs with edits of their joined text; one over several goes to the first."""
    result = []
    place = 0
    for number, paragraph in enumerate(paragraphs):
        place += len(_between(paragraph)) if number else 0
        end = place + len(paragraph.text)
        pieces, done = [], place
        for edit in edits:
            if edit.start < end and edit.end > place:
                pieces.append(paragraph.text[done - place : max(edit.start, place) - place])
                pieces.append(edit.text if edit.start >= place else "")
                done = min(edit.end, end)
        pieces.append(paragraph.text[done - place :])
        result.append(replace(paragraph, text="".join(pieces)))
        place = end
    return result


def _check(result: bytes, paragraphs: Sequence[Paragraph], trace: Trace, request: Request) -> None:
    """Read the written bytes again: they show the masked text letter by letter, and hold nothing else."""
    written = []
    extras = False
    with forgotten(), pdfplumber.open(io.BytesIO(result)) as pdf:
        metadata = [str(value) for value in pdf.metadata.values()]
        for page in pdf.pages:
            letters, pictures = letters_and_pictures(page)
            written += [letter["text"] for letter in letters]
            extras |= bool(page.annots or pictures)
            page.close()
    expected = _text(paragraphs)
    if extras or "".join("".join(written).split()) != "".join(expected.split()):
        raise CheckFailed("The text of the masked PDF differs from the masked text, so it was not written.")
    refuse_leaks(texts=[expected], bare=[*metadata, *_strings(result)], trace=trace, options=request.options)


def _strings(content: bytes) -> Iterator[str]:
    """Yield the file's bytes outside of compressed streams as text, and its strings, in both encodings."""
    outside = re.sub(rb"stream\r?\n.*?endstream", b"", content, flags=re.DOTALL)
    for match in _STRING.finditer(outside):
        yield match.group(1).decode("latin-1")
        yield match.group(1).decode("utf-16-be", "replace")
    for match in _NAMED.finditer(outside):
        yield match.group(1).decode("latin-1")
