"""How wide labels are, labels wrapped to a width, and places where none covers another."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.patterns import lazy_re

__all__ = [
    "ELLIPSIS",
    "LINE",
    "SIZE",
    "SMALL",
    "clamped",
    "levels",
    "longest_line",
    "spread",
    "text_width",
    "wrapped",
]

#: Sizes of chart text, and the distance between two lines, in pixels.
SIZE, SMALL, LINE = 13, 12, 17
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
#: Thousandths of the size of type: the wider one of Liberation Sans (as wide as Arial and Helvetica) and DejaVu Sans,
#: measured in Chromium. The usual fonts of Windows, macOS and Android lie between them.
_WIDTHS = {
    letter: width
    for width, letters in (
        (300, "ijlI\N{LATIN SMALL LETTER DOTLESS I}ł"),
        (340, " ,.·/:;\\|\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}"),
        (380, "f-\N{HYPHEN}"),
        (420, "()[]tr!"),
        (500, '"*J`°'),
        (540, "sz“”"),
        (580, "?L_c–§kŁ"),
        (620, "vxyFTaeoø"),
        (640, "$0123456789bdghnpqu{}€£ßđ"),
        (700, "EKPSYABVXZ"),
        (780, "CRUHN&DGĐ"),
        (840, "OQØw#+<=>^~×±−≥≤"),
        (980, "M%m"),
        (1080, "W—…←→æÆ@œŒ"),
    )
    for letter in letters
}
#: Where the letters end that are an em wide at most (Greek, Cyrillic, Armenian) and those that are joined and narrower
#: on average (Hebrew, Arabic). An ideograph is an em wide; anything else may be wider.
_LAST_GREEK, _LAST_ARABIC = 0x058F, 0x06FF
_ALPHABET, _JOINED, _OTHER = 1000, 750, 1400
#: Of longer labels the middle is left out.
_MOST_LETTERS = 400
#: Kept free between two labels on one line.
_GAP = 8
#: A line may end after a space, a hyphen, a stroke or an ideograph.
_BREAKS = lazy_re(r"(?<=[\s\-/\u3000-\u9fff\uac00-\ud7af])")


def text_width(text: str, size: float = SIZE) -> float:
    """Return how many pixels a text is wide at most, in any of the usual sans-serif fonts.

    >>> round(text_width("men"), 1), text_width("漢字") >= 26
    (29.1, True)
    """
    return sum(_width(letter) for letter in text) * size / 1000


def _width(letter: str) -> int:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if unicodedata.category(letter) in {"Mn", "Me"}:
        return 0
    plain = unicodedata.normalize("NFD", letter)[0]
    if plain in _WIDTHS:
        return _WIDTHS[plain]
    if not unicodedata.category(letter).startswith("L"):
        return _OTHER
    if ord(letter) <= _LAST_GREEK or unicodedata.east_asian_width(letter) == "W":
        return _ALPHABET
    return _JOINED if ord(letter) <= _LAST_ARABIC else _OTHER


def wrapped(text: str, width: float, size: float = SIZE) -> tuple[str, ...]:
    """Return the text in as many lines of at most this width as it needs; words that are wider are broken.

    >>> wrapped("women of colour, 40 years or older", 110)
    ('women of', 'colour, 40 years', 'or older')
    """
    done: list[str] = []
    line = ""
    for word in _BREAKS.split(_shortened(" ".join(text.split()))):
        if line and text_width((line + word).rstrip(), size) > width:
            done.append(line)
            line = ""
        line += word
        while text_width(line.rstrip(), size) > width and len(line) > 1:
            kept = _beginning(line, width, size)
            done.append(kept)
            line = line[len(kept) :]
    return tuple(each.rstrip() for each in (*done, line))


def _shortened(text: str) -> str:
    """Return a text with its beginning and its end if it is longer than any label has to be."""
    half = _MOST_LETTERS // 2
    return text if len(text) <= _MOST_LETTERS else f"{text[:half]}{ELLIPSIS}{text[-half:]}"


def _beginning(text: str, width: float, size: float) -> str:
    """Return as many letters as fit into the width, one at least."""
    kept = text[0]
    for letter in text[1:]:
        if text_width(kept + letter, size) > width:
            break
        kept += letter
    return kept


def longest_line(labels: Sequence[Sequence[str]], size: float = SIZE) -> float:
    """Return the width of the longest line of all labels, 0 without any."""
    return max((text_width(line, size) for label in labels for line in label), default=0.0)


def clamped(centre: float, width: float, *, low: float, high: float) -> float:
    """Return where a label's centre has to be, so that the label lies within the frame.

    >>> clamped(3, 20, low=0, high=100), clamped(50, 20, low=0, high=100)
    (10.0, 50)
    """
    return min(max(centre, low + width / 2), high - width / 2)


def levels(spans: Sequence[tuple[float, float]], *, gap: float = _GAP) -> list[int]:
    """Return the line for each span from left to right, 0 first: the first line on which it touches none before.

    >>> levels([(0, 40), (30, 60), (60, 90)])
    [0, 1, 0]
    """
    taken: list[list[tuple[float, float]]] = []
    found = []
    for start, end in spans:
        free = (
            level
            for level, others in enumerate(taken)
            if all(end + gap <= low or high + gap <= start for low, high in others)
        )
        level = next(free, len(taken))
        if level == len(taken):
            taken.append([])
        taken[level].append((start, end))
        found.append(level)
    return found


@dataclass(kw_only=True)
class _Heap:
    """Labels that touch, as one block."""

    members: list[int]
    height: float
    wish: float

    def top(self, low: float, high: float) -> float:
        return max(min(self.wish - self.height / 2, high - self.height), low)


def spread(wishes: Sequence[float], heights: Sequence[float], *, low: float, high: float) -> list[float]:
    """Return the centres nearest to those wished for at which labels of these heights do not touch.

    >>> spread([10, 12, 50], [10, 10, 10], low=0, high=60)
    [6.0, 16.0, 50.0]
    """
    heaps: list[_Heap] = []
    for place in sorted(range(len(wishes)), key=lambda place: wishes[place]):
        heap = _Heap(members=[place], height=heights[place], wish=wishes[place])
        while heaps and heaps[-1].top(low, high) + heaps[-1].height > heap.top(low, high):
            last = heaps.pop()
            count = len(last.members), len(heap.members)
            heap = _Heap(
                members=[*last.members, *heap.members],
                height=last.height + heap.height,
                wish=(last.wish * count[0] + heap.wish * count[1]) / sum(count),
            )
        heaps.append(heap)
    centres = [0.0] * len(wishes)
    for heap in heaps:
        at = heap.top(low, high)
        for place in heap.members:
            centres[place] = at + heights[place] / 2
            at += heights[place]
    return centres
