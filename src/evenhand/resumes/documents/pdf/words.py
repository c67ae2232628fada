"""Words with their places on a page, and the lines that they stand on."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Word", "is_on_one_line", "middle_of", "rows_of", "text_of"]

#: Words whose middles are so near stand on one line, in letter sizes.
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


def is_on_one_line(row: list[Word], beside: list[Word]) -> bool:
    """Say whether two rows stand on one line, their letters of different sizes maybe."""
    small, large = sorted((row[0].size, beside[0].size))
    reach = 0.3 * small if large < 1.2 * small else _SAME_ROW * large
    return abs(middle_of(row) - middle_of(beside)) < reach


def text_of(row: list[Word]) -> str:
    """Return a row's words with blanks between them."""
    return " ".join(word.text for word in row)


def middle_of(row: list[Word]) -> float:
    """Return the height on which a row stands."""
    return sum(word.top + word.bottom for word in row) / (2 * len(row))


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Return words that stand on one line, lines from the top down."""
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
