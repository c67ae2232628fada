"""DOB: places after a date of birth, ages that stand alone or beside a sex, ages in words at a line's start.

`Geburtsdatum: 23/09/1986, Chicago`, `BORN ON MAY 4, 1992 IN HOMS`, `Birthday 14.02.1993, birthplace Gdynia`,
`Female, 34, single`, `34 ans, célibataire`, `Forty-something`. Kept: what else follows a date, years of experience.
"""

import re

from evenhand.resumes.plain import Plain

__all__ = ["ages_beside", "places_beside"]

_NAME = r"[^\W\d_][\w'.-]*(?:[ -][^\W\d_][\w'.-]*){0,3}?"
#: A place behind a date, with its country, to the end of its part of the line.
_BEHIND = re.compile(
    rf"(?:,?[ ](?:in|at|a|en|em|i|w|te|v|la|zu|near)[ ]|[ ]?[,/|][ ]?|[ ]?\(|[ ]-[ ])(?P<place>{_NAME})"
    r"(?:,[ ]?(?P<country>[^\W\d_][\w'.-]*(?:[ ][^\W\d_][\w'.-]*)?))?"
    r"(?=[ ]*(?:$|[|;)\n\"<,]|\.(?:\s|$)|  )|[ ](?:and|but|where|to|in|as|i|he|she|from|now|with|while|raised|on)\b)"
)
#: A place before its date: `Nato a Torino il`, `Lugar y fecha de nacimiento: Bogotá,`.
_BEFORE = re.compile(
    rf"(?:[ ](?:in|at|a|en|em|i|w|te|v)[ ]|:[ ]*)(?P<place>{_NAME})[ ]?(?:,|[ ](?:il|le|el|em|op|am|on|dne|"
    r"den|in)\b)?[ ]*\Z"
)
_PLACE_WORD = re.compile(
    r"[ ]?[:=-]?[ ]?(?P<place>" + _NAME + r")(?=[ ]*(?:$|[|;)\n\",<]|\.(?:\s|$)|  )|[ ](?:and|in|on)\b)"
)
_NO_PLACE = re.compile(
    r"(?:the|a|an|my|our|and|of|to|from|on|in|i|he|she|married|single|unmarried|divorced|widowed|male|female|man|woman|"
    r"nationality|citizen\w*|driv\w+|full|clean|licen[cs]e|non|passport|tel|phone|mobile|email|e-mail|fit|"
    r"healthy|no|not|yes|available|ready|gender|sex|age|aged|address|languages?|english|children|father|mother|dual|"
    r"valid|status|height|national|m|f|current\w*|addressed|known|called|years?|old|work\w*|stud\w+|since|until|joined|"
    r"left|moved|graduated|the|visa|permit|ledig|verheiratet|celibataire|marie\w*|solter\w|casad\w|permis|fuhrerschein|"
    r"religion|blood|weight|time|am|pm|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|certificate\w*|present)\b"
)
#: What somebody did: `, Joao grew up` is no place.
_TOLD_OF = re.compile(
    r"[ ](?:grew|was|has|had|is|went|moved|came|lives?|lived|studied|worked|works|speaks|spent|joined|"
    r"started|left|holds)\b"
)
#: Ages beside a sex or a state, alone at a line's start, or with a word that is only said of people.
_BESIDE = re.compile(
    r"\b(?:(?:fe)?male|[mfwd]|man|woman|single|(?:un)?married|divorced|widow(?:ed|er)?|separated)[ ]?[,/|][ ]?"
    r"(?P<after>1[7-9]|[2-6]\d|7[0-5])(?=[ ]*(?:$|[,;/|)\n]|\.(?:\s|$)|y/?o\b|yrs?\b|"
    r"years?\b(?!['\w ]*(?:experience|in\b|of\b))))"
    r"|(?:^|\n|[\u2022*>(|][ ]?|[-\u2013\u00b7][ ])[ ]*(?P<before>1[7-9]|[2-6]\d|7[0-5])(?!/f\b)[ ]?[,/|][ ]?"
    r"(?=(?:fe)?male\b|[mf]\b[ ]?(?:[,/|]|$)|single\b(?! [a-z])|(?:un)?married\b|divorced\b|widow(?:ed|er)?\b)"
    r"|(?:^|\n|[\u2022*>(|][ ]?|[-\u2013\u00b7+~][ ])[ ]*(?P<abroad>(?:1[7-9]|[2-6]\d)[ ](?:jahre(?: alt)?|"
    r"ans|anos|anni|jaar(?: oud)?|lat|let|rokov|vuotta|vuotias|yasinda|eves|tahun|ani|godina|let))(?=[ ]*(?:$|"
    r"[.,;|)\n]))|\b(?P<some>(?:twenty|thirty|forty|fifty|sixty)[ -]?something)\b(?! (?:people|clients|customers|"
    r"percent|thousand|of))|(?:^|\n|[\u2022*>(|][ ]?|[-\u2013\u00b7+~][ ]|\. )[ ]*(?P<words>(?:twenty|thirty|forty|"
    r"fifty|sixty|seventy)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)(?=[ ](?:and (?:still|fit|in good|"
    r"counting|proud|never|full|healthy|happy|going)|next year(?=[ ,.;]|$)|this year(?=[ ]*[,.;]|$)|in (?:january|"
    r"february|march|april|may|june|july|august|september|october|november|december)\b(?! (?:19|20))))"
    r"|(?:^|\n|[\u2022*>(|][ ]?|[-\u2013\u00b7+~][ ]|\. )[ ]*(?P<decade>(?:early|mid|late)[ -](?:twenties|"
    r"thirties|forties|fifties|sixties|seventies|20s|30s|40s|50s|60s|70s))(?=[ ]*(?:$|[.,;\n|]|and\b))"
    r"|\b(?:a|an|this|spry|youthful|young)[ ](?P<aged>(?:1[7-9]|[2-7]\d)[- ]year[- ]old)(?=[ ](?:man|woman|"
    r"mother|father|mum|dad|male|female|graduate|returner|nurse|teacher|engineer|career|who\b|with (?:the|energy|a|an|"
    r"no)|looking|grand\w+))|(?:^|\n|[\u2022*>(|][ ]?|[-\u2013\u00b7+~][ ]|\. )[ ]*(?P<over>over[ -](?:40|50|55|60|"
    r"65))(?= and (?:proud|fit\b(?!-)|still|keen|happy|not))"
)
_GATES_LISTED = (
    "male female m f w d man woman single married unmarried divorced widowed widow widower separated jahre ans anos "
    "anni jaar lat let rokov vuotta vuotias yasinda eves tahun ani godina something twenty thirty forty fifty sixty "
    "seventy early mid late old over twentysomething thirtysomething fortysomething fiftysomething"
)
_GATES = frozenset(_GATES_LISTED.split())
_BIRTHPLACES = frozenset({"birthplace", "geburtsort", "geboorteplaats", "naturalidade"})
_EXPERIENCE = re.compile(r"[^\n]{0,12}\b(?:exp\w*|erfahrung|berufs\w*|ervaring|esperienza|wit|in (?:der|dem|the))\b")


def places_beside(plain: Plain, dates: list[tuple[int, int]]) -> list[tuple[int, int]]:
    r"""Return the places that stand beside dates of birth.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Born on 4 May 1992 in Homs.\nGeburtsdatum: 23/09/1986, Chicago\n")
    >>> [seen.text[start:end] for start, end in places_beside(seen, [(8, 18), (42, 52)])]
    ['Homs', 'Chicago']
    """
    found: list[tuple[int, int]] = []
    for start, end in dates:
        behind = _BEHIND.match(plain.low, end)
        if behind is not None and _is_named(plain, *behind.span("place")):
            found.append(behind.span("place"))
            if behind["country"] is not None and _is_named(plain, *behind.span("country")):
                found.append(behind.span("country"))
            continue
        line = max(plain.low.rfind("\n", 0, start) + 1, start - 60)
        before = _BEFORE.search(plain.low, line, start)
        if before is not None and _is_named(plain, *before.span("place")):
            found.append(before.span("place"))
    for place in plain.places(_BIRTHPLACES):
        _, _, end = plain.words[place]
        named = _PLACE_WORD.match(plain.low, end)
        if named is not None and _is_named(plain, *named.span("place")):
            found.append(named.span("place"))
    return [(start, start + len(plain.low[start:end].rstrip(".'-"))) for start, end in found]


def _is_named(plain: Plain, start: int, end: int) -> bool:
    """Say whether this is written as a name: with capitals, unless the line has none."""
    if _NO_PLACE.match(plain.low, start) is not None or _TOLD_OF.search(plain.low, start, end) is not None:
        return False
    if plain.text[start].isupper() or not plain.text[start].isascii():
        return True
    line = plain.text[plain.text.rfind("\n", 0, start) + 1 : end]
    return line.islower()


def ages_beside(plain: Plain) -> list[tuple[int, int]]:
    """Return ages beside a sex or a state, and those that a line begins with.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Female, 34, single | 20 ans d'experience")
    >>> [seen.text[start:end] for start, end in ages_beside(seen)]
    ['34']
    """
    if _GATES.isdisjoint(plain.where):
        return []
    return [
        match.span(match.lastgroup or 0)
        for match in _BESIDE.finditer(plain.low)
        if _EXPERIENCE.match(plain.low, match.end()) is None
    ]
