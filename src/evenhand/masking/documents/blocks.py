"""A document as blocks: headings, paragraphs, list items and rows of tables; and blocks as Markdown and as text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from evenhand.patterns import lazy_re

_IN_TARGET = {ord(sign): f"%{ord(sign):02X}" for sign in " ()<>\"'\\`*[]|"}
_MARKS = lazy_re(r"[\\`*\[\]]|<(?=[A-Za-z/!?])|(?<![^\W_])_|_(?![^\W_])|~(?=~)|&(?=[#\w]+;)")
_HEADING_MARK = lazy_re(r"^(?=#{1,6}(?: |$)|>)", re.MULTILINE)
_INDENT = 3


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text, and the address that it links to."""

    text: str
    target: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A block of a document: a row has cells, any other one cell.

    `level` is that of a heading or item, from 1; `number` that of an item in an ordered list; `group` tells the table
    of a row and the list of a numbered item.
    """

    kind: Literal["heading", "paragraph", "item", "row"]
    cells: tuple[tuple[Run, ...], ...]
    level: int = 1
    number: int = 0
    group: int = 0

    def listed(self, behind: "Block") -> bool:
        """Say whether the block behind this one goes on with its list or table."""
        if self.kind == behind.kind == "item":
            return self.level != behind.level or bool(self.number) == bool(behind.number)
        return self.kind == behind.kind == "row" and self.group == behind.group

    @property
    def lines(self) -> str:
        """The text; the cells of a row are joined by tabs."""
        return "\t".join("".join(run.text for run in cell) for cell in self.cells)


def markdown_of(blocks: Iterable[Block]) -> str:
    """Return blocks as Markdown.

    >>> name, job = (Run("Jane Doe"),), (Run("Packer, "), Run("Acme", "https://acme.org/"))
    >>> print(markdown_of([Block(kind="heading", cells=(name,)), Block(kind="item", cells=(job,))]), end="")
    # Jane Doe
    <BLANKLINE>
    - Packer, [Acme](https://acme.org/)
    """
    lines: list[str] = []
    before: Block | None = None
    level = 0
    for block in blocks:
        together = before is not None and before.listed(block)
        if before is not None and not together:
            lines.append("")
        cells = [_in_markdown(cell, cell=block.kind == "row") for cell in block.cells]
        level = min(block.level, level + 1) if block.kind == "item" else 0
        if block.kind == "heading":
            lines.append(f"{'#' * block.level} {cells[0]}".replace("  \n", " "))
        elif block.kind == "row":
            lines.append(f"| {' | '.join(cells)} |")
            if not together:
                lines.append("|" + " --- |" * len(cells))
        elif block.kind == "item":
            indent = " " * _INDENT * (level - 1)
            mark = f"{block.number}." if block.number else "-"
            lines.append(f"{indent}{mark} {cells[0]}".replace("\n", f"\n{indent}  "))
        else:
            lines.append(_HEADING_MARK.sub(r"\\", cells[0]))
        before = block
    return "\n".join(lines) + "\n"


def _in_markdown(runs: Iterable[Run], *, cell: bool) -> str:
    pieces: list[str] = []
    for run in runs:
        text = _MARKS.sub(r"\\\g<0>", run.text).replace("\n", "  \n")
        text = text.replace("|", "\\|") if cell else text
        if run.target:
            text = f"[{text}]({run.target.translate(_IN_TARGET)})"
            text = f" {text}" if pieces and pieces[-1].endswith("!") else text  # no picture
        pieces.append(text)
    return "".join(pieces)


def text_of(blocks: Iterable[Block]) -> str:
    """Return blocks as plain text: a line each, headings set apart, items with a dash."""
    lines = []
    for block in blocks:
        lines += (
            ["", block.lines]
            if block.kind == "heading"
            else [f"- {block.lines}" if block.kind == "item" else block.lines]
        )
    return "\n".join(lines).strip("\n")


def paragraphs_of(text: str) -> list[Block]:
    """Return the lines of a text as paragraphs."""
    return [Block(kind="paragraph", cells=((Run(line),),)) for line in text.splitlines()]
