"""The order in which a page is read: columns, lines, paragraphs.

A page is cut where a blank strip runs through it: first into columns, then into blocks
above each other (the recursive XY cut; Nagy, Seth & Viswanathan 1992, IEEE Computer
25(7), 10-22). A strip beside dates or labels on the lines of its neighbour is no column:
what stands on one line is read as one line. Fails for text set around pictures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["BULLETS", "Line", "Paragraph", "Word", "lines_of", "paragraphs_of", "rows_of"]

#: What begins an item of a list.
BULLETS = frozenset("•●○◦▪■□▫‣⁃∙·–—-*➢➤►▶✓✔❖◆◇→»")  # noqa: RUF001 - a bullet that looks like a hyphen
#: Blank strips between columns and blocks, in letter sizes.
_COLUMN_GAP = 1.2
_BLOCK_GAP = 0.9
_TAB_GAP = 1.6
_LEAST_LINES = 3
#: Sides of a strip whose lines stand side by side and differ this much in number are labels and their text.
_UNEVEN = 0.6
_ALIGNED = 0.7
_DEPTH = 40
#: Lines of a narrower block are joined only where the next begins in lower case.
_NARROW = 20.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its place on the page (y grows downwards), its letters' size, and whether they are bold."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool


@dataclass(frozen=True, kw_only=True)
class Line:
    """Words of one line, left to right; wide gaps are tabs."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool
    first_width: float
    block: int


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Lines that belong together as one text, and the blank space above, in letter sizes."""

    text: str
    size: float
    bold: bool
    indent: float
    gap: float


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Return the lines of a page in reading order."""
    lines: list[Line] = []
    for number, block in enumerate(_blocks(list(words), 0)):
        lines += [_line(each, number) for each in rows_of(block)]
    return lines


def _blocks(words: list[Word], depth: int) -> Iterator[list[Word]]:
    """Yield blocks of words in reading order."""
    if not words:
        return
    if depth < _DEPTH:
        cut = _column_cut(words)
        if cut is not None:
            yield from _blocks([word for word in words if word.right <= cut], depth + 1)
            yield from _blocks([word for word in words if word.right > cut], depth + 1)
            return
        place = _block_cut(words)
        if place is not None:
            yield from _blocks([word for word in words if word.top < place], depth + 1)
            yield from _blocks([word for word in words if word.top >= place], depth + 1)
            return
    yield words


def _size(words: Sequence[Word]) -> float:
    return sorted(word.size for word in words)[len(words) // 2]


def _gaps(spans: list[tuple[float, float]], least: float) -> list[tuple[float, float]]:
    """Return blank stretches of at least this width between intervals."""
    spans.sort()
    found = []
    end = spans[0][1]
    for start, last in spans:
        if start - end >= least:
            found.append((end, start))
        end = max(end, last)
    return found


def _column_cut(words: list[Word]) -> float | None:
    """Return where columns part: the widest blank strip that has text of its own on both sides."""
    gaps = _gaps([(word.left, word.right) for word in words], _COLUMN_GAP * _size(words))
    for start, end in sorted(gaps, key=lambda gap: gap[0] - gap[1]):
        left = [word for word in words if word.right <= start]
        right = [word for word in words if word.left >= end]
        if _are_columns(rows_of(left), rows_of(right)):
            return (start + end) / 2
    return None


def _are_columns(left: list[list[Word]], right: list[list[Word]]) -> bool:
    if min(len(left), len(right)) < _LEAST_LINES:
        return False
    fewer, more = sorted((left, right), key=len)
    tops = [_middle(row) for row in more]
    aligned = sum(any(abs(_middle(row) - top) < 0.3 * row[0].size for top in tops) for row in fewer) / len(fewer)
    return aligned < _ALIGNED or (len(fewer) / len(more) > _UNEVEN and not _are_bulleted(left) and _wide(left, right))


def _middle(row: list[Word]) -> float:
    return sum(word.top + word.bottom for word in row) / (2 * len(row))


def _are_bulleted(left: list[list[Word]]) -> bool:
    """Say whether one side is only the bullets of the other."""
    return all(len(row) == 1 and row[0].text in BULLETS for row in left)


def _wide(left: list[list[Word]], right: list[list[Word]]) -> bool:
    """Say whether both sides are text rather than labels, dates or numbers."""
    return all(sum(len(row) for row in side) / len(side) > 1.5 for side in (left, right))


def _block_cut(words: list[Word]) -> float | None:
    """Return where a page parts into blocks above each other: the widest blank stretch that is more than a line's."""
    gaps = _gaps([(word.top, word.bottom) for word in words], _BLOCK_GAP * _size(words))
    if not gaps:
        return None
    start, end = max(gaps, key=lambda gap: gap[1] - gap[0])
    return (start + end) / 2


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Return words that stand on one line, lines from the top down."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: ((word.top + word.bottom) / 2, word.left)):
        middle = (word.top + word.bottom) / 2
        last = rows[-1] if rows else None
        if last is not None and abs(middle - _middle(last)) < 0.45 * max(word.size, last[0].size):
            last.append(word)
        else:
            rows.append([word])
    for row in rows:
        row.sort(key=lambda word: word.left)
    return rows


def _line(row: list[Word], block: int) -> Line:
    pieces = [row[0].text]
    for before, word in pairwise(row):
        gap = word.left - before.right
        bullet = len(pieces) == 1 and before.text in BULLETS
        pieces += ["\t" if gap > _TAB_GAP * word.size and not bullet else " ", word.text]
    letters = sum(len(word.text) for word in row)
    return Line(
        text="".join(pieces),
        left=row[0].left,
        top=min(word.top for word in row),
        right=max(word.right for word in row),
        bottom=max(word.bottom for word in row),
        size=max(word.size for word in row),
        bold=sum(len(word.text) for word in row if word.bold) * 2 > letters,
        first_width=row[0].right - row[0].left,
        block=block,
    )


def paragraphs_of(lines: Sequence[Line]) -> list[Paragraph]:
    """Return lines joined where a line was only full: the next one's first word had no room on it."""
    edges: dict[int, float] = {}
    starts: dict[int, float] = {}
    for line in lines:
        if "\t" not in line.text:  # dates at the margin are not where text ends
            edges[line.block] = max(edges.get(line.block, 0.0), line.right)
        starts[line.block] = min(starts.get(line.block, line.left), line.left)
    found: list[Paragraph] = []
    text = ""
    first = last = None
    gap = 0.0
    for line in lines:
        if (
            first is not None
            and last is not None
            and _goes_on(last, line, starts[line.block], edges.get(line.block, 0.0))
        ):
            text = _joined(text, line.text)
        else:
            if first is not None:
                found.append(_paragraph(text, first, gap, starts[first.block]))
            gap = _gap(last, line)
            text, first = line.text, line
        last = line
    if first is not None:
        found.append(_paragraph(text, first, gap, starts[first.block]))
    return found


def _gap(last: Line | None, line: Line) -> float:
    """Return the blank space above a line in letter sizes; a new column or block begins after a blank."""
    if last is None:
        return 0.0
    if last.block != line.block:
        return 1.0
    return max(0.0, (line.top - last.bottom) / line.size)


def _paragraph(text: str, first: Line, gap: float, start: float) -> Paragraph:
    return Paragraph(text=text, size=first.size, bold=first.bold, indent=max(0.0, first.left - start), gap=gap)


def _goes_on(last: Line, line: Line, start: float, edge: float) -> bool:
    alike = (
        last.block == line.block
        and last.bold == line.bold
        and abs(last.size - line.size) < 0.6
        and line.top - last.bottom < 0.7 * line.size
        and line.left < last.left + 4 * line.size
    )
    if not alike or line.text[0] in BULLETS or "\t" in last.text + line.text:
        return False
    if last.text[-1] == "-" and last.text[-2:-1].isalpha() and line.text[0].islower():
        return True
    if len(last.text.split()) < 4:
        return False
    # Where all lines are short, a full one tells little.
    told = line.text[0].islower() or last.text[-1] in "-,"
    if edge - start < _NARROW * line.size and not told:
        return False
    return last.right + line.first_width + 0.2 * line.size > edge


def _joined(text: str, following: str) -> str:
    """Return two lines as one; a hyphen that only parted a word goes.

    >>> _joined("led the Oka-", "for team"), _joined("Anne-", "Marie led"), _joined("led", "it")
    ('led the Okafor team', 'Anne-Marie led', 'led it')
    """
    if text.endswith("-") and len(text) > 1 and text[-2].isalpha():
        return text[:-1] + following if following[0].islower() else text + following
    return f"{text} {following}"
