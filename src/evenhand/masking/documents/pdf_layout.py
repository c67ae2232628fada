"""The layout of a PDF page: words, lines, columns and paragraphs in reading order.

A page is cut where a blank strip runs through it: first into columns, then into blocks
above each other (the recursive XY cut; Nagy, Seth & Viswanathan 1992, IEEE Computer
25(7), 10-22). It fails for text set around pictures.

Lines of a sidebar may be level with the lines of the other column. Then the words decide: both sides are
read as rows of a table only if the left cells are labels or dates, or the right cells are dates, places or
grades at the margin. Otherwise they are columns, so that a name on two lines of a sidebar stays whole.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from statistics import median

from evenhand.masking.categories.personal import category_of
from evenhand.masking.layout import folded_text, folded_word, layout_of
from evenhand.masking.names.own import is_name_label
from evenhand.patterns import WordTable, lazy_re

PDF_WORDS = WordTable("evenhand.masking.documents", "pdf_layout.toml")
#: The largest distance of the middles of words on one line, in letter sizes.
_SAME_ROW = 0.45


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


def is_on_one_line(row: list[Word], other: list[Word]) -> bool:
    """Say whether two rows are on one line, even with letters of different sizes."""
    small, large = sorted((row[0].size, other[0].size))
    reach = 0.3 * small if large < 1.2 * small else _SAME_ROW * large
    return abs(middle_of(row) - middle_of(other)) < reach


def text_of(row: list[Word]) -> str:
    """Return a row's words with blanks between them."""
    return " ".join(word.text for word in row)


def middle_of(row: list[Word]) -> float:
    """Return the height of a row's middle."""
    return sum(word.top + word.bottom for word in row) / (2 * len(row))


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each line, lines from the top down."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: ((word.top + word.bottom) / 2, word.left)):
        middle = (word.top + word.bottom) / 2
        last = rows[-1] if rows else None
        if last is not None and abs(middle - middle_of(last)) < _SAME_ROW * max(word.size, last[0].size):
            last.append(word)
        else:
            rows.append([word])
    for row in rows:
        row.sort(key=lambda word: word.left)
    return rows


#: Parts of the cells that must be what a side of a table holds.
_LABELS_OF_ROWS = 0.75
_DATES_OF_ROWS = 0.4
_ROWS_OF_GRADES = 0.6
_MOST_CONTACTS = 0.35
#: The most words in a cell of a table of skills and grades, left and right.
_SHORT_LEFT, _SHORT_RIGHT = 3, 2
_LONGEST_LABEL, _LONGEST_HEADING = 40, 40
_YEAR = lazy_re(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CONTACT = lazy_re(r"@|\bhttps?:|\bwww\.|\b(?:linkedin|github|gitlab)\.|\b[a-z0-9-]{2,}\.(?:com|org|net|io|dev|me)\b")
_DIGITS = lazy_re(r"\d")
_FEWEST_DIGITS = 7
_APART = lazy_re(r"[\s/–—,()|-]+")
_MOST_WORDS = 8


def are_rows(right: Sequence[str], pairs: Sequence[tuple[str, str]], *, lines: int, flush: bool, alone: bool) -> bool:
    """Say whether cells on both sides of a blank strip are read across.

    `right` are all cells of that side, `pairs` those level with one of so many `lines` on the
    left; `flush` says that the right ones end at one edge and begin anywhere, `alone` that
    lines without one are between any two, as with dates and places at the margin.

    >>> def across(pairs): return are_rows([cell for _, cell in pairs], pairs, lines=3, flush=False, alone=False)
    >>> across([("Name", "Ana"), ("Phone", "312-555-0188"), ("Sex", "F")])
    True
    >>> across([("CONTACT", "Led the audit of all"), ("Ana", "accounts of the firm"), ("Bell", "and its owners")])
    False
    """
    if not pairs:
        return False
    labels = sum(is_label(cell) for cell, _ in pairs)
    if labels >= _LABELS_OF_ROWS * len(pairs) and not any(is_contact(cell) for cell, _ in pairs):
        return True
    headed = any(map(is_heading, right))
    if not headed and _is_margin(right, flush=flush, alone=alone):
        return True
    return (
        not headed
        and len(pairs) >= _ROWS_OF_GRADES * lines
        and not any(is_contact(cell) or is_heading(cell) for cell, _ in pairs)
        and not any(map(is_contact, right))
        and all(len(cell.split()) <= _SHORT_LEFT for cell, _ in pairs)
        and all(len(cell.split()) <= _SHORT_RIGHT for cell in right)
    )


def _is_margin(right: Sequence[str], *, flush: bool, alone: bool) -> bool:
    """Say whether cells are dates and numbers, or places with or without them that end at one edge."""
    contacts = sum(map(is_contact, right))
    if contacts > _MOST_CONTACTS * len(right):
        return False
    if flush and alone and not contacts:
        return True
    dates = sum(is_date(cell) or _ends_with_date(cell) for cell in right)
    return dates >= (_DATES_OF_ROWS if flush else 0.5) * (len(right) - contacts)


def _ends_with_date(cell: str) -> bool:
    words = cell.split()
    return len(words) <= _MOST_WORDS and is_date(words[-1])


@cache
def is_label(cell: str) -> bool:
    """Say whether a cell only labels its neighbour: a label, a heading, a date, a bullet.

    >>> [is_label(cell) for cell in ("Full name", "Shoe size:", "EDUCATION", "2015 - 2020", "•", "Tel.", "Python")]
    [True, True, True, True, True, True, False]
    """
    bare = cell.strip(" .:*_()")
    if not any(map(str.isalnum, bare)):
        return True
    if len(cell) > _LONGEST_LABEL:
        return False
    normalised = folded_word(bare)
    return (
        cell.endswith(":")
        or len(bare) == 1
        or normalised in PDF_WORDS.labels
        or category_of(normalised) is not None
        or is_name_label(normalised)
        or is_date(cell)
        or begins_with_date(cell)
        or is_heading(cell)
    )


def begins_with_date(cell: str) -> bool:
    """Say whether a cell is a date and a word, as left of the last column of a table."""
    words = cell.split()
    dated = next((count for count in range(len(words), 0, -1) if is_date(" ".join(words[:count]))), 0)
    return dated > 0 and len(words) - dated <= 1


@cache
def section_of(cell: str) -> str | None:
    """Return the section that a cell is the heading of, None where it is none.

    >>> [section_of(cell) for cell in ("Work experience", "REFEREES", "SQL", "Led the audit")]
    ['work', 'references', None, None]
    """
    if len(cell) > _LONGEST_HEADING or not any(map(str.isalpha, cell)):
        return None
    lines = layout_of(folded_text(cell)).lines
    return lines[0].section if lines and lines[0].heading else None


def is_heading(cell: str) -> bool:
    """Say whether a cell is the heading of a section."""
    return section_of(cell) is not None


@cache
def is_date(cell: str) -> bool:
    """Say whether a cell is a date, a period or a number.

    >>> [is_date(cell) for cell in ("2015 – 2020", "May 2012 to present", "3.9/4.0", "since 03/2019", "85 %")]
    [True, True, True, True, True]
    >>> [is_date(cell) for cell in ("312-555-0188", "Houston", "Analyst, 2012", "May")]
    [False, False, False, False]
    """
    words = [word.strip(".:'’%") for word in _APART.split(cell.lower())]  # noqa: RUF001 - a year's apostrophe
    words = [word for word in words if word]
    if not words or len(words) > _MOST_WORDS or not _DIGITS.search(cell) or is_contact(cell):
        return False
    return all(word[0].isdigit() or word in PDF_WORDS.now or word[:3] in PDF_WORDS.months for word in words)


@cache
def is_contact(cell: str) -> bool:
    """Say whether a cell holds an address of mail or of a page, or a telephone number.

    >>> [is_contact(cell) for cell in ("ana@a.org", "+1 312-555-0188", "www.a.eu/ana", "01/2015 - 12/2020")]
    [True, True, True, False]
    """
    if _CONTACT.search(cell.lower()) is not None:
        return True
    return _YEAR.search(cell) is None and len(_DIGITS.findall(cell)) >= _FEWEST_DIGITS


#: The most lines below a record's date, and the most words of each.
_MOST_BELOW, _LONGEST_BELOW = 3, 5
#: A gap so much wider than the usual one begins a paragraph.
_WIDER = 1.25
_FEWEST = 2


def records_of(left: Sequence[Word], right: Sequence[Word]) -> list[tuple[list[Word], list[Word]]]:
    """Return the words of each record on both sides of a blank strip, from the top down; none where there are none.

    Every line on the left is a date level with a line in bold or the first of a paragraph, or is below such a date;
    a heading may be above one.
    """
    right_rows = rows_of(right)
    groups = _groups(rows_of(left))
    if len(groups) < _FEWEST or max(len(group.below) for group in groups) == 0:
        return []
    begins = _beginnings(right_rows)
    bold = [all(word.bold for word in row) for row in right_rows]
    bold_marks_heads = sum(bold) * 2 < len(right_rows)  # bold marks heads only where not all lines are bold
    tops = []
    for group in groups:
        head = next((place for place, row in enumerate(right_rows) if is_on_one_line(group.date, row)), None)
        if head is None or not (begins[head] or (bold_marks_heads and bold[head])):
            return []
        first = group.heading or group.date
        tops.append(min(word.top for word in (*first, *(right_rows[head] if first is group.date else ()))))
    edges = [float("-inf"), *tops[1:], float("inf")]
    return [(_between(left, *band), _between(right, *band)) for band in pairwise(edges)]


@dataclass
class _Group:
    date: list[Word]
    heading: list[Word] | None = None
    below: list[list[Word]] = field(default_factory=list)


def _groups(rows: Sequence[list[Word]]) -> list[_Group]:
    """Return dates with the rows below and a heading above each; none where there is anything else."""
    groups: list[_Group] = []
    heading = None
    for row in rows:
        cell = text_of(row)
        if is_date(cell) or begins_with_date(cell):
            groups.append(_Group(row, heading))
            heading = None
        elif is_heading(cell):
            heading = row
        elif not groups or heading or len(row) > _LONGEST_BELOW or is_contact(cell):
            return []
        else:
            groups[-1].below.append(row)
            if len(groups[-1].below) > _MOST_BELOW:
                return []
    return [] if heading else groups


def _between(words: Sequence[Word], top: float, below: float) -> list[Word]:
    return [word for word in words if top <= (word.top + word.bottom) / 2 < below]


def _beginnings(rows: Sequence[list[Word]]) -> list[bool]:
    """Say of each row whether it begins a paragraph: it is the first, or more room than usual is above it."""
    steps = [middle_of(below) - middle_of(row) for row, below in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    return [True, *(step > _WIDER * usual for step in steps)]


#: Marks that begin an item of a list.
BULLETS = frozenset("•●○◦▪■□▫‣⁃∙·–—-*➢➤►▶✓✔❖◆◇→»")  # noqa: RUF001 - a bullet that looks like a hyphen
#: Blank strips between columns and blocks, in letter sizes.
_COLUMN_GAP = 1.2
_NARROW_GAP = 0.4
_BLOCK_GAP = 0.9
_TAB_GAP = 1.6
_LEAST_LINES = 3
_FEWEST_AT_EDGE, _AT_EDGE = 6, 0.8
#: Sides of a strip with a smaller share of level lines are columns, whatever they say.
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
        lines += [_line(row, number) for row in rows_of(block)]
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
    """Return a large name of several lines, and the words next to and below it; no name where there is none."""
    usual = _size(words)
    largest = max(word.size for word in words)
    if largest < _LARGE * usual:
        return [], words
    title = [word for word in words if word.size > 0.9 * largest]
    rest = [word for word in words if word.size <= 0.9 * largest]
    left, right = min(word.left for word in title), max(word.right for word in title)
    top, bottom = min(word.top for word in title), max(word.bottom for word in title)
    adjacent = [word for word in rest if word.bottom > top and word.top < bottom]
    inside = any(word.right > left and word.left < right for word in adjacent)
    rows = len(rows_of(title))
    if inside or not adjacent or not 1 < rows <= _MOST_TITLE_LINES:
        return [], words
    return title, rest


def _size(words: Sequence[Word]) -> float:
    return sorted(word.size for word in words)[len(words) // 2]


def _gaps(spans: list[tuple[float, float]], least: float) -> list[tuple[float, float]]:
    """Return blank stretches of at least this width between intervals."""
    spans.sort()
    gaps = []
    end = spans[0][1]
    for start, last in spans:
        if start - end >= least:
            gaps.append((end, start))
        end = max(end, last)
    return gaps


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
    return len(rows) >= _FEWEST_AT_EDGE and sum(abs(left - edge) < 1 for left in edges) >= _AT_EDGE * len(edges)


def _column_run(words: list[Word]) -> list[list[Word]] | None:
    """Return the parts above, left, right and below of columns between lines that run over the whole page."""
    rows = rows_of(words)
    least = _COLUMN_GAP * _size(words)
    runs: set[tuple[int, int, float]] = set()
    for place, row in enumerate(rows):
        for before, word in pairwise(row):
            if word.left - before.right >= least:
                runs.add(_run(rows, place, (before.right, word.left), least))
    for begin, end, cut in sorted(runs, key=lambda run: (run[0] - run[1], run)):
        first, last = begin, end
        sides = [_parted(row, cut) for row in rows[first:last]]
        left, right = ([row for row in side if row] for side in zip(*sides, strict=True))
        if not _are_columns(left, right):
            shared = [first + place for place, (row, opposite) in enumerate(sides) if row and opposite]
            if min(len(left), len(right)) >= _LEAST_LINES or not _is_name_with_contacts(left, right):
                continue
            first, last = shared[0], shared[-1] + 1
            while last < end and len(rows[last]) == 1:  # the rest of a name
                last += 1
        columns = _sides(*_parted([word for row in rows[first:last] for word in row], cut))
        above, below = ([word for row in part for word in row] for part in (rows[:first], rows[last:]))
        return [part for part in (above, *columns, below) if part]
    return None


def _sides(left: list[Word], right: list[Word]) -> list[list[Word]]:
    """Return the parts in reading order: both columns, or both parts of each record in them."""
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
        [(text_of(row), text_of(opposite)) for row, opposite in pairs],
        lines=len(left),
        flush=_is_flush(right),
        alone=_stand_alone(right, left),
    )


def _side_by_side(left: list[list[Word]], right: list[list[Word]]) -> list[tuple[list[Word], list[Word]]]:
    """Return rows of both sides that are on one line."""
    return [(row, opposite) for row in left for opposite in right if is_on_one_line(row, opposite)]


def _is_name_with_contacts(left: list[list[Word]], right: list[list[Word]]) -> bool:
    """Say whether one side is addresses and numbers only, and the other neither these nor labels: a name, maybe."""
    pairs = _side_by_side(left, right)
    if not pairs or (len(pairs) == 1 and len(pairs[0][0]) > 1):
        return False
    sides = [[text_of(row) for row in side] for side in zip(*pairs, strict=True)]
    only_contacts = [all(map(is_contact, side)) for side in sides]
    others = [cell for side, only in zip(sides, only_contacts, strict=True) if not only for cell in side]
    return sum(only_contacts) == 1 and not any(is_contact(cell) or is_label(cell) for cell in others)


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


#: Lines of a narrower block are joined only where the next begins in lower case.
_NARROW = 20.0
#: Blank space between lines of one paragraph, and within an address, in letter sizes.
_LINE_GAP, _TORN_GAP = 0.7, 1.5
#: Sections that begin with somebody's name.
_OF_PEOPLE = frozenset({"references", "contact", "personal"})
#: The characters of an address.
_ADDRESS = lazy_re(r"[\w.+/@:%~?=&#-]+")
#: Capitals that are a heading, whatever they say.
_FEWEST_CAPITALS, _MOST_LABEL_WORDS = 5, 4
_PERIOD = lazy_re(r"(?:[^\W\d_]{3,9}\.? )?(?:\d\d?[./])?(?:19|20)\d\d[ ]?(?:[-–—:|]|to\b|$)")
_LABELLED = lazy_re(r"([^\W\d_][^:@/]{1,30}):(?=[ ])")


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Lines that belong together as one text, and the blank space above, in letter sizes."""

    text: str
    size: float
    bold: bool
    indent: float
    gap: float


def paragraphs_of(lines: Sequence[Line]) -> list[Paragraph]:
    """Return lines joined where a line was only full: the next one's first word had no room on it."""
    edges: dict[int, float] = {}
    starts: dict[int, float] = {}
    for line in lines:
        if "\t" not in line.text:  # dates at the margin are not where text ends
            edges[line.block] = max(edges.get(line.block, 0.0), line.right)
        starts[line.block] = min(starts.get(line.block, line.left), line.left)
    paragraphs: list[Paragraph] = []
    text = ""
    first = last = above = None
    gap = 0.0
    section = ""
    for line in lines:
        section = section_of(line.text) or section
        if (
            first is not None
            and last is not None
            and (
                _goes_on(last, line, starts[line.block], edges.get(line.block, 0.0))
                or _is_halved(above, last, line, section)
            )
        ):
            text = text + line.text if _is_torn(last, line) else _joined(text, line.text)
        else:
            if first is not None:
                paragraphs.append(_paragraph(text, first, gap, starts[first.block]))
            gap = _gap(last, line)
            text, first = line.text, line
        above, last = last, line
    if first is not None:
        paragraphs.append(_paragraph(text, first, gap, starts[first.block]))
    return paragraphs


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
    same_style = (
        last.block == line.block
        and last.bold == line.bold
        and abs(last.size - line.size) < 0.6
        and line.left < last.left + 4 * line.size
    )
    begins = line.text[0] in BULLETS or "\t" in last.text + line.text or _begins(last.text, line.text)
    space = (line.top - last.bottom) / line.size
    if same_style and space < _TORN_GAP and _is_torn(last, line):
        return True
    if not same_style or begins or space >= _LINE_GAP:
        return False
    if last.text[-1] == "-" and last.text[-2:-1].isalpha() and line.text[0].islower():
        return True
    if len(last.text.split()) < 4:
        return False
    # Where all lines are short, a full one is weak evidence.
    continues = line.text[0].islower() or last.text[-1] in "-,"
    if edge - start < _NARROW * line.size and not continues:
        return False
    return last.right + line.first_width + 0.2 * line.size > edge


def _is_halved(above: Line | None, last: Line, line: Line, section: str) -> bool:
    """Say whether two lines of a word each are a name in a narrow column: under a label, a contact, a referee."""
    halves = (last.text, line.text)
    if last.block != line.block or abs(last.size - line.size) >= 0.6 or line.top - last.bottom > _TORN_GAP * line.size:
        return False
    if not all(half.replace("-", "").isalpha() and half[0].isupper() and not is_label(half) for half in halves):
        return False
    if above is not None and is_name_label(folded_word(above.text.strip(" :"))):
        return True
    opens = above is None or above.block != last.block or _gap(above, last) >= _LINE_GAP
    return section in _OF_PEOPLE and (opens or section_of(above.text if above is not None else "") is not None)


def _begins(before: str, text: str) -> bool:
    """Say whether a line begins something of its own, however full the one above is: a heading, a date, a label.

    >>> _begins("write to ana@example.org", "EXPERIENCE"), _begins("Led the audit", "2015 - 2019 Analyst")
    (True, True)
    >>> _begins("worked in higher", "education"), _begins("worked there since", "2015 - with pauses")
    (False, False)
    """
    if _is_head(before):
        return True
    end = before.rsplit(None, 1)[-1]
    if end[-1] in ",-" or end.lower() in PDF_WORDS.going_on:
        return False
    label = _LABELLED.match(text)
    return (
        _is_head(text)
        or _PERIOD.match(text) is not None
        or (label is not None and is_label(label.group(1)))
        or (text[0].isupper() and is_date(end.strip("().")))
    )


def _is_head(text: str) -> bool:
    if text.isupper() and text.replace("&", "").replace(" ", "").isalpha() and len(text.split()) <= _MOST_LABEL_WORDS:
        return len(text) >= _FEWEST_CAPITALS
    return text[0].isupper() and section_of(text) is not None


def _is_torn(last: Line, line: Line) -> bool:
    """Say whether an address of mail or of a page goes on on the next line: `ana.bell` and `@example.org` below."""
    end, start = last.text.rsplit(None, 1)[-1], line.text.split(None, 1)[0]
    if last.block != line.block or _ADDRESS.fullmatch(start) is None or _ADDRESS.fullmatch(end) is None:
        return False
    if start[0] == "@":
        return "@" not in end and len(start) > 1
    if end[-1] == "@":
        return len(end) > 1
    begun = "@" in end or "/" in end or end.startswith("www.")
    return begun and (start[0] in "./" or (end[-1] in "./-_" and line.text == start)) and start[-1:].isalnum()


def _joined(text: str, following: str) -> str:
    """Return two lines as one; a hyphen that only parted a word goes.

    >>> _joined("led the Oka-", "for team"), _joined("Anne-", "Marie led"), _joined("led", "it")
    ('led the Okafor team', 'Anne-Marie led', 'led it')
    """
    if text.endswith("-") and len(text) > 1 and text[-2].isalpha():
        return text[:-1] + following if following[0].islower() else text + following
    return f"{text} {following}"
