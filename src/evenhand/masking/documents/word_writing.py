"""Writes a text as a .docx without the libraries that open one."""

import io
import zipfile
from typing import Final
from xml.sax.saxutils import escape

from evenhand.patterns import lazy_re

#: The oldest time that a zip can tell: the same text gives the same bytes.
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES: Final = (
    f'{_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS: Final = (
    f'{_HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
#: Signs that XML can't hold.
_NO_XML = lazy_re("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")


def docx_bytes(text: str) -> bytes:
    """Return a text as a .docx, a paragraph a line; the same text gives the same bytes.

    >>> docx_bytes("Jane Doe")[:2]
    b'PK'
    """
    paragraphs = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(_NO_XML.sub(" ", line))}</w:t></w:r></w:p>'
        for line in text.splitlines()
    )
    body = f'{_HEAD}<w:document xmlns:w="{_WORD}"><w:body>{paragraphs}</w:body></w:document>'
    parts = {"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS, "word/document.xml": body}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content.encode(), compress_type=zipfile.ZIP_DEFLATED)
    return file.getvalue()
