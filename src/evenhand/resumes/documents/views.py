"""A text seen without its markup: what a reader reads, with the way back to the file.

Names hide in what no reader sees: `Ja**ne**`, `J&#97;ne`, `Jane&nbsp;Doe`, a return
before each line feed. Masks are found in the view and set in the file.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.resumes.documents.edits import Edit

__all__ = ["View", "seen", "without_markup", "without_returns"]


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
        """Return the markup within a stretch of the view."""
        places = range(start, end - 1)
        return "".join(self.source[self.ends[place] : self.starts[place + 1]] for place in places)


def seen(text: str, hidden: re.Pattern[str]) -> View:
    """Return a view without what the pattern finds; its group `entity` is decoded instead.

    >>> seen("Ja**ne**", re.compile(r"[*]")).text
    'Jane'
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in hidden.finditer(text):
        start, end = match.span()
        pieces.append(text[done:start])
        starts += range(done, start)
        ends += range(done + 1, start + 1)
        if "entity" in match.groupdict() and match["entity"] is not None:
            decoded = html.unescape(match.group())
            pieces.append(decoded)
            starts += [start] * len(decoded)
            ends += [end] * len(decoded)
        done = end
    pieces.append(text[done:])
    starts += range(done, len(text))
    ends += range(done + 1, len(text) + 1)
    return View(source=text, text="".join(pieces), starts=starts, ends=ends)


def without_returns(text: str) -> View:
    r"""Return a view in which every line ends with a line feed alone.

    >>> without_returns("Jane\r\nDoe").text
    'Jane\nDoe'
    """
    return seen(text, _RETURN)


def without_markup(text: str) -> View:
    """Return a view of Markdown without emphasis within words, escapes, tags, comments' marks and entities.

    >>> without_markup("J&#97;ne **D**oe <b>B</b>ell").text
    'Jane Doe Bell'
    """
    return seen(text, _MARKUP)


_RETURN = re.compile(r"\r(?=\n)")
_MARKUP = re.compile(
    r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|\r(?=\n)"
    r"|[*`~]+"
    r"|(?<![^\W_])_+(?=\w)|(?<=\w)_+(?![^\W_])"
    r"|\\(?=[!-/:-@\[-`{-~])"
    r"|</?[A-Za-z][A-Za-z0-9]{0,15}>"
    r"|<!--|-->"
)
