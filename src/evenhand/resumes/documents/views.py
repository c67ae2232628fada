"""A text seen without its markup: what a reader reads, with the way back to the file.

Names hide in what no reader sees: `Ja**ne**`, `J&#97;ne`, `Jane&nbsp;Doe`, `Ja<b id=1>ne</b>`,
a return before each line feed. Masks are found in the view and set in the file.
"""

import html
import re
import urllib.parse
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.patterns import lazy_re
from evenhand.resumes.documents.edits import Edit

__all__ = ["View", "has_markup", "rendered", "seen", "without_escapes", "without_markup", "without_returns"]


@dataclass(frozen=True, kw_only=True)
class View:
    """A text as seen, and where in the file's text each of its characters begins and ends."""

    source: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def back(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits of the view as edits of the file's text; markup within stays, behind the mask."""
        return [
            Edit(
                start=self.starts[edit.start],
                end=self.ends[edit.end - 1],
                text=edit.text + self._unseen(edit.start, edit.end),
                category=edit.category,
            )
            for edit in edits
        ]

    def _unseen(self, start: int, end: int) -> str:
        """Return the markup within a stretch of the view, without what would change what comes after the mask."""
        gaps = (self.source[self.ends[place] : self.starts[place + 1]] for place in range(start, end - 1))
        return "".join(_UNKEPT.sub("", gap) for gap in gaps if gap)


def seen(text: str, hidden: re.Pattern[str]) -> View:
    """Return a view without what the pattern finds; its groups `entity` and `percent` are decoded instead.

    >>> seen("Ja**ne**", re.compile(r"[*]")).text
    'Jane'
    """
    if hidden.search(text) is None:
        return View(source=text, text=text, starts=range(len(text)), ends=range(1, len(text) + 1))
    pieces: list[str] = []
    starts, ends = array("l"), array("l")  # lists take five times the memory
    done = 0
    for match in hidden.finditer(text):
        start, end = match.span()
        pieces.append(text[done:start])
        starts.extend(range(done, start))
        ends.extend(range(done + 1, start + 1))
        decoded = _decoded(match)
        if decoded:
            pieces.append(decoded)
            starts.extend([start] * len(decoded))
            ends.extend([end] * len(decoded))
        done = end
    pieces.append(text[done:])
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    return View(source=text, text="".join(pieces), starts=starts, ends=ends)


def _decoded(match: re.Match[str]) -> str:
    """Return what an entity or an escape of an address stands for, nothing for markup."""
    groups = match.groupdict()
    if groups.get("entity") is not None:
        return html.unescape(match.group())
    if groups.get("percent") is not None:
        return urllib.parse.unquote(match.group(), errors="replace")
    return ""


def without_returns(text: str) -> View:
    r"""Return a view in which every line ends with a line feed alone, without colours and overstrikes of terminals.

    >>> without_returns("Jane\r\nDoe").text
    'Jane\nDoe'
    """
    return seen(text, _RETURN)


def without_escapes(text: str) -> View:
    r"""Return a view of Markdown without backslashes before marks, and as `without_returns` otherwise.

    >>> without_escapes(r"jane\_doe@example.org").text
    'jane_doe@example.org'
    """
    return seen(text, _ESCAPE)


def without_markup(text: str) -> View:
    """Return a view of Markdown without emphasis within words, escapes, plain tags, comments' marks and entities.

    >>> without_markup("J&#97;ne **D**oe <b>B</b>ell").text
    'Jane Doe Bell'
    """
    return seen(text, _MARKUP)


def has_markup(text: str) -> bool:
    r"""Return whether there may be markup in a text besides the stars of a list.

    >>> has_markup("* Jane Doe\n* Nurse"), has_markup("**Jane** Doe")
    (False, True)
    """
    if any(sign in text for sign in _SIGNS) or _CODED.search(text) is not None:
        return True
    return "*" in text and "*" in _STARS.sub("", text)


def rendered(text: str) -> View:
    """Return a view of Markdown as it is shown: besides, without links' targets, comments, and tags within lines.

    >>> rendered('Ja[ne](https://a.org) D<span class="x">oe</span> <!-- a -->').text
    'Jane Doe '
    """
    return seen(text, _RENDERED)


_RETURN_LISTED = "\u00ad\r?\n|\r(?=\n)|\x1b\\[[0-9;?]*[A-Za-z]|[^\n]\x08"
_ESCAPE_LISTED = r"\\(?=[!-/:-@\[-`{-~])"
_MARKUP_LISTED = (
    r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<percent>(?:%[0-9A-Fa-f]{2})+)"
    rf"|{_RETURN_LISTED}|{_ESCAPE_LISTED}"
    r"|[*`~]+"
    r"|(?<![^\W_])_+(?=\w)|(?<=\w)_+(?![^\W_])"
)
#: What is not left behind a mask: escapes, letters that were struck over, quotation marks of a line that is gone.
_UNKEPT = lazy_re(r"\u00ad\r?\n|\r|\\|[^\n]\x08|^(?:>[ ]?)+$")
_RETURN = lazy_re(_RETURN_LISTED)
_ESCAPE = lazy_re(f"{_RETURN_LISTED}|{_ESCAPE_LISTED}")
#: One of these, something coded, or a star stands in all that `_MARKUP` finds.
_SIGNS = "\u00ad\r\x1b\x08\\`~_<>"
_CODED = lazy_re(r"%[0-9A-Fa-f]{2}|&[#A-Za-z][A-Za-z0-9]*;")
_STARS = lazy_re(r"^[ \t]*\*(?=[ \t])", re.MULTILINE)
_MARKUP = lazy_re(rf"{_MARKUP_LISTED}|</?[A-Za-z][A-Za-z0-9]{{0,15}}>|<!--|-->")
#: Tags that part no words.
_INLINE = (
    "a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|tt|u|var"
    "|wbr"
)
_RENDERED = lazy_re(
    rf"{_MARKUP_LISTED}|<!--.{{0,2000}}?-->|</?(?:{_INLINE})(?=[\s/>])[^<>]{{0,2000}}>"
    r"|\[(?=[^\[\]\n]{1,300}\]\()|\]\([^()\s]{0,2000}(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
    r"|(?<![^\n])(?:>[ ]?)+",
    re.DOTALL | re.IGNORECASE,
)
