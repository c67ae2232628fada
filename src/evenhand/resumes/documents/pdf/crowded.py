"""Letters of a PDF without a place of their own: words can't be told from places then, and a name is cut apart.

A font that lacks the widths of its letters draws them all on one spot, as does text that is
squeezed to nothing, moved back letter by letter, or written over other text.
"""

import unicodedata
from collections.abc import Sequence
from statistics import median
from typing import Any

from evenhand.errors import InputError

__all__ = ["refuse_crowded"]

Letter = dict[str, Any]
#: Letters in a row that are refused: one alone is an accident, as the raised A of LaTeX's own name is.
_RUN = 2
#: Widths that are none, in letter sizes; the narrowest letters have a fifth.
_FLAT = 0.04
#: A letter on another covers so much of the narrower one; their middles are on one level, in letter sizes; of two
#: sizes so far apart one is the text and the other a watermark.
_COVERED, _LEVEL, _OTHER_SIZE = 0.5, 0.3, 1.6
#: Accents and other modifiers are drawn over letters (`Lm` holds the circumflex).
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo", "Nd"})


def refuse_crowded(letters: Sequence[Letter], number: int) -> None:
    """Raise InputError where letters, level and in the order in which they were drawn, have no place of their own.

    >>> at = {"top": 0.0, "bottom": 10.0, "size": 10.0}
    >>> refuse_crowded([{**at, "text": "L", "x0": 9.0, "x1": 15.0}, {**at, "text": "i", "x0": 15.0, "x1": 17.2}], 1)
    >>> refuse_crowded([{**at, "text": text, "x0": 9.0, "x1": 9.0} for text in "Li"], 1)
    Traceback (most recent call last):
    evenhand.errors.InputError: holds letters on page 1 without a width, or drawn on other letters, so that words \
can't be told; print it to a new PDF, or give text.

    """
    told = [letter for letter in letters if unicodedata.category(letter["text"][:1] or " ") in _LETTERS]
    reach = max(1.0, median([letter["size"] for letter in told])) if told else 1.0
    there: dict[tuple[int, int], list[Letter]] = {}
    flat = covering = 0
    for letter in told:
        left, right, size = letter["x0"], letter["x1"], letter["size"]
        middle, height = (left + right) / 2, (letter["top"] + letter["bottom"]) / 2
        # Letters that cover half of each other have middles no farther apart than half the wider one.
        beside, below = max(size, right - left) * _OTHER_SIZE / 2, size * _LEVEL
        columns = range(int((middle - beside) // reach), int((middle + beside) // reach) + 1)
        rows = range(int((height - below) // reach), int((height + below) // reach) + 1)
        is_flat = right - left <= _FLAT * size
        flat = flat + 1 if is_flat else 0
        near = [other for x in columns for y in rows if (x, y) in there for other in there[x, y]]
        covers = any(_is_covered(letter, other) for other in near if left < other["x1"] or is_flat)
        covering = covering + 1 if covers else 0
        if max(flat, covering) >= _RUN:
            raise InputError(
                f"holds letters on page {number} without a width, or drawn on other letters, so that words can't be "
                "told; print it to a new PDF, or give text."
            )
        there.setdefault((int(middle // reach), int(height // reach)), []).append(letter)


def _is_covered(letter: Letter, other: Letter) -> bool:
    small, large = sorted((letter["size"], other["size"]))
    together = min(letter["x1"], other["x1"]) - max(letter["x0"], other["x0"])
    narrower = min(letter["x1"] - letter["x0"], other["x1"] - other["x0"])
    apart = abs(letter["top"] + letter["bottom"] - other["top"] - other["bottom"]) / 2
    return bool(
        together >= _COVERED * narrower
        and large <= _OTHER_SIZE * small
        and apart <= _LEVEL * small
        and letter["text"].casefold() != other["text"].casefold()
    )
