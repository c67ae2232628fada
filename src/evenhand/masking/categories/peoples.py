"""Whether the name of a nation or a people describes a person, by the words next to it.

It does unless its noun is a thing: a market, a product, a dish, a language lesson. Nouns are read up to
the end of the noun phrase (`the Korean car makers' association`); the first known one decides.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import Literal

from evenhand.masking.folded_text import FoldedText, ending
from evenhand.masking.rules import TABLES, phrases_of
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

PEOPLES_WORDS = WordTable("evenhand.masking.categories", "peoples.toml")
ETHNICITY_WORDS = TABLES["ethnicity"]

PeopleKind = Literal["nation", "tongue", "broad", "tribe", "colour", "native"]

_LONGEST = 6
_NEAR = 70
#: Nations in a row that are read as one list, and what is between them.
_LONGEST_LIST = 40
_LIST = frozenset({", ", "/", " / ", " & ", " ", "-", ",\n", " - ", "\n"})
_JOINS = frozenset({"and", "or", "y", "und", "et"})
_FIELDS = frozenset({"field", "abstract", "study"})
#: The earlier items of a list.
_ITEM_BEFORE = lazy_re(r"^[\s\S]*\n(?=[ \t]*(?:[-*\u2022\u25aa>~+\u25a0\u27a2]|\n))")


@cache
def _has_person_cue() -> Callable[[str], object]:
    """Return what looks for words that make a nation before them somebody's: `I am`, `mother was`, `of proud`."""
    return ending(PEOPLES_WORDS.person_before)


@cache
def _heads() -> dict[str, str]:
    return {word: kind for kind, words in ETHNICITY_WORDS.heads.items() for word in words.split()}


@lru_cache(maxsize=8192)
def _kind(word: str) -> str:
    """Return the kind of a noun, "" where it is not known."""
    heads = _heads()
    word = word.removesuffix("'s")
    for end, instead in (("", ""), ("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(end) and (form := word.removesuffix(end) + instead) in heads:
            return heads[form]
    if word.endswith("ed"):
        return "neutral"
    return "agent" if PEOPLES_WORDS.agent.search(word) else "abstract" if PEOPLES_WORDS.abstract.search(word) else ""


@cache
def _names() -> frozenset[str]:
    """Return the names of peoples."""
    phrases = phrases_of("ethnicity")
    return frozenset(PEOPLES_WORDS.also).union(*(phrases[rule] for rule in ("nation", "tongue", "broad", "colour")))


@cache
def _listed() -> frozenset[str]:
    """Return the words that may be in a list of nations (`Chinese, Sri Lankan and other suppliers`)."""
    words = frozenset(word for name in _names() for word in re.split(r"[ -]", name))
    return words.union(("other",)).difference(PEOPLES_WORDS.never_listed)


@cache
def _languages() -> frozenset[str]:
    return frozenset(phrases_of("ethnicity")["tongue"]) | {"english", "arabic", "creole"}


@cache
def _tongues() -> frozenset[str]:
    """Return the peoples' names that are languages' too: as a subject or a language they are a skill."""
    return frozenset(phrases_of("ethnicity")["language"])


def person_check(kind: PeopleKind) -> Callable[[FoldedText, int, int], bool]:
    """Return the check of a name of this kind: whether the words from the first to the last place describe a person.

    >>> from evenhand.masking.folded_text import folded_text
    >>> texts = ("Kenyan nurses' union", "Kenyan tea", "Kenyan; mobile")
    >>> [person_check("nation")(folded_text(text), 0, 0) for text in texts]
    [True, False, True]
    """
    return partial(_is_of_person, kind)


def _is_of_person(kind: PeopleKind, folded: FoldedText, first: int, last: int) -> bool:
    low, words = folded.low, folded.words
    place, compound = _end_of_list(folded, last)
    earliest = first - _LONGEST_LIST
    while first > earliest and _after_another(folded, first):
        first, compound = first - 1, True
    start, end, final = words[first][1], words[place][2], words[place][0]
    if PEOPLES_WORDS.fixed.match(low, start) is not None or (
        kind == "broad" and not compound and PEOPLES_WORDS.institution.match(low, words[last][2]) is not None
    ):
        return False
    if kind == "colour" and place > last and final not in {"black", "white", "other"}:
        return True  # Black and Asian, Black British
    variety = compound and final in _languages() and words[first][0] not in _languages()
    if variety or (kind == "tribe" and final in _tongues()):
        kind, compound = "tongue", False  # Brazilian Portuguese, American English
    elif compound and kind == "broad":
        kind = "nation"
    kinds = list(_phrase(folded, place))
    answer = _by_nouns(kind, kinds, capital=folded.text[start].isupper() or kind != "colour", compound=compound)
    if answer is not None:
        return answer
    around = low[max(0, start - _NEAR) : start], low[end : end + _NEAR]
    return _by_context(kind, *around, noun=kinds[0][0] if kinds else None, compound=compound)


def _by_context(kind: PeopleKind, before: str, after: str, *, noun: str | None, compound: bool) -> bool:
    """Return the answer of the words around where no noun decides; `noun` is the kind of the first."""
    cued = _has_person_cue()(before) is not None
    if noun is None and (cued or PEOPLES_WORDS.origin_after.match(after) is not None):
        return True
    if PEOPLES_WORDS.of_language.search(before) is not None:
        return False
    if noun is not None:  # unknown words in small letters are a person's, in capitals a firm's
        return compound or (noun == "" and cued)
    if kind == "colour":
        return PEOPLES_WORDS.colour_after.match(after) is not None
    alone = kind in {"nation", "native"} or compound
    return alone and PEOPLES_WORDS.menu.search(_ITEM_BEFORE.sub("", before) + " " + after) is None


def _end_of_list(folded: FoldedText, place: int) -> tuple[int, bool]:
    """Return the place of the last nation of a list, and whether two are adjacent (`Turkish German`)."""
    words, listed, compound = folded.words, _listed(), False
    for _ in range(_LONGEST_LIST):
        if place + 1 >= len(words):
            break
        gap = folded.low[words[place][2] : words[place + 1][1]]
        word = words[place + 1][0]
        if gap in _LIST and word in listed:
            compound |= gap in {" ", "-", "/", "\n"} and {word, words[place][0]} <= _names()
            place += 1
        elif gap in {" ", ", ", "\n"} and word in _JOINS and place + 2 < len(words) and words[place + 2][0] in listed:
            place += 2
        else:
            break
    return place, compound


def _after_another(folded: FoldedText, first: int) -> bool:
    """Say whether another nation's name is right before (`Korean-American`)."""
    word, start, end = folded.words[first - 1]
    return (
        first > 0
        and word in _names()
        and folded.text[start].isupper()
        and folded.low[end : folded.words[first][1]] in {" ", "-", "/"}
    )


def _phrase(folded: FoldedText, place: int) -> Iterator[tuple[str, bool]]:
    """Give the kinds of the nouns after a place, and whether each is written with a capital."""
    words = folded.words
    for step in range(place + 1, min(place + 1 + _LONGEST, len(words))):
        word, start, _ = words[step]
        gap = folded.low[words[step - 1][2] : start]
        if gap == "-" and word.isdigit():
            continue
        if gap not in PEOPLES_WORDS.inside or not word[0].isalpha():
            return
        if word in _JOINS and step > place + 1:
            continue
        kind = "end" if word in _JOINS else _kind(word)
        if kind == "end":
            if word in {"of", "for"} and step + 1 < len(words) and _kind(words[step + 1][0]) in _FIELDS:
                yield "subject", True  # Indian Council of Medical Research
            return
        yield "thing" if gap == "-" and kind == "neutral" else kind, folded.text[start].isupper()


def _by_nouns(kind: PeopleKind, kinds: list[tuple[str, bool]], *, capital: bool, compound: bool) -> bool | None:  # noqa: PLR0911, C901 - one line per kind of noun
    """Return the answer of the first noun that decides, None without one."""
    field = False
    for place, (noun, title) in enumerate(kinds):
        match noun:
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
                return capital
            case "weak":
                return kind != "colour" and (place > 0 or title)
            case "field" | "study":
                field = True
            case _:
                pass
    return None


#: Characters before a country that decide whether somebody is from there.
_NEAR_COUNTRY = 64


@cache
def _is_after_from() -> Callable[[str], object]:
    return ending(ETHNICITY_WORDS.country_before)


def is_origin(folded: FoldedText, first: int, _last: int) -> bool:
    """Say whether the country at these places is where somebody comes from."""
    start = folded.words[first][1]
    before = folded.low[max(0, start - _NEAR_COUNTRY) : start]
    return ETHNICITY_WORDS.from_words.search(before) is not None and _is_after_from()(before) is not None
