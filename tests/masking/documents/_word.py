"""Word documents made on the spot, with whatever is asked for in whatever place."""

import io
import re
import zipfile
from functools import cache

import docx

from evenhand.masking.documents import word
from evenhand.masking.documents.request import Request

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"

PERSON = ("Ngozi Okafor", "n.okafor@example.org", "", "EXPERIENCE", "Led the audit team.")
NAME = ("Ngozi", "Okafor")
PNG = b"\x89PNG\r\n\x1a\n" + b"tEXtAuthor\0Ngozi Okafor" + b"\0" * 40


@cache
def template():
    """Return python-docx's own document without its ninety looks of tables: nine tenths of what there is to read."""
    file = io.BytesIO()
    docx.Document().save(file)
    members = unzipped(file.getvalue())
    table = re.compile(rb'<w:style w:type="table"(?! w:default).*?</w:style>', re.DOTALL)
    for name in ("word/styles.xml", "word/stylesWithEffects.xml"):
        members[name] = table.sub(b"", members[name])
    return zipped(members)


def document(*paragraphs, body="", parts=(), rename=None):
    """Return a .docx: paragraphs, raw XML at the end of the body, parts (name, kind, content type, bytes)."""
    made = docx.Document(io.BytesIO(template()))
    for text in paragraphs:
        made.add_paragraph(text)
    file = io.BytesIO()
    made.save(file)
    members = unzipped(file.getvalue())
    main = members["word/document.xml"].decode()
    root = re.search(r"<w:document[^>]*>", main).group()
    main = main.replace(root, f"<w:document {NAMESPACES}>", 1)
    members["word/document.xml"] = main.replace("<w:sectPr", f"{body}<w:sectPr", 1).encode()
    for number, (name, kind, content_type, content) in enumerate(parts):
        members[name] = content if isinstance(content, bytes) else content.encode()
        types, rels = "[Content_Types].xml", "word/_rels/document.xml.rels"
        override = f'<Override PartName="/{name}" ContentType="{content_type}"/></Types>'
        members[types] = members[types].replace(b"</Types>", override.encode())
        relation = f'<Relationship Id="rIdX{number}" Type="{kind}" Target="/{name}"/></Relationships>'
        members[rels] = members[rels].replace(b"</Relationships>", relation.encode())
    for name, change in (rename or {}).items():
        members[name] = change(members[name])
    return zipped(members)


def part(tag, inner, attributes=""):
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{tag} {NAMESPACES} {attributes}>{inner}</w:{tag}>'


def paragraph(*runs, properties=""):
    return f"<w:p>{properties}{''.join(run(text) if '<' not in text else text for text in runs)}</w:p>"


def run(text, properties=""):
    return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name, content)
    return file.getvalue()


def unzipped(content):
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def masked(content, **options):
    return word.masked_word(content, Request(**options))


def texts(content):
    """Return the paragraphs of the body and of tables, as python-docx reads them."""
    made = docx.Document(io.BytesIO(content))
    return [each.text for each in made.paragraphs] + [
        cell.text for table in made.tables for row in table.rows for cell in row.cells
    ]


def assert_nowhere(content, *words):
    """Assert that words stand in no member of a zip: names, raw bytes, UTF-16, and text without its tags."""
    members = unzipped(content)
    assert len(members) >= 3
    for name, raw in members.items():
        views = [name, raw.decode("utf-8", "replace"), raw.decode("utf-16-le", "replace"), raw.decode("latin-1")]
        views.append(re.sub(r"<[^>]*>", "", views[1]))
        for view in views:
            for word_ in words:
                assert word_.lower() not in view.lower(), (name, word_)


def drawing(inner, uri="http://schemas.openxmlformats.org/drawingml/2006/picture", told='name="Ngozi" descr="Okafor"'):
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" {told} title="Ngozi Okafor">'
        '<a:hlinkClick r:id="rIdX0" tooltip="Okafor"/></wp:docPr><a:graphic>'
        f'<a:graphicData uri="{uri}">{inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )


PICTURE = drawing(
    '<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="okafor.png" descr="Ngozi"/><pic:cNvPicPr/></pic:nvPicPr>'
    '<pic:blipFill><a:blip r:embed="rIdX0"><a:extLst><a:ext uri="Okafor"/></a:extLst></a:blip></pic:blipFill>'
    "<pic:spPr/></pic:pic>"
)
