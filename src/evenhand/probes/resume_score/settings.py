"""Settings of resume-score: the range, the applications, what the résumé shows, and the cut-off."""

from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Final

from evenhand.errors import InputError
from evenhand.options import Group, Option
from evenhand.patterns import lazy_re
from evenhand.probes.probe import Names, Positions, Resumes
from evenhand.results.messages import quoted

RANGE: Final = "0-100"
#: Farther apart, numbers are no scores.
_WIDEST: Final = 1e6
_RANGE = lazy_re(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|–|to|:)\s*(-?\d+(?:\.\d+)?)\s*")


def range_of(text: str) -> tuple[float, float]:
    """Return the ends of a range of scores.

    Raises
    ------
    InputError
        It is no range, or the wrong way round.

    >>> range_of("1-5"), range_of("-1 to 1")
    ((1.0, 5.0), (-1.0, 1.0))
    """
    match = _RANGE.fullmatch(text)
    if match is None:
        raise InputError(f"--range {quoted(text)} is not a range; expected two numbers such as {RANGE}.")
    low, high = float(match[1]), float(match[2])
    if low >= high:
        turned = f"; did you mean {match[2]}-{match[1]}?" if low > high else "; a score needs two ends."
        raise InputError(f"--range {quoted(text)} goes from {match[1]} to {match[2]}{turned}")
    if high - low > _WIDEST:
        raise InputError(f"--range {quoted(text)} is wider than {_WIDEST:,.0f}; expected one such as {RANGE}.")
    return low, high


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """The range, other names, positions and résumés, what the résumé says of the person, and the cut-off."""

    range: Annotated[
        str | None,
        Option(f"Lowest and highest score; default {RANGE} (resume-score).", metavar="LOW-HIGH", shared=True),
    ] = None
    names: Names = None
    occupations: Annotated[
        str | None,
        Option("Titles or O*NET codes of the package's occupations to use (resume-score).", metavar="LIST"),
    ] = None
    positions: Positions = None
    resumes: Resumes = None
    pronouns: Annotated[bool, Option("State the pronouns after the name (resume-score).")] = False
    affinity: Annotated[bool, Option("Add a line of membership in the group's network (resume-score).")] = False
    cutoff: Annotated[
        float | None,
        Option(
            "Scores above the cut-off are selected; default: the median (resume-score).",
            check=isfinite,
            expected="a number",
            changes="numbers",
        ),
    ] = None
