"""The person's surname with initials in small letters or over a line's end: `publication: field, a.`, `J.⏎Dubois`."""

import re
from collections.abc import Collection, Iterable

from evenhand.resumes.names.parts import PARTICLES, Name
from evenhand.resumes.plain import Plain

__all__ = ["initialled_places"]

_PARTICLE = "|".join(sorted(map(re.escape, PARTICLES), key=len, reverse=True))
_AFTER = re.compile(r",?[ ]((?:[A-Za-z]\.[ -]?){1,3})(?<![ -])(?!\w)")
_BEFORE = re.compile(
    rf"(?<![\w.'&/-])((?:[A-Za-z]\.[ -]?){{1,3}}\n?[ \t>]*)((?:(?:{_PARTICLE})[ ]){{0,3}})$", re.IGNORECASE
)
_FAR = 24


def initialled_places(plain: Plain, person: Iterable[Name]) -> list[tuple[int, int]]:
    r"""Return where words of the person's names stand beside initials of the same names.

    >>> from evenhand.resumes.names.parts import name_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("publication: mcallister, k., field, a.; fix by a. field\na. field trips")
    >>> [seen.text[start:end] for start, end in initialled_places(seen, [name_of("Asha Field")])]
    ['field, a.', 'a. field']
    """
    if "." not in plain.text:
        return []
    person = [name for name in person if len(name.initials) > 1]
    text, found = plain.text, []
    for place in plain.places(frozenset(token for name in person for token in name.tokens)):
        word, start, end = plain.words[place]
        after = _AFTER.match(text, end)
        if after is not None and _are_initials(after.group(1), _letters_beside(word, person)):
            found.append((start, after.end()))
            continue
        first = max(0, start - _FAR)
        before = _BEFORE.search(text, first, start) if text.find(".", first, start) >= 0 else None
        if before is None or not _are_initials(before.group(1), _letters_beside(word, person)):
            continue
        listed = text[text.rfind("\n", 0, before.start()) + 1 : before.start()].strip(" \t>*-") == ""
        if not (listed and before.group(1)[0].islower()):
            found.append((before.start(), end))
    return found


def _letters_beside(token: str, person: Iterable[Name]) -> set[str]:
    """Return the letters that may stand for the rest of a name beside one of its words."""
    letters: set[str] = set()
    for name in person:
        if token in name.tokens:
            letters |= name.initials - {token[0]} | _others(name, token)
    return letters


def _others(name: Name, token: str) -> frozenset[str]:
    """Return the first letters of a name's other words, the same as of this word perhaps."""
    return frozenset(other[0] for other in name.tokens if other != token)


def _are_initials(written: str, letters: Collection[str]) -> bool:
    return all(letter.lower() in letters for letter in written if letter.isalpha())
