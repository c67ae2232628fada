"""Ages and birth places after labels, in cards without colons too; ages in words.

`Age last birthday: 47`, `PLACE OF BIRTH Odesa`, `BORN_IN<tab>Kumasi`, `I am fifty-two`, `in my late forties`.
"""

import re

from evenhand.resumes.categories.study import kind_of
from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain

__all__ = ["ages_in_words", "ages_labelled", "birthplaces"]

_AGE_LABEL = re.compile(
    r"(?:(?:my|current|present|actual|exact|candidate(?:'s)?|applicant(?:'s)?|your) )?age"
    r"(?: (?:at|on|as|of|in|my|last|next|nearest|this|birthday|years?|completed|now|today|present|date|application|"
    r"interview|\(.{1,24}\)|\d{1,4}))+|(?:age|years) (?:of age|in years)|age in (?:full )?years|alter in jahren|edad "
    r"actual|age actuel|eta attuale"
)
_AGE_VALUE = re.compile(
    r"\(?((?:1[6-9]|[2-7]\d|8[0-5])(?:[ -]?(?:years?|yrs?\.?|y/?o|jahre|ans|anos|anni)(?:[ -]old)?)?)\b(?!\s?(?:-|"
    r"to) ?\d|[+%/])"
)
_PLACES_LISTED = (
    "born in|born at|born|birthplace|birth place|place of birth|city of birth|town of birth|birth city|birth town|"
    "pob|p.o.b|p.o.b.|place/date of birth|city and country of birth|place and country of birth|town and country of "
    "birth|place born|where born|birth country|place of birth (city)|place of birth (town)|place of birth (city, "
    "country)|lieu de naissance|ne a|nee a|geburtsort|geboren in|lugar de nacimiento|nacido en|nacida en|luogo di "
    "nascita|nato a|nata a|local de nascimento|naturalidade|natural de|geboorteplaats|miejsce urodzenia|fodested|"
    "fodelseort|syntymapaikka|misto narozeni|miesto narodenia|locul nasterii|szuletesi hely|dogum yeri|tempat lahir|"
    "noi sinh|birth location|location of birth|nato/a a|ne(e) a|ne/e a|mesto rojstva|mjesto rodenja|mesto rodjenja|"
    "misto narodeni|dzimsanas vieta|sunnikoht|gimimo vieta|faedingarstadur|vendlindja|lugar de nascimento|local e data "
    "de nascimento|lloc de naixement|zodiac|zodiac sign|star sign|sternzeichen|signe astrologique|signo zodiacal|"
    "district of birth|province of birth|state of birth|region of birth|village of birth|ville de naissance"
)
_PLACES = frozenset(_PLACES_LISTED.split("|"))
_GATES = frozenset(
    {"born", "birth", "birthplace", "birthday", "pob", "geburtsort", "naissance", "nacimiento", "nascita", "nascimento",
     "naturalidade", "geboorteplaats", "urodzenia", "lahir", "fodested", "fodelseort", "narozeni"}
)  # fmt: skip
#: A label at a line's start, without a colon: what follows is its value if the line ends with it.
_CARD = re.compile(
    r"^[ \t|*#>•-]*(?P<label>age (?:at |on )?(?:last|next) birthday|place of birth|birthplace|birth place|born in|"
    r"city of birth|town of birth|country of birth|geburtsort|lieu de naissance|lugar de nacimiento|luogo di nascita)"
    r"[ \t]*[-:|=.\t]*[ \t]+(?P<value>[^\n|]{2,40}?)[ \t|]*$",
    re.MULTILINE,
)
_PLACE = re.compile(
    r"[^\W\d_][\w'.-]*(?:[ ][^\W\d_][\w'.-]*){0,4}(?:,[ ]?[^\W\d_][\w'.-]*(?:[ ][^\W\d_][\w'.-]*){0,2}){0,2}"
)
_STOP = re.compile(
    r"[ ](?:on|in|and|but|to|raised|with|who|where|since|i|he|she|now|am|um|le|el|il)[ ]|[ ](?=\()|\.(?:\s|$)"
)
_NO_PLACE = re.compile(r"(?:the|a|an|my|our|out|and|of|to|from|response|partnership|n/a|none|yes|no|on|in)\b")
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy)"
_ONES = r"(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
_SPELLED = re.compile(
    rf"\b(?:(?:aged?|i am|i'm|i am now|turn(?:ed|ing)?|turning|at the age of|age of|he is|she is|just turned) )"
    rf"(?P<age>(?:(?:nine|eigh|seven|six)teen|{_TENS}{_ONES})(?:[ -]years?[ -](?:old|of age|young))?)"
    rf"(?=[ ]*(?:[.,;:!)\n]|$|and\b|but\b|this\b|last\b|next\b|in\b|years\b|now\b))"
    rf"|\b(?P<old>{_TENS}{_ONES}[ -]years?[ -](?:old|of age|young))\b(?! (?:\w+ )?(?:company|firm|school|building|"
    rf"house|tradition|bridge|business|club|plant|machine|church|system))"
    rf"|\bin (?:my|her|his) (?P<decade>(?:early |mid[ -]?|late )?(?:teens|twenties|thirties|forties|fifties|sixties|"
    rf"seventies|20s|30s|40s|50s|60s|70s))\b(?=[ ]*(?:[.,;:!)\n]|$|(?:and|but|when|with|now|who|while|i|she|he)\b))"
    rf"|\b(?:my|her|his) (?P<nth>(?:[2-7]\d(?:st|nd|rd|th)|twentieth|thirtieth|fortieth|fiftieth|sixtieth|"
    rf"seventieth)) birthday\b"
)
_SPELLED_GATES = frozenset(
    ["teens", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighteen", "nineteen", "seventeen", "sixteen",
     "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "20s", "30s", "40s", "50s", "60s", "70s",
     "birthday"]
)  # fmt: skip


def ages_labelled(plain: Plain, layout: Layout) -> list[tuple[int, int]]:
    r"""Return ages after labels of several words.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Age last birthday: 47\nAge of the plant: 30")
    >>> [seen.text[start:end] for start, end in ages_labelled(seen, layout_of(seen))]
    ['47']
    """
    found = []
    for field in layout.fields:
        if "age" in field.label or "alter" in field.label or "edad" in field.label or "eta" in field.label:
            value = _AGE_VALUE.match(plain.low, field.start, field.end)
            if value is not None and _AGE_LABEL.fullmatch(field.label) is not None:
                found.append(value.span(1))
    if "birthday" in plain.where:
        for card in _CARD.finditer(plain.low):
            value = _AGE_VALUE.match(plain.low, card.start("value")) if card["label"].startswith("age") else None
            if value is not None:
                found.append(value.span(1))
    return sorted(set(found))


def birthplaces(plain: Plain, layout: Layout) -> list[tuple[int, int]]:
    r"""Return birth places after labels.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Born in: Daegu\nPLACE OF BIRTH Odesa\nBorn in Leeds, she paints.")
    >>> [seen.text[start:end] for start, end in birthplaces(seen, layout_of(seen))]
    ['Daegu', 'Odesa']
    """
    if _GATES.isdisjoint(plain.where) and not any(field.label in _PLACES for field in layout.fields):
        return []
    spans = [(field.start, field.end) for field in layout.fields if field.label in _PLACES]
    for card in _CARD.finditer(plain.low):
        written = plain.text[card.start("label") : card.end("label")]
        if not card["label"].startswith("age") and (
            written.isupper() or _NAMES.fullmatch(plain.text, *card.span("value")) is not None
        ):
            spans.append(card.span("value"))
    found = []
    for start, end in spans:
        place = _PLACE.match(plain.low, start, end)
        if place is None or _NO_PLACE.match(plain.low, start) is not None or not _is_place(plain.text, place, end):
            continue
        stop = _STOP.search(plain.low, start, place.end() + 1)
        last = stop.start() if stop is not None else place.end()
        if last > start + 1:
            found.append((start, last))
    return sorted(set(found))


#: What a place is written with: capitals, and small links.
_NAMES = re.compile(
    r"(?:[A-Z][\w'.-]*|[^\x00-\x7f]+|of|de|la|del|le|upon|am|an der)"
    r"(?:,?[ -](?:[A-Z][\w'.-]*|of|de|la|del|le|upon|am)){0,4}"
)


def _is_place(text: str, place: re.Match[str], end: int) -> bool:
    """Say whether a value can be a place: no month, no job, in capitals where its line has any."""
    word = place.group().split(" ")[0].strip(".,")
    rest = text[place.end() : end].strip(" .,;)|\"'")
    if kind_of(word) in {"work", "firm"} or len(rest) > _LONGEST_REST:
        return False
    line = text[text.rfind("\n", 0, place.start()) + 1 : end]
    return not text[place.start()].islower() or line.islower()


_LONGEST_REST = 30


def ages_in_words(plain: Plain) -> list[tuple[int, int]]:
    """Return ages in words.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("I am fifty-two and in my late career; turned forty last May; fifty years of trade")
    >>> [seen.text[start:end] for start, end in ages_in_words(seen)]
    ['fifty-two', 'forty']
    """
    if _SPELLED_GATES.isdisjoint(plain.where):
        return []
    return [match.span(match.lastgroup or 0) for match in _SPELLED.finditer(plain.low)]
