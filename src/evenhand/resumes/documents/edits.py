"""What masking changes in a text, as edits that formats apply to their own pieces of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from evenhand.resumes.documents.broken import mended
from evenhand.resumes.mask import MaskOptions, mask_segments, wordings
from evenhand.resumes.names.parts import Names

__all__ = ["ROUNDS", "Edit", "applied", "edits_in"]

#: A mask changes what stands beside a word, so that rules may find more; after so many rounds the check decides.
ROUNDS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """A stretch of a text, in code points, what stands there instead, and the category that asked for it."""

    start: int
    end: int
    text: str
    category: str


def edits_in(text: str, *, names: Names, options: MaskOptions) -> list[Edit]:
    """Return what masking changes in a text, in order; a name broken within a word takes the break with it.

    >>> from evenhand.resumes.names.parts import Names
    >>> (edit,) = edits_in("jane@example.org", names=Names(), options=MaskOptions())
    >>> edit.start, edit.end, edit.text
    (0, 16, '[EMAIL]')
    """
    whole = mended(text, names)
    (masked,) = mask_segments([whole.text], names, options)
    edits = []
    for first, last, wording, category in wordings(whole.text, masked.spans, options):
        start, end = whole.back(first, last)
        edits.append(Edit(start=start, end=end, text=wording, category=category))
    return edits


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with its edits, which are in order and don't overlap.

    >>> applied("I am Jane.", [Edit(start=5, end=9, text="[NAME]", category="NAME")])
    'I am [NAME].'
    """
    pieces, end = [], 0
    for edit in edits:
        pieces += [text[end : edit.start], edit.text]
        end = edit.end
    return "".join([*pieces, text[end:]])
