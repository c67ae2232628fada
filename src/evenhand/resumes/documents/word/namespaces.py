"""Namespaces of WordprocessingML, and the parts of a Word document that are kept."""

__all__ = [
    "KEPT",
    "LEFT_OUT",
    "LIVE_FIELDS",
    "MAIN",
    "MC",
    "PICTURE_NAME",
    "RELATIONSHIPS",
    "STRICT",
    "WP",
    "XML_SPACE",
    "A",
    "M",
    "O",
    "R",
    "V",
    "W",
]

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

MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
#: Kinds of parts that are kept, by relationship, with their content types. All others are left out.
KEPT = {
    kind: f"application/vnd.openxmlformats-officedocument.{content}+xml"
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
#: Kinds of parts that are left out, in words. Those of unknown kinds are not named: the kind is the file's own word.
LEFT_OUT = {
    "package": "embedded documents and tables",
    "oleObject": "embedded objects",
    "control": "controls",
    "activeXControlBinary": "controls",
    "chart": "charts",
    "chartEx": "charts",
    "chartUserShapes": "drawings on charts",
    "chartStyle": "looks of charts",
    "chartColorStyle": "looks of charts",
    "diagramData": "diagrams",
    "diagramDrawing": "diagrams",
    "diagramLayout": "looks of diagrams",
    "diagramQuickStyle": "looks of diagrams",
    "diagramStyle": "looks of diagrams",
    "diagramColors": "looks of diagrams",
    "customXml": "custom xml",
    "custom-properties": "custom properties",
    "thumbnail": "thumbnail",
    "glossaryDocument": "glossary",
    "attachedTemplate": "template",
    "mailMergeSource": "mail merge data",
    "mailMergeHeaderSource": "mail merge data",
    "mailMergeRecipientData": "mail merge data",
    "recipientData": "mail merge data",
    "people": "people",
    "vbaProject": "macros",
    "wordVbaData": "macros",
    "keyMapCustomizations": "keys and toolbars",
    "attachedToolbars": "keys and toolbars",
    "printerSettings": "printer settings",
    "font": "embedded fonts",
    "origin": "signature",
    "webextensiontaskpanes": "extensions",
    "webextension": "extensions",
    "audio": "sounds and films",
    "video": "sounds and films",
    "media": "sounds and films",
    "frame": "frames",
    "classificationlabels": "labels of confidentiality",
    "documenttasks": "tasks",
    "commentsExtensible": "ids of comments",
}
#: Fields whose values change with the page; they stay fields.
LIVE_FIELDS = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES"})
#: The one picture of a result, shown in place of all others.
PICTURE_NAME = "word/media/picture.png"
