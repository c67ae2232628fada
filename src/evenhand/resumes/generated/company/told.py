"""What people tell: a career of months, breaks and skills, as the text of a résumé."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenhand.lexicons.onet import Occupation
from evenhand.resumes.arms.groups import affinity_lines
from evenhand.resumes.generated.careers import Career, Job
from evenhand.resumes.generated.company.parameters import PLACE
from evenhand.resumes.generated.layouts import LAYOUTS, Layout, laid_out
from evenhand.resumes.generated.positions import series
from evenhand.resumes.generated.tense import past
from evenhand.resumes.generated.wording import Draws, Path, path_of, wording

__all__ = ["Told", "resume_of"]

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
#: Months of work from which people have so many jobs, and from which a job is a middle or a senior one.
_JOBS = (30, 84, 168)
_MIDDLE, _SENIOR = 20, 72
_PRONOUNS = {"female": "she/her", "male": "he/him"}


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a résumé tells of a person; `month` counts those since the year 0 when it was written."""

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
    """A job's months, from the first to the last; the last is None while it is held."""

    first: int
    last: int | None
    worked_before: int
    after_break: int = 0


def resume_of(told: Told) -> str:
    """Return the text of a résumé: one of several layouts, ways to write dates, and ways to tell skills and breaks."""
    draws, path = Draws(told.key), path_of(told.occupation)
    layout = draws.one(LAYOUTS)
    written = draws.one((_long, _short, _numbers, _numbers))
    spans = _spans(told, draws)
    places = draws.some(wording().places, 8)
    jobs = _jobs(told, path, spans, draws, places)
    daily = draws.some(told.technology, 3) if draws.number(0, 1) and len(told.technology) > 3 else []
    if daily:
        jobs[0] = replace(jobs[0], duties=(*jobs[0].duties, f"{draws.one(_DAILY)} {series(tuple(daily))}"))
    other = [skill for skill in (*told.technology, *told.others) if skill not in daily]
    summary = _summary(told, path, jobs[0].title, draws)
    mention = draws.number(0, 3) if told.break_months else 3
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
        education=_education(told, path, spans[-1].first, draws, places),
        training=_training(told, draws),
        skills=tuple(draws.some(other, len(other))),
    )
    text = laid_out(career, layout, referee=draws.number(0, 3) == 0)
    name = f"{told.name} ({_PRONOUNS[told.gender]})" if draws.number(1, 8) == 1 else told.name
    text = text.replace("{name}", name, 1).replace("{name}", told.name)
    return text.replace("{email}", _contact(told, layout, draws))


_DAILY = ("Worked daily with", "Used", "Solved everyday tasks with")


def _long(month: int) -> str:
    return f"{_MONTHS[month % 12]} {month // 12}"


def _short(month: int) -> str:
    return f"{_MONTHS[month % 12][:3]} {month // 12}"


def _numbers(month: int) -> str:
    return f"{month % 12 + 1:02}/{month // 12}"


def _spans(told: Told, draws: Draws) -> list[_Span]:
    """Return the months of each job, the latest first; months of work add up to those of the person."""
    count = 1 + sum(told.months >= limit for limit in _JOBS[: draws.number(2, 3)])
    if told.break_months:
        count = max(2, count)
    weights = [draws.number(2, 5) for _ in range(count)]
    cuts = [told.months * sum(weights[:at]) // sum(weights) for at in range(count + 1)]
    pause = draws.number(1, count - 1) if told.break_months else 0
    spans: list[_Span] = []
    end = told.month - (draws.one((1, 2)) if draws.number(1, 8) == 1 else 0)
    held = end == told.month
    for at in range(count - 1, -1, -1):
        first = end - (cuts[at + 1] - cuts[at])
        after = told.break_months if at == pause and pause else 0
        last = None if held and at == count - 1 else end
        spans.append(_Span(first=first, last=last, worked_before=cuts[at], after_break=after))
        end = first - (after or draws.one((0, 0, 0, 1)))
    return spans


def _jobs(told: Told, path: Path, spans: Sequence[_Span], draws: Draws, places: list[str]) -> list[Job]:
    """Return the jobs without their dates, the latest first."""
    family = wording().families[path.family]
    tasks = draws.some(told.occupation.tasks, 9)
    gained = draws.some(family.achievements, len(spans))
    jobs = []
    for at, span in enumerate(spans):
        own = [past(tasks.pop()) for _ in range(min(len(tasks), 3 if at == 0 else 2))]
        jobs.append(
            Job(
                title=_title(told, path, span, draws),
                employer=f"{places.pop()} {draws.one(family.employers)}",
                first=0,
                last=None,
                duties=(*own, draws.filled(gained[at])) if at < len(gained) else tuple(own),
            )
        )
    return jobs


def _title(told: Told, path: Path, span: _Span, draws: Draws) -> str:
    if span.worked_before < _MIDDLE:
        return path.junior
    if span.worked_before >= _SENIOR:
        return path.senior
    return draws.one((path.position, path.position, *told.occupation.titles[:2]))


def _summary(told: Told, path: Path, title: str, draws: Draws) -> str:
    years, field = told.months // 12, wording().families[path.family].field
    worked = f"{years} years" if years > 1 else f"{told.months} months"
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


def _education(told: Told, path: Path, first: int, draws: Draws, places: list[str]) -> tuple[str, ...]:
    zone = wording().zones[told.occupation.zone]
    year = first // 12 - draws.number(0, 1)
    if not told.qualified:
        return (f"{zone.lesser}, {places.pop()} {zone.lesser_school}, {year}",)
    own = f"{path.qualification}, {places.pop()} {zone.school}, {year}"
    return (own, path.licence) if path.licence else (own,)


def _training(told: Told, draws: Draws) -> tuple[str, ...]:
    """Return courses, and now and then a membership, which signals a group or none."""
    found = draws.some(wording().training, draws.number(1, 2))
    signal = draws.number(1, 16)
    if signal <= 2:
        by, group = (("gender", told.gender), ("race", told.race))[signal - 1]
        found.append(affinity_lines((by,), (group,))[draws.number(0, 1)])
    return tuple(found)


def _contact(told: Told, layout: Layout, draws: Draws) -> str:
    """Return the e-mail address, and now and then a telephone number and a town."""
    first, _, last = told.name.lower().partition(" ")
    address = draws.one((f"{first}.{last}", f"{first[0]}{last}", f"{first}{last}{draws.number(1, 99)}"))
    parts = [f"{''.join(sign for sign in address if sign.isascii() and (sign.isalnum() or sign == '.'))}@example.com"]
    if draws.number(0, 1):
        parts.append(f"({draws.number(201, 989)}) 555-01{draws.number(10, 99)}")
    if draws.number(0, 1):
        parts.append(draws.one(PLACE.locations))
    return ("\n" if layout.item == "* " else " | ").join(parts)
