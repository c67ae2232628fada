"""What a synthetic résumé tells, before it is laid out: jobs, education and skills that fit a position more or less."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evenhand.lexicons.onet import Occupation
from evenhand.resumes.generated.technology import asked_for, named
from evenhand.resumes.generated.tense import past, present
from evenhand.resumes.generated.wording import Draws, Family, Path, Wording, Zone, path_of, wording

__all__ = ["Career", "Job", "Level", "career"]

Level = Literal["strong", "medium", "weak"]

#: The year in which all résumés are written.
_THIS_YEAR = 2025
#: As many tasks as have so many words together are told, of the occupation's own.
_MOST_WORDS = 112


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job: its title, employer, first and last year or month (None: it is held now), what was done and achieved."""

    title: str
    employer: str
    first: int | str
    last: int | str | None
    duties: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Career:
    """What a résumé tells: a summary, jobs from the latest back, education, training and skills."""

    summary: str
    jobs: tuple[Job, ...]
    education: tuple[str, ...]
    training: tuple[str, ...]
    skills: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Held:
    """A job without its place in time: title, employer, how many years, and what was done."""

    title: str
    employer: str
    years: int
    duties: list[str]


@dataclass(frozen=True, kw_only=True)
class _Material:
    """What the careers of an occupation are made of; names of places and schools are taken one after the other."""

    occupation: Occupation
    path: Path
    zone: Zone
    family: Family
    words: Wording
    draws: Draws
    places: list[str]

    def employer(self, family: Family) -> str:
        """Return an employer of a field of work."""
        return f"{self.places.pop()} {self.draws.one(family.employers)}"

    def school(self, qualification: str, kind: str) -> str:
        """Return a qualification with the school it was had at."""
        return f"{qualification}, {self.places.pop()} {kind}"

    def achievements(self, count: int) -> list[str]:
        """Return what was achieved."""
        return [self.draws.filled(each) for each in self.draws.some(self.family.achievements, count)]

    def tasks(self, count: int, *, led: bool = True) -> list[str]:
        """Return so many tasks of the occupation, fewer where they are long, those of seniors first or not at all."""
        tasks = [task for task in self.occupation.tasks if led or not self._leads(task)]
        words, kept = 0, []
        for task in self.draws.some(tasks, count):
            words += task.count(" ") + 1
            if words <= _MOST_WORDS:
                kept.append(task)
        return sorted(kept, key=self._leads, reverse=True)

    def _leads(self, task: str) -> bool:
        return task.split(" ", 1)[0].rstrip(",") in self.words.leading

    def summary(self, *openings: str) -> str:
        """Return a summary that begins with one of several sentences."""
        return f"{self.draws.one(openings)} {self.draws.one(self.words.closings)}"

    def training(self, count: int) -> tuple[str, ...]:
        """Return courses."""
        return tuple(self.draws.filled(each) for each in self.draws.some(self.words.training, count))

    def other_work(self, count: int, duties: int) -> list[_Held]:
        """Return jobs in other fields."""
        fitting = [
            each for each in self.words.others if self.occupation.zone in each.zones and each.family != self.path.family
        ]
        return [
            _Held(
                title=each.title,
                employer=self.employer(self.words.families[each.family]),
                years=self.draws.number(1, 3),
                duties=[self.draws.filled(duty) for duty in self.draws.some(each.duties, duties)],
            )
            for each in self.draws.some(fitting, count)
        ]


def career(occupation: Occupation, level: Level, draws: Draws) -> Career:
    """Return a career that fits an occupation as a level says."""
    words, path = wording(), path_of(occupation)
    material = _Material(
        occupation=occupation,
        path=path,
        zone=words.zones[occupation.zone],
        family=words.families[path.family],
        words=words,
        draws=draws,
        places=draws.some(words.places, 6),
    )
    return {"strong": _strong, "medium": _medium, "weak": _weak}[level](material)


def _strong(of: _Material) -> Career:
    """Return a career with all that is asked for: seniority, the qualification, the technology and more."""
    years = max(2, of.zone.years) + of.draws.number(5, 8)
    first, second = of.draws.number(1, 2), of.draws.number(2, 3)
    told = [past(task) for task in of.tasks(8)]
    gained = [of.draws.filled(of.draws.one(of.family.led)), *of.achievements(3)]
    third = len(told) // 3
    latest = len(told) - 2 * third
    held = [
        _Held(
            title=of.path.senior,
            employer=of.employer(of.family),
            years=years - first - second,
            duties=[*told[:latest], *gained[:2]],
        ),
        _Held(
            title=of.path.position,
            employer=of.employer(of.family),
            years=second,
            duties=[*told[latest : latest + third], gained[2]],
        ),
        _Held(
            title=of.path.junior,
            employer=of.employer(of.family),
            years=first,
            duties=[*told[latest + third :], gained[3]],
        ),
    ]
    more = [named(each) for each in of.occupation.technology if named(each) not in asked_for(of.occupation)]
    technology = [*asked_for(of.occupation), *of.draws.some(more, 1)]
    return Career(
        summary=of.summary(
            f"{of.path.position} with {years} years of experience, {years - first - second} in a senior post.",
            f"{years} years in {of.family.field}, most recently in a senior post with responsibility for a team.",
            f"Experienced in all parts of the work, with {years} years in {of.family.field}.",
        ),
        jobs=_dated(held),
        education=_education(of, of.path.qualification, of.zone.school, licence=True),
        training=of.training(2),
        skills=(*technology, *of.draws.some(of.family.skills, 4)),
    )


def _medium(of: _Material) -> Career:
    """Return a career with a part of what is asked for: the qualification, some years, some of the technology."""
    years = max(2, of.zone.years - 1) + of.draws.number(0, 1)
    told = [past(task) for task in of.tasks(6)]
    gained = of.achievements(3)
    latest = len(told) - len(told) // 2
    held = [
        _Held(
            title=of.path.position,
            employer=of.employer(of.family),
            years=years - 1,
            duties=[*told[:latest], *gained[:2]],
        ),
        _Held(title=of.path.junior, employer=of.employer(of.family), years=1, duties=[*told[latest:], gained[2]]),
        *of.other_work(1, 4),
    ]
    asked = asked_for(of.occupation)
    return Career(
        summary=of.summary(
            f"{of.path.position} with {years} years of experience in {of.family.field}.",
            f"{years} years in {of.family.field}, after a start in another kind of work.",
            f"Used to working in a team, with {years} years in {of.family.field}.",
        ),
        jobs=_dated(held),
        education=_education(of, of.path.qualification, of.zone.school, licence=True),
        training=of.training(2),
        skills=(*asked[: (len(asked) + 1) // 2], *of.draws.some(of.family.skills, 3)),
    )


def _weak(of: _Material) -> Career:
    """Return a career with little of what is asked for: a short time as a trainee, and work in other fields."""
    helped = [f"Helped to {present(task)[0].lower()}{present(task)[1:]}" for task in of.tasks(4, led=False)]
    trainee = _Held(title=of.path.trainee, employer=of.employer(of.family), years=1, duties=helped)
    first, second = of.other_work(2, 4)
    held = of.draws.one(([trainee, first, second], [first, trainee, second]))
    position = of.path.position
    office = [each for each in asked_for(of.occupation) if each.startswith("Microsoft ")]
    return Career(
        summary=of.summary(
            f"Seeking a first permanent position as {_article(position)} {position}, after work in other fields.",
            f"Looking for a change into {of.family.field}, with practice from one year as a trainee or helper.",
            f"Work in several fields so far, and one year of first steps in {of.family.field}.",
        ),
        jobs=_dated(held),
        education=_education(of, of.zone.lesser, of.zone.lesser_school, licence=False),
        training=of.training(3),
        skills=(*office[:1], *of.draws.some(of.words.general_skills, 4)),
    )


def _education(of: _Material, qualification: str, school: str, *, licence: bool) -> tuple[str, ...]:
    licences = [of.path.licence] if licence and of.path.licence else []
    return (of.school(qualification, school), *licences)


def _dated(held: Sequence[_Held]) -> tuple[Job, ...]:
    """Return jobs with the years in which they were held, the latest first and held now."""
    jobs, last = [], _THIS_YEAR
    for each in held:
        jobs.append(
            Job(
                title=each.title,
                employer=each.employer,
                first=last - each.years,
                last=None if last == _THIS_YEAR else last,
                duties=tuple(each.duties),
            )
        )
        last -= each.years
    return tuple(jobs)


def _article(noun: str) -> str:
    """Return 'a' or 'an', as the noun is said."""
    return "an" if noun[0] in "AEIO" or noun.startswith(("HVAC", "HR")) else "a"
