"""Hidden text of a Word document removed: no reader sees it, and it splits names.

A run is hidden by itself or by its styles. Hiding is a toggle property (ECMA-376 Part 1,
17.7.3): what a run says counts; else the defaults of the document; else a table's, a
paragraph's and a character's style, of which a second undoes the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evenhand.resumes.documents.request import Tally
from evenhand.resumes.documents.word.changes import drop
from evenhand.resumes.documents.word.namespaces import M, W
from evenhand.resumes.documents.word.package import Part

__all__ = ["remove_hidden"]

_OFF = frozenset({"0", "false", "off"})
_ON = frozenset({"1", "true", "on"})
_PARAGRAPH, _TABLE, _BOX, _VALUE = W + "p", W + "tbl", W + "txbxContent", W + "val"


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
            # Whether such a style holds for a cell depends on its place; what it would hide is shown.
            for mark in [each for format_ in part.root.iter(W + "tblStylePr") for each in format_.iter(W + "vanish")]:
                drop(mark)
            continue
        for run in list(part.root.iter(W + "r", M + "r")):
            if _is_hidden(run, styles):
                tally.note("hidden texts removed")
                drop(run)


def _is_hidden(run: Any, styles: _Styles) -> bool:
    properties = run.find(W + "rPr")
    told = _told(properties)
    if told is not None:
        return told
    paragraph = next(run.iterancestors(_PARAGRAPH), None)
    around = next(run.iterancestors(_TABLE, _BOX), None)  # a table's style does not reach into text boxes in it
    table = around if around is not None and around.tag == _TABLE else None
    by_style = (
        styles.hide("character", _reference(properties, "rStyle")),
        styles.hide("paragraph", None if paragraph is None else _reference(paragraph.find(W + "pPr"), "pStyle")),
        table is not None and styles.hide("table", _reference(table.find(W + "tblPr"), "tblStyle")),
    )
    return styles.all_text or sum(by_style) % 2 == 1


def _told(properties: Any) -> bool | None:
    """Return what properties of a run say of hiding, None if nothing."""
    mark = None if properties is None else properties.find(W + "vanish")
    return None if mark is None else mark.get(_VALUE) not in _OFF


def _reference(properties: Any, name: str) -> str | None:
    named = None if properties is None else properties.find(W + name)
    return None if named is None else named.get(_VALUE)


def _styles(parts: Sequence[Part]) -> _Styles:
    """Return what the styles of a document say of hiding; a style says what the one it is based on says."""
    found = _Styles()
    styles: dict[tuple[str, str], Any] = {}
    for root in [part.root for part in parts if part.kind == "styles"]:
        if _told(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")):
            found.all_text = True
        for style in root.iter(W + "style"):
            kind, name = style.get(W + "type") or "paragraph", style.get(W + "styleId") or ""
            styles[kind, name] = style
            if style.get(W + "default") in _ON:
                found.usual[kind] = name
    for kind, name in styles:
        told, seen, at = None, set(), name
        while told is None and (kind, at) in styles and at not in seen:
            seen.add(at)
            told = _told(styles[kind, at].find(W + "rPr"))
            at = _reference(styles[kind, at], "basedOn") or ""
        found.hides[kind, name] = bool(told)
    return found
