"""Where a text tells what else its person is called: nicknames, names under messages, earlier names."""

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from evenhand.resumes.names.called import called_places, is_calling_name
from evenhand.resumes.names.earlier import earlier_places
from evenhand.resumes.names.own_initials import initialled_places
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.names.sign_offs import sign_offs
from evenhand.resumes.names.transliterated import transliterated_places
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["own_forms", "own_names"]


def own_forms(plain: Plain, person: Iterable[Name]) -> list[Found]:
    """Return the places that tell another name of the person's; words of the language stand for it there only.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Ten years on site. Friends know him as Ten.")
    >>> [(each.start, each.end) for each in own_forms(seen, [])]
    [(39, 42)]
    """
    person = list(person)
    return [
        Found(start=start, end=end, category="NAME", rule="own form", confidence=0.9)
        for start, end in (*_places(plain, person), *initialled_places(plain, person))
    ]


def own_names(plain: Plain, person: Iterable[Name]) -> list[Name]:
    """Return the other names of the person's that are no words of the language: they are looked for everywhere."""
    person = list(person)
    own = {token for name in person for token in name.tokens}
    found = []
    for start, end in _places(plain, person):
        written = plain.text[start:end]
        name = name_of(written.title() if written.islower() and written.isascii() else written)
        new = [token for token in name.tokens if token not in own]
        if new and all(not token.isascii() or is_calling_name(token, ()) for token in new):
            found.append(name)
    return found


#: Asked for when names are found and when they are masked, of the same tokens mostly; forgotten with the document.
_PLACES: WeakKeyDictionary[Plain, tuple[frozenset[str], list[tuple[int, int]]]] = WeakKeyDictionary()


def _places(plain: Plain, person: Iterable[Name]) -> list[tuple[int, int]]:
    own = frozenset(token for name in person for token in name.tokens)
    known, found = _PLACES.get(plain, (None, []))
    if known != own:
        places = (called_places, sign_offs, earlier_places, transliterated_places)
        found = [place for places_of in places for place in places_of(plain, own)]
        _PLACES[plain] = own, found
    return found
