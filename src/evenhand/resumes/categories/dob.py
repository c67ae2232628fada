"""DOB: dates of birth, ages, and birth places after a label, by option.

Kept: all other dates, years of experience, ages of programmes, machines and children taught.
"""

import re

from evenhand.resumes.categories.columns import cells_below, parts_in_lines
from evenhand.resumes.categories.dob_cards import ages_in_words, ages_labelled, birthplaces
from evenhand.resumes.categories.dob_told import ages_beside, places_beside
from evenhand.resumes.categories.dob_top import dates_on_top
from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

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
_DATE = re.compile(
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
_BETWEEN = re.compile(r"[/&.,:;=|>*()\[\]\-\s_]*(?:[a-z/&.'-]+[,:;()|\s=_-]*){0,8}?")
#: The year of a date that a line's end cuts off.
_YEAR_BELOW = re.compile(r"[ ,.]*\n[ >|]*((?:19|20)\d\d)\b")
#: What else happens in a year that is told after a birth.
_HAPPENED = re.compile(
    r"\w[.;] |\b(?:married|moved|worked|joined|studied|graduated|living|since|until|came|left|founded|started|went)\b"
)
_LABEL_WIDTH = 60
_STAR = re.compile(r"(?<![\w*])\*[ ]?(\d{1,2}\.[ ]?(?:\d{1,2}\.|[a-z]{3,9})[ ]?(?:19[4-9]\d|200\d))\b")
#: What else is born: `The company, born in 2011`.
_NO_PERSON = re.compile(
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
_AGE_VALUE = re.compile(
    rf"(?:\w{{4,6}}[ ]?/[ ]?)?\(?(\d{{2}}(?:[ -]?{_YEARS_OLD}(?:[ -](?:old|alt|oud))?)?)\b(?!\s?(?:-|to) ?\d|\+|%)"
)
_AGES = frozenset(map(str, range(16, 86)))
_AGE_BEFORE = re.compile(
    r"(?:\baged?[ ]?[:=-]?[ ]?|\b(?:i am|i'm|i m|s?he is|s?he's) (?:now |currently |only |just )?|"
    r"\bturn(?:ed|ing|s)? |\bage of |\bat )\Z"
)
#: What happened at an age: it is no age of now.
_HAPPENED_AT = re.compile(
    r"\b(?:diagnos\w+|lost|losing|deaf\w*|blind\w*|stroke|cancer|injur\w+|transplant\w*|acquired|implant\w*|accident|"
    r"amputat\w+|paraly[sz]\w+|adhd|autis\w+|dyslexi\w+|epilep\w+|diabet\w+|married|widowed|divorced|orphaned|"
    r"adopted|emigrat\w+|arrived|converted|came out)\b[^.;\n]{0,40}\bat \Z"
)
#: What may follow an age, by what stands before it.
_AGE_AFTER = {
    "age": re.compile(
        r"(?![ ]?(?:-|to|and(?! (?:in (?:good|great|full|excellent|fine|my)|fit|still|healthy|well|keen|ready|"
        r"full|free|active|able|happy|single|married|energetic|proud|looking|eager|willing|never|with|not|a|never)\b)|"
        r"\+|%|\.\d|students|children|groups?|plus|or)(?!\w))"
    ),
    **dict.fromkeys(("i", "he", "she"), re.compile(r"(?=[ ]*(?:[.,;!\n]|and\b|but\b|with\b|years? of age|$))")),
    "turn": re.compile(r"(?=[ ]*(?:[.,;!\n]|this|last|next|in\b|on\b|and\b|soon|recently|years?|$))"),
    "at": re.compile(r",? (?=(?:i|she|he)\b)"),
}
_OLD = re.compile(
    r"[- ](?:years?|yrs?)[- ](?:old|of age|young)\b(?!s)|[ ]?(?:y/?o|yo|yrs? old)\b"
    r"| (?:years?|yrs)(?=[ ]?[,;/|][ ]?(?:married|single|unmarried|divorced|separated|widow|male|female|nationality|"
    r"born|no children|two children|one child))"
)
_OF_A_THING = re.compile(
    r"(?: [a-z-]+)? (?:plant|code|codebase|company|firm|business|building|bridge|system|software|machine|house|brand|"
    r"start-?up|institution|program(?:me)?|organi[sz]ation|school|university|newspaper|magazine|network|tradition|"
    r"vines?|trees?|whisky|wine|app|application|platform|product|fleet|equipment|pipe\w*|infrastructure|database|tower|"
    r"practice|charity|museum|theatre|theater|festival|hotel|restaurant|ships?|vessel|aircraft|site|facility|record|"
    r"backlog|process|contract|case|conflict|problem|bug|pupils?|students?|children|child|boys?|girls?|patients?|"
    r"players?|learners?|kids?|class|group|team|technology|tech|method|data|library|factory|mill|veterans?|bakery|"
    r"shop|store|farm|winery|brewery|forest|orchard|car|truck|bus)(?:s|es)?\b"
)
_OTHERS = re.compile(
    r"\b(?:children|students|patients|pupils|adults|clients|company|firm|codebase|system|for|to|over|kids|boys|girls|"
    r"players|teens|people|users|customers|participants|athletes|learners|machin\w+|equipment|buildings?|bridges?|"
    r"boilers?|pipes?|pipelines?|pumps?|presses|lathes?|vehicles?|trucks?|trees?|vines|roofs?|lifts?|servers?|software|"
    r"code|wiring|trams?|trains?|ships?|aircraft)\b[^.\n]{0,20}$"
)


def births(plain: Plain, layout: Layout) -> list[Found]:
    """Return births and ages; the date and the place beside it, not the label.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("male, DOB 12/04/1991, at Acme since 04/2012")
    >>> [seen.text[found.start:found.end] for found in births(seen, layout_of(seen))]
    ['12/04/1991']
    """
    low = plain.low
    dates = _after_words(plain)
    found = [_birth(*part, "date of birth", 0.95) for date in dates for part in parts_in_lines(low, *date)]
    ages = (*ages_labelled(plain, layout), *ages_in_words(plain), *ages_beside(plain))
    found += [_birth(*age, "age", 0.93) for age in ages]
    found += [_birth(*place, "birth place", 0.9) for place in birthplaces(plain, layout)]
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
    found += [_birth(*date, "on top", 0.85) for date in dates_on_top(plain, layout, _MONTHS)]
    stars = [match.span(1) for match in _STAR.finditer(low)] if "*" in low else []
    found += [_birth(*star, "star", 0.85) for star in stars]
    dates += stars
    found += [_birth(*place, "birth place", 0.9) for place in places_beside(plain, sorted(set(dates)))]
    for place in plain.places(_AGE_LABELS):
        cell = next(cells_below(low, *plain.words[place][1:]), None)
        age = _AGE_VALUE.fullmatch(low, *cell) if cell is not None else None
        if age is not None:
            found.append(_birth(*age.span(1), "age", 0.95))
    for place in plain.places(_AGES):
        _, start, end = plain.words[place]
        last = _age_end(low, start, end)
        if last:
            found.append(_birth(start, last, "age", 0.85))
    return found


def _birth(start: int, end: int, rule: str, confidence: float) -> Found:
    return Found(start=start, end=end, category="DOB", rule=rule, confidence=confidence)


def _after_words(plain: Plain) -> list[tuple[int, int]]:
    """Return dates after words of birth; a company is born too."""
    dates = [
        (start, _date_below(plain.low, start, end) or _date_after(plain.low, end, within=word in _SHORT))
        for start, end, word in _births(plain)
    ]
    return [
        date
        for start, date in dates
        if date is not None and _NO_PERSON.search(plain.low, max(0, start - 30), start) is None
    ]


def _age_end(low: str, start: int, end: int) -> int:
    """Return where an age ends that begins with these digits, 0 where they are none."""
    old = _OLD.match(low, end)
    if old is not None:
        return 0 if _is_others(low, start, old.end()) else old.end()
    before = _AGE_BEFORE.search(low, max(0, start - 24), start)
    if before is None or low[start - 1] in "-+.,$":
        return 0
    if before.group().startswith("at") and _HAPPENED_AT.search(low, max(0, start - 60), start) is not None:
        return 0
    after = next(pattern for begin, pattern in _AGE_AFTER.items() if before.group().startswith(begin))
    return end if after.match(low, end) is not None else 0


def _is_others(low: str, start: int, end: int) -> bool:
    """Say whether an age is that of a thing or of people who are taught and cared for."""
    return _OF_A_THING.match(low, end) is not None or _OTHERS.search(low, max(0, start - 30), start) is not None


def _births(plain: Plain) -> list[tuple[int, int, str]]:
    """Return where words of birth stand: each with its start and end."""
    found = [
        (*plain.words[place][1:], word)
        for word, places in plain.where.items()
        if word in _BIRTH or word.startswith(_BIRTH_BEGINS)
        for place in places
        if word not in _SHORT or not _is_state(plain.text, plain.words[place][1])
    ]
    place = plain.low.find("d.o.b")
    while place >= 0:
        found.append((place, place + 5, "dob"))
        place = plain.low.find("d.o.b", place + 5)
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
_YEAR_ALONE = re.compile(r"\.[ ]*\n[ ]*((?:19[3-9]|200)\d)[ ]*(?=\n|$)")


_FARTHEST = 240


def _date_below(low: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the date under a word of birth in the left of two columns."""
    line_end = low.find("\n", end) % (len(low) + 1)
    beside = _first_date(low, end, min(line_end, end + _FARTHEST))
    if beside is not None and not low[end : beside[0]].strip(" :.=*-"):
        return None
    for cell in cells_below(low, start, end):
        date = _first_date(low, *cell)
        if date is not None and date[0] == cell[0]:
            return date
    return None


#: What a word of birth ends with for a woman or a man: `N\u00e9(e) le`, `Nato/a il`.
_OR = r"(?:\((?:e|a)\)|[/\u00b7.-](?:nee|nata|ne|nato|e|a)\b)?"
_NEXT = re.compile(
    _OR + r"\.?[ ]*:?[ ]*(?:(?:le|en|a|il|am|dnia|tgl|ngay|el)(?:[ ]*:[ ]*|[ ]+)|a [a-z]+,? (?:il|le|el|em) )?"
)


#: A day of the year: `Birthday: 12 May`, `DOB (MM/DD): 12/13`.
_DAY = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:of |de )?([a-z]{3,12})|([a-z]{3,12})[ -]\d{1,2}(?:st|nd|rd|th)?)\b"
    r"|((?:[12]?\d|0\d|3[01])[ ]?[./-][ ]?(?:[12]?\d|0\d|3[01])\.?)(?=[ ]*(?:$|[\n|;,(\"<}]|[ ]{2}))"
)


def _is_label(label: str) -> bool:
    return label in {"d.o.b", "d.o.b.", "ttl"} or any(
        word in _BIRTH - _SHORT or word.startswith(_BIRTH_BEGINS) for word in _LABEL_WORDS.findall(label)
    )


_LABEL_WORDS = re.compile(r"[a-z]+")


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
