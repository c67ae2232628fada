"""ETHNICITY: citizens, nationals, residents and refugees with the nation before them.

Kept: citizen science, nationals' bank, refugee camps, American food, museums and services of a nation.
"""

import re
from functools import cache

from evenhand.resumes.plain import Plain, word_list
from evenhand.resumes.rules import Found, phrases_of

__all__ = ["citizens"]


@cache
def _nations() -> frozenset[str]:
    phrases = phrases_of("ethnicity")
    listed = (
        name for rule in ("nation", "tongue", "broad", "country", "country_short", "tribe") for name in phrases[rule]
    )
    return frozenset(name for name in listed if name not in {"e u", "polish"}) | {
        "eu",
        "hong kong",
        "overseas",
        "polish",
    }


_HEADS_LISTED = (
    "citizen citizens citizenship passport pr permanent green american refugee immigrant adoptee expat expatriate "
    "evacuee migrant exile indigene national"
)
#: After two nations only, with what stands between: `British and Irish citizenship`.
_PAIRED = frozenset({"nationality", "nationalities", "passports", "citizenships"})
_HEADS = frozenset(_HEADS_LISTED.split())
_WORDS = word_list(_HEADS | _PAIRED)
_GAPS = frozenset({" ", "\n", ". ", "-", ".\n", "/"})
_TAIL = re.compile(
    r"(?<=permanent)[ ]residen(?:ts?|ce|cy)(?: card| visa| status)?\b|(?<=green)[ ]card\b|"
    r"(?<=pr)[ ](?:holder|status|card)\b|(?<=passport)[ ]holder\b"
    r"|(?<=citizen)[ ]by (?:birth|descent|naturali[sz]ation|marriage)\b|(?<=citizenship)[ ]by (?:birth|descent)\b"
)
_NOT_AFTER = re.compile(
    r"[ -](?:scien\w+|journalis\w+|engagement|advice|services?|develop\w+|assembl\w+|charter|panel|jury|"
    r"portal|application\w*|renewals?|office|control|checks?|desk|rights|law|legal|camps?|crisis|polic\w+|health|aid|"
    r"affairs|resettlement|agenc\w+|council|cases?|support|integration|education|workers?|children|populations?|"
    r"communit\w+|bank|park|universit\w+|opera|grid|league|team|champion\w*|insurance|standards?|anthem|service|museum|"
    r"gallery|library|budget|strategy|curriculum|magnets?|photos?|requests?|fees?|index|make-?up|hair|staff|contract|"
    r"secretary|secondary|post|data|packages?)\b"
)
#: `Passport No.: held` is a label of its own.
_NUMBER_AFTER = re.compile(r"[ ]?(?:\(?(?:no|nr|number|details|expiry|valid|issue)\b|[:#|])")
#: After a national who is a person: no service, no museum.
_NATIONAL_AFTER = re.compile(
    r"[ ]*(?:$|[.,;:)(|/\n]|-[ ])|[ ](?:with|on|holding|since|by|who|but|resident|living|settled|and (?!local|regional|"
    r"international))\b"
)
_LONGEST = 3
#: Peoples of whom Americans are told: `Arab American Institute`.
_HYPHENED_LISTED = (
    "arab african asian mexican cuban lebanese syrian egyptian iraqi iranian persian korean chinese japanese "
    "taiwanese vietnamese filipino hmong laotian cambodian thai indian pakistani bangladeshi nepali polish italian "
    "irish greek armenian ukrainian russian haitian jamaican dominican salvadoran guatemalan colombian ethiopian "
    "somali nigerian ghanaian liberian kenyan palestinian turkish german portuguese norwegian swedish"
)
_HYPHENED = frozenset(_HYPHENED_LISTED.split())
_NO_AMERICANS = re.compile(
    r"[ -](?:war|wars|literature|cuisine|food|foods|dishes|relations|trade|tobacco|treaty|chamber|"
    r"restaurants?|airlines|express|border|spanish|english|desk|markets?|consumers?|bank|studies|history|stud\w+)\b"
)


def citizens(plain: Plain) -> list[Found]:
    """Return citizens, nationals, residents, refugees and the like with the nation before them.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Singapore citizen; U.S. passport; Syrian refugee; Canadian citizen science")
    >>> [seen.text[found.start : found.end] for found in citizens(seen)]
    ['Singapore citizen', 'U.S. passport', 'Syrian refugee']
    """
    found: list[Found] = []
    for place in plain.places(_WORDS):
        word, start, end = plain.words[place]
        if word == "passport" and _NUMBER_AFTER.match(plain.low, end) is not None:
            continue
        if not place or (word == "pr" and not plain.text[start:end].isupper()) or _NOT_AFTER.match(plain.low, end):
            continue
        tail = _TAIL.match(plain.low, end)
        if word in {"permanent", "green"} and tail is None:
            continue
        first = _nation_before(plain, place)
        if first < 0 or (word in _HEADS and not _is_somebody(plain, first, place)):
            continue
        other = _nation_joined(plain, first)
        if other < 0 and word in _PAIRED:
            continue
        first = other if other >= 0 else first
        finish = tail.end() if tail is not None else end
        found.append(
            Found(start=plain.words[first][1], end=finish, category="ETHNICITY", rule="citizens", confidence=0.88)
        )
    return found


def _nation_before(plain: Plain, place: int) -> int:
    """Return the place of the first word of the nation right before a word, -1 where none is."""
    words, nations = plain.words, _nations()
    if plain.low[words[place - 1][2] : words[place][1]] not in _GAPS:
        return -1
    for begin in range(max(0, place - _LONGEST), place):
        if " ".join(each[0] for each in words[begin:place]) in nations:
            return begin
    return -1


def _nation_joined(plain: Plain, first: int) -> int:
    """Return the place of the nation that `and` joins to one that begins at a place, -1 where none is."""
    if first < 2 or plain.words[first - 1][0] != "and" or not plain.text[plain.words[first][1]].isupper():
        return -1
    return _nation_before(plain, first - 1)


def _is_somebody(plain: Plain, first: int, place: int) -> bool:
    """Say whether a nation and the word after it tell of a person: not of many, not of American food."""
    word, start, end = plain.words[place]
    if word == "american":
        told = plain.words[first][0] in _HYPHENED and plain.text[start].isupper()
        return told and _NO_AMERICANS.match(plain.low, end) is None
    if word == "national":
        return _NATIONAL_AFTER.match(plain.low, plain.words[place][2]) is not None
    if word == "pr":
        return plain.text[plain.words[first][1]].isupper()
    return True
