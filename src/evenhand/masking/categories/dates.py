"""Dates that reveal age (optional categories): DOB, dates of birth, ages, birth places after a label; GRADYEAR.

GRADYEAR are years of study and graduation. A year is classified by the nearest cue before it in its clause: a degree
or a verb of studying, a job, or something else (a certificate, an award, a membership); else by the one after it; else
by neighbouring lines. Under an education heading a year counts unless a cue says otherwise; elsewhere it needs a
degree, a verb of studying, or a school that nobody works for. Whole dates and both ends of a range are masked.

Kept: years of experience, ages of programmes, machines and children taught; years of jobs, of courses, certificates,
awards and publications; all other dates.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter, methodcaller

from evenhand.masking.categories.schools import Cue, cues_of
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout, Line, parts_in_lines
from evenhand.masking.names.mentions import MENTION_WORDS
from evenhand.masking.names.word_kinds import given_names, is_person_noun, surnames
from evenhand.masking.pronouns import Span
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

BIRTH_WORDS = WordTable("evenhand.masking.categories", "dob.toml")

#: Characters before a word of birth that tell who was born; after it to a date's beginning, and to its end.
_BEFORE, _TO_DATE, _DATE_ENDS = 30, 60, 76
_LONGEST_ROW = 160
#: A label that is nearly all of its line has its date in the next one.
_REST = 4


def births(folded: FoldedText, layout: Layout) -> list[Span]:
    """Return births and ages: the date and the place next to it, without the label.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("male, DOB 12/04/1991, at Acme since 04/2012")
    >>> [seen.text[match.start:match.end] for match in births(seen, layout_of(seen))]
    ['12/04/1991']
    """
    low = folded.low
    dates = [*_dates(folded), *(star.span(1) for star in BIRTH_WORDS.star.finditer(low))]
    spans = [part for date in dates for part in parts_in_lines(low, *date)]
    places = (BIRTH_WORDS.birthplace.match(folded.text, end) for _, end in dates)
    spans += [place.span(1) for place in places if place is not None]
    of_labels = (
        (BIRTH_WORDS.birth_label, BIRTH_WORDS.day),
        (BIRTH_WORDS.age_label, BIRTH_WORDS.age_value),
        (BIRTH_WORDS.place_label, BIRTH_WORDS.place),
    )
    for field in layout.fields:
        for label, expected in of_labels:
            value = expected.match(low, field.start, field.end) if label.search(field.label) is not None else None
            spans += [value.span(1)] if value is not None else []
    abroad = not folded.where.keys().isdisjoint(BIRTH_WORDS.age_words_abroad)
    for start, end in _around_ages(folded):  # a sentence is searched near a number only
        spans += [age.span(age.lastindex or 0) for age in BIRTH_WORDS.age_said.finditer(low, start, end)]
        if abroad:
            spans += [age.span(age.lastindex or 0) for age in BIRTH_WORDS.age_abroad.finditer(low, start, end)]
        ages = BIRTH_WORDS.age_of.finditer(folded.text, start, end)
        spans += [age.span(2) for age in ages if _is_name(age[1].lower())]
        ages = BIRTH_WORDS.age_of_a_worker.finditer(low, start, end)
        spans += [age.span(1) for age in ages if _is_worker(age[2]) or _is_worker(age[3] or "")]
    details = BIRTH_WORDS.row.finditer(low) if not folded.where.keys().isdisjoint(BIRTH_WORDS.row_words) else ()
    rows = {
        (low.rfind("\n", max(0, detail.start() - _LONGEST_ROW), detail.start() + 1) + 1, _line_end(low, detail.end()))
        for detail in details
    }
    for start, end in rows:
        if end - start <= _LONGEST_ROW:
            spans += [detail.span(1) for detail in BIRTH_WORDS.in_row.finditer(low, start, end)]
    return [Span(*span, "DOB", "birth or age", 0.9) for span in spans]


def _around_ages(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield the stretches around numbers of two digits that may be ages, those that meet as one.

    >>> from evenhand.masking.folded_text import folded_text
    >>> [list(_around_ages(folded_text(text))) for text in ("I am 34, in 2019.", "12 clerks and 34 cooks")]
    [[(0, 17)], []]
    """
    begun = last = 0
    for start in sorted(folded.words[place][1] for place in _ages(folded)):
        if start - _AGE_BEFORE > last:
            if last:
                yield begun, last
            begun = max(0, start - _AGE_BEFORE)
        last = min(len(folded.low), start + _AGE_AFTER)
    if last:
        yield begun, last


def _ages(folded: FoldedText) -> Iterator[int]:
    """Yield the places of numbers with a word of age next to them, or in one word with it: `34yo`."""
    words, beside = folded.words, BIRTH_WORDS.age_words
    for word, places in folded.where.items():
        if word[:2].isdecimal() and not word[2:3].isdecimal():
            for place in places:
                near = words[place - 1 : place] + words[place + 1 : place + 2]
                if len(word) > 2 or any(one[0] in beside for one in near):
                    yield place


#: Characters before and after an age that its patterns read.
_AGE_BEFORE, _AGE_AFTER = 40, 48


def _is_name(word: str) -> bool:
    return word in given_names() or word in surnames()


def _is_worker(word: str) -> bool:
    """Say whether a word is one person's work: a nurse, a welder; no patient, whom others serve, no veterans."""
    named = is_person_noun(word) or BIRTH_WORDS.worker.fullmatch(word) is not None
    return named and not re.search("[^s]s$", word) and word not in MENTION_WORDS.served


def _line_end(low: str, start: int) -> int:
    return low.find("\n", start) % (len(low) + 1)


def _dates(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield dates after words of birth; a company is born too."""
    low = folded.low
    begun = _begun()
    for word in [word for word in folded.where if word[:2] in begun]:
        short = word in BIRTH_WORDS.birth_short
        if not short and word not in BIRTH_WORDS.birth and not word.startswith(BIRTH_WORDS.birth_begins):
            continue
        for _, start, end in (folded.words[place] for place in folded.where[word]):
            date = _date_after(low, end, short=short)
            is_state = short and BIRTH_WORDS.state.match(folded.text, start - 2) is not None
            if date and not is_state and BIRTH_WORDS.no_person.search(low, max(0, start - _BEFORE), start) is None:
                yield date


@cache
def _begun() -> frozenset[str]:
    """Return the first two letters of words of birth, by which most words are none."""
    words = (*BIRTH_WORDS.birth, *BIRTH_WORDS.birth_short, *BIRTH_WORDS.birth_begins)
    return frozenset(word[:2] for word in words)


def _date_after(low: str, end: int, *, short: bool) -> tuple[int, int] | None:
    r"""Return the date after a word of birth, after a short one only the very next thing; its line's end may break it.

    >>> _date_after("born on 5 december\n1972", 4, short=False), _date_after("b. 3 rooms 1988", 1, short=True)
    ((8, 23), None)
    """
    stretch = low[end : end + _DATE_ENDS].replace("\n", " ", 1).partition("\n")[0]
    date = BIRTH_WORDS.date.search(stretch)
    line = _line_end(low, end) - end
    if date is None or date.start() > _TO_DATE or (line <= date.start() and (short or line >= _REST)):
        return None
    between = stretch[: date.start()]
    if short:
        follows = BIRTH_WORDS.next.fullmatch(between) is not None
    else:
        follows = BIRTH_WORDS.between.fullmatch(between) is not None and BIRTH_WORDS.happened.search(between) is None
    return (end + date.start(), end + date.end()) if follows else None


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


def graduation_years(folded: FoldedText, layout: Layout, named: list[Span] | None = None) -> list[Span]:
    r"""Return years in lines about degrees, and next to words for graduating; `named` are the schools found.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Education\nBSc Physics, Leeds, 2004-2008\nExperience\nAcme, 2009")
    >>> [seen.text[match.start:match.end] for match in graduation_years(seen, layout_of(seen))]
    ['2004-2008']
    """
    return whole_dates(folded, _years(folded, _Reader(folded, layout, named or []).rule))


def years_in(folded: FoldedText) -> list[Span]:
    """Return all years of a text, whatever they are about: of four digits, and of two where a date has them so.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Acme, May 04 - 2012, 2,000 clients, $2000")
    >>> [seen.text[match.start : match.end] for match in years_in(seen)]
    ['04', '2012']
    """
    return _years(folded, lambda _: "year")


def _years(folded: FoldedText, rule_of: Callable[[int], str]) -> list[Span]:
    """Return the years that count by a rule; the end of a range has that of its beginning."""
    matches: list[Span] = []
    for word, start, end in (folded.words[place] for place in folded.places(_NUMBERS)):
        if _is_year(folded.low, word, start, end, matches):
            goes_on = bool(matches) and _UNTIL_YEAR.fullmatch(folded.low, matches[-1].end, start) is not None
            rule = matches[-1].rule if goes_on else rule_of(start)
            if rule:
                matches.append(Span(start=start, end=end, category="GRADYEAR", rule=rule, confidence=0.9))
    return matches


def whole_dates(folded: FoldedText, years: list[Span]) -> list[Span]:
    """Return the whole dates of years: with their months and days, a range as one.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("from Sept 2003 to June 2005, 10/2009")
    >>> years = [Span(place, place + 4, "GRADYEAR", "said", 0.9) for place in (10, 23, 32)]
    >>> [seen.text[match.start : match.end] for match in whole_dates(seen, years)]
    ['Sept 2003 to June 2005', '10/2009']
    """
    low = folded.low
    dates: list[Span] = []
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


def _is_year(low: str, word: str, start: int, end: int, matches: list[Span]) -> bool:
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

    def __init__(self, folded: FoldedText, layout: Layout, named: list[Span]) -> None:
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
