"""Dates of a résumé, and the edits that move them: years, ages, and ends that are open (`present`, `since`)."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from evenhand.masking.categories.contacts import addresses, emails, phones, urls
from evenhand.masking.categories.education import GRADUATION_WORDS, graduation_years, years_in
from evenhand.masking.categories.personal import BIRTH_WORDS, births
from evenhand.masking.layout import FoldedText, Layout, folded_text, layout_of
from evenhand.patterns import lazy_re

#: A stretch of a text, and what replaces it.
Edit = tuple[int, int, str]

_MONTH = r"[a-z]{3,9}\.?,?[ ]+"
_DAY = r"[0-3]?\d[/.](?:[01]?\d[/.])?"
#: Between the year that a stretch of time begins with and the next: the rest of its date, a dash, what precedes a year.
_REST = lazy_re(r"(?:-[01]\d(?:-[0-3]\d)?)?")
_DASH = r"(?:-[01]\d(?:-[0-3]\d)?)?\s*(?:-{1,2}|/|to|until|till?|through)\s*"
_CLOSES = lazy_re(rf"{_DASH}(?:{_MONTH}|{_DAY})?'?")
_PRESENT = "(?:present|now|today|date|current(?:ly)?|ongoing)"
_OPEN = lazy_re(rf"{_DASH}(?:the )?({_PRESENT})\b|[ ](onwards?)\b")
#: `2015 -` at the end of a line or in brackets; a year in the next line would close it.
_HANGING = lazy_re(rf"(?:-[01]\d)?[ ]*-{{1,2}}(?=[ ]*(?:[),;|]|$|\n(?!\s*(?:{_MONTH}|{_DAY})?'?\d)))")
_SINCE = lazy_re(rf"\b(since)[ ]+(?:{_MONTH}|{_DAY})?$")
#: Days and months after a year: 2019-05-31.
_OF_A_DATE = lazy_re(r"\d{4}-(?:(?P<month>[01]\d)-)?$")
#: Years that no word of a month tells: `06/15 - 08/19`, `06/15 - now`, FY 2019, those of births as 12.03.70.
_SHORT = r"(?<![\w/.])(?:[0-3]?\d[/.]){1,2}"
_RANGE = lazy_re(
    rf"{_SHORT}(\d\d)[ ]?(?:-{{1,2}}|to|until|till?|through)[ ]?(?:(?:{_SHORT})(\d\d)(?![\w/.]*\d|%)|{_PRESENT}\b)"
)
_FISCAL = lazy_re(r"\bfy[ ]?'?(\d{4}|\d\d)\b")
_OF_BIRTH = lazy_re(r"\d[./-](\d\d)$")
#: Software and laws whose name has a year, and further ones of such a list.
_NAMED = lazy_re(
    r"\b(?:windows(?: server)?|(?:ms|microsoft) (?:office|access|project|word)|office|excel|powerpoint|outlook|visio|"
    r"exchange(?: server)?|sharepoint|(?:sql|team foundation) server|visual studio|dynamics(?: \w+)?|autocad(?: \w+)?|"
    r"revit|solidworks|inventor|3ds max|quickbooks|ecmascript|act(?: of)?)[ ]$"
)
_FURTHER = lazy_re(r"[ ]?(?:[,/&]|and|or)[ ]?")
_AMOUNT = lazy_re(r"[ ](?!to\b|until\b|till\b|and\b|as\b|at\b|in\b|for\b|with\b|by\b|on\b)[a-z]")
_DATED = lazy_re(
    r"(?:^|[^\w\s]|\b(?:in|since|from|until|till|to|by|and|during|early|late|mid|year|"
    r"(?:class|batch|cohort|end|start|beginning|middle|year) of))\s*$"
)
_AGE, _FOUR = lazy_re(r"\d\d"), lazy_re(r"\d{4}")
_DASHES = "-\N{EN DASH}\N{EM DASH}"
_SPAN = lazy_re(r"[ ]?-{1,2}[ ]?\d")
_MONTHS, _THIS_CENTURY = 12, 40
_BEFORE = 24


class Date(NamedTuple):
    """A year, an age, `since`, or an open end: its word, or where one would stand after `since`.

    `begins` is the number of the date whose stretch of time it ends; `job`: it is no date of a study, and under no
    heading of other things than work.
    """

    start: int
    end: int
    kind: Literal["year", "age", "open", "since"]
    value: int = 0
    begins: int | None = None
    job: bool = True


def dates_of(text: str) -> tuple[Date, ...]:
    """Return the dates of a text in their order, then ages.

    >>> [date[2:5] for date in dates_of("Cook, 2004 - 2012, chef since 2015")]
    [('year', 2004, None), ('year', 2012, 0), ('since', 0, None), ('year', 2015, None), ('open', 0, 3)]
    """
    folded = folded_text(text)
    low, layout = folded.low, layout_of(folded)
    dates: list[Date] = []
    last: tuple[int, int] | None = None
    for start, end in _years(folded, layout):
        before, short = low[max(0, start - _BEFORE) : start], end - start == 2
        value = int(low[start:end]) if not short else 1900 + int(low[start:end])
        value += 100 if short and value <= 1900 + _THIS_CENTURY else 0
        closes = last is not None and _CLOSES.fullmatch(low, last[1], start) is not None
        since = _SINCE.search(before)
        if since is not None:
            place = start - len(before) + since.start(1)
            dates.append(Date(*folded.in_input(place, place + len("since")), "since"))
        dates.append(Date(*folded.in_input(start, end), "year", value, last[0] if closes and last else None))
        last = (len(dates) - 1, end)
        stands, hangs = _OPEN.match(low, end), _HANGING.match(low, end)
        if stands is not None:
            dates.append(Date(*folded.in_input(*stands.span(stands.lastindex or 0)), "open", begins=last[0]))
        elif hangs is not None or since is not None:
            rest = hangs or _REST.match(low, end)
            _, after = folded.in_input(start, end if rest is None else rest.end())
            dates.append(Date(after, after, "open", begins=last[0]))
    lines = [(*folded.in_input(line.start, line.end), line.section) for line in layout.lines if line.end > line.start]
    others = [line[:2] for line in lines if line[2] not in {"", "work"}]
    others += [folded.in_input(year.start, year.end) for year in graduation_years(folded, layout)]
    dates = [date._replace(job=not any(start <= date.start < end for start, end in others)) for date in dates]
    for start, end, *_ in births(folded, layout):
        written = low[start:end]
        age = _AGE.search(low, start, end)
        if age is not None and not any(date.search(written) for date in (BIRTH_WORDS.date, BIRTH_WORDS.day, _FOUR)):
            dates.append(Date(*folded.in_input(*age.span()), "age", int(age[0])))
    return tuple(dates)


def _years(folded: FoldedText, layout: Layout) -> list[tuple[int, int]]:
    """Return where years stand; no amounts, no numbers of contact details or in names of software and laws."""
    low = folded.low
    contacts = [*emails(folded), *phones(folded), *urls(folded, layout), *addresses(folded, layout)]
    found = {match.span(group) for match in _RANGE.finditer(low) for group in (1, 2) if match[group]}
    found |= {match.span(1) for match in _FISCAL.finditer(low)}
    for start, end, *_ in births(folded, layout):
        year = _OF_BIRTH.search(low, start, end)
        found |= {year.span(1)} if year is not None else set()
    named = 0
    for start, end, *_ in years_in(folded):
        before = low[max(0, start - _BEFORE) : start]
        if _NAMED.search(before) is not None and _OPEN.match(low, end) is None and _SPAN.match(low, end) is None:
            named = end
            continue
        if named and _FURTHER.fullmatch(low, named, start) is not None:
            named = end
            continue
        part = _OF_A_DATE.search(before) if end - start == 2 else None
        dated = end - start == 2 or _DATED.search(before) or GRADUATION_WORDS.month_before.search(before)
        amount = low.startswith("+", end) or (not dated and _AMOUNT.match(low, end) is not None)
        if not amount and (part is None or not (part["month"] or int(low[start:end]) <= _MONTHS)):
            found.add((start, end))
    return sorted(
        (start, end) for start, end in found if not any(match.start <= start < match.end for match in contacts)
    )


def latest_year(dates: Sequence[Date]) -> int:
    """Return the latest year in which a stretch of time begins or ends, else the latest of all; 0 without any."""
    of_ranges = [value for place in _ranges(dates) for value in place[2:] if value]
    return max(of_ranges or [date.value for date in dates if date.kind == "year"] or [0])


def _ranges(dates: Sequence[Date]) -> list[tuple[int, int, int, int]]:
    """Return the stretches of time: the numbers of their first and last date, their years; 0 is an open end."""
    return [
        (date.begins, number, dates[date.begins].value, date.value)
        for number, date in enumerate(dates)
        if date.begins is not None
    ]


def _latest(dates: Sequence[Date]) -> tuple[int, int, int, int] | None:
    """Return the time of the last job: it ends last, and of several begins last; of anything where there is no job."""
    ranges = _ranges(dates)
    jobs = [place for place in ranges if dates[place[0]].job]
    return max(jobs or ranges, key=lambda place: (place[3] or 9999, place[2]), default=None)


def moved(text: str, dates: Sequence[Date], years: int, *, until: int) -> Iterator[Edit]:
    """Yield the edits that move every date alike; an open end is written as the year `until`, moved like others.

    >>> text = "Cook, 2004-2012, now 2015 to present"
    >>> list(moved(text, dates_of(text), -20, until=2024))
    [(6, 10, '1984'), (11, 15, '1992'), (21, 25, '1995'), (29, 36, '2004')]
    """
    for date in dates:
        if date.kind == "since":
            yield date.start, date.end, "From" if text[date.start].isupper() else "from"
        elif date.kind == "open":
            word = text[date.start : date.end].lower()
            joint = "to " if word.startswith("onward") else ""
            if not word:  # before a bracket the dash may have no blanks
                dash = text[date.start - 1]
                joint = " to " if dash not in _DASHES else " " if text[date.start - 2].isspace() else ""
            yield date.start, date.end, f"{joint}{until + years}"
        else:
            yield _written(date, years)


def lengthened(dates: Sequence[Date], years: int) -> Iterator[Edit]:
    """Yield the edits that move every date but the end of the last job: the experience grows.

    >>> text = "Cook, 2004 - 2012. BA, 2000"
    >>> list(lengthened(dates_of(text), -20))
    [(6, 10, '1984'), (23, 27, '1980')]
    """
    latest = _latest(dates)
    end = 0 if latest is None else latest[3]
    for date in dates:
        if date.kind in {"year", "age"} and not (date.begins is not None and date.value == end):
            yield _written(date, years)


def with_break(dates: Sequence[Date], years: int) -> tuple[list[Edit], tuple[int, int]] | None:
    """Return the edits that leave a break before the last job, and its years.

    None without such a job, where another stretch of time goes on into it, or where the job before ended long ago.

    >>> text = "Chef, 2012 - 2019. Cook, 2004 - 2012"
    >>> with_break(dates_of(text), 2)
    ([(25, 29, '2002'), (32, 36, '2010')], (2010, 2012))
    """
    latest = _latest(dates)
    if latest is None:
        return None
    first, last, start, _ = latest
    before = [place for place in _ranges(dates) if place[0] != first and (dates[place[0]].job or place[3])]
    if any((end or start + 1) > start and begin <= start for _, _, begin, end in before):
        return None
    ended = max((end for begins, _, _, end in before if dates[begins].job), default=start)
    if ended < start - 1:
        return None
    edits = [
        _written(date, -years)
        for number, date in enumerate(dates)
        if date.kind in {"year", "age"} and number not in {first, last} and date.value <= start
    ]
    return edits, (start - years, start)


def _written(date: Date, years: int) -> Edit:
    value = date.value - years if date.kind == "age" else date.value + years
    short = date.kind == "year" and date.end - date.start == 2
    return date.start, date.end, f"{value % 100:02d}" if short else str(value)


def movable(dates: Sequence[Date], *, whole: bool) -> bool:
    """Return whether dates can be moved: some year or age, or, not `whole`, one before the end of the last job."""
    if whole:
        return any(date.kind in {"year", "age"} for date in dates)
    return _latest(dates) is not None
