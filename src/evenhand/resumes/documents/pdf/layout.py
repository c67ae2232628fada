"""The order in which a page is read: columns, blocks, lines.

A page is cut where a blank strip runs through it: first into columns, then into blocks
above each other (the recursive XY cut; Nagy, Seth & Viswanathan 1992, IEEE Computer
25(7), 10-22). A strip between labels and their values, or text and its dates, parts no
columns: what stands on one line is read as one line. Fails for text set around pictures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evenhand.resumes.documents.pdf.cells import are_rows, is_contact, is_label
from evenhand.resumes.documents.pdf.records import records_of
from evenhand.resumes.documents.pdf.words import Word, is_on_one_line, middle_of, rows_of, text_of

__all__ = ["BULLETS", "Line", "lines_of"]

#: What begins an item of a list.
BULLETS = frozenset("•●○◦▪■□▫‣⁃∙·–—-*➢➤►▶✓✔❖◆◇→»")  # noqa: RUF001 - a bullet that looks like a hyphen
#: Blank strips between columns and blocks, in letter sizes.
_COLUMN_GAP = 1.2
_NARROW_GAP = 0.4
_BLOCK_GAP = 0.9
_TAB_GAP = 1.6
_LEAST_LINES = 3
_FEWEST_AT_EDGE, _AT_EDGE = 6, 0.8
#: Sides of a strip of which fewer lines stand side by side are columns, whatever they say.
_ALIGNED = 0.7
#: Letters so many times the usual size, on so many lines, are a name or a title.
_LARGE, _MOST_TITLE_LINES = 1.3, 4
_DEPTH = 40


@dataclass(frozen=True, kw_only=True)
class Line(Word):
    """Words of one line, left to right, as one; wide gaps are tabs."""

    first_width: float
    block: int


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
        title, rest = _title(words)
        if title and rest:
            yield from _blocks(title, depth + 1)
            yield from _blocks(rest, depth + 1)
            return
        cut = _column_cut(words)
        if cut is not None:
            for part in _sides(*_parted(words, cut)):
                yield from _blocks(part, depth + 1)
            return
        parts = _column_run(words)
        if parts is not None:
            for part in parts:
                yield from _blocks(part, depth + 1)
            return
        place = _block_cut(words)
        if place is not None:
            yield from _blocks([word for word in words if word.top < place], depth + 1)
            yield from _blocks([word for word in words if word.top >= place], depth + 1)
            return
    yield words


def _title(words: list[Word]) -> tuple[list[Word], list[Word]]:
    """Return a large name of several lines and what stands beside and below it; nothing where there is no such."""
    usual = _size(words)
    largest = max(word.size for word in words)
    if largest < _LARGE * usual:
        return [], words
    title = [word for word in words if word.size > 0.9 * largest]
    rest = [word for word in words if word.size <= 0.9 * largest]
    left, right = min(word.left for word in title), max(word.right for word in title)
    top, bottom = min(word.top for word in title), max(word.bottom for word in title)
    beside = [word for word in rest if word.bottom > top and word.top < bottom]
    inside = any(word.right > left and word.left < right for word in beside)
    rows = len(rows_of(title))
    if inside or not beside or not 1 < rows <= _MOST_TITLE_LINES:
        return [], words
    return title, rest


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
    size = _size(words)
    gaps = _gaps([(word.left, word.right) for word in words], _NARROW_GAP * size)
    for start, end in sorted(gaps, key=lambda gap: gap[0] - gap[1]):
        left = rows_of([word for word in words if word.right <= start])
        right = rows_of([word for word in words if word.left >= end])
        if (end - start >= _COLUMN_GAP * size or _begin_together(right)) and _are_columns(left, right):
            return (start + end) / 2
    return None


def _begin_together(rows: list[list[Word]]) -> bool:
    """Say whether lines begin at one edge: then a narrow strip parts columns, too."""
    edges = sorted(row[0].left for row in rows)
    edge = edges[len(edges) // 2]
    return len(rows) >= _FEWEST_AT_EDGE and sum(abs(each - edge) < 1 for each in edges) >= _AT_EDGE * len(edges)


def _column_run(words: list[Word]) -> list[list[Word]] | None:
    """Return what is above, left, right and below where columns stand between lines that run over the whole page."""
    rows = rows_of(words)
    least = _COLUMN_GAP * _size(words)
    found: set[tuple[int, int, float]] = set()
    for place, row in enumerate(rows):
        for before, word in pairwise(row):
            if word.left - before.right >= least:
                found.add(_run(rows, place, (before.right, word.left), least))
    for begin, end, cut in sorted(found, key=lambda run: (run[0] - run[1], run)):
        first, last = begin, end
        sides = [_parted(row, cut) for row in rows[first:last]]
        left, right = ([row for row in side if row] for side in zip(*sides, strict=True))
        if not _are_columns(left, right):
            both = [first + place for place, (row, beside) in enumerate(sides) if row and beside]
            if min(len(left), len(right)) >= _LEAST_LINES or not _are_beside_contacts(left, right):
                continue
            first, last = both[0], both[-1] + 1
            while last < end and len(rows[last]) == 1:  # the rest of a name
                last += 1
        columns = _sides(*_parted([word for row in rows[first:last] for word in row], cut))
        above, below = ([word for row in part for word in row] for part in (rows[:first], rows[last:]))
        return [part for part in (above, *columns, below) if part]
    return None


def _sides(left: list[Word], right: list[Word]) -> list[list[Word]]:
    """Return what is read one after the other: both columns, or both parts of each record in them."""
    return [part for record in records_of(left, right) for part in record] or [left, right]


def _parted(row: list[Word], cut: float) -> tuple[list[Word], list[Word]]:
    return [word for word in row if word.right <= cut], [word for word in row if word.right > cut]


def _run(rows: list[list[Word]], place: int, strip: tuple[float, float], least: float) -> tuple[int, int, float]:
    """Return the first row and the one behind the last that leave a strip around this one blank, and its middle."""
    ends = []
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(rows):
            narrowed = _narrowed(rows[at], strip)
            if narrowed[1] - narrowed[0] < least:
                break
            strip = narrowed
            at += step
        ends.append(at)
    return ends[0] + 1, ends[1], (strip[0] + strip[1]) / 2


def _narrowed(row: list[Word], strip: tuple[float, float]) -> tuple[float, float]:
    """Return the widest part of a strip in which a row has no word."""
    edges = [strip[0], *(edge for word in row for edge in (word.left, word.right)), strip[1]]
    blank = [(max(start, strip[0]), min(end, strip[1])) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return max(blank, key=lambda part: part[1] - part[0])


def _are_columns(left: list[list[Word]], right: list[list[Word]]) -> bool:
    """Say whether two sides of a strip are read one after the other."""
    if min(len(left), len(right)) < _LEAST_LINES:
        return False
    pairs = _side_by_side(left, right)
    if len(pairs) / min(len(left), len(right)) < _ALIGNED:
        return True
    return not are_rows(
        [text_of(row) for row in right],
        [(text_of(row), text_of(beside)) for row, beside in pairs],
        lines=len(left),
        flush=_is_flush(right),
        alone=_stand_alone(right, left),
    )


def _side_by_side(left: list[list[Word]], right: list[list[Word]]) -> list[tuple[list[Word], list[Word]]]:
    """Return rows of both sides that stand on one line."""
    return [(row, beside) for row in left for beside in right if is_on_one_line(row, beside)]


def _are_beside_contacts(left: list[list[Word]], right: list[list[Word]]) -> bool:
    """Say whether one side is addresses and numbers only, and the other neither these nor labels: a name, maybe."""
    pairs = _side_by_side(left, right)
    if not pairs or (len(pairs) == 1 and len(pairs[0][0]) > 1):
        return False
    sides = [[text_of(row) for row in side] for side in zip(*pairs, strict=True)]
    told = [all(map(is_contact, side)) for side in sides]
    others = [cell for side, all_contacts in zip(sides, told, strict=True) if not all_contacts for cell in side]
    return sum(told) == 1 and not any(is_contact(cell) or is_label(cell) for cell in others)


def _stand_alone(right: list[list[Word]], left: list[list[Word]]) -> bool:
    """Say whether between any two rows of one side there is one of the other, as between dates of jobs."""
    places = [middle_of(row) for row in left]
    return all(
        any(middle_of(row) + 0.5 * row[0].size < place < middle_of(below) - 0.5 * row[0].size for place in places)
        for row, below in pairwise(right)
    )


def _is_flush(right: list[list[Word]]) -> bool:
    """Say whether lines end at one edge and begin at several places."""
    starts = [row[0].left for row in right]
    ends = [row[-1].right for row in right]
    size = right[0][0].size
    return max(ends) - min(ends) < 0.5 * size < max(starts) - min(starts)


def _block_cut(words: list[Word]) -> float | None:
    """Return where a page parts into blocks above each other: the widest blank stretch that is more than a line's."""
    gaps = _gaps([(word.top, word.bottom) for word in words], _BLOCK_GAP * _size(words))
    if not gaps:
        return None
    start, end = max(gaps, key=lambda gap: gap[1] - gap[0])
    return (start + end) / 2


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
