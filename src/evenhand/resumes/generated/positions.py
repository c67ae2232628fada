"""Synthetic job advertisements, one for each occupation."""

from dataclasses import dataclass
from functools import cache

from evenhand.lexicons.onet import Occupation
from evenhand.resumes.generated.technology import asked_for
from evenhand.resumes.generated.tense import present
from evenhand.resumes.generated.wording import Draws, path_of, wording

__all__ = [
    "GeneratedPosition",
    "generated_position",
    "listed",
    "lower",
    "position_text",
    "position_title",
    "series",
    "with_article",
]

#: As many tasks as have so many words together are told, at least four.
_MOST_WORDS, _FEWEST_TASKS, _MOST_TASKS = 84, 4, 6


@dataclass(frozen=True, kw_only=True)
class GeneratedPosition:
    """A synthetic position: the O*NET-SOC code that it is known by, its title and its advertisement."""

    id: str
    title: str
    text: str


def generated_position(occupation: Occupation) -> GeneratedPosition:
    """Return the position of an occupation, which the résumés of `generated_resume` fit more or less.

    >>> from evenhand.lexicons.onet import occupation
    >>> generated_position(occupation("29-1141.00")).title
    'Registered Nurse'
    """
    return GeneratedPosition(id=occupation.code, title=position_title(occupation), text=position_text(occupation))


def position_title(occupation: Occupation) -> str:
    """Return what the position is called, in the singular.

    >>> from evenhand.lexicons.onet import occupation
    >>> position_title(occupation("15-1252.00"))
    'Software Engineer'
    """
    return path_of(occupation).position


@cache
def position_text(occupation: Occupation) -> str:
    """Return the job advertisement of an occupation: its title, tasks and what is asked for."""
    words, path = wording(), path_of(occupation)
    family, zone = words.families[path.family], words.zones[occupation.zone]
    draws = Draws(occupation.code)
    opening = draws.one(
        (
            f"{draws.filled(family.about)} is looking for a new colleague to work as {with_article(path.position)}.",
            f"{draws.filled(family.about)} has an open position: {path.position}, full-time.",
            f"{draws.filled(family.about)} seeks {with_article(path.position)} for a team of {draws.number(4, 12)}.",
        )
    )
    asked = [zone.experience, path.qualification + (f" and {lower(path.licence)}" if path.licence else "") + "."]
    if asked_for(occupation):
        asked.append(f"Working knowledge of {series(asked_for(occupation))}.")
    asked.append(f"Practice in {series(tuple(draws.some(family.skills, 3)))}.")
    offer = draws.one(
        (
            f"We offer a permanent position of {draws.number(36, 40)} hours a week, paid training and "
            f"{draws.number(15, 25)} days of paid leave a year.",
            f"The position is permanent, with {draws.number(36, 40)} hours a week and paid training in the first "
            f"{draws.number(2, 4)} weeks.",
        )
    )
    what, bring = draws.one(
        (("What you will do", "What you bring"), ("Your work", "What we ask for"), ("Tasks", "Requirements"))
    )
    return (
        f"{path.position}\n\n{opening}\n\n{what}\n{listed(_told(occupation))}\n\n{bring}\n{listed(asked)}\n\n"
        f"{offer} Applications are read in the order of arrival."
    )


def _told(occupation: Occupation) -> list[str]:
    kept: list[str] = []
    words = 0
    for task in occupation.tasks[:_MOST_TASKS]:
        words += task.count(" ") + 1
        if words > _MOST_WORDS and len(kept) >= _FEWEST_TASKS:
            break
        kept.append(f"{present(task)}.")
    return kept


def listed(lines: list[str]) -> str:
    """Return lines as a list."""
    return "\n".join(f"- {line}" for line in lines)


def series(words: tuple[str, ...]) -> str:
    """Return words as a sentence lists them.

    >>> series(("teamwork", "night shifts", "first aid"))
    'teamwork, night shifts and first aid'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def lower(words: str) -> str:
    """Return words for the middle of a sentence."""
    return words[0].lower() + words[1:]


def with_article(noun: str) -> str:
    """Return a noun behind 'a' or 'an', as it is said."""
    return f"{'an' if noun[0] in 'AEIO' or noun.startswith(('HVAC', 'HR')) else 'a'} {noun}"
