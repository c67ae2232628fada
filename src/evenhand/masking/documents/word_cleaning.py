"""Clean the XML parts of a Word document: changes, fields, hidden text, drawings, styles and fonts.

Text that no reader sees is removed, as it leaks and splits names. Tracked changes are accepted, links and
controls dissolved, fields replaced by their results; page numbers stay fields.

A field begins, may separate its code from its result, and ends; fields nest. One that never ends hides
nothing: its apparent code is text.

A run is hidden by itself or by its styles. Hiding is a toggle property (ECMA-376 Part 1, 17.7.3): the run's
own property decides; else the defaults of the document; else a table's, a paragraph's and a character's
style, of which a second undoes the first.

An override (`w:bdo`) shows letters in reverse order, and a change of direction within a word (`w:dir`) shows
letters side by side that belong to no word. Both are refused.

Georgia Light's résumé is full of `light` and `left`: values of attributes that the format defines are no leak, any
other word is.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from lxml import etree

from evenhand.errors import InputError
from evenhand.masking.documents.check import Trace
from evenhand.masking.documents.request import Tally
from evenhand.masking.documents.word_file import (
    LIVE_FIELDS,
    MC,
    RELATIONSHIPS,
    WP,
    A,
    M,
    O,
    Part,
    V,
    W,
    paragraph_pieces,
)
from evenhand.patterns import WordTable

#: Words and kinds of parts of Word documents.
WORD_WORDS = WordTable("evenhand.masking.documents", "word.toml")


def _named(space: str, listed: str) -> list[str]:
    return [space + name for name in listed.split()]


_DELETED, _INSERTED = _named(W, "del moveFrom"), _named(W, "ins moveTo")
#: Earlier looks, which count as changes.
_CHANGED = _named(W, "rPrChange pPrChange sectPrChange tblPrChange tblPrExChange trPrChange tcPrChange tblGridChange")
_WRAPPERS = _named(W, "sdt smartTag customXml fldSimple hyperlink sdtContent dir bdo")
_OF_WRAPPERS = _named(W, "sdtPr sdtEndPr smartTagPr customXmlPr fldData rubyPr rt")
_PARAGRAPH, _PROPERTIES, _RUN = W + "p", W + "pPr", W + "r"


def drop(element: Any) -> None:
    """Remove an element; a text that follows it inside its parent stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail and element.tail.strip():
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _drop_all(root: Any, names: Sequence[str]) -> int:
    """Remove the elements of these names; return how many."""
    elements = list(root.iter(*names))
    for element in elements:
        drop(element)
    return len(elements)


def unwrap(element: Any) -> None:
    """Put an element's children in its place."""
    parent = element.getparent()
    if parent is not None:
        place = parent.index(element)
        parent[place : place + 1] = list(element)


def accept_changes(root: Any, tally: Tally) -> None:
    """Keep insertions, remove deletions, and drop their authors."""
    # A mark of a paragraph or row says that the whole was inserted or deleted.
    changes = 0
    deleted_marks = []
    for mark in list(root.iter(*_DELETED, *_INSERTED)):
        parent = mark.getparent()
        if parent is None:
            continue
        changes += 1
        if parent.tag == W + "rPr" and parent.getparent() is not None and parent.getparent().tag == _PROPERTIES:
            if mark.tag in _DELETED:
                deleted_marks.append(parent.getparent().getparent())
            parent.remove(mark)
        elif parent.tag == W + "trPr":
            if mark.tag in _DELETED:
                drop(parent.getparent())
            else:
                parent.remove(mark)
        elif mark.tag in _DELETED:
            drop(mark)
        else:
            unwrap(mark)
    for cell in list(root.iter(W + "cellDel")):
        changes += 1
        drop(cell.getparent().getparent())
    changes += _drop_all(root, _CHANGED)
    _drop_all(root, [W + name for name in WORD_WORDS.remains])
    for paragraph in reversed(deleted_marks):
        _join_with_next(paragraph)
    tally.note("tracked changes accepted", changes)


def _join_with_next(paragraph: Any) -> None:
    """Move the content of the next paragraph into one whose mark was deleted."""
    following = paragraph.getnext()
    if paragraph.getparent() is None or following is None or following.tag != _PARAGRAPH:
        return
    for child in list(following):
        if child.tag != _PROPERTIES:
            paragraph.append(child)
    following.getparent().remove(following)


def dissolve(root: Any, tally: Tally) -> None:
    """Replace links, controls and simple fields by their content; page numbers stay fields."""
    tally.note("links removed, their text kept", sum(1 for _ in root.iter(W + "hyperlink")))
    _drop_all(root, _OF_WRAPPERS)
    for element in list(root.iter(*_WRAPPERS)):
        words = (element.get(W + "instr") or "").split()
        if words and words[0].upper() in LIVE_FIELDS:
            element.set(W + "instr", words[0].upper())
        else:
            unwrap(element)
    for part in list(root.iter(W + "ruby")):
        for base in part.findall(W + "rubyBase"):
            unwrap(base)
        _lift_runs(part)
    for choice in list(root.iter(MC + "AlternateContent")):
        _choose(choice)


def _lift_runs(ruby: Any) -> None:
    """Move the runs of a ruby's base behind the run that holds it."""
    run = ruby.getparent()
    if run is None or run.tag != _RUN:
        return
    for child in reversed(list(ruby)):
        run.addnext(child)
    run.remove(ruby)


def _choose(alternatives: Any) -> None:
    """Keep the first of the alternatives that show the same thing; without any, the fallback."""
    first = alternatives.find(MC + "Choice")
    if first is not None:
        alternatives[:] = [first]
        return
    for child in list(alternatives):
        unwrap(child)
    unwrap(alternatives)


_MARK, _CODE, _TEXT = W + "fldChar", W + "instrText", W + "t"


@dataclass
class _Field:
    """A field that is open: the paragraph that it begins in, its marks and codes, and text among its code."""

    paragraph: Any
    marks: list[Any] = field(default_factory=list)
    codes: list[Any] = field(default_factory=list)
    hidden: list[Any] = field(default_factory=list)
    shows: bool = False


def dissolve_fields(root: Any, tally: Tally) -> None:
    """Remove codes of fields and keep their results."""
    opened: list[_Field] = []
    for element in list(root.iter(_MARK, _CODE, _TEXT)):
        if element.tag == _MARK:
            _read_mark(element, opened)
        elif element.tag == _CODE:
            if opened:
                opened[-1].codes.append(element)
            else:
                drop(element)
        else:
            # What a field shows within another's code is no text. A code of many paragraphs is a field without an end.
            coding = next((candidate for candidate in reversed(opened) if not candidate.shows), None)
            if coding is not None and coding.paragraph is _paragraph_of(element):
                coding.hidden.append(element)
    tally.note("fields without an end, their text kept", len(opened))
    for unclosed in opened:
        for element in (*unclosed.marks, *unclosed.codes):
            drop(element)


def _read_mark(mark: Any, opened: list[_Field]) -> None:
    del mark[:]  # form fields: names, defaults, help
    kind = mark.get(W + "fldCharType")
    if kind == "begin":
        opened.append(_Field(_paragraph_of(mark), [mark]))
    elif not opened:
        drop(mark)
    else:
        opened[-1].marks.append(mark)
        if kind == "separate":
            opened[-1].shows = True
        elif kind == "end":
            _close(opened.pop())


def _close(ended: _Field) -> None:
    """Keep a page number's field with a plain code; remove the code of any other."""
    for text in ended.hidden:
        drop(text)
    words = "".join(code.text or "" for code in ended.codes).split()
    if words and words[0].upper() in LIVE_FIELDS:
        ended.codes[0].text = f" {words[0].upper()} "
        for extra in ended.codes[1:]:
            drop(extra)
        return
    for element in (*ended.marks, *ended.codes):
        drop(element)


def _paragraph_of(element: Any) -> Any:
    return next(element.iterancestors(_PARAGRAPH), None)


_OFF = frozenset({"0", "false", "off"})
_ON = frozenset({"1", "true", "on"})
_TABLE, _BOX, _VALUE = W + "tbl", W + "txbxContent", W + "val"


@dataclass
class _Styles:
    """Which styles hide, by kind and id; which style a kind has where none is named; whether all text is hidden."""

    hides: dict[tuple[str, str], bool] = field(default_factory=dict)
    usual: dict[str, str] = field(default_factory=dict)
    all_text: bool = False

    def hide(self, kind: str, name: str | None) -> bool:
        """Say whether a style hides; a style that is not there is the usual one."""
        named = (kind, name or "")
        return self.hides[named] if named in self.hides else self.hides.get((kind, self.usual.get(kind, "")), False)


def remove_hidden(parts: Sequence[Part], tally: Tally) -> None:
    """Remove the runs that are hidden, by themselves or by their styles."""
    styles = _styles(parts)
    for part in parts:
        if part.kind == "styles":
            # Whether such a style applies to a cell depends on its place; its text is shown.
            for looks in part.root.iter(W + "tblStylePr"):
                _drop_all(looks, [W + "vanish"])
            continue
        for run in list(part.root.iter(W + "r", M + "r")):
            if _is_hidden(run, styles):
                tally.note("hidden texts removed")
                drop(run)


def _is_hidden(run: Any, styles: _Styles) -> bool:
    properties = run.find(W + "rPr")
    hidden = _hidden_property(properties)
    if hidden is not None:
        return hidden
    paragraph = next(run.iterancestors(_PARAGRAPH), None)
    around = next(run.iterancestors(_TABLE, _BOX), None)  # a table's style does not reach into text boxes in it
    table = around if around is not None and around.tag == _TABLE else None
    by_style = (
        styles.hide("character", _reference(properties, "rStyle")),
        styles.hide("paragraph", None if paragraph is None else _reference(paragraph.find(W + "pPr"), "pStyle")),
        table is not None and styles.hide("table", _reference(table.find(W + "tblPr"), "tblStyle")),
    )
    return styles.all_text or sum(by_style) % 2 == 1


def _hidden_property(properties: Any) -> bool | None:
    """Return whether a run's own properties hide it, None where they leave it open."""
    mark = None if properties is None else properties.find(W + "vanish")
    return None if mark is None else mark.get(_VALUE) not in _OFF


def _reference(properties: Any, name: str) -> str | None:
    named = None if properties is None else properties.find(W + name)
    return None if named is None else named.get(_VALUE)


def _styles(parts: Sequence[Part]) -> _Styles:
    """Return which styles of a document hide text; a style inherits from the one it is based on."""
    summary = _Styles()
    styles: dict[tuple[str, str], Any] = {}
    for root in [part.root for part in parts if part.kind == "styles"]:
        if _hidden_property(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")):
            summary.all_text = True
        for style in root.iter(W + "style"):
            kind, name = style.get(W + "type") or "paragraph", style.get(W + "styleId") or ""
            styles[kind, name] = style
            if style.get(W + "default") in _ON:
                summary.usual[kind] = name
    for kind, name in styles:
        hides, seen, at = None, set(), name
        while hides is None and (kind, at) in styles and at not in seen:
            seen.add(at)
            hides = _hidden_property(styles[kind, at].find(W + "rPr"))
            at = _reference(styles[kind, at], "basedOn") or ""
        summary.hides[kind, name] = bool(hides)
    return summary


#: Classes of characters (UAX #9) that an override turns round: letters of the other direction, and digits.
_TURNED = {"rtl": frozenset({"L", "EN", "AN"}), "ltr": frozenset({"R", "AL"})}


def refuse_turned(root: Any) -> None:
    """Raise InputError if a part shows letters in reverse, or changes direction within a word."""
    for element in root.iter(W + "bdo", W + "dir"):
        if element.tag == W + "bdo":
            turned = _TURNED.get(element.get(W + "val") or "", frozenset())
            if sum(unicodedata.bidirectional(letter) in turned for letter in _text_of(element)) > 1:
                raise InputError("reverses the direction of text (w:bdo), so names can't be found; save it as text.")
        if _cuts_a_word(element):
            raise InputError("changes direction within a word (w:dir), so names can't be found; save it as text.")


def _text_of(element: Any) -> str:
    return "".join(text for _, text, _ in paragraph_pieces(element))


def _cuts_a_word(element: Any) -> bool:
    """Say whether letters on both sides of an element's edge have the same direction."""
    paragraph = next(element.iterancestors(W + "p"), None)
    if paragraph is None:
        return False
    inside = {piece for piece, _, _ in paragraph_pieces(element)}
    marked = [(letter, piece in inside) for piece, text, _ in paragraph_pieces(paragraph) for letter in text]
    return any(
        within != beyond
        and letter.isalpha()
        and other.isalpha()
        and unicodedata.bidirectional(letter) == unicodedata.bidirectional(other)
        for (letter, within), (other, beyond) in pairwise(marked)
    )


#: Elements that are removed, with the notes of those that showed something; inner ones first.
_REMOVED = {
    (W + "control",): "controls removed",
    (W + "object",): "embedded objects removed, with what they showed",
    (W + "altChunk",): "embedded documents removed, with the text that they showed",
    (W + "subDoc",): "other documents shown within this one removed, with their text",
    (V + "textpath",): "word art removed, with its text",
    tuple(_named(A, "hlinkClick hlinkHover extLst videoFile")): "",
    (O + "OLEObject",): "",
}
_REMOVED_IN = {
    "theme": _named(A, "objectDefaults custClrLst blipFill"),
    "numbering": _named(W, "name numPicBullet lvlPicBulletId"),
}
_DRAWING_KINDS = ("drawingml/2006/picture", "wordprocessingShape", "wordprocessingGroup", "wordprocessingCanvas")
_VECTOR_ATTRIBUTES = frozenset({"descr", "title", "alt", "href", "target", "string", "spid", "gfxdata"})
_STYLE_REFERENCES = _named(W, "pStyle rStyle tblStyle basedOn next link styleLink numStyleLink")
FONT_ATTRIBUTES = frozenset({"typeface", *_named(W, "ascii hAnsi cs eastAsia font")})


def clean(part: Part, tally: Tally) -> None:
    """Remove from a part what is no text and may identify a person."""
    root = part.root
    _neutral_drawings(root, tally)
    for names, note in _REMOVED.items():
        count = _drop_all(root, names)
        tally.note(note, count if note else 0)
    _drop_all(root, [W + name for name in WORD_WORDS.removed])
    if part.kind in _REMOVED_IN:
        _drop_all(root, _REMOVED_IN[part.kind])
    if part.kind == "settings":
        root[:] = [child for child in root if child.tag.removeprefix(W) in WORD_WORDS.settings]
        for setting in list(root.iter(W + "compatSetting")):
            if setting.get(W + "name") != "compatibilityMode":
                drop(setting)
    for element in root.iter(W + "comment"):
        element.set(W + "author", "Author")
    for element in root.iter(etree.Element):
        if part.kind == "theme" and "name" in element.attrib and etree.QName(element).localname in _THEMES:
            element.set("name", "Theme")
        _plain_attributes(element)
    etree.cleanup_namespaces(root, keep_ns_prefixes=_ignorable(root))


_THEMES = frozenset({"theme", "clrScheme", "fontScheme", "fmtScheme", "custClr", "extraClrScheme"})


def _ignorable(root: Any) -> list[str]:
    return (root.get(f"{MC}Ignorable") or "").split() + [
        prefix for choice in root.iter(f"{MC}Choice") for prefix in (choice.get("Requires") or "").split()
    ]


def _neutral_drawings(root: Any, tally: Tally) -> None:
    """Keep shapes and the frames of pictures without their names; remove charts, diagrams, word art."""
    for drawing in list(root.iter(W + "drawing")):
        kinds = [data.get("uri") or "" for data in drawing.iter(A + "graphicData")]
        if not kinds or not all(kind.endswith(_DRAWING_KINDS) for kind in kinds):
            tally.note("charts and diagrams removed, with their text")
            drop(drawing)
    for frame in [part for part in root.iter("{*}graphicFrame") if etree.QName(part).namespace != A[1:-1]]:
        tally.note("charts and diagrams removed, with their text")
        drop(frame)
    tally.note("pictures replaced by a grey box", sum(1 for _ in root.iter(A + "blip", V + "imagedata")))
    for blip in root.iter(A + "blip"):
        del blip[:]
    for number, element in enumerate(root.iter(WP + "docPr", "{*}cNvPr"), 1):
        shape = element.get("id") or str(number)
        element.attrib.clear()
        element.set("id", shape if shape.isdecimal() else str(number))
        element.set("name", f"Drawing {number}")
        del element[:]


#: Elements that refer to kept parts.
_REFERRING = frozenset({"blip", "imagedata", "headerReference", "footerReference"})


def _plain_attributes(element: Any) -> None:
    """Remove attributes with authors, dates, descriptions of pictures, and ids of editing sessions."""
    space, drawn = (etree.QName(element).namespace, etree.QName(element).localname) if element.attrib else ("", "")
    vector = f"{{{space}}}" in {V, O}
    for name in list(element.attrib):
        local = etree.QName(name).localname
        if (
            local.startswith("rsid")
            or (local in {"paraId", "textId", "anchorId", "editId"} and name != local)
            or (name == W + "author" and drawn != "comment")
            or name in {W + "date", W + "initials"}
            or (vector and (local in _VECTOR_ATTRIBUTES or (name == "id" and drawn != "shapetype")))
            or (name == "name" and drawn in {"pic", "wsp", "wgp"})
            or (name.startswith(f"{{{RELATIONSHIPS}}}") and drawn not in _REFERRING)
        ):
            del element.attrib[name]


def rename_styles(parts: list[Part], trace: Trace) -> None:
    """Rename styles that a user made or that hold a name; remove references to missing styles."""
    new: dict[str, str] = {}
    known = set()
    for style in [style for part in parts if part.kind == "styles" for style in part.root.iter(W + "style")]:
        name = style.get(W + "styleId") or ""
        known.add(name)
        named = style.find(W + "name")
        label = f"{name} {'' if named is None else named.get(W + 'val')}"
        if style.get(W + "customStyle") in _ON or trace.holds_name(label):
            new[name] = f"Style{len(new) + 1}"
            style.set(W + "styleId", new[name])
            if named is not None:
                named.set(W + "val", f"Style {len(new)}")
    for element in [element for part in parts for element in part.root.iter(*_STYLE_REFERENCES)]:
        name = element.get(W + "val") or ""
        if name not in known:
            drop(element)
        elif name in new:
            element.set(W + "val", new[name])


def scrub_fonts(parts: list[Part], trace: Trace) -> None:
    """Remove fonts named like a person of the document: Georgia's résumé is set in another."""
    holds_name = cache(trace.holds_name)
    for part in parts:
        for element in list(part.root.iter(etree.Element)):
            for name in [name for name in element.attrib if name in FONT_ATTRIBUTES]:
                if holds_name(element.get(name) or ""):
                    if element.tag == A + "font" or element.tag == W + "sym":
                        drop(element)
                        break
                    if name == "typeface":
                        element.set(name, "")
                    else:
                        del element.attrib[name]
