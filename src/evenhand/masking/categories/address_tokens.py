"""Tokens and signs of addresses: streets with a number, postal codes, boxes, flats, districts."""

import csv
import re
from functools import cache
from importlib import resources
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

ADDRESS_WORDS = WordTable("evenhand.masking.categories", "address.toml")

_TOKEN = lazy_re(r"#|[^\W_](?:[\w'&]|[./-](?=\w))*[./]?|[^\w\s]")


@cache
def _all_endings() -> tuple[str, ...]:
    return (*ADDRESS_WORDS.endings, *ADDRESS_WORDS.short_endings)


@cache
def _kinds() -> dict[str, frozenset[str]]:
    result: dict[str, set[str]] = {}
    with (resources.files("evenhand.masking.categories") / "address.csv").open("r", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            result.setdefault(row["word"], set()).add(row["kind"])
    return {word: frozenset(kinds) for word, kinds in result.items()}


@cache
def _hints() -> dict[str, bool]:
    """Return words that a line must have one of to be looked at, and whether it needs a capital there."""
    hints: dict[str, bool] = {}
    for word, kinds in _kinds().items():
        if len(word) > 2 and kinds & {"street", "weak", "building", "area", "unit"}:
            hints[word] = True
        if (
            kinds & {"before", "lower"}
            and word not in ADDRESS_WORDS.common
            and (len(word) > 2 or word in {"rd", "st", "ul", "jl", "os", "rr", "bv"})
        ):
            hints[word] = word in {"place", "square"}
    hints |= dict.fromkeys(("st", "rd", "av", "ln", "dr", "pl", "ct", "al", "jr", "am", "bd"), True)
    return hints | dict.fromkeys(ADDRESS_WORDS.boxes, True)


_NONE: frozenset[str] = frozenset()
_LABELS = lazy_re(r"[ ]?:|\.?[ ]?\+?\(?\d[\d ().-]{6}")


def hinted(folded: FoldedText) -> list[int]:
    """Return the places of words of addresses in a text, in order."""
    hints = _hints()
    lines = []
    for word, places in folded.where.items():
        capital = hints.get(word)
        if capital is None:
            if len(word) < 7 or not word.endswith(_all_endings()):
                continue
            capital = True
        lines += [
            folded.words[place][1] for place in places if not capital or folded.text[folded.words[place][1]].isupper()
        ]
    return sorted(lines)


_WITH_STROKE = frozenset({"c/", "c/o", "s/o", "d/o", "w/o"})


class Token(NamedTuple):
    """A word in lower case, its form (number, capital, lower, mark; "" can't be in an address), its kinds."""

    start: int
    end: int
    word: str
    form: str
    kinds: frozenset[str]


def tokens_of(folded: FoldedText, start: int, end: int) -> list[Token]:
    """Return the tokens of a stretch of a text.

    >>> from evenhand.masking.folded_text import folded_text
    >>> [(token.word, token.form) for token in tokens_of(folded_text("12 Elm Rd., is"), 0, 14)]
    [('12', 'number'), ('elm', 'capital'), ('rd', 'capital'), (',', 'mark'), ('is', '')]
    """
    return [_token(folded, match) for match in _TOKEN.finditer(folded.text, start, end)]


def _token(folded: FoldedText, match: re.Match[str]) -> Token:
    start, end = match.span()
    low = folded.low[start:end]
    word = low.rstrip("./") if low not in _WITH_STROKE else low
    kinds = _kinds().get(word.replace(".", "")) or _NONE
    if word in ADDRESS_WORDS.contacts and _LABELS.match(folded.low, end) is not None:
        return Token(start, end, word, "", _NONE)
    if any(letter.isdigit() for letter in low):
        form = "number"
    elif not low[0].isalnum():
        form = "mark" if low in {",", "#", "-", "(", ")", ":", "\u3012"} else ""
    elif folded.text[start].isupper() or not folded.text[start].islower():
        form = "capital"
    else:
        form = "lower" if kinds & {"link", "lower", "before"} or word in _WITH_STROKE else ""
    return Token(start, end, word.replace(".", "") if kinds else word, form, kinds)


_DATED = lazy_re(r"(?:\d{1,2}[./-])?(?:19\d\d|20[0-2]\d|203[0-2])(?:[./-].*)?")


def is_date(token: Token) -> bool:
    """Say whether a token is a month, a year, or a date."""
    return token.word in ADDRESS_WORDS.months or (token.form == "number" and _DATED.fullmatch(token.word) is not None)


def is_street(token: Token) -> bool:
    """Say whether a word written small begins a street: `calle Mayor 3`."""
    return "before" in token.kinds and token.word not in ADDRESS_WORDS.common


_STATES = (
    r"(?:a[lkzr]|c[aot]|d[ec]|fl|ga|hi|i[dlna]|k[sy]|la|m[edainsot]|n[evhjmycd]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[ta]|"
    r"w[aviy]|pr|alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|"
    r"illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|"
    r"missouri|montana|nebraska|nevada|(?:new|north|south|west) [a-z]+|ohio|oklahoma|oregon|pennsylvania|"
    r"rhode island|tennessee|texas|utah|vermont|virginia|washington|wisconsin|wyoming|d\.c\.)"
)
#: Postal codes: two points where the form alone is enough, one where it needs its place.
_CODES = (
    (lazy_re(rf"(?<![\w-]){_STATES}\.?,?[ ]+\d{{5}}(?:-\d{{4}})?(?![\w-])"), 2),
    (lazy_re(r"(?<![\w-])[a-z]\.[ ]?[a-z]\.,?[ ]+\d{5}(?:-\d{4})?(?![\w-])"), 2),
    (lazy_re(r"(?<![\w-])(?:apo|fpo|dpo),?[ ]+a[aep][ ]+\d{5}(?!\w)"), 2),
    (lazy_re(r"(?<![\w-])[a-z]{1,2}\d[a-z\d]?[ ]\d[a-z]{2}(?!\w)"), 2),
    (lazy_re(r"(?<![\w-])[a-z]\d[a-z][ ]?\d[a-z]\d(?!\w)"), 2),
    (lazy_re(r"(?<![\w-])[a-z]\d[\dw][ ][a-z\d]{4}(?!\w)"), 1),
    (lazy_re(r"(?<!\w)(?:nsw|vic|qld|wa|sa|tas|act|nt|victoria|queensland|tasmania),?[ ]\d{4}(?!\w)"), 2),
    (lazy_re(r"(?<![\w/.-])(?<!- )\d{4}[ ]?[a-z]{2}(?=[ ,]+[a-z])"), 1),
    (lazy_re(r"(?<![\w.-])(?:\d{2}-\d{3}(?=[ ]+[a-z])|\d{5}-\d{3}(?!\w)|[a-z]{1,2}-\d{4,6}(?=[ ]+[a-z]))"), 2),
    (
        lazy_re(
            r"(?<![\w./$€£#+-])(?<!\d )\d{5}(?=[ ]+[a-z])|(?<=[a-z.][ ])\d{5}(?![\w-])|(?<=[a-z],[ ])\d{5}(?![\w-])"
        ),
        1,
    ),
    (lazy_re(r"(?<=[a-z.)][ ,-])[ ]?(?:-[ ]?)?[1-9]\d{2}[ ]?\d{3}(?![ ]?[\w-])"), 1),
    (lazy_re(r"(?<=[a-z][ ]-[ ])[1-9]\d{2}[ ]?\d{3}(?![\w-])"), 1),
    (lazy_re(r"(?<![\w-])\d{3}-\d{4}(?=[ ]+[a-z]+-(?:to|shi|ken|fu|ku)\b)"), 2),
    (lazy_re(r"(?<![\w.-])\d{4}-\d{3}(?=[ ]+[a-z])|(?<=[a-z][ ])\d{3}[ ]\d{2}(?![ ]?[\w-])"), 1),
    (lazy_re(r"\u3012[ ]?\d{3}-\d{4}"), 2),
    (lazy_re(r"(?<![\w-])[a-hj-np-z]\d{4}(?:[a-z]{3})?(?=[ ]+[a-z])"), 1),
    (lazy_re(r"(?<![\w-])[a-z]{2}-\d{3,4}-\d{4}(?![\w-])"), 1),
    (lazy_re(r"(?<![\w.-])\d{3}[ ]\d{2}(?=[ ]+[a-z])|(?<=[a-z][ ])\d{3}-\d{4}(?![\w-])"), 1),
    (lazy_re(r"(?<![\w./$€£#+-])(?!19|20)\d{4}(?=[ ]+[a-z])|(?<=[a-z],[ ])(?!19|20)\d{4}(?=$)|\(\d{4}\)"), 1),
)
_ORDINAL = lazy_re(r"\d+(?:st|nd|rd|th)")
_HOUSE = lazy_re(r"#?\d{1,5}[a-z]?(?:[/-]\d{0,4}[a-z]?)*\.?")
_FORM = lazy_re(r"\d+/f|[pq]\.\d{1,2}|#\d[\w-]*|\d+-?(?:ho|dong)")
_BROKEN_NUMBER = lazy_re(r"\d[/-]\d|[a-z][/-]\d|\d/[a-z]\b")


class Sign(NamedTuple):
    """The first and the last of the tokens that speak for an address, and how much."""

    first: int
    last: int
    weight: int
    rule: str


def signs_of(folded: FoldedText, run: list[Token], follows: str) -> list[Sign]:
    """Return the signs of an address in a run of tokens; `follows` is the word that breaks it off, "" for a mark."""
    signs = [sign for place in range(len(run)) if (sign := _sign(run, place)) is not None]
    if not signs and len(run) > 2 and not is_date(run[0]) and _BROKEN_NUMBER.search(run[0].word) is not None:
        signs.append(Sign(0, 0, 1, "number"))
    if not signs and (broken := _broken_house(run)):
        signs.append(Sign(0, broken, 1, "number"))
    code = _postal(folded, run)
    commas = any(token.word == "," for token in run)
    if code is not None:
        signs.append(code)
    elif not commas and follows.isalpha() and follows not in ADDRESS_WORDS.may_follow:
        return []  # `the 14 Fleet Street branch`
    if signs and commas and "country" in run[-1].kinds:
        signs.append(Sign(len(run) - 1, len(run) - 1, 1, "country"))
    return signs


def _broken_house(run: list[Token]) -> int:
    """Return the place of a house with its flat after a name: `Toktogul 125-12, Bishkek`; else 0."""
    last = next((place for place, token in enumerate(run[:6]) if token.word == ","), 0) - 1
    if last < 1 or last + 2 >= len(run) or _FLAT.fullmatch(run[last].word) is None:
        return 0
    return last if all(token.form == "capital" for token in run[:last]) else 0


_FLAT = lazy_re(r"\d{1,4}[a-z]?[-/]\d{1,3}")


def _sign(run: list[Token], place: int) -> Sign | None:
    """Return the sign that begins or ends at a token."""
    token = run[place]
    sign = _street(run, place) or None or _street_first(run, place) or _box(run, place) or _unit(run, place)
    if sign is not None:
        return sign
    if token.kinds & {"area", "building"} and token.form == "capital" and place:
        around = run[place - 1 : place + 2]
        if any(neighbour.form == "number" for neighbour in around):
            return Sign(place, place, 1, "district")
        if run[0].form == "number" and run[1].word == "," and place <= _NEAR_HOUSE:
            return Sign(0, place, 1, "district")  # B9, Unity Estate
        if "building" in token.kinds and len(run) > 3:
            return Sign(place, place, 1, "building")
    return Sign(place, place, 1, "district") if ADDRESS_WORDS.district.fullmatch(token.word) else None


_NEAR_HOUSE = 4


def _is_house(run: list[Token], place: int) -> bool:
    """Say whether the token at a place can be a house number."""
    return 0 <= place < len(run) and run[place].form == "number" and _HOUSE.fullmatch(run[place].word) is not None


def _street(run: list[Token], place: int) -> Sign | None:
    """Return a street after its number (`12 Elm Road`), or before it (`Karl Johans gate 14`)."""
    token = run[place]
    strong = "street" in token.kinds
    if not strong and not ("weak" in token.kinds and token.form == "capital"):
        return None
    first, named = _back_to_number(run, place)
    if named and _is_house(run, first):
        after = run[place + 1] if place + 1 < len(run) else None
        closed = after is not None and (after.form in {"mark", "number"} or bool(after.kinds))
        apart = after is not None and after.form == "capital" and not after.kinds  # 5 Point Street Safety Audit
        return Sign(first, place, 2 if (strong and not apart) or closed else 1, "street")
    house_at = _back_to_house(run, place)
    if house_at == 0 and strong:
        return Sign(house_at, place, 1, "street")
    number = _past(run, place + 1, _NUMBER_WORDS)
    begin = place
    while begin > 0 and place - begin < 4 and run[begin - 1].form in {"capital", "lower"}:
        begin -= 1
    if begin < place and _is_house(run, number):
        return Sign(begin, number, 2 if strong else 1, "street")
    return None


_NUMBER_WORDS = frozenset({"no", "nr", ":", "#", "n"})


def _past(run: list[Token], place: int, words: frozenset[str]) -> int:
    """Return the first place from here on with none of these words."""
    while place < len(run) and run[place].word in words:
        place += 1
    return place


def _back_past(run: list[Token], place: int) -> int:
    """Return the last place from here back with no word for a number, 0 for none."""
    while place > 0 and run[place].word in _NUMBER_WORDS:
        place -= 1
    return place


def _back_to_number(run: list[Token], place: int) -> tuple[int, bool]:
    """Return the place of the number before a street's name, -1 for none, and whether there is a name."""
    first, named = place - 1, False
    while first >= 0 and place - first <= 6:
        token = run[first]
        if token.form == "number" and not _ORDINAL.fullmatch(token.word):
            return first, named
        if token.form == "mark" and token.word != "-":
            return (first - 1 if token.word == "," else -1), named
        named = True
        first -= 1
    return -1, named


def _back_to_house(run: list[Token], place: int) -> int:
    """Return the place of the number of a house with a name before a street's: `4 Woodview, Main Street`; else -1."""
    comma = next((at for at in range(place - 1, max(-1, place - 4), -1) if run[at].word == ","), -1)
    first = comma - 1
    while first > 0 and comma - first < 3 and run[first].form == "capital":
        first -= 1
    return first if comma > first + 1 and _is_house(run, first) else -1


def _street_first(run: list[Token], place: int) -> Sign | None:
    """Return a street with its kind first, its number after or before: `Calle Mayor 3`, `27 bis, rue Royale`."""
    token, length = run[place], len(run)
    if "before" not in token.kinds:
        return None
    sure = token.word not in ADDRESS_WORDS.unsure_before or len(token.word) > 5
    number, named = place + 1, token.word in ADDRESS_WORDS.numbered_streets
    while number < length and number - place <= 7 and (run[number].form != "number" or _is_ordinal(run[number])):
        named = named or run[number].form == "capital"
        if run[number].word == "," and not (number + 1 < length and run[number + 1].form == "number"):
            break
        number += 1
    if named and number < length and run[number].form == "number":
        dated = is_date(run[number]) and run[number - 1].form == "mark"
        return None if dated else Sign(place, number, 2 if sure else 1, "street first")
    before = place - 1
    while before > 0 and run[before].word in {",", "bis", "ter"}:
        before -= 1
    last = place
    while last + 1 < length and run[last + 1].form in {"capital", "lower"} and last - place < 5:
        last += 1
    if last > place and before >= 0 and run[before].form == "number":
        return Sign(before, last, 2 if len(token.word) > 2 else 1, "street first")
    return None


def _is_ordinal(token: Token) -> bool:
    return _ORDINAL.fullmatch(token.word) is not None


def _box(run: list[Token], place: int) -> Sign | None:
    """Return a post office box, or `c/o`."""
    token = run[place]
    if token.word in {"c/o", "s/o", "d/o", "w/o"}:
        return Sign(place, place, 1, "care of")
    if token.word not in ADDRESS_WORDS.boxes:
        return None
    number = _past(run, place + 1, _BOX_WORDS)
    lettered = number + 1 < len(run) and run[number].form == "capital" and len(run[number].word) <= _MOST_LETTERS
    number += lettered and run[number + 1].form == "number"  # P.O. Box KN 2231
    first = place
    while (
        first > 0
        and place - first < _BOX_REACH
        and (
            run[first - 1].word in ADDRESS_WORDS.box_before
            or run[first - 1].form == "number"
            or run[first - 1].word == ","
        )
    ):
        first -= 1
    if token.word in {"bp", "b.p"} and (number == len(run) or not _BOX_NUMBER.fullmatch(run[number].word)):
        return None  # BP 120/80
    known = token.word not in {"box", "bag"} or any(word.word in ADDRESS_WORDS.box_before for word in run[first:place])
    return Sign(first, number, 2, "box") if known and number < len(run) and run[number].form == "number" else None


_BOX_NUMBER = lazy_re(r"\d{1,6}")
_MOST_LETTERS = 3
#: `RR 2, Box 187`
_BOX_REACH = 3
_BOX_WORDS = frozenset({"no", "#", "nr", "postal"})
#: Units that are letters or words otherwise: they need a capital.
_SMALL_UNITS = frozenset({"d", "h", "m", "to", "so", "ap", "ph"})
_NUMBERED = lazy_re(r"\d{1,3}\.?(?:[aoe]|st|nd|rd|th|er|eme)?")
_UNIT_WORDS = frozenset({"no", "nr", "#", ":", "h"})


def _unit(run: list[Token], place: int) -> Sign | None:
    """Return a flat, a floor, a house's number: `Flat 3`, `#08-112`, `3rd Floor`, `25/F`."""
    token = run[place]
    if _FORM.fullmatch(token.word):
        return Sign(place, place, 1, "unit")
    if (
        "street" in token.kinds
        and token.form == "capital"
        and token.word != "gate"
        and (not place or run[place - 1].word == ",")
    ):
        number = _past(run, place + 1, _NUMBER_WORDS)
        of_house = place > 2 and run[place - 2].form == "number" and "unit" in run[_back_past(run, place - 3)].kinds
        return Sign(place, number, 2 if of_house else 1, "unit") if _is_house(run, number) else None  # House 9, Road 3
    if (
        token.word != "#"
        and not ("unit" in token.kinds and (token.form == "capital" or token.word not in _SMALL_UNITS))
        and "area" not in token.kinds
    ):
        return None
    number = _past(run, place + 1, _UNIT_WORDS)
    if number < len(run) and (
        run[number].form == "number" or (run[number].form == "capital" and len(run[number].word) == 1)
    ):
        return Sign(place, number, 1, "unit")
    numbered = place > 0 and (
        (token.form == "capital" and _is_ordinal(run[place - 1]))
        or (token.word in ADDRESS_WORDS.floors and _NUMBERED.fullmatch(run[place - 1].word) is not None)
    )
    return Sign(place - 1, place, 1, "unit") if numbered else None


def _postal(folded: FoldedText, run: list[Token]) -> Sign | None:
    first, last = run[0].start, run[-1].end
    if not any(token.form == "number" and len(token.word) > 2 for token in run):
        return None
    for expression, weight in _CODES:
        match = expression.search(folded.low, first, last)
        if match is None:
            continue
        start, end = match.span()
        if ADDRESS_WORDS.reference.search(folded.low, max(0, start - 30), start) is not None:
            continue
        written = folded.text[start:end]
        if not written[0].isupper() and any(letter.islower() for letter in written):
            continue
        inside = [number for number, token in enumerate(run) if token.end > start and token.start < end]
        if inside and (weight > 1 or any(token.form == "capital" and len(token.word) > 3 for token in run)):
            return Sign(inside[0], inside[-1], weight, "postal code")
    return None
