"""Sentences, tables and commands for the terminal, as plain text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Protocol

import orjson
from rich.cells import cell_len

from evenhand.patterns import lazy_re
from evenhand.results.messages import spelled

#: A column is no wider for its heading than this.
LONGEST_HEADING = 14
#: Cells of words up to this width, except the first of a row, are not broken.
LONGEST_WHOLE = 16
GAP = 2
UNBROKEN = "\N{NO-BREAK SPACE}"
#: The space between a number and its unit, and those around a sign: "44.5 %", "p = 0.048".
_TOGETHER = lazy_re(r"(?<=\d) (?=%)|(?<=%) (?=CI\b)|(?<=\bp:) |(?<=[\w)]) (?=[=<>≤≥] )|(?<=[=<>≤≥]) (?=[\d.−-])")
_SHELL_WORD = lazy_re(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:\\.|[^"\\])*")+""")


class Heading(Protocol):
    """The heading of a column; numbers are set flush right."""

    @property
    def label(self) -> str:
        """Return its text."""

    @property
    def numeric(self) -> bool:
        """Say whether the column has numbers."""


class Drawn(Protocol):
    """A table whose first column names the row."""

    @property
    def caption(self) -> str:
        """Return the line above it, or nothing."""

    @property
    def columns(self) -> Sequence[Heading]:
        """Return the headings."""

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """Return the cells of each row."""


class Screen:
    r"""Takes sentences, tables and commands; `text` is what they look like, with nothing in it that acts on a terminal.

    >>> screen = Screen(width=40)
    >>> screen.say("[red] \x1b[31m")
    >>> print(screen.text)
    [red] \x1b[31m
    """

    def __init__(self, *, width: int | None = None) -> None:
        from rich.console import Console  # noqa: PLC0415 - takes longest to import

        self.width = width or Console().width
        self._lines: list[str] = []

    def say(self, text: str = "", *, bullet: str = "") -> None:
        """Add a text, broken between words; all lines but the first are indented by the bullet."""
        for line in wrapped(text, self.width - len(bullet)):
            self._lines.append(f"{bullet}{line}")
            bullet = " " * len(bullet)

    def keep(self, text: str) -> None:
        """Add a text in one line, however long it is: a path stays in one piece."""
        self._lines.append(spelled(text))

    def type(self, command: str) -> None:
        """Add a command line as it can be typed, or copied."""
        first, *others = continued(spelled(command), self.width - 2 * GAP)
        self._lines += [f"  {first}", *(f"    {line}" for line in others)]

    def draw(self, table: Drawn) -> None:
        """Add a table; where its columns do not fit, the last one below each row, or a block for each row."""
        if table.caption:
            self.say(table.caption)
        for beside in (len(table.columns), len(table.columns) - 1, 1):
            columns, rows = table.columns[:beside], [row[:beside] for row in table.rows]
            widths = _widths(columns, rows, self.width) if beside > 1 else None
            if widths is not None or beside <= 1:
                break
        if widths is not None:
            headings = [wrapped(column.label, width) for column, width in zip(columns, widths, strict=True)]
            tallest = max(map(len, headings))
            headings = [[""] * (tallest - len(lines)) + lines for lines in headings]
            self._lines += _side_by_side(headings, columns, widths)
        for row in table.rows:
            if widths is None:
                self.say(row[0])
            else:
                cells = [wrapped(cell, width) for cell, width in zip(row[:beside], widths, strict=True)]
                self._lines += _side_by_side(cells, columns, widths)
            for column, cell in zip(table.columns[beside:], row[beside:], strict=True):
                if cell:
                    self.say(f"{column.label}: {cell}", bullet="  ")

    @property
    def text(self) -> str:
        """Return the text."""
        return "\n".join(line.rstrip() for line in self._lines)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines: broken between words, but not between a number and its unit or sign.

    >>> wrapped("a rate of 44.5 % (p = 0.048)", 14)
    ['a rate of', '44.5 %', '(p = 0.048)']
    """
    lines: list[str] = []
    for paragraph in spelled(text).replace("\t", " ").split("\n"):
        line, used = "", 0
        for word in _TOGETHER.sub(UNBROKEN, paragraph).split(" "):
            length = cell_len(word)
            if line and used + 1 + length > width:
                lines.append(line)
                line, used = word, length
            else:
                line, used = (f"{line} {word}", used + 1 + length) if line else (word, length)
        lines.append(line)
    return [line.replace(UNBROKEN, " ") for line in lines]


def continued(command: str, width: int) -> list[str]:
    r"""Return a command in lines that a shell reads as one; an option and its value stay together.

    >>> print(*continued("evenhand probe hiring-an --where 'a b' --sample 40", 30), sep="\n")
    evenhand probe hiring-an \
    --where 'a b' --sample 40
    """
    words = _SHELL_WORD.findall(command)
    if " ".join(words) != command:
        return [command]
    parts: list[str] = []
    for word in words:
        if parts and parts[-1].startswith("--") and " " not in parts[-1] and not word.startswith("--"):
            parts[-1] = f"{parts[-1]} {word}"
        else:
            parts.append(word)
    lines = [""]
    for part in parts:
        if lines[-1] and cell_len(lines[-1]) + cell_len(part) + 3 > width:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".lstrip()
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]


def _widths(columns: Sequence[Heading], rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """Return the column widths: numbers in one line, words broken between words; None without room."""
    places = range(len(columns))
    cells = [[spelled(row[place]) for row in rows] for place in places]
    for whole in (LONGEST_WHOLE, 0):
        widths = [_least(columns[place], cells[place], whole=whole if place else 0) for place in places]
        if sum(widths) + GAP * (len(widths) - 1) <= width:
            break
    else:
        return None
    longest = [max(map(cell_len, column), default=0) for column in cells]
    headings = [max(map(cell_len, wrapped(column.label, LONGEST_HEADING))) for column in columns]
    for desired in (longest, headings):
        lacking = [max(want - width, 0) for want, width in zip(desired, widths, strict=True)]
        room, needed = max(width - sum(widths) - GAP * (len(widths) - 1), 0), max(sum(lacking), 1)
        widths = [width + min(lack, lack * room // needed) for width, lack in zip(widths, lacking, strict=True)]
    return widths


def _least(column: Heading, cells: Sequence[str], *, whole: int) -> int:
    """Return the minimum width of a column; cells up to `whole` wide stay in one line."""
    in_one_line = column.numeric or max(map(cell_len, cells), default=0) <= whole
    parts = [part for cell in cells for part in ([cell] if in_one_line else wrapped(cell, 0))]
    return max(map(cell_len, [*parts, *wrapped(column.label, 0)]), default=0)


def _side_by_side(cells: Sequence[Sequence[str]], columns: Sequence[Heading], widths: Sequence[int]) -> list[str]:
    return [
        (" " * GAP).join(
            f"{' ' * (width - cell_len(line))}{line}" if column.numeric else f"{line}{' ' * (width - cell_len(line))}"
            for line, column, width in zip(lines, columns, widths, strict=True)
        )
        for lines in zip_longest(*cells, fillvalue="")
    ]


@dataclass(frozen=True, kw_only=True)
class CommandOutput:
    """The result of a command, as JSON values and as text."""

    content: Mapping[str, Any]
    text: str

    @property
    def json(self) -> str:
        """Return the content as JSON text."""
        return orjson.dumps(self.content, option=orjson.OPT_INDENT_2).decode()


def command_output(content: Mapping[str, Any], *texts: str) -> CommandOutput:
    """Return a result with a text of a few paragraphs."""
    screen = Screen()
    for text in texts:
        screen.say(text)
    return CommandOutput(content=content, text=screen.text)
