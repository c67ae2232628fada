"""Years of study as whole dates: months, days and seasons beside them, both ends of a range as one."""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.columns import parts_in_lines
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["MONTH", "whole_dates"]

#: Months and seasons in plain letters, with what may end a short form.
MONTH = (
    r"(?:jan(?:uary|uar|vier|v)?|febr?(?:uary|uar)?|fevr?(?:ier)?|mar(?:ch|s|zo|zec|ca)?|maerz|marz|mrt|maart|apr(?:il|ile)?|"
    r"avr(?:il)?|abr(?:il)?|may|mai|mayo|maio|mei|maj|maggio|june?|juni|juin|junio|junho|giugno|july?|juli|juil(?:let)?|"
    r"julio|julho|luglio|aug(?:ust|ustus|usti)?|aout|ago(?:sto)?|sept?(?:ember|embre|iembre|tiembre)?|set(?:embro|tembre)?|"
    r"[ou][ck]t(?:ober|obre|ubre)?|out(?:ubro)?|ottobre|nov(?:ember|embre|iembre|embro)?|de[czs](?:ember|embre|iembre|embro)?|"
    r"dic(?:iembre|embre)?|enero|ene|febrero|febbraio|fevereiro|janeiro|gennaio|marzo|marco|aprill|"
    r"styczen|stycznia|luty|lutego|kwiecien|kwietnia|maja|czerwiec|czerwca|lipiec|lipca|sierpien|sierpnia|wrzesien|"
    r"wrzesnia|pazdziernik|pazdziernika|listopad|listopada|grudzien|grudnia|ocak|subat|mart|nisan|mayis|haziran|"
    r"temmuz|agustos|eylul|ekim|kasim|aralik|spring|summer|autumn|fall|winter|michaelmas|hilary|trinity|lent|mid|early|late|end)"
)
_DAY = r"(?:[0-3]?\d(?:st|nd|rd|th|er|\.)?)"
_OPEN = r"(?<![\w.:,/$-])"
#: What of a date stands before its year: `14 June`, `June 28,`, `10/`, `Sept - June`, `'`.
_BEFORE = lazy_re(
    rf"{_OPEN}(?:{_DAY}[ ]?(?:of |de )?)?(?:{MONTH}\.?[ ]?(?:-|/|to)[ ]?)?{MONTH}\.?(?:[ ]{_DAY})?,?"
    rf"(?:[ ]?[-/][ ]?|[ ]*\n?[ ]*)(?:of |de |do |del )?'?$"
    rf"|{_OPEN}(?:[0-3]?\d[ ]?[./-][ ]?)?[01]?\d[ ]?[./-][ ]?$"
    rf"|(?<!\w)'$"
)
_MONTH_LAST = lazy_re(rf"{_OPEN}(?:{_DAY}[ ])?{MONTH}\.?(?:[ ]{_DAY})?,?$")
_AFTER = lazy_re(r"[./][01]\d(?:[./][0-3]\d)?(?![\w./])|-[01]\d(?:-[0-3]\d)?(?![\w-])")
_AFTER_ABROAD = lazy_re("[\u5e74\ub144] ?(?:\\d{1,2} ?[\u6708\uc6d4])?(?: ?\\d{1,2} ?[\u65e5\uc77c])?")
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
        after = _AFTER.match(low, year.end) or _AFTER_ABROAD.match(low, year.end)
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
    before = _BEFORE.search(low, max(floor, year - _LONGEST), year)
    if before is not None:
        return before.start()
    above = low.rfind("\n", floor, year)
    if above < 0 or low[above:year].strip():
        return year
    last = len(low[floor:above].rstrip()) + floor
    alone = _MONTH_LAST.search(low, max(floor, last - _LONGEST), last)
    return alone.start() if alone is not None else year
