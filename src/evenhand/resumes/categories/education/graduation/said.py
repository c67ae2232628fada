"""What says of a year that it is one of study: `Class of`, `Year of passing:`, `left Hull College in`."""

from bisect import bisect_left
from collections.abc import Sequence

from evenhand.patterns import lazy_re

__all__ = ["is_of_a_school", "is_said"]

#: What says of the very next year that it is one of study.
_SAYS = lazy_re(
    r"\b(?:(?:expected|anticipated|projected|estimated) (?:graduation|completion|to graduate|degree)(?: date)?(?: in)?"
    r":? *(?:[a-z]{3,9}\.? )?|(?:year of (?:passing|graduation|completion)|passing year|passed out(?: in)?|"
    r"school[- ]leaving(?: certificate)?|matric):? *(?:[a-z]{3,9}\.? )?"
    r"|(?:years?|dates?) (?:completed|finished|graduated|awarded|conferred|obtained|passed)[\"']?[ ]?[:=|\t][ \"']*"
    r"|\b(?:award|degree|qualification|course|diploma)[\"']?[ ]?[:=][^\n|:]{2,60}[|;,/][ ]*[\"']?(?:completed|finished|"
    r"awarded|graduated|conferred|obtained|years?|dates?)[\"']?[ ]?[:=][ \"']*(?:[a-z]{3,9}\.? |\d\d?/)?"
    r"|(?:years?|dates?|period|time|terms?) (?:attended|of (?:study|attendance|studies)|studied|enrolled|"
    r"at (?:school|university|college))[: \t|(]*(?:from |since |completed in )?(?:[a-z]{3,9}\.? |\d\d?[/.])?"
    r"|finish\w* (?:at|from|with) (?:[a-z][\w'.&-]*,? ){1,6}in |"
    r"(?:studied|trained|qualified|enrolled|read \w+) at (?:[a-z][\w'.&-]* ){1,5}(?:and|then) (?:finished|left|"
    r"graduated|qualified|completed) in |\b(?:alum|alumna|alumnus|graduate of [\w' ]{3,40}),? ?"
    r"|(?:finish|leav|left|start|enter|attend|complet)\w* (?:[a-z][\w'.&-]* ){0,5}"
    r"(?:school|university|college|uni|universidad|universitat|institute|polytechnic)(?: (?!in )[\w'-]+){0,5} in "
    r"|(?:class|batch|cohort|intake|promotion|promocion|promo|jahrgang|year group|generacion|turma|leva)"
    r"(?: of| de| del| da)?:? *(?:the )?(?:spring |fall |summer |may |june )?)'?$"
)
_SAID_AFTER = lazy_re(r" (?:graduating class|graduates? (?:of|from)|alumn\w+ (?:of|from)|(?:batch|cohort|intake)\b)")
#: A label of the year alone on its line: `grad;2010`, and `Year: 2010` under one of a degree or a school.
_LABELLED = lazy_re(
    r"(?:^|\n)[ \t>*|-]*(?:(?:grad(?:uated|uation)?(?:[ _](?:years?|date))?|years? (?:of study|studied)|study years?)"
    r"[ ]*[;:=|\t][ ]*|[^\n]{0,12}(?:qualification|degree|course|program(?:me)?|school|university|college|certificate|"
    r"institution|diploma|award|certificate)[ ]*[:;=|][^\n]{1,80}\n[ \t>*|-]*(?:years?|dates?|period|"
    r"completed|finished|graduated|attended|when|from)[ ]*[:;=|][ ]*)"
    r"(?:[a-z]{3,9}\.? |\d\d?[/.])?$"
)
#: What somebody did at a school, up to its name and on from it: `From 2013 on I was at`, `took a course at X in`.
_AT_SCHOOL = lazy_re(
    r"\b(?:course|training|exams?|diploma|certificate|foundations?|base|laid|studied|attended|left|finished|went to|"
    r"was|were|terms? of [a-z]+|lessons)(?: (?:at|of|from))? (?:the )?(?=[^.;\n]{4,80},? "
    r"(?:which (?:i|he|she|they|we) )?(?:(?:and )?(?:left|finished|completed|ended)(?: it)? )?(?:in|until|till) $)"
)
_ON_AT_SCHOOL = lazy_re(r" on,? (?:i|he|she|they|[a-z]+) (?:was|studied|learned|was enrolled) at (?:the )?")
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
        _SAYS.search(low, max(line, year - _FAR), year) is not None
        or _SAID_AFTER.match(low, year + _DIGITS) is not None
        or _LABELLED.search(low, max(0, year - 2 * _FAR), year) is not None
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
    places = [match.end() for match in _AT_SCHOOL.finditer(low, begin, year)]
    after = _ON_AT_SCHOOL.match(low, year + _DIGITS)
    places += [after.end()] if after is not None else []
    return any(bisect_left(named, place) < bisect_left(named, place + 1) for place in places)
