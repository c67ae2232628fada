"""The text of a Word document as one string, and the way back to its runs.

Paragraphs are lines; cells of one row are joined by tabs, parts by a blank line. A name
that is split over runs is whole in the string; its mask takes the first run's formatting
and the other runs keep what is left of theirs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from evenhand.patterns import lazy_re
from evenhand.resumes.documents.edits import Edit
from evenhand.resumes.documents.word.namespaces import XML_SPACE, M, W

__all__ = ["Story", "paragraph_pieces", "story_of"]

_TEXT = frozenset({W + "t", M + "t"})
_FIXED = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": "\n",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
}
#: What an icon reads as: a blank of no width hides no name that it stands in.
_ICON = "\u200b"
_ICON_FONTS = ("symbol", "dings", "icon", "awesome", "extra", "marlett", "emoji")
_HEX = lazy_re(r"[0-9A-Fa-f]{1,4}")
_PRIVATE = 0xF000
_CELL, _PARAGRAPH = W + "tc", W + "p"
#: A tab stop in a paragraph's properties has the tag of a tab in a run.
_PROPERTIES = frozenset({W + "pPr", W + "rPr", W + "sectPr", W + "tblPr"})


@dataclass(slots=True)
class _Piece:
    element: Any
    start: int
    end: int
    fixed: bool


@dataclass(frozen=True)
class Story:
    """The text of parts, and the elements that hold its pieces, in order."""

    text: str
    pieces: list[_Piece]

    def apply(self, edits: Sequence[Edit]) -> None:
        """Change the elements; the story itself is out of date then."""
        last = len(self.pieces)
        for edit in reversed(edits):
            while last and self.pieces[last - 1].start >= edit.end:
                last -= 1
            first = last
            while first and self.pieces[first - 1].end > edit.start:
                first -= 1
            self._change(self.pieces[first:last], edit)

    @staticmethod
    def _change(pieces: Sequence[_Piece], edit: Edit) -> None:
        holder = next((piece for piece in pieces if not piece.fixed), None)
        for number, piece in enumerate(pieces):
            if piece.fixed:
                if holder is None and not number:
                    piece.element.addnext(_text(edit.text))
                piece.element.getparent().remove(piece.element)
                continue
            text = piece.element.text
            before, after = text[: max(0, edit.start - piece.start)], text[max(0, edit.end - piece.start) :]
            piece.element.text = f"{before}{edit.text}{after}" if piece is holder else before + after
            piece.element.set(XML_SPACE, "preserve")
            piece.end = piece.start + len(piece.element.text)


def _text(text: str) -> Any:
    made = etree.Element(W + "t", nsmap={"w": W[1:-1]})
    made.text = text
    made.set(XML_SPACE, "preserve")
    return made


def story_of(roots: Sequence[Any]) -> Story:
    """Return the text of the roots of parts."""
    pieces: list[_Piece] = []
    texts: list[str] = []
    place = 0

    def add(text: str) -> None:
        nonlocal place
        texts.append(text)
        place += len(text)

    for root in roots:
        if place:
            add("\n\n")
        previous = None
        for paragraph in root.iter(_PARAGRAPH):
            if previous is not None:
                add("\t" if _beside(previous, paragraph) else "" if _is_dropped(previous) else "\n")
            previous = paragraph
            for element, text, fixed in paragraph_pieces(paragraph):
                pieces.append(_Piece(element, place, place + len(text), fixed))
                add(text)
    return Story(text="".join(texts), pieces=pieces)


def paragraph_pieces(paragraph: Any) -> Iterator[tuple[Any, str, bool]]:
    """Yield the elements of a paragraph that show text, without those of paragraphs in text boxes in it."""
    for child in paragraph:
        tag = child.tag
        if tag in _TEXT:
            if child.text:
                yield child, child.text, False
        elif tag in _FIXED:
            yield child, _FIXED[tag], True
        elif tag == W + "sym":
            yield child, _shown(child), True
        elif tag != _PARAGRAPH and tag not in _PROPERTIES:
            yield from paragraph_pieces(child)


def _shown(symbol: Any) -> str:
    """Return the letter that stands in a text as a symbol of an ordinary font; icons are no letters."""
    font = (symbol.get(W + "font") or "").lower()
    code = symbol.get(W + "char") or ""
    if any(kind in font for kind in _ICON_FONTS) or _HEX.fullmatch(code) is None:
        return _ICON
    letter = chr(int(code, 16) - (_PRIVATE if int(code, 16) >= _PRIVATE else 0))
    return letter if letter.isalnum() else _ICON


def _is_dropped(paragraph: Any) -> bool:
    """Say whether a paragraph is the large first letter of the next one."""
    frame = paragraph.find(f"{W}pPr/{W}framePr")
    return frame is not None and frame.get(W + "dropCap") in {"drop", "margin"}


def _beside(left: Any, right: Any) -> bool:
    """Say whether two paragraphs are the only ones of neighbouring cells of one row."""
    cell, other = left.getparent(), right.getparent()
    return bool(
        cell is not other
        and cell.tag == _CELL
        and other.tag == _CELL
        and cell.getparent() is other.getparent()
        and len(cell.findall(_PARAGRAPH)) == 1
    )
