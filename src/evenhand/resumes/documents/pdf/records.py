"""Records on a page: dates with a place below them on the left, each beside the head of what was done then."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from evenhand.resumes.documents.pdf.cells import begins_with_date, is_contact, is_date, is_heading
from evenhand.resumes.documents.pdf.words import Word, is_on_one_line, middle_of, rows_of, text_of

__all__ = ["records_of"]

#: So many lines stand below a record's date at most, of so many words.
_MOST_BELOW, _LONGEST_BELOW = 3, 5
#: A gap so much wider than the usual one begins a paragraph.
_WIDER = 1.25
_FEWEST = 2


def records_of(left: Sequence[Word], right: Sequence[Word]) -> list[tuple[list[Word], list[Word]]]:
    """Return the words of each record on both sides of a blank strip, from the top down; none where there are none.

    Every line on the left is a date beside a line in bold or one that begins a paragraph, or stands below such a date;
    a heading may stand above one.
    """
    beside = rows_of(right)
    groups = _groups(rows_of(left))
    if len(groups) < _FEWEST or max(len(group.below) for group in groups) == 0:
        return []
    begins = _beginnings(beside)
    bold = list(map(_is_bold, beside))
    told = sum(bold) * 2 < len(beside)  # bold lines tell a head only where not all are
    tops = []
    for group in groups:
        head = next((place for place, row in enumerate(beside) if is_on_one_line(group.date, row)), None)
        if head is None or not (begins[head] or (told and bold[head])):
            return []
        first = group.heading or group.date
        tops.append(min(word.top for word in (*first, *(beside[head] if first is group.date else ()))))
    edges = [float("-inf"), *tops[1:], float("inf")]
    return [(_between(left, *band), _between(right, *band)) for band in pairwise(edges)]


@dataclass
class _Group:
    date: list[Word]
    heading: list[Word] | None = None
    below: list[list[Word]] = field(default_factory=list)


def _groups(rows: Sequence[list[Word]]) -> list[_Group]:
    """Return dates with what stands below and a heading above each; none where there is anything else."""
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


def _is_bold(row: list[Word]) -> bool:
    return all(word.bold for word in row)
