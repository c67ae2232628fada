r"""Patterns of what stands before a place, read from its end.

A pattern such as `\b(?:born|raised) in $` is asked of the 64 characters before a place. `re` tries it at
each of them; `regex` can read backwards and is done at the first that doesn't fit.
"""

import re
from collections.abc import Callable

import regex

__all__ = ["branches", "ending", "first_letters", "group_of"]

#: A mark of a pattern's structure, or an escape or a class, in which none is.
_MARK = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]")
#: A class of letters only: `[ae]`, `[a-z]`.
_CLASS = re.compile(r"\[((?:[^\W_]-[^\W_]|[^\W_])+)\]")
_RANGE = re.compile(r"(.)-(.)")
#: What says that something may be left out.
_OPTIONAL = re.compile(r"(?:[?*]|\{0?,\d*\})[?+]?")


def ending(expression: re.Pattern[str]) -> Callable[[str], object]:
    r"""Return what says whether a text ends as a pattern wants it: its search, or a quicker equal of it.

    >>> born = ending(re.compile(r"\bborn (?:and raised )?in $"))
    >>> [born(text) is not None for text in ("was born in ", "reborn in ", "born in Lagos")]
    [True, False, False]
    """
    if expression.flags == re.UNICODE and all(map(_is_anchored, branches(expression.pattern))):
        # `$` holds before a last line break too.
        read: Callable[[str], object] = regex.compile(rf"(?r)(?:{expression.pattern})\n?").match
        return read
    return expression.search


def branches(expression: str) -> list[str]:
    r"""Return the alternatives of a pattern that stand in no group.

    >>> branches(r"\bone(?: of|'s)|two[|]|\|")
    ["\\bone(?: of|'s)", 'two[|]', '\\|']
    """
    found, depth, begun = [], 0, 0
    for match in _MARK.finditer(expression):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if match[0] == "|" and not depth:
            found.append(expression[begun : match.start()])
            begun = match.end()
    return [*found, expression[begun:]]


def _is_anchored(branch: str) -> bool:
    """Say whether an alternative ends with `$`, also one that is a group of such."""
    if branch.startswith("(?:") and branch.endswith(")") and len(group_of(branch)) == len(branch):
        return all(map(_is_anchored, branches(branch[3:-1])))
    return branch.endswith("$") and not branch.endswith(r"\$")


def group_of(branch: str) -> str:
    """Return the group that an alternative begins with.

    >>> group_of("(?:one|(two)) of them")
    '(?:one|(two))'
    """
    depth = 0
    for match in _MARK.finditer(branch):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth:
            return branch[: match.end()]
    return branch


def first_letters(expression: str) -> frozenset[str] | None:
    r"""Return the letters that what fits a pattern can begin with, None where they can't be told.

    >>> sorted(first_letters(r"\b(?:on|[Ii]n) duty|(?:my )?cat")), first_letters(r"\w+ing")
    (['I', 'c', 'i', 'm', 'o'], None)
    """
    found: set[str] = set()
    for branch in branches(expression):
        letters = _letters_of(branch.removeprefix(r"\b"))
        if letters is None:
            return None
        found |= letters
    return frozenset(found)


def _letters_of(branch: str) -> frozenset[str] | None:
    """Return the letters that an alternative can begin with."""
    if branch.startswith("(?:") or (branch.startswith("(") and not branch.startswith("(?")):
        group = group_of(branch)
        letters = first_letters(group[1:-1].removeprefix("?:"))
    elif (listed := _CLASS.match(branch)) is not None:
        group = listed[0]
        spread = _RANGE.sub(lambda ends: "".join(map(chr, range(ord(ends[1]), ord(ends[2]) + 1))), listed[1])
        letters = frozenset(spread)
    else:
        group = branch[:1]
        letters = frozenset(group) if group.isalnum() else None
    rest = branch[len(group) :]
    if letters is None or (optional := _OPTIONAL.match(rest)) is None:
        return letters
    others = _letters_of(rest[optional.end() :])
    return None if others is None else letters | others
