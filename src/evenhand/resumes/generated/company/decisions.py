"""Who is passed on at each stage, and by whom: scores, people's decisions, and what came of those hired."""

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from evenhand.lexicons.names import RACES
from evenhand.resumes.generated.company.fit import Pairs
from evenhand.resumes.generated.company.parameters import INJECTED, MODEL, PLACE, Size, stream
from evenhand.resumes.generated.company.people import People
from evenhand.stats.special import expit

__all__ = ["STAGES", "Decisions", "day_of", "drawn_decisions"]

STAGES = ("applied", "screened", "interviewed", "offered", "hired")
#: Days from one stage to the next, from and to; the first is after the person's first application.
_DAYS = ((0, 30), (2, 8), (7, 15), (3, 8), (7, 22))


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Per pair: scores, whether it performed well; per pair and stage: time, chance, selected, whether it got there.

    `chance` is the probability of being passed on at the stage as it was drawn, `without` the one it would have been
    without what was injected. Times are in seconds from the first day.
    """

    score: NDArray[np.float64]
    previous: NDArray[np.float64]
    latency: NDArray[np.int64]
    by_ai: NDArray[np.bool_]
    performed: NDArray[np.bool_]
    seconds: NDArray[np.int64]
    chance: NDArray[np.float64]
    without: NDArray[np.float64]
    selected: NDArray[np.bool_]
    reached: NDArray[np.bool_]


def day_of(day: date) -> int:
    """Return the number of days since the first."""
    return (day - PLACE.first_day).days


def drawn_decisions(size: Size, people: People, pairs: Pairs) -> Decisions:
    """Return what was decided about each pair at each stage, also at those that it did not reach."""
    rng, n = stream(size.seed, "decisions"), len(pairs.person)
    seconds = _times(rng, people.day[pairs.person])
    day = seconds // 86_400
    broken = (people.break_months > 0)[pairs.person]
    by_ai = rng.random(n) < MODEL.by_ai
    stepped = np.where(day[:, 0] >= day_of(INJECTED.step_day), INJECTED.step, 0)
    noise, other = rng.logistic(scale=MODEL.noise, size=(2, n))
    seen = pairs.fit + stepped * by_ai
    score = expit(pairs.fit + INJECTED.break_effect * broken + stepped + noise).round(4)
    drift = INJECTED.drift_per_day * np.maximum(day[:, 0] - day_of(INJECTED.drift_since), 0)
    previous = expit(pairs.fit + drift + rng.logistic(scale=MODEL.noise, size=n)).round(4)
    of_race = (people.race == RACES.index(INJECTED.interview_race))[pairs.person]
    disfavoured = of_race & (day[:, STAGES.index("interviewed")] >= day_of(INJECTED.interview_since))
    fits = expit(pairs.fit)
    limit = np.log(MODEL.cutoff / (1 - MODEL.cutoff))
    without = np.column_stack(
        [
            expit((seen - limit) / MODEL.noise),
            *(base + more * fits for base, more in (MODEL.screened, MODEL.interviewed)),
            np.full(n, MODEL.offered),
            np.ones(n),
        ]
    )
    chance = without.copy()
    chance[:, 0] = expit((seen + INJECTED.break_effect * broken - limit) / MODEL.noise)
    chance[:, 2] += INJECTED.interview_effect * disfavoured
    selected = rng.random(chance.shape) < chance
    by_person = pairs.fit + INJECTED.break_effect * broken + other >= limit
    selected[:, 0] = np.where(by_ai, score >= MODEL.cutoff, by_person)
    reached = np.column_stack([np.ones(n, dtype=bool), np.logical_and.accumulate(selected[:, :-1], axis=1)])
    return Decisions(
        score=score,
        previous=previous,
        latency=np.rint(rng.lognormal(5.2, 0.35, n)).astype(np.int64),
        by_ai=by_ai,
        performed=rng.random(n) < fits,
        seconds=seconds,
        chance=chance,
        without=without,
        selected=selected,
        reached=reached,
    )


def _times(rng: np.random.Generator, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the times of each stage, in working hours, each later than the one before."""
    days = np.column_stack([rng.integers(low, high, size=len(first)) for low, high in _DAYS]).cumsum(axis=1)
    within = rng.integers(8 * 3600, 18 * 3600, size=days.shape)
    return np.asarray((first[:, None] + days) * 86_400 + within)
