r"""The words at which a pattern can fit, by their first letters: at other words it need not be tried.

A pattern such as `\b(?:our|the) (?:first )?child` can fit where `our` or `the` stands.
"""

import re
from collections.abc import Iterator
from string import digits

from evenhand.resumes.endings import branches, group_of

__all__ = ["LETTERS", "beginnings"]

#: So many letters of a word are its beginning.
LETTERS = 3
#: A word that begins with any of more letters than this can be any word.
_MANY = 20
#: An escape, a class or a character.
_UNIT = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
#: How often a unit stands: `?`, `{2,}`.
_TIMES = re.compile(r"(?:[?*+]|\{(\d+)(,?)(\d*)\})[?+]?")
#: A range of a class, or one of its escapes and characters.
_MEMBER = re.compile(r"([^\\])-([^\\])|\\.|.", re.DOTALL)
#: What looks ahead or back, and fits no character itself.
_LOOKING = ("(?=", "(?!", "(?<=", "(?<!")
#: What stands for no letter and no digit.
_NO_LETTERS = frozenset({r"\s", r"\n", r"\t", r"\W", r"\b", "$"})


class _UntoldError(Exception):
    """How a word goes on can't be told from a pattern."""


def beginnings(expression: str) -> frozenset[str] | None:
    r"""Return the beginnings of the words at which a pattern can fit, None where they can't be told.

    They are in small letters and ASCII's digits; a word ends at an apostrophe too.

    >>> sorted(beginnings(r"\b(?:on|[Ii]n) duty|(?:my )?cats?|d'or")), beginnings(r"\w+ing")
    (['cat', 'd', 'in', 'my', 'on'], None)
    """
    try:
        return frozenset(_any_of(branches(expression), "", ()))
    except _UntoldError:
        return None


def _any_of(alternatives: list[str], begun: str, rest: tuple[str, ...]) -> Iterator[str]:
    for each in alternatives:
        yield from _goes_on(begun, (each, *rest))


def _goes_on(begun: str, pieces: tuple[str, ...]) -> Iterator[str]:
    """Yield the beginnings of words that go on from these letters as the pieces of a pattern say."""
    if len(begun) == LETTERS:
        yield begun
    elif not pieces:
        raise _UntoldError
    elif not pieces[0]:
        yield from _goes_on(begun, pieces[1:])
    else:
        piece, *others = pieces
        unit = group_of(piece) if piece.startswith("(") else _UNIT.findall(piece)[0]
        behind = piece.removeprefix(unit)
        times = _TIMES.match(behind)
        if times is not None:
            yield from _any_of(_repeated(unit, times), begun, (behind[times.end() :], *others))
        else:
            yield from _with_unit(begun, unit, (behind, *others))


def _repeated(unit: str, times: re.Match[str]) -> list[str]:
    """Return a unit as often as it can stand, in so far as a beginning has room for it."""
    least, comma, most = times.groups()
    if least is None:
        first, last = {"?": (0, 1), "*": (0, LETTERS), "+": (1, LETTERS)}[times[0][0]]
    else:
        first, last = int(least), int(most or (LETTERS if comma else least))
    return [unit * count for count in range(min(first, LETTERS), min(last, LETTERS) + 1)]


def _with_unit(begun: str, unit: str, rest: tuple[str, ...]) -> Iterator[str]:
    """Yield the beginnings of words that go on with a unit and what stands behind it."""
    if unit.startswith(_LOOKING) or unit == "^" or (unit == r"\b" and not begun):
        yield from _goes_on(begun, rest)
    elif unit.startswith("("):
        yield from _any_of(branches(_inside(unit)), begun, rest)
    else:
        characters = _characters(unit)
        letters = frozenset(filter(str.isalnum, characters.lower()))
        if not begun and len(letters) > _MANY:
            raise _UntoldError
        if begun and len(letters) < len(frozenset(characters.lower())):
            yield begun
        for letter in letters:
            yield from _goes_on(begun + letter, rest)


def _inside(group: str) -> str:
    if group.startswith("(?") and not group.startswith("(?:"):
        raise _UntoldError
    return group[1:-1].removeprefix("?:")


def _characters(unit: str) -> str:
    r"""Return what an escape, a class or a character stands for, a blank for what is no letter and no digit.

    >>> _characters(r"[a-c\d' ]"), _characters(r"\."), _characters(r"\s")
    ("abc0123456789' ", '.', ' ')
    """
    if unit in _NO_LETTERS:
        return " "
    if unit == r"\d":
        return digits
    if unit == "." or unit.startswith("[^") or (unit.startswith("\\") and unit[1].isalnum()):
        raise _UntoldError
    return "".join(map(_of_member, _MEMBER.finditer(unit[1:-1]))) if unit.startswith("[") else unit[-1]


def _of_member(member: re.Match[str]) -> str:
    first, last = member.groups()
    return "".join(map(chr, range(ord(first), ord(last) + 1))) if first else _characters(member[0])
