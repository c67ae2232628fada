"""The layouts of synthetic résumés: the same career, set out as different people do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evenhand.resumes.generated.careers import Career, Job

__all__ = ["LAYOUTS", "Layout", "laid_out"]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A layout: the lines at the top, the order of the sections and what they are called, and how each is set out.

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
    if section == "skills":
        return _listed(career.skills, layout) if layout.list_skills else ", ".join(career.skills)
    return _listed(career.education if section == "education" else career.training, layout)


def _listed(lines: tuple[str, ...], layout: Layout) -> str:
    if not layout.item:
        return " ".join(f"{line}." for line in lines)
    return "\n".join(f"{layout.item}{line}" for line in lines)
