"""A person's own name taken apart: which of its words are first and last, and how they are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from evenhand.patterns import lazy_re
from evenhand.resumes.arms.slots import FullName
from evenhand.resumes.names.lists import given_names, surnames
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.text.folded_text import folded_word

__all__ = ["GENERATIONS", "WORD", "OwnName", "folded", "own_name"]

#: What a word of the name is: of its first or last part, a particle of the last, or what other names don't have.
Kind = Literal["first", "last", "particle", "rest"]

WORD = lazy_re(r"[^\W\d_]+(?:['\u2019\u02bc-][^\W\d_]+)*")
GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
_SHORTEST_HALF = 3


@dataclass(frozen=True, kw_only=True)
class OwnName:
    """The name of a template's person: its parts, what each of its words is, and what must not remain of it.

    `kinds` and `tokens` have words in plain small letters, also as they are joined in addresses.
    """

    name: FullName
    kinds: Mapping[str, Kind]
    tokens: frozenset[str]

    @cached_property
    def initials(self) -> dict[str, str]:
        """The first letters of the first and of the last part, and those of other words and halves."""
        first, last = (_letters(part) for part in (self.name.first, self.name.last))
        others = [word[0] for word, kind in self.kinds.items() if kind == "rest"]
        return {"first": first[:1], "last": last[:1], "rest": "".join([first[1:], last[1:], *others])}


def _letters(part: str) -> str:
    """Return the letters that the words of a part begin with, and their halves; not those of particles, if any else."""
    words = [half for word in part.split() for half in folded(word).split("-") if half]
    return "".join(word[0] for word in words if word not in PARTICLES) or "".join(word[0] for word in words)


def folded(word: str) -> str:
    """Return a word in plain small letters, its apostrophe a straight one.

    >>> folded("O\u2019BRIÉN")
    "o'brien"
    """
    return folded_word(word).replace("\u2019", "'").replace("\u02bc", "'")


def own_name(names: Sequence[Name], known: Sequence[str], written: Sequence[str]) -> OwnName | None:
    """Return the name that is known, or else the fullest of a document's; None where there is none.

    `written` are the stretches of the text in which names stand: they show how the name is spelled.

    >>> found = own_name([name_of("JANE VAN DER BERG")], [], ["JANE VAN DER BERG", "Jane"])
    >>> found.name, found.kinds["berg"], found.kinds["van"]
    (FullName(first='Jane', last='van der Berg'), 'last', 'particle')
    """
    given = [name for name in known if name_of(name).tokens]
    fullest = next((name for name in given if len(name_of(name).tokens) > 1), given[0] if given else None)
    if fullest is None:
        if not names:
            return None
        there = {folded(word) for each in written for word in WORD.findall(each)}
        fullest = max(names, key=lambda name: (there.issuperset(name.tokens), len({*name.tokens} - PARTICLES))).text
    first, last, rest = _parts(_with_surname_in_capitals(fullest, written))
    if not first:
        return None
    kinds: dict[str, Kind] = {}
    parts: tuple[tuple[list[str], Kind], ...] = ((first, "first"), (last, "last"), (rest, "rest"))
    for words, kind in parts:
        for word in words:
            is_particle = kind == "last" and len(last) > 1 and folded(word) in PARTICLES
            for form in _forms(word):
                kinds.setdefault(form, "particle" if is_particle else kind)
        _add_joined(kinds, words, kind)
    others = [*map(name_of, known), *(name for name in names if _is_the_same(name, kinds))]
    for name in others:
        _add_another(kinds, name)
    tokens = {form for name in (name_of(fullest), *others) for form in (*name.forms, *name.joined) if len(form) > 1}
    spelled = _spelling([*given, *written])
    return OwnName(
        name=FullName(_as_written(first, spelled), _as_written(last, spelled)),
        kinds=kinds,
        tokens=frozenset(
            token for token in tokens if token not in PARTICLES or (token in kinds and kinds[token] != "particle")
        ),
    )


def _is_the_same(name: Name, kinds: Mapping[str, Kind]) -> bool:
    """Say whether another name that masking found is the person's: it shares a word, or is of another script.

    Masking rather masks too much; a tool or a firm that was taken for a name must not change with it.
    """
    tokens = set(name.tokens)
    return not tokens.isdisjoint(kinds) or not any(map(_is_latin, "".join(tokens)))


def _is_latin(letter: str) -> bool:
    return letter.isascii() or letter < _LATIN_ENDS


#: The first letter behind those with accents that European languages are written in.
_LATIN_ENDS = "\u0370"


def _parts(text: str) -> tuple[list[str], list[str], list[str]]:
    """Return the words of a name's first and last part, and the others: `Doe, Jane A.`, `WANG Xiaoming`."""
    name = name_of(text)
    known = {*name.tokens, *name.particles}
    found = [(match.group(), match.start()) for match in WORD.finditer(text)]
    found = [(word, at) for word, at in found if folded(word) in known or len(word) == 1]
    words = [word for word, _ in found if folded(word) not in GENERATIONS]
    if not words and text.strip():
        return [text.strip()], [], []  # of a script without blanks
    comma = text.find(",")
    before = [word for word, at in found if at < comma and word in words]
    if before and len(before) < len(words):
        return [words[len(before)]], before, words[len(before) + 1 :]
    capitals = [word for word in words if len(word) > 1 and word.isupper()]
    if capitals and any(len(word) > 1 and not word.isupper() for word in words):
        others = [word for word in words if word not in capitals]
        return others[:1], capitals, others[1:]
    begin = max(1, len(words) - 1)
    while begin > 1 and _goes_with_last(words[begin - 1]):
        begin -= 1
    return words[:1], words[begin:], words[1:begin]


def _with_surname_in_capitals(text: str, written: Sequence[str]) -> str:
    """Return a name as a text writes it where that shows which word is the surname: `WANG Xiaoming`."""
    tokens = set(name_of(text).tokens)
    for each in written:
        words = [word for word in WORD.findall(each) if len(word) > 1]
        mixed = len({word.isupper() for word in words}) > 1
        if mixed and len(words) == len(tokens) and set(map(folded, words)) == tokens:
            return each
    return text


def _goes_with_last(word: str) -> bool:
    low = folded(word)
    return low in PARTICLES or (low in surnames() and low not in given_names())


def _forms(word: str) -> list[str]:
    """Return how a word is written in plain small letters: as it is, without marks, its halves."""
    low = folded(word)
    found = [low, low.replace("'", "").replace("-", ""), *name_of(word).forms]
    if "-" in low:
        found += [half for half in low.split("-") if len(half) >= _SHORTEST_HALF]
    return list(dict.fromkeys(found))


def _add_joined(kinds: dict[str, Kind], words: Sequence[str], kind: Kind) -> None:
    if len(words) > 1 and kind != "rest":
        bare = [folded(word).replace("'", "").replace("-", "") for word in words]
        kinds.setdefault("".join(bare), kind)
        kinds.setdefault("-".join(bare), kind)


def _add_another(kinds: dict[str, Kind], name: Name) -> None:
    """Add words of another of the person's names: a nickname, a former surname, a spelling."""
    for place, token in enumerate(name.tokens):
        ends = place > 0 and place == len(name.tokens) - 1 and token.isascii()
        kind: Kind = "last" if ends and kinds.get(name.tokens[0]) == "first" else "rest"
        half = next((kinds[part] for part in token.split("-") if part in kinds), None)
        for form in name_of(token).forms:
            kinds.setdefault(form, half or kind)
        kinds.setdefault(token, half or kind)


def _spelling(written: Sequence[str]) -> dict[str, str]:
    """Return the best spelling of each word: with capitals and small letters before all of one case, accents first."""
    found: dict[str, str] = {}
    for word in (word for each in written for word in WORD.findall(each)):
        low = folded(word)
        if low not in found or _worth(word) > _worth(found[low]):
            found[low] = word
    return found


def _worth(word: str) -> tuple[bool, bool]:
    return not (word.islower() or word.isupper()), not word.isascii()


def _as_written(words: Sequence[str], spelled: Mapping[str, str]) -> str:
    return " ".join(
        word if word in PARTICLES else _cased(max(spelled.get(folded(word), word), word, key=_worth)) for word in words
    )


def _cased(word: str) -> str:
    """Return a word of one case as names are written: `DOE` and `doe` as Doe, `VAN` as van."""
    if folded(word) in PARTICLES and (word.isupper() or word.islower()):
        return word.lower()
    if len(word) > 1 and (word.isupper() or word.islower()):
        return "-".join(half[:1].upper() + half[1:].lower() for half in word.split("-"))
    return word.upper() if len(word) == 1 else word
