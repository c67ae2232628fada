"""Fields of a Word part replaced by what they show; page numbers stay fields.

A field begins, may separate its code from what it shows, and ends; it may hold others. One
that never ends hides nothing: what would be its code is text that somebody lost.
"""

from dataclasses import dataclass, field
from typing import Any

from evenhand.resumes.documents.request import Tally
from evenhand.resumes.documents.word.changes import drop
from evenhand.resumes.documents.word.namespaces import LIVE_FIELDS, W

__all__ = ["dissolve_fields"]

_MARK, _CODE, _TEXT, _PARAGRAPH = W + "fldChar", W + "instrText", W + "t", W + "p"


@dataclass
class _Field:
    """A field that is open: the paragraph that it begins in, its marks and codes, and text among its code."""

    paragraph: Any
    marks: list[Any] = field(default_factory=list)
    codes: list[Any] = field(default_factory=list)
    hidden: list[Any] = field(default_factory=list)
    shows: bool = False


def dissolve_fields(root: Any, tally: Tally) -> None:
    """Remove codes of fields and keep what they show."""
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
            coding = next((each for each in reversed(opened) if not each.shows), None)
            if coding is not None and coding.paragraph is _paragraph_of(element):
                coding.hidden.append(element)
    tally.note("fields without an end, their text kept", len(opened))
    for each in opened:
        for element in (*each.marks, *each.codes):
            drop(element)


def _read_mark(mark: Any, opened: list[_Field]) -> None:
    for child in list(mark):
        mark.remove(child)  # form fields: names, defaults, help
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
