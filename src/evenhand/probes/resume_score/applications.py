"""Who applies where: our own positions with a strong, a medium and a weak résumé each, or the user's."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from evenhand.errors import InputError
from evenhand.intake.positions import read_positions
from evenhand.lexicons.onet import Occupation, occupations
from evenhand.resumes.arms.slots import FullName
from evenhand.resumes.arms.template import Template, templates_of
from evenhand.resumes.generated.positions import position_text, position_title
from evenhand.resumes.generated.resumes import LEVELS, generated_resume
from evenhand.resumes.people.person import Person
from evenhand.resumes.people.reading import read_people
from evenhand.tables.messages.quoting import quoted

__all__ = [
    "EMBEDDED",
    "QUALIFICATIONS",
    "Applications",
    "Position",
    "Resume",
    "chosen_applications",
    "own_applications",
]

#: How well a résumé of ours fits its position, the best first.
QUALIFICATIONS: Final = LEVELS
#: How many positions of our own there are, and résumés for each.
EMBEDDED: Final = (82, len(QUALIFICATIONS))
#: Texts that differ in layout and employers; each position takes the next.
_VERSIONS: Final = 20


@dataclass(frozen=True, kw_only=True)
class Position:
    """A position: its title and its advertisement; `zone` is O*NET's job zone, 1 to 5, of ours."""

    title: str
    text: str
    zone: str | None = None


@dataclass(frozen=True, kw_only=True)
class Resume:
    """A résumé with places for the name; `qualification` says how well it fits its position, of ours."""

    template: Template
    qualification: str | None = None

    def filled(self, name: FullName, *, gender: str, lines: Mapping[str, str]) -> str:
        """Return the text under a name with added `lines`; pronouns and titles that stand in it follow the name."""
        return self.template.filled(name, gender=gender, lines=lines)


@dataclass(frozen=True, kw_only=True)
class Applications:
    """Positions, and the résumés that are sent for each."""

    positions: tuple[Position, ...]
    resumes: tuple[tuple[Resume, ...], ...]
    left_out: int = 0

    def shape(self) -> tuple[int, int]:
        """Return how many positions there are, and résumés for each."""
        return len(self.positions), len(self.resumes[0])


@cache
def own_applications() -> Applications:
    """Return all positions of our own with their résumés; the texts are synthetic."""
    return _written(occupations())


def chosen_applications(text: str) -> Applications:
    """Return those of a list of occupations, by title or O*NET code.

    Raises
    ------
    InputError
        One is unknown; the nearest is offered.

    """
    known = {each.title.lower(): each for each in occupations()} | {each.code: each for each in occupations()}
    chosen: dict[str, Occupation] = {}
    for part in (word.strip() for word in text.split(",")):
        if part.lower() not in known:
            near = get_close_matches(part.lower(), known, n=1)
            hint = f" Did you mean {known[near[0]].title}?" if near else ""
            raise InputError(
                f"--occupations has {quoted(part)}, which is none of the {len(occupations())} occupations that are "
                f"embedded.{hint} Give a title or an O*NET code."
            )
        chosen.setdefault(known[part.lower()].code, known[part.lower()])
    return _written(tuple(chosen.values()))


def _written(chosen: tuple[Occupation, ...]) -> Applications:
    return Applications(
        positions=tuple(
            Position(title=position_title(each), text=position_text(each), zone=str(each.zone)) for each in chosen
        ),
        resumes=tuple(_resumes(each, version=1 + number % _VERSIONS) for number, each in enumerate(chosen)),
    )


def _resumes(occupation: Occupation, *, version: int) -> tuple[Resume, ...]:
    """Return the résumés of one occupation, from the best to the least qualified."""
    found = [generated_resume(occupation, version=version, level=level) for level in QUALIFICATIONS]
    people = [Person(id=each.id, text=each.text) for each in found]
    return tuple(
        Resume(template=template, qualification=each.level)
        for template, each in zip(templates_of(people).templates, found, strict=True)
    )


def read_applications(positions: Path, resumes: Path) -> Applications:
    """Return the user's positions, each with all of the user's résumés.

    `left_out` counts résumés in which no name was found, or in which it stands where it can't be replaced.

    Raises
    ------
    InputError
        A file can't be read, or no résumé is left.

    """
    jobs = read_positions(positions)
    made = templates_of(read_people(resumes))
    if not made.templates:
        why = "; ".join(f"{count} because {reason}" for (reason, *_), count in made.counts().items())
        raise InputError(
            f"No résumé of {resumes} can be sent under other names: {why}. "
            "Give known_names, or write {name} in the text."
        )
    titles = Counter(each.title for each in jobs)
    return Applications(
        positions=tuple(
            Position(
                # Positions of one title are called by their id, too.
                title=each.title if titles[each.title] == 1 else f"{each.title} ({each.id})",
                text=each.advertisement,
            )
            for each in jobs
        ),
        resumes=tuple(tuple(Resume(template=each) for each in made.templates) for _ in jobs),
        left_out=len(made.left_out),
    )
