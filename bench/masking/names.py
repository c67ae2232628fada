"""Given and family names of eleven origins, in two sets with few in common.

Common names, written down from general knowledge; they stand for how names of an origin
are built and spelled, not for how often they occur. An underscore stands for a blank. Names
that are words (Grace, Long, An, He) are wanted.
"""

import unicodedata
from dataclasses import dataclass

from masking.names_east import EAST
from masking.names_unseen import EAST as UNSEEN_EAST
from masking.names_unseen import WEST as UNSEEN_WEST
from masking.names_west import WEST

ORIGINS = (*WEST, *EAST)
SETS = ("open", "unseen")


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


LISTS = {"open": WEST | EAST, "unseen": UNSEEN_WEST | UNSEEN_EAST}
NAMES = {
    (which, origin): Names(*map(_listed, lists)) for which, each in LISTS.items() for origin, lists in each.items()
}
