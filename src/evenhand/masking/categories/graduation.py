"""GRADYEAR: years of study and graduation, which reveal age (optional category).

A year is classified by the nearest cue before it in its clause: a degree or a verb of studying, a job, or
something else (a certificate, an award, a membership); else by the one after it; else by neighbouring lines.
Under an education heading a year counts unless a cue says otherwise; elsewhere it needs a degree, a verb of
studying, or a school that nobody works for. Whole dates and both ends of a range are masked.

Kept: years of jobs, of courses, certificates, awards and publications.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from evenhand.masking.categories.fields import parts_in_lines
from evenhand.masking.categories.studies import STUDY_WORDS, Cue, cues_of
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout, Line
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

GRADUATION_WORDS = WordTable("evenhand.masking.categories", "graduation.toml")

_AFTER = lazy_re(r"[./][01]\d(?:[./][0-3]\d)?(?![\w./])|-[01]\d(?:-[0-3]\d)?(?![\w-])")
#: Between the ends of a range.
_UNTIL_DATE = lazy_re(r"\s*(?:-|/|\bto\b|\btill?\b|\buntil\b|\bbis\b|\ba\b|\bau\b|\bal\b|\bdo\b)\s*")
_LONGEST = 40


def whole_dates(folded: FoldedText, years: list[RuleMatch]) -> list[RuleMatch]:
    """Return the whole dates of years: with their months and days, a range as one.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("from Sept 2003 to June 2005, 10/2009")
    >>> years = [RuleMatch(place, place + 4, "GRADYEAR", "said", 0.9) for place in (10, 23, 32)]
    >>> [seen.text[match.start : match.end] for match in whole_dates(seen, years)]
    ['Sept 2003 to June 2005', '10/2009']
    """
    low = folded.low
    dates: list[RuleMatch] = []
    for year in years:
        last = dates[-1] if dates else None
        floor = last.end if last is not None else 0
        if year.start < floor:
            continue
        start = _begin(low, floor, year.start)
        after = _AFTER.match(low, year.end) or GRADUATION_WORDS.after_abroad.match(low, year.end)
        end = after.end() if after is not None else year.end
        if last is not None and _UNTIL_DATE.fullmatch(low, last.end, start) is not None:
            dates[-1] = last._replace(end=end)
        else:
            dates.append(year._replace(start=start, end=end))
    return [
        date._replace(start=start, end=end)
        for date in dates
        for start, end in parts_in_lines(low, date.start, date.end)
    ]


def _begin(low: str, floor: int, year: int) -> int:
    """Return where a date begins: its month can end the line above, with another column's text between."""
    before: re.Match[str] | None = GRADUATION_WORDS.before.search(low, max(floor, year - _LONGEST), year)
    if before is not None:
        return before.start()
    above = low.rfind("\n", floor, year)
    if above < 0 or low[above:year].strip():
        return year
    last = len(low[floor:above].rstrip()) + floor
    alone = GRADUATION_WORDS.month_last.search(low, max(floor, last - _LONGEST), last)
    return alone.start() if alone is not None else year


#: Characters before a year in which a cue of study may begin.
_FAR = 80
_DIGITS = 4


def is_study_year(low: str, line: int, year: int) -> bool:
    """Say whether a label or the words around a year, in the line that begins at `line`, mark it as one of study.

    >>> low = "class of 2014, first job in 2015"
    >>> [is_study_year(low, 0, low.index(year)) for year in ("2014", "2015")]
    [True, False]
    """
    return (
        GRADUATION_WORDS.says.search(low, max(line, year - _FAR), year) is not None
        or GRADUATION_WORDS.said_after.match(low, year + _DIGITS) is not None
        or GRADUATION_WORDS.labelled.search(low, max(0, year - 2 * _FAR), year) is not None
    )


def is_of_a_school(low: str, line: int, year: int, named: Sequence[int]) -> bool:
    """Say whether somebody left or finished a school in a year, or was there from then on.

    `named` are the places where names of schools begin, in order.

    >>> low = "the base was laid at holy child college, which i left in 1997"
    >>> is_of_a_school(low, 0, low.index("1997"), [low.index("holy")]), is_of_a_school(low, 0, low.index("1997"), [])
    (True, False)
    """
    if not named:
        return False
    begin = max(line, year - 2 * _FAR)
    begin = max(begin, *(low.rfind(mark, begin, year) for mark in (". ", "; ")))
    places = [match.end() for match in GRADUATION_WORDS.at_school.finditer(low, begin, year)]
    after = GRADUATION_WORDS.on_at_school.match(low, year + _DIGITS)
    places += [after.end()] if after is not None else []
    return any(bisect_left(named, place) < bisect_left(named, place + 1) for place in places)


_YEARS = frozenset(str(year) for year in range(1940, 2050))
_WITH_SIGN = lazy_re("(?:19[4-9]|20[0-4])\\d[\u5e74\ub144]")
_SHORT = frozenset(f"{year:02d}" for year in range(100))
_NUMBERS = _YEARS | _SHORT
_AMOUNT_BEFORE = lazy_re(
    r"[$€£#]\s?$|\d[.,]$|\b(?:no|nr|usd|eur|gbp|inr|rs)\.?\s?$|(?<!\d)\d{3}[-/]$|\d{5}-$|\bfy ?$|\d:$"
)
_GOES_ON = lazy_re(r"[/.]\w|/")
_RANGE_TAIL = lazy_re(r"[ ]?[-/][ ]?'?$")
#: `Class of 16 apprentices`: people, no year.
_PEOPLE_AFTER = lazy_re(r",? (?!in\b|at\b|from\b|and\b|of\b)[a-z]")
_TIMESTAMP_BEFORE = lazy_re(r"\[(?:\d{1,2}:\d\d[:\d]*,? )?(?:\d{1,2}[./-]){2}$")
#: `Certificate in X \u00b7 (2010)`, below its school.
_BRACKETED = lazy_re(r" [\u00b7|-] \($")
_RANGED = lazy_re(r"(?:19|20)\d\d[ ]*(?:-|to)[ ]*(?:[a-z]{3,9}\.? |\d\d?[/.])?(?:19|20)\d\d")
#: Years at a line's end, in brackets or not.
_AT_END = lazy_re(r"(?:19|20)\d\d(?:[ ]?[-\u2013\u2014/][ ]?(?:19|20)?\d\d)?[ ]?\)?[ .]*$")
#: Between the years of a range.
_UNTIL_YEAR = lazy_re(r"[ ]*(?:[-/]|to|until|till|and)[ ]*(?:[a-z]{3,9}\.? |\d\d?[/.])?")
_OVER_LINE = lazy_re(
    r"[ ]*(?:[-\u2013\u2014]|to)[ ]*\n[ ]*(?:[a-z]{3,9}\.? |\d\d?[/.])?|[ ]*\n[ ]*(?:[-\u2013\u2014]|to)[ ]*"
)
_BRIEF = 4
#: The most blanks in a sentence that is a school's name.
_LONGEST_NAME = 8
#: A line of this length is no title.
_PARAGRAPH = 160
#: Characters around a year that are read of a line that is the whole text.
_FAR_AROUND = 1000
#: The longest line that is a school, a degree and years.
_LONGEST_ENTRY = 300
_START = attrgetter("start")


@dataclass(frozen=True, kw_only=True, slots=True)
class _LineCues:
    """The cues of a line's subject, in order."""

    cues: list[Cue]

    def kind(self) -> str:
        """Return the subject of the whole line: a degree before a job, a job before a school."""
        kinds = {cue.kind for cue in self.cues}
        if "certificate" in kinds and "school" in kinds and "work" not in kinds:
            return "degree"
        return next((kind for kind in ("degree", "work", "other", "certificate", "school") if kind in kinds), "")


def graduation_years(folded: FoldedText, layout: Layout, named: list[RuleMatch] | None = None) -> list[RuleMatch]:
    r"""Return years in lines about degrees, and next to words for graduating; `named` are the schools found.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Education\nBSc Physics, Leeds, 2004-2008\nExperience\nAcme, 2009")
    >>> [seen.text[match.start:match.end] for match in graduation_years(seen, layout_of(seen))]
    ['2004-2008']
    """
    reader = _Reader(folded, layout, named or [])
    matches: list[RuleMatch] = []
    numbers = [folded.words[place] for place in folded.places(_NUMBERS)]
    if not folded.low.isascii():  # 2009\u5e744\u6708 is one word
        numbers += [(word[:4], start, start + 4) for word, start, _ in folded.words if _WITH_SIGN.match(word)]
        numbers.sort(key=lambda number: number[1])
    for word, start, end in numbers:
        if not _is_year(folded.low, word, start, end, matches):
            continue
        rule = reader.rule(start, short=len(word) == 2 and not _follows(folded.low, start, matches))
        if not rule and matches and _goes_with(folded.low, matches[-1], start):
            rule = matches[-1].rule
        if rule:
            matches.append(RuleMatch(start=start, end=end, category="GRADYEAR", rule=rule, confidence=0.9))
    return whole_dates(folded, matches)


def _goes_with(low: str, last: RuleMatch, start: int) -> bool:
    """Say whether a number ends the range that a masked year begins, over a line's end too."""
    return (last.rule == "said" and _UNTIL_YEAR.fullmatch(low, last.end, start) is not None) or (
        _OVER_LINE.fullmatch(low, last.end, start) is not None
    )


def _is_year(low: str, word: str, start: int, end: int, matches: list[RuleMatch]) -> bool:
    """Say whether a number can be a year; two digits after an apostrophe, a month, or a year and a dash."""
    before = low[max(0, start - 24) : start]
    if GRADUATION_WORDS.amount_after.match(low, end) is not None:
        return False
    if len(word) == 4:
        if _TIMESTAMP_BEFORE.search(before) is not None:
            return False  # of a chat
        return _AMOUNT_BEFORE.search(before) is None or before[-1:] == "."
    return (
        (before.endswith("'") and not before[-2:-1].isalnum())
        or (_follows(low, start, matches) and _GOES_ON.match(low, end) is None)
        or (
            (month := GRADUATION_WORDS.month_before.search(before)) is not None
            and not (month.group().startswith(("class", "batch")) and _PEOPLE_AFTER.match(low, end) is not None)
        )
    )


def _follows(low: str, start: int, matches: list[RuleMatch]) -> bool:
    """Say whether a number ends a range that a masked year begins: 2004-08."""
    return bool(matches) and matches[-1].end < start and _RANGE_TAIL.fullmatch(low, matches[-1].end, start) is not None


class _Reader:
    """Classifies the years of a text; each line is parsed once."""

    def __init__(self, folded: FoldedText, layout: Layout, named: list[RuleMatch]) -> None:
        self._folded = folded
        self._lines = layout.lines
        self._ends = {match.start: match.end for match in named}
        self._named = sorted(self._ends)
        self._starts = [line.start for line in layout.lines]
        self._words = folded.starts
        self._by_line: dict[int, _LineCues] = {}

    def rule(self, year: int, *, short: bool) -> str:
        """Return the rule by which a year counts, "" where it doesn't."""
        low = self._folded.low
        number = bisect_left(self._starts, year + 1) - 1
        line = self._lines[number]
        if is_study_year(low, line.start, year) or (
            line.section != "work" and is_of_a_school(low, line.start, year, self._named)
        ):
            return "said"
        if line.section in {"students", "references"}:
            return ""
        if self._is_small_entry(line, year):
            return "degree"
        studies = line.section == "education" and not line.heading
        start, end = self._clause(line, year)
        kind = self._kind_at(number, year, (start, end), studies=line.section == "education")
        if studies:
            return "" if kind in {"work", "other"} and not short else "education"
        if kind == "degree":
            return "degree"
        return "school" if kind == "school" and not self._at_work(number) else ""

    def _is_small_entry(self, line: Line, year: int) -> bool:
        """Say whether a line without capitals is a school, a degree as it is written there, and years at its end."""
        if line.end - line.start > _LONGEST_ENTRY:
            return False
        text = self._folded.text[line.start : line.end]
        if not text.islower() or line.section == "work" or _AT_END.match(text, year - line.start) is None:
            return False
        named = bisect_left(self._named, line.start) < bisect_left(self._named, line.end)
        return named and STUDY_WORDS.small_degree.search(text) is not None

    def _clause(self, line: Line, year: int) -> tuple[int, int]:
        start, end = max(line.start, year - _FAR_AROUND), min(line.end, year + _FAR_AROUND)
        starts = [start]
        for match in GRADUATION_WORDS.clause_end.finditer(self._folded.text, start, end):
            if match.start() < year:
                start = match.end()
                starts.append(start)
            elif GRADUATION_WORDS.dates_only.fullmatch(self._folded.low, start, match.start()) is None:
                end = match.start()
                break
        if len(starts) > 1 and GRADUATION_WORDS.continues.fullmatch(self._folded.low, start, end) is not None:
            low, last = self._folded.low, -2
            if len(starts) > 2 and not self._tells_school(start, starts[last]) and low[starts[last] - 1] == ";":
                last = -3  # a school; a certificate; its years
            start = starts[last]
        return start, end

    def _tells_school(self, end: int, start: int) -> bool:
        return any(cue.kind in {"school", "degree"} for cue in self._cues(start, end))

    def _kind_at(self, number: int, year: int, clause: tuple[int, int], *, studies: bool) -> str:
        """Return the subject of a year's clause: the last cue before it, else the first after it."""
        line, (start, end) = self._lines[number], clause
        telling = self._cues_of_line(number).cues
        cues = telling[bisect_left(telling, start, key=_START) : bisect_left(telling, end, key=_START)]
        kinds = {cue.kind for cue in cues}
        at_school = "school" in kinds and "work" not in kinds
        if at_school and (studies or (kinds.isdisjoint({"work", "other"}) and "certificate" in kinds)):
            return "degree"
        if studies and (
            "degree" in kinds
            or (kinds == {"certificate"} and self._school_follows(line, clause))
            or (
                kinds == {"school", "work"}
                and GRADUATION_WORDS.title_at_school.search(self._folded.low, start, end) is not None
            )
        ):
            return "degree"
        strong = [cue for cue in cues if cue.kind not in {"school", "firm"}]
        before = [cue.kind for cue in strong if cue.start < year]
        after = [cue.kind for cue in strong if cue.start > year]
        if before or after:
            if "degree" in before:
                before = [kind for kind in before if kind != "certificate"]
            if not before and after[0] == "certificate" and "degree" in after:
                after = ["degree"]
            kind = before[-1] if before else after[0]
            if not before and line.section == "other" and start > line.start:
                kind = "other"
            if (
                kind == "certificate"
                and line.section == "education"
                and self._at_school(number, ranged=self._took_years(line, year))
            ):
                return "degree"
            return "other" if kind == "certificate" else kind
        if kinds:
            return "school" if "school" in kinds else "other" if line.section == "education" else ""
        return self._kind_of_neighbour(number, start, end)

    def _took_years(self, line: Line, year: int) -> bool:
        low = self._folded.low
        ranged = _RANGED.search(low, line.start, line.end) is not None
        return ranged or _BRACKETED.search(low, line.start, year) is not None

    def _school_follows(self, line: Line, clause: tuple[int, int]) -> bool:
        """Say whether the next sentence of a line is a school's name alone: `2001  Foundation year. Leeds College`."""
        after = GRADUATION_WORDS.clause_end.search(self._folded.text, clause[1] + 1, line.end)
        end = after.start() if after is not None else line.end
        kinds = {cue.kind for cue in self._cues(clause[1], end)}
        return kinds == {"school"} and self._folded.low.count(" ", clause[1], end) <= _LONGEST_NAME

    def _at_school(self, number: int, *, ranged: bool) -> bool:
        """Say whether a certificate is a school's: its name is below, or above one that took years."""
        lines = self._lines
        for neighbour in (number + 1, number - 1) if ranged else (number + 1,):
            near = 0 <= neighbour < len(lines) and abs(lines[neighbour].number - lines[number].number) == 1
            if near and not lines[neighbour].heading and self._cues_of_line(neighbour).kind() == "school":
                return True
        return False

    def _kind_of_neighbour(self, number: int, start: int, end: int) -> str:
        """Return the subject of the line that a line of dates belongs to in its block."""
        lines = self._lines
        above = number > 0 and lines[number].number - lines[number - 1].number == 1 and not lines[number - 1].heading
        below = (
            number + 1 < len(lines)
            and lines[number + 1].number - lines[number].number == 1
            and not lines[number + 1].heading
            and lines[number + 1].end - lines[number + 1].start < _PARAGRAPH
        )
        if start > lines[number].start:  # a short sentence goes with those before it
            cues = self._cues_of_line(number).cues
            brief = self._folded.low.count(" ", start, end) <= _BRIEF
            before = range(bisect_left(cues, start, key=_START) - 1, -1, -1) if brief else ()
            nearest = next((cues[place].kind for place in before if cues[place].kind != "firm"), "")
            return "other" if nearest == "certificate" else nearest
        kinds = []
        dates_first = below and self._dates_come_first(number)
        if above and not dates_first:
            kinds.append(self._cues_of_line(number - 1).kind())
        if below:
            kinds.append(self._cues_of_line(number + 1).kind())
        if above and dates_first:
            kinds.append(self._cues_of_line(number - 1).kind())
        telling = [kind for kind in kinds if kind]
        if not self._is_dates(number) and lines[number].section == "education":
            return ""
        if not telling or not self._is_dates(number):
            telling = [self._cues_of_line(number - 1).kind()] if above and self._goes_on(number) else []
        if telling and telling[0] == "school" and "work" in telling:
            return "work"
        if telling and telling[0] == "certificate":
            certificate = number + 1 if below and self._cues_of_line(number + 1).kind() == "certificate" else number - 1
            return "degree" if self._at_school(certificate, ranged=False) else "other"
        return telling[0] if telling else ""

    def _dates_come_first(self, number: int) -> bool:
        """Say whether the block of lines around begins with dates."""
        lines = self._lines
        for _ in range(_LONGEST_BLOCK):
            if not number or lines[number].number - lines[number - 1].number > 1 or lines[number - 1].heading:
                break
            number -= 1
        return self._is_dates(number)

    def _is_dates(self, number: int) -> bool:
        line = self._lines[number]
        if line.end - line.start > _FAR_AROUND:
            return False
        return GRADUATION_WORDS.dates_only.fullmatch(self._folded.low, line.start, line.end) is not None

    def _goes_on(self, number: int) -> bool:
        """Say whether a line goes on with the sentence of the line before."""
        low, start, end = self._folded.low, self._lines[number].start, self._lines[number - 1].end
        return low[end - 1] not in ".:;!?|}" and (low[start].isalnum() or low[start] in "('")

    def _at_work(self, number: int) -> bool:
        """Say whether a school is an employer: under a heading for jobs, next to a job's title."""
        lines = self._lines
        if lines[number].section == "work":
            return True
        for neighbour in (number - 1, number + 1):
            if 0 <= neighbour < len(lines) and abs(lines[neighbour].number - lines[number].number) == 1:
                kind = self._cues_of_line(neighbour).kind()
                if kind == "work" and not lines[neighbour].heading:
                    return True
        return False

    def _cues_of_line(self, number: int) -> _LineCues:
        cues = self._by_line.get(number)
        if cues is None:
            line = self._lines[number]
            cues = self._by_line[number] = _LineCues(cues=self._cues(line.start, line.end))
        return cues

    def _cues(self, start: int, end: int) -> list[Cue]:
        """Return cues, and names of schools without such a word: KU Leuven."""
        cues = cues_of(self._folded, self._words, start, end)
        places = self._named[bisect_left(self._named, start) : bisect_left(self._named, end)]
        schools = [cue.start for cue in cues if cue.kind == "school"]
        new = [place for place in places if not any(place <= school < self._ends[place] for school in schools)]
        return sorted(cues + [Cue(place, "school") for place in new]) if new else cues


#: Lines of one block that are read for where it begins.
_LONGEST_BLOCK = 30
