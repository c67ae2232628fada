"""Whether the name of a nation or a people tells of a person, by the words it stands with.

The name is taken as telling of a person unless the noun it goes with is a thing: a market,
a product, a dish, a language lesson. Nouns are read up to the end of the noun phrase
(`the Korean car makers' association`); the first that is known decides.
"""

import csv
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import resources
from typing import Literal

from evenhand.resumes.categories.community import in_community
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import phrases_of

__all__ = ["Told", "told"]

Told = Literal["nation", "tongue", "broad", "tribe", "colour", "native"]

_LONGEST = 6
_NEAR = 70
_INSIDE = frozenset({" ", "-", "' ", "\n", "  ", "' - ", "/", " / ", " & ", "-\n", "'\n", "\n  "})
_LIST = frozenset({", ", "/", " / ", " & ", " ", "-", ",\n", " - ", "\n"})
_JOINS = frozenset({"and", "or", "y", "und", "et"})
_TOLD_BEFORE = re.compile(
    r"(?:\b(?:i am|i'm|he is|she is|they are|we are|being|am|born|identif(?:y|ies|ied|ying) as|ethnic|ethnically|"
    r"racially|culturally|nationality|citizenship|citizen status|originally|proud|proudly|half|part|quarter|dual|"
    r"descended from|descendant of|stock|nationality (?:at|by) birth|tribe|clan|caste|people|become|"
    r"becoming|became|turned|"
    r"(?:a|the) first|only|sole|lone|between (?:two )?(?:cultures|worlds)|"
    r"(?:first|second|third)[- ]generation|naturali[sz]ed|as an?|by birth|enrolled|"
    r"national|citizen|passport holder|(?:mother|father|parents|mum|mom|dad|family|wife|husband|who|whose \w+)"
    r"(?: (?:is|are|was|were)|:)|(?:grand)?(?:parents|mother|father) (?:was|were)|(?:son|daughter|child|one) of|"
    r"grew up|growing up|raised|to be|non[- ]white|ancestry|ethnicity|race|heritage|background)"
    r"(?:\s+(?:an?|is|was|also|both|as|of|proud|to|the|mixed|the only))*[\s|:;,(–-]{1,6}"
    r"(?:[\w-]+(?: [\w-]+)?(?: and| &| or|/|,) ?)?)$"
)
_LABEL_BEFORE = re.compile(
    r"\b(?:nationality|citizenship|citizen status|ethnic origin|ethnicity|race|ethnic group|passport|tribe|parents|"
    r"heritage)(?: held| holder|ies|\(s\)| \([\w ,]{3,30}\)| \w+(?=:))?\s?[|:\t–-]?\s{0,3}(?:\w+(?:,| and|/| &) ?)?$"
)
_KIN_BEFORE = re.compile(
    r"\b(?:grand)?(?:son|sons|daughter|daughters|child|children|born) (?:of|to)(?: an?| the| two)? $"
    r"|\b(?:great-)?(?:grand)?(?:parents?|mothers?|fathers?|mum|mom|dad|ancestors|forebears|family|side|relatives|"
    r"people|roots) "
    r"(?:is|are|was|were) (?:an? |all |both |partly |half )?$"
    r"|\b(?:mother|father|mum|mom|dad|parents?)'s side $"
    r"|\b(?:mother|father|mum|mom|dad|wife|husband|grandmother|grandfather)(?: an?| a proud)? $"
    r"|\b(?:we|i|they|she|wife|parents|family)[\w ]{0,24} (?:are|were) both $"
    r"|\b(?:i am|i'm|proud|proudly|am) (?:to be )?(?:an? )?$"
)
#: One of them ends what `_KIN_BEFORE` finds.
_KIN_ENDS_LISTED = (
    "of to an a the two is are was were all both partly half side mother father mum mom dad wife husband proud proudly "
    "am i'm be"
)
_KIN_ENDS = tuple(f"{word} " for word in _KIN_ENDS_LISTED.split())
#: Honoured by the country, or heard on its people's station.
_HONOURED_BEFORE = re.compile(
    r"\b(?:received|was (?:given|presented with)|awarded|won|honou?red (?:by|with)|decorated by|"
    r"recognised by|recognized by|medal of|"
    r"award (?:from|of|by)|thanked by|prize of) (?:by )?(?:an? |the )?$"
)
_HONOURED_AFTER = re.compile(
    r" (?:high commission|embassy|consulate|ambassador|consul|president|government|state|national|"
    r"community|foreign ministry)\b"
    r"[^.;\n]{0,44}\b(?:medal|award|honou?r|prize|decoration|certificate|order of|thanks|shield)"
)
#: `As a Taiwanese I know earthquakes`, `Being Greek, I`.
_SELF_BEFORE = re.compile(r"\b(?:as an?|being(?: an?)?) $")
_SELF_AFTER = re.compile(r",? (?:i|we|he|she|who|myself|in|from|by|abroad|and proud)\b")
#: `from a Punjabi farming family`, `our first Asian team lead`, `scholarship of the Hellenic Foundation`.
_FAMILY_BEFORE = re.compile(r"\b(?:from|into|in|of|to|by|my) (?:an? )?(?:[a-z-]+ ){0,2}$")
_FAMILY_AFTER = re.compile(
    r"[ -](?:[a-z'-]+ ){0,2}(?:famil(?:y|ies)|household|upbringing|neighbou?rhood family|clan)\b"
    r"(?! (?:restaurants?|business|businesses|owned|law|firm|style|meals?|rooms?|bakery|doctors?|office|"
    r"hotels?|company|companies|brand|cars?))"
)
_FIRST_BEFORE = re.compile(
    r"\b(?:our|their|the|its|my|\w+'s|his|her) (?:very |second |only |and )*(?:first|only|sole|lone|second) "
    r"(?:and only |ever )?$"
)
_FIRST_AFTER = re.compile(
    r" (?:[a-z-]+ ){0,3}(?:lead|leader|head|chief|chair|manager|supervisor|foreman|director|partner|president|"
    r"captain|officer|charge nurse|nurse|doctor|engineer|teacher|principal|superintendent|mechanic|driver|pilot|"
    r"chef|cook|editor|hire|apprentice|technician|instructor|trainer|steward|inspector|sergeant|colleague|member)\b"
    r"(?! (?:office|market|network|portal|conference|site|store|programme|program|bank))"
)
_GRANT_BEFORE = re.compile(
    r"\b(?:scholarships?|scholar|bursary|bursaries|stipend|fellow|fellowship|prize|award|alumn\w+) (?:of|from|"
    r"by) (?:the )?$"
)
_GRANT_AFTER = re.compile(
    r" (?!(?:[\w'-]+ ){0,3}(?:academy|research|sciences?|medical|ministry|government|bank|council))(?:[\w'-]+ ){0,3}"
    r"(?:foundation|fund|trust|institute|society|league|federation|association|house|heritage|scholarship)\b"
)
_STOCK = re.compile(r" (?:stock|extraction|parentage|blood)\b")
_ON_AIR_BEFORE = re.compile(
    r"\b(?:host\w*|present\w*|volunt\w*|dj|show|hour|slot|programme|program|broadcast\w*|spoke|"
    r"read) (?:[\w-]+ ){0,3}?(?:on|at|for)"
    r"(?: the)? $"
)
_ON_AIR_AFTER = re.compile(r" (?:community )?(?:radio|fm)\b")
_MOSTLY_BEFORE = re.compile(r"\b(?:historically|predominantly|traditionally|majority|mostly|largely|all)[ -]$")
_MOSTLY = re.compile(
    r" (?:college|universit|school|institution|church|neighbou?rhood|town|city|village|area|district|borough|"
    r"estate|ward|campus|class|team|crew|cast|audience|populat|county|suburb|island)"
)
#: What is told of with a people's colour: `a Black weekly`, `a Black music group`.
_COLOUR_SHARED = re.compile(
    r" (?:weekly|monthly|newspaper|magazine|radio|press|podcast|film|music|theat(?:re|er)|dance|poetry|arts?|book|"
    r"comedy|choral|gospel|jazz)\b"
)
#: A paper or a station of people, not of a country.
_LOCAL = re.compile(r"\b(?:local|community|diaspora|neighbou?rhood) $")
_LOCAL_AFTER = re.compile(r"[ ](?:news)?papers?\b|[ ]radio\b|[ ]magazines?\b")
_TONGUE_BEFORE = re.compile(
    r"\b(?:language|languages|tongue|speaks?|speaking|fluent|bilingual|translat\w*)\b[^.\n;]{0,50}$"
)
_ORIGIN_AFTER = re.compile(
    r"\s+(?:by\s+(?:birth|descent|origin|nationality|heritage|blood|naturali[sz]ation|passport|citizenship|"
    r"marriage|tribe|caste|"
    r"culture|ethnicity|ancestry|family|choice|adoption|parentage)|"
    r"and\s+proud|on my \w+(?:'s)? side)\b"
    r"|,\s+(?:living |based |settled |resident |working )?in\s+(?:the\s+)?[\w.]+(?:\s\w+)?\s+since\b"
    r"|\s+under\s+the\s+homes\b"
)
#: Named after their country: `British Council`, `American Bar Association`, `European Union`.
_INSTITUTION = re.compile(
    r"\s+(?:community college|red cross|legion|union|commission|parliament|council|court|academy|"
    r"committee|"
    r"national (?:opera|ballet|insurance|bank|railways?|grid|theatre|park|gallery|museum|library|express|geographic)|"
    r"(?:society|association|federation|institute|board|college|convention) (?:of|for|on))\b"
)
_FIXED = re.compile(
    r"chinese new year|vietnamese new year|korean new year|american bar association|"
    r"(?:norwegian|danish) refugee council|scottish widows|"
    r"[a-z]+ (?:national )?(?:science|research) (?:foundation|council|fund)\b|[a-z]+ national (?:rail|park|grid|"
    r"bank)\b|"
    r"[a-z]+ family (?:restaurants?|business(?:es)?|firms?|baker(?:y|ies)|hotels?|winer(?:y|ies)|vineyards?)\b|"
    r"english heritage(?! (?:fellowship|month|society|award|day|cent|group|network))"
)
_MENU = re.compile(r"\b(?:cuisines?|menus?|dishes|cooking|languages?|speaks?|fluent|translat\w+|markets?|regions?)\b")
_AGENT = re.compile(r"(?:ers|ors|ists|ians|eers|ants)$")
_ABSTRACT = re.compile(r"(?:[a-z]{2}ing|[ts]ions?|ments?|ics|olog(?:y|ies)|isms?|wares?|ances?|ences?|als)$")

_COLOUR_AFTER = re.compile(
    r",?\s+(?:(?:and|&)\s+)?(?:fe)?male\b|,?\s+(?:wo)?man\b|\s+in\s+(?:tech\w*|ai|stem|data|design|law|science|"
    r"engineering|finance|business|media|film|architecture|medicine|government|computing|robotics|space|energy|health|"
    r"security|aviation|sport|sports|publishing|gaming|games|theatre|music|nursing|education|construction|"
    r"sales|research|"
    r"cyber\w*|hr|marketing|advertising|fashion|banking|insurance|pharma|biotech|product|hospitality|farming|trades)\b"
)
_FIELDS = frozenset({"field", "abstract", "study"})
_SECOND = frozenset({"american", "canadian", "british", "australian", "kiwi"})
_COLOURS = frozenset({"black", "white", "other"})
#: A line with so many characters was broken for want of room.
_WRAPPED = 48
#: So long a line, and so much around it, is written small throughout in a text without capitals.
_SMALL_LINE = 12
_SMALL_NEAR = 200
_ALSO_LISTED = frozenset(
    ("hispanic", "latino", "latina", "latinx", "indigenous", "aboriginal", "us", "uk", "eu", "arabic")
)


@cache
def _heads() -> dict[str, str]:
    with (resources.files("evenhand.resumes.categories") / "ethnicity_heads.csv").open("r", encoding="utf-8") as file:
        return {row["word"]: row["kind"] for row in csv.DictReader(file)}


def _kind(word: str) -> str:
    """Return what kind of noun a word is, "" where it is not known."""
    heads = _heads()
    word = word.removesuffix("'s")
    for form in _forms(word):
        if form in heads:
            return heads[form]
    if word.endswith("ed"):
        return "neutral"
    if _AGENT.search(word):
        return "agent"
    return "thing" if word.endswith("ery") else "abstract" if _ABSTRACT.search(word) else ""


def _forms(word: str) -> Iterator[str]:
    yield word
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]


@cache
def _phrases() -> tuple[str, ...]:
    phrases = phrases_of("ethnicity")
    return (*phrases["nation"], *phrases["tongue"], *phrases["broad"], *phrases["colour"])


@cache
def _names() -> frozenset[str]:
    """Return the names of one word."""
    return _ALSO_LISTED.union(_phrases())


@cache
def _listed() -> frozenset[str]:
    """Return the words that may stand in a list of nations (`Chinese, Sri Lankan and other suppliers`)."""
    words = frozenset(word for name in _phrases() for word in re.split(r"[ -]", name))
    return words.union(_ALSO_LISTED, ("other",)) - {"of", "new", "st"}


@cache
def _languages() -> frozenset[str]:
    return frozenset(phrases_of("ethnicity")["tongue"]) | {"english", "arabic", "creole"}


def told(kind: Told) -> Callable[[Plain, int, int], bool]:
    """Return the check of a name of this kind: words from the first to the last place tell of a person.

    >>> from evenhand.resumes.plain import plain_text
    >>> [told("nation")(plain_text(text), 0, 0) for text in ("Kenyan nurses' union", "Kenyan tea", "Kenyan; mobile")]
    [True, False, True]
    """
    return partial(_told, kind)


def _told(kind: Told, plain: Plain, first: int, last: int) -> bool:
    place, compound = _end_of_list(plain, last)
    while _after_another(plain, first):
        first, compound = first - 1, True
    if kind == "broad" and not compound and _INSTITUTION.match(plain.low, plain.words[last][2]) is not None:
        return False
    if _FIXED.match(plain.low, plain.words[first][1]) is not None:
        return False
    kinds = list(_phrase(plain, place))
    if compound:
        # Brazilian Portuguese, American English
        variety = plain.words[place][0] in _languages() and plain.words[first][0] not in _languages()
        kind, compound = ("tongue", False) if variety else ("nation" if kind == "broad" else kind, True)
    start, end = plain.words[first][1], plain.words[place][2]
    before = plain.low[max(0, start - _NEAR) : start]
    capital = plain.text[start].isupper() or (
        (kind != "colour" or _COLOUR_AFTER.match(plain.low, end) is not None) and _is_small(plain.text, start, end)
    )
    if _is_told_around(plain, before, end, capital=capital) or (
        kind == "colour" and place > last and plain.words[place][0] not in _COLOURS and capital
    ):
        return True  # Black and Asian, Black British
    answer = _by_nouns(kind, kinds, capital=capital, compound=compound)
    if answer is None and kinds:
        answer = _by_rest(kind, plain, start, kinds[0], compound=compound)
    elif answer is None:
        answer = _alone(kind, plain, start, end, compound=compound)
    if answer and kind != "native" and not capital:
        return plain.words[first][0] != "polish" and any(each in {"person", "origin"} for each, _ in kinds)
    return answer or (capital and _in_life(kind, plain, place, end, before))


def _is_told_around(plain: Plain, before: str, end: int, *, capital: bool) -> bool:
    """Say whether the words beside a nation tell of a person or of people, whatever noun follows."""
    kin = before.endswith(_KIN_ENDS) and _KIN_BEFORE.search(before) is not None
    labelled = capital and (kin or _LABEL_BEFORE.search(before) is not None)
    local = _LOCAL_AFTER.match(plain.low, end) is not None and _LOCAL.search(before) is not None
    self = capital and _SELF_AFTER.match(plain.low, end) is not None and _SELF_BEFORE.search(before) is not None
    grown = capital and _FAMILY_AFTER.match(plain.low, end) is not None and _FAMILY_BEFORE.search(before) is not None
    first = capital and _FIRST_AFTER.match(plain.low, end) is not None and _FIRST_BEFORE.search(before) is not None
    granted = capital and _GRANT_AFTER.match(plain.low, end) is not None and _GRANT_BEFORE.search(before) is not None
    stock = before.endswith("of ") and _STOCK.match(plain.low, end) is not None
    honoured = _HONOURED_AFTER.match(plain.low, end) is not None and _HONOURED_BEFORE.search(before) is not None
    on_air = _ON_AIR_AFTER.match(plain.low, end) is not None and _ON_AIR_BEFORE.search(before) is not None
    mostly = capital and _MOSTLY.match(plain.low, end) is not None and _MOSTLY_BEFORE.search(before) is not None
    return labelled or local or mostly or honoured or on_air or stock or self or grown or first or granted


def _is_small(text: str, start: int, end: int) -> bool:
    """Say whether all of a line of some length is written small: names of nations are too."""
    last = text.find("\n", end)
    line = text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)]
    return (
        len(line) >= _SMALL_LINE and line.islower() and text[max(0, start - _SMALL_NEAR) : end + _SMALL_NEAR].islower()
    )


def _in_life(kind: Told, plain: Plain, place: int, end: int, before: str) -> bool:
    """Say whether a thing stands with a nation that is no ware: of a community, or of people by their colour."""
    inside = before[-1:] == " " and before[-2:-1].isalnum()
    if kind == "colour" and inside and _COLOUR_SHARED.match(plain.low, end) is not None:
        return True
    hyphened = plain.words[place][0] in _SECOND and plain.low[plain.words[place][1] - 1] == "-"
    return in_community(plain, place, shared=hyphened and plain.words[place - 1][0] in _names())


def _end_of_list(plain: Plain, place: int) -> tuple[int, bool]:
    """Return the place of the last nation of a list, and whether two stand together (`Turkish German`)."""
    words, listed, compound = plain.words, _listed(), False
    while place + 1 < len(words):
        gap = plain.low[words[place][2] : words[place + 1][1]]
        word = words[place + 1][0]
        if gap in _LIST and word in listed:
            compound |= gap in {" ", "-", "/", "\n"} and {word, words[place][0]} <= _names()
            place += 1
        elif (
            gap in {" ", ", ", "\n"}
            and word in _JOINS
            and place + 2 < len(words)
            and words[place + 2][0] in listed
            and plain.text[words[place + 2][1]].isupper()
        ):
            place += 2
        else:
            break
    return place, compound


def _after_another(plain: Plain, first: int) -> bool:
    """Say whether another nation's name stands right before (`Korean-American`)."""
    if first == 0:
        return False
    word, start, end = plain.words[first - 1]
    return (
        word in _names() and plain.text[start].isupper() and plain.low[end : plain.words[first][1]] in {" ", "-", "/"}
    )


def _phrase(plain: Plain, place: int) -> Iterator[tuple[str, bool]]:
    """Give the kinds of the nouns after a place, and whether each is written with a capital."""
    words = plain.words
    for step in range(place + 1, min(place + 1 + _LONGEST, len(words))):
        word, start, _ = words[step]
        gap = plain.low[words[step - 1][2] : start]
        if gap == "-" and word.isdigit():
            continue
        if word == "under" and plain.low[words[step][2] : words[step][2] + 1] == "-":
            yield "person", False  # the Kenyan under-19 team
            continue
        if gap not in _INSIDE or not word[0].isalpha():
            return
        if "\n" in gap and not _wrapped(plain, words[step - 1][1], start):
            return
        if word in _JOINS and step > place + 1:
            continue
        kind = "end" if word in _JOINS else _kind(word)
        if kind == "end":
            if word in {"of", "for"} and step + 1 < len(words) and _kind(words[step + 1][0]) in _FIELDS:
                yield "subject", True  # Indian Council of Medical Research
            return
        if gap == "-" and kind == "neutral":
            kind = "thing"
        yield kind, plain.text[start].isupper()


def _wrapped(plain: Plain, last: int, start: int) -> bool:
    """Say whether a line ends for want of room, and the next goes on with the sentence."""
    text = plain.text
    return start - text.rfind("\n", 0, last) > _WRAPPED and (
        text[start].islower() or (text[start + 1 : start + 2].islower() and text[last + 1].islower())
    )


def _by_nouns(kind: Told, kinds: list[tuple[str, bool]], *, capital: bool, compound: bool) -> bool | None:  # noqa: PLR0911, C901 - one line per kind of noun
    """Return what the first noun that decides says, None where none does."""
    field = company = False
    for place, (noun, title) in enumerate(kinds):
        match noun:
            case "person" | "agent" if company and not title:
                return False
            case "origin" | "person":
                return True
            case "agent" if kind != "colour":
                return True
            case "thing" | "lesson" | "language":
                return False
            case "teacher":
                return kind not in {"tongue", "broad"}
            case "study" if kind == "colour":
                return True
            case "group" | "weak" if (field or kinds[-1][0] == "subject") and not compound:
                return False
            case "group":
                return kind != "colour" or capital
            case "weak":
                return kind != "colour" and (place > 0 or title)
            case "field" | "study":
                field, company = True, title
            case _:
                pass
    return None


def _by_rest(kind: Told, plain: Plain, start: int, noun: tuple[str, bool], *, compound: bool) -> bool:
    """Return the answer where no noun decides: unknown words in small letters are a person's, in capitals a firm's."""
    before = plain.low[max(0, start - _NEAR) : start]
    if _TONGUE_BEFORE.search(before) is not None:
        return False
    unknown = noun[0] == ""
    return kind == "native" or compound or (unknown and _TOLD_BEFORE.search(before) is not None)


def _alone(kind: Told, plain: Plain, start: int, end: int, *, compound: bool) -> bool:
    """Return the answer where no noun follows."""
    before, after = plain.low[max(0, start - _NEAR) : start], plain.low[end : end + _NEAR]
    if _TOLD_BEFORE.search(before) is not None or _ORIGIN_AFTER.match(after) is not None:
        return True
    if _TONGUE_BEFORE.search(before) is not None:
        return False
    if kind == "colour":
        return _COLOUR_AFTER.match(after) is not None
    if kind in {"nation", "native"} or compound:
        return _MENU.search(before + " " + after) is None
    return False
