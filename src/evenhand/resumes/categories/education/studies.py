"""Where a text tells of studying: under a heading for it, on a line with a degree, after a word of studying."""

from bisect import bisect_left

from evenhand.resumes.categories.education.school.told import letters
from evenhand.resumes.categories.education.school.words import heads
from evenhand.resumes.categories.education.study import STUDY_WORDS, cues_of
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["Studies"]


class Studies:
    """Answers for places in a text; lines are read once."""

    def __init__(self, folded: FoldedText, layout: Layout | None) -> None:
        self._folded = folded
        self._lines = layout.lines if layout is not None else []
        self._starts = [line.start for line in self._lines]
        self._words: list[int] = []
        self._told: dict[int, bool] = {}
        self._of_studies: list[tuple[int, int]] | None = None

    def told(self, start: int) -> bool:
        r"""Say whether studying is told of where something begins.

        >>> from evenhand.resumes.text.layout import layout_of
        >>> from evenhand.resumes.text.folded_text import folded_text
        >>> seen = folded_text("Studied law at Oxford.\nMoved to Oxford.")
        >>> [Studies(seen, layout_of(seen)).told(place) for place in (15, 32)]
        [True, False]
        """
        folded = self._folded
        if STUDY_WORDS.study_before.search(folded.low, max(0, start - 100), start) is not None:
            return True
        if not self._lines:
            return False
        number = bisect_left(self._starts, start + 1) - 1
        told = self._told.get(number)
        if told is None:
            line = self._lines[number]
            self._words = self._words or [first for _, first, _ in folded.words]
            told = self._told[number] = (line.section == "education" and not line.heading) or any(
                cue.kind == "degree" for cue in cues_of(folded, self._words, line.start, line.end)
            )
        return told

    def lines(self) -> list[tuple[int, int]]:
        """Return where the lines under headings for education begin and end."""
        if self._of_studies is None:
            self._of_studies = [
                (line.start, line.end)
                for number, line in enumerate(self._lines)
                if (line.section == "education" and not line.heading)
            ]
        return self._of_studies

    def lists(self, place: int) -> bool:
        """Say whether a place is in one of these lines."""
        return any(start <= place < end for start, end in self.lines())

    def _with(self, listed: frozenset[str]) -> frozenset[int]:
        words = self._folded.words
        if not self._lines:
            return frozenset()
        return frozenset(bisect_left(self._starts, words[place][1] + 1) - 1 for place in self._folded.places(listed))

    def has_degree(self, start: int, end: int, *, certified: bool = True) -> bool:
        """Say whether a degree or a certificate stands in a stretch."""
        self._words = self._words or [first for _, first, _ in self._folded.words]
        kinds = {"degree", "certificate"} if certified else {"degree"}
        return any(cue.kind in kinds for cue in cues_of(self._folded, self._words, start, end))

    def small_lines(self) -> list[tuple[int, int]]:
        """Return those of these lines that have no capital or all, and others without any that name a degree."""
        text, found = self._folded.text, set(self.lines())
        named = [self._lines[number] for number in self._with(heads())]
        small = [(line.start, line.end) for line in named if text[line.start : line.end].islower()]
        small += [
            (line.start, line.end)
            for line in (self._lines[number] for number in self._with(frozenset(letters())))
            if text[line.start : line.end].islower()
            and STUDY_WORDS.small_degree.search(text, max(0, line.start - 1), line.end) is not None
        ]
        found.update(
            span
            for span in small
            if span not in found
            and (
                STUDY_WORDS.small_degree.search(text, max(0, span[0] - 1), span[1]) is not None
                or self.has_degree(*span)
            )
        )
        return sorted(span for span in found if text[slice(*span)].islower() or text[slice(*span)].isupper())
