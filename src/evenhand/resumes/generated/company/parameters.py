"""What the synthetic company is drawn by: its size, what is the same for all, and what was injected."""

from dataclasses import dataclass, field
from datetime import date
from typing import Final

import numpy as np

__all__ = ["INJECTED", "MODEL", "PLACE", "Injected", "Place", "Size", "TruthModel", "stream"]


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many people, positions, and pairs of them, and the seed."""

    people: int
    positions: int
    pairs: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class Place:
    """The company, when people apply, and how large the groups are."""

    name: str = "Larkmoor Group"
    families: tuple[str, ...] = ("technology", "finance", "personnel", "office", "health", "engineering")
    locations: tuple[str, ...] = ("Millbrook", "Westhaven", "Harborview", "Pinecrest")
    recruiters: int = 8
    first_day: date = date(2024, 1, 1)
    days: int = 731
    female: float = 0.5
    races: dict[str, float] = field(
        default_factory=lambda: {"asian": 0.14, "black": 0.22, "hispanic": 0.18, "white": 0.46}
    )


@dataclass(frozen=True, kw_only=True)
class TruthModel:
    """How well a person does in a position, as log odds: a weight for each of what a résumé tells, and a constant."""

    skills: float = 3.6
    must: float = 0.9
    years: float = 2.0
    title: float = 1.7
    education: float = 0.9
    constant: float = -5.0
    same_field: float = 0.4
    noise: float = 0.55
    by_ai: float = 0.7
    cutoff: float = 0.5
    screened: tuple[float, float] = (0.3, 0.5)
    interviewed: tuple[float, float] = (0.3, 0.45)
    offered: float = 0.85


@dataclass(frozen=True, kw_only=True)
class Injected:
    """What was put in on purpose; all else is drawn alike for all groups.

    Breaks: how many have one, by gender, and what it takes from the log odds of being passed on, and of `score`, at
    the stage applied. Interview: what is taken from the probability of an offer, of whom, since which day. Scores:
    how many log odds `score` changes by on one day, and `score_previous` each day since another.
    """

    break_share: dict[str, float] = field(default_factory=lambda: {"female": 0.38, "male": 0.06})
    break_effect: float = -1.6
    interview_race: str = "black"
    interview_effect: float = -0.2
    interview_since: date = date(2025, 1, 1)
    step_day: date = date(2025, 4, 7)
    step: float = -0.8
    drift_since: date = date(2025, 1, 6)
    drift_per_day: float = 0.002


PLACE: Final = Place()
MODEL: Final = TruthModel()
INJECTED: Final = Injected()

_STREAMS: Final = ("people", "positions", "pairs", "decisions")


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers of one part, so that more pairs change no person."""
    return np.random.default_rng([seed, _STREAMS.index(name)])
