"""Years of work that a text tells by dates, and how long ago the last of them ended."""

import re
from dataclasses import dataclass
from typing import Final

from evenhand.matching.reading.words import Lines
from evenhand.patterns import lazy_re

__all__ = ["Experience", "asked_years", "experience_in", "latest_date"]

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = rf"(?:(?:(?P<{{0}}>{'|'.join(_MONTHS)})[a-z]*\.?,?\s+|(?P<{{0}}n>0?[1-9]|1[0-2])[/.])?)"
_YEAR: Final = r"(?:19[5-9]\d|20\d\d)"
#: What follows the year of 2019-05 or 2019-05-31.
_ISO: Final = r"(?:-(?P<{0}i>0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?!\d))?"
_FIRST: Final = rf"{_MONTH.format('m1')}(?P<first>{_YEAR}){_ISO.format('m1')}"
_LAST: Final = rf"{_MONTH.format('m2')}(?P<last>{_YEAR}){_ISO.format('m2')}"
_RANGE: Final = lazy_re(
    rf"(?<!\d){_FIRST}\s{{0,3}}(?:-{{1,2}}|to|until|till|through)\s{{0,3}}"
    rf"(?:{_LAST}(?!\d)|(?P<open>present|now|date|today|current|ongoing)\b)"
)
_SINCE: Final = lazy_re(rf"\bsince\s+{_FIRST}(?!\d)")
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS: Final = {word: number for number, word in enumerate(_WORDS, 1)}
_NUMBER: Final = rf"(\d{{1,2}}|{'|'.join(_NUMBERS)})"
_TOLD: Final = lazy_re(rf"\b{_NUMBER}\+?\s+years")
_ASKED: Final = lazy_re(rf"\b{_NUMBER}(?:\s*(?:-|to)\s*{_NUMBER})?\+?\s+years?\b[^.\n]{{0,40}}\bexperience")
#: What a date without a month stands for: half a year, where a job begins and ends in the same one.
_SHORTEST: Final = 0.5
#: A line with dates and fewer words than this tells no job.
_FEWEST_WORDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Experience:
    """Years of work, since the last of them and in the longest gap between them; None where no date tells.

    `headings` are the numbers of the lines that tell the jobs, `latest` that of the one that ended last. Where dates
    stand in a line of their own, the line before it tells the job.
    """

    years: float | None = None
    since: float | None = None
    gap: float | None = None
    headings: tuple[int, ...] = ()
    latest: int | None = None


def experience_in(lines: Lines, *, as_of: float) -> Experience:
    r"""Return what a text tells of years of work; overlapping jobs count once, `as_of` is what 'present' means.

    >>> from evenhand.matching.reading.words import lines_of
    >>> found = experience_in(lines_of("Cook at Inn\n2010 - 2014\nChef, Jan 2013 to July 2016"), as_of=2020.0)
    >>> found.years, found.since, found.latest
    (6.5, 3.5, 2)
    """
    spans: list[tuple[float, float, int]] = []
    for number, (line, words) in enumerate(lines):
        for found in _dates_in(line):
            groups = found.groupdict()
            first = int(groups["first"]) + _part(groups, "m1")
            last = int(groups["last"]) + _part(groups, "m2") if groups.get("last") else as_of
            if first <= last <= as_of + 1:
                alone = sum(word.isalpha() for word in words) < _FEWEST_WORDS and number > 0
                spans.append((first, min(max(last, first + _SHORTEST), max(as_of, first)), number - alone))
    if not spans:
        return Experience(years=_told(lines))
    spans.sort()
    total, gap, reach = 0.0, 0.0, spans[0][0]
    for first, last, _ in spans:
        gap = max(gap, first - reach)
        total += max(0.0, last - max(first, reach))
        reach = max(reach, last)
    latest = max(spans, key=lambda span: (span[1], span[0]))[2]
    headings = tuple(dict.fromkeys(number for *_, number in spans))
    return Experience(years=total, since=max(0.0, as_of - reach), gap=gap, headings=headings, latest=latest)


def _dates_in(line: str) -> list[re.Match[str]]:
    """Return where a line tells from when to when; most lines have no year, and are not looked through."""
    if "19" not in line and "20" not in line:
        return []
    return [*_RANGE.finditer(line), *_SINCE.finditer(line)]


def latest_date(lines: Lines) -> float:
    """Return the latest date that a text names as the beginning or end of a job, 0 where there is none."""
    found = [0.0]
    for line, _ in lines:
        for each in _dates_in(line):
            groups = each.groupdict()
            found += [int(groups["first"]) + _part(groups, "m1")]
            found += [int(groups["last"]) + _part(groups, "m2")] if groups.get("last") else []
    return max(found)


def _part(groups: dict[str, str | None], name: str) -> float:
    """Return the part of the year that lies before a month."""
    word, number = groups.get(name), groups.get(f"{name}n") or groups.get(f"{name}i")
    month = _MONTHS.index(word) + 1 if word else int(number) if number else 1
    return (month - 1) / 12


def _number(text: str) -> float:
    return float(_NUMBERS.get(text) or text)


def _told(lines: Lines) -> float | None:
    """Return the years that a text without dates tells in words: 'nine years of experience'."""
    told = [_number(found[1]) for line, _ in lines for found in _TOLD.finditer(line)]
    return max(told) if told else None


def asked_years(lines: Lines) -> tuple[float | None, float | None]:
    """Return the fewest and the most years of experience that a position's text asks for.

    >>> from evenhand.matching.reading.words import lines_of
    >>> asked_years(lines_of("At least four years of experience. Two days of leave."))
    (4.0, None)
    """
    for line, _ in lines:
        found = _ASKED.search(line)
        if found is not None:
            return _number(found[1]), None if found[2] is None else _number(found[2])
    return None, None
