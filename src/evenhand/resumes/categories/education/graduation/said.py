"""What says of a year that it is one of study: `Class of`, `Year of passing:`, `left Hull College in`."""

from bisect import bisect_left
from collections.abc import Sequence

from evenhand.resumes.categories.education.graduation.dates import GRADUATION_WORDS

__all__ = ["is_of_a_school", "is_said"]

#: So far before a year what says of it that it is one of study begins.
_FAR = 80
_DIGITS = 4


def is_said(low: str, line: int, year: int) -> bool:
    """Say whether the words beside a year, in the line that begins at `line`, or a label tell that it is one of study.

    >>> low = "class of 2014, first job in 2015"
    >>> [is_said(low, 0, low.index(year)) for year in ("2014", "2015")]
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
