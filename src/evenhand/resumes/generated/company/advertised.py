"""What the company advertises: the text of a position, with what is a must and what is nice to have."""

from evenhand.lexicons.onet import Occupation
from evenhand.resumes.generated.positions import listed, lower, series, with_article
from evenhand.resumes.generated.tense import present
from evenhand.resumes.generated.wording import Draws, path_of, wording

__all__ = ["advertised_title", "advertisement"]

_TASKS = 4


def advertised_title(occupation: Occupation, level: int, draws: Draws) -> str:
    """Return what a position is called: that of a middle level by one of the titles that O*NET reports, too."""
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
    asked = [
        f"{low} to {high} years of experience in {family.field}." if low else f"Up to {high} years of experience.",
        path.qualification + (f" and {lower(path.licence)}" if path.licence else "") + ".",
        f"{draws.one(('You must know', 'Required:', 'Sound knowledge of'))} {series(must)}.",
        f"{draws.one(('Nice to have:', 'Welcome:', 'A plus:'))} {series(nice)}.",
    ]
    what, bring = draws.one((("What you will do", "What you bring"), ("Your work", "What we ask for")))
    tasks = [f"{present(task)}." for task in draws.some(occupation.tasks, _TASKS)]
    return f"{title}\n\n{opening}\n\n{what}\n{listed(tasks)}\n\n{bring}\n{listed(asked)}"
