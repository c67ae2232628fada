"""Read OpenDocument texts (.odt) as blocks, without tracked deletions, comments, hidden text and descriptions.

Headers of pages come first and footers last. Names in the properties (author, title …) go along.
"""

from functools import cache
from typing import Any

from lxml import etree

from evenhand.errors import InputError
from evenhand.masking.documents.block_reader import READER_WORDS, Blocks, Role, outside, read_tree
from evenhand.masking.documents.packed_xml import Package, opened_package

_SPACES = {
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "manifest": "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
}


def _name(short: str) -> str:
    prefix, _, local = short.partition(":")
    return f"{{{_SPACES[prefix]}}}{local}"


_PICTURES = frozenset(map(_name, ("draw:image", "draw:object", "draw:object-ole", "draw:plugin")))
_KINDS = {
    _name(element): kind
    for kind, elements in {
        "block": "text:p text:section text:tracked-changes text:numbered-paragraph text:note-body text:index-body "
        "draw:frame draw:text-box style:header style:footer office:text",
        "list": "text:list",
        "item": "text:list-item text:list-header",
        "table": "table:table",
        "row": "table:table-row",
        "cell": "table:table-cell table:covered-table-cell",
        "line": "text:line-break",
    }.items()
    for element in elements.split()
}
_HEADING, _LINK, _BLANK, _TAB, _STYLE, _CHANGED = map(
    _name, ("text:h", "text:a", "text:s", "text:tab", "text:style-name", "text:changed-region")
)
_HIDDEN = {_name("text:display"): {"none"}, _name("text:is-hidden"): {"true"}, _name("table:display"): {"false"}}
_TELLING = frozenset({"creator", "initial-creator", "title", "subject", "description", "user-defined", "printed-by"})


def read_odt(content: bytes, blocks: Blocks) -> None:
    """Read an OpenDocument text into blocks.

    Raises
    ------
    InputError
        The file is encrypted, broken, of another kind, or asks too much.

    """
    with opened_package(content, blocks.budget, kind="OpenDocument text") as package:
        if "meta-inf/manifest.xml" in package.members and any(
            True for _ in package.parsed("meta-inf/manifest.xml").iter(_name("manifest:encryption-data"))
        ):
            raise InputError("is encrypted; save it without a password.")
        body = package.parsed("content.xml")
        text = body.find(f"{_name('office:body')}/{_name('office:text')}")
        if text is None:
            raise InputError("is not an OpenDocument text; save it again as .odt.")
        styles = package.parsed("styles.xml") if "styles.xml" in package.members else None
        roots = [root for root in (body, styles) if root is not None]
        blocks.metadata += _metadata(package)
        hiding = _hiding_styles(roots)
        numbered = _numbered_styles(roots)
        headers, footers = (
            [] if styles is None else list(styles.iter(*map(_name, names)))
            for names in (("style:header", "style:header-first"), ("style:footer", "style:footer-first"))
        )
        for part in (*headers, text, *footers):
            read_tree(
                etree.iterwalk(part, events=("start", "end")),
                lambda element: _role_of(element, hiding, numbered, blocks),
                blocks,
            )
            blocks.end()


def _role_of(element: Any, hiding: frozenset[str], numbered: frozenset[str], blocks: Blocks) -> Role:
    tag = element.tag
    blocks.tally.note("pictures and objects removed", tag in _PICTURES)
    blocks.tally.note("tracked changes accepted", tag == _CHANGED)
    if tag in _unseen():
        return Role("skip")
    if element.get(_STYLE) in hiding or any(element.get(name) in values for name, values in _HIDDEN.items()):
        blocks.tally.note("hidden texts removed")
        return Role("skip")
    if tag in {_BLANK, _TAB}:
        return Role("skip", text=" " if tag == _BLANK else "\t")
    if tag == _HEADING:
        return Role("heading", level=max(int(element.get(_name("text:outline-level")) or "1"), 1))
    if tag == _LINK:
        return Role(target=outside(element.get(_name("xlink:href"))))
    return Role(_KINDS.get(tag, "inline"), ordered=element.get(_STYLE) in numbered)


@cache
def _unseen() -> frozenset[str]:
    return frozenset(map(_name, READER_WORDS.odt_unseen))


def _hiding_styles(roots: list[Any]) -> frozenset[str]:
    """Return the names of styles that hide text, by themselves or by the style that they are based on."""
    styles = {style.get(_name("style:name")): style for root in roots for style in root.iter(_name("style:style"))}
    hiding = {
        name
        for name, style in styles.items()
        if any(part.get(_name("text:display")) == "none" for part in style.iter(_name("style:text-properties")))
    }
    while (
        more := {name for name, style in styles.items() if style.get(_name("style:parent-style-name")) in hiding}
        - hiding
    ):
        hiding |= more
    return frozenset(hiding)


def _numbered_styles(roots: list[Any]) -> frozenset[str]:
    return frozenset(
        style.get(_name("style:name"))
        for root in roots
        for style in root.iter(_name("text:list-style"))
        if (first := next(iter(style), None)) is not None and first.tag == _name("text:list-level-style-number")
    )


def _metadata(package: Package) -> list[str]:
    if "meta.xml" not in package.members:
        return []
    return [
        element.text.strip()
        for element in package.parsed("meta.xml").iter(etree.Element)
        if etree.QName(element).localname in _TELLING and any(map(str.isalpha, element.text or ""))
    ]
