"""Who applies where, and the truth about each pair: how well the person would do, from what the résumé tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.resumes.generated.company.parameters import MODEL, Size, stream
from evenhand.resumes.generated.company.people import People
from evenhand.resumes.generated.company.positions import Positions
from evenhand.resumes.generated.company.trades import trades

__all__ = ["Pairs", "drawn_pairs"]

#: How much likelier a position of the person's own occupation and field is than any other.
_OWN, _FIELD, _ANY = 1.0, 0.25, 0.02
_AT_A_TIME = 4096


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs as columns: places of person and position, what the fit is made of, and the fit as log odds."""

    person: NDArray[np.int64]
    position: NDArray[np.int64]
    skills: NDArray[np.float64]
    must: NDArray[np.float64]
    years: NDArray[np.float64]
    title: NDArray[np.float64]
    education: NDArray[np.float64]
    fit: NDArray[np.float64]


def drawn_pairs(size: Size, people: People, positions: Positions) -> Pairs:
    """Return the pairs of a seed: each person applies to about as many positions, mostly in the own field."""
    person, position = _applied(size, people, positions)
    skills, must = np.empty(len(person)), np.empty(len(person))
    for start in range(0, len(person), _AT_A_TIME):
        part = slice(start, start + _AT_A_TIME)
        had, asked = people.skills[person[part]], positions.skills[position[part]]
        skills[part] = (had & asked).sum(axis=1) / asked.sum(axis=1)
        must[part] = ~(positions.must[position[part]] & ~had).any(axis=1)
    of = trades()
    occupation, wanted = people.occupation[person], positions.occupation[position]
    asked_years = np.maximum(positions.low[position], 1)
    years = np.minimum(people.months[person] / 12 / asked_years, 1)
    title = np.where(occupation == wanted, 1.0, np.where(of.field[occupation] == of.field[wanted], MODEL.same_field, 0))
    education = (people.degree[person] >= positions.degree[position]).astype(np.float64)
    told = skills * MODEL.skills + must * MODEL.must + years * MODEL.years
    fit = MODEL.constant + told + title * MODEL.title + education * MODEL.education
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
    rng, of = stream(size.seed, "pairs"), trades()
    wanted = positions.occupation
    near = np.where(of.field[:, None] == of.field[wanted], _FIELD, _ANY)
    near[np.arange(len(of.field))[:, None] == wanted] = _OWN
    wait = (1 / near).astype(np.float32)
    least, more = divmod(size.pairs, size.people)
    found = []
    for start in range(0, size.people, _AT_A_TIME):
        occupation = people.occupation[start : start + _AT_A_TIME]
        # Who waits least comes first: waiting times are exponential, at rates that are the weights.
        waited = wait[occupation] * rng.standard_exponential((len(occupation), size.positions), np.float32)
        order = np.argsort(waited, axis=1, kind="stable")[:, : least + 1]
        rank = np.arange(order.shape[1])
        number = start + np.arange(len(occupation))
        kept = rank[None, :] < (least + (number < more))[:, None]
        found.append((np.broadcast_to(number[:, None], order.shape)[kept], order[kept]))
    return tuple(np.concatenate(part) for part in zip(*found, strict=True))  # type: ignore[return-value]
