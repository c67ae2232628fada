"""Years of study as whole dates: months, days and seasons beside them, both ends of a range as one."""

import re

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.columns import parts_in_lines
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.word_tables import WordTable

__all__ = ["GRADUATION_WORDS", "whole_dates"]

GRADUATION_WORDS = WordTable("evenhand.resumes.categories.education.graduation", "graduation.toml")

_AFTER = lazy_re(r"[./][01]\d(?:[./][0-3]\d)?(?![\w./])|-[01]\d(?:-[0-3]\d)?(?![\w-])")
#: Between the ends of a range.
_UNTIL = lazy_re(r"\s*(?:-|/|\bto\b|\btill?\b|\buntil\b|\bbis\b|\ba\b|\bau\b|\bal\b|\bdo\b)\s*")
_LONGEST = 40


def whole_dates(folded: FoldedText, years: list[Found]) -> list[Found]:
    """Return dates for years: months and days beside them belong to them, a range is one.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("from Sept 2003 to June 2005, 10/2009")
    >>> years = [Found(place, place + 4, "GRADYEAR", "said", 0.9) for place in (10, 23, 32)]
    >>> [seen.text[found.start : found.end] for found in whole_dates(seen, years)]
    ['Sept 2003 to June 2005', '10/2009']
    """
    low = folded.low
    dates: list[Found] = []
    for year in years:
        last = dates[-1] if dates else None
        floor = last.end if last is not None else 0
        if year.start < floor:
            continue
        start = _begin(low, floor, year.start)
        after = _AFTER.match(low, year.end) or GRADUATION_WORDS.after_abroad.match(low, year.end)
        end = after.end() if after is not None else year.end
        if last is not None and _UNTIL.fullmatch(low, last.end, start) is not None:
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
