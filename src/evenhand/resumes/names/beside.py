"""People named beside a document's person: `Okafor and Lee`, `Lee 2, Okafor 1`, `Lee T, Okafor N` among authors.

Once the person's name is found, what is joined to it in the same form is another person's: one word may do,
in no list of names.
"""

import re
from collections.abc import Iterable, Iterator

from evenhand.resumes.names.around import ORGANISATION_AFTER
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import given_names, is_no_person, surnames
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["beside"]

_PARTICLE = (
    r"(?:(?:van|von|de|der|den|dem|del|della|di|da|do|dos|das|du|la|las|los|le|el|al|bin|bint|ibn|ter|ten|zu)[ ])"
)
_ONE = r"(?:(?:al|el|ul|as|ad|ar|az|ash|an)-)?[A-Z][\w']+(?:-\w+)*"
_FAMILY = rf"{_PARTICLE}{{0,3}}{_ONE}(?:[ ]{_ONE})?"
_NAME = rf"{_PARTICLE}{{0,3}}{_ONE}(?:[ ](?:{_PARTICLE}{{1,3}}|[A-Z]\.[ ])?{_ONE}){{0,3}}"
_ENDED = re.compile(r"[.,;:)|\n\"'!?*\]/]|$|[ ]+(?:[a-z0-9(&+/=|-]|\u2013|\u2014)")
_AND = r"(?:and|AND|&|\+|/|und|y|et|v\.?|vs\.?|versus)"
_RANK = r"(?:then|later|first|second|third|fourth|fifth|last|winner|runner-up|1st|2nd|3rd|4th|[1-9]\.)"
#: How a name is joined to the one before it, and what stands between.
_JOINED = re.compile(rf"(?:[ ]{_AND}[ ](?:later[ ]|then[ ])?|/)(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?[ ])?({_NAME})")
_COUNTED = re.compile(rf"[ ]\d{{1,3}}[,;][ ]({_NAME})(?=[ ]\d)")
_RANKED = re.compile(rf"[ ]?[;,][ ](?:and[ ])?{_RANK}[,:]?[ ]({_NAME})")
_LISTED = re.compile(rf",[ ]({_NAME})")
_BEFORE_JOINED = re.compile(rf"(?<![\w'.@/&-])({_NAME})(?:[ ]{_AND}[ ]|/)$")
_JOINING = (" and ", " AND ", " & ", " + ", " / ", " und ", " y ", " et ", " v ", " v. ", " vs ", " vs. ", " versus ")
_BEFORE_COUNTED = re.compile(rf"(?<![\w'.@/&-])({_NAME})[ ]\d{{1,3}}[,;][ ]$")
_BEFORE_RANKED = re.compile(rf"{_RANK}[,:]?[ ]({_NAME})[;,][ ](?:and[ ])?{_RANK}[,:]?[ ]$")
_NUMBERED = re.compile(r"[ ]\d{1,3}(?![\d%])")
_INITIALS = r"(?:[A-Z](?:-?[A-Za-z](?![a-z])){0,2}\.?(?![\w'])|(?:[A-Z]\.[ -]?){1,3})"
_AUTHOR = re.compile(rf"{_FAMILY},?[ ]{_INITIALS}\*{{0,2}}")
#: What initials begin with; looked for first, which is quick.
_MAY_BE_INITIALS = re.compile(r"[ ][A-Z](?![a-z]{2})")
_GAP = r"(?:[ ]?[,;][ \n]{1,2}(?:(?:and|&)[ \n])?|[ \n](?:and|&)[ \n])"
_NEXT_AUTHOR = re.compile(rf"\*{{0,2}}\.?{_GAP}\*{{0,2}}({_FAMILY},?[ ]{_INITIALS})")
_EARLIER_AUTHOR = re.compile(rf"(?<![\w'-])({_FAMILY},?[ ]{_INITIALS})\*{{0,2}}{_GAP}\*{{0,2}}$")
_INVERTED = re.compile(rf"{_FAMILY},\s{{1,2}}{_ONE}(?:[ ](?:[A-Z]\.|{_ONE}))?")
_SEMICOLON = r"(?:[ ]?;[ \n]{1,2}(?:(?:and|&)[ ])?|[ ](?:and|&|/)[ ])"
_NEXT_INVERTED = re.compile(rf"{_SEMICOLON}({_FAMILY},\s{_ONE}(?:[ ][A-Z]\.)?)")
_EARLIER_INVERTED = re.compile(rf"(?<![\w'-])({_FAMILY},\s{_ONE}(?:[ ][A-Z]\.)?){_SEMICOLON}$")
_FAR, _MOST, _TOP = 70, 12, 90
_GOES_ON = frozenset({" ", ",", ";", "/"})
_PARTS, _WORD = re.compile(r"[ ,]+"), re.compile(r"[\w'-]+")
_AND_MORE = re.compile(r",?[ ](?:and|&)[ ][A-Z]|,[ ][A-Z]|[ ]?=")


def beside(plain: Plain, found: Iterable[Found]) -> list[Found]:
    """Return people that are joined to the names of the person, which `found` holds.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Vote tellers: Okafor and Lindqvist.")
    >>> own = Found(start=14, end=20, category="NAME", rule="person", confidence=1)
    >>> [seen.text[each.start : each.end] for each in beside(seen, [own])]
    ['Lindqvist']
    """
    text = plain.text
    spans = sorted({(each.start, each.end) for each in found if text[each.start].isupper() and each.rule == "person"})
    others = {each.end for each in found if each.category == "NAME"}
    places: set[tuple[int, int]] = set()
    for start, end in spans:
        written = text[start:end]
        initialled = _MAY_BE_INITIALS.search(written) is not None
        if initialled and (_AUTHOR.fullmatch(written) or _AUTHOR.match(text, start, end + 1)):
            places |= set(_chain(text, start, end, _NEXT_AUTHOR, _EARLIER_AUTHOR))
        elif "," in written and _INVERTED.fullmatch(written):
            places |= set(_chain(text, start, end, _NEXT_INVERTED, _EARLIER_INVERTED))
        else:
            places |= set(_after(text, start, end, others))
            places |= set(_before(text, start, end))
    return [
        Found(start=start, end=end, category="NAME", rule="beside the person", confidence=0.85)
        for start, end in sorted(places)
    ]


def _chain(
    text: str, start: int, end: int, following: re.Pattern[str], earlier: re.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """Yield names in the same form on both sides, one after the other."""
    place = end
    for _ in range(_MOST):
        match = following.match(text, place)
        if match is None or not _is_family(match.group(1)):
            break
        yield match.span(1)
        place = match.end()
    place = start
    while text[place - 1 : place] == "*":
        place -= 1
    for _ in range(_MOST):
        match = earlier.search(text, max(0, place - _FAR), place)
        if match is None or (begin := _without_words(text, *match.span(1))) is None:
            break
        if not _is_family(text[begin : match.end(1)]):
            break
        yield begin, match.end(1)
        place = begin
        while text[place - 1 : place] == "*":
            place -= 1


def _is_family(written: str) -> bool:
    """Say whether an author is written: not `Word A`, where a word in no list of names is an ordinary one."""
    words = [word.lower() for word in _PARTS.split(written) if len(word.rstrip(".")) > 2 and word[0].isupper()]
    return any(kind_of(word) in {"name", "word"} or word in surnames() for word in words[:2]) and not any(
        kind_of(word) == "job" for word in words
    )


def _without_words(text: str, start: int, end: int) -> int | None:
    """Return where a name begins behind ordinary words that stand before it: `Thanked Ann Roe`."""
    while True:
        word = _WORD.match(text, start, end)
        if word is None:
            return None
        if word.group()[0].islower() or kind_of(word.group().lower()) not in {"ordinary", "job"}:
            return start
        following = text.find(" ", start, end)
        if following < 0:
            return start
        start = following + 1


def _after(text: str, start: int, end: int, others: set[int]) -> Iterator[tuple[int, int]]:
    stop = end
    unsure = kind_of(text[start:end].lower()) != "name" and " " not in text[start:end]
    for _ in range(_MOST if text[end : end + 1] in _GOES_ON else 0):
        match = _JOINED.match(text, stop) or _COUNTED.match(text, stop) or _RANKED.match(text, stop)
        if match is None:
            break
        if _is_firm(text[start:end], match.group(1)):
            return
        first, last = match.span(1)
        partner = first + len(match.group(1).partition(" ")[0])
        own_firm = "&" in match.group() and ORGANISATION_AFTER.match(text, partner) is not None
        if own_firm:
            last = partner  # `Roe & Lee Engineering`, of the person's own
        if not _is_person(text, first, last, listed=unsure, firm=own_firm):
            return
        yield first, last
        stop = last
    match = _LISTED.match(text, end) if start > _TOP else None
    if (
        match is not None
        and (_AND_MORE.match(text, match.end()) is not None or _in_a_list(text, start, others))
        and _is_person(text, *match.span(1), listed=True)
    ):
        yield match.span(1)


def _in_a_list(text: str, start: int, others: set[int]) -> bool:
    """Say whether another person's name stands before one, behind a comma."""
    return text[max(0, start - 2) : start] == ", " and start - 2 in others


def _before(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    left = max(0, start - _FAR)
    patterns: tuple[re.Pattern[str], ...]
    if text[start - 2 : start] in {", ", "; "}:
        patterns = (_BEFORE_COUNTED, _BEFORE_RANKED)
    elif text[start - 1 : start] == "/" or text[max(0, start - 8) : start].endswith(_JOINING):
        patterns = (_BEFORE_JOINED,)
    else:
        return
    for pattern in patterns:
        if pattern is _BEFORE_COUNTED and _NUMBERED.match(text, end) is None:
            continue
        match = pattern.search(text, left, start)
        if match is None or (begin := _without_words(text, *match.span(1))) is None:
            continue
        written = text[begin : match.end(1)]
        if _is_person(text, begin, match.end(1), listed=" " not in written) and not _is_firm(written, text[start:end]):
            yield begin, match.end(1)
            return


def _is_firm(one: str, other: str) -> bool:
    """Say whether two names are a firm's: `Barnes & Noble`."""
    return is_no_person(f"{one.rpartition(' ')[2]} {other.partition(' ')[0]}".lower())


def _is_person(text: str, start: int, end: int, *, listed: bool = False, firm: bool = False) -> bool:
    """Say whether what stands beside a person's name may be a person's."""
    written = text[start:end]
    words = [word.lower().removesuffix("'s") for word in written.split() if word[0].isupper() and word[1:2] != "."]
    kinds = [kind_of(word) for word in words]
    if not words or "i'm" in words or not {"name", "word", "particle"}.issuperset(kinds) or written.isupper():
        return False
    if not firm and (ORGANISATION_AFTER.match(text, end) is not None or _ENDED.match(text, end) is None):
        return False
    if is_no_person(written.lower()):
        return False
    frequent = any(word in surnames() or word in given_names() for word in words) or _TWO_PARTS.fullmatch(written)
    return bool(frequent) if listed or "name" not in kinds else True


#: Seung-ho, Yu-na: a given name of two syllables.
_TWO_PARTS = re.compile(r"[A-Z][a-z]{1,5}-[a-z]{2,5}")
