"""Who applies: group, occupation, months of work, degree, skills, career break; drawn alike but for the break."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.lexicons.names import GENDERS, RACES
from evenhand.resumes.generated.company.parameters import INJECTED, PLACE, Size, stream
from evenhand.resumes.generated.company.trades import trades

__all__ = ["People", "drawn_people"]

_FEWEST_SKILLS = 4
#: Months of a career break, from and to.
_BREAK = (8, 31)


@dataclass(frozen=True, kw_only=True)
class People:
    """People as columns, a row each: places in GENDERS, RACES and the occupations, and `skills` as a matrix."""

    gender: NDArray[np.int64]
    race: NDArray[np.int64]
    occupation: NDArray[np.int64]
    months: NDArray[np.int64]
    qualified: NDArray[np.bool_]
    degree: NDArray[np.int64]
    skills: NDArray[np.bool_]
    break_months: NDArray[np.int64]
    day: NDArray[np.int64]


def drawn_people(size: Size) -> People:
    """Return the people of a seed; only how often they have a career break depends on their group."""
    rng, n, of = stream(size.seed, "people"), size.people, trades()
    gender = (rng.random(n) < PLACE.female).astype(np.int64)  # GENDERS begins with male
    race = np.searchsorted(np.cumsum([PLACE.races[each] for each in RACES])[:-1], rng.random(n), side="right")
    occupation = rng.integers(len(of.occupations), size=n)
    licensed = np.array([bool(path.licence) for path in of.paths])[occupation]
    qualified = licensed | (rng.random(n) < 0.7)
    pool, drawn = of.pool[occupation], rng.random((n, len(of.skills)), dtype=np.float32)
    drawn = np.where(pool, drawn, 2)
    least = np.partition(drawn, _FEWEST_SKILLS - 1, axis=1)[:, _FEWEST_SKILLS - 1 : _FEWEST_SKILLS]
    has_break = rng.random(n) < np.array([INJECTED.break_share[each] for each in GENDERS])[gender]
    return People(
        gender=gender,
        race=race,
        occupation=occupation,
        months=np.clip(np.rint(rng.gamma(2.0, 42.0, n)), 12, 360).astype(np.int64),
        qualified=qualified,
        degree=np.where(qualified, of.degree[occupation], of.lesser[occupation]),
        skills=(drawn < rng.beta(5.0, 3.5, n)[:, None]) | (drawn <= least),
        break_months=np.where(has_break, rng.integers(*_BREAK, size=n), 0),
        day=rng.integers(PLACE.days - 30, size=n),
    )
