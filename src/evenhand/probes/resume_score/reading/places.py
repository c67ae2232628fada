"""What each number of an answer is: a total, a score, a part of one, or a number of something else."""

from dataclasses import dataclass, replace

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.declining import declines
from evenhand.probes.resume_score.reading.disowning import is_disowned, is_of_others
from evenhand.probes.resume_score.reading.numbers import SCORE_WORDS, Number, numbers_of
from evenhand.probes.resume_score.reading.sentences import ELSE, role_in_sentence
from evenhand.probes.resume_score.reading.tables import cells_of, is_head, number_of_row

__all__ = ["Placed", "placed_numbers"]

#: So many characters before and behind a number are looked at.
_BEFORE, _BEHIND = 160, 80

_LATIN = "a-z\u00df-\u024f"
_FOLLOWS = lazy_re(rf"([{_LATIN}]+)| \"?([^\W\d_]+)")
_DIGIT = lazy_re(r"\d")
_ITEM = lazy_re(r"[.)] +\S|: +[^\W\d_\"'(]")
_BULLETS = " \t>-+\u2022\u25cf\u25e6\u2013#"
_OPERATORS = frozenset("+\u00d7\u00f7/x")
_OPERATES = lazy_re(r"[)%]* ?(?:[+\u00d7\u00f7]|x(?= ?\d)) ?[(\d.]")
_OPERATED = lazy_re(r"[\d)%] ?(?:[+\u00d7\u00f7/]|x) ?\(?$")
_POINT_SCALE = lazy_re(r"[- ]point scale\b")
_SENTENCE_END = (". ", "! ", "? ", "; ")
_MARGIN = ("\u00b1", "+/-", "+-")
_CURRENCY = "$\u20ac\u00a3\u00a5\u20b9"


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A number with what it is; `stated` is the scale that words beside it state.

    It is not `complete` where a limit of length may have cut off its last digits.
    """

    number: Number
    role: str
    stated: tuple[float, float] | None = None
    conditional: bool = False
    complete: bool = True
    in_object: bool = False


def placed_numbers(text: str, *, low: float, high: float) -> tuple[list[Placed], int]:
    """Return the numbers of a folded text that may be scores or parts of them, and how many numbers there are."""
    reader = _Reader(low=low, high=high)
    for line in text.split("\n"):
        reader.take(line)
    if reader.at_end:
        reader.found[-1] = replace(reader.found[-1], complete=False)
    return reader.found, reader.count


class _Reader:
    """What is known while the lines of an answer are read."""

    def __init__(self, *, low: float, high: float) -> None:
        self.scale = (low, high)
        self.item = 0.0
        self.heads: list[str] = []
        self.heading = ""
        self.found: list[Placed] = []
        self.count = 0
        self.at_end = False

    def take(self, line: str) -> None:
        """Place the numbers of the next line."""
        self.at_end = False
        if line.count("|") > 1:
            self._row(line)
            return
        self.heads = []
        if _DIGIT.search(line) is not None:
            # A quotation.
            self._line(line.removeprefix("> "))
        elif line and not line.isspace():
            self.heading = line

    def _line(self, line: str) -> None:
        """Place the numbers of a line that is no table's."""
        stated: tuple[float, float] | None = None
        role: str | None = None
        before_it = len(self.found)
        may_depend = SCORE_WORDS.may_depend.search(line) is not None
        for number in numbers_of(line):
            before = line[max(0, number.start - _BEFORE) : number.start]
            behind = line[number.end : number.end + _BEHIND]
            scale = self._stated_scale(number, before, behind)
            if scale is not None:
                stated = None if scale == self.scale else scale
                continue
            self.count += 1
            if self._counts_something(number, before, behind):
                role = None
                continue
            role = role_in_sentence(number, before, behind, heading=self.heading, previous=role)
            one = not number.bound and number.until is None
            if role is not None and ((one and is_disowned(before, behind)) or declines(_sentence(before))):
                role = None
            if role is not None:
                role = ELSE if is_of_others(before) else role
                conditional = may_depend and _is_conditional(before, behind)
                self.found.append(Placed(number=number, role=role, stated=stated, conditional=conditional))
                self.at_end = number.end == len(line)
        self.heading = "" if len(self.found) > before_it else line

    def _stated_scale(self, number: Number, before: str, behind: str) -> tuple[float, float] | None:
        """Return the scale that a number is the end of, or that both of its numbers are."""
        if number.until is not None:
            ends = (number.value, number.until)
            if ends == self.scale or (SCORE_WORDS.scale_before.search(before) is not None and "scale" in before[-40:]):
                return ends
            return None
        if _POINT_SCALE.match(behind):
            # It may begin at 0 or at 1.
            return (1.0, number.value) if number.value != self.scale[1] else self.scale
        states = number.form == "number" and before.rstrip().endswith(SCORE_WORDS.tops)
        if states and SCORE_WORDS.stated_top.search(before) is not None:
            return (0.0, number.value) if number.value != self.scale[1] else self.scale
        return None

    def _counts_something(self, number: Number, before: str, behind: str) -> bool:
        """Return whether a number is part of another word, a list's ordinal, an operand, or counts things."""
        if _is_inside(before, behind) or before.rstrip(" (").endswith(_MARGIN):
            return True
        starts = not before.strip(_BULLETS)
        if starts and number.value in {1, self.item + 1} and _ITEM.match(behind):
            self.item = number.value
            return True
        if SCORE_WORDS.defines.match(behind) and self._is_defined(number, before, behind, starts=starts):
            return True
        return _counts_things(behind) or _is_operand(before, behind)

    def _is_defined(self, number: Number, before: str, behind: str, *, starts: bool) -> bool:
        """Return whether words say what an end of the scale means, or a part of it: '0 = no match'."""
        if number.until is not None:
            return starts
        # But a score may be one of the ends, too.
        an_end = number.value in self.scale and number.form == "number"
        return an_end and SCORE_WORDS.is_my_score.match(behind) is None and not before.rstrip().endswith(":")

    def _row(self, line: str) -> None:
        """Place the number of a table's row."""
        cells = cells_of(line)
        if not cells:
            return
        if not self.heads:
            self.heads = cells
            if is_head(cells):
                return
        of_row = number_of_row(cells, self.heads)
        if of_row is not None:
            number, role = of_row
            self.count += 1
            self.found.append(Placed(number=number, role=role))
            self.at_end = not line.rstrip().endswith("|")


def _is_inside(before: str, behind: str) -> bool:
    """Return whether a number is part of a date, a telephone number, a word, or money."""
    if before:
        last, earlier = before[-1], before[-2:-1]
        if last in "-/.,'" and earlier.isalnum():
            return True
        if last == ":" and earlier.isdigit():
            return True
        if before.rstrip()[-1:] in _CURRENCY and behind[:1] != "$" and not before.endswith("{"):
            return True
    if behind.startswith("-ish"):
        return False
    following = behind[:2]
    return (following[:1] in {"-", "/", ":", "'"} and following[1:].isalnum()) or following[:1] in {"\u20ac", "\u00a3"}


def _counts_things(behind: str) -> bool:
    """Return whether the word behind a number is what it counts, or belongs to it: '5 years', '72nd'."""
    follows = _FOLLOWS.match(behind)
    if follows is None:
        return False
    joined, apart = follows.groups()
    if joined is not None:
        return joined not in SCORE_WORDS.units
    return not (apart in SCORE_WORDS.units or apart in SCORE_WORDS.goes_on or apart in SCORE_WORDS.nouns)


def _is_operand(before: str, behind: str) -> bool:
    """Return whether a number is one of those that are added up or multiplied."""
    if behind.lstrip(" )%")[:1] in _OPERATORS and _OPERATES.match(behind):
        return True
    return before.rstrip(" (")[-1:] in _OPERATORS and _OPERATED.search(before) is not None


def _sentence(before: str) -> str:
    """Return the sentence that a number stands in, as far as the number and from its last turn on."""
    start = max(before.rfind(end) for end in _SENTENCE_END)
    sentence = before[start + 1 :] if start >= 0 else before
    for turn in SCORE_WORDS.sentence_turns:
        sentence = sentence.rpartition(turn)[2]
    return sentence


_HALT = lazy_re(r"[.!?;,(\n]| but ")


def _is_conditional(before: str, behind: str) -> bool:
    """Return whether the sentence of a number says that it depends."""
    start = max(before.rfind(end) for end in _SENTENCE_END)
    if SCORE_WORDS.without.match(behind) and SCORE_WORDS.would.search(before) is not None:
        return True
    # What comes after a comma or in brackets may be said of another number.
    behind = _HALT.split(behind, maxsplit=1)[0]
    sentence = f"{before[start + 1 :]} # {behind}"
    return SCORE_WORDS.depends.search(sentence) is not None
