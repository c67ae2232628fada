"""A Word file opened and written: a zip of parts that refer to each other.

Only parts of kinds that are known are read; what else is in the file (embedded objects,
macros, custom XML, thumbnails, properties) is counted and not written again. All parts
get names of ours, and the zip holds no time.
"""

import io
import struct
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.package import OpcPackage
from lxml import etree

from evenhand.errors import InputError
from evenhand.resumes.documents.word_names import KEPT, MAIN, PICTURE_NAME, RELATIONSHIPS, STRICT, A, R, V

__all__ = ["Part", "WordFile", "grey_picture", "members", "opened", "written"]

#: A document of this size unpacked is none; a zip can hold far more than it weighs.
LARGEST = 2**29
_BROKEN = "is no Word document that can be read; it may be broken."
#: A document type stands before the first element.
_HEAD = 4096
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PARSER_OPTIONS = {"resolve_entities": False, "no_network": True, "remove_comments": True, "remove_pis": True}
_EPOCH = (1980, 1, 1, 0, 0, 0)
_RELS = "application/vnd.openxmlformats-package.relationships+xml"
_PICTURES = frozenset({"image", "hdphoto"})
#: Parts without content of the person: they may be missing, and nobody misses them.
_UNTOLD = frozenset({"fontTable", "webSettings", "stylesWithEffects", "hyperlink", "commentsExtended", "commentsIds"})


@dataclass
class Part:
    """A part that is kept: its kind, its XML, and the ids by which the main part refers to it."""

    kind: str
    root: Any
    ids: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class WordFile:
    """The main part first, then the other kept parts; metadata; what is left out, by kind."""

    parts: list[Part]
    metadata: tuple[str, ...]
    dropped: Counter[str]


def opened(content: bytes) -> WordFile:
    """Return the parts of a Word file.

    Raises
    ------
    InputError
        The file is encrypted, broken, of an old or strict format, or too large.

    """
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise InputError("is encrypted; save it without a password.")
        raise InputError("is in the old .doc format; save it as .docx.")
    package, body = _read(content)
    main = package.main_document_part
    if STRICT in (body.nsmap.get(body.prefix) or ""):
        raise InputError("is a Strict Open XML document; save it as Word document (.docx).")
    if etree.QName(body).localname != "document":
        raise InputError("is no Word document: its main part is no text.")
    parts = [Part("document", body)]
    dropped: Counter[str] = Counter()
    by_name: dict[str, Part] = {}
    for name, relation in sorted(main.rels.items()):
        kind = relation.reltype.rsplit("/", 1)[-1]
        if relation.is_external:
            continue
        target = relation.target_part
        if kind in KEPT:
            part = by_name.get(str(target.partname))
            if part is None:
                part = by_name[str(target.partname)] = Part(kind, _kept(target.blob))
                parts.append(part)
                dropped.update(_kinds(target.rels.values()))
            part.ids.append(name)
        else:
            dropped.update(_kinds([relation]))
    dropped.update(_kinds(relation for relation in package.rels.values() if relation.reltype not in _ALWAYS))
    return WordFile(parts=parts, metadata=_metadata(package), dropped=dropped)


def _read(content: bytes) -> tuple[Any, Any]:
    """Return the package and the root of its main part."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            _check_members(file)
        package = OpcPackage.open(io.BytesIO(content))
        return package, _parsed(package.main_document_part.blob)
    except (zipfile.BadZipFile, zlib.error, struct.error, etree.LxmlError, OSError) as error:
        raise InputError(_BROKEN) from error
    # Broken files break a reader anywhere, in as many ways.
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, NotImplementedError, RuntimeError) as error:
        raise InputError(_BROKEN) from error


def _check_members(file: zipfile.ZipFile) -> None:
    infos = file.infolist()
    if sum(info.file_size for info in infos) > LARGEST:
        raise InputError(f"holds more than {LARGEST >> 20} MiB unpacked; that is no résumé.")
    if any(info.flag_bits & 1 for info in infos):
        raise InputError("is encrypted; save it without a password.")
    for info in infos:
        with file.open(info) as member:
            start = member.read(_HEAD)
        if any("<!DOCTYPE".encode(codec) in start for codec in ("utf-8", "utf-16-le", "utf-16-be")) and (
            info.filename.endswith((".xml", ".rels"))
        ):
            raise InputError("declares a document type in its XML, as no Word document does.")


_ALWAYS = frozenset(
    {RELATIONSHIP_TYPE.OFFICE_DOCUMENT, RELATIONSHIP_TYPE.CORE_PROPERTIES, RELATIONSHIP_TYPE.EXTENDED_PROPERTIES}
)


def _kinds(relations: Any) -> list[str]:
    kinds = [relation.reltype.rsplit("/", 1)[-1] for relation in relations if not relation.is_external]
    return [kind for kind in kinds if kind not in _PICTURES and kind not in _UNTOLD]


def _kept(blob: bytes) -> Any:
    try:
        return _parsed(blob)
    except etree.LxmlError as error:
        raise InputError(_BROKEN) from error


def _parsed(blob: bytes) -> Any:
    return etree.fromstring(blob, etree.XMLParser(**_PARSER_OPTIONS))


def _metadata(package: Any) -> tuple[str, ...]:
    """Return what the properties say: author, last author, title, manager, custom values."""
    found = []
    for relation in package.rels.values():
        if relation.is_external or "roperties" not in relation.reltype:
            continue
        try:
            root = _parsed(relation.target_part.blob)
        except (etree.LxmlError, InputError):
            continue  # properties are never written again
        for element in root.iter(etree.Element):
            name = etree.QName(element).localname
            text = (element.text or "").strip()
            if name in _TELLING and any(character.isalpha() for character in text):
                found.append(text)
    return tuple(dict.fromkeys(found))


_TELLING = frozenset({"creator", "lastModifiedBy", "title", "subject", "Manager", "lpwstr", "lpstr", "description"})


def written(parts: list[Part]) -> bytes:
    """Return a Word file of parts; ids of relationships are made anew."""
    names = _named(parts)
    overrides = {
        f"/{name}": MAIN if part.kind == "document" else KEPT[part.kind]
        for part, name in zip(parts, names, strict=True)
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:

        def add(name: str, content: bytes) -> None:
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o600 << 16
            member.create_system = 3
            file.writestr(member, content)

        add("[Content_Types].xml", _content_types(overrides))
        add("_rels/.rels", _relations([("rId1", "officeDocument", names[0])]))
        shows_pictures = False
        for part, name in zip(parts, names, strict=True):
            relations = []
            if part.kind == "document":
                new = {}
                for number, (other, target) in enumerate(zip(parts[1:], names[1:], strict=True), 1):
                    new.update(dict.fromkeys(other.ids, f"rId{number}"))
                    relations.append((f"rId{number}", other.kind, target.removeprefix("word/")))
                _renumber(part.root, new)
            if _point_at_picture(part.root):
                shows_pictures = True
                relations.append(("rIdPicture", "image", PICTURE_NAME.removeprefix("word/")))
            add(name, etree.tostring(part.root, xml_declaration=True, encoding="UTF-8", standalone=True))
            if relations:
                folder, _, base = name.rpartition("/")
                add(f"{folder}/_rels/{base}.rels", _relations(relations))
        if shows_pictures:
            add(PICTURE_NAME, grey_picture())
    return out.getvalue()


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
    for element in root.iter(etree.Element):
        given = element.get(R + "id")
        if given in new and etree.QName(element).localname in {"headerReference", "footerReference"}:
            element.set(R + "id", new[given])


def _point_at_picture(root: Any) -> bool:
    """Let every picture be the grey one; say whether there is any."""
    found = False
    for element in root.iter(A + "blip", V + "imagedata"):
        element.attrib.clear()
        element.set(R + ("embed" if element.tag == A + "blip" else "id"), "rIdPicture")
        found = True
    return found


def _content_types(overrides: dict[str, str]) -> bytes:
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    root = etree.Element(f"{{{space}}}Types", nsmap={None: space})
    for extension, content in (("rels", _RELS), ("xml", "application/xml"), ("png", "image/png")):
        etree.SubElement(root, f"{{{space}}}Default", Extension=extension, ContentType=content)
    for name, content in overrides.items():
        etree.SubElement(root, f"{{{space}}}Override", PartName=name, ContentType=content)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def _relations(relations: list[tuple[str, str, str]]) -> bytes:
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    root = etree.Element(f"{{{space}}}Relationships", nsmap={None: space})
    for name, kind, target in relations:
        etree.SubElement(root, f"{{{space}}}Relationship", Id=name, Type=f"{RELATIONSHIPS}/{kind}", Target=target)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


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
