"""EMAIL: addresses, also spelled out (`jane at example dot com`) or broken over lines.

Kept: @mentions, decorators and package scopes; the word e-mail.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["emails"]

_LOCAL = r"[^\s@<>()\[\]{},;:\"|\\/]{1,64}"
_BEFORE_SIGN, _NO_LOCAL = frozenset(" [({<"), frozenset('@<>()[]{},;:"|\\/')
_HOST = r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}(?![\w])"
#: A host that a line's end breaks: after a dot or a hyphen.
_BROKEN_HOST = r"(?:[\w-]+-\n[ \t]*[\w-]+(?:\.[\w-]+)*\.|[\w-]+\.\n[ \t]*|[\w-]+ \.)[a-z]{2,24}(?![\w])"
_ADDRESS = lazy_re(rf"{_LOCAL}(?:[ ]@[ ]|@|@[ ]|@\n[ \t]*|[ ]?[\[({{<][ ]?@[ ]?[\])}}>][ ]?)(?:{_HOST}|{_BROKEN_HOST})")
#: A line may end beside a sign in brackets.
_GAP = r"(?:[ ]?\n[ \t]*|[ ]?)"
_AT = rf"(?:{_GAP}[\[({{<][ ]?(?:at|@)[ ]?[\])}}>]{_GAP}|[ ]?\bat\b[ ]?)"
_DOT = rf"(?:{_GAP}[\[({{<][ ]?(?:dot|\.)[ ]?[\])}}>]{_GAP}|[ ]?(?:\bdot\b|\.)[ ]?)"
_WORDED = lazy_re(
    rf"[\w+-]{{1,40}}(?:{_DOT}[\w+-]{{1,40}}){{0,3}}?{_AT}[\w-]{{2,40}}(?:{_DOT}[\w-]{{2,24}}){{1,3}}(?![\w])"
)
_SPELLED = lazy_re(r"[\[({<][ ]?dot[ ]?[\])}>]|[ ]dot[ ]|[\[({<][ ]?at[ ]?[\])}>]")
_BRACKETED = lazy_re(r"[\[({<][ ]?at[ ]?[\])}>]")
_AT_HINTS, _DOT_HINTS = ("at]", "at)", "at}", "at>", "at >", "at ]", "at )"), (" dot ", "dot)", "dot]")
_CLOSING = ("]", ")", "}", ">", " ]", " )", " }", " >")


def emails(folded: FoldedText) -> list[Found]:
    """Return e-mail addresses.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Write to jane.doe@example.org, or jane at example dot org.")
    >>> [seen.text[found.start:found.end] for found in emails(seen)]
    ['jane.doe@example.org', 'jane at example dot org']
    """
    low, found = folded.low, []
    place, earlier, done = low.find("@"), -1, 0
    while place >= 0:
        begin = low.rfind("\n", 0, place) + 1
        last = place
        window = max(begin, place - 66)
        local = _local(low, max(window, done) if earlier > window else window, place)
        found_here = _ADDRESS.finditer(low, local, min(len(low), place + 200))
        match = next((each for each in found_here if each.start() <= place < each.end()), None)
        if match is not None:
            earlier, done = place, match.end()
        match = match or None
        if match is not None:
            start = match.start()
            while start < place and low[start] in "'*_-./~<":
                start += 1
            if start < place:
                found.append(Found(start=start, end=match.end(), category="EMAIL", rule="address", confidence=0.99))
                last = match.end() - 1
        place = low.find("@", last + 1)
    dotted = "dot" in folded.where and any(hint in low for hint in (*_DOT_HINTS, *_AT_HINTS))
    if dotted or (
        any(low.startswith(_CLOSING, folded.words[place][2]) for place in folded.where.get("at", ()))
        and any(hint in low for hint in _AT_HINTS)
        and _BRACKETED.search(low) is not None
    ):
        found += [
            Found(start=match.start(), end=match.end(), category="EMAIL", rule="spelled out", confidence=0.95)
            for match in _WORDED.finditer(low)
            if _SPELLED.search(match.group()) is not None
        ]
    return found


def _local(low: str, begin: int, place: int) -> int:
    """Return where what stands before a sign begins, at `begin` or after it; a blank and a bracket may be between."""
    start = place
    while start > begin and low[start - 1] in _BEFORE_SIGN:
        start -= 1
    while start > begin and low[start - 1] not in _NO_LOCAL and not low[start - 1].isspace():
        start -= 1
    return start
