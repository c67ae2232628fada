"""The occupations of the company, and the skills that people of each may have."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.lexicons.onet import Occupation, occupations
from evenhand.resumes.generated.company.parameters import PLACE
from evenhand.resumes.generated.technology import named
from evenhand.resumes.generated.wording import Path, path_of, wording

__all__ = ["Trades", "trades"]

#: Qualifications in their order, by the word they begin with.
_DEGREES: Final = ("Some", "High", "Certificate", "Associate", "Bachelor", "Master", "Doctor", "Juris")
_SHORTEST: Final = 3


@dataclass(frozen=True, kw_only=True)
class Trades:
    """Occupations, all skills, which each occupation may have (`pool`), and the rank of its degree and a lesser one."""

    occupations: tuple[Occupation, ...]
    paths: tuple[Path, ...]
    skills: tuple[str, ...]
    is_technology: NDArray[np.bool_]
    pool: NDArray[np.bool_]
    field: NDArray[np.int64]
    degree: NDArray[np.int64]
    lesser: NDArray[np.int64]


@cache
def trades() -> Trades:
    """Return the occupations of the company's departments, with O*NET's technology and the skills of their field."""
    chosen = tuple(each for each in occupations() if path_of(each).family in PLACE.families)
    paths = tuple(path_of(each) for each in chosen)
    own = [_technology(each) for each in chosen]
    shared = [_of_field(path.family) for path in paths]
    technology = {skill for skills in own for skill in skills}
    skills = tuple(sorted(technology | {skill for skills in shared for skill in skills}))
    return Trades(
        occupations=chosen,
        paths=paths,
        skills=skills,
        is_technology=np.array([skill in technology for skill in skills]),
        pool=np.array([[skill in own[at] or skill in shared[at] for skill in skills] for at in range(len(chosen))]),
        field=np.array([PLACE.families.index(path.family) for path in paths]),
        degree=np.array([_rank(path.qualification) for path in paths]),
        lesser=np.array([_rank(wording().zones[each.zone].lesser) for each in chosen]),
    )


def _technology(occupation: Occupation) -> frozenset[str]:
    """Return technology by its names, but those of one or two letters, which stand in other names."""
    names = (named(each) for each in occupation.technology)
    return frozenset(name for name in names if len(name) >= _SHORTEST or not name.isalpha())


def _of_field(family: str) -> frozenset[str]:
    """Return the skills of a field that have two words: single ones stand in any text."""
    return frozenset(skill for skill in wording().families[family].skills if " " in skill)


def _rank(qualification: str) -> int:
    return min(_DEGREES.index(qualification.split(" ", 1)[0]), _DEGREES.index("Doctor"))
