"""People of the synthetic company: parameters, draws of their attributes, and résumé texts.

All attributes are drawn alike for every group but the career break, which is injected.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.data.lexicons.names import GENDERS, RACES
from evenhand.data.lexicons.occupations import Occupation, occupations
from evenhand.synthetic.arms import affinity_lines
from evenhand.synthetic.positions import Draws, Path, named, past, path_of, series, wording
from evenhand.synthetic.resumes import LAYOUTS, Career, Job, Layout, laid_out


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
    """How well a person does in a position, as log odds: a weight for each fact of a résumé, and a constant."""

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
    """Injected effects; all else is drawn alike for all groups.

    Breaks: how many have one, by gender, and what it takes from the log odds of being passed on, and of `score`, at
    the stage applied. Interview: the reduction of the probability of an offer, the group, and the first day. Scores:
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
    chosen = tuple(occupation for occupation in occupations() if path_of(occupation).family in PLACE.families)
    paths = tuple(path_of(occupation) for occupation in chosen)
    tools = [_technology(occupation) for occupation in chosen]
    shared = [_of_field(path.family) for path in paths]
    technology = {skill for skills in tools for skill in skills}
    skills = tuple(sorted(technology | {skill for skills in shared for skill in skills}))
    return Trades(
        occupations=chosen,
        paths=paths,
        skills=skills,
        is_technology=np.array([skill in technology for skill in skills]),
        pool=np.array([[skill in tools[at] or skill in shared[at] for skill in skills] for at in range(len(chosen))]),
        field=np.array([PLACE.families.index(path.family) for path in paths]),
        degree=np.array([_rank(path.qualification) for path in paths]),
        lesser=np.array([_rank(wording().zones[occupation.zone].lesser) for occupation in chosen]),
    )


def _technology(occupation: Occupation) -> frozenset[str]:
    """Return technology by its names, except those of one or two letters, which are parts of other names."""
    names = (named(technology) for technology in occupation.technology)
    return frozenset(name for name in names if len(name) >= _SHORTEST or not name.isalpha())


def _of_field(family: str) -> frozenset[str]:
    """Return the skills of a field that have two words: single ones are in any text."""
    return frozenset(skill for skill in wording().families[family].skills if " " in skill)


def _rank(qualification: str) -> int:
    return min(_DEGREES.index(qualification.split(" ", 1)[0]), _DEGREES.index("Doctor"))


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


def sampled_people(size: Size) -> People:
    """Return the people of a seed; only how often they have a career break depends on their group."""
    rng, n, table = stream(size.seed, "people"), size.people, trades()
    gender = (rng.random(n) < PLACE.female).astype(np.int64)  # GENDERS begins with male
    race = np.searchsorted(np.cumsum([PLACE.races[name] for name in RACES])[:-1], rng.random(n), side="right")
    occupation = rng.integers(len(table.occupations), size=n)
    licensed = np.array([bool(path.licence) for path in table.paths])[occupation]
    qualified = licensed | (rng.random(n) < 0.7)
    pool, drawn = table.pool[occupation], rng.random((n, len(table.skills)), dtype=np.float32)
    drawn = np.where(pool, drawn, 2)
    least = np.partition(drawn, _FEWEST_SKILLS - 1, axis=1)[:, _FEWEST_SKILLS - 1 : _FEWEST_SKILLS]
    has_break = rng.random(n) < np.array([INJECTED.break_share[name] for name in GENDERS])[gender]
    return People(
        gender=gender,
        race=race,
        occupation=occupation,
        months=np.clip(np.rint(rng.gamma(2.0, 42.0, n)), 12, 360).astype(np.int64),
        qualified=qualified,
        degree=np.where(qualified, table.degree[occupation], table.lesser[occupation]),
        skills=(drawn < rng.beta(5.0, 3.5, n)[:, None]) | (drawn <= least),
        break_months=np.where(has_break, rng.integers(*_BREAK, size=n), 0),
        day=rng.integers(PLACE.days - 30, size=n),
    )


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
#: Months of work from which people have so many jobs, and from which a job is a middle or a senior one.
_JOBS = (30, 84, 168)
_MIDDLE, _SENIOR = 20, 72
_PRONOUNS = {"female": "she/her", "male": "he/him"}


@dataclass(frozen=True, kw_only=True)
class ResumeFacts:
    """The facts of a résumé; `month` is when it was written, in months since the year 0."""

    key: str
    name: str
    gender: str
    race: str
    occupation: Occupation
    months: int
    break_months: int
    qualified: bool
    technology: tuple[str, ...]
    others: tuple[str, ...]
    month: int


@dataclass(frozen=True, kw_only=True)
class _Span:
    """A job's months, from the first to the last; the last is None for the current job."""

    first: int
    last: int | None
    worked_before: int
    after_break: int = 0


def resume_of(facts: ResumeFacts) -> str:
    """Return the text of a résumé, with a layout, a form of dates and a way to mention skills and breaks."""
    draws, path = Draws(facts.key), path_of(facts.occupation)
    layout = draws.one(LAYOUTS)
    written = draws.one((_long, _short, _numbers, _numbers))
    spans = _spans(facts, draws)
    places = draws.some(wording().places, 8)
    jobs = _jobs(facts, path, spans, draws, places)
    daily = draws.some(facts.technology, 3) if draws.number(0, 1) and len(facts.technology) > 3 else []
    if daily:
        jobs[0] = replace(jobs[0], duties=(*jobs[0].duties, f"{draws.one(_DAILY)} {series(tuple(daily))}"))
    other = [skill for skill in (*facts.technology, *facts.others) if skill not in daily]
    summary = _summary(facts, path, jobs[0].title, draws)
    mention = draws.number(0, 3) if facts.break_months else 3
    back = next((span for span in spans if span.after_break), None)
    if back is not None and mention < 2:
        line = _break_line(back, draws)
        if mention == 0:
            summary = f"{summary} {line}."
        else:
            at = spans.index(back)
            jobs[at] = replace(jobs[at], duties=(f"Joined after a {line[0].lower()}{line[1:]}", *jobs[at].duties))
    career = Career(
        summary=summary,
        jobs=tuple(
            replace(job, first=written(span.first), last=None if span.last is None else written(span.last))
            for job, span in zip(jobs, spans, strict=True)
        ),
        education=_education(facts, path, spans[-1].first, draws, places),
        training=_training(facts, draws),
        skills=tuple(draws.some(other, len(other))),
    )
    text = laid_out(career, layout, referee=draws.number(0, 3) == 0)
    name = f"{facts.name} ({_PRONOUNS[facts.gender]})" if draws.number(1, 8) == 1 else facts.name
    text = text.replace("{name}", name, 1).replace("{name}", facts.name)
    return text.replace("{email}", _contact(facts, layout, draws))


_DAILY = ("Worked daily with", "Used", "Solved everyday tasks with")


def _long(month: int) -> str:
    return f"{_MONTHS[month % 12]} {month // 12}"


def _short(month: int) -> str:
    return f"{_MONTHS[month % 12][:3]} {month // 12}"


def _numbers(month: int) -> str:
    return f"{month % 12 + 1:02}/{month // 12}"


def _spans(facts: ResumeFacts, draws: Draws) -> list[_Span]:
    """Return the months of each job, the latest first; months of work add up to those of the person."""
    count = 1 + sum(facts.months >= limit for limit in _JOBS[: draws.number(2, 3)])
    if facts.break_months:
        count = max(2, count)
    weights = [draws.number(2, 5) for _ in range(count)]
    cuts = [facts.months * sum(weights[:at]) // sum(weights) for at in range(count + 1)]
    pause = draws.number(1, count - 1) if facts.break_months else 0
    spans: list[_Span] = []
    end = facts.month - (draws.one((1, 2)) if draws.number(1, 8) == 1 else 0)
    current = end == facts.month
    for at in range(count - 1, -1, -1):
        first = end - (cuts[at + 1] - cuts[at])
        after = facts.break_months if at == pause and pause else 0
        last = None if current and at == count - 1 else end
        spans.append(_Span(first=first, last=last, worked_before=cuts[at], after_break=after))
        end = first - (after or draws.one((0, 0, 0, 1)))
    return spans


def _jobs(facts: ResumeFacts, path: Path, spans: Sequence[_Span], draws: Draws, places: list[str]) -> list[Job]:
    """Return the jobs without their dates, the latest first."""
    family = wording().families[path.family]
    tasks = draws.some(facts.occupation.tasks, 9)
    gained = draws.some(family.achievements, len(spans))
    jobs = []
    for at, span in enumerate(spans):
        tasks_done = [past(tasks.pop()) for _ in range(min(len(tasks), 3 if at == 0 else 2))]
        jobs.append(
            Job(
                title=_title(facts, path, span, draws),
                employer=f"{places.pop()} {draws.one(family.employers)}",
                first=0,
                last=None,
                duties=(*tasks_done, draws.filled(gained[at])) if at < len(gained) else tuple(tasks_done),
            )
        )
    return jobs


def _title(facts: ResumeFacts, path: Path, span: _Span, draws: Draws) -> str:
    if span.worked_before < _MIDDLE:
        return path.junior
    if span.worked_before >= _SENIOR:
        return path.senior
    return draws.one((path.position, path.position, *facts.occupation.titles[:2]))


def _summary(facts: ResumeFacts, path: Path, title: str, draws: Draws) -> str:
    years, field = facts.months // 12, wording().families[path.family].field
    worked = f"{years} years" if years > 1 else f"{facts.months} months"
    opening = draws.one(
        (
            f"{title} with {worked} of experience in {field}.",
            f"{worked} of work in {field}, most recently as {title}.",
            f"{title}, {worked} in {field}.",
        )
    )
    return f"{opening} {draws.one(wording().closings)}"


def _break_line(back: _Span, draws: Draws) -> str:
    months = f"{back.after_break} months"
    return draws.one((f"Career break of {months}", f"Break of {months} from paid work"))


def _education(facts: ResumeFacts, path: Path, first: int, draws: Draws, places: list[str]) -> tuple[str, ...]:
    zone = wording().zones[facts.occupation.zone]
    year = first // 12 - draws.number(0, 1)
    if not facts.qualified:
        return (f"{zone.lesser}, {places.pop()} {zone.lesser_school}, {year}",)
    degree = f"{path.qualification}, {places.pop()} {zone.school}, {year}"
    return (degree, path.licence) if path.licence else (degree,)


def _training(facts: ResumeFacts, draws: Draws) -> tuple[str, ...]:
    """Return courses, and now and then a membership, which signals a group or none."""
    courses = draws.some(wording().training, draws.number(1, 2))
    signal = draws.number(1, 16)
    if signal <= 2:
        by, group = (("gender", facts.gender), ("race", facts.race))[signal - 1]
        courses.append(affinity_lines((by,), (group,))[draws.number(0, 1)])
    return tuple(courses)


def _contact(facts: ResumeFacts, layout: Layout, draws: Draws) -> str:
    """Return the e-mail address, and now and then a telephone number and a town."""
    first, _, last = facts.name.lower().partition(" ")
    address = draws.one((f"{first}.{last}", f"{first[0]}{last}", f"{first}{last}{draws.number(1, 99)}"))
    parts = [f"{''.join(sign for sign in address if sign.isascii() and (sign.isalnum() or sign == '.'))}@example.com"]
    if draws.number(0, 1):
        parts.append(f"({draws.number(201, 989)}) 555-01{draws.number(10, 99)}")
    if draws.number(0, 1):
        parts.append(draws.one(PLACE.locations))
    return ("\n" if layout.item == "* " else " | ").join(parts)
