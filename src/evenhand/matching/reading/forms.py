"""Wordings of one word or more, and where they stand in lines of words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Generic, TypeVar

from evenhand.matching.reading.words import BREAK, Lines

__all__ = ["Form", "Forms", "items_of"]

Form = tuple[str, ...]
Key = TypeVar("Key")
_ENDS: Final = frozenset({BREAK, "and", "or"})


class Forms(Generic[Key]):
    """Wordings, each with what it stands for."""

    def __init__(self, forms: Iterable[tuple[Form, Key]] = ()) -> None:
        self._by_first: dict[str, list[tuple[Form, Key]]] = {}
        for form, key in forms:
            self.add(form, key)

    def add(self, form: Form, key: Key) -> None:
        """Add a wording."""
        self._by_first.setdefault(form[0], []).append((form, key))

    def found_in(self, lines: Lines) -> set[Key]:
        """Return what stands in a text; one letter has to stand alone in a list."""
        found: set[Key] = set()
        for _, words in lines:
            for place, word in enumerate(words):
                for form, key in self._by_first.get(word, ()):
                    end = place + len(form)
                    if key not in found and words[place:end] == form and _stands(words, place, end):
                        found.add(key)
        return found

    def longest_in(self, words: Form) -> Iterator[tuple[Form, Key | None]]:
        """Yield the words of a line, those of a wording together, the longest at each place; else None beside each.

        >>> list(Forms([(("care",), 1), (("wound", "care"), 2)]).longest_in(("good", "wound", "care")))
        [(('good',), None), (('wound', 'care'), 2)]
        """
        place = 0
        while place < len(words):
            found: tuple[Form, Key | None] = (words[place : place + 1], None)
            for form, key in self._by_first.get(words[place], ()):
                if words[place : place + len(form)] == form and (found[1] is None or len(form) > len(found[0])):
                    found = form, key
            yield found
            place += len(found[0])


def _stands(words: Sequence[str], place: int, end: int) -> bool:
    """Say whether a wording counts where it stands; a single letter only as a part of a list."""
    if len(words[place]) > 1 or end - place > 1:
        return True
    before, after = words[place - 1 : place] if place else (), words[end : end + 1]
    return all(not side or side[0] in _ENDS for side in (before, after))


def items_of(lines: Lines) -> set[Form]:
    """Return what stands in a text between commas, other marks of a list, 'and', 'or', and the ends of lines.

    >>> from evenhand.matching.reading.words import lines_of
    >>> sorted(items_of(lines_of("Wound care, triage and dialysis")))
    [('dialysis',), ('triage',), ('wound', 'care')]
    """
    found = set()
    for _, words in lines:
        begin = 0
        for end, word in enumerate((*words, BREAK)):
            if word in _ENDS:
                found.add(words[begin:end])
                begin = end + 1
    return found - {()}
