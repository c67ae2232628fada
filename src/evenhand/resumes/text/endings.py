r"""Patterns of what stands before a place, read from its end.

A pattern such as `\b(?:born|raised) in $` is asked of the 64 characters before a place. `re` tries it at
each of them; `regex` can read backwards and is done at the first that doesn't fit.
"""

import re
from collections.abc import Callable

import regex

from evenhand.patterns import lazy_re

__all__ = ["branches", "ending", "group_of"]

#: A mark of a pattern's structure, or an escape or a class, in which none is.
_MARK = lazy_re(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]")


def ending(expression: re.Pattern[str]) -> Callable[[str], object]:
    r"""Return what says whether a text ends as a pattern wants it: its search, or a quicker equal of it.

    >>> born = ending(re.compile(r"\bborn (?:and raised )?in $"))
    >>> [born(text) is not None for text in ("was born in ", "reborn in ", "born in Lagos")]
    [True, False, False]
    """
    read: Callable[[str], object] | None = None

    def ends(text: str) -> object:
        nonlocal read
        if read is None:
            read = _reader(expression)
        return read(text)

    return ends


def _reader(expression: re.Pattern[str]) -> Callable[[str], object]:
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
