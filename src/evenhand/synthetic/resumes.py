"""Synthetic résumés by occupation, version and level.

A level (strong, medium, weak) sets how well jobs, education and skills fit the position. The same career is
laid out in several ways, as people do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from evenhand.data.lexicons.occupations import Occupation
from evenhand.synthetic import positions

Level = Literal["strong", "medium", "weak"]

#: The year in which all résumés are written.
_THIS_YEAR = 2025
#: Tasks of the occupation are listed up to so many words together.
_MOST_WORDS = 112


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job: its title, employer, first and last year or month (None: the current job), duties and achievements."""

    title: str
    employer: str
    first: int | str
    last: int | str | None
    duties: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Career:
    """The content of a résumé: a summary, jobs from the latest back, education, training and skills."""

    summary: str
    jobs: tuple[Job, ...]
    education: tuple[str, ...]
    training: tuple[str, ...]
    skills: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Job:
    """A job without its dates: title, employer, number of years, and duties."""

    title: str
    employer: str
    years: int
    duties: list[str]


@dataclass(frozen=True, kw_only=True)
class _Material:
    """What the careers of an occupation are made of; names of places and schools are taken one after the other."""

    occupation: Occupation
    path: positions.Path
    zone: positions.Zone
    family: positions.Family
    words: positions.Wording
    draws: positions.Draws
    places: list[str]

    def employer(self, family: positions.Family) -> str:
        """Return an employer of a field of work."""
        return f"{self.places.pop()} {self.draws.one(family.employers)}"

    def job(self, title: str, years: int, duties: list[str]) -> "_Job":
        """Return a job in the field of the occupation."""
        return _Job(title=title, employer=self.employer(self.family), years=years, duties=duties)

    def achievements(self, count: int) -> list[str]:
        """Return achievements."""
        return [self.draws.filled(achievement) for achievement in self.draws.some(self.family.achievements, count)]

    def tasks(self, count: int, *, led: bool = True) -> list[str]:
        """Return so many tasks of the occupation, fewer where they are long, those of seniors first or not at all."""
        tasks = [task for task in self.occupation.tasks if led or not self._leads(task)]
        words, chosen = 0, []
        for task in self.draws.some(tasks, count):
            words += task.count(" ") + 1
            if words <= _MOST_WORDS:
                chosen.append(task)
        return sorted(chosen, key=self._leads, reverse=True)

    def _leads(self, task: str) -> bool:
        return task.split(" ", 1)[0].rstrip(",") in self.words.leading

    def summary(self, *openings: str) -> str:
        """Return a summary that begins with one of several sentences."""
        return f"{self.draws.one(openings)} {self.draws.one(self.words.closings)}"

    def training(self, count: int) -> tuple[str, ...]:
        """Return courses."""
        return tuple(self.draws.filled(training) for training in self.draws.some(self.words.training, count))

    def other_work(self, count: int, duties: int) -> list[_Job]:
        """Return jobs in other fields."""
        fitting = [
            job for job in self.words.others if self.occupation.zone in job.zones and job.family != self.path.family
        ]
        return [
            _Job(
                title=job.title,
                employer=self.employer(self.words.families[job.family]),
                years=self.draws.number(1, 3),
                duties=[self.draws.filled(duty) for duty in self.draws.some(job.duties, duties)],
            )
            for job in self.draws.some(fitting, count)
        ]


def career(occupation: Occupation, level: Level, draws: positions.Draws) -> Career:
    """Return a career that fits an occupation as a level says."""
    words, path = positions.wording(), positions.path_of(occupation)
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


def _strong(material: _Material) -> Career:
    """Return a career that meets all requirements: seniority, the qualification, the technology and more."""
    years = max(2, material.zone.years) + material.draws.number(5, 8)
    first, second = material.draws.number(1, 2), material.draws.number(2, 3)
    tasks = [positions.past(task) for task in material.tasks(8)]
    gained = [material.draws.filled(material.draws.one(material.family.led)), *material.achievements(3)]
    third = len(tasks) // 3
    latest = len(tasks) - 2 * third
    jobs = [
        material.job(material.path.senior, years - first - second, [*tasks[:latest], *gained[:2]]),
        material.job(material.path.position, second, [*tasks[latest : latest + third], gained[2]]),
        material.job(material.path.junior, first, [*tasks[latest + third :], gained[3]]),
    ]
    more = [
        positions.named(technology)
        for technology in material.occupation.technology
        if positions.named(technology) not in positions.required_technology(material.occupation)
    ]
    technology = [*positions.required_technology(material.occupation), *material.draws.some(more, 1)]
    return Career(
        summary=material.summary(
            f"{material.path.position} with {years} years of experience, {years - first - second} in a senior post.",
            f"{years} years in {material.family.field}, most recently in a senior post with responsibility for a team.",
            f"Experienced in all parts of the work, with {years} years in {material.family.field}.",
        ),
        jobs=_dated(jobs),
        education=_education(material, material.path.qualification, material.zone.school, licence=True),
        training=material.training(2),
        skills=(*technology, *material.draws.some(material.family.skills, 4)),
    )


def _medium(material: _Material) -> Career:
    """Return a career that meets a part of the requirements: the qualification, some years, some of the technology."""
    years = max(2, material.zone.years - 1) + material.draws.number(0, 1)
    tasks = [positions.past(task) for task in material.tasks(6)]
    gained = material.achievements(3)
    latest = len(tasks) - len(tasks) // 2
    jobs = [
        material.job(material.path.position, years - 1, [*tasks[:latest], *gained[:2]]),
        material.job(material.path.junior, 1, [*tasks[latest:], gained[2]]),
        *material.other_work(1, 4),
    ]
    required = positions.required_technology(material.occupation)
    return Career(
        summary=material.summary(
            f"{material.path.position} with {years} years of experience in {material.family.field}.",
            f"{years} years in {material.family.field}, after a start in another kind of work.",
            f"Used to working in a team, with {years} years in {material.family.field}.",
        ),
        jobs=_dated(jobs),
        education=_education(material, material.path.qualification, material.zone.school, licence=True),
        training=material.training(2),
        skills=(*required[: (len(required) + 1) // 2], *material.draws.some(material.family.skills, 3)),
    )


def _weak(material: _Material) -> Career:
    """Return a career that meets few requirements: a short time as a trainee, and work in other fields."""
    helped = [
        f"Helped to {positions.present(task)[0].lower()}{positions.present(task)[1:]}"
        for task in material.tasks(4, led=False)
    ]
    trainee = material.job(material.path.trainee, 1, helped)
    first, second = material.other_work(2, 4)
    jobs = material.draws.one(([trainee, first, second], [first, trainee, second]))
    position = material.path.position
    office = [name for name in positions.required_technology(material.occupation) if name.startswith("Microsoft ")]
    return Career(
        summary=material.summary(
            f"Seeking a first permanent position as {positions.with_article(position)}, after work in other fields.",
            f"Looking for a change into {material.family.field}, with practice from one year as a trainee or helper.",
            f"Work in several fields so far, and one year of first steps in {material.family.field}.",
        ),
        jobs=_dated(jobs),
        education=_education(material, material.zone.lesser, material.zone.lesser_school, licence=False),
        training=material.training(3),
        skills=(*office[:1], *material.draws.some(material.words.general_skills, 4)),
    )


def _education(material: _Material, qualification: str, school: str, *, licence: bool) -> tuple[str, ...]:
    licences = [material.path.licence] if licence and material.path.licence else []
    return (f"{qualification}, {material.places.pop()} {school}", *licences)


def _dated(held_jobs: Sequence[_Job]) -> tuple[Job, ...]:
    """Return jobs with their years, the latest first and current."""
    jobs, last = [], _THIS_YEAR
    for job in held_jobs:
        jobs.append(
            Job(
                title=job.title,
                employer=job.employer,
                first=last - job.years,
                last=None if last == _THIS_YEAR else last,
                duties=tuple(job.duties),
            )
        )
        last -= job.years
    return tuple(jobs)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A layout: the lines at the top, the order and headings of the sections, and the form of each.

    The slot {email} has a line of its own, so that it can be left out.
    """

    top: str
    sections: Mapping[str, str]
    heading: Callable[[str], str]
    job: Callable[[Job], str]
    item: str
    list_skills: bool = False


def _years(job: Job, between: str, now: str) -> str:
    return f"{job.first}{between}{now if job.last is None else job.last}"


LAYOUTS = (
    Layout(
        top="# {name}\n\n{email}",
        sections={
            "summary": "Profile",
            "jobs": "Experience",
            "education": "Education",
            "training": "Training",
            "skills": "Skills",
        },
        heading=lambda title: f"## {title}\n",
        job=lambda job: f"**{job.title}**, {job.employer} | {_years(job, ' to ', 'present')}",
        item="- ",
    ),
    Layout(
        top="{name}\n{email}",
        sections={
            "skills": "SKILLS",
            "jobs": "WORK HISTORY",
            "education": "EDUCATION",
            "training": "COURSES",
            "summary": "ABOUT",
        },
        heading=lambda title: title,
        job=lambda job: f"{_years(job, ' to ', 'date')}   {job.title}, {job.employer}",
        item="* ",
        list_skills=True,
    ),
    Layout(
        top="Name: {name}\nE-mail: {email}",
        sections={
            "education": "Qualification",
            "jobs": "Positions held",
            "training": "Further training",
            "skills": "Skills and software",
            "summary": "In short",
        },
        heading=lambda title: f"{title}:",
        job=lambda job: f"{job.title} at {job.employer} ({_years(job, ' until ', 'now')})",
        item="- ",
    ),
    Layout(
        top="Résumé of {name}\nContact: {email}",
        sections={
            "summary": "In brief",
            "jobs": "Employment",
            "skills": "Skills",
            "education": "Education",
            "training": "Courses",
        },
        heading=lambda title: f"{title}\n{'-' * len(title)}",
        job=lambda job: f"{job.employer}\n{job.title}, {_years(job, ' - ', 'today')}",
        item="• ",
    ),
    Layout(
        top="*{name}*\n{email}",
        sections={
            "summary": "Summary",
            "education": "Education and licenses",
            "training": "Training",
            "skills": "Skills",
            "jobs": "Positions",
        },
        heading=lambda title: f"[{title}]",
        job=lambda job: f"{job.employer}: {job.title} ({_years(job, '–', 'present')})",
        item="– ",
        list_skills=True,
    ),
    Layout(
        top="CURRICULUM VITAE\n\n{name}\n{email}",
        sections={
            "summary": "Personal statement",
            "jobs": "Career",
            "education": "Education",
            "skills": "Knowledge and skills",
            "training": "Courses attended",
        },
        heading=lambda title: f"{title.upper()}\n",
        job=lambda job: f"{_years(job, '-', 'present')}: {job.title}, {job.employer}",
        item="",
    ),
)


def laid_out(career: Career, layout: Layout, *, referee: bool) -> str:
    """Return the text of a résumé; with a referee, a last line names the candidate again."""
    parts = [layout.top]
    for section, title in layout.sections.items():
        parts.append(f"{layout.heading(title)}\n{_section(career, section, layout)}")
    if referee:
        parts.append(f"References for {{name}} are available from {career.jobs[0].employer}.")
    return "\n\n".join(parts)


def _section(career: Career, section: str, layout: Layout) -> str:
    if section == "summary":
        return career.summary
    if section == "jobs":
        return "\n\n".join(f"{layout.job(job)}\n{_listed(job.duties, layout)}" for job in career.jobs)
    lines: tuple[str, ...] = getattr(career, section)
    return ", ".join(lines) if section == "skills" and not layout.list_skills else _listed(lines, layout)


def _listed(lines: tuple[str, ...], layout: Layout) -> str:
    if not layout.item:
        return " ".join(f"{line}." for line in lines)
    return "\n".join(f"{layout.item}{line}" for line in lines)


LEVELS: tuple[Level, ...] = get_args(Level)
#: Where a résumé takes the candidate's name, and the e-mail address, which has a line of its own.
NAME, EMAIL = "{name}", "{email}"
#: Every so many versions the candidate is named again at the end.
_REFEREE = 3


def resume_text(occupation: Occupation, *, version: int, level: Level) -> str:
    """Return the résumé of a version, counted from 1, that fits an occupation's position as the level says.

    It has slots for name and e-mail address. `strong` meets all requirements and has seniority, `medium` a part of it,
    `weak` little. The same version is the same text, always; versions differ in employers, years, numbers, tasks and
    layout.
    """
    draws = positions.Draws(f"{occupation.code} {level} {version}")
    layout = LAYOUTS[(version + _offset(occupation.code)) % len(LAYOUTS)]
    referee = (version + _offset(occupation.code)) // len(LAYOUTS) % _REFEREE == 0
    return laid_out(career(occupation, level, draws), layout, referee=referee)


def without_email(text: str) -> str:
    r"""Return a résumé without the line that has the e-mail address.

    >>> without_email("# {name}\n\n{email}\n\n## Profile")
    '# {name}\n\n## Profile'
    """
    lines = "\n".join(line for line in text.split("\n") if EMAIL not in line)
    return lines.replace("\n\n\n", "\n\n")


@cache
def _offset(code: str) -> int:
    """Return where an occupation begins among the layouts, so that first versions don't all look alike."""
    return sum(int(digit) for digit in code if digit.isdigit())
