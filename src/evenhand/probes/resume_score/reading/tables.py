"""The number that a table's row gives, by its first cell and the heads of its columns."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.labels import (
    ASIDE,
    PART,
    QUALIFIED,
    SCALE,
    SCORE,
    TOTAL,
    label_kind,
    words_of,
)
from evenhand.probes.resume_score.reading.numbers import Number, numbers_of
from evenhand.probes.resume_score.reading.sentences import ALONE

__all__ = ["cells_of", "is_head", "number_of_row"]

_SEPARATOR = lazy_re(r"[|\s:+-]*-[|\s:+-]*")


def cells_of(line: str) -> list[str]:
    """Return the cells of a table's line, none where it only draws one."""
    if _SEPARATOR.fullmatch(line):
        return []
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_head(cells: Sequence[str]) -> bool:
    """Return whether a table's first cells are the heads of its columns: no cell but the first holds one number."""
    numbers = [list(numbers_of(cell)) for cell in cells[1:]]
    return not any(len(each) == 1 and each[0].until is None for each in numbers)


def number_of_row(cells: Sequence[str], heads: Sequence[str]) -> tuple[Number, str] | None:
    """Return the number that counts in a row, and what it is.

    >>> number, role = number_of_row(["total", "100", "72"], ["criterion", "max", "score"])
    >>> number.value, role
    (72.0, 'total')
    """
    kinds = [label_kind(words_of(head)) for head in heads] + [None] * len(cells)
    words = words_of(cells[0])
    role = label_kind(words) or ALONE
    found: list[tuple[Number, str | None]] = []
    for place, (cell, kind) in enumerate(zip(cells, kinds, strict=False)):
        numbers = list(numbers_of(cell)) if place or not words else []
        if len(numbers) == 1 and kind not in {SCALE, ASIDE}:
            found.append((numbers[0], kind))
    if not found or role in {SCALE, ASIDE}:
        return None
    number, kind = ([each for each in found if each[1] in {TOTAL, SCORE, QUALIFIED}] or found)[-1]
    # A row of somebody's name, below the head 'Score'.
    return number, QUALIFIED if role == PART and kind in {TOTAL, SCORE} else role
