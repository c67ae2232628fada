"""EMAIL: addresses, also spelled out (`jane at example dot com`) or broken over lines.

Kept: @mentions, decorators and package scopes; the word e-mail.
"""

import re

from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["emails"]

_LOCAL = r"[^\s@<>()\[\]{},;:\"|\\]{1,64}"
_ADDRESS = re.compile(
    rf"{_LOCAL}(?: ?@ ?|@\n[ \t]*)[\w-]+(?:\.[\w-]+)*(?:\.\n?[ \t]*)[a-z]{{2,24}}(?![\w])", re.IGNORECASE
)
_WORDED = re.compile(
    r"[\w.+-]{2,40}\s?(?:[\[({<]\s?(?:at|@)\s?[\])}>]|\sat\s)\s?[\w-]{2,40}"
    r"(?:\s?(?:[\[({<]\s?(?:dot|\.)\s?[\])}>]|\sdot\s|\.)\s?[\w-]{2,24}){1,3}(?![\w])",
    re.IGNORECASE,
)
_DOT = re.compile(r"[\[({<]\s?dot\s?[\])}>]|\sdot\s|[\[({<]\s?at\s?[\])}>]", re.IGNORECASE)
_MAILTO = "mailto:"


def emails(plain: Plain) -> list[Found]:
    """Return e-mail addresses.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Write to jane.doe@example.org, or jane at example dot org.")
    >>> [seen.text[found.start:found.end] for found in emails(seen)]
    ['jane.doe@example.org', 'jane at example dot org']
    """
    low, found = plain.low, []
    place = low.find("@")
    while place >= 0:
        begin = low.rfind("\n", 0, place) + 1
        last = place
        for match in _ADDRESS.finditer(low, max(begin, place - 66), min(len(low), place + 200)):
            if match.start() <= place < match.end():
                start = match.start()
                while start < place and low[start] in "'*_-./~<":
                    start += 1
                found.append(Found(start=start, end=match.end(), category="EMAIL", rule="address", confidence=0.99))
                last = match.end() - 1
                break
        place = low.find("@", last + 1)
    if (
        " dot " in low
        or "at]" in low
        or "at)" in low
        or "at}" in low
        or "at >" in low
        or "at ]" in low
        or "at )" in low
    ):
        found += [
            Found(start=match.start(), end=match.end(), category="EMAIL", rule="spelled out", confidence=0.95)
            for match in _WORDED.finditer(low)
            if _DOT.search(match.group()) is not None
        ]
    return found
