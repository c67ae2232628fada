"""Synthetic résumés, addressable by occupation, version and level."""

from dataclasses import dataclass
from functools import cache
from typing import get_args

from evenhand.errors import InputError
from evenhand.lexicons.onet import Occupation
from evenhand.resumes.generated.careers import Level, career
from evenhand.resumes.generated.layouts import LAYOUTS, laid_out
from evenhand.resumes.generated.wording import Draws
from evenhand.tables.messages.quoting import quoted

__all__ = ["EMAIL", "LEVELS", "NAME", "GeneratedResume", "Level", "generated_resume", "resume_text", "without_email"]

LEVELS: tuple[Level, ...] = get_args(Level)
#: Where a résumé takes the candidate's name, and the e-mail address, which has a line of its own.
NAME, EMAIL = "{name}", "{email}"
#: Every so many versions the candidate is named again at the end.
_REFEREE = 3


@dataclass(frozen=True, kw_only=True)
class GeneratedResume:
    """A synthetic résumé with slots for name and e-mail address, for the position of its occupation."""

    id: str
    code: str
    version: int
    level: Level
    text: str


def generated_resume(occupation: Occupation, *, version: int, level: Level) -> GeneratedResume:
    """Return the résumé of a version, counted from 1, that fits an occupation's position as the level says.

    `strong` has all that the position asks for and seniority, `medium` a part of it, `weak` little. The same version
    is the same text, always; versions differ in employers, years, numbers, tasks and layout.

    >>> from evenhand.lexicons.onet import occupation
    >>> generated_resume(occupation("43-6014.00"), version=3, level="strong").id
    '43-6014.00-strong-03'

    Raises
    ------
    InputError
        There is no such version or level.

    """
    return GeneratedResume(
        id=f"{occupation.code}-{level}-{version:02}",
        code=occupation.code,
        version=version,
        level=level,
        text=resume_text(occupation, version=version, level=level),
    )


def resume_text(occupation: Occupation, *, version: int, level: Level) -> str:
    """Return the text of `generated_resume`."""
    if level not in LEVELS:
        raise InputError(f"A résumé's level is {' or '.join(LEVELS)}, got {quoted(level)}.")
    if version < 1:
        raise InputError(f"Versions of résumés are counted from 1, got {version}.")
    draws = Draws(f"{occupation.code} {level} {version}")
    layout = LAYOUTS[(version + _offset(occupation.code)) % len(LAYOUTS)]
    referee = (version + _offset(occupation.code)) // len(LAYOUTS) % _REFEREE == 0
    return laid_out(career(occupation, level, draws), layout, referee=referee)


def without_email(text: str) -> str:
    r"""Return a résumé without the line that has the e-mail address.

    >>> without_email("# {name}\n\n{email}\n\n## Profile")
    '# {name}\n\n## Profile'
    """
    kept = "\n".join(line for line in text.split("\n") if EMAIL not in line)
    return kept.replace("\n\n\n", "\n\n")


@cache
def _offset(code: str) -> int:
    """Return where an occupation begins among the layouts, so that first versions don't all look alike."""
    return sum(int(digit) for digit in code if digit.isdigit())
