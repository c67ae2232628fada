"""DOB: dates of birth, ages, and birth places after a label, by option.

Kept: all other dates, years of experience, ages of programmes, machines and children taught.
"""

import re
from collections.abc import Iterator

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.columns import parts_in_lines
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["births"]

_MONTHS_LISTED = (
    "jan january januar janvier janv enero ene januari gennaio gen janeiro stycznia styczen leden ledna ocak "
    "feb february februar fevrier fevr febrero februari febbraio fevereiro lutego luty unora subat "
    "mar march marz maerz mars marzo maart mrt marco marca marzec brezna mart "
    "apr april avril avr abril abr aprile kwietnia kwiecien dubna nisan "
    "may mai mayo mei maj maggio mag maio maja kvetna mayis "
    "jun june juni juin junio giugno giu junho czerwca czerwiec cervna haziran "
    "jul july juli juillet juil julio luglio lug julho lipca lipiec cervence temmuz "
    "aug august aout agosto ago augustus augusti sierpnia sierpien srpna agustos "
    "sep sept september septembre septiembre settembre set setembro wrzesnia wrzesien zari eylul "
    "oct october okt oktober octobre octubre ottobre ott outubro out pazdziernika rijna ekim "
    "nov november novembre noviembre novembro listopada listopad kasim "
    "dec december dez dezember decembre diciembre dic dicembre dezembro grudnia grudzien prosince aralik"
)
_MONTHS = frozenset(_MONTHS_LISTED.split())
_DATE = lazy_re(
    r"(?:the )?\d{1,2}(?:st|nd|rd|th|er|o|\.)?[ .\-/]{0,2}(?:of |de |d')?[ ]?(?P<after>[a-z]{3,12})\.?[ ,.\-/]{0,3}"
    r"(?:de |del |of )?(?:\d{4}|'?\d{2})\b|(?P<before>[a-z]{3,12})\.?[ \-/]{1,2}\d{1,2}(?:st|nd|rd|"
    r"th)?(?:,?[ \-/]{0,2}(?:\d{4}|'\d{2}))?\b|(?:19|"
    r"20)\d\d ?[\u5e74\ub144] ?\d{1,2} ?[\u6708\uc6d4](?: ?\d{1,2} ?[\u65e5\uc77c])?"
    r"|\d{1,2} \d{1,2} (?:19|20)\d\d\b"
    r"|\d{1,2} ?[./-] ?\d{1,2} ?[./-] ?(?:\d{4}|'?\d{2})\b|\d{4} ?[./-] ?\d{1,2} ?[./-] ?\d{1,2}\b"
    r"|(?P<alone>[a-z]{3,12})\.?,? (?:de |of )?(?:19|20)\d\d\b|\d{1,2}/(?:19|20)\d\d\b|\b(?:19|20)\d\d\b"
)
#: Words of birth, and beginnings of such words.
_BIRTH = frozenset(
    {"geb", "gebdat", "gebdatum",
     "ne", "nee", "nato", "nata", "ur", "b", "lahir", "sinh", "nascut", "dob", "bday", "fodt", "fodd", "fodda",
     "yob", "kapanganakan", "gimimo", "rodenja", "rodjenja", "rojstva", "nasterii", "datelindja", "kuzaliwa"}
)  # fmt: skip
_BIRTH_BEGINS = (
    "birth", "born", "gebor", "gebur",
    "naissance", "nacimiento", "nacid", "nascimento", "nascid", "nascita", "geboort", "urodz",
    "fodel", "fods", "narozen", "szulet", "dogum", "dogdu", "syntym", "syntyn", "rozhden", "jahrgang",
    "\u51fa\u751f", "\u751f\u5e74\u6708\u65e5", "\uc0dd\ub144\uc6d4\uc77c",
)  # fmt: skip
#: Words of birth that are words otherwise need a date in full.
_SHORT = frozenset({"ne", "nee", "nato", "nata", "ur", "b", "sinh"})
_BETWEEN = lazy_re(r"[/&.,:;=|>*()\[\]\-\s_]*(?:[a-z/&.'-]+[,:;()|\s=_-]*){0,8}?")
#: The year of a date that a line's end cuts off.
_YEAR_BELOW = lazy_re(r"[ ,.]*\n[ >|]*((?:19|20)\d\d)\b")
#: What else happens in a year that is told after a birth.
_HAPPENED = lazy_re(
    r"\w[.;] |\b(?:married|moved|worked|joined|studied|graduated|living|since|until|came|left|founded|started|went)\b"
)
_LABEL_WIDTH = 60
_STAR = lazy_re(r"(?<![\w*])\*[ ]?(\d{1,2}\.[ ]?(?:\d{1,2}\.|[a-z]{3,9})[ ]?(?:19[4-9]\d|200\d))\b")
#: What else is born: `The company, born in 2011`.
_NO_PERSON = lazy_re(
    r"\b(?:company|firm|start-?up|business|project|idea|brand|movement|program(?:me)?|team|initiative|club|magazine|"
    r"festival|product|platform|app|tool|network|agency|studio|label|league)\b[^.\n]{0,18}$"
    r"|\b(?:son|sons|daughter|daughters|child|children|kids?|twins|triplets|baby|boy|girl|grandson|granddaughter|"
    r"grandchild|nephew|niece|puppy|foal)(?: (?:was|were|is|are|,))?[ ,(]*$"
)
_AGE_LABELS_LISTED = (
    "age|current age|present age|my age|age/sex|age / sex|sex/age|age/gender|age & sex|alter|edad|idade|eta|leeftijd|"
    "wiek|alder|yas|usia|umur|tuoi|vek|eletkor|ika|date of birth/age|dob/age|age/dob"
)
_AGE_LABELS = frozenset(_AGE_LABELS_LISTED.split("|"))
_YEARS_OLD = r"(?:years?|yrs?\.?|jahre|ans|anos|anni|jaar|lat|ar|tahun|tuoi|yas)"
_AGE_VALUE = lazy_re(
    rf"(?:\w{{4,6}}[ ]?/[ ]?)?\(?(\d{{2}}(?:[ -]?{_YEARS_OLD}(?:[ -](?:old|alt|oud))?)?)\b(?!\s?(?:-|to) ?\d|\+|%)"
)

#: Ages in sentences and lists: `I am 34 years old`, `female, 34 years old`, `aged 29,`, `27 y/o`.
_AGE_SAID = lazy_re(
    r"\b(?:i am|i'm|he is|she is)(?: now| currently| only)? (\d\d(?: years?(?: old| of age)?)?)(?=[ ]*(?:[,.;)\n]|$))"
    r"|\b(?:i (?:am|turned)|aged?|(?<![a-z] )at|at the age of)[ ](\d\d)(?= i\b|[ ]*(?:[,.;)|\n]|$))"
    r"|(?<!were )(?<!was )(?<!is )(?<![\w-])(\d\d[ -]?(?:years?|yrs?)[ -]old|\d\d ?y/o)"
    r"(?= [a-z]+(?:man|[eo]r|ist|ian)\b|[ ]*(?:[,.;)|\n]|$))"
    r"|\b(?:fe)?male[,/ |]{1,3}(\d\d)(?=[ ]*(?:[,.;)|\n]|$))"
)
#: Details in a row without labels, one of them a sex or a marital status: `Indian | Male | 12-05-1990`, `34/M`.
_ROW = lazy_re(
    r"(?:^|[|,;/(\u2022])[ \t]*(?:male|female|single|(?:un)?married|divorced|widowed|celibataire|mariee?|verheiratet|"
    r"ledig)[ \t]*(?=$|[|,;/)\n\u2022])",
    re.MULTILINE,
)
_IN_ROW = lazy_re(
    rf"(?<![^|,;(\n\u2022])[ \t]*(\d\d(?:[ -]?{_YEARS_OLD}(?:[ -]old)?)?|(?:age[d ]*)\d\d(?:[ ]?{_YEARS_OLD})?|"
    r"\d{1,2}[./-](?:\d{1,2}|[a-z]{3,9})[./-](?:19|20)\d\d|\d{1,2} [a-z]{3,9} (?:19|20)\d\d)[ \t]*(?=$|[|,;)\n\u2022])",
    re.MULTILINE,
)
_SEX_WITH_AGE = lazy_re(r"(?<![^|,;(\n\u2022 ])(?:(\d\d)[ ]?/[ ]?[mf]|[mf][ ]?/[ ]?(\d\d))(?=[ ]*(?:$|[|)\n\u2022]))")
_LONGEST_ROW = 160
#: Where somebody was born, beside the date: `born 14 March 1986 in Tartu`.
_PLACE_BESIDE = lazy_re(r"[ ]?(?:,|/|;|in|\u00e0|a|at)[ ]([A-Z][\w'-]+(?:[ ][A-Z][\w'-]+)?)(?=[ ]*(?:[.,;)|\n]|$))")
_PLACE_LABELS = frozenset(
    {"place of birth", "birthplace", "birth place", "born in", "pob", "geburtsort", "tempat lahir"}
)
_PLACE_VALUE = lazy_re(r"[^\n|;,\d]{2,40}(?:, [^\n|;,\d]{2,30})?")


def births(folded: FoldedText, layout: Layout) -> list[Found]:
    """Return births and ages; the date and the place beside it, not the label.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("male, DOB 12/04/1991, at Acme since 04/2012")
    >>> [seen.text[found.start:found.end] for found in births(seen, layout_of(seen))]
    ['12/04/1991']
    """
    low = folded.low
    dates = _after_words(folded)
    found = [_birth(*part, "date of birth", 0.95) for date in dates for part in parts_in_lines(low, *date)]
    for field in layout.fields:
        date = _first_date(low, field.start, min(field.end, field.start + 80)) if _is_label(field.label) else None
        if date is None and _is_label(field.label) and (day := _DAY.match(low, field.start, field.end)) is not None:
            date = day.span() if day[3] or (day[1] or day[2]) in _MONTHS else None
        if date is not None:
            dates.append(date)
            found.append(_birth(*date, "labelled", 0.97))
        age = _AGE_VALUE.match(low, field.start, field.end) if field.label in _AGE_LABELS else None
        if age is not None:
            found.append(_birth(*age.span(1), "age", 0.95))
        if field.label in _PLACE_LABELS and (place := _PLACE_VALUE.match(low, field.start, field.end)) is not None:
            found.append(_birth(*place.span(), "birthplace", 0.9))
    found += [_birth(*match.span(match.lastindex or 0), "age", 0.88) for match in _AGE_SAID.finditer(low)]
    found += [_birth(*span, "row", 0.85) for span in _in_rows(low)]
    stars = [match.span(1) for match in _STAR.finditer(low)] if "*" in low else []
    found += [_birth(*star, "star", 0.85) for star in stars]
    dates += stars
    for _, end in dates:
        place = _PLACE_BESIDE.match(folded.text, end)
        found += [_birth(*place.span(1), "birthplace", 0.85)] if place is not None else []
    return found


def _in_rows(low: str) -> Iterator[tuple[int, int]]:
    """Give dates and ages beside a sex or a marital status in a row of details."""
    done = -1
    for detail in _ROW.finditer(low):
        if detail.start() < done:
            continue
        start, end = low.rfind("\n", 0, detail.start() + 1) + 1, low.find("\n", detail.end())
        done = end = len(low) if end < 0 else end
        if end - start <= _LONGEST_ROW:
            yield from (match.span(1) for match in _IN_ROW.finditer(low, start, end))
    yield from (match.span(match.lastindex or 0) for match in _SEX_WITH_AGE.finditer(low))


def _birth(start: int, end: int, rule: str, confidence: float) -> Found:
    return Found(start=start, end=end, category="DOB", rule=rule, confidence=confidence)


def _after_words(folded: FoldedText) -> list[tuple[int, int]]:
    """Return dates after words of birth; a company is born too."""
    dates = [(start, _date_after(folded.low, end, within=word in _SHORT)) for start, end, word in _births(folded)]
    return [
        date
        for start, date in dates
        if date is not None and _NO_PERSON.search(folded.low, max(0, start - 30), start) is None
    ]


def _births(folded: FoldedText) -> list[tuple[int, int, str]]:
    """Return where words of birth stand: each with its start and end."""
    found = [
        (*folded.words[place][1:], word)
        for word, places in folded.where.items()
        if word in _BIRTH or word.startswith(_BIRTH_BEGINS)
        for place in places
        if word not in _SHORT or not _is_state(folded.text, folded.words[place][1])
    ]
    place = folded.low.find("d.o.b")
    while place >= 0:
        found.append((place, place + 5, "dob"))
        place = folded.low.find("d.o.b", place + 5)
    return found


def _is_state(text: str, start: int) -> bool:
    """Say whether a short word is written as a state is: `Omaha NE`."""
    before = text[max(0, start - 2) : start]
    return text[start : start + 2].isupper() and before[-1:] == " " and (before[:1].islower() or before[:1] == ",")


def _date_after(low: str, end: int, *, within: bool) -> tuple[int, int] | None:
    """Return the date after a word of birth; after a short word, the very next thing."""
    line_end = low.find("\n", end)
    last = len(low) if line_end < 0 else line_end
    if last - end < 4 and not within:
        last = min(len(low), last + _LABEL_WIDTH)  # the date stands on the next line
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
    if _HAPPENED.search(low, end, date[0]) is not None or _BETWEEN.fullmatch(low, end, date[0]) is None:
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
    found = _first_date(joined, 0, len(joined))
    whole = found is not None and found[0] < line_end - end < found[1]
    return (found[0] + end, found[1] + end) if found is not None and whole else None


_BROKEN = 16
#: `b.` at a line's end, and a year that is all of the next line.
_YEAR_ALONE = lazy_re(r"\.[ ]*\n[ ]*((?:19[3-9]|200)\d)[ ]*(?=\n|$)")


#: What a word of birth ends with for a woman or a man: `N\u00e9(e) le`, `Nato/a il`.
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
        word in _BIRTH - _SHORT or word.startswith(_BIRTH_BEGINS) for word in _LABEL_WORDS.findall(label)
    )


_LABEL_WORDS = lazy_re(r"[a-z]+")


def _first_date(low: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the first date of a stretch."""
    match = _DATE.search(low, start, end)
    while match is not None and not _has_month(match):
        word = next(name for name, text in match.groupdict().items() if text)
        match = _DATE.search(low, match.end(word), end)
    return match.span() if match is not None else None


def _has_month(match: re.Match[str]) -> bool:
    """Say whether the word in a date is a month of one of the languages.

    >>> [_has_month(_DATE.match(text)) for text in ("3 mai 1988", "3 rooms 1988", "03.05.88")]
    [True, False, True]
    """
    word = match.group("after") or match.group("before") or match.group("alone")
    return word is None or word in _MONTHS
