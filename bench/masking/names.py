"""Given and family names of eleven origins, each name in one of four disjoint sets.

Common names, written down from general knowledge; they stand for how names of an origin
are built and spelled, not for how often they occur. A name goes to 'open' or 'held' where
it is first met, in turn, and stays there for all origins and genders, whatever its marks:
Đỗ and Do are one name. 'third' and 'fourth' have lists of their own, written later. An underscore stands
for a blank. Names that are words (Grace, Long, An, He) are wanted.
"""

import unicodedata
from dataclasses import dataclass

from masking.names_east import EAST
from masking.names_fourth_east import EAST as FOURTH_EAST
from masking.names_fourth_west import WEST as FOURTH_WEST
from masking.names_third_east import EAST as THIRD_EAST
from masking.names_third_west import WEST as THIRD_WEST
from masking.names_west import WEST

ORIGINS = (*WEST, *EAST)
#: The sets that divide names_west and names_east between them.
DIVIDED = ("open", "held")
SETS = (*DIVIDED, "third", "fourth")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one origin in one set."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    family: tuple[str, ...]


def folded(text: str) -> str:
    """Return text without marks and case.

    >>> folded("Đỗ Łukasz Ọláyínká Åse Weiß")
    'do lukasz olayinka ase weiss'
    """
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return plain.casefold().translate(str.maketrans("đłøæð", "dload"))


def _listed(names: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in names.split())


def _divided() -> dict[tuple[str, str], Names]:
    where: dict[str, str] = {}
    chosen: dict[tuple[str, str], list[tuple[str, ...]]] = {
        (each, origin): [] for each in DIVIDED for origin in ORIGINS
    }
    for origin, lists in (WEST | EAST).items():
        for listed in lists:
            mine: dict[str, list[str]] = {each: [] for each in DIVIDED}
            for name in _listed(listed):
                fewer = min(DIVIDED, key=lambda each: len(mine[each]))
                mine[where.setdefault(folded(name), fewer)].append(name)
            for each in DIVIDED:
                chosen[each, origin].append(tuple(dict.fromkeys(mine[each])))
    return {key: Names(*lists) for key, lists in chosen.items()}


LISTS = {"third": THIRD_WEST | THIRD_EAST, "fourth": FOURTH_WEST | FOURTH_EAST}
NAMES = _divided() | {
    (which, origin): Names(*map(_listed, lists)) for which, each in LISTS.items() for origin, lists in each.items()
}
