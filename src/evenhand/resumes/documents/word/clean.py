"""What a Word part holds besides its text: removed, made neutral, or given names of ours."""

from functools import cache
from typing import Any

from lxml import etree

from evenhand.resumes.documents.check import Trace
from evenhand.resumes.documents.request import Tally
from evenhand.resumes.documents.word.changes import drop
from evenhand.resumes.documents.word.namespaces import MC, RELATIONSHIPS, WP, A, O, R, V, W
from evenhand.resumes.documents.word.package import Part

__all__ = ["clean", "rename_styles", "scrub_fonts"]

_REMOVED_LISTED = (
    "bookmarkStart bookmarkEnd proofErr permStart permEnd lastRenderedPageBreak altChunk object control subDoc "
    "tblCaption tblDescription printerSettings contentPart docPartObj dataBinding movie frameset divs latentStyles "
    "embedRegular embedBold embedItalic embedBoldItalic annotationRef lang"
)
_REMOVED = [W + name for name in _REMOVED_LISTED.split()]
#: What holds the look of pages and lists; the rest of the settings is of the author and of Word.
_SETTINGS_LISTED = (
    "zoom mirrorMargins bordersDoNotSurroundHeader bordersDoNotSurroundFooter gutterAtTop defaultTabStop "
    "autoHyphenation hyphenationZone evenAndOddHeaders bookFoldPrinting characterSpacingControl footnotePr endnotePr "
    "compat clrSchemeMapping decimalSymbol listSeparator"
)
_SETTINGS = frozenset(W + name for name in _SETTINGS_LISTED.split())
_DRAWN = ("drawingml/2006/picture", "wordprocessingShape", "wordprocessingGroup", "wordprocessingCanvas")
_LEFT_OUT = {
    "object": "embedded objects removed, with what they showed",
    "altChunk": "embedded documents removed, with the text that they showed",
    "subDoc": "other documents shown within this one removed, with their text",
    "control": "controls removed",
}
_TOLD = ("descr", "title", "alt", "href", "target", "string")
_STYLE_REFERENCES = [
    W + name for name in ("pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "styleLink", "numStyleLink")
]
_FONT_ATTRIBUTES = frozenset({"typeface", *(W + name for name in ("ascii", "hAnsi", "cs", "eastAsia", "font"))})


def clean(part: Part, tally: Tally) -> None:  # noqa: C901 - one step per kind of part
    """Remove from a part what is no text of its own and may tell who somebody is."""
    root = part.root
    for element in list(root.iter(*_REMOVED)):
        told = _LEFT_OUT.get(etree.QName(element).localname)
        tally.note(told or "", 1 if told else 0)
        drop(element)
    _neutral_drawings(root, tally)
    if part.kind == "settings":
        for child in list(root):
            if child.tag not in _SETTINGS:
                root.remove(child)
        for setting in list(root.iter(W + "compatSetting")):
            if setting.get(W + "name") != "compatibilityMode":
                drop(setting)
    if part.kind == "theme":
        _neutral_theme(root)
    if part.kind == "numbering":
        for element in list(root.iter(W + "name", W + "numPicBullet", W + "lvlPicBulletId")):
            drop(element)
    for element in root.iter(W + "comment"):
        element.set(W + "author", "Author")
        for name in ("initials", "date"):
            element.attrib.pop(W + name, None)
    for element in root.iter(etree.Element):
        _plain_attributes(element)
    etree.cleanup_namespaces(root, keep_ns_prefixes=_ignorable(root))


def _ignorable(root: Any) -> list[str]:
    return (root.get(f"{MC}Ignorable") or "").split() + [
        prefix for choice in root.iter(f"{MC}Choice") for prefix in (choice.get("Requires") or "").split()
    ]


def _neutral_drawings(root: Any, tally: Tally) -> None:
    """Keep shapes and the frames of pictures without their names; remove charts, diagrams, word art."""
    for drawing in list(root.iter(W + "drawing")):
        kinds = [data.get("uri") or "" for data in drawing.iter(A + "graphicData")]
        if not kinds or not all(kind.endswith(_DRAWN) for kind in kinds):
            tally.note("charts and diagrams removed, with their text")
            drop(drawing)
    for frame in [each for each in root.iter("{*}graphicFrame") if etree.QName(each).namespace != A[1:-1]]:
        tally.note("charts and diagrams removed, with their text")
        drop(frame)
    for element in list(root.iter(V + "textpath")):
        tally.note("word art removed, with its text")
        drop(element)
    tally.note("pictures replaced by a grey box", sum(1 for _ in root.iter(A + "blip", V + "imagedata")))
    for blip in root.iter(A + "blip"):
        for child in list(blip):
            blip.remove(child)
    for element in list(root.iter(A + "hlinkClick", A + "hlinkHover", A + "extLst", O + "OLEObject", A + "videoFile")):
        drop(element)
    for number, element in enumerate(root.iter(WP + "docPr", "{*}cNvPr"), 1):
        shape = element.get("id") or str(number)
        element.attrib.clear()
        element.set("id", shape if shape.isdecimal() else str(number))
        element.set("name", f"Drawing {number}")
        for child in list(element):
            element.remove(child)


def _neutral_theme(root: Any) -> None:
    for element in root.iter(etree.Element):
        if "name" in element.attrib and etree.QName(element).localname in {
            "theme", "clrScheme", "fontScheme", "fmtScheme", "custClr", "extraClrScheme"
        }:  # fmt: skip
            element.set("name", "Theme")
    for element in list(root.iter(A + "extLst", A + "objectDefaults", A + "custClrLst", A + "blipFill")):
        drop(element)


def _plain_attributes(element: Any) -> None:
    """Remove attributes that tell who, when, or what a picture shows, and ids of editing sessions."""
    if not element.attrib:
        return
    space, drawn = etree.QName(element).namespace, etree.QName(element).localname
    for name in list(element.attrib):
        local = etree.QName(name).localname
        vector = f"{{{space}}}" in {V, O}
        if (
            local.startswith("rsid")
            or (local in {"paraId", "textId", "anchorId", "editId"} and name != local)
            or (name in {W + "author", W + "date"} and drawn != "comment")
            or (vector and (local in _TOLD or (name == "id" and drawn != "shapetype") or local in {"spid", "gfxdata"}))
            or (name == "name" and drawn in {"pic", "wsp", "wgp"})
        ):
            del element.attrib[name]
    if element.get(R + "id") is not None and drawn not in {"headerReference", "footerReference", "imagedata"}:
        del element.attrib[R + "id"]
    for name in [name for name in element.attrib if name.startswith(f"{{{RELATIONSHIPS}}}")]:
        if drawn not in {"blip", "imagedata", "headerReference", "footerReference"}:
            del element.attrib[name]


def rename_styles(parts: list[Part], trace: Trace) -> None:
    """Give names of ours to styles that a user made or that hold a name; references to no style go."""
    new: dict[str, str] = {}
    there = set()
    for style in [each for part in parts if part.kind == "styles" for each in part.root.iter(W + "style")]:
        name = style.get(W + "styleId") or ""
        there.add(name)
        named = style.find(W + "name")
        told = f"{name} {'' if named is None else named.get(W + 'val')}"
        for aliases in list(style.iter(W + "aliases")):
            drop(aliases)
        if style.get(W + "customStyle") in {"1", "true", "on"} or trace.holds_name(told):
            new[name] = f"Style{len(new) + 1}"
            style.set(W + "styleId", new[name])
            if named is not None:
                named.set(W + "val", f"Style {len(new)}")
    for element in [each for part in parts for each in part.root.iter(*_STYLE_REFERENCES)]:
        name = element.get(W + "val") or ""
        if name not in there:
            drop(element)
        elif name in new:
            element.set(W + "val", new[name])


def scrub_fonts(parts: list[Part], trace: Trace) -> None:
    """Remove fonts that are called like a person of the document: Georgia's résumé is set in another."""
    told = cache(trace.holds_name)
    for part in parts:
        for element in list(part.root.iter(etree.Element)):
            for name in [name for name in element.attrib if name in _FONT_ATTRIBUTES]:
                if told(element.get(name) or ""):
                    if element.tag == A + "font" or element.tag == W + "sym":
                        drop(element)
                        break
                    if name == "typeface":
                        element.set(name, "")
                    else:
                        del element.attrib[name]
