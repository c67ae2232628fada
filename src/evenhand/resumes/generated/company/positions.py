"""What the company looks for: positions with the skills, years and degree asked for, place and recruiter."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.resumes.generated.company.parameters import PLACE, Size, stream
from evenhand.resumes.generated.company.trades import trades

__all__ = ["LEVELS", "Positions", "drawn_positions"]

LEVELS = ("junior", "position", "senior")
_TECHNOLOGY, _OTHERS, _MUST = 5, 3, 2


@dataclass(frozen=True, kw_only=True)
class Positions:
    """Positions as columns, a row each: `skills` and those of them that are a `must` as matrices, years from and to."""

    occupation: NDArray[np.int64]
    level: NDArray[np.int64]
    skills: NDArray[np.bool_]
    must: NDArray[np.bool_]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    degree: NDArray[np.int64]
    location: NDArray[np.int64]
    recruiter: NDArray[np.int64]


def drawn_positions(size: Size) -> Positions:
    """Return the positions of a seed, spread over the occupations."""
    rng, n, of = stream(size.seed, "positions"), size.positions, trades()
    rounds = -(-n // len(of.occupations))
    occupation = np.concatenate([rng.permutation(len(of.occupations)) for _ in range(rounds)])[:n]
    level = np.searchsorted([0.3, 0.75], rng.random(n), side="right")
    zone = np.array([each.zone for each in of.occupations])[occupation]
    low = np.select([level == 0, level == 1], [rng.integers(0, 2, n), np.maximum(1, zone - 1)], zone + 2)
    drawn = np.where(of.pool[occupation], rng.random((n, len(of.skills))), 2)
    skills = _first(np.where(of.is_technology, drawn, 2), _TECHNOLOGY)
    skills |= _first(np.where(of.is_technology, 2, drawn), _OTHERS)
    return Positions(
        occupation=occupation,
        level=level,
        skills=skills,
        must=_first(np.where(skills, rng.random(drawn.shape), 2), _MUST),
        low=low,
        high=low + np.where(level == 0, 3, 5),
        degree=of.degree[occupation],
        location=rng.integers(len(PLACE.locations), size=n),
        recruiter=rng.integers(PLACE.recruiters, size=n),
    )


def _first(drawn: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Return where the smallest numbers of each row stand; 2 is none."""
    limit = np.partition(drawn, count - 1, axis=1)[:, count - 1 : count]
    return np.asarray((drawn <= limit) & (drawn < 2))
