"""Tracked changes accepted, links and controls dissolved: a Word part as its reader sees it."""

from typing import Any

from evenhand.resumes.documents.request import Tally
from evenhand.resumes.documents.word.namespaces import LIVE_FIELDS, MC, W

__all__ = ["accept_changes", "dissolve", "drop", "unwrap"]

_DELETED = [W + name for name in ("del", "moveFrom", "delText", "delInstrText")]
_INSERTED = [W + name for name in ("ins", "moveTo")]
_CHANGED_LISTED = (
    "rPrChange pPrChange sectPrChange tblPrChange tblPrExChange trPrChange tcPrChange tblGridChange numberingChange "
    "cellIns cellMerge moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd customXmlInsRangeStart "
    "customXmlInsRangeEnd customXmlDelRangeStart customXmlDelRangeEnd customXmlMoveFromRangeStart "
    "customXmlMoveFromRangeEnd customXmlMoveToRangeStart customXmlMoveToRangeEnd"
)
_CHANGED = [W + name for name in _CHANGED_LISTED.split()]
_WRAPPERS = [W + name for name in ("smartTag", "customXml", "fldSimple", "hyperlink", "sdtContent", "dir", "bdo")]
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


def unwrap(element: Any) -> None:
    """Put an element's children in its place."""
    parent = element.getparent()
    if parent is None:
        return
    place = parent.index(element)
    for child in list(element):
        parent.insert(place, child)
        place += 1
    parent.remove(element)


def accept_changes(root: Any, tally: Tally) -> None:  # noqa: C901 - one branch per thing that is tracked
    """Keep what was inserted, remove what was deleted, forget who did it."""
    # A mark of a paragraph or row says that the whole was inserted or deleted.
    changes = 0
    deleted_marks = []
    for mark in list(root.iter(*_DELETED[:2], *_INSERTED)):
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
    for element in list(root.iter(*_DELETED[2:], *_CHANGED)):
        changes += element.tag in _CHANGED[:8]
        drop(element)
    for paragraph in reversed(deleted_marks):
        _join_with_next(paragraph)
    tally.note("tracked changes accepted", changes)


def _join_with_next(paragraph: Any) -> None:
    """Move what the next paragraph holds into one whose mark was deleted."""
    following = paragraph.getnext()
    if paragraph.getparent() is None or following is None or following.tag != _PARAGRAPH:
        return
    for child in list(following):
        if child.tag != _PROPERTIES:
            paragraph.append(child)
    following.getparent().remove(following)


def dissolve(root: Any, tally: Tally) -> None:  # noqa: C901 - one loop per kind of wrapper
    """Replace links, controls and simple fields by what they show; page numbers stay fields."""
    tally.note("links removed, their text kept", sum(1 for _ in root.iter(W + "hyperlink")))
    for control in list(root.iter(W + "sdt")):
        for child in list(control):
            if child.tag != W + "sdtContent":
                control.remove(child)
        unwrap(control)
    for element in list(root.iter(*_WRAPPERS)):
        words = (element.get(W + "instr") or "").split()
        if words and words[0].upper() in LIVE_FIELDS:
            element.set(W + "instr", words[0].upper())
            continue
        for child in list(element):
            if child.tag in {W + "smartTagPr", W + "customXmlPr", W + "fldData"}:
                element.remove(child)
        unwrap(element)
    for part in list(root.iter(W + "ruby")):
        for child in list(part):
            if child.tag == W + "rubyBase":
                unwrap(child)
            else:
                part.remove(child)
        _lift_runs(part)
    for choice in list(root.iter(MC + "AlternateContent")):
        _choose(choice)


def _lift_runs(ruby: Any) -> None:
    """Put the runs of a ruby's base beside the run that holds it."""
    run = ruby.getparent()
    if run is None or run.tag != _RUN:
        return
    for child in reversed(list(ruby)):
        run.addnext(child)
    run.remove(ruby)


def _choose(alternatives: Any) -> None:
    """Keep the first of the alternatives that show the same thing; without any, the fallback."""
    first = alternatives.find(MC + "Choice")
    for child in list(alternatives):
        if first is not None and child is not first:
            alternatives.remove(child)
    if first is None:
        for child in list(alternatives):
            unwrap(child)
        unwrap(alternatives)
