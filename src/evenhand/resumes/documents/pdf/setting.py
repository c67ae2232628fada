"""Masked paragraphs typeset as a new PDF: one column, our own fonts, the same bytes each time."""

import io
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib import resources
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph as Flowable
from reportlab.platypus import SimpleDocTemplate

from evenhand.errors import InputError
from evenhand.resumes.documents.pdf.layout import BULLETS
from evenhand.resumes.documents.pdf.paragraphs import Paragraph

__all__ = ["showable", "typeset"]

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
    found = {}
    for name in (_REGULAR, _BOLD):
        path = resources.files("evenhand.resumes.documents") / f"{name}.ttf"
        font = TTFont(name, io.BytesIO(path.read_bytes()))
        pdfmetrics.registerFont(font)
        found[name] = frozenset(font.face.charToGlyph)
    return found


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
    kept: list[str] = []
    dropped = 0
    for character in "".join(_plain(each, known) for each in unicodedata.normalize("NFC", text)):
        if character in "\n\t":
            kept.append(character)
        elif character.isspace():
            kept.append(" ")
        elif ord(character) in known:
            kept.append(character)
        elif unicodedata.category(character)[0] in "LMN" and unicodedata.category(character) != "Lm":
            raise InputError(
                f"holds letters that can't be typeset ({_script(character)}); save it as .docx or text and mask that."
            )
        else:
            dropped += unicodedata.category(character) not in {"Mn", "Cf", "Cc", "Sk"}
    return "".join(kept), dropped


def _plain(character: str, known: frozenset[int]) -> str:
    """Return the plain letters of a styled one that the fonts lack, such as mathematical bold."""
    if ord(character) in known or character.isspace():
        return character
    plain = unicodedata.normalize("NFKC", character)
    return plain if all(ord(each) in known for each in plain) else character


def _script(character: str) -> str:
    """Return the script of a character in words: `HEBREW`, `CJK`."""
    return unicodedata.name(character, "unnamed").split(" ")[0].split("-")[0].title().replace("Cjk", "CJK")


def typeset(paragraphs: Sequence[Paragraph], *, width: float, height: float) -> bytes:
    """Return a PDF of paragraphs, whose text is showable, without any metadata of an author, time or file."""
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
