"""Where a text tells of studying: under a heading for it, on a line with a degree, after a word of studying."""

import re
from bisect import bisect_left

from evenhand.resumes.categories.study import cues_of
from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain

__all__ = ["Studies"]

_STUDY_BEFORE = re.compile(
    r"\b(?:studied|study|studies|studying|degree|diploma|graduated|graduate|alumn\w+|enrolled|attended|student|read|"
    r"educated|matriculated|bsc|msc|mba|phd|doctorate|offer|admitted|thesis|semester|law|ppe)\b"
    r"[^.;\n]{0,60}(?:\bat|\bfrom|\bof|\bto|\bin|,|\(|and)[ ]+$"
    r"|(?:^|\n)[ \t*|-]*(?:name of )?(?:the )?(?:school|college|university|institut\w+|alma mater)(?: name| attended)?"
    r"[ ]?[:\t|][ \t*]*(?:[\w'.-]+[ ]){0,4}$"
)


class Studies:
    """Answers for places in a text; lines are read once."""

    def __init__(self, plain: Plain, layout: Layout | None) -> None:
        self._plain = plain
        self._lines = layout.lines if layout is not None else []
        self._starts = [line.start for line in self._lines]
        self._words: list[int] = []
        self._told: dict[int, bool] = {}

    def told(self, start: int) -> bool:
        r"""Say whether studying is told of where something begins.

        >>> from evenhand.resumes.layout import layout_of
        >>> from evenhand.resumes.plain import plain_text
        >>> seen = plain_text("Studied law at Oxford.\nMoved to Oxford.")
        >>> [Studies(seen, layout_of(seen)).told(place) for place in (15, 32)]
        [True, False]
        """
        plain = self._plain
        if _STUDY_BEFORE.search(plain.low, max(0, start - 100), start) is not None:
            return True
        if not self._lines:
            return False
        number = bisect_left(self._starts, start + 1) - 1
        told = self._told.get(number)
        if told is None:
            line = self._lines[number]
            self._words = self._words or [first for _, first, _ in plain.words]
            told = self._told[number] = (line.section == "education" and not line.heading) or any(
                cue.kind == "degree" for cue in cues_of(plain, self._words, line.start, line.end)
            )
        return told

    def lines(self) -> list[tuple[int, int]]:
        """Return where the lines under headings for education begin and end."""
        return [(line.start, line.end) for line in self._lines if line.section == "education" and not line.heading]

    def small_lines(self) -> list[tuple[int, int]]:
        """Return those of these lines that have no capital."""
        return [(start, end) for start, end in self.lines() if self._plain.text[start:end].islower()]
