"""Dates of a résumé, and the edits that move them: years, ages, and ends that are open (`present`, `since`)."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from evenhand.masking.categories.birth import births
from evenhand.masking.categories.graduation import GRADUATION_WORDS, years_in
from evenhand.masking.folded_text import folded_text
from evenhand.masking.layout import layout_of
from evenhand.patterns import lazy_re

#: A stretch of a text, and what replaces it.
Edit = tuple[int, int, str]

_MONTH = r"[a-z]{3,9}\.?,?[ ]+"
_DAY = r"[0-3]?\d[/.](?:[01]?\d[/.])?"
#: Between the year that a stretch of time begins with and the next: the rest of its date, a dash, what precedes a year.
_REST = lazy_re(r"(?:-[01]\d(?:-[0-3]\d)?)?")
_DASH = r"(?:-[01]\d(?:-[0-3]\d)?)?\s*(?:-{1,2}|/|to|until|till?|through)\s*"
_CLOSES = lazy_re(rf"{_DASH}(?:{_MONTH}|{_DAY})?'?")
_OPEN = lazy_re(rf"{_DASH}(?:the )?(present|now|today|date|current(?:ly)?|ongoing)\b")
_SINCE = lazy_re(rf"\b(since)[ ]+(?:{_MONTH}|{_DAY})?$")
#: Days and months after a year: 2019-05-31.
_OF_A_DATE = lazy_re(r"\d{4}-(?:(?P<month>[01]\d)-)?$")
_AMOUNT = lazy_re(r"[ ](?!to\b|until\b|till\b|and\b|as\b|at\b|in\b|for\b|with\b|by\b|on\b)[a-z]")
_DATED = lazy_re(r"(?:^|[^\w\s]|\b(?:in|since|from|until|till|to|of|by|and|during|early|late|mid|class|year))\s*$")
_AGE = lazy_re(r"\d\d")
_MONTHS, _THIS_CENTURY = 12, 40
_BEFORE = 24


class Date(NamedTuple):
    """A year, an age, `since`, or an open end: its word, or where one would stand after `since`.

    `begins` is the number of the date whose stretch of time it ends.
    """

    start: int
    end: int
    kind: Literal["year", "age", "open", "since"]
    value: int = 0
    begins: int | None = None


def dates_of(text: str) -> tuple[Date, ...]:
    """Return the dates of a text in their order.

    >>> [date[2:] for date in dates_of("Cook, 2004 - 2012, chef since 2015")]
    [('year', 2004, None), ('year', 2012, 0), ('since', 0, None), ('year', 2015, None), ('open', 0, 3)]
    """
    folded = folded_text(text)
    low = folded.low
    dates: list[Date] = []
    last: tuple[int, int] | None = None
    for start, end, *_ in years_in(folded):
        before, short = low[max(0, start - _BEFORE) : start], end - start == 2
        part = _OF_A_DATE.search(before) if short else None
        dated = short or _DATED.search(before) or GRADUATION_WORDS.month_before.search(before)
        amount = not dated and _AMOUNT.match(low, end) is not None
        if amount or (part is not None and (part["month"] or int(low[start:end]) <= _MONTHS)):
            continue
        value = int(low[start:end]) if not short else 1900 + int(low[start:end])
        value += 100 if short and value <= 1900 + _THIS_CENTURY else 0
        closes = last is not None and _CLOSES.fullmatch(low, last[1], start) is not None
        since = _SINCE.search(before)
        if since is not None:
            place = start - len(before) + since.start(1)
            dates.append(Date(*folded.in_input(place, place + len("since")), "since"))
        dates.append(Date(*folded.in_input(start, end), "year", value, last[0] if closes and last else None))
        last = (len(dates) - 1, end)
        stands = _OPEN.match(low, end)
        if stands is not None:
            dates.append(Date(*folded.in_input(*stands.span(1)), "open", begins=last[0]))
        elif since is not None:
            rest = _REST.match(low, end)
            _, after = folded.in_input(start, end if rest is None else rest.end())
            dates.append(Date(after, after, "open", begins=last[0]))
    for start, end, *_ in births(folded, layout_of(folded)):
        age = _AGE.search(low, start, end)
        if age is not None and re.search(r"\d{4}", low[start:end]) is None:
            dates.append(Date(*folded.in_input(*age.span()), "age", int(age[0])))
    return tuple(dates)


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
    """Return the stretch of time that ends last, of those the one that begins last."""
    return max(_ranges(dates), key=lambda place: (place[3] or 9999, place[2]), default=None)


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
            yield date.start, date.end, f"{' to ' if date.start == date.end else ''}{until + years}"
        else:
            yield _written(date, years)


def lengthened(dates: Sequence[Date], years: int) -> Iterator[Edit]:
    """Yield the edits that move every date but the end of the time that ends last: the experience grows.

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
    """Return the edits that leave a break before the time that ends last, and its years.

    None without such a time, or where another goes on into it.

    >>> text = "Chef, 2012 - 2019. Cook, 2004 - 2012"
    >>> with_break(dates_of(text), 2)
    ([(25, 29, '2002'), (32, 36, '2010')], (2010, 2012))
    """
    latest = _latest(dates)
    if latest is None:
        return None
    first, last, start, _ = latest
    if any(begins != first and (end or start + 1) > start for begins, _, _, end in _ranges(dates)):
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
