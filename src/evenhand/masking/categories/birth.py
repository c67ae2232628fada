"""DOB: dates of birth, ages, and birth places after a label (optional category).

Kept: all other dates, years of experience, ages of programmes, machines and children taught.
"""

import re
from collections.abc import Iterator

from evenhand.masking.categories.fields import parts_in_lines
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout
from evenhand.masking.names.word_kinds import given_names, surnames
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

BIRTH_WORDS = WordTable("evenhand.masking.categories", "dob.toml")

#: Words of birth that are words otherwise need a date in full.
_SHORT = frozenset({"ne", "nee", "nato", "nata", "ur", "b", "sinh"})
_BETWEEN = lazy_re(r"[/&.,:;=|>*()\[\]\-\s_]*(?:[a-z/&.'-]+[,:;()|\s=_-]*){0,8}?")
#: The year of a date that a line's end cuts off.
_YEAR_BELOW = lazy_re(r"[ ,.]*\n[ >|]*((?:19|20)\d\d)\b")
_LABEL_WIDTH = 60
_STAR = lazy_re(r"(?<![\w*])\*[ ]?(\d{1,2}\.[ ]?(?:\d{1,2}\.|[a-z]{3,9})[ ]?(?:19[4-9]\d|200\d))\b")

_SEX_WITH_AGE = lazy_re(r"(?<![^|,;(\n\u2022 ])(?:(\d\d)[ ]?/[ ]?[mf]|[mf][ ]?/[ ]?(\d\d))(?=[ ]*(?:$|[|)\n\u2022]))")
_LONGEST_ROW = 160
#: `Ruth is 52 years old`; a firm or a programme may be that old, too.
_AGE_OF = lazy_re(r"\b([A-Z][\w'-]+) (?:is|turned|just turned) (\d\d(?: years?(?: old| of age)|[ -]year[ -]old))\b")
#: The place of birth next to the date: `born 14 March 1986 in Tartu`.
_BIRTHPLACE = lazy_re(r"[ ]?(?:,|/|;|in|\u00e0|a|at)[ ]([A-Z][\w'-]+(?:[ ][A-Z][\w'-]+)?)(?=[ ]*(?:[.,;)|\n]|$))")
_PLACE_VALUE = lazy_re(r"[^\n|;,\d]{2,40}(?:, [^\n|;,\d]{2,30})?")


def births(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    """Return births and ages: the date and the place next to it, without the label.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("male, DOB 12/04/1991, at Acme since 04/2012")
    >>> [seen.text[match.start:match.end] for match in births(seen, layout_of(seen))]
    ['12/04/1991']
    """
    low = folded.low
    dates = _after_words(folded)
    matches = [_birth(*part, "date of birth", 0.95) for date in dates for part in parts_in_lines(low, *date)]
    for field in layout.fields:
        date = _first_date(low, field.start, min(field.end, field.start + 80)) if _is_label(field.label) else None
        if date is None and _is_label(field.label) and (day := _DAY.match(low, field.start, field.end)) is not None:
            date = day.span() if day[3] or (day[1] or day[2]) in BIRTH_WORDS.months else None
        if date is not None:
            dates.append(date)
            matches.append(_birth(*date, "labelled", 0.97))
        age: re.Match[str] | None = (
            BIRTH_WORDS.age_value.match(low, field.start, field.end) if field.label in BIRTH_WORDS.age_labels else None
        )
        if age is not None:
            matches.append(_birth(*age.span(1), "age", 0.95))
        if (
            field.label in BIRTH_WORDS.place_labels
            and (place := _PLACE_VALUE.match(low, field.start, field.end)) is not None
        ):
            matches.append(_birth(*place.span(), "birthplace", 0.9))
    matches += [
        _birth(match.start(match.lastindex or 0), match.end(match.lastindex or 0), "age", 0.88)
        for match in BIRTH_WORDS.age_said.finditer(low)
    ]
    matches += [
        _birth(*match.span(2), "age", 0.88)
        for match in _AGE_OF.finditer(folded.text)
        if match[1].lower() in given_names() or match[1].lower() in surnames()
    ]
    matches += [_birth(*span, "row", 0.85) for span in _in_rows(low)]
    stars = [match.span(1) for match in _STAR.finditer(low)] if "*" in low else []
    matches += [_birth(*star, "star", 0.85) for star in stars]
    dates += stars
    for _, end in dates:
        place = _BIRTHPLACE.match(folded.text, end)
        matches += [_birth(*place.span(1), "birthplace", 0.85)] if place is not None else []
    return matches


def _in_rows(low: str) -> Iterator[tuple[int, int]]:
    """Return dates and ages next to a sex or a marital status in a row of details."""
    done = -1
    for detail in BIRTH_WORDS.row.finditer(low):
        if detail.start() < done:
            continue
        start, end = low.rfind("\n", 0, detail.start() + 1) + 1, low.find("\n", detail.end())
        done = end = len(low) if end < 0 else end
        if end - start <= _LONGEST_ROW:
            yield from (match.span(1) for match in BIRTH_WORDS.in_row.finditer(low, start, end))
    yield from (match.span(match.lastindex or 0) for match in _SEX_WITH_AGE.finditer(low))


def _birth(start: int, end: int, rule: str, confidence: float) -> RuleMatch:
    return RuleMatch(start=start, end=end, category="DOB", rule=rule, confidence=confidence)


def _after_words(folded: FoldedText) -> list[tuple[int, int]]:
    """Return dates after words of birth; a company is born too."""
    dates = [(start, _date_after(folded.low, end, within=word in _SHORT)) for start, end, word in _births(folded)]
    return [
        date
        for start, date in dates
        if date is not None and BIRTH_WORDS.no_person.search(folded.low, max(0, start - 30), start) is None
    ]


def _births(folded: FoldedText) -> list[tuple[int, int, str]]:
    """Return words of birth: start, end and kind of each."""
    matches = [
        (*folded.words[place][1:], word)
        for word, places in folded.where.items()
        if word in BIRTH_WORDS.birth or word.startswith(BIRTH_WORDS.birth_begins)
        for place in places
        if word not in _SHORT or not _is_state(folded.text, folded.words[place][1])
    ]
    place = folded.low.find("d.o.b")
    while place >= 0:
        matches.append((place, place + 5, "dob"))
        place = folded.low.find("d.o.b", place + 5)
    return matches


def _is_state(text: str, start: int) -> bool:
    """Say whether a short word is written as a state is: `Omaha NE`."""
    before = text[max(0, start - 2) : start]
    return text[start : start + 2].isupper() and before[-1:] == " " and (before[:1].islower() or before[:1] == ",")


def _date_after(low: str, end: int, *, within: bool) -> tuple[int, int] | None:
    """Return the date after a word of birth; after a short word, the very next thing."""
    line_end = low.find("\n", end)
    last = len(low) if line_end < 0 else line_end
    if last - end < 4 and not within:
        last = min(len(low), last + _LABEL_WIDTH)  # the date is in the next line
    below = _YEAR_ALONE.match(low, end) if within else None
    if below is not None:
        return below.span(1)
    day = low[end : len(low) if line_end < 0 else line_end].strip()
    broken = _over_line(low, end, None) if day.isdigit() and len(day) <= len("31") else None
    if broken is not None:
        return broken
    date = _first_date(low, end, min(last, end + _LABEL_WIDTH))
    if date is None or not low[date[0] : date[1]][-4:].isdigit():
        date = _over_line(low, end, date)
    if date is None:
        return None
    if within:
        return date if _NEXT.fullmatch(low, end, date[0]) is not None else None
    if BIRTH_WORDS.happened.search(low, end, date[0]) is not None or _BETWEEN.fullmatch(low, end, date[0]) is None:
        return None
    return date


def _over_line(low: str, end: int, date: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return a date that its line's end breaks: `5 December` and the year below, `12/03/` and the year below."""
    if date is not None:
        year = _YEAR_BELOW.match(low, date[1])
        return date if year is None else (date[0], year.end(1))
    line_end = low.find("\n", end)
    if line_end < 0 or line_end - end > _LABEL_WIDTH or not low[end:line_end].strip(" :.=*-|\t"):
        return None
    last = min(len(low), line_end + _BROKEN)
    joined = low[end:last].replace("\n", " ", 1)
    match = _first_date(joined, 0, len(joined))
    whole = match is not None and match[0] < line_end - end < match[1]
    return (match[0] + end, match[1] + end) if match is not None and whole else None


_BROKEN = 16
#: `b.` at a line's end, and a year that is all of the next line.
_YEAR_ALONE = lazy_re(r"\.[ ]*\n[ ]*((?:19[3-9]|200)\d)[ ]*(?=\n|$)")


#: Endings of words of birth for a woman or a man: `N\u00e9(e) le`, `Nato/a il`.
_OR = r"(?:\((?:e|a)\)|[/\u00b7.-](?:nee|nata|ne|nato|e|a)\b)?"
_NEXT = lazy_re(
    _OR + r"\.?[ ]*:?[ ]*(?:(?:le|en|a|il|am|dnia|tgl|ngay|el)(?:[ ]*:[ ]*|[ ]+)|a [a-z]+,? (?:il|le|el|em) )?"
)


#: A day of the year: `Birthday: 12 May`, `DOB (MM/DD): 12/13`.
_DAY = lazy_re(
    r"(?:\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:of |de )?([a-z]{3,12})|([a-z]{3,12})[ -]\d{1,2}(?:st|nd|rd|th)?)\b"
    r"|((?:[12]?\d|0\d|3[01])[ ]?[./-][ ]?(?:[12]?\d|0\d|3[01])\.?)(?=[ ]*(?:$|[\n|;,(\"<}]|[ ]{2}))"
)


def _is_label(label: str) -> bool:
    return label in {"d.o.b", "d.o.b.", "ttl"} or any(
        word in BIRTH_WORDS.birth - _SHORT or word.startswith(BIRTH_WORDS.birth_begins)
        for word in _LABEL_WORDS.findall(label)
    )


_LABEL_WORDS = lazy_re(r"[a-z]+")


def _first_date(low: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the first date of a stretch."""
    match = BIRTH_WORDS.date.search(low, start, end)
    while match is not None and not _has_month(match):
        word = next(name for name, text in match.groupdict().items() if text)
        match = BIRTH_WORDS.date.search(low, match.end(word), end)
    return match.span() if match is not None else None


def _has_month(match: re.Match[str]) -> bool:
    """Say whether the word in a date is a month of one of the languages.

    >>> [_has_month(BIRTH_WORDS.date.match(text)) for text in ("3 mai 1988", "3 rooms 1988", "03.05.88")]
    [True, False, True]
    """
    word = match.group("after") or match.group("before") or match.group("alone")
    return word is None or word in BIRTH_WORDS.months
