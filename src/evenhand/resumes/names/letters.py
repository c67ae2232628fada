"""Names in letters and in notes on candidates: who is greeted in any language, who signs, `Park, Ji-hoon: manager`.

Also a name that is broken over two lines behind a word that a person follows.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from evenhand.resumes.names.around import ORGANISATION_AFTER
from evenhand.resumes.names.kinds import is_ordinary, is_person_noun, kind_of
from evenhand.resumes.names.lists import english_words, given_names, is_no_person, surnames
from evenhand.resumes.plain import Plain, word_list

__all__ = ["addressed", "in_letters"]

_ONE = r"(?:(?:al|el|[ADO])[-'])?[A-Z][\w']*+(?:-[A-Za-z]\w*)?"
_PARTICLE = (
    r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|bint|ibn|ter|ten|zu|Dela|Te|El|Al)[ ]){0,2}"
)
_WHOLE = rf"{_PARTICLE}{_ONE}(?:[ ]{_PARTICLE}{_ONE}){{0,3}}"
_GREETINGS_LISTED = (
    "geachte beste hej hei hallo liebe lieber bonjour chere cher hola estimado estimada querido querida ciao caro cara "
    "gentile ola prezado prezada caro kaere salut czesc szanowny szanowna kedves szia merhaba sayin salaam namaste "
    "kia talofa moin servus ahoj vazeny vazena dragi draga dear hi hello hey geehrter geehrte hoi dag"
)
_GREETINGS = word_list(_GREETINGS_LISTED.split())
_TITLED = (
    r"(?:(?:Herr|Frau|Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Sir|Madam|Pan|Pani|Mevrouw|Meneer|mevrouw|meneer|heer"
    r"|Monsieur|Madame|Senor|Senora|Signor|Signora)\.?[ ])*"
)
_GREETED = re.compile(
    rf"[ ](?:ora[ ])?{_TITLED}({_WHOLE})(?:(?:[ ](?:and|&|en|und|et|y|e|og|och|i)"
    rf"|,)[ ]{_TITLED}({_WHOLE}))?(?=[ ]?[,!:–-]?[ ]*(?:\n|$)|,[ ])"
)
_NO_GREETED = re.compile(r"\b(?:grusse?|regards|wishes|world|team|kitty|fresh|magazine|everyone|all|sir|madam)\b")
_AT_LINE = frozenset('\n>\t*"')

#: What is said to the one whose name begins a note: `Nigel, see below.`
_SAID_TO = re.compile(
    rf"(?:^|\n)[> ]*({_ONE})(?:,[ ](?=(?:see|please|can|could|would|will|have|here|fyi|thanks|thank|do|did|what"
    r"|shall|let|call|just|as|good|no|yes|sharing|forwarding|over|sorry|any|quick|one|another|any|this|attached|below|"
    r"any|if|are|is)\b)"
    r"|[ ][–—-][ ](?=(?:shall|can|could|please|see|do|have|any|what|would|fyi|thanks|is|are|here|let)\b))"
)
#: Who signs above a quoted message.
_QUOTED_BELOW = re.compile(
    rf"\n[> ]*({_ONE}(?:[ ]{_ONE})?)\n(?=[> ]*\n?[> ]*(?:From:|Von:|De:|-----|_____"
    rf"|On [A-Z][^\n]{{6,60}} wrote:|Sent from))"
)
_QUOTES = ("From:", "Von:", "-----", "_____", " wrote:", "Sent from")

_PAIRED = re.compile(r", [A-Z][\w'-]*[:;]")
_PAIR_ENDS = frozenset(":;")
_PAIR = re.compile(rf"(?<![\w'@/-])({_PARTICLE}{_ONE}(?:[ -]{_ONE})?),[ ]$")
_BEFORE_PAIR = re.compile(
    r"(?:^|[\n:;•*>|\"{}\t]|[-–▪▸○>+~] |\b(?:at|about|by|with|from|to|and|ask|meet|see|call|contact|hire"
    r"|interview|ref|like|prefer|saw|met)\b)[ ]*$"
)
_LONGEST, _NEAR = 40, 30
_CONTACT = re.compile(r"[(+]?\+?\d[\d ()./-]{6,}|\S+@")

_BREAK = re.compile(rf"\n(?=[ \t>]*[A-Za-z])(?<=[^\W_]\n)[ \t>]*({_PARTICLE}{_ONE})(?=[\n.,;:)]|[ ][a-z(]|$)")
_BEFORE_BROKEN = re.compile(
    r"\b(?:with|by|and|that|when|from|under|to|for|alongside|of|beside|than|chef|colleague|manager|assisted"
    r"|helped|supported|trained|mentored|thanked|met|joined)[ ]$|[(][ ]?$|[–—-][ ]$"
)


def in_letters(plain: Plain) -> Iterator[str]:
    r"""Yield whom a letter greets, who signs above a quoted one, and people written with the family's name first.

    >>> from evenhand.resumes.plain import plain_text
    >>> list(in_letters(plain_text("Geachte Margaret Birtwistle,\n\nHave a look at Dela Cruz, Ji-hoon; all is tidy.")))
    ['Margaret Birtwistle', 'Dela Cruz, Ji-hoon']
    """
    yield from _greeted(plain)
    yield from _family_first(plain)
    yield from _broken(plain)


def _greeted(plain: Plain) -> Iterator[str]:
    text = plain.text
    for place in plain.places(_GREETINGS):
        _, start, end = plain.words[place]
        begins = text[start - 1 : start] in _AT_LINE or (place and plain.words[place - 1][0] in {"sehr", "kia"})
        match = _GREETED.match(text, end) if (begins or not start) and text[start].isupper() else None
        if match is None:
            continue
        for named in filter(None, match.groups()):
            words = named.lower().split()
            kinds = [kind_of(word) for word in words]
            if _NO_GREETED.search(named.lower()) is None and not is_no_person(named.lower()):
                single = len(words) == 1
                if (
                    {"ordinary", "job"}.isdisjoint(kinds)
                    and (kinds[-1] != "other" or any(word in given_names() for word in words))
                    and (not single or kinds[0] == "name" or words[0] in given_names() or words[0] in surnames())
                ):
                    yield named


def addressed(text: str) -> Iterator[tuple[int, int]]:
    """Yield where those stand who are spoken to at the beginning of a note, and who sign above a quoted message."""
    if not any(mark in text for mark in _QUOTES):
        return
    for pattern in (_SAID_TO, _QUOTED_BELOW):
        for match in pattern.finditer(text):
            words = match.group(1).lower().split()
            if all(word in given_names() or kind_of(word) in {"name", "word"} for word in words):
                yield match.span(1)


def _family_first(plain: Plain) -> Iterator[str]:
    """Yield `Family, Given` behind a cue or at a line's beginning, with a role or a number behind it."""
    text, low = plain.text, plain.low
    if _PAIRED.search(text) is None:
        return
    for place in plain.capitals:
        word, start, end = plain.words[place]
        if text[start - 2 : start] != ", ":
            continue
        if text[end : end + 1] == "-":
            end = plain.words[place + 1][2] if place + 1 < len(plain.words) else end
        if text[end : end + 1] not in _PAIR_ENDS:
            continue
        family = _PAIR.search(text, max(0, start - _LONGEST), start)
        if family is None or _BEFORE_PAIR.search(low, max(0, family.start() - _NEAR), family.start()) is None:
            continue
        given = low[start:end]
        words = [each.lower() for each in family.group(1).split() if each[0].isupper()]
        kinds = [kind_of(each) for each in words]
        if kind_of(word) in {"ordinary", "job"} or not {"name", "word", "particle"}.issuperset(kinds):
            continue
        firsts = given in given_names() or word in given_names()
        lasts = any(each in surnames() for each in words)
        if not (firsts or (lasts and kind_of(given) == "name")) or not ("name" in kinds or (firsts and lasts)):
            continue
        line = low.find("\n", end)
        said = low[end + 1 : line if line >= 0 else len(low)][:60]
        if (
            text[end] == ";"
            or _CONTACT.search(said)
            or any(is_person_noun(each.strip(",;.()")) for each in said.split()[:4])
        ):
            yield text[family.start(1) : end]


def _broken(plain: Plain) -> Iterator[str]:
    """Yield names of which a line has the first word and the next line the last."""
    text, words = plain.text, plain.words
    for following in _BREAK.finditer(text):
        end = following.start()
        place = bisect_right(plain.starts, end) - 1
        if place and text[words[place - 1][2]] == "-" and _is_given(plain, place - 1):
            place -= 1
        elif not _is_given(plain, place):
            continue
        start = words[place][1]
        if _BEFORE_BROKEN.search(plain.low, max(0, start - 14), start) is None:
            continue
        last = [each.lower() for each in following.group(1).split() if each[0].isupper()][-1]
        listed = last in surnames()
        if is_ordinary(last) or not (listed or (kind_of(last) == "name" and last not in english_words())):
            continue
        if kind_of(last) != "other" and ORGANISATION_AFTER.match(text, following.end(1)) is None:
            yield f"{text[start:end]} {following.group(1)}"


def _is_given(plain: Plain, place: int) -> bool:
    """Say whether a word with a capital is a frequent given name."""
    word, start, _ = plain.words[place]
    return plain.text[start].isupper() and word in given_names() and kind_of(word) in {"name", "word"}
