"""Headers as files have them: blank, or there twice; every column gets a name of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from evenhand.tables.messages.quoting import MOST_LISTED, listed, quoted

__all__ = ["Headers", "headers_of"]


@dataclass(frozen=True, kw_only=True)
class Headers:
    """The names of the columns, '' for a blank header, and what was renamed.

    `repeated` has, for each spelling of a header that is there several times, the names of its columns.
    """

    names: tuple[str, ...]
    repeated: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def notes(self, source: str) -> list[str]:
        """Return what was renamed, for the user."""
        told = list(dict.fromkeys(self.repeated.values()))
        notes = [
            f"{source} has {len(names)} columns with the header {quoted(_first(self, names))}; they are called "
            f"{_called(names)} here."
            for names in told[:MOST_LISTED]
        ]
        if len(told) > MOST_LISTED:
            notes.append(f"{source} has {len(told) - MOST_LISTED:,} more headers that are there several times.")
        return notes


def _called(names: tuple[str, ...]) -> str:
    return listed(names, quotes=True) if len(names) > MOST_LISTED else " and ".join(map(quoted, names))


def _first(headers: Headers, names: tuple[str, ...]) -> str:
    return next(spelling for spelling, found in headers.repeated.items() if found == names)


def headers_of(row: Sequence[str]) -> Headers:
    """Return a name for each header, those that differ at most in case numbered.

    >>> found = headers_of(["race", "score", "", "Score"])
    >>> found.names
    ('race', 'score (1)', '', 'Score (2)')
    >>> found.repeated
    {'score': ('score (1)', 'Score (2)'), 'Score': ('score (1)', 'Score (2)')}
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(row):
        if name:
            places.setdefault(name.casefold(), []).append(place)
    names = list(row)
    taken = set(places)
    repeated: dict[str, tuple[str, ...]] = {}
    for own in places.values():
        if len(own) == 1:
            continue
        number = 0
        for place in own:
            number += 1
            while f"{row[place]} ({number})".casefold() in taken:
                number += 1
            names[place] = f"{row[place]} ({number})"
            taken.add(names[place].casefold())
        repeated |= dict.fromkeys((row[place] for place in own), tuple(names[place] for place in own))
    return Headers(names=tuple(names), repeated=repeated)
