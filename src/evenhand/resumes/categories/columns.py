"""A page of two columns read column by column: each as a text in which the other is blank.

A line of such a page goes through both columns: years of study stand beside the tasks of a job. A page counts as one
of two columns if lines break at the same place, both sides have headings (or the left one that of the studies), and
the left one is not made of dates.
"""

import re
from collections import Counter

from evenhand.patterns import lazy_re
from evenhand.resumes.text.folded_text import FoldedText, folded_text
from evenhand.resumes.text.layout import Layout, layout_of

__all__ = ["columns_of", "parts_in_lines"]

_GAP = lazy_re(r"(?<=\S)[ ]{2,}(?=\S)|^[ ]{12,}(?=\S)", re.MULTILINE)
_DATES = lazy_re(
    r"(?=.*\d)(?:[\d\W]|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|present|now|to|from|since|until|spring|"
    r"summer|fall|autumn|winter)[a-z]*\b)+",
    re.IGNORECASE,
)
_LEFTMOST = 12
_FEWEST = 6
_ALONE = 3


def columns_of(folded: FoldedText, layout: Layout) -> list[tuple[FoldedText, Layout]]:
    r"""Return the columns of a page, left and right, or the text as it is.

    >>> page = "SKILLS              WORK\nExcel               Clerk, Acme\n" + "Word                - Kept files.\n" * 4
    >>> page += (" " * 20 + "- Wrote letters.\n") * 3
    >>> folded = folded_text(page)
    >>> [seen.text.split()[:3] for seen, _ in columns_of(folded, layout_of(folded))]
    [['SKILLS', 'Excel', 'Word'], ['WORK', 'Clerk,', 'Acme']]
    """
    whole = [(folded, layout)]
    if folded.text.count("      ") < _FEWEST:
        return whole
    begin = _begin_of_right(folded.text)
    if begin is None:
        return whole
    left, right = _apart(folded.text, begin)
    sides = [(each, layout_of(each)) for each in (folded_text(left), folded_text(right))]
    if any(len(each.text) != len(folded.text) for each, _ in sides) or not _are_columns(*(found for _, found in sides)):
        return whole
    texts = [folded.text[line.start : line.end] for line in sides[0][1].lines]
    dated = sum(_DATES.fullmatch(text) is not None for text in texts)
    return whole if dated * 2 > len(texts) else sides


def _are_columns(left: Layout, right: Layout) -> bool:
    """Say whether both sides have headings; the left one's schools do where the right one begins with a profile."""
    headed = any(line.heading for line in right.lines)
    return any(line.heading and (headed or line.section == "education") for line in left.lines)


def parts_in_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return what of a stretch stands in each line of a column: the other column's text between is not its own.

    >>> parts_in_lines("5 May      \n1972", 0, 16), parts_in_lines("5 May\n1972", 0, 10)
    ([(0, 5), (12, 16)], [(0, 10)])
    """
    if "\n" not in text[start:end] or "   " not in text[start:end]:
        return [(start, end)]
    gaps = [gap.span() for gap in _LINE_END.finditer(text, start, end)]
    starts, ends = [start, *(after for _, after in gaps)], [*(before for before, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


_LINE_END = lazy_re(r"(?<=\S)[ ]*\n[ ]*")


def _begin_of_right(text: str) -> int | None:
    """Return where the right column begins in its lines: where most gaps end, in lines of its own too."""
    beside: Counter[int] = Counter()
    alone: Counter[int] = Counter()
    for gap in _GAP.finditer(text):
        line = text.rfind("\n", 0, gap.start()) + 1
        column = gap.end() - line
        if column >= _LEFTMOST:
            (alone if line == gap.start() else beside)[column] += 1
    found = max(beside, key=lambda column: beside[column] + alone[column], default=None)
    if found is None or beside[found] < _FEWEST or alone[found] < _ALONE:
        return None
    return found


def _apart(text: str, begin: int) -> tuple[str, str]:
    """Return a text with the right column blank, and with the left one; a line over both is in the left."""
    left, right = [], []
    for line in text.split("\n"):
        apart = len(line) > begin and line[begin - 2 : begin].isspace()
        first = line[:begin] if apart else line
        left.append(first + " " * (len(line) - len(first)))
        right.append(" " * len(first) + line[len(first) :])
    return "\n".join(left), "\n".join(right)
