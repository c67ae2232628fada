"""Read HTML, OpenDocument texts and RTF as blocks, and mask them.

Blocks are written as Markdown or Word, and that is masked and checked as any document of that format: a reader
only has to leave out what nobody sees. Names in its properties go along.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from typing import Any

from evenhand.errors import InputError
from evenhand.masking.documents.blocks import Block, Run, markdown_of, text_of
from evenhand.masking.documents.request import DocumentText, MaskedDocument, Request, Tally, watched
from evenhand.masking.documents.text import masked_markdown
from evenhand.masking.documents.word_writing import docx_bytes
from evenhand.patterns import WordTable, lazy_re
from evenhand.results.files import Budget

READER_WORDS = WordTable("evenhand.masking.documents", "readers.toml")
_BLANKS = lazy_re(r"[ \t\r\n\f]+")
_BLANKS_IN_LINE = lazy_re(r" {2,}")
_LINE_END = lazy_re(r" *\n *")
#: Addresses that mean the same outside the document.
_OUTSIDE = lazy_re(r"(?i)(?:https?|mailto|tel|ftp):[^\x00-\x1f]+")
_DEEPEST_HEADING = 6


@dataclass(frozen=True, slots=True)
class Role:
    """What an element is to a reader of the page.

    `kind` is skip, inline, line (a break), block, heading, list, item, table, row or cell; `level` that of a heading;
    `text` is read instead of what is skipped. `target` and `lines` (line ends stay) hold for all within.
    """

    kind: str = "inline"
    level: int = 0
    target: str = ""
    ordered: bool = False
    lines: bool = False
    text: str = ""


@dataclass
class Blocks:
    """Collects the blocks that a reader meets, and texts of properties that may hold names."""

    budget: Budget
    tally: Tally
    blocks: list[Block] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)
    #: Level, number and list of the item that the next block is.
    item: tuple[int, int, int] | None = None
    table: int = 0
    _runs: list[Run] = field(default_factory=list)
    #: Each with the number of its last item, -1 without numbers, and its group.
    _lists: list[list[int]] = field(default_factory=list)
    _groups: Iterator[int] = field(default_factory=count)
    _rows: list[tuple[list[Block], list[list[Block]]]] = field(default_factory=list)

    def add(self, text: str, around: Role) -> None:
        """Go on with a text; runs of blanks are one, unless lines are kept."""
        if not text:
            return
        for number, line in enumerate(text.splitlines() if around.lines else [text]):
            if number:
                self.end_line()
            self._runs.append(Run(line if around.kind == "skip" else _BLANKS.sub(" ", line), around.target))

    def begin(self, role: Role) -> None:
        """Begin an element that is not skipped."""
        if role.kind == "line":
            self.end_line()
        elif role.kind != "inline":
            self.end()
        if role.kind == "list":
            self._lists.append([0 if role.ordered else -1, next(self._groups)])
        elif role.kind == "row":
            self.begin_row()
        elif role.kind == "item" and self._lists:
            last = self._lists[-1]
            last[0] += last[0] >= 0
            self.item = (len(self._lists), max(last[0], 0), last[1])

    def finish(self, role: Role) -> None:
        """End an element that is not skipped."""
        if role.kind == "row":
            self.end_row()
        elif role.kind == "cell":
            self.end_cell()
        elif role.kind not in {"inline", "line"}:
            self.end(role.level)
        if role.kind == "list":
            self._lists.pop()
        elif role.kind == "item":
            self.item = None
        elif role.kind == "table":
            self.table += 1

    def end_line(self) -> None:
        """Begin a new line of the same block."""
        self._runs.append(Run("\n"))

    def end(self, heading: int = 0) -> None:
        """End a block, a heading of this level or an item or paragraph; without text there is none."""
        runs, self._runs = _joined(self._runs), []
        if not runs:
            return
        item, self.item = self.item, None
        if heading:
            block = Block(kind="heading", cells=(runs,), level=min(heading, _DEEPEST_HEADING))
        elif item is not None:
            block = Block(kind="item", cells=(runs,), level=item[0], number=item[1], group=item[2])
        else:
            block = Block(kind="paragraph", cells=(runs,))
        self.blocks.append(block)

    def begin_row(self) -> None:
        """Begin a row of a table, maybe within a cell of another."""
        self.end()
        self._rows.append((self.blocks, []))
        self.blocks = []

    def end_cell(self) -> None:
        """End a cell of the row."""
        self.end()
        if self._rows:
            self._rows[-1][1].append(self.blocks)
            self.blocks = []

    def end_row(self) -> None:
        """End a row: cells of a line each stay cells; others lay out a page, and their blocks follow each other."""
        if not self._rows:
            return
        self.end_cell()
        self.blocks, cells = self._rows.pop()
        if len(cells) > 1 and not cells[-1]:
            cells.pop()  # what stood behind the last cell: nothing
        plain = all(block.kind == "paragraph" and "\n" not in block.lines for cell in cells for block in cell)
        if plain and len(cells) > 1 and max(map(len, cells)) == 1:
            runs = tuple(cell[0].cells[0] if cell else () for cell in cells)
            self.blocks += [Block(kind="row", cells=runs, group=self.table)] if any(runs) else []
        else:
            self.blocks += [block for cell in cells for block in cell]


def _joined(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs without needless blanks, those of one target as one: no name is split by its looks."""
    joined: list[Run] = []
    for target, same in groupby(runs, key=lambda run: run.target if run.text != "\n" else ""):
        text = _LINE_END.sub("\n", _BLANKS_IN_LINE.sub(" ", "".join(run.text for run in same)))
        if not joined or joined[-1].text[-1] in " \n":
            text = text.lstrip(" " if joined else " \n")
        if text:
            joined.append(Run(text, target))
    while joined:
        last = joined.pop()
        if text := last.text.rstrip(" \n"):
            return (*joined, Run(text, last.target))
    return ()


def read_tree(walk: Iterable[tuple[str, Any]], role_of: Callable[[Any], Role], blocks: Blocks) -> None:
    """Read what lxml's `iterwalk` meets of a tree whose elements have roles."""
    around = [Role()]
    for event, element in walk:
        if event == "start":
            role = role_of(element)
            role = replace(role, target=role.target or around[-1].target, lines=role.lines or around[-1].lines)
            around.append(role)
            if role.kind == "skip":
                walk.skip_subtree()  # type: ignore[attr-defined]
                blocks.add(role.text, role)
            else:
                blocks.begin(role)
                blocks.add(element.text or "", role)
        else:
            role = around.pop()
            if role.kind != "skip":
                blocks.finish(role)
            if len(around) > 1:
                blocks.add(element.tail or "", around[-1])


def outside(address: str | None) -> str:
    """Return an address that means the same outside of its document; "" for others, such as places in it and scripts.

    >>> outside(" https://example.org/cv"), outside("javascript:alert(1)")
    ('https://example.org/cv', '')
    """
    stripped = (address or "").strip()
    return stripped if _OUTSIDE.fullmatch(stripped) else ""


Reader = Callable[[bytes, Blocks], None]
Masker = Callable[[bytes, Request], MaskedDocument]


def _read(content: bytes, read: Reader, unpack_limit: int) -> Blocks:
    blocks = Blocks(Budget(unpack_limit), Tally())
    with watched(blocks.budget):
        read(content, blocks)
        blocks.end()
    if not any(map(str.isalnum, text_of(blocks.blocks))):
        raise InputError("holds no text.")
    return blocks


def blocks_text(content: bytes, unpack_limit: int, *, read: Reader) -> DocumentText:
    """Return the text that a document shows, and the texts of its properties.

    Raises
    ------
    InputError
        As of `masked_blocks`.

    """
    blocks = _read(content, read, unpack_limit)
    return DocumentText(text=text_of(blocks.blocks), metadata=tuple(blocks.metadata))


def masked_blocks(content: bytes, request: Request, *, read: Reader, mask_word: Masker | None = None) -> MaskedDocument:
    """Return a document masked as Markdown, or as Word by what masks that.

    Raises
    ------
    InputError
        The file is encrypted, broken, asks too much, or holds no text.
    CheckFailed
        The result still holds a masked detail.

    """
    blocks = _read(content, read, request.unpack_limit)
    request = replace(request, metadata=tuple(blocks.metadata))
    if mask_word is None:
        masked = masked_markdown(markdown_of(blocks.blocks).encode(), request)
    else:
        masked = mask_word(docx_bytes(blocks.blocks), request)
    return replace(masked, notes=(*blocks.tally.document(b"").notes, *masked.notes))
