"""Word files (.docx): read and write their parts, and edit their text.

A file is a zip of parts that refer to each other. Only known kinds of parts are read; others (embedded
objects, macros, custom XML, thumbnails, properties) are counted and not written. All parts get new names,
and the zip holds no time.

A `Story` is the text of parts as one string: paragraphs are lines, cells of a row are joined by tabs, parts
by a blank line. A name split over runs is whole in it; its mask takes the first run's formatting.
"""

import io
import posixpath
import struct
import urllib.parse
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from evenhand.errors import InputError
from evenhand.masking.documents.packed_xml import Package, member_name, opened_package
from evenhand.masking.documents.request import Edit
from evenhand.masking.documents.word_writing import content_type, content_types, relations, zip_bytes
from evenhand.patterns import lazy_re
from evenhand.results.files import Budget

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT = "http://purl.oclc.org/ooxml/"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = f"{{{RELATIONSHIPS}}}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741 - the usual prefix
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

MAIN = content_type("wordprocessingml.document.main")
#: Kinds of parts that are kept, by relationship, with their content types. All others are left out.
KEPT_PARTS = {
    kind: content_type(content)
    for kind, content in {
        "styles": "wordprocessingml.styles",
        "numbering": "wordprocessingml.numbering",
        "settings": "wordprocessingml.settings",
        "theme": "theme",
        "header": "wordprocessingml.header",
        "footer": "wordprocessingml.footer",
        "footnotes": "wordprocessingml.footnotes",
        "endnotes": "wordprocessingml.endnotes",
        "comments": "wordprocessingml.comments",
    }.items()
}
#: Fields whose values change with the page; they stay fields.
LIVE_FIELDS = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES"})
#: The one picture of a result, shown in place of all others.
PICTURE_NAME = "word/media/picture.png"

_KIND = "Word document"
_BROKEN = f"can't be read as a {_KIND}; it may be damaged."
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICTURES = frozenset({"image", "hdphoto"})
#: Parts without content of the person, removed without a note. For documents shown within this one the note is made
#: where they stood.
_UNREPORTED_PARTS = frozenset(
    {"fontTable", "webSettings", "stylesWithEffects", "hyperlink", "commentsExtended", "commentsIds"}
)
_UNREPORTED_PARTS |= {"aFChunk", "subDocument"}


@dataclass
class Part:
    """A part that is kept: its kind, its XML, the ids by which the main part refers to it, its name in the file."""

    kind: str
    root: Any
    ids: list[str] = field(default_factory=list)
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class WordFile:
    """The main part first, then the other kept parts; metadata; counts of removed parts, by kind."""

    parts: list[Part]
    metadata: tuple[str, ...]
    dropped: Counter[str]


def opened(content: bytes, budget: Budget) -> WordFile:
    """Return the parts of a Word file.

    Raises
    ------
    InputError
        The file is encrypted, broken, of an old or strict format, or takes too much.

    """
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise InputError("is encrypted; save it without a password.")
        raise InputError("is in the old .doc format; save it as .docx.")
    with opened_package(content, budget, kind=_KIND) as package:
        return _opened(package)


def _opened(package: Package) -> WordFile:
    mains = {relation.target for relation in _relations_of(package, "") if relation.kind == "officeDocument"}
    if len(mains) != 1:
        raise InputError(_BROKEN)
    (main,) = mains
    body = package.parsed(main)
    if STRICT in (body.nsmap.get(body.prefix) or ""):
        raise InputError("is a Strict Open XML document; save it as a Word document (.docx).")
    if etree.QName(body).localname != "document":
        raise InputError("is not a Word document: its main part is not text.")
    parts = [Part("document", body, name=main)]
    dropped: Counter[str] = Counter()
    by_name: dict[str, Part] = {}
    for relation in sorted(_relations_of(package, main), key=lambda relation: relation.name):
        if relation.kind in KEPT_PARTS and relation.target in package.members:
            part = by_name.get(relation.target)
            if part is None:
                part = by_name[relation.target] = Part(
                    relation.kind, package.parsed(relation.target), name=relation.target
                )
                parts.append(part)
                dropped.update(_kinds(_relations_of(package, relation.target)))
            part.ids.append(relation.name)
        else:
            dropped.update(_kinds([relation]))
    dropped.update(_kinds(relation for relation in _relations_of(package, "") if relation.kind not in _ALWAYS))
    return WordFile(parts=parts, metadata=_metadata(package), dropped=dropped)


@dataclass(frozen=True)
class _Relation:
    """A part's reference: an id, a kind, and the name of the other part, "" for one outside the file."""

    name: str
    kind: str
    target: str


def _relations_of(package: Package, name: str) -> list[_Relation]:
    """Return the references of a part, "" for the package."""
    folder, base = posixpath.split(name)
    place = member_name(f"{folder}/_rels/{base}.rels")
    if place not in package.members:
        return []
    relations = []
    for element in package.parsed(place):
        target = urllib.parse.unquote(element.get("Target") or "")
        outside = element.get("TargetMode") == "External"
        relations.append(
            _Relation(
                element.get("Id") or "",
                (element.get("Type") or "").rsplit("/", 1)[-1],
                "" if outside else member_name(posixpath.join("/", folder, target.partition("#")[0])),
            )
        )
    return relations


_ALWAYS = frozenset({"officeDocument", "core-properties", "extended-properties"})


def _kinds(relations: Iterable[_Relation]) -> list[str]:
    kinds = [relation.kind for relation in relations if relation.target]
    return [kind for kind in kinds if kind not in _PICTURES and kind not in _UNREPORTED_PARTS]


def _metadata(package: Package) -> tuple[str, ...]:
    """Return the text of the properties: author, last author, title, manager, custom values."""
    values = []
    for relation in _relations_of(package, ""):
        if not relation.kind.endswith("-properties") or relation.target not in package.members:
            continue
        try:
            root = package.parsed(relation.target)
        except (etree.LxmlError, zipfile.BadZipFile, zlib.error):
            continue  # properties are never written again
        for element in root.iter(etree.Element):
            name = etree.QName(element).localname
            text = (element.text or "").strip()
            if name in _TELLING and any(character.isalpha() for character in text):
                values.append(text)
    return tuple(dict.fromkeys(values))


_TELLING = frozenset({"creator", "lastModifiedBy", "title", "subject", "Manager", "lpwstr", "lpstr", "description"})


def written(parts: list[Part]) -> bytes:
    """Return a Word file of parts; ids of relationships are made anew."""
    names = _named(parts)
    overrides = {
        name: MAIN if part.kind == "document" else KEPT_PARTS[part.kind]
        for part, name in zip(parts, names, strict=True)
    }
    members = {
        "[Content_Types].xml": content_types(overrides),
        "_rels/.rels": relations([("rId1", "officeDocument", names[0])]),
    }
    pictures = {}
    for part, name in zip(parts, names, strict=True):
        related = []
        if part.kind == "document":
            new = {}
            for number, (other, target) in enumerate(zip(parts[1:], names[1:], strict=True), 1):
                new.update(dict.fromkeys(other.ids, f"rId{number}"))
                related.append((f"rId{number}", other.kind, target.removeprefix("word/")))
            _renumber(part.root, new)
        if _point_at_picture(part.root):
            pictures = {PICTURE_NAME: grey_picture()}
            related.append(("rIdPicture", "image", PICTURE_NAME.removeprefix("word/")))
        members[name] = etree.tostring(part.root, xml_declaration=True, encoding="UTF-8", standalone=True)
        if related:
            folder, _, base = name.rpartition("/")
            members[f"{folder}/_rels/{base}.rels"] = relations(related)
    return zip_bytes(members | pictures)


def _named(parts: list[Part]) -> list[str]:
    seen: Counter[str] = Counter()
    names = []
    for part in parts:
        seen[part.kind] += 1
        if part.kind == "theme":
            names.append(f"word/theme/theme{seen[part.kind]}.xml")
        elif part.kind in {"header", "footer"} or seen[part.kind] > 1:
            names.append(f"word/{part.kind}{seen[part.kind]}.xml")
        else:
            names.append(f"word/{part.kind}.xml")
    return names


def _renumber(root: Any, new: dict[str, str]) -> None:
    for element in list(root.iter(W + "headerReference", W + "footerReference")):
        relation = element.get(R + "id")
        if relation in new:
            element.set(R + "id", new[relation])
        else:
            element.getparent().remove(element)


def _point_at_picture(root: Any) -> bool:
    """Replace every picture by the grey one; return whether there is any."""
    shows_pictures = False
    for element in root.iter(A + "blip", V + "imagedata"):
        element.attrib.clear()
        element.set(R + ("embed" if element.tag == A + "blip" else "id"), "rIdPicture")
        shows_pictures = True
    return shows_pictures


def grey_picture() -> bytes:
    """Return a PNG of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixel = zlib.compress(b"\x00\xd0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


def members(content: bytes) -> dict[str, bytes]:
    """Return all members of a zip by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {member.filename: file.read(member) for member in file.infolist()}


_TEXT = frozenset({W + "t", M + "t"})
_FIXED = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": "\n",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
}
#: The text of an icon: a blank of no width, so that no name is split by it.
_ICON = "\u200b"
_ICON_FONTS = ("symbol", "dings", "icon", "awesome", "extra", "marlett", "emoji")
_HEX = lazy_re(r"[0-9A-Fa-f]{1,4}")
_PRIVATE = 0xF000
_CELL, PARAGRAPH = W + "tc", W + "p"
#: Elements that show text, and those that divide it.
PIECES = frozenset({*_TEXT, *_FIXED, W + "sym", PARAGRAPH})
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
    """The text of parts, the elements that hold its pieces, and where each paragraph ends, in order."""

    text: str
    pieces: list[_Piece]
    ends: list[tuple[int, Any]] = field(default_factory=list)

    def apply(self, edits: Sequence[Edit]) -> None:
        """Change the elements; the story is out of date afterwards."""
        for number, text in self.texts_after(edits).items():
            piece = self.pieces[number]
            if piece.fixed:
                if text:
                    piece.element.addnext(_text(text))
                piece.element.getparent().remove(piece.element)
            else:
                piece.element.text = text
                piece.element.set(XML_SPACE, "preserve")

    def texts_after(self, edits: Sequence[Edit]) -> dict[int, str]:
        """Return the texts of the pieces that edits change, by number; a replacement goes to the first that is text."""
        texts: dict[int, str] = {}
        last = len(self.pieces)
        for edit in reversed(edits):
            while last and self.pieces[last - 1].start >= edit.end:
                last -= 1
            first = last
            while first and self.pieces[first - 1].end > edit.start:
                first -= 1
            holder = next((number for number in range(first, last) if not self.pieces[number].fixed), first)
            for number in range(first, last):
                piece = self.pieces[number]
                text = texts.get(number, "" if piece.fixed else piece.element.text)
                before, after = text[: max(0, edit.start - piece.start)], text[max(0, edit.end - piece.start) :]
                texts[number] = f"{before}{edit.text if number == holder else ''}{after}"
        return texts


def _text(text: str) -> Any:
    element = etree.Element(W + "t", nsmap={"w": W[1:-1]})
    element.text = text
    element.set(XML_SPACE, "preserve")
    return element


def story_of(roots: Sequence[Any]) -> Story:
    """Return the text of the roots of parts."""
    pieces: list[_Piece] = []
    ends: list[tuple[int, Any]] = []
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
        for paragraph in root.iter(PARAGRAPH):
            if previous is not None:
                add("\t" if _are_adjacent_cells(previous, paragraph) else "" if _is_dropped(previous) else "\n")
            previous = paragraph
            for element, text, fixed in paragraph_pieces(paragraph):
                pieces.append(_Piece(element, place, place + len(text), fixed))
                add(text)
            ends.append((place, paragraph))
    return Story(text="".join(texts), pieces=pieces, ends=ends)


def paragraph_story(paragraph: Any) -> Story:
    """Return the text of one paragraph, without those of paragraphs in text boxes in it."""
    pieces: list[_Piece] = []
    place = 0
    for element, text, fixed in paragraph_pieces(paragraph):
        pieces.append(_Piece(element, place, place + len(text), fixed))
        place += len(text)
    return Story(text="".join(text for _, text, _ in paragraph_pieces(paragraph)), pieces=pieces)


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
            yield child, _symbol_letter(child), True
        elif tag != PARAGRAPH and tag not in _PROPERTIES:
            yield from paragraph_pieces(child)


def _symbol_letter(symbol: Any) -> str:
    """Return the letter of a symbol in an ordinary font; icons are no letters."""
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


def _are_adjacent_cells(left: Any, right: Any) -> bool:
    """Say whether two paragraphs are the only ones of neighbouring cells of one row."""
    cell, other = left.getparent(), right.getparent()
    return bool(
        cell is not other
        and cell.tag == _CELL
        and other.tag == _CELL
        and cell.getparent() is other.getparent()
        and len(cell.findall(PARAGRAPH)) == 1
    )
