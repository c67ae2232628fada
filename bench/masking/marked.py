"""Text that carries its annotations: pieces, each with a category or none.

Documents are put together from pieces, and offsets are counted when the text is finished;
nothing is ever looked for in a finished text. Templates are strings with braces:

    {NAME|Jane}     a span of that category      {?|text}   neither right nor wrong to mask
    {slot}          filled by the caller with a string, a piece or marked text

Two spans of one category with only a blank between them become one.

>>> line = fill("{G|She} met {who}.", {"who": mark("NAME", "Ada")})
>>> line.text, line.spans(), line.upper().text
('She met Ada.', [(0, 3, 'GENDER'), (8, 11, 'NAME')], 'SHE MET ADA.')
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

ALWAYS = ("NAME", "GENDER", "ETHNICITY", "RELIGION", "DISABILITY", "MARITAL", "ORIENTATION", "EMAIL", "URL")
OPTIONAL = ("PHONE", "ADDRESS", "DOB", "GRADYEAR", "SCHOOL")
#: Whether to mask this is a matter of taste: it counts neither as found nor as over-masked.
IGNORED = "?"
SHORT = {
    "N": "NAME",
    "G": "GENDER",
    "E": "ETHNICITY",
    "R": "RELIGION",
    "D": "DISABILITY",
    "M": "MARITAL",
    "O": "ORIENTATION",
    "S": "SCHOOL",
    "Y": "GRADYEAR",
    "?": IGNORED,
} | {name: name for name in (*ALWAYS, *OPTIONAL)}

_BRACES = re.compile(r"\{([^{}|]+)(?:\|([^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """Pieces of text, each with its category ('' = none)."""

    pieces: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)

    def __add__(self, other: "Marked | str") -> "Marked":
        return Marked(self.pieces + marked(other).pieces)

    def __radd__(self, other: str) -> "Marked":
        return marked(other) + self

    def mapped(self, change: Callable[[str], str]) -> "Marked":
        return Marked(tuple((change(text), category) for text, category in self.pieces))

    def upper(self) -> "Marked":
        return self.mapped(str.upper)

    def _found(self) -> list[tuple[int, int, str]]:
        found: list[tuple[int, int, str]] = []
        at, blank_since = 0, -1
        for text, category in self.pieces:
            if category and text:
                last = found[-1] if found else (0, -1, "")
                if last[2] == category and (last[1] == at or last[1] == blank_since):
                    found[-1] = (last[0], at + len(text), category)
                else:
                    found.append((at, at + len(text), category))
            if not category:
                blank_since = at if text == " " else -1
            at += len(text)
        return found

    def spans(self) -> list[tuple[int, int, str]]:
        return [span for span in self._found() if span[2] != IGNORED]

    def ignored(self) -> list[tuple[int, int]]:
        return [(start, end) for start, end, category in self._found() if category == IGNORED]


def marked(value: "Marked | str") -> Marked:
    """Return marked text as it is, a string without marks."""
    return value if isinstance(value, Marked) else Marked(((value, ""),))


def mark(category: str, text: str) -> Marked:
    return Marked(((text, category),))


def joined(between: "Marked | str", parts: Iterable["Marked | str"]) -> Marked:
    pieces: list[tuple[str, str]] = []
    for count, part in enumerate(parts):
        if count:
            pieces.extend(marked(between).pieces)
        pieces.extend(marked(part).pieces)
    return Marked(tuple(pieces))


def fill(template: str, slots: "Mapping[str, Marked | str] | Callable[[str], Marked | str]" = {}) -> Marked:  # noqa: B006
    """Return a template's text with its marks and its slots filled."""
    slot = slots if callable(slots) else slots.__getitem__
    pieces: list[tuple[str, str]] = []
    at = 0
    for match in _BRACES.finditer(template):
        if match.start() > at:
            pieces.append((template[at : match.start()], ""))
        name, inside = match.groups()
        if inside is None:
            pieces.extend(marked(slot(name)).pieces)
        else:
            pieces.append((inside, SHORT[name]))
        at = match.end()
    pieces.append((template[at:], ""))
    return Marked(tuple(piece for piece in pieces if piece[0]))
