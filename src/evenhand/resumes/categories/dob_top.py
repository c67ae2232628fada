"""Dates of birth without a label: a full date of a person's lifetime that stands by itself above the first section.

`Jane Doe · Leeds · 12 December 1979`, a line `12.8.1978 in Slough`. Dates of letters are of later years.
"""

import re
from collections.abc import Collection, Iterator

from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain

__all__ = ["dates_on_top"]

_YEAR = r"(?:19[4-9]\d|200\d)"
_DATE = re.compile(
    rf"\d{{1,2}}[./-]\d{{1,2}}[./-]{_YEAR}\b|{_YEAR}-\d\d-\d\d\b"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?P<after>[a-z]{{3,12}})\.? {_YEAR}\b"
    rf"|(?P<before>[a-z]{{3,12}})\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}\b"
)
_BEFORE = re.compile(r"(?:^|[|\u00b7\u2022;,/]|[ ]{2}|\t|(?<!\d)[ ]-|^[*\u2022#>-])[ ]*[*\u2022]?[ ]*$")
_AFTER = re.compile(r"[ ]*(?:$|[|\u00b7\u2022;,/]|[ ]{2}|\t|-[ ](?!\d)|in[ ](?P<town>[^\W\d_]))")
_TOWN = re.compile(
    r"[A-Z][\w'.-]+(?:[ ](?:[A-Z][\w'.-]+|de|la|am|an der|upon)){0,3}(?:,[ ][A-Z][\w'.-]*(?:[ ][A-Z]\w+)?)?"
)
_LINES, _LONGEST = 10, 160


def dates_on_top(plain: Plain, layout: Layout, months: Collection[str]) -> Iterator[tuple[int, int]]:
    r"""Yield where a birth date stands without a label, and the town behind `in`.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Jane Doe\nLeeds · 12 March 1979 in Hull\nLeeds, 3 May 2021\n\nProfile\nA nurse.")
    >>> [seen.text[slice(*each)] for each in dates_on_top(seen, layout_of(seen), {"march", "may"})]
    ['12 March 1979', 'Hull']
    """
    low = plain.low
    for line in layout.lines[:_LINES]:
        if line.end - line.start > _LONGEST:
            return
        for match in _DATE.finditer(low, line.start, line.end):
            month = match.group("after") or match.group("before")
            if month is not None and month not in months:
                continue
            if _BEFORE.search(low[line.start : match.start()]) is None:
                continue
            after = _AFTER.match(low[match.end() : line.end])
            if after is None:
                continue
            yield match.span()
            if after.group("town"):
                town = _TOWN.match(plain.text, match.end() + after.start("town"), line.end)
                if town is not None:
                    yield town.span()
