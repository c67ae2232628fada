"""Letters of a PDF's page put right before they are read: turned upright, once each, joined to words.

Letters are drawn in any direction, twice for a shadow or for bold, far apart, and in two
sizes for small capitals. A reader sees a name in all of these; so must the rules.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from evenhand.resumes.documents.pdf.words import Word, rows_of

__all__ = ["by_direction", "joined", "without_doubles"]

Letter = dict[str, Any]
#: Directions of writing that differ by less than this many degrees are one.
_SAME_DIRECTION = 0.5
_LEVEL = 1.0
#: Parts of a letter's height that are above and below its base line.
_ABOVE, _BELOW = 0.8, 0.2
#: How far a letter's double may be from it, in letter sizes: on the line, and off it.
_DOUBLE, _SHADOW = 0.1, 0.25
_OFF_LINE = 0.02
#: Gaps between letters of one word, in letter sizes: as they stand, and letter-spaced.
_TOUCHING = 0.15
_SPACED = 2.0
_FEWEST_SPACED = 4
_NEXT_WORD = 1.6
#: A letter of so many times the next one's size begins a paragraph.
_DROPPED = 1.8
_MARKS = frozenset("'’.-‐")  # noqa: RUF001 - marks in names


def by_direction(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Return letters by direction of writing, level ones first; all others turned until they are level.

    >>> a_quarter_turned = {"matrix": (0, 1, -1, 0, 50, 9), "adv": 6, "x0": 42, "x1": 52, "y0": 9, "y1": 15}
    >>> ((letter,),) = by_direction([a_quarter_turned])[1:]
    >>> [round(letter[edge]) for edge in ("x0", "x1", "top", "bottom", "size")]
    [9, 15, 42, 52, 10]
    """
    level: list[Letter] = []
    turned: list[tuple[bool, float, Letter]] = []
    for letter in letters:
        a, b, c, d, _, _ = letter["matrix"]
        degrees = math.degrees(math.atan2(b, a)) + (180 if letter["adv"] < 0 else 0)
        degrees = (degrees + 180.25) % 360 - 180.25
        if abs(degrees) <= _LEVEL and a * d - b * c > 0:
            level.append(letter if letter["upright"] else {**letter, "upright": True})
        else:
            turned.append((a * d - b * c < 0, degrees, letter))
    groups = [level]
    last: tuple[bool, float] | None = None
    for mirrored, degrees, letter in sorted(turned, key=lambda each: each[:2]):
        if last is None or last[0] != mirrored or degrees - last[1] > _SAME_DIRECTION:
            groups.append([])
        last = (mirrored, degrees)
        groups[-1].append(_levelled(letter, math.radians(degrees), mirrored=mirrored))
    return groups


def _levelled(letter: Letter, turn: float, *, mirrored: bool) -> Letter:
    """Return a letter on a page that is turned so that the letter stands upright."""
    a, b, _, _, x, y = letter["matrix"]
    width = abs(letter["adv"]) * math.hypot(a, b)
    cos, sin = math.cos(turn), math.sin(turn)
    along, up = x * cos + y * sin, y * cos - x * sin
    wide, high = letter["x1"] - letter["x0"], letter["y1"] - letter["y0"]
    # The box around a turned letter is w|cos| + h|sin| wide and w|sin| + h|cos| high.
    size = (high - width * abs(sin)) / abs(cos) if abs(cos) > abs(sin) else (wide - width * abs(cos)) / abs(sin)
    down = up if mirrored else -up
    top, bottom = down - _ABOVE * size, down + _BELOW * size
    return {
        **letter, "x0": along, "x1": along + width, "top": top, "bottom": bottom, "doctop": top, "size": size,
        "upright": True,
    }  # fmt: skip


def without_doubles(letters: Sequence[Letter]) -> list[Letter]:
    """Return letters without those drawn again on the same spot, or beside and below it for a shadow.

    >>> letter = {"text": "l", "fontname": "F", "size": 10.0, "x0": 50.0, "x1": 52.2, "top": 7.0}
    >>> again = ({"x0": 50.4}, {"x0": 52.2}, {"x0": 51.5, "top": 8.5})
    >>> [each["x0"] for each in without_doubles([letter, *({**letter, **place} for place in again)])]
    [50.0, 52.2]
    """
    kept: list[Letter] = []
    there: dict[tuple[Any, ...], list[tuple[float, float]]] = {}
    for letter in letters:
        size, left, top = letter["size"] or 1.0, letter["x0"], letter["top"]
        kind = (letter["text"], letter["fontname"], round(size, 1))
        reach = _SHADOW * size
        column, row = int(left // reach), int(top // reach)
        near = (
            place
            for beside in (column - 1, column, column + 1)
            for below in (row - 1, row, row + 1)
            for place in there.get((*kind, beside, below), ())
        )
        on_line = min(_DOUBLE * size, 0.4 * (letter["x1"] - left))
        if any(_is_double(left - x, top - y, size, on_line) for x, y in near):
            continue
        there.setdefault((*kind, column, row), []).append((left, top))
        kept.append(letter)
    return kept


def _is_double(beside: float, below: float, size: float, on_line: float) -> bool:
    beside, below = abs(beside), abs(below)
    return (beside <= on_line and below <= _DOUBLE * size) or (
        beside <= _SHADOW * size and _OFF_LINE * size < below <= _SHADOW * size
    )


def joined(words: Sequence[Word]) -> list[Word]:
    """Return words with those joined that a reader sees as one: small capitals, letters far apart, a large first one.

    >>> def word(text, left, size): return Word(text, left, 100 - size, left + 0.6 * size, 100, size, False)
    >>> [each.text for each in joined([word("O", 50, 20), word("K", 62, 16)])]
    ['OK']
    >>> far = [word(letter, 50 + 12 * place, 10) for place, letter in enumerate("OBI JO") if letter != " "]
    >>> [each.text for each in joined(far)]
    ['OBI', 'JO']
    """
    found: list[Word] = []
    for row in rows_of(words):
        found += _spaced(_touching(row))
    return _dropped(found)


def _touching(row: Sequence[Word]) -> list[Word]:
    """Join neighbours that were parted only because their sizes differ."""
    found: list[Word] = []
    for word in row:
        last = found[-1] if found else None
        if (
            last is not None
            and last.text[-1].isalpha()
            and word.text[0].isalpha()
            and abs(word.left - last.right) <= _TOUCHING * min(word.size, last.size)
            and abs(word.bottom - last.bottom) <= 0.3 * min(word.size, last.size)
        ):
            found[-1] = _one([last, word])
        else:
            found.append(word)
    return found


def _one(words: Sequence[Word]) -> Word:
    return Word(
        "".join(word.text for word in words),
        words[0].left,
        min(word.top for word in words),
        words[-1].right,
        max(word.bottom for word in words),
        max(word.size for word in words),
        words[0].bold,
    )


def _spaced(row: Sequence[Word]) -> Iterator[Word]:
    """Join letters that stand apart at even distances; a wider one parts words."""
    run: list[Word] = []
    for word in row:
        if run and not (_is_letter(word) and abs(word.size - run[-1].size) < 0.6 and _gap(run[-1], word) < _SPACED):
            yield from _words_of(run)
            run = []
        if _is_letter(word):
            run.append(word)
        else:
            yield word
    yield from _words_of(run)


def _is_letter(word: Word) -> bool:
    return len(word.text) == 1 and (word.text.isalpha() or word.text in _MARKS)


def _gap(left: Word, right: Word) -> float:
    return (right.left - left.right) / right.size


def _words_of(run: Sequence[Word]) -> Iterator[Word]:
    if sum(word.text.isalpha() for word in run) < _FEWEST_SPACED:
        yield from run
        return
    gaps = sorted(_gap(left, right) for left, right in pairwise(run))
    usual = gaps[len(gaps) // 3]
    word = [run[0]]
    for left, right in pairwise(run):
        if _gap(left, right) > _NEXT_WORD * usual:
            yield _one(word)
            word = []
        word.append(right)
    yield _one(word)


def _dropped(words: Sequence[Word]) -> list[Word]:
    """Join a large first letter and the word that goes on beside its top."""
    large = [word for word in words if len(word.text) == 1 and word.text.isupper() and word.text not in "AI"]
    found = list(words)
    for letter in large:
        for place, word in enumerate(found):
            if (
                word.text[0].islower()
                and letter.size >= _DROPPED * word.size
                and -0.2 <= (word.left - letter.right) / word.size < 0.8
                and letter.top - 0.3 * letter.size < word.top < letter.top + 0.6 * letter.size
            ):
                found[place] = replace(word, text=letter.text + word.text, left=letter.left)
                found.remove(letter)
                break
    return found
