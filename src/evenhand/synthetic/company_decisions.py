"""Positions, applications and decisions of the synthetic company.

Includes the ground truth of each pair: how well the person would do, from the facts in the résumé.
"""

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from evenhand.data.lexicons.names import RACES
from evenhand.data.lexicons.occupations import Occupation
from evenhand.stats.special import expit
from evenhand.synthetic.company_people import INJECTED, MODEL, PLACE, People, Size, stream, trades
from evenhand.synthetic.positions import Draws, listed, lower, path_of, present, series, with_article, wording

_TASKS = 4


def advertised_title(occupation: Occupation, level: int, draws: Draws) -> str:
    """Return the title of a position; at a middle level also one of those that O*NET reports."""
    path = path_of(occupation)
    middle = draws.one((path.position, path.position, *occupation.titles[:2]))
    return (path.junior, middle, path.senior)[level]


def advertisement(
    occupation: Occupation,
    *,
    title: str,
    location: str,
    years: tuple[int, int],
    must: tuple[str, ...],
    nice: tuple[str, ...],
    draws: Draws,
) -> str:
    """Return the text of a position."""
    path = path_of(occupation)
    family = wording().families[path.family]
    opening = draws.one(
        (
            f"Our team in {location} is looking for {with_article(title)}.",
            f"We have an open position in {location}: {title}, full-time.",
            f"{title} wanted for a team of {draws.number(4, 12)} in {location}.",
        )
    )
    low, high = years
    requirements = [
        f"{low} to {high} years of experience in {family.field}." if low else f"Up to {high} years of experience.",
        path.qualification + (f" and {lower(path.licence)}" if path.licence else "") + ".",
        f"{draws.one(('You must know', 'Required:', 'Sound knowledge of'))} {series(must)}.",
        f"{draws.one(('Nice to have:', 'Welcome:', 'A plus:'))} {series(nice)}.",
    ]
    heading, bring = draws.one((("What you will do", "What you bring"), ("Your work", "What we ask for")))
    tasks = [f"{present(task)}." for task in draws.some(occupation.tasks, _TASKS)]
    return f"{title}\n\n{opening}\n\n{heading}\n{listed(tasks)}\n\n{bring}\n{listed(requirements)}"


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


def sampled_positions(size: Size) -> Positions:
    """Return the positions of a seed, spread over the occupations."""
    rng, n, table = stream(size.seed, "positions"), size.positions, trades()
    rounds = -(-n // len(table.occupations))
    occupation = np.concatenate([rng.permutation(len(table.occupations)) for _ in range(rounds)])[:n]
    level = np.searchsorted([0.3, 0.75], rng.random(n), side="right")
    zone = np.array([trade.zone for trade in table.occupations])[occupation]
    low = np.select([level == 0, level == 1], [rng.integers(0, 2, n), np.maximum(1, zone - 1)], zone + 2)
    drawn = np.where(table.pool[occupation], rng.random((n, len(table.skills))), 2)
    skills = _first(np.where(table.is_technology, drawn, 2), _TECHNOLOGY)
    skills |= _first(np.where(table.is_technology, 2, drawn), _OTHERS)
    return Positions(
        occupation=occupation,
        level=level,
        skills=skills,
        must=_first(np.where(skills, rng.random(drawn.shape), 2), _MUST),
        low=low,
        high=low + np.where(level == 0, 3, 5),
        degree=table.degree[occupation],
        location=rng.integers(len(PLACE.locations), size=n),
        recruiter=rng.integers(PLACE.recruiters, size=n),
    )


def _first(drawn: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Return the places of the smallest numbers of each row; 2 is none."""
    limit = np.partition(drawn, count - 1, axis=1)[:, count - 1 : count]
    return np.asarray((drawn <= limit) & (drawn < 2))


#: How much likelier a position of the person's own occupation and field is than any other.
_OWN, _FIELD, _ANY = 1.0, 0.25, 0.02
_AT_A_TIME = 4096


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs as columns: places of person and position, the parts of the fit, and the fit as log odds."""

    person: NDArray[np.int64]
    position: NDArray[np.int64]
    skills: NDArray[np.float64]
    must: NDArray[np.float64]
    years: NDArray[np.float64]
    title: NDArray[np.float64]
    education: NDArray[np.float64]
    fit: NDArray[np.float64]


def sampled_pairs(size: Size, people: People, positions: Positions) -> Pairs:
    """Return the pairs of a seed: each person applies to about as many positions, mostly in the own field."""
    person, position = _applied(size, people, positions)
    skills, must = np.empty(len(person)), np.empty(len(person))
    for start in range(0, len(person), _AT_A_TIME):
        part = slice(start, start + _AT_A_TIME)
        had, required = people.skills[person[part]], positions.skills[position[part]]
        skills[part] = (had & required).sum(axis=1) / required.sum(axis=1)
        must[part] = ~(positions.must[position[part]] & ~had).any(axis=1)
    table = trades()
    occupation, wanted = people.occupation[person], positions.occupation[position]
    required_years = np.maximum(positions.low[position], 1)
    years = np.minimum(people.months[person] / 12 / required_years, 1)
    near = np.where(table.field[occupation] == table.field[wanted], MODEL.same_field, 0)
    title = np.where(occupation == wanted, 1.0, near)
    education = (people.degree[person] >= positions.degree[position]).astype(np.float64)
    score = skills * MODEL.skills + must * MODEL.must + years * MODEL.years
    fit = MODEL.constant + score + title * MODEL.title + education * MODEL.education
    return Pairs(
        person=person,
        position=position,
        skills=skills,
        must=must,
        years=years,
        title=title,
        education=education,
        fit=fit,
    )


def _applied(size: Size, people: People, positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of persons and positions, drawn without replacement by how near their occupations are."""
    rng, table = stream(size.seed, "pairs"), trades()
    wanted = positions.occupation
    near = np.where(table.field[:, None] == table.field[wanted], _FIELD, _ANY)
    near[np.arange(len(table.field))[:, None] == wanted] = _OWN
    wait = (1 / near).astype(np.float32)
    least, more = divmod(size.pairs, size.people)
    applications = []
    for start in range(0, size.people, _AT_A_TIME):
        occupation = people.occupation[start : start + _AT_A_TIME]
        # The shortest waiting time is first: waiting times are exponential, with the weights as rates.
        waited = wait[occupation] * rng.standard_exponential((len(occupation), size.positions), np.float32)
        order = np.argsort(waited, axis=1, kind="stable")[:, : least + 1]
        rank = np.arange(order.shape[1])
        number = start + np.arange(len(occupation))
        selected = rank[None, :] < (least + (number < more))[:, None]
        applications.append((np.broadcast_to(number[:, None], order.shape)[selected], order[selected]))
    return tuple(np.concatenate(part) for part in zip(*applications, strict=True))  # type: ignore[return-value]


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


def sampled_decisions(size: Size, people: People, pairs: Pairs) -> Decisions:
    """Return the decision about each pair at each stage, also at those that it did not reach."""
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
