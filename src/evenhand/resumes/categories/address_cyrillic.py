"""Addresses in Cyrillic: a street's kind in short, its name and house, with flat, town and code around it.

Kept: `\u043f\u0440.`, `\u043f\u0435\u0440.` and the like away from a name with a number.
"""

import re

from evenhand.resumes.plain import Plain, plain_word
from evenhand.resumes.rules import Found

__all__ = ["cyrillic_addresses"]

_KINDS_LISTED = (
    "\u0432\u0443\u043b \u0432\u0443\u043b\u0438\u0446\u044f \u0443\u043b \u0443\u043b\u0438\u0446\u0430 "
    "\u043f\u0440\u043e\u0441\u043f \u043f\u0440\u043e\u0441\u043f\u0435\u043a\u0442 \u043f\u0440 "
    "\u043f\u0440\u043e\u0432 \u043f\u0440\u043e\u0432\u0443\u043b\u043e\u043a \u043f\u0435\u0440 "
    "\u043f\u0435\u0440\u0435\u0443\u043b\u043e\u043a \u0431\u0443\u043b \u0431\u0443\u043b\u044c\u0432\u0430\u0440 "
    "\u0431\u0443\u043b\u0435\u0432\u0430\u0440\u0434 \u043d\u0430\u0431 "
    "\u043d\u0430\u0431\u0435\u0440\u0435\u0436\u043d\u0430 "
    "\u043f\u043b \u043f\u043b\u043e\u0449\u0430 \u043f\u043b\u043e\u0449\u0430\u0434\u044c \u0448\u043e\u0441\u0435 "
    "\u0448\u043e\u0441\u0441\u0435 \u0443\u043b\u0438\u0446\u0438 \u0443\u043b\u0438\u0446\u0456 "
    "\u0436\u043a \u043c\u043a\u0440 \u0431\u0443\u043b\u044c\u0432"
)
_KINDS = frozenset(plain_word(word) for word in _KINDS_LISTED.split())
_WORD = r"[^\W\d_][\w'.-]*"
_FLAT = (
    r"(?:,? ?(?:\u043a\u0432|\u043e\u0444|\u0431\u0443\u0434|\u0434|\u043a\u043e\u0440\u043f|\u0430\u043f|"
    r"\u0435\u0442|\u0432\u0445)\.? ?\d{1,4}\w?){0,3}"
)
_TOWN = rf"(?:(?:\u043c|\u0433|\u0433\u0440)\.? ?)?{_WORD}(?: {_WORD})?"
_BREAK = r",?(?:[ ]|[ ]{0,3}\n[ ]{0,3})"
_STREET = re.compile(
    rf"\.?[ ]?{_WORD}(?: {_WORD}){{0,3}},?[ ](?:\u0431\u0443\u0434\.? ?|\u0434\.? ?|"
    rf"\u2116 ?)?\d{{1,4}}(?:[/-]?\w{{1,3}})?\b{_FLAT}"
    rf"(?:{_BREAK}(?:\d{{4,6}},? {_TOWN}|{_TOWN},? \d{{4,6}}\b)|,[ ]{_TOWN}(?=[ ]*(?:$|[\n|,;<\u00b7\u2022])))?"
)
#: A town and its code before the street.
_BEFORE = re.compile(
    rf"(?:\d{{4,6}},? )?(?:\b(?:\u043c|\u0433|\u0433\u0440)\.? ?{_WORD}|(?<=\d, ){_WORD}|(?<=\d ){_WORD}),? $"
)


def cyrillic_addresses(plain: Plain) -> list[Found]:
    """Return addresses in Cyrillic.

    >>> from evenhand.resumes.plain import plain_text
    >>> [found.end for found in cyrillic_addresses(plain_text("\u0443\u043b. \u041c\u0438\u0440\u0430 22; now"))]
    [11]
    """
    if plain.text.isascii():
        return []
    found: list[Found] = []
    for place in plain.places(_KINDS):
        _, start, end = plain.words[place]
        street = _STREET.match(plain.text, end)
        if street is None or (found and start < found[-1].end):
            continue
        before = _BEFORE.search(plain.low, max(0, start - 40), start)
        begin = before.start() if before is not None else start
        found.append(Found(start=begin, end=street.end(), category="ADDRESS", rule="cyrillic", confidence=0.9))
    return found
