"""Where a table lies in a file or sheet: titles above its header, a header of one or two rows, footnotes below.

Rows are counted from 1 as a spreadsheet shows them. What could be read two ways is refused with the option that says
which it is.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, number_of, quoted

Row = Sequence[str]

#: Rows that are looked at to find the header.
SAMPLE: Final = 1000
#: The header is searched in so many rows.
_MOST_ABOVE: Final = 50
_MOST_QUOTED: Final = 5
#: A number, date or time, with any separators.
_NUMBER: Final = lazy_re(r"[-+(]?[$€£]?\s?\d[\d.,:/'\u2019\sTZ-]*%?\)?")
#: A whole number that may name a column.
_WHOLE: Final = lazy_re(r"[0-9]{1,9}")
_DATE: Final = lazy_re(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}")
#: Whole numbers that are years.
YEARS: Final = range(1900, 2101)
#: The share of the values of a column of numbers that are numbers; the share of new values among categories.
_MOST: Final = 0.8
_FEW: Final = 0.1
#: How footnotes begin and end: a mark or number, a word with a colon, the end of a sentence.
_FOOTNOTES: Final = (
    lazy_re(r"(?:[*†‡§¶#©¹²³⁰⁴-⁹]|\(?\w{1,2}[).\]]\s|\[\w{1,2}\]).*", re.DOTALL),
    lazy_re(r"[^\W\d][^:]{0,40}:(?:\s.*)?", re.DOTALL),
    lazy_re(r"(?>.*?\w\w\s).*\w\w[.!]", re.DOTALL),
)
#: Rows below a header that show whether the first of them is a header as well.
_LEAST_BELOW: Final = 3
#: A footnote without such a sign has at least so many words, and more characters than any label.
_WORDS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What the user says of a file: the row of the header, 0 for none, and how many rows lie below the table."""

    header_row: int | None = None
    footer: int | None = None


@dataclass(frozen=True, kw_only=True)
class MergedRange:
    """Merged cells: the first and last row and column, from 0."""

    top: int
    bottom: int
    left: int
    right: int


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The header, '' where a column has none, and the numbers of rows above the first and below the last of data.

    `is_cut` says that there are other rows than blank lines, or a header of two rows; `footnotes` are texts below.
    """

    header: list[str]
    has_header: bool
    is_cut: bool
    skip: int
    footer: int
    footnotes: list[str]
    notes: list[str]


def table_shape(
    top: Sequence[Row],
    end: Sequence[Row] | None,
    layout: Layout,
    *,
    source: str,
    merged: Collection[MergedRange] = (),
) -> Shape:
    """Return where the table lies; `top` has the first rows, `end` the last ones, or None where `top` has all rows.

    Raises
    ------
    InputError
        The first row looks like data, or it is unclear where the table begins or ends.

    >>> rows = [["Applicants of 2024", ""], ["", ""], ["sex", "hired"], ["f", "30"], ["m", "40"], ["Source: HR", ""]]
    >>> shape = table_shape(rows, None, Layout(), source="a.csv")
    >>> shape.header, shape.skip, shape.footer
    (['sex', 'hired'], 3, 1)
    >>> shape.notes
    ["Rows 1 and 2 above the header and 1 footnote were left out of a.csv: 'Applicants of 2024', 'Source: HR'."]
    """
    rows = [[cell.strip() for cell in row] for row in top]
    first = next(place for place, row in enumerate(rows) if any(row))
    notes: list[str] = []
    if layout.header_row is None:
        cut = {place for place, row in enumerate(top) if _is_cut_text(row)}
        header, start, skip = _found(rows, first, merged, source, cut)
    else:
        header, notes = _named(rows, layout.header_row, merged, source)
        start = layout.header_row - 1 if layout.header_row else _first_of_several(rows, first)
        skip = layout.header_row or start
    if skip - start > 1:
        called = listed([name for name in header if name], quotes=True)
        notes.append(f"Rows {start + 1} and {skip} of {source} are one header; its columns are called {called} here.")
    last = rows[skip:] if end is None else [[cell.strip() for cell in row] for row in end]
    footer, texts = _footnotes(last, len(header), layout.footer, source, above=skip if end is None else None)
    above = [row_text(row) for row in rows[:start] if any(row)]
    notes += _left_out(start, above, footer, texts, source)
    return Shape(
        header=header,
        has_header=skip > start,
        is_cut=any(rows[:start]) or footer > 0 or skip > start + 1,
        skip=skip,
        footer=footer,
        footnotes=texts,
        notes=notes,
    )


def _left_out(start: int, above: list[str], footer: int, texts: list[str], source: str) -> list[str]:
    parts = []
    if above:
        rows = "Row 1" if start == 1 else "Rows 1 and 2" if start == 2 else f"Rows 1 to {start}"
        parts.append(f"{rows} above the header")
    if footer:
        parts.append(number_of(len(texts), "footnote"))
    if not parts:
        return []
    verb = "was" if len(above) + footer == 1 and start < 2 else "were"
    quotes = listed(above + texts, most=_MOST_QUOTED, quotes=True)
    return [f"{' and '.join(parts)} {verb} left out of {source}: {quotes}."]


def _named(
    rows: list[list[str]], number: int, merged: Collection[MergedRange], source: str
) -> tuple[list[str], list[str]]:
    """Return the header in the row that the user names, where each column has a name, and notes."""
    if not number:
        names = [f"column {place}" for place in range(1, max(map(len, rows)) + 1)]
        called = listed(names, most=_MOST_QUOTED, quotes=True)
        return names, [f"{source} was read without a header; its columns are called {called} here."]
    given = option_text("header_row", number)
    if number > len(rows):
        least = f"{len(rows)} rows" if len(rows) < SAMPLE else f"the header within its first {SAMPLE:,} rows"
        raise InputError(f"{given}: {source} has {least}.")
    if not any(rows[number - 1]):
        raise InputError(f"{given}: row {number} of {source} is blank; expected the row of the header.")
    header = list(rows[number - 1])
    for cells in merged:
        if cells.top < number - 1 <= cells.bottom and not header[cells.left]:
            header[cells.left] = rows[cells.top][cells.left]
    valued = _valued(rows[number:])
    header += [""] * (max(valued, default=0) + 1 - len(header))
    unnamed = [place for place in sorted(valued) if not header[place]]
    for place in unnamed:
        header[place] = f"column {place + 1}"
    if not unnamed:
        return header, []
    called = listed([header[place] for place in unnamed], quotes=True)
    return header, [f"Columns without a name in row {number} of {source} are called {called} here."]


def _found(
    rows: list[list[str]], first: int, merged: Collection[MergedRange], source: str, cut: Collection[int]
) -> tuple[list[str], int, int]:
    """Return the header, its first row, and the row below; `cut` are rows that may be texts with commas."""
    full = _below_texts(rows, _first_of_several(rows, first), source, cut)
    valued = _valued(rows[full:])
    titles = full > first and not (max(valued) == 1 and not rows[first][0])
    start = full if titles else first
    if not titles and _covers(rows[start], valued - {0}):
        _check_header(rows, start, source)
        _check_below(rows, start, source)
        return rows[start], start, start + 1
    for upper in (full - 1, full):
        if first <= upper < len(rows) - 1 and (upper == full or (any(rows[upper]) and not rows[upper][0])):
            names = _joined(rows, upper, merged)
            if names is not None:
                _check_upper(rows, upper, merged, source)
                _check_below(rows, upper + 1, source)
                return names, upper, upper + 2
    if titles and _covers(rows[full], valued):
        _check_header(rows, full, source)
        if _is_header(rows, full):
            _check_below(rows, full, source)
            return rows[full], full, full + 1
    for place in range(first + 1, min(len(rows) - 1, first + _MOST_ABOVE)):
        if _names_all(rows, place):
            raise InputError(
                f"Row {first + 1} of {source}, {quoted(row_text(rows[first]))}, lacks the names of some "
                f"columns; if row {place + 1}, {quoted(row_text(rows[place]))}, is the header, give "
                f"{option_text('header_row', place + 1)}."
            )
    return rows[first], first, first + 1


def _is_cut_text(row: Row) -> bool:
    """Say whether a row may be a text that was cut at its commas: a space follows each of them."""
    last = max((place for place, cell in enumerate(row) if cell.strip()), default=0)
    return last > 0 and bool(row[0].strip()) and all(cell.strip() and cell[0].isspace() for cell in row[1 : last + 1])


def _below_texts(rows: list[list[str]], full: int, source: str, cut: Collection[int]) -> int:
    """Return the first row of several values below titles with commas; refuse one that could be the header, too."""
    below = next((place for place in range(full, len(rows)) if place not in cut and _filled(rows[place]) > 1), full)
    if below == full or not _names_all(rows, below):
        return full
    for place in range(full, below):
        if _filled(rows[place]) >= _filled(rows[below]):
            raise _two_headers(rows, place, below, source)
    return below


def _check_upper(rows: list[list[str]], upper: int, merged: Collection[MergedRange], source: str) -> None:
    """Raise InputError where the upper of two rows of a header may be a title, as the lower one names all columns."""
    names = [name.casefold() for name in rows[upper + 1] if name]
    across = any(cells.top == upper and cells.right > cells.left for cells in merged)
    two_ways = rows[upper][0] and rows[upper + 1][0] and not across and len(set(names)) == len(names)
    if two_ways and _names_all(rows, upper + 1):
        raise InputError(
            f"Row {upper + 1} of {source}, {quoted(row_text(rows[upper]))}, may be a title, or a heading over "
            f"the columns of row {upper + 2}. Give {option_text('header_row', upper + 2)}, which leaves it out."
        )


def _joined(rows: list[list[str]], upper: int, merged: Collection[MergedRange]) -> list[str] | None:
    """Return the names of a header of two rows, a group above its columns; None where it is none, or unclear."""
    groups, below, body = list(rows[upper]), rows[upper + 1], rows[upper + 2 :]
    width = max(len(groups), len(below))
    groups, below = groups + [""] * (width - len(groups)), below + [""] * (width - len(below))
    blank = [place for place, group in enumerate(groups) if not group]
    across = [cells for cells in merged if cells.top == upper and cells.right > cells.left]
    for cells in across:
        groups[cells.left : cells.right + 1] = [groups[cells.left]] * (min(cells.right, width - 1) - cells.left + 1)
    if not across:
        for place in blank:
            if place and below[place]:
                if place - 1 not in blank and not below[place - 1]:
                    return None
                groups[place] = groups[place - 1]
    names = [" ".join(filter(None, parts)) for parts in zip(groups, below, strict=True)]
    signs = _signs(below, body)
    known = across or any(signs[place] == "name" for place in blank)
    named = [name.casefold() for name in names if name]
    fits = _covers(names, _valued(body)) and len(set(named)) == len(named) and bool(body)
    return names if known and fits and not {"recurs", "number"} & set(signs) else None


def _check_header(rows: list[list[str]], place: int, source: str) -> None:
    """Raise InputError where the header looks like data."""
    header = rows[place]
    # Tables that were put on end have the header again; a column alone has its values again.
    body = [row for row in rows[place + 1 :] if any(row) and (row != header or len(header) == 1)]
    signs = _signs(header, body)
    names, recurring = signs.count("name"), signs.count("recurs")
    values = [cell for cell, sign in zip(header, signs, strict=True) if sign in {"recurs", "number"}]
    numbers = sum(map(bool, map(_NUMBER.fullmatch, values)))
    if (not names and (recurring or numbers > 1)) or (recurring > names and numbers):
        reason = "its values are there again below" if recurring else "it holds numbers, as the rows below do"
        row = "first row" if place == 0 else f"first row with values, row {place + 1},"
        raise InputError(
            f"The {row} of {source}, {quoted(row_text(header))}, looks like data, not like a header: {reason}. "
            f"If the file has no header, give {option_text('header_row', 'none')}; if this is the header, "
            f"{option_text('header_row', place + 1)}."
        )


def _check_below(rows: list[list[str]], place: int, source: str) -> None:
    """Raise InputError where the row below the header, or below its second row, could be the header, too."""
    below = [number for number in range(place + 1, len(rows)) if _filled(rows[number]) > 1]
    if len(below) < _LEAST_BELOW:
        return
    second, body = rows[below[0]], [rows[number] for number in below[1:]]
    numeric = [column for column in range(len(second)) if _numeric(_values(body, column))]
    texts = {second[column].casefold() for column in numeric if any(map(str.isalpha, second[column]))}
    if len(numeric) > 1 and texts and (len(texts) == len(numeric) or not second[0]):
        raise _two_headers(rows, place, below[0], source)


def _two_headers(rows: list[list[str]], place: int, below: int, source: str) -> InputError:
    return InputError(
        f"Rows {place + 1} and {below + 1} of {source} could both be the header: {quoted(row_text(rows[below]))} "
        f"stands above values. Give {option_text('header_row', below + 1)} or {option_text('header_row', place + 1)}."
    )


def _names_all(rows: list[list[str]], place: int) -> bool:
    """Say whether a row below others names all columns with values below it, the first one perhaps not."""
    named = _covers(rows[place], _valued(rows[place:]) - {0}) and _is_header(rows, place)
    return named and "name" in _signs(rows[place], rows[place + 1 :])


def _is_header(rows: list[list[str]], place: int) -> bool:
    """Say whether a row below others looks like a header: it has texts that are no values of the rows below."""
    header, body = rows[place], rows[place + 1 :]
    numbers = [cell for cell in header if _NUMBER.fullmatch(cell)]
    texts = _filled(header) > len(numbers) and all(_WHOLE.fullmatch(cell) and int(cell) in YEARS for cell in numbers)
    return texts and "recurs" not in _signs(header, body) and bool(_valued(body))


def _signs(header: Row, body: Sequence[Row]) -> list[str]:
    """Return whether each cell is the `name` of its column, a value that `recurs`, or a `number`; '' where unclear."""
    numbers = [cell for cell in header if _NUMBER.fullmatch(cell)]
    named = set(numbers) if _are_names(numbers) else set()
    return ["" if cell in named else _sign(cell, _values(body, place)) for place, cell in enumerate(header)]


def _sign(cell: str, values: Sequence[str]) -> str:
    if not cell or not values:
        return ""
    counts = Counter(value.casefold() for value in values)
    if cell.casefold() in counts:
        # A survey writes the name of an answer in the column of that name, where it was ticked.
        return "recurs" if len(counts) > 1 else ""
    numeric = _numeric(values)
    if _NUMBER.fullmatch(cell):
        dates = sum(map(bool, map(_DATE.match, values))) > len(values) / 2
        return "" if not numeric else "number" if dates == bool(_DATE.match(cell)) else "name"
    # The share of values that are there once estimates how often a further row would bring a new value (Good, 1953).
    single = sum(count == 1 for count in counts.values()) / len(values)
    return "name" if numeric or single < _FEW else ""


def _are_names(numbers: Sequence[str]) -> bool:
    """Say whether the numbers of a header name its columns: years, or numbers at one distance, such as 1, 2, 3."""
    if not all(map(_WHOLE.fullmatch, numbers)):
        return False
    values = [int(number) for number in numbers]
    steps = {right - left for left, right in pairwise(values)}
    counted = steps <= {1} and values[:1] in ([0], [1])
    return all(value in YEARS for value in values) or counted or (len(values) > 2 and len(steps - {0}) == 1)


def _numeric(values: Sequence[str]) -> bool:
    return sum(_NUMBER.fullmatch(value) is not None for value in values) >= max(1, _MOST * len(values))


def _values(rows: Sequence[Row], column: int) -> list[str]:
    return [row[column] for row in rows if column < len(row) and row[column]]


def _first_of_several(rows: Sequence[Row], first: int) -> int:
    """Return the first row with several values; the first one at all where there is none."""
    return next((place for place, row in enumerate(rows) if _filled(row) > 1), first)


def _filled(row: Row) -> int:
    return sum(map(bool, row))


def _valued(rows: Sequence[Row]) -> set[int]:
    """Return the columns with a value in a row of several values."""
    return {place for row in rows if _filled(row) > 1 for place, cell in enumerate(row) if cell}


def _covers(header: Row, columns: Collection[int]) -> bool:
    return all(place < len(header) and header[place] for place in columns)


def row_text(row: Row) -> str:
    """Return the values of a row for a message."""
    return ", ".join(filter(None, map(str.strip, row)))


def unnamed_column(place: int, path: Path) -> InputError:
    """Return the error for a column without a header, from 1."""
    return InputError(
        f"Column {place} of {path} has values but no header; give the row of the header with "
        f"{option_text('header_row', 'N')}, which names it 'column {place}'."
    )


def _footnotes(
    rows: list[list[str]], width: int, given: int | None, source: str, *, above: int | None
) -> tuple[int, list[str]]:
    """Return how many rows, from the last one with a value, lie below the table, and the texts of those with values.

    `above` is the number of rows before these, where that is known.
    """
    end = max((place for place, row in enumerate(rows, start=1) if any(row)), default=0)
    if given is not None:
        if given >= end:
            raise InputError(f"{option_text('footer', given)}: {source} has no other rows below its header.")
        return given, [row_text(row) for row in rows[end - given : end] if any(row)]
    labels = [row[0] for row in rows[:end] if len(row) == width and _filled(row) > 1 and row[0]]
    if width <= 1 or not labels:
        return 0, []
    signs = [sign for sign in _FOOTNOTES if not any(map(sign.fullmatch, labels))]
    longest = max(map(len, labels))
    start = end
    while start and _is_lone(rows[start - 1], width, signs):
        start -= 1
    if above is None and not all(len(row) == width for row in rows[:start] if any(row)):
        return 0, []  # the rows begin within a quoted cell
    after_blank = False
    for place, row in enumerate(rows[start:end], start=start):
        text = row_text(row)
        if not text:
            after_blank = True
            continue
        long = len(text.split()) >= _WORDS and len(text) > longest
        if any(sign.fullmatch(text) for sign in signs) or (after_blank and long):
            return end - place, [row_text(row) for row in rows[place:end] if any(row)]
        if after_blank or long or len(row) != width:
            row_named = f"Row {place + above + 1}" if above is not None else f"Row {end - place} from the end"
            raise InputError(
                f"{row_named} of {source}, {quoted(text)}, has a value in its first column only: give "
                f"{option_text('footer', end - place)} if the table ends above it, or {option_text('footer', 0)} if it "
                "is a row of the table."
            )
    return 0, []


def _is_lone(row: Row, width: int, signs: Sequence[re.Pattern[str]]) -> bool:
    """Say whether a row has no value but in its first column; a footnote with commas has other numbers of fields."""
    if not any(row[1:]):
        return True
    return len(row) != width and any(sign.fullmatch(row_text(row)) for sign in signs)
