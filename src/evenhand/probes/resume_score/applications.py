"""Who applies where: our own positions with a strong, a medium and a weak résumé each, or the user's."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final
from unicodedata import normalize

from evenhand.errors import InputError
from evenhand.lexicons.onet import Occupation, occupations
from evenhand.resumes.generated.positions import position_text
from evenhand.resumes.generated.resumes import EMAIL, LEVELS, NAME, generated_resume
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
PRONOUNS: Final = {"male": "he/him", "female": "she/her"}
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
    """A résumé with slots for the name and the e-mail address."""

    id: str
    text: str
    qualification: str | None = None

    def filled(self, name: str, *, gender: str, pronouns: bool) -> str:
        """Return the text under a name, on request with the pronouns beside its first mention."""
        text = self.text.replace(EMAIL, _address(name))
        if pronouns:
            text = text.replace(NAME, f"{NAME} ({PRONOUNS[gender]})", 1)
        return text.replace(NAME, name)


def _address(name: str) -> str:
    """Return the e-mail address of a name.

    >>> _address("María José Núñez")
    'maria.jose.nunez@example.com'
    """
    plain = "".join(letter for letter in normalize("NFKD", name.lower()) if letter.isalnum() or letter.isspace())
    return f"{'.'.join(plain.split())}@example.com"


@dataclass(frozen=True, kw_only=True)
class Applications:
    """Positions, and the résumés that are sent for each."""

    positions: tuple[Position, ...]
    resumes: tuple[tuple[Resume, ...], ...]

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
                f"--occupations has {quoted(part)}, which is none of the {len(occupations())} embedded occupations.{hint} "
                "evenhand data occupations lists them."
            )
        chosen.setdefault(known[part.lower()].code, known[part.lower()])
    return _written(tuple(chosen.values()))


def _written(chosen: tuple[Occupation, ...]) -> Applications:
    return Applications(
        positions=tuple(Position(title=each.title, text=position_text(each), zone=str(each.zone)) for each in chosen),
        resumes=tuple(_resumes(each, version=1 + number % _VERSIONS) for number, each in enumerate(chosen)),
    )


def _resumes(occupation: Occupation, *, version: int) -> tuple[Resume, ...]:
    """Return the résumés of one occupation, from the best to the least qualified."""
    found = [generated_resume(occupation, version=version, level=level) for level in QUALIFICATIONS]
    return tuple(Resume(id=each.id, text=each.text, qualification=each.level) for each in found)
