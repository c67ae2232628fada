"""What stands in a template instead of text: parts of a name in a form, pronouns and titles, a line that is added."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

__all__ = [
    "Case",
    "Fixed",
    "FullName",
    "GenderSlot",
    "LineSlot",
    "NameSlot",
    "Part",
    "Slot",
    "full_name",
    "unaccented",
    "written",
]

# What is looked up for every text is a tuple, whose hash is quick.
Part = Literal["first", "last", "full"]
Case = Literal["own", "upper", "lower"]
#: Letters that are typed as others, besides those with accents.
_TYPED = str.maketrans(
    {
        "ł": "l",
        "Ł": "L",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ß": "ss",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "\u0131": "i",
    }
)
_MARKS = str.maketrans("", "", "'\u2019\u02bc.-")


class FullName(NamedTuple):
    """A first and a last name; either may have several words, the last may be empty."""

    first: str
    last: str = ""

    @property
    def text(self) -> str:
        """The name as it is usually written."""
        return f"{self.first} {self.last}".strip()


def full_name(text: str) -> FullName:
    """Return a name's first and last part: the last word and particles in small letters before it are the last.

    >>> full_name("Ana Maria de la Cruz"), full_name("Prince")
    (FullName(first='Ana Maria', last='de la Cruz'), FullName(first='Prince', last=''))
    """
    words = text.split()
    begin = max(1, len(words) - 1)
    while begin > 1 and words[begin - 1].islower():
        begin -= 1
    return FullName(" ".join(words[:begin]), " ".join(words[begin:]))


def unaccented(text: str) -> str:
    """Return a text in letters without accents, case kept.

    >>> unaccented("Łukasz Ñandú")
    'Lukasz Nandu'
    """
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.translate(_TYPED))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


class NameSlot(NamedTuple):
    """A part of the name in a form; `own` is what stood there.

    `joint` stands between the words of a part, and within them in an address, which holds letters only (`bare`).
    `spaced`: a blank between the letters. `apostrophe`: the sign of a genitive that the slot ends with.
    """

    own: str
    part: Part
    case: Case = "own"
    initial: bool = False
    plain: bool = False
    bare: bool = False
    joint: str = " "
    spaced: bool = False
    apostrophe: str = ""


@lru_cache(maxsize=2**16)
def written(slot: NameSlot, name: FullName) -> str:
    """Return a part of a name in a slot's form.

    >>> written(NameSlot(own="DOE", part="last", case="upper"), full_name("Ana de la Cruz"))
    'DE LA CRUZ'
    """
    value = {"first": name.first, "last": name.last or name.first, "full": name.text}[slot.part]
    if slot.plain:
        value = unaccented(value)
    words = [word.translate(_MARKS) for word in value.split()] if slot.bare else value.split()
    if slot.initial:
        words = [next((word for word in words if not word.islower()), words[0])[0]] if words else []
    value = slot.joint.join(words)
    if slot.case == "upper":
        value = value.upper()
    elif slot.case == "lower":
        value = value.lower()
    if slot.spaced:
        value = " ".join(value)
    if slot.apostrophe:
        value += slot.apostrophe if value[-1:].lower() == "s" else f"{slot.apostrophe}s"
    return value


@dataclass(frozen=True, kw_only=True, slots=True)
class Fixed:
    """What other names don't have: a middle name, an initial, an address that shows none; the same in every arm."""

    own: str
    instead: str = ""

    def filled(self, name: FullName, gender: str | None, lines: Mapping[str, str]) -> str:
        """Return the same for every name."""
        del name, gender, lines
        return self.instead


@dataclass(frozen=True, kw_only=True, slots=True)
class GenderSlot:
    """A pronoun or a title of the person, and its wording for women and for men."""

    own: str
    female: str
    male: str

    @property
    def gender(self) -> str:
        """The gender that stood there."""
        return "female" if self.own == self.female else "male"

    def filled(self, name: FullName, gender: str | None, lines: Mapping[str, str]) -> str:
        """Return the wording for a gender; what stood there where none is asked for."""
        del name, lines
        return self.own if gender is None else self.female if gender == "female" else self.male


@dataclass(frozen=True, kw_only=True, slots=True)
class LineSlot:
    """Where a line may be added, and what stands before it: below the name (`pronouns`), at the end (`affinity`)."""

    kind: Literal["pronouns", "affinity"]
    before: str

    @property
    def own(self) -> str:
        """Nothing stood there."""
        return ""

    def filled(self, name: FullName, gender: str | None, lines: Mapping[str, str]) -> str:
        """Return the line of this kind, nothing where there is none."""
        del name, gender
        line = lines.get(self.kind)
        return f"{self.before}{line}" if line else ""


OtherSlot = Fixed | GenderSlot | LineSlot
Slot = NameSlot | OtherSlot
