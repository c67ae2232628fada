"""Writes blocks as a .docx without the libraries that open one."""

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape

from evenhand.masking.documents.blocks import Block, Run
from evenhand.patterns import lazy_re

#: The oldest time that a zip can tell: the same text gives the same bytes.
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_BY_ENDING: Final = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "xml": "application/xml",
    "png": "image/png",
}
_STYLES: Final = (
    f'{_HEAD}<w:styles xmlns:w="{_WORD}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
    '<w:name w:val="Normal"/></w:style>'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/><w:pPr><w:keepNext/>'
        f'<w:spacing w:before="240"/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        f'<w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr></w:style>'
        for level, size in enumerate((36, 30, 26, 24, 22, 22), 1)
    )
    + "</w:styles>"
)
_BORDERS: Final = (
    "<w:tblBorders>"
    + "".join(
        f'<w:{side} w:val="single" w:sz="4"/>' for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    + "</w:tblBorders>"
)
_OPENED, _CLOSED = '<w:t xml:space="preserve">', "</w:t>"
_NUMBERED = lazy_re(r'<w:numId w:val="(\d+)"')
_LEVELS: Final = 9
#: Signs that XML can't hold.
_NO_XML = lazy_re("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")


def docx_bytes(blocks: Iterable[Block]) -> bytes:
    """Return blocks as a .docx, a line of a list as an item of it; the same blocks give the same bytes.

    >>> from evenhand.masking.documents.blocks import paragraphs_of
    >>> docx_bytes(paragraphs_of("Jane Doe"))[:2]
    b'PK'
    """
    body = "".join(_bodies(blocks))
    document = f'{_HEAD}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    numbers = sorted({int(number) for number in _NUMBERED.findall(body)})
    plain = "<w:pStyle " not in body and not numbers  # then nothing says how the document was made
    parts = {} if plain else {"styles": _STYLES, "numbering": _numbering(numbers)}
    inside = [(f"rId{number}", kind, f"{kind}.xml") for number, kind in enumerate(parts, 1)]
    related = {"word/_rels/document.xml.rels": relations(inside)} if inside else {}
    parts = {"document.main": document, **parts}
    names = {kind: f"word/{kind.removesuffix('.main')}.xml" for kind in parts}
    return zip_bytes(
        {
            "[Content_Types].xml": content_types(
                {name: content_type(f"wordprocessingml.{kind}") for kind, name in names.items()}
            ),
            "_rels/.rels": relations([("rId1", "officeDocument", names["document.main"])]),
            **related,
            **{names[kind]: content.encode() for kind, content in parts.items()},
        }
    )


def zip_bytes(parts: Mapping[str, bytes]) -> bytes:
    """Return parts as a zip; the same parts give the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o600 << 16
            member.create_system = 3
            archive.writestr(member, content)
    return file.getvalue()


def content_type(kind: str) -> str:
    """Return the content type of a kind of part: `wordprocessingml.styles`."""
    return f"application/vnd.openxmlformats-officedocument.{kind}+xml"


def content_types(overrides: Mapping[str, str]) -> bytes:
    """Return the part that lists the content types of parts, by name."""
    rows = [f'<Default Extension="{ending}" ContentType="{content}"/>' for ending, content in _BY_ENDING.items()]
    rows += [f'<Override PartName="/{name}" ContentType="{content}"/>' for name, content in overrides.items()]
    return _listed("Types", "content-types", rows)


def relations(listed: Iterable[tuple[str, str, str]]) -> bytes:
    """Return the part that lists another's references: ids, kinds and targets."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rows = [f'<Relationship Id="{name}" Type="{kind}/{type_}" Target="{target}"/>' for name, type_, target in listed]
    return _listed("Relationships", "relationships", rows)


def _listed(tag: str, kind: str, rows: Iterable[str]) -> bytes:
    space = f"http://schemas.openxmlformats.org/package/2006/{kind}"
    return f'{_HEAD}<{tag} xmlns="{space}">{"".join(rows)}</{tag}>'.encode()


def _bodies(blocks: Iterable[Block]) -> Iterator[str]:
    for (kind, _), together in groupby(blocks, key=lambda block: (block.kind, block.kind == "row" and block.group)):
        if kind == "row":
            rows = list(together)
            columns = "<w:gridCol/>" * max(len(row.cells) for row in rows)
            cells = ("".join(f"<w:tc>{_paragraph(cell)}</w:tc>" for cell in row.cells) for row in rows)
            yield f"<w:tbl><w:tblPr>{_BORDERS}</w:tblPr><w:tblGrid>{columns}</w:tblGrid>"
            yield "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl><w:p/>"
            continue
        for block in together:
            properties = ""
            if kind == "heading":
                properties = f'<w:pStyle w:val="Heading{block.level}"/>'
            elif kind == "item":
                level = min(block.level, _LEVELS) - 1
                number = block.group + 2 if block.number else 1
                properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
            yield _paragraph(block.cells[0], properties)


def _paragraph(runs: Iterable[Run], properties: str = "") -> str:
    text = escape(_NO_XML.sub(" ", "".join(run.text for run in runs)))
    text = text.replace("\n", f"{_CLOSED}<w:br/>{_OPENED}").replace("\t", f"{_CLOSED}<w:tab/>{_OPENED}")
    styled = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f"<w:p>{styled}<w:r>{_OPENED}{text}{_CLOSED}</w:r></w:p>"


def _numbering(numbers: Iterable[int]) -> str:
    """Return the looks of lists: 1 has dots, each other one numbers from 1 on."""
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{number}">'
        + "".join(
            f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
            f'<w:lvlText w:val="{text or f"%{level + 1}."}"/><w:lvlJc w:val="left"/>'
            f'<w:pPr><w:ind w:left="{360 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
            for level in range(_LEVELS)
        )
        + "</w:abstractNum>"
        for number, kind, text in ((0, "bullet", "•"), (1, "decimal", ""))
    )
    lists = "".join(
        f'<w:num w:numId="{number}"><w:abstractNumId w:val="{int(number > 1)}"/>'
        + (
            "".join(
                f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="1"/></w:lvlOverride>'
                for level in range(_LEVELS)
            )
            if number > 1
            else ""
        )
        + "</w:num>"
        for number in numbers
    )
    return f'{_HEAD}<w:numbering xmlns:w="{_WORD}">{kinds}{lists}</w:numbering>'
