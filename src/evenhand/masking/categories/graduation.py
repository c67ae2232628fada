"""GRADYEAR: years of study and graduation, which reveal age (optional category).

A year is classified by the nearest cue before it in its clause: a degree or a verb of studying, a job, or
something else (a certificate, an award, a membership); else by the one after it; else by neighbouring lines.
Under an education heading a year counts unless a cue says otherwise; elsewhere it needs a degree, a verb of
studying, or a school that nobody works for. Whole dates and both ends of a range are masked.

Kept: years of jobs, of courses, certificates, awards and publications.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from operator import attrgetter, methodcaller

from evenhand.masking.categories.fields import parts_in_lines
from evenhand.masking.categories.studies import Cue, cues_of
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout, Line
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

GRADUATION_WORDS = WordTable("evenhand.masking.categories", "graduation.toml")

_AFTER = lazy_re(r"[./][01]\d(?:[./][0-3]\d)?(?![\w./])|-[01]\d(?:-[0-3]\d)?(?![\w-])")
#: Between the ends of a range.
_UNTIL_DATE = lazy_re(r"\s*(?:-|/|\bto\b|\btill?\b|\buntil\b|\bbis\b|\ba\b|\bau\b|\bal\b|\bdo\b)\s*")
_UNTIL_YEAR = lazy_re(r"\s*(?:[-/\u2013\u2014]|to|until|till|and)\s*(?:[a-z]{3,9}\.? |\d\d?[/.])?")
_NUMBERS = frozenset(str(year) for year in range(1940, 2050)) | frozenset(f"{year:02d}" for year in range(100))
_AMOUNT_BEFORE = lazy_re(
    r"[$€£#]\s?$|\d,$|\b(?:no|nr|usd|eur|gbp|inr|rs)\.?\s?$|(?<!\d)\d{3}[-/]$|\d{5}-$|\bfy ?$|\d:$"
)
_GOES_ON = lazy_re(r"[/.]\w|/")
#: After the day of a month: `June 28, 2010`, `May 19-21, 2010`.
_YEAR_AFTER = lazy_re(r"(?:st|nd|rd|th)?(?:[ ]?[-/][ ]?\d\d?)?,?[ ](?:19|20)\d\d\b")
_RANGE_TAIL = lazy_re(r"[ ]?[-/][ ]?'?$")
#: Characters before a date's year, before a year in which a cue of study may begin, and around one in a long line.
_LONGEST, _FAR, _FAR_AROUND = 40, 80, 1000
#: The most blanks of a sentence that goes with the one before.
_BRIEF = 4
#: Lines of one block that are read for where it begins.
_LONGEST_BLOCK = 30
_START, _BEGIN = attrgetter("start"), methodcaller("start")


def graduation_years(folded: FoldedText, layout: Layout, named: list[RuleMatch] | None = None) -> list[RuleMatch]:
    r"""Return years in lines about degrees, and next to words for graduating; `named` are the schools found.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Education\nBSc Physics, Leeds, 2004-2008\nExperience\nAcme, 2009")
    >>> [seen.text[match.start:match.end] for match in graduation_years(seen, layout_of(seen))]
    ['2004-2008']
    """
    return whole_dates(folded, _years(folded, _Reader(folded, layout, named or []).rule))


def years_in(folded: FoldedText) -> list[RuleMatch]:
    """Return all years of a text, whatever they are about: of four digits, and of two where a date has them so.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Acme, May 04 - 2012, 2,000 clients, $2000")
    >>> [seen.text[match.start : match.end] for match in years_in(seen)]
    ['04', '2012']
    """
    return _years(folded, lambda _: "year")


def _years(folded: FoldedText, rule_of: Callable[[int], str]) -> list[RuleMatch]:
    """Return the years that count by a rule; the end of a range has that of its beginning."""
    matches: list[RuleMatch] = []
    for word, start, end in (folded.words[place] for place in folded.places(_NUMBERS)):
        if _is_year(folded.low, word, start, end, matches):
            goes_on = bool(matches) and _UNTIL_YEAR.fullmatch(folded.low, matches[-1].end, start) is not None
            rule = matches[-1].rule if goes_on else rule_of(start)
            if rule:
                matches.append(RuleMatch(start=start, end=end, category="GRADYEAR", rule=rule, confidence=0.9))
    return matches


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
        floor = dates[-1].end if dates else 0
        if year.start < floor:
            continue
        before = GRADUATION_WORDS.before.search(low, max(floor, year.start - _LONGEST), year.start)
        start = before.start() if before is not None else year.start
        after = _AFTER.match(low, year.end)
        end = after.end() if after is not None else year.end
        if dates and _UNTIL_DATE.fullmatch(low, floor, start) is not None:
            dates[-1] = dates[-1]._replace(end=end)
        else:
            dates.append(year._replace(start=start, end=end))
    return [
        date._replace(start=start, end=end)
        for date in dates
        for start, end in parts_in_lines(low, date.start, date.end)
    ]


def _is_year(low: str, word: str, start: int, end: int, matches: list[RuleMatch]) -> bool:
    """Say whether a number can be a year; two digits after an apostrophe, a month, or a year and a dash."""
    before = low[max(0, start - 24) : start]
    if GRADUATION_WORDS.amount_after.match(low, end) is not None:
        return False
    if len(word) == 4:
        return _AMOUNT_BEFORE.search(before) is None
    if _YEAR_AFTER.match(low, end) is not None:
        return False
    follows = bool(matches) and _RANGE_TAIL.fullmatch(low, matches[-1].end, start) is not None  # 2004-08
    return (
        before.endswith("'")
        or (follows and _GOES_ON.match(low, end) is None)
        or GRADUATION_WORDS.month_before.search(before) is not None
    )


class _Reader:
    """Classifies the years of a text; each line is parsed once."""

    def __init__(self, folded: FoldedText, layout: Layout, named: list[RuleMatch]) -> None:
        self._folded = folded
        self._lines = layout.lines
        self._named = sorted((match.start, match.end) for match in named)
        self._by_line: dict[int, list[Cue]] = {}
        self._ends: dict[int, list[re.Match[str]]] = {}

    def rule(self, year: int) -> str:
        """Return the rule by which a year counts, "" where it doesn't."""
        low = self._folded.low
        number = bisect_left(self._lines, (year + 1,)) - 1
        line = self._lines[number]
        if (
            GRADUATION_WORDS.says.search(low, max(line.start, year - _FAR), year) is not None
            or GRADUATION_WORDS.labelled.search(low, max(0, year - 2 * _FAR), year) is not None
        ):
            return "said"
        kind = self._kind_at(number, year)
        if line.section == "education":
            return "" if kind in {"work", "other", "certificate"} else "education"
        return kind if kind in {"degree", "school"} else ""

    def _clause_ends(self, line: Line) -> list[re.Match[str]]:
        if line.start not in self._ends:
            self._ends[line.start] = list(GRADUATION_WORDS.clause_end.finditer(self._folded.text, line.start, line.end))
        return self._ends[line.start]

    def _clause(self, line: Line, year: int) -> tuple[int, int]:
        """Return where a year's clause begins and ends: with the one before, where it only adds to that."""
        low = self._folded.low
        start, end = max(line.start, year - _FAR_AROUND), min(line.end, year + _FAR_AROUND)
        before = start
        ends = self._clause_ends(line)
        for place in range(bisect_left(ends, start, key=_BEGIN), bisect_left(ends, end, key=_BEGIN)):
            match = ends[place]
            if match.start() < year:
                before, start = start, match.end()
            elif GRADUATION_WORDS.dates_only.fullmatch(low, start, match.start()) is None:
                end = match.start()
                break
        return (before if GRADUATION_WORDS.continues.fullmatch(low, start, end) is not None else start), end

    def _kind_at(self, number: int, year: int) -> str:
        """Return the subject of a year's clause: the last cue before it, else the first after it."""
        line = self._lines[number]
        start, end = self._clause(line, year)
        of_line = self._cues_of_line(number)
        cues = of_line[bisect_left(of_line, start, key=_START) : bisect_left(of_line, end, key=_START)]
        kinds = {cue.kind for cue in cues}
        studies = line.section == "education"
        if (studies and not kinds.isdisjoint({"degree", "school"})) or (
            kinds >= {"school", "certificate"} and kinds.isdisjoint({"work", "other"})
        ):
            return "degree"
        strong = [cue for cue in cues if cue.kind not in {"school", "firm"}]
        if strong:
            before = [cue.kind for cue in strong if cue.start < year]
            side = before or [cue.kind for cue in strong]
            if "degree" in side:
                side = [kind for kind in side if kind != "certificate"]
            kind = side[-1] if before else side[0]
            return "degree" if kind == "certificate" and studies and self._is_at_school(number) else kind
        if kinds:
            return "school" if "school" in kinds else ""
        return self._kind_of_neighbour(number, start, end)

    def _is_at_school(self, number: int) -> bool:
        """Say whether a school's name is above or below a line."""
        return any(_kind(self._cues_of_line(place)) == "school" for place in self._neighbours(number))

    def _neighbours(self, number: int) -> list[int]:
        """Return which lines of a line's block are above and below it; headings are not."""
        lines = self._lines
        return [
            place
            for place in (number - 1, number + 1)
            if 0 <= place < len(lines)
            and abs(lines[place].number - lines[number].number) == 1
            and not lines[place].heading
        ]

    def _kind_of_neighbour(self, number: int, start: int, end: int) -> str:
        """Return the subject of the line that a line of dates belongs to in its block."""
        lines, low = self._lines, self._folded.low
        if start > lines[number].start:  # a short sentence goes with those before it
            cues = self._cues_of_line(number)
            brief = low.count(" ", start, end) <= _BRIEF
            before = range(bisect_left(cues, start, key=_START) - 1, -1, -1) if brief else ()
            return next((cues[place].kind for place in before if cues[place].kind != "firm"), "")
        near = self._neighbours(number)
        if self._is_dates(number):
            if self._dates_come_first(number):
                near.reverse()
            return next(filter(None, (_kind(self._cues_of_line(place)) for place in near)), "")
        if lines[number].section == "education" or not near or near[0] > number:
            return ""
        goes_on = low[lines[number - 1].end - 1] not in ".:;!?|}" and low[lines[number].start].isalnum()
        return _kind(self._cues_of_line(number - 1)) if goes_on else ""

    def _dates_come_first(self, number: int) -> bool:
        """Say whether the block of lines around begins with dates."""
        first = number
        while number - first < _LONGEST_BLOCK and first - 1 in self._neighbours(first):
            first -= 1
        return self._is_dates(first)

    def _is_dates(self, number: int) -> bool:
        line = self._lines[number]
        brief = line.end - line.start < _FAR_AROUND
        return brief and GRADUATION_WORDS.dates_only.fullmatch(self._folded.low, line.start, line.end) is not None

    def _cues_of_line(self, number: int) -> list[Cue]:
        """Return a line's cues, and names of schools without such a word: KU Leuven."""
        if number not in self._by_line:
            line = self._lines[number]
            cues = cues_of(self._folded, line.start, line.end)
            schools = [cue.start for cue in cues if cue.kind == "school"]
            first, last = bisect_left(self._named, (line.start,)), bisect_left(self._named, (line.end,))
            for start, end in self._named[first:last]:
                if bisect_left(schools, start) == bisect_left(schools, end):
                    cues.append(Cue(start, "school"))
            self._by_line[number] = sorted(cues)
        return self._by_line[number]


def _kind(cues: list[Cue]) -> str:
    """Return the subject of a whole line: a degree before a job, a job before a school."""
    kinds = {cue.kind for cue in cues}
    return next((kind for kind in ("degree", "work", "other", "certificate", "school") if kind in kinds), "")
